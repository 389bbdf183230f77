! What input_fuzz.cpp calls: reads an input file as kpmdos does, and looks at what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use kinds
   use input, only: read_input
   use kpmpar
   use limits
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr
   logical :: sound

   call read_input('tmseXd.inp', ierr)
   outcome = 1
   if (ierr /= 0) return
   sound = min(lx, ly, lz) >= 1 .and. int(lx, lkind) * ly * lz <= maxsit .and. nmom >= 2 .and. nmom <= maxmom &
      .and. nvec >= 1 .and. nvec <= maxvec .and. nreal >= 1 .and. nreal <= maxrea .and. nenergy >= 0 &
      .and. nenergy <= maxene .and. abs(energy) <= maxval_energy .and. abs(hopping) <= maxval_energy .and. margin >= 0
   outcome = merge(0_c_int, 2_c_int, sound)
end function parse_input
