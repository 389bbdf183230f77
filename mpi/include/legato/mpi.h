/** @file
 * Several processes of an MPI program that work on one problem. The library liblegato_mpi has this function; liblegato
 * itself knows no MPI. This header needs no mpi.h: a communicator is passed by its Fortran handle. */
#ifndef LEGATO_MPI_H
#define LEGATO_MPI_H

#include <legato/communicator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Lets all processes of an MPI communicator share the problems of their contexts, as legato/communicator.h describes.
 * All processes of the communicator call it, before any handle is made from their contexts. C programs pass
 * MPI_Comm_c2f(communicator).
 *
 * The library passes its messages by a duplicate of the communicator, so that they never mix with those of the program.
 * The program may free its own communicator. The duplicate is freed together with the context and its handles. This is
 * collective: destroy them in the same order on every rank, before MPI_Finalize. What is destroyed later frees nothing
 * of MPI.
 *
 * The library calls MPI only in the thread that calls the library. MPI_THREAD_FUNNELED therefore suffices if this is
 * the main thread. Otherwise MPI_THREAD_SERIALIZED is needed, or MPI_THREAD_MULTIPLE if another thread may call MPI at
 * the same time. The other threads of the library never call MPI.
 *
 * Errors are returned as by all functions, and legato_context_message gives their text. If the call fails on one rank
 * for a reason of the context, it fails on every rank, and the contexts cannot compute any more. A rank where MPI
 * cannot be called returns alone, and the others wait for it, as in every collective call of MPI. Returns
 * LEGATO_STATUS_INVALID_ARGUMENT if MPI is not initialised or is finalised, if the handle is not an intracommunicator,
 * if MPI was not initialised for calls from this thread, and for the reasons of legato_context_set_communicator.
 * Returns LEGATO_STATUS_COMMUNICATION_ERROR if MPI cannot duplicate the communicator.
 *
 * If MPI reports an error in a later call, its text goes to standard error and the call returns
 * LEGATO_STATUS_COMMUNICATION_ERROR. Other ranks may then wait for this one: end the program by MPI_Abort. */
LEGATO_API int32_t legato_mpi_join(legato_context* context, int32_t fortran_communicator);

#ifdef __cplusplus
}
#endif

#endif
