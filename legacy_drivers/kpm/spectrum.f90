! Results from the moments mu_0 .. mu_(N-1): the density of states with a kernel g_n, on the Chebyshev nodes of the
! interval, rho(E) = [g_0 mu_0 + 2 sum_(n>0) g_n mu_n T_n(e)] / (pi half_width sqrt(1 - e^2)), e = (E - centre) /
! half_width (Weisse et al., Rev. Mod. Phys. 78, 275 (2006), sections II.B and II.C), and the moments of the energy.
module spectrum
   use kinds
   use kpmpar
   implicit none
   private
   public :: start_spectrum, density_of_states, node_energy, node_weight, energy_moments

   integer(ikind), parameter, public :: energy_powers = 4
   real(rkind), allocatable :: factor(:)     ! (0:nmom-1): g_0, 2 g_n
   real(rkind), allocatable :: cosine(:)     ! (0:4*nenergy-1): cos(2 pi j / (4 nenergy))

contains

   subroutine start_spectrum(ierr)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: n, j
      integer :: status

      allocate (factor(0:nmom - 1), cosine(0:4*nenergy - 1), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr /= 0) return
      do n = 0, nmom - 1
         factor(n) = kernel_factor(n)
      end do
      factor(1:) = two * factor(1:)
      do j = 0, 4*nenergy - 1
         cosine(j) = cos(pi * j / (2 * nenergy))
      end do
   end subroutine start_spectrum

   function kernel_factor(n) result(g)
      integer(ikind), intent(in) :: n
      real(rkind) :: g, q

      select case (kernel)
      case ('jackson')
         q = pi / (nmom + 1)
         g = ((nmom - n + 1) * cos(q * n) + sin(q * n) / tan(q)) / (nmom + 1)
      case ('lorentz')
         g = sinh(lambda * (one - real(n, rkind) / nmom)) / sinh(lambda)
      case ('fejer')
         g = one - real(n, rkind) / nmom
      case default     ! Dirichlet
         g = one
      end select
   end function kernel_factor

   ! Returns the density of states at the nodes, in ascending order of the energies. T_n is taken from the table of
   ! cosines, because the recursion would lose digits near the edges.
   subroutine density_of_states(mu, density)
      real(rkind), intent(in) :: mu(0:)
      real(rkind), intent(out) :: density(:)
      real(rkind) :: total
      integer(ikind) :: k, n, j, odd

      do k = 1, nenergy
         odd = 2 * (nenergy - k) + 1
         total = factor(0) * mu(0)
         j = 0
         do n = 1, nmom - 1
            j = j + odd
            if (j >= 4 * nenergy) j = j - 4 * nenergy
            total = total + factor(n) * mu(n) * cosine(j)
         end do
         density(k) = total / (nenergy * node_weight(k))
      end do
   end subroutine density_of_states

   pure function node_energy(k) result(e)
      integer(ikind), intent(in) :: k
      real(rkind) :: e

      e = centre + half_width * cos(pi * (nenergy - k + half) / nenergy)
   end function node_energy

   ! Returns the weight of a node. The sum of weight * density over the nodes is exactly the integral.
   pure function node_weight(k) result(weight)
      integer(ikind), intent(in) :: k
      real(rkind) :: weight

      weight = pi / nenergy * half_width * sin(pi * (nenergy - k + half) / nenergy)
   end function node_weight

   ! Returns <E>, <E^2> .. <E^4>, as far as there are enough moments; the others are 0.
   function energy_moments(mu) result(m)
      real(rkind), intent(in) :: mu(0:)
      real(rkind) :: m(energy_powers), x(0:energy_powers)
      integer :: k

      x = zero
      x(0) = mu(0)
      x(1) = mu(1)
      if (nmom > 2) x(2) = (mu(2) + mu(0)) / 2
      if (nmom > 3) x(3) = (mu(3) + 3 * mu(1)) / 4
      if (nmom > 4) x(4) = (mu(4) + 4 * mu(2) + 3 * mu(0)) / 8
      do k = 1, min(energy_powers, nmom - 1)
         m(k) = power_mean(k)
      end do
      m(min(energy_powers, nmom - 1) + 1:) = zero

   contains

      ! Returns <(centre + half_width x)^k>.
      function power_mean(k) result(total)
         integer, intent(in) :: k
         real(rkind) :: total, binomial
         integer :: j

         total = zero
         binomial = one
         do j = 0, k
            total = total + binomial * centre**(k - j) * half_width**j * x(j)
            binomial = binomial * (k - j) / (j + 1)
         end do
      end function power_mean

   end function energy_moments

end module spectrum
