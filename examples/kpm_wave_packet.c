/* A particle that starts on one site of a disordered square lattice: its mean square distance from the start, and what
 * is left of it there. The norm stays 1 within the stated bound. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 101, TIMES = 6 };

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld vectors ", (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the call */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "kpm_wave_packet: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_kpm_lattice lattice;
    legato_kpm_lattice_init(&lattice);
    lattice.extents[0] = lattice.extents[1] = LENGTH;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 4;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    require(context, legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));

    const double step = 4;
    double bound = 0, sum_of_bounds = 0;
    int64_t terms = 0;
    legato_kpm_function* function = NULL;
    require(context, legato_kpm_function_create(context, NULL, hamiltonian, 0, &function));
    require(context,
            legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, step, 0, 1e-12, &terms, &bound));
    fprintf(stderr, "%lld terms\n", (long long)terms);

    static double psi[2 * LENGTH * LENGTH]; /* zero at first */
    const int middle = LENGTH / 2;
    psi[2 * (middle + LENGTH * middle)] = 1;
    puts("     time   distance^2  at the start");
    for (int i = 1; i <= TIMES; ++i) {
        require(context, legato_kpm_function_apply(function, 1, psi, psi, show_progress, NULL));
        sum_of_bounds += bound;
        double norm = 0, spread = 0;
        for (int y = 0; y < LENGTH; ++y)
            for (int x = 0; x < LENGTH; ++x) {
                const double* const at = psi + 2 * (x + LENGTH * y);
                const double weight = at[0] * at[0] + at[1] * at[1];
                norm += weight;
                spread += weight * ((x - middle) * (x - middle) + (y - middle) * (y - middle));
            }
        const double least = 1 - sum_of_bounds, most = 1 + sum_of_bounds;
        if (!(norm >= least * least && norm <= most * most)) {
            fputs("kpm_wave_packet: the norm is not 1\n", stderr);
            return EXIT_FAILURE;
        }
        const double* const start = psi + 2 * (middle + LENGTH * middle);
        printf("%9.3f %12.6f %13.6f\n", i * step, spread, start[0] * start[0] + start[1] * start[1]);
    }

    fputc('\n', stderr);

    legato_kpm_function_destroy(function);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("kpm_wave_packet: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
