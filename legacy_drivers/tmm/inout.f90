! Input, output and messages of tmsexd.
!
! Input: tmseXd.inp in the current directory, one "NAME = value" a line in a fixed order; blank lines, and text behind
! an exclamation mark, are skipped. Every value is checked as it is read, and an error is one line on standard error.
!
! Output: one file per width, Avg-2D-W0008.raw for M = 8 in two dimensions. It holds the parameters that its numbers
! depend on, as "name = value;", then the table { index, disorder, energy, exponent, error, flag } with a row for each
! exponent, smallest first (NOfGamma of them, if there are more); the flag is 0 when the point has converged. Nothing in
! it depends on when or where the program ran, so that a run that was killed and taken up again ends with the same
! bytes. All rows have one length: a restart finds the last complete point by arithmetic.

! Output goes through the C library's streams: the Fortran library drops the error of a delayed write, and a full disk
! must not go unnoticed.
module CStreams
   use, intrinsic :: iso_c_binding, only: c_char, c_int, c_long, c_ptr, c_size_t
   implicit none
   public

   interface
      function fopen(name, mode) bind(c) result(stream)
         import :: c_char, c_ptr
         character(kind=c_char), intent(in) :: name(*), mode(*)
         type(c_ptr) :: stream
      end function fopen

      function fread(text, item_size, items, stream) bind(c) result(done)
         import :: c_char, c_ptr, c_size_t
         character(kind=c_char), intent(out) :: text(*)
         integer(c_size_t), value :: item_size, items
         type(c_ptr), value :: stream
         integer(c_size_t) :: done
      end function fread

      function fwrite(text, item_size, items, stream) bind(c) result(done)
         import :: c_char, c_ptr, c_size_t
         character(kind=c_char), intent(in) :: text(*)
         integer(c_size_t), value :: item_size, items
         type(c_ptr), value :: stream
         integer(c_size_t) :: done
      end function fwrite

      ! Without a stream: all of them, standard output included.
      function fflush(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fflush

      function fclose(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fclose

      function truncate(name, length) bind(c) result(failure)
         import :: c_char, c_int, c_long
         character(kind=c_char), intent(in) :: name(*)
         integer(c_long), value :: length
         integer(c_int) :: failure
      end function truncate

      ! A line on standard output; negative if that fails at once.
      function puts(line) bind(c) result(outcome)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: line(*)
         integer(c_int) :: outcome
      end function puts

      ! A line on standard error: the text, and why the last call failed.
      subroutine perror(text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: text(*)
      end subroutine perror

      ! A second descriptor for an open one; negative if it is closed.
      function dup(descriptor) bind(c) result(copy)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: copy
      end function dup

      function isatty(descriptor) bind(c) result(answer)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: answer
      end function isatty
   end interface
end module CStreams

! What the user sees: errors, a line a point, the progress line.
module Messages
   use, intrinsic :: iso_c_binding, only: c_int, c_null_char, c_null_ptr
   use, intrinsic :: iso_fortran_env, only: error_unit
   use MyNumbers
   use CStreams, only: dup, fflush, isatty, perror, puts
   implicit none
   private
   public :: Complain, complain_of_c, integer_text, real_text, quoted
   public :: WriteOutput, WriteEnd, WriteKept
   public :: StartMessages, ShowProgress

   logical :: on_terminal = .false., progress_stands = .false.
   integer(lkind) :: started, shown

contains

   ! If standard output were closed, its descriptor would go to the next file opened, and the printed lines into that.
   subroutine StartMessages(ierr)
      integer(ikind), intent(out) :: ierr
      integer(c_int), parameter :: standard_output = 1, standard_error = 2

      ierr = merge(1_ikind, 0_ikind, dup(standard_output) < 0)
      if (ierr /= 0) call complain_of_c('standard output')
      on_terminal = isatty(standard_error) == 1
      call system_clock(started)
      shown = started
   end subroutine StartMessages

   subroutine Complain(text)
      character(*), intent(in) :: text

      call wipe_progress
      write (error_unit, '(2a)') 'tmsexd: ', text
   end subroutine Complain

   ! The same for a call of the C library that has just failed.
   subroutine complain_of_c(what)
      character(*), intent(in) :: what

      call wipe_progress
      call perror('tmsexd: ' // what // c_null_char)
   end subroutine complain_of_c

   function integer_text(value) result(text)
      integer(lkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(i0)') value
      text = trim(buffer)
   end function integer_text

   function real_text(value) result(text)
      real(rkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(es14.6)') value
      text = trim(adjustl(buffer))
   end function real_text

   ! Foreign text in a message: short, and printable.
   function quoted(text) result(shown_text)
      character(*), intent(in) :: text
      character(:), allocatable :: shown_text
      integer, parameter :: longest = 40
      integer :: i

      shown_text = text(1:min(len(text), longest))
      do i = 1, len(shown_text)
         if (iachar(shown_text(i:i)) < 32 .or. iachar(shown_text(i:i)) > 126) shown_text(i:i) = '?'
      end do
      if (len(text) > longest) shown_text = shown_text // '...'
      shown_text = '"' // shown_text // '"'
   end function quoted

   ! The state of a point on its way.
   subroutine WriteOutput(cycles, exponent, error, ierr)
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: exponent, error
      integer(ikind), intent(out) :: ierr
      character(len=100) :: line

      write (line, '(a,i0,2(a,es24.16e3))') '  k = ', cycles, ' exponent = ', exponent, ' error = ', error
      call print_line(trim(line), ierr)
   end subroutine WriteOutput

   ! The end of a point.
   subroutine WriteEnd(iwidth, cycles, DiagDis, Energy, exponent, error, converged, ierr)
      integer(ikind), intent(in) :: iwidth
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: DiagDis, Energy, exponent, error
      logical, intent(in) :: converged
      integer(ikind), intent(out) :: ierr
      character(len=200) :: line

      write (line, '(2(a,i0),4(a,es24.16e3),2a)') 'end: width = ', iwidth, ' k = ', cycles, ' disorder = ', DiagDis, &
         ' energy = ', Energy, ' exponent = ', exponent, ' error = ', error, &
         trim(merge(' converged    ', ' not converged', converged))
      call print_line(trim(line), ierr)
   end subroutine WriteEnd

   ! What a restart has found.
   subroutine WriteKept(kept, points, file, ierr)
      integer(lkind), intent(in) :: kept, points
      character(*), intent(in) :: file
      integer(ikind), intent(out) :: ierr

      call print_line('kept: ' // integer_text(kept) // ' points of ' // integer_text(points) // ' in ' // file, ierr)
   end subroutine WriteKept

   ! Flushed, so that a reader of the pipe is up to date and a full disk is noticed.
   subroutine print_line(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: ierr

      call wipe_progress
      ierr = merge(1_ikind, 0_ikind, puts(text // c_null_char) < 0)
      if (ierr == 0) ierr = fflush(c_null_ptr)
      if (ierr /= 0) call complain_of_c('standard output')
   end subroutine print_line

   ! "fresh" points were computed by this run, "kept" ones were there before; the present one has come to "cycles".
   subroutine ShowProgress(fresh, kept, total, cycles)
      integer(lkind), intent(in) :: fresh, kept, total, cycles
      integer(lkind) :: now, rate, left
      real(rkind) :: seconds
      character(len=100) :: line

      if (.not. on_terminal) return     ! a pipe or a file gets no progress line
      call system_clock(now, rate)
      if (now - shown < rate / 2) return
      shown = now
      seconds = max(real(now - started, rkind) / rate, tiny)
      if (fresh > 0) then
         left = nint(seconds / fresh * (total - kept - fresh), lkind)
         write (line, '(2(i0,a),f0.2,a,i0,a,i0)') kept + fresh, ' of ', total, ' points, ', &
            60 * fresh / seconds, ' a minute, ', left, ' s left, k = ', cycles
      else
         write (line, '(3(i0,a),i0)') kept, ' of ', total, ' points, ', nint(seconds, lkind), ' s, k = ', cycles
      end if
      call wipe_progress
      write (error_unit, '(a)', advance='no') trim(line)
      flush (error_unit)
      progress_stands = .true.
   end subroutine ShowProgress

   subroutine wipe_progress
      character(*), parameter :: carriage_return = achar(13)

      if (progress_stands) write (error_unit, '(3a)', advance='no') carriage_return, repeat(' ', 79), carriage_return
      progress_stands = .false.
   end subroutine wipe_progress

end module Messages

! tmseXd.inp, and the sweep that it describes.
module InputFile
   use MyNumbers
   use IChannels, only: IChInp
   use IPara
   use DPara
   use Messages
   implicit none
   private
   public :: Input, NumberOfPoints, SweepPoint

   character(*), parameter :: input_name = 'tmseXd.inp'
   integer(lkind), parameter :: most_points = 1000000
   real(rkind), parameter :: forgiven = 1.0e-6_rkind     ! of a step: (0.3 - 0) / 0.1 is just below 3

   integer :: line_number
   character(:), allocatable :: field_text     ! of the line being read
   logical :: refused

   interface read_value
      module procedure read_integer, read_long_integer, read_real
   end interface

contains

   subroutine Input(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: status
      character(len=200) :: reason

      ierr = 1
      open (IChInp, file=input_name, status='old', action='read', iostat=status, iomsg=reason)
      if (status /= 0) then
         call Complain(input_name // ': cannot be opened: ' // trim(reason))
         return
      end if
      line_number = 0
      refused = .false.
      call read_flags
      call read_sweep
      call read_end
      close (IChInp, iostat=status)
      if (.not. refused) ierr = 0
   end subroutine Input

   subroutine read_flags
      integer(ikind), parameter :: many = huge(many)

      call read_value('ISeed', ISeed, -many, many)
      call read_value('NOfIter', NOfIter, 1_lkind, huge(NOfIter))
      call read_value('NOfOrtho', NOfOrtho, 1_ikind, 1000_ikind)
      call read_value('NOfPrint', NOfPrint, 1_ikind, many)
      call read_value('NOfGamma', NOfGamma, 1_ikind, 4096_ikind)
      call read_value('IDimenFlag', IDimenFlag, 1_ikind, 3_ikind)
      call read_value('IBCFlag', IBCFlag, 0_ikind, merge(0_ikind, 2_ikind, IDimenFlag == 1))     ! a chain has no edge
      call read_value('IRNGFlag', IRNGFlag, 0_ikind, 2_ikind)
      call read_value('IKeepFlag', IKeepFlag, 0_ikind, 1_ikind)
      call read_value('IWriteFlag', IWriteFlag, 0_ikind, 9_ikind)
      call read_value('ISortFlag', ISortFlag, 0_ikind, 1_ikind)
      call read_value('IFluxFlag', IFluxFlag, 0_ikind, 1_ikind)
   end subroutine read_flags

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

   ! Nothing may follow the last value: it would be silently ignored.
   subroutine read_end
      character(:), allocatable :: line
      logical :: found

      if (refused) return
      call next_line(line, found)
      if (refused .or. .not. found) return
      call refuse('Epsilon', 'is the last field, but ' // quoted(line) // ' follows', 'nothing more')
   end subroutine read_end

   subroutine read_integer(name, value, lowest, highest)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: value
      integer(ikind), intent(in) :: lowest, highest
      integer(lkind) :: long_value

      call read_long_integer(name, long_value, int(lowest, lkind), int(highest, lkind))
      value = int(long_value, ikind)
   end subroutine read_integer

   ! A refused value is set to the lowest one allowed, so that nothing downstream sees an undefined number.
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
         call refuse(name, '= ' // quoted(field_text) // ' is not an integer', allowed)
         return
      end if
      read (field_text, '(i' // integer_text(len(field_text, lkind)) // ')', iostat=status) value
      inside = status == 0 .and. value >= lowest .and. value <= highest
      if (.not. inside) value = lowest
      if (.not. inside) call refuse(name, '= ' // quoted(field_text) // ' is out of range', allowed)
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
         call refuse(name, '= ' // quoted(field_text) // ' is not a finite number', allowed)
         return
      end if
      read (field_text, '(f' // integer_text(len(field_text, lkind)) // '.0)', iostat=status) value
      inside = status == 0 .and. value >= lowest .and. value <= highest
      if (.not. inside) value = lowest
      if (.not. inside) call refuse(name, '= ' // quoted(field_text) // ' is out of range', allowed)
   end subroutine read_real

   ! Takes the next line apart into its name, which must be the one expected, and the text of its value.
   subroutine read_field(name, allowed)
      character(*), intent(in) :: name, allowed
      character(:), allocatable :: line
      integer :: equals
      logical :: found

      call next_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse(name, 'is missing: the file ends here', allowed)
         return
      end if
      equals = index(line, '=')
      if (equals == 0) then
         call refuse(name, 'is missing: ' // quoted(line) // ' is not "' // name // ' = value"', allowed)
      else if (lower_case(trim(line(:equals-1))) /= lower_case(name)) then
         call refuse(name, 'is missing: this line gives ' // quoted(trim(line(:equals-1))), allowed)
      else if (equals == len(line)) then
         call refuse(name, 'has no value', allowed)
      else
         field_text = trim(adjustl(line(equals+1:)))
      end if
   end subroutine read_field

   ! The next line with something on it, without comment and surrounding blanks.
   subroutine next_line(line, found)
      character(:), allocatable, intent(out) :: line
      logical, intent(out) :: found
      character(len=1000) :: buffer
      character(len=200) :: reason
      integer :: status, i

      found = .false.
      do while (.not. found)
         line_number = line_number + 1
         read (IChInp, '(a)', iostat=status, iomsg=reason) buffer
         if (is_iostat_end(status)) return
         if (status /= 0) then
            call Complain(input_name // ', line ' // integer_text(int(line_number, lkind)) // ': ' // trim(reason))
            refused = .true.
            return
         end if
         do i = 1, len(buffer)     ! tabs, and the carriage returns of another system
            if (iachar(buffer(i:i)) == 9 .or. iachar(buffer(i:i)) == 13) buffer(i:i) = ' '
         end do
         i = index(buffer, '!')
         if (i > 0) buffer(i:) = ' '
         line = trim(adjustl(buffer))
         found = len(line) > 0
      end do
   end subroutine next_line

   subroutine refuse(name, fault, allowed)
      character(*), intent(in) :: name, fault, allowed

      call Complain(input_name // ', line ' // integer_text(int(line_number, lkind)) // ': ' // name // ' ' // fault &
         // ' (allowed: ' // allowed // ')')
      refused = .true.
   end subroutine refuse

   ! A sweep must get from its start to its end, in a number of points that can be written.
   subroutine check_step(name, swept, first, last, step)
      character(*), intent(in) :: name, swept
      real(rkind), intent(in) :: first, last, step
      character(:), allocatable :: fault

      if (refused .or. abs(last - first) <= zero) return
      if (abs(step) <= zero .or. (last - first) * sign(one, step) < zero) then
         fault = 'does not lead from '
      else if ((last - first) / step + forgiven >= most_points) then
         fault = 'takes more than ' // integer_text(most_points) // ' points from '
      else
         return
      end if
      call refuse(name, '= ' // quoted(field_text) // ' ' // fault // swept // '0 = ' // real_text(first) &
         // ' to ' // swept // '1 = ' // real_text(last), 'a step from ' // swept // '0 towards ' // swept // '1')
   end subroutine check_step

   ! [+-]digits. A read with a format alone would also take blanks and empty fields.
   pure function is_integer(text) result(answer)
      character(*), intent(in) :: text
      logical :: answer
      integer :: first

      first = after_sign(text)
      answer = first <= len(text) .and. verify(text(first:), '0123456789') == 0
   end function is_integer

   ! [+-]digits with at most one point, then perhaps an exponent: E, e, D or d and an integer.
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

   pure function lower_case(text) result(lower)
      character(*), intent(in) :: text
      character(len(text)) :: lower
      integer :: i

      lower = text
      do i = 1, len(text)
         if (text(i:i) >= 'A' .and. text(i:i) <= 'Z') lower(i:i) = achar(iachar(text(i:i)) + 32)
      end do
   end function lower_case

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
      if (abs(last - first) > zero) points = int((last - first) / step + forgiven, lkind) + 1
   end function points_between

   ! Points are counted, and each is computed from its number: no rounding piles up along the sweep.
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

! The files Avg-*.raw.
module OutputFile
   use, intrinsic :: iso_c_binding, only: c_associated, c_long, c_null_char, c_ptr, c_size_t
   use MyNumbers
   use IPara
   use DPara
   use CStreams
   use Messages
   use InputFile, only: NumberOfPoints, SweepPoint
   implicit none
   private
   public :: sort
   public :: OpenOutputAvg, WriteOutputAvg, CloseOutputAvg

   character(*), parameter :: newline = new_line('a')
   character(*), parameter :: title = '(* tmsexd: Lyapunov exponents, per slice *)'
   character(*), parameter :: columns = '(* { index, disorder, energy, exponent, error, flag } *)'
   character(*), parameter :: table_start = 'table = {', table_end = '};'
   character(*), parameter :: row_format = '(a, " { ", i4, 4(", ", es24.16e3), ", ", i1, " }")'
   character(*), parameter :: tail_format = '(62x, es24.16e3, 2x, es24.16e3, 2x, i1)'     ! a row from its exponent on
   integer, parameter :: row_length = 118                                                  ! with the newline

   type(c_ptr) :: stream
   character(:), allocatable :: output_name
   integer(ikind) :: rows_per_point

   interface setting
      module procedure integer_setting, long_integer_setting, real_setting
   end interface

contains

   ! Opens the file of one width; "kept" points are already in it.
   subroutine OpenOutputAvg(iwidth, N, kept, ierr)
      integer(ikind), intent(in) :: iwidth, N
      integer(lkind), intent(out) :: kept
      integer(ikind), intent(out) :: ierr
      character(len=16) :: name
      logical :: there

      rows_per_point = min(NOfGamma, N)
      write (name, '(a,i1,a,i4.4,a)') 'Avg-', IDimenFlag, 'D-W', iwidth, '.raw'
      output_name = trim(name)
      kept = 0
      ierr = 0
      inquire (file=output_name, exist=there)
      if (IKeepFlag == 1 .and. there) call keep_points(header(iwidth), kept, ierr)
      if (ierr == 0 .and. IKeepFlag == 1) call WriteKept(kept, NumberOfPoints(), output_name, ierr)
      if (ierr /= 0) return

      if (kept > 0) then
         call open_stream('a', ierr)
      else
         call open_stream('w', ierr)
         if (ierr == 0) call put(header(iwidth), ierr)
      end if
   end subroutine OpenOutputAvg

   subroutine WriteOutputAvg(ipoint, DiagDis, Energy, exponents, errors, converged, ierr)
      integer(lkind), intent(in) :: ipoint
      real(rkind), intent(in) :: DiagDis, Energy, exponents(:), errors(:)
      logical, intent(in) :: converged
      integer(ikind), intent(out) :: ierr
      character(:), allocatable :: rows
      integer(ikind) :: i
      integer :: flag

      flag = merge(0, 1, converged)
      allocate (character(rows_per_point * row_length) :: rows)
      do i = 1, rows_per_point
         rows((i-1)*row_length+1:i*row_length) = row(ipoint, i, DiagDis, Energy, exponents(i), errors(i), flag)
      end do
      call put(rows, ierr)
   end subroutine WriteOutputAvg

   ! By insertion: the Gram-Schmidt order is all but sorted.
   subroutine sort(exponents, errors)
      real(rkind), intent(inout) :: exponents(:), errors(:)
      real(rkind) :: exponent, error
      integer(ikind) :: i, j

      do i = 2, size(exponents)
         exponent = exponents(i)
         error = errors(i)
         do j = i - 1, 1, -1
            if (exponents(j) <= exponent) exit
            exponents(j+1) = exponents(j)
            errors(j+1) = errors(j)
         end do
         exponents(j+1) = exponent
         errors(j+1) = error
      end do
   end subroutine sort

   subroutine CloseOutputAvg(ierr)
      integer(ikind), intent(out) :: ierr

      call put(table_end // newline, ierr)
      if (ierr /= 0) return
      ierr = fclose(stream)
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine CloseOutputAvg

   subroutine open_stream(mode, ierr)
      character(*), intent(in) :: mode
      integer(ikind), intent(out) :: ierr

      stream = fopen(output_name // c_null_char, mode // c_null_char)
      ierr = merge(0_ikind, 1_ikind, c_associated(stream))
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine open_stream

   ! Written and flushed: what was put survives the program.
   subroutine put(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: ierr
      integer(c_size_t) :: bytes

      bytes = len(text, c_size_t)
      ierr = merge(0_ikind, 1_ikind, fwrite(text, 1_c_size_t, bytes, stream) == bytes)
      if (ierr == 0) ierr = fflush(stream)
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine put

   ! The parameters that the numbers depend on, and no others.
   function header(iwidth) result(text)
      integer(ikind), intent(in) :: iwidth
      character(:), allocatable :: text

      text = title // newline &
         // setting('ISeed', ISeed) // setting('NOfIter', NOfIter) // setting('NOfOrtho', NOfOrtho) &
         // setting('NOfGamma', NOfGamma) // setting('IDimenFlag', IDimenFlag) // setting('IBCFlag', IBCFlag) &
         // setting('IRNGFlag', IRNGFlag) // setting('ISortFlag', ISortFlag) // setting('IFluxFlag', IFluxFlag) &
         // setting('Width', iwidth) &
         // setting('DiagDis0', DiagDis0) // setting('DiagDis1', DiagDis1) // setting('dDiagDis', dDiagDis) &
         // setting('Energy0', Energy0) // setting('Energy1', Energy1) // setting('dEnergy', dEnergy) &
         // setting('Kappa', Kappa) // setting('Epsilon', Epsilon) // columns // newline // table_start // newline
   end function header

   function integer_setting(name, value) result(line)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: value
      character(:), allocatable :: line

      line = long_integer_setting(name, int(value, lkind))
   end function integer_setting

   function long_integer_setting(name, value) result(line)
      character(*), intent(in) :: name
      integer(lkind), intent(in) :: value
      character(:), allocatable :: line

      line = name // ' = ' // integer_text(value) // ';' // newline
   end function long_integer_setting

   function real_setting(name, value) result(line)
      character(*), intent(in) :: name
      real(rkind), intent(in) :: value
      character(:), allocatable :: line
      character(len=24) :: buffer

      write (buffer, '(es24.16e3)') value
      line = name // ' = ' // trim(adjustl(buffer)) // ';' // newline
   end function real_setting

   function row(ipoint, i, DiagDis, Energy, exponent, error, flag) result(line)
      integer(lkind), intent(in) :: ipoint
      integer(ikind), intent(in) :: i
      real(rkind), intent(in) :: DiagDis, Energy, exponent, error
      integer, intent(in) :: flag
      character(len=row_length) :: line

      write (line, row_format) merge(' ', ',', ipoint == 1 .and. i == 1), i, DiagDis, Energy, exponent, error, flag
      line(row_length:) = newline
   end function row

   ! Counts the complete points of a file left by an earlier run, and cuts off what stands behind them.
   subroutine keep_points(expected_header, kept, ierr)
      character(*), intent(in) :: expected_header
      integer(lkind), intent(out) :: kept
      integer(ikind), intent(out) :: ierr
      logical :: sound
      integer(c_long) :: bytes

      kept = 0
      call open_stream('r', ierr)
      if (ierr /= 0) return
      call compare_header(expected_header, sound, ierr)
      do while (sound .and. kept < NumberOfPoints())
         sound = next_point_is_sound(kept + 1)
         if (sound) kept = kept + 1
      end do
      if (fclose(stream) /= 0 .or. ierr /= 0 .or. kept == 0) return

      bytes = len(expected_header) + kept * rows_per_point * row_length
      ierr = truncate(output_name // c_null_char, bytes)
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine keep_points

   ! A header that was cut short by a crash is simply written again; a different one belongs to somebody's results.
   subroutine compare_header(expected, whole, ierr)
      character(*), intent(in) :: expected
      logical, intent(out) :: whole
      integer(ikind), intent(out) :: ierr
      character(len=len(expected)) :: found
      integer :: length, same

      length = int(fread(found, 1_c_size_t, len(expected, c_size_t), stream))
      same = 0
      do while (same < length)
         if (found(same+1:same+1) /= expected(same+1:same+1)) exit
         same = same + 1
      end do
      whole = same == len(expected)
      ierr = merge(0_ikind, 1_ikind, same == length)
      if (ierr == 0) return
      if (same < len(title)) then
         call Complain(output_name // ': not an output file of this program; IKeepFlag = 0 would overwrite it')
      else
         call Complain(output_name // ': other parameters: ' // quoted(line_around(found(:length), same)) &
            // ' stands in it, ' // quoted(line_around(expected, same)) &
            // ' is asked for; IKeepFlag = 0 would overwrite it')
      end if
   end subroutine compare_header

   ! The line that holds character number position+1.
   function line_around(text, position) result(line)
      character(*), intent(in) :: text
      integer, intent(in) :: position
      character(:), allocatable :: line
      integer :: length

      line = text(index(text(:position), newline, back=.true.)+1:)
      length = index(line, newline) - 1
      if (length >= 0) line = line(:length)
   end function line_around

   ! Sound is a point whose rows, read and written again, come out the same and are those of this sweep.
   function next_point_is_sound(ipoint) result(sound)
      integer(lkind), intent(in) :: ipoint
      logical :: sound
      character(len=row_length) :: line
      real(rkind) :: DiagDis, Energy, exponent, error
      integer(ikind) :: i
      integer :: flag, status

      sound = .false.
      call SweepPoint(ipoint, DiagDis, Energy)
      do i = 1, rows_per_point
         if (fread(line, int(row_length, c_size_t), 1_c_size_t, stream) /= 1) return
         read (line, tail_format, iostat=status) exponent, error, flag
         if (status /= 0) return
         if (line /= row(ipoint, i, DiagDis, Energy, exponent, error, flag)) return
      end do
      sound = .true.
   end function next_point_is_sound

end module OutputFile
