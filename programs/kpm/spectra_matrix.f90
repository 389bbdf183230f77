! Reads a Hamiltonian from a file in the coordinate format of Matrix Market
! (https://math.nist.gov/MatrixMarket/formats.html). Rows and columns count from 1.
module spectra_matrix
   use, intrinsic :: iso_fortran_env, only: iostat_end, iostat_eor
   use kinds
   use command_line, only: append, number_of, text_item, whole_of
   use legato
   use messages
   implicit none
   private
   public :: read_matrix

   integer(lkind), parameter :: most_rows = 2147483647
   integer, parameter :: longest_line = 1024, shortest_entry = 4     ! bytes: "1 1" and the end of the line

   type matrix_file
      character(:), allocatable :: name
      integer :: unit = 0
      integer(lkind) :: line = 0, rows = 0, entries = 0, bytes = 0
      logical :: is_complex = .false., has_values = .true., mirrored = .false.
      logical :: failed = .false.
      ! Row, column and value of each element that is stored in the file.
      integer(ikind), allocatable :: row(:), column(:)
      complex(rkind), allocatable :: value(:)
   end type matrix_file

contains

   ! Creates the Hamiltonian. ierr = 1: an error, which has been reported.
   subroutine read_matrix(name, context, hamiltonian, ierr)
      character(*), intent(in) :: name
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      integer(ikind), intent(out) :: ierr
      type(matrix_file) :: file
      character(len=200) :: reason
      integer :: status
      logical :: folder

      file%name = name
      inquire (file=name // '/.', exist=folder)     ! it could be opened, and would be empty
      reason = 'is a directory'
      status = 1
      if (.not. folder) open (newunit=file%unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
      ierr = 1
      if (status /= 0) then
         call complain(name // ': cannot be opened: ' // trim(reason))
         return
      end if
      inquire (unit=file%unit, size=file%bytes)
      file%bytes = file%bytes + 1     ! the last line may have no end
      call read_head(file)
      if (.not. file%failed) call read_entries(file)
      close (file%unit, iostat=status)
      if (.not. file%failed) call create(file, context, hamiltonian)
      ierr = merge(1_ikind, 0_ikind, file%failed)
   end subroutine read_matrix

   ! Reports the first error.
   subroutine refuse(file, what, allowed)
      type(matrix_file), intent(inout) :: file
      character(*), intent(in) :: what
      character(*), intent(in), optional :: allowed
      character(:), allocatable :: text

      if (file%failed) return
      file%failed = .true.
      text = file%name // ', line ' // integer_text(file%line) // ': ' // what
      if (present(allowed)) text = text // ' (allowed: ' // allowed // ')'
      call complain(text)
   end subroutine refuse

   ! Reads the next line, without surrounding blanks.
   subroutine next_line(file, text, found)
      type(matrix_file), intent(inout) :: file
      character(:), allocatable, intent(out) :: text
      logical, intent(out) :: found
      character(len=longest_line) :: buffer
      character(len=200) :: reason
      integer :: status, i

      text = ''
      file%line = file%line + 1
      read (file%unit, '(a)', advance='no', iostat=status, iomsg=reason) buffer
      found = status == iostat_eor
      if (status == 0) call refuse(file, 'this line is too long', '1..' // integer_text(longest_line - 1) // ' characters')
      if (status > 0) call refuse(file, 'this line cannot be read: ' // trim(reason))
      if (.not. found) return
      do i = 1, len_trim(buffer)
         if (iachar(buffer(i:i)) == 9 .or. iachar(buffer(i:i)) == 13) buffer(i:i) = ' '
      end do
      text = trim(adjustl(buffer))
   end subroutine next_line

   subroutine split(text, words)
      character(*), intent(in) :: text
      type(text_item), allocatable, intent(out) :: words(:)
      integer :: from, length

      allocate (words(0))
      from = 1
      do while (from <= len(text))
         length = verify(text(from:), ' ')
         if (length == 0) return
         from = from + length - 1
         length = scan(text(from:) // ' ', ' ') - 1
         call append(words, text(from:from + length - 1))
         from = from + length
      end do
   end subroutine split

   ! Reads the first line, comments, and the size.
   subroutine read_head(file)
      type(matrix_file), intent(inout) :: file
      character(:), allocatable :: text
      type(text_item), allocatable :: words(:)
      integer(lkind) :: size_of(3)
      logical :: found, fine
      integer :: k

      call next_line(file, text, found)
      call split(lower_case(text), words)
      if (size(words) /= 5) then
         call refuse(file, 'this is not the first line of a Matrix Market file', &
                     '%%MatrixMarket matrix coordinate real|integer|complex|pattern general|symmetric|hermitian')
         return
      end if
      if (words(1)%text /= '%%matrixmarket') call refuse(file, quoted(words(1)%text), '%%MatrixMarket')
      if (words(2)%text /= 'matrix') call refuse(file, quoted(words(2)%text), 'matrix')
      if (words(3)%text /= 'coordinate') call refuse(file, 'the format ' // quoted(words(3)%text), 'coordinate')
      call take_kind(file, words(4)%text, words(5)%text)
      do
         if (file%failed) return
         call next_line(file, text, found)
         if (.not. found) call refuse(file, 'the file ends before the size of the matrix')
         if (.not. found) return
         if (len(text) > 0 .and. index(text, '%') /= 1) exit
      end do
      call split(text, words)
      fine = size(words) == 3
      do k = 1, 3
         if (fine) fine = whole_of(words(k)%text, size_of(k))
      end do
      if (.not. fine) then
         call refuse(file, quoted(text) // ' is not the size of a matrix', 'rows, columns and number of elements')
      else if (size_of(1) /= size_of(2) .or. size_of(1) < 1 .or. size_of(1) > most_rows) then
         call refuse(file, integer_text(size_of(1)) // ' rows and ' // integer_text(size_of(2)) // ' columns', &
                     'a square matrix with 1..' // integer_text(most_rows) // ' rows')
      else if (size_of(3) > file%bytes / shortest_entry) then
         call refuse(file, integer_text(size_of(3)) // ' elements are more than the file can have with ' // &
                     integer_text(file%bytes) // ' bytes')
      else
         file%rows = size_of(1)
         file%entries = size_of(3)
      end if
   end subroutine read_head

   subroutine take_kind(file, field, symmetry)
      type(matrix_file), intent(inout) :: file
      character(*), intent(in) :: field, symmetry

      select case (field)
      case ('real', 'integer')
      case ('complex')
         file%is_complex = .true.
      case ('pattern')
         file%has_values = .false.     ! all elements are 1
      case default
         call refuse(file, 'elements of the kind ' // quoted(field), 'real, integer, complex, pattern')
      end select
      select case (symmetry)
      case ('general')
      case ('symmetric')
         file%mirrored = .true.
         if (file%is_complex) call refuse(file, 'a complex symmetric matrix is not Hermitian', 'general, hermitian')
      case ('hermitian')
         file%mirrored = .true.
      case default
         call refuse(file, 'the symmetry ' // quoted(symmetry), 'general, symmetric, hermitian')
      end select
   end subroutine take_kind

   subroutine read_entries(file)
      type(matrix_file), intent(inout) :: file
      character(:), allocatable :: text
      integer(lkind) :: k
      integer :: status
      logical :: found

      allocate (file%row(file%entries), file%column(file%entries), file%value(file%entries), stat=status)
      if (status /= 0) call refuse(file, 'there is not enough memory for ' // integer_text(file%entries) // ' elements')
      k = 0
      do while (.not. file%failed)
         call next_line(file, text, found)
         if (.not. found) exit
         if (len(text) == 0 .or. index(text, '%') == 1) cycle
         k = k + 1
         if (k > file%entries) then
            call refuse(file, 'there are more than ' // integer_text(file%entries) // ' elements')
         else
            call take_entry(file, text, k)
         end if
      end do
      if (k < file%entries) call refuse(file, 'the file ends after ' // integer_text(k) // ' of ' // &
                                        integer_text(file%entries) // ' elements')
   end subroutine read_entries

   subroutine take_entry(file, text, k)
      type(matrix_file), intent(inout) :: file
      character(*), intent(in) :: text
      integer(lkind), intent(in) :: k
      type(text_item), allocatable :: words(:)
      integer(lkind) :: place(2)
      real(rkind) :: parts(2)
      integer :: i, numbers

      numbers = merge(merge(2, 1, file%is_complex), 0, file%has_values)
      call split(text, words)
      if (size(words) /= 2 + numbers) then
         call refuse(file, 'there are ' // integer_text(size(words)) // ' words', integer_text(2 + numbers) // &
                     ': row, column and the parts of the value')
         return
      end if
      parts = [merge(zero, one, file%has_values), zero]
      do i = 1, 2
         if (whole_of(words(i)%text, place(i))) then
            if (place(i) >= 1 .and. place(i) <= file%rows) cycle
         end if
         call refuse(file, trim(merge('row   ', 'column', i == 1)) // ' ' // quoted(words(i)%text), &
                     '1..' // integer_text(file%rows))
      end do
      do i = 1, numbers
         if (.not. number_of(words(2 + i)%text, parts(i))) call refuse(file, quoted(words(2 + i)%text) // ' is not a number')
      end do
      if (file%failed) return
      file%row(k) = int(place(1), ikind)
      file%column(k) = int(place(2), ikind)
      file%value(k) = cmplx(parts(1), parts(2), rkind)
   end subroutine take_entry

   ! Sorts the elements by rows, adds those of the other triangle, and gives them to the library.
   subroutine create(file, context, hamiltonian)
      type(matrix_file), intent(inout) :: file
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      integer(lkind), allocatable :: first(:), next(:)
      integer(ikind), allocatable :: columns(:)
      complex(rkind), allocatable :: values(:)
      character(len=400) :: message
      integer(lkind) :: k
      integer :: stat

      allocate (first(file%rows + 1), source=0_lkind, stat=stat)
      if (stat == 0) then
         do k = 1, file%entries
            first(file%row(k) + 1) = first(file%row(k) + 1) + 1
            if (is_mirrored(k)) first(file%column(k) + 1) = first(file%column(k) + 1) + 1
         end do
         first(1) = 1
         do k = 1, file%rows
            first(k + 1) = first(k) + first(k + 1)
         end do
         allocate (columns(first(file%rows + 1) - 1), values(first(file%rows + 1) - 1), stat=stat)
      end if
      if (stat /= 0) then
         call complain(file%name // ': not enough memory for the matrix')
         file%failed = .true.
         return
      end if
      next = first
      do k = 1, file%entries
         call put(file%row(k), file%column(k), file%value(k))
         if (is_mirrored(k)) call put(file%column(k), file%row(k), conjg(file%value(k)))
      end do
      message = ''
      if (file%is_complex) then
         call hamiltonian%create_matrix(context, first, columns, values, stat=stat, errmsg=message)
      else
         call hamiltonian%create_matrix(context, first, columns, values%re, stat=stat, errmsg=message)
      end if
      file%failed = stat /= LEGATO_STATUS_SUCCESS
      if (file%failed) call complain(file%name // ': ' // trim(message) // ' (rows and columns count from 1)')

   contains

      logical function is_mirrored(k)
         integer(lkind), intent(in) :: k

         is_mirrored = file%mirrored .and. file%row(k) /= file%column(k)
      end function is_mirrored

      subroutine put(row, column, value)
         integer(ikind), intent(in) :: row, column
         complex(rkind), intent(in) :: value

         columns(next(row)) = column
         values(next(row)) = value
         next(row) = next(row) + 1
      end subroutine put
   end subroutine create

end module spectra_matrix
