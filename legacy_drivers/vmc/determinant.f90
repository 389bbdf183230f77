! One configuration and its amplitude det M, where M(i, j) = phi(r_i - s_j) for up electrons i and down electrons j,
! with borders for infinite pair amplitudes. inverse(j, i) is the inverse of M. An electron that moves keeps its row or
! column.
!
! The ratio of determinants costs O(N) for a hop and O(N^2) for an exchange. An accepted move updates the inverse in
! O(N^2).
module determinant
   use kinds
   use pair_function, only: border, nborder, phi
   use vmcpar, only: npair, nsite
   implicit none
   private
   public :: start_determinant, place_electrons, invert, reciprocal_condition, residual, fill_row, fill_column
   public :: up_ratio, down_ratio, move_up, move_down, exchange_ratio, exchange_pair

   integer(ikind), public :: order                          ! number of pairs and borders
   integer(ikind), allocatable, public :: up(:), down(:)    ! (npair): sites
   integer(ikind), allocatable, public :: electron_at(:)    ! (0:nsite-1): 0, or i of an up electron, or -j of a down one
   real(rkind), allocatable, public :: inverse(:, :)        ! (order, order): down electron, up electron

   real(rkind), allocatable :: matrix(:, :)
   integer(ikind), allocatable :: pivot(:)
   real(rkind), allocatable :: a(:), b(:), column(:), product(:)     ! (order), for the current move
   real(rkind) :: s(2, 2)                                            ! 1 + V^T I U of an exchange

contains

   subroutine start_determinant
      order = npair + nborder
      if (allocated(up)) deallocate (up, down, electron_at, inverse, matrix, pivot, a, b, column, product)
      allocate (up(npair), down(npair), electron_at(0:nsite - 1), inverse(order, order), matrix(order, order))
      allocate (pivot(order), a(order), b(order), column(order), product(order))
   end subroutine start_determinant

   ! Places the electrons on these sites, which must differ; up electrons come first.
   subroutine place_electrons(sites)
      integer(ikind), intent(in) :: sites(2 * npair)
      integer(ikind) :: i

      up = sites(:npair)
      down = sites(npair + 1:)
      electron_at = 0
      do i = 1, npair
         electron_at(up(i)) = i
         electron_at(down(i)) = -i
      end do
   end subroutine place_electrons

   ! Returns the row of M for an up electron at a site.
   subroutine fill_row(site, row)
      integer(ikind), intent(in) :: site
      real(rkind), intent(out) :: row(order)
      integer(ikind) :: j

      do j = 1, npair
         row(j) = phi(site - down(j))
      end do
      row(npair + 1:) = border(:, site)
   end subroutine fill_row

   ! Returns the column of M for a down electron at a site.
   subroutine fill_column(site, column)
      integer(ikind), intent(in) :: site
      real(rkind), intent(out) :: column(order)
      integer(ikind) :: i

      do i = 1, npair
         column(i) = phi(up(i) - site)
      end do
      column(npair + 1:) = border(:, site)
   end subroutine fill_column

   subroutine fill_matrix
      integer(ikind) :: j

      do j = 1, npair
         call fill_column(down(j), matrix(:, j))
      end do
      matrix(:, npair + 1:) = zero
      do j = 1, npair
         matrix(j, npair + 1:) = border(:, up(j))
      end do
   end subroutine fill_matrix

   ! Inverts M by elimination with pivots. ierr = 1 if M is singular.
   subroutine invert(ierr)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: c, k
      real(rkind) :: factor

      call fill_matrix
      inverse = matrix
      ierr = 1
      do c = 1, order
         pivot(c) = c - 1 + maxloc(abs(inverse(c:, c)), dim=1, kind=ikind)
         if (.not. abs(inverse(pivot(c), c)) > tiny(one)) return
         if (pivot(c) /= c) call swap(inverse(c, :), inverse(pivot(c), :))
         factor = one / inverse(c, c)
         column = -factor * inverse(:, c)
         column(c) = factor
         inverse(:, c) = zero
         inverse(c, c) = one
         do k = 1, order
            factor = inverse(c, k)
            inverse(c, k) = zero
            inverse(:, k) = inverse(:, k) + factor * column
         end do
      end do
      do c = order, 1, -1
         if (pivot(c) /= c) call swap(inverse(:, c), inverse(:, pivot(c)))
      end do
      ierr = 0
   end subroutine invert

   elemental subroutine swap(x, y)
      real(rkind), intent(inout) :: x, y
      real(rkind) :: kept

      kept = x
      x = y
      y = kept
   end subroutine swap

   ! Returns 1 / (|M| |M^-1|) in the norm of the largest column. It must be called right after invert.
   pure function reciprocal_condition() result(condition)
      real(rkind) :: condition

      condition = one / (maxval(sum(abs(matrix), dim=1)) * maxval(sum(abs(inverse), dim=1)))
   end function reciprocal_condition

   ! Returns the largest element of M M^-1 - 1. It must be called right after invert.
   pure function residual() result(largest)
      real(rkind) :: largest, unit(order, order)
      integer(ikind) :: i

      unit = matmul(matrix, inverse)
      do i = 1, order
         unit(i, i) = unit(i, i) - one
      end do
      largest = maxval(abs(unit))
   end function residual

   ! Returns the ratio of determinants for a hop of up electron k to an empty site.
   function up_ratio(k, site) result(ratio)
      integer(ikind), intent(in) :: k, site
      real(rkind) :: ratio

      call fill_row(site, a)
      ratio = dot(order, a, inverse(:, k))
   end function up_ratio

   function down_ratio(l, site) result(ratio)
      integer(ikind), intent(in) :: l, site
      real(rkind) :: ratio
      integer(ikind) :: i

      call fill_column(site, b)
      ratio = zero
      do i = 1, order
         ratio = ratio + inverse(l, i) * b(i)
      end do
   end function down_ratio

   ! Moves up electron k. It must be called right after up_ratio. With p = a^T I, column i of the inverse loses p_i / R
   ! of column k, and column k is divided by R.
   subroutine move_up(k, site, ratio)
      integer(ikind), intent(in) :: k, site
      real(rkind), intent(in) :: ratio
      integer(ikind) :: i

      column = inverse(:, k) / ratio
      do i = 1, order
         call add_multiple(order, -dot(order, a, inverse(:, i)), column, inverse(:, i))
      end do
      inverse(:, k) = column
      electron_at(up(k)) = 0
      electron_at(site) = k
      up(k) = site
   end subroutine move_up

   ! Moves down electron l. It must be called right after down_ratio. With q = I b, row j of the inverse loses q_j / R
   ! of row l, and row l is divided by R.
   subroutine move_down(l, site, ratio)
      integer(ikind), intent(in) :: l, site
      real(rkind), intent(in) :: ratio
      integer(ikind) :: i

      call inverse_times(b, product)
      product(l) = product(l) - one
      product = -product / ratio
      do i = 1, order
         call add_multiple(order, (inverse(l, i)), product, inverse(:, i))
      end do
      electron_at(down(l)) = 0
      electron_at(site) = -l
      down(l) = site
   end subroutine move_down

   ! Returns the ratio of determinants if up electron k at r and down electron l at s change places. This adds a to row
   ! k of M and b to column l, with their common element in b. It is one update of rank two, because the first of two
   ! hops would make a doubly occupied site, where the determinant may vanish.
   function exchange_ratio(k, l) result(ratio)
      integer(ikind), intent(in) :: k, l
      real(rkind) :: ratio
      integer(ikind) :: i, j

      associate (here => up(k), there => down(l))
         do j = 1, npair
            a(j) = phi(there - down(j)) - phi(here - down(j))
         end do
         do i = 1, npair
            b(i) = phi(up(i) - here) - phi(up(i) - there)
         end do
         b(k) = phi(there - here) - phi(0)
         a(npair + 1:) = border(:, there) - border(:, here)
         b(npair + 1:) = -a(npair + 1:)
      end associate
      call inverse_times(b, product)
      s(1, 1) = one + dot(order, a, inverse(:, k))
      s(1, 2) = dot(order, a, product)
      s(2, 1) = inverse(l, k)
      s(2, 2) = one + product(l)
      ratio = s(1, 1) * s(2, 2) - s(1, 2) * s(2, 1)
   end function exchange_ratio

   ! Exchanges the electrons: I <- I - [I e_k, I b] S^-1 [a^T I; e_l^T I]. It must be called right after exchange_ratio.
   subroutine exchange_pair(k, l, ratio)
      integer(ikind), intent(in) :: k, l
      real(rkind), intent(in) :: ratio
      integer(ikind) :: i
      real(rkind) :: f, g

      column = inverse(:, k)
      do i = 1, order
         f = dot(order, a, inverse(:, i))
         g = inverse(l, i)
         call add_multiples(order, (s(1, 2) * g - s(2, 2) * f) / ratio, column, (s(2, 1) * f - s(1, 1) * g) / ratio, &
            product, inverse(:, i))
      end do
      i = up(k)
      up(k) = down(l)
      down(l) = i
      electron_at(up(k)) = k
      electron_at(down(l)) = -l
   end subroutine exchange_pair

   ! Calculates y = I x, four columns at a time.
   subroutine inverse_times(x, y)
      real(rkind), intent(in) :: x(order)
      real(rkind), intent(out) :: y(order)
      integer(ikind) :: i

      y = zero
      do i = 1, order - 3, 4
         y = y + inverse(:, i) * x(i) + inverse(:, i + 1) * x(i + 1) + inverse(:, i + 2) * x(i + 2) + &
            inverse(:, i + 3) * x(i + 3)
      end do
      do i = order - mod(order, 4_ikind) + 1, order
         y = y + inverse(:, i) * x(i)
      end do
   end subroutine inverse_times

   pure function dot(n, x, y) result(total)
      integer(ikind), intent(in) :: n
      real(rkind), intent(in) :: x(n), y(n)
      real(rkind) :: total
      integer(ikind) :: i

      total = zero
      !$omp simd reduction(+:total)
      do i = 1, n
         total = total + x(i) * y(i)
      end do
   end function dot

   pure subroutine add_multiple(n, f, x, y)
      integer(ikind), intent(in) :: n
      real(rkind), intent(in) :: f, x(n)
      real(rkind), intent(inout) :: y(n)

      y = y + f * x
   end subroutine add_multiple

   pure subroutine add_multiples(n, f, x, g, y, z)
      integer(ikind), intent(in) :: n
      real(rkind), intent(in) :: f, x(n), g, y(n)
      real(rkind), intent(inout) :: z(n)

      z = z + (f * x + g * y)
   end subroutine add_multiples

end module determinant
