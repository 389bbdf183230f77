/* Functions that the MPI clients share. */
#define _POSIX_C_SOURCE 200809L
#include <legato/legato.h>
#include <legato/mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static legato_context* context;
static int rank, size;

/* Ends this rank if a call has failed. The program goes on to its end, so that no rank is ended by another one. */
static inline void require(int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    printf("rank %d: status %d: %s\n", rank, (int)status, legato_context_message(context));
    fflush(stdout);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static inline void begin_mpi(int* argc, char*** argv) {
    int level;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Makes the context of all ranks. The program's own communicator is freed at once. */
static inline void join(void) {
    MPI_Comm own;
    require(legato_context_create(NULL, &context));
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    require(legato_mpi_join(context, (int32_t)MPI_Comm_c2f(own)));
    MPI_Comm_free(&own);
}

static inline FILE* open_of_rank(const char* name) {
    char path[1000];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    FILE* const file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(EXIT_FAILURE);
}

static inline void write_numbers(FILE* to, const char* name, int64_t n, const double* numbers) {
    fprintf(to, "%s", name);
    for (int64_t i = 0; i < n; ++i) fprintf(to, " %a", numbers[i]);
    fprintf(to, "\n");
}

static inline legato_vmc* small_vmc(int32_t chains, int64_t bins, int64_t sweeps) {
    legato_vmc* vmc = NULL;
    legato_vmc_params params;
    require(legato_vmc_params_init(&params));
    params.length = 5;
    params.electrons = 24;
    params.chains = chains;
    params.thermalisation = 20;
    params.bins = bins;
    params.sweeps_per_bin = sweeps;
    require(legato_vmc_create(context, &params, &vmc));
    return vmc;
}

static inline void write_vmc(FILE* to, legato_vmc* vmc) {
    legato_vmc_averages a;
    memset(&a, 0, sizeof a);
    a.struct_size = sizeof a;
    require(legato_vmc_result(vmc, &a));
    const double numbers[] = {a.energy,   a.energy_error,   a.kinetic,  a.kinetic_error,
                              a.exchange, a.exchange_error, a.variance, a.autocorrelation_sweeps};
    write_numbers(to, "vmc", 8, numbers);
}

static inline legato_ising* small_ising(int32_t replicas, int64_t bins, int64_t measurements) {
    const double betas[] = {0.42, 0.45};
    legato_ising* ising = NULL;
    legato_ising_params params;
    require(legato_ising_params_init(&params));
    params.extents[0] = params.extents[1] = 32;
    params.start = LEGATO_ISING_START_RANDOM;
    params.replicas = replicas;
    params.time_series = 1;
    params.thermalisation = 10;
    params.bins = bins;
    params.measurements_per_bin = measurements;
    require(legato_ising_create(context, &params, 2, betas, 0, NULL, &ising));
    return ising;
}

static inline void write_ising(FILE* to, legato_ising* ising) {
    for (int beta = 0; beta < 2; ++beta) {
        legato_ising_averages a;
        memset(&a, 0, sizeof a);
        a.struct_size = sizeof a;
        require(legato_ising_result(ising, beta, &a));
        const double numbers[] = {a.magnetisation_2, a.magnetisation_2_error, a.energy,       a.energy_error,
                                  a.specific_heat,   a.specific_heat_error,   a.binder_error, a.energy_autocorrelation};
        write_numbers(to, "ising", 8, numbers);
    }
}
