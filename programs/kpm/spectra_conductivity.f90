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

   ! Computes the moments of both velocities.
   subroutine compute_conductivity(this, correlation, context, hamiltonian, given, limits, lattice)
      type(conductivity_task), intent(in) :: this
      type(legato_kpm_correlation), intent(inout) :: correlation
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(method), intent(in) :: given
      type(control), intent(in) :: limits
      type(crystal), intent(in) :: lattice
      type(legato_kpm_hamiltonian) :: of_current, of_field
      type(legato_kpm_params) :: params
      character(:), allocatable :: path
      character(len=400) :: message
      integer :: stat
      logical :: resumed

      message = ''
      params = given%params
      if (this%moments > 0) params%moments = this%moments
      call of_current%create_velocity(context, hamiltonian, lattice%vectors(this%current + 1, :), stat, message)
      call stop_on_library(stat, message)
      call of_field%create_velocity(context, hamiltonian, lattice%vectors(this%field + 1, :), stat, message)
      call stop_on_library(stat, message)
      path = state_path(limits, 'conductivity', resumed)
      if (resumed) then
         call correlation%resume(context, path, hamiltonian, of_current, of_field, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
         call check_same(correlation, params, path)
      else
         call correlation%create(context, hamiltonian, of_current, of_field, params, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
      end if
      call complete_run(correlation, 'conductivity', limits, path)
   end subroutine compute_conductivity

   ! Returns the library's unit of a conductivity in units of e^2/h, and of lengths to the power of 2 - d.
   function unit_of(lattice) result(unit)
      type(crystal), intent(in) :: lattice
      real(rkind) :: unit

      unit = 2 * pi * size(lattice%names) * remaining_fraction(lattice) / cell_volume(lattice)
   end function unit_of

   function unit_name(lattice) result(name)
      type(crystal), intent(in) :: lattice
      character(:), allocatable :: name
      character(len=16), parameter :: names(3) = ['length * e^2/h  ', 'e^2/h           ', 'e^2/(h * length)']

      name = trim(names(lattice%dimension))
   end function unit_name

   ! Writes the lines of comment that all tables of this task have.
   subroutine put_heading(this, correlation, given, lattice)
      type(conductivity_task), intent(in) :: this
      type(legato_kpm_correlation), intent(in) :: correlation
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice

      call put_run(correlation, given)
      call put_text('current along ' // directions(this%current) // ', field along ' // directions(this%field) // &
                    '; conductivities in units of ' // unit_name(lattice) // ', lengths in that of the vectors')
      if (remaining_fraction(lattice) < one) call put_text('The volume is that of all sites; a share of ' // &
         real_text(remaining_fraction(lattice)) // ' of them remains on average.')
      call put_text('Energies have the unit of the hoppings (hbar = 1). Errors are standard errors; NaN: unknown.')
   end subroutine put_heading

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_conductivity(this, name, correlation, given, lattice)
      type(conductivity_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm_correlation), intent(in) :: correlation
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      real(rkind) :: values(size(this%potentials), 6), unit
      character(len=400) :: message
      integer :: stat, j, k, columns

      call put_heading(this, correlation, given, lattice)
      columns = merge(2, 6, this%current == this%field)
      if (columns == 2) then
         call put_text('columns: temperature, chemical potential, conductivity of Kubo-Greenwood, its error')
      else
         call put_text('columns: temperature, chemical potential, conductivity of Kubo-Greenwood (symmetric), its error, Hall ' // &
                       'conductivity (antisymmetric), its error, conductivity of Kubo-Bastin (the sum), its error')
      end if
      unit = unit_of(lattice)
      message = ''
      associate (kernel => given%kernel, lambda => given%lambda, mu => this%potentials)
         do j = 1, size(this%temperatures)
            if (j > 1) call put_blank
            call correlation%greenwood(mu, values(:, 1), values(:, 2), this%temperatures(j), kernel, lambda, stat, message)
            call stop_on_library(stat, message)
            if (columns == 6) then
               call correlation%hall(mu, values(:, 3), values(:, 4), this%temperatures(j), kernel, lambda, stat, message)
               call stop_on_library(stat, message)
               call correlation%bastin(mu, values(:, 5), values(:, 6), this%temperatures(j), kernel, lambda, stat, message)
               call stop_on_library(stat, message)
            end if
            do k = 1, size(mu)
               call put_row([this%temperatures(j), mu(k), unit * values(k, :columns)])
            end do
         end do
      end associate
      call begin_plot(name, 'chemical potential', trim(merge('conductivity     ', 'Hall conductivity', columns == 2)) // &
                      ', ' // unit_name(lattice))
      columns = merge(3, 5, columns == 2)
      do j = 1, size(this%temperatures)
         call put_band(j, size(this%temperatures), 2, columns, 'T = ' // real_text(this%temperatures(j)))
      end do
   end subroutine write_conductivity

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_optical(this, name, correlation, given, lattice)
      type(conductivity_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm_correlation), intent(in) :: correlation
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      real(rkind) :: values(size(this%frequencies), 2), unit
      character(len=400) :: message
      integer :: stat, i, j, k

      call put_heading(this, correlation, given, lattice)
      call put_text('columns: temperature, chemical potential, frequency, real part of the optical conductivity, its error')
      unit = unit_of(lattice)
      message = ''
      do j = 1, size(this%temperatures)
         do i = 1, size(this%potentials)
            if (i + j > 2) call put_blank
            call correlation%optical(this%frequencies, this%potentials(i), values(:, 1), values(:, 2), this%temperatures(j), &
                                     given%kernel, given%lambda, stat, message)
            call stop_on_library(stat, message)
            do k = 1, size(this%frequencies)
               call put_row([this%temperatures(j), this%potentials(i), this%frequencies(k), unit * values(k, :)])
            end do
         end do
      end do
      call begin_plot(name, 'frequency', 'optical conductivity, ' // unit_name(lattice))
      k = 0
      do j = 1, size(this%temperatures)
         do i = 1, size(this%potentials)
            k = k + 1
            call put_band(k, size(this%temperatures) * size(this%potentials), 3, 4, 'T = ' // &
                          real_text(this%temperatures(j)) // ', {/Symbol m} = ' // real_text(this%potentials(i)))
         end do
      end do
   end subroutine write_optical

end module spectra_conductivity
