! Tests the Ising model: known averages of a lattice of 4 x 4 by Metropolis' algorithm and by demons, all other results,
! spins of the program's own, saving and resuming, and refusals.
program ising_test
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use, intrinsic :: iso_c_binding, only: c_double, c_int8_t, c_int64_t
   use legato
   use checks
   implicit none
   character(*), parameter :: file = 'fortran_ising.h5'
   real(c_double), parameter :: critical = 0.4406868_c_double
   type(legato_context) :: context, none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call defaults()
   call known_averages(LEGATO_ISING_ALGORITHM_METROPOLIS)
   call known_averages(LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL)
   call series()
   call correlations()
   call counts()
   call square_spins()
   call cubic_spins()
   call resuming()
   call refused()
   print '(a)', 'fortran ising: all checks passed'

contains

   ! Returns the parameters of a short run on 4 x 4 sites.
   function small() result(params)
      type(legato_ising_params) :: params

      params = ising_defaults()
      params%extents(:2) = 4
      params%thermalisation = 500
      params%measurements_per_bin = 500
      params%replicas = 4
   end function small

   subroutine defaults()
      type(legato_ising) :: ising
      type(legato_ising_state) :: state
      real(c_double) :: betas(1)
      integer(c_int64_t) :: seeds(1)

      call ising%create(context)
      call ising%get_state(state)
      call check(state%sites == 4096 .and. state%systems == 1 .and. state%sweeps == 33000 .and. state%bins == 32, 'the state')
      call ising%get_betas(betas)
      call ising%get_seeds(seeds)
      call check(abs(betas(1) - 0.4_c_double) < 1e-15_c_double .and. seeds(1) == 1, 'the default lists')
   end subroutine defaults

   ! Compares with exact sums over all configurations.
   subroutine known_averages(algorithm)
      integer, intent(in) :: algorithm
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      type(legato_ising_state) :: s

      params = small()
      params%algorithm = algorithm
      if (algorithm /= LEGATO_ISING_ALGORITHM_METROPOLIS) params%replicas = 32
      call ising%create(context, params, [0.3_c_double, critical])
      call ising%result(1_c_int64_t, a, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'ising.result: no bin is finished yet', &
         'no result yet')
      call ising%run()
      call ising%result(1_c_int64_t, a)
      call check(near(a%energy, a%energy_error, -0.844054074_c_double), 'energy')
      call check(near(a%specific_heat, a%specific_heat_error, 0.440992654_c_double), 'specific heat')
      call ising%result(2_c_int64_t, a)
      call check(near(a%energy, a%energy_error, -1.565623814_c_double) .and. a%energy_error < 0.01_c_double, &
                 'energy at the critical point')
      call check(near(a%absolute_magnetisation, a%absolute_magnetisation_error, 0.843860456_c_double), '<|m|>')
      call check(near(a%magnetisation_2, a%magnetisation_2_error, 0.761358924_c_double), '<m^2>')
      call check(near(a%magnetisation_4, a%magnetisation_4_error, 0.665691232_c_double), '<m^4>')
      call check(near(a%susceptibility, a%susceptibility_error, 0.788135280_c_double), 'susceptibility')
      call check(near(a%binder, a%binder_error, 0.617199323_c_double), 'Binder cumulant')
      call check(a%energy_autocorrelation > 0 .and. a%bins_are_short == 0 .and. a%bins_done == 32, 'autocorrelation')
      if (algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS) then
         call check(all(a%demon_occupation == 0) .and. a%demon_beta == 0, 'no demons')
      else
         call check(near(a%demon_beta, a%demon_beta_error, critical) .and. all(a%demon_occupation_error > 0), 'demons')
      end if
      call ising%get_state(s)
      call check(s%betas == 2 .and. s%seeds == 1 .and. s%systems == 2 * params%replicas .and. s%bins_done == 32 .and. &
                 s%sweeps_done == 16500 .and. s%measurements_done == 16000, 'the state after the run')
      call ising%result(3_c_int64_t, a, stat, message)
      call check(message == 'ising.beta: 3 is not in 1..2', 'a third temperature')
      call ising%result(0_c_int64_t, a, stat, message)
      call check(message == 'ising.beta: 0 is not in 1..2', 'temperature 0')
      params%bins = 1
      params%replicas = 1
      call ising%create(context, params, [critical], [5_c_int64_t, 5_c_int64_t], stat, message)
      call check(index(message, 'ising.seeds[1]: 5 is ising.seeds[0] too') == 1, 'equal seeds')
      call ising%create(context, params, [critical])
      call ising%run()
      call ising%result(1_c_int64_t, a)
      call check(ieee_is_nan(a%energy_error) .and. ieee_is_nan(a%energy_autocorrelation), 'one bin has no errors')
      call check(a%bins_are_short == 1 .and. a%thermalisation_is_short == 1, 'one bin has flags')
   end subroutine known_averages

   function near(value, error, exact)
      real(c_double), intent(in) :: value, error, exact
      logical :: near

      near = error > 0 .and. abs(value - exact) < 5 * error
   end function near

   subroutine series()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      real(c_double), save :: m(16000, 4), e(16000, 4)
      integer(c_int64_t) :: system

      params = small()
      params%time_series = 1
      call ising%create(context, params, [0.3_c_double], [7_c_int64_t])
      call ising%run()
      do system = 1, 4
         call ising%time_series(system, m(:, system), e(:, system))
      end do
      call ising%result(1_c_int64_t, a)
      call check(abs(sum(abs(m)) / size(m) - a%absolute_magnetisation) < 1e-12_c_double, 'series of magnetisations')
      call check(abs(sum(e) / size(e) - a%energy) < 1e-12_c_double, 'series of energies')
      call ising%time_series(5_c_int64_t, m(:, 1), e(:, 1), stat, message)
      call check(message == 'ising.system: 5 is not in 1..4', 'a fifth system')
      call ising%time_series(1_c_int64_t, m(:10, 1), e(:, 1), stat, message)
      call check(message == 'ising.time_series.energy: 16000 elements are not 10', 'few magnetisations')
      call ising%correlation_length(1_c_int64_t, a%energy, stat=stat, errmsg=message)
      call check(index(message, 'ising.params.correlations: 0; the run') == 1, 'no correlations')
   end subroutine series

   subroutine correlations()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      real(c_double), dimension(0:2) :: along_x, along_y, error_x, error_y
      real(c_double) :: length, error

      params = small()
      params%correlations = 1
      call ising%create(context, params, [critical])
      call ising%run()
      call ising%correlation_function(1_c_int64_t, 1, along_x, error_x)
      call ising%correlation_function(1_c_int64_t, 2, along_y, error_y)
      call ising%result(1_c_int64_t, a)
      call check(along_x(0) == 1 .and. error_x(0) == 0, 'at distance 0')
      call check(abs(-along_x(1) - along_y(1) - a%energy) < 1e-12_c_double, 'neighbours make up the energy')
      call check(all(abs(along_x - along_y) <= 5 * (error_x + error_y)) .and. error_y(2) > 0, 'both axes')
      call ising%correlation_function(1_c_int64_t, 2, along_x)
      call check(all(along_x == along_y), 'without errors')
      call ising%correlation_length(1_c_int64_t, length, error)
      call check(length > 1 .and. length < 10 .and. error > 0 .and. error < 1, 'correlation length')
      call ising%correlation_length(1_c_int64_t, length)
      call ising%correlation_function(1_c_int64_t, 3, along_x, stat=stat, errmsg=message)
      call check(message == 'ising.axis: 3 is not in 1..2', 'a third axis')
      call ising%correlation_function(1_c_int64_t, 1, along_x, error_x(:1), stat, message)
      call check(message == 'ising.correlation_function.error: 2 elements are not 3', 'few errors')
      call ising%correlation_function(1_c_int64_t, 1, along_x(:1), stat=stat, errmsg=message)
      call check(message == 'ising.correlation_function.n: 2 is not in 3..3', 'few distances')
      call ising%correlation_function(2_c_int64_t, 1, along_x, stat=stat, errmsg=message)
      call check(message == 'ising.beta: 2 is not in 1..1', 'correlations of a second temperature')
   end subroutine correlations

   subroutine counts()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      integer(c_int64_t) :: attempts(2, 0:4), flips(2, 0:4)
      real(c_double) :: p(2:4)

      params = small()
      params%acceptance = 1
      call ising%create(context, params, [0.3_c_double])
      call ising%run()
      call ising%acceptance(attempts, flips)
      p = [1 - 1 / 4096.0_c_double, exp(-0.3_c_double * [4, 8])]
      call check(sum(attempts) == 16 * 4 * 16500_c_int64_t .and. all(flips(:, :1) == attempts(:, :1)), 'attempts')
      call check(all(abs(sum(flips(:, 2:), 1) - p * sum(attempts(:, 2:), 1)) < 5 * sqrt(p * (1 - p) * sum(attempts(:, 2:), 1))), &
                 'acceptance')
      call ising%acceptance(attempts, flips(:, :3), stat, message)
      call check(message == 'ising.acceptance.flips: 2 x 4 elements are not 2 x 5', 'few flips')
      call ising%acceptance(attempts(:1, :), flips(:1, :), stat, message)
      call check(message == 'ising.acceptance.attempts: 1 x 5 elements are not 2 x 5', 'spins down alone')
      call ising%acceptance(attempts(:, :3), flips(:, :3), stat, message)
      call check(message == 'ising.acceptance.n: 8 is not in 10..10', 'few kinds')
   end subroutine counts

   subroutine square_spins()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      integer(c_int8_t) :: spins(4, 4), again(4, 4), other(4, 6), cube(4, 4, 4)

      params = small()
      params%start = LEGATO_ISING_START_RANDOM
      call ising%create(context, params)
      call ising%spins(3_c_int64_t, spins)
      call check(all(abs(spins) == 1) .and. any(spins /= spins(1, 1)), 'random spins')
      spins = -1
      spins(2, 1) = 1
      call ising%set_spins(3_c_int64_t, spins)
      call ising%spins(3_c_int64_t, again)
      call check(all(again == spins), 'spins of the program''s own')
      call ising%spins(5_c_int64_t, again, stat, message)
      call check(message == 'ising.system: 5 is not in 1..4', 'spins of a fifth system')
      call ising%spins(1_c_int64_t, other, stat, message)
      call check(message == 'ising.spins: 4 x 6 elements are not 4 x 4', 'another lattice')
      call ising%spins(1_c_int64_t, cube, stat, message)
      call check(message == 'ising.spins: 4 x 4 x 4 elements are not 4 x 4 x 1', 'a cube')
      spins(1, 2) = 2
      call ising%set_spins(1_c_int64_t, spins, stat, message)
      call check(message == 'ising.spins[4]: 2 is not 1 or -1', 'a spin of 2')
      call ising%run()
      spins = 1
      call ising%set_spins(1_c_int64_t, spins, stat, message)
      call check(index(message, 'ising.spins: the run has begun') == 1, 'spins after the run')
   end subroutine square_spins

   subroutine cubic_spins()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      integer(c_int8_t) :: spins(2, 4, 6), again(2, 4, 6), plane(2, 4)

      params = ising_defaults()
      params%dimension = 3
      params%extents = [2, 4, 6]
      params%thermalisation = 0
      params%measurements_per_bin = 1
      params%bins = 1
      call ising%create(context, params, [50.0_c_double])
      spins = -1
      call ising%set_spins(1_c_int64_t, spins)
      call ising%run()
      call ising%spins(1_c_int64_t, again)
      call ising%result(1_c_int64_t, a)
      call check(all(again == spins) .and. a%magnetisation == -1 .and. a%energy == -3, 'the ground state')
      call ising%spins(1_c_int64_t, plane, stat, message)
      call check(message == 'ising.n_sites: 8 is not in 48..48', 'a plane of a cube')
   end subroutine cubic_spins

   subroutine resuming()
      type(legato_ising) :: ising, resumed
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a, b
      integer(c_int64_t) :: done, seeds(2)

      call ising%create(context, small(), [critical], [3_c_int64_t, -9_c_int64_t])
      call ising%advance(2_c_int64_t, done)
      call check(done == 2, 'two bins')
      call ising%save(file)
      call ising%run(stop_at_once, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'ising: stopped by the progress callback', 'stopped')
      call ising%run()
      call ising%result(1_c_int64_t, a)
      call resumed%resume(context, file)
      call resumed%get_params(params)
      call resumed%get_seeds(seeds)
      call check(params%extents(2) == 4 .and. params%replicas == 4 .and. all(seeds == [3, -9]), 'what the file has')
      call resumed%run()
      call resumed%result(1_c_int64_t, b)
      call check(a%energy == b%energy .and. a%energy_error == b%energy_error .and. a%binder == b%binder .and. &
                 b%bins_done == 32, 'the same bits')
      call remove_file(file)
      call resumed%resume(context, file, stat, message)
      call check(stat == LEGATO_STATUS_IO_ERROR, 'no file')
   end subroutine resuming

   subroutine refused()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      integer(c_int8_t) :: spins(4, 4)
      real(c_double) :: x(1), y(1)

      params = small()
      params%extents(1) = 7
      call ising%create(context, params, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'ising.params.extents[0]: 7 is odd') == 1, 'odd')
      call ising%create(context, small(), [0.3_c_double, -2000.0_c_double], stat=stat, errmsg=message)
      call check(index(message, 'ising.betas[1]: -2000 is not in') == 1, 'a temperature')
      call ising%create(none, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'no context')
      call ising%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'used before it was created', &
         'run before create')
      call ising%result(1_c_int64_t, a, stat, message)
      call check(message == 'used before it was created', 'result before create')
      call ising%spins(1_c_int64_t, spins, stat, message)
      call check(message == 'used before it was created', 'spins before create')
      call ising%correlation_function(1_c_int64_t, 1, x, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'correlations before create')
      call ising%time_series(1_c_int64_t, x(:1), y, stat, message)
      call check(message == 'used before it was created', 'series before create')
   end subroutine refused
end program ising_test
