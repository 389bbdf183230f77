! Limit energies of atoms and ions with estimates of their errors, from bases of increasing size.
program dfr_limits
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_quiet_nan, ieee_value
   use kinds
   use extrapolation
   use ions
   use legato
   use library_errors
   use limit_options
   use messages
   use nuclei, only: nucleus_name
   use orbitals
   use part_files
   use run_control
   implicit none

   ! Relative errors of the energies in the bases.
   real(rkind), parameter :: errors(*) = [1.0e-9_rkind, 1.0e-10_rkind, 1.0e-11_rkind, 1.0e-12_rkind]
   integer, parameter :: bases = size(errors)

   type ion
      integer :: element = 0, charge = 0
      integer :: functions = 0                     ! in the largest basis
      real(rkind) :: steepest = zero               ! largest exponent
      real(rkind) :: cut_off = zero                ! relative error because no exponent exceeds 1e20
      integer(lkind) :: first = 0                  ! index of the atom with the first basis
      integer :: converged = 0                     ! number of bases up to the first one that has not converged
      type(estimate) :: energy
   end type ion

   type(options) :: given
   type(legato_context) :: context
   type(legato_dfr) :: atoms
   type(legato_dfr_params) :: params
   type(ion), allocatable :: list(:)
   integer(ikind) :: ierr
   integer :: i, k, stat
   character(len=400) :: message

   call begin_run('dfr_limits')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   if (allocated(given%orbitals)) then
      call open_files([given%orbitals], ierr)
      call stop_on(ierr)
   end if
   call create_context
   params = dfr_defaults()
   params%relativistic = merge(1_ikind, 0_ikind, given%relativistic)
   params%max_iterations = 400
   if (given%c > zero) params%speed_of_light = given%c
   call atoms%create(context, params, stat, message)
   call stop_on_library(stat, message)
   allocate (list(0))
   do i = 1, size(given%elements)
      do k = 1, size(given%charges)
         if (nint(given%charges(k)) < given%elements(i)%z) call add(int(given%elements(i)%z), nint(given%charges(k)))
      end do
   end do
   call atoms%run(show_progress, stat, message)
   call wipe_progress_line
   call stop_on_library(stat, message)
   do i = 1, size(list)
      call find_limit(list(i))
   end do
   call print_table
   if (allocated(given%orbitals)) then
      call write_orbitals
      call close_files(ierr)
      call stop_on(ierr)
   end if
   call stop_on_lost_output
   if (any(ieee_is_nan(list%energy%value))) call stop_on(1_ikind)

contains

   ! Unless LEGATO_LOG says otherwise, the library's warnings about single bases are not printed: they count atoms of which
   ! the user does not know. Energies that rounding errors put a little below the limit are usual here.
   subroutine create_context
      integer :: length

      call get_environment_variable('LEGATO_LOG', length=length)
      if (length > 0) call context%create(stat=stat, errmsg=message)
      if (length == 0) call context%create(log_level=int(LEGATO_LOG_LEVEL_ERROR), stat=stat, errmsg=message)
      call stop_on_library(stat, message)
   end subroutine create_context

   subroutine add(element, charge)
      integer, intent(in) :: element, charge
      type(legato_dfr_nucleus) :: nucleus
      type(ion) :: new
      integer, allocatable :: closed(:), functions(:)
      real(rkind), allocatable :: electrons(:), pairs(:, :), exponents(:)
      integer(lkind) :: index
      integer :: b

      new%element = element
      new%charge = charge
      call dfr_element_nucleus(context, element, nucleus, given%nucleus, stat, message)
      call stop_on_library(stat, message)
      call ion_configuration(context, element, charge, closed, electrons, pairs)
      do b = 1, bases
         call dfr_large_basis(context, nucleus, closed, electrons, errors(b), functions, exponents, new%cut_off, params, &
                              stat, message)
         call stop_on_library(stat, message)
         call atoms%add_atom(nucleus, functions, exponents, closed, electrons, pairs, index, stat, message)
         call stop_on_library(stat, message)
         if (b == 1) new%first = index
      end do
      new%functions = sum(functions)
      new%steepest = maxval(exponents)
      list = [list, new]
   end subroutine add

   ! Is called by the library during a run.
   function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      cancel = .false.
      if (wants_progress()) call show_progress_line(integer_text(progress%points_done) // ' of ' // &
         integer_text(progress%points_total) // ' fields, ' // integer_text(progress%cycles_done) // ' iterations')
   end function show_progress

   subroutine find_limit(of)
      type(ion), intent(inout) :: of
      type(legato_dfr_atom) :: atom
      real(rkind) :: energies(bases)
      integer :: b

      do b = 1, bases
         call atoms%result(of%first + b - 1, atom)
         if (atom%status /= LEGATO_DFR_ATOM_STATUS_CONVERGED .and. atom%status /= LEGATO_DFR_ATOM_STATUS_COLLAPSED) exit
         energies(b) = atom%energy
         of%converged = b
      end do
      of%energy = extrapolated(energies(:of%converged))
      of%energy%error = of%energy%error + of%cut_off * abs(of%energy%value)
      if (of%converged < 3) call complain(name_of(of) // ': the limit is unknown, because ' // reason(atom%status))
   end subroutine find_limit

   ! Returns why a field in a large basis gives no energy.
   function reason(status) result(text)
      integer(ikind), intent(in) :: status
      character(:), allocatable :: text

      select case (status)
      case (LEGATO_DFR_ATOM_STATUS_UNBOUND)
         text = 'an electron is not bound'
      case (LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED)
         text = 'the field has not converged in ' // integer_text(int(params%max_iterations, ikind)) // ' iterations'
      case (LEGATO_DFR_ATOM_STATUS_NOT_COMPARED)
         text = 'the field in a large basis does not converge'
      case default
         text = 'the field has failed'
      end select
   end function reason

   function name_of(of) result(name)
      type(ion), intent(in) :: of
      character(:), allocatable :: name

      name = trim(dfr_symbol(of%element))
      if (of%charge > 0) name = name // ' ' // integer_text(int(of%charge, ikind)) // '+'
      if (of%charge < 0) name = name // ' ' // integer_text(int(-of%charge, ikind)) // '-'
   end function name_of

   subroutine print_table
      character(len=132) :: line
      integer :: k

      call print_line('# dfr_limits: ' // method())
      call print_line('#   charge      limit energy / hartree      error  functions')
      do k = 1, size(list)
         write (line, '(a4, i7, f28.12, es11.1e2, i11)') trim(dfr_symbol(list(k)%element)), list(k)%charge, &
            list(k)%energy%value, list(k)%energy%error, list(k)%functions
         call print_line(trim(line))
      end do
   end subroutine print_table

   function method() result(text)
      character(:), allocatable :: text

      text = 'Hartree-Fock, T = p^2/2'
      if (given%relativistic) text = 'Dirac-Coulomb, c = ' // real_text(params%speed_of_light)
      text = text // ', nucleus ' // nucleus_name(given%nucleus)
   end function method

   ! Writes the limits of the properties of all spinors. The columns are pairs of a limit and its error, which is unknown if
   ! the exponents are cut off, because the differences between the bases do not contain it.
   subroutine write_orbitals
      integer :: k

      call put_line(1, '# dfr_limits: ' // method())
      call put_line(1, '# Limits of orbital energies in hartree and of <r^k> in bohr^k, each with its error')
      call put_line(1, '#   charge  spinor  electrons             energy   error             <r^-2>   error' // &
                    '             <r^-1>   error              <r^1>   error              <r^2>   error' // &
                    '              <r^3>   error              <r^4>   error')
      do k = 1, size(list)
         if (list(k)%converged >= 3) call write_spinors(list(k))
      end do
   end subroutine write_orbitals

   ! Returns the rounding error of an orbital energy. It is a fraction of the largest eigenvalue of the kinetic energy, which
   ! is about that of the steepest function. The values in several bases may agree better than that by accident. In ions
   ! with one electron and Z = 1..118 it was at most 0.084 epsilon times this eigenvalue, without relativity 0.053.
   function rounding_of_energies(of) result(error)
      type(ion), intent(in) :: of
      real(rkind) :: error

      error = 1.5_rkind * of%steepest
      if (given%relativistic) error = params%speed_of_light * sqrt(3 * of%steepest)
      error = 0.1_rkind * epsilon(error) * error
   end function rounding_of_energies

   subroutine write_spinors(of)
      type(ion), intent(in) :: of
      type(orbital), allocatable :: one_basis(:)
      real(rkind), allocatable :: values(:, :, :)     ! [bases, properties, spinors]
      type(estimate) :: limits(7)
      character(len=300) :: line
      integer :: b, a, p

      do b = 1, of%converged
         call read_orbitals(atoms, of%first + b - 1, one_basis)
         if (b == 1) allocate (values(of%converged, size(limits), size(one_basis)))
         do a = 1, size(one_basis)
            values(b, :, a) = [one_basis(a)%energy, one_basis(a)%moment([-2, -1, 1, 2, 3, 4])]
         end do
      end do
      do a = 1, size(one_basis)
         limits = [(bracketed(values(:, p, a)), p = 1, size(limits))]
         limits(1)%error = limits(1)%error + rounding_of_energies(of)
         if (of%cut_off > zero) limits%error = ieee_value(zero, ieee_quiet_nan)
         write (line, '(a4, i7, 2x, a8, f9.4, 7(es19.11e2, es8.1e2))') trim(dfr_symbol(of%element)), of%charge, &
            one_basis(a)%name, one_basis(a)%occupation, limits
         call put_line(1, line)
      end do
   end subroutine write_spinors

end program dfr_limits
