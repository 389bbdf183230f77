/* A small basis for neon: the parameters of s(1:12) p(1:8) optimised, begun with those that the library has for its
 * larger one, and how the energy converges on the way. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPECIES = 3, MOST = 500 };

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld basis sets, %lld energies ", (long long)progress->points_done,
            (long long)progress->points_total, (long long)progress->cycles_done);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "dfr_optimise: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    const int32_t neon = 10, functions[SPECIES] = {12, 8, 8}, first[SPECIES] = {1, 1, 1}, closed[SPECIES] = {2, 1, 1};
    const double open_shells[SPECIES] = {0, 0, 0};
    double parameters[4], energies[MOST];
    int32_t kinds[MOST];
    int64_t count = 0;

    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));
    legato_dfr_nucleus nucleus = {.struct_size = sizeof nucleus};
    require(context, legato_dfr_element_nucleus(context, neon, LEGATO_DFR_NUCLEAR_MODEL_POINT, &nucleus));
    require(context, legato_dfr_library_basis(context, neon, parameters, NULL, 0, NULL, NULL, NULL));

    legato_dfr_optimiser_params params;
    legato_dfr_optimiser_params_init(&params);
    params.max_energies = MOST;
    legato_dfr_optimiser* optimiser = NULL;
    require(context, legato_dfr_optimiser_create(context, NULL, &params, &optimiser));
    require(context, legato_dfr_optimiser_add(optimiser, &nucleus, SPECIES, functions, first, NULL, 1, parameters,
                                              closed, open_shells, NULL, 0, NULL));
    require(context, legato_dfr_optimiser_run(optimiser, show_progress, NULL));
    fputc('\n', stderr);

    legato_dfr_optimisation result = {.struct_size = sizeof result};
    require(context, legato_dfr_optimiser_result(optimiser, 0, &result));
    require(context, legato_dfr_optimiser_history(optimiser, 0, 0, result.energies, &count, energies, kinds, NULL));
    printf("limit %17.8f\n", result.limit);
    puts("energies     lowest so far   above the limit by 1e-6 of it");
    double lowest = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (kinds[i] == LEGATO_DFR_ENERGY_KIND_GOOD && energies[i] < lowest) lowest = energies[i];
        if (i % 20 == 0 || i == count - 1)
            printf("%8lld %17.8f %14.4f\n", (long long)(i + 1), lowest, (lowest - result.limit) / -result.limit * 1e6);
    }
    if (result.status != LEGATO_DFR_OPTIMISER_STATUS_CONVERGED) puts("not converged");
    require(context, legato_dfr_optimiser_basis(optimiser, 0, NULL, NULL, NULL, NULL, NULL, parameters));
    printf("alpha %8.5f  beta %8.5f  delta %8.5f  gamma %8.5f\n", parameters[0], parameters[1], parameters[2],
           parameters[3]);
    legato_dfr_optimiser_destroy(optimiser);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("dfr_optimise: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
