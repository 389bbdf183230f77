! A small legacy program: three times, multiplications by its own routine and an orthonormalisation.
program small
   use, intrinsic :: iso_c_binding, only: c_int64_t
   implicit none
   integer, parameter :: n = 4
   double precision :: a(n, n), b(n, n), sum1(n), sum2(n)
   integer :: i, j, k
   interface
      function legato_dropin_calls() bind(C) result(calls)
         import :: c_int64_t
         integer(c_int64_t) :: calls
      end function legato_dropin_calls
   end interface
   external :: renorm, report

   sum1 = 0
   sum2 = 0
   do j = 1, n
      do i = 1, n
         a(i, j) = sin(1.7d0 * i * j)
         b(i, j) = cos(0.9d0 * i + j * j)
      end do
   end do
   do k = 1, 3
      call multiply(a, b, 0.3d0 * k)
      call multiply(b, a, 0.5d0 * k)
      call renorm(a, b, sum1, sum2, n)
   end do
   call report(sum(sum1))
   print '(a,i0)', 'calls ', legato_dropin_calls()

contains

   subroutine multiply(psi_a, psi_b, energy)
      double precision, intent(in) :: psi_a(n, n), energy
      double precision, intent(inout) :: psi_b(n, n)

      psi_b = energy * psi_a - cshift(psi_a, 1) - cshift(psi_a, -1) - psi_b
   end subroutine multiply
end program small
