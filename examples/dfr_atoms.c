/* Dirac-Fock-Roothaan energies of the noble gases with Gaussian nuclei, all six in one batch. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { ATOMS = 6 };

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld atoms, %lld iterations ", (long long)progress->points_done,
            (long long)progress->points_total, (long long)progress->cycles_done);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "dfr_atoms: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    const int32_t element[ATOMS] = {2, 10, 18, 36, 54, 86};
    const char* const symbol[ATOMS] = {"He", "Ne", "Ar", "Kr", "Xe", "Rn"};

    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));
    legato_dfr* dfr = NULL;
    require(context, legato_dfr_create(context, NULL, &dfr));
    for (int i = 0; i < ATOMS; ++i)
        require(context, legato_dfr_add_element(dfr, element[i], LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, NULL));
    require(context, legato_dfr_run(dfr, show_progress, NULL));
    fputc('\n', stderr);

    puts("atom            energy   virial ratio  iterations");
    for (int i = 0; i < ATOMS; ++i) {
        legato_dfr_atom atom = {.struct_size = sizeof atom};
        require(context, legato_dfr_result(dfr, i, &atom));
        if (atom.status != LEGATO_DFR_ATOM_STATUS_CONVERGED) {
            printf("%-4s has not converged\n", symbol[i]);
            continue;
        }
        printf("%-4s %17.8f %14.10f %11d\n", symbol[i], atom.energy, atom.virial_ratio, (int)atom.iterations);
    }
    legato_dfr_destroy(dfr);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("dfr_atoms: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
