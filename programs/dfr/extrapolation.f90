! Limits of sequences of at least three values, with estimates of their errors. An estimate is not less than 1e-12 of the
! limit, the accuracy to which a field converges (energy_threshold).
module extrapolation
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use kinds
   implicit none
   private
   public :: estimate, extrapolated, bracketed

   type estimate
      real(rkind) :: value = zero, error = zero
   end type estimate

   real(rkind), parameter :: rounding = 1.0e-12_rkind

contains

   ! Returns the limit of values that converge geometrically. If the last difference is at most half the one before it, the
   ! limit is extrapolated (A. C. Aitken, Proc. R. Soc. Edinburgh 46, 289 (1926)), and its error is the last difference.
   ! Otherwise the last values differ by rounding errors.
   pure function extrapolated(values) result(limit)
      real(rkind), intent(in) :: values(:)
      type(estimate) :: limit
      real(rkind) :: last, before
      integer :: n

      n = size(values)
      if (n < 3) then
         limit = unknown()
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

   ! Returns the limit of values that converge less regularly: the last but one, because rounding errors grow with the basis.
   ! Its error is five times the range of the last three values. In ions with one electron and Z = 2..118, 2 % of the values
   ! deviated from closed formulas by more than the range, at most by 4.9 times the range.
   pure function bracketed(values) result(limit)
      real(rkind), intent(in) :: values(:)
      type(estimate) :: limit
      integer :: n

      n = size(values)
      limit = unknown()
      if (n < 3) return
      associate (last => values(n - 2:))
         limit = estimate(values(n - 1), 5 * (maxval(last) - minval(last)) + rounding * abs(values(n - 1)))
      end associate
   end function bracketed

   pure function unknown() result(limit)
      type(estimate) :: limit

      limit = estimate(ieee_value(zero, ieee_quiet_nan), ieee_value(zero, ieee_quiet_nan))
   end function unknown

end module extrapolation
