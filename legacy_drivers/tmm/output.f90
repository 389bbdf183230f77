! Printed output: a line for each point, and on a terminal the progress of the sweep.
module output
   use MyNumbers
   use messages, only: integer_text, print_line, show_progress_line, wants_progress
   implicit none
   private
   public :: WriteOutput, WriteEnd, WriteKept, ShowProgress

contains

   ! Prints the present values of a point that has not ended.
   subroutine WriteOutput(cycles, exponent, error)
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: exponent, error
      character(len=100) :: line

      write (line, '(a,i0,2(a,es24.16e3))') '  k = ', cycles, ' exponent = ', exponent, ' error = ', error
      call print_line(line)
   end subroutine WriteOutput

   ! Prints the result of a point that has ended, converged or not.
   subroutine WriteEnd(iwidth, cycles, DiagDis, Energy, exponent, error, converged)
      integer(ikind), intent(in) :: iwidth
      integer(lkind), intent(in) :: cycles
      real(rkind), intent(in) :: DiagDis, Energy, exponent, error
      logical, intent(in) :: converged
      character(len=200) :: line

      write (line, '(2(a,i0),4(a,es24.16e3),2a)') 'end: width = ', iwidth, ' k = ', cycles, ' disorder = ', DiagDis, &
         ' energy = ', Energy, ' exponent = ', exponent, ' error = ', error, &
         trim(merge(' converged    ', ' not converged', converged))
      call print_line(line)
   end subroutine WriteEnd

   ! Prints the number of points that a restart has found.
   subroutine WriteKept(kept, points, file)
      integer(lkind), intent(in) :: kept, points
      character(*), intent(in) :: file

      call print_line('kept: ' // integer_text(kept) // ' points of ' // integer_text(points) // ' in ' // file)
   end subroutine WriteKept

   ! Shows the progress. This run has computed "fresh" points in "seconds" seconds; "kept" points existed before. The
   ! present point has done "cycles" cycles.
   subroutine ShowProgress(fresh, kept, total, cycles, seconds)
      integer(lkind), intent(in) :: fresh, kept, total, cycles
      real(rkind), intent(in) :: seconds
      integer(lkind) :: left
      character(len=100) :: line

      if (.not. wants_progress()) return
      if (fresh > 0) then
         left = nint(seconds / fresh * (total - kept - fresh), lkind)
         write (line, '(2(i0,a),f0.2,a,i0,a,i0)') kept + fresh, ' of ', total, ' points, ', &
            60 * fresh / seconds, ' a minute, ', left, ' s left, k = ', cycles
      else
         write (line, '(3(i0,a),i0)') kept, ' of ', total, ' points, ', nint(seconds, lkind), ' s, k = ', cycles
      end if
      call show_progress_line(trim(line))
   end subroutine ShowProgress

end module output
