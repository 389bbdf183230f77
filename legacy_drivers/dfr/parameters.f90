! Coefficients of the exchange integrals.
module coupling_coefficients
   use kinds
   implicit none
   private
   public :: b_nu, factorial

contains

   ! Returns the square of the 3j symbol by Racah's formula. j1 and j2 are twice the angular momenta.
   pure function b_nu(j1, nu, j2) result(square)
      integer(ikind), intent(in) :: j1, nu, j2
      real(rkind) :: square, total, term
      integer(ikind) :: t, d(5)

      total = zero
      do t = 0, (j1 + 2*nu + j2) / 2
         d = [(j1 + 2*nu - j2) / 2 - t, (j1 - 1) / 2 - t, nu - t, (j2 - 2*nu + 1) / 2 + t, (j2 - j1) / 2 + t]
         if (any(d < 0)) cycle
         term = factorial(t) * factorial(d(1)) * factorial(d(2)) * factorial(d(3)) * factorial(d(4)) * factorial(d(5))
         total = total + merge(-one, one, mod(t, 2) == 1) / term
      end do
      square = total**2 * factorial((j1 + 2*nu - j2) / 2) * factorial((j1 - 2*nu + j2) / 2) * &
         factorial((2*nu + j2 - j1) / 2) / factorial((j1 + 2*nu + j2) / 2 + 1) * factorial((j1 + 1) / 2) * &
         factorial((j1 - 1) / 2) * factorial(nu)**2 * factorial((j2 + 1) / 2) * factorial((j2 - 1) / 2)
   end function b_nu

   pure function factorial(n) result(product_of_all)
      integer(ikind), intent(in) :: n
      real(rkind) :: product_of_all
      integer(ikind) :: i

      product_of_all = one
      do i = 2, n
         product_of_all = product_of_all * i
      end do
   end function factorial

end module coupling_coefficients

! CALC_PARAMETERS - quantum numbers of the symmetries, numbers of their pairs, and the results of bcoef and setvc.
subroutine calc_parameters
   use kinds
   use baspar
   implicit none

   interface
      subroutine bcoef
      end subroutine bcoef

      subroutine setvc
      end subroutine setvc
   end interface

   integer(ikind) :: l

   lpair(1) = 0
   do l = 1, nsym
      kappa(l) = merge(-(l + 1) / 2, l / 2, mod(l, 2) == 1)
      lqn(l) = l / 2
      jqn2(l) = 2 * ((l - 1) / 2) + 1
      ndeg(l) = jqn2(l) + 1
      lpair(l + 1) = lpair(l) + (nbs(l) * (nbs(l) + 1)) / 2
   end do
   nbsmax = maxval(nbs(:nsym))
   norder = 2 * nbsmax
   call bcoef
   call setvc
end subroutine calc_parameters

! BCOEF - coefficients b_nu = (j nu j'; 1/2 0 -1/2)^2 of the exchange integrals, and with them the tables of module
! bcoefs. The integrals between pairs with powers m and m' of r and sums of exponents p and q are
!    R^nu = W((m-nu-2)/2, (m'+nu)/2; p, q) + W((m'-nu-2)/2, (m+nu)/2; q, p),
!    W(i, k; p, q) = i!/(4 p^(i+1)) s^(-k-1/2) sum over j = 0..i of (p/s)^j Gamma(k+j+1/2)/j!,    s = p + q,
! Therefore W s^((m+m'+1)/2) is a polynomial in s/p with positive coefficients, and the sum over nu is another one.
subroutine bcoef
   use kinds
   use baspar
   use bcoefs
   use coupling_coefficients
   implicit none
   integer(ikind) :: l, m, a, b, nu, lsum

   fexch = zero
   fcoul = zero
   ndgx = 0
   ndgc = 0
   do l = 1, nsym
      ndgc(:, l) = [(lqn(l) + a, a = 0, 2)]
      do m = 1, nsym
         lsum = lqn(l) + lqn(m)
         do b = 0, 2
            do a = 0, 2
               call add_w(one, lqn(l) + a - 1, lqn(m) + b, fcoul(:, a, b, l, m))
               do nu = abs(jqn2(l) - jqn2(m)) / 2, (jqn2(l) + jqn2(m)) / 2
                  if (mod(lsum + nu, 2) /= 0) cycle
                  ndgx(a, l, m) = max(ndgx(a, l, m), (lsum - nu) / 2 + a)
                  call add_w(b_nu(jqn2(l), nu, jqn2(m)), (lsum - nu) / 2 + a - 1, (lsum + nu) / 2 + b, fexch(:, a, b, l, m))
               end do
            end do
         end do
      end do
   end do

contains

   subroutine add_w(factor, i, k, polynomial)
      real(rkind), intent(in) :: factor
      integer(ikind), intent(in) :: i, k
      real(rkind), intent(inout) :: polynomial(:)
      integer(ikind) :: j

      do j = 0, i
         polynomial(i + 1 - j) = polynomial(i + 1 - j) + &
            factor / 4 * factorial(i) * gamma(k + j + half) / factorial(j)
      end do
   end subroutine add_w

end subroutine bcoef
