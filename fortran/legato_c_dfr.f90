! Written by tools/fortran_interfaces.py from capi/include/legato/dfr.h and capi/include/legato/dfr_atoms.h and
! capi/include/legato/dfr_optimiser.h and capi/include/legato/dfr_reducer.h and capi/include/legato/dfr_steps.h. Change
! these instead.
module legato_c_dfr
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Charge distribution of the nucleus.
   enum, bind(c)
      enumerator :: LEGATO_DFR_POINT = 1  ! a point charge
      enumerator :: LEGATO_DFR_SPHERE = 2  ! a uniformly charged sphere
      enumerator :: LEGATO_DFR_GAUSSIAN = 3  ! a charge density proportional to exp(-exponent r^2)
   end enum

   ! Status of an atom.
   enum, bind(c)
      enumerator :: LEGATO_DFR_WAITING = 0  ! not begun
      ! the results so far can be read; the energy has not been compared with the limit energy yet
      enumerator :: LEGATO_DFR_RUNNING = 1
      enumerator :: LEGATO_DFR_CONVERGED = 2  ! both thresholds are met, and the energy is not below the limit energy
      ! max_iterations was reached first; energy and spinors are those of the last iteration. If rounding is the reason,
      ! a warning names the attainable accuracy
      enumerator :: LEGATO_DFR_NOT_CONVERGED = 3
      ! an iteration gave no number, near linear dependence left fewer functions than shells, or a spinor lies below
      ! -1.9 c^2. There is no result, and a warning is logged; after ten warnings, one for all other atoms
      enumerator :: LEGATO_DFR_FAILED = 4
      ! converged, but the energy is below the limit energy: the basis lacks diffuse functions in species with l = j +
      ! 1/2, or functions near the nucleus. The result can be read; a warning names both energies
      enumerator :: LEGATO_DFR_COLLAPSED = 5
      ! converged, but the energy of an occupied spinor is positive: the nucleus does not bind so many electrons, and
      ! the result depends on the basis. It can be read; a warning is logged
      enumerator :: LEGATO_DFR_UNBOUND = 6
      ! converged, but the energy in a large basis has not converged, so that it is unknown whether the energy has
      ! collapsed. The result can be read; a warning is logged
      enumerator :: LEGATO_DFR_NOT_COMPARED = 7
   end enum

   ! Status of an optimisation or a reduction.
   enum, bind(c)
      enumerator :: LEGATO_DFR_OPTIMISER_WAITING = 0  ! not begun
      enumerator :: LEGATO_DFR_OPTIMISER_RUNNING = 1  ! the results so far can be read
      enumerator :: LEGATO_DFR_OPTIMISER_CONVERGED = 2  ! the trust region has shrunk to last_step
      ! max_energies was reached first, or NLopt failed; the best basis so far can be read
      enumerator :: LEGATO_DFR_OPTIMISER_NOT_CONVERGED = 3
      ! the start has no good energy, or the calculation of the limit energy has not converged
      enumerator :: LEGATO_DFR_OPTIMISER_FAILED = 4
   end enum

   ! Kind of an energy that was tried.
   enum, bind(c)
      enumerator :: LEGATO_DFR_ENERGY_GOOD = 0  ! converged, and not below the limit energy
      enumerator :: LEGATO_DFR_ENERGY_NOT_CONVERGED = 1  ! the self-consistent field reached max_iterations first
      ! no number, exponents out of range, electrons that are not bound, or an unknown limit energy
      enumerator :: LEGATO_DFR_ENERGY_FAILED = 2
      enumerator :: LEGATO_DFR_ENERGY_COLLAPSED = 3  ! below the limit energy
   end enum

   ! Kind of a stage, by what it chooses.
   enum, bind(c)
      enumerator :: LEGATO_DFR_STAGE_WHOLE = 0  ! the whole set is optimised; there is one such stage
      enumerator :: LEGATO_DFR_STAGE_LAST = 1  ! the last function of an l gets the smallest number possible
      enumerator :: LEGATO_DFR_STAGE_FIRST = 2  ! the first function of an l gets the largest number possible
   end enum

   ! Parameters that all atoms of a list share.
   type, bind(c) :: legato_dfr_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_params_init.
      ! 1: Dirac-Coulomb Hamiltonian, 0: large components only, with T = p^2/2. Range [0, 1], default 1.
      integer(c_int32_t) :: relativistic
      integer(c_int32_t) :: max_iterations  ! Largest number of iterations of an atom. Range [1, 1000000], default 50.
      ! Number of iterations that the extrapolation (DIIS) uses; 1 disables it. Range [1, 100], default 10.
      integer(c_int32_t) :: diis_vectors
      integer(c_int32_t) :: reserved  ! Not used.
      real(c_double) :: speed_of_light  ! Speed of light c in atomic units. Range [1, 1e8], default 137.03599976.
      ! Largest relative change of the energy in the last iteration. If rounding errors change the energy by more, they
      ! replace this threshold. Range [1e-16, 1], default 1e-12.
      real(c_double) :: energy_threshold
      ! Largest element of the commutator [F, D] of Fock and density matrix, in hartree. It may be larger if rounding
      ! errors are larger and the energy is nevertheless resolved. Range [1e-14, 1e6], default 1e-9.
      real(c_double) :: gradient_threshold
      ! Smallest eigenvalue of the overlap matrix; directions with a smaller one are left out. Range [1e-14, 0.01],
      ! default 1e-10.
      real(c_double) :: dependence_threshold
   end type legato_dfr_params

   ! A nucleus. The caller sets all members that its model uses.
   type, bind(c) :: legato_dfr_nucleus
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: model  ! One of legato_dfr_nuclear_model, no default.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Charge number Z. That of a relativistic point nucleus must be less than the speed of light. Range [1, 137], no
      ! default.
      real(c_double) :: charge
      ! Radius of the sphere in bohr, used with LEGATO_DFR_SPHERE. Range [1e-10, 1], no default.
      real(c_double) :: radius
      ! Exponent of the Gaussian in bohr^-2, used with LEGATO_DFR_GAUSSIAN. Range [1, 1e20], no default.
      real(c_double) :: exponent
   end type legato_dfr_nucleus

   ! Current state of an atom. Energies are in hartree.
   type, bind(c) :: legato_dfr_atom
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_dfr_atom_status.
      integer(c_int32_t) :: iterations  ! Number of finished iterations.
      real(c_double) :: energy  ! Total energy without the rest mass.
      real(c_double) :: kinetic  ! Kinetic energy <c alpha.p>, or <p^2/2> without relativity.
      real(c_double) :: nuclear  ! Energy of the attraction by the nucleus.
      real(c_double) :: repulsion  ! Energy of the repulsion between the electrons.
      ! -(nuclear + repulsion) / kinetic. In a complete basis it is 1 for a point nucleus, 2 without relativity.
      real(c_double) :: virial_ratio
      ! Largest element of [F, D] in hartree. If the speed of light exceeds 1e4, elements between large and small
      ! components are divided by twice the speed of light.
      real(c_double) :: gradient
      ! Energy in the last basis of the comparison. If the atom has collapsed, it is the limit energy; if it has not, it
      ! is at most `energy` and not below the limit energy, to 5e-11. NaN if there was no comparison: without
      ! relativity, and before the end.
      real(c_double) :: limit
   end type legato_dfr_atom

   ! Parameters that all optimisations of a list share.
   type, bind(c) :: legato_dfr_optimiser_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_optimiser_params_init.
      integer(c_int64_t) :: max_energies  ! Largest number of energies of a basis set. Range [1, 1000000], default 500.
      ! Radius of the trust region at the start, in ln(parameter). Range [1e-10, 1], default 0.1.
      real(c_double) :: first_step
      ! Radius of the trust region at the end, in ln(parameter). It is at most first_step. Range [1e-14, 1], default
      ! 1e-4.
      real(c_double) :: last_step
   end type legato_dfr_optimiser_params

   ! Current state of an optimisation. Energies are in hartree.
   type, bind(c) :: legato_dfr_optimisation
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_dfr_optimiser_status.
      integer(c_int32_t) :: reserved  ! Not used.
      integer(c_int64_t) :: energies  ! Number of energies so far.
      integer(c_int64_t) :: not_converged  ! Number of energies of kind LEGATO_DFR_ENERGY_NOT_CONVERGED.
      integer(c_int64_t) :: failed  ! Number of energies of kind LEGATO_DFR_ENERGY_FAILED.
      integer(c_int64_t) :: collapsed  ! Number of energies of kind LEGATO_DFR_ENERGY_COLLAPSED.
      real(c_double) :: start_energy  ! Energy of the start; 0 before it is calculated, and if it has failed.
      real(c_double) :: energy  ! Lowest good energy; 0 as long as there is none.
      ! Limit energy, that of a complete basis; 0 if it is not known yet or cannot be calculated.
      real(c_double) :: limit
   end type legato_dfr_optimisation

   ! Parameters of a reduction.
   type, bind(c) :: legato_dfr_reducer_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_reducer_params_init.
      integer(c_int32_t) :: functions  ! Number of functions of every l at the start. Range [1, 200], default 40.
      integer(c_int32_t) :: reserved  ! Not used.
      real(c_double) :: accuracy  ! Largest (energy - limit) / |limit|. Range [1e-12, 1], default 5e-9.
      ! Limit energy in hartree, as in legato_dfr_optimiser_add; 0 calculates it. Range [-1e9, 0], default 0.
      real(c_double) :: limit
   end type legato_dfr_reducer_params

   ! Current state of a reduction. Energies are in hartree.
   type, bind(c) :: legato_dfr_reduction
      integer(c_size_t) :: struct_size  ! Set by the caller.
      ! One of legato_dfr_optimiser_status; LEGATO_DFR_OPTIMISER_FAILED if not even the whole set is within the
      ! accuracy.
      integer(c_int32_t) :: status
      integer(c_int32_t) :: stages_done  ! Number of finished stages.
      integer(c_int32_t) :: stages  ! Number of all stages, 2 (highest l) + 2.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Energy after the stages so far, 0 before the first; that of the whole set if the reduction has failed.
      real(c_double) :: energy
      real(c_double) :: limit  ! Limit energy, 0 before it is known.
      real(c_double) :: relative_error  ! (energy - limit) / |limit|, 0 before both are known.
   end type legato_dfr_reduction

   ! A finished stage.
   type, bind(c) :: legato_dfr_stage
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: kind  ! One of legato_dfr_stage_kind.
      integer(c_int32_t) :: l  ! Angular momentum of the large component, from 0.
      integer(c_int32_t) :: chosen  ! Number of the first or last function of l, from 1.
      integer(c_int32_t) :: reserved  ! Not used.
      integer(c_int64_t) :: energies  ! Number of energies of all choices together.
      real(c_double) :: energy  ! Energy of the chosen basis in hartree.
      ! Parameters alpha, beta, delta and gamma with which the chosen basis has this energy.
      real(c_double) :: parameters(4)
   end type legato_dfr_stage

   interface
      ! Fills in the defaults of a struct of struct_size bytes. Other languages call it; C has legato_dfr_params_init.
      function legato_dfr_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_params_init_sized

      ! Creates an empty list of atoms; NULL for `params` stands for the defaults.
      function legato_dfr_create(context, params, dfr) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_create

      ! Destroys a list; NULL is allowed.
      function legato_dfr_destroy(dfr) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_destroy

      ! Adds an element in its ground configuration, with the nucleus of its most abundant isotope and the built-in
      ! well-tempered basis, which was optimised for non-relativistic energies. Range of element: [2, 86] without 58,
      ! 64, 65, 67 and 70. *index becomes the number of the atom, counted from 0. Atoms are added before the run begins.
      function legato_dfr_add_element(dfr, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_element

      ! Adds any atom. Range of n_species: [1, 13]. n_functions[n_species] are the numbers of functions of the species,
      ! 0 to 200 each. `exponents` holds their exponents, one species after the other, each in [1e-8, 1e20].
      ! closed[n_species] are the numbers of closed shells. electrons[n_species] are the mean numbers of electrons in
      ! the one open shell above the closed ones, 0 if there is none.
      !
      ! pairs[n_species x n_species] is symmetric. It holds the mean number of pairs of electrons in two open shells,
      ! divided by that of independent occupations: A_ab = <q_a q_b> / (q_a q_b) and A_aa = <q_a (q_a - 1)> g_a / [(g_a
      ! - 1) q_a^2]. It may be NULL if all electrons are 0.
      function legato_dfr_add_atom(dfr, nucleus, n_species, n_functions, exponents, closed, electrons, pairs, &
         index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in), optional :: pairs(*)
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_atom

      ! Runs until all atoms have ended. `callback` may be NULL. It reports atoms as points and iterations as cycles. A
      ! stopped run continues with the next call.
      !
      ! When all fields have converged, relativistic energies are compared with the energies in larger bases, down to
      ! the limit energy. This takes about as long again. The process keeps these energies, by nucleus, configuration
      ! and speed of light, until it ends.
      function legato_dfr_run(dfr, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_run

      ! Performs up to `iterations` more iterations of each atom. *finished becomes the number of atoms that have ended.
      function legato_dfr_advance(dfr, iterations, finished) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: iterations
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_advance

      ! Reads the number of atoms.
      function legato_dfr_size(dfr, atoms) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), intent(inout) :: atoms
         integer(c_int32_t) :: status
      end function legato_dfr_size

      ! Reads the number of species of an atom, and the number of functions of each species into n_functions[n_species].
      function legato_dfr_atom_size(dfr, index, n_species, n_functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t) :: status
      end function legato_dfr_atom_size

      ! Reads the current state of atom `index`.
      function legato_dfr_result(dfr, index, atom) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         type(legato_dfr_atom), intent(inout) :: atom
         integer(c_int32_t) :: status
      end function legato_dfr_result

      ! Reads the lowest n positive-energy states of a species: energies[n], occupations[n] in electrons, and the
      ! coefficients large[n_functions x n] and small[n_functions x n], in which the functions of one state are
      ! adjacent. Without relativity `small` must be NULL. *states becomes the number of these states, which is the
      ! largest n. It is less than the number of functions if near linear dependence has left some out.
      function legato_dfr_spinors(dfr, index, species, n, states, energies, occupations, large, small) bind(c) &
         result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: states
         real(c_double), intent(inout), optional :: energies(*)
         real(c_double), intent(inout), optional :: occupations(*)
         real(c_double), intent(inout), optional :: large(*)
         real(c_double), intent(inout), optional :: small(*)
         integer(c_int32_t) :: status
      end function legato_dfr_spinors

      ! Reads the number of combinations of functions of a species that near linear dependence has left out, those of
      ! large and small components together.
      function legato_dfr_left_out(dfr, index, species, functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), intent(inout) :: functions
         integer(c_int32_t) :: status
      end function legato_dfr_left_out

      ! Computes <r^power> of a state, in bohr^power. Range of power: [-2, 10].
      function legato_dfr_radial_moment(dfr, index, species, state, power, value) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), value :: state
         integer(c_int32_t), value :: power
         real(c_double), intent(inout) :: value
         integer(c_int32_t) :: status
      end function legato_dfr_radial_moment

      ! Computes the radial density 4 pi r^2 rho, in electrons per bohr, at r[n]. Range of r: [0, 1e6] bohr.
      function legato_dfr_radial_density(dfr, index, n, r, density) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: r(*)
         real(c_double), intent(inout) :: density(*)
         integer(c_int32_t) :: status
      end function legato_dfr_radial_density

      ! Computes well-tempered exponents into exponents[count],
      !
      !     zeta_1 = alpha,  zeta_2 = alpha beta,  zeta_k = zeta_(k-1) beta [1 + gamma (k/count)^delta]
      !
      ! (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)). Range of count: [1, 200], of alpha: [1e-8,
      ! 1e20], of beta: [1, 1e3], of delta and gamma: [0, 1e3]. No exponent may exceed 1e20.
      function legato_dfr_well_tempered(context, alpha, beta, delta, gamma, count, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: context
         real(c_double), value :: alpha
         real(c_double), value :: beta
         real(c_double), value :: delta
         real(c_double), value :: gamma
         integer(c_int32_t), value :: count
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_well_tempered

      ! Computes the average over all distributions of each subshell's electrons over its 4 l + 2 spinors. subshell_n,
      ! subshell_l and subshell_electrons have n_subshells elements in any order. Range of n_subshells: [0, 100]. For
      ! each l only the highest subshell may be partly filled.
      !
      ! *n_species becomes the number of species up to the last one with electrons. closed[n], electrons[n] and pairs[n
      ! x n] are arguments of legato_dfr_add_atom; species from *n_species on are empty. Range of n: [*n_species, 13],
      ! or 0 if all three are NULL.
      function legato_dfr_average_of_configuration(context, n_subshells, subshell_n, subshell_l, &
         subshell_electrons, n, n_species, closed, electrons, pairs) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_subshells
         integer(c_int32_t), intent(in) :: subshell_n(*)
         integer(c_int32_t), intent(in) :: subshell_l(*)
         integer(c_int32_t), intent(in) :: subshell_electrons(*)
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         integer(c_int32_t) :: status
      end function legato_dfr_average_of_configuration

      ! Computes the average over a list of configurations. closed[n_species] are the closed shells below the open ones.
      ! open_species[n_open] are the species with an open shell, in ascending order, one open shell each.
      ! occupations[n_open x n_configurations] are whole numbers, adjacent for one configuration, with the same sum in
      ! all configurations. A configuration has the weight prod C(g_a, q_a), the number of its determinants. Range of
      ! n_configurations: [1, 1000000], or 0 if n_open is 0.
      !
      ! filled[n_species], electrons[n_species] and pairs[n_species x n_species] are arguments of legato_dfr_add_atom.
      ! `filled` counts the closed shells and those open ones that all configurations fill. It may be the same array as
      ! `closed`.
      function legato_dfr_average_of_list(context, n_species, closed, n_open, open_species, n_configurations, &
         occupations, filled, electrons, pairs) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: closed(*)
         integer(c_int32_t), value :: n_open
         integer(c_int32_t), intent(in) :: open_species(*)
         integer(c_int64_t), value :: n_configurations
         real(c_double), intent(in) :: occupations(*)
         integer(c_int32_t), intent(inout), optional :: filled(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         integer(c_int32_t) :: status
      end function legato_dfr_average_of_list

      ! Computes all ways to distribute so many electrons over the open shells of open_species[n_open]: the list for
      ! legato_dfr_average_of_list. *n_configurations becomes their number, at most 1000000. occupations[n_open x n]
      ! receives the first n of them, n <= *n_configurations.
      function legato_dfr_all_distributions(context, n_open, open_species, electrons, n, n_configurations, &
         occupations) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_open
         integer(c_int32_t), intent(in) :: open_species(*)
         integer(c_int32_t), value :: electrons
         integer(c_int64_t), value :: n
         integer(c_int64_t), intent(inout), optional :: n_configurations
         real(c_double), intent(inout), optional :: occupations(*)
         integer(c_int32_t) :: status
      end function legato_dfr_all_distributions

      ! Reads the ground configuration of an element: the experimental one, from 104 on the predicted one. Range of
      ! element: [1, 118]. *n_subshells becomes the number of its subshells. The arrays receive the first n <=
      ! *n_subshells of them in the order of filling, as legato_dfr_average_of_configuration takes them.
      function legato_dfr_ground_configuration(context, element, n, n_subshells, subshell_n, subshell_l, &
         subshell_electrons) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_subshells
         integer(c_int32_t), intent(inout), optional :: subshell_n(*)
         integer(c_int32_t), intent(inout), optional :: subshell_l(*)
         integer(c_int32_t), intent(inout), optional :: subshell_electrons(*)
         integer(c_int32_t) :: status
      end function legato_dfr_ground_configuration

      ! Reads the nucleus of the most abundant isotope of an element, or of the longest-lived one if none is found in
      ! nature. Range of element: [1, 118]. The mean square radius of the charge distribution is <r^2> = ((0.836 A^(1/3)
      ! + 0.570) fm)^2, the radius is sqrt(5/3 <r^2>), and the exponent 1.5 / <r^2> (W. R. Johnson and G. Soff, At. Data
      ! Nucl. Data Tables 33, 405 (1985)). `nucleus` is an argument of legato_dfr_add_atom. The caller sets its
      ! struct_size.
      function legato_dfr_element_nucleus(context, element, nuclear_model, nucleus) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         type(legato_dfr_nucleus), intent(inout) :: nucleus
         integer(c_int32_t) :: status
      end function legato_dfr_element_nucleus

      ! Reads the built-in basis of an element. Range of element: [2, 86] without 58, 64, 65, 67 and 70. parameters[4]
      ! are alpha, beta, delta and gamma of legato_dfr_well_tempered, and *pool is its count. The functions of species s
      ! are number first[s] (from 1) to first[s] + n_functions[s] - 1 of this pool; if first[s] is 0, there are none.
      !
      ! *n_species becomes the number of species, and the arrays receive the first n <= *n_species of them.
      ! legato_dfr_add_element takes only the species in which the ground configuration has electrons.
      function legato_dfr_library_basis(context, element, parameters, pool, n, n_species, n_functions, first) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t), intent(inout), optional :: pool
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         integer(c_int32_t) :: status
      end function legato_dfr_library_basis

      ! Computes the exponents of a well-tempered basis. Each group of species has a pool of exponents. The functions of
      ! species s are number first[s] (from 1) to first[s] + n_functions[s] - 1 of the pool of its group. A pool ends
      ! with the last function of its species. group[s] is the number of the group, from 0; NULL for `group` puts all
      ! species into group 0. parameters[4 n_groups] are alpha, beta, delta and gamma, group after group. Range of
      ! n_groups: [1, n_species].
      !
      ! `exponents` receives the exponents, one species after the other, as legato_dfr_add_atom takes them. Its size is
      ! the sum of n_functions.
      function legato_dfr_well_tempered_basis(context, n_species, n_functions, first, group, n_groups, parameters, &
         exponents) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         integer(c_int32_t), intent(in) :: first(*)
         integer(c_int32_t), intent(in), optional :: group(*)
         integer(c_int32_t), value :: n_groups
         real(c_double), intent(in) :: parameters(*)
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_well_tempered_basis

      ! Returns the symbol of an element, such as "Xe" for 54, and "" if there is no such element. Range of element: [1,
      ! 118].
      function legato_dfr_symbol(element) bind(c) result(text)
         import
         integer(c_int32_t), value :: element
         type(c_ptr) :: text
      end function legato_dfr_symbol

      ! Fills in the defaults of a struct of struct_size bytes. Other languages call it; C has
      ! legato_dfr_optimiser_params_init.
      function legato_dfr_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_params_init_sized

      ! Creates an empty list. `field` are the parameters of the self-consistent field of every energy. NULL for `field`
      ! or `params` stands for the defaults.
      function legato_dfr_optimiser_create(context, field, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_create

      ! Destroys a list; NULL is allowed.
      function legato_dfr_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_destroy

      ! Adds a basis set and the atom for which it is optimised. A list has at most 1000 basis sets. *index becomes the
      ! number of the basis set, counted from 0. Basis sets are added before the run begins, and before it is saved.
      !
      ! n_functions, first, group and n_groups are as in legato_dfr_well_tempered_basis: the functions of species s are
      ! number first[s] (from 1) to first[s] + n_functions[s] - 1 of the pool of its group. parameters[4 n_groups] are
      ! the start: alpha, beta, delta and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species,
      ! closed, electrons and pairs are as in legato_dfr_add_atom.
      !
      ! `limit` is the limit energy. Range of limit: [-1e9, 0]. A value other than 0 must be as precise as the results
      ! need. With 0 the run calculates the energy in a large basis. If this does not converge, a warning is logged, and
      ! only this basis set fails. A relativistic point nucleus of a charge beyond 97 needs a value other than 0. A
      ! value below the calculated limit energy of a relativistic atom is too low: a warning names it, and energies
      ! below the calculated one have collapsed.
      function legato_dfr_optimiser_add(optimiser, nucleus, n_species, n_functions, first, group, n_groups, &
         parameters, closed, electrons, pairs, limit, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         integer(c_int32_t), intent(in) :: first(*)
         integer(c_int32_t), intent(in), optional :: group(*)
         integer(c_int32_t), value :: n_groups
         real(c_double), intent(in) :: parameters(*)
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in), optional :: pairs(*)
         real(c_double), value :: limit
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add

      ! Adds the atom of legato_dfr_add_element. Its basis is the start, and the limit energy is calculated.
      function legato_dfr_optimiser_add_element(optimiser, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_element

      ! Runs until all basis sets have ended. `callback` may be NULL. It reports basis sets as points and energies as
      ! cycles. A stopped run continues with the next call.
      function legato_dfr_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_run

      ! Calculates up to `energies` more energies of each basis set. *finished becomes the number of basis sets that
      ! have ended.
      function legato_dfr_optimiser_advance(optimiser, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: energies
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_advance

      ! Reads the number of basis sets.
      function legato_dfr_optimiser_size(optimiser, count) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_size

      ! Reads the current state of basis set `index`.
      function legato_dfr_optimiser_result(optimiser, index, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_dfr_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_result

      ! Reads the basis with the lowest good energy, or the start if there is none yet, as legato_dfr_optimiser_add
      ! takes it. n_functions, first and group have length *n_species, parameters has length 4 *n_groups.
      function legato_dfr_optimiser_basis(optimiser, index, n_species, n_groups, n_functions, first, group, &
         parameters) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_groups
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         integer(c_int32_t), intent(inout), optional :: group(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_basis

      ! Reads the atom of basis set `index`, the limit that was given (0 if it is calculated) and the start, as
      ! legato_dfr_optimiser_add takes them. closed and electrons have length *n_species, pairs its square, parameters
      ! has length 4 *n_groups. The caller sets the struct_size of `nucleus`.
      function legato_dfr_optimiser_atom(optimiser, index, nucleus, n_species, n_groups, closed, electrons, pairs, &
         limit, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_groups
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         real(c_double), intent(inout), optional :: limit
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_atom

      ! Reads energies number first (from 0) to first + n - 1 in the order in which they were calculated: energies[n], 0
      ! if failed; kinds[n], each one of legato_dfr_energy_kind; parameters[4 n_groups x n], adjacent for one energy.
      ! *total becomes the number of all energies so far.
      function legato_dfr_optimiser_history(optimiser, index, first, n, total, energies, kinds, parameters) bind(c) &
         result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: n
         integer(c_int64_t), intent(inout), optional :: total
         real(c_double), intent(inout), optional :: energies(*)
         integer(c_int32_t), intent(inout), optional :: kinds(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_history

      ! Saves the list to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
      function legato_dfr_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_save

      ! Resumes a saved list, with a context of any backend. It takes the same steps as an uninterrupted run. Nothing
      ! can be added to it. A truncated, foreign or newer file is refused.
      function legato_dfr_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_resume

      ! Reads the parameters in use, for instance after legato_dfr_optimiser_resume. The caller sets struct_size, as
      ! legato_dfr_optimiser_params_init does.
      function legato_dfr_optimiser_get_params(optimiser, field, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_get_params

      ! Fills in the defaults of a struct of struct_size bytes. Other languages call it; C has
      ! legato_dfr_reducer_params_init.
      function legato_dfr_reducer_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_reducer_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_params_init_sized

      ! Creates a reduction. nucleus, n_species, closed, electrons and pairs are as in legato_dfr_add_atom. start[4] are
      ! alpha, beta, delta and gamma with which the optimisation of the whole set begins. NULL for `field`,
      ! `optimiser_params` or `params` stands for the defaults.
      function legato_dfr_reducer_create(context, field, optimiser_params, params, nucleus, n_species, closed, &
         electrons, pairs, start, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_optimiser_params), intent(in), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(in), optional :: params
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in), optional :: pairs(*)
         real(c_double), intent(in) :: start(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_create

      ! Destroys a reduction; NULL is allowed.
      function legato_dfr_reducer_destroy(reducer) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_destroy

      ! Runs until all stages are finished. `callback` may be NULL. It reports stages as points and energies as cycles.
      ! A stopped run continues with the next call.
      function legato_dfr_reducer_run(reducer, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_run

      ! Calculates up to `energies` more energies of each choice of the current stage; the next stages follow if it
      ! ends. *finished becomes 1 if the reduction has ended, and 0 otherwise.
      function legato_dfr_reducer_advance(reducer, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int64_t), value :: energies
         integer(c_int32_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_advance

      ! Reads the current state of the reduction.
      function legato_dfr_reducer_result(reducer, reduction) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_reduction), intent(inout) :: reduction
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_result

      ! Reads the result of finished stage `index`, counted from 0.
      function legato_dfr_reducer_stage(reducer, index, stage) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), value :: index
         type(legato_dfr_stage), intent(inout) :: stage
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_stage

      ! Reads the basis after the stages so far, as legato_dfr_optimiser_add takes it. n_functions and first have length
      ! *n_species, parameters has length 4.
      function legato_dfr_reducer_basis(reducer, n_species, n_functions, first, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_basis

      ! Reads the atom, the limit that was given (0 if it is calculated) and the start, as legato_dfr_reducer_create
      ! takes them. closed and electrons have length *n_species, pairs its square, start has length 4. The caller sets
      ! the struct_size of `nucleus`.
      function legato_dfr_reducer_atom(reducer, nucleus, n_species, closed, electrons, pairs, limit, start) bind(c) &
         result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         real(c_double), intent(inout), optional :: limit
         real(c_double), intent(inout), optional :: start(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_atom

      ! Saves the reduction to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
      function legato_dfr_reducer_save(reducer, path) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_save

      ! Resumes a saved reduction, with a context of any backend. It takes the same steps as an uninterrupted one. A
      ! truncated, foreign or newer file is refused.
      function legato_dfr_reducer_resume(context, path, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_resume

      ! Reads the parameters in use, for instance after legato_dfr_reducer_resume. The caller sets struct_size, as
      ! legato_dfr_reducer_params_init does.
      function legato_dfr_reducer_get_params(reducer, field, optimiser_params, params) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_get_params

      ! Creates the object from the functions of one atom. n_species, n_functions[n_species] and exponents are as in
      ! legato_dfr_add_atom. `relativistic` is 1, or 0 for large components only.
      function legato_dfr_repulsion_create(context, relativistic, n_species, n_functions, exponents, repulsion) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: relativistic
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         type(c_ptr), intent(out) :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_create

      ! Destroys the object; NULL is allowed.
      function legato_dfr_repulsion_destroy(repulsion) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_destroy

      ! Computes mean repulsions of densities. Range of n_densities and n_targets: [1, 1000].
      !
      ! Density d, counted from 0, is the sum over its n_spinors[d] spinors a of electrons[d] c_a c_a^T in species
      ! density_species[d]. `coefficients` holds one density after the other, and in it one spinor after the other: its
      ! coefficients of the large components, then those of the small components. These are order[s] = 2 n_functions[s]
      ! numbers, or n_functions[s] without relativity.
      !
      ! Repulsion t, counted from 0, is the sum over d of factors[t][d] (J[d] - K[d]) in species target_species[t]. J[d]
      ! is the Coulomb matrix and K[d] the exchange matrix of density d. The repulsion is a symmetric matrix of that
      ! species' order. `matrices` receives one after the other.
      function legato_dfr_repulsion_apply(repulsion, n_densities, density_species, n_spinors, electrons, &
         coefficients, n_targets, target_species, factors, matrices) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t), value :: n_densities
         integer(c_int32_t), intent(in) :: density_species(*)
         integer(c_int32_t), intent(in) :: n_spinors(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in) :: coefficients(*)
         integer(c_int32_t), value :: n_targets
         integer(c_int32_t), intent(in) :: target_species(*)
         real(c_double), intent(in) :: factors(*)
         real(c_double), intent(inout) :: matrices(*)
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_apply
   end interface
end module legato_c_dfr
