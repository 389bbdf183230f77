! The occupied spinors of an atom: energies, occupations, and moments <r^k>.
module orbitals
   use kinds
   use legato
   use library_errors
   use messages, only: integer_text
   implicit none
   private
   public :: orbital, read_orbitals, first_power, last_power

   integer, parameter :: first_power = -2, last_power = 4

   type orbital
      character(len=8) :: name = ''              ! such as 2p1/2
      integer :: species = 0, state = 0          ! counted from 1
      integer :: kappa = 0
      real(rkind) :: occupation = zero           ! electrons
      real(rkind) :: energy = zero               ! hartree
      real(rkind) :: moment(first_power:last_power) = zero     ! <r^k>, bohr^k
   end type orbital

contains

   ! Returns the occupied spinors of atom `index`, which has a result, in the order of species and energies.
   subroutine read_orbitals(atoms, index, list)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      type(orbital), allocatable, intent(out) :: list(:)
      real(rkind), allocatable :: energies(:), occupations(:)
      integer :: s, species, states, stat, a
      character(len=400) :: message

      allocate (list(0))
      call atoms%atom_size(index, species)
      do s = 1, species
         call atoms%spinors(index, s, states=states)
         allocate (energies(states), occupations(states))
         call atoms%spinors(index, s, energies, occupations, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
         do a = 1, states
            if (occupations(a) <= zero) cycle
            list = [list, orbital(name_of(s, a), s, a, kappa_of(s), occupations(a), energies(a))]
            call read_moments(atoms, index, list(size(list)))
         end do
         deallocate (energies, occupations)
      end do
   end subroutine read_orbitals

   subroutine read_moments(atoms, index, of)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      type(orbital), intent(inout) :: of
      integer :: k, stat
      character(len=400) :: message

      do k = first_power, last_power
         call atoms%radial_moment(index, of%species, of%state, k, of%moment(k), stat, message)
         call stop_on_library(stat, message)
      end do
   end subroutine read_moments

   ! Returns a name such as 2p1/2. Species 1, 2, 3, ... are s1/2, p1/2, p3/2, ...
   function name_of(species, state) result(name)
      integer, intent(in) :: species, state
      character(len=8) :: name
      character(*), parameter :: letters = 'spdfghi'
      integer :: l

      l = species / 2
      name = integer_text(int(l + state, ikind)) // letters(l + 1:l + 1) // &
         integer_text(int(2 * ((species - 1) / 2) + 1, ikind)) // '/2'
   end function name_of

   pure integer function kappa_of(species)
      integer, intent(in) :: species

      kappa_of = merge(species / 2, -(species + 1) / 2, mod(species, 2) == 0)
   end function kappa_of

end module orbitals
