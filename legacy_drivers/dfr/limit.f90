! The limit energy, that of a complete basis. A basis can give a lower energy than a complete basis, if symmetries with
! l = j + 1/2 lack diffuse functions or if functions near the nucleus are missing. The limit is the energy in an
! even-tempered basis that extends further at both ends and is denser. The ends of its range and the error of its energy
! follow from three estimates:
!    k = q/n is the slowest decay exp(-k r) of a shell, where q is the charge that its electron sees from far away.
!    Gaussians represent it with weights exp(-k^2/4 zeta).
!    If kappa > 0, the energy falls without diffuse functions, by (k/c)^4 (zeta/k^2)^(kappa + 1/2) of that of the shell.
!    The cusp gives (Z r0)^(2l + 3) of the energy, r0 = zeta^(-1/2). A point nucleus, where spinors are proportional to
!    r^gamma, gives also 20 (|kappa| - gamma)^2 (Z r0)^(2 gamma).

module large_bases
   use kinds
   use limits
   use ctlpar, only: alpha, c, nucmdl, rnuc, znuc
   use baspar
   use elconf
   implicit none
   private
   public :: use_large_basis, error_of_limit

contains

   ! Sets a large basis with this allowed relative error due to each end, and this ratio of exponents. Symmetries
   ! without electrons get one function.
   subroutine use_large_basis(error, ratio)
      real(rkind), intent(in) :: error, ratio
      real(rkind) :: decay, smallest, largest, range
      integer(ikind) :: l, p

      decay = slowest_decay()
      do l = 1, nsym
         nbs(l) = 1
         zeta(:, l) = zero
         zeta(1, l) = one
         if (nclose(l) + nopen(l) == 0) cycle
         smallest = max(smallest_needed(decay, l, error), smallest_exponent)
         largest = min(largest_needed(l, error), largest_exponent)
         range = log(largest / smallest)
         nbs(l) = int(min(max(ceiling(range * (one + 0.05_rkind * lqn(l)) / log(ratio)), 1), int(maxbas) - 1), ikind) + 1_ikind
         do p = 1, nbs(l)
            zeta(p, l) = min(smallest * exp(range * (p - 1) / (nbs(l) - 1)), largest)
         end do
      end do
   end subroutine use_large_basis

   ! Returns the relative error of the energy for error = 1e-11 and ratio = 1.6.
   function error_of_limit() result(error)
      real(rkind) :: error, gamma, missing
      integer(ikind) :: l

      error = 5.0e-11_rkind
      do l = 1, nsym
         if (nclose(l) + nopen(l) == 0) cycle
         if (largest_needed(l, 1.0e-11_rkind) <= largest_exponent) cycle
         gamma = sqrt(max(real(kappa(l), rkind)**2 - (znuc / c)**2, zero))
         missing = abs(kappa(l)) - gamma
         error = error + 20 * missing**2 * (znuc**2 / largest_exponent)**gamma
      end do
   end function error_of_limit

   function slowest_decay() result(decay)
      real(rkind) :: decay, electrons
      real(rkind), parameter :: least_charge = 0.25_rkind     ! for negative ions
      integer(ikind) :: l, n

      electrons = sum(nclose(:nsym) * ndeg(:nsym)) + freeel
      n = 1
      do l = 1, nsym
         if (nclose(l) + nopen(l) > 0) n = max(n, lqn(l) + nclose(l) + nopen(l))
      end do
      decay = max(znuc - max(electrons - one, zero), least_charge) / n
   end function slowest_decay

   function smallest_needed(decay, l, error) result(smallest)
      real(rkind), intent(in) :: decay, error
      integer(ikind), intent(in) :: l
      real(rkind) :: smallest
      real(rkind), parameter :: fall = 1.0e-11_rkind     ! largest allowed fall of the energy, also in coarse bases

      smallest = -decay**2 / (4 * log(error))
      if (kappa(l) > 0) smallest = min(smallest, decay**2 * (min(error, fall) / (decay / c)**4)**(one / (kappa(l) + half)))
   end function smallest_needed

   function largest_needed(l, error) result(largest)
      integer(ikind), intent(in) :: l
      real(rkind), intent(in) :: error
      real(rkind) :: largest, gamma, missing
      real(rkind), parameter :: finer = 100     ! within a finite nucleus functions are smooth on the scale of its radius

      gamma = sqrt(max(real(kappa(l), rkind)**2 - (znuc / c)**2, 0.01_rkind))
      missing = abs(kappa(l)) - gamma
      largest = znuc**2 * max(error**(-two / (2 * lqn(l) + 3)), (20 * missing**2 / error)**(one / gamma))
      if (nucmdl == 2) largest = min(largest, finer * 2.5_rkind / rnuc**2)
      if (nucmdl == 3) largest = min(largest, finer * alpha)
   end function largest_needed

end module large_bases

! NUMERICAL_LIMIT - finds elimit and efloor. It tries three bases and stops at the first one whose energy is not above
! "energy". Then "energy" is not below the limit, efloor stays unchanged, and elimit is the energy in that basis. Basis,
! spinors and results are the same afterwards as before. ierr = 1: the field in the large basis does not converge, or
! there is no memory, which has been reported.
subroutine numerical_limit(energy, ierr)
   use kinds
   use ctlpar, only: lprint
   use limits, only: maxbas, maxsym
   use baspar
   use scfpar
   use result
   use large_bases
   implicit none
   real(rkind), intent(in) :: energy
   integer(ikind), intent(out) :: ierr

   interface
      subroutine calc_parameters
      end subroutine calc_parameters

      subroutine field(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine field
   end interface

   real(rkind), parameter :: errors(3) = [1.0e-7_rkind, 1.0e-8_rkind, 1.0e-11_rkind], ratios(3) = [2.2_rkind, 2.0_rkind, 1.6_rkind]
   ! Values that are restored at the end.
   real(rkind), allocatable :: kept_eig(:, :), kept_cvec(:, :, :), kept_zeta(:, :)
   integer(ikind), allocatable :: kept_nroot(:), kept_nposit(:)
   real(rkind) :: kept_energies(4), kept_thresholds(3)
   integer(ikind) :: kept_nbs(maxsym), kept_niter, kept_maxitr, kept_ixtrp, stage
   logical :: kept_lconv, kept_lprint

   call keep
   lprint = .false.
   lgrid = .true.
   maxitr = 60
   ixtrp = 1
   ! The energy depends on the squares of these thresholds. Smaller ones are below the rounding errors in a dense basis.
   thdll = 1.0e-4_rkind
   thdsl = 1.0e-6_rkind
   thdss = 1.0e-8_rkind
   do stage = 1, size(errors, kind=ikind)
      call use_large_basis(errors(stage), ratios(stage))
      call calc_parameters
      call field(ierr)
      if (ierr == 0 .and. .not. lconv) ierr = 1
      if (ierr /= 0) cycle     ! a denser basis may converge
      elimit = etot
      if (energy >= etot) exit
      if (stage == size(errors)) efloor = etot - error_of_limit() * abs(etot)
   end do
   call put_back

contains

   subroutine keep
      kept_nbs = nbs
      allocate (kept_zeta, source=zeta)
      if (allocated(eig)) allocate (kept_eig, source=eig)
      if (allocated(cvec)) allocate (kept_cvec, source=cvec)
      if (allocated(nroot)) allocate (kept_nroot, source=nroot)
      if (allocated(nposit)) allocate (kept_nposit, source=nposit)
      kept_energies = [etot, ecap, enuc, erep]
      kept_niter = niter
      kept_lconv = lconv
      kept_lprint = lprint
      kept_maxitr = maxitr
      kept_ixtrp = ixtrp
      kept_thresholds = [thdll, thdsl, thdss]
   end subroutine keep

   subroutine put_back
      nbs = kept_nbs
      zeta = kept_zeta
      call calc_parameters
      if (allocated(kept_eig)) call move_alloc(kept_eig, eig)
      if (allocated(kept_cvec)) call move_alloc(kept_cvec, cvec)
      if (allocated(kept_nroot)) call move_alloc(kept_nroot, nroot)
      if (allocated(kept_nposit)) call move_alloc(kept_nposit, nposit)
      etot = kept_energies(1)
      ecap = kept_energies(2)
      enuc = kept_energies(3)
      erep = kept_energies(4)
      niter = kept_niter
      lconv = kept_lconv
      lprint = kept_lprint
      maxitr = kept_maxitr
      ixtrp = kept_ixtrp
      thdll = kept_thresholds(1)
      thdsl = kept_thresholds(2)
      thdss = kept_thresholds(3)
      lgrid = .false.
   end subroutine put_back

end subroutine numerical_limit
