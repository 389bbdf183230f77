! Constants, and the input parameters under their legacy names.

module MyNumbers
   use kinds
   implicit none
   public

   real(rkind), parameter :: tiny = 1.0e-15_rkind     ! an error below this is no error estimate
end module MyNumbers

! The integer inputs, in the order of tmseXd.inp.
module IPara
   use MyNumbers, only: ikind, lkind
   implicit none
   public

   integer(ikind) :: ISeed
   integer(lkind) :: NOfIter        ! largest number of multiplications for a point
   integer(ikind) :: NOfOrtho       ! multiplications between orthonormalisations
   integer(ikind) :: NOfPrint       ! orthonormalisations between printed lines
   integer(ikind) :: NOfGamma       ! exponents written for each point
   integer(ikind) :: IDimenFlag     ! 1, 2, 3 dimensions
   integer(ikind) :: IBCFlag        ! 0 hard wall, 1 periodic, 2 antiperiodic
   integer(ikind) :: IRNGFlag       ! 0 uniform of width W, 1 uniform of standard deviation W, 2 Gaussian
   integer(ikind) :: IKeepFlag      ! 0 overwrite the output, 1 continue it
   integer(ikind) :: IWriteFlag     ! 0 one printed line per point, 1 and more: also every NOfPrint
   integer(ikind) :: ISortFlag      ! 0 exponents in Gram-Schmidt order, 1 sorted
   integer(ikind) :: IFluxFlag      ! 0 disorder sweep at Energy0, 1 energy sweep at DiagDis0
   integer(ikind) :: Width0, Width1, dWidth
end module IPara

! The real inputs, in the order of tmseXd.inp.
module DPara
   use MyNumbers, only: rkind
   implicit none
   public

   real(rkind) :: DiagDis0, DiagDis1, dDiagDis
   real(rkind) :: Energy0, Energy1, dEnergy
   real(rkind) :: Kappa             ! transverse hopping; the longitudinal one is 1
   real(rkind) :: Epsilon           ! relative error of the smallest exponent at which a point has converged
end module DPara
