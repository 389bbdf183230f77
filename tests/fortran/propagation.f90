! A propagation against tmm_multiply and tmm_orthonormalise on the program's own arrays, and what it refuses.
program propagation_test
   use, intrinsic :: iso_c_binding, only: c_double
   use legato
   implicit none
   type(legato_context) :: context
   integer :: stat
   character(200) :: message

   message = ''
   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call compare(1, 1, LEGATO_TMM_HARD_WALL, 1.0_c_double, LEGATO_TMM_SITE_FIRST)
   call compare(2, 1, LEGATO_TMM_PERIODIC, 1.0_c_double, LEGATO_TMM_SITE_FIRST)
   call compare(2, 2, LEGATO_TMM_PERIODIC, 1.0_c_double, LEGATO_TMM_STATE_FIRST)
   call compare(2, 7, LEGATO_TMM_HARD_WALL, 0.5_c_double, LEGATO_TMM_SITE_FIRST)
   call compare(2, 16, LEGATO_TMM_ANTIPERIODIC, 1.0_c_double, LEGATO_TMM_STATE_FIRST)
   call compare(3, 3, LEGATO_TMM_PERIODIC, -1.0_c_double, LEGATO_TMM_SITE_FIRST)
   call compare(3, 4, LEGATO_TMM_HARD_WALL, 1.0_c_double, LEGATO_TMM_STATE_FIRST)
   call refused()
   print '(a)', 'fortran propagation: all checks passed'

contains

   ! Multiplications, orthonormalised but for the last, which stays in the queue. Then all again, since load begins anew.
   subroutine compare(dimension, width, boundary, hopping, layout)
      integer, intent(in) :: dimension, width, boundary, layout
      real(c_double), intent(in) :: hopping
      integer, parameter :: multiplications(4) = [2, 3, 0, 1]
      real(c_double), parameter :: tolerance = 1e-10_c_double
      type(legato_tmm_propagation) :: propagation
      real(c_double), dimension(width**(dimension - 1), width**(dimension - 1)) :: psi_a, psi_b, current, previous
      real(c_double), dimension(width**(dimension - 1)) :: diagonal, norms, log_norms
      integer :: round, cycle, i

      call propagation%create(context, dimension, width, boundary, hopping, layout)
      do round = 1, 2
         call random_number(psi_a)
         call random_number(psi_b)
         call propagation%load(psi_a, psi_b)
         do cycle = 1, size(multiplications)
            do i = 1, multiplications(cycle)
               call random_number(diagonal)
               call propagation%multiply(diagonal)
               call tmm_multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b)
               current = psi_a ! psi_a stays this slice
               psi_a = psi_b
               psi_b = current
            end do
            if (cycle < size(multiplications)) then
               call tmm_orthonormalise(context, layout, psi_a, psi_b, norms)
               call propagation%orthonormalise(log_norms)
               call check(all(abs(log_norms - norms) <= tolerance*max(maxval(abs(norms)), 1.0_c_double)), 'log norms')
            end if
            call propagation%store(current, previous)
            call check(all(abs(current - psi_a) <= tolerance*maxval(abs(psi_a))), 'this slice')
            call check(all(abs(previous - psi_b) <= tolerance*maxval(abs(psi_b))), 'the one before')
         end do
      end do
   end subroutine compare

   subroutine refused()
      character(*), parameter :: pair = ': current and previous are not 4 x 4', first = &
         'tmm.propagation: the two slices must be loaded first'
      type(legato_tmm_propagation) :: propagation
      real(c_double) :: a(4, 4), b(4, 4), x(4)
      integer :: i

      a = 0
      b = 0
      x = 1
      do i = 1, 4
         a(i, i) = 1
      end do
      call propagation%load(a, b, stat, message)
      call said('used before it was created')
      call propagation%multiply(x, stat, message)
      call said('used before it was created')
      call propagation%create(context, 2, 0, 1, 1.0_c_double, 0, stat, message)
      call said('tmm.steps.width: 0 is not in 1..4096')
      call propagation%create(context, 3, 65, 1, 1.0_c_double, 0, stat, message)
      call said('tmm.steps.width: 65 is not in 1..64')
      call propagation%create(context, 2, 4, 1, 1.0_c_double, 2, stat, message)
      call said('tmm.steps.layout: 2 is not in 0..1')
      call propagation%store(a, b, stat, message)
      call said('used before it was created')

      call propagation%create(context, 2, 4, LEGATO_TMM_PERIODIC, 1.0_c_double, LEGATO_TMM_SITE_FIRST)
      call propagation%multiply(x, stat, message)
      call said(first)
      call propagation%orthonormalise(x, stat, message)
      call said(first)
      call propagation%store(a, b, stat, message)
      call said(first)
      call check(all(x == 1) .and. a(1, 1) == 1, 'what is refused touches nothing')

      call propagation%load(a(:3, :), b, stat, message)
      call said('tmm.propagation.load'//pair)
      call propagation%load(a, b(:, :3), stat, message)
      call said('tmm.propagation.load'//pair)
      call propagation%load(a, b, stat, message)
      call check(stat == LEGATO_SUCCESS, 'load')
      call propagation%multiply(x(:3), stat, message)
      call said('tmm.propagation.multiply: diagonal does not have size 4')
      call propagation%orthonormalise(x(2:), stat, message)
      call said('tmm.propagation.orthonormalise: log_norms does not have size 4')
      call propagation%store(a(:, :2), b, stat, message)
      call said('tmm.propagation.store'//pair)

      ! Vectors of zero count until the next load.
      call propagation%multiply(x)
      call propagation%orthonormalise(x)
      call check(maxval(abs(x(1:1) - log(4.0_c_double) / 2)) < 1e-14_c_double, 'norm')
      call propagation%load(b, b)
      call propagation%orthonormalise(x, stat, message)
      call check(stat == LEGATO_NUMERICAL_ERROR .and. all(x /= x), 'vectors of zero')
      call check(index(message, 'tmm.propagation.orthonormalise: ') == 1, 'that says so')
      call propagation%orthonormalise(x, stat)
      call check(stat == LEGATO_NUMERICAL_ERROR .and. all(x /= x), 'still of zero')
      call propagation%load(a, b)
      call propagation%orthonormalise(x)
      call check(all(abs(x) < 1e-14_c_double), 'sound again')

      ! The context may go first, and its message is still there.
      call context%destroy()
      call propagation%orthonormalise(x)
      call propagation%multiply(x(:2), stat, message)
      call said('tmm.propagation.multiply: diagonal does not have size 4')
      call propagation%load(b, b)
      call propagation%orthonormalise(x, stat, message)
      call check(index(message, 'tmm.propagation.orthonormalise: ') == 1, 'the message without a context')
   end subroutine refused

   subroutine said(words)
      character(*), intent(in) :: words

      call check(stat == LEGATO_INVALID_ARGUMENT .and. message == words, words)
   end subroutine said

   subroutine check(holds, what)
      logical, intent(in) :: holds
      character(*), intent(in) :: what

      if (holds) return
      print '(4a)', 'failed: ', what, '; last message: ', trim(message)
      error stop 1
   end subroutine check
end program propagation_test
