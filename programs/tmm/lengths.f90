! Tables of normalised localisation lengths for several widths. Each width is a run of its own, with all its points at
! the same time. A run may be saved, stopped and resumed.

program tmm_lengths
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use kinds
   use legato
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
   logical :: all_converged
   real(rkind) :: began

   began = clock()
   call begin_run('tmm_lengths')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   call context%create(stat=stat, errmsg=message)
   call stop_on_library(stat, message)
   all_converged = .true.
   call print_heading
   do i = 1, size(given%widths)
      call compute(nint(given%widths(i), lkind))
   end do
   if (.not. all_converged) call stop_on(1_ikind)

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
      type(legato_tmm_params) :: params
      type(legato_tmm_point) :: point
      integer(lkind) :: points, exponents, k

      call tmm%get_params(params)
      if (description(params) /= description(params_of(width))) then
         call complain(path // ' has a run with ' // description(params) // ', not with ' // description(params_of(width)))
         call stop_on(1_ikind)
      end if
      call tmm%size(points, exponents)
      do k = 1, min(points, size(given%energy, kind=lkind))
         call tmm%result(k, point)
         if (abs(point%energy - given%energy(k)) <= zero .and. abs(point%disorder - given%disorder(k)) <= zero) cycle
         call complain(path // ': point ' // integer_text(k) // ' has W = ' // real_text(point%disorder) // ' and E = ' // &
                       real_text(point%energy) // ', not W = ' // real_text(given%disorder(k)) // ' and E = ' // &
                       real_text(given%energy(k)))
         call stop_on(1_ikind)
      end do
      if (points == size(given%energy)) return
      call complain(path // ' has ' // integer_text(points) // ' points, not ' // &
                    integer_text(size(given%energy, kind=lkind)))
      call stop_on(1_ikind)
   end subroutine check_same

   ! All that determines the numbers of a run besides its points.
   function description(params) result(text)
      type(legato_tmm_params), intent(in) :: params
      character(:), allocatable :: text

      text = common_description(params) // ', M = ' // integer_text(params%width) // ', seed ' // integer_text(params%seed)
      if (params%rule /= LEGATO_TMM_RULE_BLOCKS) text = text // ', rule tmsexd'
      if (params%random_stream /= LEGATO_TMM_RANDOM_STREAM_PHILOX) text = text // ', an lfsr113 stream'
   end function description

   function common_description(params) result(text)
      type(legato_tmm_params), intent(in) :: params
      character(:), allocatable :: text

      text = integer_text(params%dimension) // 'D, ' // trim(boundaries(params%boundary)) // ', ' // &
         trim(distributions(params%disorder)) // ', hopping ' // real_text(params%hopping) // ', epsilon ' // &
         real_text(params%epsilon) // ', replicas ' // integer_text(params%replicas) // ', n-ortho ' // &
         integer_text(params%n_ortho) // ', max-multiplications ' // integer_text(params%max_multiplications)
   end function common_description

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
      chunk = 4
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
      character(:), allocatable :: fixed_parameter

      if (given%by_energy) then
         fixed_parameter = 'W = ' // real_text(given%disorder(1))
      else
         fixed_parameter = 'E = ' // real_text(given%energy(1))
      end if
      call print_line('# tmm_lengths: ' // fixed_parameter // ', ' // common_description(given%params) // ', seed ' // &
                      integer_text(given%params%seed))
      call print_line('#  M   ' // merge('E', 'W', given%by_energy) // '                   Lambda             error           ' // &
                      'multiplications')
   end subroutine print_heading

   ! A point without a length or an error becomes a comment, because no fit can use it.
   subroutine print_rows(tmm, width)
      type(legato_tmm), intent(in) :: tmm
      integer(lkind), intent(in) :: width
      type(legato_tmm_point) :: point
      character(len=200) :: line
      character(:), allocatable :: mark, reason
      real(rkind) :: control, lambda
      integer(lkind) :: k

      do k = 1, size(given%energy, kind=lkind)
         call tmm%result(k, point)
         control = merge(point%energy, point%disorder, given%by_energy)
         lambda = point%localisation_length / width
         mark = ''
         reason = ''
         if (point%status /= LEGATO_TMM_POINT_STATUS_CONVERGED) reason = '  # ' // status_text(point%status)
         if (.not. (ieee_is_finite(lambda) .and. ieee_is_finite(point%relative_error))) mark = '# '
         all_converged = all_converged .and. len(reason) == 0
         write (line, '(i4, 2x, a20, es18.10, es14.4, i20)') width, adjustl(real_text(control)), lambda, &
            lambda * point%relative_error, point%cycles * given%params%n_ortho * given%params%replicas
         call print_line(mark // trim(line) // reason)
      end do
   end subroutine print_rows

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

   subroutine stop_on_library(status, text)
      integer, intent(in) :: status
      character(*), intent(in) :: text

      if (status == LEGATO_STATUS_SUCCESS) return
      call complain(trim(text))
      call stop_on(1_ikind)
   end subroutine stop_on_library

end program tmm_lengths
