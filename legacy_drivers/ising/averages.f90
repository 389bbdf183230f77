! Averages over the bins of all replicas at one temperature, and their errors. The error of a mean follows from the
! spread of the bins, that of a nonlinear function of means from the jackknife over bins. A microcanonical lattice keeps
! the energy that its thermalisation has left to it. Means of lattices therefore replace the bins in this case.
module averages
   use estimates, only: estimate, no_error
   use kinds
   use isipar, only: nsite, sweeps_per_measurement
   use observables
   implicit none
   private
   public :: averages_of, autocorrelation_time, means_of_lattices

   integer, parameter, public :: naverage = 5
   integer, parameter, public :: of_magnetisation = 1, susceptibility = 2, binder = 3, of_energy = 4, specific_heat = 5

contains

   pure function averages_of(bins, beta) result(averages)
      real(rkind), intent(in) :: bins(:, :), beta     ! (nvalue, all bins)
      type(estimate) :: averages(naverage)
      real(rkind) :: sums(nvalue), without(naverage, size(bins, 2)), middle(naverage), n
      integer :: i

      n = size(bins, 2, lkind)
      sums = sum(bins, dim=2)
      averages%mean = functions(sums / n, beta)
      averages%error = no_error
      if (n < two) return
      do i = 1, size(bins, 2)
         without(:, i) = functions((sums - bins(:, i)) / (n - one), beta)
      end do
      middle = sum(without, dim=2) / n
      do i = 1, naverage
         averages(i)%error = sqrt((n - one) / n * sum((without(i, :) - middle(i))**2))
      end do
   end function averages_of

   ! Returns the means of lattices. The bins are ordered by lattice.
   pure function means_of_lattices(bins, lattices) result(means)
      real(rkind), intent(in) :: bins(:, :)
      integer(ikind), intent(in) :: lattices
      real(rkind) :: means(size(bins, 1), lattices)
      integer :: each, i

      each = size(bins, 2) / lattices
      do i = 1, lattices
         means(:, i) = sum(bins(:, (i - 1) * each + 1:i * each), dim=2) / each
      end do
   end function means_of_lattices

   pure function functions(means, beta) result(values)
      real(rkind), intent(in) :: means(nvalue), beta
      real(rkind) :: values(naverage)

      values(of_magnetisation) = means(magnetisation)
      values(susceptibility) = nsite * (means(square) - means(magnetisation)**2)
      values(binder) = zero
      if (means(square) > zero) values(binder) = one - means(fourth) / (3 * means(square)**2)
      values(of_energy) = means(energy)
      values(specific_heat) = beta**2 * nsite * (means(energy_squared) - means(energy)**2)
   end function functions

   ! Returns the integrated autocorrelation time in sweeps. It follows from the increase of an error by correlations. It
   ! is 0 if nothing varies, or with a single bin.
   pure function autocorrelation_time(error, variance, measurements) result(time)
      real(rkind), intent(in) :: error, variance     ! error of the mean, variance of one measurement
      integer(lkind), intent(in) :: measurements
      real(rkind) :: time

      time = zero
      if (error > zero .and. variance > zero) &
         time = half * sweeps_per_measurement * measurements * error**2 / variance
   end function autocorrelation_time

end module averages

! Results of the program.
module results
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   implicit none
   public

   real(rkind), allocatable :: bin_means(:, :, :)     ! (nvalue, bins of all replicas, nbeta)
   integer(int8), allocatable :: spins(:)             ! final spins of a lattice, +1 and -1, in the order of x, y, z
end module results
