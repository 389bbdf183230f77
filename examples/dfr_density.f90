! Radial densities of atoms in their ground configurations, xenon and radon unless others are named by their charges, and the
! shells that make them up, in two blocks for a plot: r and the densities 4 pi r^2 rho; for each shell its name, electrons,
! orbital energy and mean radius. Atomic units.
program dfr_density
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: points = 1201
   real(c_double), parameter :: first = 1e-5_c_double, last = 1e2_c_double     ! bohr; beyond is next to nothing
   type(legato_context) :: context
   type(legato_dfr) :: dfr
   type(legato_dfr_atom) :: atom
   integer, allocatable :: element(:)
   real(c_double), allocatable :: r(:), density(:, :)
   integer(c_int64_t) :: i
   integer :: k

   call read_elements
   call context%create()
   call dfr%create(context)
   do i = 1, size(element)
      call dfr%add_element(element(i))
   end do
   call dfr%run()
   do i = 1, size(element)
      call dfr%result(i, atom)
      if (atom%status /= LEGATO_DFR_ATOM_STATUS_CONVERGED) call stop_with('an atom has not converged')
   end do

   allocate (r(points), density(points, size(element)))
   r = first * (last / first)**([(real(k, c_double), k=0, points - 1)] / (points - 1))
   do i = 1, size(element)
      call dfr%radial_density(i, r, density(:, i))
   end do
   print '(a, *(i0, :, ", "))', '# r, 4 pi r^2 rho of Z = ', element
   do k = 1, points
      print '(es16.8, *(es16.8e3))', r(k), density(k, :)
   end do
   do i = 1, size(element)
      print '(/, /, a, i0, a)', '# shells of Z = ', element(i), ': name, electrons, orbital energy, mean radius'
      call print_shells(i)
   end do

contains

   subroutine read_elements
      character(len=20) :: argument
      integer :: j, status

      element = [54, 86]
      if (command_argument_count() > 0) element = [(0, j=1, command_argument_count())]
      do j = 1, command_argument_count()
         call get_command_argument(j, argument)
         read (argument, '(i20)', iostat=status) element(j)
         if (status /= 0) call stop_with('not a nuclear charge: ' // trim(argument))
      end do
   end subroutine read_elements

   subroutine print_shells(i)
      integer(c_int64_t), intent(in) :: i
      character(*), parameter :: letters = 'spdfghi'
      real(c_double), allocatable :: energies(:), electrons(:)
      real(c_double) :: radius
      integer :: species, l, all_species, states, state
      character(len=8) :: name

      call dfr%atom_size(i, all_species)
      do species = 1, all_species
         call dfr%spinors(i, species, states=states)
         allocate (energies(states), electrons(states))
         call dfr%spinors(i, species, energies, electrons)
         l = species / 2
         do state = 1, count(electrons > 0)     ! the lowest ones
            call dfr%radial_moment(i, species, state, 1, radius)
            write (name, '(i0, a, i0, a)') state + l, letters(l + 1:l + 1), 2 * ((species - 1) / 2) + 1, '/2'
            print '(a, f10.5, f18.8, f14.8)', name, electrons(state), energies(state), radius
         end do
         deallocate (energies, electrons)
      end do
   end subroutine print_shells

   subroutine stop_with(message)
      character(*), intent(in) :: message

      write (error_unit, '(2a)') 'dfr_density: ', message
      stop 1, quiet=.true.
   end subroutine stop_with
end program dfr_density
