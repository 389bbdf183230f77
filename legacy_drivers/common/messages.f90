! Errors, on standard error, and printed lines, on standard output or in a file. These go through the C library's stream:
! the Fortran library drops the error of a delayed write, and a full disk must not go unnoticed.
module messages
   use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_new_line, c_null_char, c_null_ptr, c_ptr
   use, intrinsic :: iso_fortran_env, only: error_unit
   use CStreams, only: fclose, fflush, fopen, fputs, perror, puts
   use kinds
   implicit none
   private
   public :: name_program, complain, complain_of_c, print_line, print_to_file, end_file, check_output, integer_text
   public :: fixed, real_text, quoted

   character(len=20) :: program_name = 'error'
   logical :: output_failed = .false.     ! the standard one; no more goes there
   logical :: to_file = .false.           ! where lines go, if not to standard output
   logical :: file_failed = .false., any_file_failed = .false.
   type(c_ptr) :: file = c_null_ptr
   character(:), allocatable :: file_name

contains

   ! What an error line begins with.
   subroutine name_program(name)
      character(*), intent(in) :: name

      program_name = name
   end subroutine name_program

   subroutine complain(text)
      character(*), intent(in) :: text

      write (error_unit, '(3a)') trim(program_name), ': ', text
   end subroutine complain

   ! The same for a call of the C library that has just failed.
   subroutine complain_of_c(what)
      character(*), intent(in) :: what

      call perror(trim(program_name) // ': ' // what // c_null_char)
   end subroutine complain_of_c

   ! Flushed, so that a reader of the pipe is up to date.
   subroutine print_line(text)
      character(*), intent(in) :: text

      if (to_file) then
         if (.not. file_failed) call check_file(fputs(trim(text) // c_new_line // c_null_char, file) < 0)
         return
      end if
      if (output_failed) return
      output_failed = puts(trim(text) // c_null_char) < 0
      if (.not. output_failed) output_failed = fflush(c_null_ptr) /= 0
      if (output_failed) call complain('standard output cannot be written')
   end subroutine print_line

   ! Lines go to this file, which is made anew, up to end_file.
   subroutine print_to_file(name)
      character(*), intent(in) :: name

      file_name = name
      to_file = .true.
      file_failed = .false.
      file = fopen(name // c_null_char, 'w' // c_null_char)
      call check_file(.not. c_associated(file))
   end subroutine print_to_file

   subroutine end_file
      to_file = .false.
      if (.not. c_associated(file)) return
      call check_file(fclose(file) /= 0)
      file = c_null_ptr
   end subroutine end_file

   ! Told once for each file.
   subroutine check_file(failed)
      logical, intent(in) :: failed

      if (failed .and. .not. file_failed) call complain(file_name // ': cannot be written')
      file_failed = file_failed .or. failed
      any_file_failed = any_file_failed .or. failed
   end subroutine check_file

   subroutine check_output(ierr)
      integer(ikind), intent(out) :: ierr

      ierr = merge(1_ikind, 0_ikind, output_failed .or. any_file_failed)
   end subroutine check_output

   function integer_text(value) result(text)
      integer(lkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(i0)') value
      text = trim(buffer)
   end function integer_text

   ! With so many decimals, and a zero before the point.
   function fixed(value, decimals) result(text)
      real(rkind), intent(in) :: value
      integer, intent(in) :: decimals
      character(:), allocatable :: text
      character(len=60) :: buffer, form

      write (form, '(a,i0,a)') '(f60.', decimals, ')'
      write (buffer, form) value
      text = trim(adjustl(buffer))
   end function fixed

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
