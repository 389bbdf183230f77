! What input_fuzz.cpp calls: reads an input file as vmcrvb does, and looks at what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use kinds
   use input, only: read_input
   use limits
   use vmcpar
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr
   logical :: sound

   call read_input('tmseXd.inp', ierr)
   outcome = 1
   if (ierr /= 0) return
   sound = l >= 1 .and. l <= maxlen .and. nsite == l**2 + 1 .and. npair >= 1 .and. 2 * npair <= nsite &
      .and. nchain >= 1 .and. nchain <= maxchn .and. nbins >= 1 .and. nbins <= maxbin .and. nfac >= 1 .and. nrecalc >= 1 &
      .and. neifrac >= 0 .and. neifrac <= 1 .and. abs(t) <= maxval_energy .and. abs(jex) <= maxval_energy
   outcome = merge(0_c_int, 2_c_int, sound)
end function parse_input
