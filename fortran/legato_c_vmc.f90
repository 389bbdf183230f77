! Written by tools/fortran_interfaces.py from capi/include/legato/vmc.h. Change that instead.
module legato_c_vmc
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Kind of cluster.
   enum, bind(c)
      ! L^2 + 1 sites with odd L: the square lattice with the periods (L, 1) and (-1, L)
      enumerator :: LEGATO_VMC_CLUSTER_TILTED = 0
      enumerator :: LEGATO_VMC_CLUSTER_RECTANGULAR = 1  ! a rectangle of Lx x Ly sites
   end enum

   ! Boundary along an axis.
   enum, bind(c)
      enumerator :: LEGATO_VMC_BOUNDARY_PERIODIC = 0  ! a site at the opposite edge is the neighbour
      ! hopping and phi change sign across the boundary; spins do not
      enumerator :: LEGATO_VMC_BOUNDARY_ANTIPERIODIC = 1
   end enum

   ! Gap function.
   enum, bind(c)
      enumerator :: LEGATO_VMC_GAP_A = 0  ! Delta_k = (Delta/2) (cos kx - cos ky)
      enumerator :: LEGATO_VMC_GAP_B = 1  ! Delta_k = Delta (cos kx - cos ky)
   end enum

   ! Observable. Energies are per site, correlations per nearest-neighbour bond.
   enum, bind(c)
      enumerator :: LEGATO_VMC_OBSERVABLE_ENERGY = 0  ! total energy
      enumerator :: LEGATO_VMC_OBSERVABLE_KINETIC_UP = 1  ! kinetic energy of the up electrons
      enumerator :: LEGATO_VMC_OBSERVABLE_KINETIC_DOWN = 2  ! kinetic energy of the down electrons
      enumerator :: LEGATO_VMC_OBSERVABLE_EXCHANGE = 3  ! J (S.S - n n / 4)
      enumerator :: LEGATO_VMC_OBSERVABLE_SPIN_SPIN = 4  ! <S_i.S_j>
      enumerator :: LEGATO_VMC_OBSERVABLE_DENSITY_DENSITY = 5  ! <n_i n_j>
      enumerator :: LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED = 6  ! square of the local energy
   end enum

   ! Number of a parameter of the state. Gradients and metric have this order.
   enum, bind(c)
      enumerator :: LEGATO_VMC_PARAMETER_DELTA = 0  ! delta
      enumerator :: LEGATO_VMC_PARAMETER_MU = 1  ! mu
      enumerator :: LEGATO_VMC_PARAMETER_T_PRIME = 2  ! variational_t_prime
      enumerator :: LEGATO_VMC_PARAMETER_T_DOUBLE_PRIME = 3  ! variational_t_double_prime
   end enum

   ! Kind of the target of an attempt. Counts and rates are given for each kind, in this order.
   enum, bind(c)
      enumerator :: LEGATO_VMC_PROPOSAL_ANY_SITE = 0  ! any site
      enumerator :: LEGATO_VMC_PROPOSAL_NEIGHBOUR = 1  ! one of the four nearest neighbours
   end enum

   ! Parameters of a run. Sites count from 0. In a tilted cluster (x, y) has the number x - L y modulo L^2 + 1, in a
   ! rectangular one x + Lx y.
   type, bind(c) :: legato_vmc_params
      integer(c_size_t) :: struct_size  ! Set by legato_vmc_params_init.
      integer(c_int32_t) :: cluster  ! One of legato_vmc_cluster, default LEGATO_VMC_CLUSTER_TILTED.
      ! Length L, an odd number, used with LEGATO_VMC_CLUSTER_TILTED. Range [3, 63], default 9.
      integer(c_int32_t) :: length
      ! Extents Lx and Ly with at most 4096 sites in all, used with LEGATO_VMC_CLUSTER_RECTANGULAR. Range [3, 1024],
      ! default 8.
      integer(c_int32_t) :: extents(2)
      ! Boundaries in x and y, used with LEGATO_VMC_CLUSTER_RECTANGULAR. One of legato_vmc_boundary, default
      ! LEGATO_VMC_BOUNDARY_PERIODIC.
      integer(c_int32_t) :: boundary(2)
      ! Number of electrons, even and at most the number of sites. Range [2, 4096], default 74.
      integer(c_int32_t) :: electrons
      integer(c_int32_t) :: gap  ! One of legato_vmc_gap, default LEGATO_VMC_GAP_A.
      real(c_double) :: t  ! Hopping t of the Hamiltonian between nearest neighbours. Range [-1e6, 1e6], default 1.
      ! Hopping t' of the Hamiltonian between second neighbours, along diagonals. Range [-1e6, 1e6], default 0.
      real(c_double) :: t_prime
      ! Hopping t'' of the Hamiltonian between third neighbours, two sites along an axis. Range [-1e6, 1e6], default 0.
      real(c_double) :: t_double_prime
      real(c_double) :: j  ! Exchange J of the Hamiltonian. Range [-1e6, 1e6], default 0.3.
      real(c_double) :: variational_t  ! Parameter t of xi_k. Range [-1e6, 1e6], default 1.
      real(c_double) :: variational_t_prime  ! Parameter t' of xi_k. Range [-1e6, 1e6], default 0.
      real(c_double) :: variational_t_double_prime  ! Parameter t'' of xi_k. Range [-1e6, 1e6], default 0.
      real(c_double) :: delta  ! Parameter Delta of Delta_k. Range [-1e6, 1e6], default 1.5.
      real(c_double) :: mu  ! Parameter mu of xi_k. Range [-1e6, 1e6], default 0.
      integer(c_int32_t) :: chains  ! Number of independent chains. Range [1, 1048576], default 16.
      ! Number of attempts per electron in a sweep, null attempts included. Range [1, 100], default 1.
      integer(c_int32_t) :: sweep_factor
      ! Number of sweeps of each chain before its first bin. Range [0, 1099511627776], default 200.
      integer(c_int64_t) :: thermalisation
      integer(c_int64_t) :: bins  ! Number of bins of each chain. Range [1, 1048576], default 20.
      ! Number of sweeps in a bin; a measurement follows each of them. bins times sweeps_per_bin is at most 2^40. Range
      ! [1, 1099511627776], default 100.
      integer(c_int64_t) :: sweeps_per_bin
      ! Share of the attempts whose target is a nearest neighbour of the electron; the target of the others is any site.
      ! Range [0, 1], default 0.5.
      real(c_double) :: neighbour_share
      ! Largest number of sweeps between two recomputations of the inverse of M. Range [1, 1000000], default 20.
      integer(c_int32_t) :: recompute_interval
      ! Largest number of configurations that are tried to find the first one of a chain. Range [1, 1073741824], default
      ! 1000.
      integer(c_int32_t) :: start_attempts
      ! If the updated inverse differs from the recomputed one by more than this (relative), the interval between
      ! recomputations is halved. Range [1e-14, 1], default 1e-6.
      real(c_double) :: drift_bound
      ! Smallest reciprocal condition number, in the 1-norm, that M may have in the first configuration of a chain.
      ! Range [0, 1], default 1e-12.
      real(c_double) :: least_reciprocal_condition
      ! Seed of the random numbers. Runs with different seeds share no random numbers. Any value, default 1.
      integer(c_int64_t) :: seed
      ! 1: measure the correlations at all distances that legato_vmc_structure_factors needs; 0: do not. Range [0, 1],
      ! default 0.
      integer(c_int32_t) :: correlations
      ! 1: measure correlations of singlet pairs on bonds, at all distances; 0: do not. Range [0, 1], default 0.
      integer(c_int32_t) :: pair_correlations
      ! 1: measure the averages that give the gradient of the energy and the metric; 0: do not. If it is 1, delta must
      ! not be 0. Range [0, 1], default 0.
      integer(c_int32_t) :: gradients
      ! Element p is 1: include the derivative with respect to parameter p (legato_vmc_parameter), which costs time; 0:
      ! leave it out. Range [0, 1], default 1.
      integer(c_int32_t) :: gradients_by(4)
      integer(c_int32_t) :: reserved  ! Not used.
   end type legato_vmc_params

   ! The choices of a run, its progress, and the counts of its attempts. The counts include the thermalisation. Counts
   ! and rates are indexed by legato_vmc_proposal. A rate is 0 if its denominator is 0.
   type, bind(c) :: legato_vmc_state
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: backend  ! One of legato_backend.
      integer(c_int32_t) :: sites  ! Number Ns of sites.
      integer(c_int32_t) :: chains  ! Number of chains.
      integer(c_int32_t) :: borders  ! Number of borders of M, rows and columns that represent infinite pair amplitudes.
      ! Number of sweeps of each chain so far, thermalisation included. If legato_vmc_advance_chain advances the chains
      ! in several groups, one group after another, it is 0 until the last group begins.
      integer(c_int64_t) :: sweeps_done
      integer(c_int64_t) :: bins  ! Number of bins of each chain.
      ! Number of finished bins of each chain. If legato_vmc_advance_chain advances the chains in several groups, it is
      ! 0 until all chains are finished.
      integer(c_int64_t) :: bins_done
      ! Current interval between recomputations of the inverses, in sweeps: the shortest interval of all chains.
      integer(c_int64_t) :: recompute_interval
      real(c_double) :: largest_drift  ! Largest relative drift of an inverse before it was recomputed.
      integer(c_int64_t) :: attempts(2)  ! Number of attempts of all chains.
      ! Number of null attempts: the target is the electron's own site, or has an electron of the same spin.
      integer(c_int64_t) :: nulls(2)
      integer(c_int64_t) :: hops(2)  ! Number of attempted hops, to an empty site.
      integer(c_int64_t) :: hops_accepted(2)  ! Number of accepted hops.
      integer(c_int64_t) :: exchanges(2)  ! Number of attempted exchanges with an electron of the other spin.
      integer(c_int64_t) :: exchanges_accepted(2)  ! Number of accepted exchanges.
      real(c_double) :: null_rate(2)  ! nulls / attempts
      real(c_double) :: hop_rate(2)  ! hops_accepted / hops
      real(c_double) :: exchange_rate(2)  ! exchanges_accepted / exchanges
   end type legato_vmc_state

   ! Means over all bins so far, and their standard errors, which account for autocorrelation. If the means of the
   ! chains differ by more than their fluctuations explain, errors follow from the spread between chains.
   !
   ! An error is 0 if the mean is exact, for instance that of the kinetic energy at half filling. An error is NaN if it
   ! is unknown. This is so with a single bin of a single chain, and also if attempts to neighbours are accepted too
   ! rarely. Hops to neighbours and exchanges with neighbours are tested separately. A kind is accepted too rarely if
   ! two conditions hold: fewer than 100 of its attempts have been accepted, and these are less than 1 % of its
   ! attempts. If fewer than 100 of a kind have been attempted, their acceptance is estimated from the current
   ! configurations.
   type, bind(c) :: legato_vmc_averages
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int64_t) :: bins_done  ! Number of finished bins of each chain.
      real(c_double) :: energy  ! Energy per site.
      real(c_double) :: energy_error  ! Its standard error.
      real(c_double) :: kinetic  ! Kinetic energy of both spins.
      real(c_double) :: kinetic_error  ! Its standard error.
      real(c_double) :: kinetic_up  ! Kinetic energy of the up electrons.
      real(c_double) :: kinetic_up_error  ! Its standard error.
      real(c_double) :: kinetic_down  ! Kinetic energy of the down electrons.
      real(c_double) :: kinetic_down_error  ! Its standard error.
      real(c_double) :: exchange  ! Exchange energy J (S.S - n n / 4).
      real(c_double) :: exchange_error  ! Its standard error.
      real(c_double) :: spin_spin  ! <S_i.S_j> of nearest neighbours
      real(c_double) :: spin_spin_error  ! Its standard error.
      real(c_double) :: density_density  ! <n_i n_j> of nearest neighbours
      real(c_double) :: density_density_error  ! Its standard error.
      real(c_double) :: variance  ! Variance of the local energy per site over configurations.
      real(c_double) :: variance_error  ! Its standard error.
      ! Integrated autocorrelation time of the energy in sweeps; 0.5 without correlation, NaN if it is unknown.
      real(c_double) :: autocorrelation_sweeps
      ! 1: a bin is shorter than 20 autocorrelation times, or this time is unknown; errors may be too small. 0: bins are
      ! longer.
      integer(c_int32_t) :: bins_are_short
      ! 1: the mean energies of the chains differ by more than their fluctuations explain. Some chains are trapped, and
      ! means may be wrong. This also occurs by chance, in one of a thousand good runs. 0: they do not differ so much.
      integer(c_int32_t) :: chains_differ
   end type legato_vmc_averages

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_vmc_params_init.
      function legato_vmc_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_params_init_sized

      ! Computes the number of sites Ns.
      function legato_vmc_sites(context, params, sites) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), intent(inout) :: sites
         integer(c_int32_t) :: status
      end function legato_vmc_sites

      ! Computes a number of electrons: sites (1 - doping), rounded up to an even number. Range of doping: [0, 1]. If
      ! the number of sites is odd and the doping less than 1 / sites, the result exceeds the number of sites, and
      ! legato_vmc_create refuses it.
      function legato_vmc_electrons_at(context, params, doping, electrons) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         real(c_double), value :: doping
         integer(c_int32_t), intent(inout) :: electrons
         integer(c_int32_t) :: status
      end function legato_vmc_electrons_at

      ! Computes x and y of each site into positions[2 n_sites]. In a tilted cluster they are the coordinates of the
      ! periodic image that is nearest to the origin. n_sites is the number of all sites.
      function legato_vmc_positions(context, params, n_sites, positions) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         integer(c_int32_t), intent(inout) :: positions(*)
         integer(c_int32_t) :: status
      end function legato_vmc_positions

      ! Computes the four neighbours of each site in a shell into neighbours[4 n_sites]. The steps to them are, in this
      ! order: shell 1: (1,0) (0,1) (-1,0) (0,-1); shell 2: (1,1) (-1,1) (-1,-1) (1,-1); shell 3: (2,0) (0,2) (-2,0)
      ! (0,-2). signs[4 n_sites] is -1 if an odd number of antiperiodic boundaries is crossed, and 1 otherwise. n_sites
      ! is the number of all sites.
      !
      ! The first two neighbours of all sites give every bond once. In small clusters several neighbours are the same
      ! site, and each of them counts.
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

      ! Computes phi(r) into pair_function[n_sites], where r is the displacement from site 0 to each site's position.
      ! The sum over k leaves out infinite amplitudes phi_k. *borders becomes the number of borders that represent them.
      ! A border is a row and a column of M. An infinite amplitude whose wave vector k is equivalent to -k adds one
      ! border, cos k.r. Two different wave vectors k and -k with infinite amplitudes add two borders, cos k.r and sin
      ! k.r. Returns LEGATO_STATUS_INVALID_ARGUMENT if xi_k = Delta_k = 0 for a wave vector, because phi_k is then not
      ! defined.
      function legato_vmc_pair_function(context, params, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_pair_function

      ! Creates a run, chooses the backend and finds the first configurations of the chains. NULL for `params` stands
      ! for the defaults. Returns LEGATO_STATUS_NUMERICAL_ERROR if a chain finds no well-conditioned configuration in
      ! start_attempts attempts. Returns LEGATO_STATUS_OUT_OF_MEMORY if not all chains fit into memory; the message says
      ! how many would fit.
      function legato_vmc_create(context, params, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_create

      ! Creates a run with the caller's own phi(r). pair_function[n_pair_function] has one value in [-1e100, 1e100] for
      ! each site, in the order of legato_vmc_pair_function, and is copied. A singlet has phi(-r) = phi(r), which is not
      ! checked. `divergent_zero` is 1 if phi_k at k = 0 is infinite and not contained in the values, and 0 otherwise.
      ! The parameters gap, variational_t, variational_t_prime, variational_t_double_prime, delta and mu must be valid,
      ! but have no effect. gradients must be 0.
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

      ! Destroys a run; NULL is allowed.
      function legato_vmc_destroy(vmc) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_destroy

      ! Runs until all bins are finished. `callback` may be NULL. It reports bins as points, and sweeps of all chains as
      ! cycles. A stopped run continues with the next call. Returns LEGATO_STATUS_NUMERICAL_ERROR if M has become
      ! singular in a chain.
      function legato_vmc_run(vmc, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_run

      ! Advances each chain by up to `bins` bins. The thermalisation precedes the first bin. *bins_done becomes the
      ! number of finished bins of each chain.
      function legato_vmc_advance(vmc, bins, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int64_t), value :: bins
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_advance

      ! Advances chains until `chain` has finished all of its bins, or until about `seconds` have passed. At least one
      ! batch of sweeps is done. Range of seconds: [0, 3.2e7]. *bins_done becomes the number of finished bins of this
      ! chain.
      !
      ! Chains are divided into groups in their order. A group has as many chains as keep the processors busy; on a GPU
      ! all chains are one group. The chains of a group advance together, and the next group begins when all of them are
      ! finished. The results of a run that begins with this call are bitwise identical to those of legato_vmc_run and
      ! legato_vmc_advance, but these two refuse to continue it. The results of measurements contain only bins that all
      ! chains have finished, except those of legato_vmc_bin_means. bins_done of legato_vmc_get_state counts only these
      ! bins too. With several groups, even these bins count only when all chains have finished all of their bins; until
      ! then bins_done is 0. *bins_done of this function is different: it counts the bins of `chain`.
      function legato_vmc_advance_chain(vmc, chain, seconds, bins_done) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain
         real(c_double), value :: seconds
         integer(c_int64_t), intent(inout), optional :: bins_done
         integer(c_int32_t) :: status
      end function legato_vmc_advance_chain

      ! Reads the choices, the progress and the counts of a run.
      function legato_vmc_get_state(vmc, state) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_vmc_get_state

      ! Reads the averages over all bins so far.
      function legato_vmc_result(vmc, averages) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_averages), intent(inout) :: averages
         integer(c_int32_t) :: status
      end function legato_vmc_result

      ! Reads the means of an observable in the first n bins of a chain, counted from 0, into means[n]. `observable` is
      ! one of legato_vmc_observable. n is at most the number of finished bins of the chain.
      function legato_vmc_bin_means(vmc, observable, chain, n, means) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: observable
         integer(c_int32_t), value :: chain
         integer(c_int64_t), value :: n
         real(c_double), intent(inout) :: means(*)
         integer(c_int32_t) :: status
      end function legato_vmc_bin_means

      ! Reads the current sites of a chain's electrons into up[n_pairs] and down[n_pairs], where n_pairs = electrons /
      ! 2.
      function legato_vmc_electron_sites(vmc, chain, n_pairs, up, down) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: chain
         integer(c_int32_t), value :: n_pairs
         integer(c_int32_t), intent(inout) :: up(*)
         integer(c_int32_t), intent(inout) :: down(*)
         integer(c_int32_t) :: status
      end function legato_vmc_electron_sites

      ! Computes the structure factors at all wave vectors of the periodic cluster. `correlations` must be 1. The
      ! structure factors of spins and of charges are
      !
      !     S(q) = sum_r cos(q.r) <S^z_i S^z_(i+r)>,
      !     N(q) = sum_r cos(q.r) (<n_i n_(i+r)> - <n_i>^2).
      !
      ! n_sites is the number of all sites. wave_vectors[2 n_sites] receives qx and qy, alternating, in [0, 2 pi). S and
      ! N are exactly 0 at q = 0. The standard errors at other q are NaN with a single bin of a single chain, and if the
      ! error of the energy is NaN.
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

      ! Computes the correlations F_ab(r) of singlet pairs on bonds, if `pair_correlations` is 1. Directions a and b are
      ! 0 (x) or 1 (y). The bond of site i in direction a leads to its neighbour i + a:
      !
      !     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over all sites i,
      !     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2,
      !
      ! so that F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2. Element (2 a + b) n_sites + r of f[4 n_sites] and of the
      ! standard errors error[4 n_sites] belongs to F_ab(r). r is the site to which the displacement leads from site 0
      ! (legato_vmc_positions). A pair on a bond through an antiperiodic boundary has the opposite sign, so that F has
      ! the period of the cluster. n_sites is the number of all sites. Errors are NaN with a single bin of a single
      ! chain, and if the error of the energy is NaN.
      function legato_vmc_pair_correlations(vmc, n_sites, f, error) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: f(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_vmc_pair_correlations

      ! Computes the gradient of the energy per site with respect to the first n <= 4 parameters (legato_vmc_parameter),
      ! if `gradients` is 1:
      !
      !     gradient[n] = 2 (<E O_a + d_a E> - <E> <O_a>),    metric[n x n] = <O_a O_b> - <O_a> <O_b>,
      !
      ! with O_a = d ln Psi / d parameter a. d_a E is the derivative of the local energy. The exact mean of d_a E is 0,
      ! but E O_a alone fluctuates strongly near nodes of Psi. error[n] are standard errors. All values are 0 for
      ! parameters that gradients_by leaves out, and for those on which the state does not depend. Errors account for
      ! autocorrelation. They are NaN with a single bin of a single chain, and if the error of the energy is NaN.
      function legato_vmc_gradient(vmc, n, gradient, error, metric) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: gradient(*)
         real(c_double), intent(inout), optional :: error(*)
         real(c_double), intent(inout), optional :: metric(*)
         integer(c_int32_t) :: status
      end function legato_vmc_gradient

      ! Saves the run to an HDF5 file, also within a bin. A temporary file beside `path` is renamed to `path` when it is
      ! complete.
      function legato_vmc_save(vmc, path) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_save

      ! Resumes a saved run on the backend on which it ran. Its results are then bitwise identical to those of an
      ! uninterrupted run. If the context requests the other backend, or if this machine does not have the earlier one,
      ! the run continues on the other backend. A warning then says that the last digits may differ. A file is refused
      ! if it is truncated, if it is not a saved run of this method, or if a newer version has written it.
      function legato_vmc_resume(context, path, vmc) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: vmc
         integer(c_int32_t) :: status
      end function legato_vmc_resume

      ! Reads the parameters in use, for instance after legato_vmc_resume. Before the call, set struct_size to the size
      ! of the struct, directly or by legato_vmc_params_init.
      function legato_vmc_get_params(vmc, params) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         type(legato_vmc_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_vmc_get_params

      ! Reads the pair function in use, in the format of legato_vmc_pair_function. After legato_vmc_create_given it is
      ! the caller's own one.
      function legato_vmc_get_pair_function(vmc, n_sites, pair_function, borders) bind(c) result(status)
         import
         type(c_ptr), value :: vmc
         integer(c_int32_t), value :: n_sites
         real(c_double), intent(inout), optional :: pair_function(*)
         integer(c_int32_t), intent(inout), optional :: borders
         integer(c_int32_t) :: status
      end function legato_vmc_get_pair_function
   end interface
end module legato_c_vmc
