! Reweighting on the square lattice: runs at three temperatures give specific heats and Binder cumulants at every temperature
! between them (A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 61, 2635 (1988); 63, 1195 (1989)), the maximum of the
! specific heat, and the temperature at which the cumulants of two lattices cross.
program ising_reweighting
   use, intrinsic :: iso_c_binding, only: c_double
   use legato
   implicit none
   real(c_double), parameter :: betas(3) = [0.42_c_double, 0.44_c_double, 0.46_c_double]
   integer, parameter :: extents(2) = [16, 32]
   type(legato_context) :: context
   type(legato_ising_params) :: params
   type(legato_ising) :: ising
   type(legato_ising_reweighting) :: lattices(2)
   type(legato_ising_reweighted) :: small, large
   type(legato_ising_reweighted_point) :: point
   integer :: i

   params = ising_defaults()
   params%algorithm = LEGATO_ISING_ALGORITHM_WOLFF
   params%time_series = 1
   params%replicas = 4
   params%measurements_per_bin = 500
   params%sweeps_per_measurement = 4
   call context%create()
   do i = 1, 2
      params%extents(:2) = extents(i)
      call ising%create(context, params, betas)
      call ising%run()
      call lattices(i)%create_from_run(ising)
   end do

   print '(a)', '   beta  specific heat     error      U of 16     error      U of 32     error  measurements'
   do i = 0, 8
      call lattices(1)%at(0.42_c_double + 0.005_c_double * i, small)
      call lattices(2)%at(0.42_c_double + 0.005_c_double * i, large)
      print '(f7.4,f15.6,f10.6,2(f13.6,f10.6),f14.0)', large%beta, large%specific_heat, large%specific_heat_error, &
         small%binder, small%binder_error, large%binder, large%binder_error, large%measurements
   end do
   call lattices(2)%maximum(LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT, 0.42_c_double, 0.46_c_double, point)
   print '(4(a,f8.6))', 'maximum of the specific heat: beta ', point%beta, ' +- ', point%beta_error, ', value ', &
      point%value, ' +- ', point%value_error
   call lattices(1)%crossing(lattices(2), LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER, 0.42_c_double, 0.46_c_double, point)
   print '(4(a,f8.6))', 'crossing of the cumulants: beta ', point%beta, ' +- ', point%beta_error, ', value ', &
      point%value, ' +- ', point%value_error
end program ising_reweighting
