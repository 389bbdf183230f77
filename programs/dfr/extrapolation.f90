! Limits of sequences that converge geometrically, with estimates of their errors.
module extrapolation
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use kinds
   implicit none
   private
   public :: estimate, extrapolated

   type estimate
      real(rkind) :: value = zero, error = zero
   end type estimate

   real(rkind), parameter :: rounding = 1.0e-12_rkind     ! the accuracy to which an energy converges (energy_threshold)

contains

   ! Returns the limit of at least three values, and an estimate of its error that is rather too large. If the last
   ! difference is at most half the one before it, the limit is extrapolated (A. C. Aitken, Proc. R. Soc. Edinburgh 46, 289
   ! (1926)), and its error is the last difference. Otherwise the last values differ by rounding errors.
   pure function extrapolated(values) result(limit)
      real(rkind), intent(in) :: values(:)
      type(estimate) :: limit
      real(rkind) :: last, before
      integer :: n

      n = size(values)
      if (n < 3) then
         limit = estimate(ieee_value(zero, ieee_quiet_nan), ieee_value(zero, ieee_quiet_nan))
         return
      end if
      last = values(n) - values(n - 1)
      before = values(n - 1) - values(n - 2)
      if (abs(last) <= 0.5_rkind * abs(before) .and. abs(before) > zero) then
         limit = estimate(values(n) + last * last / (before - last), abs(last))
      else
         limit = estimate(values(n - 1), abs(last) + abs(before))
      end if
      limit%error = limit%error + rounding * abs(limit%value)
   end function extrapolated

end module extrapolation
