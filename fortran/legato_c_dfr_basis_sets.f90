! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_basis_sets.h. Change that instead.
module legato_c_dfr_basis_sets
   use legato_c_dfr
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Formats of files. None of them has a place for functions of one j.
   enum, bind(c)
      enumerator :: LEGATO_DFR_BASIS_FORMAT_BSE_JSON = 0  ! JSON of the Basis Set Exchange, schema "minimal"
      ! BASIS directive of NWChem. Functions are spherical unless the directive says CARTESIAN
      enumerator :: LEGATO_DFR_BASIS_FORMAT_NWCHEM = 1
      ! Gaussian. Each function of a shell becomes a shell of its own, without coefficients that are 0
      enumerator :: LEGATO_DFR_BASIS_FORMAT_GAUSSIAN94 = 2
      ! library file of DIRAC or Dalton. The functions of an l become one shell; those of an uncontracted l remain
      ! primitives
      enumerator :: LEGATO_DFR_BASIS_FORMAT_DIRAC = 3
   end enum

   ! How spinors become contracted functions.
   enum, bind(c)
      ! one function for each occupied spinor: its large component, normalised to 1. The shells of p, d, ... belong to
      ! one j. They can be read by legato_dfr_basis_sets_shell, but no file format holds them
      enumerator :: LEGATO_DFR_CONTRACTION_J_ADAPTED = 0
      ! one function for each n and l: the mean of the large components of both j, with the weights 2 j + 1, normalised
      ! to 1. Both j must have the same exponents and the same number of occupied spinors
      enumerator :: LEGATO_DFR_CONTRACTION_L_AVERAGED = 1
   end enum

   interface
      ! Creates an empty list.
      function legato_dfr_basis_sets_create(context, sets) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(c_ptr), intent(out) :: sets
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_create

      ! Creates a list with the sets of a file, in the order of the elements. `format` is one of
      ! legato_dfr_basis_format. An error in the file gives LEGATO_STATUS_BAD_FILE and a message with the line or the
      ! JSON path. Effective core potentials, and Cartesian functions with l > 1, are errors. Range of exponents: [1e-8,
      ! 1e20]; of l: [0, 6]. A species has at most 200 exponents.
      function legato_dfr_basis_sets_read(context, path, format, sets) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t), value :: format
         type(c_ptr), intent(out) :: sets
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_read

      ! Creates a list with the sets of a library. Libraries are files NAME.json in these folders: those of the
      ! environment variable LEGATO_BASIS_PATH, separated by colons; share/legato/basis in the prefix where liblegato
      ! is, or the program if it is linked statically; and the folder into which liblegato was configured to be
      ! installed. If two folders have the same name, the first one counts. If largest_error is 0, the file is
      ! NAME.json. Otherwise it is NAME-ERROR.json, for example legato-5e-9.json, with the largest error not above
      ! largest_error. Range of largest_error: [0, 1]. If there is no such library, the message names the folders and
      ! the libraries in them.
      !
      ! The libraries "legato-1e-5", "legato-1e-6", "legato-1e-7" and "legato-5e-9" have relativistic sets for the
      ! elements 1 to 118; the number is the largest relative error of the energy with a Gaussian nucleus. The library
      ! "hennessey" has the sets of legato_dfr_library_basis.
      function legato_dfr_basis_sets_library(context, name, largest_error, sets) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: name(*)
         real(c_double), value :: largest_error
         type(c_ptr), intent(out) :: sets
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_library

      ! Destroys a list; NULL is allowed.
      function legato_dfr_basis_sets_destroy(sets) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_destroy

      ! Adds an uncontracted set for an element that has none yet. Range of element: [1, 118]. n_species,
      ! n_functions[n_species] and `exponents` are those of legato_dfr_add_atom; no species has an exponent twice. Both
      ! j of an l share their functions if they have the same exponents in the same order; otherwise no file format
      ! holds the set.
      function legato_dfr_basis_sets_add(sets, element, n_species, n_functions, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_add

      ! Adds a set that is contracted by the spinors of atom `index` of a list of atoms. The atom has converged, and the
      ! charge number of its nucleus is the number of an element that has no set yet. `contraction` is one of
      ! legato_dfr_contraction. The `primitives` functions with the smallest exponents in each l or species with
      ! electrons are added as functions of their own. Range of primitives: [0, 200].
      function legato_dfr_basis_sets_add_contracted(sets, dfr, index, contraction, primitives) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: contraction
         integer(c_int32_t), value :: primitives
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_add_contracted

      ! Writes all sets to a file. `format` is one of legato_dfr_basis_format. The texts `name` and `description` are
      ! stored in the file. An older file is replaced when the new one is complete. If several ranks share the context,
      ! one of them calls this function.
      function legato_dfr_basis_sets_write(sets, path, format, name, description) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t), value :: format
         character(kind=c_char), intent(in), optional :: name(*)
         character(kind=c_char), intent(in), optional :: description(*)
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_write

      ! Reads the number of sets.
      function legato_dfr_basis_sets_size(sets, count) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_size

      ! Reads the element of set `index`, counted from 0.
      function legato_dfr_basis_sets_element(sets, index, element) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout) :: element
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_element

      ! Finds the set of an element. If there is none, the message names the elements that have one. Range of element:
      ! [1, 118].
      function legato_dfr_basis_sets_find(sets, element, index) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int32_t), value :: element
         integer(c_int64_t), intent(inout) :: index
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_find

      ! Reads the primitive functions of set `index` as legato_dfr_add_atom takes them: *n_species up to the last
      ! species with functions, n_functions[n_species], and the exponents, one species after the other, in the order in
      ! which the shells first use them.
      function legato_dfr_basis_sets_exponents(sets, index, n_species, n_functions, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         real(c_double), intent(inout), optional :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_exponents

      ! Reads the primitive functions of set `index` in the first n species, as legato_dfr_optimiser_add_groups takes
      ! them: as the start of an optimisation. Range of n: [1, 13]. There is one group if all species have consecutive
      ! exponents of the same list. Otherwise each l has a group, or each species if both j have different exponents. A
      ! group has the first of these forms that it can have: LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED from 3 exponents on,
      ! LEGATO_DFR_GROUP_FORM_WELL_TEMPERED from 4 on, LEGATO_DFR_GROUP_FORM_FREE. The parameters of a tempered group
      ! give its exponents within 1e-12 (relative).
      !
      ! n_functions, first and group have length n, forms has length *n_groups, and parameters has length *n_parameters.
      ! Since version 0.2.
      function legato_dfr_basis_sets_groups(sets, index, n, n_groups, n_parameters, n_functions, first, group, &
         forms, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_groups
         integer(c_int32_t), intent(inout), optional :: n_parameters
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         integer(c_int32_t), intent(inout), optional :: group(*)
         integer(c_int32_t), intent(inout), optional :: forms(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_groups

      ! Reads the number of shells of set `index`.
      function legato_dfr_basis_sets_shells(sets, index, shells) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout) :: shells
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_shells

      ! Reads shell `shell` of set `index`: its l; twice its j, or 0 if it belongs to both j; exponents[n_exponents] and
      ! coefficients[n_exponents x n_functions], in which those of one function are adjacent. Range of shell: [0,
      ! *shells - 1].
      function legato_dfr_basis_sets_shell(sets, index, shell, l, twice_j, n_exponents, n_functions, exponents, &
         coefficients) bind(c) result(status)
         import
         type(c_ptr), value :: sets
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: shell
         integer(c_int32_t), intent(inout), optional :: l
         integer(c_int32_t), intent(inout), optional :: twice_j
         integer(c_int32_t), intent(inout), optional :: n_exponents
         integer(c_int32_t), intent(inout), optional :: n_functions
         real(c_double), intent(inout), optional :: exponents(*)
         real(c_double), intent(inout), optional :: coefficients(*)
         integer(c_int32_t) :: status
      end function legato_dfr_basis_sets_shell
   end interface
end module legato_c_dfr_basis_sets
