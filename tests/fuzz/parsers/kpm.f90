! Reads and checks the input of kpmdos.
module program_input
   use kinds
   use input, only: read_input
   use kpmpar
   use limits
   implicit none
   private
   public :: input_is_sound, read_program_input

contains

   subroutine read_program_input(ierr)
      integer(ikind), intent(out) :: ierr

      call read_input('tmseXd.inp', ierr)
   end subroutine read_program_input

   logical function input_is_sound()
      input_is_sound = min(lx, ly, lz) >= 1 .and. int(lx, lkind) * ly * lz <= maxsit .and. nmom >= 2 .and. nmom <= maxmom &
         .and. nvec >= 1 .and. nvec <= maxvec .and. nreal >= 1 .and. nreal <= maxrea .and. nenergy >= 0 &
         .and. nenergy <= maxene .and. abs(energy) <= maxval_energy .and. abs(hopping) <= maxval_energy .and. margin >= 0
   end function input_is_sound
end module program_input
