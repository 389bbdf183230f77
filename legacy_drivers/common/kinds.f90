module kinds
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   implicit none
   public

   integer, parameter :: ikind = int32    ! flags, sizes, indices
   integer, parameter :: lkind = int64    ! counts that may pass 2^31
   integer, parameter :: rkind = real64

   real(rkind), parameter :: zero = 0.0_rkind, half = 0.5_rkind, one = 1.0_rkind, two = 2.0_rkind
   real(rkind), parameter :: pi = 3.14159265358979323846_rkind
end module kinds
