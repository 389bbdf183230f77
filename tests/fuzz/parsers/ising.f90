! What input_fuzz.cpp calls: reads an input file as ising_mc does, and looks at what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use kinds
   use input, only: read_input
   use isipar
   use limits
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr
   logical :: sound

   call read_input('tmseXd.inp', ierr)
   outcome = 1
   if (ierr /= 0) return
   sound = (dimensions == 2 .or. dimensions == 3) .and. all(extents >= 1) .and. all(extents <= maxext) &
      .and. nsite == product(int(extents, lkind)) .and. nbeta >= 1 .and. nbeta <= maxbet .and. replicas >= 1 &
      .and. all(abs(betas(:nbeta)) <= maxval_beta) .and. abs(field) <= maxval_field .and. bins >= 1 .and. bins <= maxbin &
      .and. measurements_per_bin >= 1 .and. sweeps_per_measurement >= 1 .and. thermalisation >= 0
   outcome = merge(0_c_int, 2_c_int, sound)
end function parse_input
