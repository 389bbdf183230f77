/* Binder cumulants of simple cubic lattices about their critical point, beta = 0.22165462(2): below it they fall with
 * the lattice's extent, above it they rise, and there they cross. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXTENTS = 3, BETAS = 5 };

static int show_progress(void* user, const legato_progress* progress) {
    fprintf(stderr, "\rL = %2lld: %lld of %lld bins ", (long long)*(const int64_t*)user,
            (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "ising_binder: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    const int64_t extents[EXTENTS] = {4, 8, 12};
    const double betas[BETAS] = {0.2116, 0.2166, 0.2216, 0.2266, 0.2316};
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_ising_params params;
    legato_ising_params_init(&params);
    params.dimension = 3;
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL;
    params.replicas = 32; /* for each temperature; side by side in the bits of a word */
    params.refresh_interval = params.sweeps_per_measurement = 5;
    params.thermalisation = 500;
    params.bins = 8; /* of each replica */
    params.measurements_per_bin = 200;

    puts(" L      beta    cumulant       error       <|m|>  susceptibility       error  autocorrelation/sweeps");
    for (int i = 0; i < EXTENTS; ++i) {
        for (int axis = 0; axis < 3; ++axis) params.extents[axis] = extents[i];
        legato_ising* ising = NULL;
        require(context, legato_ising_create(context, &params, BETAS, betas, 0, NULL, &ising));
        require(context, legato_ising_run(ising, show_progress, &params.extents[0]));
        for (int b = 0; b < BETAS; ++b) {
            legato_ising_averages a;
            a.struct_size = sizeof a;
            require(context, legato_ising_result(ising, b, &a));
            printf("%2lld  %8.5f  %10.6f  %10.6f  %10.6f  %14.5f  %10.5f  %22.2f\n", (long long)extents[i], betas[b],
                   a.binder, a.binder_error, a.absolute_magnetisation, a.susceptibility, a.susceptibility_error,
                   a.magnetisation_autocorrelation);
        }
        legato_ising_destroy(ising);
    }
    fputc('\n', stderr);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("ising_binder: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
