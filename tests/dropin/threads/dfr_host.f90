! A program whose threads have an atom each: what differs between them is threadprivate.
module baspar
   use kinds
   implicit none
   public

   integer(ikind) :: nsym, nbs(9), ndeg(9)     ! not known to the compiler, as in a program with an input
   real(rkind) :: zeta(4, 9) = 0
   !$omp threadprivate(zeta)
end module baspar

module elconf
   use kinds
   implicit none
   public

   integer(ikind) :: nclose(9) = [1, 0, 0, 0, 0, 0, 0, 0, 0], nopen(9) = [0, 1, 0, 0, 0, 0, 0, 0, 0]
   real(rkind) :: qopen(9) = one, vc(9, 9) = 0.25_rkind
end module elconf

module result
   use kinds
   implicit none
   public

   real(rkind) :: cvec(8, 8, 2) = 0
   !$omp threadprivate(cvec)
end module result

module scfarr
   use kinds
   implicit none
   public

   integer(ikind) :: nneg(2) = 4
   real(rkind) :: pmat(8, 8, 2) = 0, qmat(8, 8, 2) = 0
   !$omp threadprivate(pmat, qmat)
end module scfarr

module host
   use kinds
   use baspar, only: nbs, ndeg, nsym, zeta
   use result, only: cvec
   use scfarr, only: pmat, qmat
   implicit none
   private
   public :: number_of_values, realise

   integer, parameter :: number_of_values = 3 * 64

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(rkind), intent(out) :: values(number_of_values)
      integer(ikind) :: i, ierr
      external :: eint2, formpq

      nsym = 2     ! in all threads the same
      nbs = 4
      ndeg = 2
      zeta(:, 1) = [(0.2_rkind * 4.0_rkind**(i - 1) * (1 + 0.01_rkind * r), i=1, 4)]
      zeta(:, 2) = 0.8_rkind * zeta(:, 1)
      cvec = reshape([(0.3_rkind * sin(real(i * r, rkind)), i=1, 128)], [8, 8, 2])
      call eint2(ierr)
      if (ierr /= 0) error stop 'eint2'
      call formpq
      values = [reshape(pmat, [128]), reshape(qmat(:, :, 2), [64])]
   end subroutine realise
end module host
