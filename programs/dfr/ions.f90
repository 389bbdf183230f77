! Configurations of ions.
module ions
   use kinds
   use legato
   use library_errors
   implicit none
   private
   public :: ion_configuration

contains

   ! Returns the average of the configuration of an element without `charge` of its electrons, as add_atom of a legato_dfr
   ! takes it. The electrons are taken from the ground configuration of the atom, one after the other, each from the
   ! subshell with the largest n, and among these from that with the largest l. A charge of -1 adds an electron to the
   ! subshell of which the next element has more electrons; to 8s for element 118. `charge` is -1 or more, and less than the
   ! element.
   subroutine ion_configuration(context, element, charge, closed, electrons, pairs)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: element, charge
      integer, allocatable, intent(out) :: closed(:)
      real(rkind), allocatable, intent(out) :: electrons(:), pairs(:, :)
      integer, allocatable :: n(:), l(:), of_subshell(:)
      integer :: k, i, stat
      character(len=400) :: message

      call dfr_ground_configuration(context, element, n, l, of_subshell, stat, message)
      call stop_on_library(stat, message)
      if (charge < 0) call add_electron
      do i = 1, charge
         k = maxloc(100 * n + l, dim=1, mask=of_subshell > 0)
         of_subshell(k) = of_subshell(k) - 1
      end do
      call dfr_average_of_configuration(context, n, l, of_subshell, closed, electrons, pairs, stat, message)
      call stop_on_library(stat, message)

   contains

      ! Adds an electron. The ground configurations of neighbours may differ in several subshells, but only one of them has
      ! more electrons in the heavier atom.
      subroutine add_electron
         integer, allocatable :: next_n(:), next_l(:), of_next(:)
         integer :: j

         if (element == 118) then
            next_n = [8]
            next_l = [0]
            of_next = [1]
         else
            call dfr_ground_configuration(context, element + 1, next_n, next_l, of_next, stat, message)
            call stop_on_library(stat, message)
         end if
         do j = 1, size(next_n)
            if (of_next(j) > sum(of_subshell, mask=n == next_n(j) .and. l == next_l(j))) exit
         end do
         k = findloc(n == next_n(j) .and. l == next_l(j), .true., dim=1)
         if (k > 0) then
            of_subshell(k) = of_subshell(k) + 1
         else
            n = [n, next_n(j)]
            l = [l, next_l(j)]
            of_subshell = [of_subshell, 1]
         end if
      end subroutine add_electron

   end subroutine ion_configuration

end module ions
