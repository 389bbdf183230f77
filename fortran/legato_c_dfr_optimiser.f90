! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_optimiser.h. Change that instead.
module legato_c_dfr_optimiser
   use legato_c_dfr_atoms
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Status of an optimisation or a reduction.
   enum, bind(c)
      enumerator :: LEGATO_DFR_OPTIMISER_STATUS_WAITING = 0  ! not begun
      enumerator :: LEGATO_DFR_OPTIMISER_STATUS_RUNNING = 1  ! the results so far can be read
      ! the trust region has shrunk to last_step, or the last step has lowered the energy by at most energy_tolerance
      enumerator :: LEGATO_DFR_OPTIMISER_STATUS_CONVERGED = 2
      ! max_energies was reached first, or the library NLopt, which contains the minimisers, reported a failure; the
      ! best basis so far can be read
      enumerator :: LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED = 3
      ! the energy with the start parameters is not of kind LEGATO_DFR_ENERGY_KIND_GOOD, the limit energy or, for
      ! spinor_weight, its spinors have not converged, or derivatives are needed and functions were left out for near
      ! linear dependence (a warning says so)
      enumerator :: LEGATO_DFR_OPTIMISER_STATUS_FAILED = 4
   end enum

   ! Outcome of the calculation of an energy.
   enum, bind(c)
      enumerator :: LEGATO_DFR_ENERGY_KIND_GOOD = 0  ! converged, and not below the limit energy
      enumerator :: LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED = 1  ! the self-consistent field reached max_iterations first
      ! the energy is not finite, an exponent is out of range, an electron is not bound, or the limit energy is unknown
      enumerator :: LEGATO_DFR_ENERGY_KIND_FAILED = 2
      enumerator :: LEGATO_DFR_ENERGY_KIND_COLLAPSED = 3  ! below the limit energy
   end enum

   ! Method of an optimisation.
   enum, bind(c)
      ! NEWUOA of M. J. D. Powell, with first_step and last_step. It uses the energy only
      enumerator :: LEGATO_DFR_OPTIMISER_METHOD_NEWUOA = 0
      ! limited-memory BFGS, with first_step and energy_tolerance. It uses also the derivatives of the energy, and
      ! usually needs far fewer energies. Its variables are combinations of the parameters, of which equal steps change
      ! the exponents equally
      enumerator :: LEGATO_DFR_OPTIMISER_METHOD_LBFGS = 1
   end enum

   ! Parameters that all optimisations of a list share.
   type, bind(c) :: legato_dfr_optimiser_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_optimiser_params_init.
      ! Largest number of energies that are calculated for a basis set. Range [1, 1000000], default 500.
      integer(c_int64_t) :: max_energies
      ! Radius of the trust region at the start, in ln(parameter). With LEGATO_DFR_OPTIMISER_METHOD_LBFGS it is the
      ! length of the first step: the root of the sum of the squared changes of ln(exponent) in all groups. Range
      ! [1e-10, 1], default 0.1.
      real(c_double) :: first_step
      ! Radius of the trust region at the end, in ln(parameter). It is at most first_step. Range [1e-14, 1], default
      ! 1e-4.
      real(c_double) :: last_step
      ! Since version 0.2. One of legato_dfr_optimiser_method, default LEGATO_DFR_OPTIMISER_METHOD_NEWUOA.
      integer(c_int32_t) :: method
      integer(c_int32_t) :: reserved  ! Not used.
      ! LEGATO_DFR_OPTIMISER_METHOD_LBFGS ends when a step changes the energy by less than this fraction. Since version
      ! 0.2. Range [1e-15, 1e-3], default 1e-13.
      real(c_double) :: energy_tolerance
      ! Weight of the spinors: |limit| x spinor_weight x spinor_error is added to the energy. A reduction needs 0. Since
      ! version 0.2. Range [0, 1e6], default 0.
      real(c_double) :: spinor_weight
   end type legato_dfr_optimiser_params

   ! Current state of an optimisation. Energies are in hartree.
   type, bind(c) :: legato_dfr_optimisation
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_dfr_optimiser_status.
      integer(c_int32_t) :: reserved  ! Not used.
      integer(c_int64_t) :: energies  ! Number of energies so far.
      integer(c_int64_t) :: not_converged  ! Number of energies of kind LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED.
      integer(c_int64_t) :: failed  ! Number of energies of kind LEGATO_DFR_ENERGY_KIND_FAILED.
      integer(c_int64_t) :: collapsed  ! Number of energies of kind LEGATO_DFR_ENERGY_KIND_COLLAPSED.
      ! Energy with the start parameters; 0 before it is calculated, and if its calculation has failed.
      real(c_double) :: start_energy
      ! Lowest good energy, with spinor_weight > 0 that of the best basis set; 0 as long as there is none.
      real(c_double) :: energy
      ! Limit energy, that of a complete basis; 0 if it is not known yet or cannot be calculated, or if spinor_weight
      ! needs spinors that cannot be calculated.
      real(c_double) :: limit
      ! Sum over the occupied spinors of the squared norm that the best basis set misses; NaN with spinor_weight 0, and
      ! as long as there is no good energy. Since version 0.2.
      real(c_double) :: spinor_error
   end type legato_dfr_optimisation

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_dfr_optimiser_params_init.
      function legato_dfr_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_params_init_sized

      ! Creates an empty list. Every energy is computed with the parameters `field`. NULL for `field` or `params` stands
      ! for the defaults.
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
      ! number of the basis set, counted from 0. Basis sets can only be added before the run begins and before the list
      ! is saved.
      !
      ! n_functions, first, group and n_groups are as in legato_dfr_well_tempered_basis: the functions of species s are
      ! number first[s] (from 1) to first[s] + n_functions[s] - 1 of the pool of its group. parameters[4 n_groups] are
      ! the start: alpha, beta, delta and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species,
      ! closed, electrons and pairs are as in legato_dfr_add_atom.
      !
      ! `limit` is the limit energy. Range of limit: [-1e9, 0]. A value other than 0 must have at least the accuracy
      ! that the results shall have. With 0 the run calculates the limit energy in a large basis. If this calculation
      ! does not converge, a warning is logged, and only this basis set fails. A relativistic point nucleus with a
      ! charge above 97 needs a value other than 0. For all other relativistic atoms the run calculates the limit energy
      ! even if a value is passed. If this value is below the calculated limit energy, a warning names the calculated
      ! one. All energies below the calculated one then count as collapsed.
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

      ! Adds a basis set as legato_dfr_optimiser_add does, with groups of any form. forms and parameters are as in
      ! legato_dfr_grouped_basis. The groups have at least one parameter, with LEGATO_DFR_OPTIMISER_METHOD_NEWUOA two.
      ! Since version 0.2.
      function legato_dfr_optimiser_add_groups(optimiser, nucleus, n_species, n_functions, first, group, n_groups, &
         forms, parameters, closed, electrons, pairs, limit, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         integer(c_int32_t), intent(in) :: first(*)
         integer(c_int32_t), intent(in), optional :: group(*)
         integer(c_int32_t), value :: n_groups
         integer(c_int32_t), intent(in) :: forms(*)
         real(c_double), intent(in) :: parameters(*)
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in), optional :: pairs(*)
         real(c_double), value :: limit
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_groups

      ! Adds the atom of legato_dfr_add_element. The start is its set of the library "hennessey", one well-tempered
      ! group for all species, and the limit energy is calculated. Range of element: [2, 86] without 58, 64, 65, 67 and
      ! 70.
      function legato_dfr_optimiser_add_element(optimiser, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_element

      ! Adds the same atom with its set of any library of legato_dfr_basis_sets_library as the start. The groups are
      ! those of legato_dfr_basis_sets_groups: the libraries "legato-..." have one well-tempered group for each l. NULL
      ! for `basis` stands for "hennessey". Since version 0.2.
      function legato_dfr_optimiser_add_element_with_basis(optimiser, element, nuclear_model, basis, index) bind(c) &
         result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         character(kind=c_char), intent(in), optional :: basis(*)
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_element_with_basis

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
      ! takes it. n_functions, first and group have length *n_species, parameters has length 4 *n_groups. If a group is
      ! not well-tempered, `parameters` must be NULL; legato_dfr_optimiser_groups reads them.
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

      ! Reads the groups of basis set `index`, whatever their forms. *n_parameters becomes the number of parameters of
      ! all groups. forms[*n_groups] (legato_dfr_optimiser_basis) and start[*n_parameters] are as passed to
      ! legato_dfr_optimiser_add_groups. parameters[*n_parameters] are those with the lowest good energy, or the start
      ! if there is none yet. Since version 0.2.
      function legato_dfr_optimiser_groups(optimiser, index, n_parameters, forms, start, parameters) bind(c) &
         result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_parameters
         integer(c_int32_t), intent(inout), optional :: forms(*)
         real(c_double), intent(inout), optional :: start(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_groups

      ! Reads the atom of basis set `index`, the limit energy that was passed (0 if it is calculated) and the start, as
      ! legato_dfr_optimiser_add takes them. closed and electrons have *n_species elements. pairs has *n_species x
      ! *n_species elements, and parameters has 4 x *n_groups. If a group is not well-tempered, `parameters` must be
      ! NULL; legato_dfr_optimiser_groups reads the start. The caller sets the struct_size of `nucleus`.
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

      ! Reads the energies with the numbers first to first + n - 1, counted from 0, in the order in which they were
      ! calculated. energies[n] receives them; an energy that failed is 0. Each element of kinds[n] is one of
      ! legato_dfr_energy_kind. parameters[4 n_groups x n] receives their parameters; those of one energy are adjacent.
      ! If a group is not well-tempered, `parameters` must be NULL; legato_dfr_optimiser_history_of_groups reads them.
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

      ! Reads the parameters of the energies with the numbers first to first + n - 1, whatever the forms of the groups.
      ! parameters[*n_parameters x n] (legato_dfr_optimiser_groups) receives them; those of one energy are adjacent.
      ! Since version 0.2.
      function legato_dfr_optimiser_history_of_groups(optimiser, index, first, n, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: n
         real(c_double), intent(inout) :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_history_of_groups

      ! Saves the list to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
      function legato_dfr_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_save

      ! Resumes a saved list, with a context of any backend. The optimisations take the same steps as in an
      ! uninterrupted run. No basis set can be added. A file is refused if it is truncated, if it is not a saved list of
      ! basis sets, or if a newer version has written it.
      function legato_dfr_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_resume

      ! Reads the parameters in use, for instance after legato_dfr_optimiser_resume. Before the call, set struct_size to
      ! the size of the struct, directly or by legato_dfr_optimiser_params_init.
      function legato_dfr_optimiser_get_params(optimiser, field, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_get_params
   end interface
end module legato_c_dfr_optimiser
