! Random numbers: lfsr113 of L'Ecuyer, Math. Comp. 68, 261 (1999), four shift registers combined.
! The seed arguments of DRANDOM and GRANDOM are part of the old interface; there is one stream, set by SRANDOM.
! The module depends on no other one, so that a program can be linked with another RNG of the same interface.

module RNG
   use, intrinsic :: iso_fortran_env, only: ikind => int32, rkind => real64
   implicit none
   private
   public :: SRANDOM, DRANDOM, GRANDOM

   real(rkind), parameter :: to_unit_interval = 4.656612873077e-10_rkind     ! 2^-31 as rounded in the original programs
   integer, parameter :: gauss_terms = 20
   real(rkind), parameter :: gauss_scale = sqrt(3.0_rkind / gauss_terms)     ! 2u-1 has variance 1/3

   ! The registers must exceed 1, 7, 15 and 127: the bits below are not part of their state.
   integer(ikind) :: z1 = 2, z2 = 8, z3 = 16, z4 = 128

contains

   subroutine SRANDOM(ISeed)
      integer(ikind), intent(in) :: ISeed
      integer(ikind) :: seed
      real(rkind) :: unused

      seed = max(ISeed, 1_ikind)
      z1 = next_seed(seed, 2_ikind)
      z2 = next_seed(seed, 8_ikind)
      z3 = next_seed(seed, 16_ikind)
      z4 = next_seed(seed, 128_ikind)
      unused = DRANDOM(ISeed)
   end subroutine SRANDOM

   ! Returns the next number of Park and Miller's minimal standard generator. Schrage's factorisation keeps it within
   ! 32 bits.
   function next_seed(seed, lowest) result(z)
      integer(ikind), intent(inout) :: seed
      integer(ikind), intent(in) :: lowest
      integer(ikind) :: z
      integer(ikind), parameter :: multiplier = 16807, modulus = 2147483647, quotient = 127773, remainder = 2836

      seed = multiplier * mod(seed, quotient) - remainder * (seed / quotient)
      if (seed < 0) seed = seed + modulus
      z = seed
      if (z < lowest) z = z + lowest
   end function next_seed

   ! Returns a uniform number on [0, 1).
   function DRANDOM(ISeed) result(u)
      integer(ikind), intent(in) :: ISeed
      real(rkind) :: u

      associate (unused => ISeed); end associate
      z1 = ieor(ishft(iand(z1, -2_ikind), 18), ishft(ieor(ishft(z1, 6), z1), -13))
      z2 = ieor(ishft(iand(z2, -8_ikind), 2), ishft(ieor(ishft(z2, 2), z2), -27))
      z3 = ieor(ishft(iand(z3, -16_ikind), 7), ishft(ieor(ishft(z3, 13), z3), -21))
      z4 = ieor(ishft(iand(z4, -128_ikind), 13), ishft(ieor(ishft(z4, 3), z4), -12))
      u = ishft(ieor(ieor(ieor(z1, z2), z3), z4), -1) * to_unit_interval
   end function DRANDOM

   ! Returns a nearly Gaussian number: a sum of 20 uniform numbers.
   function GRANDOM(ISeed, avg, sigma) result(x)
      integer(ikind), intent(in) :: ISeed
      real(rkind), intent(in) :: avg, sigma
      real(rkind) :: x, total
      integer :: i

      total = 0.0_rkind
      do i = 1, gauss_terms
         total = total + 2.0_rkind * (DRANDOM(ISeed) - 0.5_rkind)
      end do
      x = avg + sigma * total * gauss_scale
   end function GRANDOM

end module RNG
