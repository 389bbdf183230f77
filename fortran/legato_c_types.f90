! Written by tools/fortran_interfaces.py from capi/include/legato/types.h. Change that instead.
module legato_c_types
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Status that a function returns, as an int32_t. legato_context_message returns the message that belongs to it.
   enum, bind(c)
      enumerator :: LEGATO_STATUS_SUCCESS = 0  ! success
      ! invalid argument (the message names it, its value and range), or invalid handle
      enumerator :: LEGATO_STATUS_INVALID_ARGUMENT = 1
      ! out of memory; the message names the needed and the free bytes if they are known in advance
      enumerator :: LEGATO_STATUS_OUT_OF_MEMORY = 2
      enumerator :: LEGATO_STATUS_NO_DEVICE = 3  ! CUDA was requested and is not available
      enumerator :: LEGATO_STATUS_DEVICE_ERROR = 4  ! a CUDA call failed
      enumerator :: LEGATO_STATUS_IO_ERROR = 5  ! a file cannot be read or written
      ! a file is truncated, damaged, not of the expected kind, or written by a newer version of the library
      enumerator :: LEGATO_STATUS_BAD_FILE = 6
      enumerator :: LEGATO_STATUS_CANCELLED = 7  ! a progress callback stopped the run; the results so far can be read
      enumerator :: LEGATO_STATUS_NUMERICAL_ERROR = 8  ! a computation overflowed or lost rank
      enumerator :: LEGATO_STATUS_INTERNAL_ERROR = 9  ! an error inside the library
      enumerator :: LEGATO_STATUS_PRECISION_LOST = 10  ! a result was computed, but rounding errors may have spoilt it
      ! a function of a communicator failed (legato/communicator.h)
      enumerator :: LEGATO_STATUS_COMMUNICATION_ERROR = 11
   end enum

   ! Backend of a computation.
   enum, bind(c)
      enumerator :: LEGATO_BACKEND_AUTO = 0  ! the faster backend for the problem
      enumerator :: LEGATO_BACKEND_CPU = 1  ! threads on the CPU
      enumerator :: LEGATO_BACKEND_CUDA = 2  ! a CUDA device; the status is LEGATO_STATUS_NO_DEVICE if there is none
   end enum

   ! Level of a log line. A logger receives the lines of its own level and of all levels with a smaller number.
   enum, bind(c)
      enumerator :: LEGATO_LOG_LEVEL_SILENT = 0  ! no lines
      enumerator :: LEGATO_LOG_LEVEL_ERROR = 1  ! errors: the reason why a call failed
      enumerator :: LEGATO_LOG_LEVEL_WARNING = 2  ! warnings: results that need care
      enumerator :: LEGATO_LOG_LEVEL_INFO = 3  ! choices of the library, with the reason
      enumerator :: LEGATO_LOG_LEVEL_DEBUG = 4  ! details that help to find an error
   end enum

   ! Progress of a run. Each function with a progress callback says in its comment what it counts as points and as
   ! cycles.
   type, bind(c) :: legato_progress
      integer(c_size_t) :: struct_size  ! Size of the library's struct. Newer versions of the library have more members.
      integer(c_int64_t) :: points_done  ! Number of finished points.
      integer(c_int64_t) :: points_total  ! Number of all points of the run.
      integer(c_int64_t) :: cycles_done  ! Number of cycles of all points together since the call began.
      real(c_double) :: seconds  ! Seconds since the call began.
      real(c_double) :: cycles_per_second  ! cycles_done / seconds
   end type legato_progress

   abstract interface
      ! Reports progress. The library calls it a few times a second in the calling thread. A return value other than 0
      ! stops the run with LEGATO_STATUS_CANCELLED.
      !
      ! The callback may read the results of the run. It may also destroy the run; this takes effect when the function
      ! that called the callback returns. It cannot continue the run: such a call is refused. It may leave the library
      ! by longjmp. Another call can then continue the run, but the memory that the interrupted call used is not freed.
      function legato_progress_callback(user, progress) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         type(legato_progress), intent(in) :: progress
         integer(c_int) :: stop
      end function legato_progress_callback

      ! Receives a log line. `line` has no line feed and is valid until the callback returns.
      subroutine legato_log_callback(user, level, line) bind(c)
         import
         type(c_ptr), value :: user
         integer(c_int32_t), value :: level
         character(kind=c_char), intent(in) :: line(*)
      end subroutine legato_log_callback
   end interface
end module legato_c_types
