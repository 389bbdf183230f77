! What the user sees: errors, a line a point, the progress line.
module Messages
   use, intrinsic :: iso_c_binding, only: c_int, c_null_char, c_null_ptr
   use, intrinsic :: iso_fortran_env, only: error_unit
   use MyNumbers
   use CStreams, only: dup, fflush, isatty, perror, puts
   implicit none
   private
   public :: Complain, complain_of_c, integer_text, real_text, quoted
   public :: WriteOutput, WriteEnd, WriteKept
   public :: StartMessages, ShowProgress

   logical :: on_terminal = .false., progress_stands = .false.
   integer(lkind) :: started, last_shown     ! on the clock of the progress line

contains

   ! Fails on a closed standard output: its descriptor would go to the next file opened, and the printed lines into that.
   subroutine StartMessages(ierr)
      integer(ikind), intent(out) :: ierr
      integer(c_int), parameter :: standard_output = 1, standard_error = 2

      ierr = merge(1_ikind, 0_ikind, dup(standard_output) < 0)
      if (ierr /= 0) call complain_of_c('standard output')
      on_terminal = isatty(standard_error) == 1
      call system_clock(started)
      last_shown = started
   end subroutine StartMessages

   subroutine Complain(text)
      character(*), intent(in) :: text

      call wipe_progress
      write (error_unit, '(2a)') 'tmsexd: ', text
   end subroutine Complain

   ! The same for a call of the C library that has just failed.
   subroutine complain_of_c(what)
      character(*), intent(in) :: what

      call wipe_progress
      call perror('tmsexd: ' // what // c_null_char)
   end subroutine complain_of_c

   function integer_text(value) result(text)
      integer(lkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(i0)') value
      text = trim(buffer)
   end function integer_text

   function real_text(value) result(text)
      real(rkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(es14.6)') value
      text = trim(adjustl(buffer))
   end function real_text

   ! Foreign text in a message: short, and printable.
   function quoted(text) result(shown_text)
      character(*), intent(in) :: text
      character(:), allocatable :: shown_text
      integer, parameter :: longest = 40
      integer :: i

      shown_text = text(1:min(len(text), longest))
      do i = 1, len(shown_text)
         if (iachar(shown_text(i:i)) < 32 .or. iachar(shown_text(i:i)) > 126) shown_text(i:i) = '?'
      end do
      if (len(text) > longest) shown_text = shown_text // '...'
      shown_text = '"' // shown_text // '"'
   end function quoted

   ! A line for a point that goes on.
   subroutine WriteOutput(cycles, exponent, error, ierr)
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: exponent, error
      integer(ikind), intent(out) :: ierr
      character(len=100) :: line

      write (line, '(a,i0,2(a,es24.16e3))') '  k = ', cycles, ' exponent = ', exponent, ' error = ', error
      call print_line(trim(line), ierr)
   end subroutine WriteOutput

   ! A line for a point that has ended, converged or not.
   subroutine WriteEnd(iwidth, cycles, DiagDis, Energy, exponent, error, converged, ierr)
      integer(ikind), intent(in) :: iwidth
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: DiagDis, Energy, exponent, error
      logical, intent(in) :: converged
      integer(ikind), intent(out) :: ierr
      character(len=200) :: line

      write (line, '(2(a,i0),4(a,es24.16e3),2a)') 'end: width = ', iwidth, ' k = ', cycles, ' disorder = ', DiagDis, &
         ' energy = ', Energy, ' exponent = ', exponent, ' error = ', error, &
         trim(merge(' converged    ', ' not converged', converged))
      call print_line(trim(line), ierr)
   end subroutine WriteEnd

   ! A line for what a restart has found.
   subroutine WriteKept(kept, points, file, ierr)
      integer(lkind), intent(in) :: kept, points
      character(*), intent(in) :: file
      integer(ikind), intent(out) :: ierr

      call print_line('kept: ' // integer_text(kept) // ' points of ' // integer_text(points) // ' in ' // file, ierr)
   end subroutine WriteKept

   ! Flushed, so that a reader of the pipe is up to date and a full disk is noticed.
   subroutine print_line(text, ierr)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: ierr

      call wipe_progress
      ierr = merge(1_ikind, 0_ikind, puts(text // c_null_char) < 0)
      if (ierr == 0) ierr = fflush(c_null_ptr)
      if (ierr /= 0) call complain_of_c('standard output')
   end subroutine print_line

   ! "fresh" points were computed by this run, "kept" ones were there before; the present one has come to "cycles".
   subroutine ShowProgress(fresh, kept, total, cycles)
      integer(lkind), intent(in) :: fresh, kept, total, cycles
      integer(lkind) :: now, rate, left
      real(rkind) :: seconds
      character(len=100) :: line

      if (.not. on_terminal) return     ! a pipe or a file gets no progress line
      call system_clock(now, rate)
      if (now - last_shown < rate / 2) return
      last_shown = now
      seconds = max(real(now - started, rkind) / rate, tiny)
      if (fresh > 0) then
         left = nint(seconds / fresh * (total - kept - fresh), lkind)
         write (line, '(2(i0,a),f0.2,a,i0,a,i0)') kept + fresh, ' of ', total, ' points, ', &
            60 * fresh / seconds, ' a minute, ', left, ' s left, k = ', cycles
      else
         write (line, '(3(i0,a),i0)') kept, ' of ', total, ' points, ', nint(seconds, lkind), ' s, k = ', cycles
      end if
      call wipe_progress
      write (error_unit, '(a)', advance='no') trim(line)
      flush (error_unit)
      progress_stands = .true.
   end subroutine ShowProgress

   subroutine wipe_progress
      character(*), parameter :: carriage_return = achar(13)

      if (progress_stands) write (error_unit, '(3a)', advance='no') carriage_return, repeat(' ', 79), carriage_return
      progress_stands = .false.
   end subroutine wipe_progress

end module Messages
