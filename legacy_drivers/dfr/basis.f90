! FORMBS - exponents of the well-tempered basis: zeta_1 = alpha, zeta_2 = alpha beta,
! zeta_k = zeta_(k-1) beta [1 + gamma (k/K)^delta], k = 3..K, with K the largest number that a symmetry of the group
! uses. S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993). ierr = 1: an exponent is out of range.
subroutine formbs(ierr)
   use kinds
   use limits
   use baspar
   implicit none
   integer(ikind), intent(out) :: ierr
   integer(ikind) :: k, l, last, igroup
   real(rkind) :: pool(maxbas)

   ierr = 0
   do igroup = 1, ngroup
      last = 0
      do l = 1, nsym
         if (groups(l) == igroup) last = max(last, start(l) + nbs(l) - 1)
      end do
      associate (para => wtbspara(4*igroup - 3:4*igroup))
         pool = para(1)
         do k = 2, last
            pool(k) = pool(k - 1) * para(2)
            if (k > 2) pool(k) = pool(k) * (one + para(4) * (real(k, rkind) / last)**para(3))
         end do
         if (.not. (para(1) >= smallest_exponent .and. all(pool(:last) <= largest_exponent))) then
            ierr = 1
            return
         end if
      end associate
      do l = 1, nsym
         if (groups(l) == igroup) zeta(:nbs(l), l) = pool(start(l):start(l) + nbs(l) - 1)
      end do
   end do
end subroutine formbs

! BSNORM - norms of the basis functions. <g^S|g^S> = 4 zeta^2 M(2l+4, 2 zeta), M(2n, p) = Gamma(n+1/2) / (2 p^(n+1/2)),
! for either sign of kappa. The other terms cancel; adding them numerically would cost digits.
subroutine bsnorm
   use kinds
   use baspar
   implicit none
   integer(ikind) :: l, p
   real(rkind) :: a, b

   do l = 1, nsym
      a = lqn(l) + 1.5_rkind
      b = lqn(l) + 2.5_rkind
      do p = 1, nbs(l)
         anorml(p, l) = sqrt(two * (two * zeta(p, l))**a / gamma(a))
         anorms(p, l) = sqrt(two * (two * zeta(p, l))**b / gamma(b)) / (two * zeta(p, l))
      end do
   end do
end subroutine bsnorm
