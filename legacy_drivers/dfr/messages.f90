! Errors, on standard error, and printed lines, on standard output or in a file. These go through the C library's stream:
! the Fortran library drops the error of a delayed write, and a full disk must not go unnoticed.
module messages
   use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int, c_new_line, c_null_char, c_null_ptr, c_ptr
   use, intrinsic :: iso_fortran_env, only: error_unit
   use kinds
   implicit none
   private
   public :: complain, print_line, print_to_file, end_file, check_output, integer_text, real_text, quoted

   logical :: output_failed = .false.
   type(c_ptr) :: file = c_null_ptr     ! where lines go, if not to standard output
   character(:), allocatable :: file_name

   interface
      function puts(line) bind(c) result(outcome)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: line(*)
         integer(c_int) :: outcome
      end function puts

      function fopen(name, mode) bind(c) result(stream)
         import :: c_char, c_ptr
         character(kind=c_char), intent(in) :: name(*), mode(*)
         type(c_ptr) :: stream
      end function fopen

      function fputs(text, stream) bind(c) result(outcome)
         import :: c_char, c_int, c_ptr
         character(kind=c_char), intent(in) :: text(*)
         type(c_ptr), value :: stream
         integer(c_int) :: outcome
      end function fputs

      function fclose(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fclose

      function fflush(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fflush
   end interface

contains

   subroutine complain(text)
      character(*), intent(in) :: text

      write (error_unit, '(2a)') 'dfratom: ', text
   end subroutine complain

   ! Flushed, so that a reader of the pipe is up to date.
   subroutine print_line(text)
      character(*), intent(in) :: text

      if (output_failed) return
      if (c_associated(file)) then
         output_failed = fputs(trim(text) // c_new_line // c_null_char, file) < 0
         if (output_failed) call complain(file_name // ': cannot be written')
         return
      end if
      output_failed = puts(trim(text) // c_null_char) < 0
      if (.not. output_failed) output_failed = fflush(c_null_ptr) /= 0
      if (output_failed) call complain('standard output cannot be written')
   end subroutine print_line

   ! Lines go to this file, which is made anew, up to end_file.
   subroutine print_to_file(name)
      character(*), intent(in) :: name

      file_name = name
      file = fopen(name // c_null_char, 'w' // c_null_char)
      output_failed = output_failed .or. .not. c_associated(file)
      if (.not. c_associated(file)) call complain(name // ': cannot be written')
   end subroutine print_to_file

   subroutine end_file
      integer(c_int) :: failure

      if (.not. c_associated(file)) return
      failure = fclose(file)
      file = c_null_ptr
      if (failure /= 0 .and. .not. output_failed) call complain(file_name // ': cannot be written')
      output_failed = output_failed .or. failure /= 0
   end subroutine end_file

   subroutine check_output(ierr)
      integer(ikind), intent(out) :: ierr

      ierr = merge(1_ikind, 0_ikind, output_failed)
   end subroutine check_output

   function integer_text(value) result(text)
      integer(lkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(i0)') value
      text = trim(buffer)
   end function integer_text

   ! As few digits as tell the value: 0.3, 137.0359895, 1.0E-005.
   function real_text(value) result(text)
      real(rkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=40) :: buffer, form
      real(rkind) :: back
      integer :: digits, status

      do digits = 1, 17
         if (abs(value) > zero .and. (abs(value) < 1.0e-3_rkind .or. abs(value) >= 1.0e7_rkind)) then
            write (form, '(a,i0,a)') '(es40.', digits, 'e3)'
         else
            write (form, '(a,i0,a)') '(f40.', digits, ')'
         end if
         write (buffer, form) value
         read (buffer, *, iostat=status) back
         if (status /= 0 .or. abs(back - value) <= zero) exit
      end do
      text = trim(adjustl(buffer))
   end function real_text

   ! Foreign text in a message: short, and printable.
   function quoted(text) result(shown_text)
      character(*), intent(in) :: text
      character(:), allocatable :: shown_text
      integer, parameter :: longest = 40
      integer :: i

      shown_text = text(1:min(len(text), longest))
      do i = 1, len(shown_text)
         if (iachar(shown_text(i:i)) < 32 .or. iachar(shown_text(i:i)) > 126) shown_text(i:i) = '?'
      end do
      if (len(text) > longest) shown_text = shown_text // '...'
      shown_text = '"' // shown_text // '"'
   end function quoted

end module messages
