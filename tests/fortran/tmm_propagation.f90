! Compares a propagation with tmm_multiply and tmm_orthonormalise on the program's own arrays, and tests refusals.
program tmm_propagation_test
   use, intrinsic :: iso_c_binding, only: c_double
   use legato
   use checks
   implicit none
   real(c_double), parameter :: zeros(4, 4) = 0, ones(4) = 1
   type(legato_context) :: context
   real(c_double) :: unit_matrix(4, 4)
   integer :: i

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call compare(1, 1, LEGATO_TMM_BOUNDARY_HARD_WALL, 1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
   call compare(2, 1, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
   call compare(2, 2, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_STATE_FIRST)
   call compare(2, 7, LEGATO_TMM_BOUNDARY_HARD_WALL, 0.5_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
   call compare(2, 16, LEGATO_TMM_BOUNDARY_ANTIPERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_STATE_FIRST)
   call compare(3, 3, LEGATO_TMM_BOUNDARY_PERIODIC, -1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
   call compare(3, 4, LEGATO_TMM_BOUNDARY_HARD_WALL, 1.0_c_double, LEGATO_TMM_LAYOUT_STATE_FIRST)
   unit_matrix = zeros
   do i = 1, 4
      unit_matrix(i, i) = 1
   end do
   call refused_before_load()
   call refused_shapes()
   call vectors_of_zero()
   call context_goes_first()
   print '(a)', 'fortran propagation: all checks passed'

contains

   ! Does cycles of multiplications. The last cycle is not orthonormalised and stays in the queue. All is repeated,
   ! since load begins anew.
   subroutine compare(dimension, width, boundary, hopping, layout)
      integer, intent(in) :: dimension, width, boundary, layout
      real(c_double), intent(in) :: hopping
      integer, parameter :: multiplications(4) = [2, 3, 0, 1]
      real(c_double), parameter :: tolerance = 1e-10_c_double
      type(legato_tmm_propagation) :: propagation
      real(c_double), dimension(width**(dimension - 1), width**(dimension - 1)) :: psi_a, psi_b, current, previous
      real(c_double), dimension(width**(dimension - 1)) :: diagonal, norms, log_norms
      integer :: round, cycle, k

      call propagation%create(context, dimension, width, boundary, hopping, layout, cycles=10.0_c_double)
      do round = 1, 2
         call random_number(psi_a)
         call random_number(psi_b)
         call propagation%load(psi_a, psi_b)
         do cycle = 1, size(multiplications)
            do k = 1, multiplications(cycle)
               call random_number(diagonal)
               call propagation%multiply(diagonal)
               call tmm_multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b)
               current = psi_a     ! psi_a stays this slice
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

   subroutine refused_before_load()
      character(*), parameter :: not_created = 'used before it was created', &
         not_loaded = 'tmm.propagation: load the two slices first'
      type(legato_tmm_propagation) :: propagation
      real(c_double) :: current(4, 4), previous(4, 4), norms(4)

      current = 1
      previous = 1
      norms = 1
      call propagation%load(unit_matrix, zeros, stat, message)
      call check_refused(not_created)
      call propagation%multiply(ones, stat, message)
      call check_refused(not_created)
      call propagation%create(context, 2, 0, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, &
         LEGATO_TMM_LAYOUT_SITE_FIRST, stat, message)
      call check_refused('tmm.steps.width: 0 is not in 1..4096')
      call propagation%create(context, 3, 65, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, &
         LEGATO_TMM_LAYOUT_SITE_FIRST, stat, message)
      call check_refused('tmm.steps.width: 65 is not in 1..64')
      call propagation%create(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, 2, stat, message)
      call check_refused('tmm.steps.layout: 2 is not in 0..1')
      call propagation%create(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, &
         LEGATO_TMM_LAYOUT_SITE_FIRST, stat, message, &
         cycles=0.5_c_double)
      call check_refused('tmm.propagation.cycles: 0.5 is not in [1, 1e+15]')
      call propagation%store(current, previous, stat, message)
      call check_refused(not_created)

      call create_strip(propagation)
      call propagation%multiply(ones, stat, message)
      call check_refused(not_loaded)
      call propagation%orthonormalise(norms, stat, message)
      call check_refused(not_loaded)
      call propagation%store(current, previous, stat, message)
      call check_refused(not_loaded)
      call check(all(norms == 1) .and. all(current == 1) .and. all(previous == 1), 'what is refused touches nothing')
   end subroutine refused_before_load

   subroutine refused_shapes()
      type(legato_tmm_propagation) :: propagation
      real(c_double) :: current(4, 4), previous(4, 4), norms(4)

      call create_strip(propagation)
      call propagation%load(unit_matrix(:3, :), zeros, stat, message)
      call check_refused('tmm.propagation.load.current: 3 x 4 elements are not 4 x 4')
      call propagation%load(unit_matrix, zeros(:, :3), stat, message)
      call check_refused('tmm.propagation.load.previous: 4 x 3 elements are not 4 x 4')
      call propagation%load(unit_matrix, zeros, stat, message)
      call check(stat == LEGATO_STATUS_SUCCESS, 'load')
      call propagation%multiply(ones(:3), stat, message)
      call check_refused('tmm.propagation.multiply.diagonal: 3 elements are not 4')
      call propagation%orthonormalise(norms(2:), stat, message)
      call check_refused('tmm.propagation.orthonormalise.log_norms: 3 elements are not 4')
      call propagation%store(current(:, :2), previous, stat, message)
      call check_refused('tmm.propagation.store.current: 4 x 2 elements are not 4 x 4')

      ! None of these calls has been queued.
      call propagation%multiply(ones)
      call propagation%orthonormalise(norms)
      call check(abs(norms(1) - log(4.0_c_double) / 2) < 1e-14_c_double, 'norm')
   end subroutine refused_shapes

   ! Vectors of zero remain until the next load.
   subroutine vectors_of_zero()
      type(legato_tmm_propagation) :: propagation
      real(c_double) :: norms(4)

      call create_strip(propagation)
      call propagation%load(zeros, zeros)
      call propagation%orthonormalise(norms, stat, message)
      call check(stat == LEGATO_STATUS_NUMERICAL_ERROR .and. all(norms /= norms), 'vectors of zero')
      call check(index(message, 'tmm.propagation.orthonormalise: ') == 1, 'that says so')
      call propagation%orthonormalise(norms, stat)
      call check(stat == LEGATO_STATUS_NUMERICAL_ERROR .and. all(norms /= norms), 'still of zero')
      call propagation%load(unit_matrix, zeros)
      call propagation%orthonormalise(norms)
      call check(all(abs(norms) < 1e-14_c_double), 'sound again')
   end subroutine vectors_of_zero

   ! The message of the context still exists.
   subroutine context_goes_first()
      type(legato_tmm_propagation) :: propagation
      real(c_double) :: norms(4)

      call create_strip(propagation)
      call propagation%load(unit_matrix, zeros)
      call context%destroy()
      call propagation%orthonormalise(norms)
      call propagation%multiply(ones(:2), stat, message)
      call check_refused('tmm.propagation.multiply.diagonal: 2 elements are not 4')
      call propagation%load(zeros, zeros)
      call propagation%orthonormalise(norms, stat, message)
      call check(index(message, 'tmm.propagation.orthonormalise: ') == 1, 'the message without a context')
   end subroutine context_goes_first

   subroutine create_strip(propagation)
      type(legato_tmm_propagation), intent(inout) :: propagation

      call propagation%create(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
   end subroutine create_strip
end program tmm_propagation_test
