! ising_update, ising_measure, ising_spins and ising_demons of ising_mc, computed by Legato. Compile this file with the
! program's own modules in place of the old source files, and link with Legato and its Fortran modules. Lattices are
! updated in groups, only as far ahead of the program's requests as is needed to keep the processors busy. Measurements
! and spins are returned when the program asks for them. Each thread of the program has its own run and, if
! LEGATO_CHECKPOINT is set, its own file. The environment variables LEGATO_BACKEND and LEGATO_LOG set the backend and
! the log level, because the program cannot pass options.
module legato_ising_dropin
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato_c
   use legato_dropin
   use isipar, only: algorithm, antiperiodic, betas, bins, configurations, dimensions, extents, field, generator, &
      measurements_per_bin, nbeta, nsite, refresh_interval, replicas, seed, start, sweeps_per_measurement, thermalisation
   implicit none
   private
   public :: advance_to, begin_lattice, take_measurement, get_spins, get_beta_of_demons, finish

   integer, parameter :: most_at_once = 65536     ! largest number of measurements that are fetched
   real(c_double), parameter :: seconds_at_once = 0.2_c_double

   ! The state of a thread's run, zero at first.
   type :: run_state
      type(c_ptr) :: ising
      type(legato_checkpoint) :: checkpoint

      ! The current lattice: `system` is its number, from 0, and `measurement` its current measurement, from 1. The
      ! library has finished `done` measurements. The arrays below contain `fetched` of them, which follow the first
      ! `before`.
      integer(c_int64_t) :: system, measurement, done, before, fetched
      real(c_double) :: magnetisations(most_at_once), energies(most_at_once)

      ! Beta and its error as measured by the demons at each temperature; set when all lattices of a temperature are
      ! finished.
      real(c_double) :: betas_of_demons(2, size(betas))
   end type run_state

contains

   ! Returns the calling thread's state.
   function run()
      type(run_state), pointer :: run

      call c_f_pointer(storage(storage_size(run), destroy), run)
   end function run

   ! Begins a new run, or resumes one that was killed.
   subroutine begin_run(failed)
      logical, intent(out) :: failed
      type(legato_ising_params), target :: params
      real(c_double), target :: own_betas(nbeta)
      integer(c_int32_t) :: status
      integer(c_int64_t) :: hash
      integer(c_int64_t), target :: own_seed
      type(run_state), pointer :: r

      failed = no_context()
      if (failed) return
      r => run()
      call finish
      status = legato_ising_params_init_sized(params, c_sizeof(params))
      call take_parameters(params)
      own_betas = betas(:nbeta)
      own_seed = seed
      hash = legato_checkpoint_hash(0_c_int64_t, c_loc(params), c_sizeof(params))
      hash = legato_checkpoint_hash(hash, c_loc(own_betas), c_sizeof(own_betas))
      hash = legato_checkpoint_hash(hash, c_loc(own_seed), c_sizeof(own_seed))
      call begin_checkpoint(r%checkpoint, 'ising', hash, failed)
      if (failed) return
      if (r%checkpoint%there /= 0) then
         call resume(r, params, own_betas, own_seed, failed)
      else
         failed = refused(legato_ising_create(context(), params, int(nbeta, c_int64_t), own_betas, 1_c_int64_t, &
                                              [own_seed], r%ising))
      end if
      if (.not. failed .and. generator /= 'philox') &
         call warn('ising: random numbers are from Philox, not from generator = ' // trim(generator))
   end subroutine begin_run

   subroutine resume(r, params, own_betas, own_seed, failed)
      type(run_state), intent(inout) :: r
      type(legato_ising_params), intent(in) :: params
      real(c_double), intent(in) :: own_betas(:)
      integer(c_int64_t), intent(in) :: own_seed
      logical, intent(out) :: failed
      type(legato_ising_params) :: saved_params
      real(c_double) :: saved_betas(size(own_betas))
      integer(c_int64_t) :: saved_seed(1)
      integer(c_signed_char) :: byte(0)

      failed = refused(legato_ising_resume(context(), r%checkpoint%path, r%ising))
      if (failed) return
      saved_params = params
      failed = legato_ising_get_params(r%ising, saved_params) /= LEGATO_STATUS_SUCCESS
      if (.not. failed) failed = legato_ising_get_betas(r%ising, size(own_betas, kind=c_int64_t), &
         saved_betas) /= LEGATO_STATUS_SUCCESS
      if (.not. failed) failed = legato_ising_get_seeds(r%ising, 1_c_int64_t, saved_seed) /= LEGATO_STATUS_SUCCESS
      if (.not. failed) failed = any(transfer(saved_params, byte) /= transfer(params, byte)) .or. saved_seed(1) /= own_seed &
         .or. any(transfer(saved_betas, byte) /= transfer(own_betas, byte))
      if (failed) call refuse_checkpoint(r%checkpoint)
   end subroutine resume

   ! Stores the result of the demons when all lattices of a temperature are finished.
   subroutine take_beta_of_demons(r, number, failed)
      type(run_state), intent(inout) :: r
      integer(c_int64_t), intent(in) :: number
      logical, intent(out) :: failed
      type(legato_ising_averages) :: averages

      averages%struct_size = c_sizeof(averages)
      failed = refused(legato_ising_result(r%ising, number - 1, averages))
      if (.not. failed) r%betas_of_demons(:, number) = [averages%demon_beta, averages%demon_beta_error]
   end subroutine take_beta_of_demons

   ! Returns beta and its error as measured by the demons, each -1 if it is unknown. Only this procedure uses
   ! ieee_arithmetic: if the module used it, gfortran would save and restore the floating-point environment, 0.4 us, in
   ! every external procedure below.
   subroutine get_beta_of_demons(number, beta, error)
      use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
      integer(c_int32_t), intent(in) :: number
      real(c_double), intent(out) :: beta, error
      real(c_double) :: both(2)
      type(run_state), pointer :: r

      r => run()
      both = r%betas_of_demons(:, number)
      where (ieee_is_nan(both)) both = -1
      beta = both(1)
      error = both(2)
   end subroutine get_beta_of_demons

   subroutine take_parameters(params)
      type(legato_ising_params), intent(inout) :: params
      character(*), parameter :: names(0:3) = [character(len=20) :: 'metropolis', 'demon_naive', 'demon_binomial', &
         'demon_microcanonical']

      params%dimension = dimensions
      params%algorithm = int(findloc(names == algorithm, .true., dim=1), c_int32_t) - 1
      params%extents = extents
      params%boundary = merge(LEGATO_ISING_BOUNDARY_ANTIPERIODIC, LEGATO_ISING_BOUNDARY_PERIODIC, antiperiodic)
      params%replicas = replicas
      params%field = field
      params%thermalisation = thermalisation
      params%sweeps_per_measurement = sweeps_per_measurement
      params%measurements_per_bin = measurements_per_bin
      params%bins = bins
      params%refresh_interval = refresh_interval
      params%start = merge(LEGATO_ISING_START_RANDOM, LEGATO_ISING_START_UP, start == 'random')
      params%time_series = 1
   end subroutine take_parameters

   ! Selects lattice `replica` at temperature `number`. The first lattice begins the run.
   subroutine begin_lattice(number, replica, failed)
      integer(c_int32_t), intent(in) :: number, replica
      logical, intent(out) :: failed
      type(run_state), pointer :: r

      failed = .false.
      if (number == 1 .and. replica == 1) call begin_run(failed)
      if (failed) return
      r => run()
      failed = .not. c_associated(r%ising)
      if (failed) then
         write (error_unit, '(a)') 'legato: ising_update: a thread must ask for the first lattice before any other'
         return
      end if
      r%system = int(number - 1, c_int64_t) * replicas + replica - 1
      r%done = 0
      r%before = 0
      r%fetched = 0
   end subroutine begin_lattice

   ! Selects the measurement after `sweeps` sweeps, and lets the library compute and return it if necessary.
   subroutine advance_to(sweeps, failed)
      integer(c_int64_t), intent(in) :: sweeps
      logical, intent(inout) :: failed
      type(run_state), pointer :: r

      r => run()
      if (failed) return
      r%measurement = (sweeps - thermalisation) / sweeps_per_measurement
      if (r%measurement <= r%before + r%fetched) return
      do while (.not. failed .and. r%done < r%measurement)
         failed = refused(legato_ising_advance_system(r%ising, r%system, r%measurement, seconds_at_once, r%done))
         if (save_is_due(r%checkpoint)) call saved(r%checkpoint, legato_ising_save(r%ising, r%checkpoint%path))
      end do
      if (failed) return
      r%before = r%before + r%fetched
      r%fetched = min(r%done - r%before, int(most_at_once, c_int64_t))
      failed = refused(legato_ising_measurements(r%ising, r%system, r%before, r%fetched, r%magnetisations, r%energies))
      if (.not. failed .and. algorithm /= 'metropolis' .and. ends_temperature(r)) &
         call take_beta_of_demons(r, r%system / replicas + 1, failed)
   end subroutine advance_to

   ! Returns true if the last measurement of the last lattice of a temperature has been fetched.
   pure logical function ends_temperature(r)
      type(run_state), intent(in) :: r

      ends_temperature = r%before + r%fetched == int(bins, c_int64_t) * measurements_per_bin .and. &
         mod(r%system + 1, int(replicas, c_int64_t)) == 0
   end function ends_temperature

   ! Returns the selected measurement. After the last measurement of the last lattice the run is destroyed, unless the
   ! program will still ask for the spins.
   subroutine take_measurement(magnetisation, energy)
      real(c_double), intent(out) :: magnetisation, energy
      type(run_state), pointer :: r

      r => run()
      magnetisation = r%magnetisations(r%measurement - r%before)
      energy = r%energies(r%measurement - r%before)
      if (.not. configurations .and. r%measurement == int(bins, c_int64_t) * measurements_per_bin) call finish_after_last
   end subroutine take_measurement

   subroutine get_spins(spins, failed)
      integer(c_int8_t), intent(inout) :: spins(nsite)
      logical, intent(out) :: failed
      type(run_state), pointer :: r

      r => run()
      failed = refused(legato_ising_spins(r%ising, r%system, nsite, spins))
      if (failed) then
         call finish
      else
         call finish_after_last
      end if
   end subroutine get_spins

   subroutine finish_after_last
      type(run_state), pointer :: r

      r => run()
      if (r%system + 1 < int(nbeta, c_int64_t) * replicas) return
      call legato_checkpoint_finished(r%checkpoint)
      call finish
   end subroutine finish_after_last

   ! Destroys the run of a thread that ends.
   subroutine destroy(state) bind(c, name='')
      type(c_ptr), value :: state

      associate (unused => state); end associate
      call finish
   end subroutine destroy

   subroutine finish
      type(run_state), pointer :: r
      integer(c_int32_t) :: status

      r => run()
      status = legato_ising_destroy(r%ising)
      r%ising = c_null_ptr
   end subroutine finish

end module legato_ising_dropin

! Does sweeps of a lattice. ierr = 1: Legato refused and printed the reason.
subroutine ising_update(number, replica, first_sweep, sweeps, ierr)
   use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
   use legato_ising_dropin
   implicit none
   integer(c_int32_t), intent(in) :: number, replica
   integer(c_int64_t), intent(in) :: first_sweep, sweeps
   integer(c_int32_t), intent(out) :: ierr
   logical :: failed

   failed = .false.
   if (first_sweep == 0) call begin_lattice(number, replica, failed)
   call advance_to(first_sweep + sweeps, failed)
   if (failed) call finish
   ierr = merge(1_c_int32_t, 0_c_int32_t, failed)
end subroutine ising_update

subroutine ising_measure(magnetisation, energy)
   use, intrinsic :: iso_c_binding, only: c_double
   use legato_ising_dropin
   implicit none
   real(c_double), intent(out) :: magnetisation, energy

   call take_measurement(magnetisation, energy)
end subroutine ising_measure

! Returns the spins of the current lattice after all its sweeps.
subroutine ising_spins(spins, ierr)
   use, intrinsic :: iso_c_binding, only: c_int8_t, c_int32_t
   use isipar, only: nsite
   use legato_ising_dropin
   implicit none
   integer(c_int8_t), intent(out) :: spins(nsite)
   integer(c_int32_t), intent(out) :: ierr
   logical :: failed

   call get_spins(spins, failed)
   ierr = merge(1_c_int32_t, 0_c_int32_t, failed)
end subroutine ising_spins

! Returns beta and its error as measured by the demons of all lattices at a temperature.
subroutine ising_demons(number, beta, error)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   use legato_ising_dropin
   implicit none
   integer(c_int32_t), intent(in) :: number
   real(c_double), intent(out) :: beta, error

   call get_beta_of_demons(number, beta, error)
end subroutine ising_demons
