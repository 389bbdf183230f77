! The progress line of a batch, on standard error where that is a terminal.
module batch_progress
   use, intrinsic :: iso_c_binding, only: c_int
   use, intrinsic :: iso_fortran_env, only: error_unit
   use kinds
   use messages, only: integer_text
   use legato, only: legato_progress
   implicit none
   private
   public :: show_progress, wants_progress, show_line, wipe_progress

   logical :: stands = .false.
   integer(lkind) :: last_shown = 0     ! on the clock

   interface
      function isatty(descriptor) bind(c) result(answer)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: answer
      end function isatty
   end interface

contains

   ! For the library to call.
   function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      cancel = .false.
      if (wants_progress()) call show_line(integer_text(progress%points_done) // ' of ' // &
         integer_text(progress%points_total) // ' atoms, ' // integer_text(progress%cycles_done) // ' iterations')
   end function show_progress

   ! There is somebody to see it, and half a second has passed.
   function wants_progress()
      logical :: wants_progress
      integer(lkind) :: now, rate

      wants_progress = isatty(2_c_int) == 1
      if (.not. wants_progress) return
      call system_clock(now, rate)
      wants_progress = now - last_shown >= rate / 2
      if (wants_progress) last_shown = now
   end function wants_progress

   subroutine show_line(text)
      character(*), intent(in) :: text

      call wipe_progress
      write (error_unit, '(a)', advance='no') text
      flush (error_unit)
      stands = .true.
   end subroutine show_line

   subroutine wipe_progress
      character(*), parameter :: carriage_return = achar(13)

      if (stands) write (error_unit, '(3a)', advance='no') carriage_return, repeat(' ', 79), carriage_return
      if (stands) flush (error_unit)
      stands = .false.
   end subroutine wipe_progress

end module batch_progress
