! When a state is to be saved: as often as takes a twentieth of the time, and at most once a second.
module save_clocks
   use kinds
   implicit none
   private
   public :: save_clock

   type save_clock
      private
      integer(lkind) :: began = 0, next = 0
   contains
      procedure :: ask, saved
   end type save_clock

contains

   ! If it is due, saving may begin now.
   subroutine ask(this, due)
      class(save_clock), intent(inout) :: this
      logical, intent(out) :: due

      call system_clock(this%began)
      due = this%began >= this%next
   end subroutine ask

   subroutine saved(this)
      class(save_clock), intent(inout) :: this
      integer(lkind) :: now, rate

      call system_clock(now, rate)
      this%next = now + max(rate, 20 * (now - this%began))
   end subroutine saved

end module save_clocks
