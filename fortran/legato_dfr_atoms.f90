!> Input data for atoms: averages of configurations, and data of the chemical elements. legato/dfr_atoms.h explains the
!! arguments. Species count from 1; only the subshells and configurations in the library's messages, such as
!! dfr.subshells[0].l, count from 0. Output arrays are allocated to fit, and are empty after an error.
module legato_dfr_atoms_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: handle_of, report
   use legato_support, only: finish, differs, no_group, decimal, from_c
   implicit none
   private

   public :: dfr_average_of_configuration, dfr_average_of_list, dfr_all_distributions
   public :: dfr_ground_configuration, dfr_element_nucleus, dfr_library_basis, dfr_well_tempered_basis, &
      dfr_grouped_basis, dfr_group_parameters, dfr_large_basis, dfr_symbol
   public :: LEGATO_DFR_GROUP_FORM_WELL_TEMPERED, LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED, LEGATO_DFR_GROUP_FORM_FREE

contains

   !> Returns the average over all distributions of the electrons of subshells n, l. The results are arguments of
   !! add_atom of a legato_dfr.
   subroutine dfr_average_of_configuration(context, n, l, subshell_electrons, closed, electrons, pairs, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: n(:), l(:), subshell_electrons(:)
      integer, allocatable, intent(out) :: closed(:)
      real(c_double), allocatable, intent(out) :: electrons(:), pairs(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: shells(13), species, status
      real(c_double) :: open_shells(13), of_two(13, 13)

      allocate (closed(0), electrons(0), pairs(0, 0))
      if (differs('dfr.average_of_configuration.l', shape(l), shape(n), stat, errmsg)) return
      if (differs('dfr.average_of_configuration.subshell_electrons', shape(subshell_electrons), shape(n), stat, &
                  errmsg)) return
      species = 0
      status = legato_dfr_average_of_configuration(handle_of(context), size(n, kind=c_int32_t), int(n, c_int32_t), &
         int(l, c_int32_t), int(subshell_electrons, c_int32_t), 13_c_int32_t, species, shells, open_shells, of_two)
      if (status == LEGATO_STATUS_SUCCESS) then
         closed = shells(:species)
         electrons = open_shells(:species)
         pairs = of_two(:species, :species)
      end if
      call report(context, status, stat, errmsg)
   end subroutine dfr_average_of_configuration

   !> Returns the average over a list of configurations. The k-th one has occupations(i, k) electrons in the open shell
   !! of open_species(i), above closed(:) closed shells. `filled` counts the closed shells, and the open shells that are
   !! full in every configuration.
   subroutine dfr_average_of_list(context, closed, open_species, occupations, filled, electrons, pairs, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: closed(:), open_species(:)
      real(c_double), intent(in), contiguous :: occupations(:, :)
      integer, allocatable, intent(out) :: filled(:)
      real(c_double), allocatable, intent(out) :: electrons(:), pairs(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: shells(size(closed)), status
      real(c_double) :: open_shells(size(closed)), of_two(size(closed), size(closed))

      allocate (filled(0), electrons(0), pairs(0, 0))
      if (differs('dfr.average_of_list.occupations', shape(occupations), [size(open_species), size(occupations, 2)], &
                  stat, errmsg)) return
      if (not_ascending('dfr.list', open_species, size(closed), stat, errmsg)) return
      status = legato_dfr_average_of_list(handle_of(context), size(closed, kind=c_int32_t), int(closed, c_int32_t), &
         size(open_species, kind=c_int32_t), int(open_species - 1, c_int32_t), size(occupations, 2, c_int64_t), &
         occupations, shells, open_shells, of_two)
      if (status == LEGATO_STATUS_SUCCESS) then
         filled = shells
         electrons = open_shells
         pairs = of_two
      end if
      call report(context, status, stat, errmsg)
   end subroutine dfr_average_of_list

   !> Returns all ways to distribute the electrons over the open shells, as a list for dfr_average_of_list.
   subroutine dfr_all_distributions(context, open_species, electrons, occupations, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: open_species(:), electrons
      real(c_double), allocatable, intent(out) :: occupations(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: n
      integer(c_int32_t) :: shells, status

      n = 0
      shells = size(open_species, kind=c_int32_t)
      allocate (occupations(shells, 0))
      if (not_ascending('dfr.distributions', open_species, 13, stat, errmsg)) return
      status = legato_dfr_all_distributions(handle_of(context), shells, int(open_species - 1, c_int32_t), &
                                            int(electrons, c_int32_t), n, n)
      if (status == LEGATO_STATUS_SUCCESS) then
         deallocate (occupations)
         allocate (occupations(shells, n))
         status = legato_dfr_all_distributions(handle_of(context), shells, int(open_species - 1, c_int32_t), &
                                               int(electrons, c_int32_t), n, occupations=occupations)
      end if
      call report(context, status, stat, errmsg)
   end subroutine dfr_all_distributions

   !> Returns the subshells n, l of an element and their electrons, in the order of filling.
   subroutine dfr_ground_configuration(context, element, n, l, subshell_electrons, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: element
      integer, allocatable, intent(out) :: n(:), l(:), subshell_electrons(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: found(:, :)
      integer(c_int32_t) :: subshells, status

      subshells = 0
      status = legato_dfr_ground_configuration(handle_of(context), int(element, c_int32_t), 0_c_int32_t, subshells)
      allocate (found(subshells, 3))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_ground_configuration(handle_of(context), &
         int(element, c_int32_t), subshells, subshells, found(:, 1), found(:, 2), found(:, 3))
      n = found(:, 1)
      l = found(:, 2)
      subshell_electrons = found(:, 3)
      call report(context, status, stat, errmsg)
   end subroutine dfr_ground_configuration

   !> Returns the nucleus of an element. It is a point unless `nuclear_model` says otherwise.
   subroutine dfr_element_nucleus(context, element, nucleus, nuclear_model, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: element
      type(legato_dfr_nucleus), intent(out) :: nucleus
      integer, intent(in), optional :: nuclear_model
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: model

      model = LEGATO_DFR_NUCLEAR_MODEL_POINT
      if (present(nuclear_model)) model = int(nuclear_model, c_int32_t)
      nucleus = legato_dfr_nucleus(c_sizeof(nucleus), model, 0, 0, 0, 0, 0)
      call report(context, legato_dfr_element_nucleus(handle_of(context), int(element, c_int32_t), model, &
                                                                 nucleus), stat, errmsg)
   end subroutine dfr_element_nucleus

   !> Returns the built-in basis of an element. Its pool has `pool` exponents; parameters are alpha, beta, delta, gamma.
   !! Species s has functions(s) exponents of the pool, beginning with number first(s), counted from 1.
   subroutine dfr_library_basis(context, element, parameters, pool, functions, first, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: element
      real(c_double), intent(out) :: parameters(4)
      integer, intent(out) :: pool
      integer, allocatable, intent(out) :: functions(:), first(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: found(:, :)
      integer(c_int32_t) :: count, species, status

      parameters = 0
      count = 0
      species = 0
      status = legato_dfr_library_basis(handle_of(context), int(element, c_int32_t), parameters, count, 0_c_int32_t, &
                                        species)
      allocate (found(species, 2))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_library_basis(handle_of(context), int(element, &
         c_int32_t), &
         n=species, n_functions=found(:, 1), first=found(:, 2))
      pool = count
      functions = found(:, 1)
      first = found(:, 2)
      call report(context, status, stat, errmsg)
   end subroutine dfr_library_basis

   !> Returns the exponents of a well-tempered basis, one species after the other, as add_atom of a legato_dfr takes
   !! them. Species s has functions(s) exponents from the pool of its group, beginning with number first(s), counted
   !! from 1. parameters(4, groups) are alpha, beta, delta, gamma of each group. Without `group` all species are in
   !! group 1.
   subroutine dfr_well_tempered_basis(context, functions, first, parameters, exponents, group, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: functions(:), first(:)
      real(c_double), intent(in), contiguous :: parameters(:, :)
      real(c_double), allocatable, intent(out) :: exponents(:)
      integer, intent(in), optional :: group(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: forms(size(parameters, 2))

      allocate (exponents(0))
      if (differs('dfr.well_tempered_basis.parameters', shape(parameters), [4, size(forms)], stat, errmsg)) return
      forms = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED
      call exponents_of('dfr.well_tempered_basis', context, functions, first, forms, &
                        reshape(parameters, [size(parameters)]), exponents, group, stat, errmsg)
   end subroutine dfr_well_tempered_basis

   !> Returns the exponents of a basis with groups of any form, species after species. forms(groups) has elements such as
   !! LEGATO_DFR_GROUP_FORM_FREE, and `parameters` the parameters of all groups, group after group: alpha, beta, delta and
   !! gamma of a well-tempered group, alpha and beta of an even-tempered one, and the exponents of a free one.
   subroutine dfr_grouped_basis(context, functions, first, forms, parameters, exponents, group, stat, errmsg)
      type(legato_context), intent(in) :: context
      integer, intent(in) :: functions(:), first(:), forms(:)
      real(c_double), intent(in), contiguous :: parameters(:)
      real(c_double), allocatable, intent(out) :: exponents(:)
      integer, intent(in), optional :: group(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call exponents_of('dfr.grouped_basis', context, functions, first, forms, parameters, exponents, group, stat, errmsg)
   end subroutine dfr_grouped_basis

   ! Returns the exponents of a basis. `caller` begins the names of arguments in messages.
   subroutine exponents_of(caller, context, functions, first, forms, parameters, exponents, group, stat, errmsg)
      character(*), intent(in) :: caller
      type(legato_context), intent(in) :: context
      integer, intent(in) :: functions(:), first(:), forms(:)
      real(c_double), intent(in), contiguous :: parameters(:)
      real(c_double), allocatable, intent(out) :: exponents(:)
      integer, intent(in), optional :: group(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: of_species(size(functions)), status

      allocate (exponents(0))
      if (differs(caller // '.first', shape(first), shape(functions), stat, errmsg)) return
      of_species = 0
      if (present(group)) then
         if (differs(caller // '.group', shape(group), shape(functions), stat, errmsg)) return
         if (no_group(caller, group, size(forms), stat, errmsg)) return
         of_species = int(group - 1, c_int32_t)
      end if
      if (differs(caller // '.parameters', shape(parameters), [dfr_group_parameters(functions, first, forms, group)], &
                  stat, errmsg)) return
      deallocate (exponents)
      allocate (exponents(sum(min(max(functions, 0), 200))))     ! the library refuses other numbers
      status = legato_dfr_grouped_basis(handle_of(context), size(functions, kind=c_int32_t), int(functions, c_int32_t), &
         int(first, c_int32_t), of_species, size(forms, kind=c_int32_t), int(forms, c_int32_t), parameters, exponents)
      if (status /= LEGATO_STATUS_SUCCESS) exponents = exponents(:0)
      call report(context, status, stat, errmsg)
   end subroutine exponents_of

   !> Returns the number of parameters of all groups, for dfr_grouped_basis and for add_groups of a legato_dfr_optimiser.
   !! Without `group` all species are in group 1.
   pure function dfr_group_parameters(functions, first, forms, group) result(count)
      integer, intent(in) :: functions(:), first(:), forms(:)
      integer, intent(in), optional :: group(:)
      integer :: count
      integer :: s, pools(size(forms))
      integer(c_int64_t) :: last

      pools = 0
      do s = 1, size(functions)
         associate (g => group_of(s))
            if (functions(s) < 1 .or. g < 1 .or. g > size(forms)) cycle
            last = int(first(s), c_int64_t) + functions(s) - 1
            pools(g) = max(pools(g), int(min(last, 200_c_int64_t)))     ! the library refuses larger ones
         end associate
      end do
      count = 4*sum(merge(1, 0, forms == LEGATO_DFR_GROUP_FORM_WELL_TEMPERED)) &
              + 2*sum(merge(1, 0, forms == LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED)) &
              + sum(merge(pools, 0, forms == LEGATO_DFR_GROUP_FORM_FREE))

   contains

      pure integer function group_of(s)
         integer, intent(in) :: s

         group_of = 1
         if (present(group)) group_of = group(s)
      end function group_of
   end function dfr_group_parameters

   !> Returns the exponents of an even-tempered basis whose energy has about the relative error `error`: functions(s) of
   !! species s, one species after the other, as add_atom of a legato_dfr takes them. `cut_off` is the relative error of
   !! the energy that arises because no exponent may exceed 1e20.
   subroutine dfr_large_basis(context, nucleus, closed, electrons, error, functions, exponents, cut_off, params, stat, errmsg)
      type(legato_context), intent(in) :: context
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: closed(:)
      real(c_double), intent(in), contiguous :: electrons(:)
      real(c_double), intent(in) :: error
      integer, allocatable, intent(out) :: functions(:)
      real(c_double), allocatable, intent(out) :: exponents(:)
      real(c_double), intent(out), optional :: cut_off
      type(legato_dfr_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: each(size(closed)), shells(size(closed)), species, status
      real(c_double) :: remains

      allocate (functions(0), exponents(0))
      if (present(cut_off)) cut_off = 0
      if (differs('dfr.large_basis.electrons', shape(electrons), shape(closed), stat, errmsg)) return
      species = size(closed, kind=c_int32_t)
      shells = int(closed, c_int32_t)
      each = 0
      remains = 0
      status = legato_dfr_large_basis(handle_of(context), params, nucleus, species, shells, electrons, error, each)
      if (status == LEGATO_STATUS_SUCCESS) then
         deallocate (exponents)
         allocate (exponents(sum(each)))
         status = legato_dfr_large_basis(handle_of(context), params, nucleus, species, shells, electrons, error, each, &
                                         exponents, remains)
         functions = each
         if (present(cut_off)) cut_off = remains
      end if
      call report(context, status, stat, errmsg)
   end subroutine dfr_large_basis

   !> Returns the symbol of an element, for example 'Xe' for 54, or '' if there is no such element.
   function dfr_symbol(element) result(symbol)
      integer, intent(in) :: element
      character(:), allocatable :: symbol

      symbol = from_c(legato_dfr_symbol(int(element, c_int32_t)))
   end function dfr_symbol

   ! Returns true and reports an error unless open_species is ascending in 1..most. The library's own message would
   ! count from 0.
   function not_ascending(field, open_species, most, stat, errmsg)
      character(*), intent(in) :: field
      integer, intent(in) :: open_species(:), most
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: not_ascending
      integer :: i, least

      not_ascending = .false.
      least = 1
      do i = 1, size(open_species)
         not_ascending = open_species(i) < least .or. open_species(i) > most
         if (not_ascending) then
            call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), field//'.open_species('//decimal(i)//'): '// &
                        decimal(open_species(i))//' is not in '//decimal(least)//'..'//decimal(most), stat, errmsg)
            return
         end if
         least = open_species(i) + 1
      end do
   end function not_ascending
end module legato_dfr_atoms_module
