! What is printed: the parameters, and a line for each temperature.
module output
   use kinds
   use averages
   use isipar
   use messages, only: fixed, integer_text, print_line, real_text
   implicit none
   private
   public :: list_parameters, write_parameters, write_temperature, write_times

   integer, parameter, public :: line_length = 300, most_lines = 30
   integer, parameter :: most_betas = 8     ! that are listed

contains

   ! All that the numbers depend on: for standard output and for the head of each file.
   subroutine list_parameters(lines, number)
      character(len=line_length), intent(out) :: lines(most_lines)
      integer, intent(out) :: number
      integer :: axis

      number = 0
      call add_integer('dimensions', dimensions)
      do axis = 1, dimensions
         call add('extents, boundary', integer_text(int(extents(axis), lkind)) // ', ' // trim(boundary(axis)))
      end do
      call add('betas', list_of_betas())
      call add('field', real_text(field))
      call add('algorithm', trim(algorithm))
      call add('generator', trim(generator))
      call add_integer('seed', seed)
      call add('start', trim(start))
      call add_integer('replicas', replicas)
      call add_integer('thermalisation', thermalisation)
      call add_integer('sweeps_per_measurement', sweeps_per_measurement)
      call add_integer('measurements_per_bin', measurements_per_bin)
      call add_integer('bins', bins)
      if (has_demons) call add_integer('refresh_interval', refresh_interval)

   contains

      subroutine add(name, value)
         character(*), intent(in) :: name, value

         number = number + 1
         write (lines(number), '(a,t24,2a)') name, '= ', value
      end subroutine add

      subroutine add_integer(name, value)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: value

         call add(name, integer_text(int(value, lkind)))
      end subroutine add_integer

   end subroutine list_parameters

   function list_of_betas() result(text)
      character(:), allocatable :: text
      integer :: i

      text = real_text(betas(1))
      do i = 2, min(nbeta, most_betas)
         text = text // ', ' // real_text(betas(i))
      end do
      if (nbeta > most_betas) text = text // ', .. ' // real_text(betas(nbeta)) // ' (' // &
         integer_text(int(nbeta, lkind)) // ' in all)'
   end function list_of_betas

   subroutine write_parameters
      character(len=line_length) :: lines(most_lines)
      integer :: number, i

      call print_line(' ISING_MC: the Ising model by Monte Carlo')
      call print_line(' ' // title)
      call print_line('')
      call list_parameters(lines, number)
      do i = 1, number
         call print_line('   ' // lines(i))
      end do
      call print_line('')
      call print_line('   beta          <|m|>     error      chi_L       error      U         error      u          error' // &
         '      c          error')
   end subroutine write_parameters

   subroutine write_temperature(beta, e)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage)
      character(len=line_length) :: line

      write (line, '(f11.7,f12.6,a,es13.5,a,f11.6,a,f12.7,a,f12.7,a)') beta, e(of_magnetisation)%mean, &
         error_text(e(of_magnetisation)%error), e(susceptibility)%mean, error_text(e(susceptibility)%error), &
         e(binder)%mean, error_text(e(binder)%error), e(of_energy)%mean, error_text(e(of_energy)%error), &
         e(specific_heat)%mean, error_text(e(specific_heat)%error)
      call print_line(line)
      call warn(beta, e)
   end subroutine write_temperature

   ! Errors are too small where bins are, and means are off where the start is not forgotten.
   subroutine warn(beta, e)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage)
      real(rkind) :: time
      integer(lkind) :: measurements

      measurements = int(measurements_per_bin, lkind) * bins * replicas
      time = autocorrelation_time(e(of_magnetisation)%error, e(susceptibility)%mean / nsite, measurements)
      time = max(time, autocorrelation_time(e(of_energy)%error, e(specific_heat)%mean / (beta**2 * nsite), &
         measurements))
      if (real(measurements_per_bin, rkind) * sweeps_per_measurement < 20 * time) call print_line( &
         '             warning: a bin is shorter than 20 autocorrelation times of ' // fixed(time, 1) // ' sweeps')
      if (thermalisation < 20 * time) call print_line( &
         '             warning: the thermalisation is shorter than 20 autocorrelation times of ' // fixed(time, 1) // ' sweeps')
   end subroutine warn

   subroutine write_times(seconds_sweeps, seconds)
      real(rkind), intent(in) :: seconds_sweeps, seconds
      real(rkind) :: sweeps, systems

      systems = real(replicas, rkind) * nbeta
      sweeps = thermalisation + real(measurements_per_bin, rkind) * bins * sweeps_per_measurement
      call print_line('')
      call print_line(' Sweeps and measurements: ' // fixed(seconds_sweeps, 4) // ' s, ' // &
         fixed(1.0e9_rkind * seconds_sweeps / (sweeps * systems * nsite), 4) // ' ns per spin and sweep')
      call print_line(' In all: ' // fixed(seconds, 4) // ' s')
   end subroutine write_times

   function error_text(error) result(text)
      real(rkind), intent(in) :: error
      character(len=11) :: text

      text = '    unknown'
      if (error > no_error) write (text, '(es11.2)') error
   end function error_text

end module output
