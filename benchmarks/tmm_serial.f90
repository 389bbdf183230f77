! Runs cycles of the serial program for the benchmark: the legacy routines, called as main.f90 calls them.
subroutine serial_tmm_cycles(dimension, width, boundary, energy, disorder, n_ortho, cycles, psi_a, psi_b, gamma, gamma2) &
   bind(c)
   use, intrinsic :: iso_c_binding, only: c_int, c_double
   use MyNumbers, only: one
   use IPara, only: IBCFlag, IRNGFlag
   use DPara, only: Kappa
   use RNG, only: SRANDOM
   implicit none
   integer(c_int), value :: dimension, width, boundary, n_ortho, cycles
   real(c_double), value :: energy, disorder
   real(c_double), intent(inout) :: psi_a(*), psi_b(*), gamma(*), gamma2(*)
   integer(c_int) :: cycle, layer, sites
   external :: TMMult2D, TMMult3D, ReNorm

   IBCFlag = boundary
   IRNGFlag = 0
   Kappa = one
   sites = merge(width * width, width, dimension == 3)
   call SRANDOM(1277)
   do cycle = 1, cycles
      do layer = 1, n_ortho, 2
         if (dimension == 3) then
            call TMMult3D(psi_a, psi_b, layer, energy, disorder, width)
            call TMMult3D(psi_b, psi_a, layer + 1, energy, disorder, width)
         else
            call TMMult2D(psi_a, psi_b, layer, energy, disorder, width)
            call TMMult2D(psi_b, psi_a, layer + 1, energy, disorder, width)
         end if
      end do
      call ReNorm(psi_a, psi_b, gamma, gamma2, sites)
   end do
end subroutine serial_tmm_cycles
