! One file with three routines: renorm, which the library replaces, and report and swap, which must stay.
subroutine renorm(a, b, gamma, gamma2, n)
   implicit none
   integer, intent(in) :: n
   double precision, intent(inout) :: a(n, n), b(n, n), gamma(n), gamma2(n)
   double precision :: norm, overlap
   integer :: i, j

   do i = 1, n
      norm = sqrt(sum(a(:, i)**2) + sum(b(:, i)**2))
      a(:, i) = a(:, i) / norm
      b(:, i) = b(:, i) / norm
      gamma(i) = gamma(i) + log(norm)
      gamma2(i) = gamma2(i) + log(norm)**2
      do j = i + 1, n
         overlap = sum(a(:, i) * a(:, j)) + sum(b(:, i) * b(:, j))
         a(:, j) = a(:, j) - overlap * a(:, i)
         b(:, j) = b(:, j) - overlap * b(:, i)
      end do
   end do
end subroutine renorm

subroutine report(total)
   implicit none
   double precision, intent(in) :: total

   print '(a,es24.16)', 'sum ', total
   print '(a)', 'report: kept'
end subroutine report

! This routine is never called. The library must not add a second one.
subroutine swap(a, b, n)
   implicit none
   integer, intent(in) :: n
   double precision, intent(inout) :: a(n, n), b(n, n)
   double precision :: held(n, n)

   held = a
   a = b
   b = held
end subroutine swap
