! The parameters of the input file, and quantities that follow from them.

module limits
   use kinds
   implicit none
   public

   integer(ikind), parameter :: maxtit = 200        ! characters of the title
   integer(ikind), parameter :: maxlen = 63         ! largest L
   integer(ikind), parameter :: maxchn = 1048576    ! Markov chains in all
   integer(ikind), parameter :: maxswp = 1000000000
   integer(ikind), parameter :: maxbin = 1048576
   integer(ikind), parameter :: maxfac = 100
   integer(ikind), parameter :: maxatt = 1000000000
   real(rkind), parameter :: maxval_energy = 1.0e6_rkind
end module limits

! $model, $state, $sampling, $start and $output
module vmcpar
   use kinds
   use limits, only: maxtit
   use input_lines, only: longest_line
   implicit none
   public

   character(len=maxtit) :: title
   real(rkind) :: t, tp, tpp, jex                          ! hopping to the first, second, third neighbours; exchange
   integer(ikind) :: l                                     ! cluster of L^2 + 1 sites
   real(rkind) :: x                                        ! hole doping
   real(rkind) :: delta, mu                                ! gap and chemical potential of the trial state
   character(len=longest_line) :: gap                      ! 'A', 'B'
   integer(ikind) :: nmarkov, naveseeds                    ! Markov chains per seed; number of seeds
   integer(ikind) :: iseedseed
   integer(ikind) :: neqlsweeps, nsweeps, nfac, nbins      ! thermalisation; sweeps; attempts per electron; bins
   integer(ikind) :: nrecalc                               ! sweeps between recomputed inverses
   real(rkind) :: neifrac                                  ! share of attempts to neighbours
   real(rkind) :: selfrac                                  ! not used
   integer(ikind) :: nattemptmax                           ! attempts at a starting configuration
   real(rkind) :: conditionnumbermin                       ! smallest reciprocal condition number of its matrix
   character(len=longest_line) :: plotname                 ! beginning of the file names

   integer(ikind) :: nsite, npair, nchain                  ! sites; pairs of electrons; chains in all

contains

   ! Returns the number of pairs in Ns (1 - x) electrons, which are rounded up to an even number.
   pure function pairs_at(nsite, x) result(npair)
      integer(ikind), intent(in) :: nsite
      real(rkind), intent(in) :: x
      integer(ikind) :: npair

      npair = ceiling(nsite * (one - x) / two - 1.0e-9_rkind, ikind)
   end function pairs_at

end module vmcpar

! Observables that a chain measures after each sweep: energies per site, <S.S> per bond of nearest neighbours.
module observables
   use kinds
   implicit none
   public

   integer(ikind), parameter :: energy = 1, kinetic = 2, exchange = 3, spin_spin = 4, energy_squared = 5
   integer(ikind), parameter :: nvalue = 5

   ! Indices of the counts of attempts: the outcome, and how the target was selected.
   integer(ikind), parameter :: attempts = 1, nulls = 2, hops = 3, hops_accepted = 4, exchanges = 5, exchanges_accepted = 6
   integer(ikind), parameter :: ncount = 6
   integer(ikind), parameter :: any_site = 1, neighbour = 2
end module observables
