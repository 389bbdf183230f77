! Runs the serial kpm_moments for the benchmark, with start vectors of negligible cost.
subroutine serial_kpm(sites, row_start, column, element, half_width, moments, vectors, mu, failed) bind(c)
   use, intrinsic :: iso_c_binding
   use crsmat, only: nsite
   use kinds
   implicit none
   integer(c_int32_t), value :: sites, moments, vectors
   integer(c_int64_t), intent(in) :: row_start(*)
   integer(c_int32_t), intent(in) :: column(*)
   real(c_double), intent(in) :: element(*)
   real(c_double), value :: half_width
   real(c_double), intent(out) :: mu(*)
   integer(c_int32_t), intent(out) :: failed
   external :: kpm_moments

   nsite = sites
   call kpm_moments(sites, row_start, column, element, zero, half_width, moments, vectors, 1_ikind, mu, failed)
end subroutine serial_kpm

! Returns a vector of signs from a linear congruential generator.
subroutine start_vector(realisation, vector, x)
   use crsmat, only: nsite
   use kinds
   implicit none
   integer(ikind), intent(in) :: realisation, vector
   real(rkind), intent(out) :: x(nsite)
   integer(lkind) :: state
   integer(ikind) :: i

   state = 7919_lkind * vector + realisation
   do i = 1, nsite
      state = iand(state * 1103515245_lkind + 12345_lkind, 2147483647_lkind)
      x(i) = real(1 - 2 * iand(shiftr(state, 16), 1_lkind), rkind)
   end do
end subroutine start_vector
