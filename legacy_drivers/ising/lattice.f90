! The spins. Those of one colour of the checkerboard, (x + y + z) mod 2 with x, y, z from 0, are contiguous in memory,
! so that an update of one colour is fast. spin(k, y, z, colour) is the spin at x = 2 (k - 1) + parity; in two
! dimensions z = 1. A margin around the spins repeats the opposite side, with the other sign if the boundary is
! antiperiodic.
module lattice
   use, intrinsic :: iso_fortran_env, only: skind => int8
   use kinds
   use isipar, only: antiperiodic, dimensions, extents, field, nsite
   use messages, only: complain, integer_text
   implicit none
   private
   public :: allocate_spins, parity_of, fill_margin, magnetisation_of_spins, energy_of_spins, write_spins

   integer(skind), allocatable, public :: spin(:, :, :, :)
   integer(ikind), public :: row_length     ! sites of a row that have one colour

contains

   subroutine allocate_spins(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: status

      if (allocated(spin)) deallocate (spin)
      row_length = extents(1) / 2
      allocate (spin(0:row_length + 1, 0:extents(2) + 1, 0:extents(3) + 1, 0:1), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr /= 0) call complain('not enough memory: ' // integer_text(nsite) // ' spins')
      if (ierr == 0) spin = 1
      if (ierr == 0 .and. dimensions == 2) spin(:, :, [0, 2], :) = 0
   end subroutine allocate_spins

   ! Returns the parity of x in a row of one colour; y and z count from 1.
   pure integer(ikind) function parity_of(y, z, colour)
      integer(ikind), intent(in) :: y, z, colour

      parity_of = modulo(colour + y + z, 2_ikind)
   end function parity_of

   ! Fills the margin. It must be called after any change of the spins of this colour.
   subroutine fill_margin(colour)
      integer(ikind), intent(in) :: colour
      integer(skind) :: signs(3)
      integer(ikind) :: n(3), y, z

      signs = merge(-1_skind, 1_skind, antiperiodic)
      n = [row_length, extents(2), extents(3)]
      do z = 1, n(3)
         do y = 1, n(2)
            spin(0, y, z, colour) = signs(1) * spin(n(1), y, z, colour)
            spin(n(1) + 1, y, z, colour) = signs(1) * spin(1, y, z, colour)
         end do
         spin(:, 0, z, colour) = signs(2) * spin(:, n(2), z, colour)
         spin(:, n(2) + 1, z, colour) = signs(2) * spin(:, 1, z, colour)
      end do
      if (dimensions == 2) return
      spin(:, :, 0, colour) = signs(3) * spin(:, :, n(3), colour)
      spin(:, :, n(3) + 1, colour) = signs(3) * spin(:, :, 1, colour)
   end subroutine fill_margin

   ! Returns the magnetisation per site.
   function magnetisation_of_spins() result(m)
      real(rkind) :: m

      m = real(sum_of_spins(), rkind) / nsite
   end function magnetisation_of_spins

   function energy_of_spins() result(e)
      real(rkind) :: e

      e = -(sum_of_bonds() + field * sum_of_spins()) / nsite
   end function energy_of_spins

   function sum_of_spins() result(total)
      integer(lkind) :: total
      integer(ikind) :: y, z, colour, k, row_sum

      total = 0
      do colour = 0, 1
         do z = 1, extents(3)
            do y = 1, extents(2)
               row_sum = 0
               do k = 1, row_length
                  row_sum = row_sum + spin(k, y, z, colour)
               end do
               total = total + row_sum
            end do
         end do
      end do
   end function sum_of_spins

   ! Returns the sum over all bonds. Each bond has one end of colour 0.
   function sum_of_bonds() result(total)
      integer(lkind) :: total
      integer(ikind) :: y, z, k, p, row_sum

      total = 0
      do z = 1, extents(3)
         do y = 1, extents(2)
            p = parity_of(y, z, 0_ikind)
            row_sum = 0
            do k = 1, row_length
               row_sum = row_sum + spin(k, y, z, 0) * (spin(k + p - 1, y, z, 1) + spin(k + p, y, z, 1) + &
                  spin(k, y - 1, z, 1) + spin(k, y + 1, z, 1) + spin(k, y, z - 1, 1) + spin(k, y, z + 1, 1))
            end do
            total = total + row_sum
         end do
      end do
   end function sum_of_bonds

   ! Returns the spins in the order of x, y, z.
   subroutine write_spins(spins)
      integer(skind), intent(out) :: spins(nsite)
      integer(ikind) :: y, z, colour, p
      integer(lkind) :: first

      do z = 1, extents(3)
         do y = 1, extents(2)
            first = extents(1) * (y - 1 + extents(2) * (z - 1_lkind)) + 1
            do colour = 0, 1
               p = parity_of(y, z, colour)
               spins(first + p:first + extents(1) - 1:2) = spin(1:row_length, y, z, colour)
            end do
         end do
      end do
   end subroutine write_spins

end module lattice
