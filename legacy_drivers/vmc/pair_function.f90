! The pair function of the projected BCS state (A. Paramekanti, M. Randeria and N. Trivedi, Phys. Rev. B 70, 054504
! (2004)),
!    phi(r) = (1/Ns) sum_k phi_k cos(k.r),   phi_k = Delta_k / (xi_k + sqrt(xi_k^2 + Delta_k^2)),
! k = (2 pi n / Ns) (1, -L), k.r = 2 pi n r / Ns. The gap vanishes only at (0, 0) and (pi, pi). There phi_k is zero if
! xi_k > 0, and infinite if xi_k < 0. An infinite phi_k is replaced by a border, cos k.r, of the determinant matrix.
module pair_function
   use kinds
   use vmcpar, only: t, tp, tpp, length => l, delta, mu, gap, nsite
   implicit none
   private
   public :: build_pair_function, band_energy, borders

   real(rkind), allocatable, public :: phi(:)            ! (1-nsite:nsite-1)
   integer(ikind), public :: nborder                     ! number of infinite amplitudes
   real(rkind), allocatable, public :: border(:, :)      ! (nborder, 0:nsite-1)

   real(rkind), parameter, public :: corner(2) = [one, -one]     ! cos kx = cos ky where the gap vanishes

contains

   elemental function band_energy(cos_x, cos_y) result(xi)
      real(rkind), intent(in) :: cos_x, cos_y
      real(rkind) :: xi

      xi = -two * t * (cos_x + cos_y) - 4.0_rkind * tp * cos_x * cos_y - &
         two * tpp * (two * cos_x**2 + two * cos_y**2 - two) - mu
   end function band_energy

   function borders() result(number)
      integer(ikind) :: number

      number = count(band_energy(corner, corner) < zero, kind=ikind)
   end function borders

   subroutine build_pair_function
      real(rkind) :: cosine(0:nsite - 1), amplitude(0:nsite - 1)
      integer(ikind) :: n, r

      do n = 0, nsite - 1
         cosine(n) = cos(two * pi * n / nsite)
      end do
      amplitude = zero
      do n = 1, nsite - 1
         if (n /= nsite / 2) amplitude(n) = pair_amplitude(cosine(n), cosine(modulo(-length * n, nsite)))
      end do
      if (allocated(phi)) deallocate (phi, border)
      allocate (phi(1 - nsite:nsite - 1))
      do r = 0, nsite - 1
         phi(r) = zero
         do n = 0, nsite - 1
            phi(r) = phi(r) + amplitude(n) * cosine(mod(n * r, nsite))
         end do
         phi(r) = phi(r) / nsite
      end do
      do r = 1, nsite - 1
         phi(-r) = phi(nsite - r)
      end do
      call build_borders
   end subroutine build_pair_function

   ! Returns phi_k, without loss of digits if xi < 0.
   function pair_amplitude(cos_x, cos_y) result(amplitude)
      real(rkind), intent(in) :: cos_x, cos_y
      real(rkind) :: amplitude, xi, gap_k

      xi = band_energy(cos_x, cos_y)
      gap_k = delta * (cos_x - cos_y)
      if (gap == 'A') gap_k = half * gap_k
      if (xi >= zero) then
         amplitude = gap_k / (xi + hypot(xi, gap_k))
      else
         amplitude = (hypot(xi, gap_k) - xi) / gap_k
      end if
   end function pair_amplitude

   ! Sets the borders to cos k.r, which is 1 or (-1)^r.
   subroutine build_borders
      integer(ikind) :: k, r

      nborder = 0
      allocate (border(borders(), 0:nsite - 1))
      do k = 1, 2
         if (band_energy(corner(k), corner(k)) >= zero) cycle
         nborder = nborder + 1
         do r = 0, nsite - 1
            border(nborder, r) = corner(k)**r
         end do
      end do
   end subroutine build_borders

end module pair_function
