! What the tests of this folder share.
module checks
   implicit none
   private
   public :: check

   character(200), public :: message = ''     ! for errmsg: shown where a check fails

contains

   subroutine check(holds, what)
      logical, intent(in) :: holds
      character(*), intent(in) :: what

      if (holds) return
      print '(4a)', 'failed: ', what, '; last message: ', trim(message)
      error stop 1
   end subroutine check
end module checks
