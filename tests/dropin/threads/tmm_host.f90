! A program in which each thread has its own bar. The generator is threadprivate.
module MyNumbers
   use kinds
   implicit none
   public
end module MyNumbers

module IPara
   use kinds
   implicit none
   public
   integer(ikind) :: ISeed = 1, IBCFlag = 1, IRNGFlag = 0
end module IPara

module DPara
   use kinds
   implicit none
   public
   real(rkind) :: Kappa = 1
end module DPara

module RNG
   use kinds
   implicit none
   public

   integer(lkind) :: state = 1
   !$omp threadprivate(state)

contains

   function DRANDOM(ISeed)
      integer(ikind), intent(in) :: ISeed
      real(rkind) :: DRANDOM

      associate (unused => ISeed); end associate
      state = modulo(16807_lkind * state, 2147483647_lkind)
      DRANDOM = real(state, rkind) / 2147483647.0_rkind
   end function DRANDOM

   function GRANDOM(ISeed, mean, deviation)
      integer(ikind), intent(in) :: ISeed
      real(rkind), intent(in) :: mean, deviation
      real(rkind) :: GRANDOM

      GRANDOM = mean + deviation * (DRANDOM(ISeed) - half)
   end function GRANDOM
end module RNG

module host
   use kinds
   use RNG, only: state
   implicit none
   private
   public :: number_of_values, realise

   integer(ikind), parameter :: width = 100     ! so wide that threads share a bar
   integer, parameter :: number_of_values = 2 * width

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(rkind), intent(out) :: values(number_of_values)
      real(rkind), allocatable :: psi_a(:, :), psi_b(:, :)
      real(rkind) :: gamma(width), gamma2(width)
      integer(ikind) :: i, layer
      external :: TMMult2D, ReNorm

      state = 1000 + r
      gamma = 0
      gamma2 = 0
      allocate (psi_a(width, width), psi_b(width, width), source=zero)
      do i = 1, width
         psi_a(i, i) = one
      end do
      do layer = 1, 8, 2
         call TMMult2D(psi_a, psi_b, layer, half, two, width)
         call TMMult2D(psi_b, psi_a, layer + 1, half, two, width)
         call ReNorm(psi_a, psi_b, gamma, gamma2, width)
      end do
      values = [gamma, gamma2]
   end subroutine realise
end module host
