!> Contexts (legato/context.h), and what is for all methods: status, backend, logging, version.
module legato_context_module ! a module cannot have the name of its type
   use legato_c, c_version => legato_version, c_status_text => legato_status_text
   use legato_handle_module, only: legato_handle, c_functions, keep, hold, handle_of, report
   use legato_support, only: from_c
   implicit none
   private

   public :: legato_context, legato_device_info, legato_progress, legato_logger
   public :: legato_version, legato_version_number, legato_status_text
   public :: LEGATO_SUCCESS, LEGATO_INVALID_ARGUMENT, LEGATO_OUT_OF_MEMORY, LEGATO_NO_DEVICE, LEGATO_DEVICE_ERROR, &
      LEGATO_IO_ERROR, LEGATO_BAD_FILE, LEGATO_CANCELLED, LEGATO_NUMERICAL_ERROR, LEGATO_INTERNAL_ERROR, &
      LEGATO_PRECISION_LOST
   public :: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   public :: LEGATO_LOG_SILENT, LEGATO_LOG_ERROR, LEGATO_LOG_WARNING, LEGATO_LOG_INFO, LEGATO_LOG_DEBUG

   abstract interface
      !> Gets the lines that are logged, LEGATO_LOG_ERROR to LEGATO_LOG_DEBUG.
      subroutine legato_logger(level, line)
         integer, intent(in) :: level
         character(*), intent(in) :: line
      end subroutine legato_logger
   end interface

   ! gfortran takes procedures of a C function's name for that function.

   !> The version of the library, as text.
   interface legato_version
      procedure :: version
   end interface legato_version
   !> What a status means.
   interface legato_status_text
      procedure :: status_text
   end interface legato_status_text

   ! What the C callback gets as `user`.
   type :: logger_user
      procedure(legato_logger), pointer, nopass :: call => null()
   end type logger_user

   !> What a program chooses once. It keeps the message of the last error.
   type, extends(legato_handle) :: legato_context
   contains
      procedure :: create => context_create
      procedure :: message => context_message
      procedure :: set_logger => context_set_logger
      procedure :: backend => context_backend
      procedure :: device_count => context_device_count
      procedure :: device_info => context_device_info
   end type legato_context

contains

   !> "0.1.0", say.
   function version() result(text)
      character(:), allocatable :: text

      text = from_c(c_version())
   end function version

   !> "cancelled" of LEGATO_CANCELLED, say.
   function status_text(status) result(text)
      integer, intent(in) :: status
      character(:), allocatable :: text

      text = from_c(c_status_text(int(status, c_int32_t)))
   end function status_text

   !> What is absent comes from the environment (LEGATO_BACKEND, LEGATO_DEVICE, LEGATO_NUM_THREADS, LEGATO_LOG) or is the
   !! default of legato/context.h.
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

   !> The words of the last error; '' after none.
   function context_message(this) result(message)
      class(legato_context), intent(in) :: this
      character(:), allocatable :: message

      message = from_c(legato_context_message(handle_of(this)))
   end function context_message

   !> Log lines up to `level` go to `logger`, by default to standard error.
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
      if (status == LEGATO_SUCCESS) then
         call hold(this, user)
      else
         deallocate (user)
      end if
      call report(this, status, stat, errmsg)
   end subroutine context_set_logger

   !> The backend (LEGATO_BACKEND_CPU or _CUDA) that the last problem made with this context got, and why.
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

   !> Usable CUDA devices; if there are none, the context's message says why.
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

   !> Device number `device`, from 0 as CUDA counts, as legato/context.h has it; `name` as it is, without what C puts after it.
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
