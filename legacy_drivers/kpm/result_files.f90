! moments.dat and dos.dat. Each is written beside its place, and both are renamed when both are complete: a run that fails
! leaves what was there. They depend on the input alone, and are the same bytes when it is run again.
module result_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_null_char, c_ptr, c_size_t
   use kinds
   use kpmpar
   use averages
   use CStreams
   use messages, only: complain, complain_of_c, integer_text
   use output, only: line_length, list_parameters, most_lines
   use spectrum, only: node_energy
   implicit none
   private
   public :: check_places, write_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'
   character(*), parameter :: moments_name = 'moments.dat', density_name = 'dos.dat'

contains

   ! Before the calculation: whether they can be written here.
   subroutine check_places(ierr)
      integer(ikind), intent(out) :: ierr

      call check_place(moments_name, ierr)
      if (ierr == 0) call check_place(density_name, ierr)
   end subroutine check_places

   subroutine check_place(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr
      type(c_ptr) :: stream
      logical :: folder

      inquire (file=name // '/.', exist=folder)
      ierr = merge(1_ikind, 0_ikind, folder)
      if (folder) call complain(name // ': is a directory')
      if (folder) return
      stream = fopen(name // suffix // c_null_char, 'w' // c_null_char)
      ierr = merge(0_ikind, 1_ikind, c_associated(stream))
      if (ierr == 0) ierr = fclose(stream)
      if (ierr == 0) ierr = remove_file(name // suffix // c_null_char)
      if (ierr /= 0) call complain_of_c(name // suffix)
   end subroutine check_place

   subroutine write_files(moments, density, ierr)
      type(average), intent(in) :: moments, density
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: unused

      call write_part(moments_name, 'n, mu_n, error', moments, .false., ierr)
      if (ierr == 0) call write_part(density_name, 'energy, density of states for each site, error', density, .true., ierr)
      if (ierr == 0) call move(moments_name, ierr)
      if (ierr == 0) call move(density_name, ierr)
      if (ierr == 0) return
      unused = remove_file(moments_name // suffix // c_null_char)
      unused = remove_file(density_name // suffix // c_null_char)
   end subroutine write_files

   subroutine move(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      ierr = rename_file(name // suffix // c_null_char, name // c_null_char)
      if (ierr /= 0) call complain_of_c(name)
   end subroutine move

   subroutine write_part(name, columns, values, with_energies, ierr)
      character(*), intent(in) :: name, columns
      type(average), intent(in) :: values
      logical, intent(in) :: with_energies
      integer(ikind), intent(out) :: ierr
      character(len=line_length) :: lines(most_lines)
      character(len=100) :: line
      type(c_ptr) :: stream
      integer :: number
      integer(ikind) :: i

      stream = fopen(name // suffix // c_null_char, 'w' // c_null_char)
      ierr = merge(0_ikind, 1_ikind, c_associated(stream))
      if (ierr /= 0) call complain_of_c(name // suffix)
      if (ierr /= 0) return
      call put('# kpmdos: ' // trim(title))
      call list_parameters(lines, number)
      do i = 1, int(number, ikind)
         call put('#   ' // trim(lines(i)))
      end do
      write (line, '(2(a,es24.16e3))') 'centre     = ', centre, ', half_width = ', half_width
      call put('#   ' // trim(line))
      call put('# errors: ' // origin_of_errors(values))
      call put('# columns: ' // columns)
      do i = 1, size(values%mean, kind=ikind)
         if (with_energies) then
            write (line, '(3es25.16e3)') node_energy(i), values%mean(i), standard_error(values, i)
         else
            write (line, '(i8,2es25.16e3)') i - 1, values%mean(i), standard_error(values, i)
         end if
         call put(trim(line))
      end do
      if (ierr == 0) ierr = fflush(stream)
      if (ierr /= 0) call complain_of_c(name // suffix)
      if (fclose(stream) == 0) return
      if (ierr == 0) call complain_of_c(name // suffix)
      ierr = 1

   contains

      subroutine put(text)
         character(*), intent(in) :: text
         integer(c_size_t) :: bytes

         bytes = len(text, c_size_t) + 1
         if (ierr == 0) ierr = merge(0_ikind, 1_ikind, fwrite(text // newline, 1_c_size_t, bytes, stream) == bytes)
      end subroutine put

   end subroutine write_part

   function origin_of_errors(values) result(text)
      type(average), intent(in) :: values
      character(:), allocatable :: text

      if (values%samples < 2) then
         text = 'unknown from a single sample, written as -1'
         if (vectors == 'sites') text = 'of the trace none, written as -1: all sites, a single realisation'
      else if (nreal > 1) then
         text = 'from the spread over ' // integer_text(values%samples) // ' realisations'
      else
         text = 'from the spread over ' // integer_text(values%samples) // ' vectors'
      end if
   end function origin_of_errors

end module result_files
