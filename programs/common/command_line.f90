! Options of a command line and their values.
module command_line
   use kinds
   use messages
   use run_control, only: argument
   implicit none
   private
   public :: command, text_item, append, read_whole, read_real, read_name, read_list, whole_of, number_of, refuse, refuse_same

   type text_item
      character(:), allocatable :: text
   end type text_item

   ! The arguments of the program, one after the other. `option` is empty for an operand, which is a `value` then.
   type command
      character(:), allocatable :: option, value
      logical, allocatable, private :: given(:)      ! these options have occurred
      logical, private :: only_operands = .false.
      integer, private :: at = 0                     ! number of the last argument
   contains
      procedure :: next
      procedure, private :: take_option
   end type command

contains

   ! Goes on to the next option or operand. Returns false if there is none, and if ierr is not 0. ierr = 1: an error, which
   ! has been reported; -1: only the help was asked for, whose lines have been printed. An option is known as --name or
   ! -n|--name; = follows if it has a value, and ? if it has one unless the next argument begins with -. There are operands
   ! if a name is known that does not begin with -.
   function next(this, known, help, ierr) result(found)
      class(command), intent(inout) :: this
      character(*), intent(in) :: known(:), help(:)
      integer(ikind), intent(inout) :: ierr
      logical :: found, has_operands
      integer :: k

      if (.not. allocated(this%given)) allocate (this%given(size(known)), source=.false.)
      has_operands = any(known(:)(1:1) /= '-')
      found = .false.
      do while (ierr == 0 .and. this%at < command_argument_count() .and. .not. found)
         this%at = this%at + 1
         this%option = ''
         this%value = argument(this%at)
         if (this%only_operands .or. (has_operands .and. index(this%value, '-') /= 1)) then
            found = .true.
         else if (has_operands .and. this%value == '--') then
            this%only_operands = .true.
         else if (this%value == '-h' .or. this%value == '--help') then
            do k = 1, size(help)
               call print_line(trim(help(k)))
            end do
            ierr = -1
         else
            call this%take_option(known, argument(this%at), ierr)
            found = ierr == 0
         end if
      end do
   end function next

   ! Takes an option, and its value from the next argument.
   subroutine take_option(this, known, text, ierr)
      class(command), intent(inout) :: this
      character(*), intent(in) :: known(:), text
      integer(ikind), intent(inout) :: ierr
      integer :: k, length
      logical :: has_value

      do k = 1, size(known)
         length = scan(known(k) // '=', '=? ') - 1
         if (index('|' // known(k)(:length) // '|', '|' // text // '|') == 0 .or. index(text, '|') > 0) cycle
         if (this%given(k)) call refuse('the option ' // text // ' is given twice', ierr)
         this%given(k) = .true.
         this%option = known(k)(index(known(k), '|') + 1:length)
         has_value = known(k)(length + 1:) == '='
         if (known(k)(length + 1:) == '?' .and. this%at < command_argument_count()) &
            has_value = index(argument(this%at + 1), '-') /= 1
         this%value = ''
         if (has_value .and. ierr == 0) call take_value(this, text, ierr)
         return
      end do
      call refuse('there is no option ' // quoted(text) // '; see --help', ierr)
   end subroutine take_option

   subroutine take_value(this, option, ierr)
      class(command), intent(inout) :: this
      character(*), intent(in) :: option
      integer(ikind), intent(inout) :: ierr

      this%at = this%at + 1
      if (this%at > command_argument_count()) then
         call refuse(option // ' needs a value', ierr)
      else
         this%value = argument(this%at)
         if (len(this%value) == 0) call refuse(option // ' has an empty value', ierr)
      end if
   end subroutine take_value

   ! Appends a text. A constructor of the derived type would leak memory with gfortran 12.
   subroutine append(list, text)
      type(text_item), allocatable, intent(inout) :: list(:)
      character(*), intent(in) :: text
      type(text_item), allocatable :: longer(:)
      integer :: i

      allocate (longer(size(list) + 1))
      do i = 1, size(list)
         call move_alloc(list(i)%text, longer(i)%text)
      end do
      longer(size(longer))%text = text
      call move_alloc(longer, list)
   end subroutine append

   ! Refuses a file that two options name. A path that is not allocated is absent.
   subroutine refuse_same(path, other, ierr)
      character(*), intent(in), optional :: path, other
      integer(ikind), intent(inout) :: ierr

      if (ierr /= 0 .or. .not. present(path) .or. .not. present(other)) return
      if (path == other) call refuse('the file ' // quoted(path) // ' is named twice', ierr)
   end subroutine refuse_same

   subroutine read_whole(option, text, least, most, number, ierr)
      character(*), intent(in) :: option, text
      integer(lkind), intent(in) :: least, most
      integer(lkind), intent(inout) :: number
      integer(ikind), intent(inout) :: ierr
      integer(lkind) :: found

      if (whole_of(text, found)) then
         if (found >= least .and. found <= most) then
            number = found
            return
         end if
      end if
      call refuse(option // ' ' // quoted(text) // ' is not a whole number in ' // integer_text(least) // '..' // &
                  integer_text(most), ierr)
   end subroutine read_whole

   ! number becomes the index of the name.
   subroutine read_name(option, value, names, number, ierr)
      character(*), intent(in) :: option, value, names(0:)
      integer(ikind), intent(inout) :: number
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: allowed
      integer(ikind) :: k

      allowed = ''
      do k = 0, int(size(names), ikind) - 1
         if (value == trim(names(k)) .and. len(value) == len_trim(value)) then
            number = k
            return
         end if
         if (k > 0) allowed = allowed // ', '
         allowed = allowed // trim(names(k))
      end do
      call refuse(option // ' ' // quoted(value) // ' (allowed: ' // allowed // ')', ierr)
   end subroutine read_name

   subroutine read_real(option, text, lowest, highest, value, ierr)
      character(*), intent(in) :: option, text
      real(rkind), intent(in) :: lowest, highest
      real(rkind), intent(inout) :: value
      integer(ikind), intent(inout) :: ierr
      real(rkind) :: found

      if (number_of(text, found)) then
         if (found >= lowest .and. found <= highest) then
            value = found
            return
         end if
      end if
      call refuse(option // ' ' // quoted(text) // ' (allowed: ' // real_text(lowest) // '..' // real_text(highest) // ')', ierr)
   end subroutine read_real

   ! Reads items separated by commas. An item is a number, or FIRST:LAST:STEP, which is FIRST, FIRST + STEP and so on up
   ! to LAST. Without a value of its own, STEP is 1.
   subroutine read_list(option, text, lowest, highest, most, values, ierr)
      character(*), intent(in) :: option, text
      real(rkind), intent(in) :: lowest, highest     ! range of the values
      integer, intent(in) :: most                    ! largest number of values
      real(rkind), allocatable, intent(out) :: values(:)
      integer(ikind), intent(inout) :: ierr
      real(rkind), allocatable :: room(:)
      real(rkind) :: first, last, step
      integer :: from, past, read, count, k

      allocate (values(0), room(most))
      read = 0
      from = 1
      do while (from <= len(text) + 1)
         past = from - 1 + index(text(from:) // ',', ',')
         call read_range(option, text(from:past - 1), lowest, highest, first, last, step, ierr)
         if (ierr /= 0) return
         ! The last value belongs to the range even if rounding has made it a little too large.
         if ((last - first) / step + 1.0e-9_rkind >= real(most - read, rkind)) then
            call refuse(option // ': more than ' // integer_text(most) // ' values', ierr)
            return
         end if
         count = int((last - first) / step + 1.0e-9_rkind) + 1
         room(read + 1:read + count) = [(in_range(first, last, step, k), k = 0, count - 1)]
         read = read + count
         from = past + 1
      end do
      values = room(:read)
   end subroutine read_list

   ! Returns value k of a range as its decimal digits would be typed: with 15 digits, and 0 for the rounding error of 0.
   function in_range(first, last, step, k) result(value)
      real(rkind), intent(in) :: first, last, step
      integer, intent(in) :: k
      real(rkind) :: value
      character(len=30) :: digits

      value = first
      if (k == 0) return
      value = min(first + k * step, last)
      if (abs(value) < 1.0e-12_rkind * max(abs(first), step)) value = zero
      write (digits, '(es30.14e3)') value
      read (digits, *) value
   end function in_range

   ! Reads a number or a range.
   subroutine read_range(option, item, lowest, highest, first, last, step, ierr)
      character(*), intent(in) :: option, item
      real(rkind), intent(in) :: lowest, highest
      real(rkind), intent(out) :: first, last, step
      integer(ikind), intent(inout) :: ierr
      integer :: colon, second
      logical :: fine

      step = one
      last = zero
      colon = index(item, ':')
      if (colon == 0) then
         fine = number_of(item, first)
         last = first
      else
         second = colon + index(item(colon + 1:) // ':', ':')
         fine = number_of(item(:colon - 1), first)
         if (fine) fine = number_of(item(colon + 1:second - 1), last)
         if (fine .and. second <= len(item)) fine = number_of(item(second + 1:), step)
      end if
      if (.not. fine) then
         call refuse(option // ' ' // quoted(item) // ' is neither a number nor FIRST:LAST:STEP', ierr)
      else if (.not. step > zero) then
         call refuse(option // ' ' // quoted(item) // ': the step is not positive', ierr)
      else if (last < first) then
         call refuse(option // ' ' // quoted(item) // ': the last value is less than the first', ierr)
      else if (first < lowest .or. last > highest) then
         call refuse(option // ' ' // quoted(item) // ' (allowed: ' // real_text(lowest) // '..' // real_text(highest) // ')', &
                     ierr)
      end if
   end subroutine read_range

   ! Returns true if the text is a whole number without a sign.
   function whole_of(text, number)
      character(*), intent(in) :: text
      integer(lkind), intent(out) :: number
      logical :: whole_of
      integer :: status

      number = 0
      whole_of = len(text) > 0 .and. len(text) <= 18 .and. verify(text, '0123456789') == 0
      if (.not. whole_of) return
      read (text, *, iostat=status) number
      whole_of = status == 0
   end function whole_of

   ! Returns true if the text is a number: digits with a decimal point, and an exponent with a letter. Fortran would
   ! also read 1-2, which may be a range, as 1e-2.
   function number_of(text, number)
      character(*), intent(in) :: text
      real(rkind), intent(out) :: number
      logical :: number_of
      character(*), parameter :: digits = '0123456789', signs = '+-'
      integer :: status, first, letter

      number = zero
      first = 1
      if (len(text) > 0) then
         if (index(signs, text(1:1)) > 0) first = 2
      end if
      letter = scan(text // 'e', 'eEdD')
      number_of = first < letter
      if (number_of) number_of = verify(text(first:letter - 1), digits // '.') == 0 .and. &
         scan(text(first:letter - 1), digits) > 0 .and. index(text, '.') == index(text, '.', back=.true.)
      if (number_of .and. letter <= len(text)) then
         first = letter + 1
         if (first <= len(text)) then
            if (index(signs, text(first:first)) > 0) first = first + 1
         end if
         number_of = first <= len(text)
         if (number_of) number_of = verify(text(first:), digits) == 0
      end if
      if (.not. number_of) return
      read (text, *, iostat=status) number
      number_of = status == 0 .and. abs(number) <= huge(number)
   end function number_of

   subroutine refuse(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(inout) :: ierr

      if (ierr == 0) call complain(text)
      ierr = 1
   end subroutine refuse

end module command_line
