! Written by tools/fortran_interfaces.py from capi/include/legato/ising.h. Change these instead.
module legato_c_ising
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! How spins are updated.
   enum, bind(c)
      enumerator :: LEGATO_ISING_METROPOLIS = 0  ! spins of one lattice make up a word
      enumerator :: LEGATO_ISING_DEMON_NAIVE = 1  ! up to 32 lattices to a word; every demon is drawn anew
      enumerator :: LEGATO_ISING_DEMON_BINOMIAL = 2  ! the number of occupied demons is drawn, and as many are changed
      enumerator :: LEGATO_ISING_DEMON_MICROCANONICAL = 3  ! demons are drawn anew (binomial) in the thermalisation only
   end enum

   ! Boundary of an axis.
   enum, bind(c)
      enumerator :: LEGATO_ISING_PERIODIC = 0  ! the opposite edge is the neighbour
      enumerator :: LEGATO_ISING_ANTIPERIODIC = 1  ! couplings across it have the other sign
   end enum

   ! First configuration.
   enum, bind(c)
      enumerator :: LEGATO_ISING_START_UP = 0  ! all spins
      enumerator :: LEGATO_ISING_START_RANDOM = 1  ! each up or down with probability 1/2
   end enum

   ! What all systems of a run share.
   type, bind(c) :: legato_ising_params
      integer(c_size_t) :: struct_size  ! set by legato_ising_params_init
      integer(c_int32_t) :: dimensions  ! 2 or 3. Default 2
      integer(c_int32_t) :: algorithm  ! legato_ising_algorithm. Default METROPOLIS
      ! even, 2..2^20, at most 2^37 sites; the third 1 in two dimensions. Default 64, 64, 1
      integer(c_int64_t) :: extents(3)
      ! legato_ising_boundary of each axis; the third 0 in two dimensions. Default PERIODIC
      integer(c_int32_t) :: boundary(3)
      ! lattices for each beta and seed; with demons best 1, 2, 4, 8, 16 or a multiple of 32. Default 1
      integer(c_int32_t) :: replicas
      real(c_double) :: field  ! h / J, within +-10^6; METROPOLIS only, else 0. Default 0
      integer(c_int64_t) :: thermalisation  ! sweeps before the first measurement, 0..2^40. Default 1000
      integer(c_int64_t) :: sweeps_per_measurement  ! 1.., at most 2^40 sweeps after the thermalisation. Default 1
      integer(c_int64_t) :: measurements_per_bin  ! 1.., likewise. Default 1000
      integer(c_int64_t) :: bins  ! 1..2^20; 32 at the least for errors that can be relied on. Default 32
      ! sweeps between draws of the demons, 1..2^40; at most all of a run, MICROCANONICAL: of its thermalisation; where
      ! that is 0 they begin empty, and the energy is that of the first configuration. Default 1
      integer(c_int64_t) :: refresh_interval
      integer(c_int32_t) :: start  ! legato_ising_start. Default START_UP
      integer(c_int32_t) :: time_series  ! 1: keep every measurement. Default 0
      integer(c_int32_t) :: correlations  ! 1: measure <s_x s_(x+r)> along the axes. Default 0
      integer(c_int32_t) :: acceptance  ! 1: count attempts and flips, METROPOLIS only. Default 0
   end type legato_ising_params

   ! What was chosen, and how far the run is.
   type, bind(c) :: legato_ising_state
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: backend  ! legato_backend
      integer(c_int32_t) :: reserved  ! not used
      integer(c_int64_t) :: sites  ! N of one system
      integer(c_int64_t) :: systems  ! betas * seeds * replicas
      integer(c_int64_t) :: betas  ! how many
      integer(c_int64_t) :: seeds  ! how many
      integer(c_int64_t) :: sweeps  ! of each system when all is done, thermalisation included
      integer(c_int64_t) :: sweeps_done  ! of each system, thermalisation included
      integer(c_int64_t) :: measurements_done  ! of each system
      integer(c_int64_t) :: bins  ! of each system
      integer(c_int64_t) :: bins_done  ! of each system
   end type legato_ising_state

   ! Means over all systems of one temperature and their bins so far, and one standard error each, which allows for
   ! autocorrelation. m = sum_x s_x / N, e = H / (N J). Functions of means and their errors are by the jackknife over
   ! bins. Where the systems differ by more than they fluctuate errors are from the spread between them. With
   ! MICROCANONICAL demons all errors are from the spread between systems, for each keeps the energy that its
   ! thermalisation has left to it; with n systems such an error has n - 1 degrees of freedom (Student's t).
   !
   ! An error is NaN where it is unknown: of a single bin of a single system; of a single MICROCANONICAL system after a
   ! thermalisation; of what has had one and the same value all the time; of <m> without a field where its sign has not
   ! been sampled.
   type, bind(c) :: legato_ising_averages
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int64_t) :: bins_done  ! of each system
      real(c_double) :: magnetisation  ! <m>
      real(c_double) :: magnetisation_error  ! its standard error
      real(c_double) :: absolute_magnetisation  ! <|m|>
      real(c_double) :: absolute_magnetisation_error  ! its standard error
      real(c_double) :: magnetisation_2  ! <m^2>
      real(c_double) :: magnetisation_2_error  ! its standard error
      real(c_double) :: magnetisation_4  ! <m^4>
      real(c_double) :: magnetisation_4_error  ! its standard error
      real(c_double) :: energy  ! <e> / J
      real(c_double) :: energy_error  ! its standard error
      real(c_double) :: specific_heat  ! beta^2 N (<e^2> - <e>^2), per spin in units of k
      real(c_double) :: specific_heat_error  ! its standard error
      real(c_double) :: susceptibility  ! N (<m^2> - <|m|>^2), times J
      real(c_double) :: susceptibility_error  ! its standard error
      ! U = 1 - <m^4> / (3 <m^2>^2) (K. Binder, Z. Phys. B 43, 119 (1981)); NaN where m was always 0
      real(c_double) :: binder
      real(c_double) :: binder_error  ! its standard error
      real(c_double) :: energy_autocorrelation  ! integrated, of e, in sweeps; NaN where it is unknown
      real(c_double) :: energy_autocorrelation_error  ! its standard error
      real(c_double) :: magnetisation_autocorrelation  ! integrated, of |m|, likewise
      real(c_double) :: magnetisation_autocorrelation_error  ! its standard error
      ! 1: a bin is shorter than 20 autocorrelation times; errors may be too small. Also where these times are unknown,
      ! where systems differ by more than they fluctuate (one in five hundred good runs does), and where <m> does not
      ! fit the field
      integer(c_int32_t) :: bins_are_short
      integer(c_int32_t) :: thermalisation_is_short  ! 1: the discarded part is, or likewise; means may be off
      real(c_double) :: demon_occupation(3)  ! demons: share of those of energy 4 J, 8 J, 16 J that are there; else 0
      real(c_double) :: demon_occupation_error(3)  ! its standard error
      ! demons: beta that follows from all of them, NaN where none has ever held any energy; else 0
      real(c_double) :: demon_beta
      real(c_double) :: demon_beta_error  ! its standard error
   end type legato_ising_averages

   interface
      ! legato_ising_params_init with the size of the struct that the caller knows, for other languages.
      function legato_ising_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_ising_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_ising_params_init_sized

      ! Chooses the backend and makes the systems; `params` may be NULL for the defaults. betas[n_betas]: +-1000 and not
      ! 0 each, with demons positive; 0 and NULL: 0.4. seeds[n_seeds]: any that differ from one another; 0 and NULL: 1.
      ! Both are copied. Systems are independent, 2^20 at most: replica r of seed s at temperature b, all from 0, is
      ! number (b * n_seeds + s) * replicas + r. LEGATO_OUT_OF_MEMORY where not all of them fit.
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

      ! Gives it back; NULL is allowed.
      function legato_ising_destroy(ising) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int32_t) :: status
      end function legato_ising_destroy

      ! Runs until all bins are there. `callback` may be NULL; its points are bins, its cycles sweeps of all systems. A
      ! stopped run is taken up again by calling once more.
      function legato_ising_run(ising, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_ising_run

      ! Carries every system up to `bins` bins further, with the thermalisation before the first one; *bins_done (may be
      ! NULL) counts those of each system.
      function legato_ising_advance(ising, bins, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: bins
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_ising_advance

      ! Carries systems on until `system` has `measurements` of its measurements, or until about `seconds` have passed,
      ! 0 to 3.2e7, but at least a little. *measurements_done (may be NULL) counts those of the system. Systems go in
      ! their order, by groups that keep the processors busy, so that those before it are finished; on a GPU all systems
      ! are one group. A run that begins with this call has the same results, bit for bit, as one by legato_ising_run
      ! and legato_ising_advance, which refuse to go on with it; what legato_ising_get_state counts is done by each
      ! system, and so by the last one. Averages at a temperature are there when all of its systems are finished.
      function legato_ising_reach(ising, system, measurements, seconds, measurements_done) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: measurements
         real(c_double), value :: seconds
         integer(c_int64_t), intent(inout), optional :: measurements_done
         integer(c_int32_t) :: status
      end function legato_ising_reach

      ! What was chosen, and how far the run is.
      function legato_ising_get_state(ising, state) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(legato_ising_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_ising_get_state

      ! Averages at temperature `beta` over all bins so far.
      function legato_ising_result(ising, beta, averages) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         type(legato_ising_averages), intent(inout) :: averages
         integer(c_int32_t) :: status
      end function legato_ising_result

      ! With `correlations` only: mean[n] and standard errors error[n] of <s_x s_(x+r)> along an axis (0, 1, 2) for r =
      ! 0 .. L / 2: n is L / 2 + 1 of that axis. Pairs across an antiperiodic boundary count with the other sign. Each
      ! pointer may be NULL.
      function legato_ising_correlation_function(ising, beta, axis, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         integer(c_int32_t), value :: axis
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_ising_correlation_function

      ! With `correlations` only: that of the second moment along the last axis, which must be periodic, in lattice
      ! spacings, NaN where S(k) is 0 or not less than S(0):
      !
      !     xi = sqrt(S(0) / S(k) - 1) / (2 sin(k / 2)),  k = 2 pi / L,  S(k) = <|sum_x s_x exp(i k x)|^2> / N
      !
      ! (F. Cooper, B. Freedman and D. Preston, Nucl. Phys. B 210, 210 (1982)). Each pointer may be NULL.
      function legato_ising_correlation_length(ising, beta, length, error) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: beta
         real(c_double), intent(inout), optional :: length
         real(c_double), intent(inout), optional :: error
         integer(c_int32_t) :: status
      end function legato_ising_correlation_length

      ! With `time_series` only: m and e of the first n measurements of a system; n is at most what it has done, which
      ! is measurements_done, or what legato_ising_reach says. Each pointer may be NULL.
      function legato_ising_time_series(ising, system, n, magnetisation, energy) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: magnetisation(*)
         real(c_double), intent(inout), optional :: energy(*)
         integer(c_int32_t) :: status
      end function legato_ising_time_series

      ! The same of the n measurements from number `first` on, counted from 0.
      function legato_ising_measurements(ising, system, first, n, magnetisation, energy) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: magnetisation(*)
         real(c_double), intent(inout), optional :: energy(*)
         integer(c_int32_t) :: status
      end function legato_ising_measurements

      ! spins[n_sites] of a system, +1 or -1: that of site (x, y, z) at x + L1 (y + L2 z). n_sites: all of them.
      function legato_ising_spins(ising, system, n_sites, spins) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n_sites
         integer(c_int8_t), intent(inout) :: spins(*)
         integer(c_int32_t) :: status
      end function legato_ising_spins

      ! Sets the spins of a system, before the first sweep only; the array as of legato_ising_spins.
      function legato_ising_set_spins(ising, system, n_sites, spins) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: system
         integer(c_int64_t), value :: n_sites
         integer(c_int8_t), intent(in) :: spins(*)
         integer(c_int32_t) :: status
      end function legato_ising_set_spins

      ! With `acceptance` only: attempts of all systems, thermalisation included, and how many of them flipped their
      ! spin: attempts[n] and flips[n], n = 2 (2 dimensions + 1). At 2 c those of spins that point down and have c
      ! neighbours alike (across an antiperiodic boundary: unlike), at 2 c + 1 those that point up. Each pointer may be
      ! NULL.
      function legato_ising_acceptance(ising, n, attempts, flips) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n
         integer(c_int64_t), intent(inout), optional :: attempts(*)
         integer(c_int64_t), intent(inout), optional :: flips(*)
         integer(c_int32_t) :: status
      end function legato_ising_acceptance

      ! Saves the run to an HDF5 file, written beside `path` and renamed, within a bin too.
      function legato_ising_save(ising, path) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_ising_save

      ! Takes a saved run up again: with the same backend it goes on with the same bits as an uninterrupted one. A
      ! truncated, foreign or newer file is refused.
      function legato_ising_resume(context, path, ising) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: ising
         integer(c_int32_t) :: status
      end function legato_ising_resume

      ! The parameters in use, for instance after legato_ising_resume. struct_size is set by the caller, as
      ! legato_ising_params_init does.
      function legato_ising_get_params(ising, params) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         type(legato_ising_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_ising_get_params

      ! The betas in use: all n_betas of them, as legato_ising_get_state counts them.
      function legato_ising_get_betas(ising, n_betas, betas) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n_betas
         real(c_double), intent(inout) :: betas(*)
         integer(c_int32_t) :: status
      end function legato_ising_get_betas

      ! The seeds in use: all n_seeds of them, as legato_ising_get_state counts them.
      function legato_ising_get_seeds(ising, n_seeds, seeds) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int64_t), value :: n_seeds
         integer(c_int64_t), intent(inout) :: seeds(*)
         integer(c_int32_t) :: status
      end function legato_ising_get_seeds
   end interface
end module legato_c_ising
