! Tests the kernel polynomial method: known moments of a lattice and of matrices with both kinds of row pointers, the
! program's vectors, quantities derived from moments, saving and resuming, and refusals.
module kpm_vectors
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use legato, only: legato_progress
   implicit none
   integer :: fills = 0
   integer(c_int64_t) :: last_vector = 0  ! the last one that fill_or_stop accepts
contains
   ! Fills a vector with signs that depend on the sample and the site only.
   subroutine fill(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(out) :: vector(:)
      integer :: i

      fills = fills + 1
      do i = 1, size(vector)
         vector(i) = 1 - 2 * mod((i * 7 + int(sample) * 3) * (i + int(sample)) / 5, 2)
      end do
   end subroutine fill

   logical function fill_or_stop(sample, vector) result(cancel)
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(out) :: vector(:)

      call fill(sample, vector)
      cancel = sample > last_vector
   end function fill_or_stop

   ! Fills a vector with powers of i.
   subroutine fill_complex(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      complex(c_double_complex), intent(out) :: vector(:)
      integer :: i

      do i = 1, size(vector)
         vector(i) = (0.0_c_double, 1.0_c_double)**mod(i*i + int(sample)*i, 4)
      end do
   end subroutine fill_complex

   logical function fill_complex_or_stop(sample, vector) result(cancel)
      integer(c_int64_t), intent(in) :: sample
      complex(c_double_complex), intent(out) :: vector(:)

      call fill_complex(sample, vector)
      cancel = sample > last_vector
   end function fill_complex_or_stop

   logical function stop_estimates(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      cancel = progress%points_total == 4
   end function stop_estimates

   ! Fills on-site energies that shift the spectrum by a quarter in each realisation.
   subroutine shift(realisation, energies, cancel)
      integer(c_int64_t), intent(in) :: realisation
      real(c_double), intent(out) :: energies(:)
      logical, intent(inout) :: cancel

      energies = (realisation - 1) / 4.0_c_double
      cancel = realisation > last_vector
   end subroutine shift
end module kpm_vectors

program kpm_test
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t, c_int64_t
   use legato
   use checks
   use kpm_vectors
   implicit none
   integer, parameter :: sites = 12
   real(c_double), parameter :: pi = acos(-1.0_c_double)
   type(legato_context) :: context, none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call rings()
   call unit_cells()
   call refused_cells()
   call one_vector()
   call spectra()
   call many_energies()
   call changing_matrix()
   call given_vectors()
   call stopped_by_vectors()
   call complex_rings()
   call complex_vectors()
   call resuming()
   call refused()
   print '(a)', 'fortran kpm: all checks passed'

contains

   subroutine rings()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm_lattice) :: lattice
      integer(c_int64_t) :: row_pointers(sites + 1)
      integer(c_int32_t) :: columns(2 * sites)
      real(c_double) :: values(2 * sites), level(sites)
      integer :: i

      lattice = kpm_lattice_defaults()
      lattice%extents(1) = sites
      call hamiltonian%create_lattice(context, lattice)
      call check_ring(hamiltonian)
      lattice%on_site = LEGATO_KPM_ON_SITE_ENERGIES
      level = 0
      call hamiltonian%create_lattice(context, lattice, level)
      call check_ring(hamiltonian)
      row_pointers = [(2 * i - 1, i=1, sites + 1)]
      columns = [(modulo(i, sites) + 1, modulo(i - 2, sites) + 1, i=1, sites)]
      values = -1
      call hamiltonian%create_matrix(context, row_pointers, columns, values)
      call check_ring(hamiltonian)
      call hamiltonian%create_matrix(context, int(row_pointers, c_int32_t), columns, values)
      call check_ring(hamiltonian)
      call hamiltonian%create_matrix(context, row_pointers - 1, columns - 1_c_int32_t, values, index_base=0)
      call check_ring(hamiltonian)
   end subroutine rings

   ! The ring as a lattice with a cell of two orbitals, then graphene with two-valued disorder W = 2: the mean of E^2 is
   ! 3 + W^2 / 4.
   subroutine unit_cells()
      type(legato_kpm_cell_lattice) :: lattice
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      type(legato_kpm_state) :: state
      real(c_double) :: mean(3), square
      integer(c_int64_t) :: i

      lattice = kpm_cell_lattice_defaults()
      lattice%extents(1) = sites / 2
      lattice%orbitals = 2
      call hamiltonian%create_cell_lattice(context, lattice, [1, 2], [2, 1], reshape([0, 0, 0, 1, 0, 0], [3, 2]), &
                                           [(-1, 0), (-1, 0)] * 1.0_c_double)
      call check_ring(hamiltonian)
      lattice%extents = [4, 5, 1]
      lattice%on_site = LEGATO_KPM_ON_SITE_BINARY
      lattice%disorder = 2
      call hamiltonian%create_cell_lattice(context, lattice, [2, 2, 2], [1, 1, 1], &
         reshape([0, 0, 0, 1, 0, 0, 0, 1, 0], [3, 3]), [(-1, 0), (-1, 0), (-1, 0)] * 1.0_c_double, &
         positions=reshape([0, 0, 0, 1, 1, 0] / 3.0_c_double, [3, 2]), energies=[0.0_c_double, 0.0_c_double])
      params = kpm_defaults()
      params%moments = 3
      call kpm%create(context, hamiltonian, params, sites=[(i, i=1_c_int64_t, 40_c_int64_t)])
      call kpm%run()
      call kpm%moments(mean)
      call kpm%get_state(state)
      square = state%half_width**2 * (mean(3) + 1) / 2
      call check(abs(state%centre) < 1e-12_c_double .and. abs(square - 4) < 1e-12_c_double, 'moments of graphene')
      ! The last site is a vacancy, which has three of the 60 bonds.
      lattice%on_site = LEGATO_KPM_ON_SITE_CONSTANT
      call hamiltonian%create_cell_lattice(context, lattice, [2, 2, 2], [1, 1, 1], &
         reshape([0, 0, 0, 1, 0, 0, 0, 1, 0], [3, 3]), [(-1, 0), (-1, 0), (-1, 0)] * 1.0_c_double)
      call hamiltonian%set_vacancies([40_c_int64_t])
      call kpm%create(context, hamiltonian, params, sites=[(i, i=1_c_int64_t, 39_c_int64_t)])
      call kpm%run()
      call kpm%moments(mean)
      call kpm%get_state(state)
      square = state%half_width**2 * (mean(3) + 1) / 2
      call check(abs(square - 2 * 57 / 39.0_c_double) < 1e-12_c_double, 'moments of graphene with a vacancy')
      call hamiltonian%set_vacancies([41_c_int64_t], stat=stat, errmsg=message)
      call check(message == 'kpm.vacancies[0]: 40 is not in 0..39', 'no such site')
      lattice%vacancy_concentration = 1
      call hamiltonian%create_cell_lattice(context, lattice, [2], [1], reshape([0, 0, 0], [3, 1]), &
                                           [(-1, 0)] * 1.0_c_double, stat=stat, errmsg=message)
      call check(message == 'kpm.cell_lattice.vacancy_concentration[0]: 1 is not in [0, 0.999999]', 'only vacancies')
   end subroutine unit_cells

   subroutine refused_cells()
      type(legato_kpm_cell_lattice) :: lattice
      type(legato_kpm_hamiltonian) :: hamiltonian
      complex(c_double_complex) :: t(1)
      integer :: step(3, 1)

      lattice = kpm_cell_lattice_defaults()
      t = 1
      step(:, 1) = [1, 0, 0]
      call hamiltonian%create_cell_lattice(none, lattice, [1], [1], step, t, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'cells without a context')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1, 1], step, t, stat=stat, errmsg=message)
      call check(message == 'kpm.to: 2 elements are not 1', 'ends of hoppings')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1], step(:2, :), t, stat=stat, errmsg=message)
      call check(message == 'kpm.offsets: 2 x 1 elements are not 3 x 1', 'offsets of hoppings')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1], step, [t, t], stat=stat, errmsg=message)
      call check(message == 'kpm.amplitudes: 2 elements are not 1', 'amplitudes of hoppings')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1], step, t, reshape([1.0_c_double], [1, 1]), &
                                           stat=stat, errmsg=message)
      call check(message == 'kpm.positions: 1 x 1 elements are not 3 x 1', 'positions of orbitals')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1], step, t, energies=[1.0_c_double, 2.0_c_double], &
                                           stat=stat, errmsg=message)
      call check(message == 'kpm.energies: 2 elements are not 1', 'energies of orbitals')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [2], step, t, stat=stat, errmsg=message)
      call check(message == 'kpm.to[0]: 1 is not in 0..0', 'no such orbital')
      call hamiltonian%create_cell_lattice(context, lattice, [1], [1], step, t, site_energies=[1.0_c_double], &
                                           stat=stat, errmsg=message)
      call check(message == 'kpm.n_site_energies: 1 is not in 0..0', 'energies of sites')
   end subroutine refused_cells

   ! Checks that mu_n = 0 for 0 < n < L, and mu_L = 1 if the half width is 2.
   subroutine check_ring(hamiltonian)
      type(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      type(legato_kpm_state) :: state
      real(c_double) :: mean(sites + 2), error(sites + 2), local(3), exact(sites + 2)
      integer(c_int64_t) :: i

      params = kpm_defaults()
      params%moments = sites + 2
      params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
      params%lowest = -2
      params%highest = 2
      params%margin = 0
      call kpm%create(context, hamiltonian, params, sites=[(i, i=1_c_int64_t, sites)])
      call kpm%run()
      call kpm%moments(mean, error)
      exact = 0
      exact(1) = 1
      exact(sites + 1) = 1
      call check(all(abs(mean - exact) < 1e-12_c_double) .and. all(error == 0), 'moments of a ring')
      call kpm%moments(mean(:2))
      call kpm%sample(int(sites, c_int64_t), local)
      call check(all(abs(local - [1, 0, 0]) < 1e-12_c_double), 'local moments')
      call kpm%get_state(state)
      call check(state%sites == sites .and. state%samples_done == sites .and. state%half_width == 2, 'the state')
   end subroutine check_ring

   ! A ring gets other values and on-site energies. In a fixed interval, mu_2 = 2 <(H - centre)^2> / half_width^2 - 1.
   subroutine changing_matrix()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      integer(c_int64_t) :: rows(sites + 1)
      integer(c_int32_t) :: columns(2 * sites)
      real(c_double) :: values(2 * sites), moments(3), error(3)
      character(300) :: message
      integer :: i, stat

      rows = [(2 * i - 1_c_int64_t, i=1, sites + 1)]
      do i = 1, sites
         columns(2 * i - 1:2 * i) = [modulo(i, sites) + 1, modulo(i - 2, sites) + 1]
      end do
      values = -1
      params = kpm_defaults()
      params%moments = 3
      params%realisations = 3
      params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
      params%lowest = -4
      params%highest = 4
      params%margin = 0
      call hamiltonian%create_matrix(context, rows, columns, values)
      call hamiltonian%set_values(2 * values)
      call kpm%create(context, hamiltonian, params, sites=[1_c_int64_t])
      call kpm%run()
      call kpm%moments(moments, error)
      call check(moments(3) == 0 .and. all(error == 0), 'new values')
      call hamiltonian%set_values(values(2:), stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
                 index(message, 'kpm.matrix.n_elements: 23 is not in 24..24') > 0, 'too few values')
      last_vector = 2
      call hamiltonian%set_energies(0.0_c_double, 1.0_c_double, shift)
      call kpm%create(context, hamiltonian, params, sites=[1_c_int64_t])
      call kpm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. index(message, 'on-site energies of realisation 2') > 0, &
                 'energies that stop the run')
      last_vector = 3
      call hamiltonian%destroy()
      call kpm%run()
      do i = 1, 3
         call kpm%sample(int(i, c_int64_t), moments)
         call check(abs(moments(2) - (i - 1) / 16.0_c_double) < 1e-15_c_double, 'energies of a procedure')
      end do
      call hamiltonian%create_matrix(context, rows, columns, values)
      call hamiltonian%set_disorder(LEGATO_KPM_ON_SITE_BOX, 1.0_c_double)
      call kpm%create(context, hamiltonian, params, sites=[1_c_int64_t])
      call kpm%run()
      call kpm%moments(moments, error)
      call check(error(2) > 0 .and. abs(moments(2)) < 0.125, 'disorder')
      call hamiltonian%set_disorder(LEGATO_KPM_ON_SITE_ENERGIES, 1.0_c_double, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'kpm.on_site: 3 is not in 0..2') > 0, &
                 'energies without a procedure')
   end subroutine changing_matrix

   ! The error of one random vector is unknown. An interval that is too narrow gives an error status, with and without
   ! results.
   subroutine one_vector()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      real(c_double) :: mean(32), error(32)
      complex(c_double_complex) :: green(1), green_error(1)
      character(300) :: message
      integer :: stat

      call disordered(hamiltonian)
      params = kpm_defaults()
      params%moments = 32
      params%vectors = 1
      call kpm%create(context, hamiltonian, params)
      call kpm%run()
      call kpm%moments(mean, error)
      call check(all(error /= error), 'the error of one vector is NaN')
      call kpm%greens_function([0.3_c_double], green, green_error)
      call check(real(green_error(1)) /= real(green_error(1)) .and. real(green(1)) == real(green(1)), 'NaN for Green''s function')
      params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
      params%lowest = -5
      params%highest = 5
      call kpm%create(context, hamiltonian, params)
      call kpm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_NUMERICAL_ERROR .and. index(message, 'do not enclose the spectrum') > 0, &
         'a narrow interval')
      call kpm%moments(mean, stat=stat)
      call check(stat == LEGATO_STATUS_NUMERICAL_ERROR, 'no moments after it')
   end subroutine one_vector

   subroutine disordered(hamiltonian)
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      type(legato_kpm_lattice) :: lattice

      lattice = kpm_lattice_defaults()
      lattice%extents = [10, 6, 5]
      lattice%boundary(2) = LEGATO_KPM_BOUNDARY_HARD_WALL
      lattice%on_site = LEGATO_KPM_ON_SITE_BOX
      lattice%disorder = 3
      call hamiltonian%create_lattice(context, lattice)
   end subroutine disordered

   ! A procedure ends the computation of a density at many energies.
   subroutine many_energies()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      real(c_double), allocatable :: many(:), density_of_many(:), error_of_many(:)
      character(300) :: message
      integer :: stat

      call disordered(hamiltonian)
      params = kpm_defaults()
      params%moments = 4096
      params%vectors = 4
      params%realisations = 3
      call kpm%create(context, hamiltonian, params)
      call kpm%run()
      allocate (many(500000), density_of_many(500000), error_of_many(500000))
      many = 0.1_c_double
      call kpm%set_progress(stop_estimates)
      call kpm%density_of_states(many, density_of_many, error_of_many, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'kpm: stopped by the progress callback', 'many energies')
      call kpm%set_progress()
      call kpm%density_of_states(many(:2), density_of_many(:2), error_of_many(:2))
   end subroutine many_energies

   subroutine spectra()
      integer, parameter :: nodes = 128
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      type(legato_kpm_state) :: state
      real(c_double), dimension(nodes) :: energies, density, error, again, spread
      complex(c_double_complex) :: green(nodes), green_error(nodes)
      real(c_double) :: states(2), electrons, electrons_error, potential, potential_error, total

      call disordered(hamiltonian)
      params = kpm_defaults()
      params%moments = 48
      params%vectors = 4
      params%realisations = 3
      call kpm%create(context, hamiltonian, params)
      call hamiltonian%destroy()
      call kpm%run()
      call kpm%get_state(state)
      call kpm%density_at_nodes(energies, density, error)
      total = sum(density * sqrt(state%half_width**2 - (energies - state%centre)**2)) * pi / nodes
      call check(abs(total - 1) < 1e-10_c_double .and. all(error > 0), 'density at nodes')
      call kpm%density_of_states(energies, again, spread)
      call check(all(abs(again - density) < 1e-10_c_double) .and. all(abs(spread - error) < 1e-10_c_double), &
                 'density at the same energies')
      call kpm%density_of_states(energies, again)
      call kpm%density_of_states(energies, again, spread, LEGATO_KPM_KERNEL_LORENTZ, 3.0_c_double, 12_c_int64_t)
      call check(all(spread /= spread) .and. any(abs(again - density) > 1e-3_c_double), 'density of a sample')
      call kpm%greens_function(energies, green)
      call check(all(abs(aimag(green) + pi * density) < 1e-10_c_double), 'Green''s function')
      call kpm%greens_function(energies, green, green_error)
      call check(all(abs(aimag(green_error) - pi * error) < 1e-10_c_double) .and. all(real(green_error) > 0), &
                 'errors of Green''s function')
      call kpm%integrated_density([state%centre, state%centre + 2 * state%half_width], states)
      call check(abs(states(2) - 1) < 1e-12_c_double .and. abs(states(1) - 0.5_c_double) < 0.1_c_double, &
                 'integrated density')
      call kpm%electron_number(state%centre, 0.0_c_double, electrons, electrons_error)
      call check(abs(electrons - states(1)) < 1e-12_c_double .and. electrons_error > 0, 'electrons')
      call kpm%chemical_potential(electrons, 0.2_c_double, potential, potential_error)
      call check(potential_error > 0 .and. potential_error < 0.5_c_double, 'error of the chemical potential')
      call kpm%chemical_potential(electrons, 0.2_c_double, potential)
      call kpm%electron_number(potential, 0.2_c_double, electrons)
      call check(abs(electrons - states(1)) < 1e-12_c_double, 'chemical potential')
      call kpm%density_of_states(energies, again(:3), stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
                 message == 'kpm.density_of_states.density: 3 elements are not 128', 'a short density')
      call kpm%density_at_nodes(energies, again, error(:2), stat=stat, errmsg=message)
      call check(message == 'kpm.density_at_nodes.error: 2 elements are not 128', 'a short error')
      call kpm%density_of_states(energies, again, sample=13_c_int64_t, stat=stat, errmsg=message)
      call check(message == 'kpm.sample: 13 is not in 1..12', 'no such sample')
      call kpm%sample(0_c_int64_t, again, stat=stat, errmsg=message)
      call check(message == 'kpm.sample: 0 is not in 1..12', 'sample 0')
      call kpm%density_of_states(energies, again, kernel=9, stat=stat, errmsg=message)
      call check(message == 'kpm.kernel: 9 is not in 0..3', 'no such kernel')
      call kpm%greens_function(energies, green(:1), stat=stat, errmsg=message)
      call check(message == 'kpm.greens_function.green: 1 elements are not 128', 'a short Green''s function')
      call kpm%greens_function(energies, green, green_error(:5), stat=stat, errmsg=message)
      call check(message == 'kpm.greens_function.error: 5 elements are not 128', 'a short error of Green''s function')
      call kpm%chemical_potential(-1.0_c_double, 0.0_c_double, potential, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'kpm.electrons: -1 ') == 1, &
         'too few electrons')
   end subroutine spectra

   subroutine given_vectors()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm, resumed
      type(legato_kpm_params) :: params
      real(c_double) :: whole(20), part(20)
      integer(c_int64_t) :: done

      call disordered(hamiltonian)
      params = kpm_defaults()
      params%moments = 20
      params%vectors = 5
      params%block_width = 2
      call kpm%create(context, hamiltonian, params, start_vector=fill)
      call kpm%run()
      call check(fills == 5, 'a call for each vector')
      call kpm%moments(whole)
      call check(abs(whole(1) - 1) < 1e-14_c_double, 'mu_0 of signs')
      call kpm%create(context, hamiltonian, params, start_vector=fill)
      call kpm%advance(1_c_int64_t, done)
      call check(done == 2, 'samples of a block')
      call kpm%save('fortran_kpm.h5')
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'kpm.params.start_vectors: 4 (given)') == 1, &
                 'resumed without vectors')
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, fill)
      call resumed%run()
      call resumed%moments(part)
      call check(all(part == whole), 'the same bits')
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, fill, fill_or_stop, stat=stat, errmsg=message)
      call check(message == 'kpm.resume: sites, start_vector, stoppable_start_vector and their complex forms exclude '// &
                 'each other', 'both kinds')
      call remove_file('fortran_kpm.h5')
   end subroutine given_vectors

   ! The program's vectors stop the run. The run is resumed from the file, without a stop.
   subroutine stopped_by_vectors()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm, resumed
      type(legato_kpm_params) :: params
      type(legato_kpm_state) :: state
      real(c_double) :: mean(20)

      call disordered(hamiltonian)
      params = kpm_defaults()
      params%moments = 20
      params%vectors = 5
      params%block_width = 2
      last_vector = 3
      call kpm%create(context, hamiltonian, params, stoppable_start_vector=fill_or_stop)
      call kpm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. message == 'kpm: stopped by the callback for start vector 3', &
                 'stopped by a vector')
      call kpm%get_state(state)
      call check(state%samples_done == 2, 'samples before the stop')
      call kpm%save('fortran_kpm.h5')
      last_vector = 5
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, stoppable_start_vector=fill_or_stop)
      call resumed%run()
      call resumed%moments(mean)
      call check(abs(mean(1) - 1) < 1e-14_c_double, 'mu_0 after the stop')
      call remove_file('fortran_kpm.h5')
   end subroutine stopped_by_vectors

   ! Returns a ring whose hopping to the next site is e^(i phase).
   subroutine ring_with_flux(hamiltonian, phase, is_narrow)
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      real(c_double), intent(in) :: phase
      logical, intent(in) :: is_narrow
      integer(c_int64_t) :: row_pointers(sites + 1)
      integer(c_int32_t) :: columns(2*sites)
      complex(c_double_complex) :: values(2*sites)
      integer :: i

      row_pointers = [(2_c_int64_t*i + 1, i=0, sites)]
      do i = 1, sites
         columns(2*i - 1:2*i) = [modulo(i, sites) + 1, modulo(i - 2, sites) + 1]
         values(2*i - 1:2*i) = [exp(cmplx(0, phase, c_double_complex)), exp(cmplx(0, -phase, c_double_complex))]
      end do
      if (is_narrow) then
         call hamiltonian%create_matrix(context, int(row_pointers, c_int32_t), columns, values)
      else
         call hamiltonian%create_matrix(context, row_pointers, columns, values)
      end if
   end subroutine ring_with_flux

   ! All sites of a ring of L give mu_n = 0 for 0 < n < L, and mu_L = cos(L phase) if half_width is 2.
   subroutine complex_rings()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: params
      real(c_double), parameter :: phase = 0.1_c_double
      real(c_double) :: mean(sites + 2)
      integer(c_int64_t) :: i
      logical :: is_narrow

      is_narrow = .false.
      do
         call ring_with_flux(hamiltonian, phase, is_narrow)
         if (is_narrow) call change_flux(hamiltonian, phase)
         params = kpm_defaults()
         params%moments = sites + 2
         params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
         params%lowest = -2
         params%highest = 2
         params%margin = 0
         call kpm%create(context, hamiltonian, params, sites=[(i, i=1, sites)])
         call kpm%run()
         call kpm%moments(mean)
         call check(abs(mean(1) - 1) < 1e-14_c_double .and. all(abs(mean(2:sites)) < 1e-14_c_double) .and. &
                    abs(mean(sites + 1) - cos(sites*phase)) < 1e-14_c_double, 'moments of a ring with flux')
         if (is_narrow) exit
         is_narrow = .true.
      end do
      params%start_vectors = LEGATO_KPM_START_VECTORS_PHASE
      call kpm%create(context, hamiltonian, params)
      call kpm%run()
      call kpm%moments(mean)
      call check(abs(mean(1) - 1) < 1e-14_c_double, 'mu_0 of phases')
   end subroutine complex_rings

   ! Values of a ring with twice the flux, and then again those of the ring. Real values are refused.
   subroutine change_flux(hamiltonian, phase)
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      real(c_double), intent(in) :: phase
      complex(c_double_complex) :: values(2*sites)
      real(c_double) :: reals(2*sites)
      character(300) :: message
      integer :: i, stat

      values = [(exp(cmplx(0, merge(phase, -phase, modulo(i, 2) == 1), c_double_complex)), i=1, 2*sites)]
      call hamiltonian%set_values(values**2)
      call hamiltonian%set_values(values)
      reals = 1
      call hamiltonian%set_values(reals, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
                 message == 'kpm.matrix.values: they are real, but the Hamiltonian is complex', 'real values')
   end subroutine change_flux

   ! <r|H|r> of vectors of the program, and refusals of vectors of the other type.
   subroutine complex_vectors()
      type(legato_kpm_hamiltonian) :: hamiltonian, real_one, unmade
      type(legato_kpm) :: kpm, resumed
      type(legato_kpm_params) :: params
      real(c_double), parameter :: phase = 0.3_c_double
      complex(c_double_complex) :: vector(sites)
      real(c_double) :: mu(2), expected
      integer(c_int64_t) :: sample

      call ring_with_flux(hamiltonian, phase, .false.)
      params = kpm_defaults()
      params%moments = 2
      params%vectors = 3
      params%block_width = 2
      params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
      params%lowest = -2
      params%highest = 2
      params%margin = 0
      last_vector = 2
      call kpm%create(context, hamiltonian, params, stoppable_complex_start_vector=fill_complex_or_stop)
      call kpm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED, 'stopped by a complex vector')
      call kpm%save('fortran_kpm.h5')
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, complex_start_vector=fill_complex)
      call resumed%run()
      do sample = 1, 3
         call fill_complex(sample, vector)
         expected = real(sum(conjg(vector)*exp(cmplx(0, phase, c_double_complex))*cshift(vector, 1)), c_double)/sites
         call resumed%sample(sample, mu)
         call check(abs(mu(1) - 1) < 1e-14_c_double .and. abs(mu(2) - expected) < 1e-14_c_double, 'complex vectors')
      end do
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian, fill, stat=stat, errmsg=message)
      call check(message == 'kpm.resume: the Hamiltonian is complex, which needs complex_start_vector or '// &
                 'stoppable_complex_start_vector', 'real vectors of a complex Hamiltonian')
      call disordered(real_one)
      call kpm%create(context, real_one, params, complex_start_vector=fill_complex, stat=stat, errmsg=message)
      call check(message == 'kpm.create: the Hamiltonian is real, which needs start_vector or stoppable_start_vector', &
                 'complex vectors of a real Hamiltonian')
      params%start_vectors = LEGATO_KPM_START_VECTORS_PHASE
      call kpm%create(context, real_one, params, stat=stat, errmsg=message)
      call check(index(message, 'kpm.params.start_vectors: 5 (phase) is for complex Hamiltonians') == 1, 'real phases')
      call kpm%create(context, unmade, complex_start_vector=fill_complex, stat=stat, errmsg=message)
      call check(message == 'kpm.hamiltonian: a null pointer is not allowed', 'complex vectors without a Hamiltonian')
      call hamiltonian%create_matrix(context, [1_c_int32_t, 2_c_int32_t], [1_c_int32_t], &
                                     [(1.0_c_double, 0.5_c_double)], stat=stat, errmsg=message)
      call check(message == 'kpm.matrix: the element in row 1 and column 1 is (1, 0.5), which is not real; the matrix '// &
                 'is not Hermitian', 'a complex diagonal')
      call hamiltonian%create_matrix(context, [1_c_int64_t, 1_c_int64_t], [integer(c_int32_t) ::], &
                                     [complex(c_double_complex) ::])
      call hamiltonian%create_matrix(context, [1_c_int64_t, 2_c_int64_t], [1_c_int32_t], &
                                     [complex(c_double_complex) ::], stat=stat, errmsg=message)
      call check(message == 'kpm.matrix.values: 0 elements are not 1', 'lengths of a complex matrix')
      call remove_file('fortran_kpm.h5')
   end subroutine complex_vectors

   subroutine resuming()
      type(legato_kpm_hamiltonian) :: hamiltonian
      type(legato_kpm) :: kpm, resumed
      type(legato_kpm_params) :: params
      real(c_double) :: whole(256), part(256)

      call disordered(hamiltonian)
      params = kpm_defaults()
      call check(params%precision == LEGATO_KPM_PRECISION_DOUBLE, 'double precision by default')
      params%precision = LEGATO_KPM_PRECISION_SINGLE
      call kpm%create(context, hamiltonian, params)
      params = kpm_defaults()
      call kpm%run(stop_at_once, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. last_progress%points_total == 16, 'stopped')
      call kpm%save('fortran_kpm.h5')
      call kpm%run()
      call kpm%moments(whole)
      call resumed%resume(context, 'fortran_kpm.h5', hamiltonian)
      call resumed%get_params(params)
      call check(params%moments == 256 .and. params%vectors == 16 .and. &
         params%precision == LEGATO_KPM_PRECISION_SINGLE, &
                 'parameters of the file')
      call resumed%run()
      call resumed%moments(part)
      call check(all(part == whole), 'the same bits of random vectors')
      call remove_file('fortran_kpm.h5')
   end subroutine resuming

   subroutine refused()
      type(legato_kpm_hamiltonian) :: hamiltonian, nothing
      type(legato_kpm) :: kpm
      type(legato_kpm_lattice) :: lattice
      real(c_double) :: x(1)

      call hamiltonian%create_matrix(context, [1_c_int64_t, 2_c_int64_t], [1_c_int32_t], [1.0_c_double, 2.0_c_double], &
                                     stat=stat, errmsg=message)
      call check(message == 'kpm.matrix.values: 2 elements are not 1', 'lengths of a matrix')
      call hamiltonian%create_matrix(context, [1_c_int32_t, 2_c_int32_t, 3_c_int32_t], [2_c_int32_t, 1_c_int32_t], &
                                     [1.0_c_double, 2.0_c_double], stat=stat, errmsg=message)
      call check(index(message, 'kpm.matrix: the element in row 1 and column 2 is 1, but that in row 2 and') == 1, &
                 'an asymmetric matrix')
      call hamiltonian%create_matrix(context, [integer(c_int64_t) ::], [integer(c_int32_t) ::], [real(c_double) ::], &
                                     stat=stat, errmsg=message)
      call check(index(message, 'kpm.matrix.rows: -1 ') == 1, 'a matrix of nothing')
      call kpm%create(context, nothing, stat=stat, errmsg=message)
      call check(message == 'kpm.hamiltonian: a null pointer is not allowed', 'no Hamiltonian')
      lattice = kpm_lattice_defaults()
      lattice%extents(2) = 3
      call hamiltonian%create_lattice(none, lattice, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'no context')
      call hamiltonian%create_lattice(context, lattice)
      call kpm%create(context, hamiltonian, sites=[4_c_int64_t], stat=stat, errmsg=message)
      call check(message == 'kpm.sites[0]: 3 is not in 0..2', 'no such site')
      call kpm%create(context, hamiltonian, sites=[1_c_int64_t], start_vector=fill, stat=stat, errmsg=message)
      call check(message == 'kpm.create: sites, start_vector, stoppable_start_vector and their complex forms exclude '// &
                 'each other', 'sites and vectors')
      call kpm%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. message == 'used before it was created', &
         'run before create')
      call kpm%moments(x, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'moments before create')
      call kpm%sample(1_c_int64_t, x, stat=stat, errmsg=message)
      call check(message == 'used before it was created', 'sample before create')
   end subroutine refused
end program kpm_test
