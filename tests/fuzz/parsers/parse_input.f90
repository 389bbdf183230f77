! Parses an input for input_fuzz.cpp. The file of each program in this folder has read_program_input, which reads
! tmseXd.inp as the program does, and input_is_sound, which checks what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use kinds, only: ikind
   use program_input, only: input_is_sound, read_program_input
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr

   call read_program_input(ierr)
   outcome = 1
   if (ierr == 0) outcome = merge(0_c_int, 2_c_int, input_is_sound())
end function parse_input
