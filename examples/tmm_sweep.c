/* Localisation length of a disordered strip over the band: a sweep in energy, as a table with error bars. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 11 };

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld points, %.0f cycles a second ", (long long)progress->points_done,
            (long long)progress->points_total, progress->cycles_per_second);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "tmm_sweep: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    double energy[POINTS], disorder[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        energy[i] = 0.4 * i;
        disorder[i] = 4.0;
    }

    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));
    legato_tmm_params params;
    legato_tmm_params_init(&params);
    params.width = 16;
    params.epsilon = 0.01;
    legato_tmm* tmm = NULL;
    require(context, legato_tmm_create(context, &params, POINTS, energy, disorder, &tmm));
    require(context, legato_tmm_run(tmm, show_progress, NULL));
    fputc('\n', stderr);

    puts("     E    length     error  cycles");
    for (int i = 0; i < POINTS; ++i) {
        legato_tmm_point point = {.struct_size = sizeof point};
        require(context, legato_tmm_result(tmm, i, &point, 0, NULL, NULL));
        if (point.status != LEGATO_TMM_POINT_STATUS_CONVERGED) {
            printf("%6.2f has not converged\n", point.energy);
            continue;
        }
        printf("%6.2f %9.3f %9.3f %7lld\n", point.energy, point.localisation_length,
               point.localisation_length * point.relative_error, (long long)point.cycles);
    }
    legato_tmm_destroy(tmm);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("tmm_sweep: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
