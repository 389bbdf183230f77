! markov_chain of vmcrvb, computed by Legato. Compile this file with the program's own modules in place of the old
! source file, and link with Legato and its Fortran modules. Each call continues chains, in groups that keep the
! processors busy, until its own chain is finished. Each thread of the program has its own run and, if LEGATO_CHECKPOINT
! is set, its own file. The environment variables LEGATO_BACKEND and LEGATO_LOG set the backend and the log level,
! because the program cannot pass options.
module legato_vmc_dropin
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato_c
   use legato_dropin
   use vmcpar, only: conditionnumbermin, delta, gap, iseedseed, jex, mu, nattemptmax, nbins, nchain, neifrac, neqlsweeps, &
      nfac, npair, nrecalc, nsweeps, hopping => t, tp, tpp, length => l
   implicit none
   private
   public :: begin_run, has_run, complete_chain, bin_means, electron_sites, get_moves, finished, finish

   real(c_double), parameter :: seconds_at_once = 0.2_c_double

   ! The state of a thread's run, zero at first.
   type :: run_state
      type(c_ptr) :: vmc
      type(legato_checkpoint) :: checkpoint
      integer(c_int64_t) :: moves(6, 2)     ! counts already returned to the program
   end type run_state

contains

   ! Returns the calling thread's state.
   function run()
      type(run_state), pointer :: run

      call c_f_pointer(storage(storage_size(run), destroy), run)
   end function run

   ! Begins a new run, or resumes one that was killed.
   subroutine begin_run(failed)
      logical, intent(out) :: failed
      type(legato_vmc_params), target :: params
      integer(c_int32_t) :: status
      type(run_state), pointer :: r

      failed = no_context()
      if (failed) return
      r => run()
      call finish
      status = legato_vmc_params_init_sized(params, c_sizeof(params))
      call take_parameters(params)
      call begin_checkpoint(r%checkpoint, 'vmc', &
                            legato_checkpoint_hash(0_c_int64_t, c_loc(params), c_sizeof(params)), failed)
      if (failed) return
      if (r%checkpoint%there /= 0) then
         call resume(r, params, failed)
      else
         failed = refused(legato_vmc_create(context(), params, r%vmc))
      end if
   end subroutine begin_run

   subroutine resume(r, params, failed)
      type(run_state), intent(inout) :: r
      type(legato_vmc_params), intent(in) :: params
      logical, intent(out) :: failed
      type(legato_vmc_params) :: saved_params
      integer(c_signed_char) :: byte(0)

      failed = refused(legato_vmc_resume(context(), r%checkpoint%path, r%vmc))
      if (failed) return
      saved_params = params
      failed = legato_vmc_get_params(r%vmc, saved_params) /= LEGATO_STATUS_SUCCESS
      if (.not. failed) failed = any(transfer(saved_params, byte) /= transfer(params, byte))
      if (failed) call refuse_checkpoint(r%checkpoint)
   end subroutine resume

   ! Copies the program's parameters. Hamiltonian and state have the same hopping, as in the program.
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
      params%thermalisation = neqlsweeps
      params%bins = nbins
      params%sweeps_per_bin = nsweeps / nbins
      params%neighbour_share = neifrac
      params%recompute_interval = nrecalc
      params%start_attempts = nattemptmax
      params%least_reciprocal_condition = conditionnumbermin
      params%seed = iseedseed
   end subroutine take_parameters

   ! Returns true if this thread has asked for chain 1. Otherwise it prints an error.
   logical function has_run(chain)
      integer(c_int32_t), intent(in) :: chain
      type(run_state), pointer :: r

      r => run()
      has_run = c_associated(r%vmc)
      if (.not. has_run) write (error_unit, '(a,i0,a)') 'legato: markov_chain: a thread asks for chain ', chain, &
         ', but must ask for chain 1 first'
   end function has_run

   ! Continues the run until this chain is finished.
   subroutine complete_chain(chain, failed)
      integer(c_int32_t), intent(in) :: chain
      logical, intent(out) :: failed
      integer(c_int64_t) :: bins
      type(run_state), pointer :: r

      r => run()
      failed = .false.
      bins = 0
      do while (.not. failed .and. bins < nbins)
         failed = refused(legato_vmc_advance_chain(r%vmc, chain - 1_c_int32_t, seconds_at_once, bins))
         if (save_is_due(r%checkpoint)) call saved(r%checkpoint, legato_vmc_save(r%vmc, r%checkpoint%path))
      end do
   end subroutine complete_chain

   subroutine bin_means(observable, chain, means, failed)
      integer(c_int32_t), intent(in) :: observable, chain
      real(c_double), intent(out) :: means(nbins)
      logical, intent(out) :: failed

      type(run_state), pointer :: r

      r => run()
      failed = refused(legato_vmc_bin_means(r%vmc, observable, chain - 1_c_int32_t, int(nbins, c_int64_t), means))
   end subroutine bin_means

   ! Returns the sites of the electrons of a chain, up electrons first.
   subroutine electron_sites(chain, sites, failed)
      integer(c_int32_t), intent(in) :: chain
      integer(c_int32_t), intent(out) :: sites(npair, 2)
      logical, intent(out) :: failed

      type(run_state), pointer :: r

      r => run()
      failed = refused(legato_vmc_electron_sites(r%vmc, chain - 1_c_int32_t, npair, sites(:, 1), sites(:, 2)))
   end subroutine electron_sites

   ! Returns the counts of attempts of all chains since the previous call.
   subroutine get_moves(moves, failed)
      integer(c_int64_t), intent(out) :: moves(6, 2)
      logical, intent(out) :: failed
      type(legato_vmc_state) :: state
      integer(c_int64_t) :: so_far(6, 2)
      type(run_state), pointer :: r

      r => run()
      state%struct_size = c_sizeof(state)
      failed = refused(legato_vmc_get_state(r%vmc, state))
      if (failed) return
      so_far(1, :) = state%attempts
      so_far(2, :) = state%nulls
      so_far(3, :) = state%hops
      so_far(4, :) = state%hops_accepted
      so_far(5, :) = state%exchanges
      so_far(6, :) = state%exchanges_accepted
      moves = so_far - r%moves
      r%moves = so_far
   end subroutine get_moves

   ! Destroys the run of a thread that ends.
   subroutine destroy(state) bind(c, name='')
      type(c_ptr), value :: state

      associate (unused => state); end associate
      call finish
   end subroutine destroy

   ! Marks the problem as finished: the program has the results of all chains.
   subroutine finished
      type(run_state), pointer :: r

      r => run()
      call legato_checkpoint_finished(r%checkpoint)
   end subroutine finished

   subroutine finish
      type(run_state), pointer :: r
      integer(c_int32_t) :: status

      r => run()
      status = legato_vmc_destroy(r%vmc)
      r%vmc = c_null_ptr
      r%moves = 0
   end subroutine finish

end module legato_vmc_dropin

! Runs one Markov chain, counted from 1. `bins` has the means of energy, kinetic and exchange energy per site, <S.S> per
! bond, and energy squared in each bin. `sites` are those of all electrons at the end. `moves` has the counts of
! attempts of all chains since the previous call. ierr = 1: Legato refused and printed the reason.
subroutine markov_chain(chain, bins, sites, moves, ierr)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato_c, only: LEGATO_VMC_OBSERVABLE_ENERGY, LEGATO_VMC_OBSERVABLE_KINETIC_UP, &
      LEGATO_VMC_OBSERVABLE_KINETIC_DOWN, LEGATO_VMC_OBSERVABLE_EXCHANGE, &
      LEGATO_VMC_OBSERVABLE_SPIN_SPIN, LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED
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
   if (chain == 1) call begin_run(failed)
   if (chain /= 1) failed = .not. has_run(chain)
   if (.not. failed) call complete_chain(chain, failed)
   if (.not. failed) call get_moves(moves, failed)
   call take(LEGATO_VMC_OBSERVABLE_ENERGY, bins(energy, :))
   call take(LEGATO_VMC_OBSERVABLE_KINETIC_UP, bins(kinetic, :))
   call take(LEGATO_VMC_OBSERVABLE_KINETIC_DOWN, down)
   bins(kinetic, :) = bins(kinetic, :) + down
   call take(LEGATO_VMC_OBSERVABLE_EXCHANGE, bins(exchange, :))
   call take(LEGATO_VMC_OBSERVABLE_SPIN_SPIN, bins(spin_spin, :))
   call take(LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED, bins(energy_squared, :))
   if (.not. failed) call electron_sites(chain, sites, failed)
   if (chain == nchain .and. .not. failed) call finished
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
