! Reads and checks the input of vmcrvb.
module program_input
   use kinds
   use input, only: read_input
   use limits
   use vmcpar
   implicit none
   private
   public :: input_is_sound, read_program_input

contains

   subroutine read_program_input(ierr)
      integer(ikind), intent(out) :: ierr

      call read_input('tmseXd.inp', ierr)
   end subroutine read_program_input

   logical function input_is_sound()
      input_is_sound = l >= 1 .and. l <= maxlen .and. nsite == l**2 + 1 .and. npair >= 1 .and. 2 * npair <= nsite &
         .and. nchain >= 1 .and. nchain <= maxchn .and. nbins >= 1 .and. nbins <= maxbin .and. nfac >= 1 .and. nrecalc >= 1 &
         .and. neifrac >= 0 .and. neifrac <= 1 .and. abs(t) <= maxval_energy .and. abs(jex) <= maxval_energy
   end function input_is_sound
end module program_input
