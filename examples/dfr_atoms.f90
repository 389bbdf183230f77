! Dirac-Fock-Roothaan energies of the noble gases with Gaussian nuclei, all six in one batch.
module atoms_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(i0, a, i0, a, i0, a)') progress%points_done, ' of ', progress%points_total, ' atoms, ', &
         progress%cycles_done, ' iterations'
      cancel = .false.
   end function show
end module atoms_progress

program dfr_atoms
   use, intrinsic :: iso_c_binding, only: c_int64_t
   use legato
   use atoms_progress
   implicit none
   integer, parameter :: element(6) = [2, 10, 18, 36, 54, 86]
   character(2), parameter :: symbol(6) = ['He', 'Ne', 'Ar', 'Kr', 'Xe', 'Rn']
   type(legato_context) :: context
   type(legato_dfr) :: dfr
   type(legato_dfr_atom) :: atom
   integer(c_int64_t) :: i

   call context%create()
   call dfr%create(context)
   do i = 1, 6
      call dfr%add_element(element(i), LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN)
   end do
   call dfr%run(show)

   print '(a)', 'atom            energy   virial ratio  iterations'
   do i = 1, 6
      call dfr%result(i, atom)
      if (atom%status /= LEGATO_DFR_ATOM_STATUS_CONVERGED) then
         print '(a, a)', symbol(i), '   has not converged'
         cycle
      end if
      print '(a, f20.8, f15.10, i12)', symbol(i), atom%energy, atom%virial_ratio, atom%iterations
   end do
end program dfr_atoms
