! Random numbers of Philox4x32-10, which are a function of seed, stream, chain and position only. No state is kept
! between numbers, so that any program that counts in the same way takes the same decisions.
module streams
   use kinds
   use philox, only: philox4x32_10
   implicit none
   private
   public :: random_words, below, uniform

   integer(lkind), parameter, public :: move_stream = int(z'564d4301', lkind), start_stream = int(z'564d4302', lkind)
   integer(lkind), parameter :: word = int(z'ffffffff', lkind)

contains

   ! Returns the four words at number "position" of a chain.
   pure function random_words(seed, stream, position, chain) result(words)
      integer(lkind), intent(in) :: seed, stream, position, chain
      integer(lkind) :: words(4)

      words = philox4x32_10([iand(seed, word), shiftr(seed, 32)], [iand(position, word), shiftr(position, 32), chain, stream])
   end function random_words

   ! Returns a number in 0 .. count - 1.
   elemental function below(count, random) result(number)
      integer(ikind), intent(in) :: count
      integer(lkind), intent(in) :: random
      integer(ikind) :: number

      number = int(shiftr(count * random, 32), ikind)
   end function below

   ! Returns a number in (0, 1).
   elemental function uniform(random) result(u)
      integer(lkind), intent(in) :: random
      real(rkind) :: u

      u = (real(random, rkind) + half) * 2.0_rkind**(-32)
   end function uniform

end module streams
