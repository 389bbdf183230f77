! A program in which each thread has its own run. Variables that differ between runs are threadprivate.
module isipar
   use kinds
   implicit none
   public

   integer(ikind) :: dimensions = 2, extents(3) = [8, 8, 1]
   real(rkind) :: betas(4) = 0, field = 0
   character(len=20) :: algorithm = 'metropolis', generator = 'philox', start = 'up'
   integer(ikind) :: seed = 1, replicas = 2, thermalisation = 4, sweeps_per_measurement = 2
   integer(ikind) :: measurements_per_bin = 2, bins = 3, refresh_interval = 1, nbeta = 1
   integer(lkind) :: nsite = 64
   logical :: antiperiodic(3) = .false., configurations = .true.
   logical :: by_philox = .true., has_demons = .false., naive = .false., canonical = .false.
   !$omp threadprivate(betas, seed)
end module isipar

module host
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use isipar, only: betas, bins, measurements_per_bin, nsite, replicas, seed, sweeps_per_measurement, thermalisation
   implicit none
   private
   public :: number_of_values, realise

   integer, parameter :: number_of_values = 2 * (2 * 6 + 64)

contains

   subroutine realise(r, values)
      integer, intent(in) :: r
      real(rkind), intent(out) :: values(number_of_values)
      integer(int8) :: spins(64)
      integer(ikind) :: replica, measurement, ierr, place
      integer(lkind) :: done
      external :: ising_update, ising_measure, ising_spins

      betas(1) = 0.3_rkind + 0.005_rkind * r
      seed = r
      place = 1
      do replica = 1, replicas
         done = 0
         do measurement = 1, bins * measurements_per_bin
            call ising_update(1_ikind, replica, done, int(merge(thermalisation, 0_ikind, done == 0), lkind) + &
                              sweeps_per_measurement, ierr)
            if (ierr /= 0) error stop 'ising_update'
            done = thermalisation + int(measurement, lkind) * sweeps_per_measurement
            call ising_measure(values(place), values(place + 1))
            place = place + 2
         end do
         call ising_spins(spins, ierr)
         if (ierr /= 0) error stop 'ising_spins'
         values(place:place + nsite - 1) = spins
         place = place + int(nsite, ikind)
      end do
   end subroutine realise
end module host
