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

   character(:), allocatable :: input_name
   integer(ikind) :: ierr

   call name_program('dfratom')
   call get_input_name
   call intin(input_name, ierr)
   deallocate (input_name)
   call stop_on(ierr)
   call calc_parameters
   call write_options
   call write_basis
   call check_output(ierr)
   call stop_on(ierr)
   if (jobtype == 'bsopt') then
      call optimise
   else
      call calculate
   end if
   call check_output(ierr)
   call stop_on(ierr)
   if (.not. lconv) call complain('the SCF has not converged after ' // integer_text(int(niter, lkind)) // &
      ' iterations; last energy ' // energy_text(etot))
   if (.not. lconv) call stop_on(1_ikind)

contains

   subroutine get_input_name
      integer :: length

      if (command_argument_count() /= 1) then
         call complain('one argument is needed, the name of the input file, name.inp')
         call stop_on(1_ikind)
      end if
      call get_command_argument(1, length=length)
      allocate (character(length) :: input_name)
      call get_command_argument(1, input_name)
   end subroutine get_input_name

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
      call stop_on(ierr)
      lprint = .true.
      call calc_energy(4 * ngroup, x, energy, ierr)
      if (ierr /= 0 .and. lconv) call stop_on(ierr)
      call print_line('')
      call print_line(' Optimised parameters')
      call write_parameters
      call write_basis
      call write_results
   end subroutine optimise

   function clock() result(seconds)
      real(rkind) :: seconds
      integer(lkind) :: now, rate

      call system_clock(now, rate)
      seconds = real(now, rkind) / rate
   end function clock

   function energy_text(energy) result(text)
      real(rkind), intent(in) :: energy
      character(:), allocatable :: text
      character(len=30) :: buffer

      write (buffer, '(f0.9)') energy
      text = trim(buffer)
   end function energy_text

   subroutine stop_on(ierr)
      integer(ikind), intent(in) :: ierr

      if (ierr /= 0) stop 1, quiet=.true.
   end subroutine stop_on

end program dfratom
