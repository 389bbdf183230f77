! wide LAYOUT N [CYCLES]: a program of width N that multiplies by itself and orthonormalises by the library. LAYOUT is
! that of the linked library: site_first or state_first. The program prints sums over the exponents and over the wave
! functions, whose signs are fixed, and the results for vectors that vanish.
program wide
   use, intrinsic :: iso_c_binding, only: c_double
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   implicit none
   integer, parameter :: dp = c_double
   real(dp), allocatable :: a(:, :), b(:, :), gamma(:), gamma2(:)
   integer :: i, n, cycles, cycle_number, step
   character(len=16) :: layout, word
   external :: renorm

   call get_command_argument(1, layout)
   call get_command_argument(2, word)
   read (word, *) n
   cycles = 3
   call get_command_argument(3, word)
   if (word /= '') read (word, *) cycles
   allocate (a(n, n), b(n, n), gamma(n), gamma2(n))
   a = 0
   b = 0
   do i = 1, n
      a(i, i) = 1
   end do
   gamma = 0
   gamma2 = 0
   do cycle_number = 1, cycles
      do step = 1, 2
         call multiply(a, b, 4 * cycle_number + step)
         call multiply(b, a, 4 * cycle_number + step + 2)
      end do
      call exchange_indices()
      call renorm(a, b, gamma, gamma2, n)
      call exchange_indices()
   end do
   print '(3es25.16)', sum(gamma), sum(gamma2), gamma(n)
   print '(3es25.16)', sum(a**2) + sum(b**2), sum(a(:, 1)), dot_product(a(:, 1), a(:, n)) + dot_product(b(:, 1), b(:, n))

   ! Tests vectors that vanish. The sums become NaN, the arrays are unchanged, and the next call works.
   a = 0
   b = 0
   call renorm(a, b, gamma, gamma2, n)
   print '(i0,1x,i0,1x,i0)', count(.not. ieee_is_nan(gamma)), count(.not. ieee_is_nan(gamma2)), &
      count(abs(a) > 0) + count(abs(b) > 0)
   do i = 1, n
      a(i, i) = 1 + i
   end do
   gamma = 0
   call renorm(a, b, gamma, gamma2, n)
   print '(3es25.16)', sum(gamma), gamma(n), sum(a)
   deallocate (a, b, gamma, gamma2)     ! LeakSanitizer would report them otherwise

contains

   subroutine exchange_indices()
      if (layout /= 'state_first') return
      a = transpose(a)
      b = transpose(b)
   end subroutine exchange_indices

   subroutine multiply(psi_a, psi_b, slice)
      real(dp), intent(in) :: psi_a(n, n)
      real(dp), intent(inout) :: psi_b(n, n)
      integer, intent(in) :: slice
      integer :: site, state

      do state = 1, n
         do site = 1, n
            psi_b(site, state) = (2.5_dp - sin(7.0_dp * site * site + 3.0_dp * slice)) * psi_a(site, state) - psi_b(site, state)
         end do
         psi_b(2:, state) = psi_b(2:, state) - psi_a(:n - 1, state)
         psi_b(:n - 1, state) = psi_b(:n - 1, state) - psi_a(2:, state)
      end do
   end subroutine multiply
end program wide
