!> Variational Monte Carlo for the projected d-wave state. legato/vmc.h explains the arguments. Sites and chains count
!! from 1; only in the library's messages, such as vmc.pair_function[0], they count from 0. Counts and rates of a state
!! have index 1 for attempts to any site and index 2 for attempts to a nearest neighbour.
module legato_vmc_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: finish, outside, differs
   implicit none
   private

   public :: legato_vmc, legato_vmc_params, legato_vmc_state, legato_vmc_averages
   public :: vmc_defaults, vmc_sites, vmc_electrons_at, vmc_positions, vmc_neighbours, vmc_pair_function
   public :: LEGATO_VMC_CLUSTER_TILTED, LEGATO_VMC_CLUSTER_RECTANGULAR, LEGATO_VMC_BOUNDARY_PERIODIC, &
      LEGATO_VMC_BOUNDARY_ANTIPERIODIC
   public :: LEGATO_VMC_GAP_A, LEGATO_VMC_GAP_B
   public :: LEGATO_VMC_OBSERVABLE_ENERGY, LEGATO_VMC_OBSERVABLE_KINETIC_UP, LEGATO_VMC_OBSERVABLE_KINETIC_DOWN, &
      LEGATO_VMC_OBSERVABLE_EXCHANGE, &
      LEGATO_VMC_OBSERVABLE_SPIN_SPIN, LEGATO_VMC_OBSERVABLE_DENSITY_DENSITY, LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED
   public :: LEGATO_VMC_PARAMETER_DELTA, LEGATO_VMC_PARAMETER_MU, LEGATO_VMC_PARAMETER_T_PRIME, &
      LEGATO_VMC_PARAMETER_T_DOUBLE_PRIME
   public :: LEGATO_VMC_PROPOSAL_ANY_SITE, LEGATO_VMC_PROPOSAL_NEIGHBOUR

   !> A run of Markov chains.
   type, extends(legato_resumable_run) :: legato_vmc
   contains
      procedure :: create => vmc_create
      procedure :: advance => vmc_advance
      procedure :: get_state => vmc_get_state
      procedure :: result => vmc_result
      procedure :: bin_means => vmc_bin_means
      procedure :: electron_sites => vmc_electron_sites
      procedure :: structure_factors => vmc_structure_factors
      procedure :: pair_correlations => vmc_pair_correlations
      procedure :: gradient => vmc_gradient
      procedure :: resume => vmc_resume
      procedure :: get_params => vmc_get_params
      procedure :: get_pair_function => vmc_get_pair_function
   end type legato_vmc

contains

   !> Returns the defaults: 74 electrons on the tilted cluster of 82 sites, J = 0.3, Delta = 1.5 in convention A, mu =
   !! 0, 16 chains of 20 bins of 100 sweeps after a thermalisation of 200 sweeps.
   function vmc_defaults() result(params)
      type(legato_vmc_params) :: params
      integer(c_int32_t) :: status

      status = legato_vmc_params_init_sized(params, c_sizeof(params))
   end function vmc_defaults

   !> Returns the number of sites of the cluster. This procedure, vmc_electrons_at, vmc_positions and vmc_neighbours
   !! read only the parameters cluster, length, extents and boundary.
   subroutine vmc_sites(context, params, sites, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in) :: params
      integer(c_int32_t), intent(out) :: sites
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      sites = 0
      call report(context, legato_vmc_sites(handle_of(context), params, sites), stat, errmsg)
   end subroutine vmc_sites

   !> Returns sites (1 - doping), rounded up to an even number of electrons.
   subroutine vmc_electrons_at(context, params, doping, electrons, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in) :: params
      real(c_double), intent(in) :: doping
      integer(c_int32_t), intent(out) :: electrons
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      electrons = 0
      call report(context, legato_vmc_electrons_at(handle_of(context), params, doping, electrons), stat, errmsg)
   end subroutine vmc_electrons_at

   !> Returns x and y of each site in positions(2, sites). In a tilted cluster they are those of the image nearest to
   !! the origin.
   subroutine vmc_positions(context, params, positions, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in) :: params
      integer(c_int32_t), intent(inout), contiguous :: positions(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('vmc.positions', shape(positions), [2, size(positions, 2)], stat, errmsg)) return
      call report(context, legato_vmc_positions(handle_of(context), params, &
         size(positions, 2, c_int32_t), positions), stat, errmsg)
   end subroutine vmc_positions

   !> Returns the four neighbours of each site in a shell, 1 to 3, in neighbours(4, sites). signs(4, sites) is -1 if an
   !! odd number of antiperiodic boundaries is crossed, and 1 otherwise.
   subroutine vmc_neighbours(context, params, shell, neighbours, signs, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in) :: params
      integer, intent(in) :: shell
      integer(c_int32_t), intent(inout), contiguous :: neighbours(:, :)
      real(c_double), intent(inout), contiguous, optional :: signs(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      if (differs('vmc.neighbours', shape(neighbours), [4, size(neighbours, 2)], stat, errmsg)) return
      if (present(signs)) then
         if (differs('vmc.neighbours.signs', shape(signs), shape(neighbours), stat, errmsg)) return
      end if
      status = legato_vmc_neighbours(handle_of(context), params, int(shell, c_int32_t), &
                                     size(neighbours, 2, c_int32_t), neighbours, signs)
      if (status == LEGATO_STATUS_SUCCESS) neighbours = neighbours + 1
      call report(context, status, stat, errmsg)
   end subroutine vmc_neighbours

   !> Returns phi(r) of the displacement from site 1 to each site, without infinite amplitudes. `borders` is the number
   !! of functions cos k.r and sin k.r that represent these.
   subroutine vmc_pair_function(context, params, pair_function, borders, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in) :: params
      real(c_double), intent(inout), contiguous :: pair_function(:)
      integer(c_int32_t), intent(inout), optional :: borders
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(context, legato_vmc_pair_function(handle_of(context), params, &
         size(pair_function, kind=c_int32_t), pair_function, borders), stat, errmsg)
   end subroutine vmc_pair_function

   !> Creates a run. `pair_function` is the caller's own phi(r), one value for each site. divergent_zero means that
   !! phi_k of k = 0 is infinite and not contained in it.
   subroutine vmc_create(this, context, params, pair_function, divergent_zero, stat, errmsg)
      class(legato_vmc), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_vmc_params), intent(in), optional :: params
      real(c_double), intent(in), contiguous, optional :: pair_function(:)
      logical, intent(in), optional :: divergent_zero
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: diverges, status

      call this%destroy()
      if (present(divergent_zero) .and. .not. present(pair_function)) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'vmc.create: divergent_zero needs pair_function', stat, &
            errmsg)
         return
      end if
      diverges = 0
      if (present(divergent_zero)) diverges = merge(1_c_int32_t, 0_c_int32_t, divergent_zero)
      if (present(pair_function)) then
         status = legato_vmc_create_given(handle_of(context), params, size(pair_function, kind=c_int32_t), &
                                          pair_function, diverges, handle)
      else
         status = legato_vmc_create(handle_of(context), params, handle)
      end if
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine vmc_create

   !> Carries every chain `bins` bins further, with the thermalisation before the first bin.
   subroutine vmc_advance(this, bins, bins_done, stat, errmsg)
      class(legato_vmc), intent(inout) :: this
      integer(c_int64_t), intent(in) :: bins
      integer(c_int64_t), intent(out) :: bins_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      bins_done = 0
      call report(this, legato_vmc_advance(handle_of(this), bins, bins_done), stat, errmsg)
   end subroutine vmc_advance

   !> Returns what was chosen, such as the backend, the progress of the run, and the counts of its attempts.
   subroutine vmc_get_state(this, state, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      type(legato_vmc_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_vmc_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_vmc_get_state(handle_of(this), state), stat, errmsg)
   end subroutine vmc_get_state

   !> Returns means and standard errors over the bins so far.
   subroutine vmc_result(this, averages, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      type(legato_vmc_averages), intent(out) :: averages
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      averages = legato_vmc_averages(c_sizeof(averages), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_vmc_result(handle_of(this), averages), stat, errmsg)
   end subroutine vmc_result

   !> Returns the means of an observable in the first bins of a chain.
   subroutine vmc_bin_means(this, observable, chain, means, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      integer, intent(in) :: observable, chain
      real(c_double), intent(inout), contiguous :: means(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_chain(this, chain, stat, errmsg)) return
      call report(this, legato_vmc_bin_means(handle_of(this), int(observable, c_int32_t), int(chain - 1, c_int32_t), &
         size(means, kind=c_int64_t), means), stat, errmsg)
   end subroutine vmc_bin_means

   !> Returns the present sites of the electrons of a chain.
   subroutine vmc_electron_sites(this, chain, up, down, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      integer, intent(in) :: chain
      integer(c_int32_t), intent(inout), contiguous :: up(:), down(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      if (differs('vmc.electron_sites.down', shape(down), shape(up), stat, errmsg)) return
      if (no_chain(this, chain, stat, errmsg)) return
      status = legato_vmc_electron_sites(handle_of(this), int(chain - 1, c_int32_t), size(up, kind=c_int32_t), up, down)
      if (status == LEGATO_STATUS_SUCCESS) then
         up = up + 1
         down = down + 1
      end if
      call report(this, status, stat, errmsg)
   end subroutine vmc_electron_sites

   !> Returns the structure factors of spins and charges at all wave vectors, wave_vectors(2, sites). The run must have
   !! `correlations`.
   subroutine vmc_structure_factors(this, wave_vectors, spin, charge, spin_error, charge_error, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      real(c_double), intent(inout), contiguous :: wave_vectors(:, :), spin(:), charge(:)
      real(c_double), intent(inout), contiguous, optional :: spin_error(:), charge_error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('vmc.structure_factors.wave_vectors', shape(wave_vectors), [2, size(spin)], stat, errmsg)) return
      if (differs('vmc.structure_factors.charge', shape(charge), shape(spin), stat, errmsg)) return
      if (present(spin_error)) then
         if (differs('vmc.structure_factors.spin_error', shape(spin_error), shape(spin), stat, errmsg)) return
      end if
      if (present(charge_error)) then
         if (differs('vmc.structure_factors.charge_error', shape(charge_error), shape(spin), stat, errmsg)) return
      end if
      call report(this, legato_vmc_structure_factors(handle_of(this), size(spin, kind=c_int32_t), wave_vectors, &
         spin, spin_error, charge, charge_error), stat, errmsg)
   end subroutine vmc_structure_factors

   !> Returns the correlations F_ab(r) of singlet pairs on bonds along a, b = x (1), y (2) in f(r, b, a), with errors of
   !! the same shape. r is the site to which the displacement leads from site 1. The run must have `pair_correlations`.
   subroutine vmc_pair_correlations(this, f, error, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      real(c_double), intent(inout), contiguous :: f(:, :, :)
      real(c_double), intent(inout), contiguous, optional :: error(:, :, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('vmc.pair_correlations.f', shape(f), [size(f, 1), 2, 2], stat, errmsg)) return
      if (present(error)) then
         if (differs('vmc.pair_correlations.error', shape(error), shape(f), stat, errmsg)) return
      end if
      call report(this, legato_vmc_pair_correlations(handle_of(this), size(f, 1, c_int32_t), f, error), stat, errmsg)
   end subroutine vmc_pair_correlations

   !> Returns the derivatives of the energy per site by the first of the parameters delta, mu, t' and t'', their errors,
   !! and the metric of the same parameters. The run must have `gradients`.
   subroutine vmc_gradient(this, gradient, error, metric, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      real(c_double), intent(inout), contiguous :: gradient(:)
      real(c_double), intent(inout), contiguous, optional :: error(:), metric(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(error)) then
         if (differs('vmc.gradient.error', shape(error), shape(gradient), stat, errmsg)) return
      end if
      if (present(metric)) then
         if (differs('vmc.gradient.metric', shape(metric), [size(gradient), size(gradient)], stat, errmsg)) return
      end if
      call report(this, legato_vmc_gradient(handle_of(this), size(gradient, kind=c_int32_t), gradient, error, &
         metric), stat, errmsg)
   end subroutine vmc_gradient

   !> Resumes a run that save has written.
   subroutine vmc_resume(this, context, path, stat, errmsg)
      class(legato_vmc), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine vmc_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine vmc_get_params(this, params, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      type(legato_vmc_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = vmc_defaults()
      call report(this, legato_vmc_get_params(handle_of(this), params), stat, errmsg)
   end subroutine vmc_get_params

   !> Returns the pair function in use, in the form of vmc_pair_function, also if it is the caller's.
   subroutine vmc_get_pair_function(this, pair_function, borders, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      real(c_double), intent(inout), contiguous :: pair_function(:)
      integer(c_int32_t), intent(inout), optional :: borders
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_vmc_get_pair_function(handle_of(this), size(pair_function, kind=c_int32_t), &
         pair_function, borders), stat, errmsg)
   end subroutine vmc_get_pair_function

   ! Returns true and reports an error if there is no such chain. The library's own message would count from 0.
   function no_chain(this, chain, stat, errmsg)
      class(legato_vmc), intent(in) :: this
      integer, intent(in) :: chain
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_chain
      type(legato_vmc_state) :: state

      no_chain = unmade(this, stat, errmsg)
      if (no_chain) return
      call this%get_state(state)
      no_chain = outside('vmc.chain', int(chain, c_int64_t), int(state%chains, c_int64_t), stat, errmsg)
   end function no_chain

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_vmc', legato_vmc_destroy, legato_vmc_run, legato_vmc_save, legato_vmc_resume)
   end function in_c
end module legato_vmc_module
