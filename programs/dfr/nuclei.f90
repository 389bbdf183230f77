! Names of nuclear models on a command line.
module nuclei
   use kinds
   use command_line, only: refuse
   use messages, only: quoted
   implicit none
   private
   public :: nucleus_name, read_nucleus

   character(len=8), parameter :: names(4) = ['point   ', 'sphere  ', 'gaussian', 'fermi   ']     ! the models 1, 2, 3, 4

contains

   pure function nucleus_name(model) result(name)
      integer, intent(in) :: model
      character(:), allocatable :: name

      name = trim(names(model))
   end function nucleus_name

   subroutine read_nucleus(value, model, ierr)
      character(*), intent(in) :: value
      integer, intent(inout) :: model
      integer(ikind), intent(inout) :: ierr
      integer :: found

      do found = 1, size(names)
         if (names(found) /= value) cycle
         model = found
         return
      end do
      call refuse('--nucleus ' // quoted(value) // ' is not one of point, sphere, gaussian, fermi', ierr)
   end subroutine read_nucleus

end module nuclei
