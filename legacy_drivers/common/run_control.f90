! Tasks that every main program has besides its method.
module run_control
   use kinds
   use messages, only: check_output, complain, start_messages
   use part_files, only: leave_files
   implicit none
   private
   public :: begin_run, argument, input_argument, clock, stop_on, stop_on_lost_output

contains

   subroutine begin_run(program_name)
      character(*), intent(in) :: program_name
      integer(ikind) :: ierr

      call start_messages(program_name, ierr)
      call stop_on(ierr)
   end subroutine begin_run

   ! Returns the only argument.
   function input_argument() result(name)
      character(:), allocatable :: name

      if (command_argument_count() /= 1) then
         call complain('one argument is needed, the name of the input file, name.inp')
         call stop_on(1_ikind)
      end if
      name = argument(1)
   end function input_argument

   function argument(i) result(text)
      integer, intent(in) :: i
      character(:), allocatable :: text
      integer :: length

      call get_command_argument(i, length=length)
      allocate (character(length) :: text)
      call get_command_argument(i, text)
   end function argument

   function clock() result(seconds)
      real(rkind) :: seconds
      integer(lkind) :: now, rate

      call system_clock(now, rate)
      seconds = real(now, rkind) / rate
   end function clock

   ! Stops the program if ierr is not 0; the error has been reported. No unfinished result file is left.
   subroutine stop_on(ierr)
      integer(ikind), intent(in) :: ierr

      if (ierr == 0) return
      call leave_files
      stop 1, quiet=.true.
   end subroutine stop_on

   subroutine stop_on_lost_output
      integer(ikind) :: ierr

      call check_output(ierr)
      call stop_on(ierr)
   end subroutine stop_on_lost_output

end module run_control
