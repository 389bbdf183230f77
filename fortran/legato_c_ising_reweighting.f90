! Written by tools/fortran_interfaces.py from capi/include/legato/ising_reweighting.h. Change that instead.
module legato_c_ising_reweighting
   use legato_c_context
   use legato_c_ising
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! A quantity whose maximum or crossing can be found.
   enum, bind(c)
      enumerator :: LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT = 0  ! beta^2 N (<e^2> - <e>^2)
      enumerator :: LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY = 1  ! N (<m^2> - <|m|>^2)
      enumerator :: LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER = 2  ! U = 1 - <m^4> / (3 <m^2>^2)
      enumerator :: LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER_SLOPE = 3  ! dU / dbeta
      enumerator :: LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE = 4  ! d ln <|m|> / dbeta
   end enum

   ! Averages at one temperature, as in legato_ising_averages, and their standard errors. All errors are NaN if is_far
   ! is 1. An error is also NaN if the value is the same without each block.
   type, bind(c) :: legato_ising_reweighted
      integer(c_size_t) :: struct_size  ! Set by the caller.
      real(c_double) :: beta  ! The temperature of the call.
      real(c_double) :: energy  ! <e>
      real(c_double) :: energy_error  ! Its standard error.
      real(c_double) :: specific_heat  ! beta^2 N (<e^2> - <e>^2), per spin in units of k.
      real(c_double) :: specific_heat_error  ! Its standard error.
      real(c_double) :: absolute_magnetisation  ! <|m|>
      real(c_double) :: absolute_magnetisation_error  ! Its standard error.
      real(c_double) :: magnetisation_2  ! <m^2>
      real(c_double) :: magnetisation_2_error  ! Its standard error.
      real(c_double) :: magnetisation_4  ! <m^4>
      real(c_double) :: magnetisation_4_error  ! Its standard error.
      real(c_double) :: susceptibility  ! N (<m^2> - <|m|>^2)
      real(c_double) :: susceptibility_error  ! Its standard error.
      real(c_double) :: binder  ! U = 1 - <m^4> / (3 <m^2>^2); NaN if m was always 0.
      real(c_double) :: binder_error  ! Its standard error.
      real(c_double) :: binder_slope  ! dU / dbeta; NaN if m was always 0.
      real(c_double) :: binder_slope_error  ! Its standard error.
      real(c_double) :: magnetisation_slope  ! d ln <|m|> / dbeta; NaN if m was always 0.
      real(c_double) :: magnetisation_slope_error  ! Its standard error.
      ! Effective number of measurements, (sum w)^2 / sum w^2 over the measurements that are used. It is the number of
      ! measurements for a single run at its own beta. Autocorrelation is not taken into account.
      real(c_double) :: measurements
      ! 1: `measurements` is below 20 for each block of the jackknife. beta is then too far from the runs: errors are
      ! unknown, and values may be wrong. 0 otherwise.
      integer(c_int32_t) :: is_far
      integer(c_int32_t) :: reserved  ! Not used.
   end type legato_ising_reweighted

   ! The beta of a maximum or a crossing, and the value of the quantity there. All values are NaN if there is none.
   type, bind(c) :: legato_ising_reweighted_point
      integer(c_size_t) :: struct_size  ! Set by the caller.
      real(c_double) :: beta  ! The beta; NaN if there is none between the ends.
      ! Its standard error; NaN if is_far is 1, or if there is no such beta without some block.
      real(c_double) :: beta_error
      real(c_double) :: value  ! The value of the quantity at this beta.
      real(c_double) :: value_error  ! Its standard error; NaN in the same cases.
      ! 1: legato_ising_reweighting_at returns is_far = 1 at this beta, for one of the lattices if there are two. 0
      ! otherwise, also if there is no such beta.
      integer(c_int32_t) :: is_far
      integer(c_int32_t) :: reserved  ! Not used.
   end type legato_ising_reweighted_point

   interface
      ! Creates a reweighting of n_runs runs of a lattice of `sites` sites. Run k has n_measurements[k] measurements at
      ! betas[k]. magnetisations[] and energies[] contain m and e per spin, e in units of J, of all measurements of run
      ! 0 in their order, then those of run 1, and so on, as legato_ising_time_series returns them. The arrays are
      ! copied. `blocks` is the number of blocks of the jackknife; 32 are a good choice.
      !
      ! Ranges: sites [1, 2^37], n_runs [1, 1000], blocks [2, 1000], n_measurements[k] from `blocks` to 1e9 and 1e9 in
      ! all, betas [-1000, 1000], magnetisations [-1, 1] up to rounding (1e-12), energies [-1e12, 1e12]. Returns
      ! LEGATO_STATUS_INVALID_ARGUMENT if the energies of the runs do not overlap, because ratios of their partition
      ! functions are then unknown, LEGATO_STATUS_NUMERICAL_ERROR if the partition functions are not found in 1000
      ! steps, and LEGATO_STATUS_OUT_OF_MEMORY if the measurements or the sums of the blocks do not fit into memory.
      function legato_ising_reweighting_create(context, sites, n_runs, betas, n_measurements, magnetisations, &
         energies, blocks, reweighting) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: sites
         integer(c_int64_t), value :: n_runs
         real(c_double), intent(in) :: betas(*)
         integer(c_int64_t), intent(in) :: n_measurements(*)
         real(c_double), intent(in) :: magnetisations(*)
         real(c_double), intent(in) :: energies(*)
         integer(c_int32_t), value :: blocks
         type(c_ptr), intent(out) :: reweighting
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_create

      ! Creates a reweighting of all measurements that a run has made so far. The run must have `time_series`. Each beta
      ! of the run is a run of the reweighting; the measurements of its systems follow one another in the order of the
      ! systems. Each beta must have at least `blocks` measurements. Microcanonical runs are refused, because their
      ! measurements do not have Boltzmann's distribution. The measurements are copied: the run may continue or be
      ! destroyed afterwards. The new handle belongs to the context of the run.
      function legato_ising_reweighting_create_from_run(ising, blocks, reweighting) bind(c) result(status)
         import
         type(c_ptr), value :: ising
         integer(c_int32_t), value :: blocks
         type(c_ptr), intent(out) :: reweighting
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_create_from_run

      ! Destroys a reweighting; NULL is allowed.
      function legato_ising_reweighting_destroy(reweighting) bind(c) result(status)
         import
         type(c_ptr), value :: reweighting
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_destroy

      ! Computes averages at beta. Range of beta: [-1000, 1000].
      function legato_ising_reweighting_at(reweighting, beta, reweighted) bind(c) result(status)
         import
         type(c_ptr), value :: reweighting
         real(c_double), value :: beta
         type(legato_ising_reweighted), intent(inout) :: reweighted
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_at

      ! Finds the maximum of a quantity between `low` and `high`, by Brent's method. `quantity` is one of
      ! legato_ising_reweighting_quantity. Both ends are in [-1000, 1000], and low < high. There should be a single
      ! maximum between them; of several, any one may be found. All values are NaN if the quantity is at least as large
      ! at one of the ends.
      function legato_ising_reweighting_maximum(reweighting, quantity, low, high, point) bind(c) result(status)
         import
         type(c_ptr), value :: reweighting
         integer(c_int32_t), value :: quantity
         real(c_double), value :: low
         real(c_double), value :: high
         type(legato_ising_reweighted_point), intent(inout) :: point
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_maximum

      ! Finds the beta between `low` and `high` at which a quantity has the same value for two lattices, which may
      ! belong to different contexts. The other arguments are those of legato_ising_reweighting_maximum. The difference
      ! of the lattices must have opposite signs at the ends; otherwise all values are NaN. The ends should not be far
      ! from the runs, because the signs there may then be wrong. The lattices must be statistically independent. The
      ! context of `a` has the messages.
      function legato_ising_reweighting_crossing(a, b, quantity, low, high, point) bind(c) result(status)
         import
         type(c_ptr), value :: a
         type(c_ptr), value :: b
         integer(c_int32_t), value :: quantity
         real(c_double), value :: low
         real(c_double), value :: high
         type(legato_ising_reweighted_point), intent(inout) :: point
         integer(c_int32_t) :: status
      end function legato_ising_reweighting_crossing
   end interface
end module legato_c_ising_reweighting
