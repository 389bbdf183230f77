! Reads and checks the input of dfratom.
module program_input
   use kinds
   use baspar
   use ctlpar
   use elconf
   use limits
   use scfpar
   implicit none
   private
   public :: input_is_sound, read_program_input

contains

   subroutine read_program_input(ierr)
      integer(ikind), intent(out) :: ierr
      interface
         subroutine intin(name, ierr)
            import :: ikind
            character(*), intent(in) :: name
            integer(ikind), intent(out) :: ierr
         end subroutine intin
      end interface

      if (allocated(occup)) deallocate (occup)     ! left from the previous input
      call intin('tmseXd.inp', ierr)
   end subroutine read_program_input

   logical function input_is_sound()
      input_is_sound = nsym >= 1 .and. nsym <= maxsym .and. all(nbs(:nsym) >= 1) .and. all(nbs(:nsym) <= maxbas) &
         .and. c >= 1 .and. znuc >= 1 .and. znuc <= 137 .and. nconf >= 0 .and. nconf <= maxcnf .and. maxitr >= 1 &
         .and. all(nclose(:nsym) >= 0) .and. all(nopen(:nsym) >= 0) .and. all(nopen(:nsym) <= 1)
   end function input_is_sound
end module program_input
