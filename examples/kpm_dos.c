/* Density of states of the three-dimensional Anderson model, with its errors, the local one of a site, and the chemical
 * potential of a third filling with its error. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENERGIES = 9 };

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld vectors ", (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "kpm_dos: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_kpm_lattice lattice;
    legato_kpm_lattice_init(&lattice);
    for (int d = 0; d < 3; ++d) lattice.extents[d] = 24;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 8;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    require(context, legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));

    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = 128;
    params.vectors = 8;
    params.realisations = 4;
    legato_kpm* kpm = NULL;
    require(context, legato_kpm_create(context, &params, hamiltonian, &kpm));
    require(context, legato_kpm_run(kpm, show_progress, NULL));
    fputc('\n', stderr);

    const int64_t site = 0;
    legato_kpm* local = NULL;
    require(context, legato_kpm_create_local(context, &params, hamiltonian, 1, &site, &local));
    require(context, legato_kpm_run(local, NULL, NULL));

    double energy[ENERGIES], density[ENERGIES], error[ENERGIES], of_site[ENERGIES], potential = 0, potential_error = 0;
    for (int i = 0; i < ENERGIES; ++i) energy[i] = 2.0 * i - ENERGIES + 1;
    require(context,
            legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, ENERGIES, energy, density, error));
    require(context,
            legato_kpm_density_of_states(local, 0, LEGATO_KPM_KERNEL_JACKSON, 0, ENERGIES, energy, of_site, NULL));
    require(context, legato_kpm_chemical_potential(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 1.0 / 3, 0, &potential,
                                                   &potential_error));
    puts("   energy    density      error     site 1");
    for (int i = 0; i < ENERGIES; ++i)
        printf("%9.3f %10.6f %10.6f %10.6f\n", energy[i], density[i], error[i], of_site[i]);
    printf("chemical potential %10.6f %10.6f\n", potential, potential_error);

    legato_kpm_destroy(local);
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("kpm_dos: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
