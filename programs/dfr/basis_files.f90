! Files of basis sets. A file has the sets of all elements for one error. The sets are not contracted.
module basis_files
   use kinds
   use basis_formats
   use basis_sets, only: basis_set
   use legato
   use library_errors
   use messages, only: complain, integer_text, quoted
   implicit none
   private
   public :: file_name, write_sets

contains

   ! `form` is the position of the format in its lists.
   function file_name(output, error, form) result(name)
      character(*), intent(in) :: output
      real(rkind), intent(in) :: error
      integer, intent(in) :: form
      character(:), allocatable :: name

      name = output // '-' // short_text(error) // trim(format_extensions(form))
   end function file_name

   ! Returns a number such as 5e-9 or 1.5e-6.
   function short_text(value) result(text)
      real(rkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=30) :: buffer
      real(rkind) :: mantissa
      integer :: power

      write (buffer, '(es12.3e2)') value
      read (buffer(:index(buffer, 'E') - 1), *) mantissa
      read (buffer(index(buffer, 'E') + 1:), *) power
      write (buffer, '(f6.3)') mantissa
      text = trim(adjustl(buffer))
      text = text(:verify(text, '0', back=.true.))
      if (text(len(text):) == '.') text = text(:len(text) - 1)
      text = text // 'e' // integer_text(int(power, ikind))
   end function short_text

   ! Writes a file. The sets are those of one error. Without any set there is no file. lost becomes true if the file cannot
   ! be written, which is reported.
   subroutine write_sets(context, file, form, conditions, sets, lost)
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: file, conditions
      integer, intent(in) :: form
      type(basis_set), intent(in) :: sets(:)
      logical, intent(inout) :: lost
      type(legato_dfr_basis_sets) :: list
      integer :: k, stat
      character(len=400) :: message

      if (.not. any(sets%found)) then
         call complain(quoted(file) // ' is not written, because there are no sets for it')
         return
      end if
      call list%create(context, stat, message)
      call stop_on_library(stat, message)
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         call list%add(sets(k)%element, sets(k)%of_species, sets(k)%of_all_species, stat, message)
         call stop_on_library(stat, message)
      end do
      call list%write(file, format_numbers(form), file(index(file, '/', back=.true.) + 1:index(file, '.', back=.true.) - 1), &
                      'Dirac-Fock, average of the ground configuration, ' // conditions // ', error at most ' // &
                      short_text(sets(1)%allowed) // ', written by dfr_basis of Legato', stat, message)
      if (stat /= LEGATO_STATUS_SUCCESS) call complain(trim(message))
      lost = lost .or. stat /= LEGATO_STATUS_SUCCESS
   end subroutine write_sets

end module basis_files
