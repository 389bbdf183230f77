!> Dirac-Fock-Roothaan atoms. legato/dfr.h explains the arguments. Units are Hartree atomic units; energies exclude the
!! rest mass. Atoms, species and states count from 1: species 1 is s1/2, 2 is p1/2, 3 is p3/2. Only the field names in
!! the library's messages, such as dfr.atoms[0].exponents[s1/2][0], count from 0.
module legato_dfr_module
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_run, c_functions, keep, handle_of, report, unmade
   use legato_support, only: finish, outside, differs, decimal
   implicit none
   private

   public :: legato_dfr, legato_dfr_params, legato_dfr_nucleus, legato_dfr_atom, legato_dfr_correction_energies
   public :: dfr_defaults, dfr_nucleus, dfr_well_tempered
   public :: LEGATO_DFR_NUCLEAR_MODEL_POINT, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &
      LEGATO_DFR_NUCLEAR_MODEL_FERMI
   public :: LEGATO_DFR_KINETIC_BALANCE_RESTRICTED, LEGATO_DFR_KINETIC_BALANCE_EXTENDED
   public :: LEGATO_DFR_INTERACTION_COULOMB, LEGATO_DFR_INTERACTION_GAUNT, LEGATO_DFR_INTERACTION_BREIT
   public :: LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC
   public :: LEGATO_DFR_ATOM_STATUS_WAITING, LEGATO_DFR_ATOM_STATUS_RUNNING, LEGATO_DFR_ATOM_STATUS_CONVERGED, &
      LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED, LEGATO_DFR_ATOM_STATUS_FAILED, &
      LEGATO_DFR_ATOM_STATUS_COLLAPSED, LEGATO_DFR_ATOM_STATUS_UNBOUND, LEGATO_DFR_ATOM_STATUS_NOT_COMPARED

   !> A list of atoms and their self-consistent fields.
   type, extends(legato_run) :: legato_dfr
   contains
      procedure :: create => dfr_create
      procedure :: add_element => dfr_add_element
      procedure :: add_atom => dfr_add_atom
      procedure :: add_shells => dfr_add_shells
      procedure :: advance => dfr_advance
      procedure :: size => dfr_size
      procedure :: atom_size => dfr_atom_size
      procedure :: exponents => dfr_exponents
      procedure :: result => dfr_result
      procedure :: spinors => dfr_spinors
      procedure :: left_out => dfr_left_out
      procedure :: corrections => dfr_corrections
      procedure :: levels => dfr_levels
      procedure :: radial_moment => dfr_radial_moment
      procedure :: radial_functions => dfr_radial_functions
      procedure :: radial_density => dfr_radial_density
      procedure :: write_vectors => dfr_write_vectors
   end type legato_dfr

contains

   !> Returns the defaults: relativistic, c = 137.03599976, 50 iterations, thresholds of 1e-12 and 1e-9.
   function dfr_defaults() result(params)
      type(legato_dfr_params) :: params
      integer(c_int32_t) :: status

      status = legato_dfr_params_init_sized(params, c_sizeof(params))
   end function dfr_defaults

   !> Returns a nucleus. It is a point unless `model` says otherwise. A sphere needs a radius, a Gaussian an exponent, and
   !! a Fermi distribution a radius and a skin.
   pure function dfr_nucleus(charge, model, radius, exponent, skin) result(nucleus)
      real(c_double), intent(in) :: charge
      integer, intent(in), optional :: model
      real(c_double), intent(in), optional :: radius, exponent, skin
      type(legato_dfr_nucleus) :: nucleus

      nucleus = legato_dfr_nucleus(c_sizeof(nucleus), LEGATO_DFR_NUCLEAR_MODEL_POINT, 0, charge, 0, 0, 0)
      if (present(model)) nucleus%model = int(model, c_int32_t)
      if (present(radius)) nucleus%radius = radius
      if (present(exponent)) nucleus%exponent = exponent
      if (present(skin)) nucleus%skin = skin
   end function dfr_nucleus

   !> Creates an empty list.
   subroutine dfr_create(this, context, params, stat, errmsg)
      class(legato_dfr), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_dfr_params), intent(in), optional :: params
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_dfr_create(handle_of(context), params, handle)
      call keep(this, in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine dfr_create

   !> Adds an element in its ground configuration as atom `index`. Its nucleus is a point unless `nuclear_model` says
   !! otherwise. Its basis set is that of the library legato-5e-9 unless `basis` names another library.
   subroutine dfr_add_element(this, element, nuclear_model, index, stat, errmsg, basis)
      class(legato_dfr), intent(inout) :: this
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
      status = legato_dfr_add_element_with_basis(handle_of(this), int(element, c_int32_t), model, basis_in_c, at)
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine dfr_add_element

   !> Adds any atom. functions, closed and electrons have one element for each species: the numbers of functions, of
   !! closed shells, and of electrons in the open shell above them. `exponents` has one species after the other. `pairs`
   !! has one element for each two species (legato_dfr_add_atom); it is needed if there are open shells.
   subroutine dfr_add_atom(this, nucleus, functions, exponents, closed, electrons, pairs, index, stat, errmsg)
      class(legato_dfr), intent(inout) :: this
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:), closed(:)
      real(c_double), intent(in), contiguous :: exponents(:), electrons(:)
      real(c_double), intent(in), contiguous, optional :: pairs(:, :)
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: at
      integer(c_int32_t) :: status
      integer :: n

      if (present(index)) index = 0
      n = size(functions)
      if (differs('dfr.add_atom.closed', [size(closed)], [n], stat, errmsg)) return
      if (differs('dfr.add_atom.electrons', [size(electrons)], [n], stat, errmsg)) return
      if (present(pairs)) then
         if (differs('dfr.add_atom.pairs', shape(pairs), [n, n], stat, errmsg)) return
      end if
      ! The library refuses negative numbers of functions, and reads no exponents for them.
      if (differs('dfr.add_atom.exponents', [size(exponents)], [sum(max(functions, 0))], stat, errmsg)) return
      at = -1
      if (present(pairs)) then
         status = legato_dfr_add_atom(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
                                      exponents, int(closed, c_int32_t), electrons, pairs, at)
      else
         status = legato_dfr_add_atom(handle_of(this), nucleus, int(n, c_int32_t), int(functions, c_int32_t), &
                                      exponents, int(closed, c_int32_t), electrons, index=at)
      end if
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine dfr_add_atom

   !> Adds any atom whose configuration is given shell by shell; there may be holes and several open shells of a species.
   !! `functions` and `exponents` are those of add_atom. n, l, shell_electrons and twice_j have one element for each entry
   !! of the list. twice_j is 2 l - 1 or 2 l + 1, or 0 if the electrons are distributed over both j, as without twice_j.
   subroutine dfr_add_shells(this, nucleus, functions, exponents, n, l, shell_electrons, twice_j, index, stat, errmsg)
      class(legato_dfr), intent(inout) :: this
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: functions(:), n(:), l(:), shell_electrons(:)
      real(c_double), intent(in), contiguous :: exponents(:)
      integer, intent(in), optional :: twice_j(:)
      integer(c_int64_t), intent(out), optional :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: j(size(n)), status
      integer(c_int64_t) :: at

      if (present(index)) index = 0
      if (differs('dfr.add_shells.l', shape(l), shape(n), stat, errmsg)) return
      if (differs('dfr.add_shells.shell_electrons', shape(shell_electrons), shape(n), stat, errmsg)) return
      if (present(twice_j)) then
         if (differs('dfr.add_shells.twice_j', shape(twice_j), shape(n), stat, errmsg)) return
      end if
      if (differs('dfr.add_shells.exponents', [size(exponents)], [sum(max(functions, 0))], stat, errmsg)) return
      j = 0
      if (present(twice_j)) j = int(twice_j, c_int32_t)
      at = -1
      status = legato_dfr_add_shells(handle_of(this), nucleus, size(functions, kind=c_int32_t), int(functions, c_int32_t), &
                                     exponents, size(n, kind=c_int32_t), int(n, c_int32_t), int(l, c_int32_t), j, &
                                     int(shell_electrons, c_int32_t), at)
      if (present(index)) index = at + 1
      call report(this, status, stat, errmsg)
   end subroutine dfr_add_shells

   !> Carries every unfinished atom up to `iterations` iterations further. `finished` counts the atoms that have ended.
   subroutine dfr_advance(this, iterations, finished, stat, errmsg)
      class(legato_dfr), intent(inout) :: this
      integer(c_int64_t), intent(in) :: iterations
      integer(c_int64_t), intent(out) :: finished
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      finished = 0
      call report(this, legato_dfr_advance(handle_of(this), iterations, finished), stat, errmsg)
   end subroutine dfr_advance

   !> Returns the number of atoms.
   subroutine dfr_size(this, atoms, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(out) :: atoms
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      atoms = 0
      call report(this, legato_dfr_size(handle_of(this), atoms), stat, errmsg)
   end subroutine dfr_size

   !> Returns the number of species of an atom, and of functions in each. They include those of extended kinetic balance.
   subroutine dfr_atom_size(this, index, species, functions, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out) :: species
      integer, allocatable, intent(out), optional :: functions(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: each(:)
      integer(c_int32_t) :: count, status

      species = 0
      if (no_atom(this, index, stat, errmsg)) return
      count = 0
      status = legato_dfr_atom_size(handle_of(this), index - 1, count)
      allocate (each(count))
      status = legato_dfr_atom_size(handle_of(this), index - 1, n_functions=each)
      species = count
      if (present(functions)) functions = each
      call report(this, status, stat, errmsg)
   end subroutine dfr_atom_size

   !> Returns the exponents of a species, in the order of the coefficients of `spinors`. There are none after an error.
   subroutine dfr_exponents(this, index, species, exponents, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species
      real(c_double), allocatable, intent(out) :: exponents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: functions

      allocate (exponents(0))
      if (no_species(this, index, species, functions, stat, errmsg)) return
      deallocate (exponents)
      allocate (exponents(functions))
      call report(this, legato_dfr_exponents(handle_of(this), index - 1, int(species - 1, c_int32_t), exponents), stat, errmsg)
   end subroutine dfr_exponents

   !> Returns the present result of atom `index`.
   subroutine dfr_result(this, index, atom, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_atom), intent(out) :: atom
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      atom = legato_dfr_atom(c_sizeof(atom), LEGATO_DFR_ATOM_STATUS_WAITING, 0, 0, 0, 0, 0, 0, 0, 0)
      if (no_atom(this, index, stat, errmsg)) return
      call report(this, legato_dfr_result(handle_of(this), index - 1, atom), stat, errmsg)
   end subroutine dfr_result

   !> Returns the lowest n states of positive energy of a species: energies(n), occupations(n), large(functions, n) and
   !! small(functions, n). The extents n of the arrays must agree. `states` is the number of states that exist.
   subroutine dfr_spinors(this, index, species, energies, occupations, large, small, states, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species
      real(c_double), intent(inout), optional :: energies(:), occupations(:), large(:, :), small(:, :)
      integer, intent(out), optional :: states
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), allocatable :: e(:), o(:), l(:, :), s(:, :)
      integer(c_int32_t) :: found, status
      integer :: functions, n

      if (present(states)) states = 0
      if (no_species(this, index, species, functions, stat, errmsg)) return
      n = 0
      if (present(small)) n = size(small, 2)
      if (present(large)) n = size(large, 2)
      if (present(occupations)) n = size(occupations)
      if (present(energies)) n = size(energies)
      if (present(occupations)) then
         if (differs('dfr.spinors.occupations', shape(occupations), [n], stat, errmsg)) return
      end if
      if (present(large)) then
         if (differs('dfr.spinors.large', shape(large), [functions, n], stat, errmsg)) return
      end if
      if (present(small)) then
         if (differs('dfr.spinors.small', shape(small), [functions, n], stat, errmsg)) return
      end if
      allocate (e(n), o(n), l(functions, n), s(functions, n))
      found = 0
      if (present(small)) then
         status = legato_dfr_spinors(handle_of(this), index - 1, int(species - 1, c_int32_t), int(n, c_int32_t), &
                                     found, e, o, l, s)
      else     ! the library refuses a request for small components if there are none
         status = legato_dfr_spinors(handle_of(this), index - 1, int(species - 1, c_int32_t), int(n, c_int32_t), &
                                     found, e, o, l)
      end if
      if (status == LEGATO_STATUS_SUCCESS) then
         if (present(energies)) energies = e
         if (present(occupations)) occupations = o
         if (present(large)) large = l
         if (present(small)) small = s
      end if
      if (present(states)) states = found
      call report(this, status, stat, errmsg)
   end subroutine dfr_spinors

   !> Returns the number of combinations of functions that were left out because of near linear dependence, for large
   !! and small components together.
   subroutine dfr_left_out(this, index, species, functions, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species
      integer, intent(out) :: functions
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status, number
      integer :: size_of_species

      functions = 0
      if (no_species(this, index, species, size_of_species, stat, errmsg)) return
      number = 0
      status = legato_dfr_left_out(handle_of(this), index - 1, int(species - 1, c_int32_t), number)
      functions = number
      call report(this, status, stat, errmsg)
   end subroutine dfr_left_out

   !> Returns the energies of interactions beyond Coulomb to first order. They are NaN where they are unknown, and after
   !! an error.
   subroutine dfr_corrections(this, index, energies, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      type(legato_dfr_correction_energies), intent(out) :: energies
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double) :: unknown

      unknown = ieee_value(unknown, ieee_quiet_nan)
      energies = legato_dfr_correction_energies(c_sizeof(energies), unknown, unknown, unknown)
      if (no_atom(this, index, stat, errmsg)) return
      call report(this, legato_dfr_corrections(handle_of(this), index - 1, energies), stat, errmsg)
   end subroutine dfr_corrections

   !> Returns the levels of an atom in the order of energy: twice_j(:), which is 2 J, and energies(:) minus the average
   !! energy. `space` is one of LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC (the default) and
   !! LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC. `parity` is 1 or -1. There are no levels after an error.
   subroutine dfr_levels(this, index, twice_j, energies, space, parity, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, allocatable, intent(out) :: twice_j(:)
      real(c_double), allocatable, intent(out) :: energies(:)
      integer, intent(in), optional :: space
      integer, intent(out), optional :: parity, stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t), allocatable :: j(:)
      real(c_double), allocatable :: e(:)
      integer(c_int64_t) :: found
      integer(c_int32_t) :: of_shells, sign, status

      allocate (twice_j(0), energies(0))
      if (present(parity)) parity = 0
      if (no_result(this, index, stat, errmsg)) return
      of_shells = LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC
      if (present(space)) of_shells = int(space, c_int32_t)
      found = 0
      sign = 0
      status = legato_dfr_levels(handle_of(this), index - 1, of_shells, 0_c_int64_t, found, sign)
      if (status == LEGATO_STATUS_SUCCESS) then
         allocate (j(found), e(found))
         status = legato_dfr_levels(handle_of(this), index - 1, of_shells, found, twice_j=j, energies=e)
      end if
      if (status == LEGATO_STATUS_SUCCESS) then
         twice_j = int(j)
         call move_alloc(e, energies)
         if (present(parity)) parity = sign
      end if
      call report(this, status, stat, errmsg)
   end subroutine dfr_levels

   !> Returns <r^power> of a state.
   subroutine dfr_radial_moment(this, index, species, state, power, value, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species, state, power
      real(c_double), intent(out) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      value = 0
      if (no_state(this, index, species, state, stat, errmsg)) return
      call report(this, legato_dfr_radial_moment(handle_of(this), index - 1, int(species - 1, c_int32_t), &
         int(state - 1, c_int32_t), int(power, c_int32_t), value), stat, errmsg)
   end subroutine dfr_radial_moment

   !> Returns P and Q of a state at each r, as large(:) and small(:); the range of r is 0 to 1e6 bohr. There is no Q without
   !! relativity.
   subroutine dfr_radial_functions(this, index, species, state, r, large, small, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species, state
      real(c_double), intent(in), contiguous :: r(:)
      real(c_double), intent(inout), contiguous :: large(:)
      real(c_double), intent(inout), contiguous, optional :: small(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_state(this, index, species, state, stat, errmsg)) return
      if (differs('dfr.radial_functions.large', shape(large), shape(r), stat, errmsg)) return
      if (present(small)) then
         if (differs('dfr.radial_functions.small', shape(small), shape(r), stat, errmsg)) return
      end if
      if (no_radii('dfr.radial_functions', r, stat, errmsg)) return
      call report(this, legato_dfr_radial_functions(handle_of(this), index - 1, int(species - 1, c_int32_t), &
         int(state - 1, c_int32_t), size(r, kind=c_int64_t), r, large, small), stat, errmsg)
   end subroutine dfr_radial_functions

   !> Returns 4 pi r^2 rho at each r; the range of r is 0 to 1e6 bohr.
   subroutine dfr_radial_density(this, index, r, density, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      real(c_double), intent(in), contiguous :: r(:)
      real(c_double), intent(inout), contiguous :: density(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (no_result(this, index, stat, errmsg)) return
      if (differs('dfr.radial_density.density', shape(density), shape(r), stat, errmsg)) return
      if (no_radii('dfr.radial_density', r, stat, errmsg)) return
      call report(this, legato_dfr_radial_density(handle_of(this), index - 1, size(r, kind=c_int64_t), r, density), &
                  stat, errmsg)
   end subroutine dfr_radial_density

   !> Writes the spinors of all atoms into an HDF5 file; docs/dfr.md describes its entries.
   subroutine dfr_write_vectors(this, path, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (unmade(this, stat, errmsg)) return
      call report(this, legato_dfr_write_vectors(handle_of(this), trim(path)//c_null_char), stat, errmsg)
   end subroutine dfr_write_vectors

   !> Returns as many well-tempered exponents as the array has elements.
   subroutine dfr_well_tempered(context, alpha, beta, delta, gamma, exponents, stat, errmsg)
      type(legato_context), intent(in) :: context
      real(c_double), intent(in) :: alpha, beta, delta, gamma
      real(c_double), intent(inout), contiguous :: exponents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(context, legato_dfr_well_tempered(handle_of(context), alpha, beta, delta, gamma, &
         size(exponents, kind=c_int32_t), exponents), stat, errmsg)
   end subroutine dfr_well_tempered

   ! The functions below return true and report an error if an argument is wrong. The library's own messages would count
   ! from 0.

   function no_atom(this, index, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_atom
      integer(c_int64_t) :: atoms

      no_atom = unmade(this, stat, errmsg)
      if (no_atom) return
      call this%size(atoms)
      no_atom = outside('dfr.index', index, atoms, stat, errmsg)
   end function no_atom

   function no_result(this, index, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_result
      type(legato_dfr_atom) :: atom

      no_result = no_atom(this, index, stat, errmsg)
      if (no_result) return
      call this%result(index, atom)
      no_result = atom%iterations == 0
      if (no_result) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), &
         'dfr.index: '//decimal(index)//' has no result yet', &
                                 stat, errmsg)
   end function no_result

   function no_species(this, index, species, functions, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species
      integer, intent(out) :: functions
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_species
      integer, allocatable :: each(:)
      integer :: count

      functions = 0
      no_species = no_result(this, index, stat, errmsg)
      if (no_species) return
      call this%atom_size(index, count, each)
      no_species = outside('dfr.species', int(species, c_int64_t), int(count, c_int64_t), stat, errmsg)
      if (.not. no_species) functions = each(species)
   end function no_species

   function no_state(this, index, species, state, stat, errmsg)
      class(legato_dfr), intent(in) :: this
      integer(c_int64_t), intent(in) :: index
      integer, intent(in) :: species, state
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_state
      integer(c_int32_t) :: states, status
      integer :: functions

      no_state = no_species(this, index, species, functions, stat, errmsg)
      if (no_state) return
      states = 0
      status = legato_dfr_spinors(handle_of(this), index - 1, int(species - 1, c_int32_t), 0_c_int32_t, states)
      no_state = outside('dfr.state', int(state, c_int64_t), int(states, c_int64_t), stat, errmsg)
   end function no_state

   ! Checks the same range as the library, whose message would count the radii from 0.
   function no_radii(caller, r, stat, errmsg)
      character(*), intent(in) :: caller
      real(c_double), intent(in) :: r(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: no_radii
      integer :: wrong
      character(32) :: value

      wrong = findloc(r >= 0 .and. r <= 1e6_c_double, .false., dim=1) ! NaN is refused too
      no_radii = wrong > 0
      if (.not. no_radii) return
      write (value, '(g0)') r(wrong)
      call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), caller//'.r('//decimal(wrong)//'): '//trim(value)// &
                  ' is not in [0, 1e6]', stat, errmsg)
   end function no_radii

   ! Returns the C functions of a run.
   function in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_dfr', legato_dfr_destroy, legato_dfr_run)
   end function in_c
end module legato_dfr_module
