! The self-consistent fields of a batch. Atoms with the same speed of light and the same number of iterations form a
! list, whose fields Legato computes in parallel.
module batch_energies
   use kinds
   use messages
   use batch_jobs
   use batch_basis, only: arrays_of_element
   use batch_options, only: options
   use batch_shells, only: add_element_with_shells
   use run_control, only: stop_on
   use legato
   implicit none
   private
   public :: calculate, write_vectors, lists, speeds

   type(legato_dfr), allocatable, target :: lists(:)
   real(rkind), allocatable :: speeds(:)     ! speed of light of each list

contains

   ! Calculates the energies of all jobs that are not refused. If the library refuses an atom, its job is refused.
   subroutine calculate(context, given, jobs)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: jobs(:)
      type(legato_dfr_params), allocatable :: params(:)
      type(library_status) :: outcome
      integer :: k

      allocate (params(0))
      do k = 1, size(jobs)
         if (to_do(jobs(k))) jobs(k)%list = list_for(given, jobs(k), params)
      end do
      if (allocated(given%vectors) .and. size(params) > 1) then
         call complain('--vectors needs atoms with the same c and maxitr; these have ' // &
                       integer_text(size(params, kind=ikind)) // ' different pairs')
         call stop_on(1_ikind)
      end if
      allocate (lists(size(params)))
      speeds = params%speed_of_light
      do k = 1, size(lists)
         call lists(k)%create(context, params(k), outcome%stat, outcome%message)
         call stop_on_library(outcome)
      end do
      do k = 1, size(jobs)
         if (to_do(jobs(k))) call add(context, given, jobs(k))
      end do
      do k = 1, size(lists)
         if (.not. any(to_do(jobs) .and. jobs%list == k)) cycle
         call lists(k)%run(show_progress, outcome%stat, outcome%message)
         call wipe_progress_line
         call stop_on_library(outcome)
      end do
      do k = 1, size(jobs)
         if (to_do(jobs(k))) call collect(given, jobs(k))
      end do
   end subroutine calculate

   ! Writes the file of spinors, if there is one and an atom has been computed. ierr = 1: it is not complete, which has been
   ! reported.
   subroutine write_vectors(given, jobs, ierr)
      type(options), intent(in) :: given
      type(job), intent(in) :: jobs(:)
      integer(ikind), intent(inout) :: ierr
      type(library_status) :: outcome

      if (.not. allocated(given%vectors) .or. .not. any(to_do(jobs))) return
      call lists(1)%write_vectors(given%vectors, outcome%stat, outcome%message)
      if (outcome%stat == LEGATO_STATUS_SUCCESS) return
      call complain(trim(outcome%message))
      ierr = 1
   end subroutine write_vectors

   ! Is called by the library during a run.
   function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      cancel = .false.
      if (wants_progress()) call show_progress_line(integer_text(progress%points_done) // ' of ' // &
         integer_text(progress%points_total) // ' atoms, ' // integer_text(progress%cycles_done) // ' iterations')
   end function show_progress

   ! Returns the number of the list with the parameters of this atom. A new list is begun if there is none.
   function list_for(given, atom, params) result(list)
      use ctlpar, only: c
      use scfpar, only: maxitr
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      type(legato_dfr_params), allocatable, intent(inout) :: params(:)
      integer :: list
      type(legato_dfr_params) :: wanted

      wanted = dfr_defaults()
      wanted%relativistic = merge(1, 0, given%relativistic)
      wanted%interaction = int(given%interaction, kind(wanted%interaction))
      if (given%extended) wanted%kinetic_balance = LEGATO_DFR_KINETIC_BALANCE_EXTENDED
      if (atom%z == 0) then
         call take_input(atom)
         wanted%speed_of_light = c
         wanted%max_iterations = maxitr
      else if (given%c > zero) then
         wanted%speed_of_light = given%c
      end if
      do list = 1, size(params)
         if (abs(params(list)%speed_of_light - wanted%speed_of_light) <= zero .and. &
            params(list)%max_iterations == wanted%max_iterations) return
      end do
      params = [params, wanted]
   end function list_for

   subroutine add(context, given, atom)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: atom
      type(atom_arrays) :: arrays
      type(library_status) :: outcome

      if (allocated(given%shells)) then
         call add_element_with_shells(context, lists(atom%list), atom%z, int(given%nucmdl), given%shells, &
                                      atom%index, outcome)
         call refuse_or_stop(atom, outcome)
         return
      end if
      if (in_library_basis(atom)) then
         call arrays_of_element(context, atom%z, int(given%nucmdl), arrays, outcome)
      else
         call take_arrays(atom, arrays)
      end if
      if (outcome%stat == LEGATO_STATUS_SUCCESS) &
         call lists(atom%list)%add_atom(arrays%nucleus, arrays%functions, arrays%exponents, arrays%closed, &
                                        arrays%electrons, arrays%pairs, atom%index, outcome%stat, outcome%message)
      call refuse_or_stop(atom, outcome)
   end subroutine add

   subroutine collect(given, atom)
      type(options), intent(in) :: given
      type(job), intent(inout) :: atom
      type(library_status) :: outcome

      call lists(atom%list)%result(atom%index, atom%atom, outcome%stat, outcome%message)
      call stop_on_library(outcome)
      if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED) then
         call complain(atom%name // ': the SCF has not converged after ' // &
            integer_text(atom%atom%iterations) // ' iterations; last energy ' // fixed(atom%atom%energy, 9))
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_COLLAPSED) then
         call complain(atom%name // ': the energy ' // fixed(atom%atom%energy, 9) // ' is below the limit energy ' // &
            fixed(atom%atom%limit, 9) // ': the basis has collapsed; add diffuse functions to p1/2, d3/2, ..., and ' // &
            'functions near the nucleus')
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_UNBOUND) then
         call complain(atom%name // ': the energy of an occupied spinor is positive: the nucleus does not bind so many ' // &
            'electrons, and the result depends on the basis; take fewer')
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_NOT_COMPARED) then
         if (allocated(given%shells)) then
            call complain(atom%name // ': the energy ' // fixed(atom%atom%energy, 9) // ' is not a minimum, and is not ' // &
               'compared with a limit; whether the basis has collapsed is unknown; --balance extended prevents this')
         else
            call complain(atom%name // ': the field in a large basis does not converge: the energy ' // &
               fixed(atom%atom%energy, 9) // ' is not compared with its limit')
         end if
      else if (atom%atom%status /= LEGATO_DFR_ATOM_STATUS_CONVERGED) then
         call complain(atom%name // ': the SCF has failed: an iteration gave no number, near linear dependence left ' // &
            'fewer functions than shells, or a spinor lies in the continuum of negative energies')
      end if
   end subroutine collect

end module batch_energies
