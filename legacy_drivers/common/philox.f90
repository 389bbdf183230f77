! Philox4x32 (J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, SC11): random numbers that are a function of key
! and counter only. Words of 32 bits are stored in integers of 64 bits.
module philox
   use kinds
   implicit none
   private
   public :: philox4x32_7, philox4x32_10

   integer(lkind), parameter :: word = int(z'ffffffff', lkind)

contains

   ! Returns four words by seven rounds, the smallest number of rounds that passes all tests.
   pure function philox4x32_7(key, counter) result(words)
      integer(lkind), intent(in) :: key(2), counter(4)
      integer(lkind) :: words(4)

      words = counter
      call mix(7, key(1), key(2), words(1), words(2), words(3), words(4))
   end function philox4x32_7

   ! Returns four words by ten rounds, the usual number.
   pure function philox4x32_10(key, counter) result(words)
      integer(lkind), intent(in) :: key(2), counter(4)
      integer(lkind) :: words(4)

      words = counter
      call mix(10, key(1), key(2), words(1), words(2), words(3), words(4))
   end function philox4x32_10

   pure subroutine mix(rounds, key1, key2, c1, c2, c3, c4)
      integer, intent(in) :: rounds
      integer(lkind), intent(in) :: key1, key2
      integer(lkind), intent(inout) :: c1, c2, c3, c4
      integer(lkind) :: k1, k2, high1, low1, high2, low2
      integer :: round

      k1 = key1
      k2 = key2
      do round = 1, rounds
         call multiply(int(z'2daee0ad', lkind), c1, high1, low1)
         call multiply(int(z'326172a9', lkind), c3, high2, low2)
         c1 = ieor(ieor(high2, c2), k1)
         c2 = low2
         c3 = ieor(ieor(high1, c4), k2)
         c4 = low1
         k1 = iand(k1 + int(z'9e3779b9', lkind), word)
         k2 = iand(k2 + int(z'bb67ae85', lkind), word)
      end do
   end subroutine mix

   ! Returns both words of the product of 2^32 - complement and factor. The product itself would overflow.
   elemental subroutine multiply(complement, factor, high, low)
      integer(lkind), intent(in) :: complement, factor
      integer(lkind), intent(out) :: high, low
      integer(lkind) :: less

      less = -complement * factor
      high = factor + shifta(less, 32)
      low = iand(less, word)
   end subroutine multiply

end module philox
