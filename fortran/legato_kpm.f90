!> The kernel polynomial method. legato/kpm.h explains the arguments. Sites, samples and start vectors count from 1;
!! only in the library's messages about lattices, matrices and sites, such as kpm.sites[0], they count from 0. The
!! default kernel is Jackson's. `sample` selects a vector or a site; without it the result is the mean over all samples.
!! Samples are ordered by realisation: with n sites, site i in realisation s is sample (s - 1) n + i.
module legato_kpm_module
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_handle, legato_resumable_run, legato_monitor
   use legato_handle_module, only: c_functions, keep, hold, handle_of, report, unmade
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   use legato_kpm_vectors_module, only: kpm_start_vector, kpm_stoppable_start_vector, kpm_complex_start_vector, &
      kpm_stoppable_complex_start_vector, vector_user, forward_vector, user_of, wrong_vectors
   use legato_support, only: finish, outside, differs, parts_of
   implicit none
   private

   public :: legato_kpm, legato_kpm_params, legato_kpm_state
   public :: kpm_defaults, kpm_start_vector, kpm_stoppable_start_vector
   public :: kpm_complex_start_vector, kpm_stoppable_complex_start_vector
   public :: LEGATO_KPM_START_VECTORS_SIGN, LEGATO_KPM_START_VECTORS_GAUSSIAN, LEGATO_KPM_START_VECTORS_UNIFORM, &
      LEGATO_KPM_START_VECTORS_SITES, LEGATO_KPM_START_VECTORS_CALLER, LEGATO_KPM_START_VECTORS_PHASE, &
      LEGATO_KPM_START_VECTORS_WAVES
   public :: LEGATO_KPM_BOUNDS_GERSHGORIN, LEGATO_KPM_BOUNDS_LANCZOS, LEGATO_KPM_BOUNDS_INTERVAL
   public :: LEGATO_KPM_FORMAT_AUTO, LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL, LEGATO_KPM_FORMAT_STENCIL
   public :: LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE
   public :: LEGATO_KPM_DIVISION_AUTO, LEGATO_KPM_DIVISION_VECTORS, LEGATO_KPM_DIVISION_LATTICE
   public :: LEGATO_KPM_KERNEL_JACKSON, LEGATO_KPM_KERNEL_LORENTZ, LEGATO_KPM_KERNEL_FEJER, LEGATO_KPM_KERNEL_DIRICHLET

   !> A computation of moments.
   type, extends(legato_resumable_run) :: legato_kpm
   contains
      procedure :: create => kpm_create
      procedure :: advance => kpm_advance
      procedure :: get_state => kpm_get_state
      procedure :: moments => kpm_moments
      procedure :: sample => kpm_sample
      procedure :: set_progress => kpm_set_progress
      procedure :: density_of_states => kpm_density_of_states
      procedure :: density_at_nodes => kpm_density_at_nodes
      procedure :: greens_function => kpm_greens_function
      procedure :: integrated_density => kpm_integrated_density
      procedure :: local_moments => kpm_local_moments
      procedure :: local_densities => kpm_local_densities
      procedure :: local_densities_at_nodes => kpm_local_densities_at_nodes
      procedure :: local_greens_functions => kpm_local_greens_functions
      procedure :: electron_number => kpm_electron_number
      procedure :: chemical_potential => kpm_chemical_potential
      procedure :: resume => kpm_resume
      procedure :: get_params => kpm_get_params
   end type legato_kpm

contains

   !> Returns the defaults: 256 moments of 16 sign vectors in double precision, one realisation, Gershgorin's bounds.
   function kpm_defaults() result(params)
      type(legato_kpm_params) :: params
      integer(c_int32_t) :: status

      status = legato_kpm_params_init_sized(params, c_sizeof(params))
   end function kpm_defaults

   !> Creates a computation of the moments of random vectors. With `sites` it computes local moments; sample i is that
   !! of sites(i). With `start_vector` or `stoppable_start_vector` it uses the vectors of the program, and for a complex
   !! Hamiltonian with `complex_start_vector` or `stoppable_complex_start_vector`. With `wave_vectors`, wave_vectors(:, i)
   !! for sample i, it uses plane waves; amplitudes(o, i) is that of orbital o, and without amplitudes the result is the
   !! mean over the orbitals.
   subroutine kpm_create(this, context, hamiltonian, params, sites, start_vector, stoppable_start_vector, &
                         complex_start_vector, stoppable_complex_start_vector, wave_vectors, amplitudes, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm_params), intent(in), optional :: params
      integer(c_int64_t), intent(in), optional :: sites(:)
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      real(c_double), intent(in), optional :: wave_vectors(:, :)
      complex(c_double_complex), intent(in), optional :: amplitudes(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      type(vector_user), pointer :: user
      integer(c_int32_t) :: status
      logical :: is_given
      integer :: shapes(2, 2)

      call this%destroy()
      if (wrong_vectors('kpm.create', [handle_of(hamiltonian)], [present(sites), present(start_vector), &
                        present(stoppable_start_vector), present(complex_start_vector), &
                        present(stoppable_complex_start_vector)], is_given, stat, errmsg)) return
      ! gfortran computes the bounds of absent arrays that are passed on. Only their shapes are.
      shapes = 0
      if (present(wave_vectors)) shapes(:, 1) = shape(wave_vectors)
      if (present(amplitudes)) shapes(:, 2) = shape(amplitudes)
      if (wrong_waves(present(sites) .or. is_given, [present(wave_vectors), present(amplitudes)], shapes, stat, errmsg)) return
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      if (present(sites)) then
         status = legato_kpm_create_local(handle_of(context), params, handle_of(hamiltonian), &
                                          size(sites, kind=c_int64_t), sites - 1, handle)
      else if (is_given) then
         status = legato_kpm_create_given(handle_of(context), params, handle_of(hamiltonian), c_funloc(forward_vector), &
                                          c_loc(user), handle)
      else if (present(amplitudes)) then
         status = create_waves(context, params, hamiltonian, wave_vectors, handle, amplitudes)
      else if (present(wave_vectors)) then
         status = create_waves(context, params, hamiltonian, wave_vectors, handle)
      else
         status = legato_kpm_create(handle_of(context), params, handle_of(hamiltonian), handle)
      end if
      call keep_kpm(this, handle, user, context, status, stat, errmsg)
   end subroutine kpm_create

   function create_waves(context, params, hamiltonian, wave_vectors, handle, amplitudes) result(status)
      type(legato_context), intent(in) :: context
      type(legato_kpm_params), intent(in), optional :: params
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      real(c_double), intent(in), contiguous :: wave_vectors(:, :)
      type(c_ptr), intent(out) :: handle
      complex(c_double_complex), intent(in), optional :: amplitudes(:, :)
      integer(c_int32_t) :: status
      real(c_double), allocatable :: parts(:, :, :)
      integer(c_int32_t) :: orbitals

      orbitals = 0
      if (present(amplitudes)) then
         orbitals = size(amplitudes, 1, kind=c_int32_t)
         allocate (parts(2, orbitals, size(amplitudes, 2)))
         parts(1, :, :) = real(amplitudes, c_double)
         parts(2, :, :) = aimag(amplitudes)
      end if
      ! If it is not allocated, `parts` is an absent argument.
      status = legato_kpm_create_waves(handle_of(context), params, handle_of(hamiltonian), &
                                       size(wave_vectors, 2, kind=c_int64_t), wave_vectors, orbitals, parts, handle)
   end function create_waves

   !> Computes up to `blocks` further blocks of vectors. `samples_done` counts all finished samples.
   subroutine kpm_advance(this, blocks, samples_done, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      integer(c_int64_t), intent(in) :: blocks
      integer(c_int64_t), intent(out) :: samples_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      samples_done = 0
      call report(this, legato_kpm_advance(handle_of(this), blocks, samples_done), stat, errmsg)
   end subroutine kpm_advance

   !> Returns what was chosen, such as the backend, and the progress of the computation.
   subroutine kpm_get_state(this, state, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      type(legato_kpm_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_kpm_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_kpm_get_state(handle_of(this), state), stat, errmsg)
   end subroutine kpm_get_state

   !> Returns the first moments, as many as the arrays have elements; mean(n + 1) is mu_n. Here and below, an error is 0
   !! if the result is exact, and NaN if it is unknown, for example with a single sample.
   subroutine kpm_moments(this, mean, error, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(inout), contiguous :: mean(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (error_differs('moments', size(mean), error, stat, errmsg)) return
      call report(this, legato_kpm_moments(handle_of(this), size(mean, kind=c_int32_t), mean, error), stat, errmsg)
   end subroutine kpm_moments

   !> Returns the moments of one sample.
   subroutine kpm_sample(this, sample, moments, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(inout), contiguous :: moments(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_sample(this, sample, stat, errmsg)) return
      call report(this, legato_kpm_sample(handle_of(this), sample - 1, size(moments, kind=c_int32_t), moments), &
                           stat, errmsg)
   end subroutine kpm_sample

   !> Sets the procedure that is called a few times a second while quantities are computed from moments. If it returns
   !! true, the computation of the quantity stops with LEGATO_STATUS_CANCELLED. Without `monitor` nothing is called.
   subroutine kpm_set_progress(this, monitor, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      procedure(legato_monitor), optional :: monitor
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_funptr) :: callback
      type(c_ptr) :: user

      callback = c_null_funptr
      user = c_null_ptr
      if (present(monitor)) then
         callback = c_funloc(forward_progress)
         user = transfer(c_funloc(monitor), user)
      end if
      call report(this, legato_kpm_set_progress(handle_of(this), callback, user), stat, errmsg)
   end subroutine kpm_set_progress

   !> Returns the density of states per site at any energies.
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
      call report(this, legato_kpm_density_of_states(handle_of(this), number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, density, error), stat, errmsg)
   end subroutine kpm_density_of_states

   !> Returns Chebyshev nodes in `energies` and the density of states there. The arrays have at least as many elements
   !! as there are moments.
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
      call report(this, legato_kpm_density_at_nodes(handle_of(this), number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, density, error), stat, errmsg)
   end subroutine kpm_density_at_nodes

   !> Returns G(E + i0). `error` has the errors of the real and of the imaginary parts.
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
         ! If it is not allocated, `spread` is an absent argument of the call below.
         allocate (spread(2, size(energies)), source=ieee_value(0.0_c_double, ieee_quiet_nan))
      end if
      if (no_sample(this, sample, stat, errmsg)) return
      allocate (parts(2, size(energies)), source=ieee_value(0.0_c_double, ieee_quiet_nan))
      status = legato_kpm_greens_function(handle_of(this), number_of(sample), kernel_of(kernel), lambda_of(lambda), &
                                          size(energies, kind=c_int32_t), energies, parts, spread)
      if (status == LEGATO_STATUS_SUCCESS .or. status == LEGATO_STATUS_NUMERICAL_ERROR) &
         then     ! the latter gives partial results
         green = cmplx(parts(1, :), parts(2, :), c_double_complex)
         if (present(error)) error = cmplx(spread(1, :), spread(2, :), c_double_complex)
      end if
      call report(this, status, stat, errmsg)
   end subroutine kpm_greens_function

   !> Returns the moments of each site or wave vector, and their standard errors over the realisations: mean(n + 1, i) is
   !! mu_n of number first + i - 1. Here and below `first` is 1 unless it is given; the last extent of the arrays is the
   !! number of sites or wave vectors.
   subroutine kpm_local_moments(this, mean, error, first, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(inout), contiguous :: mean(:, :)
      real(c_double), intent(inout), contiguous, optional :: error(:, :)
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (table_differs('local_moments', shape(mean), error, stat, errmsg)) return
      if (no_place(this, first, stat, errmsg)) return
      call report(this, legato_kpm_local_moments(handle_of(this), place_of(first), size(mean, 2, kind=c_int64_t), &
                                                 size(mean, 1, kind=c_int32_t), mean, error), stat, errmsg)
   end subroutine kpm_local_moments

   !> Returns the density of each site or wave vector at any energies: density(j, i) at energies(j).
   subroutine kpm_local_densities(this, energies, density, error, kernel, lambda, first, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      real(c_double), intent(inout), contiguous :: density(:, :)
      real(c_double), intent(inout), contiguous, optional :: error(:, :)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('kpm.local_densities.density', shape(density), [size(energies), size(density, 2)], stat, errmsg)) return
      if (table_differs('local_densities', shape(density), error, stat, errmsg)) return
      if (no_place(this, first, stat, errmsg)) return
      call report(this, legato_kpm_local_densities(handle_of(this), place_of(first), size(density, 2, kind=c_int64_t), &
         kernel_of(kernel), lambda_of(lambda), size(energies, kind=c_int32_t), energies, density, error), stat, errmsg)
   end subroutine kpm_local_densities

   !> Returns Chebyshev nodes in `energies` and the density of each site or wave vector there.
   subroutine kpm_local_densities_at_nodes(this, energies, density, error, kernel, lambda, first, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(inout), contiguous :: energies(:), density(:, :)
      real(c_double), intent(inout), contiguous, optional :: error(:, :)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('kpm.local_densities.density', shape(density), [size(energies), size(density, 2)], stat, errmsg)) return
      if (table_differs('local_densities_at_nodes', shape(density), error, stat, errmsg)) return
      if (no_place(this, first, stat, errmsg)) return
      call report(this, legato_kpm_local_densities_at_nodes(handle_of(this), place_of(first), &
         size(density, 2, kind=c_int64_t), kernel_of(kernel), lambda_of(lambda), size(energies, kind=c_int32_t), &
         energies, density, error), stat, errmsg)
   end subroutine kpm_local_densities_at_nodes

   !> Returns G(E + i0) of each site or wave vector: green(j, i) at energies(j). `error` has the errors of the real and of
   !! the imaginary parts.
   subroutine kpm_local_greens_functions(this, energies, green, error, kernel, lambda, first, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      complex(c_double_complex), intent(inout), contiguous, target :: green(:, :)
      complex(c_double_complex), intent(inout), contiguous, optional, target :: error(:, :)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), pointer :: parts(:), spread(:)

      if (differs('kpm.local_greens_functions.green', shape(green), [size(energies), size(green, 2)], stat, errmsg)) return
      spread => null()
      if (present(error)) then
         if (differs('kpm.local_greens_functions.error', shape(error), shape(green), stat, errmsg)) return
         spread => parts_of(c_loc(error), size(error, kind=c_int64_t))
      end if
      if (no_place(this, first, stat, errmsg)) return
      parts => parts_of(c_loc(green), size(green, kind=c_int64_t))
      ! If it is not associated, `spread` is an absent argument.
      call report(this, legato_kpm_local_greens_functions(handle_of(this), place_of(first), &
         size(green, 2, kind=c_int64_t), kernel_of(kernel), lambda_of(lambda), size(energies, kind=c_int32_t), energies, &
         parts, spread), stat, errmsg)
   end subroutine kpm_local_greens_functions

   !> Returns the number of states per site below each energy.
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
      call report(this, legato_kpm_integrated_density(handle_of(this), number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), size(energies, kind=c_int32_t), energies, states, error), stat, errmsg)
   end subroutine kpm_integrated_density

   !> Returns the number of electrons per site at a chemical potential and a temperature, which is in units of energy.
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
      call report(this, legato_kpm_electron_number(handle_of(this), number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), chemical_potential, temperature, electrons, error), stat, errmsg)
   end subroutine kpm_electron_number

   !> Returns the chemical potential for a number of electrons per site.
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
      call report(this, legato_kpm_chemical_potential(handle_of(this), number_of(sample), kernel_of(kernel), &
         lambda_of(lambda), electrons, temperature, chemical_potential, error), stat, errmsg)
   end subroutine kpm_chemical_potential

   !> Resumes a computation that save has written. The file contains neither the Hamiltonian nor start vectors of the
   !! program, so they must be given again.
   subroutine kpm_resume(this, context, path, hamiltonian, start_vector, stoppable_start_vector, &
                         complex_start_vector, stoppable_complex_start_vector, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      type(vector_user), pointer :: user
      type(c_funptr) :: callback
      integer(c_int32_t) :: status
      logical :: is_given

      call this%destroy()
      if (wrong_vectors('kpm.resume', [handle_of(hamiltonian)], [.false., present(start_vector), &
                        present(stoppable_start_vector), present(complex_start_vector), &
                        present(stoppable_complex_start_vector)], is_given, stat, errmsg)) return
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      callback = c_null_funptr
      if (is_given) callback = c_funloc(forward_vector)
      status = legato_kpm_resume(handle_of(context), trim(path)//c_null_char, handle_of(hamiltonian), callback, &
                                 c_loc(user), handle)
      call keep_kpm(this, handle, user, context, status, stat, errmsg)
   end subroutine kpm_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine kpm_get_params(this, params, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      type(legato_kpm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = kpm_defaults()
      call report(this, legato_kpm_get_params(handle_of(this), params), stat, errmsg)
   end subroutine kpm_get_params

   subroutine keep_kpm(this, handle, user, context, status, stat, errmsg)
      class(legato_kpm), intent(inout) :: this
      type(c_ptr), intent(in) :: handle
      type(vector_user), pointer, intent(in) :: user
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call hold(this, user, status)
      call keep(this, c_functions('legato_kpm', legato_kpm_destroy, legato_kpm_run, legato_kpm_save), handle, &
                handle_of(context), status, stat, errmsg)
   end subroutine keep_kpm

   ! `user` is the address of the program's procedure.
   function forward_progress(user, progress) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      type(legato_progress), intent(in) :: progress
      integer(c_int) :: stop
      procedure(legato_monitor), pointer :: program
      type(c_funptr) :: address

      address = transfer(user, address)
      call c_f_procpointer(address, program)
      stop = merge(1, 0, program(progress))
   end function forward_progress

   ! Returns the number of a sample in C, or -1 for the mean of all samples.
   integer(c_int64_t) function number_of(sample)
      integer(c_int64_t), intent(in), optional :: sample

      number_of = -1
      if (present(sample)) number_of = sample - 1
   end function number_of

   ! Returns the number in C of a site or wave vector.
   integer(c_int64_t) function place_of(first)
      integer(c_int64_t), intent(in), optional :: first

      place_of = 0
      if (present(first)) place_of = first - 1
   end function place_of

   integer(c_int32_t) function kernel_of(kernel)
      integer, intent(in), optional :: kernel

      kernel_of = LEGATO_KPM_KERNEL_JACKSON
      if (present(kernel)) kernel_of = int(kernel, c_int32_t)
   end function kernel_of

   real(c_double) function lambda_of(lambda)
      real(c_double), intent(in), optional :: lambda

      lambda_of = 4
      if (present(lambda)) lambda_of = lambda
   end function lambda_of

   ! The functions below return true and report an error if an argument is wrong. The library's own messages would count
   ! from 0.

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

   function table_differs(procedure, extents, error, stat, errmsg)
      character(*), intent(in) :: procedure
      integer, intent(in) :: extents(2)
      real(c_double), intent(in), optional :: error(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: table_differs

      table_differs = .false.
      if (present(error)) table_differs = differs('kpm.'//procedure//'.error', shape(error), extents, stat, errmsg)
   end function table_differs

   ! `given` says whether there are wave vectors and amplitudes, which have these shapes. `others` says whether there
   ! are other vectors.
   function wrong_waves(others, given, shapes, stat, errmsg)
      logical, intent(in) :: others, given(2)
      integer, intent(in) :: shapes(2, 2)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_waves

      wrong_waves = (others .and. given(1)) .or. (given(2) .and. .not. given(1))
      if (wrong_waves) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), &
                     'kpm.create: wave_vectors excludes sites and start vectors; amplitudes needs wave_vectors', stat, errmsg)
         return
      end if
      if (.not. given(1)) return
      wrong_waves = differs('kpm.create.wave_vectors', shapes(:, 1), [3, shapes(2, 1)], stat, errmsg)
      if (wrong_waves .or. .not. given(2)) return
      wrong_waves = differs('kpm.create.amplitudes', shapes(:, 2), [shapes(1, 2), shapes(2, 1)], stat, errmsg)
   end function wrong_waves

   function no_place(this, first, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_place
      type(legato_kpm_state) :: state
      type(legato_kpm_params) :: params

      no_place = unmade(this, stat, errmsg)
      if (no_place .or. .not. present(first)) return
      call this%get_state(state)
      call this%get_params(params)
      no_place = outside('kpm.first', first, state%samples / params%realisations, stat, errmsg)
   end function no_place

   function no_sample(this, sample, stat, errmsg)
      class(legato_kpm), intent(in) :: this
      integer(c_int64_t), intent(in), optional :: sample
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_sample
      type(legato_kpm_state) :: state

      no_sample = unmade(this, stat, errmsg)
      if (no_sample .or. .not. present(sample)) return
      call this%get_state(state)
      no_sample = outside('kpm.sample', sample, state%samples_done, stat, errmsg)
   end function no_sample
end module legato_kpm_module
