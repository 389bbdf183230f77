!> Double expansions, moments of two operators. legato/kpm_correlation.h explains the arguments. Samples, start vectors and
!! orders count from 1: mean(m + 1, n + 1) is mu_mn.
module legato_kpm_correlation_module
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: c_functions, keep, hold, handle_of, report, unmade
   use legato_kpm_conductivity_module, only: legato_kpm_conductivities
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   use legato_kpm_vectors_module, only: kpm_start_vector, kpm_stoppable_start_vector, kpm_complex_start_vector, &
      kpm_stoppable_complex_start_vector, vector_user, forward_vector, user_of, wrong_vectors
   use legato_support, only: outside, differs
   implicit none
   private

   public :: legato_kpm_correlation

   !> A computation of the moments of two operators, and of the conductivities that follow from them.
   type, extends(legato_kpm_conductivities) :: legato_kpm_correlation
   contains
      procedure :: create => correlation_create
      procedure :: advance => correlation_advance
      procedure :: get_state => correlation_get_state
      procedure :: moments => correlation_moments
      procedure :: sample => correlation_sample
      procedure :: resume => correlation_resume
      procedure :: get_params => correlation_get_params
   end type legato_kpm_correlation

contains

   !> Creates a computation of the moments of the operators a and b with random vectors, or with those of the program:
   !! complex ones if the Hamiltonian or an operator is complex.
   subroutine correlation_create(this, context, hamiltonian, a, b, params, start_vector, stoppable_start_vector, &
                                 complex_start_vector, stoppable_complex_start_vector, stat, errmsg)
      class(legato_kpm_correlation), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian, a, b
      type(legato_kpm_params), intent(in), optional :: params
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      type(vector_user), pointer :: user
      integer(c_int32_t) :: status
      logical :: is_given

      call this%destroy()
      if (wrong_vectors('kpm.correlation.create', [handle_of(hamiltonian), handle_of(a), handle_of(b)], &
                        [.false., present(start_vector), present(stoppable_start_vector), &
                         present(complex_start_vector), present(stoppable_complex_start_vector)], is_given, stat, &
                        errmsg)) return
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      if (is_given) then
         status = legato_kpm_correlation_create_given(handle_of(context), params, handle_of(hamiltonian), handle_of(a), &
                                                      handle_of(b), c_funloc(forward_vector), c_loc(user), handle)
      else
         status = legato_kpm_correlation_create(handle_of(context), params, handle_of(hamiltonian), handle_of(a), &
                                                handle_of(b), handle)
      end if
      call keep_correlation(this, handle, user, context, status, stat, errmsg)
   end subroutine correlation_create

   !> Computes up to `rounds` further rounds of vectors. `samples_done` counts all finished samples.
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

   !> Returns the moments of the first orders, as many as the square arrays have rows. `error` has the errors of the real
   !! and of the imaginary parts, NaN with a single sample.
   subroutine correlation_moments(this, mean, error, stat, errmsg)
      class(legato_kpm_correlation), intent(in) :: this
      complex(c_double_complex), intent(inout) :: mean(:, :)
      complex(c_double_complex), intent(inout), optional :: error(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: parts(:, :, :), spread(:, :, :)
      integer(c_int32_t) :: status

      if (differs('kpm.correlation.moments.mean', shape(mean), [size(mean, 1), size(mean, 1)], stat, errmsg)) return
      if (present(error)) then
         if (differs('kpm.correlation.moments.error', shape(error), shape(mean), stat, errmsg)) return
         ! If it is not allocated, `spread` is an absent argument of the call below.
         allocate (spread(2, size(mean, 1), size(mean, 1)), source=ieee_value(0.0_c_double, ieee_quiet_nan))
      end if
      allocate (parts(2, size(mean, 1), size(mean, 1)), source=ieee_value(0.0_c_double, ieee_quiet_nan))
      status = legato_kpm_correlation_moments(handle_of(this), size(mean, 1, kind=c_int32_t), parts, spread)
      if (has_results(status)) then
         mean = by_orders(parts)
         if (allocated(spread)) error = by_orders(spread)
      end if
      call report(this, status, stat, errmsg)
   end subroutine correlation_moments

   !> Returns the moments of one sample.
   subroutine correlation_sample(this, sample, moments, stat, errmsg)
      class(legato_kpm_correlation), intent(in) :: this
      integer(c_int64_t), intent(in) :: sample
      complex(c_double_complex), intent(inout) :: moments(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: parts(:, :, :)
      integer(c_int32_t) :: status
      type(legato_kpm_state) :: state

      if (unmade(this, stat, errmsg)) return
      if (differs('kpm.correlation.sample.moments', shape(moments), [size(moments, 1), size(moments, 1)], stat, &
                  errmsg)) return
      call this%get_state(state)
      if (outside('kpm.correlation.sample', sample, state%samples_done, stat, errmsg)) return
      allocate (parts(2, size(moments, 1), size(moments, 1)), source=ieee_value(0.0_c_double, ieee_quiet_nan))
      status = legato_kpm_correlation_sample(handle_of(this), sample - 1, size(moments, 1, kind=c_int32_t), parts)
      if (has_results(status)) moments = by_orders(parts)
      call report(this, status, stat, errmsg)
   end subroutine correlation_sample

   !> Resumes a computation that save has written. The file contains neither the operators nor start vectors of the
   !! program, so they must be given again.
   subroutine correlation_resume(this, context, path, hamiltonian, a, b, start_vector, stoppable_start_vector, &
                                 complex_start_vector, stoppable_complex_start_vector, stat, errmsg)
      class(legato_kpm_correlation), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian, a, b
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      type(vector_user), pointer :: user
      type(c_funptr) :: callback
      integer(c_int32_t) :: status
      logical :: is_given

      call this%destroy()
      if (wrong_vectors('kpm.correlation.resume', [handle_of(hamiltonian), handle_of(a), handle_of(b)], &
                        [.false., present(start_vector), present(stoppable_start_vector), &
                         present(complex_start_vector), present(stoppable_complex_start_vector)], is_given, stat, &
                        errmsg)) return
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      callback = c_null_funptr
      if (is_given) callback = c_funloc(forward_vector)
      status = legato_kpm_correlation_resume(handle_of(context), trim(path)//c_null_char, handle_of(hamiltonian), &
                                             handle_of(a), handle_of(b), callback, c_loc(user), handle)
      call keep_correlation(this, handle, user, context, status, stat, errmsg)
   end subroutine correlation_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine correlation_get_params(this, params, stat, errmsg)
      class(legato_kpm_correlation), intent(in) :: this
      type(legato_kpm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = legato_kpm_params_init_sized(params, c_sizeof(params))
      call report(this, legato_kpm_correlation_get_params(handle_of(this), params), stat, errmsg)
   end subroutine correlation_get_params

   subroutine keep_correlation(this, handle, user, context, status, stat, errmsg)
      class(legato_kpm_correlation), intent(inout) :: this
      type(c_ptr), intent(in) :: handle
      type(vector_user), pointer, intent(in) :: user
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call hold(this, user, status)
      call keep(this, c_functions('legato_kpm_correlation', legato_kpm_correlation_destroy, legato_kpm_correlation_run, &
                                  legato_kpm_correlation_save), handle, handle_of(context), status, stat, errmsg)
   end subroutine keep_correlation

   ! A numerical error leaves partial results.
   pure logical function has_results(status)
      integer(c_int32_t), intent(in) :: status

      has_results = status == LEGATO_STATUS_SUCCESS .or. status == LEGATO_STATUS_NUMERICAL_ERROR
   end function has_results

   ! Returns the complex numbers with m as the first index and n as the second one.
   pure function by_orders(parts)
      real(c_double), intent(in) :: parts(:, :, :)
      complex(c_double_complex) :: by_orders(size(parts, 2), size(parts, 2))

      by_orders = transpose(cmplx(parts(1, :, :), parts(2, :, :), c_double_complex))
   end function by_orders

end module legato_kpm_correlation_module
