! Reads tables of normalised localisation lengths, and output files of tmsexd and tmsexd_batch.
module scaling_input
   use, intrinsic :: iso_fortran_env, only: iostat_end, iostat_eor
   use kinds
   use messages
   use command_line, only: append, number_of, refuse, text_item
   use scaling_options
   implicit none
   private
   public :: table, read_files

   ! Widths M, control parameters, values and their standard errors.
   type table
      real(rkind), allocatable :: length(:), control(:), value(:), error(:)
   end type table

   ! What has been read so far. Columns: M, W, value, error, and the energy of files of tmsexd.
   integer, parameter :: m = 1, w = 2, lambda = 3, its_error = 4, energy = 5
   type lines
      real(rkind), allocatable :: rows(:, :)     ! (5, room)
      integer :: count = 0
      integer(lkind) :: raw = 0, not_converged = 0     ! points of files of tmsexd
   end type lines

   integer, parameter :: longest_line = 10000, most_columns = 1000

contains

   subroutine read_files(given, data, ierr)
      type(options), intent(in) :: given
      type(table), intent(out) :: data
      integer(ikind), intent(inout) :: ierr
      type(lines) :: read
      integer :: i

      allocate (read%rows(5, 1000))
      do i = 1, size(given%files)
         if (ierr == 0) call read_file(given, given%files(i)%text, read, ierr)
      end do
      if (ierr == 0 .and. read%raw > 0) call choose_control(read, ierr)
      if (ierr /= 0) return
      call warn_of(read)
      call select(given, read%rows(:, :read%count), data)
      if (size(data%value) == 0) call refuse('no data lie in the ranges of --widths and --controls', ierr)
      if (ierr == 0 .and. given%inverse) call invert(data, ierr)
   end subroutine read_files

   ! Files of tmsexd have a disorder and an energy. The one that varies is the control parameter.
   subroutine choose_control(read, ierr)
      type(lines), intent(inout) :: read
      integer(ikind), intent(inout) :: ierr

      associate (rows => read%rows(:, :read%count))
         if (all(abs(rows(energy, :) - rows(energy, 1)) <= zero)) return
         if (read%raw == read%count .and. all(abs(rows(w, :) - rows(w, 1)) <= zero)) then
            rows(w, :) = rows(energy, :)
         else
            call refuse('the energy and the disorder of the files of tmsexd both vary, but a fit has one control parameter', ierr)
         end if
      end associate
   end subroutine choose_control

   subroutine warn_of(read)
      type(lines), intent(in) :: read

      if (read%raw > 0) call complain('warning: tmsexd gives all points the same random numbers, and its errors can be ' // &
         'wrong by factors; the fit takes them as independent and right')
      if (read%not_converged > 0) call complain('warning: ' // integer_text(read%not_converged) // ' of ' // &
         integer_text(read%raw) // ' points of tmsexd have not converged to their epsilon; the fit uses their errors')
   end subroutine warn_of

   subroutine select(given, rows, data)
      type(options), intent(in) :: given
      real(rkind), intent(in) :: rows(:, :)
      type(table), intent(out) :: data
      logical :: wanted(size(rows, 2))

      wanted = rows(m, :) >= given%widths%first .and. rows(m, :) <= given%widths%last .and. &
         rows(w, :) >= given%controls%first .and. rows(w, :) <= given%controls%last
      data%length = pack(rows(m, :), wanted)
      data%control = pack(rows(w, :), wanted)
      data%value = pack(rows(lambda, :), wanted)
      data%error = pack(rows(its_error, :), wanted)
   end subroutine select

   subroutine invert(data, ierr)
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr
      integer :: i

      do i = 1, size(data%value)
         if (data%value(i) > zero) cycle
         call refuse('--inverse: the value ' // real_text(data%value(i)) // ' at M = ' // real_text(data%length(i)) // ', W = ' // &
                     real_text(data%control(i)) // ' is not positive', ierr)
         return
      end do
      data%error = data%error / data%value**2
      data%value = 1 / data%value
   end subroutine invert

   subroutine read_file(given, name, read, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: name
      type(lines), intent(inout) :: read
      integer(ikind), intent(inout) :: ierr
      character(len=longest_line) :: line
      character(len=200) :: reason
      real(rkind) :: width
      integer(lkind) :: number
      integer :: unit, status, length
      logical :: folder, is_raw

      inquire (file=name // '/.', exist=folder)     ! it could be opened, and would be empty
      reason = 'is a directory'
      status = 1
      if (.not. folder) open (newunit=unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
      if (status /= 0) then
         call refuse(name // ': cannot be opened: ' // trim(reason), ierr)
         return
      end if
      is_raw = .false.
      width = zero
      number = 0
      do while (ierr == 0)
         read (unit, '(a)', advance='no', size=length, iostat=status, iomsg=reason) line
         if (status == iostat_end) exit
         number = number + 1
         associate (where => name // ':' // integer_text(number) // ': ')
            if (status == 0) then     ! the line is not at its end
               call refuse(where // 'the line has ' // integer_text(longest_line) // ' characters or more', ierr)
            else if (status /= iostat_eor) then
               call refuse(where // 'cannot be read: ' // trim(reason), ierr)
            else if (number == 1 .and. index(line, '(* tmsexd') == 1) then
               is_raw = .true.
            else if (is_raw) then
               call read_raw_line(where, line(:length), width, read, ierr)
            else
               call read_line(given, where, line(:length), read, ierr)
            end if
         end associate
      end do
      close (unit)
   end subroutine read_file

   ! Adds the data of a line of a table. Text after # is a comment.
   subroutine read_line(given, where, line, read, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: where, line
      type(lines), intent(inout) :: read
      integer(ikind), intent(inout) :: ierr
      type(text_item), allocatable :: words(:)
      real(rkind) :: numbers(4)
      integer :: i, past

      past = index(line // '#', '#')
      if (has_decimal_comma(line(:past - 1))) then
         call refuse(where // 'a number has a decimal comma; write a decimal point', ierr)
         return
      end if
      call split(line(:past - 1), words)
      if (size(words) == 0) return
      do i = 1, 4
         if (given%columns(i) > size(words)) then
            call refuse(where // 'there is no column ' // integer_text(given%columns(i)), ierr)
         else if (.not. number_of(words(given%columns(i))%text, numbers(i))) then
            call refuse(where // 'column ' // integer_text(given%columns(i)) // ': ' // &
                        quoted(words(given%columns(i))%text) // ' is not a number', ierr)
         end if
         if (ierr /= 0) return
      end do
      call add(where, [numbers, zero], read, ierr)
   end subroutine read_line

   ! Returns true if a comma stands between two digits of a line whose columns are separated in another way.
   function has_decimal_comma(line) result(has)
      character(*), intent(in) :: line
      logical :: has
      character(*), parameter :: digits = '0123456789'
      integer :: i

      has = .false.
      if (scan(trim(adjustl(line)), ' ;' // achar(9)) == 0) return
      do i = 2, len(line) - 1
         if (line(i:i) /= ',') cycle
         has = has .or. (index(digits, line(i - 1:i - 1)) > 0 .and. index(digits, line(i + 1:i + 1)) > 0)
      end do
   end function has_decimal_comma

   ! Takes the width from the head of a file of tmsexd, and the smallest exponent of each point:
   ! { index, disorder, energy, exponent, error, flag }.
   subroutine read_raw_line(where, line, width, read, ierr)
      character(*), intent(in) :: where, line
      real(rkind), intent(inout) :: width
      type(lines), intent(inout) :: read
      integer(ikind), intent(inout) :: ierr
      type(text_item), allocatable :: words(:)
      real(rkind) :: numbers(6)
      integer :: i, brace

      if (index(line, 'Width =') == 1) then
         call split(line(8:index(line // ';', ';') - 1), words)
         if (size(words) == 1) then
            if (number_of(words(1)%text, width)) return
         end if
         call refuse(where // 'the width is not a number', ierr)
         return
      end if
      brace = index(line, '{')
      if (brace == 0 .or. index(line, '}') < brace) return
      call split(line(brace + 1:index(line, '}') - 1), words)
      if (size(words) /= 6) return
      if (words(1)%text == 'index') return     ! names of the columns
      do i = 1, 6
         if (number_of(words(i)%text, numbers(i))) cycle
         call refuse(where // quoted(words(i)%text) // ' is not a number', ierr)
         return
      end do
      if (nint(numbers(1)) /= 1) return
      if (.not. (width > zero .and. numbers(4) > zero)) then
         call refuse(where // 'the width or the exponent is not positive', ierr)
         return
      end if
      associate (length => 1 / (numbers(4) * width))
         call add(where, [width, numbers(2), length, length * numbers(5), numbers(3)], read, ierr)
      end associate
      read%raw = read%raw + 1
      if (nint(numbers(6)) /= 0) read%not_converged = read%not_converged + 1
   end subroutine read_raw_line

   subroutine split(text, words)
      character(*), intent(in) :: text
      type(text_item), allocatable, intent(out) :: words(:)
      character(*), parameter :: blanks = ' ,;' // achar(9) // achar(13)
      integer :: from, length

      allocate (words(0))
      from = 1
      do while (from <= len(text) .and. size(words) < most_columns)
         length = verify(text(from:), blanks)
         if (length == 0) return
         from = from + length - 1
         length = scan(text(from:) // ' ', blanks) - 1
         call append(words, text(from:from + length - 1))
         from = from + length
      end do
   end subroutine split

   subroutine add(where, row, read, ierr)
      character(*), intent(in) :: where
      real(rkind), intent(in) :: row(5)
      type(lines), intent(inout) :: read
      integer(ikind), intent(inout) :: ierr
      real(rkind), allocatable :: larger(:, :)

      if (.not. row(its_error) > zero) then
         call refuse(where // 'the error ' // real_text(row(its_error)) // ' is not positive', ierr)
         return
      end if
      if (read%count == size(read%rows, 2)) then
         allocate (larger(5, 2 * read%count))
         larger(:, :read%count) = read%rows
         call move_alloc(larger, read%rows)
      end if
      read%count = read%count + 1
      read%rows(:, read%count) = row
   end subroutine add

end module scaling_input
