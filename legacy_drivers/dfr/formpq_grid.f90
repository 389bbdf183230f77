! The repulsion without two-electron integrals, for the large bases of numerical_limit, whose integrals do not fit into
! memory. On points equidistant in x = ln r the double integrals are double sums,
!    r<^nu/r>^(nu+1) = (r1 r2)^(-1/2) exp(-(nu + 1/2) |x1 - x2|),
! where the exponential is replaced by its part within the band of the grid. Products of functions have no components
! beyond it.
module repulsion_grid
   use kinds
   use limits, only: maxsym
   use baspar
   use elconf
   use coupling_coefficients, only: b_nu
   use scfarr
   use linalg, only: dgemm
   use result, only: cvec
   implicit none
   private
   public :: formpq_on_grid

   real(rkind), parameter :: step = 0.08_rkind

contains

   subroutine formpq_on_grid
      real(rkind), allocatable :: x(:), root(:), functions(:, :, :, :), spinors(:, :, :, :), kernel(:, :)
      integer(ikind) :: l, points, occupied(maxsym)

      call make_grid
      call tabulate
      call make_kernels
      do l = 1, nsym
         occupied(l) = nclose(l) + nopen(l)
      end do
      call tabulate_spinors
      do l = 1, nsym
         call repel(.false., pmat(:, :, l))
         if (nopen(l) > 0) call repel(.true., qmat(:, :, l))
      end do

   contains

      subroutine make_grid
         real(rkind) :: smallest, largest, first
         integer(ikind) :: i, m

         smallest = minval([(minval(zeta(:nbs(m), m)), m = 1, nsym)])
         largest = maxval([(maxval(zeta(:nbs(m), m)), m = 1, nsym)])
         first = -half * log(2 * largest) - 13
         points = int((half * log(20 / smallest) - first) / step, ikind) + 2_ikind
         allocate (x(points), root(points))
         do i = 1, points
            x(i) = first + (i - 1) * step
         end do
         root = exp(-half * x)
      end subroutine make_grid

      ! Tabulates (step r)^(1/2) g(r) as (point, function, component, symmetry).
      subroutine tabulate
         integer(ikind) :: m, p
         real(rkind) :: r(points), shape(points)

         allocate (functions(points, nbsmax, 2, nsym), source=zero)
         r = exp(x)
         do m = 1, nsym
            do p = 1, nbs(m)
               shape = sqrt(step * r) * exp(-zeta(p, m) * r**2)
               functions(:, p, 1, m) = anorml(p, m) * r**(lqn(m) + 1) * shape
               functions(:, p, 2, m) = anorms(p, m) * r**lqn(m) * (lqn(m) + 1 + kappa(m) - 2 * zeta(p, m) * r**2) * shape
            end do
         end do
      end subroutine tabulate

      subroutine make_kernels
         integer(ikind) :: nu

         allocate (kernel(0:points - 1, 0:maxval(jqn2(:nsym))))
         do nu = 0, maxval(jqn2(:nsym))
            call band_limited(nu, kernel(:, nu))
         end do
      end subroutine make_kernels

      ! Tabulates the spinors, multiplied by the square roots of the numbers of electrons and of 1/r.
      subroutine tabulate_spinors
         integer(ikind) :: m, a, component, n
         real(rkind) :: electrons

         allocate (spinors(points, max(maxval(occupied(:nsym)), 1_ikind), 2, nsym), source=zero)
         do m = 1, nsym
            n = nbs(m)
            do a = 1, occupied(m)
               electrons = ndeg(m)
               if (a > nclose(m)) electrons = qopen(m)
               do component = 1, 2
                  spinors(:, a, component, m) = sqrt(electrons) * root * matmul(functions(:, :n, component, m), &
                     cvec((component - 1) * n + 1:component * n, nneg(m) + a, m))
               end do
            end do
         end do
      end subroutine tabulate_spinors

      ! Calculates J - K in symmetry l for all electrons, or for those in open shells with their factors vc.
      subroutine repel(only_open, matrix)
         logical, intent(in) :: only_open
         real(rkind), intent(inout) :: matrix(:, :)
         real(rkind), allocatable :: z(:, :), density(:, :), half_way(:, :), weighted(:, :), block(:, :)
         real(rkind) :: factor(nsym), charge(points), potential(points), exchange(0:points - 1)
         integer(ikind) :: first(nsym), m, i, j, n, bra, ket, pair, nu

         do m = 1, nsym
            first(m) = merge(nclose(m) + 1_ikind, 1_ikind, only_open)
            factor(m) = merge(vc(l, m), one, only_open)
            if (first(m) > occupied(m)) factor(m) = zero
         end do
         charge = zero
         do m = 1, nsym
            charge = charge + factor(m) * sum(sum(spinors(:, first(m):occupied(m), :, m)**2, 3), 2) / root
         end do
         do i = 1, points
            potential(i) = root(i) * sum([(kernel(abs(i - j), 0) * charge(j), j = 1, points)])
         end do
         n = nbs(l)
         allocate (z(points, points), density(points, points), half_way(points, n), weighted(points, n), block(n, n))
         matrix(:2 * n, :2 * n) = zero
         do pair = 1, 3
            bra = min(pair, 2_ikind)
            ket = merge(2_ikind, 1_ikind, pair == 2)
            z = zero
            do m = 1, nsym
               if (abs(factor(m)) <= zero) cycle
               exchange = zero
               do nu = abs(jqn2(l) - jqn2(m)) / 2, (jqn2(l) + jqn2(m)) / 2
                  if (mod(lqn(l) + lqn(m) + nu, 2_ikind) == 0) exchange = exchange + b_nu(jqn2(l), nu, jqn2(m)) * kernel(:, nu)
               end do
               call dgemm('N', 'T', points, points, occupied(m) - first(m) + 1_ikind, factor(m), spinors(:, first(m):, bra, m), &
                  points, spinors(:, first(m):, ket, m), points, zero, density, points)
               do j = 1, points
                  do i = 1, points
                     z(i, j) = z(i, j) + density(i, j) * exchange(abs(i - j))
                  end do
               end do
            end do
            call dgemm('N', 'N', points, n, points, one, z, points, functions(:, :, ket, l), points, zero, half_way, points)
            call dgemm('T', 'N', n, n, points, -one, functions(:, :, bra, l), points, half_way, points, zero, block, n)
            if (bra == ket) then
               do j = 1, n
                  weighted(:, j) = potential * functions(:, j, ket, l)
               end do
               call dgemm('T', 'N', n, n, points, one, functions(:, :, bra, l), points, weighted, points, one, block, n)
               block = half * (block + transpose(block))
               i = (bra - 1) * n
               matrix(i + 1:i + n, i + 1:i + n) = block
            else
               matrix(n + 1:2 * n, :n) = block
               matrix(:n, n + 1:2 * n) = transpose(block)
            end if
         end do
      end subroutine repel

   end subroutine formpq_on_grid

   ! Calculates exp(-a n step), a = nu + 1/2, minus its part beyond the band pi/step, which is
   ! (2a/pi) int cos(k n step)/(a^2 + k^2) dk. The path of this integral is turned to k = band (1 + i u/(pi n)), where
   ! the integrand falls as exp(-u). The integral over u is done by exp-sinh quadrature.
   subroutine band_limited(nu, kernel)
      integer(ikind), intent(in) :: nu
      real(rkind), intent(out) :: kernel(0:)
      real(rkind), parameter :: h = 0.0625_rkind, band = pi / step
      real(rkind) :: a, t, u, weight, slope, re, im, total
      integer(ikind) :: n, j

      a = nu + half
      kernel(0) = two / pi * atan(band / a)
      do n = 1, ubound(kernel, 1, ikind)
         total = zero
         do j = -72, 30
            t = h * j
            u = exp(half * pi * sinh(t))
            weight = half * pi * h * cosh(t) * u * exp(-u)
            slope = u / (pi * n)
            re = a**2 + band**2 * (one - slope**2)
            im = two * band**2 * slope
            total = total + weight * im / (re**2 + im**2)
         end do
         kernel(n) = exp(-a * n * step) - two * a / pi * merge(-band, band, mod(n, 2_ikind) == 1) * total / (pi * n)
      end do
   end subroutine band_limited

end module repulsion_grid
