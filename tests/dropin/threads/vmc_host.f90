! A program in which each thread has its own run. Variables that differ between runs are threadprivate.
module vmcpar
   use kinds
   implicit none
   public

   real(rkind) :: t = 1, tp = 0, tpp = 0, jex = 0.4_rkind, delta = 1, mu = 0, neifrac = 0.5_rkind
   real(rkind) :: conditionnumbermin = 1.0e-8_rkind
   character(len=1) :: gap = 'A'
   integer(ikind) :: l = 3, neqlsweeps = 2, nsweeps = 8, nfac = 1, nbins = 2, nrecalc = 4, nattemptmax = 1000
   integer(ikind) :: nsite = 10, npair = 4, nchain = 2, iseedseed = 1
   !$omp threadprivate(iseedseed)
end module vmcpar

module observables
   use kinds
   implicit none
   public

   integer(ikind), parameter :: energy = 1, kinetic = 2, exchange = 3, spin_spin = 4, energy_squared = 5, nvalue = 5
   integer(ikind), parameter :: attempts = 1, nulls = 2, hops = 3, hops_accepted = 4, exchanges = 5, exchanges_accepted = 6
   integer(ikind), parameter :: ncount = 6
   integer(ikind), parameter :: any_site = 1, neighbour = 2
end module observables

module host
   use kinds
   use observables, only: ncount, nvalue
   use vmcpar, only: iseedseed, nchain
   implicit none
   private
   public :: number_of_values, realise

   integer, parameter :: number_of_values = 2 * nvalue * 2

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(rkind), intent(out) :: values(number_of_values)
      real(rkind) :: bins(nvalue, 2)
      integer(ikind) :: sites(8), ierr, chain
      integer(lkind) :: moves(ncount, 2)
      external :: markov_chain

      iseedseed = r
      do chain = 1, nchain
         call markov_chain(chain, bins, sites, moves, ierr)
         if (ierr /= 0) error stop 'markov_chain'
         values((chain - 1) * size(bins) + 1:chain * size(bins)) = reshape(bins, [size(bins)])
      end do
   end subroutine realise
end module host
