! Written by tools/fortran_interfaces.py from capi/include/legato/kpm.h. Change these instead.
module legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! On-site energies of a lattice.
   enum, bind(c)
      enumerator :: LEGATO_KPM_CONSTANT = 0  ! energy
      enumerator :: LEGATO_KPM_BOX = 1  ! uniform on energy +- disorder / 2
      enumerator :: LEGATO_KPM_NORMAL = 2  ! mean energy, standard deviation disorder
      enumerator :: LEGATO_KPM_ENERGIES = 3  ! the caller's, one for each site
   end enum

   ! Elements of the random vectors.
   enum, bind(c)
      enumerator :: LEGATO_KPM_SIGN = 0  ! elements +1 or -1: the least variance
      enumerator :: LEGATO_KPM_GAUSSIAN = 1  ! standard normal
      enumerator :: LEGATO_KPM_UNIFORM = 2  ! uniform, of unit variance
      ! one site each: what legato_kpm_get_params gives for legato_kpm_create_local, which alone makes such a
      ! computation; legato_kpm_create refuses it
      enumerator :: LEGATO_KPM_SITES = 3
      enumerator :: LEGATO_KPM_CALLER = 4  ! the caller's vectors: the same for legato_kpm_create_given
   end enum

   ! How the interval of the spectrum is found.
   enum, bind(c)
      enumerator :: LEGATO_KPM_GERSHGORIN = 0  ! circles of Gershgorin: safe
      enumerator :: LEGATO_KPM_LANCZOS = 1  ! tighter: more resolution for each moment
      enumerator :: LEGATO_KPM_INTERVAL = 2  ! lowest .. highest
   end enum

   ! How the Hamiltonian is kept.
   enum, bind(c)
      enumerator :: LEGATO_KPM_FORMAT_AUTO = 0  ! what is faster, and fits
      enumerator :: LEGATO_KPM_FORMAT_CRS = 1  ! compressed rows
      enumerator :: LEGATO_KPM_FORMAT_ELL = 2  ! rows padded to the same length
      enumerator :: LEGATO_KPM_FORMAT_STENCIL = 3  ! no matrix: lattices only
   end enum

   ! Precision of the vectors.
   enum, bind(c)
      enumerator :: LEGATO_KPM_DOUBLE = 0  ! all in double precision
      enumerator :: LEGATO_KPM_SINGLE = 1  ! vectors of half the bytes, rounded at every step; all else stays double
   end enum

   ! Factors g_n by which the moments are damped.
   enum, bind(c)
      enumerator :: LEGATO_KPM_JACKSON = 0  ! the least width of a positive kernel
      enumerator :: LEGATO_KPM_LORENTZ = 1  ! with a parameter lambda, 1e-6..1e6, 3 to 5 in practice
      enumerator :: LEGATO_KPM_FEJER = 2  ! 1 - n/N
      enumerator :: LEGATO_KPM_DIRICHLET = 3  ! 1: the cut series
   end enum

   ! A chain is {L, 1, 1}, a square lattice {L, M, 1}, a simple cubic one {L, M, N}. Site (x, y, z) has the number x + L
   ! (y + M z), from 0. H_ij = -hopping for each bond; bonds join a site with the next in every direction of more than
   ! one site, and where it is periodic the last with the first: an extent of 2 then has two bonds between the same
   ! sites.
   type, bind(c) :: legato_kpm_lattice
      integer(c_size_t) :: struct_size  ! set by legato_kpm_lattice_init
      integer(c_int64_t) :: extents(3)  ! 1.., at most 2^40 sites in all. Default 1
      integer(c_int32_t) :: periodic(3)  ! 0: open. Default 1
      integer(c_int32_t) :: on_site  ! legato_kpm_on_site. Default CONSTANT
      real(c_double) :: hopping  ! |hopping| <= 10^6. Default 1
      real(c_double) :: energy  ! mean on-site energy, the same range. Default 0
      real(c_double) :: disorder  ! 0..10^6; drawn anew in every realisation. Default 0
   end type legato_kpm_lattice

   ! What a computation is made of.
   type, bind(c) :: legato_kpm_params
      integer(c_size_t) :: struct_size  ! set by legato_kpm_params_init
      integer(c_int32_t) :: moments  ! N: mu_0 .. mu_(N-1), 2..1048576. Default 256
      integer(c_int32_t) :: start_vectors  ! legato_kpm_start_vectors: SIGN, GAUSSIAN or UNIFORM. Default SIGN
      integer(c_int32_t) :: vectors  ! R, 1..1048576. Default 16
      integer(c_int32_t) :: realisations  ! S, 1..1048576: vectors anew, and the disorder if there is any. Default 1
      integer(c_int64_t) :: seed  ! any. Default 1
      integer(c_int32_t) :: bounds  ! legato_kpm_bounds. Default GERSHGORIN
      integer(c_int32_t) :: lanczos_steps  ! 2..1000, for LANCZOS. Default 60
      integer(c_int32_t) :: format  ! legato_kpm_format. Default AUTO
      integer(c_int32_t) :: block_width  ! vectors carried on together, 1..64; 0: chosen to fit. Default 0
      real(c_double) :: lowest  ! of the spectrum, |lowest| <= 1e100, for INTERVAL. Default 0
      real(c_double) :: highest  ! more than lowest, by 4e-12 of them at least, for INTERVAL. Default 0
      real(c_double) :: margin  ! half_width = (highest - lowest) / 2 * (1 + margin); 0..10. Default 0.01
      integer(c_int64_t) :: memory_budget  ! bytes for vectors, their sums and matrix; 0: what is free. Default 0
      integer(c_int32_t) :: precision  ! legato_kpm_precision of the vectors. Default DOUBLE
      integer(c_int32_t) :: reserved  ! not used
   end type legato_kpm_params

   ! What was chosen, and how far the computation is.
   type, bind(c) :: legato_kpm_state
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: backend  ! legato_backend
      integer(c_int32_t) :: format  ! legato_kpm_format
      integer(c_int32_t) :: block_width  ! vectors carried on together
      integer(c_int32_t) :: moments  ! N
      integer(c_int64_t) :: sites  ! D
      integer(c_int64_t) :: samples  ! R S, or the number of sites asked for
      integer(c_int64_t) :: samples_done  ! finished
      integer(c_int64_t) :: bytes  ! of vectors, their sums and matrix
      real(c_double) :: centre  ! of the rescaling
      real(c_double) :: half_width  ! of the rescaling
   end type legato_kpm_state

   abstract interface
      ! Fills vector number `sample` (from 0, realisation by realisation) of `sites` elements; their squares should be 1
      ! in the mean, and one that is not within +-1e40 (with LEGATO_KPM_SINGLE +-1e30) ends the run with
      ! LEGATO_INVALID_ARGUMENT. Called in the calling thread, and again with the same number where a computation is
      ! taken up again: the elements must then be the same. Non-zero stops the run with LEGATO_CANCELLED.
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
      ! legato_kpm_lattice_init with the size of the struct that the caller knows, for other languages.
      function legato_kpm_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_init_sized

      ! legato_kpm_params_init with the size of the struct that the caller knows, for other languages.
      function legato_kpm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_kpm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_params_init_sized

      ! A lattice. n_energies on-site energies, copied, one for each site, with LEGATO_KPM_ENERGIES; 0 and NULL with any
      ! other kind.
      function legato_kpm_lattice_create(context, lattice, n_energies, energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_lattice), intent(in) :: lattice
         integer(c_int64_t), value :: n_energies
         real(c_double), intent(in), optional :: energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_create

      ! A matrix of the caller's in compressed rows, copied: the elements of row i are row_pointers[i] .. row_pointers[i
      ! + 1] - 1 of columns[n_elements] and values[n_elements]; row_pointers[rows + 1]. Indices count from index_base, 0
      ! or 1. Both halves of the symmetric matrix are there, in any order; elements of a column that is there twice add
      ! up. Refused by row and column: an index out of range, an element that is not within +-1e100, one that differs
      ! from its partner beyond rounding. rows 1..2147483647.
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

      ! legato_kpm_matrix_create with row pointers of 32 bits.
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

      ! legato_kpm_matrix_create without the copy: the arrays must stay as they are until the Hamiltonian and all
      ! computations made with it have been destroyed. If the columns of a row do not ascend, the matrix is copied
      ! nevertheless, and LEGATO_OUT_OF_MEMORY is possible.
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

      ! Gives it back; NULL is allowed. Computations made with it keep what they need of it.
      function legato_kpm_hamiltonian_destroy(hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_destroy

      ! Moments of random vectors; `params` may be NULL for the defaults. The bounds are found here: by LANCZOS with as
      ! many steps in each realisation of the disorder, and for LEGATO_KPM_NORMAL by drawing all on-site energies once.
      ! LEGATO_OUT_OF_MEMORY where not even one vector at a time fits, or not as many as block_width asks for: the
      ! message tells what would.
      function legato_kpm_create(context, params, hamiltonian, kpm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_ptr), intent(out) :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_create

      ! Local moments of sites[n_sites], from 0: sample s n_sites + i is that of sites[i] in realisation s.
      ! start_vectors and vectors are not read.
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

      ! Moments of the caller's vectors, R for each of S realisations. start_vectors is not read. `callback` is kept
      ! until the computation is destroyed.
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

      ! Gives it back; NULL is allowed.
      function legato_kpm_destroy(kpm) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t) :: status
      end function legato_kpm_destroy

      ! Runs until all samples are finished. `callback` may be NULL; its points are samples, its cycles steps of a
      ! block. A stopped run is taken up again by calling once more. LEGATO_NUMERICAL_ERROR if the moments of a sample
      ! prove that the bounds do not enclose the spectrum: |mu_n| exceeds mu_0, the density is negative with Jackson's
      ! kernel, or no density within the interval has these moments. The message names the interval, the evidence and
      ! the remedy. A state just outside the interval, by less than the resolution of N moments, cannot be detected.
      !
      ! After such an error the computation cannot be carried on, and every function that reads its results returns
      ! LEGATO_NUMERICAL_ERROR too; it nevertheless fills in the results of the samples that were finished before. These
      ! can be saved.
      function legato_kpm_run(kpm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_run

      ! Carries up to `blocks` blocks of vectors to their end; *samples_done (may be NULL) counts all samples so far.
      function legato_kpm_advance(kpm, blocks, samples_done) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: blocks
         integer(c_int64_t), intent(inout), optional :: samples_done
         integer(c_int32_t) :: status
      end function legato_kpm_advance

      ! What was chosen, and how far the computation is.
      function legato_kpm_get_state(kpm, state) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_get_state

      ! mean[n] of all samples so far and their standard errors error[n] (either may be NULL); n at most N.
      !
      ! If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
      ! realisations' means, for sites too; otherwise from the spread of the random vectors. Local moments of one
      ! Hamiltonian, without random disorder, are exact: their error is 0. The error is unknown, and NaN, with a single
      ! vector, and for local moments with a single realisation of random disorder.
      function legato_kpm_moments(kpm, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int32_t), value :: n
         real(c_double), intent(inout), optional :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_moments

      ! The first n moments of one sample, from 0, realisation by realisation: <r|T_n|r> / D, or <i|T_n|i>.
      function legato_kpm_sample(kpm, sample, n, moments) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: moments(*)
         integer(c_int32_t) :: status
      end function legato_kpm_sample

      ! rho(E) for each site at energies[n], 0 beyond the interval.
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

      ! legato_kpm_density_of_states at n >= N Chebyshev nodes E_k = centre - half_width cos(pi (k + 1/2) / n) by a fast
      ! cosine transform; n times its largest prime factor is at most 2^33.
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

      ! G(E + i0), green[2 n]: real and imaginary part side by side, and so their errors, error[2 n]; the imaginary part
      ! is -pi rho. An energy at an end of the interval is refused.
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

      ! States for each site below energies[n].
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

      ! Electrons for each site, one a state, at a chemical potential and temperature (in units of energy, 0 allowed);
      ! error may be NULL.
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

      ! The chemical potential mu(n) of a number n of electrons for each site between 0 and mu_0, and its error, which
      ! may be NULL. The error of mu(n) is [mu(n + dn) - mu(n - dn)] / 2, where dn is the error of the electron number
      ! at mu(n): with many states within dn this is dn over the density of states. If [mu(n + k dn) - mu(n - k dn)] /
      ! (2 k) is larger than that by more than a half for k = 2, 3 or 4, there is a gap near by, and the largest of
      ! these is the error. In a gap, where mu(n) lies in an outer quarter of the interval mu(n - k dn) .. mu(n + k dn),
      ! the chemical potential is the middle of this interval: the middle of the gap, with an error that covers it. The
      ! ends of the interval of the spectrum stand in for what is not between 0 and mu_0. The error is 0 or NaN where
      ! that of the electron number is.
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

      ! Saves the finished samples to an HDF5 file, written beside `path` and renamed. The Hamiltonian is not in it.
      function legato_kpm_save(kpm, path) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_kpm_save

      ! Resumes a saved computation. It goes on with the backend of the saved run, and gives the same bits as an
      ! uninterrupted one. If the context names the other backend, or if this machine lacks the saved one, a warning is
      ! logged: the last digits may differ. A truncated, foreign or newer file is refused, and so is another Hamiltonian
      ! than the one of before. `callback` and `user` are those of legato_kpm_create_given, and NULL for any other
      ! computation.
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

      ! The parameters in use, for instance after legato_kpm_resume. struct_size is set by the caller, as
      ! legato_kpm_params_init does.
      function legato_kpm_get_params(kpm, params) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_get_params
   end interface
end module legato_c_kpm
