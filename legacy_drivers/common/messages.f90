! Output for the user: errors and the progress line on standard error, and printed lines on standard output or in a
! file.
module messages
   use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_new_line, c_null_char, c_null_ptr, c_ptr
   use, intrinsic :: iso_fortran_env, only: error_unit
   use CStreams, only: fdopen, fflush, fputs, ignore_size_signal, isatty, open_closed_streams, perror
   use kinds
   implicit none
   private
   public :: start_messages, complain, complain_of_c, print_line, print_to_file, end_file, check_output
   public :: wants_progress, show_progress_line, wipe_progress_line
   public :: integer_text, fixed, real_text, quoted, lower_case

   integer(c_int), parameter :: standard_output = 1, standard_error = 2

   character(len=20) :: program_name = 'error'
   logical :: progress_stands = .false.
   integer(lkind) :: last_shown           ! time of the last progress line, in ticks of the clock
   type(c_ptr) :: output = c_null_ptr     ! standard output
   logical :: output_failed = .false.     ! nothing more is written there
   logical :: to_file = .false.           ! printed lines go to a file, not to standard output
   logical :: file_failed = .false.       ! a failure is reported once
   type(c_ptr) :: file = c_null_ptr
   character(:), allocatable :: file_name

   interface integer_text
      module procedure short_integer_text, long_integer_text
   end interface

contains

   ! Sets the name with which error lines begin, and checks the standard streams. If one were closed, the next file
   ! opened would get its descriptor, and messages would be written into that file. Standard output must therefore be
   ! open; the others are opened as /dev/null if they are closed.
   subroutine start_messages(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      program_name = name
      call ignore_size_signal
      call system_clock(last_shown)
      output = fdopen(standard_output, 'w' // c_null_char)
      ierr = 1
      if (.not. c_associated(output)) then
         call complain_of_c('standard output')
      else if (open_closed_streams() /= 0) then
         call complain_of_c('/dev/null')
      else
         ierr = 0
      end if
   end subroutine start_messages

   subroutine complain(text)
      character(*), intent(in) :: text
      integer :: unused     ! if standard error is closed, only the exit status reports the error

      call wipe_progress_line
      write (error_unit, '(3a)', iostat=unused) trim(program_name), ': ', text
   end subroutine complain

   ! Prints an error line for a call of the C library that has just failed.
   subroutine complain_of_c(what)
      character(*), intent(in) :: what

      call wipe_progress_line
      call perror(trim(program_name) // ': ' // what // c_null_char)
   end subroutine complain_of_c

   ! Returns true if standard error is a terminal and half a second has passed since the last progress line.
   function wants_progress()
      logical :: wants_progress
      integer(lkind) :: now, rate

      wants_progress = isatty(standard_error) == 1
      if (.not. wants_progress) return
      call system_clock(now, rate)
      wants_progress = now - last_shown >= rate / 2
      if (wants_progress) last_shown = now
   end function wants_progress

   subroutine show_progress_line(text)
      character(*), intent(in) :: text

      call wipe_progress_line
      write (error_unit, '(a)', advance='no') text
      flush (error_unit)
      progress_stands = .true.
   end subroutine show_progress_line

   subroutine wipe_progress_line
      character(*), parameter :: carriage_return = achar(13)

      if (.not. progress_stands) return
      write (error_unit, '(3a)', advance='no') carriage_return, repeat(' ', 79), carriage_return
      flush (error_unit)
      progress_stands = .false.
   end subroutine wipe_progress_line

   ! Prints a line. Standard output is flushed, so that a reader of the pipe gets the line at once.
   subroutine print_line(text)
      character(*), intent(in) :: text

      if (to_file) then
         if (file_failed) return
         file_failed = fputs(trim(text) // c_new_line // c_null_char, file) < 0
         if (file_failed) call complain_of_c(file_name)
         return
      end if
      if (output_failed) return
      call wipe_progress_line
      output_failed = fputs(trim(text) // c_new_line // c_null_char, output) < 0
      if (.not. output_failed) output_failed = fflush(output) /= 0
      if (output_failed) call complain_of_c('standard output')
   end subroutine print_line

   ! Directs printed lines to this open file until end_file is called.
   subroutine print_to_file(stream, name)
      type(c_ptr), intent(in) :: stream
      character(*), intent(in) :: name

      file = stream
      file_name = name
      to_file = .true.
      file_failed = .false.
   end subroutine print_to_file

   subroutine end_file(failed)
      logical, intent(out) :: failed

      to_file = .false.
      failed = file_failed
   end subroutine end_file

   subroutine check_output(ierr)
      integer(ikind), intent(out) :: ierr

      ierr = merge(1_ikind, 0_ikind, output_failed)
   end subroutine check_output

   function short_integer_text(value) result(text)
      integer(ikind), intent(in) :: value
      character(:), allocatable :: text

      text = long_integer_text(int(value, lkind))
   end function short_integer_text

   function long_integer_text(value) result(text)
      integer(lkind), intent(in) :: value
      character(:), allocatable :: text
      character(len=24) :: buffer

      write (buffer, '(i0)') value
      text = trim(buffer)
   end function long_integer_text

   ! Returns the value with this number of decimals, and a zero before the point.
   function fixed(value, decimals) result(text)
      real(rkind), intent(in) :: value
      integer, intent(in) :: decimals
      character(:), allocatable :: text
      character(len=60) :: buffer, form

      write (form, '(a,i0,a)') '(f60.', decimals, ')'
      write (buffer, form) value
      text = trim(adjustl(buffer))
   end function fixed

   ! Returns the value with as few digits as identify it: 0.3, 137.0359895, 1.0E-005.
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

   ! Returns text from outside the program for a message: quoted, shortened and printable.
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

   pure function lower_case(text) result(lower)
      character(*), intent(in) :: text
      character(len(text)) :: lower
      integer :: i

      lower = text
      do i = 1, len(text)
         if (text(i:i) >= 'A' .and. text(i:i) <= 'Z') lower(i:i) = achar(iachar(text(i:i)) + 32)
      end do
   end function lower_case

end module messages
