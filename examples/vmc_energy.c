/* Energy of the projected d-wave state on the tilted cluster of 82 sites against doping, with its errors; and the
 * largest structure factor of the spins. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOPINGS = 6, SITES = 82 };

static int show_progress(void* user, const legato_progress* progress) {
    fprintf(stderr, "\r%d electrons: %lld of %lld bins ", *(const int32_t*)user, (long long)progress->points_done,
            (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "vmc_energy: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

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

    puts("electrons   doping     energy      error    kinetic   exchange       S.S    largest S(q)");
    for (int i = 0; i < DOPINGS; ++i) {
        require(context, legato_vmc_electrons_at(context, &params, 0.05 * i, &params.electrons));
        legato_vmc* vmc = NULL;
        require(context, legato_vmc_create(context, &params, &vmc));
        require(context, legato_vmc_run(vmc, show_progress, &params.electrons));

        legato_vmc_averages a;
        a.struct_size = sizeof a;
        require(context, legato_vmc_result(vmc, &a));
        double wave_vectors[2 * SITES], spin[SITES];
        require(context, legato_vmc_structure_factors(vmc, SITES, wave_vectors, spin, NULL, NULL, NULL));
        int largest = 0;
        for (int q = 1; q < SITES; ++q)
            if (spin[q] > spin[largest]) largest = q;
        printf("%9d %8.4f %10.6f %10.6f %10.6f %10.6f %9.5f %8.4f (%6.4f, %6.4f)\n", params.electrons,
               1 - params.electrons / (double)SITES, a.energy, a.energy_error, a.kinetic, a.exchange, a.spin_spin,
               spin[largest], wave_vectors[2 * largest], wave_vectors[2 * largest + 1]);
        legato_vmc_destroy(vmc);
    }
    fputc('\n', stderr);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("vmc_energy: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
