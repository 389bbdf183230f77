! Conductivities of Haldane's model: graphene with imaginary hoppings to second neighbours. In the gap around the energy
! 0, the Hall conductivity is -e^2/h and the longitudinal one vanishes.
program kpm_hall
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: potentials = 7, hoppings = 9
   ! Orbital 2 of a cell is bonded to orbital 1 of the same cell and of the next cells along both lattice vectors. Second
   ! neighbours are along the lattice vectors and their difference.
   integer, parameter :: from(hoppings) = [2, 2, 2, 1, 1, 1, 2, 2, 2], to(hoppings) = [1, 1, 1, 1, 1, 1, 2, 2, 2]
   integer, parameter :: offsets(3, hoppings) = reshape([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, -1, 1, 0, 0, -1, 0, &
                                                         1, 0, 0, -1, 1, 0, 0, -1, 0], [3, hoppings])
   complex(c_double_complex), parameter :: one = 1, second = (0, 0.2_c_double)
   complex(c_double_complex), parameter :: amplitudes(hoppings) = [-one, -one, -one, second, second, second, &
                                                                   -second, -second, -second]
   real(c_double), parameter :: third = 1.0_c_double / 3, height = sqrt(0.75_c_double)
   real(c_double), parameter :: positions(3, 2) = reshape([0.0_c_double, 0.0_c_double, 0.0_c_double, third, third, &
                                                           0.0_c_double], [3, 2])
   ! The lattice vectors are (1, 0) and (1/2, sqrt(3)/2).
   real(c_double), parameter :: along_x(3) = [1.0_c_double, 0.5_c_double, 0.0_c_double], &
      along_y(3) = [0.0_c_double, height, 0.0_c_double]
   real(c_double), parameter :: area_of_site = height / 2, conductance_quantum = 1 / (2 * acos(-1.0_c_double))
   type(legato_context) :: context
   type(legato_kpm_cell_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: hamiltonian, v_x, v_y
   type(legato_kpm_params) :: params
   type(legato_kpm_correlation) :: xy, xx
   real(c_double), dimension(potentials) :: mu, hall, hall_error, sigma, error
   integer :: i

   call context%create()

   lattice = kpm_cell_lattice_defaults()
   lattice%extents(:2) = 64
   lattice%orbitals = 2
   call hamiltonian%create_cell_lattice(context, lattice, from, to, offsets, amplitudes, positions)
   call v_x%create_velocity(context, hamiltonian, along_x)
   call v_y%create_velocity(context, hamiltonian, along_y)

   params = kpm_defaults()
   params%moments = 128
   params%vectors = 8
   params%start_vectors = LEGATO_KPM_START_VECTORS_PHASE
   call xy%create(context, hamiltonian, v_x, v_y, params)
   call xy%run(show_progress)
   call xx%create(context, hamiltonian, v_x, v_x, params)
   call xx%run(show_progress)
   write (error_unit, '()')

   mu = [(i - (potentials + 1) / 2, i=1, potentials)]
   call xy%hall(mu, hall, hall_error)
   call xx%greenwood(mu, sigma, error)
   hall = hall / (area_of_site * conductance_quantum)
   hall_error = hall_error / (area_of_site * conductance_quantum)
   sigma = sigma / (area_of_site * conductance_quantum)
   error = error / (area_of_site * conductance_quantum)
   print '(a)', 'chemical potential, Hall and longitudinal conductivity in e^2/h'
   do i = 1, potentials
      print '(f6.2,2(1x,f10.4," +- ",f6.4))', mu(i), hall(i), hall_error(i), sigma(i), error(i)
   end do

contains

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' vectors '
      cancel = .false. ! true stops the run
   end function show_progress
end program kpm_hall
