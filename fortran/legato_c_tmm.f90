! Written by tools/fortran_interfaces.py from capi/include/legato/tmm.h and capi/include/legato/tmm_steps.h. Change
! these instead.
module legato_c_tmm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Transverse boundary.
   enum, bind(c)
      enumerator :: LEGATO_TMM_HARD_WALL = 0  ! no neighbour across the edge
      enumerator :: LEGATO_TMM_PERIODIC = 1  ! the opposite edge is the neighbour
      enumerator :: LEGATO_TMM_ANTIPERIODIC = 2  ! the neighbour across the edge counts with a minus sign
   end enum

   ! Distribution of the site energies V.
   enum, bind(c)
      enumerator :: LEGATO_TMM_UNIFORM = 0  ! V uniform on [-W/2, W/2]
      enumerator :: LEGATO_TMM_UNIFORM_SCALED = 1  ! V uniform with standard deviation W
      ! V normal with standard deviation W (lfsr113 streams: a sum of 20 uniforms)
      enumerator :: LEGATO_TMM_GAUSSIAN = 2
   end enum

   ! Where the site energies are drawn from; the same numbers on both backends.
   enum, bind(c)
      enumerator :: LEGATO_TMM_LFSR113 = 0  ! TMSEXD's stream, bit for bit; re-seeded with the same seed at every point
      enumerator :: LEGATO_TMM_LFSR113_PER_SITE = 1  ! site i (from 1) has its own generator, seeded with 1276 + i
      enumerator :: LEGATO_TMM_PHILOX = 2  ! counter-based: points, slices and sites are independent
   end enum

   ! How a point starts, what its averages and errors are made of, and when it has converged.
   enum, bind(c)
      ! The start is random and orthonormal. burn_in cycles, and at least an eighth of the run, are left out of the
      ! averages. Errors come from the spread of block averages and account for autocorrelation. A point converges with
      ! at least min_blocks blocks
      enumerator :: LEGATO_TMM_BLOCKS = 0
      ! The rule of the program TMSEXD, bit for bit. The start is the identity, every cycle counts, and the error takes
      ! cycles as independent: too small or too large by a factor of 0.5 to 4.5. A point may converge after three cycles
      enumerator :: LEGATO_TMM_TMSEXD = 1
   end enum

   ! How a point stands.
   enum, bind(c)
      enumerator :: LEGATO_TMM_WAITING = 0  ! not begun
      enumerator :: LEGATO_TMM_RUNNING = 1  ! what is there so far can be read
      enumerator :: LEGATO_TMM_CONVERGED = 2  ! relative error of the smallest exponent <= epsilon, by legato_tmm_rule
      ! max_multiplications came first; or, almost without disorder, other exponents are too close to the smallest one:
      ! a smaller epsilon tells them apart
      enumerator :: LEGATO_TMM_NOT_CONVERGED = 3
      ! overflow or loss of rank within n_ortho multiplications: a warning, no result
      enumerator :: LEGATO_TMM_FAILED = 4
      ! the waves grow more than 10^10 apart within one multiplication: a warning; what came before counts. A smaller
      ! disorder, energy or hopping is the only remedy
      enumerator :: LEGATO_TMM_IMPRECISE = 5
   end enum

   ! As Fortran declares the arrays, column-major.
   enum, bind(c)
      enumerator :: LEGATO_TMM_SITE_FIRST = 0  ! psi(site, state): element (i, j) at psi[i + N * j]
      enumerator :: LEGATO_TMM_STATE_FIRST = 1  ! psi(state, site)
   end enum

   ! What all points of a run share.
   type, bind(c) :: legato_tmm_params
      integer(c_size_t) :: struct_size  ! set by legato_tmm_params_init
      integer(c_int32_t) :: dimension  ! 1, 2 or 3. Default 2
      ! legato_tmm_boundary, transverse. Default PERIODIC; a chain (1D) has HARD_WALL only
      integer(c_int32_t) :: boundary
      integer(c_int32_t) :: disorder  ! legato_tmm_disorder. Default UNIFORM
      integer(c_int32_t) :: random_stream  ! legato_tmm_random_stream. Default PHILOX
      integer(c_int64_t) :: width  ! M: 1 in 1D, 1..4096 in 2D, 1..64 in 3D. Default 1
      integer(c_int64_t) :: seed  ! any. Default 1277
      ! multiplications in a cycle, which ends with an orthonormalisation; 1..1000. Default 10. Where the waves of a
      ! point grow more than 10^10 apart within them (largest to smallest), it is orthonormalised within the cycle too
      ! from then on, the spoilt cycle does not count, and a warning says so when the point ends
      integer(c_int64_t) :: n_ortho
      integer(c_int64_t) :: max_multiplications  ! 1.. ; a point that needs more ends as NOT_CONVERGED. Default 10^9
      real(c_double) :: hopping  ! transverse hopping t, |t| <= 10^6. Default 1
      real(c_double) :: epsilon  ! wanted relative error of the smallest exponent; 1e-15..1. Default 0.005
      ! 0, or 10..1e8: orthonormalise within a cycle too, so often that the ratio of largest to smallest growth stays
      ! below this. Default 0
      real(c_double) :: max_growth
      integer(c_int32_t) :: rule  ! legato_tmm_rule. Default BLOCKS
      ! rule BLOCKS: blocks that must be averaged before a point can converge; 8..48. Default 32
      integer(c_int32_t) :: min_blocks
      ! rule BLOCKS: cycles to leave out at the start; 0..10^9. A point converges after at least 2 burn_in cycles, and
      ! its average leaves out half of its cycles at most. Default 128
      integer(c_int64_t) :: burn_in
   end type legato_tmm_params

   ! A point as it stands.
   type, bind(c) :: legato_tmm_point
      integer(c_size_t) :: struct_size  ! set by the caller
      integer(c_int32_t) :: status  ! legato_tmm_point_status
      integer(c_int32_t) :: reserved  ! not used
      integer(c_int64_t) :: cycles  ! orthonormalisations counted
      real(c_double) :: energy  ! E
      real(c_double) :: disorder  ! W
      real(c_double) :: localisation_length  ! 1 / smallest exponent, infinite where that is 0; 0 before the first cycle
      ! of the smallest exponent, and so of the localisation length; one standard error. NaN where it is not known:
      ! legato_tmm_result
      real(c_double) :: relative_error
   end type legato_tmm_point

   abstract interface
      ! Multiplies one kind of narrow bar: legato_tmm_narrow_step. The arguments are those of legato_tmm_multiply.
      subroutine legato_tmm_step(hopping, diagonal, psi_a, psi_b) bind(c)
         import
         real(c_double), value :: hopping
         real(c_double), intent(in) :: diagonal(*)
         real(c_double), intent(in) :: psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
      end subroutine legato_tmm_step
   end interface

   interface
      ! legato_tmm_params_init with the size of the struct that the caller knows, for other languages.
      function legato_tmm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_tmm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_tmm_params_init_sized

      ! Chooses the backend and makes a run over n_points points (energy[i], disorder[i]), 1..10^7 of them; |E| <= 10^6,
      ! 0 <= W <= 10^6. `params` may be NULL for the defaults. LEGATO_OUT_OF_MEMORY where not even one point fits.
      function legato_tmm_create(context, params, n_points, energy, disorder, tmm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_tmm_params), intent(in), optional :: params
         integer(c_int64_t), value :: n_points
         real(c_double), intent(in) :: energy(*)
         real(c_double), intent(in) :: disorder(*)
         type(c_ptr), intent(out) :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_create

      ! Gives it back; NULL is allowed.
      function legato_tmm_destroy(tmm) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_destroy

      ! Runs until every point has ended. `callback` may be NULL; its points are points, its cycles cycles. A stopped
      ! run is taken up again by calling once more.
      function legato_tmm_run(tmm, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_tmm_run

      ! Carries every point up to `cycles` cycles further; *finished (may be NULL) counts those that have ended.
      function legato_tmm_advance(tmm, cycles, finished) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: cycles
         integer(c_int64_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_tmm_advance

      ! Number of points, and of exponents each (1, M or M^2). Either pointer may be NULL.
      function legato_tmm_size(tmm, points, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), intent(inout), optional :: points
         integer(c_int64_t), intent(inout), optional :: exponents
         integer(c_int32_t) :: status
      end function legato_tmm_size

      ! Point `index` (from 0) as it stands. exponents and errors (either may be NULL) have length n, at most the number
      ! of exponents: Lyapunov exponents per slice, smallest first, and their relative standard errors. An error is NaN
      ! as long as fewer than 8 blocks (rule BLOCKS: before cycle 15) or 2 cycles (rule TMSEXD) can be averaged.
      ! Exponents are 0 before the first cycle.
      function legato_tmm_result(tmm, index, point, n, exponents, errors) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: index
         type(legato_tmm_point), intent(inout), optional :: point
         integer(c_int64_t), value :: n
         real(c_double), intent(inout), optional :: exponents(*)
         real(c_double), intent(inout), optional :: errors(*)
         integer(c_int32_t) :: status
      end function legato_tmm_result

      ! Saves the run to an HDF5 file, written beside `path` and renamed.
      function legato_tmm_save(tmm, path) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_tmm_save

      ! Resumes a saved run. It goes on with the backend of the saved run, and gives the same bits as an uninterrupted
      ! one. If the context names the other backend, or if this machine lacks the saved one, a warning is logged: the
      ! last digits may differ. A truncated, foreign or newer file is refused. A file of version 0.1 goes on with rule
      ! TMSEXD, its own.
      function legato_tmm_resume(context, path, tmm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: tmm
         integer(c_int32_t) :: status
      end function legato_tmm_resume

      ! The parameters in use, for instance after legato_tmm_resume. struct_size is set by the caller, as
      ! legato_tmm_params_init does.
      function legato_tmm_get_params(tmm, params) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         type(legato_tmm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_tmm_get_params

      ! (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one):
      !
      !     psi_b(i) <- diagonal(i) psi_a(i) - hopping * (sum of the transverse neighbours of i in psi_a) - psi_b(i)
      !
      ! dimension 1, 2, 3; width M as in legato_tmm_params; boundary: legato_tmm_boundary, HARD_WALL in 1D. A neighbour
      ! that is reached twice (M = 2, periodic) counts twice, and with M = 1 a site is its own neighbour. diagonal[N]: E
      ! - V, not checked for being finite, nor are the arrays. psi_a and psi_b must not overlap.
      function legato_tmm_multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         real(c_double), value :: hopping
         integer(c_int32_t), value :: layout
         real(c_double), intent(in) :: diagonal(*)
         real(c_double), intent(in) :: psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
         integer(c_int32_t) :: status
      end function legato_tmm_multiply

      ! Finds what legato_tmm_multiply does for a bar of width 1 to 8, for loops that multiply by the million. The
      ! function checks nothing and works in the caller's floating-point environment; in the default one its results are
      ! the bits of legato_tmm_multiply. dimension, width, boundary and layout are as there. step becomes NULL where the
      ! bar is wider. It is valid in every thread until the library is unloaded.
      function legato_tmm_narrow_step(context, dimension, width, boundary, layout, step) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         integer(c_int32_t), value :: layout
         type(c_funptr), intent(inout) :: step
         integer(c_int32_t) :: status
      end function legato_tmm_narrow_step

      ! Orthonormalises the n vectors of 2n components, vector j being state j of psi_a over state j of psi_b, in their
      ! order (modified Gram-Schmidt, in blocks from n = 48). log_norms[n] becomes ln R_jj, the logarithm of the norm
      ! that was left of vector j. 1 <= n <= 4096. Keeps 16 n^2 bytes for the calling thread. LEGATO_NUMERICAL_ERROR
      ! where such a norm is zero or not finite: log_norms is NaN from there on, and psi_a and psi_b are as they were.
      !
      ! ln R_jj is off by about 10^-16 |vector j| / R_jj, and Q^T Q - 1 is of the same size. LEGATO_PRECISION_LOST where
      ! that ratio is above 10^10: the result is there, that of modified Gram-Schmidt without blocks, but rounding
      ! errors have got into the vectors of the smallest R_jj. Orthonormalise more often.
      function legato_tmm_orthonormalise(context, n, layout, psi_a, psi_b, log_norms) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: n
         integer(c_int32_t), value :: layout
         real(c_double), intent(inout) :: psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
         real(c_double), intent(inout) :: log_norms(*)
         integer(c_int32_t) :: status
      end function legato_tmm_orthonormalise

      ! A propagation; the arguments as of legato_tmm_multiply. The backend is the context's, AUTO taking the faster one
      ! for 10000 cycles of 10 multiplications and an orthonormalisation; legato_context_backend tells which.
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

      ! The same where another number of cycles is expected, 1 to 1e15. Nothing but AUTO's choice depends on it.
      function legato_tmm_propagation_create_for(context, dimension, width, boundary, hopping, layout, cycles, &
         propagation) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         real(c_double), value :: hopping
         integer(c_int32_t), value :: layout
         real(c_double), value :: cycles
         type(c_ptr), intent(out) :: propagation
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_create_for

      ! Gives it back; NULL is allowed.
      function legato_tmm_propagation_destroy(propagation) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_destroy

      ! Copies this slice and the one before, [N*N] each, and forgets what was queued. Comes before all calls that
      ! follow.
      function legato_tmm_propagation_load(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: current(*)
         real(c_double), intent(in) :: previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_load

      ! Queues one multiplication, which takes N doubles: the current slice becomes the previous one. diagonal[N]: E -
      ! V, copied.
      function legato_tmm_propagation_multiply(propagation, diagonal) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: diagonal(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_multiply

      ! Does what is queued and orthonormalises; log_norms[N] as of legato_tmm_orthonormalise. LEGATO_NUMERICAL_ERROR
      ! where a norm is zero or not finite: log_norms is NaN, here and in every later call until the next load.
      ! LEGATO_PRECISION_LOST as of legato_tmm_orthonormalise, the result computed on the CPU; the propagation goes on.
      ! On the GPU the growth, largest to smallest R_jj, shows that it may be so: the columns loaded must not differ in
      ! length by more than some powers of ten.
      function legato_tmm_propagation_orthonormalise(propagation, log_norms) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: log_norms(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_orthonormalise

      ! The two slices as they stand, what is queued included. The propagation goes on unchanged.
      ! LEGATO_NUMERICAL_ERROR, and nothing written, after an orthonormalisation that failed.
      function legato_tmm_propagation_store(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: current(*)
         real(c_double), intent(inout) :: previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_store
   end interface
end module legato_c_tmm
