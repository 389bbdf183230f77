! DFRATOM - Dirac-Fock-Roothaan calculation of an atom: the average energy of a configuration with the Dirac-Coulomb
! Hamiltonian, spinors expanded in Gaussian functions with restricted kinetic balance, in the manner of O. Matsuoka and
! Y. Watanabe, Comput. Phys. Commun. 139, 218 (2001).
!
! The routines called here communicate through the arrays of modules.f90. Only these routines allocate and read the
! integrals x1..x8; this program never does. eint1, eint2, guess, scfiter, calc_energy and newuoa can therefore be
! replaced at link time by others that keep the integrals elsewhere. After scfiter this program reads only module
! result.
!
! Usage: dfratom name.inp. The exit status is 0 if the calculation has converged. It is 1 after an error, without
! convergence, or if the result is not valid, for example with an energy below the limit energy, or with electrons that
! the nucleus does not bind.

program dfratom
   use kinds
   use ctlpar, only: c, iprint, jobtype, lprint, lrel, maxfun, rhobeg, rhoend
   use baspar, only: ngroup, wtbspara, wtbsref
   use result
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

      subroutine numerical_limit(energy, ierr)
         import :: ikind, rkind
         real(rkind), intent(in) :: energy
         integer(ikind), intent(out) :: ierr
      end subroutine numerical_limit

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
   logical :: optimised = .true.     ! if not, the reason has been reported

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
   call tell_state
   if (.not. (lconv .and. optimised .and. state == sound)) call stop_on(1_ikind)

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
      call judge_result
      call write_results
      call write_times([character(len=7) :: 'eint1', 'eint2', 'guess', 'scfiter'], seconds(1:4) - seconds(0:3))
   end subroutine calculate

   subroutine optimise
      real(rkind) :: x(4 * ngroup), energy

      x = zero
      wtbsref = wtbspara
      lprint = .false.
      call numerical_limit(-huge(one), ierr)
      if (ierr /= 0) call complain('the field in a large basis does not converge: energies are not compared with the limit energy')
      optimised = ierr == 0
      call newuoa(4 * ngroup, x, rhobeg, rhoend, iprint, maxfun, ierr)
      if (ierr > 0 .and. ebelow < huge(ebelow)) call complain(below_limit(ebelow))
      optimised = optimised .and. ierr == 0
      call stop_on(max(ierr, 0_ikind))
      lprint = .true.
      call calc_energy(4 * ngroup, x, energy, ierr)
      if (ierr /= 0 .and. lconv) call stop_on(ierr)
      call print_line('')
      call print_line(' Optimised parameters')
      call write_parameters
      call write_basis
      call judge_result
      call write_results
   end subroutine optimise

   ! Decides whether the converged field is a valid result.
   subroutine judge_result
      state = sound
      if (.not. lconv) return
      if (lowest_occupied() < -1.9_rkind * c**2) then
         state = dived
      else if (highest_occupied() > zero) then
         state = unbound
      else if (lrel) then
         call numerical_limit((etot), ierr)     ! a copy, because etot changes meanwhile
         if (ierr /= 0) then
            state = not_compared
         else if (etot < efloor) then
            state = collapsed
         end if
      end if
   end subroutine judge_result

   subroutine tell_state
      select case (state)
      case (collapsed)
         call complain(below_limit(etot))
      case (unbound)
         call complain('the energy of an occupied spinor is positive, ' // fixed(highest_occupied(), 9) // &
            ': the nucleus does not bind so many electrons, and the result depends on the basis; take fewer')
      case (dived)
         call complain('the energy of an occupied spinor is ' // fixed(lowest_occupied(), 9) // &
            ', at the continuum of negative energies; take a smaller charge, or a larger nucleus')
      case (not_compared)
         call complain('the field in a large basis does not converge: the energy ' // fixed(etot, 9) // &
            ' is not compared with its limit')
      end select
   end subroutine tell_state

   function below_limit(energy) result(words)
      real(rkind), intent(in) :: energy
      character(:), allocatable :: words

      words = 'the energy ' // fixed(energy, 9) // ' is below the limit energy ' // fixed(elimit, 9) // &
         ': the basis has collapsed; add diffuse functions to p1/2, d3/2, ..., and functions near the nucleus'
   end function below_limit

end program dfratom
