! Written by tools/fortran_interfaces.py from capi/include/legato/dfr.h. Change that instead.
module legato_c_dfr
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Charge distribution of the nucleus.
   enum, bind(c)
      enumerator :: LEGATO_DFR_NUCLEAR_MODEL_POINT = 1  ! a point charge
      enumerator :: LEGATO_DFR_NUCLEAR_MODEL_SPHERE = 2  ! a uniformly charged sphere
      enumerator :: LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN = 3  ! a charge density proportional to exp(-exponent r^2)
      ! a charge density proportional to 1 / (1 + exp((r - radius) / a)), where a = skin / (4 ln 3). Since version 0.2
      enumerator :: LEGATO_DFR_NUCLEAR_MODEL_FERMI = 4
   end enum

   ! Small components of the basis. The energy is the minimum over the large components of the maximum over the small
   ! ones (J. D. Talman, Phys. Rev. Lett. 57, 1091 (1986)). It is too low where small components are missing.
   enum, bind(c)
      enumerator :: LEGATO_DFR_KINETIC_BALANCE_RESTRICTED = 0  ! one small component g^S for each large component g^L
      ! more small components, so that the energy does not fall below the limit energy. With n functions, s1/2 and p1/2
      ! get about n/3 more with large exponents, and species with l = j + 1/2 six diffuse ones. These are the last
      ! functions of their species; their large components are not used. The energy minus that with restricted balance
      ! is the collapse of the basis
      enumerator :: LEGATO_DFR_KINETIC_BALANCE_EXTENDED = 1
   end enum

   ! Interaction of the electrons. The terms beyond Coulomb are taken at zero frequency of the exchanged photon. They
   ! belong to the self-consistent field: all energies and spinors contain them.
   enum, bind(c)
      enumerator :: LEGATO_DFR_INTERACTION_COULOMB = 0  ! 1/r12
      enumerator :: LEGATO_DFR_INTERACTION_GAUNT = 1  ! 1/r12 - alpha1.alpha2/r12
      ! 1/r12 - [alpha1.alpha2 + (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), which is Gaunt with retardation
      enumerator :: LEGATO_DFR_INTERACTION_BREIT = 2
   end enum

   ! Status of an atom. The first ten atoms of a list that need a warning get one each. One more warning stands for all
   ! other atoms.
   enum, bind(c)
      enumerator :: LEGATO_DFR_ATOM_STATUS_WAITING = 0  ! not begun
      ! the results so far can be read; the energy has not been compared with the limit energy yet
      enumerator :: LEGATO_DFR_ATOM_STATUS_RUNNING = 1
      ! both thresholds are met, and the energy is not below the limit energy
      enumerator :: LEGATO_DFR_ATOM_STATUS_CONVERGED = 2
      ! max_iterations was reached first; energy and spinors are those of the last iteration. If rounding errors are the
      ! reason, a warning names the attainable accuracy
      enumerator :: LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED = 3
      ! the energy of an iteration is not finite, the energy of a spinor is below -1.9 c^2, or fewer functions than
      ! shells remain because functions were left out for near linear dependence. There is no result; a warning is
      ! logged
      enumerator :: LEGATO_DFR_ATOM_STATUS_FAILED = 4
      ! converged, but the energy is below the limit energy: the basis lacks diffuse functions in species with l = j +
      ! 1/2, or functions near the nucleus. The result can be read; a warning names the energy and the limit energy
      enumerator :: LEGATO_DFR_ATOM_STATUS_COLLAPSED = 5
      ! converged, but the energy of an occupied spinor is positive: the nucleus does not bind so many electrons, and
      ! the result depends on the basis. The result can be read; a warning is logged
      enumerator :: LEGATO_DFR_ATOM_STATUS_UNBOUND = 6
      ! converged, but the energy in a larger basis, for the comparison with the limit energy, has not converged, or the
      ! energy is not a minimum (legato_dfr_add_shells). It is unknown whether the atom has collapsed. The result can be
      ! read; a warning is logged
      enumerator :: LEGATO_DFR_ATOM_STATUS_NOT_COMPARED = 7
   end enum

   ! Determinants that a level is made of. Since version 0.2.
   enum, bind(c)
      ! each shell keeps its electrons; they must be whole numbers
      enumerator :: LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC = 0
      ! the electrons of one n and l are distributed over both j in all ways, if the shells of both j are open; their
      ! sum must be a whole number
      enumerator :: LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC = 1
   end enum

   ! Parameters that all atoms of a list share.
   type, bind(c) :: legato_dfr_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_params_init.
      ! 1: Dirac-Coulomb Hamiltonian, 0: large components only, with T = p^2/2. Range [0, 1], default 1.
      integer(c_int32_t) :: relativistic
      integer(c_int32_t) :: max_iterations  ! Largest number of iterations of an atom. Range [1, 1000000], default 50.
      ! Number of iterations that the extrapolation (DIIS) uses; 1 means no extrapolation. Range [1, 100], default 10.
      integer(c_int32_t) :: diis_vectors
      integer(c_int32_t) :: reserved  ! Not used.
      real(c_double) :: speed_of_light  ! Speed of light c in atomic units. Range [1, 1e8], default 137.03599976.
      ! An atom converges only if the last iteration changes the energy by at most this fraction. If rounding errors
      ! change the energy by more, their size is used instead. Range [1e-16, 1], default 1e-12.
      real(c_double) :: energy_threshold
      ! An atom converges only if no element of the commutator [F, D] of Fock and density matrix exceeds this value, in
      ! hartree. A larger element is accepted if it is a rounding error and the energy is accurate nevertheless. Range
      ! [1e-14, 1e6], default 1e-9.
      real(c_double) :: gradient_threshold
      ! Eigenvectors of the overlap matrix with an eigenvalue below this value are left out. Range [1e-14, 0.01],
      ! default 1e-10.
      real(c_double) :: dependence_threshold
      ! Since version 0.2. One of legato_dfr_kinetic_balance, default LEGATO_DFR_KINETIC_BALANCE_RESTRICTED.
      integer(c_int32_t) :: kinetic_balance
      ! Since version 0.2. Without relativity only LEGATO_DFR_INTERACTION_COULOMB is allowed. One of
      ! legato_dfr_interaction, default LEGATO_DFR_INTERACTION_COULOMB.
      integer(c_int32_t) :: interaction
   end type legato_dfr_params

   ! A nucleus. The caller sets all members that its model uses.
   type, bind(c) :: legato_dfr_nucleus
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: model  ! One of legato_dfr_nuclear_model, no default.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Charge number Z. The charge number of a relativistic point nucleus must be less than the speed of light. Range
      ! [1, 137], no default.
      real(c_double) :: charge
      ! Radius in bohr, used with LEGATO_DFR_NUCLEAR_MODEL_SPHERE and LEGATO_DFR_NUCLEAR_MODEL_FERMI. Range [1e-10, 1],
      ! no default.
      real(c_double) :: radius
      ! Exponent of the Gaussian in bohr^-2, used with LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN. Range [1, 1e20], no default.
      real(c_double) :: exponent
      ! Skin thickness of the Fermi distribution in bohr, used with LEGATO_DFR_NUCLEAR_MODEL_FERMI. It must be 0 with
      ! the other models. The density falls from 90 % to 10 % of its value at the centre over this distance, if the
      ! radius is much larger. Since version 0.2. Range [1e-10, 1], no default.
      real(c_double) :: skin
   end type legato_dfr_nucleus

   ! Current state of an atom. Energies are in hartree.
   type, bind(c) :: legato_dfr_atom
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_dfr_atom_status.
      integer(c_int32_t) :: iterations  ! Number of finished iterations.
      real(c_double) :: energy  ! Total energy without the rest mass.
      real(c_double) :: kinetic  ! Kinetic energy <c alpha.p>, or <p^2/2> without relativity.
      real(c_double) :: nuclear  ! Energy of the attraction by the nucleus.
      real(c_double) :: repulsion  ! Energy of the interaction between the electrons.
      ! -(nuclear + repulsion) / kinetic. For a point nucleus in a complete basis it is 1, or 2 without relativity.
      real(c_double) :: virial_ratio
      ! Largest element of [F, D] in hartree. If the speed of light exceeds 1e4, elements between large and small
      ! components are divided by twice the speed of light.
      real(c_double) :: gradient
      ! Energy in the last of the larger bases with which legato_dfr_run has compared `energy`. If the atom has
      ! collapsed, `limit` is the limit energy. If the atom has converged, `limit` lies between the limit energy and
      ! `energy`. Both statements hold up to a relative error of 5e-11. For a point nucleus beyond Z = 97 this error is
      ! larger, for instance 2e-9 in the hydrogen-like atom with Z = 118. NaN if there was no comparison: without
      ! relativity, before the end, and if the energy is not a minimum (legato_dfr_add_shells).
      real(c_double) :: limit
   end type legato_dfr_atom

   ! Energies beyond the Dirac-Coulomb Hamiltonian to first order, in hartree: mean values with the spinors of an atom.
   ! Since version 0.2.
   type, bind(c) :: legato_dfr_correction_energies
      integer(c_size_t) :: struct_size  ! Set by the caller.
      real(c_double) :: gaunt  ! Mean value of -alpha1.alpha2/r12.
      ! Mean value of the frequency-independent Breit interaction, -[alpha1.alpha2 + (alpha1.r12)(alpha2.r12)/r12^2]/(2
      ! r12).
      real(c_double) :: breit
      ! Vacuum polarisation by the nucleus: mean value of the Uehling potential, with the charge distribution of the
      ! nucleus (L. W. Fullerton and G. A. Rinker, Phys. Rev. A 13, 1283 (1976)). The fine-structure constant is 1 /
      ! speed_of_light.
      real(c_double) :: uehling
   end type legato_dfr_correction_energies

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_dfr_params_init.
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

      ! Adds an element in the average of its ground configuration, with the nucleus of its most abundant isotope and
      ! the basis set of the library "legato-5e-9" (legato_dfr_basis_sets_library). With a Gaussian nucleus its energy
      ! is within 5e-9 (relative) of the limit energy. Range of element: [1, 118]. *index becomes the number of the
      ! atom, counted from 0. Atoms are added before the run begins.
      function legato_dfr_add_element(dfr, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_element

      ! Adds an element with the basis set of any library of legato_dfr_basis_sets_library, such as "legato-1e-6" or
      ! "hennessey". NULL for `basis` stands for "legato-5e-9". The library must have a set for the element. The first
      ! atom of a library reads its file; later ones do not. Since version 0.2.
      function legato_dfr_add_element_with_basis(dfr, element, nuclear_model, basis, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         character(kind=c_char), intent(in), optional :: basis(*)
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_element_with_basis

      ! Adds any atom. Range of n_species: [1, 13]. n_functions[n_species] are the numbers of functions of the species,
      ! 0 to 200 each. `exponents` holds their exponents, one species after the other, each in [1e-8, 1e20].
      ! closed[n_species] are the numbers of closed shells. A species has at most one open shell, above the closed ones.
      ! electrons[n_species] are the mean numbers of electrons in the open shells, or 0 if a species has none.
      !
      ! pairs[n_species x n_species] is symmetric. It holds the mean number of pairs of electrons in two open shells,
      ! divided by that of independent occupations: A_ab = <n_a n_b> / (q_a q_b) and A_aa = <n_a (n_a - 1)> g_a / [(g_a
      ! - 1) q_a^2]. Here n_a is the number of electrons in the open shell of species a, q_a = <n_a> is electrons[a],
      ! and g_a = 2 j + 1 is the number of its spinors. pairs may be NULL if all electrons are 0.
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

      ! Adds any atom whose configuration is given shell by shell. There may be holes, empty shells below others, and
      ! several open shells of a species. nucleus, n_species, n_functions and exponents are those of
      ! legato_dfr_add_atom. Entry i of the list has shell_electrons[i] electrons in the shells with n = shell_n[i] and
      ! l = shell_l[i]. shell_twice_j[i] is 2 l - 1 or 2 l + 1, or 0 if the electrons are distributed over both j; NULL
      ! stands for 0 in all entries. The entries come in any order. Shells that are not listed are empty. The energy is
      ! the average over all distributions of the electrons of each entry over its spinors.
      !
      ! An atom with holes, or with several open shells of a species, is stationary, but its energy is in general not a
      ! minimum. It is not compared with a limit energy, and ends as LEGATO_DFR_ATOM_STATUS_NOT_COMPARED;
      ! LEGATO_DFR_KINETIC_BALANCE_EXTENDED prevents collapse, so that it ends as LEGATO_DFR_ATOM_STATUS_CONVERGED.
      ! State k of a species, counted from 0, is its shell with n = l + 1 + k. Since version 0.2.
      function legato_dfr_add_shells(dfr, nucleus, n_species, n_functions, exponents, n_shells, shell_n, shell_l, &
         shell_twice_j, shell_electrons, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         integer(c_int32_t), value :: n_shells
         integer(c_int32_t), intent(in) :: shell_n(*)
         integer(c_int32_t), intent(in) :: shell_l(*)
         integer(c_int32_t), intent(in), optional :: shell_twice_j(*)
         integer(c_int32_t), intent(in) :: shell_electrons(*)
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_shells

      ! Runs until all atoms have ended. `callback` may be NULL. It reports atoms as points and iterations as cycles. A
      ! stopped run continues with the next call.
      !
      ! When the iterations of all atoms have converged, the relativistic energy of each atom is compared with its
      ! energies in larger bases. If necessary, the bases become so large that the limit energy is reached. The
      ! comparison takes about as long as the iterations. The energies in larger bases are kept until the process ends,
      ! for each nucleus, configuration, interaction and speed of light.
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
      ! With LEGATO_DFR_KINETIC_BALANCE_EXTENDED it includes the additional functions.
      function legato_dfr_atom_size(dfr, index, n_species, n_functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t) :: status
      end function legato_dfr_atom_size

      ! Reads the exponents of a species, in the order of the coefficients of legato_dfr_spinors. `exponents` has as
      ! many elements as legato_dfr_atom_size gives functions. Range of species: [0, *n_species - 1]. Since version 0.2.
      function legato_dfr_exponents(dfr, index, species, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_exponents

      ! Reads the current state of atom `index`.
      function legato_dfr_result(dfr, index, atom) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         type(legato_dfr_atom), intent(inout) :: atom
         integer(c_int32_t) :: status
      end function legato_dfr_result

      ! Reads the n lowest electron states of a species; the states of the negative continuum are not counted. The
      ! results are energies[n], occupations[n] in electrons, and the coefficients large[n_functions x n] and
      ! small[n_functions x n], in which the functions of one state are adjacent. Without relativity `small` must be
      ! NULL. *states becomes the number of all electron states; n must not exceed this number. It is less than the
      ! number of functions if some were left out because of near linear dependence, or if the large components of some
      ! are not used.
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

      ! Reads the number of eigenvectors of the overlap matrix that were left out because of near linear dependence. The
      ! number is the sum for the large and the small component of a species.
      function legato_dfr_left_out(dfr, index, species, functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), intent(inout) :: functions
         integer(c_int32_t) :: status
      end function legato_dfr_left_out

      ! Computes the energies of atom `index` to first order. An energy is NaN if it is unknown: without relativity,
      ! before the atom has ended, and if it has failed. With an interaction other than LEGATO_DFR_INTERACTION_COULOMB
      ! the spinors contain the interaction, so that the mean values differ from the first order. Gaunt and Breit take
      ! about as long as two iterations on the CPU. The Uehling potential of a nucleus of finite size takes about 0.2 s
      ! on one thread. Since version 0.2.
      function legato_dfr_corrections(dfr, index, energies) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         type(legato_dfr_correction_energies), intent(inout) :: energies
         integer(c_int32_t) :: status
      end function legato_dfr_corrections

      ! Computes the levels of an atom that has converged, to first order with the spinors of the average. The Coulomb
      ! interaction is diagonalised between the determinants of the open shells; `space` is one of
      ! legato_dfr_level_space. *levels becomes the number of levels, and *parity 1 or -1. twice_j[n] receives 2 J, and
      ! energies[n] the energies minus the average energy in hartree, both in the order of energy; n must not exceed
      ! *levels. Limits: 64 spinors in the open shells, and 2000 determinants with the smallest |M|. The interaction of
      ! the list must be LEGATO_DFR_INTERACTION_COULOMB. Since version 0.2.
      function legato_dfr_levels(dfr, index, space, n, levels, parity, twice_j, energies) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: space
         integer(c_int64_t), value :: n
         integer(c_int64_t), intent(inout), optional :: levels
         integer(c_int32_t), intent(inout), optional :: parity
         integer(c_int32_t), intent(inout), optional :: twice_j(*)
         real(c_double), intent(inout), optional :: energies(*)
         integer(c_int32_t) :: status
      end function legato_dfr_levels

      ! Computes <r^power> of an electron state, in bohr^power. States count from 0 in the order of legato_dfr_spinors.
      ! Range of power: [-2, 10].
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

      ! Computes the radial functions P and Q of an electron state, in bohr^(-1/2), at r[n]. The arguments `species` and
      ! `state` are those of legato_dfr_radial_moment. The spinor is (1/r) [P chi_(kappa,m), i Q chi_(-kappa,m)], and
      ! int (P^2 + Q^2) dr = 1. Without potential Q is (dP/dr + kappa P/r) / (2 c) in the limit of small energies (I. P.
      ! Grant, Adv. Phys. 19, 747 (1970)). P is positive in its innermost lobe, which begins where |P| first exceeds
      ! 1e-6 of its maximum. The coefficients of legato_dfr_spinors give the same functions up to a common sign.
      ! large[n] receives P, and small[n] receives Q. Without relativity `small` must be NULL. Range of r: [0, 1e6]
      ! bohr. Since version 0.2.
      function legato_dfr_radial_functions(dfr, index, species, state, n, r, large, small) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), value :: state
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: r(*)
         real(c_double), intent(inout), optional :: large(*)
         real(c_double), intent(inout), optional :: small(*)
         integer(c_int32_t) :: status
      end function legato_dfr_radial_functions

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

      ! Writes the nuclei, configurations, exponents, spinors, energies and occupations of all atoms into the HDF5 file
      ! `path`; docs/dfr.md describes its entries. An older file is replaced when the new one is complete. The run must
      ! have begun. Atoms without a result have no spinors in the file. If the context has several ranks, all of them
      ! call this function, and rank 0 writes. Since version 0.2.
      function legato_dfr_write_vectors(dfr, path) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_write_vectors

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
   end interface
end module legato_c_dfr
