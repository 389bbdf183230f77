!> Finite-size scaling: the critical point and exponents from values at several lengths. legato/fss.h explains the model and
!! the arguments.
module legato_fss_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_run, c_functions, keep, handle_of, report
   use legato_support, only: differs
   implicit none
   private

   public :: legato_fss, legato_fss_params, legato_fss_fit
   public :: fss_defaults
   public :: LEGATO_FSS_FIT_STATUS_WAITING, LEGATO_FSS_FIT_STATUS_CONVERGED, LEGATO_FSS_FIT_STATUS_UNDETERMINED, &
      LEGATO_FSS_FIT_STATUS_NOT_CONVERGED

   !> A fit to a list of data.
   type, extends(legato_run) :: legato_fss
   contains
      procedure :: create => fss_create
      procedure :: result => fss_result
      procedure :: parameters => fss_parameters
      procedure :: curve => fss_curve
      procedure :: collapse => fss_collapse
      procedure :: scaling_function => fss_scaling_function
      procedure :: get_params => fss_get_params
   end type legato_fss

contains

   !> Returns the defaults: order 3 in the relevant field, whose expansion has order 2; no irrelevant field; 1000 resamples.
   function fss_defaults() result(params)
      type(legato_fss_params) :: params
      integer(c_int32_t) :: status

      status = legato_fss_params_init_sized(params, c_sizeof(params))
   end function fss_defaults

   !> Creates a fit to values with standard errors, at lengths and control parameters. The arrays have the same size.
   subroutine fss_create(this, context, length, control, value, error, params, stat, errmsg)
      class(legato_fss), intent(inout) :: this
      type(legato_context), intent(in) :: context
      real(c_double), intent(in), contiguous :: length(:), control(:), value(:), error(:)
      type(legato_fss_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('fss.create.control', shape(control), shape(length), stat, errmsg)) return
      if (differs('fss.create.value', shape(value), shape(length), stat, errmsg)) return
      if (differs('fss.create.error', shape(error), shape(length), stat, errmsg)) return
      status = legato_fss_create(handle_of(context), params, size(length, kind=c_int64_t), length, control, value, &
         error, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine fss_create

   !> Returns the fit.
   subroutine fss_result(this, fit, stat, errmsg)
      class(legato_fss), intent(in) :: this
      type(legato_fss_fit), intent(out) :: fit
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      fit = legato_fss_fit(c_sizeof(fit), LEGATO_FSS_FIT_STATUS_WAITING, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &
                           0, 0, 0, 0, 0)
      call report(this, legato_fss_result(handle_of(this), fit), stat, errmsg)
   end subroutine fss_result

   !> Returns the first parameters of the fit, as many as `values` has elements, in the order of legato_fss_parameters.
   subroutine fss_parameters(this, values, errors, low, high, stat, errmsg)
      class(legato_fss), intent(in) :: this
      real(c_double), intent(inout), contiguous :: values(:)
      real(c_double), intent(inout), contiguous, optional :: errors(:), low(:), high(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(errors)) then
         if (differs('fss.parameters.errors', shape(errors), shape(values), stat, errmsg)) return
      end if
      if (present(low)) then
         if (differs('fss.parameters.low', shape(low), shape(values), stat, errmsg)) return
      end if
      if (present(high)) then
         if (differs('fss.parameters.high', shape(high), shape(values), stat, errmsg)) return
      end if
      call report(this, legato_fss_parameters(handle_of(this), size(values, kind=c_int64_t), values, errors, low, high), &
                  stat, errmsg)
   end subroutine fss_parameters

   !> Returns the fitted values at lengths and control parameters, and their errors. The arrays have the same size.
   subroutine fss_curve(this, length, control, values, errors, stat, errmsg)
      class(legato_fss), intent(in) :: this
      real(c_double), intent(in), contiguous :: length(:), control(:)
      real(c_double), intent(inout), contiguous :: values(:)
      real(c_double), intent(inout), contiguous, optional :: errors(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('fss.curve.control', shape(control), shape(length), stat, errmsg)) return
      if (differs('fss.curve.values', shape(values), shape(length), stat, errmsg)) return
      if (present(errors)) then
         if (differs('fss.curve.errors', shape(errors), shape(length), stat, errmsg)) return
      end if
      call report(this, legato_fss_curve(handle_of(this), size(length, kind=c_int64_t), length, control, values, &
                                         errors), stat, errmsg)
   end subroutine fss_curve

   !> Removes the corrections to scaling from values at lengths and control parameters, and returns the relevant fields. The
   !! arrays have the same size.
   subroutine fss_collapse(this, length, control, values, fields, stat, errmsg)
      class(legato_fss), intent(in) :: this
      real(c_double), intent(in), contiguous :: length(:), control(:)
      real(c_double), intent(inout), contiguous :: values(:), fields(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('fss.collapse.control', shape(control), shape(length), stat, errmsg)) return
      if (differs('fss.collapse.values', shape(values), shape(length), stat, errmsg)) return
      if (differs('fss.collapse.fields', shape(fields), shape(length), stat, errmsg)) return
      call report(this, legato_fss_collapse(handle_of(this), size(length, kind=c_int64_t), length, control, values, &
                                            fields), stat, errmsg)
   end subroutine fss_collapse

   !> Returns the scaling function at relevant fields. The arrays have the same size.
   subroutine fss_scaling_function(this, fields, values, stat, errmsg)
      class(legato_fss), intent(in) :: this
      real(c_double), intent(in), contiguous :: fields(:)
      real(c_double), intent(inout), contiguous :: values(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('fss.scaling_function.values', shape(values), shape(fields), stat, errmsg)) return
      call report(this, legato_fss_scaling_function(handle_of(this), size(fields, kind=c_int64_t), fields, values), stat, &
                  errmsg)
   end subroutine fss_scaling_function

   !> Returns the parameters in use.
   subroutine fss_get_params(this, params, stat, errmsg)
      class(legato_fss), intent(in) :: this
      type(legato_fss_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = fss_defaults()
      call report(this, legato_fss_get_params(handle_of(this), params), stat, errmsg)
   end subroutine fss_get_params

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_fss', legato_fss_destroy, legato_fss_run)
   end function in_c
end module legato_fss_module
