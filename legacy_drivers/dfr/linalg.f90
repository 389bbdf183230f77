! Linear algebra for guess and scfiter, by BLAS and LAPACK.
module linalg
   use kinds
   implicit none
   private
   public :: dgemm, symmetric_eigenvectors, solve_linear, to_orthonormal, trace_product

   interface
      subroutine dgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
         import :: ikind, rkind
         character(len=1), intent(in) :: transa, transb
         integer(ikind), intent(in) :: m, n, k, lda, ldb, ldc
         real(rkind), intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
         real(rkind), intent(inout) :: c(ldc, *)
      end subroutine dgemm

      subroutine dsyev(jobz, uplo, n, a, lda, w, work, lwork, info)
         import :: ikind, rkind
         character(len=1), intent(in) :: jobz, uplo
         integer(ikind), intent(in) :: n, lda, lwork
         real(rkind), intent(inout) :: a(lda, *), w(*), work(*)
         integer(ikind), intent(out) :: info
      end subroutine dsyev

      subroutine dgesv(n, nrhs, a, lda, ipiv, b, ldb, info)
         import :: ikind, rkind
         integer(ikind), intent(in) :: n, nrhs, lda, ldb
         real(rkind), intent(inout) :: a(lda, *), b(ldb, *)
         integer(ikind), intent(out) :: ipiv(*), info
      end subroutine dgesv
   end interface

contains

   ! Overwrites the leading n x n part of a by its eigenvectors, in ascending order of the eigenvalues.
   subroutine symmetric_eigenvectors(n, a, eigenvalues, ierr)
      integer(ikind), intent(in) :: n
      real(rkind), contiguous, intent(inout) :: a(:, :)
      real(rkind), contiguous, intent(inout) :: eigenvalues(:)
      integer(ikind), intent(out) :: ierr
      real(rkind), allocatable :: work(:)
      integer(ikind) :: lwork

      lwork = 34 * n
      allocate (work(lwork))
      call dsyev('V', 'U', n, a, size(a, 1, ikind), eigenvalues, work, lwork, ierr)
   end subroutine symmetric_eigenvectors

   subroutine solve_linear(n, a, b, ierr)
      integer(ikind), intent(in) :: n
      real(rkind), contiguous, intent(inout) :: a(:, :), b(:)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: pivots(n)

      call dgesv(n, 1_ikind, a, size(a, 1, ikind), pivots, b, size(b, 1, ikind), ierr)
   end subroutine solve_linear

   ! Calculates the leading m x m part of x^T a x, where x has n rows and m columns.
   subroutine to_orthonormal(n, m, x, a, transformed)
      integer(ikind), intent(in) :: n, m
      real(rkind), contiguous, intent(in) :: x(:, :), a(:, :)
      real(rkind), contiguous, intent(inout) :: transformed(:, :)
      real(rkind) :: ax(n, m)

      call dgemm('N', 'N', n, m, n, one, a, size(a, 1, ikind), x, size(x, 1, ikind), zero, ax, n)
      call dgemm('T', 'N', m, m, n, one, x, size(x, 1, ikind), ax, n, zero, transformed, size(transformed, 1, ikind))
   end subroutine to_orthonormal

   ! Returns the trace of the product of two symmetric matrices.
   pure function trace_product(n, a, b) result(trace)
      integer(ikind), intent(in) :: n
      real(rkind), intent(in) :: a(:, :), b(:, :)
      real(rkind) :: trace

      trace = sum(a(:n, :n) * b(:n, :n))
   end function trace_product

end module linalg
