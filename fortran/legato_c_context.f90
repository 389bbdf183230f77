! What legato/types.h and legato/context.h declare.
module legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   enum, bind(c)
      enumerator :: LEGATO_SUCCESS = 0, LEGATO_INVALID_ARGUMENT = 1, LEGATO_OUT_OF_MEMORY = 2, LEGATO_NO_DEVICE = 3, &
         LEGATO_DEVICE_ERROR = 4, LEGATO_IO_ERROR = 5, LEGATO_BAD_FILE = 6, LEGATO_CANCELLED = 7, &
         LEGATO_NUMERICAL_ERROR = 8, LEGATO_INTERNAL_ERROR = 9, LEGATO_PRECISION_LOST = 10
   end enum
   enum, bind(c)
      enumerator :: LEGATO_BACKEND_AUTO = 0, LEGATO_BACKEND_CPU = 1, LEGATO_BACKEND_CUDA = 2
   end enum
   enum, bind(c)
      enumerator :: LEGATO_LOG_SILENT = 0, LEGATO_LOG_ERROR = 1, LEGATO_LOG_WARNING = 2, LEGATO_LOG_INFO = 3, &
         LEGATO_LOG_DEBUG = 4
   end enum

   type, bind(c) :: legato_progress
      integer(c_size_t) :: struct_size
      integer(c_int64_t) :: points_done, points_total, cycles_done
      real(c_double) :: seconds, cycles_per_second
   end type legato_progress

   type, bind(c) :: legato_context_params
      integer(c_size_t) :: struct_size
      integer(c_int32_t) :: backend, device, threads, log_level
   end type legato_context_params

   type, bind(c) :: legato_device_info
      integer(c_size_t) :: struct_size
      character(kind=c_char) :: name(256)
      integer(c_int32_t) :: compute_capability, multiprocessors
      integer(c_int64_t) :: total_memory, free_memory
   end type legato_device_info

   abstract interface
      function legato_progress_callback(user, progress) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         type(legato_progress), intent(in) :: progress
         integer(c_int) :: stop
      end function legato_progress_callback

      subroutine legato_log_callback(user, level, line) bind(c)
         import
         type(c_ptr), value :: user
         integer(c_int32_t), value :: level
         character(kind=c_char), intent(in) :: line(*)
      end subroutine legato_log_callback
   end interface

   interface
      function legato_version() bind(c) result(text)
         import
         type(c_ptr) :: text
      end function legato_version

      function legato_version_number() bind(c) result(number)
         import
         integer(c_int32_t) :: number
      end function legato_version_number

      function legato_status_text(status) bind(c) result(text)
         import
         integer(c_int32_t), value :: status
         type(c_ptr) :: text
      end function legato_status_text

      function legato_context_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_context_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_context_params_init_sized

      function legato_context_create(params, context) bind(c) result(status)
         import
         type(legato_context_params), intent(in), optional :: params
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

      function legato_context_set_logger(context, level, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: level
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_context_set_logger

      function legato_context_backend(context, backend, reason) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: backend
         type(c_ptr), intent(inout), optional :: reason
         integer(c_int32_t) :: status
      end function legato_context_backend

      function legato_context_device_count(context, count) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_context_device_count

      function legato_context_device_info(context, device, info) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: device
         type(legato_device_info), intent(inout) :: info
         integer(c_int32_t) :: status
      end function legato_context_device_info
   end interface
end module legato_c_context
