! Reads the lines of an input file and reports errors in them. Text after an exclamation mark is skipped.
! ieee_arithmetic is used only within procedures: if a module uses it, gfortran saves and restores the floating-point
! environment, 0.4 us, in every external procedure that uses the module.
module input_lines
   use, intrinsic :: iso_fortran_env, only: iostat_eor
   use kinds
   use messages
   implicit none
   private
   public :: open_input, close_input, read_line, next_line, keep_line, read_end, find_outside_quotes
   public :: refuse, refused, range_text, check_integer, check_real, check_text, check_file_name, missing
   public :: longest_line, no_integer, no_real

   integer, parameter :: longest_line = 2000                    ! characters; length of a variable for a text field
   integer(ikind), parameter :: no_integer = -huge(0_ikind)     ! field not given
   real(rkind), parameter :: no_real = -huge(zero)

   integer :: unit, line_number
   logical :: opened, ended     ! ended: nothing is left to read
   character(:), allocatable :: file_name, kept_line     ! kept_line: will be read again
   logical :: refused = .false.                          ! after the first error the rest is not read

   interface range_text
      module procedure integer_range, real_range
   end interface

contains

   subroutine open_input(name)
      character(*), intent(in) :: name
      integer :: status
      character(len=200) :: reason
      character(*), parameter :: extension = '.inp'
      logical :: folder

      file_name = name
      line_number = 0
      opened = .false.
      ended = .false.
      refused = .false.
      if (allocated(kept_line)) deallocate (kept_line)
      if (len(name) > len(extension)) then
         refused = name(len(name) - len(extension) + 1:) /= extension
      else
         refused = .true.
      end if
      if (refused) call complain('input file ' // quoted(name) // ': its name must end in ' // extension)
      if (refused) return
      inquire (file=name // '/.', exist=folder)     ! it could be opened, and would be empty
      reason = 'is a directory'
      status = 1
      if (.not. folder) open (newunit=unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
      opened = status == 0
      if (opened) return
      call complain(name // ': cannot be opened: ' // trim(reason))
      refused = .true.
   end subroutine open_input

   subroutine close_input(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: status

      if (opened) close (unit, iostat=status)
      ierr = merge(1_ikind, 0_ikind, refused)
   end subroutine close_input

   ! Reports the first error: its place in the file, what is wrong, and what is allowed.
   subroutine refuse(what, allowed)
      character(*), intent(in) :: what
      character(*), intent(in), optional :: allowed
      character(:), allocatable :: text

      if (refused) return
      refused = .true.
      text = file_name // ', line ' // integer_text(line_number) // ': ' // what
      if (present(allowed)) text = text // ' (allowed: ' // allowed // ')'
      call complain(text)
   end subroutine refuse

   ! Returns the next line that is not empty, without comment and surrounding blanks.
   subroutine next_line(line, found)
      character(:), allocatable, intent(out) :: line
      logical, intent(out) :: found

      found = .true.
      if (allocated(kept_line)) then
         call move_alloc(kept_line, line)
         return
      end if
      do
         call read_line(line, found)
         if (refused) found = .false.
         if (.not. found) return
         line = trim(adjustl(line(:find_outside_quotes(line, '!') - 1)))
         if (len(line) > 0) return
      end do
   end subroutine next_line

   ! Puts a line back, so that next_line returns it again.
   subroutine keep_line(line)
      character(:), allocatable, intent(inout) :: line

      call move_alloc(line, kept_line)
   end subroutine keep_line

   ! Reads a line. Tabs, and the carriage returns of another system, count as blanks; other control characters are
   ! refused.
   subroutine read_line(line, found)
      character(:), allocatable, intent(out) :: line
      logical, intent(out) :: found
      character(len=longest_line + 1) :: buffer
      character(len=200) :: reason
      integer :: status, i

      found = .false.
      line = ''
      if (refused .or. ended) return
      line_number = line_number + 1
      read (unit, '(a)', advance='no', iostat=status, iomsg=reason) buffer
      ended = is_iostat_end(status)
      if (ended) return
      if (status == 0 .and. find_outside_quotes(buffer, '!') <= len(buffer)) then     ! the rest is a comment, too
         read (unit, '()', iostat=status, iomsg=reason)
         if (is_iostat_end(status) .or. status == 0) status = iostat_eor
      end if
      if (status > 0) call refuse('this line cannot be read: ' // trim(reason))
      if (status == 0) call refuse('this line is too long', '1..' // integer_text(longest_line) // ' characters')
      if (refused) return
      do i = 1, len_trim(buffer)
         if (iachar(buffer(i:i)) == 9 .or. iachar(buffer(i:i)) == 13) buffer(i:i) = ' '
         if (iachar(buffer(i:i)) >= 0 .and. iachar(buffer(i:i)) < 32) then
            call refuse('this line has a control character: this is not a text file')
            return
         end if
      end do
      line = trim(buffer)
      found = .true.
   end subroutine read_line

   ! Returns the position of the first of the letters outside quotation marks, or len(text) + 1 if there is none.
   pure function find_outside_quotes(text, letters) result(position)
      character(*), intent(in) :: text, letters
      integer :: position
      character(len=1) :: mark

      mark = ' '
      do position = 1, len(text)
         if (mark /= ' ') then
            if (text(position:position) == mark) mark = ' '
         else if (scan(text(position:position), letters) > 0) then
            return
         else if (scan(text(position:position), '''"') > 0) then
            mark = text(position:position)
         end if
      end do
   end function find_outside_quotes

   ! Refuses text after the end of the input, which would otherwise be ignored silently.
   subroutine read_end
      character(:), allocatable :: line
      logical :: found

      if (refused) return
      call next_line(line, found)
      if (found) call refuse('after the end of the input there is ' // quoted(line), 'nothing')
   end subroutine read_end

   function integer_range(lowest, highest) result(text)
      integer(ikind), intent(in) :: lowest, highest
      character(:), allocatable :: text

      text = integer_text(lowest) // '..' // integer_text(highest)
   end function integer_range

   function real_range(lowest, highest) result(text)
      real(rkind), intent(in) :: lowest, highest
      character(:), allocatable :: text

      text = real_text(lowest) // '..' // real_text(highest)
   end function real_range

   elemental function missing(value) result(answer)
      use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
      real(rkind), intent(in) :: value
      logical :: answer

      answer = ieee_is_finite(value)
      if (answer) answer = value <= no_real
   end function missing

   subroutine check_integer(field, value, lowest, highest)
      character(*), intent(in) :: field
      integer(ikind), intent(in) :: value, lowest, highest
      character(:), allocatable :: allowed

      allowed = range_text(lowest, highest)
      if (value == no_integer) then
         call refuse(field // ' is missing', allowed)
      else if (value < lowest .or. value > highest) then
         call refuse(field // ' = ' // integer_text(value) // ' is out of range', allowed)
      end if
   end subroutine check_integer

   subroutine check_real(field, value, lowest, highest)
      use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
      character(*), intent(in) :: field
      real(rkind), intent(in) :: value, lowest, highest
      character(:), allocatable :: allowed

      allowed = range_text(lowest, highest)
      if (.not. ieee_is_finite(value)) then
         call refuse(field // ' is not a finite number', allowed)
      else if (missing(value)) then
         call refuse(field // ' is missing', allowed)
      else if (value < lowest .or. value > highest) then
         call refuse(field // ' = ' // real_text(value) // ' is out of range', allowed)
      end if
   end subroutine check_real

   ! Checks that the value is one of the texts in a list such as "'up', 'random'". Upper and lower case are equivalent;
   ! the value gets the spelling of the list.
   subroutine check_text(field, value, allowed)
      character(*), intent(in) :: field, allowed
      character(*), intent(inout) :: value
      integer :: first

      first = index(lower_case(allowed), "'" // lower_case(trim(value)) // "'")
      if (value == ' ') then
         call refuse(field // ' is missing', allowed)
      else if (first == 0 .or. scan(value, "'") > 0) then
         call refuse(field // ' = ' // quoted(trim(value)), allowed)
      else
         value = allowed(first + 1:first + len_trim(value))
      end if
   end subroutine check_text

   ! Checks the text with which the names of files begin.
   subroutine check_file_name(field, value)
      character(*), intent(in) :: field, value
      character(*), parameter :: letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
      integer, parameter :: longest = 100

      if (len_trim(value) > longest .or. verify(trim(value), letters // '_-.') > 0 .or. verify(value(1:1), letters) > 0) &
         call refuse(field // ' = ' // quoted(trim(value)), &
         'a letter or digit, then letters, digits, _ - . up to ' // integer_text(longest) // ' in all')
   end subroutine check_file_name

end module input_lines
