! Printed output: the parameters and the summary.
module output
   use kinds
   use kpmpar
   use crsmat, only: nsite, row_start
   use averages
   use estimates, only: error_text
   use messages, only: fixed, integer_text, print_line
   use parameter_lists
   use spectrum, only: energy_powers
   implicit none
   private
   public :: parameters, write_parameters, write_bounds, write_realisation, write_summary

contains

   ! Returns all parameters on which the results depend, for standard output and for the head of each file.
   function parameters() result(list)
      type(parameter_list) :: list

      list%column = 12
      call add(list, 'lx', lx)
      call add(list, 'ly', ly)
      call add(list, 'lz', lz)
      call add(list, 'bcx', trim(bcx))
      call add(list, 'bcy', trim(bcy))
      call add(list, 'bcz', trim(bcz))
      call add(list, 'hopping', hopping)
      call add(list, 'onsite', trim(onsite))
      call add(list, 'energy', energy)
      if (onsite /= 'constant') call add(list, 'strength', strength)
      call add(list, 'nmom', nmom)
      call add(list, 'nvec', nvec)
      call add(list, 'nreal', nreal)
      call add(list, 'vectors', trim(vectors))
      call add(list, 'seed', seed)
      call add(list, 'kernel', trim(kernel))
      if (kernel == 'lorentz') call add(list, 'lambda', lambda)
      call add(list, 'nenergy', nenergy)
   end function parameters

   subroutine write_parameters
      call print_line(' KPMDOS: density of states by the kernel polynomial method')
      call print_line(' ' // title)
      call print_line('')
      call print_list(parameters())
   end subroutine write_parameters

   subroutine write_bounds
      call print_line('')
      call print_line(' Matrix: ' // integer_text(nsite) // ' sites, ' // &
         integer_text(row_start(nsite + 1_lkind) - 1) // ' elements')
      call print_line(' Bounds: ' // fixed(lowest, 9) // ' .. ' // fixed(highest, 9) // ' (' // trim(method) // ')')
      call print_line(' Interval: centre ' // fixed(centre, 9) // ', half width ' // fixed(half_width, 9))
   end subroutine write_bounds

   subroutine write_realisation(realisation, seconds)
      integer(ikind), intent(in) :: realisation
      real(rkind), intent(in) :: seconds

      if (nreal > 1) call print_line(' Realisation ' // integer_text(realisation) // ' of ' // &
         integer_text(nreal) // ': ' // fixed(seconds, 3) // ' s')
   end subroutine write_realisation

   subroutine write_summary(moments, powers, integral, seconds_moments, seconds)
      type(average), intent(in) :: moments, powers
      real(rkind), intent(in) :: integral, seconds_moments, seconds
      character(len=100) :: line
      integer(ikind) :: i

      call print_line('')
      call print_line(' Chebyshev moments                 error')
      do i = 1, min(5_ikind, nmom)
         write (line, '(3x,a,i0,t8,f19.12,3x,a)') 'mu_', i - 1, moments%mean(i), error_text(standard_error(moments, i), 10, 3)
         call print_line(line)
      end do
      call print_line('')
      call print_line(' Moments of the energy             error')
      do i = 1, min(int(energy_powers, ikind), nmom - 1_ikind)
         write (line, '(3x,a,i0,a,t9,es19.11,2x,a)') '<E^', i, '>', powers%mean(i), error_text(standard_error(powers, i), 10, 3)
         call print_line(line)
      end do
      call print_line('')
      call print_line(' Integral of the density of states: ' // fixed(integral, 12))
      call print_line(' Moments: ' // fixed(seconds_moments, 4) // ' s, ' // &
         fixed(1.0e9_rkind * seconds_moments / (real(nsite, rkind) * nmom * nvec * nreal), 3) // &
         ' ns per site, vector and moment')
      call print_line(' In all: ' // fixed(seconds, 4) // ' s')
   end subroutine write_summary

end module output
