! Density of states of graphene, clean and with two kinds of atoms: a tenth of the sites has an energy that is higher by
! 2 than that of the other sites.
program kpm_graphene
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: energies = 9, hoppings = 3
   ! Orbital 2 of a cell is bonded to orbital 1 of the same cell, of the next cell along the first lattice vector, and of
   ! the next one along the second.
   integer, parameter :: from(hoppings) = 2, to(hoppings) = 1
   integer, parameter :: offsets(3, hoppings) = reshape([0, 0, 0, 1, 0, 0, 0, 1, 0], [3, hoppings])
   complex(c_double_complex), parameter :: amplitudes(hoppings) = -1
   type(legato_context) :: context
   type(legato_kpm_cell_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: clean, alloy
   type(legato_kpm_params) :: params
   type(legato_kpm) :: kpm, local
   real(c_double), dimension(energies) :: energy, density, error, of_clean
   integer :: i

   call context%create()

   lattice = kpm_cell_lattice_defaults()
   lattice%extents(:2) = 128
   lattice%orbitals = 2
   call clean%create_cell_lattice(context, lattice, from, to, offsets, amplitudes)
   lattice%on_site = LEGATO_KPM_ON_SITE_BINARY
   lattice%disorder = 2 ! energies are 1 and -1
   lattice%concentration = 0.1_c_double
   call alloy%create_cell_lattice(context, lattice, from, to, offsets, amplitudes)

   params = kpm_defaults()
   params%moments = 128
   params%vectors = 4
   params%realisations = 4
   call kpm%create(context, alloy, params)
   call kpm%run(show_progress)
   write (error_unit, '()')
   ! All sites of the clean lattice are equivalent, so that one of them gives the exact moments.
   params%realisations = 1
   call local%create(context, clean, params, sites=[1_c_int64_t])
   call local%run()

   energy = [(i - (energies + 1) / 2, i=1, energies)]
   call kpm%density_of_states(energy, density, error)
   call local%density_of_states(energy, of_clean)
   print '(a)', '   energy      clean      alloy      error'
   do i = 1, energies
      print '(f9.3,3(1x,f10.6))', energy(i), of_clean(i), density(i), error(i)
   end do

contains

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' vectors '
      cancel = .false. ! true stops the run
   end function show_progress
end program kpm_graphene
