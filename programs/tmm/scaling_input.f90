! Reads tables of normalised localisation lengths, and output files of tmsexd and tmsexd_batch.
module scaling_input
   use, intrinsic :: iso_fortran_env, only: iostat_end
   use kinds
   use messages
   use scaling_options
   implicit none
   private
   public :: table, read_files

   ! Widths M, control parameters W, values and their standard errors.
   type table
      real(rkind), allocatable :: length(:), control(:), value(:), error(:)
   end type table

   integer, parameter :: longest_line = 2000, most_columns = 100

contains

   subroutine read_files(given, data, ierr)
      type(options), intent(in) :: given
      type(table), intent(out) :: data
      integer(ikind), intent(inout) :: ierr
      integer :: i

      allocate (data%length(0), data%control(0), data%value(0), data%error(0))
      do i = 1, size(given%files)
         if (ierr == 0) call read_file(given, given%files(i)%text, data, ierr)
      end do
      if (ierr == 0 .and. size(data%value) == 0) call refuse('no data lie in the ranges of --widths and --controls', ierr)
      if (ierr == 0 .and. given%inverse) call invert(data, ierr)
   end subroutine read_files

   subroutine read_file(given, name, data, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: name
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr
      character(len=longest_line + 1) :: line
      character(len=200) :: reason
      real(rkind) :: width
      integer(lkind) :: number
      integer :: unit, status
      logical :: folder, is_raw

      inquire (file=name // '/.', exist=folder)     ! it could be opened, and would be empty
      reason = 'is a directory'
      status = 1
      if (.not. folder) open (newunit=unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
      if (status /= 0) then
         call refuse(name // ': cannot be opened: ' // trim(reason), ierr)
         return
      end if
      is_raw = .false.
      width = zero
      number = 0
      do while (ierr == 0)
         read (unit, '(a)', iostat=status, iomsg=reason) line
         if (status == iostat_end) exit
         number = number + 1
         if (status /= 0) then
            call refuse(place(name, number) // 'cannot be read: ' // trim(reason), ierr)
         else if (len_trim(line) > longest_line) then
            call refuse(place(name, number) // 'the line is too long', ierr)
         else if (number == 1 .and. index(line, '(* tmsexd') == 1) then
            is_raw = .true.
         else if (is_raw) then
            call read_raw_line(given, place(name, number), line, width, data, ierr)
         else
            call read_line(given, place(name, number), line, data, ierr)
         end if
      end do
      close (unit)
      if (is_raw .and. ierr == 0) call complain(name // ': warning: tmsexd gives all points the same random numbers, and ' // &
         'its errors can be wrong by factors; the fit takes them as independent and right')
   end subroutine read_file

   function place(name, number) result(text)
      character(*), intent(in) :: name
      integer(lkind), intent(in) :: number
      character(:), allocatable :: text

      text = name // ':' // integer_text(number) // ': '
   end function place

   ! Adds the data of a line of a table. Text after # is a comment.
   subroutine read_line(given, where, line, data, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: where, line
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr
      type(text_item), allocatable :: words(:)
      real(rkind) :: numbers(4)
      integer :: i, past

      past = index(line // '#', '#')
      call split(line(:past - 1), words)
      if (size(words) == 0) return
      do i = 1, 4
         if (given%columns(i) > size(words)) then
            call refuse(where // 'there is no column ' // integer_text(given%columns(i)), ierr)
         else if (.not. number_of(words(given%columns(i))%text, numbers(i))) then
            call refuse(where // 'column ' // integer_text(given%columns(i)) // ': ' // &
                        quoted(words(given%columns(i))%text) // ' is not a number', ierr)
         end if
         if (ierr /= 0) return
      end do
      call add(given, where, numbers, data, ierr)
   end subroutine read_line

   ! Takes the width from the head of a file of tmsexd, and the smallest exponent of each point:
   ! { index, disorder, energy, exponent, error, flag }.
   subroutine read_raw_line(given, where, line, width, data, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: where, line
      real(rkind), intent(inout) :: width
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr
      type(text_item), allocatable :: words(:)
      real(rkind) :: numbers(5)
      integer :: i, brace

      if (index(line, 'Width =') == 1) then
         call split(line(8:index(line // ';', ';') - 1), words)
         if (size(words) == 1) then
            if (number_of(words(1)%text, width)) return
         end if
         call refuse(where // 'the width is not a number', ierr)
         return
      end if
      brace = index(line, '{')
      if (brace == 0 .or. index(line, '}') < brace) return
      call split(line(brace + 1:index(line, '}') - 1), words)
      if (size(words) /= 6) return     ! the head of the table
      do i = 1, 5
         if (number_of(words(i)%text, numbers(i))) cycle
         if (i > 1) call refuse(where // quoted(words(i)%text) // ' is not a number', ierr)
         return
      end do
      if (nint(numbers(1)) /= 1) return
      if (.not. (width > zero .and. numbers(4) > zero)) then
         call refuse(where // 'the width or the exponent is not positive', ierr)
         return
      end if
      associate (lambda => 1 / (numbers(4) * width))
         call add(given, where, [width, numbers(2), lambda, lambda * numbers(5)], data, ierr)
      end associate
   end subroutine read_raw_line

   subroutine split(text, words)
      character(*), intent(in) :: text
      type(text_item), allocatable, intent(out) :: words(:)
      character(*), parameter :: blanks = ' ,;' // achar(9) // achar(13)
      integer :: from, length

      allocate (words(0))
      from = 1
      do while (from <= len(text) .and. size(words) < most_columns)
         length = verify(text(from:), blanks)
         if (length == 0) return
         from = from + length - 1
         length = scan(text(from:) // ' ', blanks) - 1
         words = [words, text_item(text(from:from + length - 1))]
         from = from + length
      end do
   end subroutine split

   ! Adds M, W, value and error if M and W lie in the ranges.
   subroutine add(given, where, numbers, data, ierr)
      type(options), intent(in) :: given
      character(*), intent(in) :: where
      real(rkind), intent(in) :: numbers(4)
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr

      if (numbers(1) < given%widths%first .or. numbers(1) > given%widths%last) return
      if (numbers(2) < given%controls%first .or. numbers(2) > given%controls%last) return
      if (.not. numbers(4) > zero) then
         call refuse(where // 'the error ' // real_text(numbers(4)) // ' is not positive', ierr)
         return
      end if
      data%length = [data%length, numbers(1)]
      data%control = [data%control, numbers(2)]
      data%value = [data%value, numbers(3)]
      data%error = [data%error, numbers(4)]
   end subroutine add

   subroutine invert(data, ierr)
      type(table), intent(inout) :: data
      integer(ikind), intent(inout) :: ierr

      if (any(data%value <= zero)) then
         call refuse('--inverse: a value is not positive', ierr)
         return
      end if
      data%error = data%error / data%value**2
      data%value = 1 / data%value
   end subroutine invert

end module scaling_input
