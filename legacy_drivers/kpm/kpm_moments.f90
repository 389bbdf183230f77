! KPM_MOMENTS - Chebyshev moments mu(n, r) = <r|T_n(H~)|r> / nsite of the start vectors of a realisation, where
! H~ = (H - centre) / half_width. Each vector of the recursion r_(n+1) = 2 H~ r_n - r_(n-1) gives two moments:
! mu_2n = 2<r_n|r_n> - mu_0, mu_(2n+1) = 2<r_(n+1)|r_n> - mu_1.
!
! The routine may be replaced at link time. The arrays are those of module crsmat and are only read; the vectors come
! from start_vector. ierr = 1, after a message on standard error: no memory, or the interval does not enclose the
! spectrum.
subroutine kpm_moments(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, ierr)
   use kinds
   use messages, only: complain, integer_text, real_text
   implicit none
   integer(ikind), intent(in) :: nsite, nmom, nvec, realisation
   integer(lkind), intent(in) :: row_start(nsite + 1_lkind)
   integer(ikind), intent(in) :: column(*)
   real(rkind), intent(in) :: element(*), centre, half_width
   real(rkind), intent(out) :: mu(0:nmom - 1, nvec)
   integer(ikind), intent(out) :: ierr

   interface
      subroutine start_vector(realisation, vector, x)
         use crsmat, only: sites => nsite
         import :: ikind, rkind
         integer(ikind), intent(in) :: realisation, vector
         real(rkind), intent(out) :: x(sites)
      end subroutine start_vector
   end interface

   integer(ikind), parameter :: chunk = 1024     ! sites; sums of partial sums have smaller errors
   real(rkind), allocatable :: x(:), y(:)
   real(rkind) :: xx, yx
   integer(ikind) :: r, n
   integer :: status

   ierr = 1
   allocate (x(nsite), y(nsite), stat=status)
   if (status /= 0) then
      call complain('not enough memory: two vectors of ' // integer_text(nsite) // ' sites need ' // &
         integer_text(16_lkind * nsite / 1000000) // ' MB')
      return
   end if
   do r = 1, nvec
      call start_vector(realisation, r, x)
      y = zero
      call step(x, y, one / half_width, zero, xx, yx)
      mu(0, r) = xx / nsite
      mu(1, r) = yx / nsite
      do n = 1, (nmom - 1) / 2
         if (mod(n, 2_ikind) == 1) then
            call step(y, x, two / half_width, one, xx, yx)
         else
            call step(x, y, two / half_width, one, xx, yx)
         end if
         mu(2*n, r) = two * xx / nsite - mu(0, r)
         if (2*n + 1 < nmom) mu(2*n + 1, r) = two * yx / nsite - mu(1, r)
         if (diverged(xx / nsite)) return
      end do
      if (diverged(maxval(abs(mu(:, r))))) return
   end do
   ierr = 0

contains

   ! Calculates y <- factor (H - centre) x - keep y, and the products <x|x> and <y|x>.
   subroutine step(x, y, factor, keep, xx, yx)
      real(rkind), intent(in) :: x(nsite), factor, keep
      real(rkind), intent(inout) :: y(nsite)
      real(rkind), intent(out) :: xx, yx
      real(rkind) :: product, part_xx, part_yx, shift
      integer(ikind) :: i, last
      integer(lkind) :: first, j

      shift = factor * centre
      xx = zero
      yx = zero
      do first = 1, nsite, chunk
         last = int(min(first + chunk - 1, int(nsite, lkind)), ikind)
         part_xx = zero
         part_yx = zero
         do i = int(first, ikind), last
            product = zero
            do j = row_start(i), row_start(i + 1_lkind) - 1
               product = product + element(j) * x(column(j))
            end do
            y(i) = factor * product - shift * x(i) - keep * y(i)
            part_xx = part_xx + x(i) * x(i)
            part_yx = part_yx + y(i) * x(i)
         end do
         xx = xx + part_xx
         yx = yx + part_yx
      end do
   end subroutine step

   ! Returns true if a moment exceeds mu_0 by more than rounding, which |T_n| <= 1 on [-1, 1] excludes, or if it is NaN.
   function diverged(size) result(answer)
      real(rkind), intent(in) :: size
      logical :: answer

      answer = .not. size <= mu(0, r) * (one + 1.0e-6_rkind)
      if (answer) call complain('$bounds: ' // real_text(centre - half_width) // '..' // real_text(centre + half_width) // &
         ' does not enclose the spectrum: the moments of vector ' // integer_text(r) // ' of realisation ' // &
         integer_text(realisation) // ' diverge')
   end function diverged

end subroutine kpm_moments
