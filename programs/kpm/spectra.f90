! Spectra of a crystal or a matrix with the kernel polynomial method. An input file describes the Hamiltonian and the
! tasks. Each task writes a table and a script for gnuplot.

program kpm_spectra
   use kinds
   use legato
   use library_errors
   use messages
   use run_control
   use spectra_conductivity
   use spectra_crystal
   use spectra_dos
   use spectra_electrons
   use spectra_evolution
   use spectra_input
   use spectra_ldos
   use spectra_options
   use spectra_runs
   use spectra_spectral
   use spectra_tables
   implicit none

   type(options), save :: given
   type(problem), save :: input
   type(control), save :: limits
   type(legato_context), save :: context
   type(legato_kpm_hamiltonian), save :: hamiltonian
   integer(ikind) :: ierr

   limits%began = clock()
   call begin_run('kpm_spectra')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   call read_problem(given%input, input, ierr)
   call stop_on(ierr)
   if (allocated(given%state)) limits%state = given%state
   limits%seconds = given%seconds
   call make_context
   call make_hamiltonian(input%lattice, context, hamiltonian, ierr)
   call stop_on(ierr)
   if (given%check) then
      call print_line(crystal_text(input%lattice))
   else
      if (input%dos%given .or. input%electrons%given) call compute_traces
      if (input%ldos%given) call compute_ldos
      if (input%spectral%given) call compute_spectral
      if (input%conductivity%given) call compute_conductivities
      if (input%evolution%given) call compute_evolution
   end if
   call stop_on_lost_output

contains

   subroutine make_context
      character(len=400) :: message
      integer :: stat

      message = ''
      if (given%backend < 0) then
         call context%create(stat=stat, errmsg=message)
      else
         call context%create(backend=given%backend, stat=stat, errmsg=message)
      end if
      call stop_on_library(stat, message)
   end subroutine make_context

   ! The tasks that follow from the trace over all states share its moments.
   subroutine compute_traces
      type(legato_kpm) :: kpm
      character(:), allocatable :: name

      if (input%dos%given) then
         name = given%output // '-dos'
         call open_table(name, 'density of states')
         call compute_moments(kpm, 'dos', context, hamiltonian, input%method, limits)
         call write_dos(input%dos, name, kpm, input%method)
         call close_table(name)
      end if
      if (.not. input%electrons%given) return
      name = given%output // '-electrons'
      call open_table(name, 'numbers of electrons')
      if (.not. input%dos%given) call compute_moments(kpm, 'dos', context, hamiltonian, input%method, limits)
      call write_electrons(input%electrons, name, kpm, input%method)
      call close_table(name)
   end subroutine compute_traces

   subroutine compute_ldos
      type(legato_kpm) :: kpm
      character(:), allocatable :: name

      name = given%output // '-ldos'
      call open_table(name, 'local densities of states')
      call compute_moments(kpm, 'ldos', context, hamiltonian, input%method, limits, input%ldos%sites)
      call write_ldos(input%ldos, name, kpm, input%method, input%lattice)
      call close_table(name)
   end subroutine compute_ldos

   subroutine compute_spectral
      type(legato_kpm) :: kpm
      character(:), allocatable :: name
      real(rkind), allocatable :: waves(:, :)

      name = given%output // '-spectral'
      call find_path(input%spectral, waves)
      call open_table(name, 'spectral function')
      call compute_moments(kpm, 'spectral', context, hamiltonian, input%method, limits, waves=waves)
      call write_spectral(input%spectral, name, kpm, input%method, input%lattice)
      call close_table(name)
   end subroutine compute_spectral

   ! Both tables follow from the same moments.
   subroutine compute_conductivities
      type(legato_kpm_correlation) :: correlation
      character(:), allocatable :: name

      name = given%output // '-conductivity'
      call open_table(name, 'conductivities')
      call compute_conductivity(input%conductivity, correlation, context, hamiltonian, input%method, limits, input%lattice)
      call write_conductivity(input%conductivity, name, correlation, input%method, input%lattice)
      call close_table(name)
      if (.not. allocated(input%conductivity%frequencies)) return
      name = given%output // '-optical'
      call open_table(name, 'optical conductivities')
      call write_optical(input%conductivity, name, correlation, input%method, input%lattice)
      call close_table(name)
   end subroutine compute_conductivities

   subroutine compute_evolution
      character(:), allocatable :: name

      name = given%output // '-evolution'
      call open_table(name, 'evolution of a wave packet')
      call write_evolution(input%evolution, name, context, hamiltonian, input%method, input%lattice)
      call close_table(name)
   end subroutine compute_evolution

end program kpm_spectra
