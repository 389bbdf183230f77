! The values of the fields of an input file. An error is reported with the file and the line.
module spectra_fields
   use kinds
   use command_line, only: append, text_item, whole_of
   use expressions
   use input_lines, only: next_line, range_text, refuse, refused
   use messages
   implicit none
   private
   public :: field, next_field, read_real, read_complex, read_whole, read_short, read_name, read_list, read_yes
   public :: check_words, no_field, take_constant, set_constant, check_constants, lines_read, lines_omitted

   ! A line of the input file: a section, or a key and the words of its value.
   type field
      character(:), allocatable :: section, key
      type(text_item), allocatable :: words(:)
      type(text_item), allocatable, private :: seen(:)     ! sections, and the keys of this section
   contains
      procedure :: text => field_text
      procedure, private :: see
   end type field

   type(constant_table), save :: constants
   ! The constants of the command line, which replace those of the file, and whether the file has them.
   type(text_item), allocatable, save :: given_names(:)
   complex(rkind), allocatable, save :: given_values(:)
   logical, allocatable, save :: given_found(:)

   ! The lines of the file as they were read, for the heads of tables.
   type(text_item), allocatable, protected, save :: lines_read(:)
   integer(lkind), protected, save :: lines_omitted = 0     ! further lines

   integer, parameter :: most_values = 10000000, most_lines = 1000
   ! Fields that may occur several times in a section.
   character(*), parameter :: repeated(*) = [character(len=9) :: 'vector', 'orbital', 'hopping', 'vacancies', 'vacancy', &
      'site', 'point']

contains

   ! Reads the next line. A line [NAME] begins a section; its field has no key. Otherwise it is KEY = WORDS.
   subroutine next_field(line, found)
      type(field), intent(inout) :: line     ! keeps the section
      logical, intent(out) :: found
      character(:), allocatable :: text
      integer :: equals

      if (.not. allocated(line%section)) line%section = ''
      call next_line(text, found)
      if (.not. found) return
      call keep(text)
      line%key = ''
      if (allocated(line%words)) deallocate (line%words)
      allocate (line%words(0))
      if (text(1:1) == '[') then
         if (text(len(text):) /= ']') call refuse('the section ' // quoted(text) // ' does not end with ]')
         line%section = trim(adjustl(text(2:len(text) - 1)))
         call line%see('[' // line%section // ']')
         return
      end if
      equals = index(text, '=')
      if (equals < 2) then
         call refuse(quoted(text) // ' is neither [SECTION] nor KEY = VALUE')
      else if (line%section == '') then
         call refuse(quoted(text) // ' is before the first section')
      else
         line%key = trim(text(:equals - 1))
         call split(text(equals + 1:), line%words)
         if (.not. any(repeated == line%key)) call line%see('[' // line%section // '] ' // line%key)
         if (size(line%words) == 0) call refuse(line%key // ' has no value')
      end if
   end subroutine next_field

   subroutine keep(text)
      character(*), intent(in) :: text

      if (.not. allocated(lines_read)) allocate (lines_read(0))
      if (size(lines_read) < most_lines) then
         call append(lines_read, text)
      else
         lines_omitted = lines_omitted + 1
      end if
   end subroutine keep

   ! Refuses what occurs a second time.
   subroutine see(this, what)
      class(field), intent(inout) :: this
      character(*), intent(in) :: what
      integer :: k

      if (.not. allocated(this%seen)) allocate (this%seen(0))
      do k = 1, size(this%seen)
         if (this%seen(k)%text == what) call refuse(what // ' is given twice')
      end do
      call append(this%seen, what)
   end subroutine see

   subroutine split(text, words)
      character(*), intent(in) :: text
      type(text_item), allocatable, intent(inout) :: words(:)
      integer :: from, length

      from = 1
      do while (from <= len(text))
         length = verify(text(from:), ' ')
         if (length == 0) return
         from = from + length - 1
         length = scan(text(from:) // ' ', ' ') - 1
         call append(words, text(from:from + length - 1))
         from = from + length
      end do
   end subroutine split

   ! Returns the key and the first word of a line for a message.
   function field_text(this, word) result(text)
      class(field), intent(in) :: this
      integer, intent(in) :: word
      character(:), allocatable :: text

      text = this%key
      if (word <= size(this%words)) text = text // ' = '
      if (size(this%words) > 1) text = this%key // ', word ' // integer_text(word) // ': '
      if (word <= size(this%words)) text = text // quoted(this%words(word)%text)
   end function field_text

   subroutine no_field(line, allowed)
      type(field), intent(in) :: line
      character(*), intent(in) :: allowed

      call refuse('[' // line%section // '] has no field ' // quoted(line%key), allowed)
   end subroutine no_field

   ! Refuses a line that has another number of words. `form` is what is expected.
   subroutine check_words(line, least, most, form)
      type(field), intent(in) :: line
      integer, intent(in) :: least, most
      character(*), intent(in) :: form

      if (size(line%words) < least .or. size(line%words) > most) call refuse(line%key // ' has ' // &
         integer_text(size(line%words)) // trim(merge(' word ', ' words', size(line%words) == 1)), line%key // ' = ' // form)
   end subroutine check_words

   subroutine read_complex(line, word, largest, value)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      real(rkind), intent(in) :: largest     ! of the absolute values of both parts
      complex(rkind), intent(inout) :: value
      complex(rkind) :: found
      character(:), allocatable :: reason

      if (refused) return
      call constants%evaluate(line%words(word)%text, found, reason)
      if (allocated(reason)) then
         call refuse(line%text(word) // ': ' // reason)
      else if (max(abs(found%re), abs(found%im)) > largest) then
         call refuse(line%text(word) // ' is out of range', 'parts in ' // range_text(-largest, largest))
      else
         value = found
      end if
   end subroutine read_complex

   subroutine read_real(line, word, lowest, highest, value)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      real(rkind), intent(in) :: lowest, highest
      real(rkind), intent(inout) :: value

      if (.not. refused) call real_of(line, word, line%words(word)%text, lowest, highest, value)
   end subroutine read_real

   subroutine real_of(line, word, text, lowest, highest, value)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      character(*), intent(in) :: text
      real(rkind), intent(in) :: lowest, highest
      real(rkind), intent(inout) :: value
      complex(rkind) :: found
      character(:), allocatable :: reason

      call constants%evaluate(text, found, reason)
      if (allocated(reason)) then
         call refuse(line%text(word) // ': ' // reason)
      else if (abs(found%im) > zero) then
         call refuse(line%text(word) // ' is not a real number', range_text(lowest, highest))
      else if (found%re < lowest .or. found%re > highest) then
         call refuse(line%text(word) // ' is out of range', range_text(lowest, highest))
      else
         value = found%re
      end if
   end subroutine real_of

   subroutine read_whole(line, word, lowest, highest, value)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      integer(lkind), intent(in) :: lowest, highest
      integer(lkind), intent(inout) :: value
      integer(lkind) :: found
      character(:), allocatable :: text
      logical :: fine

      if (refused) return
      text = line%words(word)%text
      if (index(text, '-') == 1) then
         fine = whole_of(text(2:), found)
         found = -found
      else
         fine = whole_of(text, found)
      end if
      if (.not. fine) call whole_expression(text, found, fine)
      if (fine) fine = found >= lowest .and. found <= highest
      if (fine) then
         value = found
      else
         call refuse(line%text(word) // ' is not a whole number in the range', &
                     integer_text(lowest) // '..' // integer_text(highest))
      end if
   end subroutine read_whole

   ! Computes an expression that must give a whole number.
   subroutine whole_expression(text, value, fine)
      character(*), intent(in) :: text
      integer(lkind), intent(out) :: value
      logical, intent(out) :: fine
      complex(rkind) :: found
      character(:), allocatable :: reason
      real(rkind), parameter :: largest = 1.0e15_rkind

      value = 0
      call constants%evaluate(text, found, reason)
      fine = .not. allocated(reason)
      if (fine) fine = abs(found%im) <= zero .and. abs(found%re - anint(found%re)) <= zero .and. abs(found%re) <= largest
      if (fine) value = nint(found%re, lkind)
   end subroutine whole_expression

   subroutine read_short(line, word, lowest, highest, value)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      integer(lkind), intent(in) :: lowest, highest
      integer(ikind), intent(inout) :: value
      integer(lkind) :: found

      found = value
      call read_whole(line, word, lowest, highest, found)
      value = int(found, ikind)
   end subroutine read_short

   ! number becomes the index of the name.
   subroutine read_name(line, word, names, number)
      type(field), intent(in) :: line
      integer, intent(in) :: word
      character(*), intent(in) :: names(0:)
      integer(ikind), intent(inout) :: number
      character(:), allocatable :: allowed
      integer(ikind) :: k

      if (refused) return
      allowed = ''
      do k = 0, int(size(names), ikind) - 1
         if (line%words(word)%text == trim(names(k))) then
            number = k
            return
         end if
         if (k > 0) allowed = allowed // ', '
         allowed = allowed // trim(names(k))
      end do
      call refuse(line%text(word), allowed)
   end subroutine read_name

   subroutine read_yes(line, value)
      type(field), intent(in) :: line
      logical, intent(inout) :: value
      integer(ikind) :: number

      number = 0
      call check_words(line, 1, 1, 'yes|no')
      call read_name(line, 1, [character(len=3) :: 'no', 'yes'], number)
      if (.not. refused) value = number == 1
   end subroutine read_yes

   ! Reads numbers and ranges FIRST:LAST:STEP, which are FIRST, FIRST + STEP and so on up to LAST.
   subroutine read_list(line, lowest, highest, values)
      type(field), intent(in) :: line
      real(rkind), intent(in) :: lowest, highest
      real(rkind), allocatable, intent(inout) :: values(:)
      real(rkind) :: limits(3)
      type(text_item), allocatable :: parts(:)
      real(rkind), allocatable :: list(:), room(:)
      integer :: word, k, count

      allocate (list(0))
      do word = 1, size(line%words)
         if (refused) return
         limits = [zero, zero, one]
         call split_range(line%words(word)%text, parts)
         if (size(parts) == 2 .or. size(parts) > 3) call refuse(line%text(word) // ' is neither a number nor FIRST:LAST:STEP')
         do k = 1, size(parts)
            if (.not. refused) call real_of(line, word, parts(k)%text, merge(-huge(zero), lowest, k == 3), &
                                            merge(huge(zero), highest, k == 3), limits(k))
         end do
         if (refused) return
         if (size(parts) == 1) limits(2) = limits(1)
         if (.not. limits(3) > zero) call refuse(line%text(word) // ': the step is not positive')
         if (limits(2) < limits(1)) call refuse(line%text(word) // ': the last value is less than the first')
         if (refused) return
         if ((limits(2) - limits(1)) / limits(3) >= real(most_values - size(list), rkind)) then
            call refuse(line%text(word) // ': ' // real_text(anint((limits(2) - limits(1)) / limits(3))) // &
                        ' values more are too many', '1..' // integer_text(most_values) // ' values of ' // line%key)
            return
         end if
         ! The last value belongs to the range even if rounding has made it a little too large.
         count = int((limits(2) - limits(1)) / limits(3) + 1.0e-9_rkind) + 1
         allocate (room(size(list) + count))
         room(:size(list)) = list
         room(size(list) + 1:) = [(value_in_range(limits(1), limits(2), limits(3), k), k=0, count - 1)]
         call move_alloc(room, list)
      end do
      call move_alloc(list, values)
   end subroutine read_list

   ! Returns value k of a range as its decimal digits would be typed: rounding errors of FIRST + k STEP are removed, which are
   ! relative to the largest value of the range.
   real(rkind) function value_in_range(first, last, step, k) result(value)
      real(rkind), intent(in) :: first, last, step
      integer, intent(in) :: k
      character(len=400) :: digits, form
      integer :: decimals

      value = first
      if (k == 0) return
      value = min(first + k * step, last)
      decimals = 14 - floor(log10(max(abs(first), abs(last))))
      if (decimals < 0 .or. decimals > 300) return
      write (form, '(a, i0, a)') '(f390.', decimals, ')'
      write (digits, form) value
      read (digits, *) value
      if (abs(value) <= zero) value = zero     ! not -0
   end function value_in_range

   subroutine split_range(text, parts)
      character(*), intent(in) :: text
      type(text_item), allocatable, intent(out) :: parts(:)
      integer :: from, past

      allocate (parts(0))
      from = 1
      do while (from <= len(text) + 1)
         past = from - 1 + index(text(from:) // ':', ':')
         call append(parts, text(from:past - 1))
         from = past + 1
      end do
   end subroutine split_range

   ! Takes NAME = EXPRESSION of the section [constants].
   subroutine take_constant(line)
      type(field), intent(in) :: line
      complex(rkind) :: value
      integer :: k

      if (.not. name_allowed(line%key)) then
         call refuse('the name of the constant ' // quoted(line%key) // ' is not allowed', &
                     'a letter, then letters, digits and _, but not pi, i, sqrt, exp, cos or sin')
      else if (constants%index_of(line%key) > 0) then
         call refuse('the constant ' // line%key // ' is given twice')
      end if
      call check_words(line, 1, 1, 'an expression without blanks')
      call read_complex(line, 1, huge(zero), value)
      if (refused) return
      if (allocated(given_names)) then
         do k = 1, size(given_names)
            if (given_names(k)%text /= line%key) cycle
            value = given_values(k)
            given_found(k) = .true.
         end do
      end if
      call constants%set(line%key, value)
   end subroutine take_constant

   logical function name_allowed(name)
      character(*), intent(in) :: name

      name_allowed = is_name(name) .and. .not. is_reserved(name)
   end function name_allowed

   ! Sets a constant from the command line, as NAME=EXPRESSION. `reason` is allocated after an error.
   subroutine set_constant(text, reason)
      character(*), intent(in) :: text
      character(:), allocatable, intent(out) :: reason
      type(constant_table) :: nothing
      complex(rkind) :: value
      integer :: equals

      equals = index(text, '=')
      if (.not. allocated(given_names)) allocate (given_names(0), given_values(0), given_found(0))
      if (equals < 2) then
         reason = 'it is not NAME=VALUE'
      else if (.not. name_allowed(text(:equals - 1))) then
         reason = 'it does not begin with the name of a constant'
      else
         call nothing%evaluate(text(equals + 1:), value, reason)
      end if
      if (allocated(reason)) return
      call append(given_names, text(:equals - 1))
      given_values = [given_values, value]
      given_found = [given_found, .false.]
   end subroutine set_constant

   ! Returns the name of a constant of the command line that the file does not have, or an empty text.
   function check_constants() result(name)
      character(:), allocatable :: name
      integer :: k

      name = ''
      if (.not. allocated(given_names)) return
      do k = 1, size(given_names)
         if (.not. given_found(k)) name = given_names(k)%text
      end do
   end function check_constants

end module spectra_fields
