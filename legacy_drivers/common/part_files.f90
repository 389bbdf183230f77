! Result files. Each is written as NAME.part first, and all are renamed when all are complete. A run that fails leaves
! earlier files unchanged. NAME.part is locked: a second run in the same folder is refused. The lock of a killed run
! does not remain.
module part_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_null_char, c_null_ptr, c_ptr, c_size_t
   use CStreams
   use kinds
   use messages, only: complain, complain_of_c, end_file, print_to_file
   implicit none
   private
   public :: open_files, put_line, print_to_part, end_part, close_files, leave_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'

   type part_file
      character(:), allocatable :: name
      type(c_ptr) :: stream = c_null_ptr
      integer(c_int) :: lock = file_failed     ! descriptor; negative if there is no lock
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
         if (ierr /= 0 .or. len(files(i)%name) == 0) cycle
         if (any(names(:i - 1) == names(i))) then
            call complain(files(i)%name // ': two results would be written to this file')
            ierr = 1
         else
            call begin(files(i), ierr)
         end if
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
      if (can_be_replaced(file%name // c_null_char) == 0) then
         call complain(file%name // ': it is not a regular file')
         return
      end if
      file%lock = open_result(file%name // suffix // c_null_char, file%stream)
      file%begun = file%lock >= 0
      ierr = merge(0_ikind, 1_ikind, file%begun)
      select case (file%lock)
      case (file_failed)
         call complain_of_c(file%name // suffix)
      case (file_not_plain)
         call complain(file%name // suffix // ': it is not a regular file')
      case (file_in_use)
         call complain(file%name // suffix // ': another run is writing it')
      end select
   end subroutine begin

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
         call check(files(i), close_to_disk(files(i)%stream) /= 0)
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

      if (file%lock >= 0) unused = close_descriptor(file%lock)
      file%lock = file_failed
   end subroutine unlock

end module part_files
