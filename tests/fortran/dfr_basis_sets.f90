! Tests lists of basis sets: files of all formats give the same functions bit for bit, contractions by spinors, and
! refusals.
program dfr_basis_sets_test
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use legato
   use checks
   implicit none
   save
   character(*), parameter :: path = 'fortran_dfr_basis_sets.file'
   type(legato_context) :: context
   type(legato_dfr_basis_sets) :: sets, read, none
   integer, allocatable :: functions(:)
   real(c_double), allocatable :: exponents(:), coefficients(:, :)
   real(c_double), parameter :: zeta(5) = [0.3_c_double, 1.7_c_double, 11.1_c_double, 0.21_c_double, 2.3_c_double]
   integer :: format, element, shells, l, twice_j
   integer(c_int64_t) :: at, count

   call context%create(backend=LEGATO_BACKEND_CPU, threads=2)
   call files
   call contractions
   call libraries
   call refusals
   print '(a)', 'fortran dfr_basis_sets: all checks passed'

contains

   subroutine files
      call sets%create(context)
      call sets%add(5, [3, 1, 1], [zeta(:4), zeta(4)])
      call sets%add(2, [2], zeta(:2))
      do format = LEGATO_DFR_BASIS_FORMAT_BSE_JSON, LEGATO_DFR_BASIS_FORMAT_DIRAC
         call sets%write(path, format, name='boron and helium')
         call read%read(context, path, format)
         call read%size(count)
         call check(count == 2, 'number of sets')
         call read%element(2_c_int64_t, element)
         call check(element == 5, 'the order of elements')
         call read%find(5, at)
         call check(at == 2, 'boron is found')
         call read%exponents(at, functions, exponents)
         call check(all(functions == [3, 1, 1]) .and. all(exponents == [zeta(:4), zeta(4)]), 'exponents')
         call read%shells(at, shells)
         call check(shells == 4, 'shells')
         call read%shell(at, 4, l, twice_j, exponents, coefficients)
         call check(l == 1 .and. twice_j == 0 .and. all(exponents == zeta(4:4)) .and. all(shape(coefficients) == 1) .and. &
                    all(coefficients == 1), 'a shell')
      end do
      call remove_file(path)
   end subroutine files

   subroutine contractions
      type(legato_dfr) :: atoms
      type(legato_dfr_basis_sets) :: by_j, by_l

      call atoms%create(context)
      call atoms%add_element(10, basis='hennessey')
      call atoms%run()
      call by_j%create(context)
      call by_j%add_contracted(atoms, 1_c_int64_t, LEGATO_DFR_CONTRACTION_J_ADAPTED)
      call by_j%shells(1_c_int64_t, shells)
      call by_j%shell(1_c_int64_t, 3, l, twice_j, exponents, coefficients)
      call check(shells == 3 .and. l == 1 .and. twice_j == 3 .and. size(coefficients, 2) == 1, 'j-adapted')
      call by_j%write(path, LEGATO_DFR_BASIS_FORMAT_NWCHEM, stat=stat, errmsg=message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. says('has no place for Ne''s functions of p1/2'), message)
      call by_l%create(context)
      call by_l%add_contracted(atoms, 1_c_int64_t, LEGATO_DFR_CONTRACTION_L_AVERAGED, primitives=1)
      call by_l%shells(1_c_int64_t, shells)
      call by_l%shell(1_c_int64_t, 3, l, twice_j, exponents, coefficients)
      call check(shells == 4 .and. l == 1 .and. twice_j == 0 .and. all(shape(coefficients) == [size(exponents), 1]), &
                 'l-averaged')
   end subroutine contractions

   ! The sets of libraries, and the groups from which they follow.
   subroutine libraries
      type(legato_dfr) :: atoms
      type(legato_dfr_basis_sets) :: library
      type(legato_dfr_optimiser) :: optimiser
      type(legato_dfr_optimisation) :: start(2)
      type(legato_dfr_atom) :: atom(3)
      type(legato_dfr_optimiser_params) :: params
      integer, allocatable :: first(:), group(:), forms(:)
      real(c_double), allocatable :: parameters(:)
      real(c_double), parameter :: none(3) = 0
      integer(c_int64_t) :: i

      call atoms%create(context)
      call atoms%add_element(10)
      call atoms%add_element(10, basis='legato-5e-9')
      call atoms%add_element(10, basis='hennessey')
      call atoms%run()
      do i = 1, 3
         call atoms%result(i, atom(i))
      end do
      call check(atom(1)%energy == atom(2)%energy .and. atom(1)%energy < atom(3)%energy, 'the default library')
      call library%library(context, 'hennessey')
      call library%find(10, at)
      call library%groups(at, 3, functions, first, group, forms, parameters)
      call check(all(functions == [23, 16, 16]) .and. all(first == 1) .and. all(group == 1) .and. size(forms) == 1 .and. &
                 all(parameters == [9.943e-2_c_double, 1.945_c_double, 4.988_c_double, 1.392_c_double]), 'the groups of neon')
      params = dfr_optimiser_defaults()
      params%max_energies = 1
      call optimiser%create(context, params=params)
      call optimiser%add_element(10)
      call optimiser%add_groups(dfr_nucleus(10.0_c_double), functions, first, forms, parameters, [2, 1, 1], none, group=group)
      call optimiser%run()
      do i = 1, 2
         call optimiser%result(i, start(i))
      end do
      call check(start(1)%start_energy == start(2)%start_energy, 'the same start')
      call library%groups(at, 0, functions, first, group, forms, parameters, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. says('dfr.basis_sets.groups.n: 0 is not in 1..13') .and. &
                 size(functions) == 0 .and. size(parameters) == 0, message)
      call atoms%create(context)
      call atoms%add_element(10, stat=stat, errmsg=message, basis='unknown')
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. says('there is no library "unknown" in the folders'), message)
   end subroutine libraries

   subroutine refusals
      call sets%add(3, [2], zeta(:1), stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. &
                 message == 'dfr.basis_sets.add.exponents: 1 values are not 2, the sum of functions', message)
      call sets%add(2, [1], zeta(:1), stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. says('He already has a set'), message)
      call sets%find(54, at, stat, message)
      call check(at == 0 .and. says('there are sets for: He, B'), message)
      call sets%exponents(3_c_int64_t, functions, exponents, stat, message)
      call check(stat /= 0 .and. size(functions) == 0 .and. size(exponents) == 0, 'no exponents after an error')
      call sets%shell(1_c_int64_t, 0, l, twice_j, exponents, coefficients, stat, message)
      call check(stat /= 0 .and. size(coefficients) == 0 .and. says('dfr.basis_sets.shell: -1'), message)
      call read%library(context, 'unknown', 1.0e-6_c_double, stat, message)
      call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. says('there is no library "unknown" with an error'), message)
      call read%size(count, stat, message)
      call check(stat /= 0 .and. count == 0, 'a list that was not read')
      call none%add(2, [1], zeta(:1), stat, message)
      call check(stat /= 0 .and. message == 'used before it was created', message)
   end subroutine refusals

   logical function says(part)
      character(*), intent(in) :: part

      says = index(message, part) > 0
   end function says
end program dfr_basis_sets_test
