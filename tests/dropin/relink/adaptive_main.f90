! A legacy program whose ReNorm has a sixth argument: the number of multiplications before the next call, which ReNorm
! adapts. The growth is large in the first half of the run and small in the second, so that the number decreases and
! increases. With the argument "state_first" the program passes psi(state, site).
program adaptive
   use, intrinsic :: iso_c_binding, only: c_int64_t
   implicit none
   integer, parameter :: n = 4, cycles = 12
   double precision :: a(n, n), b(n, n), sum1(n), sum2(n), hopping
   integer :: cycle_number, i, n_ortho, step, steps
   character(len=11) :: layout
   interface
      function legato_dropin_calls() bind(C) result(calls)
         import :: c_int64_t
         integer(c_int64_t) :: calls
      end function legato_dropin_calls
   end interface
   external :: renorm

   call get_command_argument(1, layout)
   sum1 = 0
   sum2 = 0
   a = 0
   b = 0
   do i = 1, n
      a(i, i) = 1
   end do
   n_ortho = 10
   steps = 0
   do cycle_number = 1, cycles
      hopping = merge(6d0, 0.5d0, 2 * cycle_number <= cycles)
      do step = 1, n_ortho, 2
         call multiply(a, b, 2 * hopping + 0.5d0, steps + step)
         call multiply(b, a, 2 * hopping + 0.5d0, steps + step + 1)
      end do
      steps = steps + n_ortho
      call exchange_indices()
      call renorm(a, b, sum1, sum2, n, n_ortho)
      call exchange_indices()
      print '(a,i0)', 'n_ortho ', n_ortho
   end do
   print '(a,4es24.16)', 'sums ', sum1
   print '(a,i0)', 'calls ', legato_dropin_calls()

contains

   subroutine exchange_indices()
      if (layout /= 'state_first') return
      a = transpose(a)
      b = transpose(b)
   end subroutine exchange_indices

   subroutine multiply(psi_a, psi_b, energy, slice)
      double precision, intent(in) :: psi_a(n, n), energy
      double precision, intent(inout) :: psi_b(n, n)
      integer, intent(in) :: slice
      integer :: site

      do site = 1, n
         psi_b(site, :) = (energy - sin(7d0 * site + 3d0 * slice)) * psi_a(site, :) - psi_b(site, :) &
            - hopping * (psi_a(modulo(site, n) + 1, :) + psi_a(modulo(site - 2, n) + 1, :))
      end do
   end subroutine multiply
end program adaptive
