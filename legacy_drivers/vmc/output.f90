! What is printed: the parameters and the summary.
module output
   use kinds
   use averages
   use messages, only: fixed, integer_text, print_line, real_text
   use observables
   use vmcpar
   implicit none
   private
   public :: list_parameters, write_parameters, write_chain, write_summary

   integer, parameter, public :: line_length = 300, most_lines = 30

contains

   ! All that the numbers depend on: for standard output and for the head of each file.
   subroutine list_parameters(lines, number)
      character(len=line_length), intent(out) :: lines(most_lines)
      integer, intent(out) :: number

      number = 0
      call add('t', real_text(t))
      call add('tp', real_text(tp))
      call add('tpp', real_text(tpp))
      call add('Jex', real_text(jex))
      call add_integer('L', l)
      call add('x', real_text(x))
      call add('Delta', real_text(delta))
      call add('mu', real_text(mu))
      call add('gap', trim(gap))
      call add_integer('nMarkov', nmarkov)
      call add_integer('naveseeds', naveseeds)
      call add_integer('iseedseed', iseedseed)
      call add_integer('neqlsweeps', neqlsweeps)
      call add_integer('nsweeps', nsweeps)
      call add_integer('nfac', nfac)
      call add_integer('nbins', nbins)
      call add_integer('nrecalc', nrecalc)
      call add('neifrac', real_text(neifrac))
      call add('selfrac', real_text(selfrac) // ' (has no meaning here)')
      call add_integer('nattemptmax', nattemptmax)
      call add('ConditionNumberMin', real_text(conditionnumbermin))

   contains

      subroutine add(name, value)
         character(*), intent(in) :: name, value

         number = number + 1
         write (lines(number), '(a,t20,2a)') name, '= ', value
      end subroutine add

      subroutine add_integer(name, value)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: value

         call add(name, integer_text(int(value, lkind)))
      end subroutine add_integer

   end subroutine list_parameters

   subroutine write_parameters
      character(len=line_length) :: lines(most_lines)
      integer :: number, i

      call print_line(' VMCRVB: the projected d-wave BCS state by variational Monte Carlo')
      call print_line(' ' // title)
      call print_line('')
      call list_parameters(lines, number)
      do i = 1, number
         call print_line('   ' // lines(i))
      end do
      call print_line('')
      call print_line(' Cluster: ' // integer_text(int(nsite, lkind)) // ' sites, ' // &
         integer_text(2_lkind * npair) // ' electrons, doping ' // fixed(one - 2 * npair / real(nsite, rkind), 4))
      call print_line(' Chains: ' // integer_text(int(nchain, lkind)))
   end subroutine write_parameters

   subroutine write_chain(chain, bins, seconds)
      integer(ikind), intent(in) :: chain
      real(rkind), intent(in) :: bins(nvalue, nbins), seconds
      type(estimate) :: e

      e = mean_of(bins(energy:energy, :))
      call print_line(' Chain ' // integer_text(int(chain, lkind)) // ': energy ' // fixed(e%mean, 8) // &
         ', error ' // trim(adjustl(error_text(e%error))) // ', ' // fixed(seconds, 3) // ' s')
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
         correlation_text(bins) // ' sweeps')
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
         character(len=line_length) :: line

         of_bins = mean_of(bins(value, :, :))
         of_chains = mean_of(chain_means(bins(value, :, :)))
         write (line, '(3x,a,t14,f18.12,2a)') name, of_bins%mean, error_text(of_bins%error), error_text(of_chains%error)
         call print_line(line)
      end subroutine write_average

      subroutine write_moves(name, count)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: count
         character(len=line_length) :: line

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

   ! Integrated, 0.5 where sweeps are independent.
   function correlation_text(bins) result(text)
      real(rkind), intent(in) :: bins(nvalue, nbins, nchain)
      character(:), allocatable :: text
      type(estimate) :: e

      e = mean_of(bins(energy, :, :))
      text = 'unknown,'
      if (e%error > no_error .and. variance(bins) > zero) &
         text = fixed(e%error**2 * nsweeps * nchain / (two * variance(bins)), 2)
   end function correlation_text

   function error_text(error) result(text)
      real(rkind), intent(in) :: error
      character(len=13) :: text

      text = '      unknown'
      if (error > no_error) write (text, '(es13.3)') error
   end function error_text

end module output
