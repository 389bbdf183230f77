! The sequential generators: one stream of words in 0 .. highest for the whole run. Many words are made at a time, and
! their users take them one after the other.
!
! park_miller x' = 16807 x mod 2^31 - 1, a word is x - 1 (S. K. Park and K. W. Miller, Comm. ACM 31, 1192 (1988))
! park_miller_48271 the same with 48271, their later multiplier (Comm. ACM 36, no. 7, 108 (1993)) marsaglia_zaman x_n =
! x_(n-22) - x_(n-43) - borrow mod 2^32 - 5, a word is x; the first 43 x are those of park_miller
!                      (G. Marsaglia and A. Zaman, Ann. Appl. Prob. 1, 462 (1991))
module generators
   use kinds
   implicit none
   private
   public :: start_generator, supply_words, uniform, below

   integer, parameter :: short_lag = 22, long_lag = 43
   integer, parameter, public :: most_words = 4096      ! largest number for one request
   integer(ikind), parameter :: modulus = 2147483647                     ! modulus of park_miller
   integer(lkind), parameter :: marsaglia_zaman_modulus = 4294967291_lkind

   ! Words taken .. made - 1 are not used yet. The generator needs some of the words before them.
   integer(lkind), public :: words(-long_lag:most_words - 1)
   integer, public :: taken
   integer(lkind), public :: highest
   integer :: made
   integer(ikind) :: state, multiplier                   ! state of park_miller; multiplier 0: marsaglia_zaman
   integer(lkind) :: borrow

contains

   subroutine start_generator(name, seed)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: seed
      integer :: i

      state = seed
      multiplier = 16807
      highest = modulus - 2
      if (name == 'park_miller_48271') multiplier = 48271
      taken = 0
      made = 0
      if (name /= 'marsaglia_zaman') return
      do i = -long_lag, -1
         state = next_park_miller(state, multiplier)
         words(i) = state
      end do
      multiplier = 0
      borrow = 0
      highest = marsaglia_zaman_modulus - 1
   end subroutine start_generator

   ! Provides at least `count` words, up to most_words, from words(taken) on.
   subroutine supply_words(count)
      integer, intent(in) :: count
      integer :: kept

      if (made - taken >= count) return
      kept = made - taken
      words(-long_lag:kept - 1) = words(taken - long_lag:made - 1)
      taken = 0
      made = most_words
      if (multiplier == 0) then
         call make_marsaglia_zaman(kept)
      else
         call make_park_miller(kept)
      end if
   end subroutine supply_words

   subroutine make_park_miller(first)
      integer, intent(in) :: first
      integer(ikind) :: x
      integer :: i

      x = state
      do i = first, made - 1
         if (multiplier == 16807) x = next_park_miller(x, 16807_ikind)
         if (multiplier == 48271) x = next_park_miller(x, 48271_ikind)
         words(i) = x - 1
      end do
      state = x
   end subroutine make_park_miller

   ! Returns the next state by Schrage's factorisation, which stays within 32 bits.
   elemental function next_park_miller(x, multiplier) result(next)
      integer(ikind), intent(in) :: x, multiplier
      integer(ikind) :: next, quotient, remainder

      quotient = modulus / multiplier
      remainder = mod(modulus, multiplier)
      next = multiplier * mod(x, quotient) - remainder * (x / quotient)
      if (next < 0) next = next + modulus
   end function next_park_miller

   subroutine make_marsaglia_zaman(first)
      integer, intent(in) :: first
      integer(lkind) :: difference, b
      integer :: i

      b = borrow
      do i = first, made - 1
         difference = words(i - short_lag) - words(i - long_lag) - b
         b = shiftr(difference, 63)
         words(i) = difference + iand(-b, marsaglia_zaman_modulus)
      end do
      borrow = b
   end subroutine make_marsaglia_zaman

   ! Returns a uniform number in (0, 1), made of two words.
   function uniform() result(u)
      real(rkind) :: u

      call supply_words(2)
      u = (words(taken) + (words(taken + 1) + half) / (highest + one)) / (highest + one)
      taken = taken + 2
   end function uniform

   ! Returns a random number in 0 .. count - 1.
   function below(count) result(number)
      integer(lkind), intent(in) :: count
      integer(lkind) :: number

      number = min(int(uniform() * count, lkind), count - 1)
   end function below

end module generators
