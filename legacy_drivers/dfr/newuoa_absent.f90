! NEWUOA - stand-in for builds without NLopt. Another minimiser, such as Powell's own, may be linked in its place.
subroutine newuoa(n, x, rhobeg, rhoend, iprint, maxfun, ierr)
   use kinds
   use messages, only: complain
   implicit none
   integer(ikind), intent(in) :: n, iprint, maxfun
   real(rkind), intent(inout) :: x(n)
   real(rkind), intent(in) :: rhobeg, rhoend
   integer(ikind), intent(out) :: ierr

   associate (unused_1 => [n, iprint, maxfun], unused_2 => [rhobeg, rhoend, x])
   end associate
   ierr = 1
   call complain('jobtype = ''bsopt'' needs NLopt, which this program was built without')
end subroutine newuoa
