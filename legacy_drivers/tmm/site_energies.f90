! Common parts of the two memory layouts of TMMult: the diagonal of a slice, and the sign of a hop across the edge.

module SiteEnergies
   use MyNumbers, only: ikind, rkind, zero, one
   use IPara, only: ISeed, IBCFlag, IRNGFlag
   use RNG, only: DRANDOM, GRANDOM
   implicit none
   private
   public :: across_edge, draw_site_energies

contains

   ! Returns the sign of a hop across the edge: hard wall 0, periodic 1, antiperiodic -1.
   function across_edge() result(edge)
      real(rkind), parameter :: sign_of(0:2) = [zero, one, -one]
      real(rkind) :: edge

      edge = sign_of(IBCFlag)
   end function across_edge

   ! Returns E - V. V is drawn for the sites 1 to N in this order, because the result depends on the order of the
   ! stream.
   subroutine draw_site_energies(site_energy, N, En, DiagDis)
      integer(ikind), intent(in) :: N
      real(rkind), intent(out) :: site_energy(N)
      real(rkind), intent(in) :: En, DiagDis
      real(rkind), parameter :: half = 0.5_rkind, to_unit_deviation = sqrt(12.0_rkind)
      integer(ikind) :: i

      select case (IRNGFlag)
      case (0)     ! uniform on [-W/2, W/2]
         do i = 1, N
            site_energy(i) = En - DiagDis * (DRANDOM(ISeed) - half)
         end do
      case (1)     ! uniform of standard deviation W
         do i = 1, N
            site_energy(i) = En - DiagDis * (DRANDOM(ISeed) - half) * to_unit_deviation
         end do
      case default     ! Gaussian of standard deviation W
         do i = 1, N
            site_energy(i) = En - GRANDOM(ISeed, zero, DiagDis)
         end do
      end select
   end subroutine draw_site_energies

end module SiteEnergies
