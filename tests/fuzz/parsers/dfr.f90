! What input_fuzz.cpp calls: reads an input file as dfratom does, and looks at what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use kinds
   use baspar
   use ctlpar
   use elconf
   use limits
   use scfpar
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr
   logical :: sound

   interface
      subroutine intin(name, ierr)
         import :: ikind
         character(*), intent(in) :: name
         integer(ikind), intent(out) :: ierr
      end subroutine intin
   end interface

   if (allocated(occup)) deallocate (occup)     ! of the input before
   call intin('tmseXd.inp', ierr)
   outcome = 1
   if (ierr /= 0) return
   sound = nsym >= 1 .and. nsym <= maxsym .and. all(nbs(:nsym) >= 1) .and. all(nbs(:nsym) <= maxbas) &
      .and. c >= 1 .and. znuc >= 1 .and. znuc <= 137 .and. nconf >= 0 .and. nconf <= maxcnf .and. maxitr >= 1 &
      .and. all(nclose(:nsym) >= 0) .and. all(nopen(:nsym) >= 0) .and. all(nopen(:nsym) <= 1)
   outcome = merge(0_c_int, 2_c_int, sound)
end function parse_input
