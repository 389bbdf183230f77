! The sets of a pruning that are accurate enough, and their properties.
module basis_sets
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use kinds
   use legato
   use library_errors
   use messages, only: complain, real_text
   use orbitals
   implicit none
   private
   public :: basis_set, orbital_error, find_sets, find_errors, make_field

   ! The errors of an occupied spinor against the large basis. Those of <r^k> are relative.
   type orbital_error
      type(orbital) :: limit                           ! in the large basis
      real(rkind) :: energy = zero                     ! hartree
      real(rkind) :: r = zero, square = zero, inverse = zero     ! k = 1, 2, -1
   end type orbital_error

   real(rkind), parameter :: large_error = 1.0e-11_rkind     ! relative error of the energy in the large basis

   ! A basis set. `functions` and `exponents` are those of s, p, d, ...; both j share them.
   type basis_set
      integer :: element = 0
      real(rkind) :: allowed = zero                    ! largest relative error that was asked for
      logical :: found = .false.                       ! the pruning has such a set
      real(rkind) :: error = zero, limit = zero, energy = zero
      real(rkind) :: spinors = zero                    ! sum of the squared norms that the spinors miss
      real(rkind) :: collapse = zero                   ! relative; NaN if it is unknown
      type(orbital_error), allocatable :: orbitals(:)  ! with restricted kinetic balance; none if they are unknown
      integer, allocatable :: functions(:)
      real(rkind), allocatable :: exponents(:)
      type(legato_dfr_nucleus) :: nucleus
      integer, allocatable :: of_species(:), closed(:)
      real(rkind), allocatable :: of_all_species(:), electrons(:), pairs(:, :)
   end type basis_set

contains

   ! Returns the parameters of the self-consistent field.
   function make_field(kinetic_balance) result(field)
      integer, intent(in) :: kinetic_balance
      type(legato_dfr_params) :: field

      field = dfr_defaults()
      field%kinetic_balance = int(kinetic_balance, ikind)
      field%max_iterations = 100
   end function make_field

   ! Returns for atom `index` of the pruning the smallest set for each error. The error contains that of the spinors.
   subroutine find_sets(context, pruner, index, element, errors, weight, sets)
      type(legato_context), intent(in) :: context
      type(legato_dfr_pruner), intent(in) :: pruner
      integer(lkind), intent(in) :: index
      integer, intent(in) :: element
      real(rkind), intent(in) :: errors(:), weight
      type(basis_set), intent(out) :: sets(:)
      type(legato_dfr_pruning) :: pruning
      type(legato_dfr_pruned_set) :: set
      integer :: number, k

      call pruner%result(index, pruning)
      do k = 1, size(errors)
         sets(k)%element = element
         sets(k)%allowed = errors(k)
         sets(k)%limit = pruning%limit
         do number = pruning%sets, 1, -1
            call pruner%set(index, number, set)
            if (error_of_set(set, weight) <= errors(k)) exit
         end do
         sets(k)%found = number > 0
         if (sets(k)%found) call read_set(context, pruner, index, number, set, sets(k))
      end do
   end subroutine find_sets

   ! Returns the error that the pruning has minimised. The error of the spinors is NaN if its weight is 0.
   pure real(rkind) function error_of_set(set, weight)
      type(legato_dfr_pruned_set), intent(in) :: set
      real(rkind), intent(in) :: weight

      error_of_set = set%relative_error
      if (weight > zero) error_of_set = error_of_set + weight * set%spinor_error
   end function error_of_set

   subroutine read_set(context, pruner, index, number, pruned, set)
      type(legato_context), intent(in) :: context
      type(legato_dfr_pruner), intent(in) :: pruner
      integer(lkind), intent(in) :: index
      integer, intent(in) :: number
      type(legato_dfr_pruned_set), intent(in) :: pruned
      type(basis_set), intent(inout) :: set
      integer, allocatable :: first(:), group(:), forms(:)
      real(rkind), allocatable :: parameters(:)
      integer :: s, l, from

      set%error = pruned%relative_error
      set%spinors = pruned%spinor_error
      set%energy = pruned%energy
      call pruner%basis(index, number, set%of_species, first, group, forms, parameters)
      call dfr_grouped_basis(context, set%of_species, first, forms, parameters, set%of_all_species, group)
      call pruner%atom(index, set%nucleus, set%closed, set%electrons, set%pairs)
      ! Species 1, 2, 4, 6, ... are s1/2, p1/2, d3/2, f5/2, ...
      allocate (set%functions(0), set%exponents(0))
      from = 0
      do s = 1, size(set%of_species)
         l = s / 2
         if (l == size(set%functions)) then
            set%functions = [set%functions, set%of_species(s)]
            set%exponents = [set%exponents, set%of_all_species(from + 1:from + set%of_species(s))]
         end if
         from = from + set%of_species(s)
      end do
   end subroutine read_set

   ! Calculates with restricted kinetic balance how much lower the energies are, and the errors of all occupied spinors.
   subroutine find_errors(context, sets)
      type(legato_context), intent(in) :: context
      type(basis_set), intent(inout) :: sets(:)
      type(legato_dfr) :: atoms
      type(orbital), allocatable :: limits(:)
      integer(lkind) :: index
      integer :: k, stat
      character(len=400) :: message

      if (.not. any(sets%found)) return
      call atoms%create(context, make_field(LEGATO_DFR_KINETIC_BALANCE_RESTRICTED))
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         if (is_first(sets, k)) call add_large_basis(context, atoms, sets(k))
         call atoms%add_atom(sets(k)%nucleus, sets(k)%of_species, sets(k)%of_all_species, sets(k)%closed, sets(k)%electrons, &
                             sets(k)%pairs)
      end do
      call atoms%run(stat=stat, errmsg=message)
      call stop_on_library(stat, message)
      index = 0
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         if (is_first(sets, k)) then
            index = index + 1
            call read_limits(atoms, index, sets(k)%element, limits)
         end if
         index = index + 1
         call read_errors(atoms, index, limits, sets(k))
      end do
   end subroutine find_errors

   ! Returns true if set k is the first one of its element that has been found.
   pure logical function is_first(sets, k)
      type(basis_set), intent(in) :: sets(:)
      integer, intent(in) :: k

      is_first = sets(k)%found .and. .not. any(sets(:k - 1)%found .and. sets(:k - 1)%element == sets(k)%element)
   end function is_first

   subroutine add_large_basis(context, atoms, set)
      type(legato_context), intent(in) :: context
      type(legato_dfr), intent(inout) :: atoms
      type(basis_set), intent(in) :: set
      integer, allocatable :: functions(:)
      real(rkind), allocatable :: exponents(:)

      call dfr_large_basis(context, set%nucleus, set%closed, set%electrons, large_error, functions, exponents)
      call atoms%add_atom(set%nucleus, functions, exponents, set%closed, set%electrons, set%pairs)
   end subroutine add_large_basis

   ! Returns the spinors in the large basis, or none if the field has not converged.
   subroutine read_limits(atoms, index, element, limits)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      integer, intent(in) :: element
      type(orbital), allocatable, intent(out) :: limits(:)

      allocate (limits(0))
      if (has_spinors(atoms, index)) then
         call read_orbitals(atoms, index, limits)
      else
         call complain(trim(dfr_symbol(element)) // &
                       ': the errors of the spinors are unknown, because the field in the large basis has not converged')
      end if
   end subroutine read_limits

   logical function has_spinors(atoms, index)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      type(legato_dfr_atom) :: atom

      call atoms%result(index, atom)
      has_spinors = atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED .or. atom%status == LEGATO_DFR_ATOM_STATUS_COLLAPSED
   end function has_spinors

   subroutine read_errors(atoms, index, limits, set)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      type(orbital), intent(in) :: limits(:)
      type(basis_set), intent(inout) :: set
      type(legato_dfr_atom) :: atom
      type(orbital), allocatable :: found(:)
      integer :: a

      allocate (set%orbitals(0))
      set%collapse = ieee_value(zero, ieee_quiet_nan)
      if (.not. has_spinors(atoms, index)) then
         call complain(trim(dfr_symbol(set%element)) // ', error ' // real_text(set%allowed) // &
                       ': the collapse is unknown, because the energy with restricted kinetic balance has not converged')
         return
      end if
      call atoms%result(index, atom)
      set%collapse = (set%energy - atom%energy) / abs(set%limit)
      if (size(limits) == 0) return
      call read_orbitals(atoms, index, found)
      do a = 1, size(limits)
         set%orbitals = [set%orbitals, error_of(found(a), limits(a))]
      end do
   end subroutine read_errors

   pure function error_of(found, limit) result(error)
      type(orbital), intent(in) :: found, limit
      type(orbital_error) :: error
      real(rkind) :: relative(first_power:last_power)

      relative = found%moment / limit%moment - one
      error = orbital_error(limit, found%energy - limit%energy, relative(1), relative(2), relative(-1))
   end function error_of

end module basis_sets
