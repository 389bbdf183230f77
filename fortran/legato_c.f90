! The C interface: enumerators, structs and functions of the headers, with one module for each header.
! These modules are written from the headers by tools/fortran_interfaces.py. An argument that a failed call leaves unchanged
! is intent(inout).
module legato_c
   use legato_c_communicator
   use legato_c_context
   use legato_c_dfr
   use legato_c_dfr_atoms
   use legato_c_dfr_basis_sets
   use legato_c_dfr_optimiser
   use legato_c_dfr_pruner
   use legato_c_dfr_reducer
   use legato_c_dfr_steps
   use legato_c_fss
   use legato_c_ising
   use legato_c_ising_reweighting
   use legato_c_kpm
   use legato_c_kpm_conductivity
   use legato_c_kpm_correlation
   use legato_c_kpm_function
   use legato_c_kpm_green
   use legato_c_kpm_hamiltonian
   use legato_c_kpm_local
   use legato_c_tmm
   use legato_c_tmm_steps
   use legato_c_types
   use legato_c_vmc
   use legato_c_vmc_optimiser
   use, intrinsic :: iso_c_binding
   implicit none
   public
end module legato_c
