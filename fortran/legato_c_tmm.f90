! What legato/tmm.h and legato/tmm_steps.h declare.
module legato_c_tmm
   use, intrinsic :: iso_c_binding
   implicit none
   public

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
         LEGATO_TMM_NOT_CONVERGED = 3, LEGATO_TMM_FAILED = 4, LEGATO_TMM_IMPRECISE = 5
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_BLOCKS = 0, LEGATO_TMM_TMSEXD = 1
   end enum
   enum, bind(c)
      enumerator :: LEGATO_TMM_SITE_FIRST = 0, LEGATO_TMM_STATE_FIRST = 1
   end enum

   type, bind(c) :: legato_tmm_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: dimension, boundary, disorder, random_stream
      integer(c_int64_t) :: width, seed, n_ortho, max_multiplications
      real(c_double) :: hopping, epsilon, max_growth
      integer(c_int32_t) :: rule, min_blocks
      integer(c_int64_t) :: burn_in
   end type legato_tmm_params

   type, bind(c) :: legato_tmm_point
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: status, reserved
      integer(c_int64_t) :: cycles
      real(c_double) :: energy, disorder, localisation_length, relative_error
   end type legato_tmm_point

   abstract interface
      subroutine legato_tmm_step(hopping, diagonal, psi_a, psi_b) bind(c)
         import
         real(c_double), value :: hopping
         real(c_double), intent(in) :: diagonal(*), psi_a(*)
         real(c_double), intent(inout) :: psi_b(*)
      end subroutine legato_tmm_step
   end interface

   interface
      function legato_tmm_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_tmm_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_tmm_params_init_sized

      function legato_tmm_create(context, params, n_points, energy, disorder, tmm) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_tmm_params), intent(in), optional :: params
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

      function legato_tmm_narrow_step(context, dimension, width, boundary, layout, step) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: dimension
         integer(c_int64_t), value :: width
         integer(c_int32_t), value :: boundary
         integer(c_int32_t), value :: layout
         type(c_funptr), intent(out) :: step
         integer(c_int32_t) :: status
      end function legato_tmm_narrow_step

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
   end interface
end module legato_c_tmm
