! The transfer-matrix method of legato/tmm.h and legato/tmm_steps.h, which tell what the arguments mean. Energies are in
! units of the longitudinal hopping, lengths in lattice spacings.
module legato_tmm_module
   use legato_c
   use legato_context_module, only: legato_context, handle_of
   use legato_support, only: tmm_progress => legato_monitor, owned_handle, progress_user, callback_for, report, &
      finish, outside, decimal
   implicit none
   private

   public :: legato_tmm, legato_tmm_params, legato_tmm_point, legato_tmm_propagation
   public :: tmm_defaults, tmm_progress, tmm_multiply, tmm_orthonormalise
   public :: LEGATO_TMM_HARD_WALL, LEGATO_TMM_PERIODIC, LEGATO_TMM_ANTIPERIODIC
   public :: LEGATO_TMM_UNIFORM, LEGATO_TMM_UNIFORM_SCALED, LEGATO_TMM_GAUSSIAN
   public :: LEGATO_TMM_LFSR113, LEGATO_TMM_LFSR113_PER_SITE, LEGATO_TMM_PHILOX
   public :: LEGATO_TMM_WAITING, LEGATO_TMM_RUNNING, LEGATO_TMM_CONVERGED, LEGATO_TMM_NOT_CONVERGED, LEGATO_TMM_FAILED
   public :: LEGATO_TMM_SITE_FIRST, LEGATO_TMM_STATE_FIRST

   ! A run over a list of (energy, disorder) points. It may outlive its context.
   type :: legato_tmm
      private
      type(owned_handle) :: own
   contains
      procedure :: create => tmm_create
      procedure :: destroy => tmm_destroy
      procedure :: run => tmm_run
      procedure :: advance => tmm_advance
      procedure :: size => tmm_size
      procedure :: result => tmm_result
      procedure :: save => tmm_save
      procedure :: resume => tmm_resume
      procedure :: get_params => tmm_get_params
   end type legato_tmm

   ! The two slices of a loop that stays with the program, kept where the work is done. It may outlive its context.
   type :: legato_tmm_propagation
      private
      type(owned_handle) :: own
      integer :: sites = 0
   contains
      procedure :: create => propagation_create
      procedure :: destroy => propagation_destroy
      procedure :: load => propagation_load
      procedure :: multiply => propagation_multiply
      procedure :: orthonormalise => propagation_orthonormalise
      procedure :: store => propagation_store
      procedure, private :: differs => propagation_differs
   end type legato_tmm_propagation

contains

   ! The documented defaults: 2D, width 1, periodic, uniform disorder, philox, 10 multiplications a cycle, epsilon 0.005.
   function tmm_defaults() result(params)
      type(legato_tmm_params) :: params
      integer(c_int32_t) :: status

      status = legato_tmm_params_init_sized(params, c_sizeof(params))
   end function tmm_defaults

   ! One point for each element of energy and disorder, which must have the same size.
   subroutine tmm_create(this, context, params, energy, disorder, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_tmm_params), intent(in) :: params
      real(c_double), intent(in) :: energy(:), disorder(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      if (size(energy) /= size(disorder)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.create: energy has '//decimal(size(energy))// &
                     ' elements and disorder '//decimal(size(disorder)), stat, errmsg)
         return
      end if
      status = legato_tmm_create(handle_of(context), params, size(energy, kind=c_int64_t), energy, disorder, &
                                 this%own%handle)
      call this%own%keep('legato_tmm', legato_tmm_destroy, handle_of(context), status, stat, errmsg)
   end subroutine tmm_create

   subroutine tmm_destroy(this)
      class(legato_tmm), intent(inout) :: this

      call this%own%destroy()
   end subroutine tmm_destroy

   ! Until every point has ended, or `progress` stops it.
   subroutine tmm_run(this, progress, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      procedure(tmm_progress), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      type(c_funptr) :: callback

      callback = callback_for(progress, user)
      call this%own%report(legato_tmm_run(this%own%handle, callback, c_loc(user)), stat, errmsg)
   end subroutine tmm_run

   ! Up to `cycles` cycles further for every point in work; `finished` counts the points that have ended.
   subroutine tmm_advance(this, cycles, finished, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      integer(c_int64_t), intent(in) :: cycles
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call this%own%report(legato_tmm_advance(this%own%handle, cycles, finished), stat, errmsg)
   end subroutine tmm_advance

   ! Number of points, and of exponents that each has.
   subroutine tmm_size(this, points, exponents, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(out) :: points, exponents
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      points = 0
      exponents = 0
      call this%own%report(legato_tmm_size(this%own%handle, points, exponents), stat, errmsg)
   end subroutine tmm_size

   ! Point `index` (from 1) as it stands; exponents per slice, smallest first, and their relative standard errors, as many
   ! as the arrays take, which must have the same size.
   subroutine tmm_result(this, index, point, exponents, errors, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_tmm_point), intent(out) :: point
      real(c_double), intent(inout), optional :: exponents(:), errors(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: x(:), e(:)
      integer(c_int64_t) :: n, points, each
      integer(c_int32_t) :: status

      n = 0
      if (present(errors)) n = size(errors)
      if (present(exponents)) n = size(exponents)
      if (present(errors)) then
         if (size(errors) /= n) then
            call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.result: exponents has '//decimal(n)// &
                        ' elements and errors '//decimal(size(errors)), stat, errmsg)
            return
         end if
      end if
      if (c_associated(this%own%handle)) then
         status = legato_tmm_size(this%own%handle, points, each)
         if (outside('tmm.result.index', index, points, stat, errmsg)) return
      end if
      allocate (x(n), e(n))
      point = legato_tmm_point(c_sizeof(point), 0, 0, 0, 0, 0, 0, 0)
      status = legato_tmm_result(this%own%handle, index - 1, point, n, x, e)
      if (status == LEGATO_SUCCESS) then
         if (present(exponents)) exponents = x
         if (present(errors)) errors = e
      end if
      call this%own%report(status, stat, errmsg)
   end subroutine tmm_result

   subroutine tmm_save(this, path, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call this%own%report(legato_tmm_save(this%own%handle, trim(path)//c_null_char), stat, errmsg)
   end subroutine tmm_save

   subroutine tmm_resume(this, context, path, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_tmm_resume(handle_of(context), trim(path)//c_null_char, this%own%handle)
      call this%own%keep('legato_tmm', legato_tmm_destroy, handle_of(context), status, stat, errmsg)
   end subroutine tmm_resume

   ! The parameters in use, for instance after resume.
   subroutine tmm_get_params(this, params, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      type(legato_tmm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = tmm_defaults()
      call this%own%report(legato_tmm_get_params(this%own%handle, params), stat, errmsg)
   end subroutine tmm_get_params

   ! (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one). diagonal(N): E - V; psi_a and psi_b
   ! are N x N, as `layout` says psi(site, state) or psi(state, site).
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
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.multiply.diagonal: '//decimal(n)// &
                     ' elements are not those of a slice of width '//decimal(width), stat, errmsg)
      else if (any(shape(psi_a) /= n) .or. any(shape(psi_b) /= n)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.multiply: psi_a and psi_b are not '//decimal(n)//' x '// &
                     decimal(n), stat, errmsg)
      else
         call report(handle_of(context), legato_tmm_multiply(handle_of(context), int(dimension, c_int32_t), &
            int(width, c_int64_t), int(boundary, c_int32_t), hopping, int(layout, c_int32_t), diagonal, psi_a, psi_b), &
            stat, errmsg)
      end if
   end subroutine tmm_multiply

   ! Orthonormalises the n vectors of 2n components (psi_a over psi_b), in order; log_norms(n): the logarithm of the norm
   ! that was left of each. On LEGATO_NUMERICAL_ERROR psi_a and psi_b are as they were.
   subroutine tmm_orthonormalise(context, layout, psi_a, psi_b, log_norms, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: layout
      real(c_double), intent(inout), contiguous :: psi_a(:, :), psi_b(:, :)
      real(c_double), intent(inout), contiguous :: log_norms(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: n

      n = size(log_norms)
      if (any(shape(psi_a) /= n) .or. any(shape(psi_b) /= n)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.orthonormalise: psi_a and psi_b are not '//decimal(n)//' x '// &
                     decimal(n)//' as log_norms asks', stat, errmsg)
      else
         call report(handle_of(context), legato_tmm_orthonormalise(handle_of(context), int(n, c_int64_t), &
            int(layout, c_int32_t), psi_a, psi_b, log_norms), stat, errmsg)
      end if
   end subroutine tmm_orthonormalise

   ! Arguments as of tmm_multiply.
   subroutine propagation_create(this, context, dimension, width, boundary, hopping, layout, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer, intent(in) :: dimension, width, boundary, layout
      real(c_double), intent(in) :: hopping
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_tmm_propagation_create(handle_of(context), int(dimension, c_int32_t), int(width, c_int64_t), &
         int(boundary, c_int32_t), hopping, int(layout, c_int32_t), this%own%handle)
      if (status == LEGATO_SUCCESS) this%sites = width**(dimension - 1)
      call this%own%keep('legato_tmm_propagation', legato_tmm_propagation_destroy, handle_of(context), status, stat, &
                         errmsg)
   end subroutine propagation_create

   subroutine propagation_destroy(this)
      class(legato_tmm_propagation), intent(inout) :: this

      call this%own%destroy()
      this%sites = 0
   end subroutine propagation_destroy

   ! Takes this slice and the one before, N x N each, and forgets what was queued. Comes before all that follows.
   subroutine propagation_load(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs([shape(current), shape(previous)], 'load: current and previous are not ', stat, errmsg)) return
      call this%own%report(legato_tmm_propagation_load(this%own%handle, current, previous), stat, errmsg)
   end subroutine propagation_load

   ! Queues one multiplication: the current slice becomes the previous one. diagonal(N): E - V.
   subroutine propagation_multiply(this, diagonal, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: diagonal(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs(shape(diagonal), 'multiply: diagonal does not have size ', stat, errmsg)) return
      call this%own%report(legato_tmm_propagation_multiply(this%own%handle, diagonal), stat, errmsg)
   end subroutine propagation_multiply

   ! Does what is queued and orthonormalises; log_norms(N) as of tmm_orthonormalise. On LEGATO_NUMERICAL_ERROR they are
   ! NaN until the next load.
   subroutine propagation_orthonormalise(this, log_norms, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(inout), contiguous :: log_norms(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs(shape(log_norms), 'orthonormalise: log_norms does not have size ', stat, errmsg)) return
      call this%own%report(legato_tmm_propagation_orthonormalise(this%own%handle, log_norms), stat, errmsg)
   end subroutine propagation_orthonormalise

   ! The two slices as they stand, what is queued included.
   subroutine propagation_store(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(in) :: this
      real(c_double), intent(inout), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs([shape(current), shape(previous)], 'store: current and previous are not ', stat, errmsg)) return
      call this%own%report(legato_tmm_propagation_store(this%own%handle, current, previous), stat, errmsg)
   end subroutine propagation_store

   ! Whether an extent is not the number of sites, and then says so. Of one that was not created nothing is known.
   function propagation_differs(this, extents, words, stat, errmsg) result(differs)
      class(legato_tmm_propagation), intent(in) :: this
      integer, intent(in) :: extents(:)
      character(*), intent(in) :: words
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: differs
      character(:), allocatable :: wanted

      differs = c_associated(this%own%handle) .and. any(extents /= this%sites)
      if (.not. differs) return
      wanted = decimal(this%sites)
      if (size(extents) > 1) wanted = wanted//' x '//wanted
      call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.propagation.'//words//wanted, stat, errmsg)
   end function propagation_differs
end module legato_tmm_module
