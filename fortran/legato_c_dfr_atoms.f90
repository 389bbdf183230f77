! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_atoms.h. Change that instead.
module legato_c_dfr_atoms
   use legato_c_dfr
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! How the exponents zeta_1, ..., zeta_K of a group follow from its parameters.
   enum, bind(c)
      enumerator :: LEGATO_DFR_GROUP_FORM_WELL_TEMPERED = 0  ! alpha, beta, delta and gamma of legato_dfr_well_tempered
      enumerator :: LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED = 1  ! alpha and beta: zeta_k = alpha beta^(k-1)
      enumerator :: LEGATO_DFR_GROUP_FORM_FREE = 2  ! the parameters are the K exponents
   end enum

   interface
      ! Computes the average of a configuration. In each subshell, the average is over all distributions of its
      ! electrons over its 4 l + 2 spinors. subshell_n, subshell_l and subshell_electrons are the principal quantum
      ! numbers, the angular momenta and the numbers of electrons of n_subshells subshells in any order. Range of
      ! n_subshells: [0, 100]. For each l only the highest subshell may be partly filled.
      !
      ! *n_species becomes the number of species up to the last one with electrons. closed[n], electrons[n] and pairs[n
      ! x n] receive values that can be passed to legato_dfr_add_atom as the arguments with the same names. Species from
      ! *n_species on have no electrons. Range of n: [*n_species, 13], or 0 if all three are NULL.
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
      ! occupations[n_open x n_configurations] are whole numbers; those of one configuration are adjacent. Their sum is
      ! the same in all configurations. A configuration has the weight prod C(g_a, q_a), the number of its determinants.
      ! The product is over the open shells a, C is a binomial coefficient, q_a the number of electrons and g_a = 2 j +
      ! 1 the number of spinors of shell a. Range of n_configurations: [1, 1000000], or 0 if n_open is 0.
      !
      ! filled[n_species], electrons[n_species] and pairs[n_species x n_species] receive the arguments `closed`,
      ! `electrons` and `pairs` of legato_dfr_add_atom. `filled` counts the closed shells, and the open shells that are
      ! full in all configurations. `filled` and `closed` may be the same array.
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

      ! Computes all distributions of `electrons` electrons over the open shells of open_species[n_open], as a list for
      ! legato_dfr_average_of_list. *n_configurations becomes the number of distributions, at most 1000000.
      ! occupations[n_open x n] receives the first n of them, n <= *n_configurations.
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

      ! Reads the ground configuration of an element: the experimental one, but from element 104 on the predicted one.
      ! Range of element: [1, 118]. *n_subshells becomes the number of its subshells. The arrays receive the first n <=
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
      ! + 0.570) fm)^2, where A is the mass number. The radius of the sphere is sqrt(5/3 <r^2>), and the exponent of the
      ! Gaussian is 1.5 / <r^2> (W. R. Johnson and G. Soff, At. Data Nucl. Data Tables 33, 405 (1985)). The skin of the
      ! Fermi distribution is 2.30 fm, and its radius follows from <r^2>. Hydrogen has no Fermi distribution, because a
      ! skin of 2.30 fm alone makes it larger. `nucleus` can be passed to legato_dfr_add_atom. The caller sets its
      ! struct_size before the call.
      function legato_dfr_element_nucleus(context, element, nuclear_model, nucleus) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         type(legato_dfr_nucleus), intent(inout) :: nucleus
         integer(c_int32_t) :: status
      end function legato_dfr_element_nucleus

      ! Reads the parameters of a set of the library "hennessey", which were optimised for non-relativistic energies.
      ! Range of element: [2, 86] without 58, 64, 65, 67 and 70. Each call reads the file of the library, on rank 0 if
      ! the context has several ranks. All species take their exponents from one pool of well-tempered exponents.
      ! legato_dfr_well_tempered computes this pool with count = *pool and with the alpha, beta, delta and gamma that
      ! parameters[4] receives. The functions of species s are number first[s] (from 1) to first[s] + n_functions[s] - 1
      ! of the pool; if first[s] is 0, there are none.
      !
      ! *n_species becomes the number of species, and the arrays receive the first n <= *n_species of them.
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
      ! species s are number first[s] (from 1) to first[s] + n_functions[s] - 1 of the pool of its group. The number of
      ! exponents in a pool is the largest first[s] + n_functions[s] - 1 in its group. group[s] is the number of the
      ! group, from 0; NULL for `group` puts all species into group 0. parameters[4 n_groups] are alpha, beta, delta and
      ! gamma, group after group. Range of n_groups: [1, n_species].
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

      ! Computes the exponents of a basis with groups of any form, as legato_dfr_well_tempered_basis does.
      ! forms[n_groups] has elements of legato_dfr_group_form. `parameters` has the parameters of all groups, group
      ! after group: 4 for a well-tempered group, 2 for an even-tempered one, and for a free one the exponents of its
      ! pool. Range of free exponents: [1e-8, 1e20]. Since version 0.2.
      function legato_dfr_grouped_basis(context, n_species, n_functions, first, group, n_groups, forms, parameters, &
         exponents) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         integer(c_int32_t), intent(in) :: first(*)
         integer(c_int32_t), intent(in), optional :: group(*)
         integer(c_int32_t), value :: n_groups
         integer(c_int32_t), intent(in) :: forms(*)
         real(c_double), intent(in) :: parameters(*)
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_grouped_basis

      ! Computes the exponents of an even-tempered basis whose energy has about the relative error `error`, against the
      ! limit energy. Range of error: [1e-12, 1e-5]. The differences between the energies in bases for several errors
      ! estimate the error of the limit energy. Of `params`, which may be NULL, relativity and the speed of light are
      ! used. Range of n_species: [1, 13]. closed[n_species] and electrons[n_species] are those of legato_dfr_add_atom.
      !
      ! n_functions[n_species] receives the numbers of functions, 0 for species without electrons. `exponents` receives
      ! the exponents, one species after the other, ascending, as legato_dfr_add_atom takes them. Its size is the sum of
      ! n_functions; a first call with NULL for `exponents` reads these. *cut_off becomes an upper bound of the relative
      ! error of the energy that arises because no exponent may exceed 1e20. It is 0 if no larger exponent is needed. A
      ! relativistic point nucleus needs larger ones beyond Z = 97 with error = 1e-11. Since version 0.2.
      function legato_dfr_large_basis(context, params, nucleus, n_species, closed, electrons, error, n_functions, &
         exponents, cut_off) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: params
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), value :: error
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         real(c_double), intent(inout), optional :: exponents(*)
         real(c_double), intent(inout), optional :: cut_off
         integer(c_int32_t) :: status
      end function legato_dfr_large_basis

      ! Returns the symbol of an element, such as "Xe" for 54, and "" if there is no such element. Range of element: [1,
      ! 118].
      function legato_dfr_symbol(element) bind(c) result(text)
         import
         integer(c_int32_t), value :: element
         type(c_ptr) :: text
      end function legato_dfr_symbol
   end interface
end module legato_c_dfr_atoms
