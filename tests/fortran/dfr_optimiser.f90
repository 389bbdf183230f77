! Tests the optimisation, reduction and pruning of basis sets, with small atoms and small sets. Results are computed again. Runs
! are stopped, saved and resumed. Refusals are tested.
program dfr_optimiser_test
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_sizeof
   use legato
   use checks
   implicit none
   character(*), parameter :: file = 'fortran_dfr_optimiser.state'
   integer(c_int64_t), parameter :: first = 1, second = 2
   real(c_double), parameter :: start(4, 1) = reshape([0.1_c_double, 2.0_c_double, 4.5_c_double, 1.5_c_double], [4, 1]), &
      none(1) = 0
   type(legato_context) :: context

   call context%create(backend=LEGATO_BACKEND_CPU, threads=1)     ! one thread suffices for small atoms
   call defaults()
   call optimisations()
   call groups()
   call groups_of_other_forms()
   call parts_of_a_run()
   call refused_of_an_optimiser()
   call refused_sizes()
   call reduction()
   call refused_of_a_reducer()
   call pruning()
   call refused_of_a_pruner()
   call left_to_finalisers()
   print '(a)', 'fortran dfr_optimiser: all checks passed'

contains

   subroutine defaults()
      type(legato_dfr_optimiser_params) :: params
      type(legato_dfr_reducer_params) :: reduction_params
      type(legato_dfr_pruner_params) :: pruning_params

      params = dfr_optimiser_defaults()
      call check(params%struct_size == c_sizeof(params) .and. params%max_energies == 500 .and. &
                 params%first_step == 0.1_c_double .and. params%last_step == 1e-4_c_double, 'defaults')
      reduction_params = dfr_reducer_defaults()
      call check(reduction_params%struct_size == c_sizeof(reduction_params) .and. reduction_params%functions == 40 .and. &
                 reduction_params%accuracy == 5e-9_c_double .and. reduction_params%limit == 0, 'of a reduction')
      pruning_params = dfr_pruner_defaults()
      call check(pruning_params%struct_size == c_sizeof(pruning_params) .and. pruning_params%max_energies == 500 .and. &
                 pruning_params%largest_error == 1e-5_c_double .and. pruning_params%tolerance == 0.01_c_double, 'of a pruning')
   end subroutine defaults

   subroutine optimisations()
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_optimisation) :: helium, beryllium
      real(c_double), allocatable :: energies(:), late(:), parameters(:, :), all_parameters(:, :, :)
      integer, allocatable :: functions(:), from(:), kinds(:)
      integer(c_int64_t) :: at, count
      integer :: best

      call optimiser%create(context, params=coarse(150))
      call optimiser%add(dfr_nucleus(2.0_c_double), [6], [1], start, [1], none, index=at)
      call check(at == 1, 'the first is 1')
      call optimiser%add_element(4, index=at, basis='hennessey')
      call optimiser%size(count)
      call check(at == 2 .and. count == 2, 'the second is 2')
      call optimiser%result(first, helium)
      call check(helium%status == LEGATO_DFR_OPTIMISER_STATUS_WAITING .and. helium%energies == 0, 'waiting')
      call optimiser%run()
      call optimiser%result(first, helium)
      call optimiser%result(second, beryllium)
      call check(helium%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED .and. &
         helium%energy < helium%start_energy .and. &
                 abs(helium%limit + 2.861813342_c_double) < 1e-8_c_double, 'helium')
      call check(beryllium%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED .and. &
         beryllium%energy <= beryllium%start_energy .and. &
                 beryllium%energy > beryllium%limit, 'beryllium')
      call optimiser%history(first, energies, kinds, all_parameters)
      call check(size(energies) == helium%energies .and. size(kinds) == size(energies) .and. &
                 all(shape(all_parameters) == [4, 1, size(energies)]), 'sizes of a history')
      call check(all(kinds == LEGATO_DFR_ENERGY_KIND_GOOD) .and. energies(1) == helium%start_energy .and. &
                 minval(energies) == helium%energy .and. all(all_parameters(:, :, 1) == start), 'history')
      best = minloc(energies, dim=1)
      call optimiser%history(first, late, first=int(best, c_int64_t))
      call check(size(late) == size(energies) - best + 1 .and. late(1) == helium%energy, 'a part of it')
      call optimiser%basis(first, functions, from, parameters)
      call check(all(functions == [6]) .and. all(from == [1]) .and. &
                 all(parameters(:, 1) == all_parameters(:, 1, best)), 'the best basis')
      call check(agree(energy_of(functions, from, parameters), helium%energy), 'its energy once more')
      call optimiser%history(first, energies, first=helium%energies + 1)
      call check(size(energies) == 0, 'nothing after the last')
   end subroutine optimisations

   ! Optimises neon, with separate parameters for s and p, and with a given limit.
   subroutine groups()
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_optimisation) :: neon
      real(c_double), parameter :: two(4, 2) = reshape( &
         [0.2_c_double, 2.5_c_double, 4.5_c_double, 1.5_c_double, 0.15_c_double, 2.5_c_double, 4.5_c_double, 1.5_c_double], &
         [4, 2])
      real(c_double) :: zeros(3)
      real(c_double), allocatable :: parameters(:, :)
      integer, allocatable :: functions(:), from(:), group(:)

      zeros = 0
      call optimiser%create(context, params=coarse(25))
      call optimiser%add(dfr_nucleus(10.0_c_double), [8, 5, 5], [1, 1, 1], two, [2, 1, 1], zeros, group=[1, 2, 2], &
                         limit=-128.7_c_double)
      call optimiser%run()
      call optimiser%result(first, neon)
      call check(neon%status == LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED .and. neon%energies == 25 .and. &
                 neon%energy < neon%start_energy .and. neon%limit == -128.7_c_double, 'neon')
      call optimiser%basis(first, functions, from, parameters, group)
      call check(all(functions == [8, 5, 5]) .and. all(group == [1, 2, 2]) .and. all(shape(parameters) == [4, 2]) .and. &
                 all(parameters(1, :) /= two(1, :)), 'two groups')
   end subroutine groups

   ! Optimises boron with BFGS, with a well-tempered group for s and a free one for p.
   subroutine groups_of_other_forms()
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_optimiser_params) :: params
      type(legato_dfr_optimisation) :: boron
      integer, parameter :: functions(3) = [8, 4, 4], from(3) = [1, 1, 1], group(3) = [1, 2, 2], &
         forms(2) = [LEGATO_DFR_GROUP_FORM_WELL_TEMPERED, LEGATO_DFR_GROUP_FORM_FREE]
      real(c_double), parameter :: begin(8) = [0.1_c_double, 2.2_c_double, 4.5_c_double, 1.5_c_double, &
                                               0.08_c_double, 0.3_c_double, 1.1_c_double, 5.0_c_double]
      integer, allocatable :: closed(:), found(:), functions_of(:), from_of(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :), parameters(:), initial(:), exponents(:), tried(:, :), &
         well_tempered(:, :), all_parameters(:, :, :)
      type(legato_dfr_nucleus) :: nucleus
      character(200) :: message
      integer :: stat

      call dfr_average_of_configuration(context, [1, 2, 2], [0, 0, 1], [2, 2, 1], closed, electrons, pairs)
      params = coarse(100)
      params%method = LEGATO_DFR_OPTIMISER_METHOD_LBFGS
      call optimiser%create(context, params=params)
      call check(dfr_group_parameters(functions, from, forms, group) == 8, 'number of parameters')
      call optimiser%add_groups(dfr_nucleus(5.0_c_double), functions, from, forms, begin(:7), closed, electrons, pairs, &
                                group, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, 'dfr.optimiser.add_groups.parameters') > 0, &
                 'a parameter is missing')
      call optimiser%add_groups(dfr_nucleus(5.0_c_double), functions, from, forms, begin, closed, electrons, pairs, group)
      call optimiser%run()
      call optimiser%result(first, boron)
      call check(boron%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED .and. boron%energy < boron%start_energy .and. &
                 boron%energy > boron%limit, 'boron')
      call optimiser%groups(first, found, parameters, initial)
      call check(all(found == forms) .and. all(initial == begin) .and. all(parameters /= begin), 'groups')
      call dfr_grouped_basis(context, functions, from, found, parameters, exponents, group)
      call check(size(exponents) == 16 .and. exponents(1) == parameters(1) .and. &
                 all(exponents(9:12) == parameters(5:8)) .and. all(exponents(13:16) == parameters(5:8)), 'exponents')
      call optimiser%history_of_groups(first, tried)
      call check(all(shape(tried) == [8_c_int64_t, boron%energies]) .and. all(tried(:, 1) == begin), 'history of groups')
      call optimiser%basis(first, functions_of, from_of)
      call check(all(functions_of == functions) .and. all(from_of == from), 'functions')
      call optimiser%basis(first, functions_of, from_of, well_tempered, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. size(well_tempered) == 0 .and. &
                 index(message, 'groups[1] is not well-tempered') > 0, 'a group that is not well-tempered')
      call optimiser%atom(first, nucleus, closed, electrons, pairs, parameters=well_tempered, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. size(closed) + size(pairs) + size(well_tempered) == 0, &
                 'its atom')
      call optimiser%history(first, electrons, found, all_parameters, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. size(electrons) + size(found) + size(all_parameters) == 0, &
                 'its history')
   end subroutine groups_of_other_forms

   subroutine parts_of_a_run()
      type(legato_dfr_optimiser) :: whole, parts, resumed
      type(legato_dfr_params) :: field
      type(legato_dfr_optimiser_params) :: params
      type(legato_dfr_nucleus) :: nucleus
      integer(c_int64_t) :: finished
      integer, allocatable :: closed(:)
      real(c_double), allocatable :: electrons(:), pairs(:, :), parameters(:, :)
      real(c_double) :: limit

      call two_heliums(whole)
      call whole%run()
      call two_heliums(parts)
      call parts%advance(2_c_int64_t, finished)
      call check(finished == 0, 'two energies')
      calls = 0
      call parts%run(stop_at_third, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. calls == 3 .and. last_progress%points_total == 2 .and. &
                 last_progress%cycles_done == 6, 'cancelled')
      call parts%save(file)
      call resumed%resume(context, file)
      call resumed%atom(second, nucleus, closed, electrons, pairs, limit, parameters)
      call check(abs(nucleus%charge - 2) <= 0 .and. nucleus%model == LEGATO_DFR_NUCLEAR_MODEL_POINT .and. &
         all(closed == [1]) .and. &
                 all(electrons == none) .and. all(shape(pairs) == [1, 1]) .and. limit == 0 .and. all(parameters == start), &
                 'the atom of what was resumed')
      call resumed%atom(3_c_int64_t, nucleus, closed, electrons, pairs, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.index: 3 is not in 1..2')
      call check(size(closed) == 0, 'no atom')
      call resumed%get_params(field, params)
      call check(params%max_energies == 30 .and. field%max_iterations == 50, 'parameters of what was resumed')
      call same(parts, resumed)
      call resumed%run()
      call parts%run()
      call same(whole, parts)
      call same(whole, resumed)
      call resumed%add_element(2, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add: the run has begun; add basis sets before it begins')
      call remove_file(file)
      call resumed%resume(context, file, stat, message)
      call check(stat == LEGATO_STATUS_IO_ERROR, 'no file')
      call resumed%run(stat=stat, errmsg=message)
      call check_refused('used before it was created')
   end subroutine parts_of_a_run

   subroutine refused_of_an_optimiser()
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_optimiser_params) :: params
      type(legato_dfr_optimisation) :: optimisation
      real(c_double), allocatable :: energies(:), parameters(:, :)
      integer, allocatable :: functions(:), from(:)
      integer(c_int64_t) :: finished, at

      params = dfr_optimiser_defaults()
      params%first_step = 2
      call optimiser%create(context, params=params, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.first_step: 2 is not in [1e-10, 1]')
      call optimiser%result(first, optimisation, stat, message)
      call check_refused('used before it was created')
      call optimiser%create(context)
      call optimiser%result(first, optimisation, stat, message)
      call check_refused('dfr.optimiser.index: 1 is not in 1..0')
      call optimiser%run(stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.n_candidates: 0 is not in 1..1000')
      call optimiser%add_element(58, index=at, stat=stat, errmsg=message)
      call check_refused('dfr.element: 58, Ce, has no set in the basis library hennessey, which has sets for: ' // &
                         'He-La, Pr-Eu, Dy, Er, Tm, Lu-Rn')
      call check(at == 0, 'no number')
      call optimiser%add(dfr_nucleus(2.0_c_double), [6], [1], start, [1], none, limit=1.0_c_double, stat=stat, &
                         errmsg=message)
      call check_refused('dfr.candidates[0].limit: 1 is not in [-1000000000, 0]')
      call optimiser%add(dfr_nucleus(2.0_c_double), [6], [1], start, [0], none + 1, stat=stat, errmsg=message)
      call check_refused('dfr.pairs: a null pointer is not allowed')
      call optimiser%add_element(2)
      call optimiser%advance(0_c_int64_t, finished, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, &
         'dfr.optimiser.advance.energies: 0 is not') == 1, &
                 'energies')
      call optimiser%basis(second, functions, from, parameters, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.index: 2 is not in 1..1')
      call check(size(functions) == 0 .and. size(parameters) == 0, 'no basis')
      call optimiser%history(0_c_int64_t, energies, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.index: 0 is not in 1..1')
      call optimiser%history(first, energies, first=0_c_int64_t, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.history.first: 0 is not in 1..1')
      call optimiser%history(first, energies, first=2_c_int64_t, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.history.first: 2 is not in 1..1')
      call optimiser%save('', stat, message)
      call check_refused('dfr.optimiser.save.path: the path is empty')
   end subroutine refused_of_an_optimiser

   subroutine refused_sizes()
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_nucleus) :: nucleus
      real(c_double), parameter :: pairs(2, 1) = 0

      nucleus = dfr_nucleus(2.0_c_double)
      call optimiser%create(context)
      call optimiser%add(nucleus, [6], [1, 1], start, [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.first: 2 elements are not 1')
      call optimiser%add(nucleus, [6], [1], start(:3, :), [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.parameters: 3 x 1 elements are not 4 x 1')
      call optimiser%add(nucleus, [6], [1], start, [1, 0], none, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.closed: 2 elements are not 1')
      call optimiser%add(nucleus, [6], [1], start, [1], [none, none], stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.electrons: 2 elements are not 1')
      call optimiser%add(nucleus, [6], [1], start, [1], none, pairs, stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.pairs: 2 x 1 elements are not 1 x 1')
      call optimiser%add(nucleus, [6], [1], start, [1], none, group=[1, 1], stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.group: 2 elements are not 1')
      call optimiser%add(nucleus, [6], [1], start, [1], none, group=[0], stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.group(1): 0 is not in 1..1')
      call optimiser%add(nucleus, [6], [1], start, [1], none, group=[2], stat=stat, errmsg=message)
      call check_refused('dfr.optimiser.add.group(1): 2 is not in 1..1')
      call optimiser%add(nucleus, [6], [1], start(:, :0), [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.n_groups: 0 is not in 1..1')
   end subroutine refused_sizes

   subroutine reduction()
      type(legato_dfr_reducer) :: reducer, resumed
      type(legato_dfr_reduction) :: whole, other
      type(legato_dfr_stage) :: stage
      type(legato_dfr_params) :: field
      type(legato_dfr_optimiser_params) :: optimiser_params
      type(legato_dfr_reducer_params) :: params
      type(legato_dfr_nucleus) :: nucleus
      real(c_double) :: parameters(4), limit
      real(c_double), allocatable :: electrons(:), pairs(:, :)
      integer, allocatable :: functions(:), from(:), closed(:)
      logical :: finished

      call create_helium(reducer, 8, 1e-3_c_double)
      call reducer%result(whole)
      call check(whole%status == LEGATO_DFR_OPTIMISER_STATUS_WAITING .and. whole%stages == 2, 'waiting')
      call reducer%stage(1, stage, stat, message)
      call check_refused('dfr.reducer.stage.index: 1 is not in 1..0')
      call reducer%advance(5_c_int64_t, finished)
      call check(.not. finished, 'five energies')
      call reducer%save(file)
      calls = 0
      call reducer%run(stop_at_third, stat, message)
      call check(stat == LEGATO_STATUS_CANCELLED .and. calls == 3 .and. last_progress%points_total == 2, 'cancelled')
      call reducer%run()
      call reducer%result(whole)
      call check(whole%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED .and. whole%stages_done == 2 .and. &
                 whole%relative_error > 0 .and. whole%relative_error <= 1e-3_c_double, 'reduced')
      call reducer%stage(1, stage)
      call check(stage%kind == LEGATO_DFR_STAGE_KIND_WHOLE .and. stage%chosen == 8 .and. stage%energies > 0, &
         'the whole set')
      call reducer%stage(2, stage)
      call check(stage%kind == LEGATO_DFR_STAGE_KIND_LAST .and. stage%l == 0 .and. stage%chosen < 8 .and. &
                 stage%energy == whole%energy, 'the last function')
      call reducer%basis(functions, from, parameters)
      call check(all(functions == [stage%chosen]) .and. all(from == [1]) .and. all(parameters == stage%parameters), &
                 'the basis')
      call check(agree(energy_of(functions, from, reshape(parameters, [4, 1])), whole%energy), 'its energy once more')
      call resumed%resume(context, file)
      call resumed%atom(nucleus, closed, electrons, pairs, limit, parameters)
      call check(abs(nucleus%charge - 2) <= 0 .and. all(closed == [1]) .and. all(electrons == none) .and. &
                 all(shape(pairs) == [1, 1]) .and. limit == 0 .and. all(parameters == start(:, 1)), 'its atom')
      call resumed%get_params(field, optimiser_params, params)
      call check(params%functions == 8 .and. optimiser_params%max_energies == 40, 'parameters of what was resumed')
      call resumed%advance(huge(1_c_int64_t), finished)
      call resumed%result(other)
      call check(finished .and. other%energy == whole%energy .and. other%limit == whole%limit, 'as if not stopped')
      call remove_file(file)
      call create_helium(reducer, 3, 1e-9_c_double)
      call reducer%run()
      call reducer%result(whole)
      call check(whole%status == LEGATO_DFR_OPTIMISER_STATUS_FAILED .and. whole%stages_done == 0, 'out of reach')
   end subroutine reduction

   subroutine refused_of_a_reducer()
      type(legato_dfr_reducer) :: reducer
      type(legato_dfr_nucleus) :: nucleus
      type(legato_dfr_reduction) :: reduced
      real(c_double), parameter :: pairs(2, 1) = 0
      integer, allocatable :: functions(:), from(:), closed(:)
      real(c_double), allocatable :: electrons(:), read_pairs(:, :)
      real(c_double) :: parameters(4)

      nucleus = dfr_nucleus(2.0_c_double)
      call reducer%create(context, nucleus, [1], [none, none], start(:, 1), stat=stat, errmsg=message)
      call check_refused('dfr.reducer.create.electrons: 2 elements are not 1')
      call reducer%create(context, nucleus, [1], none, start(:3, 1), stat=stat, errmsg=message)
      call check_refused('dfr.reducer.create.start: 3 elements are not 4')
      call reducer%create(context, nucleus, [1], none, start(:, 1), pairs, stat=stat, errmsg=message)
      call check_refused('dfr.reducer.create.pairs: 2 x 1 elements are not 1 x 1')
      call reducer%create(context, nucleus, [41], none, start(:, 1), stat=stat, errmsg=message)
      call check_refused('dfr.reducer.configuration.closed[s1/2]: 41 is not in 0..40, because the basis set has 40 ' // &
                         'functions of this species')
      call reducer%result(reduced, stat, message)
      call check_refused('used before it was created')
      call reducer%basis(functions, from, parameters, stat, message)
      call check_refused('used before it was created')
      call check(size(functions) == 0 .and. all(parameters == 0), 'no basis')
      call reducer%atom(nucleus, closed, electrons, read_pairs, stat=stat, errmsg=message)
      call check_refused('used before it was created')
      call reducer%save(file, stat, message)
      call check_refused('used before it was created')
   end subroutine refused_of_a_reducer

   subroutine pruning()
      type(legato_dfr_pruner) :: pruner, resumed
      type(legato_dfr_pruner_params) :: params
      type(legato_dfr_params) :: field
      type(legato_dfr_pruning) :: now, whole
      type(legato_dfr_pruned_set) :: set, same
      type(legato_dfr_nucleus) :: nucleus
      integer, allocatable :: functions(:), from(:), group(:), forms(:), closed(:)
      real(c_double), allocatable :: parameters(:), electrons(:), pairs(:, :), exponents(:)
      real(c_double) :: limit
      integer(c_int64_t) :: count, finished, at
      integer :: k

      params = dfr_pruner_defaults()
      params%largest_error = 1e-4_c_double
      call pruner%create(context, params=params)
      call pruner%add(dfr_nucleus(2.0_c_double), [8], [1], [LEGATO_DFR_GROUP_FORM_WELL_TEMPERED], start(:, 1), [1], none, &
                      index=at)
      call check(at == 1, 'the first atom is 1')
      call pruner%add_element(1, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, at)
      call pruner%size(count)
      call check(at == 2 .and. count == 2, 'the second atom is 2')
      call pruner%result(first, now)
      call check(now%status == LEGATO_DFR_OPTIMISER_STATUS_WAITING .and. now%sets == 0, 'no set yet')
      call pruner%set(first, 1, set, stat, message)
      call check_refused('dfr.pruner.set.number: 1 is not in 1..0')
      call pruner%advance(3_c_int64_t, finished)
      call check(finished == 0, 'three energies')
      call pruner%save(file)
      call pruner%run()
      call resumed%resume(context, file)
      call remove_file(file)
      call resumed%run()
      call pruner%result(first, whole)
      call resumed%result(first, now)
      call check(whole%status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED .and. whole%sets > 1 .and. &
                 now%sets == whole%sets .and. now%energies == whole%energies .and. now%limit == whole%limit, 'pruned')
      do k = 1, whole%sets
         call pruner%set(first, k, set)
         call resumed%set(first, k, same)
         call check(set%functions == 9 - k .and. set%group == merge(0, 1, k == 1) .and. set%relative_error > 0 .and. &
                    set%relative_error <= 1e-4_c_double .and. set%energy == same%energy, 'a set')
      end do
      call pruner%basis(first, whole%sets, functions, from, group, forms, parameters)
      call check(all(functions == [set%functions]) .and. all(from == [1]) .and. all(group == [1]) .and. &
                 size(parameters) == dfr_group_parameters(functions, from, forms, group), 'its basis')
      call dfr_grouped_basis(context, functions, from, forms, parameters, exponents, group)
      call check(size(exponents) == set%functions .and. all(exponents > 0), 'its exponents')
      call pruner%atom(first, nucleus, closed, electrons, pairs, limit)
      call check(abs(nucleus%charge - 2) <= 0 .and. all(closed == [1]) .and. all(electrons == none) .and. limit == 0, &
                 'the atom')
      call resumed%get_params(field, params)
      call check(field%kinetic_balance == LEGATO_DFR_KINETIC_BALANCE_EXTENDED .and. params%largest_error == 1e-4_c_double, &
                 'the parameters')
   end subroutine pruning

   subroutine refused_of_a_pruner()
      type(legato_dfr_pruner) :: pruner
      type(legato_dfr_pruning) :: now
      type(legato_dfr_nucleus) :: nucleus
      integer, parameter :: form(1) = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED
      integer, allocatable :: functions(:), from(:), group(:), forms(:), closed(:)
      real(c_double), allocatable :: parameters(:), electrons(:), pairs(:, :)

      nucleus = dfr_nucleus(2.0_c_double)
      call pruner%result(first, now, stat, message)
      call check_refused('used before it was created')
      call pruner%basis(first, 1, functions, from, group, forms, parameters, stat, message)
      call check_refused('used before it was created')
      call check(size(functions) + size(forms) + size(parameters) == 0, 'no basis')
      call pruner%atom(first, nucleus, closed, electrons, pairs, stat=stat, errmsg=message)
      call check_refused('used before it was created')
      call pruner%create(context, dfr_defaults(), stat=stat, errmsg=message)
      call check_refused('dfr.params.kinetic_balance: 0 (restricted), but the sets of a relativistic pruning would collapse; &
         &it needs 1 (extended)')
      call pruner%create(context)
      nucleus = dfr_nucleus(2.0_c_double)
      call pruner%add(nucleus, [6], [1, 1], form, start(:, 1), [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.pruner.add.first: 2 elements are not 1')
      call pruner%add(nucleus, [6], [1], form, start(:3, 1), [1], none, stat=stat, errmsg=message)
      call check_refused('dfr.pruner.add.parameters: 3 elements are not 4')
      call pruner%add(nucleus, [6], [1], form, start(:, 1), [1], none, group=[2], stat=stat, errmsg=message)
      call check_refused('dfr.pruner.add.group(1): 2 is not in 1..1')
      call pruner%add_element(119, stat=stat, errmsg=message)
      call check_refused('dfr.element: 119 is not in 1..118')
      call pruner%result(first, now, stat, message)
      call check_refused('dfr.pruner.index: 1 is not in 1..0')
   end subroutine refused_of_a_pruner

   ! The finalisers destroy a context and its handles in an order that the compiler chooses.
   subroutine left_to_finalisers()
      type(legato_context) :: inner
      type(legato_dfr_optimiser) :: optimisers(2)
      type(legato_dfr_reducer), allocatable :: reducer

      call inner%create(backend=LEGATO_BACKEND_CPU)
      allocate (reducer)
      call reducer%create(inner, dfr_nucleus(2.0_c_double), [1], none, start(:, 1))
      call optimisers(2)%create(inner)
      call optimisers(2)%add_element(2)
      call optimisers(2)%create(inner)     ! the former optimiser is destroyed
   end subroutine left_to_finalisers

   function coarse(max_energies) result(params)
      integer, intent(in) :: max_energies
      type(legato_dfr_optimiser_params) :: params

      params = dfr_optimiser_defaults()
      params%max_energies = max_energies
      params%last_step = 1e-2_c_double
   end function coarse

   subroutine two_heliums(optimiser)
      type(legato_dfr_optimiser), intent(inout) :: optimiser

      call optimiser%create(context, params=coarse(30))
      call optimiser%add(dfr_nucleus(2.0_c_double), [5], [1], start, [1], none)
      call optimiser%add(dfr_nucleus(2.0_c_double), [7], [1], start, [1], none)
   end subroutine two_heliums

   subroutine create_helium(reducer, functions, accuracy)
      type(legato_dfr_reducer), intent(inout) :: reducer
      integer, intent(in) :: functions
      real(c_double), intent(in) :: accuracy
      type(legato_dfr_reducer_params) :: params

      params = dfr_reducer_defaults()
      params%functions = functions
      params%accuracy = accuracy
      call reducer%create(context, dfr_nucleus(2.0_c_double), [1], none, start(:, 1), optimiser_params=coarse(40), &
                          params=params)
   end subroutine create_helium

   ! The iterations of an optimiser begin with other spinors, so that rounding errors differ.
   pure logical function agree(energy, other)
      real(c_double), intent(in) :: energy, other

      agree = abs(energy - other) <= 1e-13_c_double * abs(other)
   end function agree

   ! Returns the energy of helium.
   function energy_of(functions, from, parameters) result(energy)
      integer, intent(in) :: functions(:), from(:)
      real(c_double), intent(in) :: parameters(:, :)
      real(c_double) :: energy
      type(legato_dfr) :: dfr
      type(legato_dfr_atom) :: atom
      real(c_double), allocatable :: exponents(:)

      call dfr_well_tempered_basis(context, functions, from, parameters, exponents)
      call dfr%create(context)
      call dfr%add_atom(dfr_nucleus(2.0_c_double), functions, exponents, [1], none)
      call dfr%run()
      call dfr%result(first, atom)
      energy = atom%energy
   end function energy_of

   subroutine same(a, b)
      type(legato_dfr_optimiser), intent(in) :: a, b
      real(c_double), allocatable :: of_a(:), of_b(:), x_of_a(:, :, :), x_of_b(:, :, :)
      integer, allocatable :: kinds_of_a(:), kinds_of_b(:)
      integer(c_int64_t) :: i

      do i = 1, 2
         call a%history(i, of_a, kinds_of_a, x_of_a)
         call b%history(i, of_b, kinds_of_b, x_of_b)
         call check(size(of_a) == size(of_b), 'as many energies')
         call check(all(of_a == of_b) .and. all(kinds_of_a == kinds_of_b) .and. all(x_of_a == x_of_b), 'the same history')
      end do
   end subroutine same
end program dfr_optimiser_test
