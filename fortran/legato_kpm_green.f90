!> Green's functions between different vectors. legato/kpm_green.h explains the arguments. Sites and vectors count from 1;
!! in the library's messages sites, samples and elements of vectors count from 0. The default kernel is that of Lorentz
!! with lambda = 4.
module legato_kpm_green_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, hold, handle_of, report, unmade
   use legato_kpm_hamiltonian_module, only: legato_kpm_hamiltonian
   use legato_kpm_module, only: kpm_stoppable_start_vector, kpm_stoppable_complex_start_vector
   use legato_support, only: differs, finish, parts_of
   implicit none
   private

   public :: legato_kpm_green

   ! Data that the C callback receives as `user`. One of the pointers is associated.
   type :: vector_user
      procedure(kpm_stoppable_start_vector), pointer, nopass :: call => null()
      procedure(kpm_stoppable_complex_start_vector), pointer, nopass :: call_complex => null()
   end type vector_user

   !> A computation of Green's functions.
   type, extends(legato_resumable_run) :: legato_kpm_green
   contains
      procedure :: create => green_create
      procedure :: advance => green_advance
      procedure :: get_state => green_get_state
      procedure :: moments => green_moments
      procedure :: functions => green_functions
      procedure :: resume => green_resume
   end type legato_kpm_green

contains

   !> Creates a computation with the sites `left` and `right`. With n_left or n_right instead, the vectors of this side
   !! are those of the program: `vector`, or `complex_vector` for a complex Hamiltonian. It gives vector v on the right as
   !! sample v, and vector v on the left as sample n + v, where n is the number of vectors on the right. If it returns
   !! true, the run stops with LEGATO_STATUS_CANCELLED.
   subroutine green_create(this, context, hamiltonian, params, left, right, n_left, n_right, vector, complex_vector, &
                           stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(legato_kpm_params), intent(in), optional :: params
      integer(c_int64_t), intent(in), optional :: left(:), right(:), n_left, n_right
      procedure(kpm_stoppable_start_vector), optional :: vector
      procedure(kpm_stoppable_complex_start_vector), optional :: complex_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(vector_user), pointer :: user
      integer(c_int64_t), allocatable :: left_sites(:), right_sites(:)
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (wrong_vectors(hamiltonian, present(vector), present(complex_vector), stat, errmsg)) return
      if ((present(left) .eqv. present(n_left)) .or. (present(right) .eqv. present(n_right))) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'kpm.green.create: either left or n_left, and either right'// &
                     ' or n_right are needed', stat, errmsg)
         return
      end if
      if (present(left)) left_sites = left - 1
      if (present(right)) right_sites = right - 1
      user => user_of(vector, complex_vector)
      ! If they are not allocated, the lists of sites are absent arguments.
      status = legato_kpm_green_create(handle_of(context), params, handle_of(hamiltonian), count_of(left, n_left), &
                                       left_sites, count_of(right, n_right), right_sites, callback_of_user(user), &
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
   subroutine green_resume(this, context, path, hamiltonian, vector, complex_vector, stat, errmsg)
      class(legato_kpm_green), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      procedure(kpm_stoppable_start_vector), optional :: vector
      procedure(kpm_stoppable_complex_start_vector), optional :: complex_vector
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(vector_user), pointer :: user
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (wrong_vectors(hamiltonian, present(vector), present(complex_vector), stat, errmsg)) return
      user => user_of(vector, complex_vector)
      status = legato_kpm_green_resume(handle_of(context), trim(path)//c_null_char, handle_of(hamiltonian), &
                                       callback_of_user(user), c_loc(user), handle)
      call keep_green(this, handle, user, context, status, stat, errmsg)
   end subroutine green_resume

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

   function user_of(vector, complex_vector) result(user)
      procedure(kpm_stoppable_start_vector), optional :: vector
      procedure(kpm_stoppable_complex_start_vector), optional :: complex_vector
      type(vector_user), pointer :: user

      allocate (user)
      if (present(vector)) user%call => vector
      if (present(complex_vector)) user%call_complex => complex_vector
   end function user_of

   type(c_funptr) function callback_of_user(user)
      type(vector_user), intent(in) :: user

      callback_of_user = c_null_funptr
      if (associated(user%call) .or. associated(user%call_complex)) callback_of_user = c_funloc(forward_vector)
   end function callback_of_user

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

   function forward_vector(user, sample, sites, vector) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: sample, sites
      real(c_double), intent(inout), target :: vector(*)
      integer(c_int) :: stop
      type(vector_user), pointer :: program
      complex(c_double_complex), pointer, contiguous :: elements(:)
      type(c_ptr) :: first
      logical :: cancel

      call c_f_pointer(user, program)
      if (associated(program%call)) then
         cancel = program%call(sample + 1, vector(:sites))
      else
         first = c_loc(vector)
         call c_f_pointer(first, elements, [sites])
         cancel = program%call_complex(sample + 1, elements)
      end if
      stop = merge(1_c_int, 0_c_int, cancel)
   end function forward_vector

   ! The functions below return true and report an error if an argument is wrong.

   function wrong_vectors(hamiltonian, is_real, has_complex, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      logical, intent(in) :: is_real, has_complex
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_vectors
      integer(c_int32_t) :: is_complex

      wrong_vectors = .false.
      if (.not. (is_real .or. has_complex)) return
      ! Without a Hamiltonian the library reports the error.
      if (legato_kpm_hamiltonian_is_complex(handle_of(hamiltonian), is_complex) /= LEGATO_STATUS_SUCCESS) return
      wrong_vectors = is_real .neqv. is_complex == 0
      if (.not. wrong_vectors) wrong_vectors = has_complex .neqv. is_complex == 1
      if (wrong_vectors) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'kpm.green: a real Hamiltonian needs vector'// &
                                     ', and a complex one complex_vector', stat, errmsg)
   end function wrong_vectors

   ! Sets `spread` to the numbers of `error`, or to null.
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
