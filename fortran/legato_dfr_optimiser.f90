!> Optimisation of basis sets. legato/dfr_optimiser.h explains the arguments. Basis sets, species, groups
!! and energies count from 1. Only the field names in the library's messages, such as dfr.candidates[0].limit, count
!! from 0.
module legato_dfr_optimiser_module
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use legato_c
   use legato_context_module, only: legato_context
   use legato_dfr_module, only: dfr_defaults
   use legato_dfr_atoms_module, only: dfr_group_parameters
   use legato_handle_module, only: legato_resumable_run, c_functions, keep, resume_with, handle_of, report, unmade
   use legato_support, only: outside, differs, species_differ
   implicit none
   private

   public :: legato_dfr_optimiser, legato_dfr_optimiser_params, legato_dfr_optimisation
   public :: dfr_optimiser_defaults
   public :: LEGATO_DFR_OPTIMISER_STATUS_WAITING, LEGATO_DFR_OPTIMISER_STATUS_RUNNING, &
      LEGATO_DFR_OPTIMISER_STATUS_CONVERGED, &
      LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED, LEGATO_DFR_OPTIMISER_STATUS_FAILED
   public :: LEGATO_DFR_OPTIMISER_METHOD_NEWUOA, LEGATO_DFR_OPTIMISER_METHOD_LBFGS
   public :: LEGATO_DFR_ENERGY_KIND_GOOD, LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED, LEGATO_DFR_ENERGY_KIND_FAILED, &
      LEGATO_DFR_ENERGY_KIND_COLLAPSED

   !> A list of basis sets, each with its atom.
   type, extends(legato_resumable_run) :: legato_dfr_optimiser
   contains
      procedure :: create => optimiser_create
      procedure :: add => optimiser_add
      procedure :: add_groups => optimiser_add_groups
      procedure :: add_element => optimiser_add_element
      procedure :: advance => optimiser_advance
      procedure :: size => optimiser_size
      procedure :: result => optimiser_result
      procedure :: basis => optimiser_basis
      procedure :: groups => optimiser_groups
      procedure :: atom => optimiser_atom
      procedure :: history => optimiser_history
      procedure :: history_of_groups => optimiser_history_of_groups
      procedure :: resume => optimiser_resume
      procedure :: get_params => optimiser_get_params
   end type legato_dfr_optimiser

contains

   !> Returns the defaults: NEWUOA with 500 energies, and steps of 0.1 to 1e-4 in ln(parameter).
   function dfr_optimiser_defaults() result(params)
      type(legato_dfr_optimiser_params) :: params
      integer(c_int32_t) :: status

      status = legato_dfr_optimiser_params_init_sized(params, c_sizeof(params))
   end function dfr_optimiser_defaults

   !> Creates an empty list. `field` has the parameters of the self-consistent field for every energy.
   subroutine optimiser_create(this, context, field, params, stat, errmsg)
      class(legato_dfr_optimiser), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_dfr_params), intent(in), optional :: field
      type(legato_dfr_optimiser_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_optimiser_create(handle_of(context), field, params, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine optimiser_create

   !> Adds a basis set and the atom for which it is optimised. Species s has functions(s) exponents from the pool of its
   !! group, beginning with number first(s), counted from 1. parameters(4, groups) are the initial alpha, beta, delta,
   !! gamma of each group. Without `group` all species are in group 1. closed, electrons and pairs are those of add_atom
   !! of a legato_dfr. Without `limit` the energy in a complete basis is calculated.
   subroutine optimiser_add(this, nucleus, functions, first, parameters, closed, electrons, pairs, group, limit, index, &
                            stat, errmsg)
      class(legato_dfr_optimiser), intent(inout) :: this
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:), first(:), closed(:)
      real(c_double), intent(in), contiguous :: parameters(:, :), electrons(:)
      real(c_double), intent(in), contiguous, optional :: pairs(:, :)
      integer, intent(in), optional :: group(:)
      real(c_double), intent(in), optional :: limit
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: forms(size(parameters, 2))

      if (present(index)) index = 0
      if (differs('dfr.optimiser.add.parameters', shape(parameters), [4, size(forms)], stat, errmsg)) return
      forms = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED
      call add_basis('dfr.optimiser.add', this, nucleus, functions, first, forms, reshape(parameters, [size(parameters)]), &
                     closed, electrons, pairs, group, limit, index, stat, errmsg)
   end subroutine optimiser_add

   !> Adds a basis set as `add` does, with groups of any form. forms(groups) and `parameters` are those of
   !! dfr_grouped_basis.
   subroutine optimiser_add_groups(this, nucleus, functions, first, forms, parameters, closed, electrons, pairs, group, &
                                   limit, index, stat, errmsg)
      class(legato_dfr_optimiser), intent(inout) :: this
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:), first(:), forms(:), closed(:)
      real(c_double), intent(in), contiguous :: parameters(:), electrons(:)
      real(c_double), intent(in), contiguous, optional :: pairs(:, :)
      integer, intent(in), optional :: group(:)
      real(c_double), intent(in), optional :: limit
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call add_basis('dfr.optimiser.add_groups', this, nucleus, functions, first, forms, parameters, closed, electrons, pairs, &
                     group, limit, index, stat, errmsg)
   end subroutine optimiser_add_groups

   ! Adds a basis set. `caller` begins the names of arguments in messages.
   subroutine add_basis(caller, this, nucleus, functions, first, forms, parameters, closed, electrons, pairs, group, limit, &
                        index, stat, errmsg)
      character(*), intent(in) :: caller
      class(legato_dfr_optimiser), intent(inout) :: this
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
      if (species_differ(caller, n, first, closed, electrons, size(forms), pairs, group, stat, errmsg)) return
      if (differs(caller // '.parameters', shape(parameters), &
                  [dfr_group_parameters(functions, first, forms, group)], stat, errmsg)) return
      of_species = 0
      if (present(group)) of_species = int(group - 1, c_int32_t)
      lowest = 0
      if (present(limit)) lowest = limit
      at = -1
      if (present(pairs)) then
         status = legato_dfr_optimiser_add_groups(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
            int(first, c_int32_t), of_species, size(forms, kind=c_int32_t), int(forms, c_int32_t), parameters, &
            int(closed, c_int32_t), electrons, pairs, lowest, at)
      else
         status = legato_dfr_optimiser_add_groups(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
            int(first, c_int32_t), of_species, size(forms, kind=c_int32_t), int(forms, c_int32_t), parameters, &
            int(closed, c_int32_t), electrons, limit=lowest, index=at)
      end if
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine add_basis

   !> Adds an element in its ground configuration, with its set of the library hennessey as the start, or of the library
   !! that `basis` names. Its nucleus is a point unless `nuclear_model` says otherwise.
   subroutine optimiser_add_element(this, element, nuclear_model, index, stat, errmsg, basis)
      class(legato_dfr_optimiser), intent(inout) :: this
      integer, intent(in) :: element
      integer, intent(in), optional :: nuclear_model
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(*), intent(in), optional :: basis
      character(:), allocatable :: basis_in_c     ! absent in the call if it is not allocated
      integer(c_int32_t) :: model, status
      integer(c_int64_t) :: at

      model = LEGATO_DFR_NUCLEAR_MODEL_POINT
      if (present(nuclear_model)) model = int(nuclear_model, c_int32_t)
      if (present(basis)) basis_in_c = trim(basis)//c_null_char
      at = -1
      status = legato_dfr_optimiser_add_element_with_basis(handle_of(this), int(element, c_int32_t), model, basis_in_c, &
                                                           at)
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine optimiser_add_element

   !> Calculates up to `energies` further energies for every unfinished basis set. `finished` counts the basis sets that
   !! have ended.
   subroutine optimiser_advance(this, energies, finished, stat, errmsg)
      class(legato_dfr_optimiser), intent(inout) :: this
      integer(c_int64_t), intent(in) :: energies
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call report(this, legato_dfr_optimiser_advance(handle_of(this), energies, finished), stat, errmsg)
   end subroutine optimiser_advance

   !> Returns the number of basis sets.
   subroutine optimiser_size(this, count, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      count = 0
      call report(this, legato_dfr_optimiser_size(handle_of(this), count), stat, errmsg)
   end subroutine optimiser_size

   !> Returns the present result for basis set `index`.
   subroutine optimiser_result(this, index, optimisation, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_optimisation), intent(out) :: optimisation
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      optimisation = legato_dfr_optimisation(c_sizeof(optimisation), 0, 0, 0, 0, 0, 0, 0, 0, 0, &
                                             ieee_value(0.0_c_double, ieee_quiet_nan))
      if (no_basis(this, index, stat, errmsg)) return
      call report(this, legato_dfr_optimiser_result(handle_of(this), index - 1, optimisation), stat, errmsg)
   end subroutine optimiser_result

   !> Returns the best basis so far, or the start if no energy is good yet, in the form that `add` takes. If a group is
   !! not well-tempered, `parameters` must be absent; `groups` reads them. The arrays are empty after an error.
   subroutine optimiser_basis(this, index, functions, first, parameters, group, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, allocatable, intent(out) :: functions(:), first(:)
      real(c_double), allocatable, intent(out), optional :: parameters(:, :)
      integer, allocatable, intent(out), optional :: group(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:, :)
      real(c_double), allocatable :: found(:, :)
      integer(c_int32_t) :: species, groups, status

      allocate (functions(0), first(0))
      if (present(parameters)) allocate (parameters(4, 0))
      if (present(group)) allocate (group(0))
      if (no_basis(this, index, stat, errmsg)) return
      species = 0
      groups = 0
      status = legato_dfr_optimiser_basis(handle_of(this), index - 1, species, groups)
      allocate (of_species(species, 3))
      if (present(parameters)) then
         allocate (found(4, groups))
         status = legato_dfr_optimiser_basis(handle_of(this), index - 1, parameters=found)
         if (status == LEGATO_STATUS_SUCCESS) call move_alloc(found, parameters)
      end if
      if (status == LEGATO_STATUS_SUCCESS) &
         status = legato_dfr_optimiser_basis(handle_of(this), index - 1, n_functions=of_species(:, 1), &
            first=of_species(:, 2), group=of_species(:, 3))
      if (status /= LEGATO_STATUS_SUCCESS) of_species = of_species(:0, :)
      functions = of_species(:, 1)
      first = of_species(:, 2)
      if (present(group)) group = of_species(:, 3) + 1
      call report(this, status, stat, errmsg)
   end subroutine optimiser_basis

   !> Returns the forms and parameters of the groups of the best basis so far, or the start if no energy is good yet, in
   !! the form that add_groups takes, and the parameters of the start. The arrays are empty after an error.
   subroutine optimiser_groups(this, index, forms, parameters, start, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, allocatable, intent(out) :: forms(:)
      real(c_double), allocatable, intent(out) :: parameters(:)
      real(c_double), allocatable, intent(out), optional :: start(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_groups(:)
      real(c_double), allocatable :: first(:)
      integer(c_int32_t) :: groups, count, status

      allocate (forms(0), parameters(0))
      if (present(start)) allocate (start(0))
      if (no_basis(this, index, stat, errmsg)) return
      groups = 0
      count = 0
      status = legato_dfr_optimiser_basis(handle_of(this), index - 1, n_groups=groups)
      status = legato_dfr_optimiser_groups(handle_of(this), index - 1, n_parameters=count)
      deallocate (parameters)
      allocate (of_groups(groups), parameters(count), first(count))
      status = legato_dfr_optimiser_groups(handle_of(this), index - 1, forms=of_groups, start=first, parameters=parameters)
      forms = of_groups
      if (present(start)) call move_alloc(first, start)
      call report(this, status, stat, errmsg)
   end subroutine optimiser_groups

   !> Returns the atom of basis set `index`, its limit as it was given (0: calculated), and its initial
   !! parameters(4, groups), in the form that `add` takes. If a group is not well-tempered, `parameters` must be absent. The
   !! arrays are empty after an error.
   subroutine optimiser_atom(this, index, nucleus, closed, electrons, pairs, limit, parameters, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_nucleus), intent(out) :: nucleus
      integer, allocatable, intent(out) :: closed(:)
      real(c_double), allocatable, intent(out) :: electrons(:), pairs(:, :)
      real(c_double), intent(out), optional :: limit
      real(c_double), allocatable, intent(out), optional :: parameters(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:)
      real(c_double), allocatable :: start(:, :)
      integer(c_int32_t) :: species, groups, status

      nucleus = legato_dfr_nucleus(c_sizeof(nucleus), 0, 0, 0, 0, 0, 0)
      allocate (closed(0), electrons(0), pairs(0, 0))
      if (present(limit)) limit = 0
      if (present(parameters)) allocate (parameters(4, 0))
      if (no_basis(this, index, stat, errmsg)) return
      species = 0
      groups = 0
      status = legato_dfr_optimiser_atom(handle_of(this), index - 1, n_species=species, n_groups=groups)
      deallocate (electrons, pairs)
      allocate (of_species(species), electrons(species), pairs(species, species))
      status = legato_dfr_optimiser_atom(handle_of(this), index - 1, nucleus, closed=of_species, electrons=electrons, &
                                         pairs=pairs, limit=limit)
      closed = of_species
      if (present(parameters)) then
         allocate (start(4, groups))
         status = legato_dfr_optimiser_atom(handle_of(this), index - 1, parameters=start)
         if (status == LEGATO_STATUS_SUCCESS) call move_alloc(start, parameters)
      end if
      if (status /= LEGATO_STATUS_SUCCESS) then
         closed = closed(:0)
         electrons = electrons(:0)
         pairs = pairs(:0, :0)
      end if
      call report(this, status, stat, errmsg)
   end subroutine optimiser_atom

   !> Returns the energies calculated so far, in their order, beginning with number `first` (1 if absent): energies(n),
   !! 0 of failed ones; kinds(n), LEGATO_DFR_ENERGY_KIND_GOOD or another; parameters(4, groups, n).
   subroutine optimiser_history(this, index, energies, kinds, parameters, first, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      real(c_double), allocatable, intent(out) :: energies(:)
      integer, allocatable, intent(out), optional :: kinds(:)
      real(c_double), allocatable, intent(out), optional :: parameters(:, :, :)
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: total, from
      integer(c_int32_t), allocatable :: of_energy(:)
      real(c_double), allocatable :: found(:, :, :)
      integer(c_int32_t) :: groups, status

      allocate (energies(0))
      if (present(kinds)) allocate (kinds(0))
      if (present(parameters)) allocate (parameters(4, 0, 0))
      if (no_basis(this, index, stat, errmsg)) return
      total = 0
      groups = 0
      from = 1
      if (present(first)) from = first
      status = legato_dfr_optimiser_history(handle_of(this), index - 1, 0_c_int64_t, 0_c_int64_t, total)
      if (outside('dfr.optimiser.history.first', from, total + 1, stat, errmsg)) return
      status = legato_dfr_optimiser_basis(handle_of(this), index - 1, n_groups=groups)
      deallocate (energies)
      allocate (energies(total - from + 1), of_energy(total - from + 1))
      status = legato_dfr_optimiser_history(handle_of(this), index - 1, from - 1, size(energies, kind=c_int64_t), &
                                            energies=energies, kinds=of_energy)
      if (present(kinds)) kinds = of_energy
      if (present(parameters)) then
         allocate (found(4, groups, total - from + 1))
         status = legato_dfr_optimiser_history(handle_of(this), index - 1, from - 1, size(energies, kind=c_int64_t), &
                                               parameters=found)
         if (status == LEGATO_STATUS_SUCCESS) call move_alloc(found, parameters)
      end if
      if (status /= LEGATO_STATUS_SUCCESS) then
         energies = energies(:0)
         if (present(kinds)) kinds = kinds(:0)
      end if
      call report(this, status, stat, errmsg)
   end subroutine optimiser_history

   !> Returns the parameters(parameters of all groups, n) of the energies, whatever the forms of the groups, beginning
   !! with number `first` (1 if absent).
   subroutine optimiser_history_of_groups(this, index, parameters, first, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      real(c_double), allocatable, intent(out) :: parameters(:, :)
      integer(c_int64_t), intent(in), optional :: first
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: total, from
      integer(c_int32_t) :: count, status

      allocate (parameters(0, 0))
      if (no_basis(this, index, stat, errmsg)) return
      total = 0
      count = 0
      from = 1
      if (present(first)) from = first
      status = legato_dfr_optimiser_history(handle_of(this), index - 1, 0_c_int64_t, 0_c_int64_t, total)
      if (outside('dfr.optimiser.history.first', from, total + 1, stat, errmsg)) return
      status = legato_dfr_optimiser_groups(handle_of(this), index - 1, n_parameters=count)
      deallocate (parameters)
      allocate (parameters(count, total - from + 1))
      status = legato_dfr_optimiser_history_of_groups(handle_of(this), index - 1, from - 1, total - from + 1, parameters)
      call report(this, status, stat, errmsg)
   end subroutine optimiser_history_of_groups

   !> Resumes a list that save has written.
   subroutine optimiser_resume(this, context, path, stat, errmsg)
      class(legato_dfr_optimiser), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call resume_with(in_c(), this, context, path, stat, errmsg)
   end subroutine optimiser_resume

   !> Returns the parameters in use, for instance after resume.
   subroutine optimiser_get_params(this, field, params, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      type(legato_dfr_params), intent(out), optional :: field
      type(legato_dfr_optimiser_params), intent(out), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(field)) field = dfr_defaults()
      if (present(params)) params = dfr_optimiser_defaults()
      call report(this, legato_dfr_optimiser_get_params(handle_of(this), field, params), stat, errmsg)
   end subroutine optimiser_get_params

   ! Returns true and reports an error if there is no such basis set. The library's own message would count from 0.
   function no_basis(this, index, stat, errmsg)
      class(legato_dfr_optimiser), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_basis
      integer(c_int64_t) :: count

      no_basis = unmade(this, stat, errmsg)
      if (no_basis) return
      call this%size(count)
      no_basis = outside('dfr.optimiser.index', index, count, stat, errmsg)
   end function no_basis

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_dfr_optimiser', legato_dfr_optimiser_destroy, legato_dfr_optimiser_run, &
                              legato_dfr_optimiser_save, legato_dfr_optimiser_resume)
   end function in_c
end module legato_dfr_optimiser_module
