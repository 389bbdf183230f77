! Written by tools/fortran_interfaces.py from capi/include/legato/kpm.h. Change that instead.
module legato_c_kpm
   use legato_c_kpm_hamiltonian
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Distribution of the elements of the start vectors.
   enum, bind(c)
      enumerator :: LEGATO_KPM_START_VECTORS_SIGN = 0  ! +1 or -1: least variance of the moments
      enumerator :: LEGATO_KPM_START_VECTORS_GAUSSIAN = 1  ! standard normal
      enumerator :: LEGATO_KPM_START_VECTORS_UNIFORM = 2  ! uniform, with unit variance
      ! one site each; set by legato_kpm_create_local, refused by legato_kpm_create
      enumerator :: LEGATO_KPM_START_VECTORS_SITES = 3
      ! from a callback; set by legato_kpm_create_given, refused by legato_kpm_create
      enumerator :: LEGATO_KPM_START_VECTORS_CALLER = 4
      ! e^(2 pi i u) with uniform u, for complex Hamiltonians only: the variance of the moments does not depend on the
      ! phases of the basis. Since version 0.2.
      enumerator :: LEGATO_KPM_START_VECTORS_PHASE = 5
      ! plane waves of a lattice; set by legato_kpm_create_waves, refused by legato_kpm_create. Since version 0.2.
      enumerator :: LEGATO_KPM_START_VECTORS_WAVES = 6
   end enum

   ! Method that finds the bounds of the spectrum.
   enum, bind(c)
      enumerator :: LEGATO_KPM_BOUNDS_GERSHGORIN = 0  ! Gershgorin's circles: the bounds always enclose the spectrum
      ! Lanczos recursion: the bounds are tighter, so that N moments give a better resolution
      enumerator :: LEGATO_KPM_BOUNDS_LANCZOS = 1
      enumerator :: LEGATO_KPM_BOUNDS_INTERVAL = 2  ! the interval [lowest, highest] of the parameters
   end enum

   ! Storage format of the Hamiltonian.
   enum, bind(c)
      enumerator :: LEGATO_KPM_FORMAT_AUTO = 0  ! the fastest format that fits into memory
      enumerator :: LEGATO_KPM_FORMAT_CRS = 1  ! compressed row storage
      enumerator :: LEGATO_KPM_FORMAT_ELL = 2  ! rows padded to the same length
      enumerator :: LEGATO_KPM_FORMAT_STENCIL = 3  ! matrix-free, for lattices only
   end enum

   ! Precision of the vectors of the recursion.
   enum, bind(c)
      enumerator :: LEGATO_KPM_PRECISION_DOUBLE = 0  ! double precision
      ! vectors in single precision; sums and matrix in double. For lattices a GPU computes the whole step in single
      ! precision
      enumerator :: LEGATO_KPM_PRECISION_SINGLE = 1
   end enum

   ! What is divided among the parts of all ranks. A part is a device, or a rank on the CPU.
   enum, bind(c)
      ! the vectors, unless one of them, or a block of the requested width, does not fit into the memory of a part: then
      ! the lattice or the matrix
      enumerator :: LEGATO_KPM_DIVISION_AUTO = 0
      enumerator :: LEGATO_KPM_DIVISION_VECTORS = 1  ! each part has whole vectors
      ! the parts share each vector: a lattice in slabs, with the format stencil; a matrix by rows
      enumerator :: LEGATO_KPM_DIVISION_LATTICE = 2
   end enum

   ! Kernel polynomial: the factors g_n by which the moments are damped. The names in this header use the short form
   ! "kernel".
   enum, bind(c)
      enumerator :: LEGATO_KPM_KERNEL_JACKSON = 0  ! Jackson kernel: the narrowest positive one
      ! Lorentz kernel with a parameter lambda, 3 to 5 in practice; range [1e-6, 1e6]
      enumerator :: LEGATO_KPM_KERNEL_LORENTZ = 1
      enumerator :: LEGATO_KPM_KERNEL_FEJER = 2  ! Fejer kernel, g_n = 1 - n / N
      enumerator :: LEGATO_KPM_KERNEL_DIRICHLET = 3  ! g_n = 1: the truncated series
   end enum

   ! Parameters of a computation of moments.
   type, bind(c) :: legato_kpm_params
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_params_init.
      integer(c_int32_t) :: moments  ! Number N of moments mu_0 .. mu_(N-1). Range [2, 1048576], default 256.
      integer(c_int32_t) :: start_vectors  ! One of legato_kpm_start_vectors, default LEGATO_KPM_START_VECTORS_SIGN.
      ! Number R of start vectors for each realisation, not used with LEGATO_KPM_START_VECTORS_SITES or
      ! LEGATO_KPM_START_VECTORS_WAVES. Range [1, 1048576], default 16.
      integer(c_int32_t) :: vectors
      ! Number S of realisations. Each has its own vectors and, if there is disorder, its own on-site energies. Range
      ! [1, 1048576], default 1.
      integer(c_int32_t) :: realisations
      integer(c_int64_t) :: seed  ! Seed of the random numbers. Any value, default 1.
      integer(c_int32_t) :: bounds  ! One of legato_kpm_bounds, default LEGATO_KPM_BOUNDS_GERSHGORIN.
      ! Steps of the Lanczos recursion, used with LEGATO_KPM_BOUNDS_LANCZOS. Range [2, 1000], default 60.
      integer(c_int32_t) :: lanczos_steps
      integer(c_int32_t) :: format  ! One of legato_kpm_format, default LEGATO_KPM_FORMAT_AUTO.
      ! Number of vectors that are multiplied at the same time. 0 chooses the largest power of two that fits, up to 16
      ! on the CPU (8 if the Hamiltonian is complex) and 32 on a GPU. Range [0, 64], default 0.
      integer(c_int32_t) :: block_width
      ! Lower bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. Range [-1e100, 1e100], default 0.
      real(c_double) :: lowest
      ! Upper bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. highest - lowest must be at least 4e-12
      ! max(abs(lowest), abs(highest)). Range [-1e100, 1e100], default 0.
      real(c_double) :: highest
      ! Relative enlargement of the energy interval: half_width = (highest - lowest) / 2 * (1 + margin). Range [0, 10],
      ! default 0.01.
      real(c_double) :: margin
      ! Bytes that vectors, sums and matrix may take; 0 allows all free memory. Range [0, 9223372036854775807], default
      ! 0.
      integer(c_int64_t) :: memory_budget
      integer(c_int32_t) :: precision  ! One of legato_kpm_precision, default LEGATO_KPM_PRECISION_DOUBLE.
      ! What is divided among the parts of all ranks. Since version 0.2. One of legato_kpm_division, default
      ! LEGATO_KPM_DIVISION_AUTO.
      integer(c_int32_t) :: division
   end type legato_kpm_params

   ! The choices that a computation has made, and its progress.
   type, bind(c) :: legato_kpm_state
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: backend  ! One of legato_backend.
      integer(c_int32_t) :: format  ! One of legato_kpm_format.
      integer(c_int32_t) :: block_width  ! Number of vectors that are multiplied at the same time.
      integer(c_int32_t) :: moments  ! Number N of moments.
      integer(c_int64_t) :: sites  ! Number D of sites, vacancies included.
      integer(c_int64_t) :: samples  ! Number of samples: R S, or S times the number of given sites or wave vectors.
      integer(c_int64_t) :: samples_done  ! Number of finished samples.
      integer(c_int64_t) :: bytes  ! Bytes of vectors, sums and matrix.
      real(c_double) :: centre  ! Centre of the energy interval, which encloses the spectrum.
      real(c_double) :: half_width  ! Half width of the energy interval.
   end type legato_kpm_state

   abstract interface
      ! Fills start vector number `sample` (from 0, realisation by realisation) with `sites` elements. Their squares
      ! should average to 1. The elements are vector[sites]. If the Hamiltonian is complex, they are vector[2 sites],
      ! real and imaginary parts alternating. A number outside [-1e40, 1e40], or outside [-1e30, 1e30] with
      ! LEGATO_KPM_PRECISION_SINGLE, ends the run with LEGATO_STATUS_INVALID_ARGUMENT. The function is called in the
      ! thread that runs the computation. If several ranks share the work, each rank calls its function only for the
      ! vectors of its share, or for all vectors if the ranks share each vector (legato_kpm_division). The elements must
      ! then be the same on every rank. While devices compute whole vectors, legato_kpm_run asks for the vectors of the
      ! next round, as many as fit into half of the free memory of the host. If a computation is resumed, the function
      ! may be called again with the same number, and must then give the same elements. A return value other than 0
      ! stops the run with LEGATO_STATUS_CANCELLED, before the sample of this vector.
      function legato_kpm_vector_callback(user, sample, sites, vector) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: sample
         integer(c_int64_t), value :: sites
         real(c_double), intent(inout) :: vector(*)
         integer(c_int) :: stop
      end function legato_kpm_vector_callback
   end interface

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_params_init.
      function legato_kpm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_kpm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_params_init_sized

      ! Creates a computation with random start vectors; NULL for `params` stands for the defaults. The bounds of the
      ! spectrum are found in this call. LEGATO_KPM_BOUNDS_LANCZOS runs its recursion in each realisation of the
      ! disorder. With LEGATO_KPM_ON_SITE_NORMAL the call draws all on-site energies once to find the extreme ones,
      ! unless `bounds` is LEGATO_KPM_BOUNDS_INTERVAL. Returns LEGATO_STATUS_OUT_OF_MEMORY if the given block_width does
      ! not fit into memory; the message names a width that fits. Returns the same status if not even a single vector
      ! fits; the message then names a format or a number of sites that would fit.
      function legato_kpm_create(context, params, hamiltonian, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create

      ! Creates a computation of the local moments of sites[n_sites], counted from 0. The sample of sites[i] in
      ! realisation s has the number s * n_sites + i. The parameters start_vectors and vectors are ignored.
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

      ! Creates a computation of the moments <k| T_n(H~) |k> of plane waves on a lattice of C cells with M orbitals
      ! each, which is a legato_kpm_lattice (M = 1) or a legato_kpm_cell_lattice; a matrix is refused. Their density is
      ! the spectral function A(k, E).
      !
      !     |k> = C^(-1/2) sum_(n,o) a_o exp(2 pi i k.n) |n, o>,    k.n = k_0 n_0 + k_1 n_1 + k_2 n_2
      !
      ! with the coordinates n of the cells, from 0. Wave vector number i is k[3 i], k[3 i + 1], k[3 i + 2] in units of
      ! the reciprocal lattice vectors. Range of n_k: [1, 1048576], of k: [-1000, 1000]. A wave fits periodic edges with
      ! a twist if k_d = (m - twist_d / (2 pi)) / L_d with an integer m and L_d cells along direction d. Any other k is
      ! allowed. The wave then has a jump at the edges, which broadens A(k, E) by about the distance of such k. In a
      ! magnetic field the amplitudes, and A(k, E), depend on the gauge.
      !
      ! The amplitudes a_o of wave vector i are amplitudes[2 (i M + o)] + i amplitudes[2 (i M + o) + 1]; range [-1e6,
      ! 1e6]; `orbitals` is M. The integral of A over all energies is the sum of |a_o|^2, without the terms of
      ! vacancies. An orbital at a position r in the cell has the phase exp(2 pi i k.r) if the wave vector is to refer
      ! to positions. NULL stands for the mean over all orbitals: the trace over the cell divided by M, whose integral
      ! is 1, or with vacancies the share of the sites that remain. Its mean over all k of the Brillouin zone is the
      ! density of states per site.
      !
      ! The sample of wave vector i in realisation s has the number s * n_k + i. The parameters start_vectors and
      ! vectors are ignored. With a real Hamiltonian, block_width counts real vectors, and a wave is two of them;
      ! without amplitudes each orbital has vectors of its own. Since version 0.2.
      function legato_kpm_create_waves(context, params, hamiltonian, n_k, k, orbitals, amplitudes, kpm) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_k
         real(c_double), intent(in) :: k(*)
         integer(c_int32_t), value :: orbitals
         real(c_double), intent(in), optional :: amplitudes(*)
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create_waves

      ! Creates a computation with start vectors from `callback`, R for each of S realisations. The parameter
      ! start_vectors is ignored. The callback is used until the computation is destroyed.
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

      ! Destroys a computation; NULL is allowed.
      function legato_kpm_destroy(kpm) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_destroy

      ! Runs until all samples are finished. `callback` may be NULL. It reports samples as points and steps of the
      ! recursion as cycles. A stopped run continues with the next call.
      !
      ! The function returns LEGATO_STATUS_NUMERICAL_ERROR if the moments of a sample prove that the bounds do not
      ! enclose the spectrum: |mu_n| exceeds mu_0, the density is negative with the Jackson kernel, or no density within
      ! the energy interval has these moments. The message names the energy interval, the evidence and the remedy. A
      ! state just outside the energy interval, by less than the resolution of N moments, cannot be detected.
      !
      ! After such an error the computation cannot continue. Every function that reads its results then returns
      ! LEGATO_STATUS_NUMERICAL_ERROR too, but still fills in the results of the samples before the one that proves it.
      ! These samples can be saved.
      function legato_kpm_run(kpm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_run

      ! Computes up to `blocks` more blocks of vectors. If several ranks or devices share the work, each of them
      ! computes a block at the same time, and these blocks count as one; if they share each vector, they compute one
      ! block together. *samples_done becomes the number of all finished samples.
      function legato_kpm_advance(kpm, blocks, samples_done) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: blocks
         integer(c_int64_t), intent(inout), optional :: samples_done
         integer(c_int32_t) :: status
      end function legato_kpm_advance

      ! Reads the choices and the progress of a computation.
      function legato_kpm_get_state(kpm, state) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_get_state

      ! Reads the first n moments, averaged over all finished samples, into mean[n], and their standard errors into
      ! error[n]. Range of n: [1, N].
      !
      ! If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
      ! realisations' means, also for sites and plane waves. Otherwise they follow from the spread of the random
      ! vectors. The moments of sites and plane waves of one Hamiltonian without random disorder are exact, and their
      ! error is 0. The error is NaN if it is unknown: with a single random vector, and for sites and plane waves with a
      ! single realisation of random disorder. The errors of each site or wave vector are those of kpm_local.h.
      function legato_kpm_moments(kpm, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_moments

      ! Reads the first n moments of one sample into moments[n]: <r|T_n|r> / D, <i|T_n|i> for a local moment, or
      ! <k|T_n|k> for a plane wave. Samples count from 0, realisation by realisation.
      function legato_kpm_sample(kpm, sample, n, moments) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: moments(*)
         integer(c_int32_t) :: status
      end function legato_kpm_sample

      ! Sets the callback of the functions of this group; NULL stands for none. It is called a few times a second, and
      ! reports spectra as points and as cycles: that of the mean, and those of the samples whose spread gives the
      ! error. A return value other than 0 ends the function with LEGATO_STATUS_CANCELLED; its results are then not
      ! written. The callback is used until another one is set or the computation is destroyed. It cannot call
      ! legato_kpm_run or legato_kpm_advance for the same computation.
      function legato_kpm_set_progress(kpm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_set_progress

      ! Computes the density of states per site at energies[n] into density[n]. It is 0 outside the energy interval.
      function legato_kpm_density_of_states(kpm, sample, kernel, lambda, n, energies, density, error) bind(c) &
         result(status)
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

      ! Computes the density of states at n >= N Chebyshev nodes E_k = centre - half_width cos(pi (k + 1/2) / n) by a
      ! fast cosine transform. energies[n] receives the nodes. The product of n and its largest prime factor is at most
      ! 2^33.
      function legato_kpm_density_at_nodes(kpm, sample, kernel, lambda, n, energies, density, error) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: energies(*)
         real(c_double), intent(inout) :: density(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_density_at_nodes

      ! Computes the Green's function G(E + i0) at energies[n] into green[2 n], real and imaginary parts alternating.
      ! error[2 n] has the same order. The imaginary part is -pi rho(E). An energy at an end of the energy interval is
      ! refused.
      function legato_kpm_greens_function(kpm, sample, kernel, lambda, n, energies, green, error) bind(c) result(status)
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

      ! Computes the number of states per site below energies[n] into states[n].
      function legato_kpm_integrated_density(kpm, sample, kernel, lambda, n, energies, states, error) bind(c) &
         result(status)
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

      ! Computes the number of electrons per site, with one electron in each state, at a chemical potential and a
      ! temperature in units of energy. The temperature may be 0.
      function legato_kpm_electron_number(kpm, sample, kernel, lambda, chemical_potential, temperature, electrons, &
         error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: chemical_potential
         real(c_double), value :: temperature
         real(c_double), intent(inout) :: electrons
         real(c_double), intent(inout), optional :: error
         integer(c_int32_t) :: status
      end function legato_kpm_electron_number

      ! Computes the chemical potential mu(n) of n electrons per site, and its error. Range of n: [0, m_0], where m_0 is
      ! the moment of order 0; it is 1 for the density of states per site.
      !
      ! The error is [mu(n + dn) - mu(n - dn)] / 2, where dn is the error of the electron number at mu(n). If the
      ! density of states hardly varies between the two potentials, this is dn divided by the density of states. The
      ! quotients [mu(n + k dn) - mu(n - k dn)] / (2 k) are also computed for k = 2, 3 and 4. If one of them exceeds 1.5
      ! times the error, a gap is near, and the largest quotient becomes the error.
      !
      ! In the following, k is the number whose quotient became the error, or 1 if none did. If mu(n) lies in the lowest
      ! or the highest quarter of the range mu(n - k dn) .. mu(n + k dn), a gap is assumed. The result is then the
      ! middle of this range instead of mu(n). The error does not change; it is at least an eighth of the width of this
      ! range. If n - k dn or n + k dn is outside [0, m_0], the range ends there at the lower or upper end of the energy
      ! interval. If the error of the electron number is 0 or NaN, so is that of the chemical potential.
      function legato_kpm_chemical_potential(kpm, sample, kernel, lambda, electrons, temperature, &
         chemical_potential, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: electrons
         real(c_double), value :: temperature
         real(c_double), intent(inout) :: chemical_potential
         real(c_double), intent(inout), optional :: error
         integer(c_int32_t) :: status
      end function legato_kpm_chemical_potential

      ! Saves the finished samples to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is
      ! complete. The Hamiltonian is not saved.
      function legato_kpm_save(kpm, path) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_kpm_save

      ! Resumes a saved computation on the backend on which it ran. Its results are then bitwise identical to those of
      ! an uninterrupted run. If the context requests the other backend, or if this machine does not have the earlier
      ! one, the run continues on the other backend. A warning then says that the last digits may differ. A file is
      ! refused if it is truncated, if it is not a saved computation, or if a newer version has written it. A
      ! Hamiltonian that differs from the one of the saved run is also refused. `callback` and `user` are those of
      ! legato_kpm_create_given. They are NULL for any other computation.
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

      ! Reads the parameters in use, for instance after legato_kpm_resume. Before the call, set struct_size to the size
      ! of the struct, directly or by legato_kpm_params_init.
      function legato_kpm_get_params(kpm, params) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_get_params
   end interface
end module legato_c_kpm
