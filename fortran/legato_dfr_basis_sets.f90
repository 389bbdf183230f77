!> Basis sets of elements, and files of them. legato/dfr_basis_sets.h explains the arguments. Sets, shells and species
!! count from 1. Only the field names in the library's messages, such as dfr.basis_sets.index, count from 0. Output arrays
!! are allocated to fit, and are empty after an error.
module legato_dfr_basis_sets_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_dfr_module, only: legato_dfr
   use legato_handle_module, only: legato_handle, c_functions, keep, handle_of, report
   use legato_support, only: finish, differs, decimal
   implicit none
   private

   public :: legato_dfr_basis_sets
   public :: LEGATO_DFR_BASIS_FORMAT_BSE_JSON, LEGATO_DFR_BASIS_FORMAT_NWCHEM, LEGATO_DFR_BASIS_FORMAT_GAUSSIAN94, &
      LEGATO_DFR_BASIS_FORMAT_DIRAC
   public :: LEGATO_DFR_CONTRACTION_J_ADAPTED, LEGATO_DFR_CONTRACTION_L_AVERAGED

   !> A list of basis sets with at most one set for each element.
   type, extends(legato_handle) :: legato_dfr_basis_sets
   contains
      procedure :: create => basis_sets_create
      procedure :: read => basis_sets_read
      procedure :: library => basis_sets_library
      procedure :: add => basis_sets_add
      procedure :: add_contracted => basis_sets_add_contracted
      procedure :: write => basis_sets_write
      procedure :: size => basis_sets_size
      procedure :: element => basis_sets_element
      procedure :: find => basis_sets_find
      procedure :: exponents => basis_sets_exponents
      procedure :: groups => basis_sets_groups
      procedure :: shells => basis_sets_shells
      procedure :: shell => basis_sets_shell
   end type legato_dfr_basis_sets

contains

   !> Creates an empty list.
   subroutine basis_sets_create(this, context, stat, errmsg)
      class(legato_dfr_basis_sets), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_basis_sets_create(handle_of(context), handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine basis_sets_create

   !> Creates a list with the sets of a file, in the order of the elements.
   subroutine basis_sets_read(this, context, path, format, stat, errmsg)
      class(legato_dfr_basis_sets), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: path
      integer, intent(in) :: format
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_basis_sets_read(handle_of(context), trim(path)//c_null_char, int(format, c_int32_t), handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine basis_sets_read

   !> Creates a list with the sets of a library NAME. With `largest_error`, it is the library NAME-ERROR with the largest
   !! error not above this value.
   subroutine basis_sets_library(this, context, name, largest_error, stat, errmsg)
      class(legato_dfr_basis_sets), intent(inout) :: this
      type(legato_context), intent(in) :: context
      character(*), intent(in) :: name
      real(c_double), intent(in), optional :: largest_error
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status
      real(c_double) :: error

      call this%destroy()
      error = 0
      if (present(largest_error)) error = largest_error
      status = legato_dfr_basis_sets_library(handle_of(context), trim(name)//c_null_char, error, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine basis_sets_library

   !> Adds an uncontracted set for an element that has none yet. Species s has functions(s) exponents. `exponents` has
   !! one species after the other.
   subroutine basis_sets_add(this, element, functions, exponents, stat, errmsg)
      class(legato_dfr_basis_sets), intent(inout) :: this
      integer, intent(in) :: element, functions(:)
      real(c_double), intent(in), contiguous :: exponents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: wanted

      wanted = sum(int(max(functions, 0), c_int64_t))
      if (size(exponents, kind=c_int64_t) /= wanted) then
         call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), 'dfr.basis_sets.add.exponents: '// &
                     decimal(size(exponents, kind=c_int64_t))//' values are not '//decimal(wanted)// &
                     ', the sum of functions', stat, errmsg)
         return
      end if
      call report(this, legato_dfr_basis_sets_add(handle_of(this), int(element, c_int32_t), &
                                                  size(functions, kind=c_int32_t), int(functions, c_int32_t), exponents), &
                  stat, errmsg)
   end subroutine basis_sets_add

   !> Adds a set that is contracted by the spinors of atom `index` of a list whose atom has converged. The `primitives`
   !! functions with the smallest exponents of each l or species are added as functions of their own, none by default.
   subroutine basis_sets_add_contracted(this, dfr, index, contraction, primitives, stat, errmsg)
      class(legato_dfr_basis_sets), intent(inout) :: this
      class(legato_dfr), intent(in) :: dfr
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: contraction
      integer, intent(in), optional :: primitives
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: single

      single = 0
      if (present(primitives)) single = int(primitives, c_int32_t)
      call report(this, legato_dfr_basis_sets_add_contracted(handle_of(this), handle_of(dfr), index - 1, &
                                                             int(contraction, c_int32_t), single), stat, errmsg)
   end subroutine basis_sets_add_contracted

   !> Writes all sets to a file.
   subroutine basis_sets_write(this, path, format, name, description, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(in) :: format
      character(*), intent(in), optional :: name, description
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(:), allocatable :: name_in_c, description_in_c

      name_in_c = c_null_char
      description_in_c = c_null_char
      if (present(name)) name_in_c = trim(name)//c_null_char
      if (present(description)) description_in_c = trim(description)//c_null_char
      call report(this, legato_dfr_basis_sets_write(handle_of(this), trim(path)//c_null_char, int(format, c_int32_t), &
                                                    name_in_c, description_in_c), stat, errmsg)
   end subroutine basis_sets_write

   !> Returns the number of sets.
   subroutine basis_sets_size(this, count, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(out) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      count = 0
      call report(this, legato_dfr_basis_sets_size(handle_of(this), count), stat, errmsg)
   end subroutine basis_sets_size

   !> Returns the element of set `index`.
   subroutine basis_sets_element(this, index, element, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out) :: element
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status, found

      found = 0
      status = legato_dfr_basis_sets_element(handle_of(this), index - 1, found)
      element = found
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_element

   !> Returns the index of the set of an element, or 0 after an error.
   subroutine basis_sets_find(this, element, index, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer, intent(in) :: element
      integer(c_int64_t), intent(out) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      index = -1
      status = legato_dfr_basis_sets_find(handle_of(this), int(element, c_int32_t), index)
      index = index + 1
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_find

   !> Returns the primitive functions of set `index` as add_atom of a legato_dfr takes them: functions(s) exponents of
   !! species s, one species after the other.
   subroutine basis_sets_exponents(this, index, functions, exponents, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, allocatable, intent(out) :: functions(:)
      real(c_double), allocatable, intent(out) :: exponents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: of_species(:)
      integer(c_int32_t) :: species, status

      species = 0
      status = legato_dfr_basis_sets_exponents(handle_of(this), index - 1, species)
      allocate (of_species(species), source=0)
      if (status == LEGATO_STATUS_SUCCESS) &
         status = legato_dfr_basis_sets_exponents(handle_of(this), index - 1, n_functions=of_species)
      functions = of_species
      allocate (exponents(sum(of_species)))
      if (status == LEGATO_STATUS_SUCCESS) &
         status = legato_dfr_basis_sets_exponents(handle_of(this), index - 1, exponents=exponents)
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_exponents

   !> Returns set `index` as groups in the form that add_groups of a legato_dfr_optimiser takes. `species` is the number
   !! of species of the atom. The arrays are empty after an error.
   subroutine basis_sets_groups(this, index, species, functions, first, group, forms, parameters, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species
      integer, allocatable, intent(out) :: functions(:), first(:), group(:), forms(:)
      real(c_double), allocatable, intent(out) :: parameters(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: groups, values, status
      integer(c_int32_t), allocatable :: of_species(:, :), of_group(:)
      real(c_double), allocatable :: of_parameters(:)

      allocate (functions(0), first(0), group(0), forms(0), parameters(0))
      groups = 0
      values = 0
      status = legato_dfr_basis_sets_groups(handle_of(this), index - 1, int(species, c_int32_t), groups, values)
      allocate (of_species(max(species, 0), 3), of_group(groups), of_parameters(values))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_basis_sets_groups(handle_of(this), index - 1, &
         int(species, c_int32_t), n_functions=of_species(:, 1), first=of_species(:, 2), group=of_species(:, 3), &
         forms=of_group, parameters=of_parameters)
      if (status == LEGATO_STATUS_SUCCESS) then
         functions = of_species(:, 1)
         first = of_species(:, 2)
         group = of_species(:, 3) + 1
         forms = of_group
         parameters = of_parameters
      end if
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_groups

   !> Returns the number of shells of set `index`.
   subroutine basis_sets_shells(this, index, shells, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out) :: shells
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status, found

      found = 0
      status = legato_dfr_basis_sets_shells(handle_of(this), index - 1, found)
      shells = found
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_shells

   !> Returns a shell of set `index`: its l; twice its j, or 0 if it belongs to both j; its exponents, and
   !! coefficients(p, k) of exponent p in function k.
   subroutine basis_sets_shell(this, index, shell, l, twice_j, exponents, coefficients, stat, errmsg)
      class(legato_dfr_basis_sets), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: shell
      integer, intent(out) :: l, twice_j
      real(c_double), allocatable, intent(out) :: exponents(:), coefficients(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status, at, found_l, found_j, rows, columns

      at = int(shell - 1, c_int32_t)
      found_l = 0
      found_j = 0
      rows = 0
      columns = 0
      status = legato_dfr_basis_sets_shell(handle_of(this), index - 1, at, found_l, found_j, rows, columns)
      l = found_l
      twice_j = found_j
      allocate (exponents(rows), coefficients(rows, columns))
      if (status == LEGATO_STATUS_SUCCESS) status = legato_dfr_basis_sets_shell(handle_of(this), index - 1, at, &
         exponents=exponents, coefficients=coefficients)
      call report(this, status, stat, errmsg)
   end subroutine basis_sets_shell

   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_dfr_basis_sets', legato_dfr_basis_sets_destroy)
   end function in_c
end module legato_dfr_basis_sets_module
