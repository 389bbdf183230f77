! Runs that compute moments. They can be saved, stopped and resumed.
module spectra_runs
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use legato
   use library_errors
   use messages
   use part_files, only: leave_files
   use run_control, only: clock, stop_on
   use save_clocks
   use spectra_method
   use spectra_tables, only: put_text
   implicit none
   private
   public :: control, compute_moments, complete_run, check_same, state_path, put_run

   type control
      character(:), allocatable :: state      ! beginning of the names of state files; unallocated: none
      real(rkind) :: began = zero, seconds = huge(zero)
   end type control

   integer(lkind), parameter :: sites_mould(1) = 0

   ! What the progress line tells.
   character(:), allocatable, save :: task_of_progress

contains

   ! Computes all moments of a task: of random vectors, of sites, or of wave vectors.
   subroutine compute_moments(kpm, task, context, hamiltonian, given, limits, sites, waves)
      type(legato_kpm), intent(inout) :: kpm
      character(*), intent(in) :: task
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(method), intent(in) :: given
      type(control), intent(in) :: limits
      integer(lkind), intent(in), optional :: sites(:)
      real(rkind), intent(in), contiguous, optional :: waves(:, :)
      type(legato_kpm_params) :: params
      character(:), allocatable :: path
      character(len=400) :: message
      integer :: stat
      logical :: resumed

      message = ''
      params = given%params
      if (present(sites)) params%start_vectors = LEGATO_KPM_START_VECTORS_SITES
      if (present(waves)) params%start_vectors = LEGATO_KPM_START_VECTORS_WAVES
      if (present(sites)) then
         path = state_path(limits, task // checksum_of(sites), resumed)
      else if (present(waves)) then
         path = state_path(limits, task // checksum_of(transfer(waves, sites_mould, size(waves))), resumed)
      else
         path = state_path(limits, task, resumed)
      end if
      if (resumed) then
         call kpm%resume(context, path, hamiltonian, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
         call check_same(kpm, params, path)
      else if (present(waves)) then
         call kpm%create(context, hamiltonian, given%params, wave_vectors=waves, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
      else
         call kpm%create(context, hamiltonian, given%params, sites, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
      end if
      call complete_run(kpm, task, limits, path)
   end subroutine compute_moments

   ! Returns the name of the state file of a run, or an empty text, and whether the file exists.
   function state_path(limits, run, exists) result(path)
      type(control), intent(in) :: limits
      character(*), intent(in) :: run
      logical, intent(out) :: exists
      character(:), allocatable :: path

      path = ''
      exists = .false.
      if (.not. allocated(limits%state)) return
      path = limits%state // '-' // run // '.h5'
      inquire (file=path, exist=exists)
   end function state_path

   ! Runs until all samples are finished. If the path is not empty, the state is saved there.
   subroutine complete_run(run, task, limits, path)
      class(legato_resumable_run), intent(inout) :: run
      character(*), intent(in) :: task, path
      type(control), intent(in) :: limits
      character(len=400) :: message
      integer :: stat

      if (len(path) > 0) then
         call run_and_save(run, task, limits, path)
      else
         task_of_progress = task
         message = ''
         call run%run(show_progress, stat=stat, errmsg=message)
         call wipe_progress_line
         call stop_on_library(stat, message)
      end if
   end subroutine complete_run

   ! Returns a checksum of sites or wave vectors for the name of a state file: FNV-1a of their bytes. Without it a run could
   ! be resumed with other ones, because state files do not tell them.
   function checksum_of(words) result(text)
      integer(lkind), intent(in) :: words(:)
      character(:), allocatable :: text
      character(len=17) :: buffer
      integer(lkind) :: hash
      integer :: k, byte

      hash = 2166136261_lkind
      do k = 1, size(words)
         do byte = 0, 7
            hash = iand(ieor(hash, ibits(words(k), 8 * byte, 8)) * 16777619_lkind, 4294967295_lkind)
         end do
      end do
      write (buffer, '(a, z8.8)') '-', hash
      text = trim(buffer)
   end function checksum_of

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      cancel = .false.
      if (wants_progress()) call show_progress_line(task_of_progress // ': ' // integer_text(progress%points_done) // ' of ' // &
         integer_text(progress%points_total) // ' vectors, ' // integer_text(progress%cycles_done) // &
         ' steps of the recursion, ' // integer_text(nint(progress%seconds, lkind)) // ' s')
   end function show_progress

   ! Runs and saves the state now and then, and at the end.
   subroutine run_and_save(run, task, limits, path)
      class(legato_resumable_run), intent(inout) :: run
      character(*), intent(in) :: task, path
      type(control), intent(in) :: limits
      type(legato_kpm_state) :: state
      type(save_clock) :: saves
      integer(lkind) :: done, chunk, start, finish, rate
      real(rkind) :: seconds
      character(len=400) :: message
      integer :: stat
      logical :: due

      state = state_of(run)
      done = state%samples_done
      chunk = 1
      message = ''
      do while (done < state%samples)
         call system_clock(start, rate)
         call advance(run, chunk, done, stat, message)
         call stop_on_library(stat, message)
         call system_clock(finish)
         call saves%ask(due)
         if (due .or. done == state%samples) then
            call save(run, path)
            call saves%saved
         end if
         seconds = clock() - limits%began
         if (done < state%samples .and. seconds > limits%seconds) call stop_in_time(run, task, path)
         if (wants_progress()) call show_progress_line(task // ': ' // integer_text(done) // ' of ' // &
            integer_text(state%samples) // ' vectors, ' // integer_text(nint(seconds, lkind)) // ' s')
         ! A call takes between a quarter of a second and a second. The bound prevents an overflow.
         if (finish - start < rate / 4) chunk = min(2 * chunk, 1000000000_lkind)
         if (finish - start > rate) chunk = max(chunk / 2, 1_lkind)
      end do
      call wipe_progress_line
   end subroutine run_and_save

   ! The functions of a run that its base type does not have.
   subroutine advance(run, blocks, done, stat, message)
      class(legato_resumable_run), intent(inout) :: run
      integer(lkind), intent(in) :: blocks
      integer(lkind), intent(out) :: done
      integer, intent(out) :: stat
      character(*), intent(inout) :: message

      done = 0
      stat = LEGATO_STATUS_INTERNAL_ERROR
      select type (run)
      type is (legato_kpm)
         call run%advance(blocks, done, stat, message)
      type is (legato_kpm_correlation)
         call run%advance(blocks, done, stat, message)
      end select
   end subroutine advance

   function state_of(run) result(state)
      class(legato_resumable_run), intent(in) :: run
      type(legato_kpm_state) :: state

      select type (run)
      type is (legato_kpm)
         call run%get_state(state)
      type is (legato_kpm_correlation)
         call run%get_state(state)
      end select
   end function state_of

   function params_of(run) result(params)
      class(legato_resumable_run), intent(in) :: run
      type(legato_kpm_params) :: params

      select type (run)
      type is (legato_kpm)
         call run%get_params(params)
      type is (legato_kpm_correlation)
         call run%get_params(params)
      end select
   end function params_of

   subroutine save(run, path)
      class(legato_resumable_run), intent(in) :: run
      character(*), intent(in) :: path
      character(len=400) :: message
      integer :: stat

      message = ''
      call run%save(path, stat, message)
      call stop_on_library(stat, message)
   end subroutine save

   subroutine stop_in_time(run, task, path)
      class(legato_resumable_run), intent(in) :: run
      character(*), intent(in) :: task, path

      call save(run, path)
      call complain('the time is over in [' // task // ']; the same command goes on')
      call leave_files
      stop 2, quiet=.true.
   end subroutine stop_in_time

   ! Stops the program if the file has another run.
   subroutine check_same(run, wanted, path)
      class(legato_resumable_run), intent(in) :: run
      type(legato_kpm_params), intent(in) :: wanted
      character(*), intent(in) :: path
      type(legato_kpm_params) :: found

      found = params_of(run)
      if (all(wanted%start_vectors /= [LEGATO_KPM_START_VECTORS_SITES, LEGATO_KPM_START_VECTORS_WAVES])) then
         call compare(path, 'vectors', integer_text(found%vectors), integer_text(wanted%vectors))
      else
         found%vectors = wanted%vectors     ! it is not used
      end if
      call compare(path, 'moments', integer_text(found%moments), integer_text(wanted%moments))
      call compare(path, 'realisations', integer_text(found%realisations), integer_text(wanted%realisations))
      call compare(path, 'seed', integer_text(found%seed), integer_text(wanted%seed))
      call compare(path, 'margin', real_text(found%margin), real_text(wanted%margin))
      if (any(transfer(found, [0_int8]) /= transfer(wanted, [0_int8]))) call other_run(path, &
         'other parameters differ, such as bounds, start_vectors or precision')
   end subroutine check_same

   subroutine compare(path, what, found, wanted)
      character(*), intent(in) :: path, what, found, wanted

      if (found /= wanted) call other_run(path, what // ' ' // found // ' there, ' // wanted // ' here')
   end subroutine compare

   subroutine other_run(path, what)
      character(*), intent(in) :: path, what

      call complain(quoted(path) // ' has another run: ' // what)
      call stop_on(1_ikind)
   end subroutine other_run

   ! Writes lines of comment into the table: what has been run.
   subroutine put_run(run, given)
      class(legato_resumable_run), intent(in) :: run
      type(method), intent(in) :: given
      type(method) :: used
      type(legato_kpm_state) :: state

      used = given
      used%params = params_of(run)
      state = state_of(run)
      call put_text(method_text(used))
      call put_text('sites ' // integer_text(state%sites) // ', energy interval ' // &
                    real_text(state%centre - state%half_width) // ' .. ' // real_text(state%centre + state%half_width))
      call put_text('status: ' // integer_text(state%samples_done) // ' of ' // integer_text(state%samples) // &
                    ' samples, backend ' // trim(merge('cuda', 'cpu ', state%backend == LEGATO_BACKEND_CUDA)))
   end subroutine put_run

end module spectra_runs
