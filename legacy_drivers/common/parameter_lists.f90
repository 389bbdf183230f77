! Lists of the parameters on which a program's results depend, as "name = value". They are printed, and written at the
! head of the result files.
module parameter_lists
   use kinds
   use messages, only: integer_text, print_line, real_text
   use part_files, only: put_line
   implicit none
   private
   public :: parameter_list, add, print_list, put_list

   type parameter_list
      integer :: column                       ! column of the equals signs
      integer :: number = 0
      character(len=300) :: lines(30)
   end type parameter_list

   interface add
      module procedure add_text, add_integer, add_real
   end interface

contains

   subroutine add_text(list, name, value)
      type(parameter_list), intent(inout) :: list
      character(*), intent(in) :: name, value

      list%number = list%number + 1
      list%lines(list%number) = name
      list%lines(list%number)(list%column:) = '= ' // value
   end subroutine add_text

   subroutine add_integer(list, name, value)
      type(parameter_list), intent(inout) :: list
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: value

      call add(list, name, integer_text(value))
   end subroutine add_integer

   subroutine add_real(list, name, value)
      type(parameter_list), intent(inout) :: list
      character(*), intent(in) :: name
      real(rkind), intent(in) :: value

      call add(list, name, real_text(value))
   end subroutine add_real

   subroutine print_list(list)
      type(parameter_list), intent(in) :: list
      integer :: i

      do i = 1, list%number
         call print_line('   ' // list%lines(i))
      end do
   end subroutine print_list

   ! Writes the first lines of result file number i.
   subroutine put_list(i, title, list)
      integer, intent(in) :: i
      character(*), intent(in) :: title
      type(parameter_list), intent(in) :: list
      integer :: k

      call put_line(i, '# ' // title)
      do k = 1, list%number
         call put_line(i, '#   ' // list%lines(k))
      end do
   end subroutine put_list

end module parameter_lists
