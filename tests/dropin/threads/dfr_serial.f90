! Computes the repulsion of a large basis as the serial program does: by sums over a grid, without integrals.
subroutine eint2(ierr)
   use kinds
   use baspar
   implicit none
   integer(ikind), intent(out) :: ierr
   external :: bsnorm

   ierr = 0
   kappa(:2) = [-1, 1]     ! s1/2, p1/2
   lqn(:2) = [0, 1]
   jqn2(:2) = 1
   nbsmax = maxval(nbs(:nsym))
   call bsnorm
end subroutine eint2

subroutine formpq
   use repulsion_grid, only: formpq_on_grid
   implicit none

   call formpq_on_grid
end subroutine formpq

! Allocates the arrays of the program's own modules.
subroutine allocate_arrays
   use result, only: cvec
   use scfarr, only: pmat, qmat
   implicit none

   if (.not. allocated(cvec)) allocate (cvec(8, 8, 2), pmat(8, 8, 2), qmat(8, 8, 2))
end subroutine allocate_arrays
