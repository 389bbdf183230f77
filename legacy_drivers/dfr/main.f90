! DFRATOM - Dirac-Fock-Roothaan calculation of an atom: the average energy of a configuration with the Dirac-Coulomb
! Hamiltonian, spinors expanded in Gaussian functions with restricted kinetic balance, in the manner of O. Matsuoka and
! Y. Watanabe, Comput. Phys. Commun. 139, 218 (2001).
!
! The routines called here communicate through the arrays of modules.f90. The integrals x1..x8 are read and allocated by
! the routines alone, never by this program: eint1, eint2, guess, scfiter, calc_energy and newuoa may be exchanged at link
! time for others that keep them elsewhere. What is read here, behind scfiter, is module result.
!
! dfratom name.inp; exit status 0: converged, 1: an error or no convergence.

program dfratom
   use kinds
   use ctlpar, only: iprint, jobtype, lprint, maxfun, rhobeg, rhoend
   use baspar, only: ngroup, wtbspara, wtbsref
   use result, only: etot, lconv, niter
   use messages
   use output
   use run_control
   implicit none

   interface
      subroutine intin(name, ierr)
         import :: ikind
         character(*), intent(in) :: name
         integer(ikind), intent(out) :: ierr
      end subroutine intin

      subroutine calc_parameters
      end subroutine calc_parameters

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

      subroutine newuoa(n, x, rhobeg, rhoend, iprint, maxfun, ierr)
         import :: ikind, rkind
         integer(ikind), intent(in) :: n, iprint, maxfun
         real(rkind), intent(inout) :: x(n)
         real(rkind), intent(in) :: rhobeg, rhoend
         integer(ikind), intent(out) :: ierr
      end subroutine newuoa

      subroutine calc_energy(n, x, energy, ierr)
         import :: ikind, rkind
         integer(ikind), intent(in) :: n
         real(rkind), intent(in) :: x(n)
         real(rkind), intent(out) :: energy
         integer(ikind), intent(out) :: ierr
      end subroutine calc_energy
   end interface

   integer(ikind) :: ierr
   logical :: optimised = .true.     ! or maxfun came first, which has been told

   call begin_run('dfratom')
   call intin(input_argument(), ierr)
   call stop_on(ierr)
   call calc_parameters
   call write_options
   call write_basis
   call stop_on_lost_output
   if (jobtype == 'bsopt') then
      call optimise
   else
      call calculate
   end if
   call stop_on_lost_output
   if (.not. lconv) call complain('the SCF has not converged after ' // integer_text(niter) // &
      ' iterations; last energy ' // fixed(etot, 9))
   if (.not. (lconv .and. optimised)) call stop_on(1_ikind)

contains

   subroutine calculate
      real(rkind) :: seconds(0:4)

      call bsnorm
      seconds(0) = clock()
      call eint1(ierr)
      call stop_on(ierr)
      seconds(1) = clock()
      call eint2(ierr)
      call stop_on(ierr)
      seconds(2) = clock()
      call guess(ierr)
      call stop_on(ierr)
      seconds(3) = clock()
      call scfiter(ierr)
      call stop_on(ierr)
      seconds(4) = clock()
      call write_results
      call write_times([character(len=7) :: 'eint1', 'eint2', 'guess', 'scfiter'], seconds(1:4) - seconds(0:3))
   end subroutine calculate

   subroutine optimise
      real(rkind) :: x(4 * ngroup), energy

      x = zero
      wtbsref = wtbspara
      lprint = .false.
      call newuoa(4 * ngroup, x, rhobeg, rhoend, iprint, maxfun, ierr)
      optimised = ierr == 0
      call stop_on(max(ierr, 0_ikind))
      lprint = .true.
      call calc_energy(4 * ngroup, x, energy, ierr)
      if (ierr /= 0 .and. lconv) call stop_on(ierr)
      call print_line('')
      call print_line(' Optimised parameters')
      call write_parameters
      call write_basis
      call write_results
   end subroutine optimise

end program dfratom
