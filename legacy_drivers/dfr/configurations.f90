! FIND_BIN_CONFIGURATIONS - all distributions of freeel electrons over the open shells. ierr = 1: no memory for them.
subroutine find_bin_configurations(ierr)
   use kinds
   use limits, only: maxsym
   use elconf
   use baspar, only: nsym
   implicit none
   integer(ikind), intent(out) :: ierr
   integer :: status

   if (allocated(occup)) deallocate (occup)
   nconf = 0
   call distribute
   allocate (occup(maxsym, nconf), stat=status)
   ierr = merge(1_ikind, 0_ikind, status /= 0)
   if (status /= 0) return
   nconf = 0
   call distribute

contains

   ! Runs through all occupations like an odometer, the last shell fastest. Those with the right number of electrons are
   ! counted, and stored if occup is allocated.
   subroutine distribute
      integer(ikind) :: q(maxsym), room(maxsym), l

      room = 0
      do l = 1, nsym
         room(l) = nopen(l) * (2 * ((l - 1) / 2) + 2)
      end do
      q = 0
      do
         if (sum(q) == freeel) then
            nconf = nconf + 1
            if (allocated(occup)) occup(:, nconf) = q
         end if
         l = nsym
         do while (l > 0)
            if (q(l) < room(l) .and. sum(q) < freeel) exit
            q(l) = 0
            l = l - 1
         end do
         if (l == 0) exit
         q(l) = q(l) + 1
      end do
   end subroutine distribute

end subroutine find_bin_configurations

! SETVC - mean occupations of the open shells and their vector coupling, averaged over the configurations, each with the
! weight of its determinants, the product of the binomial coefficients (g over q):
!    A_ab = <q_a q_b> / (<q_a> <q_b>),    A_aa = <q_a (q_a - 1)> g_a / [(g_a - 1) <q_a>^2];
! vc is 1 - A, the part of the repulsion of independent occupations that the open shells do not have.
subroutine setvc
   use kinds
   use limits, only: maxsym
   use baspar, only: ndeg, nsym
   use elconf
   implicit none
   integer(ikind) :: k, l, m
   real(rkind) :: weight, total, pairs(maxsym, maxsym)

   qopen = zero
   vc = zero
   pairs = zero
   total = zero
   do k = 1, nconf
      weight = one
      do l = 1, nsym
         if (nopen(l) == 1) weight = weight * binomial(ndeg(l), nint(occup(l, k), ikind))
      end do
      total = total + weight
      do l = 1, nsym
         qopen(l) = qopen(l) + weight * occup(l, k)
         do m = 1, nsym
            pairs(m, l) = pairs(m, l) + weight * occup(l, k) * (occup(m, k) - merge(1, 0, l == m))
         end do
      end do
   end do
   if (nconf == 0) return
   qopen = qopen / total
   pairs = pairs / total
   do l = 1, nsym
      do m = 1, nsym
         if (nopen(l) == 0 .or. nopen(m) == 0) cycle
         vc(m, l) = one - pairs(m, l) / (qopen(m) * qopen(l)) * merge(ndeg(l) / (ndeg(l) - one), one, l == m)
      end do
   end do

contains

   pure function binomial(n, k) result(number)
      integer(ikind), intent(in) :: n, k
      real(rkind) :: number
      integer(ikind) :: i

      number = one
      do i = 1, k
         number = number * (n - k + i) / i
      end do
   end function binomial

end subroutine setvc
