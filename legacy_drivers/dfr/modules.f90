! Limits, the parameters of the input file under their legacy names, and the arrays through which the routines of
! a calculation communicate. The main program, its input and its output are compiled once with these modules. eint1,
! eint2, guess, scfiter, calc_energy and newuoa can be replaced at link time by others that read and fill the same
! arrays.

module limits
   use kinds
   implicit none
   public

   integer(ikind), parameter :: maxsym = 9       ! up to g9/2
   integer(ikind), parameter :: maxbas = 200     ! functions of a symmetry, and exponents of a pool
   integer(ikind), parameter :: maxcnf = 100000  ! configurations read from the input
   integer(ikind), parameter :: maxtit = 200     ! characters of the title
   integer(ikind), parameter :: maxlmb = 4       ! largest l
   ! No product of powers of exponents in this range overflows in an integral up to l = maxlmb.
   real(rkind), parameter :: smallest_exponent = 1.0e-8_rkind, largest_exponent = 1.0e20_rkind
   real(rkind), parameter :: bohr_in_fm = 0.529177249e5_rkind
end module limits

! $contrl, $nuc and $newuoa
module ctlpar
   use kinds
   use input_lines, only: longest_line
   use limits, only: maxtit
   implicit none
   public

   character(len=maxtit) :: title
   character(len=longest_line) :: jobtype     ! 'energy', 'bsopt'
   real(rkind) :: c                ! speed of light
   real(rkind) :: znuc             ! nuclear charge
   integer(ikind) :: nucmdl        ! 1 point, 2 uniform sphere, 3 Gaussian
   real(rkind) :: rnuc             ! radius of the sphere, bohr
   real(rkind) :: alpha            ! charge density exp(-alpha r^2)
   real(rkind) :: rhobeg, rhoend   ! first and last radius of the trust region
   integer(ikind) :: iprint        ! amount of output, 0..3
   integer(ikind) :: maxfun        ! largest number of energies
   logical :: lprint = .true.      ! scfiter prints its iterations
   logical :: lrel = .true.        ! .false.: large components only, T = p^2/2; only in dfratom_batch
end module ctlpar

! $bas and $wtbs, and quantities that follow from them
module baspar
   use kinds
   use input_lines, only: longest_line
   use limits, only: maxbas, maxsym
   implicit none
   public

   integer(ikind) :: nsym                 ! symmetries s1/2, p1/2, p3/2, d3/2, ...
   character(len=longest_line) :: bastype       ! 'wtbs', 'rdin'
   integer(ikind) :: ngroup               ! sets of well-tempered parameters
   real(rkind) :: wtbspara(4*maxsym)      ! alpha, beta, delta, gamma of each group
   real(rkind) :: wtbsref(4*maxsym)       ! wtbspara of the input, reference for calc_energy
   integer(ikind) :: nbs(maxsym)          ! number of functions
   integer(ikind) :: start(maxsym)        ! number of the first exponent in the pool
   integer(ikind) :: groups(maxsym)       ! group whose pool is used

   ! set by formbs (wtbs) or intin (rdin)
   real(rkind) :: zeta(maxbas, maxsym)
   ! set by calc_parameters
   integer(ikind) :: kappa(maxsym), lqn(maxsym), jqn2(maxsym), ndeg(maxsym)     ! kappa, l, 2j, 2j+1
   integer(ikind) :: lpair(maxsym + 1)    ! pairs p >= q of the symmetries before: pair (l,p,q) is lpair(l) + p(p-1)/2 + q
   integer(ikind) :: nbsmax, norder       ! largest nbs, and twice that: the order of the matrices below
   ! set by bsnorm: g^L = anorml r^(l+1) exp(-zeta r^2), g^S = anorms [(l+1+kappa) r^l - 2 zeta r^(l+2)] exp(-zeta r^2)
   real(rkind) :: anorml(maxbas, maxsym), anorms(maxbas, maxsym)
end module baspar

! $econfig, and quantities that follow from it
module elconf
   use kinds
   use limits, only: maxsym
   implicit none
   public

   integer(ikind) :: nclose(maxsym)              ! closed shells
   integer(ikind) :: nopen(maxsym)               ! open shells, 0 or 1
   integer(ikind) :: freeel                      ! electrons in the open shells
   logical :: autogen                            ! .true.: all distributions of these electrons
   integer(ikind) :: nconf                       ! configurations
   real(rkind), allocatable :: occup(:, :)       ! (symmetry, configuration)
   ! set by setvc
   real(rkind) :: qopen(maxsym)                  ! mean number of electrons in the open shell
   real(rkind) :: vc(maxsym, maxsym)             ! 1 - A, A = mean number of pairs over that of independent occupations
end module elconf

! $scf
module scfpar
   use kinds
   implicit none
   public

   integer(ikind) :: maxitr                 ! largest number of iterations
   integer(ikind) :: ixtrp                  ! 0 damping, 1 extrapolation of the Fock matrix
   real(rkind) :: dfctr                     ! share of the last Fock matrix
   real(rkind) :: thdll, thdsl, thdss       ! largest change of a converged density matrix
   logical :: lgrid = .false.               ! eint2 and formpq of the serial program: no integrals, but sums over a grid
end module scfpar

! Tables of bcoef for the two-electron integrals. The integrals between pairs with powers m and m' of r and sums of
! exponents p and q are
!    sum over nu of b_nu R^nu = s^(-(m+m'+1)/2) [ f(s/p) + f'(s/q) ],    s = p + q,    f(u) = sum over k >= 1 of f_k u^k.
! All f_k are positive. Index a = 0, 1, 2: m = l + l' + 2a, and a = 1 is the large-large pair.
module bcoefs
   use kinds
   use limits, only: maxlmb, maxsym
   implicit none
   public

   integer(ikind), parameter :: maxdeg = maxlmb + 2
   integer(ikind) :: ndgx(0:2, maxsym, maxsym), ndgc(0:2, maxsym)     ! degrees of the polynomials
   real(rkind) :: fexch(maxdeg, 0:2, 0:2, maxsym, maxsym)     ! exchange: (k, a, a', symmetry, symmetry')
   real(rkind) :: fcoul(maxdeg, 0:2, 0:2, maxsym, maxsym)     ! Coulomb, nu = 0 between pairs of one symmetry each
end module bcoefs

! One-electron integrals, from eint1: (p, q, symmetry), large components 1..nbs, small ones nbs+1..2 nbs.
module oneint
   use kinds
   implicit none
   public

   real(rkind), allocatable :: smat(:, :, :)     ! overlap
   real(rkind), allocatable :: tmat(:, :, :)     ! c alpha.p
   real(rkind), allocatable :: vmat(:, :, :)     ! attraction of the nucleus
   real(rkind), allocatable :: hmat(:, :, :)     ! their sum and (beta - 1) c^2
end module oneint

! Two-electron integrals, from eint2, at ij = i(i-1)/2 + j for pairs i = (l,p,q) >= j = (m,r,s). K(PR|QS) is
! sum over nu of b_nu R^nu(pr|qs) with p in component P, and so on.
module twoint
   use kinds
   implicit none
   public

   real(rkind), allocatable :: x1(:)     ! R^0(pL qL|rL sL) - [K(pL rL|qL sL) + K(pL sL|qL rL)] / 2
   real(rkind), allocatable :: x2(:)     ! R^0(pL qL|rS sS)
   real(rkind), allocatable :: x3(:)     ! R^0(pS qS|rL sL)
   real(rkind), allocatable :: x4(:)     ! -K(pL sL|qS rS)
   real(rkind), allocatable :: x5(:)     ! -K(pL rL|qS sS)
   real(rkind), allocatable :: x6(:)     ! -K(pS sS|qL rL)
   real(rkind), allocatable :: x7(:)     ! -K(pS rS|qL sL)
   real(rkind), allocatable :: x8(:)     ! R^0(pS qS|rS sS) - [K(pS rS|qS sS) + K(pS sS|qS rS)] / 2
end module twoint

! Arrays of guess and scfiter, ordered like the one-electron integrals.
module scfarr
   use kinds
   use limits, only: maxsym
   implicit none
   public

   integer(ikind), parameter :: mxdiis = 10
   integer(ikind) :: north(maxsym)       ! orthonormal functions
   integer(ikind) :: nneg(maxsym)        ! number of small ones, and of spinors of negative energy
   real(rkind), allocatable :: xorth(:, :, :)                        ! (function, orthonormal function, symmetry)
   real(rkind), allocatable :: umat(:, :, :)                         ! (orthonormal function, spinor, symmetry)
   real(rkind), allocatable :: dtot(:, :, :), dopn(:, :, :)          ! density: all electrons, open shells
   real(rkind), allocatable :: pmat(:, :, :), qmat(:, :, :)          ! P of dtot; Q of dopn with vc
   real(rkind), allocatable :: fmat(:, :, :)                         ! coupled Fock operator, in orthonormal functions
   real(rkind), allocatable :: emat(:, :, :)                         ! its commutator with the occupation
   real(rkind), allocatable :: fhist(:, :, :, :), ehist(:, :, :, :)  ! fmat and emat of earlier iterations, for xtrpf
   integer(ikind) :: nhist
end module scfarr

! Results of scfiter.
module result
   use kinds
   implicit none
   public

   real(rkind) :: etot        ! total energy
   real(rkind) :: ecap        ! <c alpha.p>
   real(rkind) :: enuc        ! attraction of the nucleus
   real(rkind) :: erep        ! repulsion of the electrons
   integer(ikind) :: niter
   logical :: lconv           ! converged
   ! set by numerical_limit
   real(rkind) :: elimit = -huge(1.0_rkind)      ! energy in a complete basis; efloor is certainly below it
   real(rkind) :: efloor = -huge(1.0_rkind)
   real(rkind) :: ebelow = huge(1.0_rkind)       ! the last energy below efloor in an optimisation
   integer(ikind), parameter :: sound = 0, collapsed = 1, unbound = 2, not_compared = 3, dived = 4
   integer(ikind) :: state = sound     ! state of a converged field
   real(rkind), allocatable :: eig(:, :)         ! (spinor, symmetry), spinors of negative energy first
   real(rkind), allocatable :: cvec(:, :, :)     ! (function, spinor, symmetry)
   integer(ikind), allocatable :: nroot(:), nposit(:)     ! (symmetry): number of spinors; first of positive energy
end module result
