! TMMult2D and TMMult3D, computed by Legato. Compile this file in place of the old source file, with the program's own
! modules, and link with liblegato_tmm_site_first or liblegato_tmm_state_first. The memory layout is that of the
! library.
!
! The routines read IBCFlag (0 hard wall, 1 periodic, 2 antiperiodic), IRNGFlag, ISeed and Kappa. IRNGFlag is 0 for a
! uniform distribution of width W, 1 for a uniform and 2 for a Gaussian distribution of standard deviation W. The
! program's module RNG draws one number per site, in the order of the sites. PSI_A is written only in deferred mode, in
! which the library keeps the data elsewhere (docs/relinking.md). Ilayer is not used.

recursive subroutine TMMult2D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: En, DiagDis
   real(rkind), intent(inout) :: PSI_A(M, M), PSI_B(M, M)
   external :: legato_dropin_step

   associate (unused => Ilayer); end associate
   call legato_dropin_step(2, PSI_A, PSI_B, En, DiagDis, M, M)
end subroutine TMMult2D

recursive subroutine TMMult3D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
   use MyNumbers, only: ikind, rkind
   implicit none
   integer(ikind), intent(in) :: Ilayer, M
   real(rkind), intent(in) :: En, DiagDis
   real(rkind), intent(inout) :: PSI_A(M*M, M*M), PSI_B(M*M, M*M)
   external :: legato_dropin_step

   associate (unused => Ilayer); end associate
   call legato_dropin_step(3, PSI_A, PSI_B, En, DiagDis, M, M * M)
end subroutine TMMult3D

! This is an external procedure, so that compiling the file creates no module file.
recursive subroutine legato_dropin_step(dimension, PSI_A, PSI_B, En, DiagDis, M, N)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   use MyNumbers, only: ikind, rkind
   use IPara, only: ISeed, IBCFlag, IRNGFlag
   use DPara, only: Kappa
   use RNG, only: DRANDOM, GRANDOM
   implicit none
   integer, intent(in) :: dimension
   integer(ikind), intent(in) :: M, N
   real(rkind), intent(in) :: En, DiagDis
   real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N)
   real(rkind), parameter :: half = 0.5_rkind, to_unit_deviation = sqrt(12.0_rkind)
   integer(ikind), parameter :: most_sites = 4096
   real(c_double) :: diagonal(most_sites)     ! an array of N would be allocated at every call
   integer(ikind) :: i

   interface
      subroutine legato_dropin_multiply(dimension, width, boundary, hopping, diagonal, psi_a, psi_b) bind(C)
         import :: c_double, c_int32_t
         integer(c_int32_t), value :: dimension, width, boundary
         real(c_double), value :: hopping
         real(c_double), intent(in) :: diagonal(*)
         real(c_double), intent(inout) :: psi_a(*), psi_b(*)
      end subroutine legato_dropin_multiply
   end interface

   if (N <= most_sites) then     ! a wider bar is refused by the library
      select case (IRNGFlag)
      case (0)
         do i = 1, N
            diagonal(i) = En - DiagDis * (DRANDOM(ISeed) - half)
         end do
      case (1)
         do i = 1, N
            diagonal(i) = En - DiagDis * (DRANDOM(ISeed) - half) * to_unit_deviation
         end do
      case default
         do i = 1, N
            diagonal(i) = En - GRANDOM(ISeed, 0.0_rkind, DiagDis)
         end do
      end select
   end if
   call legato_dropin_multiply(int(dimension, c_int32_t), int(M, c_int32_t), int(IBCFlag, c_int32_t), &
      real(Kappa, c_double), diagonal, PSI_A, PSI_B)
end subroutine legato_dropin_step
