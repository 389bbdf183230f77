! threads save FILE: computes 64 realisations one after the other by the serial routine that is linked here, and writes
! their numbers to FILE. threads compare FILE [posix]: computes the same by a drop-in. One after the other, the numbers
! must agree with the serial ones within 1e-10. From 1, 2, 4 and 8 threads of the program they must then be bitwise
! identical. With `posix` only threads without OpenMP are used, since the thread sanitizer does not know how OpenMP
! threads wait for each other.
module work
   use, intrinsic :: iso_fortran_env, only: real64
   use host, only: number_of_values, realise
   implicit none
   private
   public :: next, realisations, take_realisations, values

   integer, parameter :: realisations = 64
   real(real64) :: values(number_of_values, realisations)
   integer :: next = 0

contains

   subroutine take_realisations() bind(c)
      integer :: own

      do
         !$omp atomic capture
         next = next + 1
         own = next
         !$omp end atomic
         if (own > realisations) exit
         call realise(own, values(:, own))
      end do
   end subroutine take_realisations
end module work

program threads
   use, intrinsic :: iso_c_binding, only: c_funloc, c_funptr, c_int
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use host, only: number_of_values, realise
   use omp_lib, only: omp_set_max_active_levels
   use work
   implicit none
   integer, parameter :: teams(4) = [1, 2, 4, 8]
   character(len=4096) :: argument(3)
   real(real64) :: expected(number_of_values, realisations)
   integer :: r, i

   interface
      subroutine in_posix_threads(number, work) bind(c)
         import :: c_funptr, c_int
         integer(c_int), value :: number
         type(c_funptr), value :: work
      end subroutine in_posix_threads
   end interface

   do i = 1, 3
      call get_command_argument(i, argument(i))
   end do
   do r = 1, realisations
      call realise(r, expected(:, r))
   end do
   if (any(abs(expected) > huge(1.0_real64)) .or. all(abs(expected) <= 0)) error stop 'no numbers'
   if (argument(1) == 'save') then
      call save_numbers
      stop
   end if
   call compare_with_serial
   if (argument(3) /= 'posix') then
      call in_openmp_threads(1)
      call in_openmp_threads(2)
   end if
   do i = 1, size(teams)
      values = 0
      next = 0
      call in_posix_threads(int(teams(i), c_int), c_funloc(take_realisations))
      call compare(teams(i), 'POSIX threads')
   end do

contains

   subroutine save_numbers
      integer :: unit

      open (newunit=unit, file=trim(argument(2)), form='unformatted', access='stream', status='replace')
      write (unit) expected
      close (unit)
   end subroutine save_numbers

   subroutine compare_with_serial
      real(real64) :: serial(number_of_values, realisations), difference, largest
      integer :: unit

      open (newunit=unit, file=trim(argument(2)), form='unformatted', access='stream', status='old', action='read')
      read (unit) serial
      close (unit)
      largest = 0
      do r = 1, realisations
         difference = maxval(abs(expected(:, r) - serial(:, r))) / maxval(abs(serial(:, r)))
         largest = max(largest, difference)
      end do
      print '(a,es8.1)', 'largest difference from the serial routine: ', largest
      if (.not. largest <= 1.0e-10_real64) error stop
   end subroutine compare_with_serial

   subroutine in_openmp_threads(levels)
      integer, intent(in) :: levels
      integer :: team

      call omp_set_max_active_levels(levels)
      do team = 1, size(teams)
         values = 0
         !$omp parallel do num_threads(teams(team)) schedule(dynamic)
         do r = 1, realisations
            call realise(r, values(:, r))
         end do
         !$omp end parallel do
         call compare(teams(team), merge('OpenMP threads        ', 'nested OpenMP threads ', levels == 1))
      end do
   end subroutine in_openmp_threads

   subroutine compare(number, kind)
      integer, intent(in) :: number
      character(*), intent(in) :: kind
      integer :: wrong

      wrong = 0
      do r = 1, realisations
         if (any(transfer(values(:, r), [0_int64]) /= transfer(expected(:, r), [0_int64]))) wrong = wrong + 1
      end do
      print '(i0,3a,i0,a)', number, ' ', trim(kind), ': ', wrong, ' realisations are wrong'
      if (wrong > 0) error stop
   end subroutine compare
end program threads
