! ISING_MC - the Ising model on square and simple cubic lattices by Monte Carlo: magnetisation, susceptibility, Binder
! cumulant, energy and specific heat at one or several temperatures, with errors.
!
! ising_update, ising_measure, ising_spins and ising_demons may be replaced at link time.
!
! Usage: ising_mc name.inp. Up to three files are written to the current directory. The exit status is 0, or 1 after an
! error.

program ising_mc
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use kinds
   use averages
   use estimates, only: estimate
   use isipar, only: betas, bins, canonical, configurations, has_demons, measurements_per_bin, nbeta, nsite, replicas, &
      sweeps_per_measurement, thermalisation
   use input, only: read_input
   use messages
   use observables, only: nvalue
   use output
   use part_files, only: close_files
   use result_files
   use results
   use run_control
   implicit none

   interface
      subroutine ising_update(number, replica, first_sweep, sweeps, ierr)
         import :: ikind, lkind
         integer(ikind), intent(in) :: number, replica
         integer(lkind), intent(in) :: first_sweep, sweeps
         integer(ikind), intent(out) :: ierr
      end subroutine ising_update

      subroutine ising_measure(magnetisation, energy)
         import :: rkind
         real(rkind), intent(out) :: magnetisation, energy
      end subroutine ising_measure

      subroutine ising_spins(spins, ierr)
         use, intrinsic :: iso_fortran_env, only: int8
         use isipar, only: sites => nsite
         import :: ikind
         integer(int8), intent(out) :: spins(sites)
         integer(ikind), intent(out) :: ierr
      end subroutine ising_spins

      subroutine ising_demons(number, beta, error)
         import :: ikind, rkind
         integer(ikind), intent(in) :: number
         real(rkind), intent(out) :: beta, error
      end subroutine ising_demons
   end interface

   type(estimate) :: of_temperature(naverage), of_demons
   integer(ikind) :: ierr, number, replica
   real(rkind) :: began, before, seconds_sweeps

   began = clock()
   call begin_run('ising_mc')
   call read_input(input_argument(), ierr)
   call stop_on(ierr)
   call write_parameters
   call stop_on_lost_output
   call allocate_results
   call open_result_files(ierr)
   call stop_on(ierr)
   seconds_sweeps = zero
   do number = 1, nbeta
      before = clock()
      do replica = 1, replicas
         call run_lattice(bin_means(:, (replica - 1) * bins + 1:replica * bins, number))
      end do
      seconds_sweeps = seconds_sweeps + (clock() - before)
      if (has_demons .and. .not. canonical) then
         of_temperature = averages_of(means_of_lattices(bin_means(:, :, number), replicas), betas(number))
      else
         of_temperature = averages_of(bin_means(:, :, number), betas(number))
      end if
      if (has_demons) call ising_demons(number, of_demons%mean, of_demons%error)
      call write_temperature(betas(number), of_temperature, of_demons)
      call put_temperature(betas(number), of_temperature, of_demons)
   end do
   call write_times(seconds_sweeps, clock() - began)
   call stop_on_lost_output
   call close_files(ierr)
   call stop_on(ierr)

contains

   subroutine allocate_results
      integer :: status
      integer(lkind) :: bins_each, megabytes

      bins_each = int(bins, lkind) * replicas
      status = 1
      if (bins_each <= huge(0_ikind)) allocate (bin_means(nvalue, bins_each, nbeta), stat=status)
      if (status == 0 .and. configurations) allocate (spins(nsite), stat=status)
      megabytes = (8_lkind * nvalue * bins_each * nbeta + merge(nsite, 0_lkind, configurations)) / 1000000
      if (status /= 0) call complain('not enough memory: bins and configurations need ' // integer_text(megabytes) // ' MB')
      call stop_on(merge(0_ikind, 1_ikind, status == 0))
   end subroutine allocate_results

   ! Runs one replica at one temperature, from its start to its last measurement.
   subroutine run_lattice(bin_means)
      real(rkind), intent(out) :: bin_means(nvalue, bins)
      integer(lkind) :: sweep
      integer(ikind) :: bin, measurement
      real(rkind) :: m, e

      sweep = 0
      if (thermalisation > 0) call advance(sweep, thermalisation)
      do bin = 1, bins
         bin_means(:, bin) = zero
         do measurement = 1, measurements_per_bin
            call advance(sweep, sweeps_per_measurement)
            call ising_measure(m, e)
            bin_means(:, bin) = bin_means(:, bin) + [abs(m), m**2, m**4, e, e**2]
            call put_measurement(number, replica, m, e)
         end do
         bin_means(:, bin) = bin_means(:, bin) / measurements_per_bin
      end do
      if (.not. all(ieee_is_finite(bin_means))) then
         call complain('beta ' // real_text(betas(number)) // ': a measurement is not a finite number')
         call stop_on(1_ikind)
      end if
      if (.not. configurations) return
      call ising_spins(spins, ierr)
      call stop_on(ierr)
      call put_spins(number, replica, spins)

   end subroutine run_lattice

   subroutine advance(sweep, sweeps)
      integer(lkind), intent(inout) :: sweep
      integer(ikind), intent(in) :: sweeps

      call ising_update(number, replica, sweep, int(sweeps, lkind), ierr)
      call stop_on(ierr)
      sweep = sweep + sweeps
   end subroutine advance

end program ising_mc
