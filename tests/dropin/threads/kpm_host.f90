! Computes moments of chains whose energies differ between realisations.
module crsmat
   use, intrinsic :: iso_fortran_env, only: int32
   implicit none
   public

   integer(int32) :: nsite = 300
end module crsmat

module host
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   implicit none
   private
   public :: number_of_values, realise

   integer(int32), parameter :: nsite = 300, nmom = 24, nvec = 3
   integer, parameter :: number_of_values = nmom * nvec

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(real64), intent(out) :: values(number_of_values)
      integer(int64) :: row_start(nsite + 1)
      integer(int32) :: column(3 * nsite), i, ierr
      real(real64) :: element(3 * nsite)
      external :: kpm_moments

      do i = 1, nsite
         row_start(i) = 3 * i - 2
         column(3 * i - 2:3 * i) = [modulo(i - 2, nsite) + 1, i, modulo(i, nsite) + 1]
         element(3 * i - 2:3 * i) = [-1.0_real64, sin(real(i * r, real64)), -1.0_real64]
      end do
      row_start(nsite + 1) = 3 * nsite + 1
      call kpm_moments(nsite, row_start, column, element, 0.0_real64, 3.5_real64, nmom, nvec, int(r, int32), values, ierr)
      if (ierr /= 0) error stop 'kpm_moments'
   end subroutine realise
end module host

subroutine start_vector(realisation, vector, x)
   use, intrinsic :: iso_fortran_env, only: int32, real64
   implicit none
   integer(int32), intent(in) :: realisation, vector
   real(real64), intent(out) :: x(300)
   integer :: i

   x = [(sign(1.0_real64, sin(real(i * (7 * realisation + vector), real64))), i=1, 300)]
end subroutine start_vector
