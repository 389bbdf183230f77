! Means over the bins of all chains, and their errors. Chains are independent, and so are bins that are much longer than
! the autocorrelation time of the energy. The spread of all bins gives one error. The spread of the chains' means gives
! another error from fewer numbers, which is valid for bins of any length.
module averages
   use estimates, only: estimate, no_error
   use kinds
   implicit none
   private
   public :: mean_of, chain_means

contains

   pure function mean_of(values) result(e)
      real(rkind), intent(in) :: values(:, :)
      type(estimate) :: e
      real(rkind) :: number

      number = size(values, kind=lkind)
      e%mean = sum(values) / number
      e%error = no_error
      if (number > one) e%error = sqrt(sum((values - e%mean)**2) / (number * (number - one)))
   end function mean_of

   ! Returns the means of the chains as an array of one bin for each chain.
   pure function chain_means(values) result(means)
      real(rkind), intent(in) :: values(:, :)
      real(rkind) :: means(1, size(values, 2))

      means(1, :) = sum(values, dim=1) / size(values, 1)
   end function chain_means

end module averages

! Results of the program.
module results
   use kinds
   implicit none
   public

   real(rkind), allocatable :: bins(:, :, :)         ! (nvalue, nbins, nchain)
   integer(ikind), allocatable :: sites(:, :)        ! (2 npair, nchain): at the end, up electrons first, from 0
   integer(lkind), allocatable :: moves(:, :)        ! (ncount, 2), of all chains
end module results
