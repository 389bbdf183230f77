! Tables of normalised localisation lengths for several widths. Each width is a run of its own, with all its points at
! the same time. A run may be saved, stopped and resumed.

program tmm_lengths
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use legato
   use library_errors
   use lengths_options
   use messages
   use run_control
   use save_clocks
   implicit none

   type(options) :: given
   type(legato_context) :: context
   integer(ikind) :: ierr
   integer :: i, stat
   character(len=400) :: message
   integer(lkind) :: not_converged = 0
   real(rkind) :: began

   began = clock()
   call begin_run('tmm_lengths')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   call context%create(stat=stat, errmsg=message)
   call stop_on_library(stat, message)
   call print_heading
   call stop_on_lost_output
   do i = 1, size(given%widths)
      call compute(nint(given%widths(i), lkind))
   end do
   if (not_converged > 0) then
      call complain(integer_text(not_converged) // ' of ' // integer_text(size(given%widths, kind=lkind) * size(given%energy)) // &
                    ' points have not converged; the table says why in comments')
      call stop_on(1_ikind)
   end if

contains

   subroutine compute(width)
      integer(lkind), intent(in) :: width
      type(legato_tmm) :: tmm
      character(:), allocatable :: path
      logical :: resumed

      resumed = .false.
      path = ''
      if (allocated(given%state)) then
         path = given%state // '-' // integer_text(width) // '.h5'
         inquire (file=path, exist=resumed)
      end if
      if (resumed) then
         call tmm%resume(context, path, stat, message)
         call stop_on_library(stat, message)
         call check_same(tmm, width, path)
      else
         call tmm%create(context, params_of(width), given%energy, given%disorder, stat, message)
         call stop_on_library(stat, message)
      end if
      call run(tmm, width, path)
      call print_rows(tmm, width)
      call stop_on_lost_output
   end subroutine compute

   ! Each width has a seed of its own. With the same seed, sites of different widths would have the same energies.
   function params_of(width) result(params)
      integer(lkind), intent(in) :: width
      type(legato_tmm_params) :: params

      params = given%params
      params%width = width
      params%seed = 4096 * params%seed + width - 1
   end function params_of

   ! Stops the program if the file has another run.
   subroutine check_same(tmm, width, path)
      type(legato_tmm), intent(in) :: tmm
      integer(lkind), intent(in) :: width
      character(*), intent(in) :: path
      type(legato_tmm_params) :: found, wanted
      type(legato_tmm_point) :: point
      type(setting) :: there(settings), here(settings)
      integer(lkind) :: points, exponents, k

      call tmm%get_params(found)
      wanted = params_of(width)
      there = settings_of(found)
      here = settings_of(wanted)
      do k = 1, settings
         call compare(path, option_of(here(k)), trim(there(k)%text), trim(here(k)%text))
      end do
      if (any(transfer(found, [0_int8]) /= transfer(wanted, [0_int8]))) then
         call complain(quoted(path) // ' has a run that is not of tmm_lengths: other parameters differ, such as burn_in or rule')
         call stop_on(1_ikind)
      end if
      call tmm%size(points, exponents)
      call compare(path, 'number of points', integer_text(points), integer_text(size(given%energy, kind=lkind)))
      do k = 1, points
         call tmm%result(k, point)
         call compare(path, 'point ' // integer_text(k) // ': --disorder', real_text(point%disorder), &
                      real_text(given%disorder(k)))
         call compare(path, 'point ' // integer_text(k) // ': --energy', real_text(point%energy), real_text(given%energy(k)))
      end do
   end subroutine check_same

   function option_of(given) result(text)
      type(setting), intent(in) :: given
      character(:), allocatable :: text

      text = '--' // trim(given%name)
      if (given%name == 'M') text = 'M ='
   end function option_of

   subroutine compare(path, what, found, wanted)
      character(*), intent(in) :: path, what, found, wanted

      if (found == wanted) return
      call complain(quoted(path) // ' has another run: ' // what // ' ' // found // ' there, ' // wanted // ' here')
      call stop_on(1_ikind)
   end subroutine compare

   ! Runs until all points have ended. Saves the state to `path` now and then, and at the end; not if path is empty.
   subroutine run(tmm, width, path)
      type(legato_tmm), intent(inout) :: tmm
      integer(lkind), intent(in) :: width
      character(*), intent(in) :: path
      type(save_clock) :: saves
      integer(lkind) :: points, ended, chunk, start, finish, rate
      real(rkind) :: seconds
      logical :: due

      points = size(given%energy, kind=lkind)
      ended = ended_points(tmm)
      chunk = 1
      do while (ended < points)
         call system_clock(start, rate)
         call tmm%advance(chunk, ended, stat, message)
         call stop_on_library(stat, message)
         call system_clock(finish)
         call saves%ask(due)
         if (len(path) > 0 .and. (due .or. ended == points)) then
            call save(tmm, path)
            call saves%saved
         end if
         seconds = clock() - began
         if (ended < points .and. seconds > given%seconds) call stop_in_time(tmm, width, path)
         if (wants_progress()) call show_progress_line('M = ' // integer_text(width) // ': ' // integer_text(ended) // ' of ' // &
            integer_text(points) // ' points, ' // integer_text(nint(seconds, lkind)) // ' s')
         ! A call takes between a quarter of a second and a second. The bound prevents an overflow if all points end early.
         if (finish - start < rate / 4) chunk = min(2 * chunk, 1000000000_lkind)
         if (finish - start > rate) chunk = max(chunk / 2, 1_lkind)
      end do
   end subroutine run

   function ended_points(tmm) result(ended)
      type(legato_tmm), intent(in) :: tmm
      integer(lkind) :: ended, k
      type(legato_tmm_point) :: point

      ended = 0
      do k = 1, size(given%energy, kind=lkind)
         call tmm%result(k, point)
         if (point%status >= LEGATO_TMM_POINT_STATUS_CONVERGED) ended = ended + 1
      end do
   end function ended_points

   subroutine save(tmm, path)
      type(legato_tmm), intent(in) :: tmm
      character(*), intent(in) :: path

      call tmm%save(path, stat, message)
      call stop_on_library(stat, message)
   end subroutine save

   subroutine stop_in_time(tmm, width, path)
      type(legato_tmm), intent(in) :: tmm
      integer(lkind), intent(in) :: width
      character(*), intent(in) :: path

      call save(tmm, path)
      call complain('the time is over at M = ' // integer_text(width) // '; the same command goes on')
      stop 2, quiet=.true.
   end subroutine stop_in_time

   subroutine print_heading
      character(:), allocatable :: line
      type(setting) :: list(settings)
      integer :: k

      if (given%by_energy) then
         line = 'W = ' // real_text(given%disorder(1))
      else
         line = 'E = ' // real_text(given%energy(1))
      end if
      list = settings_of(params_of(1_lkind))
      do k = 1, settings
         if (list(k)%counts) line = line // ', ' // trim(list(k)%name) // ' ' // trim(list(k)%text)
      end do
      call print_line('# tmm_lengths: ' // line)
      call print_line('#  M  ' // merge('E', 'W', given%by_energy) // repeat(' ', 21) // &
                      'Lambda               error         multiplications')
   end subroutine print_heading

   ! A row that no fit can use becomes a comment: that of a point that has failed, or whose length or error is unknown or
   ! not positive.
   subroutine print_rows(tmm, width)
      type(legato_tmm), intent(in) :: tmm
      integer(lkind), intent(in) :: width
      type(legato_tmm_point) :: point
      character(len=100) :: values
      character(:), allocatable :: control, mark, reason
      real(rkind) :: lambda, error
      integer(lkind) :: k
      logical :: usable

      do k = 1, size(given%energy, kind=lkind)
         call tmm%result(k, point)
         control = real_text(merge(point%energy, point%disorder, given%by_energy))
         lambda = point%localisation_length / width
         error = abs(lambda) * point%relative_error
         usable = ieee_is_finite(lambda) .and. ieee_is_finite(error) .and. lambda > zero .and. error > zero .and. &
            (point%status == LEGATO_TMM_POINT_STATUS_CONVERGED .or. point%status == LEGATO_TMM_POINT_STATUS_NOT_CONVERGED)
         mark = ''
         if (.not. usable) mark = '# '
         reason = ''
         if (point%status /= LEGATO_TMM_POINT_STATUS_CONVERGED) then
            reason = '  # ' // status_text(point%status)
            not_converged = not_converged + 1
         end if
         write (values, '(es17.10, es14.4, i20)') lambda, error, point%cycles * given%params%n_ortho * given%params%replicas
         call print_line(mark // pad(integer_text(width), 5) // ' ' // pad(control, 20) // ' ' // trim(values) // reason)
      end do
   end subroutine print_rows

   ! Returns the text with blanks up to this length. It is never shortened.
   function pad(text, length) result(padded)
      character(*), intent(in) :: text
      integer, intent(in) :: length
      character(:), allocatable :: padded

      padded = text // repeat(' ', max(length - len(text), 0))
   end function pad

   function status_text(status) result(text)
      integer(ikind), intent(in) :: status
      character(:), allocatable :: text

      select case (status)
      case (LEGATO_TMM_POINT_STATUS_FAILED)
         text = 'failed: overflow between two orthonormalisations; take a smaller --n-ortho'
      case (LEGATO_TMM_POINT_STATUS_IMPRECISE)
         text = 'failed: the columns grow too far apart within one multiplication'
      case default
         text = 'not converged'
      end select
   end function status_text

end program tmm_lengths
