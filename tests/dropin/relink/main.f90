! A legacy program in small: three times a product and an orthonormalisation.
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
   do k = 1, 3
      do j = 1, n
         do i = 1, n
            a(i, j) = sin(1.7d0 * i * j + k)
            b(i, j) = cos(0.9d0 * i + j * j)
         end do
      end do
      call renorm(a, b, sum1, sum2, n)
   end do
   call report(sum(sum1))
   print '(a,i0)', 'calls ', legato_dropin_calls()
end program small
