! Configurations of positive ions.
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
   ! subshell with the largest n, and among these from that with the largest l. `charge` is less than the element.
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
      do i = 1, charge
         k = maxloc(100 * n + l, dim=1, mask=of_subshell > 0)
         of_subshell(k) = of_subshell(k) - 1
      end do
      call dfr_average_of_configuration(context, n, l, of_subshell, closed, electrons, pairs, stat, message)
      call stop_on_library(stat, message)
   end subroutine ion_configuration

end module ions
