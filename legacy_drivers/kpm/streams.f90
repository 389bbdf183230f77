! Streams of random numbers: number 0 of each realisation is for its disorder, number r for its start vector r. Each can
! be started alone, and none depends on the number of streams.
module streams
   use kinds
   use RNG, only: SRANDOM, DRANDOM
   implicit none
   private
   public :: start_stream, draw_uniform, draw_gaussian

   integer(ikind), parameter :: unused = 0     ! the seed argument of DRANDOM

contains

   ! Starts stream k with the seed seed * 48271^k modulo 2^31 - 1. 48271 is a primitive root of this modulus, so that no
   ! two streams have the same seed.
   subroutine start_stream(seed, realisation, number)
      integer(ikind), intent(in) :: seed, realisation, number
      integer(lkind), parameter :: modulus = 2147483647, root = 48271, streams_each = 65536
      integer(lkind) :: k, power, product

      k = (realisation - 1_lkind) * streams_each + number
      product = seed
      power = root
      do while (k > 0)
         if (mod(k, 2_lkind) == 1) product = mod(product * power, modulus)
         power = mod(power * power, modulus)
         k = k / 2
      end do
      call SRANDOM(int(product, ikind))
   end subroutine start_stream

   ! Returns a uniform number on [0, 1).
   function draw_uniform() result(u)
      real(rkind) :: u

      u = DRANDOM(unused)
   end function draw_uniform

   ! Returns two Gaussian numbers of unit variance (Box and Muller).
   subroutine draw_gaussian(x1, x2)
      real(rkind), intent(out) :: x1, x2
      real(rkind) :: radius, angle

      radius = sqrt(-two * log(one - draw_uniform()))
      angle = two * pi * draw_uniform()
      x1 = radius * cos(angle)
      x2 = radius * sin(angle)
   end subroutine draw_gaussian

end module streams
