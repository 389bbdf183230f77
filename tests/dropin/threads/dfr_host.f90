! Computes the repulsion of the electrons of atoms whose basis and spinors differ between realisations.
module host
   use kinds
   use baspar, only: nbs, ndeg, nsym, zeta
   use elconf, only: nclose, nopen, qopen, vc
   use result, only: cvec
   use scfarr, only: nneg, pmat, qmat
   implicit none
   private
   public :: number_of_values, realise

   integer, parameter :: number_of_values = 3 * 64
   logical :: described = .false.     ! data that all threads share are set

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(rkind), intent(out) :: values(number_of_values)
      integer(ikind) :: i, ierr
      external :: allocate_arrays, eint2, formpq

      if (.not. described) call describe
      call allocate_arrays
      zeta(:4, 1) = [(0.2_rkind * 4.0_rkind**(i - 1) * (1 + 0.01_rkind * r), i=1, 4)]
      zeta(:4, 2) = 0.8_rkind * zeta(:4, 1)
      cvec = reshape([(0.3_rkind * sin(real(i * r, rkind)), i=1, 128)], [8, 8, 2])
      call eint2(ierr)
      if (ierr /= 0) error stop 'eint2'
      call formpq
      values = [reshape(pmat, [128]), reshape(qmat(:, :, 2), [64])]
   end subroutine realise

   ! Describes one closed shell of s1/2 and one open shell of p1/2.
   subroutine describe
      nsym = 2
      nbs = 4
      ndeg = 2
      nneg = 4
      nclose = [1, 0, 0, 0, 0, 0, 0, 0, 0]
      nopen = [0, 1, 0, 0, 0, 0, 0, 0, 0]
      qopen = 1
      vc = 0.25_rkind
      described = .true.
   end subroutine describe
end module host
