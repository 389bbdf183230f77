! Helpers of the other modules: errors by stat= and errmsg=, and conversion of C strings. Users do not need them.
module legato_support
   use legato_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: finish, outside, differs, parts_of, no_group, species_differ, decimal, from_c

   interface decimal
      procedure :: decimal_short, decimal_long
   end interface decimal

contains

   subroutine finish(status, message, stat, errmsg)
      integer, intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) then
         write (error_unit, '(2a)') 'legato: ', message
         flush (error_unit) ! the message must come before that of the run-time library
         stop 1, quiet=.true.
      end if
      stat = status
      if (present(errmsg)) errmsg = message
   end subroutine finish

   ! Returns true and reports an error if `number` is not in 1..most. The library's own message would count from 0.
   function outside(field, number, most, stat, errmsg)
      character(*), intent(in) :: field
      integer(c_int64_t), intent(in) :: number, most
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: outside

      outside = number < 1 .or. number > most
      if (outside) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), field//': '//decimal(number)//' is not in 1..'// &
                               decimal(most), stat, errmsg)
   end function outside

   ! Returns the real and imaginary parts of complex numbers.
   function parts_of(numbers, count) result(parts)
      type(c_ptr), intent(in) :: numbers
      integer(c_int64_t), intent(in) :: count
      real(c_double), pointer :: parts(:)

      call c_f_pointer(numbers, parts, [2 * count])
   end function parts_of

   ! Returns true and reports an error if the extents of an array differ from those wanted.
   function differs(field, extents, wanted, stat, errmsg)
      character(*), intent(in) :: field
      integer, intent(in) :: extents(:), wanted(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: differs

      differs = any(extents /= wanted)
      if (differs) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), field//': '//product_of(extents)// &
                               ' elements are not '//product_of(wanted), stat, errmsg)
   end function differs

   function product_of(extents) result(text)
      integer, intent(in) :: extents(:)
      character(:), allocatable :: text
      integer :: i

      text = decimal(extents(1))
      do i = 2, size(extents)
         text = text//' x '//decimal(extents(i))
      end do
   end function product_of

   ! Returns true and reports an error if a group is not in 1..groups. The library's own message would count from 0.
   function no_group(field, group, groups, stat, errmsg)
      character(*), intent(in) :: field
      integer, intent(in) :: group(:), groups
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_group
      integer :: wrong

      wrong = findloc(group >= 1 .and. group <= groups, .false., dim=1)
      no_group = wrong > 0
      if (no_group) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), field//'.group('//decimal(wrong)//'): '// &
                                decimal(group(wrong))//' is not in 1..'//decimal(groups), stat, errmsg)
   end function no_group

   ! Returns true and reports an error unless these are the arrays of a basis with n species in `groups` groups, and of
   ! its atom.
   function species_differ(caller, n, first, closed, electrons, groups, pairs, group, stat, errmsg)
      character(*), intent(in) :: caller
      integer, intent(in) :: n, first(:), closed(:), groups
      real(c_double), intent(in) :: electrons(:)
      real(c_double), intent(in), optional :: pairs(:, :)
      integer, intent(in), optional :: group(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: species_differ

      species_differ = .true.
      if (differs(caller // '.first', shape(first), [n], stat, errmsg)) return
      if (differs(caller // '.closed', shape(closed), [n], stat, errmsg)) return
      if (differs(caller // '.electrons', shape(electrons), [n], stat, errmsg)) return
      if (present(pairs)) then
         if (differs(caller // '.pairs', shape(pairs), [n, n], stat, errmsg)) return
      end if
      if (present(group)) then
         if (differs(caller // '.group', shape(group), [n], stat, errmsg)) return
         if (no_group(caller, group, groups, stat, errmsg)) return
      end if
      species_differ = .false.
   end function species_differ

   function decimal_short(number) result(digits)
      integer, intent(in) :: number
      character(:), allocatable :: digits

      digits = decimal(int(number, c_int64_t))
   end function decimal_short

   function decimal_long(number) result(digits)
      integer(c_int64_t), intent(in) :: number
      character(:), allocatable :: digits
      character(20) :: buffer

      write (buffer, '(i0)') number
      digits = trim(buffer)
   end function decimal_long

   function from_c(text) result(string)
      type(c_ptr), intent(in) :: text
      character(:), allocatable :: string
      character(kind=c_char), pointer :: characters(:)
      integer :: length

      if (.not. c_associated(text)) then
         string = ''
         return
      end if
      call c_f_pointer(text, characters, [65536])
      length = 0
      do while (characters(length + 1) /= c_null_char)
         length = length + 1
      end do
      allocate (character(length) :: string)
      string = transfer(characters(:length), string)
   end function from_c
end module legato_support
