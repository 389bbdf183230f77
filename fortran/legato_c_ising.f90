! What legato/ising.h declares.
module legato_c_ising
   use, intrinsic :: iso_c_binding
   implicit none
   public

   enum, bind(c)
      enumerator :: LEGATO_ISING_METROPOLIS = 0, LEGATO_ISING_DEMON_NAIVE = 1, LEGATO_ISING_DEMON_BINOMIAL = 2, &
         LEGATO_ISING_DEMON_MICROCANONICAL = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_ISING_PERIODIC = 0, LEGATO_ISING_ANTIPERIODIC = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_ISING_START_UP = 0, LEGATO_ISING_START_RANDOM = 1
   end enum

   type, bind(c) :: legato_ising_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: dimensions, algorithm
      integer(c_int64_t) :: extents(3)
      integer(c_int32_t) :: boundary(3), replicas
      real(c_double) :: field
      integer(c_int64_t) :: thermalisation, sweeps_per_measurement, measurements_per_bin, bins, refresh_interval
      integer(c_int32_t) :: start, time_series, correlations, acceptance
   end type legato_ising_params

   type, bind(c) :: legato_ising_state
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: backend, reserved
      integer(c_int64_t) :: sites, systems, betas, seeds, sweeps, sweeps_done, measurements_done, bins, bins_done
   end type legato_ising_state

   type, bind(c) :: legato_ising_averages
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: bins_done
      real(c_double) :: magnetisation, magnetisation_error, absolute_magnetisation, absolute_magnetisation_error
      real(c_double) :: magnetisation_2, magnetisation_2_error, magnetisation_4, magnetisation_4_error
      real(c_double) :: energy, energy_error, specific_heat, specific_heat_error, susceptibility, susceptibility_error
      real(c_double) :: binder, binder_error
      real(c_double) :: energy_autocorrelation, energy_autocorrelation_error
      real(c_double) :: magnetisation_autocorrelation, magnetisation_autocorrelation_error
      integer(c_int32_t) :: bins_are_short, thermalisation_is_short
      real(c_double) :: demon_occupation(3), demon_occupation_error(3), demon_beta, demon_beta_error
   end type legato_ising_averages

   interface
      function legato_ising_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_ising_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_ising_params_init_sized

      function legato_ising_create(context, params, n_betas, betas, n_seeds, seeds, ising) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_ising_params), intent(in), optional :: params
         integer(c_int64_t), value :: n_betas
         real(c_double), intent(in), optional :: betas(*)
         integer(c_int64_t), value :: n_seeds
         integer(c_int64_t), intent(in), optional :: seeds(*)
         type(c_ptr), intent(out) :: ising
         integer(c_int32_t) :: status
      end function legato_ising_create

      function legato_ising_destroy(ising) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int32_t) :: status
      end function legato_ising_destroy

      function legato_ising_run(ising, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_ising_run

      function legato_ising_advance(ising, bins, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: bins
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_ising_advance

      function legato_ising_reach(ising, system, measurements, seconds, measurements_done) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: measurements
         real(c_double), value :: seconds
         integer(c_int64_t), intent(inout), optional :: measurements_done
         integer(c_int32_t) :: status
      end function legato_ising_reach

      function legato_ising_get_state(ising, state) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(legato_ising_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_ising_get_state

      function legato_ising_result(ising, beta, averages) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         type(legato_ising_averages), intent(inout) :: averages
         integer(c_int32_t) :: status
      end function legato_ising_result

      function legato_ising_correlation_function(ising, beta, axis, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         integer(c_int32_t), value :: axis
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: mean(*), error(*)
         integer(c_int32_t) :: status
      end function legato_ising_correlation_function

      function legato_ising_correlation_length(ising, beta, length, error) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         real(c_double), intent(inout), optional :: length, error
         integer(c_int32_t) :: status
      end function legato_ising_correlation_length

      function legato_ising_time_series(ising, system, n, magnetisation, energy) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: magnetisation(*), energy(*)
         integer(c_int32_t) :: status
      end function legato_ising_time_series

      function legato_ising_measurements(ising, system, first, n, magnetisation, energy) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: magnetisation(*), energy(*)
         integer(c_int32_t) :: status
      end function legato_ising_measurements

      function legato_ising_spins(ising, system, n_sites, spins) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n_sites
         integer(c_int8_t), intent(inout) :: spins(*)
         integer(c_int32_t) :: status
      end function legato_ising_spins

      function legato_ising_set_spins(ising, system, n_sites, spins) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n_sites
         integer(c_int8_t), intent(in) :: spins(*)
         integer(c_int32_t) :: status
      end function legato_ising_set_spins

      function legato_ising_acceptance(ising, n, attempts, flips) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n
         integer(c_int64_t), intent(inout), optional :: attempts(*), flips(*)
         integer(c_int32_t) :: status
      end function legato_ising_acceptance

      function legato_ising_save(ising, path) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_ising_save

      function legato_ising_resume(context, path, ising) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: ising
         integer(c_int32_t) :: status
      end function legato_ising_resume

      function legato_ising_get_params(ising, params) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(legato_ising_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_ising_get_params

      function legato_ising_get_betas(ising, n_betas, betas) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n_betas
         real(c_double), intent(inout) :: betas(*)
         integer(c_int32_t) :: status
      end function legato_ising_get_betas

      function legato_ising_get_seeds(ising, n_seeds, seeds) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n_seeds
         integer(c_int64_t), intent(inout) :: seeds(*)
         integer(c_int32_t) :: status
      end function legato_ising_get_seeds
   end interface
end module legato_c_ising
