/* Spectral function A(k, E) of graphene with box disorder on a path of wave vectors, averaged over realisations, and
 * the Green's function between two sites. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENERGIES = 7, HOPPINGS = 3, WAVE_VECTORS = 4 };

static const int32_t from[HOPPINGS] = {1, 1, 1}, to[HOPPINGS] = {0, 0, 0};
static const int32_t offsets[3 * HOPPINGS] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const double amplitudes[2 * HOPPINGS] = {-1, 0, -1, 0, -1, 0}; /* real and imaginary parts */

/* In units of the reciprocal lattice vectors: Gamma, half the way to K, K, and M. */
static const double wave_vectors[3 * WAVE_VECTORS] = {0, 0, 0, 1.0 / 6, -1.0 / 6, 0, 1.0 / 3, -1.0 / 3, 0, 0.5, 0, 0};

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld vectors ", (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "kpm_spectral: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_kpm_cell_lattice lattice;
    legato_kpm_cell_lattice_init(&lattice);
    lattice.extents[0] = lattice.extents[1] = 96; /* a multiple of 6, so that the waves fit */
    lattice.orbitals = 2;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 1.5;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    require(context, legato_kpm_cell_lattice_create(context, &lattice, NULL, NULL, HOPPINGS, from, to, offsets,
                                                    amplitudes, 0, NULL, &hamiltonian));
    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = 256;
    params.realisations = 4;

    legato_kpm* kpm = NULL;
    require(context, legato_kpm_create_waves(context, &params, hamiltonian, WAVE_VECTORS, wave_vectors, 0, NULL, &kpm));
    require(context, legato_kpm_run(kpm, show_progress, NULL));
    fputc('\n', stderr);
    double energy[ENERGIES], density[WAVE_VECTORS][ENERGIES], error[WAVE_VECTORS][ENERGIES];
    for (int i = 0; i < ENERGIES; ++i) energy[i] = i - (ENERGIES - 1) / 2;
    require(context, legato_kpm_local_densities(kpm, 0, WAVE_VECTORS, LEGATO_KPM_KERNEL_JACKSON, 0, ENERGIES, energy,
                                                &density[0][0], &error[0][0]));
    puts("   energy      Gamma        K/2          K          M      error of M");
    for (int i = 0; i < ENERGIES; ++i)
        printf("%9.3f %10.5f %10.5f %10.5f %10.5f %10.5f\n", energy[i], density[0][i], density[1][i], density[2][i],
               density[3][i], error[3][i]);

    /* From orbital 0 of the first cell to orbital 1 of the same cell, and to orbital 0 of the next one. */
    const int64_t left[2] = {1, 2}, right = 0;
    const double at = 0.5;
    double value[2][2], spread[2][2];
    legato_kpm_green* green = NULL;
    require(context, legato_kpm_green_create(context, &params, hamiltonian, 2, left, 1, &right, NULL, NULL, &green));
    require(context, legato_kpm_green_run(green, NULL, NULL));
    require(context, legato_kpm_green_functions(green, 0, 2, 0, 1, LEGATO_KPM_KERNEL_LORENTZ, 4, 1, &at, &value[0][0],
                                                &spread[0][0]));
    for (int i = 0; i < 2; ++i) printf("G(%d, 0; %.1f) %10.5f %10.5f\n", (int)left[i], at, value[i][0], value[i][1]);

    legato_kpm_green_destroy(green);
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("kpm_spectral: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
