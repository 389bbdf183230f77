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
   public :: energy_grid, take_energies, check_energies, density_of, local_density_of, largest_energy

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

   ! Refuses fewer nodes than moments. It is called when both are known.
   subroutine check_energies(this, section, given)
      type(energy_grid), intent(in) :: this
      character(*), intent(in) :: section
      type(method), intent(in) :: given

      if (this%nodes > 0 .and. this%nodes < given%params%moments) call refuse('[' // section // '] energies = nodes ' // &
         integer_text(this%nodes), 'at least as many nodes as there are moments, ' // integer_text(given%params%moments))
   end subroutine check_energies

   ! Computes the density of states, which is the mean of all samples.
   subroutine density_of(kpm, grid, given, energies, density, error)
      type(legato_kpm), intent(in) :: kpm
      type(energy_grid), intent(in) :: grid
      type(method), intent(in) :: given
      real(rkind), allocatable, intent(out) :: energies(:), density(:), error(:)
      character(len=400) :: message
      integer :: stat, count

      message = ''
      if (allocated(grid%list)) then
         energies = grid%list
         allocate (density(size(energies)), error(size(energies)))
         call kpm%density_of_states(energies, density, error, given%kernel, given%lambda, stat=stat, errmsg=message)
      else
         count = nodes_of(grid, given)
         allocate (energies(count), density(count), error(count))
         call kpm%density_at_nodes(energies, density, error, given%kernel, given%lambda, stat=stat, errmsg=message)
      end if
      call stop_on_library(stat, message)
   end subroutine density_of

   ! Computes the density of a site or a wave vector, which counts from 1, as the mean over all realisations.
   subroutine local_density_of(kpm, grid, given, number, energies, density, error)
      type(legato_kpm), intent(in) :: kpm
      type(energy_grid), intent(in) :: grid
      type(method), intent(in) :: given
      integer, intent(in) :: number
      real(rkind), allocatable, intent(out) :: energies(:), density(:), error(:)
      real(rkind), allocatable :: row(:, :), its_error(:, :)
      character(len=400) :: message
      integer :: stat, count

      message = ''
      if (allocated(grid%list)) then
         energies = grid%list
         count = size(energies)
         allocate (row(count, 1), its_error(count, 1))
         call kpm%local_densities(energies, row, its_error, given%kernel, given%lambda, int(number, lkind), stat, message)
      else
         count = nodes_of(grid, given)
         allocate (energies(count), row(count, 1), its_error(count, 1))
         call kpm%local_densities_at_nodes(energies, row, its_error, given%kernel, given%lambda, int(number, lkind), stat, &
                                           message)
      end if
      call stop_on_library(stat, message)
      density = row(:, 1)
      error = its_error(:, 1)
   end subroutine local_density_of

   pure integer function nodes_of(grid, given)
      type(energy_grid), intent(in) :: grid
      type(method), intent(in) :: given

      nodes_of = grid%nodes
      if (nodes_of == 0) nodes_of = 2 * given%params%moments
   end function nodes_of

end module spectra_curves
