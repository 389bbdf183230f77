/** @file
 * Several processes that work on one problem. Each process is a rank. The library knows no MPI: it passes data through
 * two functions of the caller. legato_mpi_join (legato/mpi.h) makes these functions from a communicator of MPI. */
#ifndef LEGATO_COMMUNICATOR_H
#define LEGATO_COMMUNICATOR_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Gathers data on all ranks: all[rank * bytes] becomes the `bytes` bytes of `mine` of each rank, on every rank.
 * `bytes` is the same on every rank. Returns 0, or another value if it has failed. */
typedef int32_t (*legato_gather_callback)(void* user, int64_t bytes, const void* mine, void* all);

/** Sends `send_bytes` bytes to rank `to`, and receives `receive_bytes` bytes from rank `from`. The other ranks make the
 * matching calls. If `to` is -1, nothing is sent. If `from` is -1, nothing is received. Returns 0, or another value if
 * it has failed. */
typedef int32_t (*legato_exchange_callback)(void* user, int32_t to, int64_t send_bytes, const void* send, int32_t from,
                                            int64_t receive_bytes, void* receive);

/** Frees `user`. */
typedef void (*legato_release_callback)(void* user);

/** Lets `size` processes share the problems of their contexts; `rank` is the number of this process. Every rank calls
 * the function before any handle is made from its context. `gather` and `exchange` pass data among the ranks. They are
 * called in the thread that calls the library, and receive `user`. `release` is called once when the library no longer
 * needs `user`; it may be NULL.
 *
 * From then on, all functions that create a handle, and all functions whose names end in run, resume, save or advance
 * or begin their last part with advance, are collective: every rank calls them in the same order, with the same
 * arguments. So are the functions of dfr that take a basis set from a library, because rank 0 reads its file:
 * legato_dfr_add_element, legato_dfr_optimiser_add_element, both also with _with_basis, and legato_dfr_library_basis.
 * Each rank computes a share of the work. Every rank can read all results; functions that read are not
 * collective. The results are bitwise identical for every number of ranks, devices and threads.
 *
 * If a collective call fails on one rank, it fails on every rank with the same status, and the message names the rank.
 * If an argument differs among the ranks, the message names it. A progress callback may be given on some ranks only. If
 * it stops a run, the run stops on every rank. If it makes a collective call, such as a save, it must do so on every
 * rank; otherwise the run ends with an error. State files are read and written by rank 0, with the path that rank 0
 * gives; the other ranks give any path that is not empty. The files do not depend on the number of ranks. Warnings go
 * to the standard error of rank 0 only, but to the logger of every rank. A callback must not leave the library by
 * longjmp.
 *
 * If `gather` or `exchange` fails on a rank, it must not make the other ranks wait for ever: it fails on these too, or
 * ends their processes, as MPI does by default. The call then returns LEGATO_STATUS_COMMUNICATION_ERROR, and so do all
 * later collective calls. Results so far can still be read.
 *
 * Returns LEGATO_STATUS_INVALID_ARGUMENT if a handle has been made from the context, if the context has a communicator
 * already, if `size` is not in [1, 65536], or if `rank` is not in [0, size - 1]. `release` is then not called. */
LEGATO_API int32_t legato_context_set_communicator(legato_context* context, int32_t rank, int32_t size,
                                                   legato_gather_callback gather, legato_exchange_callback exchange,
                                                   legato_release_callback release, void* user);

#ifdef __cplusplus
}
#endif

#endif
