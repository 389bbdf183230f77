! ising_update, ising_measure, ising_spins and ising_demons of ising_mc on Legato: compile this with the program's own modules in
! place of the old source files, and link with Legato and its Fortran modules. The first call runs all lattices at all temperatures, side
! by side; measurements and spins are handed out as they are asked for. Each thread of the program has a run of its own.
! LEGATO_BACKEND and LEGATO_LOG say where, as for every program that cannot pass options.
module legato_ising_dropin
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato_c
   use legato_dropin, only: context, no_context, own, refused, warn
   use isipar, only: algorithm, antiperiodic, betas, bins, configurations, dimensions, extents, field, generator, &
      measurements_per_bin, nbeta, nsite, refresh_interval, replicas, seed, start, sweeps_per_measurement, thermalisation
   implicit none
   private
   public :: go_to, take_series, take_measurement, get_spins, get_beta_of_demons, finish

   ! The state of a thread's run.
   type :: run_state
      type(c_ptr) :: ising = c_null_ptr

      ! Of the lattice that is asked for: its number, from 0, and measurements, of which one is next.
      integer(c_int64_t) :: system = -1, measurement = 0
      real(c_double), allocatable :: magnetisations(:), energies(:)

      ! What demons show at each temperature, and its error: known when all lattices are done.
      real(c_double) :: betas_of_demons(2, size(betas))
   end type run_state

contains

   ! Returns the calling thread's state, or null if there is no memory.
   function run()
      type(run_state), pointer :: run
      type(c_ptr), pointer :: place
      integer :: status

      nullify (run)
      place => own(destroy)
      if (.not. associated(place)) return
      if (c_associated(place)) then
         call c_f_pointer(place, run)
      else
         allocate (run, stat=status)
         if (status == 0) place = c_loc(run)
      end if
   end function run

   ! Gives the state of a thread back when the thread ends.
   subroutine destroy(state) bind(c)
      type(c_ptr), value :: state
      type(run_state), pointer :: of_thread
      integer(c_int32_t) :: status

      call c_f_pointer(state, of_thread)
      status = legato_ising_destroy(of_thread%ising)
      deallocate (of_thread)
   end subroutine destroy

   subroutine run_all(failed)
      logical, intent(out) :: failed
      type(legato_ising_params) :: params
      integer(c_int32_t) :: status
      type(run_state), pointer :: r

      failed = no_context()
      if (failed) return
      r => run()
      failed = .not. associated(r)
      if (failed) return
      call finish
      status = legato_ising_params_init_sized(params, c_sizeof(params))
      call take_parameters(params)
      failed = refused(legato_ising_create(context(), params, int(nbeta, c_int64_t), betas(:nbeta), 1_c_int64_t, &
         [int(seed, c_int64_t)], r%ising))
      if (failed) return
      if (generator /= 'philox') call warn('ising: random numbers are from Philox, not from generator = ' // trim(generator))
      failed = refused(legato_ising_run(r%ising, c_null_funptr, c_null_ptr))
      if (.not. failed) call take_betas_of_demons(r, failed)
   end subroutine run_all

   subroutine take_betas_of_demons(r, failed)
      type(run_state), intent(inout) :: r
      logical, intent(out) :: failed
      type(legato_ising_averages) :: averages
      integer(c_int64_t) :: number

      failed = .false.
      do number = 1, nbeta
         averages%struct_size = c_sizeof(averages)
         failed = refused(legato_ising_result(r%ising, number - 1, averages))
         if (failed) return
         r%betas_of_demons(:, number) = [averages%demon_beta, averages%demon_beta_error]
      end do
   end subroutine take_betas_of_demons

   ! Both -1 where they are unknown.
   subroutine get_beta_of_demons(number, beta, error)
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

      params%dimensions = dimensions
      params%algorithm = int(findloc(names == algorithm, .true., dim=1), c_int32_t) - 1
      params%extents = extents
      params%boundary = merge(LEGATO_ISING_ANTIPERIODIC, LEGATO_ISING_PERIODIC, antiperiodic)
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

   ! Reads all measurements of lattice `replica` at temperature `number`. The call for the first lattice runs all of them.
   subroutine take_series(number, replica, failed)
      integer(c_int32_t), intent(in) :: number, replica
      logical, intent(out) :: failed
      integer(c_int64_t) :: length
      integer :: status
      type(run_state), pointer :: r

      failed = .false.
      if (number == 1 .and. replica == 1) call run_all(failed)
      if (failed) return
      r => run()
      failed = .not. associated(r)
      if (.not. failed) failed = .not. c_associated(r%ising)
      if (failed) then
         write (error_unit, '(a)') 'legato: ising_update: another lattice is asked for before the first one by the same thread'
         return
      end if
      r%system = int(number - 1, c_int64_t) * replicas + replica - 1
      length = int(bins, c_int64_t) * measurements_per_bin
      status = 0
      if (.not. allocated(r%energies)) allocate (r%magnetisations(length), r%energies(length), stat=status)
      failed = status /= 0
      if (failed) write (error_unit, '(a,i0,a)') 'legato: not enough memory for a series of ', length, ' measurements'
      if (.not. failed) failed = refused(legato_ising_time_series(r%ising, r%system, length, r%magnetisations, r%energies))
   end subroutine take_series

   ! Selects the measurement after so many sweeps.
   subroutine go_to(sweeps)
      integer(c_int64_t), intent(in) :: sweeps
      type(run_state), pointer :: r

      r => run()
      if (associated(r)) r%measurement = (sweeps - thermalisation) / sweeps_per_measurement
   end subroutine go_to

   ! Gives the run up after the last measurement of the last lattice, unless the spins are still to come.
   subroutine take_measurement(magnetisation, energy)
      real(c_double), intent(out) :: magnetisation, energy
      type(run_state), pointer :: r

      r => run()
      magnetisation = r%magnetisations(r%measurement)
      energy = r%energies(r%measurement)
      if (.not. configurations .and. r%measurement == size(r%energies, kind=c_int64_t)) call finish_after_last
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
      if (r%system + 1 == int(nbeta, c_int64_t) * replicas) call finish
   end subroutine finish_after_last

   subroutine finish
      type(run_state), pointer :: r
      integer(c_int32_t) :: status

      r => run()
      if (.not. associated(r)) return
      status = legato_ising_destroy(r%ising)
      r%ising = c_null_ptr
      if (allocated(r%energies)) deallocate (r%magnetisations, r%energies)
   end subroutine finish

end module legato_ising_dropin

! A lattice's sweeps, which the library has done at the first call of all. ierr = 1: Legato refused, and said why.
subroutine ising_update(number, replica, first_sweep, sweeps, ierr)
   use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
   use legato_ising_dropin
   implicit none
   integer(c_int32_t), intent(in) :: number, replica
   integer(c_int64_t), intent(in) :: first_sweep, sweeps
   integer(c_int32_t), intent(out) :: ierr
   logical :: failed

   failed = .false.
   if (first_sweep == 0) call take_series(number, replica, failed)
   call go_to(first_sweep + sweeps)
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

! At the end of all its sweeps.
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

! The beta that the demons of all lattices at a temperature show, and its error.
subroutine ising_demons(number, beta, error)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   use legato_ising_dropin
   implicit none
   integer(c_int32_t), intent(in) :: number
   real(c_double), intent(out) :: beta, error

   call get_beta_of_demons(number, beta, error)
end subroutine ising_demons
