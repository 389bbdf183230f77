! What the other modules share: callbacks, errors by stat= and errmsg=, texts from C. Nothing of it is for users but the
! abstract interfaces.
module legato_support
   use legato_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: legato_monitor, legato_logger
   public :: progress_user, logger_user, forward_progress, forward_line
   public :: keep, report, finish, outside, decimal, from_c

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

   ! A handle has its context's message only where it was made: otherwise nothing keeps the context.
   subroutine keep(kept, context, status, stat, errmsg)
      type(c_ptr), intent(inout) :: kept
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) kept = context
      call report(context, status, stat, errmsg)
   end subroutine keep

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
