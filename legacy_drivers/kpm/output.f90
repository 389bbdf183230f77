! What is printed: the parameters and the summary.
module output
   use kinds
   use kpmpar
   use crsmat, only: nsite, row_start
   use averages
   use messages, only: fixed, integer_text, print_line, real_text
   use spectrum, only: energy_powers
   implicit none
   private
   public :: list_parameters, write_parameters, write_bounds, write_realisation, write_summary

   integer, parameter, public :: line_length = 300, most_lines = 20

contains

   ! All that the numbers depend on: for standard output and for the head of each file.
   subroutine list_parameters(lines, number)
      character(len=line_length), intent(out) :: lines(most_lines)
      integer, intent(out) :: number

      number = 0
      call add_integer('lx', lx)
      call add_integer('ly', ly)
      call add_integer('lz', lz)
      call add('bcx', trim(bcx))
      call add('bcy', trim(bcy))
      call add('bcz', trim(bcz))
      call add('hopping', real_text(hopping))
      call add('onsite', trim(onsite))
      call add('energy', real_text(energy))
      if (onsite /= 'constant') call add('strength', real_text(strength))
      call add_integer('nmom', nmom)
      call add_integer('nvec', nvec)
      call add_integer('nreal', nreal)
      call add('vectors', trim(vectors))
      call add_integer('seed', seed)
      call add('kernel', trim(kernel))
      if (kernel == 'lorentz') call add('lambda', real_text(lambda))
      call add_integer('nenergy', nenergy)

   contains

      subroutine add(name, value)
         character(*), intent(in) :: name, value

         number = number + 1
         write (lines(number), '(a,t12,2a)') name, '= ', value
      end subroutine add

      subroutine add_integer(name, value)
         character(*), intent(in) :: name
         integer(ikind), intent(in) :: value

         call add(name, integer_text(int(value, lkind)))
      end subroutine add_integer

   end subroutine list_parameters

   subroutine write_parameters
      character(len=line_length) :: lines(most_lines)
      integer :: number, i

      call print_line(' KPMDOS: density of states by the kernel polynomial method')
      call print_line(' ' // title)
      call print_line('')
      call list_parameters(lines, number)
      do i = 1, number
         call print_line('   ' // lines(i))
      end do
   end subroutine write_parameters

   subroutine write_bounds
      call print_line('')
      call print_line(' Matrix: ' // integer_text(int(nsite, lkind)) // ' sites, ' // &
         integer_text(row_start(nsite + 1_lkind) - 1) // ' elements')
      call print_line(' Bounds: ' // fixed(lowest, 9) // ' .. ' // fixed(highest, 9) // ' (' // trim(method) // ')')
      call print_line(' Interval: centre ' // fixed(centre, 9) // ', half width ' // fixed(half_width, 9))
   end subroutine write_bounds

   subroutine write_realisation(realisation, seconds)
      integer(ikind), intent(in) :: realisation
      real(rkind), intent(in) :: seconds

      if (nreal > 1) call print_line(' Realisation ' // integer_text(int(realisation, lkind)) // ' of ' // &
         integer_text(int(nreal, lkind)) // ': ' // fixed(seconds, 3) // ' s')
   end subroutine write_realisation

   subroutine write_summary(moments, powers, integral, seconds_moments, seconds)
      type(average), intent(in) :: moments, powers
      real(rkind), intent(in) :: integral, seconds_moments, seconds
      character(len=line_length) :: line
      integer(ikind) :: i

      call print_line('')
      call print_line(' Chebyshev moments                 error')
      do i = 1, min(5_ikind, nmom)
         write (line, '(3x,a,i0,t8,f19.12,3x,a)') 'mu_', i - 1, moments%mean(i), error_text(moments, i)
         call print_line(line)
      end do
      call print_line('')
      call print_line(' Moments of the energy             error')
      do i = 1, min(int(energy_powers, ikind), nmom - 1_ikind)
         write (line, '(3x,a,i0,a,t9,es19.11,2x,a)') '<E^', i, '>', powers%mean(i), error_text(powers, i)
         call print_line(line)
      end do
      call print_line('')
      call print_line(' Integral of the density of states: ' // fixed(integral, 12))
      call print_line(' Moments: ' // fixed(seconds_moments, 4) // ' s, ' // &
         fixed(1.0e9_rkind * seconds_moments / (real(nsite, rkind) * nmom * nvec * nreal), 3) // &
         ' ns per site, vector and moment')
      call print_line(' In all: ' // fixed(seconds, 4) // ' s')
   end subroutine write_summary

   function error_text(a, i) result(text)
      type(average), intent(in) :: a
      integer(ikind), intent(in) :: i
      character(len=20) :: text
      real(rkind) :: error

      error = standard_error(a, i)
      text = '   unknown'
      if (error > no_error) write (text, '(es10.3)') error
   end function error_text

end module output
