!> Base types of all objects that a procedure `create` or `resume` makes: a context, or an object made with a context.
!! Runs are started, continued and saved in the same way for all methods.
module legato_handle_module
   use legato_c
   use legato_support, only: finish, from_c
   implicit none
   private

   public :: legato_handle, legato_run, legato_resumable_run, legato_monitor
   public :: c_functions, keep, hold, resume_with, handle_of, context_of, report, unmade     ! not re-exported to users
   public :: progress_user, callback_of     ! not re-exported either

   abstract interface
      !> Is called several times a second during a run. If it returns true, the run stops with LEGATO_STATUS_CANCELLED.
      function legato_monitor(progress) result(cancel)
         import :: legato_progress
         type(legato_progress), intent(in) :: progress
         logical :: cancel
      end function legato_monitor
   end interface

   ! Data that the C callback receives as `user`.
   type :: progress_user
      procedure(legato_monitor), pointer, nopass :: call => null()
   end type progress_user

   abstract interface
      function destroy_function(handle) bind(c) result(status)
         import :: c_ptr, c_int32_t
         type(c_ptr), value :: handle
         integer(c_int32_t) :: status
      end function destroy_function

      function run_function(handle, callback, user) bind(c) result(status)
         import :: c_ptr, c_funptr, c_int32_t
         type(c_ptr), value :: handle
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function run_function

      function save_function(handle, path) bind(c) result(status)
         import :: c_ptr, c_char, c_int32_t
         type(c_ptr), value :: handle
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function save_function

      function resume_function(context, path, handle) bind(c) result(status)
         import :: c_ptr, c_char, c_int32_t
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: handle
         integer(c_int32_t) :: status
      end function resume_function
   end interface

   ! The name of a type, and the C functions that have the same form for all types.
   type :: c_functions
      character(32) :: name = ''
      procedure(destroy_function), pointer, nopass :: destroy => null()
      procedure(run_function), pointer, nopass :: run => null()
      procedure(save_function), pointer, nopass :: save => null()
      procedure(resume_function), pointer, nopass :: resume => null()
   end type c_functions

   ! Owner of a C handle. `context` holds the handle's error messages, `user` the program's own procedures for
   ! callbacks. This is a component of legato_handle, because gfortran 12 ignores an inherited assignment if the type is
   ! itself a component of another type.
   type :: owner
      type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
      type(c_functions) :: functions
      class(*), pointer :: user => null()
   contains
      procedure :: give_back => owner_give_back
      procedure, private :: owner_copy
      generic :: assignment(=) => owner_copy
      final :: owner_final
   end type owner

   !> Base type of all handles. A handle may outlive its context. It is released by destroy, by the next create or
   !! resume, or by its finaliser, also if it is a component of another type. Assigning a handle after its creation
   !! stops the program, because the C object would be released twice.
   type :: legato_handle
      private
      type(owner) :: own
   contains
      procedure :: destroy => handle_destroy
   end type legato_handle

   !> A computation that runs until it is stopped or finished.
   type, extends(legato_handle) :: legato_run
   contains
      procedure :: run => run_run
   end type legato_run

   !> A run that can be saved to a file and resumed from it.
   type, extends(legato_run) :: legato_resumable_run
   contains
      procedure :: save => run_save
   end type legato_resumable_run

contains

   ! Stores a new handle and reports the status of the call that made it. After a failure there is no handle, and the
   ! context is not stored either. The exception is a context: it exists after a failure too, because it has the
   ! message.
   subroutine keep(this, functions, handle, context, status, stat, errmsg)
      class(legato_handle), intent(inout) :: this
      type(c_functions), intent(in) :: functions
      type(c_ptr), intent(in) :: handle, context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (c_associated(handle)) then
         this%own%functions = functions
         this%own%handle = handle
         this%own%context = context
      end if
      call tell(context, status, stat, errmsg)
   end subroutine keep

   subroutine resume_with(functions, this, context, path, stat, errmsg)
      type(c_functions), intent(in) :: functions
      class(legato_resumable_run), intent(inout) :: this
      class(legato_handle), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = functions%resume(context%own%handle, trim(path)//c_null_char, handle)
      call keep(this, functions, handle, context%own%handle, status, stat, errmsg)
   end subroutine resume_with

   pure function handle_of(this) result(handle)
      class(legato_handle), intent(in) :: this
      type(c_ptr) :: handle

      handle = this%own%handle
   end function handle_of

   ! Returns the context that has the messages of a handle.
   pure function context_of(this) result(context)
      class(legato_handle), intent(in) :: this
      type(c_ptr) :: context

      context = this%own%context
   end function context_of

   ! Reports the status of a C call by stat and errmsg. Without stat an error stops the program.
   subroutine report(this, status, stat, errmsg)
      class(legato_handle), intent(in) :: this
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call tell(this%own%context, status, stat, errmsg)
   end subroutine report

   ! Returns true and reports an error if the handle was never created.
   function unmade(this, stat, errmsg)
      class(legato_handle), intent(in) :: this
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: unmade

      unmade = .not. c_associated(this%own%handle)
      if (unmade) call report(this, LEGATO_STATUS_INVALID_ARGUMENT, stat, errmsg)
   end function unmade

   subroutine tell(context, status, stat, errmsg)
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_STATUS_SUCCESS) then
         if (present(stat)) stat = 0
      else if (c_associated(context)) then
         call finish(int(status), from_c(legato_context_message(context)), stat, errmsg)
      else
         call finish(int(status), 'used before it was created', stat, errmsg)
      end if
   end subroutine tell

   ! Keeps the allocated object `user` as long as the handle, and deallocates the previous one. If the call with this
   ! status has failed, `user` is deallocated, and the previous one is kept.
   subroutine hold(this, user, status)
      class(legato_handle), intent(inout) :: this
      class(*), intent(in), target :: user
      integer(c_int32_t), intent(in) :: status
      class(*), pointer :: refused

      if (status /= LEGATO_STATUS_SUCCESS) then
         refused => user
         deallocate (refused)
         return
      end if
      if (associated(this%own%user)) deallocate (this%own%user)
      this%own%user => user
   end subroutine hold

   !> Releases the handle, if there is one.
   subroutine handle_destroy(this)
      class(legato_handle), intent(inout) :: this

      call this%own%give_back()
   end subroutine handle_destroy

   subroutine owner_give_back(this)
      class(owner), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = this%functions%destroy(this%handle)
      this%handle = c_null_ptr
      this%context = c_null_ptr
      if (associated(this%user)) deallocate (this%user)
   end subroutine owner_give_back

   impure elemental subroutine owner_final(this)
      type(owner), intent(inout) :: this

      call this%give_back()
   end subroutine owner_final

   impure elemental subroutine owner_copy(this, other)
      class(owner), intent(inout) :: this
      class(owner), intent(in) :: other

      if (c_associated(other%handle)) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), &
         'a '//trim(other%functions%name)//' cannot be copied; use a pointer to it')
      call this%give_back()
   end subroutine owner_copy

   !> Runs to the end, or until `progress` stops the run. The next call continues a stopped run.
   subroutine run_run(this, progress, stat, errmsg)
      class(legato_run), intent(inout) :: this
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      type(c_funptr) :: callback

      if (unmade(this, stat, errmsg)) return
      callback = callback_of(progress, user)
      call report(this, this%own%functions%run(this%own%handle, callback, c_loc(user)), stat, errmsg)
   end subroutine run_run

   ! Returns the C callback that calls `progress`, or null if it is absent. C receives the address of `user`.
   function callback_of(progress, user) result(callback)
      procedure(legato_monitor), optional :: progress
      type(progress_user), intent(inout) :: user
      type(c_funptr) :: callback

      callback = c_null_funptr
      if (.not. present(progress)) return
      user%call => progress
      callback = c_funloc(forward_progress)
   end function callback_of

   function forward_progress(user, progress) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      type(legato_progress), intent(in) :: progress
      integer(c_int) :: stop
      type(progress_user), pointer :: program

      call c_f_pointer(user, program)
      stop = merge(1, 0, program%call(progress))
   end function forward_progress

   !> Saves the run to the file `path`. An existing file is replaced as a whole.
   subroutine run_save(this, path, stat, errmsg)
      class(legato_resumable_run), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (unmade(this, stat, errmsg)) return
      call report(this, this%own%functions%save(this%own%handle, trim(path)//c_null_char), stat, errmsg)
   end subroutine run_save
end module legato_handle_module
