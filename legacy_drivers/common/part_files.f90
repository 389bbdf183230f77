! Result files. Each is written as NAME.part first, and all are renamed when all are complete. A run that fails leaves
! earlier files unchanged. NAME.part is locked: a second run in the same folder is refused. The lock of a killed run
! does not remain.
module part_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_long, c_null_char, c_null_ptr, c_ptr, c_size_t
   use CStreams
   use kinds
   use messages, only: complain, complain_of_c, end_file, print_to_file
   implicit none
   private
   public :: open_files, put_line, print_to_part, end_part, close_files, leave_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'

   ! Constants of statx.
   integer(c_int), parameter :: this_folder = -100, no_name = 4096, the_link_itself = 256, wants_kind = 1, wants_inode = 256

   type part_file
      character(:), allocatable :: name
      type(c_ptr) :: stream = c_null_ptr, lock = c_null_ptr
      logical :: begun = .false., failed = .false.
   end type part_file

   type(part_file), allocatable, save :: files(:)

contains

   ! Opens the files. It is called before the calculation, to find out whether they can be written. A blank name means
   ! that there is no file; its lines are discarded.
   subroutine open_files(names, ierr)
      character(*), intent(in) :: names(:)
      integer(ikind), intent(out) :: ierr
      integer :: i

      if (allocated(files)) deallocate (files)
      allocate (files(size(names)))
      ierr = 0
      do i = 1, size(files)
         files(i)%name = trim(names(i))
         if (ierr == 0 .and. len(files(i)%name) > 0) call begin(files(i), ierr)
      end do
   end subroutine open_files

   subroutine begin(file, ierr)
      type(part_file), intent(inout) :: file
      integer(ikind), intent(out) :: ierr
      logical :: folder

      ierr = 1
      inquire (file=file%name // '/.', exist=folder)
      if (folder) then
         call complain(file%name // ': it is a directory')
         return
      end if
      call open_locked(file%name // suffix, file%lock)
      if (.not. c_associated(file%lock)) return
      if (ftruncate(fileno(file%lock), 0_c_long) == 0) file%stream = fdopen(dup(fileno(file%lock)), 'a' // c_null_char)
      file%begun = c_associated(file%stream)
      if (.not. file%begun) call complain_of_c(file%name // suffix)
      ierr = merge(0_ikind, 1_ikind, file%begun)
   end subroutine begin

   ! Opens and locks a file. The contents are not changed, because another run may be writing it. On a file system
   ! without locks the file is not locked.
   subroutine open_locked(name, lock)
      character(*), intent(in) :: name
      type(c_ptr), intent(out) :: lock
      integer(c_int), parameter :: exclusive = 2, at_once = 4, would_block = 11
      integer(ikind) :: unused

      do
         lock = c_null_ptr
         if (is_something_else(name)) then
            call complain(name // ': it is not a regular file')
            return
         end if
         lock = fopen(name // c_null_char, 'a' // c_null_char)
         if (.not. c_associated(lock)) call complain_of_c(name)
         if (.not. c_associated(lock)) return
         if (flock(fileno(lock), exclusive + at_once) /= 0) then
            if (errno() /= would_block) return
            call complain(name // ': another run is writing it')
            unused = fclose(lock)
            lock = c_null_ptr
            return
         end if
         if (is_still(name, lock)) return
         unused = fclose(lock)
      end do
   end subroutine open_locked

   ! Returns true if the name exists and is not a plain file: for example a symbolic link, by which somebody could have
   ! another file overwritten, or a pipe, which waits for a reader.
   function is_something_else(name) result(answer)
      character(*), intent(in) :: name
      logical :: answer
      integer(c_int32_t), parameter :: kinds_of_files = int(z'F000', c_int32_t), plain = int(z'8000', c_int32_t)
      type(file_status) :: named

      answer = statx(this_folder, name // c_null_char, the_link_itself, wants_kind, named) == 0
      if (answer) answer = iand(named%mode, kinds_of_files) /= plain
   end function is_something_else

   ! Returns false if the locked file no longer has this name: another run may have renamed it between its opening and
   ! its locking.
   function is_still(name, lock) result(answer)
      character(*), intent(in) :: name
      type(c_ptr), intent(in) :: lock
      logical :: answer
      type(file_status) :: locked, named

      answer = statx(fileno(lock), c_null_char, no_name, wants_inode, locked) /= 0     ! cannot be determined
      if (answer) return
      answer = statx(this_folder, name // c_null_char, the_link_itself, wants_inode, named) == 0
      if (answer) answer = all(locked%inode == named%inode) .and. all(locked%device == named%device)
   end function is_still

   ! Writes a line to file number i.
   subroutine put_line(i, text)
      integer, intent(in) :: i
      character(*), intent(in) :: text
      integer(c_size_t) :: bytes

      if (.not. files(i)%begun) return
      bytes = len_trim(text, c_size_t) + 1
      call check(files(i), fwrite(trim(text) // newline, 1_c_size_t, bytes, files(i)%stream) /= bytes)
   end subroutine put_line

   ! Directs printed lines to file number i until end_part is called.
   subroutine print_to_part(i)
      integer, intent(in) :: i

      call print_to_file(files(i)%stream, files(i)%name // suffix)
   end subroutine print_to_part

   subroutine end_part(i)
      integer, intent(in) :: i

      call end_file(files(i)%failed)
   end subroutine end_part

   ! Records a failure. The reason is printed once for each file.
   subroutine check(file, failed)
      type(part_file), intent(inout) :: file
      logical, intent(in) :: failed

      if (failed .and. .not. file%failed) call complain_of_c(file%name // suffix)
      file%failed = file%failed .or. failed
   end subroutine check

   ! Completes all files, and then renames them.
   subroutine close_files(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: i

      do i = 1, size(files)
         if (.not. files(i)%begun) cycle
         call check(files(i), fflush(files(i)%stream) /= 0)
         call check(files(i), fsync(fileno(files(i)%stream)) /= 0)
         call check(files(i), fclose(files(i)%stream) /= 0)
         files(i)%stream = c_null_ptr
      end do
      ierr = merge(1_ikind, 0_ikind, any(files%failed))
      do i = 1, size(files)
         if (ierr /= 0 .or. .not. files(i)%begun) cycle
         ierr = rename_file(files(i)%name // suffix // c_null_char, files(i)%name // c_null_char)
         if (ierr /= 0) call complain_of_c(files(i)%name)
         files(i)%begun = ierr /= 0
         if (ierr == 0) call unlock(files(i))
      end do
   end subroutine close_files

   ! Removes all unfinished files after an error.
   subroutine leave_files
      integer(ikind) :: unused
      integer :: i

      if (.not. allocated(files)) return
      do i = 1, size(files)
         if (c_associated(files(i)%stream)) unused = fclose(files(i)%stream)
         files(i)%stream = c_null_ptr
         if (files(i)%begun) unused = remove_file(files(i)%name // suffix // c_null_char)
         files(i)%begun = .false.
         call unlock(files(i))
      end do
   end subroutine leave_files

   ! Releases the lock. NAME.part must no longer exist.
   subroutine unlock(file)
      type(part_file), intent(inout) :: file
      integer(ikind) :: unused

      if (c_associated(file%lock)) unused = fclose(file%lock)
      file%lock = c_null_ptr
   end subroutine unlock

end module part_files
