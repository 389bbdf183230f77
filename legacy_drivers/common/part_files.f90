! Result files. Each is written beside its place, as NAME.part, and all are renamed when all are complete: a run that fails
! leaves what was there.
module part_files
   use, intrinsic :: iso_c_binding, only: c_associated, c_null_char, c_null_ptr, c_ptr, c_size_t
   use CStreams
   use kinds
   use messages, only: complain, complain_of_c
   implicit none
   private
   public :: open_files, put_line, close_files, leave_files

   character(*), parameter :: newline = new_line('a'), suffix = '.part'

   type part_file
      character(:), allocatable :: name
      type(c_ptr) :: stream = c_null_ptr
      logical :: begun = .false., failed = .false.
   end type part_file

   type(part_file), allocatable, save :: files(:)

contains

   ! Before the calculation, so that it shows whether they can be written. A blank name is no file: what is put there is lost.
   subroutine open_files(names, ierr)
      character(*), intent(in) :: names(:)
      integer(ikind), intent(out) :: ierr
      logical :: folder
      integer :: i

      allocate (files(size(names)))
      ierr = 0
      do i = 1, size(files)
         files(i)%name = trim(names(i))
         if (ierr /= 0 .or. len(files(i)%name) == 0) cycle
         inquire (file=files(i)%name // '/.', exist=folder)
         if (folder) then
            call complain(files(i)%name // ': is a directory')
            ierr = 1
            cycle
         end if
         files(i)%stream = fopen(files(i)%name // suffix // c_null_char, 'w' // c_null_char)
         files(i)%begun = c_associated(files(i)%stream)
         if (files(i)%begun) cycle
         call complain_of_c(files(i)%name // suffix)
         ierr = 1
      end do
   end subroutine open_files

   ! To file number i.
   subroutine put_line(i, text)
      integer, intent(in) :: i
      character(*), intent(in) :: text
      integer(c_size_t) :: bytes

      if (.not. files(i)%begun) return
      bytes = len_trim(text, c_size_t) + 1
      call check(files(i), fwrite(trim(text) // newline, 1_c_size_t, bytes, files(i)%stream) /= bytes)
   end subroutine put_line

   ! Told once for each file.
   subroutine check(file, failed)
      type(part_file), intent(inout) :: file
      logical, intent(in) :: failed

      if (failed .and. .not. file%failed) call complain_of_c(file%name // suffix)
      file%failed = file%failed .or. failed
   end subroutine check

   ! All in their places, or none.
   subroutine close_files(ierr)
      integer(ikind), intent(out) :: ierr
      integer :: i

      do i = 1, size(files)
         if (.not. files(i)%begun) cycle
         call check(files(i), fflush(files(i)%stream) /= 0)
         call check(files(i), fclose(files(i)%stream) /= 0)
         files(i)%stream = c_null_ptr
      end do
      ierr = merge(1_ikind, 0_ikind, any(files%failed))
      do i = 1, size(files)
         if (ierr /= 0 .or. .not. files(i)%begun) cycle
         ierr = rename_file(files(i)%name // suffix // c_null_char, files(i)%name // c_null_char)
         if (ierr /= 0) call complain_of_c(files(i)%name)
         files(i)%begun = ierr /= 0
      end do
   end subroutine close_files

   ! After an error: nothing is left behind.
   subroutine leave_files
      integer(ikind) :: unused
      integer :: i

      if (.not. allocated(files)) return
      do i = 1, size(files)
         if (c_associated(files(i)%stream)) unused = fclose(files(i)%stream)
         files(i)%stream = c_null_ptr
         if (files(i)%begun) unused = remove_file(files(i)%name // suffix // c_null_char)
         files(i)%begun = .false.
      end do
   end subroutine leave_files

end module part_files
