! Result files NAME_table.dat, NAME_series.dat and NAME_spins.dat, where NAME is plotname; the last two are optional.
! They depend only on the input: the same input gives the same bytes again.
module result_files
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use averages
   use estimates, only: estimate
   use isipar, only: betas, configurations, extents, has_demons, plotname, time_series, title
   use output, only: parameters
   use parameter_lists, only: put_list
   use part_files, only: open_files, put_line
   implicit none
   private
   public :: open_result_files, put_temperature, put_measurement, put_spins

   integer, parameter :: table = 1, series = 2, spins_file = 3, nfile = 3
   character(len=11), parameter :: endings(nfile) = [character(len=11) :: '_table.dat', '_series.dat', '_spins.dat']

contains

   subroutine open_result_files(ierr)
      integer(ikind), intent(out) :: ierr
      character(len=len_trim(plotname) + len(endings)) :: names(nfile)
      integer :: file

      names = trim(plotname) // endings
      if (.not. time_series) names(series) = ' '
      if (.not. configurations) names(spins_file) = ' '
      call open_files(names, ierr)
      if (ierr /= 0) return
      do file = 1, nfile
         call put_list(file, 'ising_mc: ' // title, parameters())
      end do
      call put_line(table, '# errors are standard errors; that of a single bin is unknown, written as -1')
      if (has_demons) call put_line(table, '# behind each row the beta of the demons and its error, -1 where unknown')
      call put_line(table, &
         '# columns: beta, <|m|>, chi_L, U, energy per site, specific heat per site, each but beta with its error')
      call put_line(series, '# columns: beta, replica, magnetisation per site, energy per site')
      call put_line(spins_file, &
         '# the spins at the end; for each lattice beta and replica, then a line for each row of x, up +, down -')
   end subroutine open_result_files

   subroutine put_temperature(beta, e, of_demons)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage), of_demons
      character(len=300) :: line
      integer :: i

      write (line, '(11es25.16e3)') beta, (e(i)%mean, e(i)%error, i=1, naverage)
      call put_line(table, line)
      if (.not. has_demons) return
      write (line, '(a,2es25.16e3)') '# beta of the demons', of_demons
      call put_line(table, line)
   end subroutine put_temperature

   subroutine put_measurement(number, replica, magnetisation, energy)
      integer(ikind), intent(in) :: number, replica
      real(rkind), intent(in) :: magnetisation, energy
      character(len=300) :: line

      if (.not. time_series) return
      write (line, '(es25.16e3,i8,2es25.16e3)') betas(number), replica, magnetisation, energy
      call put_line(series, line)
   end subroutine put_measurement

   subroutine put_spins(number, replica, spins)
      integer(ikind), intent(in) :: number, replica
      integer(int8), intent(in) :: spins(:)
      character(len=300) :: line
      character(len=extents(1)) :: row
      integer(lkind) :: first, x

      write (line, '(a,es25.16e3,i8)') 'beta', betas(number), replica
      call put_line(spins_file, line)
      do first = 0, size(spins, kind=lkind) - 1, extents(1)
         do x = 1, extents(1)
            row(x:x) = merge('+', '-', spins(first + x) > 0)
         end do
         call put_line(spins_file, row)
      end do
   end subroutine put_spins

end module result_files
