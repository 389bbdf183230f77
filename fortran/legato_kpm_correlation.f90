!> Moments of two operators and a Hamiltonian. legato/kpm_correlation.h explains the arguments.
module legato_kpm_correlation_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: c_functions, keep, handle_of, report
   use legato_kpm_conductivity_module, only: legato_kpm_conductivities
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   implicit none
   private

   public :: legato_kpm_correlation

   !> A computation of the moments of two operators, with random vectors.
   type, extends(legato_kpm_conductivities) :: legato_kpm_correlation
   contains
      procedure :: create => correlation_create
      procedure :: advance => correlation_advance
      procedure :: get_state => correlation_get_state
   end type legato_kpm_correlation

contains

   !> Creates a computation with the operators `a` and `b`.
   subroutine correlation_create(this, context, hamiltonian, a, b, params, stat, errmsg)
      class(legato_kpm_correlation), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian, a, b
      type(legato_kpm_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_kpm_correlation_create(handle_of(context), params, handle_of(hamiltonian), handle_of(a), handle_of(b), &
                                             handle)
      call keep(this, c_functions('legato_kpm_correlation', legato_kpm_correlation_destroy, legato_kpm_correlation_run, &
                                  legato_kpm_correlation_save), handle, handle_of(context), status, stat, errmsg)
   end subroutine correlation_create

   !> Computes up to `rounds` further vectors. `samples_done` counts all finished samples.
   subroutine correlation_advance(this, rounds, samples_done, stat, errmsg)
      class(legato_kpm_correlation), intent(inout) :: this
      integer(c_int64_t), intent(in) :: rounds
      integer(c_int64_t), intent(out) :: samples_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      samples_done = 0
      call report(this, legato_kpm_correlation_advance(handle_of(this), rounds, samples_done), stat, errmsg)
   end subroutine correlation_advance

   !> Returns what was chosen, such as the backend, and the progress of the computation.
   subroutine correlation_get_state(this, state, stat, errmsg)
      class(legato_kpm_correlation), intent(in) :: this
      type(legato_kpm_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_kpm_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_kpm_correlation_get_state(handle_of(this), state), stat, errmsg)
   end subroutine correlation_get_state
end module legato_kpm_correlation_module
