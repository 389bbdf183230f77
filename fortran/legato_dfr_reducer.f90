! The automatic reduction of a well-tempered basis set: legato/dfr_reducer.h, which tells what the arguments mean. Here
! stages and species count from 1.
module legato_dfr_reducer_module
   use legato_c
   use legato_context_module, only: legato_context, handle_of
   use legato_dfr_optimiser_module, only: dfr_optimiser_defaults
   use legato_support, only: legato_monitor, owned_handle, progress_user, callback_for, outside, differs
   implicit none
   private

   public :: legato_dfr_reducer, legato_dfr_reducer_params, legato_dfr_reduction, legato_dfr_stage
   public :: dfr_reducer_defaults
   public :: LEGATO_DFR_STAGE_WHOLE, LEGATO_DFR_STAGE_LAST, LEGATO_DFR_STAGE_FIRST

   ! The reduction for one atom. It may outlive its context.
   type :: legato_dfr_reducer
      private
      type(owned_handle) :: own
   contains
      procedure :: create => reducer_create
      procedure :: destroy => reducer_destroy
      procedure :: run => reducer_run
      procedure :: advance => reducer_advance
      procedure :: result => reducer_result
      procedure :: stage => reducer_stage
      procedure :: basis => reducer_basis
      procedure :: save => reducer_save
      procedure :: resume => reducer_resume
      procedure :: get_params => reducer_get_params
   end type legato_dfr_reducer

contains

   ! The documented defaults: 40 functions of every l, accuracy 5e-9, a limit that is calculated.
   function dfr_reducer_defaults() result(params)
      type(legato_dfr_reducer_params) :: params
      integer(c_int32_t) :: status

      status = legato_dfr_reducer_params_init_sized(params, c_sizeof(params))
   end function dfr_reducer_defaults

   ! For the atom of this nucleus and configuration, as of add_atom of a legato_dfr; start(4): alpha, beta, delta, gamma.
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
      integer(c_int32_t) :: status
      integer :: n

      call this%destroy()
      n = size(closed)
      if (differs('dfr.reducer.create.electrons', shape(electrons), [n], stat, errmsg)) return
      if (differs('dfr.reducer.create.start', shape(start), [4], stat, errmsg)) return
      if (present(pairs)) then
         if (differs('dfr.reducer.create.pairs', shape(pairs), [n, n], stat, errmsg)) return
         status = legato_dfr_reducer_create(handle_of(context), field, optimiser_params, params, nucleus, &
            int(n, c_int32_t), int(closed, c_int32_t), electrons, pairs, start, this%own%handle)
      else
         status = legato_dfr_reducer_create(handle_of(context), field, optimiser_params, params, nucleus, &
            int(n, c_int32_t), int(closed, c_int32_t), electrons, start=start, reducer=this%own%handle)
      end if
      call this%own%keep('legato_dfr_reducer', legato_dfr_reducer_destroy, handle_of(context), status, stat, errmsg)
   end subroutine reducer_create

   subroutine reducer_destroy(this)
      class(legato_dfr_reducer), intent(inout) :: this

      call this%own%destroy()
   end subroutine reducer_destroy

   ! To the end, or until `progress` stops it; to be taken up by calling once more.
   subroutine reducer_run(this, progress, stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      type(c_funptr) :: callback

      callback = callback_for(progress, user)
      call this%own%report(legato_dfr_reducer_run(this%own%handle, callback, c_loc(user)), stat, errmsg)
   end subroutine reducer_run

   ! Up to `energies` energies further for every range in work; `finished` at the end.
   subroutine reducer_advance(this, energies, finished, stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      integer(c_int64_t), intent(in) :: energies
      logical, intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: ended, status

      ended = 0
      status = legato_dfr_reducer_advance(this%own%handle, energies, ended)
      finished = ended /= 0
      call this%own%report(status, stat, errmsg)
   end subroutine reducer_advance

   ! The reduction as it stands.
   subroutine reducer_result(this, reduction, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      type(legato_dfr_reduction), intent(out) :: reduction
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      reduction = legato_dfr_reduction(c_sizeof(reduction), 0, 0, 0, 0, 0, 0, 0)
      call this%own%report(legato_dfr_reducer_result(this%own%handle, reduction), stat, errmsg)
   end subroutine reducer_result

   ! What stage `index` of those that are done has chosen.
   subroutine reducer_stage(this, index, stage, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      integer, intent(in) :: index
      type(legato_dfr_stage), intent(out) :: stage
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_dfr_reduction) :: reduction
      integer(c_int32_t) :: status

      stage = legato_dfr_stage(c_sizeof(stage), LEGATO_DFR_STAGE_WHOLE, 0, 0, 0, 0, 0, 0)
      reduction = legato_dfr_reduction(c_sizeof(reduction), 0, 0, 0, 0, 0, 0, 0)
      status = legato_dfr_reducer_result(this%own%handle, reduction)
      if (status == LEGATO_SUCCESS) then
         if (outside('dfr.reducer.stage.index', int(index, c_int64_t), int(reduction%stages_done, c_int64_t), stat, &
                     errmsg)) return
         status = legato_dfr_reducer_stage(this%own%handle, int(index - 1, c_int32_t), stage)
      end if
      call this%own%report(status, stat, errmsg)
   end subroutine reducer_stage

   ! The basis after the stages so far, of one group, as `add` of a legato_dfr_optimiser takes it. Empty after an error.
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
      status = legato_dfr_reducer_basis(this%own%handle, species, parameters=parameters)
      allocate (of_species(species, 2))
      if (status == LEGATO_SUCCESS) status = legato_dfr_reducer_basis(this%own%handle, &
         n_functions=of_species(:, 1), first=of_species(:, 2))
      functions = of_species(:, 1)
      first = of_species(:, 2)
      call this%own%report(status, stat, errmsg)
   end subroutine reducer_basis

   subroutine reducer_save(this, path, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call this%own%report(legato_dfr_reducer_save(this%own%handle, trim(path)//c_null_char), stat, errmsg)
   end subroutine reducer_save

   subroutine reducer_resume(this, context, path, stat, errmsg)
      class(legato_dfr_reducer), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_reducer_resume(handle_of(context), trim(path)//c_null_char, this%own%handle)
      call this%own%keep('legato_dfr_reducer', legato_dfr_reducer_destroy, handle_of(context), status, stat, errmsg)
   end subroutine reducer_resume

   ! The parameters in use, for instance after resume.
   subroutine reducer_get_params(this, field, optimiser_params, params, stat, errmsg)
      class(legato_dfr_reducer), intent(in) :: this
      type(legato_dfr_params), intent(out) :: field
      type(legato_dfr_optimiser_params), intent(out) :: optimiser_params
      type(legato_dfr_reducer_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = legato_dfr_params_init_sized(field, c_sizeof(field))
      optimiser_params = dfr_optimiser_defaults()
      params = dfr_reducer_defaults()
      call this%own%report(legato_dfr_reducer_get_params(this%own%handle, field, optimiser_params, params), stat, errmsg)
   end subroutine reducer_get_params
end module legato_dfr_reducer_module
