! The section [dos]: the density of states and the number of states below each energy.
module spectra_dos
   use kinds
   use legato
   use library_errors
   use spectra_curves
   use spectra_fields
   use spectra_method
   use spectra_runs
   use spectra_tables
   implicit none
   private
   public :: dos_task, take_dos, write_dos

   type dos_task
      logical :: given = .false., integrated = .true.
      type(energy_grid) :: grid
   end type dos_task

contains

   subroutine take_dos(this, line)
      type(dos_task), intent(inout) :: this
      type(field), intent(in) :: line

      select case (line%key)
      case ('energies')
         call take_energies(this%grid, line)
      case ('integrated')
         call read_yes(line, this%integrated)
      case default
         call no_field(line, 'energies, integrated')
      end select
   end subroutine take_dos

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_dos(this, name, kpm, given)
      type(dos_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm), intent(in) :: kpm
      type(method), intent(in) :: given
      real(rkind), allocatable :: energies(:), density(:), error(:), states(:), spread(:)
      character(len=400) :: message
      integer :: stat, k

      call density_of(kpm, this%grid, given, energies, density, error)
      call put_run(kpm, given)
      call put_text('Energies have the unit of the hoppings, densities its inverse. Errors are standard errors; NaN: unknown.')
      if (this%integrated) then
         allocate (states(size(energies)), spread(size(energies)))
         message = ''
         call kpm%integrated_density(energies, states, spread, given%kernel, given%lambda, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
         call put_text('columns: energy, density of states per site, its error, states per site below the energy, its error')
         do k = 1, size(energies)
            call put_row([energies(k), density(k), error(k), states(k), spread(k)])
         end do
      else
         call put_text('columns: energy, density of states per site, its error')
         do k = 1, size(energies)
            call put_row([energies(k), density(k), error(k)])
         end do
      end if
      call begin_plot(name, 'energy', 'density of states per site')
      call put_band(1, 1, 1, 2, 'density of states')
   end subroutine write_dos

end module spectra_dos
