! The errors of spinors in basis sets: the columns of the table, and a file with all of them.
module basis_orbitals
   use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
   use kinds
   use basis_sets, only: basis_set, orbital_error
   use legato, only: dfr_symbol
   use part_files, only: put_line
   implicit none
   private
   public :: heading_of_errors, largest_errors, has_orbitals, write_orbitals

   character(*), parameter :: heading_of_errors = '  e / hartree    e / |e|        <r>      <r^2>      <1/r>'

contains

   elemental logical function has_orbitals(set)
      type(basis_set), intent(in) :: set

      has_orbitals = .not. set%found
      if (allocated(set%orbitals)) has_orbitals = has_orbitals .or. size(set%orbitals) > 0
   end function has_orbitals

   ! Returns the largest errors of all spinors for the table: of the orbital energies, in hartree and relative, and the
   ! relative ones of <r>, <r^2> and <1/r>. They are NaN if they are unknown.
   function largest_errors(set) result(text)
      type(basis_set), intent(in) :: set
      character(len=57) :: text
      real(rkind) :: errors(5)

      errors = ieee_value(zero, ieee_quiet_nan)
      if (has_orbitals(set)) errors = [maxval(abs(set%orbitals%energy)), &
         maxval(abs(set%orbitals%energy / set%orbitals%limit%energy)), maxval(abs(set%orbitals%r)), &
         maxval(abs(set%orbitals%square)), maxval(abs(set%orbitals%inverse))]
      write (text, '(es13.1e2, 4es11.1e2)') errors
   end function largest_errors

   ! Writes the errors of all spinors of all sets to open file `number`.
   subroutine write_orbitals(number, conditions, sets)
      integer, intent(in) :: number
      character(*), intent(in) :: conditions
      type(basis_set), intent(in) :: sets(:)
      character(len=132) :: line
      integer :: k, a

      call put_line(number, '# dfr_basis: errors of spinors with restricted kinetic balance, ' // conditions)
      call put_line(number, '# e: orbital energy in the large basis, in hartree; de: its error in hartree')
      call put_line(number, '# The errors of <r>, <r^2> and <1/r> are relative.')
      call put_line(number, '#     largest error  spinor  electrons                    e          de    de / |e|' // &
                    '         <r>       <r^2>       <1/r>')
      do k = 1, size(sets)
         if (.not. sets(k)%found) cycle
         do a = 1, size(sets(k)%orbitals)
            associate (of => sets(k)%orbitals(a))
               write (line, '(a4, es14.1e2, 4x, a8, f9.4, es21.12e2, 5es12.2e2)') trim(dfr_symbol(sets(k)%element)), &
                  sets(k)%allowed, of%limit%name, of%limit%occupation, of%limit%energy, of%energy, &
                  of%energy / abs(of%limit%energy), of%r, of%square, of%inverse
            end associate
            call put_line(number, line)
         end do
      end do
   end subroutine write_orbitals

end module basis_orbitals
