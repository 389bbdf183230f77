! Numbers that are written as expressions, such as sqrt(3)/2 or 0.1*exp(i*phi).
module expressions
   use kinds
   use messages, only: quoted
   use command_line, only: text_item, append
   implicit none
   private
   public :: constant_table, is_name, is_reserved

   character(*), parameter :: digits = '0123456789', letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'
   character(*), parameter :: functions(4) = [character(len=4) :: 'sqrt', 'exp', 'cos', 'sin']

   ! The named constants, which expressions may use.
   type constant_table
      type(text_item), allocatable, private :: names(:)
      complex(rkind), allocatable, private :: values(:)
   contains
      procedure :: set, index_of, evaluate
   end type constant_table

   ! An expression that is being read. `at` is the position of the next character. `reason` is allocated after an error.
   type parser
      character(:), allocatable :: text, reason
      integer :: at = 1, depth = 0
   contains
      procedure :: next_is, fail
   end type parser

   integer, parameter :: deepest = 100     ! levels of brackets, signs and powers

contains

   ! Returns true if the text has the form of a name: a letter, then letters, digits and underscores.
   pure logical function is_name(text)
      character(*), intent(in) :: text

      is_name = len(text) > 0
      if (is_name) is_name = verify(text(1:1), letters) == 0 .and. verify(text, letters // digits) == 0
   end function is_name

   ! Returns true if expressions use this name for something else.
   pure logical function is_reserved(name)
      character(*), intent(in) :: name

      is_reserved = name == 'i' .or. name == 'pi' .or. any(functions == name)
   end function is_reserved

   ! Adds a constant, or gives it another value.
   subroutine set(this, name, value)
      class(constant_table), intent(inout) :: this
      character(*), intent(in) :: name
      complex(rkind), intent(in) :: value
      integer :: k

      if (.not. allocated(this%names)) allocate (this%names(0), this%values(0))
      k = this%index_of(name)
      if (k > 0) then
         this%values(k) = value
      else
         call append(this%names, name)
         this%values = [this%values, value]
      end if
   end subroutine set

   ! Returns the number of a constant, or 0 if there is none of this name.
   pure integer function index_of(this, name)
      class(constant_table), intent(in) :: this
      character(*), intent(in) :: name
      integer :: k

      index_of = 0
      if (.not. allocated(this%names)) return
      do k = 1, size(this%names)
         if (this%names(k)%text == name) index_of = k
      end do
   end function index_of

   ! Computes the value of an expression. After an error, `reason` says what is wrong; otherwise it is not allocated.
   subroutine evaluate(this, text, value, reason)
      use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
      class(constant_table), intent(in) :: this
      character(*), intent(in) :: text
      complex(rkind), intent(out) :: value
      character(:), allocatable, intent(out) :: reason
      type(parser) :: line

      value = zero
      line%text = text
      call sum_of(this, line, value)
      if (.not. allocated(line%reason) .and. line%at <= len(text)) &
         call line%fail(quoted(text(line%at:)) // ' is not expected in an expression')
      if (.not. allocated(line%reason)) then
         if (.not. (ieee_is_finite(value%re) .and. ieee_is_finite(value%im))) call line%fail('it is not a finite number')
      end if
      if (allocated(line%reason)) call move_alloc(line%reason, reason)
   end subroutine evaluate

   ! Goes on if the next character is this one.
   logical function next_is(this, letter)
      class(parser), intent(inout) :: this
      character, intent(in) :: letter

      next_is = .false.
      if (this%at > len(this%text) .or. allocated(this%reason)) return
      next_is = this%text(this%at:this%at) == letter
      if (next_is) this%at = this%at + 1
   end function next_is

   subroutine fail(this, reason)
      class(parser), intent(inout) :: this
      character(*), intent(in) :: reason

      if (.not. allocated(this%reason)) this%reason = reason
   end subroutine fail

   recursive subroutine sum_of(table, line, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value
      complex(rkind) :: term

      call product_of(table, line, value)
      do
         if (line%next_is('+')) then
            call product_of(table, line, term)
            value = value + term
         else if (line%next_is('-')) then
            call product_of(table, line, term)
            value = value - term
         else
            exit
         end if
      end do
   end subroutine sum_of

   recursive subroutine product_of(table, line, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value
      complex(rkind) :: factor

      call signed(table, line, value)
      do
         if (line%next_is('*')) then
            call signed(table, line, factor)
            value = times(value, factor)
         else if (line%next_is('/')) then
            call signed(table, line, factor)
            if (abs(factor) <= zero) call line%fail('there is a division by zero')
            if (allocated(line%reason)) return
            value = over(value, factor)
         else
            exit
         end if
      end do
   end subroutine product_of

   ! Multiplies without making a real number complex: 0 * infinity would give NaN in the other part.
   elemental complex(rkind) function times(a, b)
      complex(rkind), intent(in) :: a, b

      if (abs(a%im) <= zero .and. abs(b%im) <= zero) then
         times = cmplx(a%re * b%re, zero, rkind)
      else
         times = a * b
      end if
   end function times

   elemental complex(rkind) function over(a, b)
      complex(rkind), intent(in) :: a, b

      if (abs(b%im) <= zero) then
         over = cmplx(a%re / b%re, a%im / b%re, rkind)
      else
         over = a / b
      end if
   end function over

   ! Reads a factor with its sign. A power binds more tightly than a sign: -2^2 = -4.
   recursive subroutine signed(table, line, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value
      complex(rkind) :: exponent

      value = zero
      line%depth = line%depth + 1
      if (line%depth > deepest) call line%fail('it has too many levels of brackets, signs or powers')
      if (allocated(line%reason)) return
      if (line%next_is('-')) then
         call signed(table, line, value)
         value = -value
      else if (line%next_is('+')) then
         call signed(table, line, value)
      else
         call atom(table, line, value)
         if (line%next_is('^')) then
            call signed(table, line, exponent)
            call raise(line, value, exponent)
         end if
      end if
      line%depth = line%depth - 1
   end subroutine signed

   subroutine raise(line, value, exponent)
      type(parser), intent(inout) :: line
      complex(rkind), intent(inout) :: value
      complex(rkind), intent(in) :: exponent
      integer, parameter :: largest = 1000

      if (allocated(line%reason)) return
      if (abs(exponent%im) > zero .or. abs(exponent%re) > largest) then
         call line%fail('an exponent is not a real number in -1000..1000')
      else if (abs(value) <= zero .and. exponent%re <= zero) then
         call line%fail('0 has a power that is not positive')
      else if (abs(exponent%re - anint(exponent%re)) <= zero .and. abs(value%im) <= zero) then
         value = value%re**nint(exponent%re)
      else if (abs(exponent%re - anint(exponent%re)) <= zero) then
         value = value**nint(exponent%re)
      else if (abs(value%im) > zero .or. value%re < zero) then
         call line%fail('a number that is not positive has a power that is not a whole number')
      else
         value = value%re**exponent%re
      end if
   end subroutine raise

   ! Reads a number, a name, a function or brackets.
   recursive subroutine atom(table, line, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value
      integer :: past, k

      value = zero
      if (line%next_is('(')) then
         call in_brackets(table, line, value)
         return
      end if
      if (line%at > len(line%text)) then
         call line%fail('the expression ends too early')
      else if (index(digits // '.', line%text(line%at:line%at)) > 0) then
         call number(line, value)
      else if (index(letters, line%text(line%at:line%at)) > 0) then
         past = line%at + verify(line%text(line%at:) // ' ', letters // digits) - 1
         associate (name => line%text(line%at:past - 1))
            line%at = past
            k = table%index_of(name)
            if (name == 'pi') then
               value = pi
            else if (name == 'i') then
               value = (zero, one)
            else if (any(functions == name)) then
               call function_of(table, line, name, value)
            else if (k > 0) then
               value = table%values(k)
            else
               call line%fail('there is no constant ' // quoted(name))
            end if
         end associate
      else
         call line%fail(quoted(line%text(line%at:)) // ' is not expected in an expression')
      end if
   end subroutine atom

   recursive subroutine in_brackets(table, line, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value

      call sum_of(table, line, value)
      if (.not. line%next_is(')')) call line%fail('a bracket is not closed')
   end subroutine in_brackets

   recursive subroutine function_of(table, line, name, value)
      class(constant_table), intent(in) :: table
      type(parser), intent(inout) :: line
      character(*), intent(in) :: name
      complex(rkind), intent(out) :: value
      complex(rkind) :: argument

      value = zero
      if (.not. line%next_is('(')) call line%fail(name // ' has no argument in brackets')
      if (allocated(line%reason)) return
      call in_brackets(table, line, argument)
      if (name /= 'exp' .and. abs(argument%im) > zero) call line%fail('the argument of ' // name // ' is not real')
      if (name == 'sqrt' .and. argument%re < zero) call line%fail('the argument of sqrt is negative')
      if (allocated(line%reason)) return
      select case (name)
      case ('sqrt')
         value = sqrt(argument%re)
      case ('exp')
         value = exp(argument%re) * cmplx(rounded(cos(argument%im)), rounded(sin(argument%im), argument%im), rkind)
      case ('cos')
         value = rounded(cos(argument%re))
      case ('sin')
         value = rounded(sin(argument%re), argument%re)
      end select
   end subroutine function_of

   ! Returns 0 instead of a rounding error of 0, so that exp(i*pi) is real. A sine may be small if its argument is small.
   elemental real(rkind) function rounded(value, argument)
      real(rkind), intent(in) :: value
      real(rkind), intent(in), optional :: argument

      rounded = value
      if (present(argument)) then
         if (abs(argument) < one) return
      end if
      if (abs(value) < 1.0e-15_rkind) rounded = zero
   end function rounded

   ! Reads digits with a decimal point, and an exponent.
   subroutine number(line, value)
      type(parser), intent(inout) :: line
      complex(rkind), intent(out) :: value
      integer :: past, sign, last, status
      real(rkind) :: found

      value = zero
      associate (text => line%text // '  ')
         past = line%at + verify(text(line%at:), digits // '.') - 1
         if (index('eE', text(past:past)) > 0) then
            sign = merge(1, 0, index('+-', text(past + 1:past + 1)) > 0)
            last = past + sign + verify(text(past + 1 + sign:), digits)
            if (last > past + 1 + sign) past = last
         end if
         read (text(line%at:past - 1), *, iostat=status) found
         if (status /= 0 .or. scan(text(line%at:past - 1), digits) == 0) then
            call line%fail(quoted(text(line%at:past - 1)) // ' is not a number')
         else
            value = found
            line%at = past
         end if
      end associate
   end subroutine number

end module expressions
