! What legato/vmc.h and legato/vmc_optimiser.h declare.
module legato_c_vmc
   use, intrinsic :: iso_c_binding
   implicit none
   public

   enum, bind(c)
      enumerator :: LEGATO_VMC_TILTED = 0, LEGATO_VMC_RECTANGULAR = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_PERIODIC = 0, LEGATO_VMC_ANTIPERIODIC = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_GAP_A = 0, LEGATO_VMC_GAP_B = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_ENERGY = 0, LEGATO_VMC_KINETIC_UP = 1, LEGATO_VMC_KINETIC_DOWN = 2, &
         LEGATO_VMC_EXCHANGE = 3, LEGATO_VMC_SPIN_SPIN = 4, LEGATO_VMC_DENSITY_DENSITY = 5, &
         LEGATO_VMC_ENERGY_SQUARED = 6
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_DELTA = 0, LEGATO_VMC_MU = 1, LEGATO_VMC_T_PRIME = 2, LEGATO_VMC_T_DOUBLE_PRIME = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_ANY_SITE = 0, LEGATO_VMC_NEIGHBOUR = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_OPTIMISER_WAITING = 0, LEGATO_VMC_OPTIMISER_RUNNING = 1, &
         LEGATO_VMC_OPTIMISER_CONVERGED = 2, LEGATO_VMC_OPTIMISER_NOT_CONVERGED = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_VMC_DESCENT = 0, LEGATO_VMC_SURVEY = 1, LEGATO_VMC_REFINEMENT = 2
   end enum

   type, bind(c) :: legato_vmc_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: cluster, length, extents(2), boundary(2), electrons, gap
      real(c_double) :: t, t_prime, t_double_prime, j
      real(c_double) :: variational_t, variational_t_prime, variational_t_double_prime, delta, mu
      integer(c_int32_t) :: chains, sweep_factor
      integer(c_int64_t) :: warm_up, bins, sweeps_per_bin
      real(c_double) :: neighbour_share
      integer(c_int32_t) :: recompute_interval, start_attempts
      real(c_double) :: drift_bound, least_reciprocal_condition
      integer(c_int64_t) :: seed
      integer(c_int32_t) :: correlations, pair_correlations, gradients, gradients_by(4), reserved
   end type legato_vmc_params

   type, bind(c) :: legato_vmc_state
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: backend, sites, chains, borders
      integer(c_int64_t) :: sweeps_done, bins, bins_done, recompute_interval
      real(c_double) :: largest_drift
      integer(c_int64_t), dimension(2) :: attempts, nulls, hops, hops_accepted, exchanges, exchanges_accepted
      real(c_double), dimension(2) :: null_rate, hop_rate, exchange_rate
   end type legato_vmc_state

   type, bind(c) :: legato_vmc_averages
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: bins_done
      real(c_double) :: energy, energy_error, kinetic, kinetic_error, kinetic_up, kinetic_up_error
      real(c_double) :: kinetic_down, kinetic_down_error, exchange, exchange_error, spin_spin, spin_spin_error
      real(c_double) :: density_density, density_density_error, variance, variance_error, autocorrelation_sweeps
      integer(c_int32_t) :: bins_are_short, chains_differ
   end type legato_vmc_averages

   type, bind(c) :: legato_vmc_optimiser_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: free(4), steps, quiet_steps, refinement, reserved
      real(c_double) :: time, largest_move, shift, significance
   end type legato_vmc_optimiser_params

   type, bind(c) :: legato_vmc_optimiser_step
      integer(c_size_t) :: struct_size
      real(c_double) :: parameters(4), energy, energy_error, gradient(4), gradient_error(4), gradient_covariance(4, 4)
      integer(c_int32_t) :: stage, reserved
   end type legato_vmc_optimiser_step

   type, bind(c) :: legato_vmc_optimisation
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, reserved
      integer(c_int64_t) :: steps_done
      real(c_double) :: parameters(4), errors(4), covariance(4, 4), curvature(4, 4), gain
   end type legato_vmc_optimisation

   interface
      function legato_vmc_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_params_init_sized

      function legato_vmc_sites(context, params, sites) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), intent(inout) :: sites
         integer(c_int32_t) :: status
      end function legato_vmc_sites

      function legato_vmc_electrons_at(context, params, doping, electrons) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         real(c_double), value :: doping
         integer(c_int32_t), intent(inout) :: electrons
         integer(c_int32_t) :: status
      end function legato_vmc_electrons_at

      function legato_vmc_positions(context, params, n_sites, positions) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         integer(c_int32_t), intent(inout) :: positions(*)
         integer(c_int32_t) :: status
      end function legato_vmc_positions

      function legato_vmc_neighbours(context, params, shell, n_sites, neighbours, signs) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: shell, n_sites
         integer(c_int32_t), intent(inout) :: neighbours(*)
         real(c_double), intent(inout), optional :: signs(*)
         integer(c_int32_t) :: status
      end function legato_vmc_neighbours

      function legato_vmc_pair_function(context, params, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_pair_function

      function legato_vmc_create(context, params, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_create

      function legato_vmc_create_given(context, params, n_pair_function, pair_function, divergent_zero, vmc) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_pair_function
         real(c_double), intent(in) :: pair_function(*)
         integer(c_int32_t), value :: divergent_zero
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_create_given

      function legato_vmc_destroy(vmc) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_destroy

      function legato_vmc_run(vmc, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_run

      function legato_vmc_advance(vmc, bins, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int64_t), value :: bins
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_advance

      function legato_vmc_reach(vmc, chain, seconds, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain
         real(c_double), value :: seconds
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_reach

      function legato_vmc_get_state(vmc, state) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_vmc_get_state

      function legato_vmc_result(vmc, averages) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_averages), intent(inout) :: averages
         integer(c_int32_t) :: status
      end function legato_vmc_result

      function legato_vmc_bin_means(vmc, observable, chain, n, means) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: observable, chain
         integer(c_int64_t), value :: n
         real(c_double), intent(inout) :: means(*)
         integer(c_int32_t) :: status
      end function legato_vmc_bin_means

      function legato_vmc_electron_sites(vmc, chain, n_pairs, up, down) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain, n_pairs
         integer(c_int32_t), intent(inout) :: up(*), down(*)
         integer(c_int32_t) :: status
      end function legato_vmc_electron_sites

      function legato_vmc_structure_factors(vmc, n_sites, wave_vectors, spin, spin_error, charge, charge_error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: wave_vectors(*), spin(*), spin_error(*), charge(*), charge_error(*)
         integer(c_int32_t) :: status
      end function legato_vmc_structure_factors

      function legato_vmc_pair_correlations(vmc, n_sites, f, error) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: f(*), error(*)
         integer(c_int32_t) :: status
      end function legato_vmc_pair_correlations

      function legato_vmc_gradient(vmc, n, gradient, error, metric) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: gradient(*), error(*), metric(*)
         integer(c_int32_t) :: status
      end function legato_vmc_gradient

      function legato_vmc_save(vmc, path) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_save

      function legato_vmc_resume(context, path, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_resume

      function legato_vmc_get_params(vmc, params) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_vmc_get_params

      function legato_vmc_get_pair_function(vmc, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_get_pair_function

      function legato_vmc_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_params_init_sized

      function legato_vmc_optimiser_create(context, run, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: run
         type(legato_vmc_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_create

      function legato_vmc_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_destroy

      function legato_vmc_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_run

      function legato_vmc_optimiser_advance(optimiser, steps, steps_done) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: steps
         integer(c_int64_t), intent(inout), optional :: steps_done
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_advance

      function legato_vmc_optimiser_result(optimiser, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_result

      function legato_vmc_optimiser_get_step(optimiser, index, step) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_vmc_optimiser_step), intent(inout) :: step
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_step

      function legato_vmc_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_save

      function legato_vmc_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_resume

      function legato_vmc_optimiser_get_params(optimiser, run, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_params), intent(inout), optional :: run
         type(legato_vmc_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_params
   end interface
end module legato_c_vmc
