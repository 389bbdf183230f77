!> Legato for new Fortran code: the one module that users name. A context (legato_context.f90) and the methods, a module
!! each; the C headers of the same name tell what the arguments mean, and what enumerators and structs are, which have the
!! same names here.
!!
!! Every procedure takes stat= and errmsg= as the language's own allocate does: without stat an error stops the program
!! with the library's message. Arguments are those of C, without lengths of arrays; what a thing is made of and results come
!! before what may be absent.
module legato
   use legato_context_module
   use legato_handle_module, only: legato_handle, legato_run, legato_resumable_run, legato_monitor
   use legato_tmm_module
   use legato_dfr_module
   use legato_dfr_atoms_module
   use legato_dfr_optimiser_module
   use legato_dfr_reducer_module
   use legato_ising_module
   use legato_kpm_module
   use legato_vmc_module
   use legato_vmc_optimiser_module
   implicit none
end module legato
