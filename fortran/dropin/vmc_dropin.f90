! markov_chain of vmcrvb on Legato: compile this with the program's own modules in place of the old source file, and link
! with Legato and its Fortran modules. The call for chain 1 runs all chains; each call hands out those of its own. Each thread of
! the program has a run of its own.
! LEGATO_BACKEND and LEGATO_LOG say where, as for every program that cannot pass options.
module legato_vmc_dropin
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato_c
   use legato_dropin, only: context, no_context, own, refused
   use vmcpar, only: conditionnumbermin, delta, gap, iseedseed, jex, mu, nattemptmax, nbins, nchain, neifrac, neqlsweeps, &
      nfac, npair, nrecalc, nsweeps, hopping => t, tp, tpp, length => l
   implicit none
   private
   public :: run_all, has_run, bin_means, electron_sites, get_moves, finish

contains

   ! Returns the place of the calling thread's run.
   function vmc()
      type(c_ptr), pointer :: vmc

      vmc => own(destroy)
   end function vmc

   ! Gives a thread's run back when the thread ends.
   subroutine destroy(vmc) bind(c)
      type(c_ptr), value :: vmc
      integer(c_int32_t) :: status

      status = legato_vmc_destroy(vmc)
   end subroutine destroy

   subroutine run_all(failed)
      logical, intent(out) :: failed
      type(legato_vmc_params) :: params
      integer(c_int32_t) :: status
      type(c_ptr), pointer :: own_vmc

      failed = no_context()
      if (failed) return
      own_vmc => vmc()
      failed = .not. associated(own_vmc)
      if (failed) return
      call finish
      status = legato_vmc_params_init_sized(params, c_sizeof(params))
      call take_parameters(params)
      failed = refused(legato_vmc_create(context(), params, own_vmc))
      if (.not. failed) failed = refused(legato_vmc_run(own_vmc, c_null_funptr, c_null_ptr))
   end subroutine run_all

   ! One hopping for both Hamiltonian and state, as the program has it.
   subroutine take_parameters(params)
      type(legato_vmc_params), intent(inout) :: params

      params%length = length
      params%electrons = 2 * npair
      params%gap = merge(LEGATO_VMC_GAP_A, LEGATO_VMC_GAP_B, gap == 'A')
      params%t = hopping
      params%t_prime = tp
      params%t_double_prime = tpp
      params%j = jex
      params%variational_t = hopping
      params%variational_t_prime = tp
      params%variational_t_double_prime = tpp
      params%delta = delta
      params%mu = mu
      params%chains = nchain
      params%sweep_factor = nfac
      params%warm_up = neqlsweeps
      params%bins = nbins
      params%sweeps_per_bin = nsweeps / nbins
      params%neighbour_share = neifrac
      params%recompute_interval = nrecalc
      params%start_attempts = nattemptmax
      params%least_reciprocal_condition = conditionnumbermin
      params%seed = iseedseed
   end subroutine take_parameters

   ! Has this thread called for chain 1?
   logical function has_run(chain)
      integer(c_int32_t), intent(in) :: chain
      type(c_ptr), pointer :: own_vmc

      own_vmc => vmc()
      has_run = associated(own_vmc)
      if (has_run) has_run = c_associated(own_vmc)
      if (.not. has_run) write (error_unit, '(a,i0,a)') 'legato: markov_chain: chain ', chain, &
         ' is asked for before chain 1 by the same thread'
   end function has_run

   subroutine bin_means(observable, chain, means, failed)
      integer(c_int32_t), intent(in) :: observable, chain
      real(c_double), intent(out) :: means(nbins)
      logical, intent(out) :: failed

      failed = refused(legato_vmc_bin_means(vmc(), observable, chain - 1_c_int32_t, int(nbins, c_int64_t), means))
   end subroutine bin_means

   ! Up ones first.
   subroutine electron_sites(chain, sites, failed)
      integer(c_int32_t), intent(in) :: chain
      integer(c_int32_t), intent(out) :: sites(npair, 2)
      logical, intent(out) :: failed

      failed = refused(legato_vmc_electron_sites(vmc(), chain - 1_c_int32_t, npair, sites(:, 1), sites(:, 2)))
   end subroutine electron_sites

   ! Of all chains.
   subroutine get_moves(moves, failed)
      integer(c_int64_t), intent(out) :: moves(6, 2)
      logical, intent(out) :: failed
      type(legato_vmc_state) :: state

      state%struct_size = c_sizeof(state)
      failed = refused(legato_vmc_get_state(vmc(), state))
      if (failed) return
      moves(1, :) = state%attempts
      moves(2, :) = state%nulls
      moves(3, :) = state%hops
      moves(4, :) = state%hops_accepted
      moves(5, :) = state%exchanges
      moves(6, :) = state%exchanges_accepted
   end subroutine get_moves

   subroutine finish
      type(c_ptr), pointer :: own_vmc

      own_vmc => vmc()
      if (.not. associated(own_vmc)) return
      if (c_associated(own_vmc)) call destroy(own_vmc)
      own_vmc = c_null_ptr
   end subroutine finish

end module legato_vmc_dropin

! One Markov chain, from 1: bins, means of energy, kinetic and exchange energy per site, <S.S> per bond and energy squared in
! each bin; sites, of all electrons at the end; moves, with chain 1 those of all chains, with others none.
! ierr = 1: Legato refused, and said why.
subroutine markov_chain(chain, bins, sites, moves, ierr)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato_c, only: LEGATO_VMC_ENERGY, LEGATO_VMC_KINETIC_UP, LEGATO_VMC_KINETIC_DOWN, LEGATO_VMC_EXCHANGE, &
      LEGATO_VMC_SPIN_SPIN, LEGATO_VMC_ENERGY_SQUARED
   use legato_vmc_dropin
   use observables, only: energy, energy_squared, exchange, kinetic, ncount, nvalue, spin_spin
   use vmcpar, only: nbins, nchain, npair
   implicit none
   integer(c_int32_t), intent(in) :: chain
   real(c_double), intent(out) :: bins(nvalue, nbins)
   integer(c_int32_t), intent(out) :: sites(2 * npair)
   integer(c_int64_t), intent(out) :: moves(ncount, 2)
   integer(c_int32_t), intent(out) :: ierr
   real(c_double) :: down(nbins)
   logical :: failed

   failed = .false.
   moves = 0
   if (chain == 1) call run_all(failed)
   if (chain == 1 .and. .not. failed) call get_moves(moves, failed)
   if (chain /= 1) failed = .not. has_run(chain)
   call take(LEGATO_VMC_ENERGY, bins(energy, :))
   call take(LEGATO_VMC_KINETIC_UP, bins(kinetic, :))
   call take(LEGATO_VMC_KINETIC_DOWN, down)
   bins(kinetic, :) = bins(kinetic, :) + down
   call take(LEGATO_VMC_EXCHANGE, bins(exchange, :))
   call take(LEGATO_VMC_SPIN_SPIN, bins(spin_spin, :))
   call take(LEGATO_VMC_ENERGY_SQUARED, bins(energy_squared, :))
   if (.not. failed) call electron_sites(chain, sites, failed)
   if (failed .or. chain == nchain) call finish
   ierr = merge(1_c_int32_t, 0_c_int32_t, failed)

contains

   subroutine take(observable, means)
      integer(c_int32_t), intent(in) :: observable
      real(c_double), intent(out) :: means(:)
      real(c_double) :: whole(nbins)

      if (.not. failed) call bin_means(observable, chain, whole, failed)
      if (.not. failed) means = whole
   end subroutine take

end subroutine markov_chain
