! The section [conductivity]: conductivities of Kubo-Greenwood and Kubo-Bastin, and optical ones.
module spectra_conductivity
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use library_errors
   use messages
   use spectra_crystal
   use spectra_curves, only: largest_energy
   use spectra_fields
   use spectra_method
   use spectra_runs
   use spectra_tables
   implicit none
   private
   public :: conductivity_task, take_conductivity, check_conductivity, compute_conductivity, write_conductivity, write_optical

   character(len=1), parameter :: directions(0:2) = ['x', 'y', 'z']
   integer, parameter :: most_curves = 20     ! of a plot

   type conductivity_task
      logical :: given = .false.
      integer(ikind) :: current = 0, field = 0     ! Cartesian directions, from 0
      integer(ikind) :: moments = 0                ! 0: those of the method
      real(rkind), allocatable :: temperatures(:), potentials(:), frequencies(:)
   end type conductivity_task

contains

   subroutine take_conductivity(this, line)
      type(conductivity_task), intent(inout) :: this
      type(field), intent(in) :: line

      select case (line%key)
      case ('current')
         call check_words(line, 1, 1, 'x, y or z')
         call read_name(line, 1, directions, this%current)
      case ('field')
         call check_words(line, 1, 1, 'x, y or z')
         call read_name(line, 1, directions, this%field)
      case ('moments')
         call check_words(line, 1, 1, 'a number')
         call read_short(line, 1, 2_lkind, 65536_lkind, this%moments)
      case ('temperatures')
         call read_list(line, zero, largest_energy, this%temperatures)
      case ('potentials')
         call read_list(line, -largest_energy, largest_energy, this%potentials)
      case ('frequencies')
         call read_list(line, 1.0e-100_rkind, largest_energy, this%frequencies)
      case default
         call no_field(line, 'current, field, moments, temperatures, potentials, frequencies')
      end select
   end subroutine take_conductivity

   subroutine check_conductivity(this, lattice)
      type(conductivity_task), intent(inout) :: this
      type(crystal), intent(in) :: lattice

      if (.not. this%given) return
      if (allocated(lattice%matrix)) call refuse('[conductivity] needs a crystal: the sites of a matrix have no positions')
      if (.not. allocated(this%potentials)) call refuse('[conductivity] has no potentials')
      if (.not. allocated(this%temperatures)) this%temperatures = [zero]
      if (norm2(lattice%vectors(this%current + 1, :)) <= zero) call refuse('[conductivity] current = ' // &
         directions(this%current) // ': the vectors have no component in this direction')
      if (norm2(lattice%vectors(this%field + 1, :)) <= zero) call refuse('[conductivity] field = ' // &
         directions(this%field) // ': the vectors have no component in this direction')
   end subroutine check_conductivity

end module spectra_conductivity
