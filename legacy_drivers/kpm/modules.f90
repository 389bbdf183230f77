! The parameters of the input file, and the matrix with what it was made from.

module limits
   use kinds
   implicit none
   public

   integer(ikind), parameter :: maxtit = 200        ! characters of the title
   integer(ikind), parameter :: maxsit = huge(0_ikind) - 2047     ! a loop may count a little beyond
   integer(ikind), parameter :: maxmom = 65536
   integer(ikind), parameter :: maxvec = 65535      ! with 0, which is the disorder, 2^16 streams for a realisation,
   integer(ikind), parameter :: maxrea = 32766      ! and in all no more than a generator of 2^31 - 2 states can start
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
   logical :: periodic(3)                                  ! what they say
   real(rkind) :: hopping                                  ! H_ij = -hopping for each bond
   character(len=longest_line) :: onsite                   ! 'constant', 'box', 'gaussian'
   real(rkind) :: energy, strength                         ! mean of the site energies; width, or standard deviation
   integer(ikind) :: nmom, nvec, nreal                     ! moments; random vectors of a realisation; realisations
   character(len=longest_line) :: vectors                  ! 'sign', 'gaussian', 'uniform', 'sites'
   integer(ikind) :: seed
   character(len=longest_line) :: method                   ! 'gershgorin', 'given'
   real(rkind) :: lowest, highest, margin                  ! of the spectrum; half_width = (highest - lowest)/2 (1 + margin)
   character(len=longest_line) :: kernel                   ! 'jackson', 'lorentz', 'fejer', 'dirichlet'
   real(rkind) :: lambda                                   ! of the Lorentz kernel
   integer(ikind) :: nenergy                               ! energies of the density of states
   real(rkind) :: centre, half_width                       ! of the interval that becomes [-1, 1]
end module kpmpar

! Compressed rows, columns ascending: elements row_start(i) .. row_start(i+1) - 1 are those of row i. All indices from 1.
module crsmat
   use kinds
   implicit none
   public

   integer(ikind) :: nsite
   integer(lkind), allocatable :: row_start(:)     ! (nsite + 1)
   integer(ikind), allocatable :: column(:)
   real(rkind), allocatable :: element(:)
   integer(lkind), allocatable :: diagonal(:)      ! (nsite): where element(:) has the site energies
end module crsmat
