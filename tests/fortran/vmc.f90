! Tests variational Monte Carlo: lattices and pair functions, known energies, all other results, tables of the program's
! own, optimisation, saving and resuming, and refusals.
program vmc_test
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato
   use checks
   implicit none
   integer, parameter :: sites = 26, pairs = 12
   character(*), parameter :: file = 'fortran_vmc.h5'
   type(legato_context) :: context, none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call lattices()
   call pair_functions()
   call known_energy()
   call traces()
   call correlations_and_gradients()
   call correlations_of_pairs()
   call given_pair_function()
   call resuming()
   call optimisation()
   call optimum()
   call refused()
   print '(a)', 'fortran vmc: all checks passed'

contains

   ! Returns the parameters of a short run on the tilted cluster of length^2 + 1 sites.
   function tilted(length, electrons) result(params)
      integer, intent(in) :: length, electrons
      type(legato_vmc_params) :: params

      params = vmc_defaults()
      params%length = length
      params%electrons = electrons
      params%chains = 4
      params%thermalisation = 50
      params%bins = 10
      params%sweeps_per_bin = 50
   end function tilted

   subroutine lattices()
      type(legato_vmc_params) :: params
      integer(c_int32_t) :: n, positions(2, sites), neighbours(4, sites)
      real(c_double) :: signs(4, 12)
      integer :: s

      params = tilted(5, 24)
      call vmc_sites(context, params, n)
      call check(n == sites, 'number of sites')
      call vmc_electrons_at(context, params, 0.1_c_double, n)
      call check(n == 24, 'number of electrons')
      call vmc_positions(context, params, positions)
      call check(all(modulo(positions(1, :) - 5 * positions(2, :) - [(s - 1, s=1, sites)], sites) == 0), 'positions')
      call check(maxval(sum(positions**2, 1)) <= 13, 'nearest images')
      call vmc_neighbours(context, params, 1, neighbours)
      call check(all(neighbours(:, 1) == [2, 22, 26, 6]) .and. &
                 all(neighbours(1, :) == [(modulo(s, sites) + 1, s=1, sites)]), 'neighbours of a tilted cluster')
      params%cluster = LEGATO_VMC_CLUSTER_RECTANGULAR
      params%extents = [3, 4]
      params%boundary = [LEGATO_VMC_BOUNDARY_ANTIPERIODIC, LEGATO_VMC_BOUNDARY_PERIODIC]
      call vmc_neighbours(context, params, 1, neighbours(:, :12), signs)
      call check(all(neighbours(:, 1) == [2, 4, 3, 10]) .and. all(signs(:, 1) == [1, 1, -1, 1]), 'antiperiodic neighbours')
      call vmc_neighbours(context, params, 1, neighbours, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'vmc.n_sites: 26 is not in 12..12', &
         'too many sites')
      call vmc_neighbours(context, params, 5, neighbours(:, :12), stat=stat, errmsg=message)
      call check(message == 'vmc.shell: 5 is not in 1..3', 'a fifth shell')
      call vmc_neighbours(context, params, 1, neighbours(:3, :12), stat=stat, errmsg=message)
      call check(message == 'vmc.neighbours: 3 x 12 elements are not 4 x 12', 'three neighbours')
      call vmc_neighbours(context, params, 1, neighbours(:, :11), signs, stat, message)
      call check(message == 'vmc.neighbours.signs: 4 x 12 elements are not 4 x 11', 'more signs')
      call vmc_positions(context, params, neighbours(:, :12), stat, message)
      call check(message == 'vmc.positions: 4 x 12 elements are not 2 x 12', 'positions in four dimensions')
      call vmc_electrons_at(context, params, 1.5_c_double, n, stat, message)
      call check(n == 0 .and. message == 'vmc.doping: 1.5 is not in [0, 1]', 'a doping')
      call vmc_sites(none, params, n, stat, message)
      call check(message == 'used before it was created', 'sites without a context')
   end subroutine lattices

   ! Compares with pair functions of an independent program.
   subroutine pair_functions()
      type(legato_vmc_params) :: params
      real(c_double) :: phi(sites)
      integer(c_int32_t) :: borders

      params = tilted(5, 24)
      call vmc_pair_function(context, params, phi, borders)
      call check(borders == 1 .and. abs(phi(2) - 1.100372230540_c_double) < 1e-11_c_double .and. &
                 abs(phi(3) - 1.846153846154_c_double) < 1e-11_c_double, 'a pair function')
      call vmc_pair_function(context, params, phi)
      params%mu = -4
      call vmc_pair_function(context, params, phi, stat=stat, errmsg=message)
      call check(index(message, 'vmc.params.mu: -4 makes xi_k and Delta_k zero') == 1, 'no pair function')
   end subroutine pair_functions

   subroutine known_energy()
      type(legato_vmc_params) :: params
      type(legato_vmc) :: vmc
      type(legato_vmc_averages) :: a
      type(legato_vmc_state) :: s

      params = tilted(3, 8)
      params%bins = 20
      params%sweeps_per_bin = 200
      call vmc%create(context, params)
      call vmc%result(a, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'vmc.result: no bin is finished yet', &
         'no result yet')
      call vmc%run()
      call vmc%result(a)
      call check(a%energy_error > 0 .and. a%energy_error < 0.01_c_double .and. &
                 abs(a%energy + 0.632746826903_c_double) < 5 * a%energy_error, 'an exact energy')
      call check(abs(a%spin_spin + 0.170986233028_c_double) < 5 * a%spin_spin_error, 'an exact correlation')
      call check(a%bins_are_short == 0 .and. a%chains_differ == 0, 'no flags')
      call vmc%get_state(s)
      call check(s%sites == 10 .and. s%bins_done == 20 .and. s%sweeps_done == 50 + 20 * 200 .and. s%chains == 4, 'the state')
      call check(sum(s%attempts) == s%sweeps_done * 4 * 8 .and. all(s%nulls + s%hops + s%exchanges == s%attempts), 'moves')
      call check(all(s%hop_rate > 0 .and. s%hop_rate < 1) .and. s%largest_drift > 0, 'rates')
      call vmc%get_params(params)
      call check(params%length == 3 .and. params%bins == 20, 'parameters in use')
   end subroutine known_energy

   subroutine traces()
      type(legato_vmc) :: vmc
      type(legato_vmc_averages) :: a
      real(c_double) :: means(10, 4)
      integer(c_int32_t) :: up(pairs), down(pairs)
      integer :: chain, s

      call vmc%create(context, tilted(5, 24))
      call vmc%run()
      call vmc%result(a)
      do chain = 1, 4
         call vmc%bin_means(LEGATO_VMC_OBSERVABLE_ENERGY, chain, means(:, chain))
         call vmc%electron_sites(chain, up, down)
         call check(all([(count(up == s) + count(down == s) <= 1, s=1, sites)]) .and. minval([up, down]) >= 1 .and. &
                    maxval([up, down]) <= sites, 'sites of electrons')
      end do
      call check(abs(sum(means) / 40 - a%energy) < 1e-13_c_double, 'means of bins')
      call vmc%bin_means(LEGATO_VMC_OBSERVABLE_ENERGY, 5, means(:, 1), stat, message)
      call check(message == 'vmc.chain: 5 is not in 1..4', 'a fifth chain')
      call vmc%electron_sites(0, up, down, stat, message)
      call check(message == 'vmc.chain: 0 is not in 1..4', 'chain 0')
      call vmc%bin_means(9, 1, means(:, 1), stat, message)
      call check(message == 'vmc.observable: 9 is not in 0..6', 'no such observable')
      call vmc%electron_sites(1, up, down(:3), stat, message)
      call check(message == 'vmc.electron_sites.down: 3 elements are not 12', 'few down electrons')
      call vmc%electron_sites(1, up(:3), down(:3), stat, message)
      call check(message == 'vmc.n_pairs: 3 is not in 12..12', 'few electrons')
   end subroutine traces

   subroutine correlations_and_gradients()
      type(legato_vmc) :: vmc
      type(legato_vmc_params) :: params
      real(c_double) :: q(2, sites), spin(sites), charge(sites), spin_error(sites), charge_error(sites)
      real(c_double) :: gradient(4), error(4), metric(4, 4)

      params = tilted(5, 24)
      params%correlations = 1
      params%gradients = 1
      call vmc%create(context, params)
      call vmc%run()
      call vmc%structure_factors(q, spin, charge, spin_error, charge_error)
      call check(abs(sum(spin) / sites - 0.25_c_double * 24 / sites) < 1e-12_c_double .and. maxloc(spin, 1) == 14, 'S(q)')
      call check(abs(charge(1)) < 1e-12_c_double .and. all(charge_error >= 0) .and. maxval(spin_error) > 0, 'N(q)')
      call check(all(abs(q(:, 14) - acos(-1.0_c_double)) < 1e-12_c_double), '(pi, pi)')
      call vmc%structure_factors(q, spin, charge)
      call vmc%gradient(gradient, error, metric)
      call check(all(error > 0) .and. all(abs(metric - transpose(metric)) == 0), 'gradient')
      call vmc%gradient(gradient(:2))
      call vmc%structure_factors(q, spin(:3), charge, stat=stat, errmsg=message)
      call check(message == 'vmc.structure_factors.wave_vectors: 2 x 26 elements are not 2 x 3', 'few spins')
      call vmc%structure_factors(q, spin, charge, spin_error(:1), stat=stat, errmsg=message)
      call check(message == 'vmc.structure_factors.spin_error: 1 elements are not 26', 'few errors')
      call vmc%gradient(gradient, error(:2), stat=stat, errmsg=message)
      call check(message == 'vmc.gradient.error: 2 elements are not 4', 'few errors of a gradient')
      call vmc%gradient(gradient(:3), error(:3), metric, stat, message)
      call check(message == 'vmc.gradient.metric: 4 x 4 elements are not 3 x 3', 'too large a metric')
   end subroutine correlations_and_gradients

   subroutine correlations_of_pairs()
      type(legato_vmc) :: vmc
      type(legato_vmc_params) :: params
      type(legato_vmc_averages) :: a
      real(c_double) :: f(sites, 2, 2), error(sites, 2, 2), again(sites, 2, 2), gradient(4), whole(4)
      integer :: r

      params = tilted(5, 24)
      params%pair_correlations = 1
      params%gradients = 1
      params%mu = -0.1_c_double
      call check(all(params%gradients_by == 1) .and. params%reserved == 0, 'by all parameters')
      params%gradients_by(2:3) = 0
      call vmc%create(context, params)
      call vmc%pair_correlations(f, error, stat, message)
      call check(message == 'vmc.pair_correlations: no bin is finished yet', 'no pairs yet')
      call vmc%run()
      call vmc%result(a)
      call vmc%pair_correlations(f, error)
      call check(abs(sum(f(1, :, :) * reshape([1, 0, 0, 1], [2, 2])) - (a%density_density / 4 - a%spin_spin)) < 1e-10_c_double, &
                 'pairs on one bond')
      call check(all(error > 0) .and. all([(abs(f(r, 2, 1) - f(modulo(1 - r, sites) + 1, 1, 2)) < &
                 5 * (error(r, 2, 1) + error(modulo(1 - r, sites) + 1, 1, 2)), r=1, sites)]), 'pairs of both directions')
      call vmc%pair_correlations(again)
      call check(all(again == f), 'pairs without errors')
      call vmc%gradient(gradient)
      call check(gradient(2) == 0 .and. gradient(3) == 0 .and. abs(gradient(1)) > 0 .and. abs(gradient(4)) > 0, &
                 'by two parameters')
      call vmc%pair_correlations(f(:5, :, :), stat=stat, errmsg=message)
      call check(message == 'vmc.n_sites: 5 is not in 26..26', 'pairs of a few sites')
      call vmc%pair_correlations(f(:, :, :1), stat=stat, errmsg=message)
      call check(message == 'vmc.pair_correlations.f: 26 x 2 x 1 elements are not 26 x 2 x 2', 'pairs of one direction')
      call vmc%pair_correlations(f, error(:3, :, :), stat, message)
      call check(message == 'vmc.pair_correlations.error: 3 x 2 x 2 elements are not 26 x 2 x 2', 'few errors of pairs')
      params%pair_correlations = 0
      params%gradients_by = 1
      call vmc%create(context, params)
      call vmc%run()
      call vmc%pair_correlations(f, stat=stat, errmsg=message)
      call check(index(message, 'vmc.params.pair_correlations: 0; the run') == 1, 'pairs that were not measured')
      call vmc%gradient(whole)
      call check(all(abs(whole([1, 4]) - gradient([1, 4])) < 1e-12_c_double) .and. abs(whole(2)) > 0, 'by all of them')
   end subroutine correlations_of_pairs

   ! The state's own table gives bitwise identical results.
   subroutine given_pair_function()
      type(legato_vmc) :: vmc, given
      type(legato_vmc_averages) :: a, b
      real(c_double) :: phi(sites), again(sites)
      integer(c_int32_t) :: borders

      call vmc_pair_function(context, tilted(5, 24), phi)
      call vmc%create(context, tilted(5, 24))
      call given%create(context, tilted(5, 24), phi, .true.)
      call given%get_pair_function(again, borders)
      call check(all(again == phi) .and. borders == 1, 'the table in use')
      call vmc%run()
      call given%run()
      call vmc%result(a)
      call given%result(b)
      call check(a%energy == b%energy .and. a%variance_error == b%variance_error, 'the same bits of a table')
      call given%create(context, tilted(5, 24), phi)
      call given%get_pair_function(again, borders)
      call check(borders == 0, 'no infinite amplitude')
      call given%create(context, tilted(5, 24), phi(:25), stat=stat, errmsg=message)
      call check(message == 'vmc.n_pair_function: 25 is not in 26..26', 'a short table')
      call given%create(context, tilted(5, 24), divergent_zero=.true., stat=stat, errmsg=message)
      call check(message == 'vmc.create: divergent_zero needs pair_function', 'divergent without a table')
   end subroutine given_pair_function

   subroutine resuming()
      type(legato_vmc) :: vmc, resumed
      type(legato_vmc_averages) :: a, b
      integer(c_int64_t) :: done

      call vmc%create(context, tilted(5, 24))
      call vmc%advance(2_c_int64_t, done)
      call check(done == 2, 'two bins')
      call vmc%run(stop_at_once, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'vmc: stopped by the progress callback', 'stopped')
      call vmc%save(file)
      call vmc%run()
      call vmc%result(a)
      call resumed%resume(context, file)
      call resumed%run()
      call resumed%result(b)
      call check(a%energy == b%energy .and. a%energy_error == b%energy_error .and. b%bins_done == 10, 'the same bits')
      call remove_file(file)
      call resumed%resume(context, file, stat, message)
      call check(stat == LEGATO_STATUS_IO_ERROR, 'no file')
   end subroutine resuming

   subroutine optimisation()
      type(legato_vmc_optimiser) :: optimiser, resumed
      type(legato_vmc_optimiser_params) :: params
      type(legato_vmc_params) :: run
      type(legato_vmc_optimisation) :: o
      type(legato_vmc_optimiser_step) :: step, again
      integer(c_int64_t) :: done

      params = vmc_optimiser_defaults()
      params%steps = 3
      params%significance = 0
      params%free = [1, 0, 1, 0]
      call optimiser%create(context, tilted(5, 24), params)
      call optimiser%result(o)
      call check(o%status == LEGATO_VMC_OPTIMISER_STATUS_WAITING .and. o%parameters(1) == 1.5_c_double, &
         'before the run')
      call optimiser%get_step(1_c_int64_t, step, stat, message)
      call check(message == 'vmc.optimiser.index: 1 is not in 1..0', 'no step yet')
      call optimiser%advance(1_c_int64_t, done)
      call check(done == 1, 'a step')
      call optimiser%save(file)
      call optimiser%run(stop_at_once, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED, 'stopped within a step')
      call optimiser%run()
      call optimiser%result(o)
      call check(o%status == LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED .and. o%steps_done == 3, 'all steps')
      call check(all(ieee_is_nan(o%errors([1, 3]))) .and. all(ieee_is_nan(o%covariance([1, 3], [1, 3]))), 'unknown errors')
      call check(all(o%errors([2, 4]) == 0) .and. all(o%covariance([2, 4], :) == 0) .and. ieee_is_nan(o%gain), 'no optimum')
      call check(all(o%curvature(:, [2, 4]) == 0) .and. all(ieee_is_nan(o%curvature([1, 3], [1, 3]))), 'no curvature')
      call optimiser%get_step(3_c_int64_t, step)
      call check(all(step%parameters == o%parameters) .and. step%parameters(2) == 0 .and. step%gradient(4) == 0 .and. &
                 abs(step%parameters(3)) > 0 .and. step%gradient_error(1) > 0, 'a step''s numbers')
      call check(step%stage == LEGATO_VMC_STAGE_DESCENT .and. all(step%gradient_covariance(:, 2) == 0) .and. &
                 step%gradient_covariance(1, 1) > 0 .and. &
                 step%gradient_covariance(1, 3) == step%gradient_covariance(3, 1), 'a step''s errors')
      call resumed%resume(context, file)
      call resumed%get_params(run, params)
      call check(run%length == 5 .and. all(params%free == [1, 0, 1, 0]), 'parameters of the file')
      call check(run%gradients == 1 .and. all(run%gradients_by == params%free) .and. params%refinement == 4, 'derivatives')
      call resumed%get_params()
      call resumed%run()
      call resumed%get_step(3_c_int64_t, again)
      call check(all(again%parameters == step%parameters) .and. again%energy == step%energy, 'the same steps')
      call remove_file(file)
      params%free = 0
      call resumed%create(context, run, params, stat, message)
      call check(message == 'vmc.optimiser.free: 0 is not in 1..4', 'nothing to vary')
      call resumed%run(stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'optimisation before create')
      call resumed%get_step(1_c_int64_t, step, stat, message)
      call check(message == 'used before it was created', 'a step before create')
   end subroutine optimisation

   ! Finds the gap of lowest energy of ten sites, which is 0.351 by enumeration.
   subroutine optimum()
      type(legato_vmc_optimiser) :: optimiser
      type(legato_vmc_optimiser_params) :: params
      type(legato_vmc_params) :: run
      type(legato_vmc_optimisation) :: o
      type(legato_vmc_optimiser_step) :: step
      integer(c_int64_t) :: i
      integer :: stages(LEGATO_VMC_STAGE_DESCENT:LEGATO_VMC_STAGE_REFINEMENT)

      run = tilted(3, 8)
      run%chains = 16
      run%bins = 32
      run%sweeps_per_bin = 40
      run%delta = 0.6_c_double
      run%mu = -0.2_c_double
      params = vmc_optimiser_defaults()
      params%free = [1, 0, 0, 0]
      params%time = 0.5_c_double
      params%refinement = 3
      call optimiser%create(context, run, params)
      call optimiser%run()
      call optimiser%result(o)
      call check(o%status == LEGATO_VMC_OPTIMISER_STATUS_CONVERGED, 'converged')
      call check(abs(o%parameters(1) - 0.351_c_double) < 5 * o%errors(1) .and. o%errors(1) < 0.05_c_double, 'an exact gap')
      call check(abs(o%covariance(1, 1) - o%errors(1)**2) < 1e-15_c_double .and. o%curvature(1, 1) > 0, 'its error')
      call check(all(o%errors(2:) == 0) .and. all(o%curvature(2:, :) == 0) .and. all(o%covariance(:, 2:) == 0), 'of the free')
      stages = 0
      do i = 1, o%steps_done
         call optimiser%get_step(i, step)
         stages(step%stage) = stages(step%stage) + 1
      end do
      call optimiser%get_step(o%steps_done, step)
      call check(step%stage == LEGATO_VMC_STAGE_REFINEMENT .and. stages(LEGATO_VMC_STAGE_DESCENT) >= 1 .and. &
                 stages(LEGATO_VMC_STAGE_SURVEY) >= 2 .and. stages(LEGATO_VMC_STAGE_REFINEMENT) >= 3, 'three stages')
      call check(o%gain >= 0 .and. o%gain < step%energy_error, 'little to be gained')
   end subroutine optimum

   subroutine refused()
      type(legato_vmc) :: vmc
      type(legato_vmc_params) :: params
      type(legato_vmc_averages) :: a
      real(c_double) :: x(1)

      params = tilted(5, 23)
      call vmc%create(context, params, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
         message == 'vmc.params.electrons: 23 is odd; half of them are up', &
                 'an odd number')
      params%length = 8
      call vmc%create(context, params, stat=stat, errmsg=message)
      call check(index(message, 'vmc.params.length: 8 is even') == 1, 'an even length')
      call vmc%create(none, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'no context')
      call vmc%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'used before it was created', &
         'run before create')
      call vmc%result(a, stat, message)
      call check(message == 'used before it was created', 'result before create')
      call vmc%bin_means(0, 1, x, stat, message)
      call check(message == 'used before it was created', 'bin means before create')
   end subroutine refused
end program vmc_test
