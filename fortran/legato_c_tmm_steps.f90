! Written by tools/fortran_interfaces.py from capi/include/legato/tmm_steps.h. Change that instead.
module legato_c_tmm_steps
   use legato_c_tmm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Order of the elements of psi_a and psi_b. The texts below write the arrays as in Fortran, where the first index
   ! runs fastest.
   enum, bind(c)
      enumerator :: LEGATO_TMM_LAYOUT_SITE_FIRST = 0  ! psi(site, state): element (i, j) at psi[i + N * j]
      enumerator :: LEGATO_TMM_LAYOUT_STATE_FIRST = 1  ! psi(state, site): element (j, i) at psi[j + N * i]
   end enum

   abstract interface
      ! Multiplies by one transfer matrix of a narrow bar, see legato_tmm_narrow_step. The arguments are those of
      ! legato_tmm_multiply.
      subroutine legato_tmm_step(hopping, diagonal, psi_a, psi_b) bind(c)
         import
         real(c_double), value :: hopping
         real(c_double), intent(in) :: diagonal(*)
         real(c_double), intent(in) :: psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
      end subroutine legato_tmm_step
   end interface

   interface
      ! Multiplies by one transfer matrix. Before the call psi_a is the current slice and psi_b the slice before. The
      ! call replaces psi_b by the next slice and leaves psi_a unchanged:
      !
      !     psi_b(i) <- diagonal(i) psi_a(i) - hopping * (sum of the transverse neighbours of i in psi_a) - psi_b(i).
      !
      ! `dimension` is 1, 2 or 3, and `width` is M as in legato_tmm_params. `boundary` is one of legato_tmm_boundary,
      ! LEGATO_TMM_BOUNDARY_HARD_WALL in 1D. Range of hopping: [-1e6, 1e6]. If both neighbours along an axis are the
      ! same site (M = 2, periodic), this site counts twice. With M = 1 and a boundary other than a hard wall a site is
      ! its own neighbour. diagonal[N] is E - V. The function does not check whether the elements of diagonal, psi_a and
      ! psi_b are finite. psi_a and psi_b must not overlap.
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

      ! Finds a function that does the same as legato_tmm_multiply for a bar of width 1 to 8, for loops with millions of
      ! multiplications. The arguments are those of legato_tmm_multiply. *step becomes NULL if the bar is wider. *step
      ! is valid in every thread until the library is unloaded.
      !
      ! *step checks nothing and works in the caller's floating-point environment. In the default environment its
      ! results are bitwise identical to those of legato_tmm_multiply.
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

      ! Orthonormalises n vectors of 2n components in their order by modified Gram-Schmidt; from n = 48 on, it does so
      ! in panels of vectors. Vector j is column j of psi_a followed by column j of psi_b. log_norms[n] receives ln
      ! R_jj, where R_jj is the norm of vector j after the earlier vectors have been projected out. Range of n: [1,
      ! 4096]. The library keeps a work array of 16 n^2 bytes for the calling thread. Returns
      ! LEGATO_STATUS_NUMERICAL_ERROR if an R_jj is zero or not finite. log_norms is then NaN from this vector on, and
      ! psi_a and psi_b are unchanged.
      !
      ! The error of ln R_jj is about 1e-16 |vector j| / R_jj. The orthonormalised vectors Q have errors Q^T Q - 1 of
      ! the same size. The function returns LEGATO_STATUS_PRECISION_LOST if the ratio |vector j| / R_jj exceeds 1e10.
      ! The result is then that of modified Gram-Schmidt without panels, and rounding errors may have spoilt the vectors
      ! with the smallest R_jj. The remedy is to orthonormalise more often.
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

      ! Creates a propagation. The arguments are those of legato_tmm_multiply. The backend is that of the context.
      ! LEGATO_BACKEND_AUTO chooses the faster one for 10000 cycles, each of 10 multiplications and an
      ! orthonormalisation. legato_context_backend returns the choice.
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

      ! Does the same as legato_tmm_propagation_create for a given number of expected cycles. The number affects the
      ! choice of LEGATO_BACKEND_AUTO only. Range of cycles: [1, 1e15].
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

      ! Destroys a propagation; NULL is allowed.
      function legato_tmm_propagation_destroy(propagation) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_destroy

      ! Copies the current slice and the previous one into the propagation, N * N doubles each, and empties the queue.
      ! It must be called before any of the functions below.
      function legato_tmm_propagation_load(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: current(*)
         real(c_double), intent(in) :: previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_load

      ! Queues one multiplication. It makes the next slice the current one, and the slice that was current becomes the
      ! previous one. Each queued multiplication takes the memory of N doubles. diagonal[N] is E - V and is copied.
      function legato_tmm_propagation_multiply(propagation, diagonal) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(in) :: diagonal(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_multiply

      ! Carries out the queued multiplications and orthonormalises. log_norms[N] is as in legato_tmm_orthonormalise.
      ! Returns LEGATO_STATUS_NUMERICAL_ERROR if an R_jj is zero or not finite. log_norms is then NaN, in this call and
      ! in all later ones until the next legato_tmm_propagation_load.
      !
      ! The function returns LEGATO_STATUS_PRECISION_LOST in the same case as legato_tmm_orthonormalise. The result is
      ! then computed on the CPU, and the propagation can continue. The GPU detects a possible loss of precision from
      ! the ratio of the largest R_jj to the smallest. The lengths of the loaded columns must therefore not differ by
      ! more than a few powers of ten.
      function legato_tmm_propagation_orthonormalise(propagation, log_norms) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: log_norms(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_orthonormalise

      ! Reads the current slice and the previous one as they are after the queued multiplications. The propagation stays
      ! unchanged. After an orthonormalisation that failed it returns LEGATO_STATUS_NUMERICAL_ERROR and writes nothing.
      function legato_tmm_propagation_store(propagation, current, previous) bind(c) result(status)
         import
         type(c_ptr), value :: propagation
         real(c_double), intent(inout) :: current(*)
         real(c_double), intent(inout) :: previous(*)
         integer(c_int32_t) :: status
      end function legato_tmm_propagation_store
   end interface
end module legato_c_tmm_steps
