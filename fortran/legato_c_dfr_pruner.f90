! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_pruner.h. Change that instead.
module legato_c_dfr_pruner
   use legato_c_dfr_optimiser
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Parameters that all prunings of a list share.
   type, bind(c) :: legato_dfr_pruner_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_pruner_params_init.
      ! A pruning ends when the next set would have a larger error. The error of a set is relative_error, plus
      ! spinor_weight x spinor_error. Range [1e-12, 1], default 1e-5.
      real(c_double) :: largest_error
      ! An optimisation ends when a step changes the error by less than this fraction of the error of the set that loses
      ! a function. Range [1e-6, 1], default 0.01.
      real(c_double) :: tolerance
      ! Largest number of energies of an optimisation. Range [1, 1000000], default 500.
      integer(c_int64_t) :: max_energies
      ! Weight of the spinors, as in legato_dfr_optimiser_params. Range [0, 1e6], default 0.
      real(c_double) :: spinor_weight
      ! With a seed other than 0, legato_dfr_pruner_add_element starts from other parameters: alpha and the largest
      ! exponent change by random factors up to 1.5, delta and gamma by factors up to 2. Range [0, 1000000], default 0.
      integer(c_int64_t) :: seed
   end type legato_dfr_pruner_params

   ! Current state of a pruning.
   type, bind(c) :: legato_dfr_pruning
      integer(c_size_t) :: struct_size  ! Set by the caller.
      ! One of legato_dfr_optimiser_status. Converged: no function can be removed without an error above largest_error;
      ! each group keeps at least one function, and as many as it has shells. Failed: the first set has no good energy,
      ! or its error is above largest_error.
      integer(c_int32_t) :: status
      integer(c_int32_t) :: sets  ! Number of sets so far.
      integer(c_int64_t) :: energies  ! Number of energies so far.
      ! Limit energy in hartree, that of a complete basis; 0 if it is not known yet or cannot be calculated.
      real(c_double) :: limit
   end type legato_dfr_pruning

   ! A set of a pruning.
   type, bind(c) :: legato_dfr_pruned_set
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: group  ! Group that has lost a function, counted from 0; -1 for the first set.
      integer(c_int32_t) :: functions  ! Number of functions of all groups together.
      real(c_double) :: energy  ! Energy in hartree.
      real(c_double) :: relative_error  ! (energy - limit) / |limit|.
      ! Sum over the occupied spinors of the squared norm that the set misses (legato/dfr_optimiser.h); NaN with
      ! spinor_weight 0.
      real(c_double) :: spinor_error
   end type legato_dfr_pruned_set

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_dfr_pruner_params_init. Since version 0.2.
      function legato_dfr_pruner_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_pruner_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_params_init_sized

      ! Creates an empty list. NULL for `params` stands for the defaults. NULL for `field` stands for the defaults with
      ! LEGATO_DFR_KINETIC_BALANCE_EXTENDED. Since version 0.2.
      function legato_dfr_pruner_create(context, field, params, pruner) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_pruner_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: pruner
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_create

      ! Destroys a list; NULL is allowed. Since version 0.2.
      function legato_dfr_pruner_destroy(pruner) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_destroy

      ! Adds an atom and the basis set from which its pruning begins. The arguments are those of
      ! legato_dfr_optimiser_add_groups, with which the energy of this basis set is optimised first. Every species with
      ! functions must use the whole pool of its group, from function 1 on. When a group loses a function, the smallest
      ! and the largest exponent stay at first. A well-tempered group with fewer than four functions becomes free. A
      ! list has at most 1000 atoms. Since version 0.2.
      function legato_dfr_pruner_add(pruner, nucleus, n_species, n_functions, first, group, n_groups, forms, &
         parameters, closed, electrons, pairs, limit, index) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
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
      end function legato_dfr_pruner_add

      ! Adds a neutral atom in the average of its ground configuration, for any element from 1 to 118 with a finite
      ! nucleus (from 2 with a Fermi nucleus), and to 97 with a relativistic point nucleus. Its nucleus is that of
      ! legato_dfr_element_nucleus. Its first basis set has one well-tempered group for each l, which both j share. Its
      ! relative error is less than 2e-9 with a Gaussian nucleus. Since version 0.2.
      function legato_dfr_pruner_add_element(pruner, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int32_t), value :: element
         integer(c_int32_t), value :: nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_add_element

      ! Runs until all prunings have ended. `callback` may be NULL. It reports atoms as points and energies as cycles. A
      ! stopped run continues with the next call. Since version 0.2.
      function legato_dfr_pruner_run(pruner, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_run

      ! Calculates up to `energies` more energies of each atom. *finished becomes the number of atoms whose pruning has
      ! ended. Since version 0.2.
      function legato_dfr_pruner_advance(pruner, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), value :: energies
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_advance

      ! Reads the number of atoms. Since version 0.2.
      function legato_dfr_pruner_size(pruner, count) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_size

      ! Reads the current state of the pruning of atom `index`. Since version 0.2.
      function legato_dfr_pruner_result(pruner, index, pruning) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), value :: index
         type(legato_dfr_pruning), intent(inout) :: pruning
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_result

      ! Reads set `number` of atom `index`, counted from 0, the largest set. Since version 0.2.
      function legato_dfr_pruner_set(pruner, index, number, set) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: number
         type(legato_dfr_pruned_set), intent(inout) :: set
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_set

      ! Reads the basis of set `number` of atom `index`, as legato_dfr_pruner_add takes it. n_functions, first and group
      ! have length *n_species, forms has length *n_groups, and parameters has length *n_parameters. Since version 0.2.
      function legato_dfr_pruner_basis(pruner, index, number, n_species, n_groups, n_parameters, n_functions, &
         first, group, forms, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: number
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_groups
         integer(c_int32_t), intent(inout), optional :: n_parameters
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         integer(c_int32_t), intent(inout), optional :: group(*)
         integer(c_int32_t), intent(inout), optional :: forms(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_basis

      ! Reads atom `index` and the limit energy that was passed (0 if it is calculated), as legato_dfr_pruner_add takes
      ! them. closed and electrons have *n_species elements, and pairs has *n_species x *n_species. The caller sets the
      ! struct_size of `nucleus`. Since version 0.2.
      function legato_dfr_pruner_atom(pruner, index, nucleus, n_species, closed, electrons, pairs, limit) bind(c) &
         result(status)
         import
         type(c_ptr), value :: pruner
         integer(c_int64_t), value :: index
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         real(c_double), intent(inout), optional :: limit
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_atom

      ! Saves the list to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. Since
      ! version 0.2.
      function legato_dfr_pruner_save(pruner, path) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_save

      ! Resumes a saved list, with a context of any backend. The prunings take the same steps as uninterrupted ones. A
      ! file is refused if it is truncated, if it is not a saved pruning, or if a newer version has written it. Since
      ! version 0.2.
      function legato_dfr_pruner_resume(context, path, pruner) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: pruner
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_resume

      ! Reads the parameters in use, for instance after legato_dfr_pruner_resume. Before the call, set struct_size to
      ! the size of the struct, directly or by legato_dfr_pruner_params_init. Since version 0.2.
      function legato_dfr_pruner_get_params(pruner, field, params) bind(c) result(status)
         import
         type(c_ptr), value :: pruner
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_pruner_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_pruner_get_params
   end interface
end module legato_c_dfr_pruner
