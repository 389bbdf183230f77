! Reads and checks the input of tmsexd.
module program_input
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use MyNumbers
   use IPara
   use DPara
   use InputFile
   implicit none
   private
   public :: input_is_sound, read_program_input

contains

   subroutine read_program_input(ierr)
      integer(ikind), intent(out) :: ierr

      call Input(ierr)
   end subroutine read_program_input

   logical function input_is_sound() result(sound)
      integer(lkind) :: points, i
      real(rkind) :: disorder, energy

      points = NumberOfPoints()
      sound = points >= 1 .and. points <= 1000000 .and. Width0 >= 1 .and. Width1 >= Width0 &
         .and. (dWidth >= 1 .or. Width1 == Width0) .and. Width1 <= merge(64, 4096, IDimenFlag == 3) &
         .and. NOfOrtho >= 1 .and. NOfIter >= 1 .and. NOfPrint >= 1 .and. NOfGamma >= 1 .and. Epsilon > 0
      do i = 1, points, max(points - 1, 1_lkind)
         call SweepPoint(i, disorder, energy)
         sound = sound .and. ieee_is_finite(disorder) .and. ieee_is_finite(energy) .and. disorder >= 0
      end do
   end function input_is_sound
end module program_input
