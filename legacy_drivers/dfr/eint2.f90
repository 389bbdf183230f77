! EINT2 - all two-electron integrals, in x1..x8. The inner loops run over pairs (m,r,s), which are contiguous in memory,
! up to 128 at a time. ierr = 1: no memory.
subroutine eint2(ierr)
   use kinds
   use baspar
   use bcoefs
   use scfpar, only: lgrid
   use twoint
   use messages, only: complain, real_text
   implicit none
   integer(ikind), intent(out) :: ierr

   integer(ikind), parameter :: chunk = 128
   type pair_functions     ! for each pair: exponent, norm of the large component, coefficients of the small one
      real(rkind), allocatable :: z(:), g(:), a(:), b(:)
   end type pair_functions
   type(pair_functions) :: first, second

   integer(lkind) :: offset, total
   integer(ikind) :: l, m, p, q, i, j, last, n

   ierr = 0
   if (lgrid) return
   ierr = 1
   total = lpair(nsym + 1)
   call allocate_integrals(total * (total + 1) / 2)
   if (ierr /= 0) return
   call list_pairs
   do l = 1, nsym
      do p = 1, nbs(l)
         do q = 1, p
            i = lpair(l) + (p * (p - 1)) / 2 + q
            offset = int(i, lkind) * (i - 1) / 2
            do m = 1, l
               last = min(i, lpair(m + 1))
               do j = lpair(m) + 1, last, chunk
                  n = min(chunk, last - j + 1)
                  call fill(offset + j)
               end do
            end do
         end do
      end do
   end do

contains

   subroutine allocate_integrals(number)
      integer(lkind), intent(in) :: number
      integer :: status

      ierr = 0
      if (allocated(x1)) then
         if (size(x1, kind=lkind) == number) return
         deallocate (x1, x2, x3, x4, x5, x6, x7, x8)
      end if
      allocate (x1(number), x2(number), x3(number), x4(number), x5(number), x6(number), x7(number), x8(number), stat=status)
      if (status == 0) return
      ierr = 1
      call complain('no memory for the two-electron integrals: they take ' // &
         real_text(number * 64 / 1.0e9_rkind) // ' GB')
   end subroutine allocate_integrals

   subroutine list_pairs
      integer(ikind) :: symmetry, r, s, pair

      allocate (first%z(total), first%g(total), first%a(total), first%b(total))
      allocate (second%z(total), second%g(total), second%a(total), second%b(total))
      pair = 0
      do symmetry = 1, nsym
         do r = 1, nbs(symmetry)
            do s = 1, r
               pair = pair + 1
               call put(first, pair, symmetry, r)
               call put(second, pair, symmetry, s)
            end do
         end do
      end do
   end subroutine list_pairs

   subroutine put(functions, pair, symmetry, r)
      type(pair_functions), intent(inout) :: functions
      integer(ikind), intent(in) :: pair, symmetry, r

      functions%z(pair) = zeta(r, symmetry)
      functions%g(pair) = anorml(r, symmetry)
      functions%a(pair) = (lqn(symmetry) + 1 + kappa(symmetry)) * anorms(r, symmetry)
      functions%b(pair) = -2 * zeta(r, symmetry) * anorms(r, symmetry)
   end subroutine put

   ! Calculates the integrals of pair i with pairs j, ..., j + n - 1.
   subroutine fill(here)
      integer(lkind), intent(in) :: here
      real(rkind), dimension(chunk) :: jll, jls, jsl, jss, k1ll, k1ls, k1sl, k1ss, k2ll, k2ls, k2sl, k2ss
      real(rkind), dimension(chunk) :: pa, pb, ga, gb, zp, gp, ap, bp, zq, gq, aq, bq
      real(rkind), dimension(chunk, 0:2) :: ca, cb
      integer(ikind) :: k, least

      do k = 1, n
         zp(k) = first%z(i)
         gp(k) = first%g(i)
         ap(k) = first%a(i)
         bp(k) = first%b(i)
         zq(k) = second%z(i)
         gq(k) = second%g(i)
         aq(k) = second%a(i)
         bq(k) = second%b(i)
      end do
      call pair_products(n, zp, gp, ap, bp, zq, gq, aq, bq, pa, ga, ca)
      call pair_products(n, first%z(j:), first%g(j:), first%a(j:), first%b(j:), &
         second%z(j:), second%g(j:), second%a(j:), second%b(j:), pb, gb, cb)
      call repulsion(n, lqn(l) + lqn(m), least_power(l, l), least_power(m, m), pa, ga, ca, pb, gb, cb, &
         ndgc(:, l), fcoul(:, :, :, l, m), ndgc(:, m), fcoul(:, :, :, m, l), jll, jls, jsl, jss)

      least = least_power(l, m)
      call pair_products(n, zp, gp, ap, bp, first%z(j:), first%g(j:), first%a(j:), first%b(j:), pa, ga, ca)
      call pair_products(n, zq, gq, aq, bq, second%z(j:), second%g(j:), second%a(j:), second%b(j:), pb, gb, cb)
      call repulsion(n, lqn(l) + lqn(m), least, least, pa, ga, ca, pb, gb, cb, &
         ndgx(:, l, m), fexch(:, :, :, l, m), ndgx(:, l, m), fexch(:, :, :, l, m), k1ll, k1ls, k1sl, k1ss)

      call pair_products(n, zp, gp, ap, bp, second%z(j:), second%g(j:), second%a(j:), second%b(j:), pa, ga, ca)
      call pair_products(n, zq, gq, aq, bq, first%z(j:), first%g(j:), first%a(j:), first%b(j:), pb, gb, cb)
      call repulsion(n, lqn(l) + lqn(m), least, least, pa, ga, ca, pb, gb, cb, &
         ndgx(:, l, m), fexch(:, :, :, l, m), ndgx(:, l, m), fexch(:, :, :, l, m), k2ll, k2ls, k2sl, k2ss)

      x1(here:here + n - 1) = jll(:n) - half * (k1ll(:n) + k2ll(:n))
      x2(here:here + n - 1) = jls(:n)
      x3(here:here + n - 1) = jsl(:n)
      x4(here:here + n - 1) = -k2ls(:n)
      x5(here:here + n - 1) = -k1ls(:n)
      x6(here:here + n - 1) = -k2sl(:n)
      x7(here:here + n - 1) = -k1sl(:n)
      x8(here:here + n - 1) = jss(:n) - half * (k1ss(:n) + k2ss(:n))
   end subroutine fill

   ! Returns the lowest a of a term r^(l+l'+2a) of a small-small pair: a function with kappa < 0 has only the higher
   ! power.
   pure function least_power(l1, l2) result(least)
      integer(ikind), intent(in) :: l1, l2
      integer(ikind) :: least

      least = merge(1_ikind, 0_ikind, kappa(l1) < 0) + merge(1_ikind, 0_ikind, kappa(l2) < 0)
   end function least_power

   ! Returns the sum of the exponents, the coefficient of the large-large pair, and those of the small-small pair.
   pure subroutine pair_products(n, z1, g1, a1, b1, z2, g2, a2, b2, z, g, f)
      integer(ikind), intent(in) :: n
      real(rkind), dimension(n), intent(in) :: z1, g1, a1, b1, z2, g2, a2, b2
      real(rkind), intent(inout) :: z(chunk), g(chunk), f(chunk, 0:2)
      integer(ikind) :: k

      do k = 1, n
         z(k) = z1(k) + z2(k)
         g(k) = g1(k) * g2(k)
         f(k, 0) = a1(k) * a2(k)
         f(k, 1) = a1(k) * b2(k) + b1(k) * a2(k)
         f(k, 2) = b1(k) * b2(k)
      end do
   end subroutine pair_products

   ! Calculates the repulsion between pairs A and B with the sums of exponents pa and pb. fa and fb are the tables of
   ! module bcoefs for A and for B.
   pure subroutine repulsion(n, lsum, leasta, leastb, pa, ga, ca, pb, gb, cb, ndega, fa, ndegb, fb, ll, ls, sl, ss)
      integer(ikind), intent(in) :: n, lsum, leasta, leastb, ndega(0:2), ndegb(0:2)
      real(rkind), dimension(chunk), intent(in) :: pa, pb, ga, gb
      real(rkind), dimension(chunk, 0:2), intent(in) :: ca, cb
      real(rkind), dimension(maxdeg, 0:2, 0:2), intent(in) :: fa, fb
      real(rkind), dimension(chunk), intent(inout) :: ll, ls, sl, ss
      real(rkind), dimension(chunk) :: ua, ub, w, front, large_a, large_b, g
      real(rkind), dimension(chunk, 0:2) :: small_a, small_b
      integer(ikind) :: k, a, b
      real(rkind) :: s

      do k = 1, n
         s = pa(k) + pb(k)
         w(k) = one / s
         ua(k) = s / pa(k)
         ub(k) = s / pb(k)
         front(k) = sqrt(w(k))
      end do
      do a = 1, lsum
         do k = 1, n
            front(k) = front(k) * w(k)
         end do
      end do
      do k = 1, n
         large_a(k) = front(k) * ga(k) * w(k)
         large_b(k) = gb(k) * w(k)
         small_a(k, 0) = front(k) * ca(k, 0)
         small_a(k, 1) = front(k) * ca(k, 1) * w(k)
         small_a(k, 2) = front(k) * ca(k, 2) * w(k)**2
         small_b(k, 0) = cb(k, 0)
         small_b(k, 1) = cb(k, 1) * w(k)
         small_b(k, 2) = cb(k, 2) * w(k)**2
         ls(k) = zero
         sl(k) = zero
         ss(k) = zero
      end do
      do b = min(leastb, 1_ikind), 2
         do a = min(leasta, 1_ikind), 2
            call two_polynomials(n, ndega(a), fa(:, a, b), ua, ndegb(b), fb(:, b, a), ub, g)
            if (a == 1 .and. b == 1) ll(:n) = large_a(:n) * large_b(:n) * g(:n)
            if (a == 1 .and. b >= leastb) ls(:n) = ls(:n) + large_a(:n) * small_b(:n, b) * g(:n)
            if (b == 1 .and. a >= leasta) sl(:n) = sl(:n) + small_a(:n, a) * large_b(:n) * g(:n)
            if (a >= leasta .and. b >= leastb) ss(:n) = ss(:n) + small_a(:n, a) * small_b(:n, b) * g(:n)
         end do
      end do
   end subroutine repulsion

   pure subroutine two_polynomials(n, ndega, fa, ua, ndegb, fb, ub, g)
      integer(ikind), intent(in) :: n, ndega, ndegb
      real(rkind), intent(in) :: fa(maxdeg), fb(maxdeg), ua(chunk), ub(chunk)
      real(rkind), intent(inout) :: g(chunk)

      g(:n) = zero
      call add_polynomial(n, ndega, fa, ua, g)
      call add_polynomial(n, ndegb, fb, ub, g)
   end subroutine two_polynomials

   ! Adds a polynomial. It is written out for each degree, so that a value stays in its register.
   pure subroutine add_polynomial(n, degree, f, u, g)
      integer(ikind), intent(in) :: n, degree
      real(rkind), intent(in) :: f(maxdeg), u(chunk)
      real(rkind), intent(inout) :: g(chunk)
      integer(ikind) :: k

      select case (degree)
      case (1)
         do k = 1, n
            g(k) = g(k) + u(k) * f(1)
         end do
      case (2)
         do k = 1, n
            g(k) = g(k) + u(k) * (f(1) + u(k) * f(2))
         end do
      case (3)
         do k = 1, n
            g(k) = g(k) + u(k) * (f(1) + u(k) * (f(2) + u(k) * f(3)))
         end do
      case (4)
         do k = 1, n
            g(k) = g(k) + u(k) * (f(1) + u(k) * (f(2) + u(k) * (f(3) + u(k) * f(4))))
         end do
      case (5)
         do k = 1, n
            g(k) = g(k) + u(k) * (f(1) + u(k) * (f(2) + u(k) * (f(3) + u(k) * (f(4) + u(k) * f(5)))))
         end do
      case (6)
         do k = 1, n
            g(k) = g(k) + u(k) * (f(1) + u(k) * (f(2) + u(k) * (f(3) + u(k) * (f(4) + u(k) * (f(5) + u(k) * f(6))))))
         end do
      end select
   end subroutine add_polynomial

end subroutine eint2
