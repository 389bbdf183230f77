!> Basis sets of decreasing size. legato/dfr_pruner.h explains the arguments. Atoms, sets, species and groups count from
!! 1. Only the field names in the library's messages, such as dfr.candidates[0].limit, count from 0.
module legato_dfr_pruner_module
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use legato_c
   use legato_context_module, only: legato_context
   use legato_dfr_module, only: dfr_defaults
   use legato_dfr_atoms_module, only: dfr_group_parameters
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: outside, differs, species_differ
   implicit none
   private

   public :: legato_dfr_pruner, legato_dfr_pruner_params, legato_dfr_pruning, legato_dfr_pruned_set
   public :: dfr_pruner_defaults

   !> A list of atoms, each with the basis set from which its pruning begins.
   type, extends(legato_resumable_run) :: legato_dfr_pruner
   contains
      procedure :: create => pruner_create
      procedure :: add => pruner_add
      procedure :: add_element => pruner_add_element
      procedure :: advance => pruner_advance
      procedure :: size => pruner_size
      procedure :: result => pruner_result
      procedure :: set => pruner_set
      procedure :: basis => pruner_basis
      procedure :: atom => pruner_atom
      procedure :: resume => pruner_resume
      procedure :: get_params => pruner_get_params
   end type legato_dfr_pruner

contains

   !> Returns the defaults: errors up to 1e-5, a tolerance of 0.01, and 500 energies for an optimisation.
   function dfr_pruner_defaults() result(params)
      type(legato_dfr_pruner_params) :: params
      integer(c_int32_t) :: status

      status = legato_dfr_pruner_params_init_sized(params, c_sizeof(params))
   end function dfr_pruner_defaults

   !> Creates an empty list. `field` has the parameters of the self-consistent field for every energy; without it, the
   !! kinetic balance is extended.
   subroutine pruner_create(this, context, field, params, stat, errmsg)
      class(legato_dfr_pruner), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_dfr_params), intent(in), optional :: field
      type(legato_dfr_pruner_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_pruner_create(handle_of(context), field, params, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine pruner_create

   !> Adds an atom and the basis set from which its pruning begins. Species s has functions(s) exponents, the whole pool
   !! of its group, and first(s) is 1. forms(groups) and `parameters` are those of dfr_grouped_basis. closed, electrons
   !! and pairs are those of add_atom of a legato_dfr. Without `group` all species are in group 1. Without `limit` the
   !! energy in a complete basis is calculated.
   subroutine pruner_add(this, nucleus, functions, first, forms, parameters, closed, electrons, pairs, group, limit, index, &
                         stat, errmsg)
      class(legato_dfr_pruner), intent(inout) :: this
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:), first(:), forms(:), closed(:)
      real(c_double), intent(in), contiguous :: parameters(:), electrons(:)
      real(c_double), intent(in), contiguous, optional :: pairs(:, :)
      integer, intent(in), optional :: group(:)
      real(c_double), intent(in), optional :: limit
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: of_species(size(functions)), status
      integer(c_int64_t) :: at
      real(c_double) :: lowest
      integer :: n

      if (present(index)) index = 0
      n = size(functions)
      if (species_differ('dfr.pruner.add', n, first, closed, electrons, size(forms), pairs, group, stat, errmsg)) return
      if (differs('dfr.pruner.add.parameters', shape(parameters), &
                  [dfr_group_parameters(functions, first, forms, group)], stat, errmsg)) return
      of_species = 0
      if (present(group)) of_species = int(group - 1, c_int32_t)
      lowest = 0
      if (present(limit)) lowest = limit
      at = -1
      if (present(pairs)) then
         status = legato_dfr_pruner_add(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
            int(first, c_int32_t), of_species, size(forms, kind=c_int32_t), int(forms, c_int32_t), parameters, &
            int(closed, c_int32_t), electrons, pairs, lowest, at)
      else
         status = legato_dfr_pruner_add(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
            int(first, c_int32_t), of_species, size(forms, kind=c_int32_t), int(forms, c_int32_t), parameters, &
            int(closed, c_int32_t), electrons, limit=lowest, index=at)
      end if
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine pruner_add

   !> Adds a neutral atom of any element from 1 to 118, with a large well-tempered set as the start. Its nucleus is a
   !! point unless `nuclear_model` says otherwise.
   subroutine pruner_add_element(this, element, nuclear_model, index, stat, errmsg)
      class(legato_dfr_pruner), intent(inout) :: this
      integer, intent(in) :: element
      integer, intent(in), optional :: nuclear_model
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: model, status
      integer(c_int64_t) :: at

      model = LEGATO_DFR_NUCLEAR_MODEL_POINT
      if (present(nuclear_model)) model = int(nuclear_model, c_int32_t)
      at = -1
      status = legato_dfr_pruner_add_element(handle_of(this), int(element, c_int32_t), model, at)
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine pruner_add_element

   !> Calculates up to `energies` further energies for every unfinished atom. `finished` counts the atoms whose pruning
   !! has ended.
   subroutine pruner_advance(this, energies, finished, stat, errmsg)
      class(legato_dfr_pruner), intent(inout) :: this
      integer(c_int64_t), intent(in) :: energies
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call report(this, legato_dfr_pruner_advance(handle_of(this), energies, finished), stat, errmsg)
   end subroutine pruner_advance

   !> Returns the number of atoms.
   subroutine pruner_size(this, count, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      count = 0
      call report(this, legato_dfr_pruner_size(handle_of(this), count), stat, errmsg)
   end subroutine pruner_size

   !> Returns the present state of the pruning of atom `index`.
   subroutine pruner_result(this, index, pruning, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_pruning), intent(out) :: pruning
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      pruning = legato_dfr_pruning(c_sizeof(pruning), 0, 0, 0, 0)
      if (outside_list(this, index, stat, errmsg)) return
      call report(this, legato_dfr_pruner_result(handle_of(this), index - 1, pruning), stat, errmsg)
   end subroutine pruner_result

   !> Returns set `number` of atom `index`. Set 1 is the largest. set%group is the group that has lost a function,
   !! counted from 1; 0 for set 1.
   subroutine pruner_set(this, index, number, set, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: number
      type(legato_dfr_pruned_set), intent(out) :: set
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      set = legato_dfr_pruned_set(c_sizeof(set), 0, 0, 0, 0, ieee_value(0.0_c_double, ieee_quiet_nan))
      if (outside_sets(this, index, number, stat, errmsg)) return
      status = legato_dfr_pruner_set(handle_of(this), index - 1, int(number - 1, c_int32_t), set)
      if (status == LEGATO_STATUS_SUCCESS) set%group = set%group + 1
      call report(this, status, stat, errmsg)
   end subroutine pruner_set

   !> Returns the basis of set `number` of atom `index`, in the form that `add` takes. The arrays are empty after an
   !! error.
   subroutine pruner_basis(this, index, number, functions, first, group, forms, parameters, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: number
      integer, allocatable, intent(out) :: functions(:), first(:), group(:), forms(:)
      real(c_double), allocatable, intent(out) :: parameters(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: species, groups, values, status
      integer(c_int32_t), allocatable :: of_species(:, :), of_group(:)
      real(c_double), allocatable :: of_parameters(:)

      allocate (functions(0), first(0), group(0), forms(0), parameters(0))
      if (outside_sets(this, index, number, stat, errmsg)) return
      species = 0
      groups = 0
      values = 0
      status = legato_dfr_pruner_basis(handle_of(this), index - 1, int(number - 1, c_int32_t), species, groups, values)
      allocate (of_species(species, 3), of_group(groups), of_parameters(values))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_pruner_basis(handle_of(this), index - 1, &
         int(number - 1, c_int32_t), n_functions=of_species(:, 1), first=of_species(:, 2), group=of_species(:, 3), &
         forms=of_group, parameters=of_parameters)
      if (status == LEGATO_STATUS_SUCCESS) then
         parameters = of_parameters
         functions = of_species(:, 1)
         first = of_species(:, 2)
         group = of_species(:, 3) + 1
         forms = of_group
      end if
      call report(this, status, stat, errmsg)
   end subroutine pruner_basis

   !> Returns atom `index` and the limit as it was given (0: calculated), in the form that `add` takes. The arrays are
   !! empty after an error.
   subroutine pruner_atom(this, index, nucleus, closed, electrons, pairs, limit, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_nucleus), intent(out) :: nucleus
      integer, allocatable, intent(out) :: closed(:)
      real(c_double), allocatable, intent(out) :: electrons(:), pairs(:, :)
      real(c_double), intent(out), optional :: limit
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:)
      real(c_double), allocatable :: of_electrons(:), of_pairs(:, :)
      integer(c_int32_t) :: species, status

      nucleus = legato_dfr_nucleus(c_sizeof(nucleus), 0, 0, 0, 0, 0, 0)
      if (present(limit)) limit = 0
      allocate (closed(0), electrons(0), pairs(0, 0))
      if (outside_list(this, index, stat, errmsg)) return
      species = 0
      status = legato_dfr_pruner_atom(handle_of(this), index - 1, n_species=species)
      allocate (of_species(species), of_electrons(species), of_pairs(species, species))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_pruner_atom(handle_of(this), index - 1, nucleus, &
         closed=of_species, electrons=of_electrons, pairs=of_pairs, limit=limit)
      if (status == LEGATO_STATUS_SUCCESS) then
         closed = of_species
         electrons = of_electrons
         pairs = of_pairs
      end if
      call report(this, status, stat, errmsg)
   end subroutine pruner_atom

   !> Resumes a list that save has written.
   subroutine pruner_resume(this, context, path, stat, errmsg)
      class(legato_dfr_pruner), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine pruner_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine pruner_get_params(this, field, params, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      type(legato_dfr_params), intent(out), optional :: field
      type(legato_dfr_pruner_params), intent(out), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(field)) field = dfr_defaults()
      if (present(params)) params = dfr_pruner_defaults()
      call report(this, legato_dfr_pruner_get_params(handle_of(this), field, params), stat, errmsg)
   end subroutine pruner_get_params

   ! Returns true and reports an error unless `index` is in 1..size of the list.
   function outside_list(this, index, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: outside_list
      integer(c_int64_t) :: count

      outside_list = .true.
      if (unmade(this, stat, errmsg)) return
      call this%size(count)
      outside_list = outside('dfr.pruner.index', index, count, stat, errmsg)
   end function outside_list

   ! Returns true and reports an error unless the atom has a set with this number.
   function outside_sets(this, index, number, stat, errmsg)
      class(legato_dfr_pruner), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: number
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: outside_sets
      type(legato_dfr_pruning) :: pruning

      outside_sets = .true.
      if (outside_list(this, index, stat, errmsg)) return
      call this%result(index, pruning)
      outside_sets = outside('dfr.pruner.set.number', int(number, c_int64_t), int(pruning%sets, c_int64_t), stat, errmsg)
   end function outside_sets

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_dfr_pruner', legato_dfr_pruner_destroy, legato_dfr_pruner_run, &
                              legato_dfr_pruner_save, legato_dfr_pruner_resume)
   end function in_c
end module legato_dfr_pruner_module
