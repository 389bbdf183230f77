!> Several processes of an MPI program that work on one problem (legato/mpi.h).
module legato_mpi
   use, intrinsic :: iso_c_binding, only: c_int32_t, c_ptr
   use legato_context_module, only: legato_context
   use legato_handle_module, only: handle_of, report
   use mpi_f08, only: MPI_Comm
   implicit none
   private

   public :: legato_mpi_join

   !> Lets all processes of a communicator share the problems of `context`. All of them call it, before anything is made
   !! from their contexts. `communicator` is a type(MPI_Comm) of mpi_f08, or an integer of mpi or mpif.h.
   interface legato_mpi_join
      procedure :: join, join_integer
   end interface legato_mpi_join

   interface
      function c_join(context, communicator) bind(c, name='legato_mpi_join') result(status)
         import :: c_int32_t, c_ptr
         type(c_ptr), value :: context
         integer(c_int32_t), value :: communicator
         integer(c_int32_t) :: status
      end function c_join
   end interface

contains

   subroutine join(context, communicator, stat, errmsg)
      class(legato_context), intent(inout) :: context
      type(MPI_Comm), intent(in) :: communicator
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call join_integer(context, communicator%MPI_VAL, stat, errmsg)
   end subroutine join

   subroutine join_integer(context, communicator, stat, errmsg)
      class(legato_context), intent(inout) :: context
      integer, intent(in) :: communicator
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call report(context, c_join(handle_of(context), int(communicator, c_int32_t)), stat, errmsg)
   end subroutine join_integer
end module legato_mpi
