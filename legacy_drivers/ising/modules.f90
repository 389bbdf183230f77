! The parameters of the input file, and quantities that follow from them.

module limits
   use kinds
   implicit none
   public

   integer(ikind), parameter :: maxtit = 200          ! characters of the title
   integer(ikind), parameter :: maxext = 1048576      ! largest extent
   integer(lkind), parameter :: maxsit = 2_lkind**37  ! sites
   integer(ikind), parameter :: maxbet = 1024         ! temperatures
   integer(ikind), parameter :: maxsys = 1048576      ! lattices in all
   integer(ikind), parameter :: maxswp = 1000000000
   integer(lkind), parameter :: maxall = 2_lkind**40  ! sweeps after the thermalisation
   integer(ikind), parameter :: maxbin = 1048576
   integer(ikind), parameter :: maxsee = 2147483646   ! the largest state of Park and Miller's generator
   real(rkind), parameter :: maxval_beta = 1.0e3_rkind, maxval_field = 1.0e6_rkind
end module limits

! $lattice, $model, $run and $output
module isipar
   use kinds
   use limits, only: maxbet, maxtit
   use input_lines, only: longest_line
   implicit none
   public

   character(len=maxtit) :: title
   integer(ikind) :: dimensions, extents(3)
   character(len=longest_line) :: boundary(3)         ! 'periodic', 'antiperiodic'
   real(rkind) :: betas(maxbet), field                ! J / kT; h / J
   character(len=longest_line) :: algorithm           ! 'metropolis', 'demon_naive', ..
   character(len=longest_line) :: generator           ! 'marsaglia_zaman', ..
   integer(ikind) :: seed
   character(len=longest_line) :: start               ! 'up', 'random'
   integer(ikind) :: replicas
   integer(ikind) :: thermalisation                   ! sweeps before the first measurement
   integer(ikind) :: sweeps_per_measurement, measurements_per_bin, bins
   integer(ikind) :: refresh_interval                 ! sweeps between draws of the demons, which must not stay empty
   character(len=longest_line) :: plotname            ! beginning of the file names
   logical :: time_series, configurations             ! .true.: these files are written

   ! Quantities that follow from the input.
   integer(ikind) :: nbeta
   integer(lkind) :: nsite
   logical :: antiperiodic(3), by_philox
   logical :: has_demons, naive, canonical            ! demons, and how they are drawn

end module isipar

! Observables that are averaged over each bin. Magnetisation and energy are per site.
module observables
   use kinds
   implicit none
   public

   integer(ikind), parameter :: magnetisation = 1, square = 2, fourth = 3, energy = 4, energy_squared = 5     ! |m|, m^2, m^4
   integer(ikind), parameter :: nvalue = 5
end module observables
