! NAME_table.dat, NAME_series.dat and NAME_spins.dat, NAME as plotname says, the last two where they are asked for. Each is
! written beside its place, and all are renamed when all are complete: a run that fails leaves what was there. They depend on
! the input alone, and are the same bytes when it is run again.
module result_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_null_char, c_null_ptr, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use averages
   use CStreams
   use isipar, only: betas, configurations, extents, plotname, time_series, title
   use messages, only: complain, complain_of_c, integer_text
   use output, only: line_length, list_parameters, most_lines
   implicit none
   private
   public :: open_files, put_temperature, put_measurement, put_spins, close_files, leave_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'
   integer, parameter :: table = 1, series = 2, spins_file = 3, nfile = 3
   character(len=6), parameter :: kinds_of_file(nfile) = [character(len=6) :: 'table', 'series', 'spins']
   type(c_ptr) :: stream(nfile) = c_null_ptr
   logical :: wanted(nfile), failed(nfile) = .false., begun(nfile) = .false.

contains

   function file_name(kind) result(name)
      integer, intent(in) :: kind
      character(:), allocatable :: name

      name = trim(plotname) // '_' // trim(kinds_of_file(kind)) // '.dat'
   end function file_name

   ! Before the calculation: whether they can be written here.
   subroutine open_files(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: kind
      logical :: folder

      ierr = 0
      wanted = [.true., time_series, configurations]
      do kind = 1, nfile
         if (ierr /= 0 .or. .not. wanted(kind)) cycle
         inquire (file=file_name(kind) // '/.', exist=folder)
         ierr = merge(1_ikind, 0_ikind, folder)
         if (folder) call complain(file_name(kind) // ': is a directory')
         if (folder) cycle
         stream(kind) = fopen(file_name(kind) // suffix // c_null_char, 'w' // c_null_char)
         begun(kind) = c_associated(stream(kind))
         ierr = merge(0_ikind, 1_ikind, begun(kind))
         if (ierr /= 0) call complain_of_c(file_name(kind) // suffix)
      end do
      if (ierr == 0) call put_heads
      if (any(failed)) ierr = 1
   end subroutine open_files

   ! They tell the parameters.
   subroutine put_heads
      character(len=line_length) :: lines(most_lines)
      integer :: number, i, kind

      call list_parameters(lines, number)
      do kind = 1, nfile
         call put(kind, '# ising_mc: ' // trim(title))
         do i = 1, number
            call put(kind, '#   ' // trim(lines(i)))
         end do
      end do
      call put(table, '# errors are standard errors; that of a single bin is unknown, written as -1')
      call put(table, '# columns: beta, <|m|>, chi_L, U, energy per site, specific heat per site, each but beta with its error')
      call put(series, '# columns: beta, replica, magnetisation per site, energy per site')
      call put(spins_file, '# the spins at the end; for each lattice beta and replica, then a line for each row of x, up +, down -')
   end subroutine put_heads

   subroutine put(kind, text)
      integer, intent(in) :: kind
      character(*), intent(in) :: text
      integer(c_size_t) :: bytes

      if (failed(kind) .or. .not. wanted(kind)) return
      bytes = len(text, c_size_t) + 1
      if (fwrite(text // newline, 1_c_size_t, bytes, stream(kind)) == bytes) return
      failed(kind) = .true.
      call complain_of_c(file_name(kind) // suffix)
   end subroutine put

   subroutine put_temperature(beta, e)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage)
      character(len=line_length) :: line
      integer :: i

      write (line, '(11es25.16e3)') beta, (e(i)%mean, e(i)%error, i=1, naverage)
      call put(table, trim(line))
   end subroutine put_temperature

   subroutine put_measurement(number, replica, magnetisation, energy)
      integer(ikind), intent(in) :: number, replica
      real(rkind), intent(in) :: magnetisation, energy
      character(len=line_length) :: line

      if (.not. time_series) return
      write (line, '(f12.8,i8,2es25.16e3)') betas(number), replica, magnetisation, energy
      call put(series, trim(line))
   end subroutine put_measurement

   subroutine put_spins(number, replica, spins)
      integer(ikind), intent(in) :: number, replica
      integer(int8), intent(in) :: spins(:)
      character(len=line_length) :: line
      character(len=extents(1)) :: row
      integer(lkind) :: first, x

      write (line, '(a,f12.8,i8)') 'beta', betas(number), replica
      call put(spins_file, trim(line))
      do first = 0, size(spins, kind=lkind) - 1, extents(1)
         do x = 1, extents(1)
            row(x:x) = merge('+', '-', spins(first + x) > 0)
         end do
         call put(spins_file, row)
      end do
   end subroutine put_spins

   ! All complete, or none.
   subroutine close_files(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: kind

      do kind = 1, nfile
         call finish(kind)
      end do
      ierr = merge(1_ikind, 0_ikind, any(failed))
      do kind = 1, nfile
         if (ierr /= 0 .or. .not. wanted(kind)) cycle
         ierr = rename_file(file_name(kind) // suffix // c_null_char, file_name(kind) // c_null_char)
         if (ierr /= 0) call complain_of_c(file_name(kind))
         begun(kind) = ierr /= 0
      end do
   end subroutine close_files

   subroutine finish(kind)
      integer, intent(in) :: kind
      integer(ikind) :: failure

      if (.not. c_associated(stream(kind))) return
      failure = fflush(stream(kind))
      if (failure /= 0 .and. .not. any(failed)) call complain_of_c(file_name(kind) // suffix)
      failed(kind) = failed(kind) .or. failure /= 0
      failure = fclose(stream(kind))
      if (failure /= 0 .and. .not. any(failed)) call complain_of_c(file_name(kind) // suffix)
      failed(kind) = failed(kind) .or. failure /= 0
      stream(kind) = c_null_ptr
   end subroutine finish

   ! After an error: nothing is left behind.
   subroutine leave_files
      integer(ikind) :: unused
      integer :: kind

      do kind = 1, nfile
         if (c_associated(stream(kind))) unused = fclose(stream(kind))
         stream(kind) = c_null_ptr
         if (begun(kind)) unused = remove_file(file_name(kind) // suffix // c_null_char)
      end do
   end subroutine leave_files

end module result_files
