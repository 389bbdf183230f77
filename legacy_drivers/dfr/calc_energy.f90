! CALC_ENERGY - the energy at the n = 4 ngroup well-tempered parameters wtbsref exp(x), which newuoa minimises. ierr =
! 1: exponents are out of range, the field has not converged, or the energy is below efloor and is stored in ebelow.
subroutine calc_energy(n, x, energy, ierr)
   use kinds
   use baspar, only: wtbspara, wtbsref
   use result, only: ebelow, efloor, etot, lconv
   implicit none
   integer(ikind), intent(in) :: n
   real(rkind), intent(in) :: x(n)
   real(rkind), intent(out) :: energy
   integer(ikind), intent(out) :: ierr

   interface
      subroutine formbs(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine formbs

      subroutine field(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine field
   end interface

   energy = zero
   wtbspara(:n) = wtbsref(:n) * exp(x)
   call formbs(ierr)
   if (ierr == 0) call field(ierr)
   if (ierr /= 0) return
   energy = etot
   if (.not. lconv) ierr = 1
   if (lconv .and. etot < efloor) then
      ierr = 1
      ebelow = etot
   end if
end subroutine calc_energy

! FIELD - the self-consistent field in the basis given by nbs and zeta. ierr is that of the first step that fails.
subroutine field(ierr)
   use kinds
   implicit none
   integer(ikind), intent(out) :: ierr

   interface
      subroutine bsnorm
      end subroutine bsnorm

      subroutine eint1(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine eint1

      subroutine eint2(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine eint2

      subroutine guess(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine guess

      subroutine scfiter(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine scfiter
   end interface

   call bsnorm
   call eint1(ierr)
   if (ierr == 0) call eint2(ierr)
   if (ierr == 0) call guess(ierr)
   if (ierr == 0) call scfiter(ierr)
end subroutine field
