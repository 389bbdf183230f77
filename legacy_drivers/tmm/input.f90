! Reads tmseXd.inp in the current directory, with all checks, and provides the sweep that it describes. The file has one
! "NAME = value" per line in a fixed order. An error is reported in one line on standard error.
module InputFile
   use MyNumbers
   use IPara
   use DPara
   use input_lines
   use messages, only: integer_text, lower_case, quoted, real_text
   implicit none
   private
   public :: Input, NumberOfPoints, SweepPoint

   integer(lkind), parameter :: most_points = 1000000
   real(rkind), parameter :: slack = 1.0e-6_rkind     ! fraction of a step: (0.3 - 0) / 0.1 is just below 3

   character(:), allocatable :: field_text     ! text of the value on the line that was read last

   interface read_value
      module procedure read_integer, read_long_integer, read_real
   end interface

contains

   subroutine Input(ierr)
      integer(ikind), intent(out) :: ierr

      call open_input('tmseXd.inp')
      call read_method
      call read_sweep
      call read_end
      call close_input(ierr)
   end subroutine Input

   subroutine read_method
      integer(ikind), parameter :: largest = huge(largest)

      call read_value('ISeed', ISeed, -largest, largest)
      call read_value('NOfIter', NOfIter, 1_lkind, huge(NOfIter))
      call read_value('NOfOrtho', NOfOrtho, 1_ikind, 1000_ikind)
      call read_value('NOfPrint', NOfPrint, 1_ikind, largest)
      call read_value('NOfGamma', NOfGamma, 1_ikind, 4096_ikind)
      call read_value('IDimenFlag', IDimenFlag, 1_ikind, 3_ikind)
      call read_value('IBCFlag', IBCFlag, 0_ikind, merge(0_ikind, 2_ikind, IDimenFlag == 1))     ! a chain has no edge
      call read_value('IRNGFlag', IRNGFlag, 0_ikind, 2_ikind)
      call read_value('IKeepFlag', IKeepFlag, 0_ikind, 1_ikind)
      call read_value('IWriteFlag', IWriteFlag, 0_ikind, 9_ikind)
      call read_value('ISortFlag', ISortFlag, 0_ikind, 1_ikind)
      call read_value('IFluxFlag', IFluxFlag, 0_ikind, 1_ikind)
   end subroutine read_method

   subroutine read_sweep
      integer(ikind), parameter :: widest(3) = [1, 4096, 64]
      real(rkind), parameter :: strong = 1.0e6_rkind, strong_hopping = 1.0e3_rkind

      call read_value('Width0', Width0, 1_ikind, widest(IDimenFlag))
      call read_value('Width1', Width1, Width0, widest(IDimenFlag))
      call read_value('dWidth', dWidth, merge(1_ikind, 0_ikind, Width1 > Width0), 4096_ikind)
      call read_value('DiagDis0', DiagDis0, zero, strong)
      call read_value('DiagDis1', DiagDis1, zero, strong)
      call read_value('dDiagDis', dDiagDis, -strong, strong)
      if (IFluxFlag == 0) call check_step('dDiagDis', 'DiagDis', DiagDis0, DiagDis1, dDiagDis)
      call read_value('Energy0', Energy0, -strong, strong)
      call read_value('Energy1', Energy1, -strong, strong)
      call read_value('dEnergy', dEnergy, -strong, strong)
      if (IFluxFlag == 1) call check_step('dEnergy', 'Energy', Energy0, Energy1, dEnergy)
      call read_value('Kappa', Kappa, -strong_hopping, strong_hopping)
      call read_value('Epsilon', Epsilon, tiny, one)
   end subroutine read_sweep

   subroutine read_integer(name, value, lowest, highest)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: value
      integer(ikind), intent(in) :: lowest, highest
      integer(lkind) :: long_value

      call read_long_integer(name, long_value, int(lowest, lkind), int(highest, lkind))
      value = int(long_value, ikind)
   end subroutine read_integer

   ! Reads an integer. A refused value is set to the lowest allowed one, so that later code sees no undefined number.
   subroutine read_long_integer(name, value, lowest, highest)
      character(*), intent(in) :: name
      integer(lkind), intent(out) :: value
      integer(lkind), intent(in) :: lowest, highest
      character(:), allocatable :: allowed
      integer :: status
      logical :: inside

      value = lowest
      if (refused) return
      allowed = integer_text(lowest) // '..' // integer_text(highest)
      call read_field(name, allowed)
      if (refused) return
      if (.not. is_integer(field_text)) then
         call refuse(name // ' = ' // quoted(field_text) // ' is not an integer', allowed)
         return
      end if
      read (field_text, '(i' // integer_text(len(field_text, lkind)) // ')', iostat=status) value
      inside = status == 0 .and. value >= lowest .and. value <= highest
      if (.not. inside) value = lowest
      if (.not. inside) call refuse(name // ' = ' // quoted(field_text) // ' is out of range', allowed)
   end subroutine read_long_integer

   subroutine read_real(name, value, lowest, highest)
      character(*), intent(in) :: name
      real(rkind), intent(out) :: value
      real(rkind), intent(in) :: lowest, highest
      character(:), allocatable :: allowed
      integer :: status
      logical :: inside

      value = lowest
      if (refused) return
      allowed = real_text(lowest) // '..' // real_text(highest)
      call read_field(name, allowed)
      if (refused) return
      if (.not. is_real(field_text)) then
         call refuse(name // ' = ' // quoted(field_text) // ' is not a finite number', allowed)
         return
      end if
      read (field_text, '(f' // integer_text(len(field_text, lkind)) // '.0)', iostat=status) value
      inside = status == 0 .and. value >= lowest .and. value <= highest
      if (.not. inside) value = lowest
      if (.not. inside) call refuse(name // ' = ' // quoted(field_text) // ' is out of range', allowed)
   end subroutine read_real

   ! Splits the next line into its name, which must be the expected one, and the text of its value.
   subroutine read_field(name, allowed)
      character(*), intent(in) :: name, allowed
      character(:), allocatable :: line
      integer :: equals
      logical :: found

      call next_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse(name // ' is missing: the file ends here', allowed)
         return
      end if
      equals = index(line, '=')
      if (equals == 0) then
         call refuse(name // ' is missing: ' // quoted(line) // ' is not "' // name // ' = value"', allowed)
      else if (lower_case(trim(line(:equals-1))) /= lower_case(name)) then
         call refuse(name // ' is missing: this line gives ' // quoted(trim(line(:equals-1))), allowed)
      else if (equals == len(line)) then
         call refuse(name // ' has no value', allowed)
      else
         field_text = trim(adjustl(line(equals+1:)))
      end if
   end subroutine read_field

   ! Checks that the step leads from the start of the sweep to its end, in at most `most_points` points.
   subroutine check_step(name, swept, first, last, step)
      character(*), intent(in) :: name, swept
      real(rkind), intent(in) :: first, last, step
      character(:), allocatable :: fault

      if (refused .or. abs(last - first) <= zero) return
      if (abs(step) <= zero .or. (last - first) * sign(one, step) < zero) then
         fault = 'does not lead from '
      else if ((last - first) / step + slack >= most_points) then
         fault = 'takes more than ' // integer_text(most_points) // ' points from '
      else
         return
      end if
      call refuse(name // ' = ' // quoted(field_text) // ' ' // fault // swept // '0 = ' // real_text(first) &
         // ' to ' // swept // '1 = ' // real_text(last), 'a step from ' // swept // '0 towards ' // swept // '1')
   end subroutine check_step

   ! Returns true if the text is [+-]digits. A formatted read alone would also accept blanks and empty fields.
   pure function is_integer(text) result(answer)
      character(*), intent(in) :: text
      logical :: answer
      integer :: first

      first = after_sign(text)
      answer = first <= len(text) .and. verify(text(first:), '0123456789') == 0
   end function is_integer

   ! Returns true if the text is [+-]digits with at most one point, optionally followed by an exponent: E, e, D or d and
   ! an integer.
   pure function is_real(text) result(answer)
      character(*), intent(in) :: text
      logical :: answer
      integer :: first, last, point

      first = after_sign(text)
      last = scan(text, 'EeDd') - 1
      answer = .true.
      if (last < 0) then
         last = len(text)
      else
         answer = is_integer(text(last+2:))
      end if
      point = index(text(first:last), '.')
      if (point > 0) then
         answer = answer .and. first < last .and. verify(text(first:first+point-2), '0123456789') == 0
         first = first + point
      else
         answer = answer .and. first <= last
      end if
      answer = answer .and. verify(text(first:last), '0123456789') == 0
   end function is_real

   pure function after_sign(text) result(first)
      character(*), intent(in) :: text
      integer :: first

      first = 1
      if (len(text) > 0) then
         if (scan(text(1:1), '+-') == 1) first = 2
      end if
   end function after_sign

   function NumberOfPoints() result(points)
      integer(lkind) :: points

      if (IFluxFlag == 0) then
         points = points_between(DiagDis0, DiagDis1, dDiagDis)
      else
         points = points_between(Energy0, Energy1, dEnergy)
      end if
   end function NumberOfPoints

   pure function points_between(first, last, step) result(points)
      real(rkind), intent(in) :: first, last, step
      integer(lkind) :: points

      points = 1
      if (abs(last - first) > zero) points = int((last - first) / step + slack, lkind) + 1
   end function points_between

   ! Returns point number `ipoint`. It is computed from its number, so that rounding errors do not accumulate along the
   ! sweep.
   subroutine SweepPoint(ipoint, DiagDis, Energy)
      integer(lkind), intent(in) :: ipoint
      real(rkind), intent(out) :: DiagDis, Energy

      DiagDis = DiagDis0
      Energy = Energy0
      if (IFluxFlag == 0) then
         DiagDis = DiagDis0 + (ipoint - 1) * dDiagDis
      else
         Energy = Energy0 + (ipoint - 1) * dEnergy
      end if
   end subroutine SweepPoint

end module InputFile
