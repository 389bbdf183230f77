! Orthonormalisation, site-first: column j of psi_a over column j of psi_b is the j-th vector.
! "omp simd" lets the compiler split the sums over vector lanes (-fopenmp-simd); without that flag it is a comment.

! Orthonormalises the 2N-component columns by modified Gram-Schmidt, in order, so that gamma(1) collects the fastest
! growth: gamma(i) += ln R_ii, gamma2(i) += (ln R_ii)^2.
subroutine ReNorm(PSI_A, PSI_B, GAMMA, GAMMA2, N)
   use MyNumbers, only: ikind, rkind, zero, one
   implicit none
   integer(ikind), intent(in) :: N
   real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N), GAMMA(N), GAMMA2(N)
   integer(ikind) :: i, j, k
   real(rkind) :: squares, overlap, factor

   do i = 1, N
      squares = zero
      !$omp simd reduction(+:squares)
      do k = 1, N
         squares = squares + PSI_A(k, i)**2 + PSI_B(k, i)**2
      end do
      factor = one / sqrt(squares)
      PSI_A(:, i) = factor * PSI_A(:, i)
      PSI_B(:, i) = factor * PSI_B(:, i)
      GAMMA(i) = GAMMA(i) - log(factor)
      GAMMA2(i) = GAMMA2(i) + log(factor)**2

      do j = i + 1, N
         overlap = zero
         !$omp simd reduction(+:overlap)
         do k = 1, N
            overlap = overlap + PSI_A(k, j) * PSI_A(k, i) + PSI_B(k, j) * PSI_B(k, i)
         end do
         PSI_A(:, j) = PSI_A(:, j) - overlap * PSI_A(:, i)
         PSI_B(:, j) = PSI_B(:, j) - overlap * PSI_B(:, i)
      end do
   end do
end subroutine ReNorm

subroutine Swap(PSI_A, PSI_B, N)
   use MyNumbers, only: ikind, rkind
   implicit none
   integer(ikind), intent(in) :: N
   real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N)
   integer(ikind) :: i, j
   real(rkind) :: held

   do j = 1, N
      do i = 1, N
         held = PSI_A(i, j)
         PSI_A(i, j) = PSI_B(i, j)
         PSI_B(i, j) = held
      end do
   end do
end subroutine Swap
