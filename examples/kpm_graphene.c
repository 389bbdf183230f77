/* Density of states of graphene, clean and with two kinds of atoms: a tenth of the sites has an energy that is higher
 * by 2 than that of the other sites. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENERGIES = 9, HOPPINGS = 3 };

/* Orbital 1 of a cell is bonded to orbital 0 of the same cell, of the next cell along the first lattice vector, and of
 * the next one along the second. */
static const int32_t from[HOPPINGS] = {1, 1, 1}, to[HOPPINGS] = {0, 0, 0};
static const int32_t offsets[3 * HOPPINGS] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const double amplitudes[2 * HOPPINGS] = {-1, 0, -1, 0, -1, 0}; /* real and imaginary parts */

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld vectors ", (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "kpm_graphene: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

static legato_kpm_hamiltonian* graphene(legato_context* context, const legato_kpm_cell_lattice* lattice) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    require(context, legato_kpm_cell_lattice_create(context, lattice, NULL, NULL, HOPPINGS, from, to, offsets,
                                                    amplitudes, 0, NULL, &hamiltonian));
    return hamiltonian;
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_kpm_cell_lattice lattice;
    legato_kpm_cell_lattice_init(&lattice);
    lattice.extents[0] = lattice.extents[1] = 128;
    lattice.orbitals = 2;
    legato_kpm_hamiltonian* const clean = graphene(context, &lattice);
    lattice.on_site = LEGATO_KPM_ON_SITE_BINARY;
    lattice.disorder = 2; /* energies are 1 and -1 */
    lattice.concentration = 0.1;
    legato_kpm_hamiltonian* const alloy = graphene(context, &lattice);

    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = 128;
    params.vectors = 4;
    params.realisations = 4;
    legato_kpm *kpm = NULL, *local = NULL;
    require(context, legato_kpm_create(context, &params, alloy, &kpm));
    require(context, legato_kpm_run(kpm, show_progress, NULL));
    fputc('\n', stderr);
    /* All sites of the clean lattice are equivalent, so that one of them gives the exact moments. */
    const int64_t site = 0;
    params.realisations = 1;
    require(context, legato_kpm_create_local(context, &params, clean, 1, &site, &local));
    require(context, legato_kpm_run(local, NULL, NULL));

    double energy[ENERGIES], density[ENERGIES], error[ENERGIES], of_clean[ENERGIES];
    for (int i = 0; i < ENERGIES; ++i) energy[i] = i - (ENERGIES - 1) / 2;
    require(context,
            legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, ENERGIES, energy, density, error));
    require(context,
            legato_kpm_density_of_states(local, -1, LEGATO_KPM_KERNEL_JACKSON, 0, ENERGIES, energy, of_clean, NULL));
    puts("   energy      clean      alloy      error");
    for (int i = 0; i < ENERGIES; ++i)
        printf("%9.3f %10.6f %10.6f %10.6f\n", energy[i], of_clean[i], density[i], error[i]);

    legato_kpm_destroy(local);
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(alloy);
    legato_kpm_hamiltonian_destroy(clean);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("kpm_graphene: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
