/* Conductivities of Haldane's model: graphene with imaginary hoppings to second neighbours. In the gap around the
 * energy 0, the Hall conductivity is e^2/h and the longitudinal one vanishes. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>

enum { POTENTIALS = 7, HOPPINGS = 9 };

/* Orbital 1 of a cell is bonded to orbital 0 of the same cell and of the next cells along both lattice vectors. Second
 * neighbours are along the lattice vectors and their difference. */
static const int32_t from[HOPPINGS] = {1, 1, 1, 0, 0, 0, 1, 1, 1}, to[HOPPINGS] = {0, 0, 0, 0, 0, 0, 1, 1, 1};
static const int32_t offsets[3 * HOPPINGS] = {0, 0, 0,  1, 0, 0, 0, 1,  0, 1, 0, 0,  -1, 1,
                                              0, 0, -1, 0, 1, 0, 0, -1, 1, 0, 0, -1, 0};
static const double amplitudes[2 * HOPPINGS] = {-1, 0,    -1, 0,    -1, 0,     /* real and imaginary parts */
                                                0,  0.2,  0,  0.2,  0,  0.2,   /* orbital 0 */
                                                0,  -0.2, 0,  -0.2, 0,  -0.2}; /* orbital 1 */
static const double positions[6] = {0, 0, 0, 1.0 / 3, 1.0 / 3, 0};
/* The lattice vectors are (1, 0) and (1/2, sqrt(3)/2). */
static const double along_x[3] = {1, 0.5, 0}, along_y[3] = {0, 0.86602540378443865, 0};
static const double area_of_site = 0.86602540378443865 / 2, conductance_quantum = 0.15915494309189535; /* 1 / (2 pi) */

static int show_progress(void* user, const legato_progress* progress) {
    (void)user;
    fprintf(stderr, "\r%lld of %lld vectors ", (long long)progress->points_done, (long long)progress->points_total);
    return 0; /* anything else stops the run */
}

static void require(legato_context* context, int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "kpm_hall: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

int main(void) {
    legato_context* context = NULL;
    require(context, legato_context_create(NULL, &context));

    legato_kpm_cell_lattice lattice;
    legato_kpm_cell_lattice_init(&lattice);
    lattice.extents[0] = lattice.extents[1] = 64;
    lattice.orbitals = 2;
    legato_kpm_hamiltonian *hamiltonian = NULL, *v_x = NULL, *v_y = NULL;
    require(context, legato_kpm_cell_lattice_create(context, &lattice, positions, NULL, HOPPINGS, from, to, offsets,
                                                    amplitudes, 0, NULL, &hamiltonian));
    require(context, legato_kpm_velocity_create(context, hamiltonian, along_x, &v_x));
    require(context, legato_kpm_velocity_create(context, hamiltonian, along_y, &v_y));

    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = 128;
    params.vectors = 8;
    params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
    legato_kpm_correlation *xy = NULL, *xx = NULL;
    require(context, legato_kpm_correlation_create(context, &params, hamiltonian, v_x, v_y, &xy));
    require(context, legato_kpm_correlation_run(xy, show_progress, NULL));
    require(context, legato_kpm_correlation_create(context, &params, hamiltonian, v_x, v_x, &xx));
    require(context, legato_kpm_correlation_run(xx, show_progress, NULL));
    fputc('\n', stderr);

    double mu[POTENTIALS], hall[POTENTIALS], hall_error[POTENTIALS], sigma[POTENTIALS], error[POTENTIALS];
    for (int i = 0; i < POTENTIALS; ++i) mu[i] = i - (POTENTIALS - 1) / 2;
    require(context,
            legato_kpm_conductivity_hall(xy, LEGATO_KPM_KERNEL_JACKSON, 0, 0, POTENTIALS, mu, hall, hall_error));
    require(context,
            legato_kpm_conductivity_greenwood(xx, LEGATO_KPM_KERNEL_JACKSON, 0, 0, POTENTIALS, mu, sigma, error));
    const double unit = area_of_site * conductance_quantum;
    puts("chemical potential, Hall and longitudinal conductivity in e^2/h");
    for (int i = 0; i < POTENTIALS; ++i)
        printf("%6.2f %10.4f +- %6.4f %10.4f +- %6.4f\n", mu[i], hall[i] / unit, hall_error[i] / unit, sigma[i] / unit,
               error[i] / unit);

    legato_kpm_correlation_destroy(xx);
    legato_kpm_correlation_destroy(xy);
    legato_kpm_hamiltonian_destroy(v_y);
    legato_kpm_hamiltonian_destroy(v_x);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    legato_context_destroy(context);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fputs("kpm_hall: standard output cannot be written\n", stderr);
    return EXIT_FAILURE;
}
