! Transfer-matrix multiplication, site-first: psi(site, state).
!
! (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one):
!
!    psi_b <- (En - V) psi_a - Kappa * (sum of the transverse neighbours in psi_a) - psi_b
!
! The two ends of a row are treated outside the loop over its sites. The loop thus has no branch and runs over
! contiguous memory. A neighbour that is reached twice (M = 2, periodic) counts twice; with M = 1 a site is its own
! neighbour. Ilayer is part of the old interface; no multiplication depends on it.

subroutine TMMult2D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind
   use DPara, only: Kappa
   use SiteEnergies, only: across_edge, draw_site_energies
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: PSI_A(M, M), En, DiagDis
   real(rkind), intent(inout) :: PSI_B(M, M)
   real(rkind) :: site_energy(M), edge
   integer(ikind) :: x, j

   associate (unused => Ilayer); end associate
   call draw_site_energies(site_energy, M, En, DiagDis)
   edge = across_edge()
   if (M == 1) then
      PSI_B = site_energy(1) * PSI_A - Kappa * (2 * edge * PSI_A) - PSI_B
      return
   end if

   do j = 1, M
      PSI_B(1, j) = site_energy(1) * PSI_A(1, j) - Kappa * (edge * PSI_A(M, j) + PSI_A(2, j)) - PSI_B(1, j)
      do x = 2, M - 1
         PSI_B(x, j) = site_energy(x) * PSI_A(x, j) - Kappa * (PSI_A(x-1, j) + PSI_A(x+1, j)) - PSI_B(x, j)
      end do
      PSI_B(M, j) = site_energy(M) * PSI_A(M, j) - Kappa * (PSI_A(M-1, j) + edge * PSI_A(1, j)) - PSI_B(M, j)
   end do
end subroutine TMMult2D

! The cross-section has M*M sites, i = x + M*(y-1). "row", "below" and "above" are the offsets of a row of sites and of
! the two rows beside it.
subroutine TMMult3D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind, one
   use DPara, only: Kappa
   use SiteEnergies, only: across_edge, draw_site_energies
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: PSI_A(M*M, M*M), En, DiagDis
   real(rkind), intent(inout) :: PSI_B(M*M, M*M)
   real(rkind) :: site_energy(M*M), edge, down, up
   integer(ikind) :: i, x, j, row, below, above, last

   associate (unused => Ilayer); end associate
   call draw_site_energies(site_energy, M * M, En, DiagDis)
   edge = across_edge()
   if (M == 1) then
      PSI_B = site_energy(1) * PSI_A - Kappa * (4 * edge * PSI_A) - PSI_B
      return
   end if

   last = M * (M - 1)
   do j = 1, M * M
      do row = 0, last, M
         below = merge(last, row - M, row == 0)
         above = merge(0, row + M, row == last)
         down = merge(edge, one, row == 0)
         up = merge(edge, one, row == last)
         i = row + 1
         PSI_B(i, j) = site_energy(i) * PSI_A(i, j) - PSI_B(i, j) - Kappa * (edge * PSI_A(row+M, j) + PSI_A(i+1, j) &
            + down * PSI_A(below+1, j) + up * PSI_A(above+1, j))
         do x = 2, M - 1
            PSI_B(row+x, j) = site_energy(row+x) * PSI_A(row+x, j) - PSI_B(row+x, j) - Kappa * (PSI_A(row+x-1, j) &
               + PSI_A(row+x+1, j) + down * PSI_A(below+x, j) + up * PSI_A(above+x, j))
         end do
         i = row + M
         PSI_B(i, j) = site_energy(i) * PSI_A(i, j) - PSI_B(i, j) - Kappa * (PSI_A(i-1, j) + edge * PSI_A(row+1, j) &
            + down * PSI_A(below+M, j) + up * PSI_A(above+M, j))
      end do
   end do
end subroutine TMMult3D
