/* steps KIND STATE RESULT [BINS]: begins a run of KIND, vmc or ising, or resumes it from STATE if this file exists.
 * Saves to STATE after each bin, and stops after BINS of them. When the run is complete, each rank writes its results
 * to RESULT.RANK. At the start it writes its process id to pid.RANK; at the end rank 0 prints how many bins it has
 * computed. */
#include "client.h"

static void write_pid(void) {
    FILE* const file = open_of_rank("pid");
    fprintf(file, "%ld\n", (long)getpid());
    fclose(file);
}

/* Rank 0 decides for all, because another rank may already have saved. */
static int is_there(const char* path) {
    int answer = access(path, R_OK) == 0;
    MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return answer;
}

static void tell(int64_t bins) {
    if (rank == 0) printf("computed %lld bins\n", (long long)bins);
}

static void vmc(const char* state, const char* result, int64_t most) {
    legato_vmc* run = NULL;
    legato_vmc_params params;
    int64_t done = 0, computed = 0;
    if (is_there(state))
        require(legato_vmc_resume(context, state, &run));
    else
        run = small_vmc(8, 150, 40);
    require(legato_vmc_params_init(&params));
    require(legato_vmc_get_params(run, &params));
    for (; done < params.bins && computed < most; ++computed) {
        require(legato_vmc_advance(run, 1, &done));
        require(legato_vmc_save(run, state));
    }
    tell(computed);
    if (done == params.bins) {
        FILE* const to = open_of_rank(result);
        write_vmc(to, run);
        fclose(to);
    }
    require(legato_vmc_destroy(run));
}

static void ising(const char* state, const char* result, int64_t most) {
    legato_ising* run = NULL;
    legato_ising_params params;
    int64_t done = 0, computed = 0;
    if (is_there(state))
        require(legato_ising_resume(context, state, &run));
    else
        run = small_ising(16, 150, 100);
    require(legato_ising_params_init(&params));
    require(legato_ising_get_params(run, &params));
    for (; done < params.bins && computed < most; ++computed) {
        require(legato_ising_advance(run, 1, &done));
        require(legato_ising_save(run, state));
    }
    tell(computed);
    if (done == params.bins) {
        FILE* const to = open_of_rank(result);
        write_ising(to, run);
        fclose(to);
    }
    require(legato_ising_destroy(run));
}

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    if (argc < 4) return EXIT_FAILURE;
    write_pid();
    join();
    const int64_t most = argc > 4 ? atoi(argv[4]) : 1000000;
    if (strcmp(argv[1], "vmc") == 0)
        vmc(argv[2], argv[3], most);
    else
        ising(argv[2], argv[3], most);
    require(legato_context_destroy(context));
    MPI_Finalize();
    return EXIT_SUCCESS;
}
