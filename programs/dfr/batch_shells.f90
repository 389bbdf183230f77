! Elements with the shells of --shells instead of the ground configuration.
module batch_shells
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use batch_basis, only: exponents_of_element
   use batch_jobs, only: library_status
   use command_line, only: refuse, whole_of
   use messages, only: quoted
   use legato
   implicit none
   private
   public :: shell_list, read_shells, add_element_with_shells

   type shell_list
      integer, allocatable :: n(:), l(:), twice_j(:), electrons(:)
   end type shell_list

   character(*), parameter :: letters = 'spdfghi'

contains

   ! Reads items such as 2p6, 2p-1 (j = l - 1/2) and 2p+4 (j = l + 1/2), separated by spaces or commas.
   subroutine read_shells(text, shells, ierr)
      character(*), intent(in) :: text
      type(shell_list), intent(out) :: shells
      integer(ikind), intent(inout) :: ierr
      integer :: from, past

      allocate (shells%n(0), shells%l(0), shells%twice_j(0), shells%electrons(0))
      from = 1
      do while (from <= len(text) .and. ierr == 0)
         past = from - 1 + scan(text(from:) // ' ', ' ,')
         if (past > from) call read_shell(text(from:past - 1), shells, ierr)
         from = past + 1
      end do
      if (ierr == 0 .and. size(shells%n) == 0) call refuse('--shells ' // quoted(text) // ' has no shells', ierr)
   end subroutine read_shells

   subroutine read_shell(item, shells, ierr)
      character(*), intent(in) :: item
      type(shell_list), intent(inout) :: shells
      integer(ikind), intent(inout) :: ierr
      integer :: letter, l, twice_j, first
      integer(lkind) :: n, electrons

      letter = scan(item, letters)
      n = -1
      electrons = -1
      if (letter > 1 .and. letter < len(item)) then
         l = index(letters, item(letter:letter)) - 1
         first = letter + 1
         twice_j = 0
         if (item(first:first) == '-') twice_j = 2 * l - 1
         if (item(first:first) == '+') twice_j = 2 * l + 1
         if (scan(item(first:first), '+-') > 0) first = first + 1
         if (.not. whole_of(item(:letter - 1), n)) n = -1
         if (.not. whole_of(item(first:), electrons)) electrons = -1
      end if
      if (n < 1 .or. n > 1000 .or. electrons < 0 .or. electrons > 1000 .or. twice_j < 0) then
         call refuse('--shells ' // quoted(item) // ' (allowed: shells such as 2p6, 2p-1 with j = l - 1/2, or 2p+4 with ' // &
                     'j = l + 1/2)', ierr)
      else
         shells%n = [shells%n, int(n)]
         shells%l = [shells%l, l]
         shells%twice_j = [shells%twice_j, twice_j]
         shells%electrons = [shells%electrons, int(electrons)]
      end if
   end subroutine read_shell

   ! Adds an element with these shells. It has the species of the basis set up to the highest one with electrons.
   subroutine add_element_with_shells(context, list, z, nuclear_model, shells, index, outcome)
      type(legato_context), intent(in) :: context
      type(legato_dfr), intent(inout) :: list
      integer(ikind), intent(in) :: z
      integer, intent(in) :: nuclear_model
      type(shell_list), intent(in) :: shells
      integer(c_int64_t), intent(out) :: index
      type(library_status), intent(inout) :: outcome
      type(legato_dfr_nucleus) :: nucleus
      integer, allocatable :: functions(:)
      real(c_double), allocatable :: exponents(:)
      integer :: species

      index = 0
      call dfr_element_nucleus(context, int(z), nucleus, nuclear_model, outcome%stat, outcome%message)
      if (outcome%stat /= LEGATO_STATUS_SUCCESS) return
      species = maxval(merge(2 * shells%l, 2 * shells%l + 1, shells%twice_j == 2 * shells%l - 1), &
                       mask=shells%electrons > 0)
      species = max(species, 1)     ! the library refuses a list without electrons
      call exponents_of_element(z, species, functions, exponents, outcome)
      if (outcome%stat /= LEGATO_STATUS_SUCCESS) return
      call list%add_shells(nucleus, functions, exponents, shells%n, shells%l, shells%electrons, shells%twice_j, index, &
                           outcome%stat, outcome%message)
   end subroutine add_element_with_shells

end module batch_shells
