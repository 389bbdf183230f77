! START_VECTOR - start vector number "vector" of a realisation; the square of an element is 1 in the mean. A replacement
! of kpm_moments calls it too, so that both have the same vectors. Only one thread may call it at a time, because the
! generator has one state. 'sites': the vector has one non-zero site, and the mean over all sites is the exact trace.
subroutine start_vector(realisation, vector, x)
   use kinds
   use kpmpar, only: seed, vectors
   use crsmat, only: nsite
   use streams
   implicit none
   integer(ikind), intent(in) :: realisation, vector
   real(rkind), intent(out) :: x(nsite)
   real(rkind), parameter :: to_unit_variance = sqrt(12.0_rkind)
   integer(ikind), parameter :: signs_each = 31     ! bits of a random number
   integer(ikind) :: i, first, bits
   real(rkind) :: unpaired

   if (vectors == 'sites') then
      x = zero
      x(vector) = sqrt(real(nsite, rkind))
      return
   end if
   call start_stream(seed, realisation, vector)
   select case (vectors)
   case ('sign')
      do first = 1, nsite, signs_each
         bits = nint(draw_uniform() * two**signs_each, ikind)
         do i = first, min(first + signs_each - 1, nsite)
            x(i) = real(1 - 2 * iand(shiftr(bits, i - first), 1_ikind), rkind)     ! a branch would be mispredicted
         end do
      end do
   case ('uniform')
      do i = 1, nsite
         x(i) = to_unit_variance * (draw_uniform() - half)
      end do
   case default
      do i = 1, nsite - 1, 2
         call draw_gaussian(x(i), x(i + 1))
      end do
      if (mod(nsite, 2_ikind) == 1) call draw_gaussian(x(nsite), unpaired)
   end select
end subroutine start_vector
