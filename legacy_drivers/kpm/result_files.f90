! Result files moments.dat and dos.dat. They depend only on the input: the same input gives the same bytes again.
module result_files
   use kinds
   use kpmpar
   use averages
   use messages, only: integer_text
   use output, only: parameters
   use parameter_lists, only: put_list
   use part_files, only: open_files, put_line
   use spectrum, only: node_energy
   implicit none
   private
   public :: open_result_files, write_result_files

   integer, parameter :: moments_file = 1, density_file = 2

contains

   subroutine open_result_files(ierr)
      integer(ikind), intent(out) :: ierr

      call open_files([character(len=11) :: 'moments.dat', 'dos.dat'], ierr)
   end subroutine open_result_files

   subroutine write_result_files(moments, density)
      type(average), intent(in) :: moments, density
      character(len=100) :: line
      integer(ikind) :: i

      call put_head(moments_file, 'n, mu_n, error', moments)
      do i = 1, size(moments%mean, kind=ikind)
         write (line, '(i8,2es25.16e3)') i - 1, moments%mean(i), standard_error(moments, i)
         call put_line(moments_file, line)
      end do
      call put_head(density_file, 'energy, density of states for each site, error', density)
      do i = 1, size(density%mean, kind=ikind)
         write (line, '(3es25.16e3)') node_energy(i), density%mean(i), standard_error(density, i)
         call put_line(density_file, line)
      end do
   end subroutine write_result_files

   subroutine put_head(file, columns, values)
      integer, intent(in) :: file
      character(*), intent(in) :: columns
      type(average), intent(in) :: values
      character(len=100) :: line

      call put_list(file, 'kpmdos: ' // title, parameters())
      write (line, '(2(a,es24.16e3))') 'centre     = ', centre, ', half_width = ', half_width
      call put_line(file, '#   ' // line)
      call put_line(file, '# errors: ' // origin_of_errors(values))
      call put_line(file, '# columns: ' // columns)
   end subroutine put_head

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
