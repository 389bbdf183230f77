/* The table of vmc_energy.c, computed by all processes of an MPI program together: the processes share the chains.
 *     mpirun -n 4 vmc_energy_mpi_c */
#include <legato/legato.h>
#include <legato/mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOPINGS = 6, SITES = 82 };

static int show_progress(void* user, const legato_progress* progress) {
    fprintf(stderr, "\r%d electrons: %lld of %lld bins ", *(const int32_t*)user, (long long)progress->points_done,
            (long long)progress->points_total);
    return 0; /* anything else stops the run on all ranks */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "vmc_energy_mpi: %s\n", legato_context_message(context));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));
    require(context, legato_mpi_join(context, MPI_Comm_c2f(MPI_COMM_WORLD)));

    legato_vmc_params params;
    legato_vmc_params_init(&params);
    params.length = 9;
    params.delta = 1.5;
    params.mu = 0;
    params.j = 0.3;
    params.chains = 8;
    params.thermalisation = 100;
    params.bins = 16;
    params.sweeps_per_bin = 50;
    params.correlations = 1;

    if (rank == 0) puts("electrons   doping     energy      error    kinetic   exchange       S.S    largest S(q)");
    for (int i = 0; i < DOPINGS; ++i) {
        require(context, legato_vmc_electrons_at(context, &params, 0.05 * i, &params.electrons));
        legato_vmc* vmc = NULL;
        require(context, legato_vmc_create(context, &params, &vmc));
        require(context, legato_vmc_run(vmc, rank == 0 ? show_progress : NULL, &params.electrons));

        legato_vmc_averages a; /* every rank can read all results */
        a.struct_size = sizeof a;
        require(context, legato_vmc_result(vmc, &a));
        double wave_vectors[2 * SITES], spin[SITES];
        require(context, legato_vmc_structure_factors(vmc, SITES, wave_vectors, spin, NULL, NULL, NULL));
        int largest = 0;
        for (int q = 1; q < SITES; ++q)
            if (spin[q] > spin[largest]) largest = q;
        if (rank == 0)
            printf("%9d %8.4f %10.6f %10.6f %10.6f %10.6f %9.5f %8.4f (%6.4f, %6.4f)\n", params.electrons,
                   1 - params.electrons / (double)SITES, a.energy, a.energy_error, a.kinetic, a.exchange, a.spin_spin,
                   spin[largest], wave_vectors[2 * largest], wave_vectors[2 * largest + 1]);
        legato_vmc_destroy(vmc);
    }
    if (rank == 0) fputc('\n', stderr);
    legato_context_destroy(context);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("vmc_energy_mpi: standard output cannot be written\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Finalize();
    return 0;
}
