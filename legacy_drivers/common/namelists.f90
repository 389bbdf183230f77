! The lines and namelist groups of the input file. A group begins with $name or &name and ends with $end, &end or /;
! what stands behind an exclamation mark is skipped. It is taken apart into its assignments, which the caller reads one by
! one, each as a namelist of its own: the first that cannot be read is refused by name.
module namelists
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use kinds
   use messages
   implicit none
   private
   public :: assignment_text, open_input, close_input, read_title, next_line, next_group, read_group, check_group
   public :: read_end, check_integer, check_real, refuse, refuse_text, refused, token_list, split_tokens, append_token
   public :: token_value, lower_case, longest_line, no_integer, no_real, missing

   integer, parameter :: longest_line = 2000                    ! characters; so long must be the variable of a text field
   integer(ikind), parameter :: no_integer = -huge(0_ikind)     ! not given
   real(rkind), parameter :: no_real = -huge(zero)

   type assignment_text
      character(:), allocatable :: name, designator     ! nbs, nbs(1)
      character(:), allocatable :: text                 ! a whole namelist: "&nuc znuc = 10.0 /"
   end type assignment_text

   type token_list
      character(:), allocatable :: text
   end type token_list

   integer :: unit, line_number
   logical :: ended     ! nothing is left to read
   character(:), allocatable :: file_name, kept_line     ! kept: read ahead
   logical :: refused = .false.                          ! after one complaint the rest is not read

contains

   subroutine open_input(name)
      character(*), intent(in) :: name
      integer :: status
      character(len=200) :: reason
      character(*), parameter :: extension = '.inp'
      logical :: folder

      file_name = name
      line_number = 0
      ended = .false.
      refused = .false.
      if (allocated(kept_line)) deallocate (kept_line)
      if (len(name) <= len(extension)) then
         call complain('input file ' // quoted(name) // ': its name must end in ' // extension)
         refused = .true.
      else if (name(len(name) - len(extension) + 1:) /= extension) then
         call complain('input file ' // quoted(name) // ': its name must end in ' // extension)
         refused = .true.
      end if
      if (refused) return
      inquire (file=name // '/.', exist=folder)     ! which can be opened, and then is empty
      reason = 'is a directory'
      status = 1
      if (.not. folder) open (newunit=unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
      if (status == 0) return
      call complain(name // ': cannot be opened: ' // trim(reason))
      refused = .true.
   end subroutine open_input

   subroutine close_input
      integer :: status

      close (unit, iostat=status)
   end subroutine close_input

   ! Where in the file, what, and what is allowed.
   subroutine refuse(what, allowed)
      character(*), intent(in) :: what
      character(*), intent(in), optional :: allowed

      if (refused) return
      refused = .true.
      if (present(allowed)) then
         call complain(file_name // ', line ' // integer_text(int(line_number, lkind)) // ': ' // what // &
            ' (allowed: ' // allowed // ')')
      else
         call complain(file_name // ', line ' // integer_text(int(line_number, lkind)) // ': ' // what)
      end if
   end subroutine refuse

   subroutine read_title(title)
      character(*), intent(out) :: title
      character(:), allocatable :: line
      logical :: found

      title = ' '
      if (refused) return
      call read_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse('the file is empty', 'a title, then the groups')
      else if (len(line) > len(title)) then
         call refuse('the title has ' // integer_text(int(len(line), lkind)) // ' characters', &
            '0..' // integer_text(int(len(title), lkind)))
      else if (begins_group(adjustl(line))) then
         call refuse('the title is missing: the first line begins with ' // quoted(trim(adjustl(line))), 'a line of text')
      else
         title = line
      end if
   end subroutine read_title

   ! The next line with something on it, without comment and surrounding blanks.
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

   ! Tabs, and the carriage returns of another system, count as blanks; other control characters are no text.
   subroutine read_line(line, found)
      character(:), allocatable, intent(out) :: line
      logical, intent(out) :: found
      character(len=longest_line + 1) :: buffer
      character(len=200) :: reason
      integer :: status, i

      found = .false.
      line = ''
      if (refused .or. ended) return
      read (unit, '(a)', advance='no', iostat=status, iomsg=reason) buffer
      ended = is_iostat_end(status)
      if (ended) return
      line_number = line_number + 1
      if (status > 0) then
         call refuse('cannot be read: ' // trim(reason))
         return
      end if
      if (.not. is_iostat_eor(status)) then
         call refuse('is too long', '1..' // integer_text(int(longest_line, lkind)) // ' characters')
         return
      end if
      do i = 1, len(buffer)
         if (iachar(buffer(i:i)) == 9 .or. iachar(buffer(i:i)) == 13) buffer(i:i) = ' '
         if (iachar(buffer(i:i)) >= 0 .and. iachar(buffer(i:i)) < 32) then
            call refuse('holds a control character: this is no text file')
            return
         end if
      end do
      line = trim(buffer)
      found = .true.
   end subroutine read_line

   pure function begins_group(line) result(answer)
      character(*), intent(in) :: line
      logical :: answer

      answer = .false.
      if (len(line) > 1) answer = (line(1:1) == '$' .or. line(1:1) == '&') .and. is_name(line(2:2))
   end function begins_group

   elemental function is_name(letter) result(answer)
      character(len=1), intent(in) :: letter
      logical :: answer

      answer = scan(letter, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789') > 0
   end function is_name

   pure function lower_case(text) result(lower)
      character(*), intent(in) :: text
      character(len(text)) :: lower
      integer :: i

      lower = text
      do i = 1, len(text)
         if (text(i:i) >= 'A' .and. text(i:i) <= 'Z') lower(i:i) = achar(iachar(text(i:i)) + 32)
      end do
   end function lower_case

   ! Where one of the letters first stands outside quotation marks; behind the end if nowhere.
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

   ! Name of the group that comes next, in lower case; empty where none does. It stays to be read.
   subroutine next_group(name)
      character(:), allocatable, intent(out) :: name
      character(:), allocatable :: line
      logical :: found
      integer :: last

      name = ''
      call next_line(line, found)
      if (.not. found) return
      if (begins_group(line)) then
         last = 2
         do while (last < len(line))
            if (.not. is_name(line(last + 1:last + 1))) exit
            last = last + 1
         end do
         name = lower_case(line(2:last))
      end if
      call move_alloc(line, kept_line)
   end subroutine next_group

   ! The assignments of the group that must come next. "fields": the names it may give, between blanks.
   subroutine read_group(name, fields, assignments)
      character(*), intent(in) :: name, fields
      type(assignment_text), allocatable, intent(out) :: assignments(:)
      character(:), allocatable :: found_name, line, text
      logical :: found, ended

      allocate (assignments(0))
      if (refused) return
      call next_group(found_name)
      if (refused) return
      if (.not. allocated(kept_line)) then
         call refuse('group $' // name // ' is missing: the file ends here')
         return
      end if
      if (found_name /= name) then
         call refuse('group $' // name // ' is missing: ' // quoted(kept_line) // ' stands in its place')
         return
      end if
      call move_alloc(kept_line, line)
      line = line(len(name) + 2:)
      text = ''
      do
         call take_line(name, line, text, ended)
         if (ended .or. refused) exit
         call next_line(line, found)
         if (refused) exit
         if (.not. found) call refuse('group $' // name // ' has no end: the file ends here', '$end, &end or /')
         if (.not. found) exit
      end do
      if (.not. refused) call take_apart(name, ' ' // fields // ' ', text, assignments)
      if (.not. refused) return
      deallocate (assignments)
      allocate (assignments(0))
   end subroutine read_group

   ! Up to the end of the group, if the line has it.
   subroutine take_line(name, line, text, ended)
      character(*), intent(in) :: name, line
      character(:), allocatable, intent(inout) :: text
      logical, intent(out) :: ended
      integer :: mark, after
      logical :: proper

      mark = find_outside_quotes(line, '/$&')
      text = text // line(:mark - 1) // ' '
      ended = mark <= len(line)
      if (.not. ended) return
      after = mark + 1
      if (line(mark:mark) /= '/') then
         proper = len(line) >= mark + 3
         if (proper) proper = lower_case(line(mark + 1:mark + 3)) == 'end'
         if (.not. proper) then
            call refuse('group $' // name // ' is not ended before ' // quoted(line(mark:)), '$end, &end or /')
            return
         end if
         after = mark + 4
      end if
      if (line(after:) /= ' ') call refuse('behind the end of group $' // name // ' stands ' // quoted(line(after:)), &
         'nothing')
   end subroutine take_line

   subroutine take_apart(name, fields, text, assignments)
      character(*), intent(in) :: name, fields, text
      type(assignment_text), allocatable, intent(inout) :: assignments(:)
      integer :: here, equals, next, first, last, number

      deallocate (assignments)
      allocate (assignments(equals_signs(text)))
      number = 0
      first = name_before(text, find_outside_quotes(text, '='))
      if (text(:first - 1) /= ' ') call refuse('$' // name // ': ' // quoted(trim(adjustl(text(:first - 1)))) // &
         ' is not "field = value"', trim(adjustl(fields)))
      do while (first <= len(text) .and. .not. refused)
         equals = first - 1 + find_outside_quotes(text(first:), '=')
         next = equals + find_outside_quotes(text(equals + 1:), '=')
         here = first
         first = name_before(text, next)
         last = here
         do while (is_name(text(last:last)) .and. last < equals)
            last = last + 1
         end do
         call take_assignment(lower_case(text(here:last - 1)), trim(text(here:first - 1)), text(equals + 1:first - 1))
      end do

   contains

      subroutine take_assignment(field, whole, value)
         character(*), intent(in) :: field, whole, value
         integer :: i

         if (len(field) == 0 .or. index(fields, ' ' // field // ' ') == 0) then
            call refuse('$' // name // ': ' // quoted(whole) // ': no such field', trim(adjustl(fields)))
         else if (verify(value, ' ,') == 0) then
            call refuse('$' // name // ': ' // field // ' has no value')
         else
            do i = 1, number
               if (given_before(assignments(i), field, designator(whole))) &
                  call refuse('$' // name // ': ' // field // ' is given twice')
            end do
            number = number + 1
            assignments(number)%name = field
            assignments(number)%designator = designator(whole)
            assignments(number)%text = '&' // name // ' ' // designator(whole) // ' = ' // trim(adjustl(value)) // ' /'
         end if
      end subroutine take_assignment

      ! Elements of an array may come one by one: nbs(1) = 23, nbs(2) = 15.
      pure logical function given_before(assignment, field, target)
         type(assignment_text), intent(in) :: assignment
         character(*), intent(in) :: field, target

         given_before = assignment%name == field
         if (index(target, '(') > 0 .and. index(assignment%designator, '(') > 0) &
            given_before = given_before .and. assignment%designator == target
      end function given_before

      ! What stands before the equals sign, without blanks.
      pure function designator(whole) result(target)
         character(*), intent(in) :: whole
         character(:), allocatable :: target
         integer :: i

         target = ''
         do i = 1, index(whole, '=') - 1
            if (whole(i:i) /= ' ') target = target // whole(i:i)
         end do
         target = lower_case(target)
      end function designator

   end subroutine take_apart

   ! Outside quotation marks.
   pure function equals_signs(text) result(number)
      character(*), intent(in) :: text
      integer :: number, position

      number = 0
      position = find_outside_quotes(text, '=')
      do while (position <= len(text))
         number = number + 1
         position = position + find_outside_quotes(text(position + 1:), '=')
      end do
   end function equals_signs

   ! Where the name begins, with or without a subscript, that stands before an equals sign; behind the end of the text
   ! where there is no such sign.
   pure function name_before(text, equals) result(first)
      character(*), intent(in) :: text
      integer, intent(in) :: equals
      integer :: first

      first = equals
      if (equals > len(text)) return
      first = verify(text(:equals - 1), ' ', back=.true.) + 1
      if (first > 1) then
         if (text(first - 1:first - 1) == ')') then
            first = max(index(text(:first - 1), '(', back=.true.), 1)
            first = verify(text(:first - 1), ' ', back=.true.) + 1
         end if
      end if
      do while (first > 1)
         if (.not. is_name(text(first - 1:first - 1))) exit
         first = first - 1
      end do
   end function name_before

   ! After reading an assignment; the compiler's reason does not tell what is allowed.
   subroutine check_group(name, assignment, status, reason, allowed)
      character(*), intent(in) :: name, reason
      type(assignment_text), intent(in) :: assignment
      integer, intent(in) :: status
      character(*), intent(in), optional :: allowed
      character(:), allocatable :: text

      if (status == 0) return
      text = assignment%text(len(name) + 3:len(assignment%text) - 2)
      call refuse('$' // name // ': ' // quoted(trim(text)) // ': cannot be read: ' // trim(reason), allowed)
   end subroutine check_group

   elemental function missing(value) result(answer)
      real(rkind), intent(in) :: value
      logical :: answer

      answer = ieee_is_finite(value)
      if (answer) answer = value <= no_real
   end function missing

   ! A text that is none of those allowed.
   subroutine refuse_text(field, value, allowed)
      character(*), intent(in) :: field, value, allowed

      if (value == ' ') then
         call refuse(field // ' is missing', allowed)
      else
         call refuse(field // ' = ' // quoted(trim(value)), allowed)
      end if
   end subroutine refuse_text

   ! Nothing may follow the last group: it would be silently ignored.
   subroutine read_end
      character(:), allocatable :: line
      logical :: found

      if (refused) return
      call next_line(line, found)
      if (found) call refuse('behind the last group stands ' // quoted(line), 'nothing')
   end subroutine read_end

   subroutine check_integer(name, value, lowest, highest)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: value, lowest, highest

      if (value >= lowest .and. value <= highest) return
      call refuse(name // ' = ' // integer_text(int(value, lkind)) // ' is out of range', &
         integer_text(int(lowest, lkind)) // '..' // integer_text(int(highest, lkind)))
   end subroutine check_integer

   subroutine check_real(name, value, lowest, highest)
      character(*), intent(in) :: name
      real(rkind), intent(in) :: value, lowest, highest
      character(:), allocatable :: allowed

      allowed = real_text(lowest) // '..' // real_text(highest)
      if (ieee_is_finite(value)) then
         if (value < lowest .or. value > highest) call refuse(name // ' = ' // real_text(value) // ' is out of range', allowed)
      else
         call refuse(name // ' is not a finite number', allowed)
      end if
   end subroutine check_real

   ! Between blanks and commas; 2*1.0 is two of them, as where Fortran reads a list.
   subroutine split_tokens(line, tokens)
      character(*), intent(in) :: line
      type(token_list), allocatable, intent(out) :: tokens(:)
      integer :: first, last, star, k

      allocate (tokens(0))
      do first = 1, len(line)
         if (.not. begins_token(line, first)) cycle
         last = first + scan(line(first:) // ' ', ' ,') - 2
         star = first - 1 + index(line(first:last), '*')
         if (.not. counts(line(first:star - 1))) star = first - 1
         do k = 1, repeats(line(first:star - 1))
            call append_token(tokens, line(max(star + 1, first):last))
         end do
      end do
   end subroutine split_tokens

   ! One by one: gfortran 12 leaks the texts of an array constructor.
   subroutine append_token(tokens, text)
      type(token_list), allocatable, intent(inout) :: tokens(:)
      character(*), intent(in) :: text
      type(token_list), allocatable :: longer(:)
      integer :: i

      allocate (longer(size(tokens) + 1))
      do i = 1, size(tokens)
         call move_alloc(tokens(i)%text, longer(i)%text)
      end do
      longer(size(longer))%text = text
      call move_alloc(longer, tokens)
   end subroutine append_token

   ! More than two digits are more than there are shells.
   pure logical function counts(text)
      character(*), intent(in) :: text

      counts = len(text) > 0 .and. len(text) <= 2 .and. verify(text, '0123456789') == 0
   end function counts

   integer function repeats(text)
      character(*), intent(in) :: text

      repeats = 1
      if (counts(text)) read (text, *) repeats
   end function repeats

   pure function begins_token(line, position) result(answer)
      character(*), intent(in) :: line
      integer, intent(in) :: position
      logical :: answer

      answer = scan(line(position:position), ' ,') == 0
      if (answer .and. position > 1) answer = scan(line(position - 1:position - 1), ' ,') > 0
   end function begins_token

   subroutine token_value(token, value, ierr)
      character(*), intent(in) :: token
      real(rkind), intent(out) :: value
      integer(ikind), intent(out) :: ierr
      integer :: status

      value = zero
      ierr = 1
      if (verify(token, '0123456789+-.eEdD') > 0 .or. scan(token, '0123456789') == 0) return
      read (token, *, iostat=status) value
      if (status == 0 .and. abs(value) <= huge(value)) ierr = 0
   end subroutine token_value

end module namelists
