! Spontaneous magnetisation of the square lattice below its critical temperature, against that of the infinite lattice,
!     m = (1 - sinh(2 beta)^-4)^(1/8)
! (C. N. Yang, Phys. Rev. 85, 808 (1952)): <|m|> of a lattice of 128 x 128 that begins with all spins up, at eight temperatures
! side by side. <m> itself is 0 in a finite lattice, whose sign turns once in a very long time.
module ising_magnetisation_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', progress%points_total, &
         ' bins '
      cancel = .false. ! true stops the run
   end function show
end module ising_magnetisation_progress

program ising_magnetisation
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   use ising_magnetisation_progress
   implicit none
   real(c_double), parameter :: betas(8) = [0.45_c_double, 0.46_c_double, 0.48_c_double, 0.50_c_double, 0.55_c_double, &
                                            0.60_c_double, 0.70_c_double, 0.80_c_double]
   type(legato_context) :: context
   type(legato_ising_params) :: params
   type(legato_ising_averages) :: a
   type(legato_ising) :: ising
   integer(c_int64_t) :: i

   params = ising_defaults()
   params%extents(:2) = 128
   params%thermalisation = 2000
   params%measurements_per_bin = 1000
   params%start = LEGATO_ISING_START_UP
   call context%create()
   call ising%create(context, params, betas)
   call ising%run(show)
   write (error_unit, '()')

   print '(a)', '   beta        <|m|>        error     infinite  specific heat        error'
   do i = 1, size(betas)
      call ising%result(i, a)
      print '(f7.4,3(1x,f12.8),1x,f14.8,1x,f12.8)', betas(i), a%absolute_magnetisation, a%absolute_magnetisation_error, &
         (1 - sinh(2 * betas(i))**(-4))**0.125_c_double, a%specific_heat, a%specific_heat_error
   end do
end program ising_magnetisation
