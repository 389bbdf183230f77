! Errors of the library end a program.
module library_errors
   use kinds
   use legato, only: LEGATO_STATUS_OUT_OF_MEMORY, LEGATO_STATUS_SUCCESS
   use messages, only: complain
   use run_control, only: stop_on
   implicit none
   private
   public :: stop_on_library

contains

   ! Stops the program with the message, unless the status is that of success.
   subroutine stop_on_library(stat, message)
      integer, intent(in) :: stat
      character(*), intent(in) :: message

      if (stat == LEGATO_STATUS_SUCCESS) return
      if (stat == LEGATO_STATUS_OUT_OF_MEMORY) then
         call complain('not enough memory: ' // trim(message))
      else
         call complain(trim(message))
      end if
      call stop_on(1_ikind)
   end subroutine stop_on_library

end module library_errors
