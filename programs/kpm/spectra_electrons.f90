! The section [electrons]: numbers of electrons at chemical potentials, and the reverse.
module spectra_electrons
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use library_errors
   use messages
   use spectra_curves, only: largest_energy
   use spectra_fields
   use spectra_method
   use spectra_runs
   use spectra_tables
   implicit none
   private
   public :: electrons_task, take_electrons, check_electrons, write_electrons

   integer, parameter :: most_curves = 20     ! of a plot

   type electrons_task
      logical :: given = .false.
      real(rkind), allocatable :: temperatures(:), potentials(:), numbers(:)
   end type electrons_task

contains

   subroutine take_electrons(this, line)
      type(electrons_task), intent(inout) :: this
      type(field), intent(in) :: line

      select case (line%key)
      case ('temperatures')
         call read_list(line, zero, largest_energy, this%temperatures)
      case ('potentials')
         call read_list(line, -largest_energy, largest_energy, this%potentials)
      case ('numbers')
         call read_list(line, zero, one, this%numbers)
      case default
         call no_field(line, 'temperatures, potentials, numbers')
      end select
   end subroutine take_electrons

   subroutine check_electrons(this)
      type(electrons_task), intent(inout) :: this

      if (.not. this%given) return
      if (allocated(this%potentials) .eqv. allocated(this%numbers)) &
         call refuse('[electrons] has both or none of potentials and numbers', 'one of them')
      if (.not. allocated(this%temperatures)) this%temperatures = [zero]
   end subroutine check_electrons

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_electrons(this, name, kpm, given)
      type(electrons_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm), intent(in) :: kpm
      type(method), intent(in) :: given
      real(rkind) :: value, error
      character(len=400) :: message
      integer :: stat, j, k, curves

      call put_run(kpm, given)
      call put_text('Temperatures and potentials have the unit of the hoppings. Numbers are per site, with one electron in a ' // &
                    'state. Errors are standard errors; NaN: unknown.')
      call put_text('columns: temperature, chemical potential, its error, electrons per site, their error')
      message = ''
      do j = 1, size(this%temperatures)
         if (j > 1) call put_blank
         if (allocated(this%potentials)) then
            do k = 1, size(this%potentials)
               call kpm%electron_number(this%potentials(k), this%temperatures(j), value, error, given%kernel, given%lambda, &
                                        stat=stat, errmsg=message)
               call stop_on_library(stat, message)
               call put_row([this%temperatures(j), this%potentials(k), zero, value, error])
            end do
         else
            do k = 1, size(this%numbers)
               call kpm%chemical_potential(this%numbers(k), this%temperatures(j), value, error, given%kernel, given%lambda, &
                                           stat=stat, errmsg=message)
               call stop_on_library(stat, message)
               call put_row([this%temperatures(j), value, error, this%numbers(k), zero])
            end do
         end if
      end do
      call begin_plot(name, 'chemical potential', 'electrons per site')
      curves = min(size(this%temperatures), most_curves)
      do j = 1, curves
         call put_plot(merge('plot ', '     ', j == 1) // 'data index ' // integer_text(j - 1) // &
                       ' using 2:4:3:5 with xyerrorbars pt 7 ps 0.5 lc ' // integer_text(j) // ' title "T = ' // &
                       real_text(this%temperatures(j)) // merge('", \', '"   ', j < curves))
      end do
   end subroutine write_electrons

end module spectra_electrons
