! The section [ldos]: local densities of states.
module spectra_ldos
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use messages
   use spectra_crystal
   use spectra_curves
   use spectra_fields
   use spectra_method
   use spectra_runs
   use spectra_tables
   implicit none
   private
   public :: ldos_task, take_ldos, check_ldos, write_ldos

   integer, parameter :: most_sites = 10000

   type ldos_task
      logical :: given = .false.
      integer(lkind), allocatable :: sites(:)
      type(energy_grid) :: grid
   end type ldos_task

contains

   subroutine take_ldos(this, line, lattice)
      type(ldos_task), intent(inout) :: this
      type(field), intent(in) :: line
      type(crystal), intent(in) :: lattice
      integer(lkind) :: site

      if (.not. allocated(this%sites)) allocate (this%sites(0))
      select case (line%key)
      case ('energies')
         call take_energies(this%grid, line)
      case ('site')
         call read_site(lattice, line, site)
         if (any(this%sites == site)) call refuse('this site is given twice')
         if (size(this%sites) == most_sites) call refuse('there are more than ' // integer_text(most_sites) // ' sites')
         if (.not. refused) this%sites = [this%sites, site]
      case default
         call no_field(line, 'energies, site')
      end select
   end subroutine take_ldos

   subroutine check_ldos(this, lattice)
      type(ldos_task), intent(in) :: this
      type(crystal), intent(in) :: lattice
      integer :: k

      if (.not. this%given) return
      if (.not. allocated(this%sites)) then
         call refuse('[ldos] has no site')
      else if (size(this%sites) == 0) then
         call refuse('[ldos] has no site')
      else
         do k = 1, size(this%sites)
            if (any(lattice%vacancies == this%sites(k))) &
               call refuse('[ldos] site = ' // site_text(lattice, this%sites(k)) // ' is a vacancy')
         end do
      end if
   end subroutine check_ldos

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_ldos(this, name, kpm, given, lattice)
      type(ldos_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm), intent(in) :: kpm
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      real(rkind), allocatable :: energies(:), density(:), error(:)
      integer :: i, k

      call put_run(kpm, given)
      call put_text('Energies have the unit of the hoppings, densities its inverse. Errors are standard errors; NaN: unknown.')
      call put_text('columns: energy, local density of states, its error; a block for each site')
      do i = 1, size(this%sites)
         if (i > 1) call put_blank
         call put_text('site ' // site_text(lattice, this%sites(i)))
         call local_density_of(kpm, this%grid, given, i, energies, density, error)
         do k = 1, size(energies)
            call put_row([energies(k), density(k), error(k)])
         end do
      end do
      call begin_plot(name, 'energy', 'local density of states')
      do i = 1, size(this%sites)
         call put_band(i, size(this%sites), 1, 2, site_text(lattice, this%sites(i)))
      end do
   end subroutine write_ldos

end module spectra_ldos
