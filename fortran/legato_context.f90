! Contexts (legato/context.h), and what is for all methods: status, backend, logging, progress, version.
module legato_context_module ! a module cannot have the name of its type
   use legato_c, c_version => legato_version, c_status_text => legato_status_text
   use legato_support
   implicit none
   private

   public :: legato_context, legato_device_info, legato_progress, legato_monitor, legato_logger
   public :: legato_version, legato_version_number, legato_status_text
   public :: handle_of
   public :: LEGATO_SUCCESS, LEGATO_INVALID_ARGUMENT, LEGATO_OUT_OF_MEMORY, LEGATO_NO_DEVICE, LEGATO_DEVICE_ERROR, &
      LEGATO_IO_ERROR, LEGATO_BAD_FILE, LEGATO_CANCELLED, LEGATO_NUMERICAL_ERROR, LEGATO_INTERNAL_ERROR
   public :: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   public :: LEGATO_LOG_SILENT, LEGATO_LOG_ERROR, LEGATO_LOG_WARNING, LEGATO_LOG_INFO, LEGATO_LOG_DEBUG

   ! gfortran takes procedures of a C function's name for that function.
   interface legato_version
      procedure :: version
   end interface legato_version
   interface legato_status_text
      procedure :: status_text
   end interface legato_status_text

   ! What a program chooses once. Contexts, and what is made with them, cannot be copied: assigning one that was
   ! created stops the program.
   type :: legato_context
      private
      type(c_ptr) :: handle = c_null_ptr
      type(logger_user), pointer :: logger => null()
   contains
      procedure :: create => context_create
      procedure :: destroy => context_destroy
      procedure :: message => context_message
      procedure :: set_logger => context_set_logger
      procedure :: backend => context_backend
      procedure :: device_count => context_device_count
      procedure :: device_info => context_device_info
      procedure, private :: context_copy
      generic :: assignment(=) => context_copy
      final :: context_final
   end type legato_context

contains

   function version() result(text)
      character(:), allocatable :: text

      text = from_c(c_version())
   end function version

   function status_text(status) result(text)
      integer, intent(in) :: status
      character(:), allocatable :: text

      text = from_c(c_status_text(int(status, c_int32_t)))
   end function status_text

   ! What is absent comes from the environment (LEGATO_BACKEND, LEGATO_DEVICE, LEGATO_NUM_THREADS, LEGATO_LOG) or is the
   ! default of legato/context.h.
   subroutine context_create(this, backend, device, threads, log_level, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in), optional :: backend, device, threads, log_level
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_context_params) :: params
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_context_params_init_sized(params, c_sizeof(params))
      if (present(backend)) params%backend = int(backend, c_int32_t)
      if (present(device)) params%device = int(device, c_int32_t)
      if (present(threads)) params%threads = int(threads, c_int32_t)
      if (present(log_level)) params%log_level = int(log_level, c_int32_t)
      status = legato_context_create(params, this%handle)
      call report(this%handle, status, stat, errmsg)
   end subroutine context_create

   subroutine context_destroy(this)
      class(legato_context), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_context_destroy(this%handle)
      this%handle = c_null_ptr
      if (associated(this%logger)) deallocate (this%logger)
   end subroutine context_destroy

   impure elemental subroutine context_final(this)
      type(legato_context), intent(inout) :: this

      call this%destroy()
   end subroutine context_final

   impure elemental subroutine context_copy(this, other)
      class(legato_context), intent(inout) :: this
      class(legato_context), intent(in) :: other

      if (c_associated(other%handle)) &
         call finish(int(LEGATO_INVALID_ARGUMENT), 'a legato_context cannot be copied; use a pointer to it')
      call this%destroy()
   end subroutine context_copy

   ! The words of the last error; '' after none.
   function context_message(this) result(message)
      class(legato_context), intent(in) :: this
      character(:), allocatable :: message

      message = from_c(legato_context_message(this%handle))
   end function context_message

   ! Log lines up to `level` go to `logger`, by default to standard error.
   subroutine context_set_logger(this, level, logger, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in) :: level
      procedure(legato_logger), optional :: logger
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(logger_user), pointer :: user
      integer(c_int32_t) :: status

      user => null()
      if (present(logger)) then
         allocate (user)
         user%call => logger
         status = legato_context_set_logger(this%handle, int(level, c_int32_t), c_funloc(forward_line), c_loc(user))
      else
         status = legato_context_set_logger(this%handle, int(level, c_int32_t), c_null_funptr, c_null_ptr)
      end if
      if (status /= LEGATO_SUCCESS) then
         if (associated(user)) deallocate (user)
      else
         if (associated(this%logger)) deallocate (this%logger)
         this%logger => user
      end if
      call report(this%handle, status, stat, errmsg)
   end subroutine context_set_logger

   ! The backend (LEGATO_BACKEND_CPU or _CUDA) that the last problem made with this context got, and why.
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
      status = legato_context_backend(this%handle, taken, text)
      backend = taken
      if (present(reason)) reason = from_c(text)
      call report(this%handle, status, stat, errmsg)
   end subroutine context_backend

   ! Usable CUDA devices; if there are none, the context's message says why.
   subroutine context_device_count(this, count, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: found, status

      found = 0
      status = legato_context_device_count(this%handle, found)
      count = found
      call report(this%handle, status, stat, errmsg)
   end subroutine context_device_count

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
      status = legato_context_device_info(this%handle, int(device, c_int32_t), info)
      if (present(name)) name = from_c(c_loc(info%name))
      call report(this%handle, status, stat, errmsg)
   end subroutine context_device_info

   ! For the modules of the methods; not handed on to users.
   pure function handle_of(context) result(handle)
      type(legato_context), intent(in) :: context
      type(c_ptr) :: handle

      handle = context%handle
   end function handle_of
end module legato_context_module
