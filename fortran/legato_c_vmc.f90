! Written by tools/fortran_interfaces.py from capi/include/legato/vmc.h and capi/include/legato/vmc_optimiser.h. Change
! these instead.
module legato_c_vmc
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Kind of cluster.
   enum, bind(c)
      enumerator :: LEGATO_VMC_TILTED = 0  ! L^2 + 1 sites, L odd: Z^2 modulo (L, 1) and (-1, L), periodic
      enumerator :: LEGATO_VMC_RECTANGULAR = 1  ! Lx x Ly
   end enum

   ! Boundary of an axis.
   enum, bind(c)
      enumerator :: LEGATO_VMC_PERIODIC = 0  ! the opposite edge is the neighbour
      enumerator :: LEGATO_VMC_ANTIPERIODIC = 1  ! hopping and phi change sign across it; spins do not
   end enum

   ! Gap function.
   enum, bind(c)
      enumerator :: LEGATO_VMC_GAP_A = 0  ! Delta_k = (Delta/2) (cos kx - cos ky)
      enumerator :: LEGATO_VMC_GAP_B = 1  ! Delta_k = Delta (cos kx - cos ky)
   end enum

   ! Energies per site, correlations per nearest-neighbour bond.
   enum, bind(c)
      enumerator :: LEGATO_VMC_ENERGY = 0  ! all of it
      enumerator :: LEGATO_VMC_KINETIC_UP = 1  ! kinetic, of the up electrons
      enumerator :: LEGATO_VMC_KINETIC_DOWN = 2  ! kinetic, of the down electrons
      enumerator :: LEGATO_VMC_EXCHANGE = 3  ! J (S.S - n n / 4)
      enumerator :: LEGATO_VMC_SPIN_SPIN = 4  ! <S_i.S_j>
      enumerator :: LEGATO_VMC_DENSITY_DENSITY = 5  ! <n_i n_j>
      enumerator :: LEGATO_VMC_ENERGY_SQUARED = 6  ! the square of the local energy
   end enum

   ! Parameters of the state by number: the order of gradients and metric.
   enum, bind(c)
      enumerator :: LEGATO_VMC_DELTA = 0  ! delta
      enumerator :: LEGATO_VMC_MU = 1  ! mu
      enumerator :: LEGATO_VMC_T_PRIME = 2  ! variational_t_prime
      enumerator :: LEGATO_VMC_T_DOUBLE_PRIME = 3  ! variational_t_double_prime
   end enum

   ! Where an attempt may lead: the order of counts and rates.
   enum, bind(c)
      enumerator :: LEGATO_VMC_ANY_SITE = 0  ! one of all sites
      enumerator :: LEGATO_VMC_NEIGHBOUR = 1  ! one of the four nearest
   end enum

   ! How an optimisation stands.
   enum, bind(c)
      enumerator :: LEGATO_VMC_OPTIMISER_WAITING = 0  ! not begun
      enumerator :: LEGATO_VMC_OPTIMISER_RUNNING = 1  ! what is there so far can be read
      enumerator :: LEGATO_VMC_OPTIMISER_CONVERGED = 2  ! quiet_steps steps of the refinement were quiet
      enumerator :: LEGATO_VMC_OPTIMISER_NOT_CONVERGED = 3  ! `steps` steps came first
   end enum

   ! Stage of a step.
   enum, bind(c)
      enumerator :: LEGATO_VMC_DESCENT = 0  ! stochastic reconfiguration
      enumerator :: LEGATO_VMC_SURVEY = 1  ! second derivatives of the energy
      enumerator :: LEGATO_VMC_REFINEMENT = 2  ! Newton's steps
   end enum

   ! Sites count from 0. Of a tilted cluster (x, y) is site x - L y modulo L^2 + 1; of a rectangular one x + Lx y.
   type, bind(c) :: legato_vmc_params
      integer(c_size_t) :: struct_size  ! set by legato_vmc_params_init
      integer(c_int32_t) :: cluster  ! legato_vmc_cluster. Default TILTED
      integer(c_int32_t) :: length  ! L: odd, 3..63; TILTED only. Default 9
      integer(c_int32_t) :: extents(2)  ! Lx, Ly: 3..1024, at most 4096 sites; RECTANGULAR only. Default 8
      integer(c_int32_t) :: boundary(2)  ! legato_vmc_boundary of x and y; RECTANGULAR only. Default PERIODIC
      integer(c_int32_t) :: electrons  ! even, 2..sites. Default 74
      integer(c_int32_t) :: gap  ! legato_vmc_gap. Default A
      real(c_double) :: t  ! of the Hamiltonian: nearest neighbours; within +-10^6 as all energies. Default 1
      real(c_double) :: t_prime  ! second neighbours, along diagonals. Default 0
      real(c_double) :: t_double_prime  ! third neighbours, two sites along an axis. Default 0
      real(c_double) :: j  ! J. Default 0.3
      real(c_double) :: variational_t  ! t of the state's xi_k. Default 1
      real(c_double) :: variational_t_prime  ! t' of it. Default 0
      real(c_double) :: variational_t_double_prime  ! t'' of it. Default 0
      real(c_double) :: delta  ! Delta of the state's gap. Default 1.5
      real(c_double) :: mu  ! of the state's xi_k. Default 0
      integer(c_int32_t) :: chains  ! independent ones, 1..1048576. Default 16
      ! a sweep is as many attempts for every electron, null ones too; 1..100. Default 1
      integer(c_int32_t) :: sweep_factor
      integer(c_int64_t) :: warm_up  ! sweeps of each chain before its first bin, 0..2^40. Default 200
      integer(c_int64_t) :: bins  ! of each chain, 1..1048576. Default 20
      ! each followed by a measurement; 1.., bins sweeps_per_bin <= 2^40. Default 100
      integer(c_int64_t) :: sweeps_per_bin
      ! of attempts that lead to a nearest neighbour, others to any site; 0..1. Default 0.5
      real(c_double) :: neighbour_share
      ! sweeps between inverses of M computed anew, at most; 1..1000000. Default 20
      integer(c_int32_t) :: recompute_interval
      integer(c_int32_t) :: start_attempts  ! for the first configuration of a chain, 1..2^30. Default 1000
      ! relative drift of an inverse beyond which the interval is halved; 1e-14..1. Default 1e-6
      real(c_double) :: drift_bound
      real(c_double) :: least_reciprocal_condition  ! of M at the start, in the 1-norm; 0..1. Default 1e-12
      integer(c_int64_t) :: seed  ! any; runs of different seeds share no random numbers. Default 1
      integer(c_int32_t) :: correlations  ! 1: measure what structure factors follow from, at all distances. Default 0
      integer(c_int32_t) :: pair_correlations  ! 1: measure those of singlet pairs on bonds, at all distances. Default 0
      integer(c_int32_t) :: gradients  ! 1: measure what gradient and metric follow from. Default 0
      ! by legato_vmc_parameter, 1: by this one too, at a cost. Default 1, 1, 1, 1
      integer(c_int32_t) :: gradients_by(4)
      integer(c_int32_t) :: reserved  ! not used
   end type legato_vmc_params

   ! What was chosen, how far the run is, and its moves, those of the warm-up included. Counts and rates are indexed by
   ! legato_vmc_proposal; rates are 0 where there is nothing that they could be of.
   type, bind(c) :: legato_vmc_state
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: backend  ! legato_backend
      integer(c_int32_t) :: sites  ! Ns
      integer(c_int32_t) :: chains  ! how many
      integer(c_int32_t) :: borders  ! of M: infinite pair amplitudes whose limit is taken
      integer(c_int64_t) :: sweeps_done  ! of each chain, warm-up included
      integer(c_int64_t) :: bins  ! of each chain
      integer(c_int64_t) :: bins_done  ! of each chain
      integer(c_int64_t) :: recompute_interval  ! sweeps, as it stands now
      real(c_double) :: largest_drift  ! relative, of an inverse before it was computed anew
      integer(c_int64_t) :: attempts(2)  ! of all chains
      integer(c_int64_t) :: nulls(2)  ! to the electron's own site, or to one of the same spin
      integer(c_int64_t) :: hops(2)  ! to an empty site
      integer(c_int64_t) :: hops_accepted(2)  ! of these
      integer(c_int64_t) :: exchanges(2)  ! with an electron of the other spin
      integer(c_int64_t) :: exchanges_accepted(2)  ! of these
      real(c_double) :: null_rate(2)  ! nulls / attempts
      real(c_double) :: hop_rate(2)  ! hops_accepted / hops
      real(c_double) :: exchange_rate(2)  ! exchanges_accepted / exchanges
   end type legato_vmc_state

   ! Means over all bins so far and one standard error each, which allows for autocorrelation. An error is 0 where the
   ! mean is exact, as for the kinetic energy at half filling. It is NaN where it is unknown: with a single bin of a
   ! single chain; if fewer than 100 and fewer than 1 % of the proposed hops to neighbours or exchanges with them were
   ! accepted (calculated from the current configurations if hardly any are proposed). If the chains differ by more than
   ! they fluctuate, errors are from the spread between them.
   type, bind(c) :: legato_vmc_averages
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int64_t) :: bins_done  ! of each chain
      real(c_double) :: energy  ! per site
      real(c_double) :: energy_error  ! its standard error
      real(c_double) :: kinetic  ! of both spins
      real(c_double) :: kinetic_error  ! its standard error
      real(c_double) :: kinetic_up  ! of the up electrons
      real(c_double) :: kinetic_up_error  ! its standard error
      real(c_double) :: kinetic_down  ! of the down electrons
      real(c_double) :: kinetic_down_error  ! its standard error
      real(c_double) :: exchange  ! J (S.S - n n / 4)
      real(c_double) :: exchange_error  ! its standard error
      real(c_double) :: spin_spin  ! <S_i.S_j> of nearest neighbours
      real(c_double) :: spin_spin_error  ! its standard error
      real(c_double) :: density_density  ! <n_i n_j> of nearest neighbours
      real(c_double) :: density_density_error  ! its standard error
      real(c_double) :: variance  ! of the local energy per site, between configurations
      real(c_double) :: variance_error  ! its standard error
      real(c_double) :: autocorrelation_sweeps  ! integrated time of the energy; 0.5: none; NaN: unknown
      ! 1: a bin is shorter than 20 of these times, or they are unknown; errors may be too small
      integer(c_int32_t) :: bins_are_short
      ! 1: the chains' energies differ by more than they fluctuate (one in a thousand good runs does); some chains are
      ! trapped, and means may be off
      integer(c_int32_t) :: chains_differ
   end type legato_vmc_averages

   ! What an optimisation varies, and how far it goes.
   type, bind(c) :: legato_vmc_optimiser_params
      integer(c_size_t) :: struct_size  ! set by legato_vmc_optimiser_params_init
      integer(c_int32_t) :: free(4)  ! by legato_vmc_parameter, 1: varied; one of them at least. Default 1, 1, 0, 0
      integer(c_int32_t) :: steps  ! at most, 1..1000000. Default 40
      integer(c_int32_t) :: quiet_steps  ! ends after as many quiet steps of the refinement, 1..1000. Default 3
      ! times the sweeps of survey and refinement, its square after a survey that did not tell; 1..1000. Default 4
      integer(c_int32_t) :: refinement
      integer(c_int32_t) :: reserved  ! not used
      real(c_double) :: time  ! in units of 1 / t, 1e-6..1e3. Default 0.2
      real(c_double) :: largest_move  ! of a parameter in one step, 1e-6..1e3; all are shortened alike. Default 0.2
      real(c_double) :: shift  ! relative, of the metric's diagonal, 0..1e3. Default 1e-3
      real(c_double) :: significance  ! gradients within as many standard errors from 0 count as none, 0..100. Default 2
   end type legato_vmc_optimiser_params

   ! Arrays are indexed by legato_vmc_parameter.
   type, bind(c) :: legato_vmc_optimiser_step
      integer(c_size_t) :: struct_size  ! set by the caller
      real(c_double) :: parameters(4)  ! with which the step was run
      real(c_double) :: energy  ! per site
      real(c_double) :: energy_error  ! its standard error
      real(c_double) :: gradient(4)  ! of the energy per site; 0 of parameters that are not free
      real(c_double) :: gradient_error(4)  ! its standard error
      real(c_double) :: gradient_covariance(4, 4)  ! of the gradient's errors
      integer(c_int32_t) :: stage  ! legato_vmc_stage
      integer(c_int32_t) :: reserved  ! not used
   end type legato_vmc_optimiser_step

   ! The optimum where it has converged, from the quiet steps. Errors, covariance, curvature and gain are NaN before.
   ! Errors, covariance and curvature are 0 of parameters that are not free.
   type, bind(c) :: legato_vmc_optimisation
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: status  ! legato_vmc_optimiser_status
      integer(c_int32_t) :: reserved  ! not used
      integer(c_int64_t) :: steps_done  ! finished
      real(c_double) :: parameters(4)  ! where it has not converged the last step's, or the start's
      real(c_double) :: errors(4)  ! standard ones of these: those of the gradients over the curvature
      real(c_double) :: covariance(4, 4)  ! of the errors
      real(c_double) :: curvature(4, 4)  ! second derivatives of the energy per site, of the latest survey
      real(c_double) :: gain  ! of energy per site that the mean gradient of the quiet steps leaves
   end type legato_vmc_optimisation

   interface
      ! legato_vmc_params_init with the size of the struct that the caller knows, for other languages.
      function legato_vmc_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_params_init_sized

      ! Number of sites Ns.
      function legato_vmc_sites(context, params, sites) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), intent(inout) :: sites
         integer(c_int32_t) :: status
      end function legato_vmc_sites

      ! sites (1 - doping) rounded up to an even number of electrons; doping 0..1. Where sites is odd and the doping
      ! less than 1 / sites that is more than there are sites, which legato_vmc_create refuses.
      function legato_vmc_electrons_at(context, params, doping, electrons) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         real(c_double), value :: doping
         integer(c_int32_t), intent(inout) :: electrons
         integer(c_int32_t) :: status
      end function legato_vmc_electrons_at

      ! positions[2 n_sites]: x and y of each site; of a tilted cluster those of the image nearest to the origin.
      ! n_sites: all of them.
      function legato_vmc_positions(context, params, n_sites, positions) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         integer(c_int32_t), intent(inout) :: positions(*)
         integer(c_int32_t) :: status
      end function legato_vmc_positions

      ! neighbours[4 n_sites]: the four of each site in shell 1: (1,0) (0,1) (-1,0) (0,-1), 2: (1,1) (-1,1) (-1,-1)
      ! (1,-1) or 3: (2,0) (0,2) (-2,0) (0,-2); signs[4 n_sites] (may be NULL): -1 where an odd number of antiperiodic
      ! boundaries is crossed, else 1. The first two of all sites name every bond once; of small clusters some
      ! neighbours are the same site, and each counts. n_sites: all of them.
      function legato_vmc_neighbours(context, params, shell, n_sites, neighbours, signs) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: shell
         integer(c_int32_t), value :: n_sites
         integer(c_int32_t), intent(inout) :: neighbours(*)
         real(c_double), intent(inout), optional :: signs(*)
         integer(c_int32_t) :: status
      end function legato_vmc_neighbours

      ! pair_function[n_sites] (may be NULL): phi(r) of the displacement from site 0 to each site's position, infinite
      ! amplitudes left out; *borders (may be NULL): how many functions cos k.r and sin k.r they stand for, by which M
      ! is bordered. LEGATO_INVALID_ARGUMENT where xi_k = Delta_k = 0, whose phi_k is not defined.
      function legato_vmc_pair_function(context, params, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_pair_function

      ! Chooses the backend and finds the chains' first configurations; `params` may be NULL for the defaults.
      ! LEGATO_NUMERICAL_ERROR where none of start_attempts is well conditioned, LEGATO_OUT_OF_MEMORY where not all
      ! chains fit: the message tells how many would.
      function legato_vmc_create(context, params, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_create

      ! With the caller's own phi(r), pair_function[n_pair_function] as of legato_vmc_pair_function: one for each site,
      ! within +-1e100, copied. A singlet has phi(-r) = phi(r); others are taken as they are. divergent_zero 1: phi_k of
      ! k = 0 is infinite, and not in it. gap, variational_t and so on, delta and mu must be valid, but have no effect;
      ! gradients must be 0.
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

      ! Gives it back; NULL is allowed.
      function legato_vmc_destroy(vmc) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_destroy

      ! Runs until all bins are there. `callback` may be NULL; its points are bins, its cycles sweeps of all chains. A
      ! stopped run is taken up again by calling once more. LEGATO_NUMERICAL_ERROR where a matrix has become singular.
      function legato_vmc_run(vmc, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_run

      ! Carries every chain up to `bins` bins further, with the warm-up before the first one; *bins_done (may be NULL)
      ! counts those of each chain.
      function legato_vmc_advance(vmc, bins, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int64_t), value :: bins
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_advance

      ! Carries chains on until `chain` has all of its bins, or until about `seconds` have passed, 0 to 3.2e7, but at
      ! least a little. *bins_done (may be NULL) counts those of the chain. Chains go in their order, by groups that
      ! keep the processors busy, so that those before it are finished; on a GPU all chains are one group. A run that
      ! begins with this call has the same results, bit for bit, as one by legato_vmc_run and legato_vmc_advance, which
      ! refuse to go on with it; until all chains are finished, each has 0 bins for legato_vmc_get_state and for all
      ! results but legato_vmc_bin_means.
      function legato_vmc_reach(vmc, chain, seconds, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain
         real(c_double), value :: seconds
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_reach

      ! What was chosen, how far the run is, and its moves.
      function legato_vmc_get_state(vmc, state) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_vmc_get_state

      ! Averages over all bins so far.
      function legato_vmc_result(vmc, averages) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_averages), intent(inout) :: averages
         integer(c_int32_t) :: status
      end function legato_vmc_result

      ! means[n] of an observable (legato_vmc_observable) in the first n bins of a chain, from 0; n at most what it has
      ! done: bins_done, or what legato_vmc_reach says.
      function legato_vmc_bin_means(vmc, observable, chain, n, means) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: observable
         integer(c_int32_t), value :: chain
         integer(c_int64_t), value :: n
         real(c_double), intent(inout) :: means(*)
         integer(c_int32_t) :: status
      end function legato_vmc_bin_means

      ! Where the electrons of a chain are now: the sites up[n_pairs] and down[n_pairs], n_pairs = electrons / 2.
      function legato_vmc_electron_sites(vmc, chain, n_pairs, up, down) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain
         integer(c_int32_t), value :: n_pairs
         integer(c_int32_t), intent(inout) :: up(*)
         integer(c_int32_t), intent(inout) :: down(*)
         integer(c_int32_t) :: status
      end function legato_vmc_electron_sites

      ! With `correlations` only: S(q) = sum_r cos(q.r) <S^z_i S^z_(i+r)> and N(q) = sum_r cos(q.r) (<n_i n_(i+r)> -
      ! <n>^2) at all wave vectors of the periodic cluster, wave_vectors[2 n_sites], qx and qy of each side by side, in
      ! 0..2 pi. Both are exactly 0 at q = 0. Other standard errors are NaN with a single bin of a single chain, and
      ! where that of the energy is. Each pointer may be NULL.
      function legato_vmc_structure_factors(vmc, n_sites, wave_vectors, spin, spin_error, charge, charge_error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: wave_vectors(*)
         real(c_double), intent(inout), optional :: spin(*)
         real(c_double), intent(inout), optional :: spin_error(*)
         real(c_double), intent(inout), optional :: charge(*)
         real(c_double), intent(inout), optional :: charge_error(*)
         integer(c_int32_t) :: status
      end function legato_vmc_structure_factors

      ! With `pair_correlations` only: of singlet pairs on bonds from a site to its neighbour in direction a, 0 (x) or 1
      ! (y),
      !
      !     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over all sites i,
      !     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2,
      !
      ! so that F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2. f[4 n_sites] and standard errors error[4 n_sites]:
      ! F_ab(r) at (2 a + b) n_sites + r, r the site to which the displacement leads from site 0 (legato_vmc_positions).
      ! A bond through an antiperiodic boundary carries its sign, so that F has the cluster's period. n_sites: all of
      ! them. Errors are NaN with a single bin of a single chain, and where that of the energy is. Each pointer may be
      ! NULL.
      function legato_vmc_pair_correlations(vmc, n_sites, f, error) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: f(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_vmc_pair_correlations

      ! With `gradients` only: of the energy per site by the first n <= 4 parameters (legato_vmc_parameter), gradient[n]
      ! and standard errors error[n], 2 (<E O_a + d_a E> - <E> <O_a>) with O_a = d ln Psi / d parameter a and d_a E the
      ! local energy's derivative, whose mean is 0; and metric[n n], <O_a O_b> - <O_a> <O_b>. All are 0 of parameters
      ! that gradients_by leaves out, and of those on which the state does not depend. Errors take bins as independent:
      ! some tens of sweeps at the least. They are NaN with a single bin of a single chain. Each pointer may be NULL.
      function legato_vmc_gradient(vmc, n, gradient, error, metric) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: gradient(*)
         real(c_double), intent(inout), optional :: error(*)
         real(c_double), intent(inout), optional :: metric(*)
         integer(c_int32_t) :: status
      end function legato_vmc_gradient

      ! Saves the run to an HDF5 file, written beside `path` and renamed, within a bin too.
      function legato_vmc_save(vmc, path) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_save

      ! Resumes a saved run. It goes on with the backend of the saved run, and gives the same bits as an uninterrupted
      ! one. If the context names the other backend, or if this machine lacks the saved one, a warning is logged: the
      ! last digits may differ. A truncated, foreign or newer file is refused.
      function legato_vmc_resume(context, path, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_resume

      ! The parameters in use, for instance after legato_vmc_resume. struct_size is set by the caller, as
      ! legato_vmc_params_init does.
      function legato_vmc_get_params(vmc, params) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_vmc_get_params

      ! The pair function in use, the caller's too: as legato_vmc_pair_function.
      function legato_vmc_get_pair_function(vmc, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_get_pair_function

      ! legato_vmc_optimiser_params_init with the size of the struct that the caller knows, for other languages.
      function legato_vmc_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_params_init_sized

      ! `run` is that of a step, its delta, mu, variational_t_prime and variational_t_double_prime the start; delta is
      ! not 0, and keeps its sign. Its gradients and gradients_by have no effect: they become 1 and `free`. All steps
      ! have the seed of `run`, and random numbers of their own: nothing is shared between steps or between seeds.
      ! `bins` times `chains` of `run` must be 2 at least, for the errors of the gradients. Both may be NULL for the
      ! defaults.
      function legato_vmc_optimiser_create(context, run, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: run
         type(legato_vmc_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_create

      ! Gives it back; NULL is allowed.
      function legato_vmc_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_destroy

      ! Runs until it has converged or all steps are done. `callback` may be NULL; its points are steps, its cycles
      ! sweeps of all chains. A stopped run is taken up again by calling once more. It begins the step under way again.
      ! LEGATO_NUMERICAL_ERROR where a step fails, or its metric is singular; LEGATO_INVALID_ARGUMENT where the
      ! parameters of a step, the start's too, have no pair function, or more infinite amplitudes than pairs. The steps
      ! before stay readable.
      function legato_vmc_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_run

      ! Takes up to `steps` steps further; *steps_done (may be NULL) counts all so far.
      function legato_vmc_optimiser_advance(optimiser, steps, steps_done) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: steps
         integer(c_int64_t), intent(inout), optional :: steps_done
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_advance

      ! Where it stands.
      function legato_vmc_optimiser_result(optimiser, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_result

      ! Step `index`, from 0.
      function legato_vmc_optimiser_get_step(optimiser, index, step) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_vmc_optimiser_step), intent(inout) :: step
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_step

      ! Saves the optimisation to an HDF5 file, written beside `path` and renamed.
      function legato_vmc_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_save

      ! Takes a saved optimisation up again: it takes the same steps as one that was not stopped. One that version 0.1
      ! has saved goes on with that version's random numbers, step i with the seed `seed` + i. A truncated, foreign or
      ! newer file is refused.
      function legato_vmc_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_resume

      ! The parameters in use, for instance after legato_vmc_optimiser_resume. struct_size is set by the caller, as
      ! legato_vmc_optimiser_params_init does. Either pointer may be NULL.
      function legato_vmc_optimiser_get_params(optimiser, run, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_params), intent(inout), optional :: run
         type(legato_vmc_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_params
   end interface
end module legato_c_vmc
