! What legato/kpm.h declares.
module legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

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
      function legato_kpm_vector_callback(user, sample, sites, vector) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: sample, sites
         real(c_double), intent(inout) :: vector(*)
         integer(c_int) :: stop
      end function legato_kpm_vector_callback
   end interface

   interface
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

      function legato_kpm_matrix_borrow(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows, n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in), target :: row_pointers(*)
         integer(c_int32_t), intent(in), target :: columns(*)
         real(c_double), intent(in), target :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_borrow

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

      function legato_kpm_get_params(kpm, params) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_get_params
   end interface
end module legato_c_kpm
