/* liblegato_mpi: passes the data of liblegato by MPI. Programs for another MPI than the installed library's compile
 * this file with their own mpicc. */
#include <legato/mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of a rank in a call of MPI, which counts them by int. */
#ifndef LEGATO_MPI_CHUNK
#define LEGATO_MPI_CHUNK (1 << 28)
#endif

enum { LONGEST_TEXT = 1024 };

/* What the library passes to gather, exchange and free_member. */
typedef struct member {
    MPI_Comm communicator; /* the duplicate; MPI_COMM_NULL if the ranks could not join */
    int rank, size;
} member;

static int chunk_of(int64_t bytes) {
    if (bytes <= 0) return 0;
    return bytes < LEGATO_MPI_CHUNK ? (int)bytes : LEGATO_MPI_CHUNK;
}

/* Returns the status of a callback, and writes the error of MPI, of which the library knows nothing. */
static int32_t status_of(const member* to, int error, const char* function) {
    if (error == MPI_SUCCESS) return 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(error, text, &length);
    fprintf(stderr, "legato_mpi: rank %d of %d: %s: %s\n", to->rank, to->size, function, text);
    return 1;
}

/* Gathers `count` bytes of each rank. Those of rank r go to all[r * stride]. The data type has this extent, so that no
 * count exceeds an int. */
static int gather_chunk(const member* to, int count, const void* mine, void* all, int64_t stride) {
    MPI_Datatype bytes, block;
    MPI_Type_contiguous(count, MPI_BYTE, &bytes);
    MPI_Type_create_resized(bytes, 0, (MPI_Aint)stride, &block);
    MPI_Type_commit(&block);
    const int error = MPI_Allgather(mine, count, MPI_BYTE, all, 1, block, to->communicator);
    MPI_Type_free(&block);
    MPI_Type_free(&bytes);
    return error;
}

static int32_t gather(void* user, int64_t bytes, const void* mine, void* all) {
    const member* const to = user;
    if (to->communicator == MPI_COMM_NULL) return 1;
    int error = MPI_SUCCESS;
    if (bytes <= LEGATO_MPI_CHUNK / to->size)
        error = MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, to->communicator);
    else
        for (int64_t at = 0; at < bytes && error == MPI_SUCCESS; at += LEGATO_MPI_CHUNK)
            error = gather_chunk(to, chunk_of(bytes - at), (const char*)mine + at, (char*)all + at, bytes);
    return status_of(to, error, "MPI_Allgather");
}

static int32_t exchange(void* user, int32_t to_rank, int64_t send_bytes, const void* send, int32_t from_rank,
                        int64_t receive_bytes, void* receive) {
    const member* const to = user;
    if (to->communicator == MPI_COMM_NULL) return 1;
    if (to_rank < 0) send_bytes = 0;
    if (from_rank < 0) receive_bytes = 0;
    int error = MPI_SUCCESS;
    for (int64_t at = 0; (at < send_bytes || at < receive_bytes) && error == MPI_SUCCESS; at += LEGATO_MPI_CHUNK) {
        const int sent = chunk_of(send_bytes - at), received = chunk_of(receive_bytes - at);
        error = MPI_Sendrecv(sent ? (const char*)send + at : NULL, sent, MPI_BYTE, sent ? to_rank : MPI_PROC_NULL, 0,
                             received ? (char*)receive + at : NULL, received, MPI_BYTE,
                             received ? from_rank : MPI_PROC_NULL, 0, to->communicator, MPI_STATUS_IGNORE);
    }
    return status_of(to, error, "MPI_Sendrecv");
}

static void free_communicator(MPI_Comm* communicator) {
    int is_finalised = 0;
    MPI_Finalized(&is_finalised);
    if (!is_finalised && *communicator != MPI_COMM_NULL) MPI_Comm_free(communicator);
    *communicator = MPI_COMM_NULL;
}

static void free_member(void* user) {
    free_communicator(&((member*)user)->communicator);
    free(user);
}

/* Makes MPI return the errors of a communicator. `before` receives the error handler that it had. */
static void return_errors(MPI_Comm communicator, MPI_Errhandler* before) {
    MPI_Comm_get_errhandler(communicator, before);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
}

static void restore_errors(MPI_Comm communicator, MPI_Errhandler* before) {
    MPI_Comm_set_errhandler(communicator, *before);
    MPI_Errhandler_free(before);
}

/* Returns why a communicator cannot be used, or NULL. MPI reports an invalid handle to the error handler of
 * MPI_COMM_WORLD or, since version 4, of MPI_COMM_SELF. */
static const char* fault_of(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL)
        return "the communicator is MPI_COMM_NULL; only processes that are in a communicator can join it";
    MPI_Errhandler of_world, of_self;
    return_errors(MPI_COMM_WORLD, &of_world);
    return_errors(MPI_COMM_SELF, &of_self);
    int is_inter = 0;
    const int error = MPI_Comm_test_inter(communicator, &is_inter);
    restore_errors(MPI_COMM_SELF, &of_self);
    restore_errors(MPI_COMM_WORLD, &of_world);
    if (error != MPI_SUCCESS)
        return "this is not the Fortran handle of a communicator, or the communicator has been freed";
    return is_inter ? "an intercommunicator cannot be joined; merge it by MPI_Intercomm_merge" : NULL;
}

/* Returns why MPI cannot be called now and here, or NULL. */
static const char* fault_of_mpi(void) {
    int is_initialised = 0, is_finalised = 0, level = MPI_THREAD_SINGLE, is_main = 0;
    MPI_Initialized(&is_initialised);
    if (!is_initialised) return "MPI is not initialised; call MPI_Init first";
    MPI_Finalized(&is_finalised);
    if (is_finalised) return "MPI is finalised; call legato_mpi_join before MPI_Finalize";
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_SERIALIZED && !is_main)
        return "this is not the main thread; initialise MPI by MPI_Init_thread with MPI_THREAD_SERIALIZED";
    return NULL;
}

static int32_t fail(legato_context* context, int32_t status, const char* why) {
    char text[LONGEST_TEXT];
    snprintf(text, sizeof text, "legato_mpi_join: %s", why);
    legato_context_report(context, status, text);
    return status;
}

/* Duplicates a communicator. The errors of the duplicate are returned. */
static int duplicate(MPI_Comm communicator, MPI_Comm* copy) {
    MPI_Errhandler before;
    return_errors(communicator, &before);
    const int error = MPI_Comm_dup(communicator, copy);
    restore_errors(communicator, &before);
    return error;
}

/* Gives the communicator to the context of this rank. *made becomes NULL if that fails. */
static int32_t join_alone(legato_context* context, MPI_Comm communicator, member** made) {
    const member joined = {communicator, 0, 0};
    *made = malloc(sizeof joined);
    if (!*made) return fail(context, LEGATO_STATUS_OUT_OF_MEMORY, "out of memory");
    **made = joined;
    MPI_Comm_rank(communicator, &(*made)->rank);
    MPI_Comm_size(communicator, &(*made)->size);
    const int32_t status =
        legato_context_set_communicator(context, (*made)->rank, (*made)->size, gather, exchange, free_member, *made);
    if (status == LEGATO_STATUS_SUCCESS) return status;
    free(*made);
    *made = NULL;
    return status;
}

/* Returns the status of the first rank that could not join. Its message becomes that of every context. */
static int32_t agree(legato_context* context, MPI_Comm communicator, int32_t status) {
    int rank = 0, size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const int mine[2] = {status ? rank : size, status != 0};
    int first[2]; /* the first rank that has failed, and whether all have */
    if (MPI_Allreduce(mine, first, 2, MPI_INT, MPI_MIN, communicator) != MPI_SUCCESS)
        return fail(context, LEGATO_STATUS_COMMUNICATION_ERROR, "MPI_Allreduce has failed");
    if (first[0] == size) return LEGATO_STATUS_SUCCESS;

    struct {
        int32_t status;
        char text[LONGEST_TEXT];
    } failure = {status, ""};
    if (first[1])
        snprintf(failure.text, sizeof failure.text, "%s", legato_context_message(context));
    else
        snprintf(failure.text, sizeof failure.text, "rank %d of %d: %s", rank, size, legato_context_message(context));
    if (MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, first[0], communicator) != MPI_SUCCESS)
        return fail(context, LEGATO_STATUS_COMMUNICATION_ERROR, "MPI_Bcast has failed");
    legato_context_report(context, failure.status, failure.text);
    return failure.status;
}

int32_t legato_mpi_join(legato_context* context, int32_t fortran_communicator) {
    const char* fault = fault_of_mpi();
    if (fault) return fail(context, LEGATO_STATUS_INVALID_ARGUMENT, fault);
    const MPI_Comm communicator = MPI_Comm_f2c((MPI_Fint)fortran_communicator);
    fault = fault_of(communicator);
    if (fault) return fail(context, LEGATO_STATUS_INVALID_ARGUMENT, fault);

    MPI_Comm copy = MPI_COMM_NULL;
    const int error = duplicate(communicator, &copy);
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(error, text, &length);
        return fail(context, LEGATO_STATUS_COMMUNICATION_ERROR, text);
    }
    member* made = NULL;
    const int32_t alone = join_alone(context, copy, &made);
    const int32_t status = agree(context, copy, alone);
    if (status != LEGATO_STATUS_SUCCESS) {
        free_communicator(&copy);
        if (made) made->communicator = MPI_COMM_NULL; /* the context keeps it, and releases it at its end */
    }
    return status;
}
