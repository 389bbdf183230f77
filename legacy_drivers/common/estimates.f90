! A number with its standard error.
module estimates
   use kinds
   implicit none
   private
   public :: estimate, error_text

   real(rkind), parameter, public :: no_error = -one     ! unknown: a single sample has no spread

   type estimate
      real(rkind) :: mean, error
   end type estimate

contains

   ! Returns the error with this width and number of decimals, or 'unknown'.
   function error_text(error, width, decimals) result(text)
      real(rkind), intent(in) :: error
      integer, intent(in) :: width, decimals
      character(len=width) :: text
      character(len=20) :: form

      text = repeat(' ', width - 7) // 'unknown'
      write (form, '(a,i0,a,i0,a)') '(es', width, '.', decimals, ')'
      if (error > no_error) write (text, form) error
   end function error_text

end module estimates
