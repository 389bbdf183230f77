! The C interface as it is: structs, enumerators and functions of legato/context.h and legato/tmm.h.
! tests/fortran compares every member and value with the headers.
module legato_c
   use, intrinsic :: iso_c_binding
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

   type, bind(c) :: legato_progress
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: points_done, points_total, cycles_done
      real(c_double) :: seconds, cycles_per_second
   end type legato_progress

   interface
      function legato_context_create(params, context) bind(c) result(status)
         import
         type(c_ptr), value :: params
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

      function legato_context_backend(context, backend, reason) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(out) :: backend
         type(c_ptr), intent(out) :: reason
         integer(c_int32_t) :: status
      end function legato_context_backend

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
         type(c_ptr), value :: tmm, user
         type(c_funptr), value :: callback
         integer(c_int32_t) :: status
      end function legato_tmm_run

      function legato_tmm_advance(tmm, cycles, finished) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: cycles
         integer(c_int64_t), intent(out) :: finished
         integer(c_int32_t) :: status
      end function legato_tmm_advance

      function legato_tmm_size(tmm, points, exponents) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), intent(out) :: points, exponents
         integer(c_int32_t) :: status
      end function legato_tmm_size

      function legato_tmm_result(tmm, index, point, n, exponents, errors) bind(c) result(status)
         import
         type(c_ptr), value :: tmm
         integer(c_int64_t), value :: index, n
         type(legato_tmm_point), intent(inout) :: point
         real(c_double), intent(out) :: exponents(*), errors(*)
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

      function legato_version_number() bind(c) result(number)
         import
         integer(c_int32_t) :: number
      end function legato_version_number
   end interface
end module legato_c
