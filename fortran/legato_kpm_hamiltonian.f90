!> Hamiltonians of the kernel polynomial method. legato/kpm_hamiltonian.h explains the arguments. Orbitals and sites count
!! from 1; only in the library's messages they count from 0.
module legato_kpm_hamiltonian_module
   use legato_c
   use legato_context_module, only: legato_context
   use legato_handle_module, only: legato_handle
   use legato_handle_module, only: c_functions, keep, hold, handle_of, report, unmade
   use legato_support, only: finish, outside, differs
   implicit none
   private

   public :: legato_kpm_hamiltonian, legato_kpm_lattice, legato_kpm_cell_lattice
   public :: kpm_lattice_defaults, kpm_cell_lattice_defaults, kpm_site_energies
   public :: LEGATO_KPM_BOUNDARY_HARD_WALL, LEGATO_KPM_BOUNDARY_PERIODIC
   public :: LEGATO_KPM_ON_SITE_CONSTANT, LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL, LEGATO_KPM_ON_SITE_ENERGIES, &
      LEGATO_KPM_ON_SITE_BINARY

   abstract interface
      !> Fills the on-site energies of all sites in a realisation, which are added to the diagonal of a matrix. Every call
      !! for the same realisation must return the same energies. `cancel` is false; if it becomes true, the run stops with
      !! LEGATO_STATUS_CANCELLED.
      subroutine kpm_site_energies(realisation, energies, cancel)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: realisation
         real(c_double), intent(out) :: energies(:)
         logical, intent(inout) :: cancel
      end subroutine kpm_site_energies
   end interface

   !> A lattice or a matrix. Any number of computations can use it; they may outlive it.
   type, extends(legato_handle) :: legato_kpm_hamiltonian
   contains
      procedure :: create_lattice => hamiltonian_create_lattice
      procedure :: create_cell_lattice => hamiltonian_create_cell_lattice
      procedure, private :: hamiltonian_create_matrix, hamiltonian_create_matrix_narrow
      procedure, private :: hamiltonian_create_complex_matrix, hamiltonian_create_complex_matrix_narrow
      generic :: create_matrix => hamiltonian_create_matrix, hamiltonian_create_matrix_narrow
      generic :: create_matrix => hamiltonian_create_complex_matrix, hamiltonian_create_complex_matrix_narrow
      procedure :: create_velocity => hamiltonian_create_velocity
      procedure :: create_matrix_velocity => hamiltonian_create_matrix_velocity
      procedure, private :: hamiltonian_set_values, hamiltonian_set_complex_values
      generic :: set_values => hamiltonian_set_values, hamiltonian_set_complex_values
      procedure :: set_vacancies => hamiltonian_set_vacancies
      procedure :: set_disorder => hamiltonian_set_disorder
      procedure :: set_energies => hamiltonian_set_energies
   end type legato_kpm_hamiltonian

contains

   !> Returns the defaults: one site, periodic, hopping 1, no on-site energies.
   function kpm_lattice_defaults() result(lattice)
      type(legato_kpm_lattice) :: lattice
      integer(c_int32_t) :: status

      status = legato_kpm_lattice_init_sized(lattice, c_sizeof(lattice))
   end function kpm_lattice_defaults

   !> Returns the defaults: one cell with one orbital, periodic, no field, no twist, no disorder.
   function kpm_cell_lattice_defaults() result(lattice)
      type(legato_kpm_cell_lattice) :: lattice
      integer(c_int32_t) :: status

      status = legato_kpm_cell_lattice_init_sized(lattice, c_sizeof(lattice))
   end function kpm_cell_lattice_defaults

   !> Creates a lattice. `energies` has one element for each site; it is allowed only if on_site is
   !! LEGATO_KPM_ON_SITE_ENERGIES.
   subroutine hamiltonian_create_lattice(this, context, lattice, energies, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_kpm_lattice), intent(in) :: lattice
      real(c_double), intent(in), contiguous, optional :: energies(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: n
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      n = 0
      if (present(energies)) n = size(energies, kind=c_int64_t)
      status = legato_kpm_lattice_create(handle_of(context), lattice, n, energies, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_lattice

   !> Creates a unit-cell lattice. Hopping h has the amplitude amplitudes(h) from orbital from(h) of each cell to orbital
   !! to(h) of the cell at offsets(:, h); orbitals count from 1. Its Hermitian conjugate is not given. The shapes are
   !! offsets(3, hoppings), positions(3, orbitals), energies(orbitals) and site_energies(sites). Without positions or
   !! energies these are 0. `site_energies` is allowed only if on_site is LEGATO_KPM_ON_SITE_ENERGIES.
   subroutine hamiltonian_create_cell_lattice(this, context, lattice, from, to, offsets, amplitudes, positions, &
                                              energies, site_energies, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      type(legato_kpm_cell_lattice), intent(in) :: lattice
      integer, intent(in) :: from(:), to(:), offsets(:, :)
      complex(c_double_complex), intent(in), contiguous :: amplitudes(:)
      real(c_double), intent(in), contiguous, optional :: positions(:, :), energies(:), site_energies(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: n
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('kpm.to', shape(to), shape(from), stat, errmsg)) return
      if (differs('kpm.offsets', shape(offsets), [3, size(from)], stat, errmsg)) return
      if (differs('kpm.amplitudes', shape(amplitudes), shape(from), stat, errmsg)) return
      if (present(positions)) then
         if (differs('kpm.positions', shape(positions), [3, int(lattice%orbitals)], stat, errmsg)) return
      end if
      if (present(energies)) then
         if (differs('kpm.energies', shape(energies), [int(lattice%orbitals)], stat, errmsg)) return
      end if
      n = 0
      if (present(site_energies)) n = size(site_energies, kind=c_int64_t)
      status = legato_kpm_cell_lattice_create(handle_of(context), lattice, positions, energies, &
         size(from, kind=c_int64_t), int(from - 1, c_int32_t), int(to - 1, c_int32_t), &
         reshape(int(offsets, c_int32_t), [size(offsets)]), parts_of(amplitudes), n, site_energies, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_cell_lattice

   !> Creates a matrix from compressed rows: the elements of row i are row_pointers(i) .. row_pointers(i + 1) - 1. With
   !! index_base 0, row pointers and columns count from 0.
   subroutine hamiltonian_create_matrix(this, context, row_pointers, columns, values, index_base, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int64_t), intent(in), contiguous :: row_pointers(:)
      integer(c_int32_t), intent(in), contiguous :: columns(:)
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('kpm.matrix.values', shape(values), shape(columns), stat, errmsg)) return
      status = legato_kpm_matrix_create(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, values, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_matrix

   !> Creates a matrix in the same way, with row pointers of 32 bits.
   subroutine hamiltonian_create_matrix_narrow(this, context, row_pointers, columns, values, index_base, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in), contiguous :: row_pointers(:), columns(:)
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('kpm.matrix.values', shape(values), shape(columns), stat, errmsg)) return
      status = legato_kpm_matrix_create_narrow(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, values, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_matrix_narrow

   !> Creates a complex Hermitian matrix in the same way.
   subroutine hamiltonian_create_complex_matrix(this, context, row_pointers, columns, values, index_base, &
                                                stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int64_t), intent(in), contiguous :: row_pointers(:)
      integer(c_int32_t), intent(in), contiguous :: columns(:)
      complex(c_double_complex), intent(in), contiguous, target :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('kpm.matrix.values', shape(values), shape(columns), stat, errmsg)) return
      status = legato_kpm_complex_matrix_create(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, parts_of(values), handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_complex_matrix

   !> Creates a complex matrix in the same way, with row pointers of 32 bits.
   subroutine hamiltonian_create_complex_matrix_narrow(this, context, row_pointers, columns, values, index_base, &
                                                       stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      integer(c_int32_t), intent(in), contiguous :: row_pointers(:), columns(:)
      complex(c_double_complex), intent(in), contiguous, target :: values(:)
      integer, intent(in), optional :: index_base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      if (differs('kpm.matrix.values', shape(values), shape(columns), stat, errmsg)) return
      status = legato_kpm_complex_matrix_create_narrow(handle_of(context), size(row_pointers, kind=c_int64_t) - 1, &
         size(columns, kind=c_int64_t), base_of(index_base), row_pointers, columns, parts_of(values), handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_complex_matrix_narrow

   !> Creates the velocity operator i [H, X] of a lattice along a direction; components(d) is that of lattice vector d.
   subroutine hamiltonian_create_velocity(this, context, hamiltonian, components, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      real(c_double), intent(in) :: components(3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      status = legato_kpm_velocity_create(handle_of(context), handle_of(hamiltonian), components, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_velocity

   !> Creates the velocity operator of a matrix from the positions of its rows along a direction. `period` is 0, for a
   !! finite system, unless it is given.
   subroutine hamiltonian_create_matrix_velocity(this, context, hamiltonian, positions, period, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      type(legato_context), intent(in) :: context
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      real(c_double), intent(in), contiguous :: positions(:)
      real(c_double), intent(in), optional :: period
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double) :: length
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      call this%destroy()
      length = 0
      if (present(period)) length = period
      status = legato_kpm_matrix_velocity_create(handle_of(context), handle_of(hamiltonian), &
                                                 size(positions, kind=c_int64_t), positions, length, handle)
      call keep(this, hamiltonian_in_c(), handle, handle_of(context), status, stat, errmsg)
   end subroutine hamiltonian_create_matrix_velocity

   !> Replaces the values of a matrix. They have the order of those with which the matrix was created. Computations that
   !! exist already keep the earlier values.
   subroutine hamiltonian_set_values(this, values, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (wrong_values(this, .false., stat, errmsg)) return
      call report(this, legato_kpm_matrix_set_values(handle_of(this), size(values, kind=c_int64_t), values), stat, errmsg)
   end subroutine hamiltonian_set_values

   !> Replaces the values of a complex matrix in the same way.
   subroutine hamiltonian_set_complex_values(this, values, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      complex(c_double_complex), intent(in), contiguous, target :: values(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (wrong_values(this, .true., stat, errmsg)) return
      call report(this, legato_kpm_matrix_set_values(handle_of(this), size(values, kind=c_int64_t), parts_of(values)), &
                  stat, errmsg)
   end subroutine hamiltonian_set_complex_values

   !> Replaces the given vacancies of a unit-cell lattice by the sites vacancies(:), which count from 1. Random vacancies
   !! (lattice%vacancy_concentration) come in addition.
   subroutine hamiltonian_set_vacancies(this, vacancies, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      integer(c_int64_t), intent(in) :: vacancies(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_kpm_cell_lattice_set_vacancies(handle_of(this), size(vacancies, kind=c_int64_t), &
                                                              vacancies - 1), stat, errmsg)
   end subroutine hamiltonian_set_vacancies

   !> Adds random on-site energies to the diagonal of a matrix, drawn anew in every realisation: uniform in a box of width
   !! `disorder` around 0 (LEGATO_KPM_ON_SITE_BOX), or normal with standard deviation `disorder`
   !! (LEGATO_KPM_ON_SITE_NORMAL). LEGATO_KPM_ON_SITE_CONSTANT removes the energies.
   subroutine hamiltonian_set_disorder(this, on_site, disorder, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      integer, intent(in) :: on_site
      real(c_double), intent(in) :: disorder
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(this, legato_kpm_matrix_set_disorder(handle_of(this), int(on_site, c_int32_t), disorder), stat, errmsg)
   end subroutine hamiltonian_set_disorder

   !> Adds the on-site energies that `energies` fills in for each realisation to the diagonal of a matrix. All of them
   !! must be in [lowest, highest]. The procedure is called until the computations that use it are destroyed.
   subroutine hamiltonian_set_energies(this, lowest, highest, energies, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(inout) :: this
      real(c_double), intent(in) :: lowest, highest
      procedure(kpm_site_energies) :: energies
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: user

      user = transfer(c_funloc(energies), user)  ! needs no memory, which computations would have to outlive
      call report(this, legato_kpm_matrix_set_energies(handle_of(this), lowest, highest, c_funloc(forward_energies), user), &
                  stat, errmsg)
   end subroutine hamiltonian_set_energies

   integer(c_int32_t) function base_of(index_base)
      integer, intent(in), optional :: index_base

      base_of = 1
      if (present(index_base)) base_of = int(index_base, c_int32_t)
   end function base_of

   ! Returns the real and imaginary parts, which alternate, without copying them.
   function parts_of(values) result(parts)
      complex(c_double_complex), intent(in), contiguous, target :: values(:)
      real(c_double), pointer, contiguous :: parts(:)
      real(c_double), target, save :: nothing(0)
      type(c_ptr) :: first

      parts => nothing
      if (size(values) == 0) return
      first = c_loc(values)
      call c_f_pointer(first, parts, [2*size(values, kind=c_int64_t)])
   end function parts_of

   ! `user` is the address of the program's procedure.
   function forward_energies(user, realisation, sites, energies) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: realisation, sites
      real(c_double), intent(inout) :: energies(*)
      integer(c_int) :: stop
      procedure(kpm_site_energies), pointer :: program
      type(c_funptr) :: address
      logical :: cancel

      address = transfer(user, address)
      call c_f_procpointer(address, program)
      cancel = .false.
      call program(realisation + 1, energies(:sites), cancel)
      stop = merge(1, 0, cancel)
   end function forward_energies

   ! Returns true and reports an error if values of this type are not those of the Hamiltonian. The library would read
   ! another number of them. It reports an error itself if there is no Hamiltonian.
   function wrong_values(hamiltonian, are_complex, stat, errmsg)
      class(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      logical, intent(in) :: are_complex
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_values
      integer(c_int32_t) :: is_complex

      is_complex = merge(1_c_int32_t, 0_c_int32_t, are_complex)
      if (legato_kpm_hamiltonian_is_complex(handle_of(hamiltonian), is_complex) /= LEGATO_STATUS_SUCCESS) then
         wrong_values = .false.
         return
      end if
      wrong_values = are_complex .neqv. is_complex == 1
      if (wrong_values .and. are_complex) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), &
         'kpm.matrix.values: they are complex, but the Hamiltonian is real', stat, errmsg)
      if (wrong_values .and. .not. are_complex) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), &
         'kpm.matrix.values: they are real, but the Hamiltonian is complex', stat, errmsg)
   end function wrong_values

   ! Returns the C functions of a Hamiltonian.
   function hamiltonian_in_c() result(functions)
      type(c_functions) :: functions

      functions = c_functions('legato_kpm_hamiltonian', legato_kpm_hamiltonian_destroy)
   end function hamiltonian_in_c

end module legato_kpm_hamiltonian_module
