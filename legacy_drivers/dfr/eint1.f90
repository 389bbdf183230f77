! EINT1 - one-electron integrals over normalised functions. ierr = 1: no memory.
subroutine eint1(ierr)
   use kinds
   use ctlpar
   use baspar
   use oneint
   use messages, only: complain
   implicit none
   integer(ikind), intent(out) :: ierr
   integer(ikind) :: l, n, p, q
   integer :: status
   real(rkind) :: overlap, coefficients(0:2)

   if (allocated(smat)) deallocate (smat, tmat, vmat, hmat)
   allocate (smat(norder, norder, nsym), tmat(norder, norder, nsym), vmat(norder, norder, nsym), &
      hmat(norder, norder, nsym), source=zero, stat=status)
   ierr = merge(1_ikind, 0_ikind, status /= 0)
   if (status /= 0) then
      call complain('no memory for the one-electron integrals')
      return
   end if
   do l = 1, nsym
      n = nbs(l)
      do q = 1, n
         do p = 1, n
            associate (zp => zeta(p, l), zq => zeta(q, l))
               smat(p, q, l) = anorml(p, l) * anorml(q, l) * moment(2*lqn(l) + 2, zp + zq)
               overlap = 4 * zp * zq * anorms(p, l) * anorms(q, l) * moment(2*lqn(l) + 4, zp + zq)
               smat(n + p, n + q, l) = overlap
               if (p == q) then
                  smat(p, q, l) = one
                  smat(n + p, n + q, l) = one
               end if
               tmat(n + p, q, l) = c * anorml(q, l) / anorms(q, l) * overlap
               tmat(q, n + p, l) = tmat(n + p, q, l)
               vmat(p, q, l) = -znuc * anorml(p, l) * anorml(q, l) * attraction([zero, one, zero], zp + zq)
               coefficients = [real(lqn(l) + 1 + kappa(l), rkind)**2, -2 * (zp + zq) * (lqn(l) + 1 + kappa(l)), 4 * zp * zq]
               vmat(n + p, n + q, l) = -znuc * anorms(p, l) * anorms(q, l) * attraction(coefficients, zp + zq)
            end associate
         end do
      end do
      hmat(:, :, l) = tmat(:, :, l) + vmat(:, :, l)
      hmat(n + 1:2*n, n + 1:2*n, l) = hmat(n + 1:2*n, n + 1:2*n, l) - 2 * c**2 * smat(n + 1:2*n, n + 1:2*n, l)
   end do

contains

   ! Returns the integral of r^m exp(-p r^2) over all r.
   pure function moment(m, p) result(integral)
      integer(ikind), intent(in) :: m
      real(rkind), intent(in) :: p
      real(rkind) :: integral

      integral = half * gamma(half * (m + 1)) * p**(-half * (m + 1))
   end function moment

   ! Returns the integral of r^m exp(-p r^2) up to r = rnuc.
   pure function inner_moment(m, p) result(integral)
      integer(ikind), intent(in) :: m
      real(rkind), intent(in) :: p
      real(rkind) :: integral, x, a, term

      x = p * rnuc**2
      if (x > 200.0_rkind) then     ! the part beyond is less than 1e-80 of the whole
         integral = moment(m, p)
         return
      end if
      a = half * (m + 1)
      term = one / a
      integral = term
      do while (term > 1.0e-18_rkind * integral)
         a = a + one
         term = term * x / a
         integral = integral + term
      end do
      integral = half * rnuc**(m + 1) * exp(-x) * integral
   end function inner_moment

   ! Returns the integral of sum over a of f_a r^(2l+2a) exp(-p r^2) in the potential of a nucleus of charge 1.
   pure function attraction(f, p) result(integral)
      real(rkind), intent(in) :: f(0:2), p
      real(rkind) :: integral
      integer(ikind) :: a, m

      integral = zero
      if (nucmdl /= 3) then
         ! The first two terms of a small-small pair with kappa > 0 are combined to (2l+1) M(2l-1), so that all is
         ! positive.
         if (f(0) > zero) then
            integral = (2*lqn(l) + 1) * moment(2*lqn(l) - 1, p) + f(2) * moment(2*lqn(l) + 3, p)
         else
            if (f(1) > zero) integral = f(1) * moment(2*lqn(l) + 1, p)
            if (f(2) > zero) integral = integral + f(2) * moment(2*lqn(l) + 3, p)
         end if
      end if
      if (nucmdl == 1) return
      do a = 0, 2
         if (abs(f(a)) <= zero) cycle
         m = 2 * (lqn(l) + a)
         if (nucmdl == 2) then
            integral = integral - f(a) * (inner_moment(m - 1, p) - 1.5_rkind / rnuc * inner_moment(m, p) + &
               half / rnuc**3 * inner_moment(m + 2, p))
         else
            integral = integral + f(a) * gaussian_attraction(m / 2 - 1, p)
         end if
      end do
   end function attraction

   ! Returns the integral of r^(2i+2) exp(-p r^2) in the potential of a nuclear charge density exp(-alpha r^2).
   pure function gaussian_attraction(i, p) result(integral)
      integer(ikind), intent(in) :: i
      real(rkind), intent(in) :: p
      real(rkind) :: integral, term
      integer(ikind) :: j

      term = one
      integral = one
      do j = 1, i
         term = term * p / (p + alpha) * (j - half) / j
         integral = integral + term
      end do
      integral = integral * gamma(i + one) / (2 * p**(i + 1)) * sqrt(alpha / (p + alpha))
   end function gaussian_attraction

end subroutine eint1
