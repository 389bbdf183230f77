! Lists of elements on a command line.
module element_lists
   use kinds
   use command_line, only: refuse
   use legato, only: dfr_symbol
   use messages, only: quoted
   implicit none
   private
   public :: wanted_element, read_elements

   type wanted_element
      integer(ikind) :: z
      logical :: by_name     ! named by itself, not within a range
   end type wanted_element

contains

   ! Reads items separated by commas: an element, by symbol or charge, or a range of elements. An element that is named
   ! twice is taken once.
   subroutine read_elements(list, wanted, ierr)
      character(*), intent(in) :: list
      type(wanted_element), allocatable, intent(inout) :: wanted(:)
      integer(ikind), intent(inout) :: ierr
      integer :: from, past, dash
      integer(ikind) :: first, last, z

      from = 1
      do while (from <= len(list) + 1 .and. ierr == 0)
         past = from - 1 + index(list(from:) // ',', ',')
         associate (item => list(from:past - 1))
            dash = index(item, '-')
            if (dash > 0) then
               first = element_of(item(:dash - 1))
               last = element_of(item(dash + 1:))
            else
               first = element_of(item)
               last = first
            end if
            if (first == 0 .or. last < first) then
               call refuse('--elements ' // quoted(item) // &
                           ' (allowed: an element, Xe or 54, or a range, He-Ne or 2-10)', ierr)
            else
               do z = first, last
                  if (all(wanted%z /= z)) wanted = [wanted, wanted_element(z, .false.)]
                  if (dash == 0) wanted%by_name = wanted%by_name .or. wanted%z == z
               end do
            end if
         end associate
         from = past + 1
      end do
   end subroutine read_elements

   ! Returns the charge of an element given by its symbol or charge, or 0 if there is no such element.
   function element_of(text) result(z)
      character(*), intent(in) :: text
      integer(ikind) :: z
      character(len=2) :: symbol
      character(:), allocatable :: found
      integer :: status

      z = 0
      found = ''
      if (len(text) < 1 .or. len(text) > 3) return
      if (verify(text, '0123456789') == 0) then
         read (text, *, iostat=status) z
         if (status == 0) found = dfr_symbol(z)
         if (status /= 0 .or. len(found) == 0) z = 0
         return
      end if
      if (len(text) > 2 .or. verify(text, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') > 0) return
      symbol = text
      if (symbol(1:1) >= 'a') symbol(1:1) = achar(iachar(symbol(1:1)) - 32)
      if (symbol(2:2) >= 'A' .and. symbol(2:2) <= 'Z') symbol(2:2) = achar(iachar(symbol(2:2)) + 32)
      do
         z = z + 1
         found = dfr_symbol(z)
         if (found == symbol) return
         if (len(found) == 0) exit
      end do
      z = 0
   end function element_of

end module element_lists
