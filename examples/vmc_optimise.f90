! Gap and chemical potential of least energy for 24 electrons on the tilted cluster of 26 sites: every step of the
! optimisation with its stage and energy, the optimum with errors, and a longer run there.
module vmc_optimise_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(a, i0, a, i0, a, i0, a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' steps, ', progress%cycles_done, ' sweeps '
      cancel = .false.
   end function show
end module vmc_optimise_progress

program vmc_optimise
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   use vmc_optimise_progress
   implicit none
   type(legato_context) :: context
   type(legato_vmc_params) :: run
   type(legato_vmc_optimiser_params) :: params
   type(legato_vmc_optimiser) :: optimiser
   type(legato_vmc_optimisation) :: found
   type(legato_vmc_optimiser_step) :: step
   type(legato_vmc) :: vmc
   type(legato_vmc_averages) :: a
   character(*), parameter :: stages(LEGATO_VMC_STAGE_DESCENT:LEGATO_VMC_STAGE_REFINEMENT) = ['descent   ', &
      'survey    ', 'refinement']
   integer(c_int64_t) :: i
   integer :: q

   call context%create()

   run = vmc_defaults()
   run%length = 5
   run%electrons = 24
   run%delta = 3
   run%mu = 0
   run%chains = 8
   run%bins = 16

   params = vmc_optimiser_defaults()
   params%free = [1, 1, 0, 0]     ! delta, mu, t', t''
   params%time = 0.5_c_double
   call optimiser%create(context, run, params)
   call optimiser%run(show)
   write (error_unit, '()')

   print '(a)', 'step stage          delta        mu     energy      error   dE/ddelta      error      dE/dmu      error'
   call optimiser%result(found)
   do i = 1, found%steps_done
      call optimiser%get_step(i, step)
      print '(i4,1x,a,2(1x,f9.5),6(1x,f10.6))', i, stages(step%stage), step%parameters(:2), step%energy, step%energy_error, &
         (step%gradient(q), step%gradient_error(q), q=1, 2)
   end do
   if (found%status == LEGATO_VMC_OPTIMISER_STATUS_CONVERGED) then
      print '(2(a,f9.5,a,f8.5))', 'delta ', found%parameters(1), ' +-', found%errors(1), ', mu ', found%parameters(2), &
         ' +-', found%errors(2)
      print '(a,f6.3,a,3(1x,f9.6),a,es8.1)', 'correlation of the errors ', &
         found%covariance(1, 2) / (found%errors(1) * found%errors(2)), ', curvature', found%curvature(1, 1), &
         found%curvature(1, 2), found%curvature(2, 2), ', to be gained ', found%gain
   else
      print '(a)', 'not converged: the last step''s parameters'
   end if

   run%delta = found%parameters(1)
   run%mu = found%parameters(2)
   run%bins = 64
   call vmc%create(context, run)
   call vmc%run()
   call vmc%result(a)
   print '(a,f10.6,a,f9.6)', 'energy there', a%energy, ' +-', a%energy_error
end program vmc_optimise
