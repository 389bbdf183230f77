! The automatic reduction of the basis sets of a batch, one after the other. Legato optimises all ranges that a stage
! may choose in parallel. The result replaces the basis of the input.
module batch_reduction
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use ctlpar
   use baspar
   use messages
   use output, only: write_parameters, write_ranges
   use batch_jobs
   use batch_optimisation, only: field_of, steps_of, same_fields, same_steps, restart_basis
   use batch_options, only: options
   use run_control, only: stop_on
   use save_clocks, only: save_clock
   use legato
   implicit none
   private
   public :: reduce, write_reductions

   type(legato_dfr_reducer), allocatable :: reducers(:)     ! one for each job

contains

   subroutine reduce(context, given, jobs)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: jobs(:)
      type(library_status) :: outcome
      integer :: k

      allocate (reducers(size(jobs)))
      do k = 1, size(jobs)
         if (.not. to_do(jobs(k))) cycle
         call begin(context, given, jobs(k), reducers(k))
         if (jobs(k)%refused) cycle
         call run(given, reducers(k), outcome)
         if (outcome%stat == LEGATO_STATUS_SUCCESS) then
            call collect(jobs(k), reducers(k))
         else
            call complain(jobs(k)%name // ': the reduction has failed: ' // trim(outcome%message))
            call reducers(k)%result(jobs(k)%reduction)
            jobs(k)%failed = .true.
         end if
      end do
   end subroutine reduce

   subroutine begin(context, given, atom, reducer)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: atom
      type(legato_dfr_reducer), intent(inout) :: reducer
      type(legato_dfr_reducer_params) :: params
      type(atom_arrays) :: arrays
      type(library_status) :: outcome
      logical :: there

      call take_arrays(atom, arrays)
      atom%refused = .true.
      if (atom%jobtype /= 'bsopt') then
         call complain(atom%name // ': --reduce needs jobtype = ''bsopt''')
      else if (ngroup > 1 .or. any(nbs(:nsym) /= nbs(1)) .or. any(start(:nsym) /= 1)) then
         call complain(atom%name // ': --reduce needs ngroup = 1, and the same nbs and start = 1 in all symmetries')
      else
         atom%refused = .false.
      end if
      if (atom%refused) return
      params = dfr_reducer_defaults()
      params%functions = nbs(1)
      if (given%accuracy > zero) params%accuracy = given%accuracy
      there = .false.
      if (allocated(given%state)) there = state_exists(given%state)
      if (there) then
         call reducer%resume(context, given%state, outcome%stat, outcome%message)
         call stop_on_library(outcome)
         call check_params(given, reducer, params)
         call check_atom(given, reducer, arrays)
         return
      end if
      call reducer%create(context, arrays%nucleus, arrays%closed, arrays%electrons, wtbspara(:4), arrays%pairs, field_of(given), &
         steps_of(), params, outcome%stat, outcome%message)
      call refuse_or_stop(atom, outcome)
   end subroutine begin

   ! Stops the program unless the state file belongs to this reduction.
   subroutine check_params(given, reducer, params)
      type(options), intent(in) :: given
      type(legato_dfr_reducer), intent(in) :: reducer
      type(legato_dfr_reducer_params), intent(in) :: params
      type(legato_dfr_params) :: field, wanted_field
      type(legato_dfr_optimiser_params) :: steps, wanted_steps
      type(legato_dfr_reducer_params) :: saved
      integer, allocatable :: functions(:), first(:)
      real(c_double) :: parameters(4)

      call reducer%get_params(field, steps, saved)
      call reducer%basis(functions, first, parameters)
      wanted_field = field_of(given)
      wanted_steps = steps_of()
      if (saved%functions == params%functions .and. abs(saved%accuracy - params%accuracy) <= zero .and. &
         same_fields(field, wanted_field) .and. same_steps(steps, wanted_steps) .and. size(functions) == nsym) return
      call complain(given%state // ': it belongs to another reduction, or to other parameters')
      call stop_on(1_ikind)
   end subroutine check_params

   subroutine check_atom(given, reducer, arrays)
      type(options), intent(in) :: given
      type(legato_dfr_reducer), intent(in) :: reducer
      type(atom_arrays), intent(in) :: arrays
      type(legato_dfr_nucleus) :: nucleus
      integer, allocatable :: closed(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :)
      real(c_double) :: begun(4)

      call reducer%atom(nucleus, closed, electrons, pairs, start=begun)
      if (same_atom(arrays, nucleus, closed, electrons, pairs)) then
         if (all(abs(begun - wtbspara(:4)) <= 1.0e-13_rkind * wtbspara(:4))) return
      end if
      call complain(given%state // ': it belongs to another nucleus, configuration or start')
      call stop_on(1_ikind)
   end subroutine check_atom

   ! Runs a reduction to its end, or to a numerical error. The state is saved at intervals and at the end.
   subroutine run(given, reducer, outcome)
      type(options), intent(in) :: given
      type(legato_dfr_reducer), intent(inout) :: reducer
      type(library_status), intent(out) :: outcome
      type(legato_dfr_reduction) :: reached
      type(save_clock) :: clock
      logical :: finished

      do
         call reducer%advance(1_c_int64_t, finished, outcome%stat, outcome%message)
         if (outcome%stat == LEGATO_STATUS_NUMERICAL_ERROR) exit
         call stop_on_library(outcome)
         if (wants_progress()) then
            call reducer%result(reached)
            call show_progress_line(integer_text(reached%stages_done) // ' of ' // &
               integer_text(reached%stages) // ' stages')
         end if
         call save_if_due(reducer, given%state, clock, finished)
         if (finished) exit
      end do
      call wipe_progress_line
   end subroutine run

   subroutine collect(atom, reducer)
      type(job), intent(inout) :: atom
      type(legato_dfr_reducer), intent(in) :: reducer
      integer, allocatable :: functions(:), first(:)
      real(c_double) :: parameters(4)

      call reducer%result(atom%reduction)
      atom%failed = atom%reduction%status /= LEGATO_DFR_OPTIMISER_STATUS_CONVERGED
      if (atom%failed) then
         if (abs(atom%reduction%energy) > zero) then
            call complain(atom%name // ': the reduction has failed: the whole set is not within the accuracy, but ' // &
               real_text(atom%reduction%relative_error) // ' above the limit')
         else if (abs(atom%reduction%limit) > zero) then
            call complain(atom%name // ': the reduction has failed: its start gives no good energy: the SCF does not ' // &
               'converge, or the basis has collapsed below the limit ' // fixed(atom%reduction%limit, 9))
         else
            call complain(atom%name // ': the reduction has failed: the energy in a large basis has not converged')
         end if
         return
      end if
      call reducer%basis(functions, first, parameters)
      call restart_basis(atom, functions, first, parameters)
   end subroutine collect

   ! Prints the stages of each reduction, and the basis in the form of an input.
   subroutine write_reductions(jobs)
      type(job), intent(in) :: jobs(:)
      type(legato_dfr_stage) :: stage
      character(len=300) :: line
      integer :: k, i

      if (.not. allocated(reducers)) return
      do k = 1, size(jobs)
         if (jobs(k)%refused) cycle
         call print_line('')
         call print_line(' Reduction of ' // jobs(k)%name)
         write (line, '(t4,a,t18,a20,a14,a10)') 'Stage', 'Energy', 'Above limit', 'Energies'
         call print_line(line)
         do i = 1, jobs(k)%reduction%stages_done
            call reducers(k)%stage(i, stage)
            write (line, '(t4,a,t18,f20.9,es14.2,i10)') stage_words(stage), stage%energy, &
               (stage%energy - jobs(k)%reduction%limit) / max(abs(jobs(k)%reduction%limit), tiny(one)), stage%energies
            call print_line(line)
         end do
         if (.not. to_do(jobs(k))) cycle
         call take_input(jobs(k))
         call write_parameters
         call write_ranges
      end do
   end subroutine write_reductions

   function stage_words(stage) result(words)
      type(legato_dfr_stage), intent(in) :: stage
      character(:), allocatable :: words
      character(*), parameter :: letters = 'spdfghi'

      if (stage%kind == LEGATO_DFR_STAGE_KIND_WHOLE) then
         words = 'whole set'
      else
         words = letters(stage%l + 1:stage%l + 1) // trim(merge(' from', ' to  ', &
            stage%kind == LEGATO_DFR_STAGE_KIND_FIRST)) // &
            ' ' // integer_text(stage%chosen)
      end if
   end function stage_words

end module batch_reduction
