! Tests double expansions: vectors of the program, random vectors, saving and resuming, and refusals.
module kpm_correlation_vectors
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   implicit none
contains
   ! Vectors of single sites, whose mean is the trace.
   subroutine site_vector(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      complex(c_double_complex), intent(out) :: vector(:)

      vector = 0
      vector(sample) = sqrt(real(size(vector), c_double))
   end subroutine site_vector

   subroutine real_vector(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(out) :: vector(:)

      vector = real(sample, c_double)
   end subroutine real_vector
end module kpm_correlation_vectors

program kpm_correlation_test
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t, c_int64_t
   use legato
   use checks
   use kpm_correlation_vectors
   implicit none
   integer, parameter :: sites = 12, orders = 5
   real(c_double), parameter :: pi = acos(-1.0_c_double)
   character(*), parameter :: path = 'fortran_kpm_correlation.h5'
   type(legato_context), save :: context
   type(legato_kpm_hamiltonian), save :: hamiltonian, velocity
   type(legato_kpm_params) :: params

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call make_ring(hamiltonian, (1.0_c_double, 0.0_c_double))
   call make_ring(velocity, (0.0_c_double, 1.0_c_double))
   params = kpm_defaults()
   params%moments = orders
   params%vectors = sites
   call traces()
   call random_vectors()
   call refused()
   print '(a)', 'fortran kpm_correlation: all checks passed'

contains

   ! Makes a ring with this hopping to the next site.
   subroutine make_ring(ring, hopping)
      type(legato_kpm_hamiltonian), intent(inout) :: ring
      complex(c_double_complex), intent(in) :: hopping
      integer(c_int64_t) :: rows(sites + 1)
      integer(c_int32_t) :: columns(2 * sites)
      complex(c_double_complex) :: values(2 * sites)
      integer :: i

      do i = 1, sites
         rows(i) = 2 * i - 1
         columns(2 * i - 1) = modulo(i, sites) + 1
         columns(2 * i) = modulo(i - 2, sites) + 1
         values(2 * i - 1) = hopping
         values(2 * i) = conjg(hopping)
      end do
      rows(sites + 1) = 2 * sites + 1
      call ring%create_matrix(context, rows, columns, values)
   end subroutine make_ring

   ! Returns mu_mn, where H has the energies 2 cos k and the velocity the values -2 sin k.
   real(c_double) function exact(m, n, half_width)
      integer, intent(in) :: m, n
      real(c_double), intent(in) :: half_width
      real(c_double) :: k, angle
      integer :: j

      exact = 0
      do j = 1, sites
         k = 2 * pi * j / sites
         angle = acos(2 * cos(k) / half_width)
         exact = exact + 4 * sin(k)**2 * cos(m * angle) * cos(n * angle) / sites
      end do
   end function exact

   subroutine traces()
      type(legato_kpm_correlation) :: correlation
      type(legato_kpm_state) :: state
      complex(c_double_complex) :: mean(orders, orders), error(orders, orders), sample(2, 2)
      integer :: m, n

      call correlation%create(context, hamiltonian, velocity, velocity, params, complex_start_vector=site_vector)
      call correlation%run()
      call correlation%get_state(state)
      call check(state%samples_done == sites .and. state%moments == orders, 'state')
      call correlation%moments(mean, error)
      do m = 0, orders - 1
         do n = 0, orders - 1
            call check(abs(mean(m + 1, n + 1) - exact(m, n, state%half_width)) < 1e-13_c_double, 'trace')
         end do
      end do
      call correlation%sample(3_c_int64_t, sample)
      call check(abs(sample(1, 1) - exact(0, 0, state%half_width)) < 1e-13_c_double, 'sample')
   end subroutine traces

   subroutine random_vectors()
      type(legato_kpm_correlation) :: correlation, resumed
      type(legato_kpm_params) :: used
      complex(c_double_complex) :: mean(orders, orders), error(orders, orders), again(orders, orders), ba(2, 2)
      integer(c_int64_t) :: done

      ! With different operators mu_mn is not symmetric.
      call correlation%create(context, hamiltonian, velocity, hamiltonian, params)
      call correlation%advance(4_c_int64_t, done)
      call check(done == 4, 'advance')
      call correlation%save(path)
      call correlation%run()
      call correlation%moments(mean, error)
      call resumed%resume(context, path, hamiltonian, velocity, hamiltonian)
      call resumed%get_params(used)
      call check(used%moments == orders .and. used%vectors == sites, 'params')
      call resumed%run()
      call resumed%moments(again)
      call check(all(mean == again), 'the same results after resuming')
      call check(all(real(error) >= 0), 'errors')
      call correlation%moments(ba)
      call check(all(ba == mean(:2, :2)), 'first orders')
   end subroutine random_vectors

   subroutine refused()
      type(legato_kpm_correlation) :: correlation
      complex(c_double_complex) :: wide(2, 3), few(2, 2)

      call correlation%create(context, hamiltonian, velocity, velocity, params, start_vector=real_vector, stat=stat, &
                              errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'real vectors')
      call check(index(message, 'kpm.correlation.create: the Hamiltonian or an operator is complex') == 1, message)
      call correlation%create(context, hamiltonian, velocity, velocity, params)
      call correlation%moments(few, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'no sample')
      call correlation%moments(wide, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'not square')
      call correlation%sample(1_c_int64_t, few, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'no such sample')
      call correlation%resume(context, path, velocity, velocity, velocity, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_BAD_FILE, 'another Hamiltonian')
      call remove_file(path)
   end subroutine refused
end program kpm_correlation_test
