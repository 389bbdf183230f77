! Decides when a state is saved: at most once a second, and so that saving takes at most about a twentieth of the time.
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

   ! Asks whether saving is due. If so, the program must save now, because the time of saving is measured from here.
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
