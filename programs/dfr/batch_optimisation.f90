! The basis set optimisations of a batch. Those with the same parameters of field and steps form a list. Legato works on
! all basis sets of a list in parallel, one energy of each at a time. The result replaces the basis of the input.
module batch_optimisation
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use ctlpar
   use baspar
   use scfpar, only: maxitr
   use messages
   use output, only: write_parameters
   use records
   use batch_jobs
   use batch_options, only: options
   use save_clocks, only: save_clock
   use legato
   implicit none
   private
   public :: optimise, field_of, steps_of, same_fields, same_steps, restart_basis, write_energies, write_optimisations

   type(legato_dfr_optimiser), allocatable :: lists(:)

   interface
      subroutine formbs(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine formbs
   end interface

contains

   ! Optimises the basis sets of all jobs that ask for it. ierr = 1: the state file cannot be used; the reason has been
   ! printed.
   subroutine optimise(context, given, jobs, ierr)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: jobs(:)
      integer(ikind), intent(out) :: ierr
      type(legato_dfr_params), allocatable :: fields(:)
      type(legato_dfr_optimiser_params), allocatable :: steps(:)
      type(library_status) :: outcome
      integer :: k
      logical :: resumed

      ierr = 0
      allocate (fields(0), steps(0))
      do k = 1, size(jobs)
         if (to_do(jobs(k)) .and. jobs(k)%jobtype == 'bsopt') jobs(k)%optimiser = list_for(given, jobs(k), fields, steps)
      end do
      allocate (lists(size(fields)))
      resumed = .false.
      if (allocated(given%state)) then
         call check_for_state(jobs, size(lists), ierr)
         if (ierr /= 0) return
         resumed = state_exists(given%state)
         if (resumed) call resume(context, given%state, fields(1), steps(1), jobs, ierr)
         if (ierr /= 0) return
      end if
      do k = 1, size(lists)
         if (.not. resumed) call fill(context, fields(k), steps(k), k, jobs)
         if (allocated(given%state)) call check_for_state(jobs, size(lists), ierr)     ! one may be refused by the library
         if (ierr /= 0) return
         if (.not. any(to_do(jobs) .and. jobs%optimiser == k)) cycle
         call run(lists(k), given, outcome)
         if (outcome%stat /= LEGATO_STATUS_SUCCESS) call give_up(k, trim(outcome%message), jobs)
      end do
      do k = 1, size(jobs)
         if (to_do(jobs(k)) .and. jobs(k)%optimiser > 0) call collect(jobs(k))
      end do
   end subroutine optimise

   function field_of(given) result(field)
      type(options), intent(in) :: given
      type(legato_dfr_params) :: field

      field = dfr_defaults()
      field%relativistic = merge(1, 0, given%relativistic)
      field%interaction = int(given%interaction, kind(field%interaction))
      if (given%extended) field%kinetic_balance = LEGATO_DFR_KINETIC_BALANCE_EXTENDED
      field%speed_of_light = c
      field%max_iterations = maxitr
   end function field_of

   function steps_of() result(steps)
      type(legato_dfr_optimiser_params) :: steps

      steps = dfr_optimiser_defaults()
      steps%first_step = rhobeg
      steps%last_step = rhoend
      steps%max_energies = maxfun
   end function steps_of

   pure logical function same_fields(one_field, other)
      type(legato_dfr_params), intent(in) :: one_field, other

      same_fields = abs(one_field%speed_of_light - other%speed_of_light) <= zero .and. &
         one_field%max_iterations == other%max_iterations .and. one_field%relativistic == other%relativistic .and. &
         one_field%interaction == other%interaction .and. one_field%kinetic_balance == other%kinetic_balance
   end function same_fields

   pure logical function same_steps(one_way, other)
      type(legato_dfr_optimiser_params), intent(in) :: one_way, other

      same_steps = abs(one_way%first_step - other%first_step) <= zero .and. &
         abs(one_way%last_step - other%last_step) <= zero .and. one_way%max_energies == other%max_energies
   end function same_steps

   ! Returns the number of the list with the parameters of this atom. A new list is begun if there is none.
   function list_for(given, atom, fields, steps) result(list)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      type(legato_dfr_params), allocatable, intent(inout) :: fields(:)
      type(legato_dfr_optimiser_params), allocatable, intent(inout) :: steps(:)
      integer :: list
      type(legato_dfr_params) :: field
      type(legato_dfr_optimiser_params) :: step

      call take_input(atom)
      field = field_of(given)
      step = steps_of()
      do list = 1, size(fields)
         if (same_fields(fields(list), field) .and. same_steps(steps(list), step)) return
      end do
      fields = [fields, field]
      steps = [steps, step]
   end function list_for

   ! Checks that a state file can be used. A file contains one list, and no input of this list may be missing.
   subroutine check_for_state(jobs, number_of_lists, ierr)
      type(job), intent(in) :: jobs(:)
      integer, intent(in) :: number_of_lists
      integer(ikind), intent(out) :: ierr

      ierr = 1
      if (any(jobs%refused)) then
         call complain('--state: no optimisation begins, because an input is refused')
      else if (number_of_lists == 0) then
         call complain('--state: no input has jobtype = ''bsopt''')
      else if (number_of_lists > 1) then
         call complain('--state: all inputs with jobtype = ''bsopt'' must have the same c, maxitr, rhobeg, rhoend and maxfun')
      else
         ierr = 0
      end if
   end subroutine check_for_state

   subroutine fill(context, field, steps, list, jobs)
      type(legato_context), intent(in) :: context
      type(legato_dfr_params), intent(in) :: field
      type(legato_dfr_optimiser_params), intent(in) :: steps
      integer, intent(in) :: list
      type(job), intent(inout) :: jobs(:)
      type(atom_arrays) :: arrays
      type(library_status) :: outcome
      integer :: k

      call lists(list)%create(context, field, steps, outcome%stat, outcome%message)
      call stop_on_library(outcome)
      do k = 1, size(jobs)
         if (.not. to_do(jobs(k)) .or. jobs(k)%optimiser /= list) cycle
         call take_arrays(jobs(k), arrays)
         call lists(list)%add(arrays%nucleus, arrays%functions, int(start(:nsym)), &
            reshape(wtbspara(:4 * ngroup), [4, int(ngroup)]), arrays%closed, arrays%electrons, arrays%pairs, &
            int(groups(:nsym)), index=jobs(k)%basis, stat=outcome%stat, errmsg=outcome%message)
         call refuse_or_stop(jobs(k), outcome)
      end do
   end subroutine fill

   ! Resumes the list of a state file. Its basis sets must be those of the inputs: the same number, for the same atoms,
   ! with the same ranges and initial parameters.
   subroutine resume(context, state, field, steps, jobs, ierr)
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: state
      type(legato_dfr_params), intent(in) :: field
      type(legato_dfr_optimiser_params), intent(in) :: steps
      type(job), intent(inout) :: jobs(:)
      integer(ikind), intent(out) :: ierr
      type(legato_dfr_params) :: saved_field
      type(legato_dfr_optimiser_params) :: saved_steps
      type(library_status) :: outcome
      integer(c_int64_t) :: count, next
      integer :: k

      ierr = 1
      call lists(1)%resume(context, state, outcome%stat, outcome%message)
      call stop_on_library(outcome)
      call lists(1)%get_params(saved_field, saved_steps)
      call lists(1)%size(count)
      if (.not. same_fields(field, saved_field)) then
         call complain(state // ': it was made with another c or maxitr, or differs in --nonrelativistic or --interaction')
      else if (.not. same_steps(steps, saved_steps)) then
         call complain(state // ': it was made with another rhobeg, rhoend or maxfun')
      else
         ierr = 0
      end if
      next = 0
      do k = 1, size(jobs)
         if (jobs(k)%optimiser == 0 .or. ierr /= 0) cycle
         next = next + 1
         jobs(k)%basis = next
         if (next <= count) then
            if (has_basis(jobs(k))) cycle
         end if
         call complain(state // ': its basis set number ' // integer_text(next) // ' is not that of ' // jobs(k)%name)
         ierr = 1
      end do
      if (ierr == 0 .and. next < count) then
         call complain(state // ': it has more basis sets than there are inputs')
         ierr = 1
      end if
   end subroutine resume

   ! Returns true if the list contains the basis set of this job at the expected position.
   function has_basis(atom)
      type(job), intent(in) :: atom
      logical :: has_basis
      integer, allocatable :: functions(:), first(:), group(:)
      integer, allocatable :: closed(:)
      real(c_double), allocatable :: parameters(:, :), electrons(:), pairs(:, :)
      type(legato_dfr_nucleus) :: nucleus
      type(atom_arrays) :: arrays
      integer :: n

      call take_arrays(atom, arrays)
      call lists(1)%basis(atom%basis, functions, first, parameters, group)
      call lists(1)%atom(atom%basis, nucleus, closed, electrons, pairs, parameters=parameters)
      n = int(nsym)
      has_basis = same_atom(arrays, nucleus, closed, electrons, pairs) .and. size(parameters) == 4 * ngroup
      if (has_basis) has_basis = all(functions == nbs(:n)) .and. all(first == start(:n)) .and. all(group == groups(:n)) .and. &
         all(abs(reshape(parameters, [size(parameters)]) - wtbspara(:4 * ngroup)) <= 1.0e-13_rkind * wtbspara(:4 * ngroup))
   end function has_basis

   ! Marks the jobs of a list that cannot be continued as failed. Other lists are not affected.
   subroutine give_up(list, why, jobs)
      integer, intent(in) :: list
      character(*), intent(in) :: why
      type(job), intent(inout) :: jobs(:)
      integer :: k

      do k = 1, size(jobs)
         if (.not. to_do(jobs(k)) .or. jobs(k)%optimiser /= list) cycle
         call complain(jobs(k)%name // ': the optimisation has failed: ' // why)
         call lists(list)%result(jobs(k)%basis, jobs(k)%optimisation)
         jobs(k)%failed = .true.
      end do
   end subroutine give_up

   ! Runs a list to its end, or to a numerical error. The state is saved at intervals and at the end.
   subroutine run(list, given, outcome)
      type(legato_dfr_optimiser), intent(inout) :: list
      type(options), intent(in) :: given
      type(library_status), intent(out) :: outcome
      integer(c_int64_t) :: count, ended
      type(save_clock) :: clock

      call list%size(count)
      ended = 0
      do
         call list%advance(1_c_int64_t, ended, outcome%stat, outcome%message)
         if (outcome%stat == LEGATO_STATUS_NUMERICAL_ERROR) exit
         call stop_on_library(outcome)
         call show(list, count, ended)
         call save_if_due(list, given%state, clock, ended == count)
         if (ended == count) exit
      end do
      call wipe_progress_line
   end subroutine run

   subroutine show(list, count, ended)
      type(legato_dfr_optimiser), intent(in) :: list
      integer(c_int64_t), intent(in) :: count, ended
      type(legato_dfr_optimisation) :: basis
      integer(c_int64_t) :: i, energies

      if (.not. wants_progress()) return
      energies = 0
      do i = 1, count
         call list%result(i, basis)
         energies = energies + basis%energies
      end do
      call show_progress_line(integer_text(ended) // ' of ' // integer_text(count) // ' basis sets, ' // integer_text(energies) // &
         ' energies')
   end subroutine show

   subroutine collect(atom)
      type(job), intent(inout) :: atom
      integer, allocatable :: functions(:), first(:)
      real(c_double), allocatable :: parameters(:, :)

      call lists(atom%optimiser)%result(atom%basis, atom%optimisation)
      atom%failed = atom%optimisation%status == LEGATO_DFR_OPTIMISER_STATUS_FAILED
      if (atom%failed) then
         if (atom%optimisation%collapsed > 0) then
            call complain(atom%name // ': the optimisation has failed: the energy of its start ' // &
               fixed(atom%optimisation%start_energy, 9) // ' is below the limit energy ' // &
               fixed(atom%optimisation%limit, 9) // ': the basis has collapsed; add diffuse functions to p1/2, d3/2, ..., ' // &
               'and functions near the nucleus')
         else if (atom%optimisation%not_converged > 0) then
            call complain(atom%name // ': the optimisation has failed: its start gives no good energy: the SCF does not ' // &
               'converge; last energy ' // fixed(atom%optimisation%start_energy, 9))
         else if (abs(atom%optimisation%limit) > zero) then
            call complain(atom%name // ': the optimisation has failed: its start gives no good energy: exponents are out ' // &
               'of range, the SCF gives no number, or the nucleus does not bind the electrons')
         else
            call complain(atom%name // ': the optimisation has failed: the energy in a large basis has not converged')
         end if
         return
      end if
      if (atom%optimisation%status /= LEGATO_DFR_OPTIMISER_STATUS_CONVERGED) call complain(atom%name // &
         ': the optimisation has not converged after ' // integer_text(atom%optimisation%energies) // &
         ' energies; the best is ' // fixed(atom%optimisation%energy, 9))
      call lists(atom%optimiser)%basis(atom%basis, functions, first, parameters)
      call restart_basis(atom, functions, first, reshape(parameters, [size(parameters)]))
   end subroutine collect

   ! Replaces the basis of the input by this one.
   subroutine restart_basis(atom, functions, first, parameters)
      type(job), intent(inout) :: atom
      integer, intent(in) :: functions(:), first(:)
      real(rkind), intent(in) :: parameters(:)
      integer(ikind) :: ierr

      atom%start = atom%input
      call take_input(atom)
      nbs(:nsym) = functions(:nsym)
      start(:nsym) = first(:nsym)
      wtbspara(:size(parameters)) = parameters
      call formbs(ierr)
      call remember(atom%input)
      atom%optimised = .true.
   end subroutine restart_basis

   ! Prints the energies in the form of newuoa, as selected by iprint.
   subroutine write_energies(atom)
      type(job), intent(in) :: atom
      real(c_double), allocatable :: energies(:), parameters(:, :, :)
      integer, allocatable :: kinds(:)
      real(rkind) :: best
      integer :: i
      logical :: better
      character(len=500) :: line     ! up to nine groups of parameters

      if (iprint == 0) return
      call lists(atom%optimiser)%history(atom%basis, energies, kinds, parameters)
      best = huge(best)
      do i = 1, size(energies)
         better = kinds(i) == LEGATO_DFR_ENERGY_KIND_GOOD .and. energies(i) < best
         if (better) best = energies(i)
         if (iprint < 2 .or. (iprint == 2 .and. .not. better)) cycle
         write (line, '(a,i6,a,f20.9,a)') ' newuoa: call', i, ', energy', energies(i), trim(remark(kinds(i)))
         call print_line(line)
         write (line, '(a,*(f12.8))') '    ln(parameter / start)', log(parameters(:, :, i) / parameters(:, :, 1))
         call print_line(line)
      end do
      call print_line(' newuoa: ended after ' // integer_text(atom%optimisation%energies) // ' energies' // &
         trim(merge(': converged', ': maxfun   ', atom%optimisation%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED)))
      write (line, '(a,f20.9)') ' newuoa: energy in a complete basis', atom%optimisation%limit
      call print_line(line)
   end subroutine write_energies

   pure function remark(kind) result(words)
      integer, intent(in) :: kind
      character(len=17) :: words

      select case (kind)
      case (LEGATO_DFR_ENERGY_KIND_GOOD)
         words = ''
      case (LEGATO_DFR_ENERGY_KIND_COLLAPSED)
         words = ', below the limit'
      case (LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED)
         words = ', no convergence'
      case default
         words = ', no energy'
      end select
   end function remark

   subroutine write_optimisations(jobs)
      type(job), intent(in) :: jobs(:)
      character(len=300) :: line
      integer :: k

      if (all(jobs%optimiser == 0)) return
      call print_line('')
      write (line, '(1x,a,t28,2a20,a14,a10,2x,a)') 'Basis set', 'Energy at the start', 'at the end', 'Above limit', 'Energies', &
         'Status'
      call print_line(line)
      do k = 1, size(jobs)
         if (jobs(k)%optimiser == 0 .or. jobs(k)%refused) cycle
         associate (basis => jobs(k)%optimisation)
            if (abs(basis%energy) > zero) then
               write (line, '(2f20.9,es14.2,i10,2x,a)') basis%start_energy, basis%energy, &
                  (basis%energy - basis%limit) / max(abs(basis%limit), tiny(one)), basis%energies, trim(status_words(basis%status))
            else if (abs(basis%start_energy) > zero) then
               write (line, '(f20.9,a20,a14,i10,2x,a)') basis%start_energy, '-', '-', basis%energies, &
                  trim(status_words(basis%status))
            else
               write (line, '(2a20,a14,i10,2x,a)') '-', '-', '-', basis%energies, trim(status_words(basis%status))
            end if
            call print_line(' ' // jobs(k)%name // repeat(' ', max(1, 26 - len(jobs(k)%name))) // line)
         end associate
         if (.not. to_do(jobs(k))) cycle
         call take_input(jobs(k))
         call write_parameters
      end do
   end subroutine write_optimisations

   pure function status_words(status) result(words)
      integer, intent(in) :: status
      character(len=13) :: words

      select case (status)
      case (LEGATO_DFR_OPTIMISER_STATUS_CONVERGED)
         words = 'converged'
      case (LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED)
         words = 'not converged'
      case default
         words = 'failed'
      end select
   end function status_words

end module batch_optimisation
