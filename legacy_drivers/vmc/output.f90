! Printed output: the parameters and the summary.
module output
   use kinds
   use averages
   use estimates
   use messages, only: fixed, integer_text, print_line, real_text
   use observables
   use parameter_lists
   use vmcpar
   implicit none
   private
   public :: parameters, write_parameters, write_chain, write_summary

contains

   ! Returns all parameters on which the results depend, for standard output and for the head of each file.
   function parameters() result(list)
      type(parameter_list) :: list

      list%column = 20
      call add(list, 't', t)
      call add(list, 'tp', tp)
      call add(list, 'tpp', tpp)
      call add(list, 'Jex', jex)
      call add(list, 'L', l)
      call add(list, 'x', x)
      call add(list, 'Delta', delta)
      call add(list, 'mu', mu)
      call add(list, 'gap', trim(gap))
      call add(list, 'nMarkov', nmarkov)
      call add(list, 'naveseeds', naveseeds)
      call add(list, 'iseedseed', iseedseed)
      call add(list, 'neqlsweeps', neqlsweeps)
      call add(list, 'nsweeps', nsweeps)
      call add(list, 'nfac', nfac)
      call add(list, 'nbins', nbins)
      call add(list, 'nrecalc', nrecalc)
      call add(list, 'neifrac', neifrac)
      call add(list, 'selfrac', real_text(selfrac) // ' (has no meaning here)')
      call add(list, 'nattemptmax', nattemptmax)
      call add(list, 'ConditionNumberMin', conditionnumbermin)
   end function parameters

   subroutine write_parameters
      call print_line(' VMCRVB: the projected d-wave BCS state by variational Monte Carlo')
      call print_line(' ' // title)
      call print_line('')
      call print_list(parameters())
      call print_line('')
      call print_line(' Cluster: ' // integer_text(nsite) // ' sites, ' // &
         integer_text(2_lkind * npair) // ' electrons, doping ' // fixed(one - 2 * npair / real(nsite, rkind), 4))
      call print_line(' Chains: ' // integer_text(nchain))
   end subroutine write_parameters

   subroutine write_chain(chain, bins, seconds)
      integer(ikind), intent(in) :: chain
      real(rkind), intent(in) :: bins(nvalue, nbins), seconds
      type(estimate) :: e

      e = mean_of(bins(energy:energy, :))
      call print_line(' Chain ' // integer_text(chain) // ': energy ' // fixed(e%mean, 8) // &
         ', error ' // trim(adjustl(error_text(e%error, 13, 3))) // ', ' // fixed(seconds, 3) // ' s')
   end subroutine write_chain

   subroutine write_summary(bins, moves, seconds_chains, seconds)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain), seconds_chains, seconds
      integer(lkind), intent(in) :: moves(ncount, 2)
      real(rkind) :: sweeps

      sweeps = (real(neqlsweeps, rkind) + nsweeps) * nchain
      call print_line('')
      call print_line(' Averages (energies per site)       error    from chains')
      call write_average('energy', energy)
      call write_average('kinetic', kinetic)
      call write_average('exchange', exchange)
      call write_average('<S.S>', spin_spin)
      call print_line(' Variance of the energy: ' // fixed(variance(bins), 9) // ', autocorrelation time ' // &
         correlation_text(bins))
      call print_line('')
      call print_line(' Attempts          any site      neighbour')
      call write_moves('all', attempts)
      call write_moves('null', nulls)
      call write_moves('hops', hops)
      call write_moves('  accepted', hops_accepted)
      call write_moves('exchanges', exchanges)
      call write_moves('  accepted', exchanges_accepted)
      call print_line('')
      call print_line(' Chains: ' // fixed(seconds_chains, 4) // ' s, ' // fixed(1.0e6_rkind * seconds_chains / sweeps, 3) // &
         ' us per sweep')
      call print_line(' In all: ' // fixed(seconds, 4) // ' s')

   contains

      subroutine write_average(name, value)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: value
         type(estimate) :: of_bins, of_chains
         character(len=13) :: name_column
         character(:), allocatable :: mean

         of_bins = mean_of(bins(value, :, :))
         of_chains = mean_of(chain_means(bins(value, :, :)))
         name_column = '   ' // name
         mean = fixed(of_bins%mean, 12)
         call print_line(name_column // repeat(' ', max(1, 18 - len(mean))) // mean // error_text(of_bins%error, 13, 3) // &
            error_text(of_chains%error, 13, 3))
      end subroutine write_average

      subroutine write_moves(name, count)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: count
         character(len=100) :: line

         write (line, '(3x,a,t14,i14,i15)') name, moves(count, :)
         call print_line(line)
      end subroutine write_moves

   end subroutine write_summary

   pure function variance(bins) result(value)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      real(rkind) :: value
      type(estimate) :: e, square

      e = mean_of(bins(energy, :, :))
      square = mean_of(bins(energy_squared, :, :))
      value = max(square%mean - e%mean**2, zero)
   end function variance

   ! Returns the integrated autocorrelation time; it is 0.5 if sweeps are independent.
   function correlation_text(bins) result(text)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      character(:), allocatable :: text
      type(estimate) :: e

      e = mean_of(bins(energy, :, :))
      text = 'unknown'
      if (e%error > no_error .and. variance(bins) > zero) &
         text = fixed(e%error**2 * nsweeps * nchain / (two * variance(bins)), 2) // ' sweeps'
   end function correlation_text

end module output
