! Tests configurations and data of the elements. An element built from its parts is that of the library. Averages are
! compared with their definitions. Refusals are tested.
program dfr_atoms_test
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use legato
   use checks
   implicit none
   type(legato_context) :: context, none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call an_element_from_its_parts(10)
   call an_element_from_its_parts(24)
   call averages()
   call lists()
   call pools()
   call nuclei()
   call refused_subshells()
   call refused_lists()
   call refused_elements()
   print '(a)', 'fortran dfr_atoms: all checks passed'

contains

   subroutine an_element_from_its_parts(element)
      integer, intent(in) :: element
      integer, allocatable :: n(:), l(:), subshell_electrons(:), closed(:), functions(:), first(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :), zeta(:), exponents(:)
      real(c_double) :: parameters(4), cut_off
      type(legato_dfr_nucleus) :: nucleus
      type(legato_dfr) :: dfr
      type(legato_dfr_atom) :: parts, whole
      integer :: pool, s, species, stat
      character(200) :: message

      call dfr_ground_configuration(context, element, n, l, subshell_electrons)
      call check(sum(subshell_electrons) == element, 'a neutral atom')
      call dfr_average_of_configuration(context, n, l, subshell_electrons, closed, electrons, pairs)
      species = size(closed)
      call check(size(electrons) == species .and. all(shape(pairs) == species), 'sizes of a configuration')
      call dfr_library_basis(context, element, parameters, pool, functions, first)
      call check(size(functions) >= species .and. pool == maxval(first + functions - 1), 'the pool')
      allocate (zeta(pool))
      call dfr_well_tempered(context, parameters(1), parameters(2), parameters(3), parameters(4), zeta)
      exponents = [(zeta(first(s):first(s) + functions(s) - 1), s=1, species)]
      call dfr_element_nucleus(context, element, nucleus)
      call dfr%create(context)
      call dfr%add_atom(nucleus, functions(:species), exponents, closed, electrons, pairs)
      call dfr%add_element(element, basis='hennessey')
      call dfr%run()
      call dfr%result(1_c_int64_t, parts)
      call dfr%result(2_c_int64_t, whole)
      call check(parts%status == LEGATO_DFR_ATOM_STATUS_CONVERGED .and. parts%energy == whole%energy, 'energy of '// &
                 dfr_symbol(element))
      call dfr_large_basis(context, nucleus, closed, electrons, 1e-9_c_double, functions, exponents, cut_off)
      call check(size(functions) == species .and. sum(functions) == size(exponents) .and. abs(cut_off) <= 0, 'a large basis')
      call dfr%create(context)
      call dfr%add_atom(nucleus, functions, exponents, closed, electrons, pairs)
      call dfr%run()
      call dfr%result(1_c_int64_t, whole)
      call check(whole%energy < parts%energy .and. whole%energy > parts%energy * (1 + 1e-7_c_double), 'a lower energy')
      call dfr_large_basis(context, nucleus, closed, electrons(:1), 1e-9_c_double, functions, exponents, stat=stat, &
                           errmsg=message)
      call check(index(message, 'dfr.large_basis.electrons: 1 elements are not ') == 1, message)
      call dfr_large_basis(context, nucleus, closed, electrons, 1.0_c_double, functions, exponents, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'dfr.large_basis.error: 1 is not in') == 1 &
                 .and. size(exponents) == 0, message)
   end subroutine an_element_from_its_parts

   ! Averages iron's 4s2 3d6, with subshells in arbitrary order.
   subroutine averages()
      integer, allocatable :: closed(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :)

      call dfr_average_of_configuration(context, [3, 4, 3, 3, 2, 2, 1], [2, 0, 1, 0, 1, 0, 0], [6, 2, 6, 2, 6, 2, 2], &
                                        closed, electrons, pairs)
      call check(all(closed == [4, 2, 2, 0, 0]), 'closed shells')
      call check(all(abs(electrons - [0.0_c_double, 0.0_c_double, 0.0_c_double, 2.4_c_double, 3.6_c_double]) &
                     < 1e-14_c_double), 'electrons')
      call check(all(abs(pairs(4:, 4:) - 50 / 54.0_c_double) < 1e-14_c_double), 'pairs')
   end subroutine averages

   subroutine lists()
      integer, allocatable :: closed(:), filled(:)
      real(c_double), allocatable :: occupations(:, :), electrons(:), pairs(:, :), mean(:), of_two(:, :)

      call dfr_all_distributions(context, [2, 3], 2, occupations)
      call check(all(shape(occupations) == [2, 3]) .and. all(occupations(:, 1) == [0, 2]) .and. &
                 all(occupations(:, 2) == 1) .and. all(occupations(:, 3) == [2, 0]), 'all distributions')
      call dfr_average_of_list(context, [2, 0, 0], [2, 3], occupations, filled, mean, of_two)
      call dfr_average_of_configuration(context, [1, 2, 2], [0, 0, 1], [2, 2, 2], closed, electrons, pairs)
      call check(all(filled == closed) .and. all(abs(mean - electrons) < 1e-14_c_double) .and. &
                 all(abs(of_two(2:, 2:) - pairs(2:, 2:)) < 1e-14_c_double), 'their average')
      call dfr_average_of_list(context, [2, 0, 0], [2, 3], reshape([2.0_c_double, 1.0_c_double], [2, 1]), filled, mean, &
                               of_two)
      call check(all(filled == [2, 1, 0]) .and. all(mean == [0, 0, 1]) .and. all(shape(of_two) == 3), 'one of them')
      call dfr_average_of_list(context, [1], closed(:0), occupations(:0, :0), filled, mean, of_two)
      call check(all(filled == [1]) .and. all(mean == [0]), 'no open shells')
   end subroutine lists

   subroutine pools()
      real(c_double), parameter :: parameters(4, 2) = reshape([0.1_c_double, 2.0_c_double, 0.0_c_double, 0.0_c_double, &
                                                               1.0_c_double, 3.0_c_double, 0.0_c_double, 0.0_c_double], &
                                                              [4, 2])
      real(c_double), allocatable :: zeta(:)

      call dfr_well_tempered_basis(context, [2, 0, 2], [1, 0, 2], parameters, zeta, [1, 1, 2])
      call check(size(zeta) == 4 .and. all(abs(zeta - [0.1_c_double, 0.2_c_double, 3.0_c_double, 9.0_c_double]) &
                                           < 1e-14_c_double), 'two pools')
      call dfr_well_tempered_basis(context, [2, 1], [1, 2], parameters(:, :1), zeta)
      call check(size(zeta) == 3 .and. all(abs(zeta - [0.1_c_double, 0.2_c_double, 0.2_c_double]) < 1e-14_c_double), &
                 'one pool')
      call dfr_well_tempered_basis(context, [2, 1], [1], parameters, zeta, stat=stat, errmsg=message)
      call check_refused('dfr.well_tempered_basis.first: 1 elements are not 2')
      call dfr_well_tempered_basis(context, [2, 1], [1, 1], parameters(:3, :), zeta, stat=stat, errmsg=message)
      call check_refused('dfr.well_tempered_basis.parameters: 3 x 2 elements are not 4 x 2')
      call dfr_well_tempered_basis(context, [2, 1], [1, 1], parameters, zeta, [0, 1], stat, message)
      call check_refused('dfr.well_tempered_basis.group(1): 0 is not in 1..2')
      call dfr_well_tempered_basis(context, [2, 1], [1, 1], parameters, zeta, [1, 3], stat, message)
      call check_refused('dfr.well_tempered_basis.group(2): 3 is not in 1..2')
      call dfr_well_tempered_basis(context, [2, huge(1)], [1, 1], parameters, zeta, [1, 2], stat, message)
      call check_refused('dfr.n_functions[p1/2]: 2147483647 is not in 0..200')
      call dfr_well_tempered_basis(context, [2, 1], [1, -1], parameters, zeta, [1, 2], stat, message)
      call check_refused('dfr.first[p1/2]: -1 is not in 1..200')
      call check(size(zeta) == 0, 'no exponents')
   end subroutine pools

   subroutine nuclei()
      type(legato_dfr_nucleus) :: nucleus

      call dfr_element_nucleus(context, 54, nucleus)
      call check(nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_POINT .and. nucleus%charge == 54, 'a point')
      call dfr_element_nucleus(context, 54, nucleus, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN)
      call check(nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN .and. &
                 abs(nucleus%exponent / 1.8030529331e8_c_double - 1) < 1e-10_c_double, 'a Gaussian')
      call check(dfr_symbol(54) == 'Xe', 'Xe')
      call check(dfr_symbol(1) == 'H', 'H')
      call check(dfr_symbol(0) == '', 'no element')
      call check(dfr_symbol(-huge(1)) == '', 'nor this')
   end subroutine nuclei

   subroutine refused_subshells()
      integer, allocatable :: closed(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :)

      call dfr_average_of_configuration(context, [1, 2], [0], [2, 2], closed, electrons, pairs, stat, message)
      call check_refused('dfr.average_of_configuration.l: 1 elements are not 2')
      call dfr_average_of_configuration(context, [1, 2], [0, 0], [2], closed, electrons, pairs, stat, message)
      call check_refused('dfr.average_of_configuration.subshell_electrons: 1 elements are not 2')
      call dfr_average_of_configuration(context, [1, 2], [0, 2], [2, 2], closed, electrons, pairs, stat, message)
      call check_refused('dfr.subshells[1].n: 2 is not in 3..200')
      call dfr_average_of_configuration(context, [1, 2], [0, 0], [1, 2], closed, electrons, pairs, stat, message)
      call check_refused('dfr.subshells[1s]: 1 is not 2, a full shell, but 2s has electrons')
      call dfr_average_of_configuration(context, [1], [0], [0], closed, electrons, pairs, stat, message)
      call check_refused('dfr.subshells: no electrons')
      call check(size(closed) == 0 .and. size(electrons) == 0 .and. size(pairs) == 0, 'nothing came out')
      call dfr_average_of_configuration(none, [1], [0], [2], closed, electrons, pairs, stat, message)
      call check_refused('used before it was created')
   end subroutine refused_subshells

   subroutine refused_lists()
      real(c_double), parameter :: rows(2, 1) = reshape([1.0_c_double, 1.5_c_double], [2, 1])
      integer, allocatable :: filled(:)
      real(c_double), allocatable :: occupations(:, :), electrons(:), pairs(:, :)

      call dfr_average_of_list(context, [2, 0, 0], [3], rows, filled, electrons, pairs, stat, message)
      call check_refused('dfr.average_of_list.occupations: 2 x 1 elements are not 1 x 1')
      call dfr_average_of_list(context, [2, 0, 0], [3, 2], rows, filled, electrons, pairs, stat, message)
      call check_refused('dfr.list.open_species(2): 2 is not in 4..3')
      call dfr_average_of_list(context, [2, 0, 0], [0, 2], rows, filled, electrons, pairs, stat, message)
      call check_refused('dfr.list.open_species(1): 0 is not in 1..3')
      call dfr_average_of_list(context, [2, 0, 0], [2, 3], rows, filled, electrons, pairs, stat, message)
      call check_refused('dfr.list.configurations[0][p3/2]: 1.5 is not a whole number in 0..4')
      call dfr_average_of_list(context, [2, 0, 0], [2, 3], rows(:, :0), filled, electrons, pairs, stat, message)
      call check_refused('dfr.list.n_configurations: 0 is not in 1..1000000')
      call check(size(filled) == 0 .and. size(electrons) == 0 .and. size(pairs) == 0, 'nothing came out')
      call dfr_all_distributions(context, [2, 14], 2, occupations, stat, message)
      call check_refused('dfr.distributions.open_species(2): 14 is not in 3..13')
      call dfr_all_distributions(context, [2, 3], 7, occupations, stat, message)
      call check_refused('dfr.distributions.electrons: 7 is not in 0..6')
      call check(all(shape(occupations) == [2, 0]), 'no distributions')
   end subroutine refused_lists

   subroutine refused_elements()
      integer, allocatable :: n(:), l(:), electrons(:)
      real(c_double) :: parameters(4)
      type(legato_dfr_nucleus) :: nucleus
      integer :: pool

      call dfr_ground_configuration(context, 119, n, l, electrons, stat, message)
      call check_refused('dfr.element: 119 is not in 1..118')
      call check(size(n) == 0 .and. size(l) == 0 .and. size(electrons) == 0, 'no subshells')
      call dfr_element_nucleus(context, 0, nucleus, stat=stat, errmsg=message)
      call check_refused('dfr.element: 0 is not in 1..118')
      call dfr_element_nucleus(context, 2, nucleus, 5, stat, message)
      call check_refused('dfr.nuclear_model: 5 is not in 1..4')
      call dfr_library_basis(context, 58, parameters, pool, n, l, stat, message)
      call check_refused('dfr.element: 58, Ce, has no set in the basis library hennessey, which has sets for: ' // &
                         'He-La, Pr-Eu, Dy, Er, Tm, Lu-Rn')
      call check(pool == 0 .and. size(n) == 0, 'no basis')
   end subroutine refused_elements
end program dfr_atoms_test
