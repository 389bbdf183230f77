!> The Ising model. legato/ising.h explains the arguments. Temperatures, systems and axes count from 1; only in the
!! library's messages, such as ising.betas[0], they count from 0. With n seeds and m replicas, replica r of seed s at
!! temperature b is system ((b - 1) n + s - 1) m + r.
module legato_ising_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: outside, differs
   implicit none
   private

   public :: legato_ising, legato_ising_params, legato_ising_state, legato_ising_averages
   public :: ising_defaults
   public :: LEGATO_ISING_ALGORITHM_METROPOLIS, LEGATO_ISING_ALGORITHM_DEMON_NAIVE, &
      LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, &
      LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, LEGATO_ISING_ALGORITHM_WOLFF
   public :: LEGATO_ISING_BOUNDARY_PERIODIC, LEGATO_ISING_BOUNDARY_ANTIPERIODIC, LEGATO_ISING_START_UP, &
      LEGATO_ISING_START_RANDOM

   !> A run of independent lattices.
   type, extends(legato_resumable_run) :: legato_ising
   contains
      procedure :: create => ising_create
      procedure :: advance => ising_advance
      procedure :: get_state => ising_get_state
      procedure :: result => ising_result
      procedure :: correlation_function => ising_correlation_function
      procedure :: correlation_length => ising_correlation_length
      procedure :: time_series => ising_time_series
      procedure, private :: ising_square_spins, ising_cubic_spins, ising_set_square_spins, ising_set_cubic_spins
      generic :: spins => ising_square_spins, ising_cubic_spins
      generic :: set_spins => ising_set_square_spins, ising_set_cubic_spins
      procedure :: acceptance => ising_acceptance
      procedure :: resume => ising_resume
      procedure :: get_params => ising_get_params
      procedure :: get_betas => ising_get_betas
      procedure :: get_seeds => ising_get_seeds
   end type legato_ising

contains

   !> Returns the defaults: a periodic square lattice of 64 x 64, Metropolis, 32 bins of 1000 sweeps after a
   !! thermalisation of 1000 sweeps.
   function ising_defaults() result(params)
      type(legato_ising_params) :: params
      integer(c_int32_t) :: status

      status = legato_ising_params_init_sized(params, c_sizeof(params))
   end function ising_defaults

   !> Creates the systems. Without `betas` the only beta is 0.4, above the critical temperature of the square lattice.
   !! Without `seeds` the only seed is 1. Seeds must differ from one another. With demons, `refresh_interval` must not
   !! exceed the number of all sweeps, so that the demons are drawn at least once. With microcanonical demons it must
   !! not exceed `thermalisation`, unless that is 0.
   subroutine ising_create(this, context, params, betas, seeds, stat, errmsg)
      class(legato_ising), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_ising_params), intent(in), optional :: params
      real(c_double), intent(in), contiguous, optional :: betas(:)
      integer(c_int64_t), intent(in), contiguous, optional :: seeds(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: n_betas, n_seeds
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      n_betas = 0
      n_seeds = 0
      if (present(betas)) n_betas = size(betas, kind=c_int64_t)
      if (present(seeds)) n_seeds = size(seeds, kind=c_int64_t)
      status = legato_ising_create(handle_of(context), params, n_betas, betas, n_seeds, seeds, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine ising_create

   !> Carries every system `bins` bins further, with the thermalisation before the first bin.
   subroutine ising_advance(this, bins, bins_done, stat, errmsg)
      class(legato_ising), intent(inout) :: this
      integer(c_int64_t), intent(in) :: bins
      integer(c_int64_t), intent(out) :: bins_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      bins_done = 0
      call report(this, legato_ising_advance(handle_of(this), bins, bins_done), stat, errmsg)
   end subroutine ising_advance

   !> Returns what was chosen, such as the backend, and the progress of the run.
   subroutine ising_get_state(this, state, stat, errmsg)
      class(legato_ising), intent(in) :: this
      type(legato_ising_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_ising_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_ising_get_state(handle_of(this), state), stat, errmsg)
   end subroutine ising_get_state

   !> Returns means and standard errors over the bins so far at temperature number `beta`.
   subroutine ising_result(this, beta, averages, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: beta
      type(legato_ising_averages), intent(out) :: averages
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      averages = legato_ising_averages(c_sizeof(averages), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &
                                       0, 0, 0, 0, 0, 0, 0)
      if (no_beta(this, beta, stat, errmsg)) return
      call report(this, legato_ising_result(handle_of(this), beta - 1, averages), stat, errmsg)
   end subroutine ising_result

   !> Returns <s_x s_(x+r)> along an axis for r = 0 .. L / 2. The run must have `correlations`.
   subroutine ising_correlation_function(this, beta, axis, mean, error, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: beta
      integer, intent(in) :: axis
      real(c_double), intent(inout), contiguous :: mean(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_ising_params) :: params

      if (no_beta(this, beta, stat, errmsg)) return
      call this%get_params(params)
      if (outside('ising.axis', int(axis, c_int64_t), int(params%dimension, c_int64_t), stat, errmsg)) return
      if (present(error)) then
         if (differs('ising.correlation_function.error', shape(error), shape(mean), stat, errmsg)) return
      end if
      call report(this, legato_ising_correlation_function(handle_of(this), beta - 1, int(axis - 1, c_int32_t), &
         size(mean, kind=c_int64_t), mean, error), stat, errmsg)
   end subroutine ising_correlation_function

   !> Returns the second-moment correlation length along the last axis. The run must have `correlations`.
   subroutine ising_correlation_length(this, beta, length, error, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: beta
      real(c_double), intent(inout) :: length
      real(c_double), intent(inout), optional :: error
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_beta(this, beta, stat, errmsg)) return
      call report(this, legato_ising_correlation_length(handle_of(this), beta - 1, length, error), stat, errmsg)
   end subroutine ising_correlation_length

   !> Returns the first measurements of a system, as many as the arrays have elements. The run must have `time_series`.
   subroutine ising_time_series(this, system, magnetisation, energy, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: system
      real(c_double), intent(inout), contiguous :: magnetisation(:), energy(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_system(this, system, stat, errmsg)) return
      if (differs('ising.time_series.energy', shape(energy), shape(magnetisation), stat, errmsg)) return
      call report(this, legato_ising_time_series(handle_of(this), system - 1, size(energy, kind=c_int64_t), &
         magnetisation, energy), stat, errmsg)
   end subroutine ising_time_series

   !> Returns the spins of a system, +1 or -1: spins(L1, L2) of a square lattice, spins(L1, L2, L3) of a cubic one.
   subroutine ising_square_spins(this, system, spins, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: system
      integer(c_int8_t), intent(inout), contiguous :: spins(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_lattice(this, system, shape(spins), stat, errmsg)) return
      call report(this, legato_ising_spins(handle_of(this), system - 1, size(spins, kind=c_int64_t), spins), &
         stat, errmsg)
   end subroutine ising_square_spins

   !> Returns the spins of a system on a cubic lattice.
   subroutine ising_cubic_spins(this, system, spins, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: system
      integer(c_int8_t), intent(inout), contiguous :: spins(:, :, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_lattice(this, system, shape(spins), stat, errmsg)) return
      call report(this, legato_ising_spins(handle_of(this), system - 1, size(spins, kind=c_int64_t), spins), &
         stat, errmsg)
   end subroutine ising_cubic_spins

   !> Sets the spins of a system; allowed only before the first sweep. The arguments are those of `spins`.
   subroutine ising_set_square_spins(this, system, spins, stat, errmsg)
      class(legato_ising), intent(inout) :: this
      integer(c_int64_t), intent(in) :: system
      integer(c_int8_t), intent(in), contiguous :: spins(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_lattice(this, system, shape(spins), stat, errmsg)) return
      call report(this, legato_ising_set_spins(handle_of(this), system - 1, size(spins, kind=c_int64_t), spins), &
         stat, errmsg)
   end subroutine ising_set_square_spins

   !> Sets the spins of a system; allowed only before the first sweep. The arguments are those of `spins`.
   subroutine ising_set_cubic_spins(this, system, spins, stat, errmsg)
      class(legato_ising), intent(inout) :: this
      integer(c_int64_t), intent(in) :: system
      integer(c_int8_t), intent(in), contiguous :: spins(:, :, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_lattice(this, system, shape(spins), stat, errmsg)) return
      call report(this, legato_ising_set_spins(handle_of(this), system - 1, size(spins, kind=c_int64_t), spins), &
         stat, errmsg)
   end subroutine ising_set_cubic_spins

   !> Returns the numbers of attempts(2, 2 dimensions + 1) and of flips, in arrays of the same shape. The first index is
   !! 1 for spins down and 2 for spins up. The second is 1 plus the number of equal neighbours. The run must have
   !! `acceptance`.
   subroutine ising_acceptance(this, attempts, flips, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(inout), contiguous :: attempts(:, :), flips(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (differs('ising.acceptance.attempts', shape(attempts), [2, size(attempts, 2)], stat, errmsg)) return
      if (differs('ising.acceptance.flips', shape(flips), shape(attempts), stat, errmsg)) return
      call report(this, legato_ising_acceptance(handle_of(this), size(attempts, kind=c_int64_t), attempts, flips), &
         stat, errmsg)
   end subroutine ising_acceptance

   !> Resumes a run that save has written.
   subroutine ising_resume(this, context, path, stat, errmsg)
      class(legato_ising), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine ising_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine ising_get_params(this, params, stat, errmsg)
      class(legato_ising), intent(in) :: this
      type(legato_ising_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = ising_defaults()
      call report(this, legato_ising_get_params(handle_of(this), params), stat, errmsg)
   end subroutine ising_get_params

   !> Returns the inverse temperatures in use. Their number is `betas` of the state.
   subroutine ising_get_betas(this, betas, stat, errmsg)
      class(legato_ising), intent(in) :: this
      real(c_double), intent(inout), contiguous :: betas(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_ising_get_betas(handle_of(this), size(betas, kind=c_int64_t), betas), stat, errmsg)
   end subroutine ising_get_betas

   !> Returns the seeds in use. Their number is `seeds` of the state.
   subroutine ising_get_seeds(this, seeds, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(inout), contiguous :: seeds(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_ising_get_seeds(handle_of(this), size(seeds, kind=c_int64_t), seeds), stat, errmsg)
   end subroutine ising_get_seeds

   ! The functions below return true and report an error if an argument is wrong. The library's own messages would count
   ! from 0.

   function no_beta(this, beta, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: beta
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_beta
      type(legato_ising_state) :: state

      no_beta = unmade(this, stat, errmsg)
      if (no_beta) return
      call this%get_state(state)
      no_beta = outside('ising.beta', beta, state%betas, stat, errmsg)
   end function no_beta

   function no_system(this, system, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: system
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_system
      type(legato_ising_state) :: state

      no_system = unmade(this, stat, errmsg)
      if (no_system) return
      call this%get_state(state)
      no_system = outside('ising.system', system, state%systems, stat, errmsg)
   end function no_system

   ! Checks that the system exists and that the array of its spins has the lattice's extents. A two-dimensional array
   ! for a cubic lattice has the wrong number of elements, which the library refuses.
   function no_lattice(this, system, extents, stat, errmsg)
      class(legato_ising), intent(in) :: this
      integer(c_int64_t), intent(in) :: system
      integer, intent(in) :: extents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_lattice
      type(legato_ising_params) :: params

      no_lattice = no_system(this, system, stat, errmsg)
      if (no_lattice) return
      call this%get_params(params)
      no_lattice = differs('ising.spins', extents, int(params%extents(:size(extents))), stat, errmsg)
   end function no_lattice

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_ising', legato_ising_destroy, legato_ising_run, legato_ising_save, &
                              legato_ising_resume)
   end function in_c
end module legato_ising_module
