! SCFITER - the self-consistent field, beginning with the spinors of guess. If it has not converged after maxitr
! iterations, lconv is false. ierr = 1: the energy is not finite, or LAPACK failed.
subroutine scfiter(ierr)
   use kinds
   use ctlpar, only: lprint
   use baspar
   use scfpar
   use scfarr
   use result
   use linalg
   use messages, only: complain, integer_text
   use output, only: write_iteration, write_iteration_head
   implicit none
   integer(ikind), intent(out) :: ierr

   interface
      subroutine formd(dll, dsl, dss)
         import :: rkind
         real(rkind), intent(out) :: dll, dsl, dss
      end subroutine formd

      subroutine formpq
      end subroutine formpq

      subroutine formf
      end subroutine formf

      subroutine forme
      end subroutine forme

      subroutine xtrpf
      end subroutine xtrpf
   end interface

   integer(ikind) :: l
   real(rkind) :: dll, dsl, dss, before

   ierr = 0
   before = zero
   lconv = .false.
   nhist = 0
   if (lprint) call write_iteration_head
   call formd(dll, dsl, dss)
   do niter = 1, maxitr
      call formpq
      call forme
      if (.not. abs(etot) <= huge(etot)) exit
      call formf
      call xtrpf
      call next_spinors
      if (ierr /= 0) exit
      call formd(dll, dsl, dss)
      if (lprint) call write_iteration(niter, etot, dll, dsl, dss)
      lconv = dll <= thdll .and. dsl <= thdsl .and. dss <= thdss
      ! The density of the steepest functions of a large basis cannot converge because of rounding; the energy can.
      if (lgrid) lconv = abs(etot - before) <= 2.0e-12_rkind * abs(etot)
      before = etot
      if (lconv) exit
   end do
   niter = min(niter, maxitr)
   if (ierr == 0) then     ! energies of the last spinors
      call formpq
      call forme
      call formf
      do l = 1, nsym
         call orbital_energies
      end do
   end if
   if (ierr /= 0) then
      call complain('iteration ' // integer_text(niter) // ': no convergence in LAPACK''s dsyev')
   else if (.not. abs(etot) <= huge(etot)) then
      ierr = 1
      call complain('iteration ' // integer_text(niter) // ': the energy is not a finite number')
   end if
   if (allocated(fhist)) deallocate (fhist, ehist)

contains

   subroutine next_spinors
      do l = 1, nsym
         umat(:, :, l) = fmat(:, :, l)
         call symmetric_eigenvectors(north(l), umat(:, :, l), eig(:, l), ierr)
         if (ierr /= 0) return
         call dgemm('N', 'N', 2 * nbs(l), north(l), north(l), one, xorth(:, :, l), norder, umat(:, :, l), norder, zero, &
            cvec(:, :, l), norder)
      end do
   end subroutine next_spinors

   subroutine orbital_energies
      real(rkind) :: fu(north(l), north(l))
      integer(ikind) :: i, n

      n = north(l)
      call dgemm('N', 'N', n, n, n, one, fmat(:, :, l), norder, umat(:, :, l), norder, zero, fu, n)
      do i = 1, n
         eig(i, l) = dot_product(umat(:n, i, l), fu(:, i))
      end do
   end subroutine orbital_energies

end subroutine scfiter

! FORMD - densities dtot of all shells and dopn of the open ones, and the largest change of an element in the blocks of
! dtot.
subroutine formd(dll, dsl, dss)
   use kinds
   use baspar
   use elconf
   use scfarr
   use result, only: cvec
   use linalg
   implicit none
   real(rkind), intent(out) :: dll, dsl, dss
   integer(ikind) :: l, n, p
   real(rkind) :: before(norder, norder)

   dll = zero
   dsl = zero
   dss = zero
   do l = 1, nsym
      n = nbs(l)
      before = dtot(:, :, l)
      dtot(:, :, l) = zero
      dopn(:, :, l) = zero
      if (nclose(l) > 0) call dgemm('N', 'T', 2 * n, 2 * n, nclose(l), real(ndeg(l), rkind), &
         cvec(:, nneg(l) + 1:, l), norder, cvec(:, nneg(l) + 1:, l), norder, zero, dtot(:, :, l), norder)
      if (nopen(l) > 0) then
         p = nneg(l) + nclose(l) + 1
         call dgemm('N', 'T', 2 * n, 2 * n, 1_ikind, qopen(l), cvec(:, p:, l), norder, cvec(:, p:, l), norder, zero, &
            dopn(:, :, l), norder)
         dtot(:, :, l) = dtot(:, :, l) + dopn(:, :, l)
      end if
      before = abs(dtot(:, :, l) - before)
      dll = max(dll, maxval(before(:n, :n)))
      dsl = max(dsl, maxval(before(n + 1:2*n, :n)))
      dss = max(dss, maxval(before(n + 1:2*n, n + 1:2*n)))
   end do
end subroutine formd

! FORMF - the coupled Fock operator over orthonormal functions, whose eigenvectors make the energy stationary, and its
! commutator with the occupation (1 closed, 1/2 open). F is the operator of the closed shells, F' that of the open
! shell. The coupled operator is (g F - q F')/(g - q) between closed and open spinors, F' between open spinors and from
! these to the virtual ones, and F between all others.
subroutine formf
   use kinds
   use baspar
   use elconf
   use oneint
   use scfarr
   use linalg
   implicit none
   integer(ikind) :: l

   do l = 1, nsym
      call to_orthonormal(2 * nbs(l), north(l), xorth(:, :, l), hmat(:, :, l) + pmat(:, :, l), fmat(:, :, l))
      if (nopen(l) > 0) call couple(2 * nbs(l), north(l))
      call commute(north(l))
   end do

contains

   subroutine couple(n, m)
      integer(ikind), intent(in) :: n, m
      real(rkind), dimension(m, m) :: fock, open_fock, ur
      integer(ikind) :: i, shell

      shell = nneg(l) + nclose(l) + 1
      call to_orthonormal(n, m, xorth(:, :, l), hmat(:, :, l) + pmat(:, :, l) - qmat(:, :, l), open_fock)
      open_fock = spinor_matrix(m, open_fock)
      fock = fmat(:m, :m, l)
      fock = spinor_matrix(m, fock)
      do i = 1, m
         if (i > nneg(l) .and. i < shell) then
            fock(i, shell) = (ndeg(l) * fock(i, shell) - qopen(l) * open_fock(i, shell)) / (ndeg(l) - qopen(l))
         else
            fock(i, shell) = open_fock(i, shell)
         end if
         fock(shell, i) = fock(i, shell)
      end do
      call dgemm('N', 'N', m, m, m, one, umat(:, :, l), norder, fock, m, zero, ur, m)
      call dgemm('N', 'T', m, m, m, one, ur, m, umat(:, :, l), norder, zero, fmat(:, :, l), norder)
   end subroutine couple

   function spinor_matrix(m, a) result(transformed)
      integer(ikind), intent(in) :: m
      real(rkind), intent(in) :: a(m, m)
      real(rkind) :: transformed(m, m)

      call to_orthonormal(m, m, umat(:, :, l), a, transformed)
   end function spinor_matrix

   subroutine commute(m)
      integer(ikind), intent(in) :: m
      real(rkind) :: occupation(m, m), product_matrix(m, m)
      integer(ikind) :: first

      first = nneg(l) + 1
      call dgemm('N', 'T', m, m, nclose(l), one, umat(:, first:, l), norder, umat(:, first:, l), norder, zero, occupation, m)
      first = first + nclose(l)
      if (nopen(l) > 0) call dgemm('N', 'T', m, m, 1_ikind, half, umat(:, first:, l), norder, umat(:, first:, l), norder, &
         one, occupation, m)
      call dgemm('N', 'N', m, m, m, one, fmat(:, :, l), norder, occupation, m, zero, product_matrix, m)
      emat(:, :, l) = zero
      emat(:m, :m, l) = product_matrix - transpose(product_matrix)
   end subroutine commute

end subroutine formf

! FORME - the energy of the densities and its parts.
subroutine forme
   use kinds
   use baspar
   use elconf
   use oneint
   use scfarr
   use result
   use linalg
   implicit none
   integer(ikind) :: l, n

   etot = zero
   ecap = zero
   enuc = zero
   erep = zero
   do l = 1, nsym
      n = 2 * nbs(l)
      etot = etot + trace_product(n, dtot(:, :, l), hmat(:, :, l))
      ecap = ecap + trace_product(n, dtot(:, :, l), tmat(:, :, l))
      enuc = enuc + trace_product(n, dtot(:, :, l), vmat(:, :, l))
      erep = erep + half * trace_product(n, dtot(:, :, l), pmat(:, :, l))
      if (nopen(l) > 0) erep = erep - half * trace_product(n, dopn(:, :, l), qmat(:, :, l))
   end do
   etot = etot + erep
end subroutine forme

! XTRPF - replaces the Fock operator: ixtrp = 0, by its mixture with the last one; ixtrp = 1, by the combination with
! earlier ones whose commutator with the occupation is smallest (P. Pulay, J. Comput. Chem. 3, 556 (1982)).
subroutine xtrpf
   use kinds
   use baspar
   use scfpar
   use scfarr
   use linalg
   implicit none
   real(rkind), parameter :: largest_weight = 1.0e4_rkind     ! larger weights result from rounding errors
   real(rkind) :: weights(mxdiis + 1)
   integer(ikind) :: first, k, kept

   kept = merge(1_ikind, mxdiis, ixtrp == 0)
   if (.not. allocated(fhist)) allocate (fhist(norder, norder, nsym, kept), ehist(norder, norder, nsym, kept))
   if (ixtrp == 0) then
      if (nhist == 1) fmat = (one - dfctr) * fmat + dfctr * fhist(:, :, :, 1)
      fhist(:, :, :, 1) = fmat
      nhist = 1
      return
   end if
   if (nhist == mxdiis) then
      do k = 1, mxdiis - 1
         fhist(:, :, :, k) = fhist(:, :, :, k + 1)
         ehist(:, :, :, k) = ehist(:, :, :, k + 1)
      end do
      nhist = mxdiis - 1
   end if
   nhist = nhist + 1
   fhist(:, :, :, nhist) = fmat
   ehist(:, :, :, nhist) = emat
   do first = 1, nhist - 1
      if (weights_from(first)) exit
   end do
   if (first >= nhist) return
   fmat = zero
   do k = first, nhist
      fmat = fmat + weights(k - first + 1) * fhist(:, :, :, k)
   end do

contains

   function weights_from(first) result(usable)
      integer(ikind), intent(in) :: first
      logical :: usable
      real(rkind), allocatable :: b(:, :)
      real(rkind) :: scale
      integer(ikind) :: i, j, n, failure

      n = nhist - first + 1
      allocate (b(n + 1, n + 1))
      do j = 1, n
         do i = 1, j
            b(i, j) = sum(ehist(:, :, :, first + i - 1) * ehist(:, :, :, first + j - 1))
            b(j, i) = b(i, j)
         end do
      end do
      scale = b(n, n)
      usable = scale > zero
      if (.not. usable) return
      b(:n, :n) = b(:n, :n) / scale
      b(n + 1, :) = one
      b(:, n + 1) = one
      b(n + 1, n + 1) = zero
      weights(:n) = zero
      weights(n + 1) = one
      call solve_linear(n + 1_ikind, b, weights(:n + 1), failure)
      usable = failure == 0
      if (usable) usable = all(abs(weights(:n)) < largest_weight)
   end function weights_from

end subroutine xtrpf
