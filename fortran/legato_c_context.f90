! Written by tools/fortran_interfaces.py from capi/include/legato/types.h and capi/include/legato/context.h. Change
! these instead.
module legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Every function returns one of these (as int32_t); the words belonging to it are in legato_context_message().
   enum, bind(c)
      enumerator :: LEGATO_SUCCESS = 0  ! all went well
      ! the message names the field, the value and the range; or the handle is none
      enumerator :: LEGATO_INVALID_ARGUMENT = 1
      enumerator :: LEGATO_OUT_OF_MEMORY = 2  ! the message names the bytes wanted and free where they were known before
      enumerator :: LEGATO_NO_DEVICE = 3  ! CUDA was asked for and cannot be had
      enumerator :: LEGATO_DEVICE_ERROR = 4  ! a CUDA call failed
      enumerator :: LEGATO_IO_ERROR = 5  ! a file cannot be read or written
      enumerator :: LEGATO_BAD_FILE = 6  ! a file is truncated, foreign, damaged or newer than this library
      enumerator :: LEGATO_CANCELLED = 7  ! a progress callback asked to stop; results so far can be read
      enumerator :: LEGATO_NUMERICAL_ERROR = 8  ! a computation overflowed or lost rank
      enumerator :: LEGATO_INTERNAL_ERROR = 9  ! a fault of the library
      ! rounding errors may have spoilt what was computed, which is there all the same
      enumerator :: LEGATO_PRECISION_LOST = 10
   end enum

   ! Where the work is done.
   enum, bind(c)
      enumerator :: LEGATO_BACKEND_AUTO = 0  ! the faster one for the problem at hand
      enumerator :: LEGATO_BACKEND_CPU = 1  ! threads on the CPU
      enumerator :: LEGATO_BACKEND_CUDA = 2  ! a CUDA device; LEGATO_NO_DEVICE where there is none
   end enum

   ! What a log line is about; a level lets through its own lines and those above it.
   enum, bind(c)
      enumerator :: LEGATO_LOG_SILENT = 0  ! nothing
      enumerator :: LEGATO_LOG_ERROR = 1  ! why a call failed
      enumerator :: LEGATO_LOG_WARNING = 2  ! results that need care
      enumerator :: LEGATO_LOG_INFO = 3  ! what was chosen, and why
      enumerator :: LEGATO_LOG_DEBUG = 4  ! what helps to find a fault
   end enum

   ! How far a run is. What its points and cycles are stands with the function that runs it.
   type, bind(c) :: legato_progress
      integer(c_size_t) :: struct_size  ! of the library's struct: newer ones have more members
      integer(c_int64_t) :: points_done  ! that have ended
      integer(c_int64_t) :: points_total  ! of the whole run
      integer(c_int64_t) :: cycles_done  ! in this run, summed over points
      real(c_double) :: seconds  ! since the run began
      real(c_double) :: cycles_per_second  ! cycles_done / seconds
   end type legato_progress

   ! What a program chooses once. Defaults come from environment variables where these are set.
   type, bind(c) :: legato_context_params
      integer(c_size_t) :: struct_size  ! set by legato_context_params_init
      integer(c_int32_t) :: backend  ! legato_backend. AUTO, or environment variable LEGATO_BACKEND: auto, cpu, cuda
      integer(c_int32_t) :: device  ! CUDA ordinal. 0, or LEGATO_DEVICE
      integer(c_int32_t) :: threads  ! 0: as OpenMP, one a processor at most. 0, or LEGATO_NUM_THREADS; at most 4096
      integer(c_int32_t) :: log_level  ! legato_log_level. WARNING, or LEGATO_LOG: silent, error, warning, info, debug
   end type legato_context_params

   ! What is known of a CUDA device.
   type, bind(c) :: legato_device_info
      integer(c_size_t) :: struct_size  ! set by the caller
      character(kind=c_char) :: name(256)  ! ends with a zero byte
      integer(c_int32_t) :: compute_capability  ! 90 means 9.0
      integer(c_int32_t) :: multiprocessors  ! how many
      integer(c_int64_t) :: total_memory  ! bytes
      integer(c_int64_t) :: free_memory  ! bytes, at the time of the call
   end type legato_device_info

   abstract interface
      ! Called a few times a second in the calling thread. Non-zero stops the run with LEGATO_CANCELLED. It may read
      ! results of the run and destroy it, which takes effect when the run returns; it cannot carry it on (which is
      ! refused). It may leave by longjmp: the next call takes the run up again, and the memory that the call had in use
      ! is lost.
      function legato_progress_callback(user, progress) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         type(legato_progress), intent(in) :: progress
         integer(c_int) :: stop
      end function legato_progress_callback

      ! `line` has no line feed and lives until the callback returns.
      subroutine legato_log_callback(user, level, line) bind(c)
         import
         type(c_ptr), value :: user
         integer(c_int32_t), value :: level
         character(kind=c_char), intent(in) :: line(*)
      end subroutine legato_log_callback
   end interface

   interface
      ! "major.minor.patch" of the library that runs, which may be newer than the header.
      function legato_version() bind(c) result(text)
         import
         type(c_ptr) :: text
      end function legato_version

      ! The same as a number, 10000 major + 100 minor + patch.
      function legato_version_number() bind(c) result(status)
         import
         integer(c_int32_t) :: status
      end function legato_version_number

      ! A few words for a status.
      function legato_status_text(status) bind(c) result(text)
         import
         integer(c_int32_t), value :: status
         type(c_ptr) :: text
      end function legato_status_text

      ! legato_context_params_init with the size of the struct that the caller knows, for other languages.
      function legato_context_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_context_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_context_params_init_sized

      ! A context; `params` may be NULL for the defaults. On failure *context is still made where memory allows (its
      ! message says what was wrong) but every other call refuses it with the same status; destroy it as usual.
      function legato_context_create(params, context) bind(c) result(status)
         import
         type(legato_context_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: context
         integer(c_int32_t) :: status
      end function legato_context_create

      ! Gives it back; NULL is allowed, a handle that has been destroyed is LEGATO_INVALID_ARGUMENT. Handles made from
      ! the context stay usable and keep what they need of it; its logger is dropped. Its message can be read as long as
      ! one of them is there.
      function legato_context_destroy(context) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t) :: status
      end function legato_context_destroy

      ! What was wrong with the last call with this context or a handle made from it; "" if nothing was. Valid until the
      ! next call with the same context. A call without a context, or with a null handle, leaves no words.
      function legato_context_message(context) bind(c) result(text)
         import
         type(c_ptr), value :: context
         type(c_ptr) :: text
      end function legato_context_message

      ! Log lines up to `level` go to `callback` (NULL: standard error). From LEGATO_LOG_ERROR on a callback also gets
      ! the words of each call that fails with this context or a handle made from it, once and before the call returns;
      ! standard error does not, as legato_context_message has them. LEGATO_LOG_DEBUG adds what a problem was created
      ! with.
      function legato_context_set_logger(context, level, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: level
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_context_set_logger

      ! The backend taken by the last problem created with this context, and why in words (may be NULL; valid until the
      ! next call with the context).
      function legato_context_backend(context, backend, reason) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: backend
         type(c_ptr), intent(inout), optional :: reason
         integer(c_int32_t) :: status
      end function legato_context_backend

      ! Usable CUDA devices; 0, with the reason in the context's message, in a build or on a machine without.
      function legato_context_device_count(context, count) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_context_device_count

      ! What is known of CUDA device `device`, from 0.
      function legato_context_device_info(context, device, info) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: device
         type(legato_device_info), intent(inout) :: info
         integer(c_int32_t) :: status
      end function legato_context_device_info
   end interface
end module legato_c_context
