! Basis sets in the JSON format of the Basis Set Exchange (B. P. Pritchard et al., J. Chem. Inf. Model. 59, 4814 (2019)).
! A file has the sets of all elements for one error. Every function is a shell of its own: the sets are not contracted.
module basis_files
   use kinds
   use basis_sets, only: basis_set
   use legato, only: dfr_symbol
   use messages, only: integer_text
   use part_files
   implicit none
   private
   public :: file_name, write_sets

contains

   function file_name(output, error) result(name)
      character(*), intent(in) :: output
      real(rkind), intent(in) :: error
      character(:), allocatable :: name

      name = output // '-' // short_text(error) // '.json'
   end function file_name

   ! Returns a number such as 5e-9 or 1.5e-6.
   function short_text(value) result(text)
      real(rkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=30) :: buffer
      real(rkind) :: mantissa
      integer :: power

      write (buffer, '(es12.3e2)') value
      read (buffer(:index(buffer, 'E') - 1), *) mantissa
      read (buffer(index(buffer, 'E') + 1:), *) power
      write (buffer, '(f6.3)') mantissa
      text = trim(adjustl(buffer))
      text = text(:verify(text, '0', back=.true.))
      if (text(len(text):) == '.') text = text(:len(text) - 1)
      text = text // 'e' // integer_text(int(power, ikind))
   end function short_text

   ! Writes the sets to open file `number`. They are those of one error, in the order of the elements.
   subroutine write_sets(number, name, nucleus, sets)
      integer, intent(in) :: number
      character(*), intent(in) :: name, nucleus
      type(basis_set), intent(in) :: sets(:)
      integer :: k, last

      last = findloc(sets%found, .true., dim=1, back=.true.)
      call put_line(number, '{')
      call put_line(number, '  "molssi_bse_schema": {"schema_type": "complete", "schema_version": "0.1"},')
      call put_line(number, '  "name": "' // escaped(name) // '",')
      call put_line(number, '  "description": "Dirac-Fock, average of the ground configuration, nucleus ' // nucleus // &
                    ', relative error of the energy at most ' // short_text(sets(1)%allowed) // '",')
      call put_line(number, '  "version": "1", "revision_description": "written by dfr_basis of Legato",')
      call put_line(number, '  "family": "legato", "role": "orbital", "function_types": ["gto"], "tags": [], "auxiliaries": {},')
      call put_line(number, '  "elements": {')
      do k = 1, size(sets)
         if (sets(k)%found) call write_element(number, sets(k), k == last)
      end do
      call put_line(number, '  }')
      call put_line(number, '}')
   end subroutine write_sets

   subroutine write_element(number, set, is_last)
      integer, intent(in) :: number
      type(basis_set), intent(in) :: set
      logical, intent(in) :: is_last
      integer :: l, i, at
      character(len=30) :: exponent

      call put_line(number, '    "' // integer_text(int(set%element, ikind)) // '": {"references": [], "electron_shells": [')
      at = 0
      do l = 0, size(set%functions) - 1
         do i = 1, set%functions(l + 1)
            at = at + 1
            write (exponent, '(es23.16e3)') set%exponents(at)
            call put_line(number, '      {"function_type": "gto", "region": "", "angular_momentum": [' // &
                          integer_text(int(l, ikind)) // '], "exponents": ["' // trim(adjustl(exponent)) // &
                          '"], "coefficients": [["1.0"]]}' // comma(at == size(set%exponents)))
         end do
      end do
      call put_line(number, '    ]}' // comma(is_last))
   end subroutine write_element

   function comma(is_last) result(text)
      logical, intent(in) :: is_last
      character(:), allocatable :: text

      text = ','
      if (is_last) text = ''
   end function comma

   ! Returns the text as a JSON string may contain it. Control characters and quotation marks become question marks.
   function escaped(text) result(fine)
      character(*), intent(in) :: text
      character(:), allocatable :: fine
      integer :: i

      fine = text
      do i = 1, len(fine)
         if (iachar(fine(i:i)) < 32 .or. scan(fine(i:i), '"\') > 0) fine(i:i) = '?'
      end do
   end function escaped

end module basis_files
