! Tests plane waves, results of each site, Green's functions between vectors, and refusals.
module kpm_spectral_vectors
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   implicit none
contains
   ! Gives the vector that is 1 on the site with the number of the sample.
   logical function unit_vector(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(out) :: vector(:)

      vector = 0
      vector(sample) = 1
      unit_vector = .false.
   end function unit_vector

   logical function stopping_vector(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      real(c_double), intent(out) :: vector(:)

      vector = real(sample, c_double)
      stopping_vector = .true.
   end function stopping_vector

   logical function complex_vector(sample, vector)
      integer(c_int64_t), intent(in) :: sample
      complex(c_double_complex), intent(out) :: vector(:)

      vector = 0
      vector(sample) = (0, 1)
      complex_vector = .false.
   end function complex_vector
end module kpm_spectral_vectors

program kpm_spectral_test
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use legato
   use checks
   use kpm_spectral_vectors
   implicit none
   integer, parameter :: cells = 6, n = 40
   real(c_double), parameter :: pi = acos(-1.0_c_double)
   type(legato_context), save :: context
   type(legato_kpm_hamiltonian), save :: chain, dimers
   type(legato_kpm_lattice) :: lattice
   type(legato_kpm_cell_lattice) :: cell_lattice
   type(legato_kpm_params) :: params

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   lattice = kpm_lattice_defaults()
   lattice%extents(1) = 8
   lattice%hopping = -1
   lattice%on_site = LEGATO_KPM_ON_SITE_BOX
   lattice%disorder = 1
   call chain%create_lattice(context, lattice)
   ! A chain of dimers with hoppings -1 within a cell and -i/2 between cells: E = +-|1 - i exp(i k) / 2| or its mirror.
   cell_lattice = kpm_cell_lattice_defaults()
   cell_lattice%extents(1) = cells
   cell_lattice%orbitals = 2
   call dimers%create_cell_lattice(context, cell_lattice, [1, 2], [2, 1], reshape([0, 0, 0, 1, 0, 0], [3, 2]), &
                                   [cmplx(-1, 0, c_double_complex), cmplx(0, -0.5, c_double_complex)])
   params = kpm_defaults()
   params%moments = n
   call waves()
   call sites()
   call between_sites()
   call between_vectors()
   call refused()
   print '(a)', 'fortran kpm_spectral: all checks passed'

contains

   subroutine waves()
      type(legato_kpm) :: kpm
      type(legato_kpm_state) :: state
      type(legato_kpm_params) :: used
      real(c_double) :: k(3, 3), mean(n, 3), error(n, 3), e, density(n, 3), nodes(n), at(2), some(2, 2)
      complex(c_double_complex) :: green(2, 3), spread(2, 3), amplitudes(2, 3)
      integer :: i, j

      k = 0
      k(1, :) = [0.0_c_double, 1.0_c_double / cells, 2.5_c_double / cells]
      call kpm%create(context, dimers, params, wave_vectors=k(:, :2))
      call kpm%run()
      call kpm%get_params(used)
      call check(used%start_vectors == LEGATO_KPM_START_VECTORS_WAVES, 'kind of start vectors')
      call kpm%get_state(state)
      call check(state%samples == 2 .and. state%samples_done == 2, 'samples')
      call kpm%local_moments(mean(:, :2), error(:, :2))
      do i = 1, 2
         ! <1|H|2> = -1 - (i/2)^* exp(..) in one of the two directions; both have this absolute value
         e = abs(1 + cmplx(0, 0.5, c_double_complex) * exp(cmplx(0, -2 * pi * k(1, i), c_double_complex)))
         e = e / state%half_width
         do j = 1, n
            call check(abs(mean(j, i) - (cos((j - 1) * acos(e)) + cos((j - 1) * acos(-e))) / 2) < 1e-12, 'moments of a wave')
         end do
      end do
      call check(all(error(:, :2) == 0), 'exact moments')
      amplitudes = 0
      amplitudes(1, :) = (0, 2)
      call kpm%create(context, dimers, params, wave_vectors=k, amplitudes=amplitudes)
      call kpm%run()
      call kpm%local_moments(mean)
      call check(all(abs(mean(1, :) - 4) < 1e-13), 'squared amplitudes')
      call kpm%local_densities_at_nodes(nodes, density)
      at = [nodes(5), nodes(20)]
      call kpm%local_densities(at, some, first=2_c_int64_t)
      call check(abs(some(1, 1) - density(5, 2)) < 1e-12 .and. abs(some(2, 2) - density(20, 3)) < 1e-12, &
                 'densities at nodes')
      call kpm%local_greens_functions(at, green, spread)
      call check(all(abs(aimag(green(:, 2:)) + pi * some) < 1e-12), 'imaginary parts')
      call check(all(spread == 0), 'errors of exact results')
   end subroutine waves

   subroutine sites()
      type(legato_kpm) :: kpm
      real(c_double) :: mean(n, 8), error(n, 8), one(n), other(n)
      integer(c_int64_t) :: i

      params%realisations = 2
      call kpm%create(context, chain, params, sites=[(i, i=1, 8)])
      call kpm%run()
      call kpm%local_moments(mean, error)
      call kpm%sample(3_c_int64_t, one)
      call kpm%sample(11_c_int64_t, other)
      call check(all(abs(mean(:, 3) - (one + other) / 2) < 1e-14), 'mean of realisations')
      call check(all(abs(error(:, 3) - abs(one - other) / 2) < 1e-14), 'error of two realisations')
   end subroutine sites

   subroutine between_sites()
      type(legato_kpm_green) :: green, again
      type(legato_kpm) :: kpm
      type(legato_kpm_params) :: kept
      type(legato_kpm_state) :: state
      complex(c_double_complex) :: moments(n, 2, 2), error(n, 2, 2), g(1, 2, 2), spread(1, 2, 2), one(1), its_error(1)
      integer(c_int64_t) :: done

      call green%create(context, chain, params, left=[1_c_int64_t, 4_c_int64_t], right=[4_c_int64_t, 1_c_int64_t])
      call green%advance(1_c_int64_t, done)
      call check(done == 1, 'advance')
      call green%save('green.h5')
      call again%resume(context, 'green.h5', chain)
      call again%get_params(kept)
      call check(kept%moments == params%moments .and. kept%seed == params%seed, 'parameters after resume')
      call again%run()
      call green%run()
      call green%get_state(state)
      call check(state%samples == 4 .and. state%samples_done == 4, 'samples of Green''s functions')
      call green%moments(moments, error)
      call again%moments(moments)
      call check(all(abs(moments(:, 1, 1) - moments(:, 2, 2)) < 1e-14), 'symmetry')
      call green%functions([0.25_c_double], g, spread)
      call kpm%create(context, chain, params, sites=[4_c_int64_t])
      call kpm%run()
      call kpm%greens_function([0.25_c_double], one, its_error, LEGATO_KPM_KERNEL_LORENTZ, 4.0_c_double)
      call check(abs(g(1, 2, 1) - one(1)) < 1e-12 .and. abs(spread(1, 2, 1) - its_error(1)) < 1e-12, &
                 'diagonal Green''s function')
      call again%functions([0.25_c_double], g(:, :1, :1), first_left=2_c_int64_t)
      call check(abs(g(1, 1, 1) - one(1)) < 1e-12, 'first vector on the left')
   end subroutine between_sites

   subroutine between_vectors()
      type(legato_kpm_green) :: green
      complex(c_double_complex) :: of_sites(n, 2, 1), of_vectors(n, 2, 1)
      integer :: stat
      character(200) :: message

      call green%create(context, chain, params, left=[2_c_int64_t, 3_c_int64_t], right=[1_c_int64_t])
      call green%run()
      call green%moments(of_sites)
      call green%create(context, chain, params, n_left=2_c_int64_t, n_right=1_c_int64_t, stoppable_start_vector=unit_vector)
      call green%run()
      call green%moments(of_vectors)
      call check(all(abs(of_vectors - of_sites) < 1e-14), 'vectors of the program')
      call green%create(context, dimers, params, left=[2_c_int64_t, 3_c_int64_t], right=[1_c_int64_t])
      call green%run()
      call green%moments(of_sites)
      call green%create(context, dimers, params, n_left=2_c_int64_t, right=[1_c_int64_t], &
                        stoppable_complex_start_vector=complex_vector)
      call green%run()
      call green%moments(of_vectors)
      call check(all(abs(of_vectors + (0, 1) * of_sites) < 1e-14), 'complex vectors of the program')
      call green%create(context, chain, params, n_left=1_c_int64_t, n_right=1_c_int64_t, stoppable_start_vector=stopping_vector)
      call green%run(stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_CANCELLED, 'stopped by a vector')
   end subroutine between_vectors

   subroutine refused()
      type(legato_kpm) :: kpm
      type(legato_kpm_green) :: green
      real(c_double) :: mean(n, 2), k(3, 1)
      complex(c_double_complex) :: amplitudes(3, 1), g(1, 1, 1)
      integer :: stat
      character(200) :: message

      k = 0
      amplitudes = 1
      call kpm%create(context, dimers, params, wave_vectors=k, amplitudes=amplitudes, stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.orbitals: 3 ')
      call kpm%create(context, dimers, params, wave_vectors=k, sites=[1_c_int64_t], stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.create: wave_vectors excludes')
      call kpm%create(context, dimers, params, wave_vectors=k)
      call kpm%local_moments(mean(:, :1), stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.sample: 0 is not finished yet')
      call kpm%local_moments(mean(:, :1), first=2_c_int64_t, stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.first: 2 is not in 1..1')
      call kpm%local_moments(mean(:, :1), mean, stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.local_moments.error')
      call green%functions([0.0_c_double], g, stat=stat, errmsg=message)
      call check(stat /= 0, 'no Green''s function')
      call green%create(context, chain, params, left=[9_c_int64_t], right=[1_c_int64_t], stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.green.left[0]: 8 ')
      call green%create(context, chain, params, left=[1_c_int64_t], stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.green.create: either left or n_left')
      call green%create(context, dimers, params, n_left=1_c_int64_t, right=[1_c_int64_t], &
                        stoppable_start_vector=unit_vector, stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.green.create: the Hamiltonian is complex')
      call green%create(context, chain, params, left=[1_c_int64_t], right=[1_c_int64_t])
      call green%functions([0.0_c_double], g, stat=stat, errmsg=message)
      call check_message(stat, message, 'kpm.green.sample: 0 is not finished yet')
   end subroutine refused

   subroutine check_message(stat, message, beginning)
      integer, intent(in) :: stat
      character(*), intent(in) :: message, beginning

      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, beginning) == 1, &
                 beginning//' expected, found '//trim(message))
   end subroutine check_message
end program kpm_spectral_test
