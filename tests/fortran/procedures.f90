! Every procedure of module legato, and what it refuses.
module recorder
   use legato
   implicit none
   integer :: calls = 0, lines = 0
   type(legato_progress) :: last
   character(:), allocatable :: last_line

contains

   function stop_at_third(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      last = progress
      calls = calls + 1
      cancel = calls == 3
   end function stop_at_third

   subroutine note(level, line)
      integer, intent(in) :: level
      character(*), intent(in) :: line

      if (level <= LEGATO_LOG_INFO) lines = lines + 1
      last_line = line
   end subroutine note
end module recorder

program procedures
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_sizeof
   use legato
   use recorder
   implicit none
   real(c_double), parameter :: two_points(2) = [0.0_c_double, 1.0_c_double]
   type(legato_context) :: context
   type(legato_tmm) :: tmm
   type(legato_tmm_params) :: params, same
   type(legato_tmm_point) :: point
   type(legato_device_info) :: info
   real(c_double) :: exponents(4), errors(4), matrix(2, 12), a(4, 4), b(4, 4), c(4, 4), diagonal(4), norms(4)
   integer(c_int64_t) :: points, n
   integer :: stat, devices, backend, i
   character(200) :: message
   character(:), allocatable :: name

   call check(len(legato_version()) >= 5, 'version')
   call check(legato_version_number() >= 100, 'version as a number')
   call check(legato_status_text(LEGATO_CANCELLED) == 'cancelled', 'words for a status')

   ! Contexts: what is not yet there, what is out of range, what is chosen.
   call context%device_count(devices, stat, message)
   call check(stat == LEGATO_INVALID_ARGUMENT .and. message == 'used before it was created', 'no context yet')
   call context%create(threads=-1, stat=stat, errmsg=message)
   call check(stat == LEGATO_INVALID_ARGUMENT .and. message == 'context.params.threads: -1 is not in 0..4096', 'threads')
   call check(context%message() == message, 'the message stays with the context')
   call context%create(backend=7, stat=stat, errmsg=message)
   call check(message == 'context.params.backend: 7 is not in 0..2', 'backend')
   call context%create(device=-2, stat=stat, errmsg=message)
   call check(message == 'context.params.device: -2 is not in 0..1023', 'device')
   call context%create(log_level=5, stat=stat, errmsg=message)
   call check(message == 'context.params.log_level: 5 is not in 0..4', 'log level')
   call context%create(backend=LEGATO_BACKEND_CPU, device=0, threads=2, log_level=LEGATO_LOG_ERROR)
   call context%device_count(devices)
   call check(devices >= 0, 'devices')
   if (devices > 0) then
      call context%device_info(0, info, name)
      call check(len(name) > 0 .and. info%total_memory > 0, 'the first device')
   end if
   call context%device_info(1000, info, name, stat, message)
   call check(stat == LEGATO_NO_DEVICE .and. index(message, '1000') > 0 .and. len(name) == 0, 'no such device')
   call context%set_logger(9, note, stat, message)
   call check(message == 'context.logger.level: 9 is not in 0..4', 'level of the logger')
   call context%set_logger(LEGATO_LOG_INFO, note)

   ! A run, stopped by its callback and taken up again.
   call tmm%run(stat=stat, errmsg=message)
   call check(stat == LEGATO_INVALID_ARGUMENT .and. message == 'used before it was created', 'no run yet')
   params = tmm_defaults()
   call check(params%struct_size == c_sizeof(params) .and. params%dimension == 2, 'defaults')
   params%width = 4
   params%seed = 42
   params%epsilon = 1e-5_c_double
   call tmm%create(context, params, two_points, two_points + 1)
   call check(lines == 1 .and. index(last_line, 'backend cpu') > 0, 'the logger got the choice of the backend')
   call tmm%run(stop_at_third, stat, message)
   call check(stat == LEGATO_CANCELLED .and. message == 'tmm: stopped by the progress callback', 'cancelled')
   call check(calls == 3 .and. last%points_total == 2 .and. last%points_done == 0, 'progress')
   call check(last%cycles_done > 0 .and. last%seconds > 0 .and. last%cycles_per_second > 0, 'progress in numbers')
   call tmm%size(points, n)
   call check(points == 2 .and. n == 4, 'size')
   call tmm%get_params(same)
   call check(same%seed == 42 .and. same%width == 4 .and. same%struct_size == c_sizeof(same), 'parameters read back')

   ! The context may go first.
   call context%destroy()
   call tmm%advance(10_c_int64_t, n)
   call tmm%result(2_c_int64_t, point)
   call check(point%status == LEGATO_TMM_RUNNING .and. point%energy == 1, 'a result without arrays')
   call tmm%result(2_c_int64_t, point, exponents, errors)
   call check(all(exponents(2:) >= exponents(:3)) .and. exponents(1) > 0 .and. all(errors > 0), 'a result with arrays')
   matrix = -1
   call tmm%result(2_c_int64_t, point, errors=matrix(1, ::3))
   call check(all(matrix(1, ::3) == errors) .and. all(matrix(2, :) < 0), 'into a section of an array')
   call tmm%result(2_c_int64_t, point, exponents, errors(:3), stat, message)
   call check(message == 'tmm.result: exponents has 4 elements and errors 3', 'arrays of different size')
   call tmm%result(2_c_int64_t, point, matrix(1, :), stat=stat, errmsg=message)
   call check(message == 'tmm.result.n: 12 is not in 0..4', 'an array that is too long')
   call tmm%result(3_c_int64_t, point, stat=stat, errmsg=message)
   call check(stat == LEGATO_INVALID_ARGUMENT, 'no such point')
   call tmm%advance(0_c_int64_t, n, stat, message)
   call check(index(message, 'tmm.advance.cycles: 0 is not in') == 1, 'cycles')
   call tmm%save('/no/such/folder/file.h5', stat, message)
   call check(stat == LEGATO_IO_ERROR .and. index(message, '/no/such/folder') > 0, 'a folder that is not there')
   call tmm%destroy()
   call tmm%size(points, n, stat)
   call check(stat == LEGATO_INVALID_ARGUMENT .and. points == 0, 'a run that was given back')

   ! Single steps, against the formula: one slice of a clean periodic strip.
   call context%create(backend=LEGATO_BACKEND_CPU)
   a = 0
   b = 0
   do i = 1, 4
      a(i, i) = 1
   end do
   diagonal = 0.5_c_double
   call tmm_multiply(context, 2, 4, LEGATO_TMM_PERIODIC, 1.0_c_double, LEGATO_TMM_SITE_FIRST, diagonal, a, b)
   call check(all(abs(b(:, 1) - [0.5_c_double, -1.0_c_double, 0.0_c_double, -1.0_c_double]) < 1e-15_c_double), 'multiply')
   c = a
   call tmm_orthonormalise(context, LEGATO_TMM_SITE_FIRST, a, b, norms)
   call check(abs(norms(1) - log(3.25_c_double) / 2) < 1e-14_c_double, 'norm')
   c = matmul(transpose(a), a) + matmul(transpose(b), b)
   do i = 1, 4
      c(i, i) = c(i, i) - 1
   end do
   call check(maxval(abs(c)) < 1e-14_c_double, 'orthonormal')
   call tmm_multiply(context, 2, 4, 1, 1.0_c_double, 2, diagonal, a, b, stat, message)
   call check(message == 'tmm.steps.layout: 2 is not in 0..1', 'layout')
   call tmm_multiply(context, 3, 4, 1, 1.0_c_double, 0, diagonal, a, b, stat, message)
   call check(message == 'tmm.multiply.diagonal: 4 elements are not those of a slice of width 4', 'diagonal')
   call tmm_multiply(context, 2, 4, 1, 1.0_c_double, 0, diagonal, a, b(:3, :), stat, message)
   call check(message == 'tmm.multiply: psi_a and psi_b are not 4 x 4', 'shape')
   call tmm_orthonormalise(context, 0, a, b(:, :3), norms, stat, message)
   call check(stat == LEGATO_INVALID_ARGUMENT, 'shape')
   a = 0
   b = 0
   call tmm_orthonormalise(context, 0, a, b, norms, stat, message)
   call check(stat == LEGATO_NUMERICAL_ERROR .and. norms(1) /= norms(1), 'vectors of zero')

   call context%set_logger(LEGATO_LOG_SILENT)
   params = tmm_defaults()
   call tmm%create(context, params, two_points, two_points)
   call context%backend(backend, name)
   call check(backend == LEGATO_BACKEND_CPU .and. name == 'the CPU was asked for' .and. lines == 1, 'backend')
   call nest()
   deallocate (name) ! what a main program holds at its end counts as lost under the sanitizers
   print '(a)', 'fortran procedures: all checks passed'

contains

   ! At the end the finalisers meet a context and a run in an order that is not ours to choose.
   subroutine nest()
      type(legato_context) :: inner
      type(legato_tmm) :: runs(2)
      integer :: k

      call inner%create()
      do k = 1, 2
         call runs(k)%create(inner, params, two_points, two_points)
      end do
   end subroutine nest

   subroutine check(holds, what)
      logical, intent(in) :: holds
      character(*), intent(in) :: what

      if (holds) return
      print '(4a)', 'failed: ', what, '; last message: ', trim(message)
      error stop 1
   end subroutine check
end program procedures
