/* refusals CASE: makes calls that fail, on all ranks or on one of them. Each rank prints the status and the message,
 * and ends with failure. */
#include "client.h"

#include <sys/resource.h>

static int32_t handle_of(MPI_Comm communicator) {
    return (int32_t)MPI_Comm_c2f(communicator);
}

static void freed(void) {
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    const int32_t handle = handle_of(own);
    MPI_Comm_free(&own);
    require(legato_mpi_join(context, handle));
}

static void nonsense(void) {
    require(legato_mpi_join(context, 123456789));
}

static void null(void) {
    require(legato_mpi_join(context, handle_of(MPI_COMM_NULL)));
}

static void twice(void) {
    require(legato_mpi_join(context, handle_of(MPI_COMM_WORLD)));
    require(legato_mpi_join(context, handle_of(MPI_COMM_WORLD)));
}

/* The last rank has made a handle before. All ranks fail, and no rank waits in a later call. */
static void late(void) {
    legato_vmc* vmc = NULL;
    if (rank == size - 1) vmc = small_vmc(2, 1, 1);
    char why[1000];
    int32_t status = legato_mpi_join(context, handle_of(MPI_COMM_WORLD));
    snprintf(why, sizeof why, "%s", legato_context_message(context));
    if (!vmc && legato_vmc_create(context, NULL, &vmc) != LEGATO_STATUS_COMMUNICATION_ERROR) status = 0;
    require(legato_context_report(context, status, why));
}

static void intercommunicator(void) {
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    require(legato_mpi_join(context, handle_of(both)));
}

static void parameter(void) {
    legato_vmc* vmc = NULL;
    legato_vmc_params params;
    join();
    require(legato_vmc_params_init(&params));
    params.length = 5;
    params.electrons = 24;
    params.delta = rank == 1 ? 0.75 : 1.5;
    require(legato_vmc_create(context, &params, &vmc));
}

/* The ranks make different calls. */
static void call(void) {
    join();
    legato_vmc* const vmc = small_vmc(4, 2, 1);
    require(rank == 1 ? legato_vmc_save(vmc, "other.h5") : legato_vmc_run(vmc, NULL, NULL));
}

/* MPI fails in a call on every rank, and from then on. */
static int calls_left = -1;

int MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int counts, MPI_Datatype types,
                  MPI_Comm communicator) {
    if (calls_left == 0) return MPI_ERR_OTHER;
    if (calls_left > 0) --calls_left;
    return PMPI_Allgather(mine, count, type, all, counts, types, communicator);
}

static void failure(void) {
    join();
    legato_vmc* const vmc = small_vmc(4, 2, 1);
    calls_left = 1;
    if (legato_vmc_run(vmc, NULL, NULL) == LEGATO_STATUS_COMMUNICATION_ERROR)
        require(legato_vmc_save(vmc, "unsaved.h5")); /* refused without a call of MPI */
}

/* Rank 1 sees no device. Without any device, no rank does. */
static void device(void) {
    if (rank == 1) setenv("CUDA_VISIBLE_DEVICES", "", 1);
    setenv("LEGATO_BACKEND", "cuda", 1);
    join();
    legato_vmc* const vmc = small_vmc(4, 2, 1);
    require(legato_vmc_run(vmc, NULL, NULL));
}

/* Rank 1 may use only a little more memory than it does now. */
static void memory(void) {
    setenv("LEGATO_BACKEND", "cpu", 1);
    join();
    if (rank == 1) {
        unsigned long pages = 0;
        FILE* const statm = fopen("/proc/self/statm", "r");
        if (!statm || fscanf(statm, "%lu", &pages) != 1) exit(2);
        fclose(statm);
        const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20);
        const struct rlimit limit = {bytes, bytes};
        if (setrlimit(RLIMIT_AS, &limit) != 0) exit(2);
    }
    legato_ising* ising = NULL;
    legato_ising_params params;
    require(legato_ising_params_init(&params));
    params.extents[0] = params.extents[1] = 16384;
    params.replicas = 2 * size;
    params.thermalisation = 1;
    params.bins = params.measurements_per_bin = 1;
    require(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising));
    require(legato_ising_run(ising, NULL, NULL));
}

typedef struct refusal {
    const char* name;
    void (*run)(void);
} refusal;

int main(int argc, char** argv) {
    const refusal refusals[] = {
        {"freed", freed},         {"nonsense", nonsense}, {"null", null},
        {"twice", twice},         {"late", late},         {"intercommunicator", intercommunicator},
        {"parameter", parameter}, {"call", call},         {"failure", failure},
        {"device", device},       {"memory", memory}};
    if (argc != 2) return 2;
    if (legato_context_create(NULL, &context) != LEGATO_STATUS_SUCCESS) return 2;
    if (strcmp(argv[1], "uninitialised") == 0) {
        const int32_t status = legato_mpi_join(context, 0);
        begin_mpi(&argc, &argv);
        require(status);
    }
    begin_mpi(&argc, &argv);
    if (strcmp(argv[1], "finalised") == 0) {
        const int32_t handle = handle_of(MPI_COMM_WORLD);
        MPI_Finalize();
        const int32_t status = legato_mpi_join(context, handle);
        printf("rank %d: status %d: %s\n", rank, (int)status, legato_context_message(context));
        return 0; /* a failure would end the other ranks before they print */
    }
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        if (strcmp(argv[1], refusals[i].name) == 0) refusals[i].run();
    MPI_Finalize();
    return 0; /* not refused */
}
