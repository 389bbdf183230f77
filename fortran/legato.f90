!> Legato for new Fortran code. This is the only module that users need: it contains contexts (legato_context.f90) and
!! one module for each method. The C headers of the same names explain the arguments, enumerators and structs, whose
!! names are the same in Fortran.
!!
!! Every procedure takes stat= and errmsg=, as the allocate statement does. Without stat an error stops the program with
!! the library's message. The arguments are those of C, without the lengths of arrays. Required arguments and results
!! come before optional ones.
module legato
   use legato_context_module
   use legato_handle_module, only: legato_handle, legato_run, legato_resumable_run, legato_monitor
   use legato_tmm_module
   use legato_dfr_module
   use legato_dfr_atoms_module
   use legato_dfr_basis_sets_module
   use legato_dfr_optimiser_module
   use legato_dfr_pruner_module
   use legato_dfr_reducer_module
   use legato_fss_module
   use legato_ising_module
   use legato_ising_reweighting_module
   use legato_kpm_module
   use legato_kpm_conductivity_module
   use legato_kpm_correlation_module
   use legato_kpm_function_module
   use legato_kpm_green_module
   use legato_kpm_hamiltonian_module
   use legato_vmc_module
   use legato_vmc_optimiser_module
   implicit none
end module legato
