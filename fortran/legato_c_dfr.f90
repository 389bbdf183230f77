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
      enumerator :: LEGATO_DFR_SPHERE = 2  ! uniformly charged
      enumerator :: LEGATO_DFR_GAUSSIAN = 3  ! charge density proportional to exp(-exponent r^2)
   end enum

   ! How an atom stands.
   enum, bind(c)
      enumerator :: LEGATO_DFR_WAITING = 0  ! not begun
      ! what is there so far can be read; its energy is not yet compared with the limit
      enumerator :: LEGATO_DFR_RUNNING = 1
      enumerator :: LEGATO_DFR_CONVERGED = 2  ! both thresholds are met, and the energy is not below its numerical limit
      ! max_iterations came first: energy and spinors are those of the last one. Where rounding is the reason, a warning
      ! has the attainable accuracy
      enumerator :: LEGATO_DFR_NOT_CONVERGED = 3
      ! an iteration gave no number, near linear dependence left fewer functions than shells, or a spinor lies below
      ! -1.9 c^2; no result, and a warning (after ten, one for all others)
      enumerator :: LEGATO_DFR_FAILED = 4
      ! converged, but the energy is below the numerical limit, that of a complete basis: the basis lacks diffuse
      ! functions in species with l = j + 1/2, or functions near the nucleus. The result can be read; a warning tells
      ! both energies
      enumerator :: LEGATO_DFR_COLLAPSED = 5
      ! converged, but the energy of an occupied spinor is positive: the nucleus does not bind so many electrons, and
      ! the result depends on the basis. It can be read; a warning
      enumerator :: LEGATO_DFR_UNBOUND = 6
      ! converged, but the energy in a large basis has not, so that it is not known whether the energy has collapsed.
      ! The result can be read; a warning
      enumerator :: LEGATO_DFR_NOT_COMPARED = 7
   end enum

   ! How an optimisation or a reduction stands.
   enum, bind(c)
      enumerator :: LEGATO_DFR_OPTIMISER_WAITING = 0  ! not begun
      enumerator :: LEGATO_DFR_OPTIMISER_RUNNING = 1  ! what is there so far can be read
      enumerator :: LEGATO_DFR_OPTIMISER_CONVERGED = 2  ! the trust region has shrunk to last_step
      enumerator :: LEGATO_DFR_OPTIMISER_NOT_CONVERGED = 3  ! max_energies came first: the best basis so far can be read
      ! the start has no good energy, or its limit did not converge and stays 0
      enumerator :: LEGATO_DFR_OPTIMISER_FAILED = 4
   end enum

   ! What became of an energy that was tried.
   enum, bind(c)
      enumerator :: LEGATO_DFR_ENERGY_GOOD = 0  ! converged, and not below the limit
      enumerator :: LEGATO_DFR_ENERGY_NOT_CONVERGED = 1  ! the self-consistent field: max_iterations came first
      ! no number, exponents out of range, electrons that are not bound, or no limit
      enumerator :: LEGATO_DFR_ENERGY_FAILED = 2
      enumerator :: LEGATO_DFR_ENERGY_COLLAPSED = 3  ! below the limit
   end enum

   ! What a stage chooses.
   enum, bind(c)
      enumerator :: LEGATO_DFR_STAGE_WHOLE = 0  ! the whole set, of which there is one
      enumerator :: LEGATO_DFR_STAGE_LAST = 1  ! the last function of an l, as small as may be
      enumerator :: LEGATO_DFR_STAGE_FIRST = 2  ! the first one, as large as may be
   end enum

   ! What all atoms of a list share.
   type, bind(c) :: legato_dfr_params
      integer(c_size_t) :: struct_size  ! set by legato_dfr_params_init
      integer(c_int32_t) :: relativistic  ! 0: large components only, T = p^2/2. Default 1
      integer(c_int32_t) :: max_iterations  ! 1..1000000. Default 50
      integer(c_int32_t) :: diis_vectors  ! iterations that are extrapolated from; 1..100, 1: none. Default 10
      integer(c_int32_t) :: reserved  ! not used
      real(c_double) :: speed_of_light  ! 1..1e8. Default 137.03599976
      ! relative change of the energy in the last iteration, 1e-16..1, or what rounding leaves of it if that is more.
      ! Default 1e-12
      real(c_double) :: energy_threshold
      ! largest element of [F, D], hartree, 1e-14..1e6; more if rounding leaves more, and the energy is resolved all the
      ! same. Default 1e-9
      real(c_double) :: gradient_threshold
      ! directions with a smaller eigenvalue of the overlap are left out, 1e-14..0.01. Default 1e-10
      real(c_double) :: dependence_threshold
   end type legato_dfr_params

   ! A nucleus. Of radius and exponent only that of the model is read.
   type, bind(c) :: legato_dfr_nucleus
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: model  ! legato_dfr_nuclear_model
      integer(c_int32_t) :: reserved  ! not used
      real(c_double) :: charge  ! Z
      real(c_double) :: radius  ! of the sphere, bohr; 1e-10..1
      real(c_double) :: exponent  ! of the Gaussian, bohr^-2; 1..1e20
   end type legato_dfr_nucleus

   ! An atom as it stands. Energies in hartree.
   type, bind(c) :: legato_dfr_atom
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: status  ! legato_dfr_atom_status
      integer(c_int32_t) :: iterations  ! done
      real(c_double) :: energy  ! total, without the rest mass
      real(c_double) :: kinetic  ! <c alpha.p>, or <p^2/2>
      real(c_double) :: nuclear  ! attraction by the nucleus
      real(c_double) :: repulsion  ! between the electrons
      ! -(nuclear + repulsion) / kinetic: 1 for a point nucleus in a complete basis, 2 if non-relativistic
      real(c_double) :: virial_ratio
      ! largest element of [F, D], hartree; for a speed of light above 1e4 its elements between large and small
      ! components are divided by twice the speed of light
      real(c_double) :: gradient
      ! the energy in a larger basis with which this one has been compared: if this one lies below, the numerical limit
      ! itself, otherwise an energy between the two. NaN where it has not been compared: without relativity, and before
      ! the end
      real(c_double) :: limit
   end type legato_dfr_atom

   ! What all optimisations of a list share.
   type, bind(c) :: legato_dfr_optimiser_params
      integer(c_size_t) :: struct_size  ! set by legato_dfr_optimiser_params_init
      integer(c_int64_t) :: max_energies  ! of one basis set, 1..1000000. Default 500
      real(c_double) :: first_step  ! radius of the trust region at the start, in ln(parameter), 1e-10..1. Default 0.1
      real(c_double) :: last_step  ! and at the end, 1e-14..first_step. Default 1e-4
   end type legato_dfr_optimiser_params

   ! An optimisation as it stands. Energies in hartree.
   type, bind(c) :: legato_dfr_optimisation
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: status  ! legato_dfr_optimiser_status
      integer(c_int32_t) :: reserved  ! not used
      integer(c_int64_t) :: energies  ! calculated so far
      integer(c_int64_t) :: not_converged  ! of these, those of LEGATO_DFR_ENERGY_NOT_CONVERGED
      integer(c_int64_t) :: failed  ! of LEGATO_DFR_ENERGY_FAILED
      integer(c_int64_t) :: collapsed  ! of LEGATO_DFR_ENERGY_COLLAPSED
      real(c_double) :: start_energy  ! 0 before it is calculated
      real(c_double) :: energy  ! the lowest good one, 0 as long as there is none
      real(c_double) :: limit  ! that of a complete basis; 0 before it is known, and where it cannot be had
   end type legato_dfr_optimisation

   ! What a reduction is to reach.
   type, bind(c) :: legato_dfr_reducer_params
      integer(c_size_t) :: struct_size  ! set by legato_dfr_reducer_params_init
      integer(c_int32_t) :: functions  ! of every l at the start, 1..200. Default 40
      integer(c_int32_t) :: reserved  ! not used
      real(c_double) :: accuracy  ! largest (energy - limit) / |limit|, 1e-12..1. Default 5e-9
      real(c_double) :: limit  ! as of legato_dfr_optimiser_add. Default 0
   end type legato_dfr_reducer_params

   ! A reduction as it stands. Energies in hartree.
   type, bind(c) :: legato_dfr_reduction
      integer(c_size_t) :: struct_size  ! set by the caller
      ! legato_dfr_optimiser_status, FAILED where not even the whole set is within the accuracy
      integer(c_int32_t) :: status
      integer(c_int32_t) :: stages_done  ! finished
      integer(c_int32_t) :: stages  ! in all: 2 (highest l) + 2
      integer(c_int32_t) :: reserved  ! not used
      real(c_double) :: energy  ! after the stages so far, 0 before the first; of the whole set where it failed
      real(c_double) :: limit  ! 0 before it is known
      real(c_double) :: relative_error  ! (energy - limit) / |limit|, 0 before both are known
   end type legato_dfr_reduction

   ! A stage that is done.
   type, bind(c) :: legato_dfr_stage
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: kind  ! legato_dfr_stage_kind
      integer(c_int32_t) :: l  ! angular momentum of the large component, from 0
      integer(c_int32_t) :: chosen  ! first or last function of l, from 1
      integer(c_int32_t) :: reserved  ! not used
      integer(c_int64_t) :: energies  ! calculated, of all ranges together
      real(c_double) :: energy  ! of what was chosen
      real(c_double) :: parameters(4)  ! alpha, beta, delta and gamma with which it has this energy
   end type legato_dfr_stage

   interface
      ! legato_dfr_params_init with the size of the struct that the caller knows, for other languages.
      function legato_dfr_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_params_init_sized

      ! An empty list; `params` may be NULL for the defaults.
      function legato_dfr_create(context, params, dfr) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_create

      ! Gives it back; NULL is allowed.
      function legato_dfr_destroy(dfr) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_destroy

      ! Adds an element (2..86, without 58, 64, 65, 67, 70) in its ground configuration with the built-in well-tempered
      ! basis, which was optimised for non-relativistic energies, and the nucleus of its most common isotope. *index
      ! (may be NULL) is the number of the atom, from 0. Atoms are added before the run begins.
      function legato_dfr_add_element(dfr, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_element

      ! Adds any atom. n_functions[n_species] (0..200 each) and, one species after the other, their exponents
      ! (1e-8..1e20); closed[n_species] closed shells; electrons[n_species], the mean number in the one open shell above
      ! these, 0 for none; n_species in 1..13. pairs[n_species x n_species] (may be NULL where electrons is all 0),
      ! symmetric: the mean number of pairs of electrons of two open shells over that of independent occupations, A_ab =
      ! <q_a q_b> / (q_a q_b) and A_aa = <q_a (q_a - 1)> g_a / [(g_a - 1) q_a^2].
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

      ! Runs until every atom has ended. `callback` may be NULL; its points are atoms, its cycles iterations. A stopped
      ! run is taken up again by calling once more. When all fields have converged, relativistic energies are compared
      ! with their numerical limits, the energies in larger bases: this takes about as long again. The limits are kept,
      ! by nucleus, configuration and speed of light, for the life of the process.
      function legato_dfr_run(dfr, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_run

      ! Carries every atom up to `iterations` iterations further; *finished (may be NULL) counts those that have ended.
      function legato_dfr_advance(dfr, iterations, finished) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: iterations
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_advance

      ! Number of atoms.
      function legato_dfr_size(dfr, atoms) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), intent(inout) :: atoms
         integer(c_int32_t) :: status
      end function legato_dfr_size

      ! Number of species of an atom, and of functions in each: n_functions (may be NULL) has length n_species.
      function legato_dfr_atom_size(dfr, index, n_species, n_functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t) :: status
      end function legato_dfr_atom_size

      ! Atom `index` as it stands.
      function legato_dfr_result(dfr, index, atom) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         type(legato_dfr_atom), intent(inout) :: atom
         integer(c_int32_t) :: status
      end function legato_dfr_result

      ! The lowest n states of positive energy of a species, at most its number of functions, of which near linear
      ! dependence may have taken some: *states (may be NULL) says how many there are, and n is at most that.
      ! energies[n] and occupations[n] (electrons); large and small [n_functions x n] (functions of one state side by
      ! side): coefficients. Each pointer may be NULL.
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

      ! Number of combinations of functions of a species that near linear dependence has taken, those of large and of
      ! small components together.
      function legato_dfr_left_out(dfr, index, species, functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), intent(inout) :: functions
         integer(c_int32_t) :: status
      end function legato_dfr_left_out

      ! <r^power> of a state, in bohr^power; power in -2..10.
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

      ! Radial density 4 pi r^2 rho, in electrons a bohr, at r[n] in 0..1e6 bohr.
      function legato_dfr_radial_density(dfr, index, n, r, density) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: r(*)
         real(c_double), intent(inout) :: density(*)
         integer(c_int32_t) :: status
      end function legato_dfr_radial_density

      ! Well-tempered exponents zeta_1 = alpha, zeta_2 = alpha beta, zeta_k = zeta_(k-1) beta [1 + gamma
      ! (k/count)^delta] (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)); exponents[count], none of
      ! which may exceed 1e20.
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

      ! The average over all distributions of each subshell's electrons over its 4 l + 2 spinors: subshell_n, subshell_l
      ! and subshell_electrons have n_subshells elements (0..100) in any order. Of each l only the highest subshell may
      ! be partly filled. *n_species says up to which species there are electrons; n, the extent of the output arrays,
      ! is at least that and at most 13, or 0 where all of them are NULL. closed[n], electrons[n] and pairs[n x n] are
      ! what legato_dfr_add_atom takes; species from *n_species on are empty.
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

      ! The average over a list of configurations. Below their open shells stand closed[n_species] closed ones;
      ! open_species[n_open] are the species with an open shell, ascending, one each. occupations[n_open x
      ! n_configurations] (those of one configuration side by side) are whole numbers with the same sum in all
      ! configurations; one has the weight prod C(g_a, q_a), the number of its determinants. n_configurations is in
      ! 1..1000000, or may be 0 where n_open is. filled[n_species], the closed shells and those open ones that all
      ! configurations fill, electrons[n_species] and pairs[n_species x n_species] are what legato_dfr_add_atom takes;
      ! `filled` may be `closed`.
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

      ! All ways to put so many electrons into the open shells of open_species[n_open]: the list for
      ! legato_dfr_average_of_list. *n_configurations says how many there are, at most 1000000; occupations[n_open x n]
      ! gets the first n of them, n at most that.
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

      ! The ground configuration of an element (1..118) by experiment, from 104 on as predicted, in the order of
      ! filling: the first n of its *n_subshells, as legato_dfr_average_of_configuration takes them; n at most that.
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

      ! The nucleus of the most abundant isotope of an element (1..118), or of the longest-lived one: of the charge
      ! distribution's mean square radius <r^2> = ((0.836 A^(1/3) + 0.570) fm)^2, radius sqrt(5/3 <r^2>) and exponent
      ! 1.5 / <r^2> (W. R. Johnson and G. Soff, At. Data Nucl. Data Tables 33, 405 (1985)). `nucleus` can be handed to
      ! legato_dfr_add_atom; its struct_size is set by the caller.
      function legato_dfr_element_nucleus(context, element, nuclear_model, nucleus) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         type(legato_dfr_nucleus), intent(inout) :: nucleus
         integer(c_int32_t) :: status
      end function legato_dfr_element_nucleus

      ! The built-in basis of an element (2..86, without 58, 64, 65, 67, 70): parameters[4] are alpha, beta, delta and
      ! gamma of legato_dfr_well_tempered, whose count is *pool. The functions of species s are first[s] (from 1) to
      ! first[s] + n_functions[s] - 1 of that pool; no functions where first[s] is 0. The arrays get the first n of its
      ! *n_species species, n at most that. legato_dfr_add_element takes those in which the ground configuration has
      ! electrons, never more.
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

      ! The exponents of a well-tempered basis: the functions of species s are first[s] (from 1) to first[s] +
      ! n_functions[s] - 1 of the pool of its group (from 0; `group` may be NULL: all of group 0), which ends where the
      ! last of its species does. parameters[4 n_groups] are alpha, beta, delta and gamma, group after group; n_groups
      ! in 1..n_species. exponents[sum of n_functions], one species after the other, are what legato_dfr_add_atom takes.
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

      ! "Xe" of 54; "" of what is no element in 1..118.
      function legato_dfr_symbol(element) bind(c) result(text)
         import
         integer(c_int32_t), value :: element
         type(c_ptr) :: text
      end function legato_dfr_symbol

      ! legato_dfr_optimiser_params_init with the size of the struct that the caller knows, for other languages.
      function legato_dfr_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_params_init_sized

      ! An empty list. `field` is for the self-consistent field of every energy; it and `params` may be NULL for the
      ! defaults.
      function legato_dfr_optimiser_create(context, field, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_create

      ! Gives it back; NULL is allowed.
      function legato_dfr_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_destroy

      ! Adds a basis set and the atom for which it is optimised; at most 1000. The functions of species s are first[s]
      ! (from 1) to first[s] + n_functions[s] - 1 of the pool of exponents of its group (from 0; `group` may be NULL:
      ! all of group 0). A pool ends where the last of its species does. parameters[4 n_groups] to start from are alpha,
      ! beta, delta and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species, closed, electrons and
      ! pairs as of legato_dfr_add_atom. limit: the energy in a complete basis, as precise as results shall be; 0: it is
      ! calculated in a large basis, which is a part of the run; where that does not converge, a warning says so and
      ! this basis set alone has failed. A relativistic energy below the calculated limit has collapsed whatever was
      ! given, and a warning names a limit that is too low. A relativistic point nucleus of a charge beyond 97 needs it
      ! given. *index (may be NULL) is the number of the basis set, from 0. Basis sets are added before the run begins,
      ! and before it is saved.
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

      ! Adds the atom of legato_dfr_add_element, its basis as the start, with the calculated limit.
      function legato_dfr_optimiser_add_element(optimiser, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_element

      ! Runs until every basis set has ended. `callback` may be NULL; its points are basis sets, its cycles energies. A
      ! stopped run is taken up again by calling once more.
      function legato_dfr_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_run

      ! Carries every basis set up to `energies` energies further; *finished (may be NULL) counts those that have ended.
      function legato_dfr_optimiser_advance(optimiser, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: energies
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_advance

      ! Number of basis sets.
      function legato_dfr_optimiser_size(optimiser, count) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_size

      ! Basis set `index` as it stands.
      function legato_dfr_optimiser_result(optimiser, index, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_dfr_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_result

      ! The basis with the lowest good energy, the start as long as there is none, as legato_dfr_optimiser_add takes it:
      ! n_functions, first and group have length *n_species, parameters 4 *n_groups. Each pointer may be NULL.
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

      ! The atom of basis set `index`, its limit as it was given (0: calculated) and its start, as
      ! legato_dfr_optimiser_add takes them: closed and electrons have length *n_species, pairs its square, parameters 4
      ! *n_groups. Each pointer may be NULL; struct_size of `nucleus` is set by the caller.
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

      ! Energies number first (from 0) to first + n - 1 in the order in which they were calculated: energies[n] (0 of a
      ! failed one), kinds[n] (legato_dfr_energy_kind), parameters[4 n_groups x n] (those of one energy side by side).
      ! *total says how many there are. Each pointer may be NULL.
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

      ! Saves the list to an HDF5 file, written beside `path` and renamed.
      function legato_dfr_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_save

      ! Takes a saved list up again: it goes on as if it had not been stopped, with a context of any backend. Nothing
      ! can be added to it. A truncated, foreign or newer file is refused.
      function legato_dfr_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_resume

      ! The parameters in use, for instance after legato_dfr_optimiser_resume. struct_size is set by the caller, as
      ! legato_dfr_optimiser_params_init does. Either pointer may be NULL.
      function legato_dfr_optimiser_get_params(optimiser, field, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_get_params

      ! legato_dfr_reducer_params_init with the size of the struct that the caller knows, for other languages.
      function legato_dfr_reducer_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_reducer_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_params_init_sized

      ! nucleus, n_species, closed, electrons and pairs as of legato_dfr_add_atom; start[4]: alpha, beta, delta and
      ! gamma that the whole set is begun with. field, optimiser_params and params may be NULL for the defaults.
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

      ! Gives it back; NULL is allowed.
      function legato_dfr_reducer_destroy(reducer) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_destroy

      ! Runs until all stages are done. `callback` may be NULL; its points are stages, its cycles energies. A stopped
      ! run is taken up again by calling once more.
      function legato_dfr_reducer_run(reducer, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_run

      ! Carries every range of the stage that is under way, and of those that follow, up to `energies` energies further;
      ! *finished (may be NULL) is 1 at the end, 0 before.
      function legato_dfr_reducer_advance(reducer, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int64_t), value :: energies
         integer(c_int32_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_advance

      ! The reduction as it stands.
      function legato_dfr_reducer_result(reducer, reduction) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_reduction), intent(inout) :: reduction
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_result

      ! What stage `index` (from 0) of those that are done has chosen.
      function legato_dfr_reducer_stage(reducer, index, stage) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), value :: index
         type(legato_dfr_stage), intent(inout) :: stage
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_stage

      ! The basis after the stages so far, as legato_dfr_optimiser_add takes it: n_functions and first have length
      ! *n_species; parameters[4]. Each pointer may be NULL.
      function legato_dfr_reducer_basis(reducer, n_species, n_functions, first, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_basis

      ! The atom, the limit as it was given (0: calculated) and the start, as legato_dfr_reducer_create takes them:
      ! closed and electrons have length *n_species, pairs its square; start[4]. Each pointer may be NULL; struct_size
      ! of `nucleus` is set by the caller.
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

      ! Saves the reduction to an HDF5 file, written beside `path` and renamed.
      function legato_dfr_reducer_save(reducer, path) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_save

      ! Takes a saved reduction up again: it goes on as if it had not been stopped, with a context of any backend. A
      ! truncated, foreign or newer file is refused.
      function legato_dfr_reducer_resume(context, path, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_resume

      ! The parameters in use, for instance after legato_dfr_reducer_resume. struct_size is set by the caller, as
      ! legato_dfr_reducer_params_init does. Each pointer may be NULL.
      function legato_dfr_reducer_get_params(reducer, field, optimiser_params, params) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_get_params

      ! The functions of one atom: n_functions[n_species] and, one species after the other, their exponents, as of
      ! legato_dfr_add_atom; `relativistic` 0: large components only.
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

      ! Gives it back; NULL is allowed.
      function legato_dfr_repulsion_destroy(repulsion) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_destroy

      ! Density d (0..n_densities-1) is sum over its n_spinors[d] spinors a of electrons[d] c_a c_a^T, in species
      ! density_species[d]; `coefficients` has, one density after the other, those of its spinors side by side: the
      ! large components' and then the small components' (order[s] = 2 n_functions[s], or n_functions[s] without small
      ! ones).
      !
      ! Repulsion t (0..n_targets-1) is sum over d of factors[t][d] (J[d] - K[d]) in species target_species[t], a
      ! symmetric matrix of that order; `matrices` takes them one after the other.
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
