! Tests reweighting: all configurations of 4 x 4 sites as measurements at beta = 0, whose averages are exact at any beta;
! a run; a maximum, a crossing, and refusals.
program ising_reweighting_test
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_sizeof
   use legato
   use checks
   implicit none
   integer, parameter :: states = 2**16, copies = 8
   real(c_double), parameter :: critical = 0.4406868_c_double
   real(c_double) :: m(copies * states), e(copies * states)
   type(legato_context) :: context, none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call enumerate()
   call exact_averages()
   call of_a_run()
   call refused()
   print '(a)', 'fortran ising_reweighting: all checks passed'

contains

   ! Measures all configurations, each `copies` times.
   subroutine enumerate()
      integer :: s(4, 4), state, i

      do state = 0, states - 1
         s = reshape([(merge(1, -1, btest(state, i)), i=0, 15)], [4, 4])
         m(state + 1) = sum(s) / 16.0_c_double
         e(state + 1) = -sum(s * (cshift(s, 1, 1) + cshift(s, 1, 2))) / 16.0_c_double
      end do
      do i = 1, copies - 1
         m(i * states + 1:(i + 1) * states) = m(:states)
         e(i * states + 1:(i + 1) * states) = e(:states)
      end do
   end subroutine enumerate

   ! The reference numbers of docs/ising.md.
   subroutine exact_averages()
      type(legato_ising_reweighting) :: reweighting
      type(legato_ising_reweighted) :: r
      type(legato_ising_reweighted_point) :: point

      call reweighting%create(context, 16_c_int64_t, [0.0_c_double], [size(m, kind=c_int64_t)], m, e, blocks=2)
      call reweighting%at(critical, r)
      call check(r%struct_size == c_sizeof(r) .and. abs(r%beta - critical) < 1e-15_c_double, 'the struct')
      call check(abs(r%energy + 1.565623814_c_double) < 1e-9_c_double, 'energy')
      call check(abs(r%specific_heat - 0.783266813_c_double) < 1e-9_c_double, 'specific heat')
      call check(abs(r%absolute_magnetisation - 0.843860456_c_double) < 1e-9_c_double, '<|m|>')
      call check(abs(r%magnetisation_2 - 0.761358924_c_double) < 1e-9_c_double, '<m^2>')
      call check(abs(r%magnetisation_4 - 0.665691232_c_double) < 1e-9_c_double, '<m^4>')
      call check(abs(r%susceptibility - 0.788135280_c_double) < 1e-9_c_double, 'susceptibility')
      call check(abs(r%binder - 0.617199323_c_double) < 1e-9_c_double, 'cumulant')
      call check(r%is_far == merge(1, 0, r%measurements < 40), 'is_far')
      call reweighting%at(0.0_c_double, r)
      call check(r%is_far == 0 .and. abs(r%measurements - size(m)) < 1e-6_c_double, 'measurements')
      call reweighting%at(1.0_c_double, r)
      call check(r%is_far == 1 .and. ieee_is_nan(r%energy_error) .and. ieee_is_nan(r%binder_error), 'far from the run')
      call reweighting%maximum(LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY, 0.2_c_double, 0.5_c_double, point)
      call reweighting%at(point%beta, r)
      call check(point%beta > 0.2 .and. point%beta < 0.5 .and. abs(point%value - r%susceptibility) < 1e-9_c_double, 'maximum')
      call reweighting%at(point%beta + 0.01_c_double, r)
      call check(r%susceptibility < point%value, 'above the maximum')
      call reweighting%at(point%beta - 0.01_c_double, r)
      call check(r%susceptibility < point%value, 'below the maximum')
   end subroutine exact_averages

   ! The reweighting does not need the run after its creation, and the lattices of two runs cross.
   subroutine of_a_run()
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_reweighting) :: small, large
      type(legato_ising_reweighted) :: r
      type(legato_ising_reweighted_point) :: point
      integer :: extent

      params = ising_defaults()
      params%algorithm = LEGATO_ISING_ALGORITHM_WOLFF
      params%time_series = 1
      params%sweeps_per_measurement = 3
      params%measurements_per_bin = 400
      do extent = 4, 8, 4
         params%extents(:2) = extent
         call ising%create(context, params, [0.4_c_double, 0.45_c_double])
         call ising%run()
         if (extent == 4) call small%create_from_run(ising)
         if (extent == 8) call large%create_from_run(ising, blocks=30)
         call ising%destroy()
      end do
      call small%at(critical, r)
      call check(r%is_far == 0 .and. r%energy_error < 0.01, 'the error')
      call check(abs(r%energy + 1.565623814_c_double) < 5 * r%energy_error, 'energy of the run')
      call check(abs(r%binder - 0.617199323_c_double) < 5 * r%binder_error, 'cumulant of the run')
      call large%crossing(small, LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER, 0.3_c_double, 0.6_c_double, point)
      call check(abs(point%beta - critical) < 0.03 .and. point%beta_error > 0 .and. point%is_far == 0, 'crossing')
      call small%at(point%beta, r)
      call check(abs(r%binder - point%value) < 0.01, 'value at the crossing')
   end subroutine of_a_run

   subroutine refused()
      type(legato_ising_reweighting) :: reweighting, uncreated
      type(legato_ising_reweighted) :: r
      type(legato_ising_reweighted_point) :: point
      type(legato_ising) :: ising
      real(c_double), parameter :: two(2) = [0.3_c_double, 0.4_c_double], &
         four(4) = [0.5_c_double, 0.0_c_double, 0.5_c_double, 0.0_c_double]

      call reweighting%create(context, 16_c_int64_t, two, [4_c_int64_t], four, four, 2, stat, message)
      call check_refused('ising.reweighting.create.n_measurements: 1 elements are not 2')
      call reweighting%create(context, 16_c_int64_t, two, [2_c_int64_t, 3_c_int64_t], four, four, 2, stat, message)
      call check_refused('ising.reweighting.create.magnetisations: 4 elements are not 5')
      call reweighting%create(context, 16_c_int64_t, two, [2_c_int64_t, 2_c_int64_t], four, two, 2, stat, message)
      call check_refused('ising.reweighting.create.energies: 2 elements are not 4')
      call reweighting%create(context, 16_c_int64_t, two, [2_c_int64_t, 2_c_int64_t], four, four, stat=stat, errmsg=message)
      call check_refused('ising.reweighting.n_measurements[0]: 2 is not in 32..1000000000')
      call reweighting%create(none, 16_c_int64_t, two, [2_c_int64_t, 2_c_int64_t], four, four, 2, stat, message)
      call check_refused('used before it was created')
      call reweighting%create_from_run(ising, stat=stat, errmsg=message)
      call check_refused('used before it was created')
      call ising%create(context)
      call reweighting%create_from_run(ising, stat=stat, errmsg=message)
      call check_refused('ising.reweighting: the run keeps no measurements; create it with ising.params.time_series = 1')
      call reweighting%at(0.4_c_double, r, stat, message)
      call check_refused('used before it was created')
      call reweighting%create(context, 16_c_int64_t, two, [2_c_int64_t, 2_c_int64_t], four, four, 2, stat, message)
      call check(stat == 0, 'valid arguments')
      call reweighting%at(2000.0_c_double, r, stat, message)
      call check_refused('ising.reweighting.at.beta: 2000 is not in [-1000, 1000]')
      call reweighting%maximum(5, 0.1_c_double, 0.2_c_double, point, stat, message)
      call check_refused('ising.reweighting.maximum.quantity: 5 is not in 0..4')
      call reweighting%crossing(uncreated, 0, 0.1_c_double, 0.2_c_double, point, stat, message)
      call check_refused('ising.reweighting.crossing.b: a null pointer is not allowed')
   end subroutine refused
end program ising_reweighting_test
