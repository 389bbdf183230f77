! The progress line of a batch, on standard error where that is a terminal.
module batch_progress
   use, intrinsic :: iso_c_binding, only: c_int
   use, intrinsic :: iso_fortran_env, only: error_unit
   use kinds
   use legato, only: legato_progress
   implicit none
   private
   public :: show_progress, wipe_progress

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

   function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel
      integer(lkind) :: now, rate

      cancel = .false.
      if (isatty(2_c_int) /= 1) return
      call system_clock(now, rate)
      if (now - last_shown < rate / 2) return
      last_shown = now
      call wipe_progress
      write (error_unit, '(3(i0,a))', advance='no') progress%points_done, ' of ', progress%points_total, ' atoms, ', &
         progress%cycles_done, ' iterations'
      flush (error_unit)
      stands = .true.
   end function show_progress

   subroutine wipe_progress
      character(*), parameter :: carriage_return = achar(13)

      if (stands) write (error_unit, '(3a)', advance='no') carriage_return, repeat(' ', 79), carriage_return
      if (stands) flush (error_unit)
      stands = .false.
   end subroutine wipe_progress

end module batch_progress
