! Copies a handle, alone or as part of an object. This stops the program, as the object would be destroyed twice.
! Argument: which handle.
program copy
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use legato
   implicit none
   type :: study
      type(legato_tmm) :: tmm
   end type study
   type(legato_context) :: context, other
   type(study) :: a, b
   type(legato_tmm) :: runs(2), copies(2)
   type(legato_tmm_propagation) :: propagation, another
   type(legato_dfr) :: atoms, the_same
   type(legato_dfr_optimiser) :: optimiser, optimisers(1)
   type(legato_dfr_reducer) :: reducer, another_reducer
   type(legato_dfr_pruner) :: pruner, another_pruner
   type(legato_dfr_basis_sets) :: sets, another_sets
   type(legato_kpm_hamiltonian) :: hamiltonian, another_hamiltonian
   type(legato_kpm) :: kpm, another_kpm
   type(legato_kpm_green) :: green, another_green
   type(legato_kpm_lattice) :: lattice
   type(legato_ising) :: ising, another_ising
   type(legato_ising_reweighting) :: reweighting, another_reweighting
   type(legato_vmc) :: vmc, another_vmc
   type(legato_vmc_optimiser) :: steps, the_same_steps
   character(20) :: which

   call context%create()
   call a%tmm%create(context, tmm_defaults(), [0.0_c_double], [1.0_c_double])
   call get_command_argument(1, which)
   a%tmm = legato_tmm()  ! allowed, as there is nothing to share; the same as destroy
   call a%tmm%create(context, tmm_defaults(), [0.0_c_double], [1.0_c_double])
   select case (which)
   case ('run')
      b%tmm = a%tmm
   case ('component')
      b = a
   case ('array')
      call runs(2)%create(context, tmm_defaults(), [0.0_c_double], [1.0_c_double])
      copies = runs
   case ('propagation')
      propagation = legato_tmm_propagation()
      call propagation%create(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0_c_double, LEGATO_TMM_LAYOUT_SITE_FIRST)
      another = propagation
   case ('atoms')
      atoms = legato_dfr()
      call atoms%create(context)
      the_same = atoms
   case ('optimiser')
      optimiser = legato_dfr_optimiser()
      call optimiser%create(context)
      optimisers = optimiser
   case ('reducer')
      reducer = legato_dfr_reducer()
      call reducer%create(context, dfr_nucleus(2.0_c_double), [1], [0.0_c_double], &
                          [0.1_c_double, 2.0_c_double, 4.5_c_double, 1.5_c_double])
      another_reducer = reducer
   case ('pruner')
      pruner = legato_dfr_pruner()
      call pruner%create(context)
      another_pruner = pruner
   case ('sets')
      sets = legato_dfr_basis_sets()
      call sets%create(context)
      another_sets = sets
   case ('hamiltonian', 'moments')
      lattice = kpm_lattice_defaults()
      lattice%extents(1) = 4
      hamiltonian = legato_kpm_hamiltonian()
      call hamiltonian%create_lattice(context, lattice)
      call kpm%create(context, hamiltonian)
      if (which == 'moments') then
         another_kpm = kpm
      else
         another_hamiltonian = hamiltonian
      end if
   case ('green')
      lattice = kpm_lattice_defaults()
      lattice%extents(1) = 4
      call hamiltonian%create_lattice(context, lattice)
      call green%create(context, hamiltonian, left=[1_c_int64_t], right=[2_c_int64_t])
      another_green = green
   case ('lattices')
      ising = legato_ising()
      call ising%create(context)
      another_ising = ising
   case ('reweighting')
      reweighting = legato_ising_reweighting()
      call reweighting%create(context, 4_c_int64_t, [0.4_c_double], [2_c_int64_t], [0.5_c_double, 1.0_c_double], &
                              [-1.0_c_double, -2.0_c_double], blocks=2)
      another_reweighting = reweighting
   case ('chains')
      vmc = legato_vmc()
      call vmc%create(context)
      another_vmc = vmc
   case ('steps')
      steps = legato_vmc_optimiser()
      call steps%create(context)
      the_same_steps = steps
   case ('context')
      other = context
   end select
   print '(a)', 'copied'
end program copy
