! Random numbers that are a function of seed, stream, chain and position alone: Philox4x32-10 (J. K. Salmon, M. A. Moraes,
! R. O. Dror and D. E. Shaw, SC11), words of 32 bits in integers of 64. Nothing need be kept from one number to the next,
! so that any program that counts in the same way takes the same decisions.
module streams
   use kinds
   implicit none
   private
   public :: random_words, below, uniform

   integer(lkind), parameter, public :: move_stream = int(z'564d4301', lkind), start_stream = int(z'564d4302', lkind)
   integer(lkind), parameter :: word = int(z'ffffffff', lkind)

contains

   ! Four words of block number "position" of a chain.
   pure function random_words(seed, stream, position, chain) result(c)
      integer(lkind), intent(in) :: seed, stream, position, chain
      integer(lkind) :: c(4), key1, key2, high1, high2, low1, low2
      integer :: round

      c = [iand(position, word), iand(shiftr(position, 32), word), chain, stream]
      key1 = iand(seed, word)
      key2 = iand(shiftr(seed, 32), word)
      do round = 1, 10
         call multiply(int(z'2daee0ad', lkind), c(1), high1, low1)
         call multiply(int(z'326172a9', lkind), c(3), high2, low2)
         c = [ieor(ieor(high2, c(2)), key1), low2, ieor(ieor(high1, c(4)), key2), low1]
         key1 = iand(key1 + int(z'9e3779b9', lkind), word)
         key2 = iand(key2 + int(z'bb67ae85', lkind), word)
      end do
   end function random_words

   ! Both words of factor * 2^32 - complement * factor: the multipliers, 2^32 - complement, are so large that the product
   ! itself would overflow.
   elemental subroutine multiply(complement, factor, high, low)
      integer(lkind), intent(in) :: complement, factor
      integer(lkind), intent(out) :: high, low
      integer(lkind) :: less

      less = -complement * factor
      high = factor + shifta(less, 32)
      low = iand(less, word)
   end subroutine multiply

   ! 0 .. count - 1.
   elemental function below(count, random) result(number)
      integer(ikind), intent(in) :: count
      integer(lkind), intent(in) :: random
      integer(ikind) :: number

      number = int(shiftr(count * random, 32), ikind)
   end function below

   ! In (0, 1).
   elemental function uniform(random) result(u)
      integer(lkind), intent(in) :: random
      real(rkind) :: u

      u = (real(random, rkind) + half) * 2.0_rkind**(-32)
   end function uniform

end module streams
