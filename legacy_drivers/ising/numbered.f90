! Metropolis' algorithm with counter-based random numbers: those of Philox4x32-7 for a sweep, a stream and 32 spins of a
! row. The spins are bitwise identical to those of the library. The seed is the key; the counter is
!     1   the word of 32 spins within its colour, row by row; the last word of a row has the remaining spins
!     2   the sweep, from 0, modulo 2^32
!     3   the stream: (temperature - 1) replicas + replica - 1
!     4   the draw + 128 colour + 256 (sweep / 2^32)
! Bit b of a word belongs to its spin b. Draws 0, 1, 2 have 12 words, whose bits make a number U of 12 bits, the highest
! first. The first two words of draw 32 + b, the lower first, are a number V of 64 bits for spin b only. The first word
! of draw 64 of sweep 0 contains the spins of a random start. A flip of probability p < 1 is accepted if U < q, or if U
! = q and V < t, where p = (q + t / 2^64) / 4096. A flip with p = 1 that changes no energy is accepted unless U equals
! the q of p = exp(-4 |beta|).
module numbered
   use, intrinsic :: iso_fortran_env, only: skind => int8
   use kinds
   use isipar, only: extents, field, seed
   use lattice
   use philox
   implicit none
   private
   public :: set_probabilities, numbered_start, numbered_sweep

   integer, parameter :: by_spin = 13, bound = 19     ! tables are indexed by 13 s + the sum of the neighbours
   integer(lkind) :: quotient(-bound:bound), tail(-bound:bound)
   logical :: balanced(-bound:bound)                  ! the flip changes no energy; it is rejected if U is `quotient`
   integer, parameter :: draws_of_tails = 32, draw_of_start = 64
   integer :: bit
   integer(lkind), parameter :: mask(0:31) = [(shiftl(1_lkind, bit), bit=0, 31)]
   integer(lkind), parameter :: least = -huge(0_lkind) - 1     ! numbers of 64 bits are stored minus 2^63

contains

   subroutine set_probabilities(beta)
      real(rkind), intent(in) :: beta
      real(rkind) :: p, rest
      integer :: s, n, i

      do s = -1, 1, 2
         do n = -6, 6
            i = by_spin * s + n
            p = exp(-two * (s * (beta * (n + field))))
            balanced(i) = exp(-two * abs(beta * (n + field))) >= one
            if (balanced(i)) p = exp(-4 * abs(beta))
            quotient(i) = int(4096 * min(p, one), lkind)
            if (balanced(i)) quotient(i) = min(quotient(i), 4095_lkind)
            rest = 4096 * min(p, one) - quotient(i)
            if (balanced(i)) rest = zero
            if (rest < half) tail(i) = int(rest * two**64, lkind) + least
            if (rest >= half) tail(i) = int(rest * two**64 - two**63, lkind)
         end do
      end do
   end subroutine set_probabilities

   ! Sets every spin up or down with probability 1/2.
   subroutine numbered_start(stream)
      integer(lkind), intent(in) :: stream
      integer(ikind) :: colour, y, z, first, k
      integer(lkind) :: counter(4), c(4)

      do colour = 0, 1
         counter = counter_of(0_lkind, stream, colour) + [0, 0, 0, draw_of_start]
         do z = 1, extents(3)
            do y = 1, extents(2)
               do first = 1, row_length, 32
                  c = philox4x32_7(key(), counter)
                  do k = first, min(first + 31, row_length)
                     spin(k, y, z, colour) = merge(1_skind, -1_skind, btest(c(1), k - first))
                  end do
                  counter(1) = counter(1) + 1
               end do
            end do
         end do
         call fill_margin(colour)
      end do
   end subroutine numbered_start

   subroutine numbered_sweep(sweep, stream)
      integer(lkind), intent(in) :: sweep, stream
      integer(ikind) :: colour, y, z, first
      integer(lkind) :: counter(4)

      do colour = 0, 1
         counter = counter_of(sweep, stream, colour)
         do z = 1, extents(3)
            do y = 1, extents(2)
               do first = 1, row_length, 32
                  call update_word(counter, first, y, z, colour)
                  counter(1) = counter(1) + 1
               end do
            end do
         end do
         call fill_margin(colour)
      end do
   end subroutine numbered_sweep

   ! Returns the counter for the first draw of the first word.
   pure function counter_of(sweep, stream, colour) result(counter)
      integer(lkind), intent(in) :: sweep, stream
      integer(ikind), intent(in) :: colour
      integer(lkind) :: counter(4)

      counter = [0_lkind, ibits(sweep, 0, 32), stream, 128_lkind * colour + 256 * shiftr(sweep, 32)]
   end function counter_of

   subroutine update_word(counter, first, y, z, colour)
      integer(lkind), intent(in) :: counter(4)
      integer(ikind), intent(in) :: first, y, z, colour
      integer(lkind) :: u(0:31)
      integer(ikind) :: last, p

      u = twelve_bits(counter)
      last = min(first + 31, row_length)
      p = parity_of(y, z, colour)
      call update_spins(counter, u, last - first + 1, spin(first:last, y, z, colour), &
         spin(first + p - 1:last + p, y, z, 1 - colour), spin(first:last, y - 1, z, 1 - colour), &
         spin(first:last, y + 1, z, 1 - colour), spin(first:last, y, z - 1, 1 - colour), &
         spin(first:last, y, z + 1, 1 - colour))
   end subroutine update_word

   subroutine update_spins(counter, u, n, own, row, south, north, below, above)
      integer(lkind), intent(in) :: counter(4), u(0:31)
      integer(ikind), intent(in) :: n
      integer(skind), intent(inout) :: own(0:n - 1)
      integer(skind), intent(in) :: row(0:n)
      integer(skind), intent(in), dimension(0:n - 1) :: south, north, below, above
      logical :: accepted
      integer(ikind) :: b, i

      do b = 0, n - 1
         i = by_spin * own(b) + row(b) + row(b + 1) + south(b) + north(b) + below(b) + above(b)
         accepted = u(b) < quotient(i)
         if (balanced(i)) accepted = u(b) /= quotient(i)
         if (u(b) == quotient(i) .and. .not. balanced(i)) accepted = further_bits(counter, b) < tail(i)
         own(b) = merge(-own(b), own(b), accepted)
      end do
   end subroutine update_spins

   pure function key() result(words_of_seed)
      integer(lkind) :: words_of_seed(2)

      words_of_seed = [int(seed, lkind), 0_lkind]
   end function key

   ! Returns the number U for each of 32 spins. Each word gives one bit of every number, the highest first.
   pure function twelve_bits(counter) result(u)
      integer(lkind), intent(in) :: counter(4)
      integer(lkind) :: u(0:31), c(4), value
      integer :: draw, i, b

      u = 0
      value = 2048
      do draw = 0, 2
         c = philox4x32_7(key(), counter + [0, 0, 0, draw])
         do i = 1, 4
            do b = 0, 31
               u(b) = u(b) + merge(value, 0_lkind, iand(c(i), mask(b)) /= 0)
            end do
            value = value / 2
         end do
      end do
   end function twelve_bits

   ! Returns a number of 64 bits, minus 2^63.
   pure function further_bits(counter, b) result(v)
      integer(lkind), intent(in) :: counter(4)
      integer(ikind), intent(in) :: b
      integer(lkind) :: v, c(4)

      c = philox4x32_7(key(), counter + [0, 0, 0, draws_of_tails + b])
      v = ieor(ior(shiftl(c(2), 32), c(1)), least)
   end function further_bits

end module numbered
