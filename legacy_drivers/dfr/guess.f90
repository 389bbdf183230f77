! GUESS - orthonormal functions, large and small ones separately (canonical orthonormalisation), and the first spinors.
! These are the spinors of an electron in the field of the nucleus, which the other electrons screen according to
! Moliere's fit to the Thomas-Fermi function. ierr = 1: no memory, fewer functions than shells, or LAPACK failed.
subroutine guess(ierr)
   use kinds
   use ctlpar
   use baspar
   use elconf
   use oneint
   use scfarr
   use result
   use linalg
   use messages, only: complain, integer_text
   use output, only: symmetry_name
   implicit none
   integer(ikind), intent(out) :: ierr

   real(rkind), parameter :: dependence = 1.0e-10_rkind     ! eigenvalues of the overlap below this are left out
   real(rkind), parameter :: step = 0.03_rkind              ! step in ln r, fine enough for a guess
   integer(ikind) :: l, points
   real(rkind) :: electrons
   real(rkind), allocatable :: r(:), weight(:)

   call allocate_arrays
   if (ierr /= 0) return
   call make_grid
   do l = 1, nsym
      call orthonormalise
      if (ierr == 0) then
         call require_functions
         if (ierr /= 0) return
         call first_spinors
      end if
      if (ierr /= 0) then
         call complain('the initial guess failed: no convergence in LAPACK''s dsyev')
         return
      end if
   end do

contains

   subroutine allocate_arrays
      integer :: status

      ierr = 0
      if (allocated(xorth)) deallocate (xorth, umat, dtot, dopn, pmat, qmat, fmat, emat, eig, cvec, nroot, nposit)
      allocate (xorth(norder, norder, nsym), umat(norder, norder, nsym), dtot(norder, norder, nsym), &
         dopn(norder, norder, nsym), pmat(norder, norder, nsym), qmat(norder, norder, nsym), &
         fmat(norder, norder, nsym), emat(norder, norder, nsym), cvec(norder, norder, nsym), &
         eig(norder, nsym), source=zero, stat=status)
      if (status == 0) allocate (nroot(nsym), nposit(nsym), source=0_ikind, stat=status)
      if (status == 0) return
      ierr = 1
      call complain('no memory for the matrices of the SCF')
   end subroutine allocate_arrays

   ! Makes points and weights for the integral over r of the screening potential.
   subroutine make_grid
      real(rkind) :: smallest, largest
      integer(ikind) :: i

      smallest = minval([(minval(zeta(:nbs(l), l)), l = 1, nsym)])
      largest = maxval([(maxval(zeta(:nbs(l), l)), l = 1, nsym)])
      electrons = sum(nclose(:nsym) * ndeg(:nsym)) + freeel
      points = int(log(8.0e3_rkind * sqrt(largest / smallest)) / step, ikind) + 1
      allocate (r(points), weight(points))
      do i = 1, points
         r(i) = 1.0e-3_rkind / sqrt(largest) * exp(step * (i - 1))
         weight(i) = step * max(electrons - one, zero) * (one - screening(r(i)))
      end do
   end subroutine make_grid

   pure function screening(radius) result(phi)
      real(rkind), intent(in) :: radius
      real(rkind) :: phi, x

      x = radius * znuc**(one / 3) / 0.88534_rkind
      phi = 0.35_rkind * exp(-0.3_rkind * x) + 0.55_rkind * exp(-1.2_rkind * x) + 0.1_rkind * exp(-6.0_rkind * x)
   end function screening

   subroutine orthonormalise
      integer(ikind) :: n, large, small

      n = nbs(l)
      xorth(:, :, l) = zero
      call canonical(0_ikind, n, 0_ikind, large)
      if (ierr == 0) call canonical(n, n, large, small)
      north(l) = large + small
      nneg(l) = small
      nroot(l) = large + small
      nposit(l) = small + 1
   end subroutine orthonormalise

   ! Checks that there is a large function for every shell. The electrons of a missing spinor would be lost.
   subroutine require_functions
      integer(ikind) :: left, shells

      left = north(l) - nneg(l)
      shells = nclose(l) + nopen(l)
      if (left >= shells) return
      ierr = 1
      call complain('near linear dependence leaves ' // integer_text(left) // ' of ' // integer_text(nbs(l)) // &
         ' functions of ' // symmetry_name(l) // ' for ' // integer_text(shells) // ' shells')
   end subroutine require_functions

   ! Orthonormalises functions first + 1, ..., first + n and stores the vectors in the columns after "column".
   subroutine canonical(first, n, column, number)
      integer(ikind), intent(in) :: first, n, column
      integer(ikind), intent(out) :: number
      real(rkind), allocatable :: vectors(:, :), eigenvalues(:)
      integer(ikind) :: k

      allocate (vectors(n, n), source=smat(first + 1:first + n, first + 1:first + n, l))
      allocate (eigenvalues(n))
      number = 0
      call symmetric_eigenvectors(n, vectors, eigenvalues, ierr)
      if (ierr /= 0) return
      do k = 1, n
         if (eigenvalues(k) < dependence) cycle
         number = number + 1
         xorth(first + 1:first + n, column + number, l) = vectors(:, k) / sqrt(eigenvalues(k))
      end do
   end subroutine canonical

   subroutine first_spinors
      real(rkind), allocatable :: screened(:, :), functions(:, :), weighted(:, :)
      integer(ikind) :: component, n, p, q

      n = nbs(l)
      allocate (screened(norder, norder), source=hmat(:, :, l))
      allocate (functions(points, n), weighted(points, n))
      do component = 0, 1
         do p = 1, n
            if (component == 0) then
               functions(:, p) = anorml(p, l) * r**(lqn(l) + 1) * exp(-zeta(p, l) * r**2)
            else
               functions(:, p) = anorms(p, l) * r**lqn(l) * (lqn(l) + 1 + kappa(l) - 2 * zeta(p, l) * r**2) * &
                  exp(-zeta(p, l) * r**2)
            end if
            weighted(:, p) = weight * functions(:, p)
         end do
         p = component * n + 1
         q = component * n + n
         call add_transposed_product(functions, weighted, screened(p:q, p:q))
      end do
      call to_orthonormal(2 * n, north(l), xorth(:, :, l), screened, umat(:, :, l))
      call symmetric_eigenvectors(north(l), umat(:, :, l), eig(:, l), ierr)
      if (ierr /= 0) return
      call dgemm('N', 'N', 2 * n, north(l), north(l), one, xorth(:, :, l), norder, umat(:, :, l), norder, zero, &
         cvec(:, :, l), norder)
   end subroutine first_spinors

   subroutine add_transposed_product(a, b, total)
      real(rkind), intent(in) :: a(:, :), b(:, :)
      real(rkind), intent(inout) :: total(:, :)
      real(rkind), allocatable :: part(:, :)
      integer(ikind) :: n

      n = size(a, 2, ikind)
      allocate (part(n, n))
      call dgemm('T', 'N', n, n, points, one, a, points, b, points, zero, part, n)
      total = total + part
   end subroutine add_transposed_product

end subroutine guess
