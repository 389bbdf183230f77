! Tests functions of a Hamiltonian: complex and real vectors, functions of the program, progress, and refusals.
module kpm_energy_functions
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
   implicit none
contains
   ! E^2 + i E^3
   subroutine powers(energies, values)
      real(c_double), intent(in) :: energies(:)
      complex(c_double_complex), intent(out) :: values(:)

      values = cmplx(energies**2, energies**3, c_double_complex)
   end subroutine powers
end module kpm_energy_functions

program kpm_function_test
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use legato
   use checks
   use kpm_energy_functions
   implicit none
   integer, parameter :: sites = 12
   real(c_double), parameter :: pi = acos(-1.0_c_double)
   type(legato_context), save :: context
   type(legato_kpm_hamiltonian), save :: hamiltonian
   type(legato_kpm_lattice) :: lattice

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   lattice = kpm_lattice_defaults()
   lattice%extents(1) = sites
   lattice%hopping = -1
   call hamiltonian%create_lattice(context, lattice)
   call plane_waves()
   call real_vectors()
   call stopped()
   call refused()
   print '(a)', 'fortran kpm_function: all checks passed'

contains

   ! Returns an eigenvector, whose energy is 2 cos(2 pi k / sites).
   function wave(k)
      integer, intent(in) :: k
      complex(c_double_complex) :: wave(sites)
      integer :: i

      wave = [(exp(cmplx(0, 2 * pi * k * i / sites, c_double_complex)), i=1, sites)]
   end function wave

   real(c_double) function energy(k)
      integer, intent(in) :: k

      energy = 2 * cos(2 * pi * k / sites)
   end function energy

   subroutine plane_waves()
      type(legato_kpm_function) :: function
      type(legato_kpm_state) :: state
      complex(c_double_complex) :: in(sites, 3), out(sites, 3), phase
      real(c_double) :: bound
      integer(c_int64_t) :: terms
      integer :: k

      call function%create(context, hamiltonian)
      call function%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 3.5_c_double, 1e-13_c_double, terms=terms, bound=bound)
      call check(terms > 10 .and. terms < 60 .and. bound > 0 .and. bound < 1e-12, 'terms and bound')
      do k = 1, 3
         in(:, k) = wave(k)
      end do
      call function%apply(in, out)
      do k = 1, 3
         phase = exp(cmplx(0, -3.5_c_double * energy(k), c_double_complex))
         call check(all(abs(out(:, k) - phase * in(:, k)) < 1e-12), 'evolution of a plane wave')
      end do
      call function%get_state(state)
      call check(state%moments == terms .and. state%samples == 3 .and. state%samples_done == 3, 'state')
      call function%set(powers, 1e-13_c_double, terms)
      call check(terms == 4, 'terms of a polynomial')
      call function%apply(in(:, 1), out(:, 1))
      call check(all(abs(out(:, 1) - cmplx(energy(1)**2, energy(1)**3, c_double_complex) * in(:, 1)) < 1e-11), &
                 'a function of the program')
   end subroutine plane_waves

   subroutine real_vectors()
      type(legato_kpm_function) :: function
      real(c_double) :: in(sites, 2), out(sites, 2), one(sites)
      integer :: k

      call function%create(context, hamiltonian)
      call function%set(LEGATO_KPM_FUNCTION_KIND_FERMI, 0.3_c_double, 1e-12_c_double, second=0.2_c_double)
      do k = 1, 2
         in(:, k) = real(wave(k))
      end do
      call function%apply(in, out)
      do k = 1, 2
         call check(all(abs(out(:, k) - in(:, k) / (1 + exp((energy(k) - 0.3) / 0.2))) < 1e-7), 'occupation')
      end do
      call function%apply(in(:, 2), one)
      call check(all(one == out(:, 2)), 'one real vector')
   end subroutine real_vectors

   subroutine stopped()
      type(legato_kpm_function) :: function
      complex(c_double_complex) :: in(sites), out(sites)

      call function%create(context, hamiltonian)
      call function%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1.0_c_double, 1e-6_c_double)
      in = wave(1)
      out = 5
      call function%apply(in, out, stop_at_once, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. last_progress%points_total == 1, 'stopped')
   end subroutine stopped

   subroutine refused()
      type(legato_kpm_function) :: function
      complex(c_double_complex) :: v(sites, 2), w(sites, 2), none(sites, 0), other(sites, 0)
      real(c_double) :: x(sites), y(sites)

      v = 1
      w = 2
      x = 1
      y = 2
      call function%apply(v, w, stat=stat, errmsg=message)
      call check_refused('used before it was created')
      call function%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1.0_c_double, 1e-6_c_double, stat=stat, errmsg=message)
      call check_refused('used before it was created')
      call function%create(context, hamiltonian, realisation=2_c_int64_t, stat=stat, errmsg=message)
      call check_refused('kpm.realisation: 1 is not in 0..0')
      call function%create(context, hamiltonian)
      call function%apply(v, w, stat=stat, errmsg=message)
      call check_refused('kpm.function: no function is set; call legato_kpm_function_set first')
      call function%set(LEGATO_KPM_FUNCTION_KIND_STEP, 1.0_c_double, 1e-6_c_double, stat=stat, errmsg=message)
      call check(index(message, 'kpm.function.second: 0 is a step or a point') == 1, 'a step')
      call function%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1.0_c_double, 1e-6_c_double)
      call function%apply(v(:6, :), w(:6, :), stat=stat, errmsg=message)
      call check_refused('kpm.function.in: 6 elements are not 12')
      call function%apply(v, w(:, :1), stat=stat, errmsg=message)
      call check_refused('kpm.function.out: 12 x 1 elements are not 12 x 2')
      call function%apply(none, other, stat=stat, errmsg=message)
      call check_refused('kpm.function.in: 12 x 0 elements are not 12 x 1')
      call function%apply(x, y, stat=stat, errmsg=message)
      call check(index(message, 'kpm.function: it has an imaginary part') == 1, 'real vectors')
   end subroutine refused
end program kpm_function_test
