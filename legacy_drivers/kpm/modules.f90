! The parameters of the input file, and the matrix that is built from them.

module limits
   use kinds
   implicit none
   public

   integer(ikind), parameter :: maxtit = 200        ! characters of the title
   integer(ikind), parameter :: maxsit = huge(0_ikind) - 2047     ! loop counters may go slightly beyond
   integer(ikind), parameter :: maxmom = 65536
   integer(ikind), parameter :: maxvec = 65535      ! 2^16 streams per realisation: 0 is for the disorder
   integer(ikind), parameter :: maxrea = 32766      ! fewer streams in all than the 2^31 - 2 seeds of the generator
   integer(ikind), parameter :: maxene = 1048576
   real(rkind), parameter :: maxval_energy = 1.0e10_rkind
end module limits

! $lattice, $site, $kpm, $bounds and $dos
module kpmpar
   use kinds
   use limits, only: maxtit
   use input_lines, only: longest_line
   implicit none
   public

   character(len=maxtit) :: title
   integer(ikind) :: lx, ly, lz                            ! extents; site (x, y, z) from 0 has number 1 + x + lx (y + ly z)
   character(len=longest_line) :: bcx, bcy, bcz            ! 'periodic', 'open'
   logical :: periodic(3)                                  ! .true. for 'periodic'
   real(rkind) :: hopping                                  ! H_ij = -hopping for each bond
   character(len=longest_line) :: onsite                   ! 'constant', 'box', 'gaussian'
   real(rkind) :: energy, strength                         ! mean of the site energies; width, or standard deviation
   integer(ikind) :: nmom, nvec, nreal                     ! moments; random vectors of a realisation; realisations
   character(len=longest_line) :: vectors                  ! 'sign', 'gaussian', 'uniform', 'sites'
   integer(ikind) :: seed
   character(len=longest_line) :: method                   ! 'gershgorin', 'given'
   real(rkind) :: lowest, highest, margin                  ! bounds; half_width = (highest - lowest)/2 (1 + margin)
   character(len=longest_line) :: kernel                   ! 'jackson', 'lorentz', 'fejer', 'dirichlet'
   real(rkind) :: lambda                                   ! parameter of the Lorentz kernel
   integer(ikind) :: nenergy                               ! number of energies of the density of states
   real(rkind) :: centre, half_width                       ! the interval that is mapped to [-1, 1]
end module kpmpar

! Compressed rows, columns ascending: elements row_start(i) .. row_start(i+1) - 1 are those of row i. All indices from
! 1.
module crsmat
   use kinds
   implicit none
   public

   integer(ikind) :: nsite
   integer(lkind), allocatable :: row_start(:)     ! (nsite + 1)
   integer(ikind), allocatable :: column(:)
   real(rkind), allocatable :: element(:)
   integer(lkind), allocatable :: diagonal(:)      ! (nsite): positions of the site energies in element(:)
end module crsmat
