!> The transfer-matrix method. legato/tmm.h and legato/tmm_steps.h explain the arguments. Energies are in units of the
!! longitudinal hopping, lengths in lattice spacings. Points count from 1.
module legato_tmm_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_handle, legato_resumable_run, c_functions, hold, keep, resume_with, handle_of, report, &
      unmade
   use legato_support, only: finish, outside, differs, decimal
   implicit none
   private

   public :: legato_tmm, legato_tmm_params, legato_tmm_point, legato_tmm_propagation
   public :: tmm_defaults, tmm_multiply, tmm_orthonormalise, tmm_change_slice
   public :: LEGATO_TMM_BOUNDARY_HARD_WALL, LEGATO_TMM_BOUNDARY_PERIODIC, LEGATO_TMM_BOUNDARY_ANTIPERIODIC
   public :: LEGATO_TMM_DISORDER_UNIFORM, LEGATO_TMM_DISORDER_UNIFORM_SCALED, LEGATO_TMM_DISORDER_GAUSSIAN
   public :: LEGATO_TMM_RANDOM_STREAM_LFSR113, LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE, &
      LEGATO_TMM_RANDOM_STREAM_PHILOX
   public :: LEGATO_TMM_POINT_STATUS_WAITING, LEGATO_TMM_POINT_STATUS_RUNNING, LEGATO_TMM_POINT_STATUS_CONVERGED, &
      LEGATO_TMM_POINT_STATUS_NOT_CONVERGED, LEGATO_TMM_POINT_STATUS_FAILED, &
      LEGATO_TMM_POINT_STATUS_IMPRECISE
   public :: LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RULE_TMSEXD
   public :: LEGATO_TMM_MODEL_ANDERSON, LEGATO_TMM_MODEL_PEIERLS, LEGATO_TMM_MODEL_U1, LEGATO_TMM_MODEL_SU2, &
      LEGATO_TMM_MODEL_ANDO
   public :: LEGATO_TMM_HOPPING_DISORDER_NONE, LEGATO_TMM_HOPPING_DISORDER_UNIFORM, &
      LEGATO_TMM_HOPPING_DISORDER_LOGARITHMIC
   public :: LEGATO_TMM_LAYOUT_SITE_FIRST, LEGATO_TMM_LAYOUT_STATE_FIRST

   abstract interface
      !> Changes a slice, as legato_tmm_slice_callback in legato/tmm.h explains. Before the call, on_site(sites),
      !! hopping(components, links) and along(sites) have the numbers of the model. Points, replicas, slices, sites and
      !! links count from 1. If cancel becomes true, the run stops with LEGATO_STATUS_CANCELLED.
      subroutine tmm_change_slice(point, replica, slice, on_site, hopping, along, cancel)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: point, replica, slice
         real(c_double), intent(inout) :: on_site(:), hopping(:, :), along(:)
         logical, intent(inout) :: cancel
      end subroutine tmm_change_slice
   end interface

   ! Data that the C callback receives as `user`.
   type :: slice_user
      procedure(tmm_change_slice), pointer, nopass :: call => null()
   end type slice_user

   !> A run over a list of (energy, disorder) points.
   type, extends(legato_resumable_run) :: legato_tmm
   contains
      procedure :: create => tmm_create
      procedure :: create_given => tmm_create_given
      procedure :: resume_given => tmm_resume_given
      procedure :: advance => tmm_advance
      procedure :: size => tmm_size
      procedure :: result => tmm_result
      procedure :: resume => tmm_resume
      procedure :: get_params => tmm_get_params
   end type legato_tmm

   !> The two slices of a program that keeps its own loop. They are stored where the work is done, on the CPU or the
   !! GPU.
   type, extends(legato_handle) :: legato_tmm_propagation
      private
      integer :: sites = 0
   contains
      procedure :: create => propagation_create
      procedure :: load => propagation_load
      procedure :: multiply => propagation_multiply
      procedure :: orthonormalise => propagation_orthonormalise
      procedure :: store => propagation_store
   end type legato_tmm_propagation

contains

   !> Returns the defaults: 2D, width 1, periodic, uniform disorder, philox, 10 multiplications a cycle, epsilon 0.005,
   !! errors from at least 32 blocks, a burn-in of 128 cycles.
   function tmm_defaults() result(params)
      type(legato_tmm_params) :: params
      integer(c_int32_t) :: status

      status = legato_tmm_params_init_sized(params, c_sizeof(params))
   end function tmm_defaults

   !> Creates a run with one point for each element of energy and disorder, which must have the same size. Without
   !! `params` they must be passed by keyword.
   subroutine tmm_create(this, context, params, energy, disorder, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_tmm_params), intent(in), optional :: params
      real(c_double), intent(in), contiguous :: energy(:), disorder(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('tmm.create.disorder', shape(disorder), shape(energy), stat, errmsg)) return
      status = legato_tmm_create(handle_of(context), params, size(energy, kind=c_int64_t), energy, disorder, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine tmm_create

   !> Creates a run whose slices `change` changes. With first and second, which have the same size, they are the links of
   !! the program's own lattice of params%width sites; sites count from 1. `change` is used until the run is destroyed. It
   !! must be a module or external procedure, and must not destroy its run.
   subroutine tmm_create_given(this, context, change, params, energy, disorder, first, second, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      procedure(tmm_change_slice) :: change
      type(legato_tmm_params), intent(in), optional :: params
      real(c_double), intent(in), contiguous :: energy(:), disorder(:)
      integer(c_int64_t), intent(in), optional :: first(:), second(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), allocatable :: one(:), other(:)
      type(slice_user), pointer :: user
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      allocate (one(0), other(0))
      if (present(first)) one = first - 1
      if (present(second)) other = second - 1
      if (differs('tmm.create.disorder', shape(disorder), shape(energy), stat, errmsg)) return
      if (differs('tmm.create.second', shape(other), shape(one), stat, errmsg)) return
      allocate (user)
      user%call => change
      status = legato_tmm_create_given(handle_of(context), params, size(one, kind=c_int64_t), one, other, &
                                       c_funloc(forward_slice), c_loc(user), size(energy, kind=c_int64_t), energy, &
                                       disorder, handle)
      call hold(this, user, status)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine tmm_create_given

   !> Resumes a run of create_given that save has written.
   subroutine tmm_resume_given(this, context, path, change, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      procedure(tmm_change_slice) :: change
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(slice_user), pointer :: user
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      allocate (user)
      user%call => change
      status = legato_tmm_resume_given(handle_of(context), trim(path)//c_null_char, c_funloc(forward_slice), &
                                       c_loc(user), handle)
      call hold(this, user, status)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine tmm_resume_given

   function forward_slice(user, point, replica, slice, sites, links, components, on_site, hopping, along) &
      bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: point, replica, slice, sites, links, components
      real(c_double), intent(inout) :: on_site(sites), hopping(components, links), along(sites)
      integer(c_int) :: stop
      type(slice_user), pointer :: program
      logical :: cancel

      call c_f_pointer(user, program)
      cancel = .false.
      call program%call(point + 1, replica + 1, slice + 1, on_site, hopping, along, cancel)
      stop = merge(1_c_int, 0_c_int, cancel)
   end function forward_slice

   !> Carries every unfinished point up to `cycles` cycles further. `finished` counts the points that have ended.
   subroutine tmm_advance(this, cycles, finished, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      integer(c_int64_t), intent(in) :: cycles
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call report(this, legato_tmm_advance(handle_of(this), cycles, finished), stat, errmsg)
   end subroutine tmm_advance

   !> Returns the number of points, and of exponents of each point.
   subroutine tmm_size(this, points, exponents, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(out) :: points, exponents
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      points = 0
      exponents = 0
      call report(this, legato_tmm_size(handle_of(this), points, exponents), stat, errmsg)
   end subroutine tmm_size

   !> Returns the present result of point `index`: exponents per slice, smallest first, and their relative standard
   !! errors. The arrays must have the same size, and as many values are returned. An unknown error is NaN.
   subroutine tmm_result(this, index, point, exponents, errors, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_tmm_point), intent(out) :: point
      real(c_double), intent(inout), optional :: exponents(:), errors(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: x(:), e(:)
      integer(c_int64_t) :: n
      integer(c_int32_t) :: status

      point = legato_tmm_point(c_sizeof(point), LEGATO_TMM_POINT_STATUS_WAITING, 0, 0, 0, 0, 0, 0)
      if (no_point(this, index, stat, errmsg)) return
      n = 0
      if (present(errors)) n = size(errors)
      if (present(exponents)) n = size(exponents)
      if (present(errors)) then
         if (differs('tmm.result.errors', shape(errors), [int(n)], stat, errmsg)) return
      end if
      allocate (x(n), e(n))
      status = legato_tmm_result(handle_of(this), index - 1, point, n, x, e)
      if (status == LEGATO_STATUS_SUCCESS) then
         if (present(exponents)) exponents = x
         if (present(errors)) errors = e
      end if
      call report(this, status, stat, errmsg)
   end subroutine tmm_result

   !> Resumes a run that save has written.
   subroutine tmm_resume(this, context, path, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine tmm_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine tmm_get_params(this, params, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      type(legato_tmm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = tmm_defaults()
      call report(this, legato_tmm_get_params(handle_of(this), params), stat, errmsg)
   end subroutine tmm_get_params

   !> Multiplies once: (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one). diagonal(N) is
   !! E - V. psi_a and psi_b are N x N: psi(site, state) or psi(state, site), as selected by `layout`.
   subroutine tmm_multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: dimension, width, boundary, layout
      real(c_double), intent(in) :: hopping
      real(c_double), intent(in), contiguous :: diagonal(:), psi_a(:, :)
      real(c_double), intent(inout), contiguous :: psi_b(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: n

      n = size(diagonal)
      if (dimension /= 3 .and. n /= width .or. dimension == 3 .and. n /= int(width, c_int64_t)**2) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'tmm.multiply.diagonal: '//decimal(n)// &
                     ' elements are not those of a slice of width '//decimal(width), stat, errmsg)
         return
      end if
      if (differs('tmm.multiply.psi_a', shape(psi_a), [n, n], stat, errmsg)) return
      if (differs('tmm.multiply.psi_b', shape(psi_b), [n, n], stat, errmsg)) return
      call report(context, legato_tmm_multiply(handle_of(context), int(dimension, c_int32_t), int(width, c_int64_t), &
         int(boundary, c_int32_t), hopping, int(layout, c_int32_t), diagonal, psi_a, psi_b), stat, errmsg)
   end subroutine tmm_multiply

   !> Orthonormalises the n vectors of 2n components (psi_a over psi_b), in order. log_norms(n) is the logarithm of the
   !! norm that was left of each vector. After LEGATO_STATUS_NUMERICAL_ERROR psi_a and psi_b are unchanged. After
   !! LEGATO_STATUS_PRECISION_LOST all results exist, but the last vectors may be wrong: orthonormalise more often.
   subroutine tmm_orthonormalise(context, layout, psi_a, psi_b, log_norms, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: layout
      real(c_double), intent(inout), contiguous :: psi_a(:, :), psi_b(:, :)
      real(c_double), intent(inout), contiguous :: log_norms(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: n

      n = size(log_norms)
      if (differs('tmm.orthonormalise.psi_a', shape(psi_a), [n, n], stat, errmsg)) return
      if (differs('tmm.orthonormalise.psi_b', shape(psi_b), [n, n], stat, errmsg)) return
      call report(context, legato_tmm_orthonormalise(handle_of(context), int(n, c_int64_t), int(layout, c_int32_t), &
         psi_a, psi_b, log_norms), stat, errmsg)
   end subroutine tmm_orthonormalise

   !> Creates a propagation. The arguments are those of tmm_multiply. `cycles` is the expected number of cycles, 1 to
   !! 1e15 (default 10000); it affects only AUTO's choice of the backend.
   subroutine propagation_create(this, context, dimension, width, boundary, hopping, layout, stat, errmsg, cycles)
      class(legato_tmm_propagation), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer, intent(in) :: dimension, width, boundary, layout
      real(c_double), intent(in) :: hopping
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), intent(in), optional :: cycles
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (present(cycles)) then
         status = legato_tmm_propagation_create_for(handle_of(context), int(dimension, c_int32_t), int(width, c_int64_t), &
            int(boundary, c_int32_t), hopping, int(layout, c_int32_t), cycles, handle)
      else
         status = legato_tmm_propagation_create(handle_of(context), int(dimension, c_int32_t), int(width, c_int64_t), &
            int(boundary, c_int32_t), hopping, int(layout, c_int32_t), handle)
      end if
      if (status == LEGATO_STATUS_SUCCESS) this%sites = width**(dimension - 1)
      call keep(this, c_functions('legato_tmm_propagation', legato_tmm_propagation_destroy), handle, handle_of(context), &
                status, stat, errmsg)
   end subroutine propagation_create

   !> Copies this slice and the one before, N x N each, and discards queued multiplications. It must be called before
   !! the procedures below.
   subroutine propagation_load(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (not_slices(this, 'load', current, previous, stat, errmsg)) return
      call report(this, legato_tmm_propagation_load(handle_of(this), current, previous), stat, errmsg)
   end subroutine propagation_load

   !> Queues one multiplication: the current slice becomes the previous one. diagonal(N) is E - V.
   subroutine propagation_multiply(this, diagonal, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: diagonal(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (unmade(this, stat, errmsg)) return
      if (differs('tmm.propagation.multiply.diagonal', shape(diagonal), [this%sites], stat, errmsg)) return
      call report(this, legato_tmm_propagation_multiply(handle_of(this), diagonal), stat, errmsg)
   end subroutine propagation_multiply

   !> Does the queued multiplications and orthonormalises. log_norms(N) and LEGATO_STATUS_PRECISION_LOST are those of
   !! tmm_orthonormalise. After LEGATO_STATUS_NUMERICAL_ERROR log_norms is NaN until the next load.
   subroutine propagation_orthonormalise(this, log_norms, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(inout), contiguous :: log_norms(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (unmade(this, stat, errmsg)) return
      if (differs('tmm.propagation.orthonormalise.log_norms', shape(log_norms), [this%sites], stat, errmsg)) return
      call report(this, legato_tmm_propagation_orthonormalise(handle_of(this), log_norms), stat, errmsg)
   end subroutine propagation_orthonormalise

   !> Returns the two slices after all queued multiplications.
   subroutine propagation_store(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(in) :: this
      real(c_double), intent(inout), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (not_slices(this, 'store', current, previous, stat, errmsg)) return
      call report(this, legato_tmm_propagation_store(handle_of(this), current, previous), stat, errmsg)
   end subroutine propagation_store

   ! The functions below return true and report an error if an argument is wrong. The library's own messages would count
   ! from 0.

   function no_point(this, index, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_point
      integer(c_int64_t) :: points, exponents

      no_point = unmade(this, stat, errmsg)
      if (no_point) return
      call this%size(points, exponents)
      no_point = outside('tmm.result.index', index, points, stat, errmsg)
   end function no_point

   function not_slices(this, procedure, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(in) :: this
      character(*), intent(in) :: procedure
      real(c_double), intent(in) :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: not_slices
      integer :: slice(2)

      slice = this%sites
      not_slices = unmade(this, stat, errmsg)
      if (not_slices) return
      not_slices = differs('tmm.propagation.'//procedure//'.current', shape(current), slice, stat, errmsg)
      if (not_slices) return
      not_slices = differs('tmm.propagation.'//procedure//'.previous', shape(previous), slice, stat, errmsg)
   end function not_slices

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_tmm', legato_tmm_destroy, legato_tmm_run, legato_tmm_save, legato_tmm_resume)
   end function in_c
end module legato_tmm_module
