!> The automatic reduction of a well-tempered basis set. legato/dfr_reducer.h explains the arguments. Stages and species
!! count from 1.
module legato_dfr_reducer_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_dfr_module, only: dfr_defaults
   use legato_dfr_optimiser_module, only: dfr_optimiser_defaults
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: outside, differs
   implicit none
   private

   public :: legato_dfr_reducer, legato_dfr_reducer_params, legato_dfr_reduction, legato_dfr_stage
   public :: dfr_reducer_defaults
   public :: LEGATO_DFR_STAGE_KIND_WHOLE, LEGATO_DFR_STAGE_KIND_LAST, LEGATO_DFR_STAGE_KIND_FIRST

   !> The reduction for one atom.
   type, extends(legato_resumable_run) :: legato_dfr_reducer
   contains
      procedure :: create => reducer_create
      procedure :: advance => reducer_advance
      procedure :: result => reducer_result
      procedure :: stage => reducer_stage
      procedure :: basis => reducer_basis
      procedure :: atom => reducer_atom
      procedure :: resume => reducer_resume
      procedure :: get_params => reducer_get_params
   end type legato_dfr_reducer

contains

   !> Returns the defaults: 40 functions of every l, accuracy 5e-9, a limit that is calculated.
   function dfr_reducer_defaults() result(params)
      type(legato_dfr_reducer_params) :: params
      integer(c_int32_t) :: status

      status = legato_dfr_reducer_params_init_sized(params, c_sizeof(params))
   end function dfr_reducer_defaults

   !> Creates the reduction for an atom. Nucleus and configuration are those of add_atom of a legato_dfr. start(4) are
   !! the initial alpha, beta, delta, gamma.
   subroutine reducer_create(this, context, nucleus, closed, electrons, start, pairs, field, optimiser_params, params, &
                             stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: closed(:)
      real(c_double), intent(in), contiguous :: electrons(:), start(:)
      real(c_double), intent(in), contiguous, optional :: pairs(:, :)
      type(legato_dfr_params), intent(in), optional :: field
      type(legato_dfr_optimiser_params), intent(in), optional :: optimiser_params
      type(legato_dfr_reducer_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status
      integer :: n

      call this%destroy()
      n = size(closed)
      if (differs('dfr.reducer.create.electrons', shape(electrons), [n], stat, errmsg)) return
      if (differs('dfr.reducer.create.start', shape(start), [4], stat, errmsg)) return
      if (present(pairs)) then
         if (differs('dfr.reducer.create.pairs', shape(pairs), [n, n], stat, errmsg)) return
         status = legato_dfr_reducer_create(handle_of(context), field, optimiser_params, params, nucleus, &
            int(n, c_int32_t), int(closed, c_int32_t), electrons, pairs, start, handle)
      else
         status = legato_dfr_reducer_create(handle_of(context), field, optimiser_params, params, nucleus, &
            int(n, c_int32_t), int(closed, c_int32_t), electrons, start=start, reducer=handle)
      end if
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine reducer_create

   !> Calculates up to `energies` further energies for every unfinished range of functions. `finished` is true at the
   !! end.
   subroutine reducer_advance(this, energies, finished, stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      integer(c_int64_t), intent(in) :: energies
      logical, intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: ended, status

      ended = 0
      status = legato_dfr_reducer_advance(handle_of(this), energies, ended)
      finished = ended /= 0
      call report(this, status, stat, errmsg)
   end subroutine reducer_advance

   !> Returns the present result of the reduction.
   subroutine reducer_result(this, reduction, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      type(legato_dfr_reduction), intent(out) :: reduction
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      reduction = legato_dfr_reduction(c_sizeof(reduction), 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_dfr_reducer_result(handle_of(this), reduction), stat, errmsg)
   end subroutine reducer_result

   !> Returns the choice of stage `index`, which must be finished.
   subroutine reducer_stage(this, index, stage, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      integer, intent(in) :: index
      type(legato_dfr_stage), intent(out) :: stage
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_dfr_reduction) :: reduction

      stage = legato_dfr_stage(c_sizeof(stage), LEGATO_DFR_STAGE_KIND_WHOLE, 0, 0, 0, 0, 0, 0)
      if (unmade(this, stat, errmsg)) return
      call this%result(reduction)
      if (outside('dfr.reducer.stage.index', int(index, c_int64_t), int(reduction%stages_done, c_int64_t), stat, &
                  errmsg)) return
      call report(this, legato_dfr_reducer_stage(handle_of(this), int(index - 1, c_int32_t), stage), stat, errmsg)
   end subroutine reducer_stage

   !> Returns the basis after the stages so far, which has one group, in the form that `add` of a legato_dfr_optimiser
   !! takes. The arrays are empty after an error.
   subroutine reducer_basis(this, functions, first, parameters, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      integer, allocatable, intent(out) :: functions(:), first(:)
      real(c_double), intent(out) :: parameters(4)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:, :)
      integer(c_int32_t) :: species, status

      species = 0
      parameters = 0
      status = legato_dfr_reducer_basis(handle_of(this), species, parameters=parameters)
      allocate (of_species(species, 2))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_reducer_basis(handle_of(this), &
         n_functions=of_species(:, 1), first=of_species(:, 2))
      functions = of_species(:, 1)
      first = of_species(:, 2)
      call report(this, status, stat, errmsg)
   end subroutine reducer_basis

   !> Returns the atom, the limit as it was given (0: calculated), and the start, in the form that `create` takes. The
   !! arrays are empty after an error.
   subroutine reducer_atom(this, nucleus, closed, electrons, pairs, limit, start, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      type(legato_dfr_nucleus), intent(out) :: nucleus
      integer, allocatable, intent(out) :: closed(:)
      real(c_double), allocatable, intent(out) :: electrons(:), pairs(:, :)
      real(c_double), intent(out), optional :: limit, start(4)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:)
      integer(c_int32_t) :: species, status

      nucleus = legato_dfr_nucleus(c_sizeof(nucleus), 0, 0, 0, 0, 0, 0)
      if (present(limit)) limit = 0
      if (present(start)) start = 0
      species = 0
      status = legato_dfr_reducer_atom(handle_of(this), n_species=species)
      allocate (of_species(species), electrons(species), pairs(species, species))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_reducer_atom(handle_of(this), nucleus, &
         closed=of_species, &
         electrons=electrons, pairs=pairs, limit=limit, start=start)
      closed = of_species
      call report(this, status, stat, errmsg)
   end subroutine reducer_atom

   !> Resumes a reduction that save has written.
   subroutine reducer_resume(this, context, path, stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine reducer_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine reducer_get_params(this, field, optimiser_params, params, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      type(legato_dfr_params), intent(out), optional :: field
      type(legato_dfr_optimiser_params), intent(out), optional :: optimiser_params
      type(legato_dfr_reducer_params), intent(out), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(field)) field = dfr_defaults()
      if (present(optimiser_params)) optimiser_params = dfr_optimiser_defaults()
      if (present(params)) params = dfr_reducer_defaults()
      call report(this, legato_dfr_reducer_get_params(handle_of(this), field, optimiser_params, params), stat, errmsg)
   end subroutine reducer_get_params

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_dfr_reducer', legato_dfr_reducer_destroy, legato_dfr_reducer_run, &
                              legato_dfr_reducer_save, legato_dfr_reducer_resume)
   end function in_c
end module legato_dfr_reducer_module
