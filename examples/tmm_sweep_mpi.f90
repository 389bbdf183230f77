! The table of tmm_sweep.f90, computed by all processes of an MPI program together: the processes share the energies.
!     mpirun -n 4 tmm_sweep_mpi_f
module sweep_mpi_progress
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none

contains

   function show(progress) result(cancel)
      type(legato_progress), intent(in) :: progress
      logical :: cancel

      write (error_unit, '(i0, a, i0, a, f0.0, a)') progress%points_done, ' of ', progress%points_total, ' points, ', &
         progress%cycles_per_second, ' cycles a second'
      cancel = .false.
   end function show
end module sweep_mpi_progress

program tmm_sweep_mpi
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use legato
   use legato_mpi
   use mpi_f08
   use sweep_mpi_progress
   implicit none
   type(legato_context) :: context
   type(legato_tmm) :: tmm
   type(legato_tmm_params) :: params
   type(legato_tmm_point) :: point
   real(c_double) :: energy(11), disorder(11)
   integer(c_int64_t) :: i
   integer :: provided, rank

   call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call context%create()
   call legato_mpi_join(context, MPI_COMM_WORLD)

   energy = [(0.4_c_double * real(i, c_double), i=0, 10)]
   disorder = 4
   params = tmm_defaults()
   params%width = 16
   params%epsilon = 0.01_c_double
   call tmm%create(context, params, energy, disorder)
   if (rank == 0) then ! one rank is enough for the progress
      call tmm%run(show)
   else
      call tmm%run()
   end if

   if (rank == 0) then
      print '(a)', '     E    length     error  cycles'
      do i = 1, 11
         call tmm%result(i, point)
         if (point%status /= LEGATO_TMM_POINT_STATUS_CONVERGED) then
            print '(f6.2, a)', point%energy, ' has not converged'
            cycle
         end if
         print '(f6.2, f10.3, f10.3, i8)', point%energy, point%localisation_length, &
            point%localisation_length * point%relative_error, point%cycles
      end do
   end if
   call tmm%destroy()
   call context%destroy() ! frees the library's communicator
   call MPI_Finalize()
end program tmm_sweep_mpi
