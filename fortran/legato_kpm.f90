! The kernel polynomial method of legato/kpm.h, which tells what the arguments mean. Sites, samples and start vectors
! count from 1; only in the library's messages of lattices, matrices and sites, kpm.sites[0], they count from 0. Kernels
! are Jackson's by default; `sample` is that of a vector or a site, and the mean of all where it is absent. Samples go
! realisation by realisation: of n sites number i in realisation s is sample (s - 1) n + i.
module legato_kpm_module
   use legato_c
   use legato_context_module, only: legato_context, handle_of
   use legato_support, only: legato_monitor, owned_handle, progress_user, callback_for, finish, differs, outside, &
      decimal
   implicit none
   private

   public :: legato_kpm, legato_kpm_hamiltonian, legato_kpm_lattice, legato_kpm_params, legato_kpm_state
   public :: kpm_defaults, kpm_lattice_defaults, kpm_start_vector, kpm_stoppable_start_vector
   public :: LEGATO_KPM_CONSTANT, LEGATO_KPM_BOX, LEGATO_KPM_NORMAL, LEGATO_KPM_ENERGIES
   public :: LEGATO_KPM_SIGN, LEGATO_KPM_GAUSSIAN, LEGATO_KPM_UNIFORM, LEGATO_KPM_SITES, LEGATO_KPM_CALLER
   public :: LEGATO_KPM_GERSHGORIN, LEGATO_KPM_LANCZOS, LEGATO_KPM_INTERVAL
   public :: LEGATO_KPM_FORMAT_AUTO, LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL, LEGATO_KPM_FORMAT_STENCIL
   public :: LEGATO_KPM_DOUBLE, LEGATO_KPM_SINGLE
   public :: LEGATO_KPM_JACKSON, LEGATO_KPM_LORENTZ, LEGATO_KPM_FEJER, LEGATO_KPM_DIRICHLET

   abstract interface
      ! Fills the start vector of a sample, from 1: the same one whenever it is asked. Its elements are within +-1e40,
      ! with LEGATO_KPM_SINGLE +-1e30.
      subroutine kpm_start_vector(sample, vector)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: sample
         real(c_double), intent(out) :: vector(:)
      end subroutine kpm_start_vector

      ! The same; true stops the run with LEGATO_CANCELLED.
      function kpm_stoppable_start_vector(sample, vector) result(cancel)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: sample
         real(c_double), intent(out) :: vector(:)
         logical :: cancel
      end function kpm_stoppable_start_vector
   end interface

   ! What the C callback gets as `user`: one of the two.
   type :: vector_user
      procedure(kpm_start_vector), pointer, nopass :: call => null()
      procedure(kpm_stoppable_start_vector), pointer, nopass :: call_stoppable => null()
   end type vector_user

   ! A lattice or a matrix, of which any number of computations can be made; they may outlive it, and it its context.
   type :: legato_kpm_hamiltonian
      private
      type(owned_handle) :: own
   contains
      procedure :: create_lattice => hamiltonian_create_lattice
      procedure, private :: hamiltonian_create_matrix, hamiltonian_create_matrix_narrow
      generic :: create_matrix => hamiltonian_create_matrix, hamiltonian_create_matrix_narrow
      procedure :: destroy => hamiltonian_destroy
   end type legato_kpm_hamiltonian

   ! A computation of moments. It may outlive its context.
   type :: legato_kpm
      private
      type(owned_handle) :: own
      type(vector_user), pointer :: source => null()
   contains
      procedure :: create => kpm_create
      procedure :: destroy => kpm_destroy
      procedure :: run => kpm_run
      procedure :: advance => kpm_advance
      procedure :: get_state => kpm_get_state
      procedure :: get_params => kpm_get_params
      procedure :: moments => kpm_moments
      procedure :: sample => kpm_sample
      procedure :: density_of_states => kpm_density_of_states
      procedure :: density_at_nodes => kpm_density_at_nodes
      procedure :: greens_function => kpm_greens_function
      procedure :: integrated_density => kpm_integrated_density
      procedure :: electron_number => kpm_electron_number
      procedure :: chemical_potential => kpm_chemical_potential
      procedure :: save => kpm_save
      procedure :: resume => kpm_resume
      final :: kpm_final
   end type legato_kpm

contains

   ! The documented defaults: 256 moments of 16 sign vectors in double precision, one realisation, Gershgorin's bounds.
   function kpm_defaults() result(params)
      type(legato_kpm_params) :: params
      integer(c_int32_t) :: status

      status = legato_kpm_params_init_sized(params, c_sizeof(params))
   end function kpm_defaults

   ! One site; periodic, hopping 1, no on-site energies.
   function kpm_lattice_defaults() result(lattice)
      type(legato_kpm_lattice) :: lattice
      integer(c_int32_t) :: status

      status = legato_kpm_lattice_init_sized(lattice, c_sizeof(lattice))
   end function kpm_lattice_defaults

   ! energies: one for each site, with on_site LEGATO_KPM_ENERGIES only.
   subroutine hamiltonian_create_lattice(this, context, lattice, energies, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_kpm_lattice), intent(in) :: lattice
      real(c_double), intent(in), contiguous, optional :: energies(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: n
      integer(c_int32_t) :: status

      call this%destroy()
      n = 0
      if (present(energies)) n = size(energies, kind=c_int64_t)
      status = legato_kpm_lattice_create(handle_of(context), lattice, n, energies, this%own%handle)
      call keep_hamiltonian(this, context, status, stat, errmsg)
   end subroutine hamiltonian_create_lattice

   ! Compressed rows: the elements of row i are row_pointers(i) .. row_pointers(i + 1) - 1. index_base 0: all these and
   ! the columns count from 0. Row pointers of 32 or 64 bits.
   subroutine hamiltonian_create_matrix(this, context, row_pointers, columns, values, index_base, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int64_t), intent(in), contiguous :: row_pointers(:)
      integer(c_int32_t), intent(in), contiguous :: columns(:)
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      if (lengths_differ(size(columns, kind=c_int64_t), size(values, kind=c_int64_t), stat, errmsg)) return
      status = legato_kpm_matrix_create(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, values, this%own%handle)
      call keep_hamiltonian(this, context, status, stat, errmsg)
   end subroutine hamiltonian_create_matrix

   subroutine hamiltonian_create_matrix_narrow(this, context, row_pointers, columns, values, index_base, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in), contiguous :: row_pointers(:), columns(:)
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      if (lengths_differ(size(columns, kind=c_int64_t), size(values, kind=c_int64_t), stat, errmsg)) return
      status = legato_kpm_matrix_create_narrow(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, values, this%own%handle)
      call keep_hamiltonian(this, context, status, stat, errmsg)
   end subroutine hamiltonian_create_matrix_narrow

   integer(c_int32_t) function base_of(index_base)
      integer, intent(in), optional :: index_base

      base_of = 1
      if (present(index_base)) base_of = int(index_base, c_int32_t)
   end function base_of

   function lengths_differ(columns, values, stat, errmsg)
      integer(c_int64_t), intent(in) :: columns, values
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: lengths_differ

      lengths_differ = columns /= values
      if (lengths_differ) call finish(int(LEGATO_INVALID_ARGUMENT), 'kpm.matrix: columns has '//decimal(columns)// &
                                      ' elements and values '//decimal(values), stat, errmsg)
   end function lengths_differ

   subroutine keep_hamiltonian(this, context, status, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call this%own%keep('legato_kpm_hamiltonian', legato_kpm_hamiltonian_destroy, handle_of(context), status, stat, &
                         errmsg)
   end subroutine keep_hamiltonian

   subroutine hamiltonian_destroy(this)
      class(legato_kpm_hamiltonian), intent(inout) :: this

      call this%own%destroy()
   end subroutine hamiltonian_destroy

   ! Moments of random vectors; or with `sites` local ones, of which sample i is that of sites(i); or with
   ! `start_vector` or `stoppable_start_vector` those of the program's vectors.
   subroutine kpm_create(this, context, hamiltonian, params, sites, start_vector, stat, errmsg, stoppable_start_vector)
      class(legato_kpm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm_params), intent(in), optional :: params
      integer(c_int64_t), intent(in), optional :: sites(:)
      procedure(kpm_start_vector), optional :: start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      integer(c_int32_t) :: status

      call this%destroy()
      if (count([present(sites), present(start_vector), present(stoppable_start_vector)]) > 1) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'kpm.create: sites, start_vector and stoppable_start_vector '// &
                     'exclude each other', stat, errmsg)
         return
      end if
      if (present(sites)) then
         status = legato_kpm_create_local(handle_of(context), params, hamiltonian%own%handle, &
                                          size(sites, kind=c_int64_t), sites - 1, this%own%handle)
      else if (present(start_vector) .or. present(stoppable_start_vector)) then
         this%source => source_of(start_vector, stoppable_start_vector)
         status = legato_kpm_create_given(handle_of(context), params, hamiltonian%own%handle, &
                                          c_funloc(forward_vector), c_loc(this%source), this%own%handle)
      else
         status = legato_kpm_create(handle_of(context), params, hamiltonian%own%handle, this%own%handle)
      end if
      call keep_kpm(this, context, status, stat, errmsg)
   end subroutine kpm_create

   subroutine keep_kpm(this, context, status, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status /= LEGATO_SUCCESS .and. associated(this%source)) deallocate (this%source)
      call this%own%keep('legato_kpm', legato_kpm_destroy, handle_of(context), status, stat, errmsg)
   end subroutine keep_kpm

   function forward_vector(user, sample, sites, vector) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: sample, sites
      real(c_double), intent(inout) :: vector(*)
      integer(c_int) :: stop
      type(vector_user), pointer :: program

      call c_f_pointer(user, program)
      stop = 0
      if (associated(program%call)) then
         call program%call(sample + 1, vector(:sites))
      else if (program%call_stoppable(sample + 1, vector(:sites))) then
         stop = 1
      end if
   end function forward_vector

   function source_of(start_vector, stoppable_start_vector) result(source)
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      type(vector_user), pointer :: source

      allocate (source)
      if (present(start_vector)) source%call => start_vector
      if (present(stoppable_start_vector)) source%call_stoppable => stoppable_start_vector
   end function source_of

   subroutine kpm_destroy(this)
      class(legato_kpm), intent(inout) :: this

      call this%own%destroy()
      if (associated(this%source)) deallocate (this%source)
   end subroutine kpm_destroy

   impure elemental subroutine kpm_final(this)
      type(legato_kpm), intent(inout) :: this

      call this%destroy()
   end subroutine kpm_final

   ! Until all samples are there, or `progress` stops it.
   subroutine kpm_run(this, progress, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      type(c_funptr) :: callback

      callback = callback_for(progress, user)
      call this%own%report(legato_kpm_run(this%own%handle, callback, c_loc(user)), stat, errmsg)
   end subroutine kpm_run

   ! `blocks` blocks of vectors further.
   subroutine kpm_advance(this, blocks, samples_done, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      integer(c_int64_t), intent(in) :: blocks
      integer(c_int64_t), intent(out) :: samples_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      samples_done = 0
      call this%own%report(legato_kpm_advance(this%own%handle, blocks, samples_done), stat, errmsg)
   end subroutine kpm_advance

   ! What was chosen, and how far the computation is.
   subroutine kpm_get_state(this, state, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      type(legato_kpm_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_kpm_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call this%own%report(legato_kpm_get_state(this%own%handle, state), stat, errmsg)
   end subroutine kpm_get_state

   ! The parameters in use, for instance after resume.
   subroutine kpm_get_params(this, params, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      type(legato_kpm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = kpm_defaults()
      call this%own%report(legato_kpm_get_params(this%own%handle, params), stat, errmsg)
   end subroutine kpm_get_params

   ! mean(n + 1) is mu_n; as many as the array takes.
   subroutine kpm_moments(this, mean, error, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(inout), contiguous :: mean(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (error_differs('moments', size(mean), error, stat, errmsg)) return
      call this%own%report(legato_kpm_moments(this%own%handle, size(mean, kind=c_int32_t), mean, error), stat, errmsg)
   end subroutine kpm_moments

   ! The moments of one sample, from 1.
   subroutine kpm_sample(this, sample, moments, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(inout), contiguous :: moments(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_sample(this%own%handle, sample - 1, size(moments, kind=c_int32_t), moments), &
                           stat, errmsg)
   end subroutine kpm_sample

   ! For each site at any energies.
   subroutine kpm_density_of_states(this, energies, density, error, kernel, lambda, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      real(c_double), intent(inout), contiguous :: density(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('kpm.density_of_states.density', shape(density), shape(energies), stat, errmsg)) return
      if (error_differs('density_of_states', size(energies), error, stat, errmsg)) return
      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_density_of_states(this%own%handle, number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, density, error), stat, errmsg)
   end subroutine kpm_density_of_states

   ! The same at as many Chebyshev nodes as the arrays take, at least as many as there are moments.
   subroutine kpm_density_at_nodes(this, energies, density, error, kernel, lambda, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(inout), contiguous :: energies(:), density(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('kpm.density_at_nodes.density', shape(density), shape(energies), stat, errmsg)) return
      if (error_differs('density_at_nodes', size(energies), error, stat, errmsg)) return
      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_density_at_nodes(this%own%handle, number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, density, error), stat, errmsg)
   end subroutine kpm_density_at_nodes

   ! G(E + i0); error has the errors of the real and of the imaginary parts.
   subroutine kpm_greens_function(this, energies, green, error, kernel, lambda, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      complex(c_double_complex), intent(inout) :: green(:)
      complex(c_double_complex), intent(inout), optional :: error(:)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: parts(:, :), spread(:, :)
      integer(c_int32_t) :: status

      if (differs('kpm.greens_function.green', shape(green), shape(energies), stat, errmsg)) return
      if (present(error)) then
         if (differs('kpm.greens_function.error', shape(error), shape(energies), stat, errmsg)) return
         allocate (spread(2, size(energies)))     ! not allocated it is an absent argument below
      end if
      if (no_sample(this, sample, stat, errmsg)) return
      allocate (parts(2, size(energies)))
      status = legato_kpm_greens_function(this%own%handle, number_of(sample), kernel_of(kernel), lambda_of(lambda), &
                                          size(energies, kind=c_int32_t), energies, parts, spread)
      if (status == LEGATO_SUCCESS) then
         green = cmplx(parts(1, :), parts(2, :), c_double_complex)
         if (present(error)) error = cmplx(spread(1, :), spread(2, :), c_double_complex)
      end if
      call this%own%report(status, stat, errmsg)
   end subroutine kpm_greens_function

   ! States for each site below the energies.
   subroutine kpm_integrated_density(this, energies, states, error, kernel, lambda, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      real(c_double), intent(inout), contiguous :: states(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('kpm.integrated_density.states', shape(states), shape(energies), stat, errmsg)) return
      if (error_differs('integrated_density', size(energies), error, stat, errmsg)) return
      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_integrated_density(this%own%handle, number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, states, error), stat, errmsg)
   end subroutine kpm_integrated_density

   ! Electrons for each site at a chemical potential and a temperature in units of energy.
   subroutine kpm_electron_number(this, chemical_potential, temperature, electrons, error, kernel, lambda, sample, &
                                  stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in) :: chemical_potential, temperature
      real(c_double), intent(inout) :: electrons
      real(c_double), intent(inout), optional :: error
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_electron_number(this%own%handle, number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), chemical_potential, temperature, electrons, error), stat, errmsg)
   end subroutine kpm_electron_number

   ! What gives a number of electrons for each site.
   subroutine kpm_chemical_potential(this, electrons, temperature, chemical_potential, error, kernel, lambda, sample, &
                                     stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in) :: electrons, temperature
      real(c_double), intent(inout) :: chemical_potential
      real(c_double), intent(inout), optional :: error
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_sample(this, sample, stat, errmsg)) return
      call this%own%report(legato_kpm_chemical_potential(this%own%handle, number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), electrons, temperature, chemical_potential, error), stat, errmsg)
   end subroutine kpm_chemical_potential

   subroutine kpm_save(this, path, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call this%own%report(legato_kpm_save(this%own%handle, trim(path)//c_null_char), stat, errmsg)
   end subroutine kpm_save

   ! The Hamiltonian is not in the file, nor are the program's vectors, if they were its own.
   subroutine kpm_resume(this, context, path, hamiltonian, start_vector, stat, errmsg, stoppable_start_vector)
      class(legato_kpm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      procedure(kpm_start_vector), optional :: start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      type(c_funptr) :: callback
      type(c_ptr) :: user
      integer(c_int32_t) :: status

      call this%destroy()
      if (present(start_vector) .and. present(stoppable_start_vector)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'kpm.resume: start_vector and stoppable_start_vector exclude '// &
                     'each other', stat, errmsg)
         return
      end if
      callback = c_null_funptr
      user = c_null_ptr
      if (present(start_vector) .or. present(stoppable_start_vector)) then
         this%source => source_of(start_vector, stoppable_start_vector)
         callback = c_funloc(forward_vector)
         user = c_loc(this%source)
      end if
      status = legato_kpm_resume(handle_of(context), trim(path)//c_null_char, hamiltonian%own%handle, callback, user, &
                                 this%own%handle)
      call keep_kpm(this, context, status, stat, errmsg)
   end subroutine kpm_resume

   function error_differs(procedure, elements, error, stat, errmsg)
      character(*), intent(in) :: procedure
      integer, intent(in) :: elements
      real(c_double), intent(in), optional :: error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: error_differs

      error_differs = .false.
      if (present(error)) error_differs = differs('kpm.'//procedure//'.error', shape(error), [elements], stat, errmsg)
   end function error_differs

   ! Of a sample that counts from 1; the library's own words count from 0.
   function no_sample(this, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_sample
      type(legato_kpm_state) :: state

      no_sample = .false.
      if (.not. present(sample) .or. .not. c_associated(this%own%handle)) return
      call this%get_state(state)
      no_sample = outside('kpm.sample', sample, state%samples_done, stat, errmsg)
   end function no_sample

   ! -1: the mean of all.
   integer(c_int64_t) function number_of(sample)
      integer(c_int64_t), intent(in), optional :: sample

      number_of = -1
      if (present(sample)) number_of = sample - 1
   end function number_of

   integer(c_int32_t) function kernel_of(kernel)
      integer, intent(in), optional :: kernel

      kernel_of = LEGATO_KPM_JACKSON
      if (present(kernel)) kernel_of = int(kernel, c_int32_t)
   end function kernel_of

   real(c_double) function lambda_of(lambda)
      real(c_double), intent(in), optional :: lambda

      lambda_of = 4
      if (present(lambda)) lambda_of = lambda
   end function lambda_of
end module legato_kpm_module
