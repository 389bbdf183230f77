! Orthonormalisation, state-first: row j of psi_a and row j of psi_b together are the j-th vector.

! Orthonormalises the 2N-component rows by modified Gram-Schmidt, in order, so that gamma(1) collects the fastest
! growth: gamma(i) += ln R_ii, gamma2(i) += (ln R_ii)^2. The inner loops run over the states, which are contiguous in
! memory: each new unit vector is projected out of all later ones together.
subroutine ReNorm(PSI_A, PSI_B, GAMMA, GAMMA2, N)
   use MyNumbers, only: ikind, rkind, zero, one
   implicit none
   integer(ikind), intent(in) :: N
   real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N), GAMMA(N), GAMMA2(N)
   real(rkind) :: overlap(N), squares, factor
   integer(ikind) :: i, j, k

   do i = 1, N
      squares = zero
      do k = 1, N
         squares = squares + PSI_A(i, k)**2 + PSI_B(i, k)**2
      end do
      factor = one / sqrt(squares)
      GAMMA(i) = GAMMA(i) - log(factor)
      GAMMA2(i) = GAMMA2(i) + log(factor)**2

      overlap(i+1:) = zero
      do k = 1, N
         PSI_A(i, k) = factor * PSI_A(i, k)
         PSI_B(i, k) = factor * PSI_B(i, k)
         do j = i + 1, N
            overlap(j) = overlap(j) + PSI_A(j, k) * PSI_A(i, k) + PSI_B(j, k) * PSI_B(i, k)
         end do
      end do
      do k = 1, N
         do j = i + 1, N
            PSI_A(j, k) = PSI_A(j, k) - overlap(j) * PSI_A(i, k)
            PSI_B(j, k) = PSI_B(j, k) - overlap(j) * PSI_B(i, k)
         end do
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
