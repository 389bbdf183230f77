! Means of arrays over samples, and their errors (Welford's update).
module averages
   use estimates, only: no_error
   use kinds
   implicit none
   private
   public :: average, start_average, add_sample, standard_error

   type average
      integer(lkind) :: samples
      real(rkind), allocatable :: mean(:), scatter(:)     ! scatter: sum of the squared deviations
   end type average

contains

   subroutine start_average(a, length, ierr)
      type(average), intent(out) :: a
      integer(ikind), intent(in) :: length
      integer(ikind), intent(out) :: ierr
      integer :: status

      a%samples = 0
      allocate (a%mean(length), a%scatter(length), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr /= 0) return
      a%mean = zero
      a%scatter = zero
   end subroutine start_average

   subroutine add_sample(a, values)
      type(average), intent(inout) :: a
      real(rkind), intent(in) :: values(:)
      real(rkind) :: deviation
      integer :: i

      a%samples = a%samples + 1
      do i = 1, size(values)
         deviation = values(i) - a%mean(i)
         a%mean(i) = a%mean(i) + deviation / a%samples
         a%scatter(i) = a%scatter(i) + deviation * (values(i) - a%mean(i))
      end do
   end subroutine add_sample

   ! Returns the standard error of element i of the mean.
   pure function standard_error(a, i) result(error)
      type(average), intent(in) :: a
      integer(ikind), intent(in) :: i
      real(rkind) :: error

      error = no_error
      if (a%samples > 1) error = sqrt(a%scatter(i) / (real(a%samples, rkind) * (a%samples - 1)))
   end function standard_error

end module averages

! Results of the program.
module samples
   use kinds
   use averages, only: average
   implicit none
   public

   real(rkind), allocatable :: mu(:, :), curve(:)     ! (0:nmom-1, nvec) of a realisation; (nenergy) of a sample
   type(average) :: moments, powers, density          ! powers: those of the energy
end module samples
