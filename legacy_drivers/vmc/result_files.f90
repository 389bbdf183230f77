! Result files NAME_energy.dat, NAME_averages.dat and NAME_chains.dat, where NAME is plotname. They depend only on the
! input: the same input gives the same bytes again.
module result_files
   use kinds
   use averages
   use estimates
   use observables
   use output, only: parameters
   use parameter_lists, only: put_list
   use part_files, only: open_files, put_line
   use vmcpar, only: nbins, nchain, npair, plotname, title
   implicit none
   private
   public :: open_result_files, write_result_files

   integer, parameter :: energy_file = 1, averages_file = 2, chains_file = 3
   character(len=13), parameter :: endings(3) = [character(len=13) :: '_energy.dat', '_averages.dat', '_chains.dat']

contains

   subroutine open_result_files(ierr)
      integer(ikind), intent(out) :: ierr
      character(len=len_trim(plotname) + len(endings)) :: names(size(endings))

      names = trim(plotname) // endings
      call open_files(names, ierr)
   end subroutine open_result_files

   subroutine write_result_files(bins, sites)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(in) :: sites(2 * npair, nchain)

      call write_energy(bins)
      call write_averages(bins)
      call write_chains(bins, sites)
   end subroutine write_result_files

   subroutine put_head(file, columns)
      integer, intent(in) :: file
      character(*), intent(in) :: columns

      call put_list(file, 'vmcrvb: ' // title, parameters())
      call put_line(file, '# errors are standard errors; that of a single number is unknown, written as -1')
      call put_line(file, '# columns: ' // columns)
   end subroutine put_head

   ! Writes for each bin the mean over the chains, and the mean of all bins so far.
   subroutine write_energy(bins)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      type(estimate) :: here, running
      character(len=120) :: line
      real(rkind) :: sums(2), number
      integer(ikind) :: bin

      call put_head(energy_file, 'bin, energy per site, error, mean of the bins so far, error')
      sums = zero
      do bin = 1, nbins
         here = mean_of(bins(energy:energy, bin, :))
         sums = sums + [sum(bins(energy, bin, :) - bins(energy, 1, 1)), sum((bins(energy, bin, :) - bins(energy, 1, 1))**2)]
         number = real(bin, rkind) * nchain
         running%mean = bins(energy, 1, 1) + sums(1) / number
         running%error = no_error
         if (number > one) running%error = sqrt(max(sums(2) - sums(1)**2 / number, zero) / (number * (number - one)))
         write (line, '(i8,4es25.16e3)') bin, here%mean, here%error, running%mean, running%error
         call put_line(energy_file, line)
      end do
   end subroutine write_energy

   subroutine write_averages(bins)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      character(len=9), parameter :: names(4) = [character(len=9) :: 'energy', 'kinetic', 'exchange', 'spin_spin']
      integer(ikind), parameter :: values(4) = [energy, kinetic, exchange, spin_spin]
      type(estimate) :: of_bins, of_chains
      character(len=120) :: line
      integer :: i

      call put_head(averages_file, 'what, mean, error from all bins, error from the means of the chains')
      do i = 1, size(values)
         of_bins = mean_of(bins(values(i), :, :))
         of_chains = mean_of(chain_means(bins(values(i), :, :)))
         write (line, '(a,3es25.16e3)') names(i), of_bins%mean, of_bins%error, of_chains%error
         call put_line(averages_file, line)
      end do
   end subroutine write_averages

   subroutine write_chains(bins, sites)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      integer(ikind), intent(in) :: sites(2 * npair, nchain)
      character(len=100 + 12 * npair) :: line
      type(estimate) :: e
      integer(ikind) :: chain

      call put_head(chains_file, 'chain, energy per site, error, sites of the up electrons and of the down ones at the end')
      do chain = 1, nchain
         e = mean_of(bins(energy:energy, :, chain))
         write (line, '(i8,2es25.16e3,*(1x,i0))') chain, e%mean, e%error, sites(:, chain)
         call put_line(chains_file, line)
      end do
   end subroutine write_chains

end module result_files
