!> Functions of a Hamiltonian that are applied to vectors. legato/kpm_function.h explains the arguments. Realisations count from 1;
!! in the library's messages they and the elements of vectors count from 0.
module legato_kpm_function_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_handle, legato_monitor, progress_user, callback_of, c_functions, keep, handle_of, &
      report, unmade
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   use legato_support, only: differs, parts_of
   implicit none
   private

   public :: legato_kpm_function, kpm_energy_function
   public :: LEGATO_KPM_FUNCTION_KIND_EVOLUTION, LEGATO_KPM_FUNCTION_KIND_BOLTZMANN, LEGATO_KPM_FUNCTION_KIND_FERMI, &
      LEGATO_KPM_FUNCTION_KIND_STEP, LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, LEGATO_KPM_FUNCTION_KIND_SQUARE_ROOT, &
      LEGATO_KPM_FUNCTION_KIND_RESOLVENT

   abstract interface
      !> Computes a function of each energy.
      subroutine kpm_energy_function(energies, values)
         import :: c_double, c_double_complex
         real(c_double), intent(in) :: energies(:)
         complex(c_double_complex), intent(out) :: values(:)
      end subroutine kpm_energy_function
   end interface

   ! Data that the C callback receives as `user`.
   type :: energy_user
      procedure(kpm_energy_function), pointer, nopass :: call => null()
   end type energy_user

   !> A function of a Hamiltonian.
   type, extends(legato_handle) :: legato_kpm_function
   contains
      procedure :: create => function_create
      procedure, private :: function_set, function_set_callback
      generic :: set => function_set, function_set_callback
      procedure, private :: function_apply, function_apply_one, function_apply_real, function_apply_real_one
      generic :: apply => function_apply, function_apply_one, function_apply_real, function_apply_real_one
      procedure :: get_state => function_get_state
   end type legato_kpm_function

contains

   !> Creates a function of a Hamiltonian in one realisation of its disorder, by default the first one.
   subroutine function_create(this, context, hamiltonian, params, realisation, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm_params), intent(in), optional :: params
      integer(c_int64_t), intent(in), optional :: realisation
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: number
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      number = 0
      if (present(realisation)) number = realisation - 1
      status = legato_kpm_function_create(handle_of(context), params, handle_of(hamiltonian), number, handle)
      call keep(this, c_functions('legato_kpm_function', legato_kpm_function_destroy), handle, handle_of(context), status, &
                stat, errmsg)
   end subroutine function_create

   !> Sets a function of the library with its parameters; `second` is 0 unless it is given.
   subroutine function_set(this, kind, first, tolerance, second, terms, bound, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      integer, intent(in) :: kind
      real(c_double), intent(in) :: first, tolerance
      real(c_double), intent(in), optional :: second
      integer(c_int64_t), intent(inout), optional :: terms
      real(c_double), intent(inout), optional :: bound
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double) :: other

      other = 0
      if (present(second)) other = second
      call report(this, legato_kpm_function_set(handle_of(this), int(kind, c_int32_t), first, other, tolerance, terms, &
                                                bound), stat, errmsg)
   end subroutine function_set

   !> Sets a function of the program, which is only used in this call.
   subroutine function_set_callback(this, energy_function, tolerance, terms, bound, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      procedure(kpm_energy_function) :: energy_function
      real(c_double), intent(in) :: tolerance
      integer(c_int64_t), intent(inout), optional :: terms
      real(c_double), intent(inout), optional :: bound
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(energy_user), target :: user

      user%call => energy_function
      call report(this, legato_kpm_function_set_callback(handle_of(this), c_funloc(forward_energies), c_loc(user), &
                                                         tolerance, terms, bound), stat, errmsg)
   end subroutine function_set_callback

   !> Applies the function to the columns of `in`, which are vectors. `in` and `out` have the same shape.
   subroutine function_apply(this, in, out, progress, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      complex(c_double_complex), intent(in), contiguous, target :: in(:, :)
      complex(c_double_complex), intent(inout), contiguous, target :: out(:, :)
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      real(c_double), pointer :: from(:), to(:)

      if (wrong_shape(this, shape(in), shape(out), stat, errmsg)) return
      from => parts_of(c_loc(in), size(in, kind=c_int64_t))
      to => parts_of(c_loc(out), size(out, kind=c_int64_t))
      call report(this, legato_kpm_function_apply(handle_of(this), size(in, 2, kind=c_int64_t), from, to, &
                                                  callback_of(progress, user), c_loc(user)), stat, errmsg)
   end subroutine function_apply

   !> Applies the function to one vector.
   subroutine function_apply_one(this, in, out, progress, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      complex(c_double_complex), intent(in), contiguous, target :: in(:)
      complex(c_double_complex), intent(inout), contiguous, target :: out(:)
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      real(c_double), pointer :: from(:), to(:)

      if (wrong_shape(this, shape(in), shape(out), stat, errmsg)) return
      from => parts_of(c_loc(in), size(in, kind=c_int64_t))
      to => parts_of(c_loc(out), size(out, kind=c_int64_t))
      call report(this, legato_kpm_function_apply(handle_of(this), 1_c_int64_t, from, to, callback_of(progress, user), &
                                                  c_loc(user)), stat, errmsg)
   end subroutine function_apply_one

   !> Applies a real function to the columns of `in`, which are real vectors.
   subroutine function_apply_real(this, in, out, progress, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      real(c_double), intent(in), contiguous :: in(:, :)
      real(c_double), intent(inout), contiguous :: out(:, :)
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user

      if (wrong_shape(this, shape(in), shape(out), stat, errmsg)) return
      call report(this, legato_kpm_function_apply_real(handle_of(this), size(in, 2, kind=c_int64_t), in, out, &
                                                       callback_of(progress, user), c_loc(user)), stat, errmsg)
   end subroutine function_apply_real

   !> Applies a real function to one real vector.
   subroutine function_apply_real_one(this, in, out, progress, stat, errmsg)
      class(legato_kpm_function), intent(inout) :: this
      real(c_double), intent(in), contiguous :: in(:)
      real(c_double), intent(inout), contiguous :: out(:)
      procedure(legato_monitor), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user

      if (wrong_shape(this, shape(in), shape(out), stat, errmsg)) return
      call report(this, legato_kpm_function_apply_real(handle_of(this), 1_c_int64_t, in, out, &
                                                       callback_of(progress, user), c_loc(user)), stat, errmsg)
   end subroutine function_apply_real_one

   !> Returns the choices: `moments` is the number of terms, `samples` the number of vectors of the last call of apply,
   !! and `samples_done` the number of those that were finished.
   subroutine function_get_state(this, state, stat, errmsg)
      class(legato_kpm_function), intent(in) :: this
      type(legato_kpm_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_kpm_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_kpm_function_get_state(handle_of(this), state), stat, errmsg)
   end subroutine function_get_state

   ! Returns true and reports an error if vectors do not have one element for each site, or if there are none.
   function wrong_shape(this, in, out, stat, errmsg)
      class(legato_kpm_function), intent(in) :: this
      integer, intent(in) :: in(:), out(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_shape
      type(legato_kpm_state) :: state

      wrong_shape = unmade(this, stat, errmsg)
      if (wrong_shape) return
      call this%get_state(state)
      wrong_shape = differs('kpm.function.in', in(:1), [int(state%sites)], stat, errmsg)
      if (wrong_shape) return
      wrong_shape = differs('kpm.function.out', out, in, stat, errmsg)
      if (wrong_shape .or. all(in > 0)) return
      wrong_shape = differs('kpm.function.in', in, [in(1), 1], stat, errmsg)
   end function wrong_shape

   function forward_energies(user, n, energies, values) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: n
      real(c_double), intent(in) :: energies(*)
      real(c_double), intent(inout) :: values(*)
      integer(c_int) :: stop
      type(energy_user), pointer :: program
      complex(c_double_complex), allocatable :: of_energies(:)
      integer(c_int64_t) :: i

      call c_f_pointer(user, program)
      allocate (of_energies(n))
      call program%call(energies(:n), of_energies)
      do i = 1, n
         values(2 * i - 1) = real(of_energies(i), c_double)
         values(2 * i) = aimag(of_energies(i))
      end do
      stop = 0
   end function forward_energies
end module legato_kpm_function_module
