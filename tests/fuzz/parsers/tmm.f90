! What input_fuzz.cpp calls: reads tmseXd.inp as tmsexd does, and looks at what was accepted.
function parse_input() bind(c) result(outcome)
   use, intrinsic :: iso_c_binding, only: c_int
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use MyNumbers
   use IPara
   use DPara
   use InputFile
   implicit none
   integer(c_int) :: outcome     ! 0 accepted, 1 refused, 2 accepted although it must not be
   integer(ikind) :: ierr
   integer(lkind) :: points, i
   real(rkind) :: disorder, energy
   logical :: sound

   call Input(ierr)
   outcome = 1
   if (ierr /= 0) return
   points = NumberOfPoints()
   sound = points >= 1 .and. points <= 1000000 .and. Width0 >= 1 .and. Width1 >= Width0 &
      .and. (dWidth >= 1 .or. Width1 == Width0) .and. Width1 <= merge(64, 4096, IDimenFlag == 3) &
      .and. NOfOrtho >= 1 .and. NOfIter >= 1 .and. NOfPrint >= 1 .and. NOfGamma >= 1 .and. Epsilon > 0
   do i = 1, points, max(points - 1, 1_lkind)
      call SweepPoint(i, disorder, energy)
      sound = sound .and. ieee_is_finite(disorder) .and. ieee_is_finite(energy) .and. disorder >= 0
   end do
   outcome = merge(0_c_int, 2_c_int, sound)
end function parse_input
