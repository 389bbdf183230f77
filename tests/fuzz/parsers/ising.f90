! Reads and checks the input of ising_mc.
module program_input
   use kinds
   use input, only: read_input
   use isipar
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
      input_is_sound = (dimensions == 2 .or. dimensions == 3) .and. all(extents >= 1) .and. all(extents <= maxext) &
         .and. nsite == product(int(extents, lkind)) .and. nbeta >= 1 .and. nbeta <= maxbet .and. replicas >= 1 &
         .and. all(abs(betas(:nbeta)) <= maxval_beta) .and. abs(field) <= maxval_field .and. bins >= 1 .and. bins <= maxbin &
         .and. measurements_per_bin >= 1 .and. sweeps_per_measurement >= 1 .and. thermalisation >= 0
   end function input_is_sound
end module program_input
