! A small basis for neon: the parameters of s(1:12) p(1:8) optimised, begun with those that the library has for its
! larger one, and how the energy converges on the way.
module optimise_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(i0, a, i0, a, i0, a)') progress%points_done, ' of ', progress%points_total, ' basis sets, ', &
         progress%cycles_done, ' energies'
      cancel = .false.
   end function show
end module optimise_progress

program dfr_optimise
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use legato
   use optimise_progress
   implicit none
   integer, parameter :: neon = 10
   integer(c_int64_t), parameter :: first = 1
   real(c_double), parameter :: no_open_shells(3) = 0
   type(legato_context) :: context
   type(legato_dfr_nucleus) :: nucleus
   type(legato_dfr_optimiser) :: optimiser
   type(legato_dfr_optimisation) :: result
   real(c_double) :: start(4), lowest
   real(c_double), allocatable :: energies(:), parameters(:, :)
   integer, allocatable :: functions(:), from(:), kinds(:)
   integer :: i, pool

   call context%create()
   call dfr_element_nucleus(context, neon, nucleus)
   call dfr_library_basis(context, neon, start, pool, functions, from)

   call optimiser%create(context)
   call optimiser%add(nucleus, [12, 8, 8], [1, 1, 1], reshape(start, [4, 1]), [2, 1, 1], no_open_shells)
   call optimiser%run(show)

   call optimiser%result(first, result)
   call optimiser%history(first, energies, kinds)
   print '(a, f17.8)', 'limit ', result%limit
   print '(a)', 'energies     lowest so far   above the limit by 1e-6 of it'
   lowest = 0
   do i = 1, size(energies)
      if (kinds(i) == LEGATO_DFR_ENERGY_KIND_GOOD) lowest = min(lowest, energies(i))
      if (modulo(i, 20) == 1 .or. i == size(energies)) &
         print '(i8, f18.8, f15.4)', i, lowest, (lowest - result%limit) / (-result%limit) * 1e6_c_double
   end do
   if (result%status /= LEGATO_DFR_OPTIMISER_STATUS_CONVERGED) print '(a)', 'not converged'
   call optimiser%basis(first, functions, from, parameters)
   print '(4(a, f8.5, :, 2x))', 'alpha ', parameters(1, 1), 'beta ', parameters(2, 1), 'delta ', parameters(3, 1), &
      'gamma ', parameters(4, 1)
end program dfr_optimise
