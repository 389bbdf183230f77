! Philox4x32-7 (J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, SC11): random numbers that are a function of key and
! counter alone. Words of 32 bits in integers of 64.
module philox
   use kinds
   implicit none
   private
   public :: random_words

   integer(lkind), parameter :: word = int(z'ffffffff', lkind)

contains

   pure function random_words(key, counter) result(words)
      integer(lkind), intent(in) :: key(2), counter(4)
      integer(lkind) :: words(4), c1, c2, c3, c4, k1, k2, high1, low1, high2, low2
      integer :: round

      c1 = counter(1)
      c2 = counter(2)
      c3 = counter(3)
      c4 = counter(4)
      k1 = key(1)
      k2 = key(2)
      do round = 1, 7
         call multiply(int(z'2daee0ad', lkind), c1, high1, low1)
         call multiply(int(z'326172a9', lkind), c3, high2, low2)
         c1 = ieor(ieor(high2, c2), k1)
         c2 = low2
         c3 = ieor(ieor(high1, c4), k2)
         c4 = low1
         k1 = iand(k1 + int(z'9e3779b9', lkind), word)
         k2 = iand(k2 + int(z'bb67ae85', lkind), word)
      end do
      words = [c1, c2, c3, c4]
   end function random_words

   ! Both words of the product of 2^32 - complement and factor, which itself would overflow.
   elemental subroutine multiply(complement, factor, high, low)
      integer(lkind), intent(in) :: complement, factor
      integer(lkind), intent(out) :: high, low
      integer(lkind) :: less

      less = -complement * factor
      high = factor + shifta(less, 32)
      low = iand(less, word)
   end subroutine multiply

end module philox
