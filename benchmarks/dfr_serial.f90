! Runs the serial dfratom routines for the benchmark: one calculation, beginning with the input file, without output.
subroutine serial_dfr(name, length, energy, iterations, seconds, failed) bind(c)
   use, intrinsic :: iso_c_binding
   use kinds
   use ctlpar, only: lprint
   use result, only: etot, lconv, niter
   implicit none
   integer(c_int), value :: length
   character(kind=c_char), intent(in) :: name(length)
   real(c_double), intent(out) :: energy, seconds
   integer(c_int), intent(out) :: iterations, failed
   character(len=length) :: input
   integer(ikind) :: ierr
   integer(lkind) :: start, finish, rate
   external :: intin, calc_parameters, bsnorm, eint1, eint2, guess, scfiter

   failed = 1
   input = transfer(name, input)
   lprint = .false.
   call system_clock(start, rate)
   call intin(input, ierr)
   if (ierr /= 0) return
   call calc_parameters
   call bsnorm
   call eint1(ierr)
   if (ierr == 0) call eint2(ierr)
   if (ierr == 0) call guess(ierr)
   if (ierr == 0) call scfiter(ierr)
   call system_clock(finish)
   seconds = real(finish - start, rkind) / rate
   energy = etot
   iterations = niter
   if (ierr == 0 .and. lconv) failed = 0
end subroutine serial_dfr
