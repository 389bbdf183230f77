! Gap and chemical potential of least energy for 24 electrons on the tilted cluster of 26 sites: every step of the
! optimisation with its energy, and a longer run with what was found.
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

   print '(a)', 'step     delta        mu     energy      error   dE/ddelta      error      dE/dmu      error'
   call optimiser%result(found)
   do i = 1, found%steps_done
      call optimiser%get_step(i, step)
      print '(i4,2(1x,f9.5),6(1x,f10.6))', i, step%parameters(:2), step%energy, step%energy_error, &
         (step%gradient(q), step%gradient_error(q), q=1, 2)
   end do
   if (found%status /= LEGATO_VMC_OPTIMISER_CONVERGED) print '(a)', 'not converged'

   run%delta = found%parameters(1)
   run%mu = found%parameters(2)
   run%bins = 64
   call vmc%create(context, run)
   call vmc%run()
   call vmc%result(a)
   print '(a,2(1x,f9.5),2(1x,f10.6))', 'best', run%delta, run%mu, a%energy, a%energy_error
end program vmc_optimise
