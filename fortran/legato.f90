! Legato for new Fortran code: a context, and the transfer-matrix method of legato/tmm.h and legato/tmm_steps.h, whose
! headers tell what the arguments mean.
!
! Every procedure takes stat= and errmsg= as the language's own allocate does: without stat an error stops the program
! with the library's message. Energies are in units of the longitudinal hopping, lengths in lattice spacings.
module legato
   use legato_c, c_version => legato_version, c_status_text => legato_status_text
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: legato_context, legato_device_info, legato_progress
   public :: legato_tmm, legato_tmm_params, legato_tmm_point, legato_tmm_propagation
   public :: legato_version, legato_version_number, legato_status_text, legato_logger
   public :: tmm_defaults, tmm_progress, tmm_multiply, tmm_orthonormalise
   public :: LEGATO_SUCCESS, LEGATO_INVALID_ARGUMENT, LEGATO_OUT_OF_MEMORY, LEGATO_NO_DEVICE, LEGATO_DEVICE_ERROR, &
      LEGATO_IO_ERROR, LEGATO_BAD_FILE, LEGATO_CANCELLED, LEGATO_NUMERICAL_ERROR, LEGATO_INTERNAL_ERROR
   public :: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   public :: LEGATO_LOG_SILENT, LEGATO_LOG_ERROR, LEGATO_LOG_WARNING, LEGATO_LOG_INFO, LEGATO_LOG_DEBUG
   public :: LEGATO_TMM_HARD_WALL, LEGATO_TMM_PERIODIC, LEGATO_TMM_ANTIPERIODIC
   public :: LEGATO_TMM_UNIFORM, LEGATO_TMM_UNIFORM_SCALED, LEGATO_TMM_GAUSSIAN
   public :: LEGATO_TMM_LFSR113, LEGATO_TMM_LFSR113_PER_SITE, LEGATO_TMM_PHILOX
   public :: LEGATO_TMM_WAITING, LEGATO_TMM_RUNNING, LEGATO_TMM_CONVERGED, LEGATO_TMM_NOT_CONVERGED, LEGATO_TMM_FAILED
   public :: LEGATO_TMM_SITE_FIRST, LEGATO_TMM_STATE_FIRST

   abstract interface
      ! Called a few times a second; true stops the run with LEGATO_CANCELLED.
      function tmm_progress(progress) result(cancel)
         import :: legato_progress
         type(legato_progress), intent(in) :: progress
         logical :: cancel
      end function tmm_progress

      subroutine legato_logger(level, line)
         integer, intent(in) :: level
         character(*), intent(in) :: line
      end subroutine legato_logger
   end interface

   ! What the C callbacks get as `user`.
   type :: progress_user
      procedure(tmm_progress), pointer, nopass :: call
   end type progress_user
   type :: logger_user
      procedure(legato_logger), pointer, nopass :: call
   end type logger_user

   ! gfortran takes procedures of a C function's name for that function.
   interface legato_version
      procedure :: version
   end interface legato_version
   interface legato_status_text
      procedure :: status_text
   end interface legato_status_text

   ! What a program chooses once. Contexts, runs and propagations cannot be copied: assigning one that was created stops
   ! the program.
   type :: legato_context
      private
      type(c_ptr) :: handle = c_null_ptr
      type(logger_user), pointer :: logger => null()
   contains
      procedure :: create => context_create
      procedure :: destroy => context_destroy
      procedure :: message => context_message
      procedure :: set_logger => context_set_logger
      procedure :: backend => context_backend
      procedure :: device_count => context_device_count
      procedure :: device_info => context_device_info
      procedure, private :: context_copy
      generic :: assignment(=) => context_copy
      final :: context_final
   end type legato_context

   ! A run over a list of (energy, disorder) points. It may outlive its context.
   type :: legato_tmm
      private
      type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
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
      procedure, private :: tmm_copy
      generic :: assignment(=) => tmm_copy
      final :: tmm_final
   end type legato_tmm

   ! The two slices of a loop that stays with the program, kept where the work is done. It may outlive its context.
   type :: legato_tmm_propagation
      private
      type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
      integer :: sites = 0
   contains
      procedure :: create => propagation_create
      procedure :: destroy => propagation_destroy
      procedure :: load => propagation_load
      procedure :: multiply => propagation_multiply
      procedure :: orthonormalise => propagation_orthonormalise
      procedure :: store => propagation_store
      procedure, private :: differs => propagation_differs
      procedure, private :: propagation_copy
      generic :: assignment(=) => propagation_copy
      final :: propagation_final
   end type legato_tmm_propagation

   interface decimal
      procedure :: decimal_short, decimal_long
   end interface decimal

contains

   function version() result(text)
      character(:), allocatable :: text

      text = from_c(c_version())
   end function version

   function status_text(status) result(text)
      integer, intent(in) :: status
      character(:), allocatable :: text

      text = from_c(c_status_text(int(status, c_int32_t)))
   end function status_text

   ! What is absent comes from the environment (LEGATO_BACKEND, LEGATO_DEVICE, LEGATO_NUM_THREADS, LEGATO_LOG) or is the
   ! default of legato/context.h.
   subroutine context_create(this, backend, device, threads, log_level, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in), optional :: backend, device, threads, log_level
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(legato_context_params) :: params
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_context_params_init_sized(params, c_sizeof(params))
      if (present(backend)) params%backend = int(backend, c_int32_t)
      if (present(device)) params%device = int(device, c_int32_t)
      if (present(threads)) params%threads = int(threads, c_int32_t)
      if (present(log_level)) params%log_level = int(log_level, c_int32_t)
      status = legato_context_create(params, this%handle)
      call report(this%handle, status, stat, errmsg)
   end subroutine context_create

   subroutine context_destroy(this)
      class(legato_context), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_context_destroy(this%handle)
      this%handle = c_null_ptr
      if (associated(this%logger)) deallocate (this%logger)
   end subroutine context_destroy

   impure elemental subroutine context_final(this)
      type(legato_context), intent(inout) :: this

      call this%destroy()
   end subroutine context_final

   impure elemental subroutine context_copy(this, other)
      class(legato_context), intent(inout) :: this
      class(legato_context), intent(in) :: other

      if (c_associated(other%handle)) &
         call finish(int(LEGATO_INVALID_ARGUMENT), 'a legato_context cannot be copied; use a pointer to it')
      call this%destroy()
   end subroutine context_copy

   ! The words of the last error; '' after none.
   function context_message(this) result(message)
      class(legato_context), intent(in) :: this
      character(:), allocatable :: message

      message = from_c(legato_context_message(this%handle))
   end function context_message

   ! Log lines up to `level` go to `logger`, by default to standard error.
   subroutine context_set_logger(this, level, logger, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(in) :: level
      procedure(legato_logger), optional :: logger
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(logger_user), pointer :: user
      integer(c_int32_t) :: status

      user => null()
      if (present(logger)) then
         allocate (user)
         user%call => logger
         status = legato_context_set_logger(this%handle, int(level, c_int32_t), c_funloc(forward_line), c_loc(user))
      else
         status = legato_context_set_logger(this%handle, int(level, c_int32_t), c_null_funptr, c_null_ptr)
      end if
      if (status /= LEGATO_SUCCESS) then
         if (associated(user)) deallocate (user)
      else
         if (associated(this%logger)) deallocate (this%logger)
         this%logger => user
      end if
      call report(this%handle, status, stat, errmsg)
   end subroutine context_set_logger

   ! The backend (LEGATO_BACKEND_CPU or _CUDA) that the last problem made with this context got, and why.
   subroutine context_backend(this, backend, reason, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(out) :: backend
      character(:), allocatable, intent(out), optional :: reason
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: taken, status
      type(c_ptr) :: text

      taken = LEGATO_BACKEND_AUTO
      text = c_null_ptr
      status = legato_context_backend(this%handle, taken, text)
      backend = taken
      if (present(reason)) reason = from_c(text)
      call report(this%handle, status, stat, errmsg)
   end subroutine context_backend

   ! Usable CUDA devices; if there are none, the context's message says why.
   subroutine context_device_count(this, count, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: found, status

      found = 0
      status = legato_context_device_count(this%handle, found)
      count = found
      call report(this%handle, status, stat, errmsg)
   end subroutine context_device_count

   subroutine context_device_info(this, device, info, name, stat, errmsg)
      class(legato_context), intent(in) :: this
      integer, intent(in) :: device
      type(legato_device_info), intent(out), target :: info
      character(:), allocatable, intent(out), optional :: name
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      info%struct_size = c_sizeof(info)
      info%name = c_null_char
      status = legato_context_device_info(this%handle, int(device, c_int32_t), info)
      if (present(name)) name = from_c(c_loc(info%name))
      call report(this%handle, status, stat, errmsg)
   end subroutine context_device_info

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

      call this%destroy()
      if (size(energy) /= size(disorder)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.create: energy has '//decimal(size(energy))// &
                     ' elements and disorder '//decimal(size(disorder)), stat, errmsg)
         return
      end if
      call keep(this%context, context, legato_tmm_create(context%handle, params, size(energy, kind=c_int64_t), energy, &
                                                         disorder, this%handle), stat, errmsg)
   end subroutine tmm_create

   subroutine tmm_destroy(this)
      class(legato_tmm), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_tmm_destroy(this%handle)
      this%handle = c_null_ptr
      this%context = c_null_ptr
   end subroutine tmm_destroy

   impure elemental subroutine tmm_final(this)
      type(legato_tmm), intent(inout) :: this

      call this%destroy()
   end subroutine tmm_final

   impure elemental subroutine tmm_copy(this, other)
      class(legato_tmm), intent(inout) :: this
      class(legato_tmm), intent(in) :: other

      if (c_associated(other%handle)) &
         call finish(int(LEGATO_INVALID_ARGUMENT), 'a legato_tmm cannot be copied; use a pointer to it, or save and resume')
      call this%destroy()
   end subroutine tmm_copy

   ! Until every point has ended, or `progress` stops it.
   subroutine tmm_run(this, progress, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      procedure(tmm_progress), optional :: progress
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(progress_user), target :: user
      integer(c_int32_t) :: status

      if (present(progress)) then
         user%call => progress
         status = legato_tmm_run(this%handle, c_funloc(forward_progress), c_loc(user))
      else
         status = legato_tmm_run(this%handle, c_null_funptr, c_null_ptr)
      end if
      call report(this%context, status, stat, errmsg)
   end subroutine tmm_run

   ! Up to `cycles` cycles further for every point in work; `finished` counts the points that have ended.
   subroutine tmm_advance(this, cycles, finished, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      integer(c_int64_t), intent(in) :: cycles
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call report(this%context, legato_tmm_advance(this%handle, cycles, finished), stat, errmsg)
   end subroutine tmm_advance

   ! Number of points, and of exponents that each has.
   subroutine tmm_size(this, points, exponents, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(out) :: points, exponents
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      points = 0
      exponents = 0
      call report(this%context, legato_tmm_size(this%handle, points, exponents), stat, errmsg)
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
      if (c_associated(this%handle)) then
         status = legato_tmm_size(this%handle, points, each)
         if (index < 1 .or. index > points) then
            call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.result.index: '//decimal(index)//' is not in 1..'// &
                        decimal(points), stat, errmsg)
            return
         end if
      end if
      allocate (x(n), e(n))
      point = legato_tmm_point(c_sizeof(point), 0, 0, 0, 0, 0, 0, 0)
      status = legato_tmm_result(this%handle, index - 1, point, n, x, e)
      if (status == LEGATO_SUCCESS) then
         if (present(exponents)) exponents = x
         if (present(errors)) errors = e
      end if
      call report(this%context, status, stat, errmsg)
   end subroutine tmm_result

   subroutine tmm_save(this, path, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this%context, legato_tmm_save(this%handle, trim(path)//c_null_char), stat, errmsg)
   end subroutine tmm_save

   subroutine tmm_resume(this, context, path, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call this%destroy()
      call keep(this%context, context, legato_tmm_resume(context%handle, trim(path)//c_null_char, this%handle), stat, &
                errmsg)
   end subroutine tmm_resume

   ! The parameters in use, for instance after resume.
   subroutine tmm_get_params(this, params, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      type(legato_tmm_params), intent(out) :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      params = tmm_defaults()
      call report(this%context, legato_tmm_get_params(this%handle, params), stat, errmsg)
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
         call report(context%handle, legato_tmm_multiply(context%handle, int(dimension, c_int32_t), &
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
         call report(context%handle, legato_tmm_orthonormalise(context%handle, int(n, c_int64_t), &
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
      status = legato_tmm_propagation_create(context%handle, int(dimension, c_int32_t), int(width, c_int64_t), &
         int(boundary, c_int32_t), hopping, int(layout, c_int32_t), this%handle)
      if (status == LEGATO_SUCCESS) this%sites = width**(dimension - 1)
      call keep(this%context, context, status, stat, errmsg)
   end subroutine propagation_create

   subroutine propagation_destroy(this)
      class(legato_tmm_propagation), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_tmm_propagation_destroy(this%handle)
      this%handle = c_null_ptr
      this%context = c_null_ptr
      this%sites = 0
   end subroutine propagation_destroy

   impure elemental subroutine propagation_final(this)
      type(legato_tmm_propagation), intent(inout) :: this

      call this%destroy()
   end subroutine propagation_final

   impure elemental subroutine propagation_copy(this, other)
      class(legato_tmm_propagation), intent(inout) :: this
      class(legato_tmm_propagation), intent(in) :: other

      if (c_associated(other%handle)) &
         call finish(int(LEGATO_INVALID_ARGUMENT), 'a legato_tmm_propagation cannot be copied; use a pointer to it')
      call this%destroy()
   end subroutine propagation_copy

   ! Takes this slice and the one before, N x N each, and forgets what was queued. Comes before all that follows.
   subroutine propagation_load(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs([shape(current), shape(previous)], 'load: current and previous are not ', stat, errmsg)) return
      call report(this%context, legato_tmm_propagation_load(this%handle, current, previous), stat, errmsg)
   end subroutine propagation_load

   ! Queues one multiplication: the current slice becomes the previous one. diagonal(N): E - V.
   subroutine propagation_multiply(this, diagonal, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(in), contiguous :: diagonal(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs(shape(diagonal), 'multiply: diagonal does not have size ', stat, errmsg)) return
      call report(this%context, legato_tmm_propagation_multiply(this%handle, diagonal), stat, errmsg)
   end subroutine propagation_multiply

   ! Does what is queued and orthonormalises; log_norms(N) as of tmm_orthonormalise. On LEGATO_NUMERICAL_ERROR they are
   ! NaN until the next load.
   subroutine propagation_orthonormalise(this, log_norms, stat, errmsg)
      class(legato_tmm_propagation), intent(inout) :: this
      real(c_double), intent(inout), contiguous :: log_norms(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs(shape(log_norms), 'orthonormalise: log_norms does not have size ', stat, errmsg)) return
      call report(this%context, legato_tmm_propagation_orthonormalise(this%handle, log_norms), stat, errmsg)
   end subroutine propagation_orthonormalise

   ! The two slices as they stand, what is queued included.
   subroutine propagation_store(this, current, previous, stat, errmsg)
      class(legato_tmm_propagation), intent(in) :: this
      real(c_double), intent(inout), contiguous :: current(:, :), previous(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (this%differs([shape(current), shape(previous)], 'store: current and previous are not ', stat, errmsg)) return
      call report(this%context, legato_tmm_propagation_store(this%handle, current, previous), stat, errmsg)
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

      differs = c_associated(this%handle) .and. any(extents /= this%sites)
      if (.not. differs) return
      wanted = decimal(this%sites)
      if (size(extents) > 1) wanted = wanted//' x '//wanted
      call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.propagation.'//words//wanted, stat, errmsg)
   end function propagation_differs

   ! From C to the program's own procedures.
   function forward_progress(user, progress) bind(c) result(stop)
      type(c_ptr), value :: user
      type(legato_progress), intent(in) :: progress
      integer(c_int) :: stop
      type(progress_user), pointer :: program

      call c_f_pointer(user, program)
      stop = merge(1, 0, program%call(progress))
   end function forward_progress

   subroutine forward_line(user, level, line) bind(c)
      type(c_ptr), value :: user
      integer(c_int32_t), value :: level
      character(kind=c_char), intent(in), target :: line(*)
      type(logger_user), pointer :: program

      call c_f_pointer(user, program)
      call program%call(int(level), from_c(c_loc(line)))
   end subroutine forward_line

   ! A handle has its context's message only where it was made: otherwise nothing keeps the context.
   subroutine keep(kept, context, status, stat, errmsg)
      type(c_ptr), intent(inout) :: kept
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) kept = context%handle
      call report(context%handle, status, stat, errmsg)
   end subroutine keep

   subroutine report(context, status, stat, errmsg)
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) then
         if (present(stat)) stat = 0
      else if (c_associated(context)) then
         call finish(int(status), from_c(legato_context_message(context)), stat, errmsg)
      else
         call finish(int(status), 'used before it was created', stat, errmsg)
      end if
   end subroutine report

   subroutine finish(status, message, stat, errmsg)
      integer, intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) then
         write (error_unit, '(2a)') 'legato: ', message
         flush (error_unit) ! before the run-time library writes its own
         error stop 1, quiet=.true.
      end if
      stat = status
      if (present(errmsg)) errmsg = message
   end subroutine finish

   function decimal_short(number) result(digits)
      integer, intent(in) :: number
      character(:), allocatable :: digits

      digits = decimal(int(number, c_int64_t))
   end function decimal_short

   function decimal_long(number) result(digits)
      integer(c_int64_t), intent(in) :: number
      character(:), allocatable :: digits
      character(20) :: buffer

      write (buffer, '(i0)') number
      digits = trim(buffer)
   end function decimal_long

   function from_c(text) result(string)
      type(c_ptr), intent(in) :: text
      character(:), allocatable :: string
      character(kind=c_char), pointer :: characters(:)
      integer :: length

      if (.not. c_associated(text)) then
         string = ''
         return
      end if
      call c_f_pointer(text, characters, [65536])
      length = 0
      do while (characters(length + 1) /= c_null_char)
         length = length + 1
      end do
      allocate (character(length) :: string)
      string = transfer(characters(:length), string)
   end function from_c
end module legato
