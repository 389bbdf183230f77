! Written by tools/fortran_interfaces.py from capi/include/legato/kpm.h. Change that instead.
module legato_c_kpm
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Boundary of a lattice along an axis.
   enum, bind(c)
      enumerator :: LEGATO_KPM_BOUNDARY_HARD_WALL = 0  ! no neighbour across the edge
      enumerator :: LEGATO_KPM_BOUNDARY_PERIODIC = 1  ! a site at the opposite edge is the neighbour
   end enum

   ! Distribution of the on-site energies of a lattice.
   enum, bind(c)
      enumerator :: LEGATO_KPM_ON_SITE_CONSTANT = 0  ! all equal to the member energy
      enumerator :: LEGATO_KPM_ON_SITE_BOX = 1  ! uniform in [energy - disorder / 2, energy + disorder / 2]
      enumerator :: LEGATO_KPM_ON_SITE_NORMAL = 2  ! normal, with mean energy and standard deviation disorder
      enumerator :: LEGATO_KPM_ON_SITE_ENERGIES = 3  ! given by the caller, one for each site
      ! energy + disorder / 2 with the probability concentration, otherwise energy - disorder / 2
      enumerator :: LEGATO_KPM_ON_SITE_BINARY = 4
   end enum

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

   ! Function f(E) of the energy that a legato_kpm_function applies. It has up to two parameters, `first` and `second`;
   ! `second` is 0 if it is not named here.
   enum, bind(c)
      enumerator :: LEGATO_KPM_FUNCTION_KIND_EVOLUTION = 0  ! exp(-i E t), first = t
      enumerator :: LEGATO_KPM_FUNCTION_KIND_BOLTZMANN = 1  ! exp(-beta E), first = beta
      enumerator :: LEGATO_KPM_FUNCTION_KIND_FERMI = 2  ! 1 / (1 + exp((E - mu) / T)), first = mu, second = T, above 0
      enumerator :: LEGATO_KPM_FUNCTION_KIND_STEP = 3  ! erfc((E - mu) / w) / 2, first = mu, second = w, above 0
      enumerator :: LEGATO_KPM_FUNCTION_KIND_GAUSSIAN = 4  ! exp(-(E - E0)^2 / (2 w^2)), first = E0, second = w, above 0
      ! sqrt(E - E0), first = E0, at most the lower end of the interval
      enumerator :: LEGATO_KPM_FUNCTION_KIND_SQUARE_ROOT = 5
      enumerator :: LEGATO_KPM_FUNCTION_KIND_RESOLVENT = 6  ! 1 / (E0 + i eta - E), first = E0, second = eta, not 0
   end enum

   ! A chain, a square or a simple cubic lattice, with hopping between nearest neighbours and on-site energies. A chain
   ! has the extents {L, 1, 1}, a square lattice {L, M, 1} and a cubic one {L, M, N}. Site (x, y, z) has the number x +
   ! L (y + M z), from 0. Each bond has the matrix element -hopping. Along a periodic direction a bond joins the last
   ! site with the first; with an extent of 2, two bonds join the same two sites.
   type, bind(c) :: legato_kpm_lattice
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_lattice_init.
      ! Sites along each axis, at most 2^40 in all. Range [1, 1099511627776], default 1.
      integer(c_int64_t) :: extents(3)
      ! Boundary along each axis. One of legato_kpm_boundary, default LEGATO_KPM_BOUNDARY_PERIODIC.
      integer(c_int32_t) :: boundary(3)
      integer(c_int32_t) :: on_site  ! One of legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT.
      real(c_double) :: hopping  ! Matrix element of a bond, with the opposite sign. Range [-1e6, 1e6], default 1.
      real(c_double) :: energy  ! Mean on-site energy. Range [-1e6, 1e6], default 0.
      ! Width of the box of on-site energies, or their standard deviation, or the difference of the two values. The
      ! energies are drawn anew in every realisation; used with LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL and
      ! LEGATO_KPM_ON_SITE_BINARY. Range [0, 1e6], default 0.
      real(c_double) :: disorder
      ! Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Since version 0.2. Range [0,
      ! 1], default 0.5.
      real(c_double) :: concentration
   end type legato_kpm_lattice

   ! A crystal whose unit cell has several orbitals, with hoppings to the same and to other cells, a uniform magnetic
   ! field and twisted boundaries. With the extents L, orbital o of cell (n_0, n_1, n_2) is the site o + orbitals (n_0 +
   ! L_0 (n_1 + L_1 n_2)); all of them count from 0. Since version 0.2.
   type, bind(c) :: legato_kpm_cell_lattice
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_cell_lattice_init.
      ! Cells along each axis. At most 2^40 sites in all. Range [1, 1099511627776], default 1.
      integer(c_int64_t) :: extents(3)
      ! Boundary along each axis. One of legato_kpm_boundary, default LEGATO_KPM_BOUNDARY_PERIODIC.
      integer(c_int32_t) :: boundary(3)
      integer(c_int32_t) :: orbitals  ! Orbitals in a cell. Range [1, 16], default 1.
      ! Disorder that is added to the energies of the orbitals. LEGATO_KPM_ON_SITE_CONSTANT adds nothing. One of
      ! legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT.
      integer(c_int32_t) :: on_site
      ! Phase in radians for crossing a periodic edge: a hopping that leads from the last cells of an axis to the first
      ! ones has the factor exp(i twist), in the other direction exp(-i twist). Wave vectors are k L = 2 pi m - twist.
      ! Range [-1000, 1000], default 0.
      real(c_double) :: twist(3)
      ! Flux quanta of a uniform magnetic field through the faces of a cell: flux[0] through the face of a_1 and a_2,
      ! flux[1] through that of a_2 and a_0, flux[2] through that of a_0 and a_1. If both directions of a face are
      ! periodic and hoppings lead along both, the flux times one of the two extents must be an integer. Range [-1000,
      ! 1000], default 0.
      real(c_double) :: flux(3)
      ! Width, standard deviation or difference, as in legato_kpm_lattice; used with LEGATO_KPM_ON_SITE_BOX,
      ! LEGATO_KPM_ON_SITE_NORMAL and LEGATO_KPM_ON_SITE_BINARY. Range [0, 1e6], default 0.
      real(c_double) :: disorder
      ! Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Range [0, 1], default 0.5.
      real(c_double) :: concentration
   end type legato_kpm_cell_lattice

   ! Parameters of a computation of moments.
   type, bind(c) :: legato_kpm_params
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_params_init.
      integer(c_int32_t) :: moments  ! Number N of moments mu_0 .. mu_(N-1). Range [2, 1048576], default 256.
      integer(c_int32_t) :: start_vectors  ! One of legato_kpm_start_vectors, default LEGATO_KPM_START_VECTORS_SIGN.
      ! Number R of start vectors for each realisation, not used with LEGATO_KPM_START_VECTORS_SITES. Range [1,
      ! 1048576], default 16.
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
      integer(c_int64_t) :: sites  ! Number D of sites.
      integer(c_int64_t) :: samples  ! Number of samples: R S, or S times the number of given sites for local moments.
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

      ! Computes f at energies[n] into values[2 n], real and imaginary parts alternating. A return value other than 0
      ! stops the call with LEGATO_STATUS_CANCELLED.
      function legato_kpm_function_callback(user, n, energies, values) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: values(*)
         integer(c_int) :: stop
      end function legato_kpm_function_callback

      ! Fills in the on-site energies[sites] of a realisation, which are added to the diagonal of a matrix. Realisations
      ! count from 0. Energies outside the range given to legato_kpm_matrix_set_energies, and NaN, end the call with
      ! LEGATO_STATUS_INVALID_ARGUMENT. The function is called in the thread that runs or creates the computation. It
      ! may be called again with the same number, and must then give the same energies, on every rank. A return value
      ! other than 0 stops the call with LEGATO_STATUS_CANCELLED.
      function legato_kpm_energy_callback(user, realisation, sites, energies) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: realisation
         integer(c_int64_t), value :: sites
         real(c_double), intent(inout) :: energies(*)
         integer(c_int) :: stop
      end function legato_kpm_energy_callback
   end interface

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_lattice_init.
      function legato_kpm_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_init_sized

      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_cell_lattice_init. Since version 0.2.
      function legato_kpm_cell_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_cell_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_cell_lattice_init_sized

      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_params_init.
      function legato_kpm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_kpm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_params_init_sized

      ! Creates the Hamiltonian of a lattice. With LEGATO_KPM_ON_SITE_ENERGIES, energies[n_energies] are the on-site
      ! energies, one for each site, and are copied. Otherwise n_energies is 0 and energies NULL.
      function legato_kpm_lattice_create(context, lattice, n_energies, energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_lattice), intent(in) :: lattice
         integer(c_int64_t), value :: n_energies
         real(c_double), intent(in), optional :: energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_create

      ! Creates the Hamiltonian of a unit-cell lattice. All arrays are copied.
      !
      ! Hopping h is the matrix element amplitudes[2 h] + i amplitudes[2 h + 1] from orbital from[h] of each cell n to
      ! orbital to[h] of the cell n + offsets[3 h .. 3 h + 2]. Its Hermitian conjugate, in the other direction, is not
      ! given. Several hoppings between the same orbitals are added. Periodic directions wrap hoppings of any length.
      ! The ranges are [0, 1048576] of n_hoppings, [-4096, 4096] of an offset, and [-1e6, 1e6] of each part of an
      ! amplitude. A hopping from an orbital to itself is refused; it belongs to the energies.
      !
      ! positions[3 orbitals] are the orbitals' positions in the cell in units of the lattice vectors, in [-1000, 1000].
      ! They are used with a flux only; NULL stands for zeros. energies[orbitals] are the orbitals' energies, in [-1e6,
      ! 1e6]; NULL stands for zeros. With LEGATO_KPM_ON_SITE_ENERGIES, site_energies[n_site_energies], one for each
      ! site, are added to them. Otherwise n_site_energies is 0 and site_energies NULL. Since version 0.2.
      function legato_kpm_cell_lattice_create(context, lattice, positions, energies, n_hoppings, from, to, offsets, &
         amplitudes, n_site_energies, site_energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_cell_lattice), intent(in) :: lattice
         real(c_double), intent(in), optional :: positions(*)
         real(c_double), intent(in), optional :: energies(*)
         integer(c_int64_t), value :: n_hoppings
         integer(c_int32_t), intent(in), optional :: from(*)
         integer(c_int32_t), intent(in), optional :: to(*)
         integer(c_int32_t), intent(in), optional :: offsets(*)
         real(c_double), intent(in), optional :: amplitudes(*)
         integer(c_int64_t), value :: n_site_energies
         real(c_double), intent(in), optional :: site_energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_cell_lattice_create

      ! Creates the Hamiltonian from a real symmetric matrix in compressed row storage, which is copied. The elements of
      ! row i are row_pointers[i] .. row_pointers[i + 1] - 1 of columns[n_elements] and values[n_elements]; row_pointers
      ! has rows + 1 elements. Range of rows: [1, 2147483647]. Indices count from index_base, 0 or 1. Both triangles of
      ! the matrix are given. The elements of a row may have any order. Elements with the same row and column are added.
      !
      ! A matrix is refused if an index is out of range, if an element is outside [-1e100, 1e100], or if two transposed
      ! elements differ by more than rounding errors. The message names the row and the column.
      function legato_kpm_matrix_create(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create

      ! Does the same as legato_kpm_matrix_create, with row pointers of 32 bits.
      function legato_kpm_matrix_create_narrow(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int32_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create_narrow

      ! Does the same as legato_kpm_matrix_create without copying the arrays. The arrays must stay unchanged until the
      ! Hamiltonian and all computations made from it have been destroyed. If the columns of a row do not ascend, the
      ! matrix is copied nevertheless, and LEGATO_STATUS_OUT_OF_MEMORY is possible.
      function legato_kpm_matrix_borrow(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in), target :: row_pointers(*)
         integer(c_int32_t), intent(in), target :: columns(*)
         real(c_double), intent(in), target :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_borrow

      ! Creates the Hamiltonian from a complex Hermitian matrix, as legato_kpm_matrix_create does from a real one. The
      ! arguments are the same, but values[2 n_elements] has real and imaginary parts alternating.
      !
      ! A matrix is refused if an index is out of range, if a real or imaginary part is outside [-1e100, 1e100], if a
      ! diagonal element is not real, or if an element is not the complex conjugate of the transposed one. Both may
      ! deviate by rounding errors. The message names the row and the column. Since version 0.2.
      function legato_kpm_complex_matrix_create(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_create

      ! Does the same as legato_kpm_complex_matrix_create, with row pointers of 32 bits. Since version 0.2.
      function legato_kpm_complex_matrix_create_narrow(context, rows, n_elements, index_base, row_pointers, &
         columns, values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int32_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_create_narrow

      ! Does the same as legato_kpm_complex_matrix_create without copying the arrays, as legato_kpm_matrix_borrow does.
      ! Since version 0.2.
      function legato_kpm_complex_matrix_borrow(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in), target :: row_pointers(*)
         integer(c_int32_t), intent(in), target :: columns(*)
         real(c_double), intent(in), target :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_borrow

      ! Sets *is_complex to 1 if the elements of the Hamiltonian, and those of its vectors, are complex, and to 0
      ! otherwise. Since version 0.2.
      function legato_kpm_hamiltonian_is_complex(hamiltonian, is_complex) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t), intent(inout) :: is_complex
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_is_complex

      ! Replaces the values of a matrix. The elements are those with which the Hamiltonian was created, in the same
      ! order, and n_elements is their number. For a complex matrix, values[2 n_elements] has real and imaginary parts
      ! alternating, as for legato_kpm_complex_matrix_create. The values are copied, also if the arrays of the matrix
      ! are borrowed; the borrowed array of values is no longer used by later computations. The function checks the
      ! values as legato_kpm_matrix_create or legato_kpm_complex_matrix_create does, but neither copies nor checks the
      ! pattern. If it returns an error, the Hamiltonian is unchanged. Computations that exist already keep the earlier
      ! values. If no computation uses the earlier values, their memory is used again.
      function legato_kpm_matrix_set_values(hamiltonian, n_elements, values) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_elements
         real(c_double), intent(in) :: values(*)
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_values

      ! Adds random on-site energies to the diagonal of a matrix. They are drawn anew in every realisation, as for a
      ! lattice with the mean energy 0. `on_site` is LEGATO_KPM_ON_SITE_BOX or LEGATO_KPM_ON_SITE_NORMAL, and `disorder`
      ! is the width of the box or the standard deviation. Range of `disorder`: [0, 1e100]. LEGATO_KPM_ON_SITE_CONSTANT,
      ! or `disorder` 0, removes the energies. The energies replace those of an earlier call of this function or of
      ! legato_kpm_matrix_set_energies. Computations that exist already keep theirs. The arrays of the matrix do not
      ! change.
      function legato_kpm_matrix_set_disorder(hamiltonian, on_site, disorder) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t), value :: on_site
         real(c_double), value :: disorder
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_disorder

      ! Does the same with on-site energies from `callback`, other ones in every realisation. All energies must be in
      ! [lowest, highest], from which the bounds of the spectrum follow. Range of both: [-1e100, 1e100]. The callback is
      ! used until the Hamiltonian has other energies or is destroyed, and all computations made from it meanwhile have
      ! been destroyed.
      function legato_kpm_matrix_set_energies(hamiltonian, lowest, highest, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         real(c_double), value :: lowest
         real(c_double), value :: highest
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_energies

      ! Destroys a Hamiltonian; NULL is allowed. Computations made from it remain valid.
      function legato_kpm_hamiltonian_destroy(hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_destroy

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
      ! realisations' means, also for local moments. Otherwise they follow from the spread of the random vectors. Local
      ! moments of one Hamiltonian without random disorder are exact, and their error is 0. The error is NaN if it is
      ! unknown: with a single random vector, and for local moments with a single realisation of random disorder.
      function legato_kpm_moments(kpm, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_moments

      ! Reads the first n moments of one sample into moments[n]: <r|T_n|r> / D, or <i|T_n|i> for a local moment. Samples
      ! count from 0, realisation by realisation.
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
      ! written. The callback is used until another one is set or the computation is destroyed.
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

      ! Creates a function of a Hamiltonian, or of its realisation number `realisation` if the lattice has random
      ! disorder. Range of realisation: [0, params.realisations - 1]; it has the on-site energies of a computation of
      ! moments with the same seed. The parameters moments, start_vectors and vectors are ignored. With a real
      ! Hamiltonian, block_width counts real vectors, and a complex vector is two of them. The bounds of the spectrum
      ! are found in this call, as by legato_kpm_create.
      function legato_kpm_function_create(context, params, hamiltonian, realisation, kpm_function) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: realisation
         type(c_ptr), intent(out) :: kpm_function
         integer(c_int32_t) :: status
      end function legato_kpm_function_create

      ! Destroys a function; NULL is allowed.
      function legato_kpm_function_destroy(kpm_function) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int32_t) :: status
      end function legato_kpm_function_destroy

      ! Sets f, one of legato_kpm_function_kind. Range of `first` and `second`: [-1e100, 1e100], and of a width or
      ! temperature [1e-100, 1e100]. If the call fails, the earlier function remains.
      !
      ! The truncation, which is the sum of |c_n| of all terms left out, is at most `tolerance` times the largest |f| in
      ! the energy interval. Range of tolerance: [1e-14, 0.5]. The truncation is a proven upper limit for
      ! LEGATO_KPM_FUNCTION_KIND_EVOLUTION, otherwise an estimate from a longer expansion. A function that needs more
      ! than 1048576 terms is refused.
      !
      ! *terms becomes the number of terms, *bound the bound of the error of f(H)|v>, relative to the norm of v: the
      ! truncation and an estimate of the largest possible rounding errors, because of which it can exceed the
      ! tolerance. It holds if the spectrum lies within the energy interval.
      function legato_kpm_function_set(kpm_function, kind, first, second, tolerance, terms, bound) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int32_t), value :: kind
         real(c_double), value :: first
         real(c_double), value :: second
         real(c_double), value :: tolerance
         integer(c_int64_t), intent(inout), optional :: terms
         real(c_double), intent(inout), optional :: bound
         integer(c_int32_t) :: status
      end function legato_kpm_function_set

      ! Does the same for f from a callback, which is only used in this call, for 2048 or more energies. It gives finite
      ! values, |f| <= 1e100. Features of f that are narrower than a thousandth of the energy interval may be missed.
      function legato_kpm_function_set_callback(kpm_function, callback, user, tolerance, terms, bound) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm_function
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         real(c_double), value :: tolerance
         integer(c_int64_t), intent(inout), optional :: terms
         real(c_double), intent(inout), optional :: bound
         integer(c_int32_t) :: status
      end function legato_kpm_function_set_callback

      ! Computes f(H)|v> for n_vectors complex vectors, 1 to 1048576. `in` and `out` have 2 n_vectors D elements: vector
      ! after vector, site after site, real and imaginary parts alternating. They may be the same array, but must not
      ! overlap otherwise. `callback` may be NULL. It reports vectors as points and terms of all blocks as cycles.
      !
      ! If the call does not succeed, vectors that are not finished are unchanged in `out`;
      ! legato_kpm_function_get_state tells how many are. The status is LEGATO_STATUS_NUMERICAL_ERROR if the recursion
      ! proves that the bounds do not enclose the spectrum. If several ranks share the work, all of them pass the same
      ! vectors and get all results.
      function legato_kpm_function_apply(kpm_function, n_vectors, in, out, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int64_t), value :: n_vectors
         real(c_double), intent(in) :: in(*)
         real(c_double), intent(inout) :: out(*)
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_function_apply

      ! Does the same for real vectors of n_vectors D elements. A complex Hamiltonian or function is refused.
      function legato_kpm_function_apply_real(kpm_function, n_vectors, in, out, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int64_t), value :: n_vectors
         real(c_double), intent(in) :: in(*)
         real(c_double), intent(inout) :: out(*)
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_function_apply_real

      ! Reads the choices of a function: `moments` is the number of terms or 0, `samples` the number of vectors of the
      ! last call that applied it, `samples_done` that of the finished ones.
      function legato_kpm_function_get_state(kpm_function, state) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_function_get_state
   end interface
end module legato_c_kpm
