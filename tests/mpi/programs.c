/* programs CASE: programs that use MPI in other ways.
 *     alone      does not join: every rank does the whole work, and rank 0 says so once
 *     halves     the ranks of each half share a problem of their own
 *     finalised  destroys the context after MPI_Finalize
 *     chunks     passes data in many pieces; needs legato_mpi.c with a small LEGATO_MPI_CHUNK */
#include "client.h"

static void run_vmc(const char* name) {
    FILE* const to = open_of_rank(name);
    legato_vmc* const vmc = small_vmc(4, 4, 5);
    require(legato_vmc_run(vmc, NULL, NULL));
    write_vmc(to, vmc);
    require(legato_vmc_destroy(vmc));
    fclose(to);
}

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    if (argc != 2) return EXIT_FAILURE;
    MPI_Comm own = MPI_COMM_NULL;
    require(legato_context_create(NULL, &context));
    if (strcmp(argv[1], "halves") == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &own); /* in the reverse order */
        require(legato_mpi_join(context, (int32_t)MPI_Comm_c2f(own)));
        MPI_Comm_free(&own);
    } else if (strcmp(argv[1], "alone") != 0) {
        require(legato_mpi_join(context, (int32_t)MPI_Comm_c2f(MPI_COMM_WORLD)));
    }
    run_vmc(argv[1]);
    run_vmc(argv[1]);
    if (strcmp(argv[1], "finalised") == 0) MPI_Finalize();
    require(legato_context_destroy(context));
    if (strcmp(argv[1], "finalised") != 0) MPI_Finalize();
    return EXIT_SUCCESS;
}
