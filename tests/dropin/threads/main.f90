! 64 realisations through a room's drop-in, one after the other and then from 1, 2, 4 and 8 threads of the program, without
! and with nested parallel regions: the same bits.
program threads
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use host, only: number_of_values, realise
   use omp_lib, only: omp_set_max_active_levels
   implicit none
   integer, parameter :: realisations = 64, teams(4) = [1, 2, 4, 8]
   real(real64) :: expected(number_of_values, realisations), values(number_of_values, realisations)
   integer :: r, team, levels, wrong

   do r = 1, realisations
      call realise(r, expected(:, r))
   end do
   if (any(abs(expected) > huge(1.0_real64)) .or. all(abs(expected) <= 0)) error stop 'no numbers'
   do levels = 1, 2
      call omp_set_max_active_levels(levels)
      do team = 1, size(teams)
         values = 0
         !$omp parallel do num_threads(teams(team)) schedule(dynamic)
         do r = 1, realisations
            call realise(r, values(:, r))
         end do
         !$omp end parallel do
         wrong = 0
         do r = 1, realisations
            if (any(transfer(values(:, r), [0_int64]) /= transfer(expected(:, r), [0_int64]))) wrong = wrong + 1
         end do
         print '(i0,a,i0,a,i0,a)', teams(team), ' threads, ', levels, ' levels: ', wrong, ' realisations are wrong'
         if (wrong > 0) error stop
      end do
   end do
end program threads
