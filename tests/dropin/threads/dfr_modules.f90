! Modules of a program in which each thread has its own atom. Variables that differ between atoms are threadprivate.
module baspar
   use kinds
   implicit none
   public

   integer(ikind) :: nsym, nbs(9), ndeg(9)
   real(rkind) :: zeta(4, 9) = 0
   !$omp threadprivate(zeta)
end module baspar

module elconf
   use kinds
   implicit none
   public

   integer(ikind) :: nclose(9), nopen(9)
   real(rkind) :: qopen(9), vc(9, 9)
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

   integer(ikind) :: nneg(9)
   real(rkind) :: pmat(8, 8, 2) = 0, qmat(8, 8, 2) = 0
   !$omp threadprivate(pmat, qmat)
end module scfarr

! Does nothing, as the arrays are static.
subroutine allocate_arrays
end subroutine allocate_arrays
