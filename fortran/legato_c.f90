! The C interface as it is: enumerators, structs and functions of the headers, in their order, a module for the context and one
! for each method. The test fortran_interface compares every value, member and argument with the headers. An argument that a
! failed call leaves alone is intent(inout).
module legato_c
   use legato_c_context
   use legato_c_dfr
   use legato_c_ising
   use legato_c_kpm
   use legato_c_tmm
   use legato_c_vmc
   use, intrinsic :: iso_c_binding
   implicit none
   public
end module legato_c
