! Spectral function A(k, E) of graphene with box disorder on a path of wave vectors, averaged over realisations, and the
! Green's function between two sites.
program kpm_spectral
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: energies = 7, hoppings = 3, wave_vectors = 4
   integer, parameter :: from(hoppings) = 2, to(hoppings) = 1
   integer, parameter :: offsets(3, hoppings) = reshape([0, 0, 0, 1, 0, 0, 0, 1, 0], [3, hoppings])
   complex(c_double_complex), parameter :: amplitudes(hoppings) = -1
   real(c_double), parameter :: one = 1
   ! In units of the reciprocal lattice vectors: Gamma, half the way to K, K, and M.
   real(c_double), parameter :: k(3, wave_vectors) = &
                                reshape([0 * one, 0 * one, 0 * one, one / 6, -one / 6, 0 * one, &
                                         one / 3, -one / 3, 0 * one, one / 2, 0 * one, 0 * one], [3, wave_vectors])
   type(legato_context) :: context
   type(legato_kpm_cell_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: hamiltonian
   type(legato_kpm_params) :: params
   type(legato_kpm) :: kpm
   type(legato_kpm_green) :: green
   real(c_double) :: energy(energies), density(energies, wave_vectors), error(energies, wave_vectors)
   complex(c_double_complex) :: value(1, 2, 1)
   integer :: i

   call context%create()

   lattice = kpm_cell_lattice_defaults()
   lattice%extents(:2) = 96 ! a multiple of 6, so that the waves fit
   lattice%orbitals = 2
   lattice%on_site = LEGATO_KPM_ON_SITE_BOX
   lattice%disorder = 1.5_c_double
   call hamiltonian%create_cell_lattice(context, lattice, from, to, offsets, amplitudes)

   params = kpm_defaults()
   params%moments = 256
   params%realisations = 4
   call kpm%create(context, hamiltonian, params, wave_vectors=k)
   call kpm%run(show_progress)
   write (error_unit, '()')
   energy = [(i - (energies + 1) / 2, i=1, energies)]
   call kpm%local_densities(energy, density, error)
   print '(a)', '   energy      Gamma        K/2          K          M      error of M'
   do i = 1, energies
      print '(f9.3,5(1x,f10.5))', energy(i), density(i, :), error(i, 4)
   end do

   ! From orbital 1 of the first cell to orbital 2 of the same cell, and to orbital 1 of the next one.
   call green%create(context, hamiltonian, params, left=[2_c_int64_t, 3_c_int64_t], right=[1_c_int64_t])
   call green%run()
   call green%functions([0.5_c_double], value)
   do i = 1, 2
      print '(a,i0,a,2(1x,f10.5))', 'G(', i, ', 0; 0.5)', real(value(1, i, 1)), aimag(value(1, i, 1))
   end do

contains

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' vectors '
      cancel = .false. ! true stops the run
   end function show_progress
end program kpm_spectral
