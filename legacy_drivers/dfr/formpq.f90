! FORMPQ - P, the repulsion by the density dtot, and Q, the part of the repulsion by dopn that the vector coupling
! subtracts for the open shells. Every integral of pairs i > j is used twice: for i with the density of j, and for j
! with the density of i.
subroutine formpq
   use kinds
   use baspar
   use elconf
   use repulsion_grid, only: formpq_on_grid
   use scfarr
   use scfpar, only: lgrid
   use twoint
   implicit none

   ! A matrix by pairs. Pair (p,q) has ll, ss and, because the sl block is not symmetric, its elements (p,q) and (q,p).
   type pair_matrix
      real(rkind), allocatable :: ll(:), ss(:), sl(:), ls(:)
   end type pair_matrix
   type(pair_matrix) :: d, v
   integer(lkind) :: ij
   integer(ikind) :: i, l, m, total

   if (lgrid) then
      call formpq_on_grid
      return
   end if
   total = lpair(nsym + 1)
   call pack_density(dtot, d)
   call clear(v)
   do i = 1, total
      call row(i, 1_ikind, i, one)
   end do
   call unpack_potential(v, pmat)
   if (all(nopen(:nsym) == 0)) return
   call pack_density(dopn, d)
   call clear(v)
   do l = 1, nsym
      do m = 1, l
         if (abs(vc(l, m)) <= zero) cycle
         do i = lpair(l) + 1, lpair(l + 1)
            call row(i, lpair(m) + 1_ikind, min(i, lpair(m + 1)), vc(l, m))
         end do
      end do
   end do
   call unpack_potential(v, qmat)

contains

   ! Adds the repulsion between pair i and pairs first..last <= i.
   subroutine row(i, first, last, factor)
      integer(ikind), intent(in) :: i, first, last
      real(rkind), intent(in) :: factor
      real(rkind) :: density(4), potential(4)
      integer(ikind) :: n

      ij = int(i, lkind) * (i - 1) / 2 + first
      n = last - first + 1
      if (last == i) n = n - 1
      density = factor * [d%ll(i), d%ss(i), d%sl(i), d%ls(i)]
      call contract(n, x1(ij), x2(ij), x3(ij), x4(ij), x5(ij), x6(ij), x7(ij), x8(ij), &
         d%ll(first), d%ss(first), d%sl(first), d%ls(first), density, &
         v%ll(first), v%ss(first), v%sl(first), v%ls(first), potential)
      v%ll(i) = v%ll(i) + factor * potential(1)
      v%ss(i) = v%ss(i) + factor * potential(2)
      v%sl(i) = v%sl(i) + factor * potential(3)
      v%ls(i) = v%ls(i) + factor * potential(4)
      if (last < i) return
      ij = ij + n
      v%ll(i) = v%ll(i) + x1(ij) * density(1) + x2(ij) * density(2)
      v%ss(i) = v%ss(i) + x3(ij) * density(1) + x8(ij) * density(2)
      v%sl(i) = v%sl(i) + x7(ij) * density(3) + x6(ij) * density(4)
      v%ls(i) = v%ls(i) + x4(ij) * density(3) + x5(ij) * density(4)
   end subroutine row

   pure subroutine contract(n, y1, y2, y3, y4, y5, y6, y7, y8, dll, dss, dsl, dls, density, vll, vss, vsl, vls, potential)
      integer(ikind), intent(in) :: n
      real(rkind), dimension(n), intent(in) :: y1, y2, y3, y4, y5, y6, y7, y8, dll, dss, dsl, dls
      real(rkind), dimension(n), intent(inout) :: vll, vss, vsl, vls
      real(rkind), intent(in) :: density(4)
      real(rkind), intent(out) :: potential(4)
      real(rkind) :: sll, sss, ssl, sls
      integer(ikind) :: k

      sll = zero
      sss = zero
      ssl = zero
      sls = zero
      do k = 1, n
         sll = sll + y1(k) * dll(k) + y2(k) * dss(k)
         sss = sss + y3(k) * dll(k) + y8(k) * dss(k)
         ssl = ssl + y7(k) * dsl(k) + y6(k) * dls(k)
         sls = sls + y4(k) * dsl(k) + y5(k) * dls(k)
         vll(k) = vll(k) + y1(k) * density(1) + y3(k) * density(2)
         vss(k) = vss(k) + y2(k) * density(1) + y8(k) * density(2)
         vsl(k) = vsl(k) + y7(k) * density(3) + y4(k) * density(4)
         vls(k) = vls(k) + y6(k) * density(3) + y5(k) * density(4)
      end do
      potential = [sll, sss, ssl, sls]
   end subroutine contract

   ! Packs a density with the factors that a sum over p >= q needs: the symmetric blocks count twice outside the
   ! diagonal, and on the diagonal sl and ls are the same element.
   subroutine pack_density(full, packed)
      real(rkind), intent(in) :: full(:, :, :)
      type(pair_matrix), intent(inout) :: packed
      integer(ikind) :: l, p, q, n, pair

      call clear(packed)
      do l = 1, nsym
         n = nbs(l)
         do p = 1, n
            do q = 1, p
               pair = lpair(l) + (p * (p - 1)) / 2 + q
               packed%ll(pair) = full(p, q, l) * merge(one, two, p == q)
               packed%ss(pair) = full(n + p, n + q, l) * merge(one, two, p == q)
               packed%sl(pair) = full(n + p, q, l) * merge(half, one, p == q)
               packed%ls(pair) = full(n + q, p, l) * merge(half, one, p == q)
            end do
         end do
      end do
   end subroutine pack_density

   subroutine unpack_potential(packed, full)
      type(pair_matrix), intent(in) :: packed
      real(rkind), intent(inout) :: full(:, :, :)
      integer(ikind) :: l, p, q, n, pair

      do l = 1, nsym
         n = nbs(l)
         do p = 1, n
            do q = 1, p
               pair = lpair(l) + (p * (p - 1)) / 2 + q
               full(p, q, l) = packed%ll(pair)
               full(q, p, l) = packed%ll(pair)
               full(n + p, n + q, l) = packed%ss(pair)
               full(n + q, n + p, l) = packed%ss(pair)
               full(n + p, q, l) = packed%sl(pair)
               full(q, n + p, l) = packed%sl(pair)
               full(n + q, p, l) = packed%ls(pair)
               full(p, n + q, l) = packed%ls(pair)
            end do
         end do
      end do
   end subroutine unpack_potential

   subroutine clear(matrix)
      type(pair_matrix), intent(inout) :: matrix

      if (.not. allocated(matrix%ll)) allocate (matrix%ll(total), matrix%ss(total), matrix%sl(total), matrix%ls(total))
      matrix%ll = zero
      matrix%ss = zero
      matrix%sl = zero
      matrix%ls = zero
   end subroutine clear

end subroutine formpq
