! Written by tools/fortran_interfaces.py from capi/include/legato/communicator.h. Change that instead.
module legato_c_communicator
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   abstract interface
      ! Gathers data on all ranks: all[rank * bytes] becomes the `bytes` bytes of `mine` of each rank, on every rank.
      ! `bytes` is the same on every rank. Returns 0, or another value if it has failed.
      function legato_gather_callback(user, bytes, mine, all) bind(c) result(status)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: bytes
         type(c_ptr), value :: mine
         type(c_ptr), value :: all
         integer(c_int32_t) :: status
      end function legato_gather_callback

      ! Sends `send_bytes` bytes to rank `to`, and receives `receive_bytes` bytes from rank `from`. The other ranks make
      ! the matching calls. If `to` is -1, nothing is sent. If `from` is -1, nothing is received. Returns 0, or another
      ! value if it has failed.
      function legato_exchange_callback(user, to, send_bytes, send, from, receive_bytes, receive) bind(c) result(status)
         import
         type(c_ptr), value :: user
         integer(c_int32_t), value :: to
         integer(c_int64_t), value :: send_bytes
         type(c_ptr), value :: send
         integer(c_int32_t), value :: from
         integer(c_int64_t), value :: receive_bytes
         type(c_ptr), value :: receive
         integer(c_int32_t) :: status
      end function legato_exchange_callback

      ! Frees `user`.
      subroutine legato_release_callback(user) bind(c)
         import
         type(c_ptr), value :: user
      end subroutine legato_release_callback
   end interface

   interface
      ! Lets `size` processes share the problems of their contexts; `rank` is the number of this process. Every rank
      ! calls the function before any handle is made from its context. `gather` and `exchange` pass data among the
      ! ranks. They are called in the thread that calls the library, and receive `user`. `release` is called once when
      ! the library no longer needs `user`; it may be NULL.
      !
      ! From then on, all functions that create a handle, and all functions whose names end in run, resume, save or
      ! advance or begin their last part with advance, are collective: every rank calls them in the same order, with the
      ! same arguments. So are the functions of dfr that take a basis set from a library, because rank 0 reads its file:
      ! legato_dfr_add_element, legato_dfr_optimiser_add_element, both also with _with_basis, and
      ! legato_dfr_library_basis. Each rank computes a share of the work. Every rank can read all results; functions
      ! that read are not collective. The results are bitwise identical for every number of ranks, devices and threads.
      !
      ! If a collective call fails on one rank, it fails on every rank with the same status, and the message names the
      ! rank. If an argument differs among the ranks, the message names it. A progress callback may be given on some
      ! ranks only. If it stops a run, the run stops on every rank. If it makes a collective call, such as a save, it
      ! must do so on every rank; otherwise the run ends with an error. State files are read and written by rank 0, with
      ! the path that rank 0 gives; the other ranks give any path that is not empty. The files do not depend on the
      ! number of ranks. Warnings go to the standard error of rank 0 only, but to the logger of every rank. A callback
      ! must not leave the library by longjmp.
      !
      ! If `gather` or `exchange` fails on a rank, it must not make the other ranks wait for ever: it fails on these
      ! too, or ends their processes, as MPI does by default. The call then returns LEGATO_STATUS_COMMUNICATION_ERROR,
      ! and so do all later collective calls. Results so far can still be read.
      !
      ! Returns LEGATO_STATUS_INVALID_ARGUMENT if a handle has been made from the context, if the context has a
      ! communicator already, if `size` is not in [1, 65536], or if `rank` is not in [0, size - 1]. `release` is then
      ! not called.
      function legato_context_set_communicator(context, rank, size, gather, exchange, release, user) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: rank
         integer(c_int32_t), value :: size
         type(c_funptr), value :: gather
         type(c_funptr), value :: exchange
         type(c_funptr), value :: release
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_context_set_communicator
   end interface
end module legato_c_communicator
