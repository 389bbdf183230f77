! Densities of states as functions of the energy: where they are computed, and their values.
module spectra_curves
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use library_errors
   use messages
   use spectra_fields
   use spectra_method
   implicit none
   private
   public :: energy_grid, take_energies, density_of, largest_energy

   real(rkind), parameter :: largest_energy = 1.0e100_rkind
   integer(lkind), parameter :: most_nodes = 67108864

   ! Energies: a list, or a number of Chebyshev nodes; 0 stands for twice the number of moments.
   type energy_grid
      real(rkind), allocatable :: list(:)
      integer(ikind) :: nodes = 0
   end type energy_grid

contains

   ! Reads nodes, nodes COUNT, or a list.
   subroutine take_energies(this, line)
      type(energy_grid), intent(inout) :: this
      type(field), intent(in) :: line

      if (line%words(1)%text == 'nodes') then
         call check_words(line, 1, 2, 'nodes [COUNT]')
         if (size(line%words) == 2) call read_short(line, 2, 2_lkind, most_nodes, this%nodes)
      else
         call read_list(line, -largest_energy, largest_energy, this%list)
      end if
   end subroutine take_energies

   ! Computes a density of states. Without `sample` it is the mean of all samples.
   subroutine density_of(kpm, grid, given, energies, density, error, sample)
      type(legato_kpm), intent(in) :: kpm
      type(energy_grid), intent(in) :: grid
      type(method), intent(in) :: given
      real(rkind), allocatable, intent(out) :: energies(:), density(:), error(:)
      integer(lkind), intent(in), optional :: sample
      character(len=400) :: message
      integer :: stat, count

      message = ''
      if (allocated(grid%list)) then
         energies = grid%list
         allocate (density(size(energies)), error(size(energies)))
         call kpm%density_of_states(energies, density, error, given%kernel, given%lambda, sample, stat, message)
      else
         count = grid%nodes
         if (count == 0) count = 2 * given%params%moments
         allocate (energies(count), density(count), error(count))
         call kpm%density_at_nodes(energies, density, error, given%kernel, given%lambda, sample, stat, message)
      end if
      call stop_on_library(stat, message)
   end subroutine density_of

end module spectra_curves
