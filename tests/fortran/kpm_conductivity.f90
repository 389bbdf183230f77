! Tests velocities and conductivities: a ring, whose conductivity is known, progress, and refusals.
program kpm_conductivity_test
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato
   use checks
   implicit none
   integer, parameter :: sites = 40, moments = 32
   real(c_double), parameter :: pi = acos(-1.0_c_double)
   type(legato_context), save :: context
   type(legato_kpm_hamiltonian), save :: hamiltonian, velocity, matrix, of_matrix
   type(legato_kpm_correlation), save :: correlation
   type(legato_kpm_lattice) :: lattice
   type(legato_kpm_params) :: params
   logical :: was_asked = .false.

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   lattice = kpm_lattice_defaults()
   lattice%extents(1) = sites
   call hamiltonian%create_lattice(context, lattice)
   call velocity%create_velocity(context, hamiltonian, [1.0_c_double, 0.0_c_double, 0.0_c_double])
   params = kpm_defaults()
   params%moments = moments
   params%vectors = 200
   params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
   params%lowest = -2
   params%highest = 2
   params%margin = 0.1_c_double
   call correlation%create(context, hamiltonian, velocity, velocity, params)
   call correlation%run()
   call ring()
   call velocities_of_a_matrix()
   call stopped()
   call refused()
   print '(a)', 'fortran kpm_conductivity: all checks passed'

contains

   ! Jackson's factors.
   real(c_double) function factor(n)
      integer, intent(in) :: n
      real(c_double) :: q

      q = pi / (moments + 1)
      factor = ((moments - n + 1) * cos(q * n) + sin(q * n) / tan(q)) / (moments + 1)
   end function factor

   real(c_double) function delta(energy, level)
      real(c_double), intent(in) :: energy, level
      integer :: n

      delta = 1
      do n = 1, moments - 1
         delta = delta + 2 * factor(n) * cos(n * acos(energy / 2.2_c_double)) * cos(n * acos(level / 2.2_c_double))
      end do
      delta = delta / (pi * sqrt(2.2_c_double**2 - energy**2))
   end function delta

   ! The states of a ring with the hopping -1 are plane waves with the energy -2 cos(k) and the velocity 2 sin(k).
   subroutine ring()
      real(c_double), dimension(3) :: mu, sigma, error, all, hall, warm, optical
      real(c_double) :: exact, k
      integer :: i, m

      mu = [-1.1_c_double, 0.0_c_double, 1.6_c_double]
      call correlation%greenwood(mu, sigma, error)
      do i = 1, 3
         exact = 0
         do m = 1, sites
            k = 2 * pi * m / sites
            exact = exact + pi * (2 * sin(k) * delta(mu(i), -2 * cos(k)))**2 / sites
         end do
         call check(abs(sigma(i) - exact) < 4 * error(i), 'conductivity of a ring')
         call check(error(i) < 0.1_c_double * exact, 'error of the conductivity of a ring')
      end do
      call correlation%hall(mu, hall)
      call correlation%bastin(mu, all)
      call check(all(1) == sigma(1) + hall(1) .and. all(3) == sigma(3) + hall(3), 'Kubo-Bastin is the sum of both')
      call correlation%greenwood(mu, warm, temperature=1e-4_c_double)
      call check(maxval(abs(warm - sigma)) < 1e-4_c_double, 'conductivity at a low temperature')
      call correlation%optical([5.0_c_double, 1.0_c_double, 1e-5_c_double], 0.0_c_double, optical)
      call check(optical(1) == 0.0_c_double, 'no transitions above the width of the interval')
      call check(abs(optical(3) / sigma(2) - 1) < 1e-3_c_double, 'low frequencies')
   end subroutine ring

   ! A chain with open ends: its velocity is that of the lattice.
   subroutine velocities_of_a_matrix()
      integer(c_int64_t) :: rows(4) = [1_c_int64_t, 2_c_int64_t, 4_c_int64_t, 5_c_int64_t]
      integer(c_int32_t) :: columns(4) = [2, 1, 3, 2]

      call matrix%create_matrix(context, rows, columns, [1.0_c_double, 1.0_c_double, 1.0_c_double, 1.0_c_double])
      call of_matrix%create_matrix_velocity(context, matrix, [0.0_c_double, 1.0_c_double, 2.0_c_double])
      call of_matrix%create_matrix_velocity(context, matrix, [0.0_c_double, 1.0_c_double, 2.0_c_double], period=3.5_c_double)
      call of_matrix%create_matrix_velocity(context, matrix, [0.0_c_double, 1.0_c_double, 2.0_c_double], &
                                            period=2.0_c_double, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'period') > 0, 'half a period apart')
      call of_matrix%create_velocity(context, matrix, [1.0_c_double, 0.0_c_double, 0.0_c_double], stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'matrix') > 0, 'velocity of a matrix')
   end subroutine velocities_of_a_matrix

   logical function stop_now(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      was_asked = progress%points_total == 201
      cancel = .true.
   end function stop_now

   subroutine stopped()
      real(c_double) :: sigma(400), error(400)
      integer :: i

      call correlation%set_progress(stop_now)
      call correlation%optical([(0.01_c_double * i, i=1, 400)], 0.0_c_double, sigma, error, stat=stat)
      call check(stat == LEGATO_STATUS_CANCELLED .and. was_asked, 'a stopped conductivity')
      call correlation%set_progress()
      call correlation%hall([0.0_c_double], sigma(:1), error(:1))
   end subroutine stopped

   subroutine refused()
      real(c_double) :: sigma(2), error(3)

      call correlation%hall([0.0_c_double, 1.0_c_double], sigma, error, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'error') > 0, 'wrong shape')
      call correlation%hall([0.0_c_double, 1.0_c_double], sigma, temperature=-1.0_c_double, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'temperature') > 0, 'negative temperature')
      call correlation%greenwood([0.0_c_double, 1.0_c_double], sigma, kernel=7, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'kernel') > 0, 'unknown kernel')
      call correlation%optical([1.0_c_double, 0.0_c_double], 0.0_c_double, sigma, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'frequencies[1]') > 0, 'frequency 0')
   end subroutine refused
end program kpm_conductivity_test
