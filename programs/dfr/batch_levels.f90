! The table of the levels of --levels.
module batch_levels
   use, intrinsic :: iso_c_binding, only: c_double
   use kinds
   use batch_energies, only: lists
   use batch_jobs, only: job, has_result
   use messages, only: complain, integer_text, print_line
   use legato
   implicit none
   private
   public :: write_levels

   real(rkind), parameter :: wave_number = 219474.6313632_rkind     ! of 1 hartree, in cm^-1 (CODATA 2018)

contains

   ! Prints J, parity and energy of each level of the atoms that have a result. The electrons of one n and l are
   ! distributed over both j. `failures` counts the atoms whose levels cannot be computed.
   subroutine write_levels(jobs, failures)
      type(job), intent(in) :: jobs(:)
      integer(ikind), intent(out) :: failures
      integer, allocatable :: twice_j(:)
      real(c_double), allocatable :: energies(:)
      integer :: k, i, parity, stat
      character(len=400) :: message
      character(len=100) :: line
      character(len=12) :: name

      failures = 0
      call print_line('')
      call print_line(' Levels')
      call print_line(' Atom               J parity   minus average / hartree   minus lowest / cm^-1')
      do k = 1, size(jobs)
         if (.not. has_result(jobs(k))) cycle
         call lists(jobs(k)%list)%levels(jobs(k)%index, twice_j, energies, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC, &
                                         parity, stat, message)
         if (stat /= LEGATO_STATUS_SUCCESS) then
            call complain(jobs(k)%name // ': ' // trim(message))
            failures = failures + 1
         end if
         name = jobs(k)%name
         do i = 1, size(twice_j)
            write (line, '(1x, a, a8, a7, f26.9, f23.2)') name, j_text(twice_j(i)), merge('even', 'odd ', parity > 0), &
               energies(i), (energies(i) - energies(1)) * wave_number
            call print_line(trim(line))
         end do
      end do
   end subroutine write_levels

   ! Returns J as a text, such as 3/2.
   function j_text(twice_j) result(text)
      integer, intent(in) :: twice_j
      character(:), allocatable :: text

      if (mod(twice_j, 2) == 0) then
         text = integer_text(int(twice_j / 2, ikind))
      else
         text = integer_text(int(twice_j, ikind)) // '/2'
      end if
   end function j_text

end module batch_levels
