! Orthonormalises, and adapts its sixth argument. The criterion is the fraction of the last vector that remains after
! subtracting the others.
subroutine renorm(a, b, gamma, gamma2, n, n_ortho)
   implicit none
   integer, intent(in) :: n
   integer, intent(inout) :: n_ortho
   double precision, intent(inout) :: a(n, n), b(n, n), gamma(n), gamma2(n)
   double precision :: before, norm, overlap
   integer :: i, j

   before = sqrt(sum(a(:, n)**2) + sum(b(:, n)**2))
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
   if (n == 1) return
   if (norm / before < 1d-11 .and. n_ortho > 2) then
      n_ortho = n_ortho - 2
   else if (norm / before > 1d-8 .and. n_ortho < 10) then
      n_ortho = n_ortho + 2
   end if
end subroutine renorm
