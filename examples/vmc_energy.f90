! Energy of the projected d-wave state on the tilted cluster of 82 sites against doping, with its errors; and the largest
! structure factor of the spins.
module vmc_energy_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer :: electrons = 0

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(a,i0,a,i0,a,i0,a)', advance='no') achar(13), electrons, ' electrons: ', progress%points_done, &
         ' of ', progress%points_total, ' bins '
      cancel = .false. ! true stops the run
   end function show
end module vmc_energy_progress

program vmc_energy
   use, intrinsic :: iso_c_binding, only: c_double
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   use vmc_energy_progress
   implicit none
   integer, parameter :: dopings = 6, sites = 82
   type(legato_context) :: context
   type(legato_vmc_params) :: params
   type(legato_vmc_averages) :: a
   type(legato_vmc) :: vmc
   real(c_double) :: wave_vectors(2, sites), spin(sites), charge(sites)
   integer :: i, q

   call context%create()

   params = vmc_defaults()
   params%length = 9
   params%delta = 1.5_c_double
   params%mu = 0
   params%j = 0.3_c_double
   params%chains = 8
   params%thermalisation = 100
   params%bins = 16
   params%sweeps_per_bin = 50
   params%correlations = 1

   print '(a)', 'electrons   doping     energy      error    kinetic   exchange       S.S    largest S(q)'
   do i = 1, dopings
      call vmc_electrons_at(context, params, 0.05_c_double * (i - 1), electrons)
      params%electrons = electrons
      call vmc%create(context, params)
      call vmc%run(show)
      call vmc%result(a)
      call vmc%structure_factors(wave_vectors, spin, charge)
      q = maxloc(spin, 1)
      print '(i9,1x,f8.4,4(1x,f10.6),1x,f9.5,1x,f8.4,2(a,f6.4),a)', params%electrons, &
         1 - params%electrons / real(sites, c_double), a%energy, a%energy_error, a%kinetic, a%exchange, a%spin_spin, &
         spin(q), ' (', wave_vectors(1, q), ', ', wave_vectors(2, q), ')'
   end do
   write (error_unit, '()')
end program vmc_energy
