! client: two contexts join by the two kinds of communicators. Every rank writes what it reads to client.RANK. The last
! context joins twice, which is refused.
program client
   use, intrinsic :: iso_c_binding, only: c_int32_t
   use legato
   use legato_mpi
   use mpi_f08
   implicit none
   type(legato_context) :: of_integer, of_type
   type(MPI_Comm) :: own
   character(200) :: message
   character(20) :: path
   integer :: rank, status, unit

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   write (path, '(a, i0)') 'client.', rank
   open (newunit=unit, file=path, action='write')

   call of_integer%create()
   call legato_mpi_join(of_integer, MPI_COMM_WORLD%MPI_VAL)
   call compute(of_integer)
   call of_integer%destroy()

   call of_type%create()
   call MPI_Comm_dup(MPI_COMM_WORLD, own)
   call legato_mpi_join(of_type, own)
   call MPI_Comm_free(own)
   call compute(of_type)
   message = ''
   call legato_mpi_join(of_type, MPI_COMM_WORLD, stat=status, errmsg=message)
   write (unit, '(i0, 2a)') status, ' ', trim(message)
   close (unit)
   call of_type%destroy()
   call MPI_Finalize()

contains

   subroutine compute(context)
      type(legato_context), intent(in) :: context
      type(legato_vmc) :: vmc
      type(legato_vmc_params) :: params
      type(legato_vmc_averages) :: averages

      params = vmc_defaults()
      params%length = 5
      params%electrons = 24
      params%chains = 4
      params%bins = 4
      params%sweeps_per_bin = 5
      call vmc%create(context, params)
      call vmc%run()
      call vmc%result(averages)
      write (unit, '(2z17.16)') averages%energy, averages%energy_error
      call vmc%destroy()
   end subroutine compute
end program client
