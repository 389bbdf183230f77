! Result files, one per width: Avg-2D-W0008.raw for M = 8 in two dimensions. A file contains the parameters on which its
! numbers depend, as "name = value;". Then follows the table { index, disorder, energy, exponent, error, flag } with a
! row for each exponent, smallest first, at most NOfGamma of them. The flag is 0 if the point has converged. The
! contents do not depend on when or where the program ran: a run that was killed and resumed ends with the same bytes.
! All rows have the same length, so that a restart can calculate the position of the last complete point.
!
! The results of an earlier run stay until there is a point to write. A run that fails before that, for example because
! the linked library refuses to work, therefore destroys no results.
module result_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_long, c_null_char, c_ptr, c_size_t
   use MyNumbers
   use IPara
   use DPara
   use CStreams
   use messages
   use output, only: WriteKept
   use InputFile, only: NumberOfPoints, SweepPoint
   implicit none
   private
   public :: OpenOutputAvg, WriteOutputAvg, CloseOutputAvg, sort

   character(*), parameter :: newline = new_line('a')
   character(*), parameter :: title = '(* tmsexd: Lyapunov exponents, per slice *)'
   character(*), parameter :: columns = '(* { index, disorder, energy, exponent, error, flag } *)'
   character(*), parameter :: table_start = 'table = {', table_end = '};'
   character(*), parameter :: row_format = '(a, " { ", i4, 4(", ", es24.16e3), ", ", i1, " }")'
   character(*), parameter :: tail_format = '(62x, es24.16e3, 2x, es24.16e3, 2x, i1)'     ! a row from the exponent on
   integer(c_int), parameter :: seek_set = 0, seek_end = 2                                 ! as in C
   integer, parameter :: row_length = 118                                                  ! includes the newline

   type(c_ptr) :: stream
   character(:), allocatable :: output_name, first_lines
   integer(ikind) :: rows_per_point
   integer(c_long) :: sound_bytes     ! length of the valid part of the earlier results
   logical :: written_to

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

      rows_per_point = min(NOfGamma, N)
      write (name, '(a,i1,a,i4.4,a)') 'Avg-', IDimenFlag, 'D-W', iwidth, '.raw'
      output_name = trim(name)
      first_lines = header(iwidth)
      kept = 0
      sound_bytes = 0
      written_to = .false.
      call open_stream(ierr)
      if (ierr == 0 .and. IKeepFlag == 1) call count_points(kept, ierr)
      if (ierr == 0 .and. IKeepFlag == 1) then
         call WriteKept(kept, NumberOfPoints(), output_name)
         call check_output(ierr)
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

   subroutine CloseOutputAvg(ierr)
      integer(ikind), intent(out) :: ierr

      call put(table_end // newline, ierr)
      if (ierr /= 0) return
      ierr = fclose(stream)
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine CloseOutputAvg

   ! Sorts by insertion, because the Gram-Schmidt order is nearly sorted.
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

   ! Opens the file for reading its contents and appending to them. In this mode a pipe does not wait for its other end;
   ! fseek then detects it.
   subroutine open_stream(ierr)
      integer(ikind), intent(out) :: ierr

      stream = fopen(output_name // c_null_char, 'a+' // c_null_char)
      ierr = merge(0_ikind, 1_ikind, c_associated(stream))
      if (ierr /= 0) then
         call complain_of_c(output_name)
         return
      end if
      ierr = fseek(stream, 0_c_long, seek_end)
      if (ierr /= 0) call complain(output_name // ': it is not a regular file')
   end subroutine open_stream

   subroutine put(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: ierr

      ierr = 0
      if (.not. written_to) call start_writing(ierr)
      if (ierr == 0) call put_text(text, ierr)
   end subroutine put

   ! Cuts off the part of the file that is not valid. A device file has no length to cut.
   subroutine start_writing(ierr)
      integer(ikind), intent(out) :: ierr

      ierr = fseek(stream, 0_c_long, seek_end)
      if (ierr == 0) then
         if (ftell(stream) > sound_bytes) ierr = truncate(output_name // c_null_char, sound_bytes)
      end if
      if (ierr /= 0) call complain_of_c(output_name)
      if (ierr == 0 .and. sound_bytes == 0) call put_text(first_lines, ierr)
      written_to = .true.
   end subroutine start_writing

   ! Writes and flushes the text, so that it survives if the program is killed.
   subroutine put_text(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: ierr
      integer(c_size_t) :: bytes

      bytes = len(text, c_size_t)
      ierr = merge(0_ikind, 1_ikind, fwrite(text, 1_c_size_t, bytes, stream) == bytes)
      if (ierr == 0) ierr = fflush(stream)
      if (ierr /= 0) call complain_of_c(output_name)
   end subroutine put_text

   ! Returns the parameters on which the numbers depend, and no others.
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

   ! Counts the complete points of a file left by an earlier run.
   subroutine count_points(kept, ierr)
      integer(lkind), intent(out) :: kept
      integer(ikind), intent(out) :: ierr
      logical :: sound

      kept = 0
      ierr = fseek(stream, 0_c_long, seek_set)
      if (ierr /= 0) call complain_of_c(output_name)
      if (ierr == 0) call compare_header(first_lines, sound, ierr)
      if (ierr /= 0) return
      do while (sound .and. kept < NumberOfPoints())
         sound = next_point_is_sound(kept + 1)
         if (sound) kept = kept + 1
      end do
      if (kept > 0) sound_bytes = len(first_lines) + kept * rows_per_point * row_length
   end subroutine count_points

   ! Compares the header of the file with the expected one. A header that was cut short by a crash is written again. A
   ! different header belongs to other results, and is an error.
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
         call complain(output_name // ': it is not an output file of this program; IKeepFlag = 0 would overwrite it')
      else
         call complain(output_name // ': it has ' // quoted(line_around(found(:length), same)) &
            // ', but the input asks for ' // quoted(line_around(expected, same)) &
            // '; IKeepFlag = 0 would overwrite it')
      end if
   end subroutine compare_header

   ! Returns the line that contains character number position+1.
   function line_around(text, position) result(line)
      character(*), intent(in) :: text
      integer, intent(in) :: position
      character(:), allocatable :: line
      integer :: length

      line = text(index(text(:position), newline, back=.true.)+1:)
      length = index(line, newline) - 1
      if (length >= 0) line = line(:length)
   end function line_around

   ! Returns true if the rows of the point, when they are read and written again, stay the same and belong to this
   ! sweep.
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

end module result_files
