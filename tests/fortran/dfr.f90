! Tests Dirac-Fock-Roothaan atoms: energies against known ones, quantities derived from the spinors, a run that is
! stopped and continued, and refusals.
program dfr_test
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_sizeof
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
   use legato
   use checks
   implicit none
   ! Energies of Ne, Xe and C from an independent program, with this speed of light, point nuclei and the library's
   ! bases.
   real(c_double), parameter :: speed_of_light = 137.0359895_c_double
   real(c_double), parameter :: neon = -128.691968097_c_double, xenon = -7447.157348038_c_double, &
      carbon = -37.676044081_c_double
   integer(c_int64_t), parameter :: first = 1, second = 2
   type(legato_context) :: context
   type(legato_dfr) :: dfr

   call defaults()
   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call exponents()
   call stopped_run()
   call context%destroy()     ! the list works without its context
   call dfr%run()
   call energies_of_noble_gases()
   call spinors()
   call moments()
   call density()
   call refused_of_results()
   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call open_shells()
   call without_relativity()
   call extended_balance()
   call interactions()
   call shells()
   call nuclei()
   call refused_of_a_list()
   call refused_atoms()
   call refused_sizes()
   call left_to_finalisers()
   call given_back()
   print '(a)', 'fortran dfr: all checks passed'

contains

   ! A hole in 1s of neon without relativity, with the energy of an independent program (dfr_open_shells_test), and the
   ! levels of carbon, whose terms are apart as in LS coupling.
   subroutine shells()
      type(legato_dfr), save :: neon_list, list
      type(legato_dfr_params) :: params
      type(legato_dfr_atom) :: atom
      real(c_double), allocatable :: exponents(:), one(:), energies(:)
      integer, allocatable :: functions(:), twice_j(:)
      integer :: species, s, parity, stat
      character(200) :: message

      params = dfr_defaults()
      params%relativistic = 0
      call neon_list%create(context, params)
      call neon_list%add_element(10, basis='hennessey')
      call neon_list%run()
      call neon_list%atom_size(first, species, functions)
      allocate (exponents(0))
      do s = 1, species
         call neon_list%exponents(first, s, one)
         exponents = [exponents, one]
      end do
      call neon_list%destroy()
      call list%create(context, params)
      call list%add_shells(dfr_nucleus(10.0_c_double), functions, exponents, [2, 1, 2, 2], [0, 0, 1, 1], [2, 1, 4, 2], &
                           [1, 0, 3, 1])
      call list%add_shells(dfr_nucleus(6.0_c_double), functions, exponents, [1, 2, 2], [0, 0, 1], [2, 2, 2])
      call list%run()
      call list%result(first, atom)
      call check(atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED .and. abs(atom%energy + 96.6257200911912_c_double) < 1e-10, &
                 'a hole in 1s')
      call list%levels(second, twice_j, energies, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC, parity)
      call check(size(twice_j) == 5 .and. parity == 1 .and. twice_j(5) == 0 .and. twice_j(4) == 4, 'levels of carbon')
      call check(abs((energies(5) - energies(4)) / (energies(4) - energies(1)) - 1.5_c_double) < 1e-6, 'terms of carbon')
      call list%levels(second, twice_j, energies, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. size(energies) == 0 .and. &
                 index(message, 'are not a whole number') > 0, 'fractions of electrons: ' // trim(message))
      call list%levels(3_c_int64_t, twice_j, energies, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. size(twice_j) == 0 .and. &
                 index(message, 'dfr.index: 3 is not in 1..2') > 0, 'levels of no atom: ' // trim(message))
      call list%add_shells(dfr_nucleus(6.0_c_double), functions, exponents, [1, 2], [0], [2, 2], stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'dfr.add_shells.l: ') > 0, &
                 'shells of different lists: ' // trim(message))
      call list%destroy()
   end subroutine shells

   subroutine defaults()
      type(legato_dfr_params) :: params
      type(legato_dfr_nucleus) :: nucleus

      params = dfr_defaults()
      call check(params%struct_size == c_sizeof(params) .and. params%relativistic == 1 .and. &
                 params%max_iterations == 50 .and. params%speed_of_light == 137.03599976_c_double, 'defaults')
      nucleus = dfr_nucleus(10.0_c_double)
      call check(nucleus%struct_size == c_sizeof(nucleus) .and. nucleus%charge == 10 .and. &
                 nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_POINT, 'a point')
      nucleus = dfr_nucleus(10.0_c_double, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, radius=1e-4_c_double)
      call check(nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_SPHERE .and. nucleus%radius == 1e-4_c_double, 'a sphere')
      nucleus = dfr_nucleus(10.0_c_double, LEGATO_DFR_NUCLEAR_MODEL_FERMI, radius=1e-4_c_double, skin=1e-5_c_double)
      call check(nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_FERMI .and. nucleus%skin == 1e-5_c_double, 'a Fermi distribution')
      nucleus = dfr_nucleus(10.0_c_double, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, exponent=1e8_c_double)
      call check(nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN .and. nucleus%exponent == 1e8_c_double, &
         'a Gaussian')
   end subroutine defaults

   ! Writes exponents into a section of an array.
   subroutine exponents()
      real(c_double) :: table(2, 4)

      table = -1
      call dfr_well_tempered(context, 0.1_c_double, 2.0_c_double, 2.0_c_double, 1.5_c_double, table(1, :))
      call check(all(abs(table(1, :) - [0.1_c_double, 0.2_c_double, 0.7375_c_double, 3.6875_c_double]) &
                     < 1e-14_c_double) .and. all(table(2, :) < 0), 'well-tempered exponents')
      call dfr_well_tempered(context, -1.0_c_double, 2.0_c_double, 2.0_c_double, 1.5_c_double, table(1, :), stat, &
                             message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'dfr.well_tempered.alpha: -1 is not in') == 1, &
                 'alpha')
   end subroutine exponents

   subroutine stopped_run()
      integer(c_int64_t) :: at, atoms, finished
      type(legato_dfr_atom) :: atom
      integer :: species
      integer, allocatable :: functions(:)

      call dfr%create(context, with_speed_of_light())
      call dfr%add_element(10, index=at, basis='hennessey')
      call check(at == 1, 'the first atom is 1')
      call dfr%add_element(54, LEGATO_DFR_NUCLEAR_MODEL_POINT, at, basis='hennessey')
      call check(at == 2, 'the second atom is 2')
      call dfr%size(atoms)
      call check(atoms == 2, 'number of atoms')
      call dfr%atom_size(second, species, functions)
      call check(species == 5 .and. all(functions == [30, 25, 25, 18, 18]), 'species and functions of xenon')
      call dfr%result(first, atom)
      call check(atom%status == LEGATO_DFR_ATOM_STATUS_WAITING .and. atom%iterations == 0, 'waiting')
      call dfr%run(stop_at_third, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'dfr: stopped by the progress callback', 'cancelled')
      call check(calls == 3 .and. last_progress%points_total == 2 .and. last_progress%points_done == 0 .and. &
                 last_progress%cycles_done == 6 .and. last_progress%cycles_per_second > 0, 'progress')
      call dfr%result(second, atom)
      call check(atom%status == LEGATO_DFR_ATOM_STATUS_RUNNING .and. atom%iterations == 3, 'running')
      call dfr%advance(1_c_int64_t, finished)
      call dfr%result(second, atom)
      call check(finished == 0 .and. atom%iterations == 4, 'one iteration')
   end subroutine stopped_run

   subroutine energies_of_noble_gases()
      type(legato_dfr_atom) :: atom
      integer(c_int64_t) :: finished
      integer :: combinations

      call dfr%advance(1_c_int64_t, finished)
      call check(finished == 2, 'all have ended')
      call dfr%result(first, atom)
      call check_energy(atom, neon, 'neon')
      call check(abs(atom%virial_ratio - 1) < 1e-6_c_double, 'virial ratio')
      call dfr%result(second, atom)
      call check_energy(atom, xenon, 'xenon')
      call check(atom%gradient < 1e-6_c_double .and. atom%iterations > 5, 'gradient and iterations')
      call check(atom%limit <= atom%energy .and. atom%limit > 1.001_c_double * atom%energy, 'the limit')
      call dfr%left_out(first, 1, combinations)
      call check(combinations == 0, 'no function left out')
      call dfr%left_out(first, 9, combinations, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT, 'no such species')
   end subroutine energies_of_noble_gases

   ! Reads the spinors of neon, also into sections of arrays.
   subroutine spinors()
      real(c_double), parameter :: s_states(2) = [-32.81747101_c_double, -1.93584571_c_double]
      real(c_double) :: energies(3), occupations(3), large(23, 3), small(23, 3), wide(2, 4), components(46, 2)
      integer :: states

      call dfr%spinors(first, 1, energies, occupations, large, small, states)
      call check(states == 23, 'states')
      call check(all(abs(energies(:2) - s_states) < 1e-7_c_double) .and. energies(3) > 0, 's1/2 of neon')
      call check(all(occupations == [2, 2, 0]), 'their occupations')
      call check(all(maxval(abs(large), 1) > maxval(abs(small), 1)) .and. all(maxval(abs(small), 1) > 0), 'coefficients')
      wide = -1
      components = -1
      call dfr%spinors(first, 1, energies=wide(1, ::2), small=components(2::2, :))
      call check(all(wide(1, ::2) == energies(:2)) .and. all(wide(2, :) < 0) .and. all(wide(:, 2::2) < 0), 'a section')
      call check(all(components(2::2, :) == small(:, :2)) .and. all(components(1::2, :) < 0), 'a section of coefficients')
      call dfr%spinors(first, 3, occupations=occupations(:1), states=states)
      call check(occupations(1) == 4 .and. states == 16, 'p3/2 of neon')
      states = 0
      call dfr%spinors(second, 5, states=states)
      call check(states == 18, 'the number of states alone')
   end subroutine spinors

   ! With extended kinetic balance neon has more functions and a slightly higher energy.
   subroutine extended_balance()
      type(legato_dfr) :: lists(2)
      type(legato_dfr_params) :: params
      type(legato_dfr_atom) :: atoms(2)
      real(c_double), allocatable :: exponents(:), restricted(:)
      integer, allocatable :: functions(:)
      integer :: i, species

      do i = 1, 2
         params = dfr_defaults()
         if (i == 2) params%kinetic_balance = LEGATO_DFR_KINETIC_BALANCE_EXTENDED
         call lists(i)%create(context, params)
         call lists(i)%add_element(10, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, basis='hennessey')
         call lists(i)%run()
         call lists(i)%result(first, atoms(i))
      end do
      call check(atoms(2)%status == LEGATO_DFR_ATOM_STATUS_CONVERGED .and. atoms(2)%energy > atoms(1)%energy .and. &
                 abs(atoms(2)%energy/atoms(1)%energy - 1) < 1e-8_c_double, 'extended kinetic balance')
      call lists(2)%atom_size(first, species, functions)
      call lists(2)%exponents(first, 1, exponents)
      call lists(1)%exponents(first, 1, restricted)
      call check(all(functions == [32, 29, 16]) .and. size(exponents) == 32 .and. all(exponents(:23) == restricted), &
                 'its functions')
   end subroutine extended_balance

   ! The self-consistent energy of neon with the Breit interaction is close to the first order.
   subroutine interactions()
      type(legato_dfr) :: list
      type(legato_dfr_params) :: params
      type(legato_dfr_atom) :: atoms(2)
      type(legato_dfr_correction_energies) :: energies
      integer :: i, stat
      character(200) :: message

      do i = 1, 2
         params = dfr_defaults()
         params%interaction = merge(LEGATO_DFR_INTERACTION_BREIT, LEGATO_DFR_INTERACTION_COULOMB, i == 1)
         call list%create(context, params)
         call list%add_element(10, basis='hennessey')
         call list%corrections(first, energies)
         call check(energies%gaunt /= energies%gaunt .and. energies%breit /= energies%breit .and. &
                    energies%uehling /= energies%uehling, 'unknown before the run')
         call list%run()
         call list%result(first, atoms(i))
      end do
      call list%corrections(first, energies)
      call check(abs(atoms(1)%energy - atoms(2)%energy - energies%breit) < 1e-3_c_double*energies%breit .and. &
                 energies%gaunt > energies%breit .and. energies%breit > 0.0166_c_double, 'Breit of neon')
      call check(abs(energies%uehling/(-6.00954e-4_c_double) - 1) < 3e-5_c_double, 'Uehling energy of neon')
      call list%corrections(2_c_int64_t, energies, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'dfr.index') == 1 .and. &
                 energies%breit /= energies%breit, 'no such atom: '//trim(message))
   end subroutine interactions

   subroutine moments()
      integer(c_int64_t) :: atom
      integer :: species, power
      real(c_double) :: value, previous

      do atom = 1, 2
         do species = 1, 3
            do power = -2, 10
               call dfr%radial_moment(atom, species, 2, power, value)
               call check(value > 0, 'a moment is positive')
               if (power == 0) call check(abs(value - 1) < 1e-10_c_double, 'the norm is 1')
            end do
         end do
      end do
      call dfr%radial_moment(first, 1, 1, 1, previous)
      call check(abs(previous - 0.157_c_double) < 2e-3_c_double, '<r> of 1s of neon')
      call dfr%radial_moment(first, 1, 2, 1, value)
      call check(value > previous, '2s is wider than 1s')
   end subroutine moments

   ! The points are equidistant in log(r). The trapezoidal rule is very accurate for them, because the density vanishes
   ! at both ends.
   subroutine density()
      integer, parameter :: points = 1200
      real(c_double), parameter :: step = 0.02_c_double
      real(c_double) :: r(points), values(points), small(points), table(2, 3)
      integer :: i

      r = exp([(step * real(i - 1000, c_double), i=1, points)])
      call dfr%radial_density(first, r, values)
      call check(all(values >= 0), 'a density')
      call check(abs(step * sum(r * values) - 10) < 1e-8_c_double, 'ten electrons of neon')
      call dfr%radial_density(second, r, values)
      call check(abs(step * sum(r * values) - 54) < 1e-7_c_double, 'fifty-four electrons of xenon')
      table = -1
      call dfr%radial_density(second, r(800:1000:100), table(2, :))
      call check(all(table(2, :) == values(800:1000:100)) .and. all(table(1, :) < 0), 'sections of arrays')
      call dfr%radial_density(second, [0.0_c_double, 1e6_c_double], values(:2))
      call check(all(abs(values(:2)) <= 0), 'at the ends of the range')
      call dfr%radial_functions(first, 1, 2, r, values, small)
      call check(abs(step * sum(r * (values**2 + small**2)) - 1) < 1e-8_c_double, 'the norm of 2s of neon')
      call check(count(values(2:)*values(:points - 1) < 0 .and. abs(values(2:)) > 1e-6_c_double) == 1, 'the node of 2s')
      call check(values(800) > 0 .and. small(800) < 0 .and. all(abs(small) < 0.1_c_double), 'signs of P and Q')
   end subroutine density

   subroutine refused_of_results()
      real(c_double) :: few(3), many(4), matrix(23, 3), value, r(2)
      type(legato_dfr_atom) :: atom
      integer :: species

      call dfr%result(0_c_int64_t, atom, stat, message)
      call check_refused('dfr.index: 0 is not in 1..2')
      call dfr%atom_size(3_c_int64_t, species, stat=stat, errmsg=message)
      call check_refused('dfr.index: 3 is not in 1..2')
      call dfr%spinors(first, 0, few, stat=stat, errmsg=message)
      call check_refused('dfr.species: 0 is not in 1..3')
      call dfr%spinors(first, 4, few, stat=stat, errmsg=message)
      call check_refused('dfr.species: 4 is not in 1..3')
      call dfr%spinors(first, 1, few, many, stat=stat, errmsg=message)
      call check_refused('dfr.spinors.occupations: 4 elements are not 3')
      call dfr%spinors(first, 1, many, large=matrix, stat=stat, errmsg=message)
      call check_refused('dfr.spinors.large: 23 x 3 elements are not 23 x 4')
      call dfr%spinors(first, 2, few, small=matrix, stat=stat, errmsg=message)
      call check_refused('dfr.spinors.small: 23 x 3 elements are not 16 x 3')
      call dfr%radial_moment(first, 2, 0, 1, value, stat, message)
      call check_refused('dfr.state: 0 is not in 1..16')
      call dfr%radial_moment(first, 2, 17, 1, value, stat, message)
      call check_refused('dfr.state: 17 is not in 1..16')
      call dfr%radial_moment(first, 9, 1, 1, value, stat, message)
      call check_refused('dfr.species: 9 is not in 1..3')
      call dfr%radial_moment(first, 1, 1, 11, value, stat, message)
      call check_refused('dfr.radial_moment.power: 11 is not in -2..10')
      call dfr%radial_density(3_c_int64_t, few, few, stat, message)
      call check_refused('dfr.index: 3 is not in 1..2')
      call dfr%radial_density(first, many, few, stat, message)
      call check_refused('dfr.radial_density.density: 3 elements are not 4')
      r = [1.0_c_double, -1.0_c_double]
      call dfr%radial_density(first, r, few(:2), stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'dfr.radial_density.r(2): -1.0') == 1, &
         'a radius')
      r(2) = ieee_value(value, ieee_quiet_nan)
      call dfr%radial_density(first, r, few(:2), stat, message)
      call check_refused('dfr.radial_density.r(2): NaN is not in [0, 1e6]')
      call dfr%radial_functions(first, 2, 17, few, few, few, stat, message)
      call check_refused('dfr.state: 17 is not in 1..16')
      call dfr%radial_functions(first, 2, 1, few, many, few, stat, message)
      call check_refused('dfr.radial_functions.large: 4 elements are not 3')
      call dfr%radial_functions(first, 2, 1, few, few, many, stat, message)
      call check_refused('dfr.radial_functions.small: 4 elements are not 3')
      call dfr%radial_functions(first, 1, 1, r, few(:2), few(:2), stat, message)
      call check_refused('dfr.radial_functions.r(2): NaN is not in [0, 1e6]')
      call dfr%write_vectors('missing/vectors.h5', stat, message)
      call check(stat == LEGATO_STATUS_IO_ERROR .and. index(message, 'vectors file missing/vectors.h5') == 1, &
                 'no folder: '//message)
      call dfr%add_element(2, stat=stat, errmsg=message, basis='hennessey')
      call check_refused('dfr.add: the run has begun; add atoms before it begins')
   end subroutine refused_of_results

   ! Compares carbon built from its own numbers with carbon from the library.
   subroutine open_shells()
      real(c_double), parameter :: two_of_six = 0.6_c_double     ! the value of (N - 1) M / [N (M - 1)]
      real(c_double), parameter :: pairs(3, 3) = reshape( &
         [0.0_c_double, 0.0_c_double, 0.0_c_double, 0.0_c_double, two_of_six, two_of_six, 0.0_c_double, two_of_six, &
          two_of_six], [3, 3])
      real(c_double) :: zeta(23), occupations(1)
      type(legato_dfr_atom) :: atom, library_atom
      integer(c_int64_t) :: at

      call dfr_well_tempered(context, 4.613e-2_c_double, 1.941_c_double, 4.717_c_double, 1.317_c_double, zeta)
      call dfr%create(context, with_speed_of_light())
      call dfr%add_element(6, basis='hennessey')
      call dfr%add_atom(dfr_nucleus(6.0_c_double), [23, 15, 15], [zeta, zeta(:15), zeta(:15)], [2, 0, 0], &
                        [0.0_c_double, 2 / 3.0_c_double, 4 / 3.0_c_double], pairs, at)
      call check(at == 2, 'number of the atom')
      call dfr%run()
      call dfr%result(first, library_atom)
      call dfr%result(at, atom)
      call check_energy(atom, carbon, 'carbon')
      call check(atom%iterations == library_atom%iterations .and. &
                 abs(atom%energy / library_atom%energy - 1) < 1e-13_c_double, 'that of the library')
      call dfr%spinors(at, 3, occupations=occupations)
      call check(occupations(1) == 4 / 3.0_c_double, 'a share of the open shell')
   end subroutine open_shells

   subroutine without_relativity()
      type(legato_dfr_params) :: params
      type(legato_dfr_atom) :: atom
      real(c_double) :: large(23, 1), value

      params = dfr_defaults()
      params%relativistic = 0
      call dfr%create(context, params)
      call dfr%add_element(10, basis='hennessey')
      call dfr%run()
      call dfr%result(first, atom)
      call check_energy(atom, -128.547097540_c_double, 'neon without relativity')
      call check(abs(atom%virial_ratio - 2) < 1e-6_c_double, 'its virial ratio')
      call check(abs(atom%kinetic + atom%nuclear + atom%repulsion - atom%energy) < 1e-9_c_double, 'parts of the energy')
      call dfr%spinors(first, 1, large=large)
      call check(maxval(abs(large)) > 0, 'large components')
      call dfr%spinors(first, 1, small=large, stat=stat, errmsg=message)
      call check_refused('dfr.spinors.small: there are no small components without relativity')
      call dfr%radial_moment(first, 1, 1, 0, value)
      call check(abs(value - 1) < 1e-10_c_double, 'norm')
   end subroutine without_relativity

   ! A larger nucleus has a higher energy.
   subroutine nuclei()
      type(legato_dfr_atom) :: point, sphere, gaussian, fermi

      call dfr%create(context)
      call dfr%add_element(10, basis='hennessey')
      call dfr%add_element(10, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, basis='hennessey')
      call dfr%add_element(10, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, basis='hennessey')
      call dfr%add_element(10, LEGATO_DFR_NUCLEAR_MODEL_FERMI, basis='hennessey')
      call dfr%run()
      call dfr%result(first, point)
      call dfr%result(second, sphere)
      call dfr%result(3_c_int64_t, gaussian)
      call check(sphere%energy > point%energy .and. gaussian%energy > point%energy, 'a nucleus of some size')
      call dfr%result(4_c_int64_t, fermi)
      call check(abs(sphere%energy / gaussian%energy - 1) < 1e-8_c_double, 'of the same size')
      call check(abs(fermi%energy / gaussian%energy - 1) < 1e-8_c_double, 'a Fermi nucleus of the same size')
   end subroutine nuclei

   subroutine refused_of_a_list()
      type(legato_dfr_params) :: params
      type(legato_dfr_atom) :: atom
      integer(c_int64_t) :: finished
      real(c_double) :: few(3)

      params = dfr_defaults()
      params%max_iterations = 0
      call dfr%create(context, params, stat, message)
      call check_refused('dfr.params.max_iterations: 0 is not in 1..1000000')
      call dfr%result(first, atom, stat, message)
      call check_refused('used before it was created')
      params%max_iterations = 2
      call dfr%create(context, params)
      call dfr%result(first, atom, stat, message)
      call check_refused('dfr.index: 1 is not in 1..0')
      call dfr%run(stat=stat, errmsg=message)
      call check_refused('dfr.n_atoms: 0 is not in 1..100000')
      call dfr%add_element(2, basis='hennessey')
      call dfr%spinors(first, 1, few, stat=stat, errmsg=message)
      call check_refused('dfr.index: 1 has no result yet')
      call dfr%radial_density(first, few, few, stat, message)
      call check_refused('dfr.index: 1 has no result yet')
      call dfr%advance(0_c_int64_t, finished, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'dfr.advance.iterations: 0 is not in') == 1, &
                 'iterations')
      call dfr%run()
      call dfr%result(first, atom)
      call check(atom%status == LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED .and. atom%iterations == 2 .and. &
         atom%energy < -2, &
                 'too few iterations')
   end subroutine refused_of_a_list

   subroutine refused_atoms()
      type(legato_dfr_nucleus) :: unset
      integer(c_int64_t) :: at
      integer :: counts(1)
      real(c_double) :: zeros(1)

      counts = 0
      zeros = 0
      call dfr%create(context)
      call dfr%add_element(58, index=at, stat=stat, errmsg=message, basis='hennessey')
      call check_refused('dfr.element: 58, Ce, has no set in the basis library hennessey, which has sets for: ' // &
                         'He-La, Pr-Eu, Dy, Er, Tm, Lu-Rn')
      call check(at == 0, 'no number of an atom')
      call dfr%add_element(10, 5, stat=stat, errmsg=message, basis='hennessey')
      call check_refused('dfr.nuclear_model: 5 is not in 1..4')
      unset = legato_dfr_nucleus(0, LEGATO_DFR_NUCLEAR_MODEL_POINT, 0, 2, 0, 0, 0)
      call add_helium(unset, [2])
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'dfr.nucleus.struct_size: 0 is not in') == 1, &
                 'size')
      call add_helium(dfr_nucleus(2.0_c_double), [-1, 3])
      call check(index(message, 'dfr.n_functions: -1 is not in 0..') == 1, 'functions')
      call dfr%add_atom(dfr_nucleus(2.0_c_double), counts(:0), zeros(:0), counts(:0), zeros(:0), stat=stat, &
                        errmsg=message)
      call check_refused('dfr.n_species: 0 is not in 1..13')
      call dfr%add_atom(dfr_nucleus(2.0_c_double), [1], [1.0_c_double], [0], [1.0_c_double], stat=stat, errmsg=message)
      call check_refused('dfr.pairs: a null pointer is not allowed')
      call dfr%size(at)
      call check(at == 0, 'none was added')
   end subroutine refused_atoms

   subroutine refused_sizes()
      real(c_double), parameter :: exponents(3) = [1.0_c_double, 2.0_c_double, 4.0_c_double], none(2) = 0, &
         pairs(2, 1) = 0
      type(legato_dfr_nucleus) :: nucleus
      integer(c_int64_t) :: at

      nucleus = dfr_nucleus(2.0_c_double)
      call dfr%add_atom(nucleus, [2, 1], exponents, [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.add_atom.closed: 1 elements are not 2')
      call dfr%add_atom(nucleus, [2, 1], exponents, [1, 0], none(:1), stat=stat, errmsg=message)
      call check_refused('dfr.add_atom.electrons: 1 elements are not 2')
      call dfr%add_atom(nucleus, [2, 1], exponents, [1, 0], none, pairs, stat=stat, errmsg=message)
      call check_refused('dfr.add_atom.pairs: 2 x 1 elements are not 2 x 2')
      at = -1
      call dfr%add_atom(nucleus, [2, 2], exponents, [1, 0], none, index=at, stat=stat, errmsg=message)
      call check_refused('dfr.add_atom.exponents: 3 elements are not 4')
      call check(at == 0, 'no number of an atom')
   end subroutine refused_sizes

   ! The finalisers destroy a context and its lists in an order that the compiler chooses.
   subroutine left_to_finalisers()
      type(legato_context) :: inner
      type(legato_dfr) :: lists(2)
      type(legato_dfr), allocatable :: another
      integer :: i

      call inner%create(backend=LEGATO_BACKEND_CPU)
      allocate (another)
      call another%create(inner)
      do i = 1, 2
         call lists(i)%create(inner)
         call lists(i)%add_element(2, basis='hennessey')
      end do
      call lists(2)%run()
      call lists(1)%create(inner)     ! the former list is destroyed
   end subroutine left_to_finalisers

   subroutine given_back()
      integer(c_int64_t) :: atoms

      call dfr%destroy()
      call dfr%destroy()
      call dfr%size(atoms, stat, message)
      call check_refused('used before it was created')
      call check(atoms == 0, 'no atoms')
      call dfr%run(stat=stat, errmsg=message)
      call check_refused('used before it was created')
   end subroutine given_back

   function with_speed_of_light() result(params)
      type(legato_dfr_params) :: params

      params = dfr_defaults()
      params%speed_of_light = speed_of_light
   end function with_speed_of_light

   subroutine add_helium(nucleus, functions)
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:)
      real(c_double), parameter :: exponents(3) = [1.0_c_double, 2.0_c_double, 4.0_c_double]
      integer :: closed(size(functions))
      real(c_double) :: electrons(size(functions))

      closed = 0
      closed(1) = 1
      electrons = 0
      call dfr%add_atom(nucleus, functions, exponents(:sum(max(functions, 0))), closed, electrons, stat=stat, &
                        errmsg=message)
   end subroutine add_helium

   subroutine check_energy(atom, energy, what)
      type(legato_dfr_atom), intent(in) :: atom
      real(c_double), intent(in) :: energy
      character(*), intent(in) :: what

      call check(atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED, what//' has converged')
      call check(abs(atom%energy / energy - 1) < 1e-10_c_double, 'energy of '//what)
   end subroutine check_energy
end program dfr_test
