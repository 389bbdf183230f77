! Computes the moments of KPM_MOMENTS from LAPACK's eigenvalues and eigenvectors: mu(n, r) = sum_k <r|k>^2
! T_n(E~_k) / nsite. It is linked with the main program of kpmdos in place of its own routine, for small matrices.
subroutine kpm_moments(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, ierr)
   use kinds
   implicit none
   integer(ikind), intent(in) :: nsite, nmom, nvec, realisation
   integer(lkind), intent(in) :: row_start(nsite + 1_lkind)
   integer(ikind), intent(in) :: column(*)
   real(rkind), intent(in) :: element(*), centre, half_width
   real(rkind), intent(out) :: mu(0:nmom - 1, nvec)
   integer(ikind), intent(out) :: ierr

   interface
      subroutine start_vector(realisation, vector, x)
         use crsmat, only: sites => nsite
         import :: ikind, rkind
         integer(ikind), intent(in) :: realisation, vector
         real(rkind), intent(out) :: x(sites)
      end subroutine start_vector

      subroutine dsyev(jobz, uplo, n, a, lda, w, work, lwork, info)
         import :: ikind, rkind
         character(len=1), intent(in) :: jobz, uplo
         integer(ikind), intent(in) :: n, lda, lwork
         real(rkind), intent(inout) :: a(lda, *)
         real(rkind), intent(out) :: w(*), work(*)
         integer(ikind), intent(out) :: info
      end subroutine dsyev
   end interface

   real(rkind) :: states(nsite, nsite), levels(nsite), work(40 * nsite), x(nsite), weights(nsite)
   integer(ikind) :: i, n, r
   integer(lkind) :: j

   states = zero
   do i = 1, nsite
      do j = row_start(i), row_start(i + 1) - 1
         states(i, column(j)) = states(i, column(j)) + element(j)
      end do
   end do
   if (maxval(abs(states - transpose(states))) > zero) error stop 'the matrix is not symmetric'
   call dsyev('V', 'U', nsite, states, nsite, levels, work, size(work, kind=ikind), ierr)
   if (ierr /= 0) error stop 'dsyev failed'
   levels = acos((levels - centre) / half_width)
   do r = 1, nvec
      call start_vector(realisation, r, x)
      weights = matmul(x, states)**2 / nsite
      do n = 0, nmom - 1
         mu(n, r) = sum(weights * cos(n * levels))
      end do
   end do
end subroutine kpm_moments
