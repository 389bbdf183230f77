! Legato for new Fortran code: a context, and the transfer-matrix method of legato/tmm.h.
!
! Every procedure takes stat= and errmsg= as the language's own allocate does: without stat an error stops the program
! with the library's message. Energies are in units of the longitudinal hopping, lengths in lattice spacings.
module legato
   use legato_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: legato_context, legato_tmm, legato_tmm_params, legato_tmm_point, legato_version_number
   public :: LEGATO_SUCCESS, LEGATO_INVALID_ARGUMENT, LEGATO_OUT_OF_MEMORY, LEGATO_NO_DEVICE, LEGATO_DEVICE_ERROR, &
      LEGATO_IO_ERROR, LEGATO_BAD_FILE, LEGATO_CANCELLED, LEGATO_NUMERICAL_ERROR, LEGATO_INTERNAL_ERROR
   public :: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   public :: LEGATO_TMM_HARD_WALL, LEGATO_TMM_PERIODIC, LEGATO_TMM_ANTIPERIODIC
   public :: LEGATO_TMM_UNIFORM, LEGATO_TMM_UNIFORM_SCALED, LEGATO_TMM_GAUSSIAN
   public :: LEGATO_TMM_LFSR113, LEGATO_TMM_LFSR113_PER_SITE, LEGATO_TMM_PHILOX
   public :: LEGATO_TMM_WAITING, LEGATO_TMM_RUNNING, LEGATO_TMM_CONVERGED, LEGATO_TMM_NOT_CONVERGED, LEGATO_TMM_FAILED
   public :: tmm_defaults

   ! What a program chooses once. Backend, device, threads and log level come from the environment: LEGATO_BACKEND,
   ! LEGATO_DEVICE, LEGATO_NUM_THREADS, LEGATO_LOG.
   type :: legato_context
      private
      type(c_ptr) :: handle = c_null_ptr
   contains
      procedure :: create => context_create
      procedure :: backend => context_backend
      final :: context_destroy
   end type legato_context

   ! A list of (energy, disorder) points. Its context must outlive it.
   type :: legato_tmm
      private
      type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
   contains
      procedure :: create => tmm_create
      procedure :: run => tmm_run
      procedure :: advance => tmm_advance
      procedure :: result => tmm_result
      procedure :: save => tmm_save
      procedure :: resume => tmm_resume
      final :: tmm_destroy
   end type legato_tmm

contains

   subroutine context_create(this, stat, errmsg)
      class(legato_context), intent(inout) :: this
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_context_destroy(this%handle)
      status = legato_context_create(c_null_ptr, this%handle)
      call report(this%handle, status, stat, errmsg)
   end subroutine context_create

   subroutine context_destroy(this)
      type(legato_context), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_context_destroy(this%handle)
      this%handle = c_null_ptr
   end subroutine context_destroy

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
      status = legato_context_backend(this%handle, taken, text)
      backend = taken
      if (present(reason)) then
         reason = ''
         if (status == LEGATO_SUCCESS) reason = from_c(text)
      end if
      call report(this%handle, status, stat, errmsg)
   end subroutine context_backend

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

      if (c_associated(this%handle)) status = legato_tmm_destroy(this%handle)
      this%handle = c_null_ptr
      this%context = context%handle
      if (size(energy) /= size(disorder)) then
         call finish(int(LEGATO_INVALID_ARGUMENT), 'tmm.create: energy and disorder differ in size', stat, errmsg)
         return
      end if
      status = legato_tmm_create(context%handle, params, size(energy, kind=c_int64_t), energy, disorder, this%handle)
      call report(this%context, status, stat, errmsg)
   end subroutine tmm_create

   subroutine tmm_destroy(this)
      type(legato_tmm), intent(inout) :: this
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_tmm_destroy(this%handle)
      this%handle = c_null_ptr
   end subroutine tmm_destroy

   ! Until every point has ended.
   subroutine tmm_run(this, stat, errmsg)
      class(legato_tmm), intent(inout) :: this
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this%context, legato_tmm_run(this%handle, c_null_funptr, c_null_ptr), stat, errmsg)
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

   ! Point `index` (from 1) as it stands; exponents per slice, smallest first, and their relative standard errors, as many
   ! as the smaller array takes.
   subroutine tmm_result(this, index, point, exponents, errors, stat, errmsg)
      class(legato_tmm), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_tmm_point), intent(out) :: point
      real(c_double), intent(out) :: exponents(:), errors(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: x(:), e(:)
      integer(c_int64_t) :: n

      n = min(size(exponents), size(errors))
      allocate (x(max(n, 1_c_int64_t)), e(max(n, 1_c_int64_t)), source=0.0_c_double)
      point = legato_tmm_point(c_sizeof(point), 0, 0, 0, 0, 0, 0, 0)
      exponents = 0
      errors = 0
      call report(this%context, legato_tmm_result(this%handle, index - 1, point, n, x, e), stat, errmsg)
      exponents(:n) = x(:n)
      errors(:n) = e(:n)
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
      integer(c_int32_t) :: status

      if (c_associated(this%handle)) status = legato_tmm_destroy(this%handle)
      this%context = context%handle
      status = legato_tmm_resume(context%handle, trim(path)//c_null_char, this%handle)
      call report(this%context, status, stat, errmsg)
   end subroutine tmm_resume

   subroutine report(context, status, stat, errmsg)
      type(c_ptr), intent(in) :: context
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status == LEGATO_SUCCESS) then
         if (present(stat)) stat = 0
      else
         call finish(int(status), from_c(legato_context_message(context)), stat, errmsg)
      end if
   end subroutine report

   subroutine finish(status, message, stat, errmsg)
      integer, intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) then
         write (error_unit, '(2a)') 'legato: ', message
         error stop 1
      end if
      stat = status
      if (present(errmsg)) errmsg = message
   end subroutine finish

   function from_c(text) result(string)
      type(c_ptr), intent(in) :: text
      character(:), allocatable :: string
      character(kind=c_char), pointer :: characters(:)
      integer :: length

      call c_f_pointer(text, characters, [65536])
      length = 0
      do while (characters(length + 1) /= c_null_char)
         length = length + 1
      end do
      allocate (character(length) :: string)
      string = transfer(characters(:length), string)
   end function from_c
end module legato
