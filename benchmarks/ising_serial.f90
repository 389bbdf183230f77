! Runs the serial routines of ising_mc for the benchmark, with all spins up at the start. Returns the seconds of
! `sweeps` sweeps, without the `before` sweeps before them. measure_every = 0: no measurements.
subroutine serial_ising(dimension, length, demons, beta, before, sweeps, measure_every, seconds) bind(c)
   use, intrinsic :: iso_c_binding
   use kinds
   use isipar
   implicit none
   integer(c_int32_t), value :: dimension, length, demons     ! 0: none, 1: naive, 2: binomial, 3: microcanonical
   real(c_double), value :: beta
   integer(c_int64_t), value :: before, sweeps, measure_every
   real(c_double), intent(out) :: seconds
   integer(lkind) :: first, stretch, begin, end, rate
   integer(ikind) :: ierr
   real(rkind) :: m, e
   external :: ising_measure, ising_update

   dimensions = dimension
   extents = [length, length, merge(length, 1, dimension == 3)]
   nsite = product(int(extents, lkind))
   antiperiodic = .false.
   betas(1) = beta
   field = zero
   generator = 'marsaglia_zaman'
   by_philox = .false.
   has_demons = demons > 0
   naive = demons == 1
   canonical = demons < 3
   seed = 3141592
   start = 'up'
   replicas = 1
   thermalisation = int(before, ikind)
   refresh_interval = 1
   call ising_update(1_ikind, 1_ikind, 0_lkind, before, ierr)
   stretch = merge(measure_every, sweeps, measure_every > 0)
   call system_clock(begin, rate)
   do first = before, before + sweeps - stretch, stretch
      call ising_update(1_ikind, 1_ikind, first, stretch, ierr)
      if (measure_every > 0) call ising_measure(m, e)
   end do
   call system_clock(end)
   seconds = real(end - begin, rkind) / rate
end subroutine serial_ising
