! The C interface as it is: enumerators, structs and functions of the headers, in their order; those of the Ising model and
! of variational Monte Carlo are in files of their own. The test fortran_interface compares every value, member and argument
! with the headers. An argument that a failed call leaves alone is intent(inout).
module legato_c
   use, intrinsic :: iso_c_binding
   use legato_c_ising
   use legato_c_vmc
   implicit none
   public

   enum, bind(c)
      enumerator :: LEGATO_SUCCESS = 0, LEGATO_INVALID_ARGUMENT = 1, LEGATO_OUT_OF_MEMORY = 2, LEGATO_NO_DEVICE = 3, &
         LEGATO_DEVICE_ERROR = 4, LEGATO_IO_ERROR = 5, LEGATO_BAD_FILE = 6, LEGATO_CANCELLED = 7, &
         LEGATO_NUMERICAL_ERROR = 8, LEGATO_INTERNAL_ERROR = 9
   end enum
   enum, bind(c)
      enumerator :: LEGATO_BACKEND_AUTO = 0, LEGATO_BACKEND_CPU = 1, LEGATO_BACKEND_CUDA = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_LOG_SILENT = 0, LEGATO_LOG_ERROR = 1, LEGATO_LOG_WARNING = 2, LEGATO_LOG_INFO = 3, &
         LEGATO_LOG_DEBUG = 4
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_HARD_WALL = 0, LEGATO_TMM_PERIODIC = 1, LEGATO_TMM_ANTIPERIODIC = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_UNIFORM = 0, LEGATO_TMM_UNIFORM_SCALED = 1, LEGATO_TMM_GAUSSIAN = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_LFSR113 = 0, LEGATO_TMM_LFSR113_PER_SITE = 1, LEGATO_TMM_PHILOX = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_WAITING = 0, LEGATO_TMM_RUNNING = 1, LEGATO_TMM_CONVERGED = 2, &
         LEGATO_TMM_NOT_CONVERGED = 3, LEGATO_TMM_FAILED = 4
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_SITE_FIRST = 0, LEGATO_TMM_STATE_FIRST = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_POINT = 1, LEGATO_DFR_SPHERE = 2, LEGATO_DFR_GAUSSIAN = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_DFR_WAITING = 0, LEGATO_DFR_RUNNING = 1, LEGATO_DFR_CONVERGED = 2, &
         LEGATO_DFR_NOT_CONVERGED = 3, LEGATO_DFR_FAILED = 4
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

   enum, bind(c)
      enumerator :: LEGATO_KPM_CONSTANT = 0, LEGATO_KPM_BOX = 1, LEGATO_KPM_NORMAL = 2, LEGATO_KPM_ENERGIES = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_KPM_SIGN = 0, LEGATO_KPM_GAUSSIAN = 1, LEGATO_KPM_UNIFORM = 2, LEGATO_KPM_SITES = 3, &
         LEGATO_KPM_CALLER = 4
   end enum
   enum, bind(c)
      enumerator :: LEGATO_KPM_GERSHGORIN = 0, LEGATO_KPM_LANCZOS = 1, LEGATO_KPM_INTERVAL = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_KPM_FORMAT_AUTO = 0, LEGATO_KPM_FORMAT_CRS = 1, LEGATO_KPM_FORMAT_ELL = 2, &
         LEGATO_KPM_FORMAT_STENCIL = 3
   end enum
   enum, bind(c)
      enumerator :: LEGATO_KPM_DOUBLE = 0, LEGATO_KPM_SINGLE = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_KPM_JACKSON = 0, LEGATO_KPM_LORENTZ = 1, LEGATO_KPM_FEJER = 2, LEGATO_KPM_DIRICHLET = 3
   end enum

   type, bind(c) :: legato_progress
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: points_done, points_total, cycles_done
      real(c_double) :: seconds, cycles_per_second
   end type legato_progress

   type, bind(c) :: legato_context_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: backend, device, threads, log_level
   end type legato_context_params

   type, bind(c) :: legato_device_info
      integer(c_size_t) :: struct_size
      character(kind=c_char) :: name(256)
      integer(c_int32_t) :: compute_capability, multiprocessors
      integer(c_int64_t) :: total_memory, free_memory
   end type legato_device_info

   type, bind(c) :: legato_tmm_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: dimension, boundary, disorder, random_stream
      integer(c_int64_t) :: width, seed, n_ortho, max_multiplications
      real(c_double) :: hopping, epsilon, max_growth
   end type legato_tmm_params

   type, bind(c) :: legato_tmm_point
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, reserved
      integer(c_int64_t) :: cycles
      real(c_double) :: energy, disorder, localisation_length, relative_error
   end type legato_tmm_point

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
      real(c_double) :: energy, kinetic, nuclear, repulsion, virial_ratio, gradient
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

   type, bind(c) :: legato_kpm_lattice
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: extents(3)
      integer(c_int32_t) :: periodic(3), on_site
      real(c_double) :: hopping, energy, disorder
   end type legato_kpm_lattice

   type, bind(c) :: legato_kpm_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: moments, start_vectors, vectors, realisations
      integer(c_int64_t) :: seed
      integer(c_int32_t) :: bounds, lanczos_steps, format, block_width
      real(c_double) :: lowest, highest, margin
      integer(c_int64_t) :: memory_budget
      integer(c_int32_t) :: precision, reserved
   end type legato_kpm_params

   type, bind(c) :: legato_kpm_state
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: backend, format, block_width, moments
      integer(c_int64_t) :: sites, samples, samples_done, bytes
      real(c_double) :: centre, half_width
   end type legato_kpm_state

   abstract interface
      function legato_progress_callback(user, progress) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         type(legato_progress), intent(in) :: progress
         integer(c_int) :: stop
      end function legato_progress_callback

      subroutine legato_log_callback(user, level, line) bind(c)
         import
         type(c_ptr), value :: user
         integer(c_int32_t), value :: level
         character(kind=c_char), intent(in) :: line(*)
      end subroutine legato_log_callback

      function legato_kpm_vector_callback(user, sample, sites, vector) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: sample, sites
         real(c_double), intent(inout) :: vector(*)
         integer(c_int) :: stop
      end function legato_kpm_vector_callback
   end interface

   interface
      function legato_version() bind(c) result(text)
         import
         type(c_ptr) :: text
      end function legato_version

      function legato_version_number() bind(c) result(number)
         import
         integer(c_int32_t) :: number
      end function legato_version_number

      function legato_status_text(status) bind(c) result(text)
         import
         integer(c_int32_t), value :: status
         type(c_ptr) :: text
      end function legato_status_text

      function legato_context_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_context_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_context_params_init_sized

      function legato_context_create(params, context) bind(c) result(status)
         import
         type(legato_context_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: context
         integer(c_int32_t) :: status
      end function legato_context_create

      function legato_context_destroy(context) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t) :: status
      end function legato_context_destroy

      function legato_context_message(context) bind(c) result(text)
         import
         type(c_ptr), value :: context
         type(c_ptr) :: text
      end function legato_context_message

      function legato_context_set_logger(context, level, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: level
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_context_set_logger

      function legato_context_backend(context, backend, reason) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: backend
         type(c_ptr), intent(inout), optional :: reason
         integer(c_int32_t) :: status
      end function legato_context_backend

      function legato_context_device_count(context, count) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_context_device_count

      function legato_context_device_info(context, device, info) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: device
         type(legato_device_info), intent(inout) :: info
         integer(c_int32_t) :: status
      end function legato_context_device_info

      function legato_tmm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_tmm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_tmm_params_init_sized

      function legato_tmm_create(context, params, n_points, energy, disorder, tmm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_tmm_params), intent(in) :: params
         integer(c_int64_t), value :: n_points
         real(c_double), intent(in) :: energy(*), disorder(*)
         type(c_ptr), intent(out) :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_create

      function legato_tmm_destroy(tmm) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_destroy

      function legato_tmm_run(tmm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_tmm_run

      function legato_tmm_advance(tmm, cycles, finished) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: cycles
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_tmm_advance

      function legato_tmm_size(tmm, points, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), intent(inout), optional :: points, exponents
         integer(c_int32_t) :: status
      end function legato_tmm_size

      function legato_tmm_result(tmm, index, point, n, exponents, errors) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: index, n
         type(legato_tmm_point), intent(inout), optional :: point
         real(c_double), intent(inout), optional :: exponents(*), errors(*)
         integer(c_int32_t) :: status
      end function legato_tmm_result

      function legato_tmm_save(tmm, path) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_tmm_save

      function legato_tmm_resume(context, path, tmm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_resume

      function legato_tmm_get_params(tmm, params) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         type(legato_tmm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_tmm_get_params

      function legato_tmm_multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         real(c_double), value :: hopping
         integer(c_int32_t), value :: layout
         real(c_double), intent(in) :: diagonal(*), psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
         integer(c_int32_t) :: status
      end function legato_tmm_multiply

      function legato_tmm_orthonormalise(context, n, layout, psi_a, psi_b, log_norms) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: n
         integer(c_int32_t), value :: layout
         real(c_double), intent(inout) :: psi_a(*), psi_b(*)
         real(c_double), intent(out) :: log_norms(*)
         integer(c_int32_t) :: status
      end function legato_tmm_orthonormalise

      function legato_tmm_propagation_create(context, dimension, width, boundary, hopping, layout, propagation) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         real(c_double), value :: hopping
         integer(c_int32_t), value :: layout
         type(c_ptr), intent(out) :: propagation
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_create

      function legato_tmm_propagation_destroy(propagation) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_destroy

      function legato_tmm_propagation_load(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: current(*), previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_load

      function legato_tmm_propagation_multiply(propagation, diagonal) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: diagonal(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_multiply

      function legato_tmm_propagation_orthonormalise(propagation, log_norms) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: log_norms(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_orthonormalise

      function legato_tmm_propagation_store(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: current(*), previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_store

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

      function legato_kpm_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_init_sized

      function legato_kpm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_kpm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_params_init_sized

      function legato_kpm_lattice_create(context, lattice, n_energies, energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_lattice), intent(in) :: lattice
         integer(c_int64_t), value :: n_energies
         real(c_double), intent(in), optional :: energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_create

      function legato_kpm_matrix_create(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows, n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create

      function legato_kpm_matrix_create_narrow(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows, n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int32_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create_narrow

      function legato_kpm_hamiltonian_destroy(hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_destroy

      function legato_kpm_create(context, params, hamiltonian, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create

      function legato_kpm_create_local(context, params, hamiltonian, n_sites, sites, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_sites
         integer(c_int64_t), intent(in) :: sites(*)
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create_local

      function legato_kpm_create_given(context, params, hamiltonian, callback, user, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create_given

      function legato_kpm_destroy(kpm) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_destroy

      function legato_kpm_run(kpm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_run

      function legato_kpm_advance(kpm, blocks, samples_done) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: blocks
         integer(c_int64_t), intent(inout), optional :: samples_done
         integer(c_int32_t) :: status
      end function legato_kpm_advance

      function legato_kpm_get_state(kpm, state) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_get_state

      function legato_kpm_get_params(kpm, params) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_get_params

      function legato_kpm_moments(kpm, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: mean(*), error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_moments

      function legato_kpm_sample(kpm, sample, n, moments) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: moments(*)
         integer(c_int32_t) :: status
      end function legato_kpm_sample

      function legato_kpm_density_of_states(kpm, sample, kernel, lambda, n, energies, density, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: density(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_density_of_states

      function legato_kpm_density_at_nodes(kpm, sample, kernel, lambda, n, energies, density, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: energies(*), density(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_density_at_nodes

      function legato_kpm_greens_function(kpm, sample, kernel, lambda, n, energies, green, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: green(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_greens_function

      function legato_kpm_integrated_density(kpm, sample, kernel, lambda, n, energies, states, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: states(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_integrated_density

      function legato_kpm_electron_number(kpm, sample, kernel, lambda, chemical_potential, temperature, &
         electrons, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: chemical_potential, temperature
         real(c_double), intent(inout) :: electrons
         real(c_double), intent(inout), optional :: error
         integer(c_int32_t) :: status
      end function legato_kpm_electron_number

      function legato_kpm_chemical_potential(kpm, sample, kernel, lambda, electrons, temperature, &
         chemical_potential, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: electrons, temperature
         real(c_double), intent(inout) :: chemical_potential
         real(c_double), intent(inout), optional :: error
         integer(c_int32_t) :: status
      end function legato_kpm_chemical_potential

      function legato_kpm_save(kpm, path) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_kpm_save

      function legato_kpm_resume(context, path, hamiltonian, callback, user, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), value :: hamiltonian
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_resume
   end interface
end module legato_c
