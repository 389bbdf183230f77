! Printed output: the parameters, and a line for each temperature.
module output
   use kinds
   use averages
   use estimates, only: error_text, estimate
   use isipar
   use messages, only: fixed, integer_text, print_line, real_text
   use parameter_lists
   implicit none
   private
   public :: parameters, write_parameters, write_temperature, write_times

   integer, parameter :: most_betas = 8     ! largest number that is listed

contains

   ! Returns all parameters on which the results depend, for standard output and for the head of each file.
   function parameters() result(list)
      type(parameter_list) :: list
      integer :: axis

      list%column = 24
      call add(list, 'dimensions', dimensions)
      do axis = 1, dimensions
         call add(list, 'extents, boundary', integer_text(extents(axis)) // ', ' // trim(boundary(axis)))
      end do
      call add(list, 'betas', list_of_betas())
      call add(list, 'field', field)
      call add(list, 'algorithm', trim(algorithm))
      call add(list, 'generator', trim(generator))
      call add(list, 'seed', seed)
      call add(list, 'start', trim(start))
      call add(list, 'replicas', replicas)
      call add(list, 'thermalisation', thermalisation)
      call add(list, 'sweeps_per_measurement', sweeps_per_measurement)
      call add(list, 'measurements_per_bin', measurements_per_bin)
      call add(list, 'bins', bins)
      if (has_demons) call add(list, 'refresh_interval', refresh_interval)
   end function parameters

   function list_of_betas() result(text)
      character(:), allocatable :: text
      integer :: i

      text = real_text(betas(1))
      do i = 2, min(nbeta, most_betas)
         text = text // ', ' // real_text(betas(i))
      end do
      if (nbeta > most_betas) text = text // ', .. ' // real_text(betas(nbeta)) // ' (' // &
         integer_text(nbeta) // ' in all)'
   end function list_of_betas

   subroutine write_parameters
      character(len=200) :: heading

      call print_line(' ISING_MC: the Ising model by Monte Carlo')
      call print_line(' ' // title)
      call print_line('')
      call print_list(parameters())
      call print_line('')
      write (heading, '(a14,a12,a11,a13,a11,a14,a11,a15,a11,a15,a11)') 'beta', '<|m|>', 'error', 'chi_L', 'error', 'U', &
         'error', 'u', 'error', 'c', 'error'
      call print_line(heading)
   end subroutine write_parameters

   subroutine write_temperature(beta, e, of_demons)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage), of_demons     ! of_demons: with demons only
      character(len=200) :: line

      write (line, '(f14.7,f12.6,a,es13.5,a,es14.6,a,es15.7,a,es15.7,a)') beta, &
         e(of_magnetisation)%mean, text_of(e(of_magnetisation)), e(susceptibility)%mean, text_of(e(susceptibility)), &
         e(binder)%mean, text_of(e(binder)), e(of_energy)%mean, text_of(e(of_energy)), &
         e(specific_heat)%mean, text_of(e(specific_heat))
      call print_line(line)
      if (has_demons) call write_demons
      call warn(beta, e)

   contains

      subroutine write_demons
         if (of_demons%mean > zero) then
            call print_line('             beta of the demons: ' // fixed(of_demons%mean, 7) // ', error ' // &
               trim(adjustl(text_of(of_demons))))
         else
            call print_line('             beta of the demons: unknown, none has ever held any energy')
         end if
      end subroutine write_demons

      function text_of(value) result(text)
         type(estimate), intent(in) :: value
         character(len=11) :: text

         text = error_text(value%error, 11, 2)
      end function text_of

   end subroutine write_temperature

   ! Warns if the bins or the thermalisation are too short. Short bins make errors too small; after a short
   ! thermalisation the means still depend on the start.
   subroutine warn(beta, e)
      real(rkind), intent(in) :: beta
      type(estimate), intent(in) :: e(naverage)
      real(rkind) :: time
      integer(lkind) :: measurements

      if (has_demons .and. .not. canonical) then     ! the errors are from the lattices, not from bins
         if (replicas == 1) call print_line('             warning: the energy of a single microcanonical lattice is fixed: ' // &
            'errors are unknown, take more replicas')
         return
      end if
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

end module output
