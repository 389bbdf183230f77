!> Contexts (legato/context.h), and what all methods share: status codes, backends, logging and the version.
module legato_context_module ! a module cannot have the name of its type
   use legato_c, c_version => legato_version, c_status_text => legato_status_text
   use legato_handle_module, only: legato_handle, c_functions, keep, hold, handle_of, report
   use legato_support, only: from_c
   implicit none
   private

   public :: legato_context, legato_device_info, legato_progress, legato_logger
   public :: legato_version, legato_version_number, legato_status_text
   public :: LEGATO_STATUS_SUCCESS, LEGATO_STATUS_INVALID_ARGUMENT, LEGATO_STATUS_OUT_OF_MEMORY, &
      LEGATO_STATUS_NO_DEVICE, LEGATO_STATUS_DEVICE_ERROR, &
      LEGATO_STATUS_IO_ERROR, LEGATO_STATUS_BAD_FILE, LEGATO_STATUS_CANCELLED, LEGATO_STATUS_NUMERICAL_ERROR, &
      LEGATO_STATUS_INTERNAL_ERROR, &
      LEGATO_STATUS_PRECISION_LOST, LEGATO_STATUS_COMMUNICATION_ERROR
   public :: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   public :: LEGATO_LOG_LEVEL_SILENT, LEGATO_LOG_LEVEL_ERROR, LEGATO_LOG_LEVEL_WARNING, LEGATO_LOG_LEVEL_INFO, &
      LEGATO_LOG_LEVEL_DEBUG

   abstract interface
      !> Receives a log line of level LEGATO_LOG_LEVEL_ERROR to LEGATO_LOG_LEVEL_DEBUG.
      subroutine legato_logger(level, line)
         integer, intent(in) :: level
         character(*), intent(in) :: line
      end subroutine legato_logger
   end interface

   ! These interfaces are needed because gfortran mistakes a procedure for the C function of the same name.

   !> Returns the version of the library as text.
   interface legato_version
      procedure :: version
   end interface legato_version
   !> Returns the meaning of a status as text.
   interface legato_status_text
      procedure :: status_text
   end interface legato_status_text

   ! Data that the C callback receives as `user`.
   type :: logger_user
      procedure(legato_logger), pointer, nopass :: call => null()
   end type logger_user

   !> The settings that a program chooses once. A context keeps the message of the last error.
   type, extends(legato_handle) :: legato_context
   contains
      procedure :: create => context_create
      procedure :: message => context_message
      procedure :: set_devices => context_set_devices
      procedure :: set_logger => context_set_logger
      procedure :: backend => context_backend
      procedure :: device_count => context_device_count
      procedure :: device_info => context_device_info
   end type legato_context

contains

   !> Returns the version, for example "0.1.0".
   function version() result(text)
      character(:), allocatable :: text

      text = from_c(c_version())
   end function version

   !> Returns the text of a status, for example "cancelled" for LEGATO_STATUS_CANCELLED.
   function status_text(status) result(text)
      integer, intent(in) :: status
      character(:), allocatable :: text

      text = from_c(c_status_text(int(status, c_int32_t)))
   end function status_text

   !> Creates a context. Absent settings are taken from the environment (LEGATO_BACKEND, LEGATO_DEVICE,
   !! LEGATO_NUM_THREADS, LEGATO_LOG), otherwise they are the defaults of legato/context.h.
   subroutine context_create(this, backend, device, threads, log_level, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in), optional :: backend, device, threads, log_level
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_context_params) :: params
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_context_params_init_sized(params, c_sizeof(params))
      if (present(backend)) params%backend = int(backend, c_int32_t)
      if (present(device)) params%device = int(device, c_int32_t)
      if (present(threads)) params%threads = int(threads, c_int32_t)
      if (present(log_level)) params%log_level = int(log_level, c_int32_t)
      status = legato_context_create(params, handle)
      call keep(this, c_functions('legato_context', legato_context_destroy), handle, handle, status, stat, errmsg)
   end subroutine context_create

   !> Returns the message of the last error, or '' if there was no error.
   function context_message(this) result(message)
      class(legato_context), intent(in) :: this
      character(:), allocatable :: message

      message = from_c(legato_context_message(handle_of(this)))
   end function context_message

   !> Lets several CUDA devices of this process share the problems of the context. It is called before anything is made
   !! from the context.
   subroutine context_set_devices(this, devices, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in) :: devices(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_context_set_devices(handle_of(this), size(devices, kind=c_int32_t), &
         int(devices, c_int32_t)), stat, errmsg)
   end subroutine context_set_devices

   !> Sends log lines up to `level` to `logger`, or to standard error if `logger` is absent.
   subroutine context_set_logger(this, level, logger, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in) :: level
      procedure(legato_logger), optional :: logger
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(logger_user), pointer :: user
      type(c_funptr) :: callback
      integer(c_int32_t) :: status

      allocate (user)
      callback = c_null_funptr
      if (present(logger)) then
         user%call => logger
         callback = c_funloc(forward_line)
      end if
      status = legato_context_set_logger(handle_of(this), int(level, c_int32_t), callback, c_loc(user))
      call hold(this, user, status)
      call report(this, status, stat, errmsg)
   end subroutine context_set_logger

   !> Returns the backend (LEGATO_BACKEND_CPU or _CUDA) of the last problem made with this context, and the reason for
   !! that choice.
   subroutine context_backend(this, backend, reason, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(out) :: backend
      character(:), allocatable, intent(out), optional :: reason
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: taken, status
      type(c_ptr) :: text

      taken = LEGATO_BACKEND_AUTO
      text = c_null_ptr
      status = legato_context_backend(handle_of(this), taken, text)
      backend = taken
      if (present(reason)) reason = from_c(text)
      call report(this, status, stat, errmsg)
   end subroutine context_backend

   !> Returns the number of usable CUDA devices. If there are none, the context's message says why.
   subroutine context_device_count(this, count, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: found, status

      found = 0
      status = legato_context_device_count(handle_of(this), found)
      count = found
      call report(this, status, stat, errmsg)
   end subroutine context_device_count

   !> Returns the properties of a CUDA device, numbered from 0 (legato/context.h). `name` is the device's name without
   !! the terminating zero byte of C.
   subroutine context_device_info(this, device, info, name, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(in) :: device
      type(legato_device_info), intent(out), target :: info
      character(:), allocatable, intent(out), optional :: name
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      info%struct_size = c_sizeof(info)
      info%name = c_null_char
      status = legato_context_device_info(handle_of(this), int(device, c_int32_t), info)
      if (present(name)) name = from_c(c_loc(info%name))
      call report(this, status, stat, errmsg)
   end subroutine context_device_info

   subroutine forward_line(user, level, line) bind(c, name='')
      type(c_ptr), value :: user
      integer(c_int32_t), value :: level
      character(kind=c_char), intent(in), target :: line(*)
      type(logger_user), pointer :: program

      call c_f_pointer(user, program)
      call program%call(int(level), from_c(c_loc(line)))
   end subroutine forward_line
end module legato_context_module
