! The tilted cluster of Ns = L^2 + 1 sites, L odd, which is Z^2 modulo (L, 1) and (-1, L). Site (x, y) has the number
! x - L y modulo Ns, from 0. The cluster is a ring with additional bonds.
module lattice
   use kinds
   use vmcpar, only: length => l, nsite
   implicit none
   private
   public :: build_lattice

   integer(ikind), parameter, public :: nshell = 3, nnear = 4
   integer(ikind), allocatable, public :: near(:, :, :)     ! (nnear, 0:nsite-1, nshell); the first two name every bond once

contains

   subroutine build_lattice
      integer(ikind) :: site

      if (allocated(near)) deallocate (near)
      allocate (near(nnear, 0:nsite - 1, nshell))
      do site = 0, nsite - 1
         near(:, site, 1) = modulo(site + [1, -length, -1, length], nsite)
         near(:, site, 2) = modulo(site + [1 - length, -1 - length, -1 + length, 1 + length], nsite)
         near(:, site, 3) = modulo(site + [2, -2 * length, -2, 2 * length], nsite)
      end do
   end subroutine build_lattice

end module lattice
