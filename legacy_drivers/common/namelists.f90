! Reads the namelist groups of an input file. A group begins with $name or &name and ends with $end, &end or /. It is
! split into its assignments, each of which is read as a namelist of its own. The first assignment that cannot be read
! is reported by name:
!
!     call read_group('nuc', 'znuc nucmdl')
!     do while (next_assignment())
!        read (assignment, nml=nuc, iostat=status, iomsg=reason)
!     end do
module namelists
   use kinds
   use input_lines
   use messages
   implicit none
   private
   public :: read_title, comes_next, read_group, next_assignment, refuse_assignment

   character(:), allocatable, public :: assignment       ! text to be read: "&nuc znuc = 10.0 /"
   character(:), allocatable, public :: assigned_field   ! its field: znuc
   integer, public :: status                             ! iostat of the read statement
   character(len=200), public :: reason

   type assignment_text
      character(:), allocatable :: name, designator, text     ! nbs; nbs(1); text to be read
   end type assignment_text

   type(assignment_text), allocatable, save :: assignments(:)     ! all of the group
   integer :: last_read
   character(:), allocatable :: group_read

contains

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
         call refuse('the title has ' // integer_text(len(line)) // ' characters', &
            '0..' // integer_text(len(title)))
      else if (begins_group(adjustl(line))) then
         call refuse('the title is missing: the first line begins with ' // quoted(trim(adjustl(line))), 'a line of text')
      else
         title = line
      end if
   end subroutine read_title

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

   ! Returns the name of the group that begins on the line, in lower case; '' if none begins.
   pure function group_name(line) result(name)
      character(*), intent(in) :: line
      character(:), allocatable :: name
      integer :: last

      name = ''
      if (.not. begins_group(line)) return
      last = 2
      do while (last < len(line))
         if (.not. is_name(line(last + 1:last + 1))) exit
         last = last + 1
      end do
      name = lower_case(line(2:last))
   end function group_name

   ! Returns true if the optional group `name` comes next.
   function comes_next(name) result(answer)
      character(*), intent(in) :: name
      logical :: answer
      character(:), allocatable :: line
      logical :: found

      answer = .false.
      if (refused) return
      call next_line(line, found)
      if (.not. found) return
      answer = group_name(line) == name
      call keep_line(line)
   end function comes_next

   ! Reads the group that must come next. "fields" lists the allowed names, separated by blanks.
   subroutine read_group(name, fields)
      character(*), intent(in) :: name, fields
      character(:), allocatable :: line, text
      logical :: found, ended

      last_read = 0
      status = 0
      group_read = name
      if (refused) return
      call next_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse('group $' // name // ' is missing: the file ends here')
         return
      end if
      if (group_name(line) /= name) then
         call refuse('group $' // name // ' is missing: the file has ' // quoted(line) // ' instead')
         return
      end if
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
      if (.not. refused) call take_apart(name, ' ' // fields // ' ', text)
   end subroutine read_group

   ! Makes the next assignment available; returns false if there is none. Refuses the one before if it could not be
   ! read.
   function next_assignment() result(answer)
      logical :: answer

      if (status /= 0) call refuse_assignment
      answer = .not. refused
      if (answer) answer = last_read < size(assignments)
      if (.not. answer) return
      last_read = last_read + 1
      assignment = assignments(last_read)%text
      assigned_field = assignments(last_read)%name
   end function next_assignment

   ! Refuses the current assignment. "allowed" adds what the compiler's reason does not contain.
   subroutine refuse_assignment(allowed)
      character(*), intent(in), optional :: allowed
      character(:), allocatable :: text

      text = assignment(len(group_read) + 3:len(assignment) - 2)
      call refuse('$' // group_read // ': ' // quoted(trim(text)) // ': cannot be read: ' // trim(reason), allowed)
   end subroutine refuse_assignment

   ! Adds a line to the text of the group, up to the end of the group if the line contains it.
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
      if (line(after:) /= ' ') call refuse('after the end of group $' // name // ' there is ' // quoted(line(after:)), &
         'nothing')
   end subroutine take_line

   subroutine take_apart(name, fields, text)
      character(*), intent(in) :: name, fields, text
      integer :: here, equals, next, first, last, number

      if (allocated(assignments)) deallocate (assignments)
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
         else if (find_outside_quotes(value, '(') <= len(value)) then
            ! libgfortran crashes in "extents = 4, extents(- 1", because it accepts a subscript with a sign and a blank.
            call refuse('$' // name // ': ' // quoted(whole) // ': a value cannot have a parenthesis')
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

      ! Returns true if the field was assigned before. Elements of an array may be assigned one by one: nbs(1) = 23,
      ! nbs(2) = 15.
      pure logical function given_before(assignment, field, target)
         type(assignment_text), intent(in) :: assignment
         character(*), intent(in) :: field, target

         given_before = assignment%name == field
         if (index(target, '(') > 0 .and. index(assignment%designator, '(') > 0) &
            given_before = given_before .and. assignment%designator == target
      end function given_before

      ! Returns the text before the equals sign, in lower case and without blanks.
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

   ! Returns the number of equals signs outside quotation marks.
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

   ! Returns where the name before an equals sign begins; the name may have a subscript. Returns `equals` if it is
   ! behind the end of the text, that is, if there is no such sign.
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

end module namelists
