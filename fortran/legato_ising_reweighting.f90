!> Averages of the Ising model at any temperature from measurements at one or several temperatures.
!! legato/ising_reweighting.h explains the arguments. Only in the library's messages, such as ising.reweighting.betas[0],
!! runs and measurements count from 0.
module legato_ising_reweighting_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_handle, c_functions, context_of, keep, handle_of, report, unmade
   use legato_ising_module, only: legato_ising
   use legato_support, only: differs
   implicit none
   private

   public :: legato_ising_reweighting, legato_ising_reweighted, legato_ising_reweighted_point
   public :: LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT, LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY, &
      LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER, LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER_SLOPE, &
      LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE

   !> Measurements of one lattice at several temperatures.
   type, extends(legato_handle) :: legato_ising_reweighting
   contains
      procedure :: create => reweighting_create
      procedure :: create_from_run => reweighting_create_from_run
      procedure :: at => reweighting_at
      procedure :: maximum => reweighting_maximum
      procedure :: crossing => reweighting_crossing
   end type legato_ising_reweighting

contains

   !> Creates a reweighting of runs of a lattice of `sites` sites. Run k has n_measurements(k) measurements at betas(k).
   !! The measurements of all runs follow one another in `magnetisations` and `energies`. Without `blocks` there are 32.
   subroutine reweighting_create(this, context, sites, betas, n_measurements, magnetisations, energies, blocks, stat, &
                                 errmsg)
      class(legato_ising_reweighting), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int64_t), intent(in) :: sites
      real(c_double), intent(in), contiguous :: betas(:)
      integer(c_int64_t), intent(in), contiguous :: n_measurements(:)
      real(c_double), intent(in), contiguous :: magnetisations(:), energies(:)
      integer, intent(in), optional :: blocks
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('ising.reweighting.create.n_measurements', shape(n_measurements), shape(betas), stat, errmsg)) return
      if (differs('ising.reweighting.create.magnetisations', shape(magnetisations), [int(sum(n_measurements))], stat, &
                  errmsg)) return
      if (differs('ising.reweighting.create.energies', shape(energies), shape(magnetisations), stat, errmsg)) return
      status = legato_ising_reweighting_create(handle_of(context), sites, size(betas, kind=c_int64_t), betas, &
         n_measurements, magnetisations, energies, number_of(blocks), handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine reweighting_create

   !> Creates a reweighting of all measurements of a run with `time_series`. It does not need the run afterwards.
   subroutine reweighting_create_from_run(this, ising, blocks, stat, errmsg)
      class(legato_ising_reweighting), intent(inout) :: this
      class(legato_ising), intent(in) :: ising
      integer, intent(in), optional :: blocks
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (unmade(ising, stat, errmsg)) return
      status = legato_ising_reweighting_create_from_run(handle_of(ising), number_of(blocks), handle)
      call keep(this, in_c(), handle, context_of(ising), status, stat, errmsg)
   end subroutine reweighting_create_from_run

   !> Returns averages at a temperature.
   subroutine reweighting_at(this, beta, reweighted, stat, errmsg)
      class(legato_ising_reweighting), intent(in) :: this
      real(c_double), intent(in) :: beta
      type(legato_ising_reweighted), intent(out) :: reweighted
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      reweighted = legato_ising_reweighted(c_sizeof(reweighted), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &
                                           0, 0, 0)
      call report(this, legato_ising_reweighting_at(handle_of(this), beta, reweighted), stat, errmsg)
   end subroutine reweighting_at

   !> Returns the maximum of a quantity between two temperatures.
   subroutine reweighting_maximum(this, quantity, low, high, point, stat, errmsg)
      class(legato_ising_reweighting), intent(in) :: this
      integer(c_int32_t), intent(in) :: quantity
      real(c_double), intent(in) :: low, high
      type(legato_ising_reweighted_point), intent(out) :: point
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      point = no_point()
      call report(this, legato_ising_reweighting_maximum(handle_of(this), quantity, low, high, point), stat, errmsg)
   end subroutine reweighting_maximum

   !> Returns the beta between two at which a quantity has the same value as for another lattice.
   subroutine reweighting_crossing(this, other, quantity, low, high, point, stat, errmsg)
      class(legato_ising_reweighting), intent(in) :: this, other
      integer(c_int32_t), intent(in) :: quantity
      real(c_double), intent(in) :: low, high
      type(legato_ising_reweighted_point), intent(out) :: point
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      point = no_point()
      call report(this, legato_ising_reweighting_crossing(handle_of(this), handle_of(other), quantity, low, high, point), &
                  stat, errmsg)
   end subroutine reweighting_crossing

   function no_point() result(point)
      type(legato_ising_reweighted_point) :: point

      point = legato_ising_reweighted_point(c_sizeof(point), 0, 0, 0, 0, 0, 0)
   end function no_point

   ! Returns the number of blocks, or the default.
   function number_of(blocks) result(number)
      integer, intent(in), optional :: blocks
      integer(c_int32_t) :: number

      number = 32
      if (present(blocks)) number = int(blocks, c_int32_t)
   end function number_of

   ! Returns the C functions of a reweighting.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_ising_reweighting', legato_ising_reweighting_destroy)
   end function in_c
end module legato_ising_reweighting_module
