! Density of states of the three-dimensional Anderson model, with its errors, the local one of a site, and the chemical
! potential of a third filling with its error.
program kpm_dos
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: energies = 9
   type(legato_context) :: context
   type(legato_kpm_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: hamiltonian
   type(legato_kpm_params) :: params
   type(legato_kpm) :: kpm, local
   real(c_double), dimension(energies) :: energy, density, error, of_site
   real(c_double) :: potential, potential_error
   integer :: i

   call context%create()

   lattice = kpm_lattice_defaults()
   lattice%extents = 24
   lattice%on_site = LEGATO_KPM_ON_SITE_BOX
   lattice%disorder = 8
   call hamiltonian%create_lattice(context, lattice)

   params = kpm_defaults()
   params%moments = 128
   params%vectors = 8
   params%realisations = 4
   call kpm%create(context, hamiltonian, params)
   call kpm%run(show_progress)
   write (error_unit, '()')
   call local%create(context, hamiltonian, params, sites=[1_c_int64_t])
   call local%run()

   energy = [(2 * i - energies - 1, i=1, energies)]
   call kpm%density_of_states(energy, density, error)
   call local%density_of_states(energy, of_site, sample=1_c_int64_t)
   call kpm%chemical_potential(1.0_c_double / 3, 0.0_c_double, potential, potential_error)
   print '(a)', '   energy    density      error     site 1'
   do i = 1, energies
      print '(f9.3,3(1x,f10.6))', energy(i), density(i), error(i), of_site(i)
   end do
   print '(a,2(1x,f10.6))', 'chemical potential', potential, potential_error

contains

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' vectors '
      cancel = .false. ! true stops the run
   end function show_progress
end program kpm_dos
