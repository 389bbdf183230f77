! Reads an input file: the Hamiltonian, the method and the tasks.
module spectra_input
   use kinds
   use input_lines, only: close_input, open_input, refuse, refused
   use messages
   use spectra_conductivity
   use spectra_crystal
   use spectra_curves, only: check_energies
   use spectra_dos
   use spectra_electrons
   use spectra_evolution
   use spectra_fields
   use spectra_ldos
   use spectra_method
   use spectra_spectral
   implicit none
   private
   public :: problem, read_problem

   character(*), parameter :: tasks = 'dos, electrons, ldos, spectral, conductivity, evolution'

   type problem
      type(crystal) :: lattice
      type(method) :: method
      type(dos_task) :: dos
      type(electrons_task) :: electrons
      type(ldos_task) :: ldos
      type(spectral_task) :: spectral
      type(conductivity_task) :: conductivity
      type(evolution_task) :: evolution
   end type problem

contains

   ! ierr = 1: an error, which has been reported.
   subroutine read_problem(name, this, ierr)
      character(*), intent(in) :: name
      type(problem), intent(out) :: this
      integer(ikind), intent(out) :: ierr
      type(field) :: line
      logical :: found

      this%method = default_method()
      call open_input(name)
      do
         call next_field(line, found)
         if (refused .or. .not. found) exit
         if (line%key == '') then
            call begin_section(this, line)
         else
            call take_line(this, line)
         end if
      end do
      if (.not. refused) call check(this)
      call close_input(ierr)
   end subroutine read_problem

   subroutine begin_section(this, line)
      type(problem), intent(inout) :: this
      type(field), intent(in) :: line

      select case (line%section)
      case ('constants', 'crystal', 'method')
      case ('dos')
         this%dos%given = .true.
      case ('electrons')
         this%electrons%given = .true.
      case ('ldos')
         this%ldos%given = .true.
      case ('spectral')
         this%spectral%given = .true.
      case ('conductivity')
         this%conductivity%given = .true.
      case ('evolution')
         this%evolution%given = .true.
      case default
         call refuse('there is no section ' // quoted(line%section), 'constants, crystal, method, ' // tasks)
      end select
   end subroutine begin_section

   subroutine take_line(this, line)
      type(problem), intent(inout) :: this
      type(field), intent(in) :: line

      if (index(tasks, line%section) > 0 .and. .not. this%lattice%given) &
         call refuse('the section [crystal] is not before [' // line%section // ']')
      if (refused) return
      select case (line%section)
      case ('constants')
         call take_constant(line)
      case ('crystal')
         call take_crystal(this%lattice, line)
      case ('method')
         call take_method(this%method, line)
      case ('dos')
         call take_dos(this%dos, line)
      case ('electrons')
         call take_electrons(this%electrons, line)
      case ('ldos')
         call take_ldos(this%ldos, line, this%lattice)
      case ('spectral')
         call take_spectral(this%spectral, line, this%lattice)
      case ('conductivity')
         call take_conductivity(this%conductivity, line)
      case ('evolution')
         call take_evolution(this%evolution, line, this%lattice)
      end select
   end subroutine take_line

   ! Checks what is missing, at the end of the file.
   subroutine check(this)
      type(problem), intent(inout) :: this
      character(:), allocatable :: name

      call check_crystal(this%lattice)
      call check_energies(this%dos%grid, 'dos', this%method)
      call check_energies(this%ldos%grid, 'ldos', this%method)
      call check_energies(this%spectral%grid, 'spectral', this%method)
      call check_electrons(this%electrons)
      call check_ldos(this%ldos, this%lattice)
      call check_spectral(this%spectral)
      call check_conductivity(this%conductivity, this%lattice)
      call check_evolution(this%evolution, this%lattice)
      if (.not. any([this%dos%given, this%electrons%given, this%ldos%given, this%spectral%given, &
                     this%conductivity%given, this%evolution%given])) &
         call refuse('there is no task', 'at least one of the sections ' // tasks)
      name = check_constants()
      if (len(name) > 0) call refuse('--set ' // name // ': the section [constants] has no such name')
   end subroutine check

end module spectra_input
