! Tests every procedure of module legato except the propagations, including refusals.
module recorder
   use legato
   implicit none
   integer :: lines = 0
   character(:), allocatable :: last_line

contains

   subroutine note(level, line)
      integer, intent(in) :: level
      character(*), intent(in) :: line

      if (level <= LEGATO_LOG_LEVEL_INFO) lines = lines + 1
      last_line = line
   end subroutine note
end module recorder

program procedures
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_sizeof
   use legato
   use checks
   use recorder
   implicit none
   real(c_double), parameter :: two_points(2) = [0.0_c_double, 1.0_c_double]
   type(legato_context) :: context
   type(legato_tmm) :: tmm

   call check(len(legato_version()) >= 5, 'version')
   call check(legato_version_number() >= 100, 'version as a number')
   call check(legato_status_text(LEGATO_STATUS_CANCELLED) == 'cancelled', 'words for a status')
   call contexts()
   call stopped_run()
   call context%destroy()     ! the run works without its context
   call results()
   call refused_of_a_run()
   call context%create(backend=LEGATO_BACKEND_CPU)
   call single_steps()
   call refused_steps()
   call silenced()
   call left_to_finalisers()
   print '(a)', 'fortran procedures: all checks passed'

contains

   ! Tests a context that has not been created, values out of range, and valid choices. Leaves a context on the CPU that
   ! logs to `note`.
   subroutine contexts()
      type(legato_device_info) :: info
      integer :: devices
      character(:), allocatable :: name

      call context%device_count(devices, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'used before it was created', 'no context yet')
      call context%create(threads=-1, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
         message == 'context.params.threads: -1 is not in 0..4096', 'threads')
      call check(context%message() == message, 'the message stays with the context')
      call context%create(backend=7, stat=stat, errmsg=message)
      call check(message == 'context.params.backend: 7 is not in 0..2', 'backend')
      call context%create(device=-2, stat=stat, errmsg=message)
      call check(message == 'context.params.device: -2 is not in -1..1023', 'device')
      call context%create(log_level=5, stat=stat, errmsg=message)
      call check(message == 'context.params.log_level: 5 is not in 0..4', 'log level')
      call context%create(backend=LEGATO_BACKEND_CPU, device=0, threads=2, log_level=LEGATO_LOG_LEVEL_ERROR)
      call context%device_count(devices)
      call check(devices >= 0, 'devices')
      if (devices > 0) then
         call context%device_info(0, info, name)
         call check(len(name) > 0 .and. info%total_memory > 0, 'the first device')
      end if
      call context%device_info(1000, info, name, stat, message)
      call check(stat == LEGATO_STATUS_NO_DEVICE .and. index(message, '1000') > 0 .and. len(name) == 0, &
         'no such device')
      call context%set_logger(9, note, stat, message)
      call check(message == 'context.logger.level: 9 is not in 0..4', 'level of the logger')
      call context%set_logger(LEGATO_LOG_LEVEL_INFO, note)
   end subroutine contexts

   subroutine stopped_run()
      type(legato_tmm_params) :: params, params_back
      integer(c_int64_t) :: points, n

      call tmm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'used before it was created', 'no run yet')
      params = tmm_defaults()
      call check(params%struct_size == c_sizeof(params) .and. params%dimension == 2, 'defaults')
      params%width = 4
      params%seed = 42
      params%epsilon = 1e-5_c_double
      call tmm%create(context, params, two_points, two_points + 1)
      call check(lines == 1 .and. index(last_line, 'backend cpu') > 0, 'the logger got the choice of the backend')
      call tmm%run(stop_at_third, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'tmm: stopped by the progress callback', 'cancelled')
      call check(calls == 3 .and. last_progress%points_total == 2 .and. last_progress%points_done == 0, 'progress')
      call check(last_progress%cycles_done > 0 .and. last_progress%seconds > 0 .and. last_progress%cycles_per_second > 0, &
                 'progress in numbers')
      call tmm%size(points, n)
      call check(points == 2 .and. n == 4, 'size')
      call tmm%get_params(params_back)
      call check(params_back%seed == 42 .and. params_back%width == 4 .and. &
                 params_back%struct_size == c_sizeof(params_back), 'parameters read back')
   end subroutine stopped_run

   subroutine results()
      type(legato_tmm_point) :: point
      real(c_double) :: exponents(4), errors(4), matrix(2, 12)
      integer(c_int64_t) :: finished

      call tmm%advance(10_c_int64_t, finished)
      call check(finished == 0, 'no point has ended')
      call tmm%result(2_c_int64_t, point)
      call check(point%status == LEGATO_TMM_POINT_STATUS_RUNNING .and. point%energy == 1, 'a result without arrays')
      call tmm%result(2_c_int64_t, point, exponents, errors)
      call check(all(exponents(2:) >= exponents(:3)) .and. exponents(1) > 0 .and. all(errors > 0), 'a result with arrays')
      matrix = -1
      call tmm%result(2_c_int64_t, point, errors=matrix(1, ::3))
      call check(all(matrix(1, ::3) == errors) .and. all(matrix(2, :) < 0), 'into a section of an array')
   end subroutine results

   subroutine refused_of_a_run()
      type(legato_tmm_point) :: point
      real(c_double) :: exponents(4), errors(3), too_long(12)
      integer(c_int64_t) :: points, n

      call tmm%result(2_c_int64_t, point, exponents, errors, stat, message)
      call check(message == 'tmm.result.errors: 3 elements are not 4', 'arrays of different size')
      call tmm%result(2_c_int64_t, point, too_long, stat=stat, errmsg=message)
      call check(message == 'tmm.result.n: 12 is not in 0..4', 'an array that is too long')
      call tmm%result(0_c_int64_t, point, stat=stat, errmsg=message)
      call check(message == 'tmm.result.index: 0 is not in 1..2', 'before the first point')
      call tmm%result(3_c_int64_t, point, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'no such point')
      call tmm%advance(0_c_int64_t, n, stat, message)
      call check(index(message, 'tmm.advance.cycles: 0 is not in') == 1, 'cycles')
      call tmm%save('/no/such/folder/file.h5', stat, message)
      call check(stat == LEGATO_STATUS_IO_ERROR .and. index(message, '/no/such/folder') > 0, &
         'a folder that is not there')
      call tmm%destroy()
      call tmm%size(points, n, stat)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. points == 0, 'a run that was given back')
   end subroutine refused_of_a_run

   ! Compares with the formula for one slice of a clean periodic strip.
   subroutine single_steps()
      real(c_double) :: psi_a(4, 4), psi_b(4, 4), diagonal(4), norms(4)

      psi_a = unit_matrix()
      psi_b = 0
      diagonal = 0.5_c_double
      call tmm_multiply(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST, &
         diagonal, psi_a, psi_b)
      call check(all(abs(psi_b(:, 1) - [0.5_c_double, -1.0_c_double, 0.0_c_double, -1.0_c_double]) < 1e-15_c_double), &
                 'multiply')
      call tmm_orthonormalise(context, LEGATO_TMM_LAYOUT_SITE_FIRST, psi_a, psi_b, norms)
      call check(abs(norms(1) - log(3.25_c_double) / 2) < 1e-14_c_double, 'norm')
      call check(maxval(abs(matmul(transpose(psi_a), psi_a) + matmul(transpose(psi_b), psi_b) - unit_matrix())) &
                 < 1e-14_c_double, 'orthonormal')
   end subroutine single_steps

   subroutine refused_steps()
      integer, parameter :: periodic = LEGATO_TMM_BOUNDARY_PERIODIC, layout = LEGATO_TMM_LAYOUT_SITE_FIRST
      real(c_double), parameter :: hopping = 1
      real(c_double) :: psi_a(4, 4), psi_b(4, 4), diagonal(4), norms(4)

      psi_a = unit_matrix()
      psi_b = 0
      diagonal = 0
      call tmm_multiply(context, 2, 4, periodic, hopping, 2, diagonal, psi_a, psi_b, stat, message)
      call check(message == 'tmm.steps.layout: 2 is not in 0..1', 'layout')
      call tmm_multiply(context, 3, 4, periodic, hopping, layout, diagonal, psi_a, psi_b, stat, message)
      call check(message == 'tmm.multiply.diagonal: 4 elements are not those of a slice of width 4', 'diagonal')
      call tmm_multiply(context, 2, 4, periodic, hopping, layout, diagonal, psi_a, psi_b(:3, :), stat, message)
      call check(message == 'tmm.multiply.psi_b: 3 x 4 elements are not 4 x 4', 'shape')
      call tmm_orthonormalise(context, layout, psi_a, psi_b(:, :3), norms, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'shape')
      psi_a = 0
      call tmm_orthonormalise(context, layout, psi_a, psi_b, norms, stat, message)
      call check(stat == LEGATO_STATUS_NUMERICAL_ERROR .and. norms(1) /= norms(1), 'vectors of zero')
   end subroutine refused_steps

   subroutine silenced()
      integer :: backend, lines_before
      character(:), allocatable :: reason
      type(legato_tmm_params) :: params, defaults

      lines_before = lines
      call context%set_logger(LEGATO_LOG_LEVEL_INFO, note)
      call context%set_logger(LEGATO_LOG_LEVEL_SILENT)
      call tmm%create(context, energy=two_points, disorder=two_points)
      call check(lines == lines_before, 'the logger has gone')
      call context%backend(backend, reason)
      call check(backend == LEGATO_BACKEND_CPU .and. reason == 'the CPU was asked for', 'backend')
      defaults = tmm_defaults()
      call tmm%get_params(params)
      call check(params%width == defaults%width .and. params%seed == defaults%seed .and. &
                 params%random_stream == defaults%random_stream, 'the defaults without parameters')
   end subroutine silenced

   ! The finalisers destroy a context and its runs in an order that the compiler chooses.
   subroutine left_to_finalisers()
      type(legato_context) :: inner
      type(legato_tmm) :: runs(2)
      integer :: i

      call inner%create()
      do i = 1, 2
         call runs(i)%create(inner, tmm_defaults(), two_points, two_points)
      end do
   end subroutine left_to_finalisers

   pure function unit_matrix() result(matrix)
      real(c_double) :: matrix(4, 4)
      integer :: i

      matrix = 0
      do i = 1, 4
         matrix(i, i) = 1
      end do
   end function unit_matrix
end program procedures
