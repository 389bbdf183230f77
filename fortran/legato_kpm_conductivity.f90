!> Conductivities from the moments of two operators. legato/kpm_conductivity.h explains the arguments. The default kernel is
!! Jackson's, and the default temperature is 0.
module legato_kpm_conductivity_module
   use legato_c
   use legato_handle_module, only: legato_resumable_run, legato_monitor, handle_of, report
   use legato_support, only: differs
   implicit none
   private

   public :: legato_kpm_conductivities

   !> What a computation of the moments of two operators can tell of conductivities.
   type, abstract, extends(legato_resumable_run) :: legato_kpm_conductivities
   contains
      procedure :: set_progress => conductivity_set_progress
      procedure :: greenwood => conductivity_greenwood
      procedure :: hall => conductivity_hall
      procedure :: bastin => conductivity_bastin
      procedure :: optical => conductivity_optical
   end type legato_kpm_conductivities

contains

   !> Sets the procedure that is called a few times a second while conductivities are computed. If it returns true, the
   !! computation of the conductivity stops with LEGATO_STATUS_CANCELLED. Without `monitor` nothing is called.
   subroutine conductivity_set_progress(this, monitor, stat, errmsg)
      class(legato_kpm_conductivities), intent(inout) :: this
      procedure(legato_monitor), optional :: monitor
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_funptr) :: callback
      type(c_ptr) :: user

      callback = c_null_funptr
      user = c_null_ptr
      if (present(monitor)) then
         callback = c_funloc(forward_progress)
         user = transfer(c_funloc(monitor), user)
      end if
      call report(this, legato_kpm_correlation_set_progress(handle_of(this), callback, user), stat, errmsg)
   end subroutine conductivity_set_progress

   !> Computes the Kubo-Greenwood conductivity, the part that is symmetric in both operators.
   subroutine conductivity_greenwood(this, chemical_potentials, conductivity, error, temperature, kernel, lambda, stat, &
                                  errmsg)
      class(legato_kpm_conductivities), intent(in) :: this
      real(c_double), intent(in), contiguous :: chemical_potentials(:)
      real(c_double), intent(inout), contiguous :: conductivity(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      real(c_double), intent(in), optional :: temperature, lambda
      integer, intent(in), optional :: kernel
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (shapes_differ(size(chemical_potentials), conductivity, error, stat, errmsg)) return
      call report(this, legato_kpm_conductivity_greenwood(handle_of(this), kernel_of(kernel), value_of(lambda, 4.0_c_double), &
                  value_of(temperature, 0.0_c_double), size(chemical_potentials, kind=c_int32_t), chemical_potentials, &
                  conductivity, error), stat, errmsg)
   end subroutine conductivity_greenwood

   !> Computes the Hall conductivity, the antisymmetric part of the Kubo-Bastin formula.
   subroutine conductivity_hall(this, chemical_potentials, conductivity, error, temperature, kernel, lambda, stat, &
                                  errmsg)
      class(legato_kpm_conductivities), intent(in) :: this
      real(c_double), intent(in), contiguous :: chemical_potentials(:)
      real(c_double), intent(inout), contiguous :: conductivity(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      real(c_double), intent(in), optional :: temperature, lambda
      integer, intent(in), optional :: kernel
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (shapes_differ(size(chemical_potentials), conductivity, error, stat, errmsg)) return
      call report(this, legato_kpm_conductivity_hall(handle_of(this), kernel_of(kernel), value_of(lambda, 4.0_c_double), &
                  value_of(temperature, 0.0_c_double), size(chemical_potentials, kind=c_int32_t), chemical_potentials, &
                  conductivity, error), stat, errmsg)
   end subroutine conductivity_hall

   !> Computes the Kubo-Bastin conductivity, the sum of both.
   subroutine conductivity_bastin(this, chemical_potentials, conductivity, error, temperature, kernel, lambda, stat, &
                                  errmsg)
      class(legato_kpm_conductivities), intent(in) :: this
      real(c_double), intent(in), contiguous :: chemical_potentials(:)
      real(c_double), intent(inout), contiguous :: conductivity(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      real(c_double), intent(in), optional :: temperature, lambda
      integer, intent(in), optional :: kernel
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (shapes_differ(size(chemical_potentials), conductivity, error, stat, errmsg)) return
      call report(this, legato_kpm_conductivity_bastin(handle_of(this), kernel_of(kernel), value_of(lambda, 4.0_c_double), &
                  value_of(temperature, 0.0_c_double), size(chemical_potentials, kind=c_int32_t), chemical_potentials, &
                  conductivity, error), stat, errmsg)
   end subroutine conductivity_bastin

   !> Computes the real part of the optical conductivity at frequencies above 0.
   subroutine conductivity_optical(this, frequencies, chemical_potential, conductivity, error, temperature, kernel, &
                                   lambda, stat, errmsg)
      class(legato_kpm_conductivities), intent(in) :: this
      real(c_double), intent(in), contiguous :: frequencies(:)
      real(c_double), intent(in) :: chemical_potential
      real(c_double), intent(inout), contiguous :: conductivity(:)
      real(c_double), intent(inout), contiguous, optional :: error(:)
      real(c_double), intent(in), optional :: temperature, lambda
      integer, intent(in), optional :: kernel
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (shapes_differ(size(frequencies), conductivity, error, stat, errmsg)) return
      call report(this, legato_kpm_conductivity_optical(handle_of(this), kernel_of(kernel), value_of(lambda, 4.0_c_double), &
                  chemical_potential, value_of(temperature, 0.0_c_double), size(frequencies, kind=c_int32_t), frequencies, &
                  conductivity, error), stat, errmsg)
   end subroutine conductivity_optical

   function forward_progress(user, progress) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      type(legato_progress), intent(in) :: progress
      integer(c_int) :: stop
      type(c_funptr) :: address
      procedure(legato_monitor), pointer :: program

      address = c_null_funptr
      address = transfer(user, address)
      call c_f_procpointer(address, program)
      stop = merge(1, 0, program(progress))
   end function forward_progress

   integer(c_int32_t) function kernel_of(kernel)
      integer, intent(in), optional :: kernel

      kernel_of = LEGATO_KPM_KERNEL_JACKSON
      if (present(kernel)) kernel_of = int(kernel, c_int32_t)
   end function kernel_of

   real(c_double) function value_of(given, default)
      real(c_double), intent(in), optional :: given
      real(c_double), intent(in) :: default

      value_of = default
      if (present(given)) value_of = given
   end function value_of

   ! Returns true and reports an error if the arrays do not have `count` elements.
   function shapes_differ(count, conductivity, error, stat, errmsg)
      integer, intent(in) :: count
      real(c_double), intent(in) :: conductivity(:)
      real(c_double), intent(in), optional :: error(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: shapes_differ

      shapes_differ = differs('kpm.conductivity', shape(conductivity), [count], stat, errmsg)
      if (shapes_differ .or. .not. present(error)) return
      shapes_differ = differs('kpm.conductivity.error', shape(error), [count], stat, errmsg)
   end function shapes_differ
end module legato_kpm_conductivity_module
