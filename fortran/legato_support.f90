! What the other modules share: callbacks, errors by stat= and errmsg=, texts from C. Nothing of it is for users but the
! abstract interfaces.
module legato_support
   use legato_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: legato_monitor, legato_logger
   public :: owned_handle, progress_user, logger_user, callback_for, forward_line
   public :: report, finish, outside, differs, no_group, decimal, from_c

   abstract interface
      ! Called while a run goes on; true stops it with LEGATO_CANCELLED.
      function legato_monitor(progress) result(cancel)
         import :: legato_progress
         type(legato_progress), intent(in) :: progress
         logical :: cancel
      end function legato_monitor

      subroutine legato_logger(level, line)
         integer, intent(in) :: level
         character(*), intent(in) :: line
      end subroutine legato_logger
   end interface

   ! What the C callbacks get as `user`.
   type :: progress_user
      procedure(legato_monitor), pointer, nopass :: call
   end type progress_user
   type :: logger_user
      procedure(legato_logger), pointer, nopass :: call
   end type logger_user

   ! What the types of the methods hold: a handle with its context, whose messages it has. It is given back by its
   ! finaliser, and so is what it is a component of. Assigning one that was made stops the program: both would be given
   ! back.
   type :: owned_handle
      type(c_ptr) :: handle = c_null_ptr
      type(c_ptr), private :: context = c_null_ptr
      procedure(destroyer), pointer, nopass, private :: give_back => null()
      character(32), private :: name = ''
   contains
      procedure :: destroy => owned_destroy
      procedure :: keep => owned_keep
      procedure :: report => owned_report
      procedure, private :: owned_copy
      generic :: assignment(=) => owned_copy
      final :: owned_final
   end type owned_handle

   abstract interface
      function destroyer(handle) bind(c) result(status)
         import :: c_ptr, c_int32_t
         type(c_ptr), value :: handle
         integer(c_int32_t) :: status
      end function destroyer
   end interface

   interface decimal
      procedure :: decimal_short, decimal_long
   end interface decimal

contains

   ! From C to the program's own procedures.
   function forward_progress(user, progress) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      type(legato_progress), intent(in) :: progress
      integer(c_int) :: stop
      type(progress_user), pointer :: program

      call c_f_pointer(user, program)
      stop = merge(1, 0, program%call(progress))
   end function forward_progress

   subroutine forward_line(user, level, line) bind(c, name='')
      type(c_ptr), value :: user
      integer(c_int32_t), value :: level
      character(kind=c_char), intent(in), target :: line(*)
      type(logger_user), pointer :: program

      call c_f_pointer(user, program)
      call program%call(int(level), from_c(c_loc(line)))
   end subroutine forward_line

   ! The C callback for an optional procedure of the program, none where it is absent. `user` goes with it.
   function callback_for(progress, user) result(callback)
      procedure(legato_monitor), optional :: progress
      type(progress_user), intent(inout) :: user
      type(c_funptr) :: callback

      callback = c_null_funptr
      if (.not. present(progress)) return
      user%call => progress
      callback = c_funloc(forward_progress)
   end function callback_for

   ! After the call that made the handle. It has its context's message only where it was made: otherwise nothing keeps
   ! the context.
   subroutine owned_keep(this, name, give_back, context, status, stat, errmsg)
      class(owned_handle), intent(inout) :: this
      character(*), intent(in) :: name
      procedure(destroyer) :: give_back
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) then
         this%name = name
         this%give_back => give_back
         this%context = context
      end if
      call report(context, status, stat, errmsg)
   end subroutine owned_keep

   subroutine owned_report(this, status, stat, errmsg)
      class(owned_handle), intent(in) :: this
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this%context, status, stat, errmsg)
   end subroutine owned_report

   subroutine owned_destroy(this)
      class(owned_handle), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = this%give_back(this%handle)
      this%handle = c_null_ptr
      this%context = c_null_ptr
   end subroutine owned_destroy

   impure elemental subroutine owned_final(this)
      type(owned_handle), intent(inout) :: this

      call this%destroy()
   end subroutine owned_final

   impure elemental subroutine owned_copy(this, other)
      class(owned_handle), intent(inout) :: this
      class(owned_handle), intent(in) :: other

      if (c_associated(other%handle)) &
         call finish(int(LEGATO_INVALID_ARGUMENT), 'a '//trim(other%name)//' cannot be copied; use a pointer to it')
      call this%destroy()
   end subroutine owned_copy

   subroutine report(context, status, stat, errmsg)
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) then
         if (present(stat)) stat = 0
      else if (c_associated(context)) then
         call finish(int(status), from_c(legato_context_message(context)), stat, errmsg)
      else
         call finish(int(status), 'used before it was created', stat, errmsg)
      end if
   end subroutine report

   subroutine finish(status, message, stat, errmsg)
      integer, intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) then
         write (error_unit, '(2a)') 'legato: ', message
         flush (error_unit) ! before the run-time library writes its own
         error stop 1, quiet=.true.
      end if
      stat = status
      if (present(errmsg)) errmsg = message
   end subroutine finish

   ! Whether a number that counts from 1 is out of range, and then says so: the library's own words count from 0.
   function outside(field, number, most, stat, errmsg)
      character(*), intent(in) :: field
      integer(c_int64_t), intent(in) :: number, most
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: outside

      outside = number < 1 .or. number > most
      if (outside) call finish(int(LEGATO_INVALID_ARGUMENT), field//': '//decimal(number)//' is not in 1..'// &
                               decimal(most), stat, errmsg)
   end function outside

   ! Whether the extents of an array are not those wanted.
   function differs(field, extents, wanted, stat, errmsg)
      character(*), intent(in) :: field
      integer, intent(in) :: extents(:), wanted(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: differs

      differs = any(extents /= wanted)
      if (differs) call finish(int(LEGATO_INVALID_ARGUMENT), field//': '//product_of(extents)// &
                               ' elements are not '//product_of(wanted), stat, errmsg)
   end function differs

   function product_of(extents) result(text)
      integer, intent(in) :: extents(:)
      character(:), allocatable :: text
      integer :: i

      text = decimal(extents(1))
      do i = 2, size(extents)
         text = text//' x '//decimal(extents(i))
      end do
   end function product_of

   ! True where a group is out of range, and then says so: the library's own words count from 0.
   function no_group(field, group, groups, stat, errmsg)
      character(*), intent(in) :: field
      integer, intent(in) :: group(:), groups
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_group
      integer :: wrong

      wrong = findloc(group >= 1 .and. group <= groups, .false., dim=1)
      no_group = wrong > 0
      if (no_group) call finish(int(LEGATO_INVALID_ARGUMENT), field//'.group('//decimal(wrong)//'): '// &
                                decimal(group(wrong))//' is not in 1..'//decimal(groups), stat, errmsg)
   end function no_group

   function decimal_short(number) result(digits)
      integer, intent(in) :: number
      character(:), allocatable :: digits

      digits = decimal(int(number, c_int64_t))
   end function decimal_short

   function decimal_long(number) result(digits)
      integer(c_int64_t), intent(in) :: number
      character(:), allocatable :: digits
      character(20) :: buffer

      write (buffer, '(i0)') number
      digits = trim(buffer)
   end function decimal_long

   function from_c(text) result(string)
      type(c_ptr), intent(in) :: text
      character(:), allocatable :: string
      character(kind=c_char), pointer :: characters(:)
      integer :: length

      if (.not. c_associated(text)) then
         string = ''
         return
      end if
      call c_f_pointer(text, characters, [65536])
      length = 0
      do while (characters(length + 1) /= c_null_char)
         length = length + 1
      end do
      allocate (character(length) :: string)
      string = transfer(characters(:length), string)
   end function from_c
end module legato_support
