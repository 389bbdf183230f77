! Procedures that the tests of this folder share: checks, and callbacks that stop a run.
module checks
   use legato
   implicit none
   private
   public :: check, check_refused, remove_file, stop_at_once, stop_at_third

   integer, public :: stat = 0
   character(200), public :: message = ''     ! text of errmsg, shown if a check fails
   integer, public :: calls = 0     ! number of calls of stop_at_third
   type(legato_progress), public :: last_progress     ! last argument of one of the two

contains

   subroutine check(holds, what)
      logical, intent(in) :: holds
      character(*), intent(in) :: what

      if (holds) return
      print '(4a)', 'failed: ', what, '; last message: ', trim(message)
      error stop 1
   end subroutine check

   ! Checks that the last call was refused, with this message.
   subroutine check_refused(words)
      character(*), intent(in) :: words

      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == words, words)
   end subroutine check_refused

   subroutine remove_file(name)
      character(*), intent(in) :: name
      integer :: unit

      open (newunit=unit, file=name, status='old')
      close (unit, status='delete')
   end subroutine remove_file

   function stop_at_once(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      last_progress = progress
      cancel = progress%points_total > 0
   end function stop_at_once

   function stop_at_third(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      last_progress = progress
      calls = calls + 1
      cancel = calls == 3
   end function stop_at_third
end module checks
