! The basis sets of the elements of a batch: those of --basis, or of the library that is the default.
module batch_basis
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use basis_formats
   use batch_jobs, only: atom_arrays, library_status, stop_on_library
   use legato
   implicit none
   private
   public :: sets, name_of_basis, open_basis, in_basis, exponents_of_element, arrays_of_element

   character(*), parameter :: default_basis = 'legato-5e-9'     ! also that of legato_dfr_add_element

   type(legato_dfr_basis_sets) :: sets
   character(:), allocatable :: name_of_basis

contains

   ! Opens the file or the library of --basis, or the default library.
   subroutine open_basis(context, basis)
      type(legato_context), intent(in) :: context
      character(:), allocatable, intent(in) :: basis
      type(library_status) :: outcome
      integer :: form

      name_of_basis = default_basis
      if (allocated(basis)) name_of_basis = basis
      form = format_of_file(name_of_basis)
      if (form > 0) then
         call sets%read(context, name_of_basis, format_numbers(form), outcome%stat, outcome%message)
      else
         call sets%library(context, name_of_basis, stat=outcome%stat, errmsg=outcome%message)
      end if
      call stop_on_library(outcome)
   end subroutine open_basis

   ! Returns true if the element has a basis set.
   logical function in_basis(z)
      integer(ikind), intent(in) :: z
      type(library_status) :: outcome
      integer(c_int64_t) :: index

      call sets%find(int(z), index, outcome%stat, outcome%message)
      in_basis = outcome%stat /= LEGATO_STATUS_INVALID_ARGUMENT
      if (in_basis) call stop_on_library(outcome)
   end function in_basis

   ! Returns the exponents of the first `species` species of an element. Species beyond those of the set have none.
   subroutine exponents_of_element(z, species, functions, exponents, outcome)
      integer(ikind), intent(in) :: z
      integer, intent(in) :: species
      integer, allocatable, intent(out) :: functions(:)
      real(c_double), allocatable, intent(out) :: exponents(:)
      type(library_status), intent(inout) :: outcome
      integer, allocatable :: of_set(:)
      real(c_double), allocatable :: all_exponents(:)
      integer(c_int64_t) :: index

      call sets%find(int(z), index, outcome%stat, outcome%message)
      if (outcome%stat == LEGATO_STATUS_SUCCESS) &
         call sets%exponents(index, of_set, all_exponents, outcome%stat, outcome%message)
      allocate (functions(species), source=0)
      allocate (exponents(0))
      if (outcome%stat /= LEGATO_STATUS_SUCCESS) return
      functions(:min(species, size(of_set))) = of_set(:min(species, size(of_set)))
      exponents = all_exponents(:sum(functions))
   end subroutine exponents_of_element

   ! Returns the arguments of add_atom for an element in its ground configuration with its set.
   subroutine arrays_of_element(context, z, nuclear_model, arrays, outcome)
      type(legato_context), intent(in) :: context
      integer(ikind), intent(in) :: z
      integer, intent(in) :: nuclear_model
      type(atom_arrays), intent(out) :: arrays
      type(library_status), intent(inout) :: outcome
      integer, allocatable :: n(:), l(:), electrons(:)

      call dfr_element_nucleus(context, int(z), arrays%nucleus, nuclear_model, outcome%stat, outcome%message)
      if (outcome%stat /= LEGATO_STATUS_SUCCESS) return
      call dfr_ground_configuration(context, int(z), n, l, electrons)
      call dfr_average_of_configuration(context, n, l, electrons, arrays%closed, arrays%electrons, arrays%pairs)
      call exponents_of_element(z, size(arrays%closed), arrays%functions, arrays%exponents, outcome)
   end subroutine arrays_of_element

end module batch_basis
