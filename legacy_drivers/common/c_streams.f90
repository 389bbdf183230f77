! Functions of the C library for output and messages. C streams are used because the Fortran library drops the error of
! a delayed write, and a full disk must be detected.
module CStreams
   use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_int32_t, c_long, c_ptr, c_size_t
   implicit none
   public

   ! struct statx of Linux. The lower half of `mode` contains the kind of file and the permissions.
   type, bind(c) :: file_status
      integer(c_int32_t) :: before(7), mode, inode(2), between(24), device(2), behind(28)
   end type file_status

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

      function ftruncate(descriptor, length) bind(c) result(failure)
         import :: c_int, c_long
         integer(c_int), value :: descriptor
         integer(c_long), value :: length
         integer(c_int) :: failure
      end function ftruncate

      ! Writes the file to the disk.
      function fsync(descriptor) bind(c) result(failure)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: failure
      end function fsync

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

      ! Returns a second descriptor for an open one; negative if it is closed.
      function dup(descriptor) bind(c) result(copy)
         import :: c_int
         integer(c_int), value :: descriptor
         integer(c_int) :: copy
      end function dup

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

      ! Returns the descriptor of a stream.
      function fileno(stream) bind(c) result(descriptor)
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
         integer(c_int) :: descriptor
      end function fileno

      ! Takes an advisory lock, which ends when the stream of the descriptor is closed.
      function flock(descriptor, operation) bind(c) result(failure)
         import :: c_int
         integer(c_int), value :: descriptor, operation
         integer(c_int) :: failure
      end function flock

      function statx(folder, name, flags, mask, status) bind(c) result(failure)
         import :: c_char, c_int, file_status
         integer(c_int), value :: folder, flags, mask
         character(kind=c_char), intent(in) :: name(*)
         type(file_status), intent(out) :: status
         integer(c_int) :: failure
      end function statx

      function errno_location() bind(c, name='__errno_location') result(location)
         import :: c_ptr
         type(c_ptr) :: location
      end function errno_location
   end interface

contains

   ! Returns the reason why the last call failed.
   function errno()
      integer(c_int) :: errno
      integer(c_int), pointer :: number

      call c_f_pointer(errno_location(), number)
      errno = number
   end function errno

end module CStreams
