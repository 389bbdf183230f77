! Tests a program as a user would write it: a reference trajectory, errors by stat and errmsg, saving and resuming.
program tmm_test
   use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
   use legato
   use checks
   implicit none
   character(*), parameter :: state_file = 'fortran_tmm.h5'
   type(legato_context) :: context
   type(legato_tmm) :: tmm, resumed
   type(legato_tmm_params) :: params
   type(legato_tmm_point) :: point, resumed_point
   real(c_double) :: exponents(8), errors(8), resumed_exponents(8), resumed_errors(8)
   integer(c_int64_t) :: finished
   integer :: backend
   character(:), allocatable :: reason

   call context%create()
   params = tmm_defaults()
   params%width = 8
   params%random_stream = LEGATO_TMM_RANDOM_STREAM_LFSR113
   params%rule = LEGATO_TMM_RULE_TMSEXD
   call tmm%create(context, params, [4.2_c_double, -4.4_c_double], [1.0_c_double, 1.0_c_double])
   call context%backend(backend, reason)
   call check(backend == LEGATO_BACKEND_CPU .or. backend == LEGATO_BACKEND_CUDA, 'a backend is named')
   call check(len(reason) > 0, 'with a reason')
   deallocate (reason)     ! LeakSanitizer would report it: the language frees no variable of a main program
   call tmm%advance(50_c_int64_t, finished)
   call check(finished == 0, 'no point has ended after 50 cycles')
   call tmm%save(state_file)
   call resumed%resume(context, state_file)
   call remove_file(state_file)
   call tmm%run()
   call resumed%run()
   call tmm%result(1_c_int64_t, point, exponents, errors)
   call resumed%result(1_c_int64_t, resumed_point, resumed_exponents, resumed_errors)
   ! The numbers are those of the serial program: tests/tmm/driver/reference_numbers.dat.
   call check(point%status == LEGATO_TMM_POINT_STATUS_CONVERGED .and. point%cycles == 335, &
      'cycles until it has converged')
   call check(abs(exponents(1) / 0.4149939651281186_c_double - 1) < 1e-10_c_double, 'smallest exponent')
   call check(abs(errors(1) / 0.0049919200595169_c_double - 1) < 1e-10_c_double, 'its error')
   call check(resumed_point%cycles == 335 .and. all(resumed_exponents == exponents) .and. all(resumed_errors == errors), &
              'a resumed run gives the same bits')

   call check(params%min_blocks == 32 .and. params%burn_in == 128, 'the defaults of the other rule')
   params%rule = LEGATO_TMM_RULE_BLOCKS
   call tmm%create(context, params, [4.2_c_double], [1.0_c_double])
   call tmm%advance(14_c_int64_t, finished)
   call tmm%result(1_c_int64_t, point, exponents, errors)
   call check(all(errors /= errors), 'an error that is not known is NaN')
   call tmm%run()
   call tmm%result(1_c_int64_t, point, exponents, errors)
   call check(point%status == LEGATO_TMM_POINT_STATUS_CONVERGED .and. point%cycles >= 256 .and. &
      errors(1) <= 0.005_c_double, &
              'the rule of blocks')

   params%width = 4
   call tmm%create(context, params, [0.0_c_double], [1.0_c_double, 2.0_c_double], stat, message)
   call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'arrays of different size are an error')
   call resumed%resume(context, 'no_such_file.h5', stat, message)
   call check(stat == LEGATO_STATUS_IO_ERROR .or. stat == LEGATO_STATUS_BAD_FILE, 'a missing file is an error')
   call given_slices()
   print '(a)', 'fortran client: all checks passed'

contains

   ! A ladder of the program's own: two legs, one rung in each slice.
   subroutine given_slices()
      type(legato_tmm) :: ladder, again
      type(legato_tmm_params) :: of_ladder
      type(legato_tmm_point) :: its_point
      real(c_double) :: x(2), y(2)

      of_ladder = tmm_defaults()
      of_ladder%width = 2
      of_ladder%model = LEGATO_TMM_MODEL_U1
      of_ladder%epsilon = 0.05_c_double
      call ladder%create_given(context, change, of_ladder, [0.1_c_double], [2.0_c_double], [1_c_int64_t], [2_c_int64_t])
      call ladder%advance(20_c_int64_t, finished)
      call ladder%save(state_file)
      call again%resume_given(context, state_file, change)
      call ladder%run()
      call again%run()
      call ladder%result(1_c_int64_t, its_point, x)
      call again%result(1_c_int64_t, its_point, y)
      call check(its_point%status == LEGATO_TMM_POINT_STATUS_CONVERGED .and. all(x == y) .and. x(1) > 0, 'given slices')
      call again%resume(context, state_file, stat, message)
      call check(stat == LEGATO_STATUS_BAD_FILE .and. index(message, 'the run has given slices') > 0, 'without the procedure')
      call remove_file(state_file)
      call ladder%create_given(context, stop_first_slice, of_ladder, [0.1_c_double], [2.0_c_double])
      call ladder%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED, 'the procedure stops the run')
      call ladder%create_given(context, change, of_ladder, [0.1_c_double], [2.0_c_double], [1_c_int64_t], stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'tmm.create.second') == 1, 'links without ends')
   end subroutine given_slices

   subroutine change(point_number, replica, slice, on_site, hopping, along, cancel)
      integer(c_int64_t), intent(in) :: point_number, replica, slice
      real(c_double), intent(inout) :: on_site(:), hopping(:, :), along(:)
      logical, intent(inout) :: cancel

      if (point_number /= 1 .or. replica /= 1 .or. slice < 1) cancel = .true.
      if (any(shape(hopping) /= [2, 1]) .or. size(on_site) /= 2) cancel = .true.
      hopping(:, 1) = [0.6_c_double, 0.8_c_double]
      along = 1.1_c_double
   end subroutine change

   subroutine stop_first_slice(point_number, replica, slice, on_site, hopping, along, cancel)
      integer(c_int64_t), intent(in) :: point_number, replica, slice
      real(c_double), intent(inout) :: on_site(:), hopping(:, :), along(:)
      logical, intent(inout) :: cancel

      cancel = point_number == 1 .and. replica == 1 .and. slice == 1
      on_site = along + hopping(1, 1)
   end subroutine stop_first_slice
end program tmm_test
