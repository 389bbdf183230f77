! NAME_energy.dat, NAME_averages.dat and NAME_chains.dat, NAME as plotname says. Each is written beside its place, and all are
! renamed when all are complete: a run that fails leaves what was there. They depend on the input alone, and are the same
! bytes when it is run again.
module result_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_null_char, c_null_ptr, c_ptr, c_size_t
   use kinds
   use averages
   use CStreams
   use messages, only: complain, complain_of_c
   use observables
   use output, only: line_length, list_parameters, most_lines
   use vmcpar, only: nbins, nchain, npair, plotname, title
   implicit none
   private
   public :: check_places, write_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'
   character(len=9), parameter :: kinds_of_file(3) = [character(len=9) :: 'energy', 'averages', 'chains']
   type(c_ptr) :: stream = c_null_ptr
   integer(ikind) :: failure     ! of what is written to it

contains

   function file_name(kind) result(name)
      character(*), intent(in) :: kind
      character(:), allocatable :: name

      name = trim(plotname) // '_' // trim(kind) // '.dat'
   end function file_name

   ! Before the calculation: whether they can be written here.
   subroutine check_places(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: i

      ierr = 0
      do i = 1, size(kinds_of_file)
         if (ierr == 0) call check_place(file_name(kinds_of_file(i)), ierr)
      end do
   end subroutine check_places

   subroutine check_place(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr
      type(c_ptr) :: trial
      logical :: folder

      inquire (file=name // '/.', exist=folder)
      ierr = merge(1_ikind, 0_ikind, folder)
      if (folder) call complain(name // ': is a directory')
      if (folder) return
      trial = fopen(name // suffix // c_null_char, 'w' // c_null_char)
      ierr = merge(0_ikind, 1_ikind, c_associated(trial))
      if (ierr == 0) ierr = fclose(trial)
      if (ierr == 0) ierr = remove_file(name // suffix // c_null_char)
      if (ierr /= 0) call complain_of_c(name // suffix)
   end subroutine check_place

   subroutine write_files(bins, sites, ierr)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(in) :: sites(2 * npair, nchain)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: unused
      integer :: i

      call write_energy(bins, ierr)
      if (ierr == 0) call write_averages(bins, ierr)
      if (ierr == 0) call write_chains(bins, sites, ierr)
      do i = 1, size(kinds_of_file)
         if (ierr == 0) call move(file_name(kinds_of_file(i)), ierr)
      end do
      if (ierr == 0) return
      do i = 1, size(kinds_of_file)
         unused = remove_file(file_name(kinds_of_file(i)) // suffix // c_null_char)
      end do
   end subroutine write_files

   subroutine move(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      ierr = rename_file(name // suffix // c_null_char, name // c_null_char)
      if (ierr /= 0) call complain_of_c(name)
   end subroutine move

   ! The head, which tells the parameters.
   subroutine begin(kind, columns)
      character(*), intent(in) :: kind, columns
      character(len=line_length) :: lines(most_lines)
      integer :: number, i

      stream = fopen(file_name(kind) // suffix // c_null_char, 'w' // c_null_char)
      failure = merge(0_ikind, 1_ikind, c_associated(stream))
      if (failure /= 0) call complain_of_c(file_name(kind) // suffix)
      if (failure /= 0) return
      call put('# vmcrvb: ' // trim(title))
      call list_parameters(lines, number)
      do i = 1, number
         call put('#   ' // trim(lines(i)))
      end do
      call put('# errors are standard errors; that of a single number is unknown, written as -1')
      call put('# columns: ' // columns)
   end subroutine begin

   subroutine put(text)
      character(*), intent(in) :: text
      integer(c_size_t) :: bytes

      bytes = len(text, c_size_t) + 1
      if (failure == 0) failure = merge(0_ikind, 1_ikind, fwrite(text // newline, 1_c_size_t, bytes, stream) == bytes)
   end subroutine put

   subroutine finish(kind, ierr)
      character(*), intent(in) :: kind
      integer(ikind), intent(out) :: ierr

      ierr = 1
      if (.not. c_associated(stream)) return
      if (failure == 0) failure = fflush(stream)
      if (failure /= 0) call complain_of_c(file_name(kind) // suffix)
      ierr = failure
      if (fclose(stream) /= 0) then
         if (ierr == 0) call complain_of_c(file_name(kind) // suffix)
         ierr = 1
      end if
      stream = c_null_ptr
   end subroutine finish

   ! Bin by bin, means over the chains; and from the first bin on.
   subroutine write_energy(bins, ierr)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(out) :: ierr
      type(estimate) :: here, running
      character(len=line_length) :: line
      real(rkind) :: sums(2), number
      integer(ikind) :: bin

      call begin('energy', 'bin, energy per site, error, mean of the bins so far, error')
      sums = zero
      do bin = 1, nbins
         if (failure /= 0) exit
         here = mean_of(bins(energy:energy, bin, :))
         sums = sums + [sum(bins(energy, bin, :) - bins(energy, 1, 1)), sum((bins(energy, bin, :) - bins(energy, 1, 1))**2)]
         number = real(bin, rkind) * nchain
         running%mean = bins(energy, 1, 1) + sums(1) / number
         running%error = no_error
         if (number > one) running%error = sqrt(max(sums(2) - sums(1)**2 / number, zero) / (number * (number - one)))
         write (line, '(i8,4es25.16e3)') bin, here%mean, here%error, running%mean, running%error
         call put(trim(line))
      end do
      call finish('energy', ierr)
   end subroutine write_energy

   subroutine write_averages(bins, ierr)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(out) :: ierr
      character(len=9), parameter :: names(4) = [character(len=9) :: 'energy', 'kinetic', 'exchange', 'spin_spin']
      integer(ikind), parameter :: values(4) = [energy, kinetic, exchange, spin_spin]
      type(estimate) :: of_bins, of_chains
      character(len=line_length) :: line
      integer :: i

      call begin('averages', 'what, mean, error from all bins, error from the means of the chains')
      do i = 1, size(values)
         of_bins = mean_of(bins(values(i), :, :))
         of_chains = mean_of(chain_means(bins(values(i), :, :)))
         write (line, '(a,3es25.16e3)') names(i), of_bins%mean, of_bins%error, of_chains%error
         if (failure == 0) call put(trim(line))
      end do
      call finish('averages', ierr)
   end subroutine write_averages

   subroutine write_chains(bins, sites, ierr)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(in) :: sites(2 * npair, nchain)
      integer(ikind), intent(out) :: ierr
      character(len=100 + 12 * npair) :: line
      type(estimate) :: e
      integer(ikind) :: chain

      call begin('chains', 'chain, energy per site, error, sites of the up electrons and of the down ones at the end')
      do chain = 1, nchain
         if (failure /= 0) exit
         e = mean_of(bins(energy:energy, :, chain))
         write (line, '(i8,2es25.16e3,*(1x,i0))') chain, e%mean, e%error, sites(:, chain)
         call put(trim(line))
      end do
      call finish('chains', ierr)
   end subroutine write_chains

end module result_files
