! What legato/dfr.h and the headers beside it, dfr_atoms.h, dfr_optimiser.h, dfr_reducer.h and dfr_steps.h, declare.
module legato_c_dfr
   use, intrinsic :: iso_c_binding
   implicit none
   public

   enum, bind(c)
      enumerator :: LEGATO_DFR_POINT = 1, LEGATO_DFR_SPHERE = 2, LEGATO_DFR_GAUSSIAN = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_WAITING = 0, LEGATO_DFR_RUNNING = 1, LEGATO_DFR_CONVERGED = 2, &
         LEGATO_DFR_NOT_CONVERGED = 3, LEGATO_DFR_FAILED = 4, LEGATO_DFR_COLLAPSED = 5, LEGATO_DFR_UNBOUND = 6, &
         LEGATO_DFR_NOT_COMPARED = 7
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_OPTIMISER_WAITING = 0, LEGATO_DFR_OPTIMISER_RUNNING = 1, &
         LEGATO_DFR_OPTIMISER_CONVERGED = 2, LEGATO_DFR_OPTIMISER_NOT_CONVERGED = 3, LEGATO_DFR_OPTIMISER_FAILED = 4
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_ENERGY_GOOD = 0, LEGATO_DFR_ENERGY_NOT_CONVERGED = 1, LEGATO_DFR_ENERGY_FAILED = 2, &
         LEGATO_DFR_ENERGY_COLLAPSED = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_STAGE_WHOLE = 0, LEGATO_DFR_STAGE_LAST = 1, LEGATO_DFR_STAGE_FIRST = 2
   end enum

   type, bind(c) :: legato_dfr_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: relativistic, max_iterations, diis_vectors, reserved
      real(c_double) :: speed_of_light, energy_threshold, gradient_threshold, dependence_threshold
   end type legato_dfr_params

   type, bind(c) :: legato_dfr_nucleus
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: model, reserved
      real(c_double) :: charge, radius, exponent
   end type legato_dfr_nucleus

   type, bind(c) :: legato_dfr_atom
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, iterations
      real(c_double) :: energy, kinetic, nuclear, repulsion, virial_ratio, gradient, limit
   end type legato_dfr_atom

   type, bind(c) :: legato_dfr_optimiser_params
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: max_energies
      real(c_double) :: first_step, last_step
   end type legato_dfr_optimiser_params

   type, bind(c) :: legato_dfr_optimisation
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, reserved
      integer(c_int64_t) :: energies, not_converged, failed, collapsed
      real(c_double) :: start_energy, energy, limit
   end type legato_dfr_optimisation

   type, bind(c) :: legato_dfr_reducer_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: functions, reserved
      real(c_double) :: accuracy, limit
   end type legato_dfr_reducer_params

   type, bind(c) :: legato_dfr_reduction
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, stages_done, stages, reserved
      real(c_double) :: energy, limit, relative_error
   end type legato_dfr_reduction

   type, bind(c) :: legato_dfr_stage
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: kind, l, chosen, reserved
      integer(c_int64_t) :: energies
      real(c_double) :: energy, parameters(4)
   end type legato_dfr_stage

   interface
      function legato_dfr_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_params_init_sized

      function legato_dfr_create(context, params, dfr) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_create

      function legato_dfr_destroy(dfr) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t) :: status
      end function legato_dfr_destroy

      function legato_dfr_add_element(dfr, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int32_t), value :: element, nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_add_element

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

      function legato_dfr_run(dfr, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_run

      function legato_dfr_advance(dfr, iterations, finished) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: iterations
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_advance

      function legato_dfr_size(dfr, atoms) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), intent(inout) :: atoms
         integer(c_int32_t) :: status
      end function legato_dfr_size

      function legato_dfr_atom_size(dfr, index, n_species, n_functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t) :: status
      end function legato_dfr_atom_size

      function legato_dfr_result(dfr, index, atom) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         type(legato_dfr_atom), intent(inout) :: atom
         integer(c_int32_t) :: status
      end function legato_dfr_result

      function legato_dfr_spinors(dfr, index, species, n, states, energies, occupations, large, &
         small) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species, n
         integer(c_int32_t), intent(inout), optional :: states
         real(c_double), intent(inout), optional :: energies(*), occupations(*), large(*), small(*)
         integer(c_int32_t) :: status
      end function legato_dfr_spinors

      function legato_dfr_left_out(dfr, index, species, functions) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species
         integer(c_int32_t), intent(inout) :: functions
         integer(c_int32_t) :: status
      end function legato_dfr_left_out

      function legato_dfr_radial_moment(dfr, index, species, state, power, value) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index
         integer(c_int32_t), value :: species, state, power
         real(c_double), intent(inout) :: value
         integer(c_int32_t) :: status
      end function legato_dfr_radial_moment

      function legato_dfr_radial_density(dfr, index, n, r, density) bind(c) result(status)
         import
         type(c_ptr), value :: dfr
         integer(c_int64_t), value :: index, n
         real(c_double), intent(in) :: r(*)
         real(c_double), intent(inout) :: density(*)
         integer(c_int32_t) :: status
      end function legato_dfr_radial_density

      function legato_dfr_well_tempered(context, alpha, beta, delta, gamma, count, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: context
         real(c_double), value :: alpha, beta, delta, gamma
         integer(c_int32_t), value :: count
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_well_tempered

      function legato_dfr_average_of_configuration(context, n_subshells, subshell_n, subshell_l, subshell_electrons, n, &
                                                   n_species, closed, electrons, pairs) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_subshells
         integer(c_int32_t), intent(in) :: subshell_n(*), subshell_l(*), subshell_electrons(*)
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*), pairs(*)
         integer(c_int32_t) :: status
      end function legato_dfr_average_of_configuration

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
         real(c_double), intent(inout), optional :: electrons(*), pairs(*)
         integer(c_int32_t) :: status
      end function legato_dfr_average_of_list

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

      function legato_dfr_ground_configuration(context, element, n, n_subshells, subshell_n, subshell_l, &
                                               subshell_electrons) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element, n
         integer(c_int32_t), intent(inout), optional :: n_subshells
         integer(c_int32_t), intent(inout), optional :: subshell_n(*), subshell_l(*), subshell_electrons(*)
         integer(c_int32_t) :: status
      end function legato_dfr_ground_configuration

      function legato_dfr_element_nucleus(context, element, nuclear_model, nucleus) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element, nuclear_model
         type(legato_dfr_nucleus), intent(inout) :: nucleus
         integer(c_int32_t) :: status
      end function legato_dfr_element_nucleus

      function legato_dfr_library_basis(context, element, parameters, pool, n, n_species, n_functions, first) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: element
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t), intent(inout), optional :: pool
         integer(c_int32_t), value :: n
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*), first(*)
         integer(c_int32_t) :: status
      end function legato_dfr_library_basis

      function legato_dfr_well_tempered_basis(context, n_species, n_functions, first, group, n_groups, &
                                              parameters, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*), first(*)
         integer(c_int32_t), intent(in), optional :: group(*)
         integer(c_int32_t), value :: n_groups
         real(c_double), intent(in) :: parameters(*)
         real(c_double), intent(inout) :: exponents(*)
         integer(c_int32_t) :: status
      end function legato_dfr_well_tempered_basis

      function legato_dfr_symbol(element) bind(c) result(text)
         import
         integer(c_int32_t), value :: element
         type(c_ptr) :: text
      end function legato_dfr_symbol

      function legato_dfr_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_params_init_sized

      function legato_dfr_optimiser_create(context, field, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_create

      function legato_dfr_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_destroy

      function legato_dfr_optimiser_add(optimiser, nucleus, n_species, n_functions, first, group, n_groups, &
                                        parameters, closed, electrons, pairs, limit, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*), first(*)
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

      function legato_dfr_optimiser_add_element(optimiser, element, nuclear_model, index) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t), value :: element, nuclear_model
         integer(c_int64_t), intent(inout), optional :: index
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_add_element

      function legato_dfr_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_run

      function legato_dfr_optimiser_advance(optimiser, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: energies
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_advance

      function legato_dfr_optimiser_size(optimiser, count) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_size

      function legato_dfr_optimiser_result(optimiser, index, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_dfr_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_result

      function legato_dfr_optimiser_basis(optimiser, index, n_species, n_groups, n_functions, first, group, &
                                          parameters) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         integer(c_int32_t), intent(inout), optional :: n_species, n_groups, n_functions(*), first(*), group(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_basis

      function legato_dfr_optimiser_atom(optimiser, index, nucleus, n_species, n_groups, closed, electrons, pairs, limit, &
                                         parameters) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species, n_groups, closed(*)
         real(c_double), intent(inout), optional :: electrons(*), pairs(*), limit, parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_atom

      function legato_dfr_optimiser_history(optimiser, index, first, n, total, energies, kinds, parameters) &
         bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index, first, n
         integer(c_int64_t), intent(inout), optional :: total
         real(c_double), intent(inout), optional :: energies(*)
         integer(c_int32_t), intent(inout), optional :: kinds(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_history

      function legato_dfr_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_save

      function legato_dfr_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_resume

      function legato_dfr_optimiser_get_params(optimiser, field, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_optimiser_get_params

      function legato_dfr_reducer_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_reducer_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_params_init_sized

      function legato_dfr_reducer_create(context, field, optimiser_params, params, nucleus, n_species, &
                                         closed, electrons, pairs, start, reducer) bind(c) result(status)
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

      function legato_dfr_reducer_destroy(reducer) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_destroy

      function legato_dfr_reducer_run(reducer, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_run

      function legato_dfr_reducer_advance(reducer, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int64_t), value :: energies
         integer(c_int32_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_advance

      function legato_dfr_reducer_result(reducer, reduction) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_reduction), intent(inout) :: reduction
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_result

      function legato_dfr_reducer_stage(reducer, index, stage) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), value :: index
         type(legato_dfr_stage), intent(inout) :: stage
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_stage

      function legato_dfr_reducer_basis(reducer, n_species, n_functions, first, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), intent(inout), optional :: n_species, n_functions(*), first(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_basis

      function legato_dfr_reducer_atom(reducer, nucleus, n_species, closed, electrons, pairs, limit, start) bind(c) &
         result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species, closed(*)
         real(c_double), intent(inout), optional :: electrons(*), pairs(*), limit, start(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_atom

      function legato_dfr_reducer_save(reducer, path) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_save

      function legato_dfr_reducer_resume(context, path, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_resume

      function legato_dfr_reducer_get_params(reducer, field, optimiser_params, params) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_get_params

      function legato_dfr_repulsion_create(context, relativistic, n_species, n_functions, exponents, repulsion) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: relativistic, n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         type(c_ptr), intent(out) :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_create

      function legato_dfr_repulsion_destroy(repulsion) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_destroy

      function legato_dfr_repulsion_apply(repulsion, n_densities, density_species, n_spinors, electrons, coefficients, &
                                          n_targets, target_species, factors, matrices) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t), value :: n_densities
         integer(c_int32_t), intent(in) :: density_species(*), n_spinors(*)
         real(c_double), intent(in) :: electrons(*), coefficients(*)
         integer(c_int32_t), value :: n_targets
         integer(c_int32_t), intent(in) :: target_species(*)
         real(c_double), intent(in) :: factors(*)
         real(c_double), intent(inout) :: matrices(*)
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_apply
   end interface
end module legato_c_dfr
