!> Green's functions between different vectors. legato/kpm_green.h explains the arguments. Sites and vectors count from 1;
!! in the library's messages sites, samples and elements of vectors count from 0. The default kernel is that of Lorentz
!! with lambda = 4.
module legato_kpm_green_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, hold, handle_of, report, unmade
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   use legato_kpm_vectors_module, only: kpm_start_vector, kpm_stoppable_start_vector, kpm_complex_start_vector, &
      kpm_stoppable_complex_start_vector, vector_user, forward_vector, user_of, wrong_vectors
   use legato_support, only: differs, finish, parts_of
   implicit none
   private

   public :: legato_kpm_green

   !> A computation of Green's functions.
   type, extends(legato_resumable_run) :: legato_kpm_green
   contains
      procedure :: create => green_create
      procedure :: advance => green_advance
      procedure :: get_params => green_get_params
      procedure :: get_state => green_get_state
      procedure :: moments => green_moments
      procedure :: functions => green_functions
      procedure :: resume => green_resume
   end type legato_kpm_green

contains

   !> Creates a computation with the sites `left` and `right`. With n_left or n_right instead, the vectors of this side
   !! are those of the program: `start_vector` or `stoppable_start_vector`, and for a complex Hamiltonian
   !! `complex_start_vector` or `stoppable_complex_start_vector`. It gives vector v on the right as sample v, and vector v
   !! on the left as sample n + v, where n is the number of vectors on the right.
   subroutine green_create(this, context, hamiltonian, params, left, right, n_left, n_right, start_vector, &
                           stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector, stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm_params), intent(in), optional :: params
      integer(c_int64_t), intent(in), optional :: left(:), right(:), n_left, n_right
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(vector_user), pointer :: user
      integer(c_int64_t), allocatable :: left_sites(:), right_sites(:)
      type(c_funptr) :: callback
      type(c_ptr) :: handle
      integer(c_int32_t) :: status
      logical :: is_given

      call this%destroy()
      if (wrong_vectors('kpm.green.create', [handle_of(hamiltonian)], [.false., present(start_vector), &
                        present(stoppable_start_vector), present(complex_start_vector), &
                        present(stoppable_complex_start_vector)], is_given, stat, errmsg)) return
      if ((present(left) .eqv. present(n_left)) .or. (present(right) .eqv. present(n_right))) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'kpm.green.create: either left or n_left, and either right'// &
                     ' or n_right are needed', stat, errmsg)
         return
      end if
      if (present(left)) left_sites = left - 1
      if (present(right)) right_sites = right - 1
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      callback = c_null_funptr
      if (is_given) callback = c_funloc(forward_vector)
      ! If they are not allocated, the lists of sites are absent arguments.
      status = legato_kpm_green_create(handle_of(context), params, handle_of(hamiltonian), count_of(left, n_left), &
                                       left_sites, count_of(right, n_right), right_sites, callback, &
                                       c_loc(user), handle)
      call keep_green(this, handle, user, context, status, stat, errmsg)
   end subroutine green_create

   !> Computes up to `rounds` further rounds. `samples_done` counts all finished samples.
   subroutine green_advance(this, rounds, samples_done, stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      integer(c_int64_t), intent(in) :: rounds
      integer(c_int64_t), intent(out) :: samples_done
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      samples_done = 0
      call report(this, legato_kpm_green_advance(handle_of(this), rounds, samples_done), stat, errmsg)
   end subroutine green_advance

   !> Returns what was chosen, such as the backend, and the progress of the computation.
   subroutine green_get_state(this, state, stat, errmsg)
      class(legato_kpm_green), intent(in) :: this
      type(legato_kpm_state), intent(out) :: state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      state = legato_kpm_state(c_sizeof(state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      call report(this, legato_kpm_green_get_state(handle_of(this), state), stat, errmsg)
   end subroutine green_get_state

   !> Returns the first moments of pairs, mean(n + 1, l, r) = <l|T_n|r>, and their standard errors. Here and below l counts
   !! the vectors on the left from `first_left` on, r those on the right from `first_right` on, both 1 by default. The
   !! extents of the arrays are the numbers of vectors.
   subroutine green_moments(this, mean, error, first_left, first_right, stat, errmsg)
      class(legato_kpm_green), intent(in) :: this
      complex(c_double_complex), intent(inout), contiguous, target :: mean(:, :, :)
      complex(c_double_complex), intent(inout), contiguous, optional, target :: error(:, :, :)
      integer(c_int64_t), intent(in), optional :: first_left, first_right
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), pointer :: parts(:), spread(:)

      if (wrong_tables(this, 'moments', shape(mean), error, spread, stat, errmsg)) return
      parts => parts_of(c_loc(mean), size(mean, kind=c_int64_t))
      ! If it is not associated, `spread` is an absent argument.
      call report(this, legato_kpm_green_moments(handle_of(this), number_of(first_left), size(mean, 2, kind=c_int64_t), &
         number_of(first_right), size(mean, 3, kind=c_int64_t), size(mean, 1, kind=c_int32_t), parts, spread), stat, errmsg)
   end subroutine green_moments

   !> Returns the retarded Green's functions <l|G(E + i0)|r> as green(j, l, r) at energies(j). `error` has the standard
   !! errors of the real and of the imaginary parts.
   subroutine green_functions(this, energies, green, error, kernel, lambda, first_left, first_right, stat, errmsg)
      class(legato_kpm_green), intent(in) :: this
      real(c_double), intent(in), contiguous :: energies(:)
      complex(c_double_complex), intent(inout), contiguous, target :: green(:, :, :)
      complex(c_double_complex), intent(inout), contiguous, optional, target :: error(:, :, :)
      integer, intent(in), optional :: kernel
      real(c_double), intent(in), optional :: lambda
      integer(c_int64_t), intent(in), optional :: first_left, first_right
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), pointer :: parts(:), spread(:)
      integer(c_int32_t) :: number
      real(c_double) :: parameter

      if (differs('kpm.green.functions.green', shape(green), [size(energies), size(green, 2), size(green, 3)], stat, &
                  errmsg)) return
      if (wrong_tables(this, 'functions', shape(green), error, spread, stat, errmsg)) return
      number = LEGATO_KPM_KERNEL_LORENTZ
      if (present(kernel)) number = int(kernel, c_int32_t)
      parameter = 4
      if (present(lambda)) parameter = lambda
      parts => parts_of(c_loc(green), size(green, kind=c_int64_t))
      ! If it is not associated, `spread` is an absent argument.
      call report(this, legato_kpm_green_functions(handle_of(this), number_of(first_left), &
         size(green, 2, kind=c_int64_t), number_of(first_right), size(green, 3, kind=c_int64_t), number, parameter, &
         size(energies, kind=c_int32_t), energies, parts, spread), stat, errmsg)
   end subroutine green_functions

   !> Resumes a computation that save has written. The Hamiltonian and the vectors of the program must be given again.
   subroutine green_resume(this, context, path, hamiltonian, start_vector, stoppable_start_vector, &
                           complex_start_vector, stoppable_complex_start_vector, stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(vector_user), pointer :: user
      type(c_funptr) :: callback
      type(c_ptr) :: handle
      integer(c_int32_t) :: status
      logical :: is_given

      call this%destroy()
      if (wrong_vectors('kpm.green.resume', [handle_of(hamiltonian)], [.false., present(start_vector), &
                        present(stoppable_start_vector), present(complex_start_vector), &
                        present(stoppable_complex_start_vector)], is_given, stat, errmsg)) return
      user => user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector)
      callback = c_null_funptr
      if (is_given) callback = c_funloc(forward_vector)
      status = legato_kpm_green_resume(handle_of(context), trim(path)//c_null_char, handle_of(hamiltonian), &
                                       callback, c_loc(user), handle)
      call keep_green(this, handle, user, context, status, stat, errmsg)
   end subroutine green_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine green_get_params(this, params, stat, errmsg)
      class(legato_kpm_green), intent(in) :: this
      type(legato_kpm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = legato_kpm_params_init_sized(params, c_sizeof(params))
      call report(this, legato_kpm_green_get_params(handle_of(this), params), stat, errmsg)
   end subroutine green_get_params

   subroutine keep_green(this, handle, user, context, status, stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      type(c_ptr), intent(in) :: handle
      type(vector_user), pointer, intent(in) :: user
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call hold(this, user, status)
      call keep(this, c_functions('legato_kpm_green', legato_kpm_green_destroy, legato_kpm_green_run, &
                                  legato_kpm_green_save), handle, handle_of(context), status, stat, errmsg)
   end subroutine keep_green

   integer(c_int64_t) function count_of(sites, n)
      integer(c_int64_t), intent(in), optional :: sites(:), n

      if (present(sites)) then
         count_of = size(sites, kind=c_int64_t)
      else
         count_of = n
      end if
   end function count_of

   ! Returns the number of a vector in C.
   integer(c_int64_t) function number_of(first)
      integer(c_int64_t), intent(in), optional :: first

      number_of = 0
      if (present(first)) number_of = first - 1
   end function number_of

   ! Returns true and reports an error if an argument is wrong. Sets `spread` to the numbers of `error`, or to null.
   function wrong_tables(this, procedure, extents, error, spread, stat, errmsg)
      class(legato_kpm_green), intent(in) :: this
      character(*), intent(in) :: procedure
      integer, intent(in) :: extents(3)
      complex(c_double_complex), intent(inout), contiguous, optional, target :: error(:, :, :)
      real(c_double), pointer, intent(out) :: spread(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_tables

      spread => null()
      wrong_tables = unmade(this, stat, errmsg)
      if (wrong_tables .or. .not. present(error)) return
      wrong_tables = differs('kpm.green.'//procedure//'.error', shape(error), extents, stat, errmsg)
      if (.not. wrong_tables) spread => parts_of(c_loc(error), size(error, kind=c_int64_t))
   end function wrong_tables
end module legato_kpm_green_module
