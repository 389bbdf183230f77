! Functions of the C library for output and messages. C streams are used because the Fortran library drops the error of
! a delayed write, and a full disk must be detected.
module CStreams
   use, intrinsic :: iso_c_binding, only: c_char, c_int, c_long, c_ptr, c_size_t
   implicit none
   public

   interface
      function fopen(name, mode) bind(c) result(stream)
         import :: c_char, c_ptr
         character(kind=c_char), intent(in) :: name(*), mode(*)
         type(c_ptr) :: stream
      end function fopen

      ! Returns a stream for an open descriptor.
      function fdopen(descriptor, mode) bind(c) result(stream)
         import :: c_char, c_int, c_ptr
         integer(c_int), value :: descriptor
         character(kind=c_char), intent(in) :: mode(*)
         type(c_ptr) :: stream
      end function fdopen

      function fread(text, item_size, items, stream) bind(c) result(done)
         import :: c_char, c_ptr, c_size_t
         character(kind=c_char), intent(out) :: text(*)
         integer(c_size_t), value :: item_size, items
         type(c_ptr), value :: stream
         integer(c_size_t) :: done
      end function fread

      function fwrite(text, item_size, items, stream) bind(c) result(done)
         import :: c_char, c_ptr, c_size_t
         character(kind=c_char), intent(in) :: text(*)
         integer(c_size_t), value :: item_size, items
         type(c_ptr), value :: stream
         integer(c_size_t) :: done
      end function fwrite

      ! Writes a text. Returns a negative number if this fails at once.
      function fputs(text, stream) bind(c) result(outcome)
         import :: c_char, c_int, c_ptr
         character(kind=c_char), intent(in) :: text(*)
         type(c_ptr), value :: stream
         integer(c_int) :: outcome
      end function fputs

      function fflush(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fflush

      function fclose(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function fclose

      function fseek(stream, offset, origin) bind(c) result(failure)
         import :: c_int, c_long, c_ptr
         type(c_ptr), value :: stream
         integer(c_long), value :: offset
         integer(c_int), value :: origin
         integer(c_int) :: failure
      end function fseek

      function ftell(stream) bind(c) result(position)
         import :: c_long, c_ptr
         type(c_ptr), value :: stream
         integer(c_long) :: position
      end function ftell

      function truncate(name, length) bind(c) result(failure)
         import :: c_char, c_int, c_long
         character(kind=c_char), intent(in) :: name(*)
         integer(c_long), value :: length
         integer(c_int) :: failure
      end function truncate

      function rename_file(from, to) bind(c, name='rename') result(failure)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: from(*), to(*)
         integer(c_int) :: failure
      end function rename_file

      function remove_file(name) bind(c, name='remove') result(failure)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: failure
      end function remove_file

      ! Prints a line on standard error: the text, and why the last call failed.
      subroutine perror(text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: text(*)
      end subroutine perror

      function close_descriptor(descriptor) bind(c, name='close') result(failure)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: failure
      end function close_descriptor

      function isatty(descriptor) bind(c) result(answer)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: answer
      end function isatty

      ! The functions below are in posix.c.

      ! Makes a write beyond the size limit of files (ulimit -f) an ordinary error, which does not end the program.
      subroutine ignore_size_signal() bind(c)
      end subroutine ignore_size_signal

      ! Opens standard input and standard error as /dev/null if they are closed; standard output must be open. Returns a
      ! negative number if this fails.
      function open_closed_streams() bind(c) result(failure)
         import :: c_int
         integer(c_int) :: failure
      end function open_closed_streams

      ! Opens and locks a plain file for writing, and empties it. Returns a descriptor that holds the lock until it is
      ! closed, or file_failed, file_not_plain or file_in_use. On a file system without locks the file is not locked.
      function open_result(name, stream) bind(c) result(lock)
         import :: c_char, c_int, c_ptr
         character(kind=c_char), intent(in) :: name(*)
         type(c_ptr), intent(out) :: stream
         integer(c_int) :: lock
      end function open_result

      ! Returns 0 if the name is that of a device, a pipe or the like, which a renamed file would replace.
      function can_be_replaced(name) bind(c) result(answer)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: answer
      end function can_be_replaced

      ! Returns 1 if there is a file of this name, 0 if not, and file_failed if this cannot be found out.
      function file_exists(name) bind(c) result(answer)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: answer
      end function file_exists

      ! Writes a file to the disk and closes its stream.
      function close_to_disk(stream) bind(c) result(failure)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: failure
      end function close_to_disk
   end interface

   integer(c_int), parameter :: file_failed = -1, file_not_plain = -2, file_in_use = -3


end module CStreams
