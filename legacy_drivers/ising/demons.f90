! The demon algorithm (M. Creutz, Phys. Rev. Lett. 50, 1411 (1983)), in its canonical form by K. Rummukainen, Nucl.
! Phys. B 390, 621 (1993). Each site has a demon of energy 0, 4, .. 28, with three levels 4, 8, 16, which are occupied
! or not. A spin flips if its demon can give or take the energy. Then the demons move on. In the canonical form they are
! drawn anew at intervals, each level with its probability 1 / (1 + exp(beta E)).
module demons
   use, intrinsic :: iso_fortran_env, only: skind => int8
   use kinds
   use generators, only: below, highest, most_words, supply_words, taken, uniform, words
   use isipar, only: extents, nsite
   use lattice
   use messages, only: complain, integer_text
   implicit none
   private
   public :: allocate_demons, set_occupations, draw_naive, draw_binomial, demon_sweep, energy_of_demons

   integer, parameter :: nlevel = 3, most = 7
   integer(skind), allocatable :: demon(:, :)        ! energy / 4, in rows: all y and z of colour 0, then of colour 1
   real(rkind) :: occupation(nlevel)                 ! probability of each level

contains

   ! Allocates the demons. They have no energy at the beginning.
   subroutine allocate_demons(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: status

      if (allocated(demon)) deallocate (demon)
      allocate (demon(row_length, 2_lkind * extents(2) * extents(3)), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr /= 0) call complain('not enough memory: ' // integer_text(nsite) // ' demons')
      if (ierr == 0) demon = 0
   end subroutine allocate_demons

   subroutine set_occupations(beta)
      real(rkind), intent(in) :: beta
      integer :: level

      do level = 1, nlevel
         occupation(level) = one / (one + exp(beta * 2**(level + 1)))
      end do
   end subroutine set_occupations

   ! Returns the mean energy of all demons, in units of J.
   pure function energy_of_demons() result(energy)
      real(rkind) :: energy
      integer(lkind) :: row, total

      total = 0
      do row = 1, size(demon, 2, lkind)
         total = total + sum(int(demon(:, row), lkind))
      end do
      energy = 4 * real(total, rkind) / nsite
   end function energy_of_demons

   ! Draws all levels of all demons, one by one.
   subroutine draw_naive
      integer(lkind) :: row
      integer(ikind) :: first, last
      integer :: level

      demon = 0
      do row = 1, size(demon, 2, lkind)
         do level = 1, nlevel
            do first = 1, row_length, most_words
               last = min(first + most_words - 1, row_length)
               call supply_words(last - first + 1)
               call occupy(level, words(taken:), demon(first:last, row))
               taken = taken + last - first + 1
            end do
         end do
      end do
   end subroutine draw_naive

   pure subroutine occupy(level, random, energy)
      integer, intent(in) :: level
      integer(lkind), intent(in) :: random(:)
      integer(skind), intent(inout) :: energy(:)
      integer(lkind) :: threshold
      integer(skind) :: quantum
      integer :: k

      threshold = int(occupation(level) * (highest + one), lkind)
      quantum = int(2**(level - 1), skind)
      do k = 1, size(energy)
         if (random(k) < threshold) energy(k) = energy(k) + quantum
      end do
   end subroutine occupy

   ! Draws for each level the number of demons that have it occupied, and changes as many demons, chosen at random.
   subroutine draw_binomial
      integer(lkind) :: row, changes, number
      integer :: level
      logical :: occupied

      do level = 0, nlevel - 1
         number = 0
         do row = 1, size(demon, 2, lkind)
            number = number + count(btest(demon(:, row), level))
         end do
         changes = binomial(nsite, occupation(level + 1)) - number
         occupied = changes < 0
         if (.not. occupied) number = nsite - number
         call change_any(level, occupied, abs(changes), number)
      end do
   end subroutine draw_binomial

   ! Changes the level of `changes` demons, chosen among the `number` of those that have it occupied (or not). Sites are
   ! picked at random if `number` is large. Otherwise few of them would fit, and all sites are visited in order.
   subroutine change_any(level, occupied, changes, number)
      integer, intent(in) :: level
      logical, intent(in) :: occupied
      integer(lkind), intent(in) :: changes, number
      integer(lkind) :: left, among, row, site
      integer(ikind) :: k

      left = changes
      if (8 * changes < number) then
         do while (left > 0)
            site = below(nsite)
            row = site / row_length + 1
            k = int(mod(site, int(row_length, lkind)), ikind) + 1
            if (btest(demon(k, row), level) .neqv. occupied) cycle
            call change(level, demon(k, row))
            left = left - 1
         end do
      else if (left > 0) then
         among = number
         do row = 1, size(demon, 2, lkind)
            if (all(btest(demon(:, row), level) .neqv. occupied)) cycle
            do k = 1, row_length
               if (btest(demon(k, row), level) .neqv. occupied) cycle
               if (below(among) < left) then
                  call change(level, demon(k, row))
                  left = left - 1
               end if
               among = among - 1
            end do
         end do
      end if
   end subroutine change_any

   elemental subroutine change(level, energy)
      integer, intent(in) :: level
      integer(skind), intent(inout) :: energy

      energy = ieor(energy, int(shiftl(1, level), skind))
   end subroutine change

   ! Draws a binomial number by inversion, from the most probable number outwards, to both sides in turn. The sum of all
   ! probabilities is 1 up to rounding; if u is beyond it, the number is drawn again.
   function binomial(n, p) result(number)
      integer(lkind), intent(in) :: n
      real(rkind), intent(in) :: p
      integer(lkind) :: number, low, high
      real(rkind) :: u, odds, at_low, at_high

      number = 0
      if (p <= zero) return     ! exp(beta E) overflows
      odds = p / (one - p)
      do
         high = min(int((n + 1) * p, lkind), n)
         low = high
         at_high = exp(log_gamma(n + one) - log_gamma(high + one) - log_gamma(n - high + one) + high * log(p) + &
            (n - high) * log(one - p))
         at_low = at_high
         u = uniform() - at_high
         number = high
         do while (u >= zero .and. (at_low > zero .or. at_high > zero))
            at_low = at_low * low / ((n - low + 1) * odds)
            low = low - 1
            number = low
            u = u - at_low
            if (u < zero) exit
            at_high = at_high * (n - high) * odds / (high + 1)
            high = high + 1
            number = high
            u = u - at_high
         end do
         if (u < zero) return
      end do
   end function binomial

   ! Updates both colours with the demons at their sites. Then all demons move by random offsets, within the rows and
   ! from row to row.
   subroutine demon_sweep
      call update_colour(0_ikind)
      call update_colour(1_ikind)
      demon = cshift(demon, below(int(row_length, lkind)), dim=1)
      demon = cshift(demon, below(size(demon, 2, lkind)), dim=2)
   end subroutine demon_sweep

   ! Updates one colour, except for one site that is drawn anew each time. If all sites were updated, a state in which
   ! no flip changes the energy would be inverted again and again, and no other state would lead to it. Sites of one
   ! colour do not interact, so that the site can be restored afterwards.
   subroutine update_colour(colour)
      integer(ikind), intent(in) :: colour
      integer(ikind) :: y, z, p, resting(3)
      integer(lkind) :: row, first_row, resting_row, site
      integer(skind) :: resting_spin, resting_demon

      site = below(nsite / 2)
      first_row = int(extents(2), lkind) * extents(3) * colour
      resting_row = site / row_length
      resting = int([mod(site, int(row_length, lkind)), mod(resting_row, int(extents(2), lkind)), &
         resting_row / extents(2)], ikind) + 1
      resting_row = first_row + resting_row + 1
      resting_spin = spin(resting(1), resting(2), resting(3), colour)
      resting_demon = demon(resting(1), resting_row)
      row = first_row
      do z = 1, extents(3)
         do y = 1, extents(2)
            row = row + 1
            p = parity_of(y, z, colour)
            call update_row(demon(:, row), spin(1:row_length, y, z, colour), &
               spin(p:row_length + p, y, z, 1 - colour), spin(1:row_length, y - 1, z, 1 - colour), &
               spin(1:row_length, y + 1, z, 1 - colour), spin(1:row_length, y, z - 1, 1 - colour), &
               spin(1:row_length, y, z + 1, 1 - colour))
         end do
      end do
      spin(resting(1), resting(2), resting(3), colour) = resting_spin
      demon(resting(1), resting_row) = resting_demon
      call fill_margin(colour)
   end subroutine update_colour

   pure subroutine update_row(energy, own, row, south, north, below_it, above)
      integer(skind), intent(inout) :: energy(row_length), own(row_length)
      integer(skind), intent(in) :: row(row_length + 1)
      integer(skind), intent(in), dimension(row_length) :: south, north, below_it, above
      integer(skind) :: after
      logical :: flips
      integer(ikind) :: k

      do k = 1, row_length
         after = energy(k) - shifta(own(k) * (row(k) + row(k + 1) + south(k) + north(k) + below_it(k) + above(k)), 1)
         flips = after >= 0 .and. after <= most
         energy(k) = merge(after, energy(k), flips)
         own(k) = merge(-own(k), own(k), flips)
      end do
   end subroutine update_row

end module demons
