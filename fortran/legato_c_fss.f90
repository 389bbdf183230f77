! Written by tools/fortran_interfaces.py from capi/include/legato/fss.h. Change that instead.
module legato_c_fss
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Status of a fit.
   enum, bind(c)
      enumerator :: LEGATO_FSS_FIT_STATUS_WAITING = 0  ! not begun
      ! chi^2 has a minimum, the lowest that was found, and the data determine all parameters
      enumerator :: LEGATO_FSS_FIT_STATUS_CONVERGED = 1
      ! at the lowest chi^2 that was found, chi^2 does not depend on some combination of the parameters, to rounding, or
      ! y has run to 0. The parameters are one choice of many. There is no resampling, and all errors are NaN. Lower
      ! orders are needed, or more lengths
      enumerator :: LEGATO_FSS_FIT_STATUS_UNDETERMINED = 2
      ! no minimum with nu > 0 and y < 0 was found; all parameters are NaN
      enumerator :: LEGATO_FSS_FIT_STATUS_NOT_CONVERGED = 3
   end enum

   ! Orders of the expansions, and the resampling.
   type, bind(c) :: legato_fss_params
      integer(c_size_t) :: struct_size  ! Set by legato_fss_params_init.
      integer(c_int32_t) :: relevant_order  ! Order n_1 of F in the relevant field. Range [1, 12], default 3.
      ! Order n_2 of F in the irrelevant field; 0 leaves this field out. Range [0, 4], default 0.
      integer(c_int32_t) :: irrelevant_order
      integer(c_int32_t) :: relevant_expansion  ! Order m_1 of the relevant field u_1 in w. Range [1, 8], default 2.
      ! Order m_2 of the irrelevant field u_2 in w; with irrelevant_order 0 only 0 is allowed. Range [0, 8], default 0.
      integer(c_int32_t) :: irrelevant_expansion
      ! Number of synthetic data sets. All errors and intervals are unknown (NaN) with fewer than 100 that converge, or
      ! if more than 2 % do not. Range [0, 100000], default 1000.
      integer(c_int64_t) :: resamples
      integer(c_int64_t) :: seed  ! Seed of the random numbers of the resampling. Any value, default 1277.
   end type legato_fss_params

   ! A finished fit. The members *_error, *_low and *_high follow from the synthetic data, and are NaN if they are
   ! unknown. *_error is half of the width of the central interval that contains 68.27 % of the values that were fitted
   ! to synthetic data; for normally distributed values it is the standard error. *_low and *_high are the ends of the
   ! central interval that contains 95 % of them.
   type, bind(c) :: legato_fss_fit
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_fss_fit_status.
      ! Number of fitted parameters, 1 + m_1 + (n_1 + 1)(n_2 + 1), and 1 + m_2 more with an irrelevant field.
      integer(c_int32_t) :: parameters
      integer(c_int64_t) :: data  ! Number of data.
      integer(c_int64_t) :: resamples_done  ! Number of synthetic data sets that have been fitted so far.
      ! Number of those whose fit has not converged or is undetermined. The others give the errors; if more than 2 %
      ! have failed, errors are NaN, because the others may be a selection.
      integer(c_int64_t) :: resamples_failed
      real(c_double) :: chi2  ! chi^2 at the minimum; NaN if there is none.
      ! Probability that chi^2 is at least as large if the model is right and the errors of the data are normal: the
      ! regularised incomplete gamma function Q(f / 2, chi^2 / 2), where f is the number of data minus that of
      ! parameters. NaN if f is 0.
      real(c_double) :: goodness_of_fit
      real(c_double) :: critical_point  ! x_c; NaN if no minimum was found.
      real(c_double) :: critical_point_error  ! Its error.
      real(c_double) :: critical_point_low  ! Beginning of its interval.
      real(c_double) :: critical_point_high  ! End of its interval.
      real(c_double) :: exponent  ! nu; NaN if no minimum was found.
      real(c_double) :: exponent_error  ! Its error.
      real(c_double) :: exponent_low  ! Beginning of its interval.
      real(c_double) :: exponent_high  ! End of its interval.
      real(c_double) :: irrelevant_exponent  ! y; NaN without an irrelevant field, or if no minimum was found.
      real(c_double) :: irrelevant_exponent_error  ! Its error.
      real(c_double) :: irrelevant_exponent_low  ! Beginning of its interval.
      real(c_double) :: irrelevant_exponent_high  ! End of its interval.
      real(c_double) :: critical_value  ! a_00, the value at x_c for L to infinity; NaN if no minimum was found.
      real(c_double) :: critical_value_error  ! Its error.
      real(c_double) :: critical_value_low  ! Beginning of its interval.
      real(c_double) :: critical_value_high  ! End of its interval.
   end type legato_fss_fit

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_fss_params_init.
      function legato_fss_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_fss_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_fss_params_init_sized

      ! Creates a fit to n_data values with standard errors, at lengths and control parameters. Each array has n_data
      ! elements. NULL for `params` stands for the defaults. Range of n_data: from the number of parameters to 100000.
      ! Range of lengths: [1, 1e12]; at least two must differ. Range of control parameters and values: [-1e12, 1e12]; at
      ! least two control parameters must differ. Range of errors: [1e-60, 1e12], and at least 1e-12 of the largest
      ! absolute value.
      function legato_fss_create(context, params, n_data, length, control, value, error, fss) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_fss_params), intent(in), optional :: params
         integer(c_int64_t), value :: n_data
         real(c_double), intent(in) :: length(*)
         real(c_double), intent(in) :: control(*)
         real(c_double), intent(in) :: value(*)
         real(c_double), intent(in) :: error(*)
         type(c_ptr), intent(out) :: fss
         integer(c_int32_t) :: status
      end function legato_fss_create

      ! Destroys a fit; NULL is allowed.
      function legato_fss_destroy(fss) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         integer(c_int32_t) :: status
      end function legato_fss_destroy

      ! Fits the data and the synthetic data. `callback` may be NULL. In its legato_progress a point is a fit, the first
      ! one that of the data. A stopped run continues with the next call.
      function legato_fss_run(fss, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_fss_run

      ! Reads the fit. The errors follow from the synthetic data that have been fitted so far.
      function legato_fss_result(fss, fit) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         type(legato_fss_fit), intent(inout) :: fit
         integer(c_int32_t) :: status
      end function legato_fss_result

      ! Reads the first n of all parameters of the fit, in this order: x_c, nu, y (with an irrelevant field only), b_2
      ! to b_{m_1}, c_1 to c_{m_2}, and a_jk with j = 0 to n_1 for k = 0, then for k = 1, and so on. n is at most the
      ! number of parameters. errors[n] and the intervals low[n] to high[n] are those of legato_fss_fit.
      function legato_fss_parameters(fss, n, values, errors, low, high) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         integer(c_int64_t), value :: n
         real(c_double), intent(inout) :: values(*)
         real(c_double), intent(inout), optional :: errors(*)
         real(c_double), intent(inout), optional :: low(*)
         real(c_double), intent(inout), optional :: high(*)
         integer(c_int32_t) :: status
      end function legato_fss_parameters

      ! Evaluates the fitted F at n pairs of length and control parameter, in the ranges of legato_fss_create. errors[n]
      ! receives their errors, as in legato_fss_fit. Far outside the data a value may overflow; it is then infinite or
      ! NaN, and its error is NaN.
      function legato_fss_curve(fss, n, length, control, values, errors) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: length(*)
         real(c_double), intent(in) :: control(*)
         real(c_double), intent(inout) :: values(*)
         real(c_double), intent(inout), optional :: errors(*)
         integer(c_int32_t) :: status
      end function legato_fss_curve

      ! Removes the corrections to scaling from n values: values[i] becomes values[i] - F(phi_1, phi_2) + F(phi_1, 0).
      ! fields[n] receives phi_1. A plot of these values against phi_1 is the data collapse. The localisation or
      ! correlation length is proportional to |u_1|^-nu, so that L / xi is proportional to |phi_1|^nu.
      function legato_fss_collapse(fss, n, length, control, values, fields) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: length(*)
         real(c_double), intent(in) :: control(*)
         real(c_double), intent(inout) :: values(*)
         real(c_double), intent(inout) :: fields(*)
         integer(c_int32_t) :: status
      end function legato_fss_collapse

      ! Evaluates the scaling function F(phi_1, 0) at n relevant fields phi_1 in [-1e100, 1e100].
      function legato_fss_scaling_function(fss, n, fields, values) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: fields(*)
         real(c_double), intent(inout) :: values(*)
         integer(c_int32_t) :: status
      end function legato_fss_scaling_function

      ! Reads the parameters in use. Before the call, set struct_size to the size of the struct, directly or by
      ! legato_fss_params_init.
      function legato_fss_get_params(fss, params) bind(c) result(status)
         import
         type(c_ptr), value :: fss
         type(legato_fss_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_fss_get_params
   end interface
end module legato_c_fss
