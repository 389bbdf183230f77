! The sets of a pruning that are accurate enough, and their properties.
module basis_sets
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use kinds
   use legato
   use library_errors
   use messages, only: complain, real_text
   implicit none
   private
   public :: basis_set, find_sets, find_collapse, make_field

   ! A basis set. `functions` and `exponents` are those of s, p, d, ...; both j share them.
   type basis_set
      integer :: element = 0
      real(rkind) :: allowed = zero                    ! largest relative error that was asked for
      logical :: found = .false.                       ! the pruning has such a set
      real(rkind) :: error = zero, limit = zero, energy = zero
      real(rkind) :: collapse = zero                   ! relative; NaN if it is unknown
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

   ! Returns for atom `index` of the pruning the smallest set for each error.
   subroutine find_sets(context, pruner, index, element, errors, sets)
      type(legato_context), intent(in) :: context
      type(legato_dfr_pruner), intent(in) :: pruner
      integer(lkind), intent(in) :: index
      integer, intent(in) :: element
      real(rkind), intent(in) :: errors(:)
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
            if (set%relative_error <= errors(k)) exit
         end do
         sets(k)%found = number > 0
         if (sets(k)%found) call read_set(context, pruner, index, number, set, sets(k))
      end do
   end subroutine find_sets

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

   ! Calculates how much lower the energies are with restricted kinetic balance.
   subroutine find_collapse(context, sets)
      type(legato_context), intent(in) :: context
      type(basis_set), intent(inout) :: sets(:)
      type(legato_dfr) :: atoms
      type(legato_dfr_atom) :: atom
      integer(lkind) :: index
      integer :: k, stat
      character(len=400) :: message

      if (.not. any(sets%found)) return
      call atoms%create(context, make_field(LEGATO_DFR_KINETIC_BALANCE_RESTRICTED))
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         call atoms%add_atom(sets(k)%nucleus, sets(k)%of_species, sets(k)%of_all_species, sets(k)%closed, sets(k)%electrons, &
                             sets(k)%pairs)
      end do
      call atoms%run(stat=stat, errmsg=message)
      call stop_on_library(stat, message)
      index = 0
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         index = index + 1
         call atoms%result(index, atom)
         if (atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED .or. atom%status == LEGATO_DFR_ATOM_STATUS_COLLAPSED) then
            sets(k)%collapse = (sets(k)%energy - atom%energy) / abs(sets(k)%limit)
         else
            sets(k)%collapse = ieee_value(zero, ieee_quiet_nan)
            call complain(trim(dfr_symbol(sets(k)%element)) // ', error ' // real_text(sets(k)%allowed) // &
                          ': the collapse is unknown, because the energy with restricted kinetic balance has not converged')
         end if
      end do
   end subroutine find_collapse

end module basis_sets
