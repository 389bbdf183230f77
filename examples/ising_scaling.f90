! ising_scaling [NAME]: finite-size scaling on the square lattice. Binder cumulants U_L(beta) of several extents L about the
! critical point, asinh(1) / 2 = 0.44068679, polynomials through them, and where those of L and 2 L cross (K. Binder, Z. Phys.
! B 43, 119 (1981)); and gamma / nu, which is 7/4, from susceptibilities chi_L ~ L^(gamma / nu) there. Prints tables, and with
! a NAME writes them to NAME.dat and a script NAME.gp besides, with which gnuplot makes NAME.png.
module ising_scaling_fit
   use, intrinsic :: iso_c_binding, only: c_double
   implicit none
   private
   public :: polynomial, fit_of, value_of, variance_of, crossing_of

   integer, parameter :: degree = 3

   ! sum c(n) x^n, its least squares and the covariance of c.
   type :: polynomial
      real(c_double) :: c(0:degree), covariance(0:degree, 0:degree), chi_squared
   end type polynomial

contains

   ! Through y(x) with their errors.
   function fit_of(x, y, error) result(fit)
      real(c_double), intent(in) :: x(:), y(:), error(:)
      type(polynomial) :: fit
      real(c_double) :: powers(size(x), 0:degree)
      integer :: n

      do n = 0, degree
         powers(:, n) = x**n / error
      end do
      fit%covariance = inverse_of(matmul(transpose(powers), powers))
      fit%c = matmul(fit%covariance, matmul(transpose(powers), y / error))
      fit%chi_squared = sum((matmul(powers, fit%c) - y / error)**2)
   end function fit_of

   ! Of a symmetric positive definite matrix, by Gauss and Jordan.
   function inverse_of(matrix) result(inverse)
      real(c_double), intent(in) :: matrix(:, :)
      real(c_double) :: inverse(size(matrix, 1), size(matrix, 1)), work(size(matrix, 1), 2 * size(matrix, 1))
      integer :: i, j, n

      n = size(matrix, 1)
      work = 0
      work(:, :n) = matrix
      do i = 1, n
         work(i, n + i) = 1
      end do
      do i = 1, n
         work(i, :) = work(i, :) / work(i, i)
         do j = 1, n
            if (j /= i) work(j, :) = work(j, :) - work(j, i) * work(i, :)
         end do
      end do
      inverse = work(:, n + 1:)
   end function inverse_of

   real(c_double) function value_of(fit, x)
      type(polynomial), intent(in) :: fit
      real(c_double), intent(in) :: x
      integer :: n

      value_of = sum([(fit%c(n) * x**n, n=0, degree)])
   end function value_of

   real(c_double) function variance_of(fit, x)
      type(polynomial), intent(in) :: fit
      real(c_double), intent(in) :: x
      integer :: n
      real(c_double) :: powers(0:degree)

      powers = [(x**n, n=0, degree)]
      variance_of = dot_product(powers, matmul(fit%covariance, powers))
   end function variance_of

   ! Where two polynomials, of independent values, cross within +-width, and its error: x by bisection.
   subroutine crossing_of(one, other, width, x, error)
      type(polynomial), intent(in) :: one, other
      real(c_double), intent(in) :: width
      real(c_double), intent(out) :: x, error
      real(c_double) :: low, high, slope
      integer :: step, n

      low = -width
      high = width
      if ((value_of(other, low) - value_of(one, low)) * (value_of(other, high) - value_of(one, high)) > 0) &
         error stop 'ising_scaling: two cumulants do not cross'
      do step = 1, 60
         x = (low + high) / 2
         if ((value_of(other, low) - value_of(one, low)) * (value_of(other, x) - value_of(one, x)) > 0) then
            low = x
         else
            high = x
         end if
      end do
      slope = sum([(n * (other%c(n) - one%c(n)) * x**(n - 1), n=1, degree)])
      error = sqrt(variance_of(one, x) + variance_of(other, x)) / abs(slope)
   end subroutine crossing_of
end module ising_scaling_fit

module ising_scaling_run
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   private
   public :: measure

   integer :: extent_now = 0

contains

   ! Cumulants and susceptibilities of a lattice of extent x extent at all temperatures, with their errors.
   subroutine measure(context, extent, betas, u, u_error, chi, chi_error)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: extent
      real(c_double), intent(in) :: betas(:)
      real(c_double), intent(out) :: u(:), u_error(:), chi(:), chi_error(:)
      type(legato_ising) :: ising
      type(legato_ising_params) :: params
      type(legato_ising_averages) :: a
      integer(c_int64_t) :: i

      params = ising_defaults()
      params%extents(:2) = extent
      params%algorithm = LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL ! many small lattices, one in each bit of a word
      params%replicas = 32
      params%refresh_interval = 5
      params%sweeps_per_measurement = 5
      params%start = LEGATO_ISING_START_RANDOM
      ! Autocorrelation times grow as L^2.17: more than twenty of them for each bin, and before the first.
      params%bins = 8
      params%measurements_per_bin = nint(real(extent, c_double)**2.17_c_double, c_int64_t)
      params%thermalisation = 2 * params%measurements_per_bin * params%sweeps_per_measurement
      extent_now = extent
      call ising%create(context, params, betas)
      call ising%run(show)
      do i = 1, size(betas)
         call ising%result(i, a)
         u(i) = a%binder
         u_error(i) = a%binder_error
         chi(i) = a%susceptibility
         chi_error(i) = a%susceptibility_error
      end do
   end subroutine measure

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(2a,i0,a,i0,a,i0,a)', advance='no') achar(13), 'L = ', extent_now, ': ', progress%points_done, &
         ' of ', progress%points_total, ' bins '
      cancel = .false. ! true stops the run
   end function show
end module ising_scaling_run

program ising_scaling
   use, intrinsic :: iso_c_binding, only: c_double
   use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
   use legato
   use ising_scaling_fit
   use ising_scaling_run
   implicit none
   integer, parameter :: extents(4) = [8, 12, 16, 24], temperatures = 9
   real(c_double), parameter :: width = 0.012_c_double ! to either side of the critical point
   type(legato_context) :: context
   type(polynomial) :: cumulants(size(extents)), susceptibilities(size(extents))
   real(c_double), dimension(temperatures, size(extents)) :: u, u_error, chi, chi_error
   real(c_double) :: x(temperatures), critical
   character(200) :: name = ''
   integer :: i, unit

   critical = asinh(1.0_c_double) / 2
   x = [(width * (2 * (i - 1) / real(temperatures - 1, c_double) - 1), i=1, temperatures)]
   call context%create()
   do i = 1, size(extents)
      call measure(context, extents(i), critical + x, u(:, i), u_error(:, i), chi(:, i), chi_error(:, i))
      cumulants(i) = fit_of(x, u(:, i), u_error(:, i))
      susceptibilities(i) = fit_of(x, log(chi(:, i)), chi_error(:, i) / chi(:, i))
   end do
   write (error_unit, '()')

   call write_tables(output_unit)
   call get_command_argument(1, name)
   if (name == '') stop
   open (newunit=unit, file=trim(name)//'.dat', action='write')
   call write_tables(unit)
   close (unit)
   open (newunit=unit, file=trim(name)//'.gp', action='write')
   call write_script(unit)
   close (unit)

contains

   subroutine write_tables(unit)
      integer, intent(in) :: unit
      integer :: i, b

      write (unit, '(a)') '#  L        beta     cumulant        error  susceptibility        error'
      do i = 1, size(extents)
         do b = 1, temperatures
            write (unit, '(i4,1x,f11.8,2(1x,f12.8),1x,f15.7,1x,f12.7)') extents(i), critical + x(b), u(b, i), &
               u_error(b, i), chi(b, i), chi_error(b, i)
         end do
         write (unit, '(a,i0,a,f0.3,a,i0//)') '# chi^2 of the cubic polynomial of L = ', extents(i), ': ', &
            cumulants(i)%chi_squared, ' of ', temperatures - size(cumulants(i)%c)
      end do
      call write_crossings(unit)
      call write_exponent(unit)
   end subroutine write_tables

   ! Where the cumulants of L and 2 L cross, and how high.
   subroutine write_crossings(unit)
      integer, intent(in) :: unit
      real(c_double) :: at, error
      integer :: i

      do i = 1, size(extents) - 2
         call crossing_of(cumulants(i), cumulants(i + 2), width, at, error)
         write (unit, '(2(a,i0),4(a,f0.7))') '# crossing of ', extents(i), ' and ', extents(i + 2), ': beta ', &
            critical + at, ' +- ', error, ', cumulant ', value_of(cumulants(i), at)
      end do
   end subroutine write_crossings

   ! The slope of ln chi against ln L at the critical point: that of a straight line, by least squares.
   subroutine write_exponent(unit)
      integer, intent(in) :: unit
      real(c_double), dimension(size(extents)) :: l, weight, y
      real(c_double) :: mean, spread
      integer :: i

      l = log(real(extents, c_double))
      y = [(value_of(susceptibilities(i), 0.0_c_double), i=1, size(extents))]
      weight = [(1 / variance_of(susceptibilities(i), 0.0_c_double), i=1, size(extents))]
      mean = sum(weight * l) / sum(weight)
      spread = sum(weight * (l - mean)**2)
      write (unit, '(2(a,f0.5))') '# gamma / nu: ', sum(weight * (l - mean) * y) / spread, ' +- ', 1 / sqrt(spread)
   end subroutine write_exponent

   ! c has the polynomials' coefficients, four of each.
   subroutine write_script(unit)
      integer, intent(in) :: unit
      integer :: i

      write (unit, '(a)') 'set terminal pngcairo size 900, 1000', 'set output "'//trim(name)//'.png"'
      write (unit, '(a,i0,a,*(1x,i0))', advance='no') 'lattices = ', size(extents), '; extents = "', extents
      write (unit, '(a)') '"'
      write (unit, '(a,f0.8)') 'critical = ', critical
      write (unit, '(a,*(es22.14,:,","))', advance='no') 'array c = [', (cumulants(i)%c, i=1, size(extents))
      write (unit, '(a)') ']', 'u(i, x) = c[4*i-3] + x * (c[4*i-2] + x * (c[4*i-1] + x * c[4*i]))', &
         'set multiplot layout 2,1 title "Ising model on the square lattice"', 'set grid', &
         'set xlabel "beta"', 'set ylabel "Binder cumulant"', 'set key bottom right', &
         'set arrow from critical, graph 0 to critical, graph 1 nohead', &
         'plot for [i=1:lattices] "'//trim(name)//'.dat" using 2:3:4 index i-1 with yerrorbars pointtype 7 '// &
         'linecolor i title "L = ".word(extents, i), \', &
         '     for [i=1:lattices] u(i, x - critical) with lines linecolor i notitle', &
         'set ylabel "susceptibility"', 'set logscale y', 'set key bottom left', &
         'plot for [i=1:lattices] "'//trim(name)//'.dat" using 2:5:6 index i-1 with yerrorlines pointtype 7 '// &
         'linecolor i title "L = ".word(extents, i)'
   end subroutine write_script
end program ising_scaling
