! Uses a type or a procedure of every module from outside, and compares results that are cheap to compute with known
! values.
program consumer
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato
   implicit none
   type(legato_context) :: context
   type(legato_tmm) :: tmm
   type(legato_tmm_params) :: params
   type(legato_tmm_point) :: point
   type(legato_dfr) :: dfr
   type(legato_dfr_nucleus) :: nucleus
   type(legato_dfr_optimiser_params) :: optimisation
   type(legato_dfr_reducer_params) :: reduction
   type(legato_kpm_params) :: moments
   type(legato_vmc_params) :: state
   type(legato_vmc_optimiser_params) :: steps
   type(legato_ising_params) :: spins
   type(legato_fss_params) :: orders
   type(legato_ising_reweighting) :: reweighting
   type(legato_ising_reweighted) :: averages
   integer(c_int32_t) :: sites

   call context%create()
   params = tmm_defaults()
   params%dimension = 1
   params%boundary = LEGATO_TMM_BOUNDARY_HARD_WALL
   params%epsilon = 0.02_c_double
   call tmm%create(context, params, [1.0_c_double], disorder=[1.0_c_double])
   call tmm%run()
   call tmm%result(1_c_int64_t, point)
   if (.not. (point%localisation_length > 65 .and. point%localisation_length < 80)) error stop 'tmm'
   call dfr%create(context)
   call dfr%destroy()
   call dfr_element_nucleus(context, 54, nucleus)
   if (abs(nucleus%charge - 54) > 0) error stop 'dfr_atoms'
   optimisation = dfr_optimiser_defaults()
   reduction = dfr_reducer_defaults()
   moments = kpm_defaults()
   state = vmc_defaults()
   call vmc_sites(context, state, sites)
   if (sites /= 82) error stop 'vmc'
   steps = vmc_optimiser_defaults()
   spins = ising_defaults()
   orders = fss_defaults()
   if (optimisation%max_energies /= 500 .or. reduction%functions /= 40 .or. moments%moments < 1 .or. steps%steps < 1 &
       .or. spins%extents(1) /= 64 .or. orders%resamples /= 1000) error stop 'defaults'
   call reweighting%create(context, 4_c_int64_t, [0.4_c_double], [2_c_int64_t], [0.5_c_double, 1.0_c_double], &
                           [-1.0_c_double, -2.0_c_double], blocks=2)
   call reweighting%at(0.4_c_double, averages)
   if (abs(averages%energy + 1.5_c_double) > 1e-12_c_double) error stop 'reweighting'
   call tmm%destroy()
   call context%destroy()
   print '(3a)', 'Legato ', legato_version(), ': every module'
end program consumer
