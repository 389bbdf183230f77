! NEWUOA - minimises the energy over the n parameters x of calc_energy, from rhobeg down to rhoend, with at most maxfun
! energies, by M. J. D. Powell's algorithm in NLopt. iprint: 0 silent, 1 the end, 2 every better energy, 3 every energy.
! ierr = 1: no energy could be calculated, or NLopt failed; -1: maxfun came first, and x is the best so far.
module energy_function
   use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_int, c_ptr
   use kinds
   use messages, only: print_line
   implicit none
   private
   public :: start_counting, energy_of, calls, best, best_x

   integer(ikind) :: calls, print_level
   real(rkind) :: first, best
   real(rkind), allocatable :: best_x(:)     ! after maxfun energies NLopt may return another x

contains

   subroutine start_counting(iprint)
      integer(ikind), intent(in) :: iprint

      calls = 0
      print_level = iprint
      first = huge(first)
      best = huge(best)
   end subroutine start_counting

   ! Returns the energy for NLopt. If it cannot be calculated, a value 1 % above the first energy is returned instead.
   function energy_of(n, x, gradient, user) bind(c) result(energy)
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(n)
      type(c_ptr), value :: gradient, user
      real(c_double) :: energy
      character(len=500) :: line     ! up to nine groups of parameters
      integer(ikind) :: ierr
      logical :: better

      interface
         subroutine calc_energy(n, x, energy, ierr)
            import :: ikind, rkind
            integer(ikind), intent(in) :: n
            real(rkind), intent(in) :: x(n)
            real(rkind), intent(out) :: energy
            integer(ikind), intent(out) :: ierr
         end subroutine calc_energy
      end interface

      associate (unused => [c_associated(gradient), c_associated(user)])
      end associate
      calls = calls + 1
      call calc_energy(n, x, energy, ierr)
      if (ierr == 0 .and. first >= huge(first)) first = energy
      better = ierr == 0 .and. energy < best
      if (better) then
         best = energy
         best_x = x
      end if
      if (print_level == 3 .or. (print_level == 2 .and. better)) then
         write (line, '(a,i6,a,f20.9,a)') ' newuoa: call', calls, ', energy', energy, &
            trim(merge('                ', ', no convergence', ierr == 0))
         call print_line(line)
         write (line, '(a,*(f12.8))') '    ln(parameter / start)', x
         call print_line(line)
      end if
      if (ierr /= 0) energy = merge(first + 0.01_rkind * abs(first), zero, first < huge(first))
   end function energy_of

end module energy_function

module nlopt
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int, c_ptr
   implicit none
   public

   interface
      function nlopt_algorithm_from_string(name) bind(c) result(algorithm)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: algorithm
      end function nlopt_algorithm_from_string

      function nlopt_create(algorithm, n) bind(c) result(optimiser)
         import :: c_int, c_ptr
         integer(c_int), value :: algorithm, n
         type(c_ptr) :: optimiser
      end function nlopt_create

      subroutine nlopt_destroy(optimiser) bind(c)
         import :: c_ptr
         type(c_ptr), value :: optimiser
      end subroutine nlopt_destroy

      function nlopt_set_min_objective(optimiser, objective, user) bind(c) result(outcome)
         import :: c_funptr, c_int, c_ptr
         type(c_ptr), value :: optimiser, user
         type(c_funptr), value :: objective
         integer(c_int) :: outcome
      end function nlopt_set_min_objective

      function nlopt_set_initial_step1(optimiser, step) bind(c) result(outcome)
         import :: c_double, c_int, c_ptr
         type(c_ptr), value :: optimiser
         real(c_double), value :: step
         integer(c_int) :: outcome
      end function nlopt_set_initial_step1

      function nlopt_set_xtol_abs1(optimiser, tolerance) bind(c) result(outcome)
         import :: c_double, c_int, c_ptr
         type(c_ptr), value :: optimiser
         real(c_double), value :: tolerance
         integer(c_int) :: outcome
      end function nlopt_set_xtol_abs1

      function nlopt_set_maxeval(optimiser, calls) bind(c) result(outcome)
         import :: c_int, c_ptr
         type(c_ptr), value :: optimiser
         integer(c_int), value :: calls
         integer(c_int) :: outcome
      end function nlopt_set_maxeval

      function nlopt_optimize(optimiser, x, minimum) bind(c) result(outcome)
         import :: c_double, c_int, c_ptr
         type(c_ptr), value :: optimiser
         real(c_double), intent(inout) :: x(*)
         real(c_double), intent(out) :: minimum
         integer(c_int) :: outcome
      end function nlopt_optimize
   end interface
end module nlopt

subroutine newuoa(n, x, rhobeg, rhoend, iprint, maxfun, ierr)
   use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_funloc, c_int, c_null_char, c_null_ptr, c_ptr
   use kinds
   use energy_function
   use nlopt
   use messages, only: complain, fixed, integer_text, print_line
   implicit none
   integer(ikind), intent(in) :: n, iprint, maxfun
   real(rkind), intent(inout) :: x(n)
   real(rkind), intent(in) :: rhobeg, rhoend
   integer(ikind), intent(out) :: ierr

   integer(c_int), parameter :: maxeval_reached = 5, roundoff_limited = -4
   type(c_ptr) :: optimiser
   integer(c_int) :: outcome
   real(c_double) :: minimum
   character(len=100) :: line

   ierr = 1
   optimiser = nlopt_create(nlopt_algorithm_from_string('LN_NEWUOA' // c_null_char), n)
   if (.not. c_associated(optimiser)) then
      call complain('NLopt has no NEWUOA')
      return
   end if
   call start_counting(iprint)
   outcome = nlopt_set_min_objective(optimiser, c_funloc(energy_of), c_null_ptr)
   if (outcome > 0) outcome = nlopt_set_initial_step1(optimiser, rhobeg)
   if (outcome > 0) outcome = nlopt_set_xtol_abs1(optimiser, rhoend)
   if (outcome > 0) outcome = nlopt_set_maxeval(optimiser, maxfun)
   if (outcome > 0) outcome = nlopt_optimize(optimiser, x, minimum)
   call nlopt_destroy(optimiser)
   if (best >= huge(best)) then
      call complain('newuoa: no energy could be calculated near the start')
   else if (outcome < 0 .and. outcome /= roundoff_limited) then
      write (line, '(a,i0)') 'newuoa: NLopt failed with code ', outcome
      call complain(trim(line))
   else
      ierr = 0
      x = best_x
      write (line, '(a,i0,a)') ' newuoa: ended after ', calls, ' energies' // &
         trim(merge(': maxfun   ', ': converged', outcome == maxeval_reached))
      if (iprint > 0) call print_line(line)
      if (outcome == maxeval_reached) then
         ierr = -1
         call complain('the optimisation has not converged after ' // integer_text(calls) // ' energies; the best is ' // &
            fixed(best, 9))
      end if
   end if
end subroutine newuoa
