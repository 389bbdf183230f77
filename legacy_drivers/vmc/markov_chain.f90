! MARKOV_CHAIN - one of nchain Markov chains, counted from 1: a first configuration, neqlsweeps sweeps, and nsweeps
! sweeps with a measurement after each. "bins" are the means of the measured values over the nsweeps / nbins sweeps of
! each bin. "sites" are those of all electrons at the end, up electrons first, from 0. "moves" are the counts of
! attempts.
!
! An attempt selects an electron and a target site: with probability neifrac one of its four nearest neighbours,
! otherwise any site. It is a hop if the target is empty, and an exchange if the target has the other spin. It is null
! if the target has the same spin or is the electron itself. It is accepted with probability min(1, R^2), where R is the
! ratio of the determinants. A sweep is nfac attempts for each electron, null ones included.
!
! The routine may be replaced at link time. The main program calls it for chain = 1, 2, .., nchain. ierr = 1, after a
! message on standard error.
subroutine markov_chain(chain, bins, sites, moves, ierr)
   use kinds
   use determinant
   use lattice, only: build_lattice, near
   use local_energy, only: local_values, start_local_energy
   use messages, only: complain, integer_text, real_text
   use observables, only: any_site, attempts, exchanges, exchanges_accepted, hops, hops_accepted, ncount, neighbour, nulls, &
      nvalue
   use pair_function, only: build_pair_function
   use streams
   use vmcpar, only: conditionnumbermin, iseedseed, nattemptmax, nbins, neifrac, neqlsweeps, nfac, npair, nrecalc, nsite, &
      nsweeps
   implicit none
   integer(ikind), intent(in) :: chain
   real(rkind), intent(out) :: bins(nvalue, nbins)
   integer(ikind), intent(out) :: sites(2 * npair)
   integer(lkind), intent(out) :: moves(ncount, 2)
   integer(ikind), intent(out) :: ierr

   real(rkind), parameter :: least_bound = 1.0e-8_rkind      ! bound of the residual for up to 128 rows
   real(rkind), parameter :: extreme_ratio = 1.0e4_rkind     ! beyond it the inverse has lost digits
   real(rkind) :: values(nvalue)
   integer(lkind) :: number, attempt_number, seed, stream
   integer(ikind) :: sweep, bin, sweeps_each

   bins = zero
   moves = 0
   seed = iseedseed
   stream = chain - 1
   if (chain == 1) call start_all
   call find_configuration(ierr)
   if (ierr /= 0) return
   sweeps_each = nsweeps / nbins
   number = 0
   do sweep = 1 - neqlsweeps, nsweeps
      do attempt_number = number, number + int(nfac, lkind) * 2 * npair - 1
         call attempt(attempt_number)
         if (ierr /= 0) return
      end do
      number = number + int(nfac, lkind) * 2 * npair
      if (sweep > 0) then
         bin = (sweep - 1) / sweeps_each + 1
         call local_values(values)
         bins(:, bin) = bins(:, bin) + values / sweeps_each
      end if
      if (mod(sweep + neqlsweeps, nrecalc) == 0) call refresh
      if (ierr /= 0) return
   end do
   sites = [up, down]

contains

   subroutine start_all
      call build_lattice
      call build_pair_function
      call start_determinant
      call start_local_energy
   end subroutine start_all

   ! Finds the first configuration that is well conditioned. With rounding a vanishing determinant appears as a small
   ! one.
   subroutine find_configuration(ierr)
      integer(ikind), intent(out) :: ierr
      integer(lkind) :: trial
      real(rkind) :: condition, best, bound

      best = zero
      bound = least_bound * max(order / 128.0_rkind, one)**2
      do trial = 0, nattemptmax - 1
         call draw_configuration(trial)
         call invert(ierr)
         if (ierr /= 0) cycle
         condition = reciprocal_condition()
         best = max(best, condition)
         if (condition > conditionnumbermin .and. residual() < bound) return
      end do
      ierr = 1
      call complain('$start: nattemptmax: none of ' // integer_text(nattemptmax) // ' configurations of chain ' // &
         integer_text(chain) // ' is well conditioned; the best has a condition number of ' // &
         real_text(best) // ', and ConditionNumberMin is ' // real_text(conditionnumbermin))
   end subroutine find_configuration

   ! Draws a configuration: the electrons take the first sites of a random permutation.
   subroutine draw_configuration(trial)
      integer(lkind), intent(in) :: trial
      integer(ikind) :: site(0:nsite - 1), i, other, kept
      integer(lkind) :: random(4)

      do i = 0, nsite - 1
         site(i) = i
      end do
      do i = 0, 2 * npair - 1
         random = random_words(seed, start_stream, ior(shiftl(trial, 32), int(i, lkind)), stream)
         other = i + below(nsite - i, random(1))
         kept = site(i)
         site(i) = site(other)
         site(other) = kept
      end do
      call place_electrons(site(:2 * npair - 1))
   end subroutine draw_configuration

   subroutine attempt(attempt_number)
      integer(lkind), intent(in) :: attempt_number
      integer(lkind) :: random(4)
      integer(ikind) :: electron, target, from
      logical :: spin_up

      random = random_words(seed, move_stream, attempt_number, stream)
      electron = below(2 * npair, random(1)) + 1
      spin_up = electron <= npair
      if (.not. spin_up) electron = electron - npair
      from = any_site
      if (uniform(random(2)) < neifrac) from = neighbour
      if (from == neighbour) then
         target = near(below(4, random(3)) + 1, merge(up(electron), down(electron), spin_up), 1)
      else
         target = below(nsite, random(3))
      end if
      moves(attempts, from) = moves(attempts, from) + 1
      if (electron_at(target) == 0) then
         call try_hop(spin_up, electron, target, uniform(random(4)), from)
      else if ((electron_at(target) > 0) .eqv. spin_up) then
         moves(nulls, from) = moves(nulls, from) + 1
      else if (spin_up) then
         call try_exchange(electron, -electron_at(target), uniform(random(4)), from)
      else
         call try_exchange(electron_at(target), electron, uniform(random(4)), from)
      end if
   end subroutine attempt

   subroutine try_hop(spin_up, electron, target, threshold, from)
      logical, intent(in) :: spin_up
      integer(ikind), intent(in) :: electron, target, from
      real(rkind), intent(in) :: threshold
      real(rkind) :: ratio

      moves(hops, from) = moves(hops, from) + 1
      if (spin_up) then
         ratio = up_ratio(electron, target)
      else
         ratio = down_ratio(electron, target)
      end if
      if (.not. ratio**2 > threshold) return
      moves(hops_accepted, from) = moves(hops_accepted, from) + 1
      if (spin_up) then
         call move_up(electron, target, ratio)
      else
         call move_down(electron, target, ratio)
      end if
      if (is_extreme(ratio)) call refresh
   end subroutine try_hop

   subroutine try_exchange(k, l, threshold, from)
      integer(ikind), intent(in) :: k, l, from
      real(rkind), intent(in) :: threshold
      real(rkind) :: ratio

      moves(exchanges, from) = moves(exchanges, from) + 1
      ratio = exchange_ratio(k, l)
      if (.not. ratio**2 > threshold) return
      moves(exchanges_accepted, from) = moves(exchanges_accepted, from) + 1
      call exchange_pair(k, l, ratio)
      if (is_extreme(ratio)) call refresh
   end subroutine try_exchange

   pure function is_extreme(ratio) result(answer)
      real(rkind), intent(in) :: ratio
      logical :: answer

      answer = abs(ratio) > extreme_ratio .or. abs(ratio) < one / extreme_ratio
   end function is_extreme

   subroutine refresh
      call invert(ierr)
      if (ierr /= 0) call complain('the matrix of chain ' // integer_text(chain) // ' has become singular')
   end subroutine refresh

end subroutine markov_chain
