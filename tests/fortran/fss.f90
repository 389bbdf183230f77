! Tests the finite-size scaling fit: a transition with known parameters, all that can be read, and refusals.
program fss_test
   use, intrinsic :: iso_c_binding, only: c_double, c_sizeof
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use legato
   use checks
   implicit none
   integer, parameter :: data = 36
   real(c_double), parameter :: point = 2, nu = 1.25_c_double
   real(c_double) :: sizes(data), control(data), value(data), error(data)
   type(legato_context) :: context

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call make_data()
   call fits()
   call refused()
   print '(a)', 'fortran fss: all checks passed'

contains

   subroutine make_data()
      real(c_double) :: w
      integer :: i

      do i = 1, data
         w = 0.1_c_double * (mod(i - 1, 12) - 5.5_c_double)
         sizes(i) = 4 * 2**((i - 1) / 12)
         control(i) = point + w
         value(i) = exact(sizes(i), w) + 0.5_c_double / sizes(i)
      end do
      error = 1e-3_c_double
   end subroutine make_data

   ! The scaling function 1 + phi + phi^2 / 10.
   pure function exact(length, w) result(f)
      real(c_double), intent(in) :: length, w
      real(c_double) :: f, phi

      phi = w * length**(1 / nu)
      f = 1 + phi + 0.1_c_double * phi**2
   end function exact

   function orders() result(params)
      type(legato_fss_params) :: params

      params = fss_defaults()
      call check(params%struct_size == c_sizeof(params) .and. params%resamples == 1000, 'defaults')
      params%relevant_order = 2
      params%irrelevant_order = 1
      params%relevant_expansion = 1
      params%resamples = 120
   end function orders

   subroutine fits()
      type(legato_fss) :: fss
      type(legato_fss_params) :: params
      type(legato_fss_fit) :: fit
      real(c_double) :: values(9), errors(9), low(9), high(9), curve(2), curve_errors(2), fields(2), shifted(2)

      call fss%create(context, sizes, control, value, error, orders())
      call fss%result(fit)
      call check(fit%status == LEGATO_FSS_FIT_STATUS_WAITING .and. ieee_is_nan(fit%exponent), 'waiting')
      call fss%run()
      call fss%result(fit)
      call check(fit%status == LEGATO_FSS_FIT_STATUS_CONVERGED .and. fit%parameters == 9 .and. fit%data == data, 'converged')
      call check(abs(fit%critical_point - point) < 1e-5_c_double .and. abs(fit%exponent - nu) < 1e-5_c_double, 'fit')
      call check(abs(fit%irrelevant_exponent + 1) < 1e-3_c_double .and. fit%exponent_error > 0, 'irrelevant field')
      call fss%parameters(values, errors, low, high)
      call check(all(errors > 0) .and. all(low < high) .and. abs(values(4) - 1) < 1e-4_c_double, 'parameters')
      call fss%parameters(values(:1))
      call fss%curve([4.0_c_double, 100.0_c_double], [point, 2.1_c_double], curve, curve_errors)
      call check(abs(curve(1) - 1.125_c_double) < 1e-4_c_double .and. all(curve_errors > 0), 'curve')
      shifted = curve
      call fss%collapse([4.0_c_double, 100.0_c_double], [point, 2.1_c_double], shifted, fields)
      call check(abs(shifted(2) - exact(100.0_c_double, 0.1_c_double)) < 1e-3_c_double, 'collapse')
      call fss%scaling_function(fields, curve)
      call check(all(abs(curve - shifted) < 1e-12_c_double), 'scaling function')
      call fss%get_params(params)
      call check(params%resamples == 120, 'parameters in use')
   end subroutine fits

   subroutine refused()
      type(legato_fss) :: fss, none
      real(c_double) :: two(2), three(3)
      type(legato_fss_fit) :: fit

      two = 8
      three = 8
      call fss%create(context, sizes, control(:data - 1), value, error, stat=stat, errmsg=message)
      call check_refused('fss.create.control: 35 elements are not 36')
      call fss%create(context, sizes, control, value(:2), error, stat=stat, errmsg=message)
      call check_refused('fss.create.value: 2 elements are not 36')
      call fss%create(context, sizes, control, value, error(:1), stat=stat, errmsg=message)
      call check_refused('fss.create.error: 1 elements are not 36')
      call fss%create(context, sizes(:12), control(:12), value(:12), error(:12), stat=stat, errmsg=message)
      call check_refused('fss.length: all are 4, but a fit needs at least two')
      call fss%create(context, sizes, control, value, error, orders())
      call fss%parameters(two, three, stat=stat, errmsg=message)
      call check_refused('fss.parameters.errors: 3 elements are not 2')
      call fss%parameters(two, low=three, stat=stat, errmsg=message)
      call check_refused('fss.parameters.low: 3 elements are not 2')
      call fss%parameters(two, high=three, stat=stat, errmsg=message)
      call check_refused('fss.parameters.high: 3 elements are not 2')
      call fss%curve(two, three, two, stat=stat, errmsg=message)
      call check_refused('fss.curve.control: 3 elements are not 2')
      call fss%curve(two, two, three, stat=stat, errmsg=message)
      call check_refused('fss.curve.values: 3 elements are not 2')
      call fss%curve(two, two, two, three, stat=stat, errmsg=message)
      call check_refused('fss.curve.errors: 3 elements are not 2')
      call fss%collapse(two, three, two, two, stat=stat, errmsg=message)
      call check_refused('fss.collapse.control: 3 elements are not 2')
      call fss%collapse(two, two, three, two, stat=stat, errmsg=message)
      call check_refused('fss.collapse.values: 3 elements are not 2')
      call fss%collapse(two, two, two, three, stat=stat, errmsg=message)
      call check_refused('fss.collapse.fields: 3 elements are not 2')
      call fss%scaling_function(two, three, stat=stat, errmsg=message)
      call check_refused('fss.scaling_function.values: 3 elements are not 2')
      call none%result(fit, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'without create')
   end subroutine refused

end program fss_test
