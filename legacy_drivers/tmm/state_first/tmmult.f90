! Transfer-matrix multiplication, state-first: psi(state, site).
!
! (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one):
!
!    psi_b <- (En - V) psi_a - Kappa * (sum of the transverse neighbours in psi_a) - psi_b
!
! The inner loops run over the states, so that the boundary condition is evaluated once for each site.
! A neighbour that is reached twice (M = 2, periodic) counts twice; with M = 1 a site is its own neighbour.
! Ilayer is part of the old interface; no multiplication depends on it.

subroutine TMMult2D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind, one
   use DPara, only: Kappa
   use SiteEnergies, only: across_edge, draw_site_energies
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: PSI_A(M, M), En, DiagDis
   real(rkind), intent(inout) :: PSI_B(M, M)
   real(rkind) :: site_energy(M), edge, to_left, to_right
   integer(ikind) :: x, left, right

   associate (unused => Ilayer); end associate
   call draw_site_energies(site_energy, M, En, DiagDis)
   edge = across_edge()
   do x = 1, M
      left = merge(M, x - 1, x == 1)
      right = merge(1, x + 1, x == M)
      to_left = merge(edge, one, x == 1)
      to_right = merge(edge, one, x == M)
      PSI_B(:, x) = site_energy(x) * PSI_A(:, x) &
         - Kappa * (to_left * PSI_A(:, left) + to_right * PSI_A(:, right)) - PSI_B(:, x)
   end do
end subroutine TMMult2D

! The cross-section has M*M sites, i = x + M*(y-1).
subroutine TMMult3D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind, one
   use DPara, only: Kappa
   use SiteEnergies, only: across_edge, draw_site_energies
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: PSI_A(M*M, M*M), En, DiagDis
   real(rkind), intent(inout) :: PSI_B(M*M, M*M)
   real(rkind) :: site_energy(M*M), edge, to_left, to_right, down, up
   integer(ikind) :: i, x, y, left, right, below, above

   associate (unused => Ilayer); end associate
   call draw_site_energies(site_energy, M * M, En, DiagDis)
   edge = across_edge()
   do y = 1, M
      down = merge(edge, one, y == 1)
      up = merge(edge, one, y == M)
      do x = 1, M
         i = x + M * (y - 1)
         left = merge(i + M - 1, i - 1, x == 1)
         right = merge(i - M + 1, i + 1, x == M)
         below = merge(i + M * (M - 1), i - M, y == 1)
         above = merge(x, i + M, y == M)
         to_left = merge(edge, one, x == 1)
         to_right = merge(edge, one, x == M)
         PSI_B(:, i) = site_energy(i) * PSI_A(:, i) - PSI_B(:, i) - Kappa * (to_left * PSI_A(:, left) &
            + to_right * PSI_A(:, right) + down * PSI_A(:, below) + up * PSI_A(:, above))
      end do
   end do
end subroutine TMMult3D
