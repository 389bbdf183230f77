! Metropolis' algorithm, colour by colour: a flip that changes the energy by dE is accepted with the probability
! min(1, exp(-beta dE)), or 1 - 2^-12 if dE = 0. The thresholds are looked up by 13 s + n, where s is the spin and n the
! sum of its neighbours.
module metropolis
   use, intrinsic :: iso_fortran_env, only: skind => int8
   use kinds
   use generators, only: highest, most_words, supply_words, taken, words
   use isipar, only: extents, field
   use lattice
   implicit none
   private
   public :: set_thresholds, metropolis_sweep

   integer, parameter :: bound = 19
   integer(skind), parameter :: by_spin = 13
   integer(lkind) :: threshold(-bound:bound)     ! a flip is accepted if the word is below it

contains

   ! Returns the acceptance probability of a flip that changes the energy, in units of kT, by 2 half_change. If the
   ! energy does not change, some flips are rejected. Otherwise states in which no flip changes the energy would only
   ! lead to one another.
   pure function acceptance(half_change) result(p)
      real(rkind), intent(in) :: half_change
      real(rkind) :: p

      p = min(one, exp(-two * half_change))
      if (exp(-two * abs(half_change)) >= one) p = one - one / 4096
   end function acceptance

   subroutine set_thresholds(beta)
      real(rkind), intent(in) :: beta
      real(rkind) :: p
      integer :: s, n

      do s = -1, 1, 2
         do n = -6, 6
            p = acceptance(s * (beta * (n + field)))
            threshold(by_spin * s + n) = int(p * (highest + one), lkind)
         end do
      end do
   end subroutine set_thresholds

   ! Draws a number for every spin, also for those that always flip, because a branch would cost more than it saves.
   subroutine metropolis_sweep
      integer(ikind) :: colour, y, z, first, last, p

      do colour = 0, 1
         do z = 1, extents(3)
            do y = 1, extents(2)
               p = parity_of(y, z, colour)
               do first = 1, row_length, most_words
                  last = min(first + most_words - 1, row_length)
                  call supply_words(last - first + 1)
                  call update_row(last - first + 1, words(taken:), spin(first:last, y, z, colour), &
                     spin(first + p - 1:last + p, y, z, 1 - colour), spin(first:last, y - 1, z, 1 - colour), &
                     spin(first:last, y + 1, z, 1 - colour), spin(first:last, y, z - 1, 1 - colour), &
                     spin(first:last, y, z + 1, 1 - colour))
                  taken = taken + last - first + 1
               end do
            end do
         end do
         call fill_margin(colour)
      end do
   end subroutine metropolis_sweep

   pure subroutine update_row(n, random, own, row, south, north, below, above)
      integer(ikind), intent(in) :: n
      integer(lkind), intent(in) :: random(n)
      integer(skind), intent(inout) :: own(n)
      integer(skind), intent(in) :: row(n + 1), south(n), north(n), below(n), above(n)
      integer :: k

      do k = 1, n
         if (random(k) < threshold(by_spin * own(k) + row(k) + row(k + 1) + south(k) + north(k) + below(k) + above(k))) &
            own(k) = -own(k)
      end do
   end subroutine update_row

end module metropolis
