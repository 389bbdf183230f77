!> Minimises the energy of the state of legato_vmc.f90 with respect to its parameters. legato/vmc_optimiser.h explains
!! the arguments. Steps count from 1. Arrays of parameters contain delta, mu, t' and t'' in this order.
module legato_vmc_optimiser_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: outside
   use legato_vmc_module, only: vmc_defaults
   implicit none
   private

   public :: legato_vmc_optimiser, legato_vmc_optimiser_params, legato_vmc_optimiser_step, legato_vmc_optimisation
   public :: vmc_optimiser_defaults
   public :: LEGATO_VMC_OPTIMISER_STATUS_WAITING, LEGATO_VMC_OPTIMISER_STATUS_RUNNING, &
      LEGATO_VMC_OPTIMISER_STATUS_CONVERGED, &
      LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED
   public :: LEGATO_VMC_STAGE_DESCENT, LEGATO_VMC_STAGE_SURVEY, LEGATO_VMC_STAGE_REFINEMENT

   !> The search for the parameters of least energy.
   type, extends(legato_resumable_run) :: legato_vmc_optimiser
   contains
      procedure :: create => optimiser_create
      procedure :: advance => optimiser_advance
      procedure :: result => optimiser_result
      procedure :: get_step => optimiser_get_step
      procedure :: resume => optimiser_resume
      procedure :: get_params => optimiser_get_params
   end type legato_vmc_optimiser

contains

   !> Returns the defaults: at most 40 steps of delta and mu. The optimisation ends after 3 steps of the refinement in
   !! which the gradient is within two standard errors of 0.
   function vmc_optimiser_defaults() result(params)
      type(legato_vmc_optimiser_params) :: params
      integer(c_int32_t) :: status

      status = legato_vmc_optimiser_params_init_sized(params, c_sizeof(params))
   end function vmc_optimiser_defaults

   !> Creates an optimisation. `run` has the parameters of the run of each step; the state's parameters in it are the
   !! start.
   subroutine optimiser_create(this, context, run, params, stat, errmsg)
      class(legato_vmc_optimiser), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in), optional :: run
      type(legato_vmc_optimiser_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_vmc_optimiser_create(handle_of(context), run, params, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine optimiser_create

   !> Takes up to `steps` further steps. `steps_done` counts all finished steps.
   subroutine optimiser_advance(this, steps, steps_done, stat, errmsg)
      class(legato_vmc_optimiser), intent(inout) :: this
      integer(c_int64_t), intent(in) :: steps
      integer(c_int64_t), intent(out) :: steps_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      steps_done = 0
      call report(this, legato_vmc_optimiser_advance(handle_of(this), steps, steps_done), stat, errmsg)
   end subroutine optimiser_advance

   !> Returns the present result: the optimum with its errors, if the optimisation has converged.
   subroutine optimiser_result(this, optimisation, stat, errmsg)
      class(legato_vmc_optimiser), intent(in) :: this
      type(legato_vmc_optimisation), intent(out) :: optimisation
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      optimisation = legato_vmc_optimisation(c_sizeof(optimisation), 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_vmc_optimiser_result(handle_of(this), optimisation), stat, errmsg)
   end subroutine optimiser_result

   !> Returns step `index`, which must be finished.
   subroutine optimiser_get_step(this, index, step, stat, errmsg)
      class(legato_vmc_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_vmc_optimiser_step), intent(out) :: step
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_vmc_optimisation) :: optimisation

      step = legato_vmc_optimiser_step(c_sizeof(step), 0, 0, 0, 0, 0, 0, 0, 0)
      if (unmade(this, stat, errmsg)) return
      call this%result(optimisation)
      if (outside('vmc.optimiser.index', index, optimisation%steps_done, stat, errmsg)) return
      call report(this, legato_vmc_optimiser_get_step(handle_of(this), index - 1, step), stat, errmsg)
   end subroutine optimiser_get_step

   !> Resumes an optimisation that save has written.
   subroutine optimiser_resume(this, context, path, stat, errmsg)
      class(legato_vmc_optimiser), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine optimiser_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine optimiser_get_params(this, run, params, stat, errmsg)
      class(legato_vmc_optimiser), intent(in) :: this
      type(legato_vmc_params), intent(out), optional :: run
      type(legato_vmc_optimiser_params), intent(out), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(run)) run = vmc_defaults()
      if (present(params)) params = vmc_optimiser_defaults()
      call report(this, legato_vmc_optimiser_get_params(handle_of(this), run, params), stat, errmsg)
   end subroutine optimiser_get_params

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_vmc_optimiser', legato_vmc_optimiser_destroy, legato_vmc_optimiser_run, &
                              legato_vmc_optimiser_save, legato_vmc_optimiser_resume)
   end function in_c
end module legato_vmc_optimiser_module
