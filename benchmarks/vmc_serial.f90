! Runs the serial markov_chain for the benchmark. Returns the seconds of sweeps with a measurement after each, without
! start and thermalisation.
subroutine serial_vmc(length, share, warm_up, sweeps, seconds, energy_of_bins, failed) bind(c)
   use, intrinsic :: iso_c_binding
   use kinds
   use observables, only: energy, ncount, nvalue
   use vmcpar
   implicit none
   integer(c_int32_t), value :: length, warm_up, sweeps
   real(c_double), value :: share
   real(c_double), intent(out) :: seconds, energy_of_bins(2)
   integer(c_int32_t), intent(out) :: failed
   real(rkind), allocatable :: bins(:, :)
   integer(ikind), allocatable :: sites(:)
   integer(lkind) :: moves(ncount, 2), begin, end, rate
   external :: markov_chain

   t = one
   tp = zero
   tpp = zero
   jex = 0.3_rkind
   l = length
   delta = 1.5_rkind
   mu = zero
   gap = 'A'
   nsite = l**2 + 1_ikind
   npair = pairs_at(nsite, 0.1_rkind)
   nchain = 1
   iseedseed = 13213
   neqlsweeps = warm_up
   nfac = 1
   nbins = 1
   nrecalc = 20
   neifrac = share
   nattemptmax = 1000
   conditionnumbermin = 1.0e-7_rkind
   allocate (bins(nvalue, 1), sites(2 * npair))
   seconds = zero
   do nsweeps = 1, sweeps + 1, sweeps     ! two runs, of 1 and of 1 + sweeps; the difference counts
      call system_clock(begin, rate)
      call markov_chain(1_ikind, bins, sites, moves, failed)
      call system_clock(end)
      seconds = real(end - begin, rkind) / rate - seconds
      energy_of_bins = bins(energy, 1)
   end do
end subroutine serial_vmc
