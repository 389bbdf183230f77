/* Tests velocities and conductivities as a program uses them, in C99 and in C++. */
#include "checking.h"

enum { sites = 16, n = 3 };

static const double along[3] = {1, 0, 0}, mu[n] = {-1, 0, 1.5};

static legato_kpm_hamiltonian* ring(int32_t boundary) {
    legato_kpm_lattice lattice;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = sites;
    lattice.boundary[0] = boundary;
    CHECK_SUCCESS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    return hamiltonian;
}

static legato_kpm_correlation* finished(legato_kpm_hamiltonian* h, legato_kpm_hamiltonian* v, int32_t vectors) {
    legato_kpm_params params;
    legato_kpm_correlation* correlation = NULL;
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = 16;
    params.vectors = vectors;
    CHECK_SUCCESS(legato_kpm_correlation_create(context, &params, h, v, v, &correlation));
    CHECK_SUCCESS(legato_kpm_correlation_run(correlation, NULL, NULL));
    return correlation;
}

static void velocities(void) {
    legato_kpm_hamiltonian *h = ring(LEGATO_KPM_BOUNDARY_PERIODIC), *v = NULL, *matrix = NULL, *of_matrix = NULL;
    const int64_t rows[3] = {0, 1, 2};
    const int32_t columns[2] = {1, 0};
    const double values[2] = {1, 1}, x[2] = {0, 1};
    int32_t is_complex = 0;
    CHECK_SUCCESS(legato_kpm_velocity_create(context, h, along, &v));
    CHECK_SUCCESS(legato_kpm_hamiltonian_is_complex(v, &is_complex));
    CHECK(is_complex == 1);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(v));
    CHECK_SUCCESS(legato_kpm_matrix_create(context, 2, 2, 0, rows, columns, values, &matrix));
    CHECK_SUCCESS(legato_kpm_matrix_velocity_create(context, matrix, 2, x, 0, &of_matrix));
    CHECK_SUCCESS(legato_kpm_hamiltonian_is_complex(of_matrix, &is_complex));
    CHECK(is_complex == 1);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(of_matrix));

    v = NULL;
    INVALID(legato_kpm_velocity_create(context, h, NULL, &v), "kpm.velocity.components");
    INVALID(legato_kpm_velocity_create(context, NULL, along, &v), "kpm.hamiltonian");
    INVALID(legato_kpm_velocity_create(context, matrix, along, &v), "kpm.velocity: the Hamiltonian is a matrix");
    INVALID(legato_kpm_matrix_velocity_create(context, h, sites, x, 0, &v),
            "kpm.velocity: the Hamiltonian is a lattice");
    INVALID(legato_kpm_matrix_velocity_create(context, matrix, 1, x, 0, &v), "kpm.velocity.n_positions: 1");
    INVALID(legato_kpm_matrix_velocity_create(context, matrix, 2, NULL, 0, &v), "kpm.velocity.positions");
    INVALID(legato_kpm_matrix_velocity_create(context, matrix, 2, x, -1, &v), "kpm.velocity.period: -1");
    CHECK(v == NULL);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(matrix));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(h));
}

static void conductivities(legato_kpm_correlation* c) {
    double symmetric[n], antisymmetric[n], all[n], error[n], omega[n] = {1e-50, 0.5, 1e50}, optical[n];
    CHECK_SUCCESS(legato_kpm_conductivity_greenwood(c, LEGATO_KPM_KERNEL_JACKSON, 0, 0, n, mu, symmetric, error));
    CHECK_SUCCESS(legato_kpm_conductivity_hall(c, LEGATO_KPM_KERNEL_JACKSON, 0, 0, n, mu, antisymmetric, NULL));
    CHECK_SUCCESS(legato_kpm_conductivity_bastin(c, LEGATO_KPM_KERNEL_JACKSON, 0, 0, n, mu, all, NULL));
    for (int i = 0; i < n; ++i) {
        CHECK(symmetric[i] > 0 && error[i] > 0);
        CHECK(all[i] == symmetric[i] + antisymmetric[i]);
    }
    CHECK_SUCCESS(
        legato_kpm_conductivity_optical(c, LEGATO_KPM_KERNEL_LORENTZ, 4, mu[1], 0.1, n, omega, optical, error));
    CHECK_SUCCESS(legato_kpm_conductivity_greenwood(c, LEGATO_KPM_KERNEL_LORENTZ, 4, 0.1, 1, &mu[1], symmetric, NULL));
    CHECK(optical[0] == symmetric[0]);
    CHECK(optical[1] > 0 && error[1] > 0);
    CHECK(optical[2] == 0 && error[2] == 0);
}

static void refusals(legato_kpm_correlation* c) {
    double sigma[n] = {7, 7, 7};
    const double bad[2] = {0, NAN}, zero[1] = {0};
    CHECK(legato_kpm_conductivity_greenwood(NULL, 0, 0, 0, n, mu, sigma, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    INVALID(legato_kpm_conductivity_greenwood(c, 4, 0, 0, n, mu, sigma, NULL), "kpm.kernel");
    INVALID(legato_kpm_conductivity_greenwood(c, LEGATO_KPM_KERNEL_LORENTZ, 0, 0, n, mu, sigma, NULL), "kpm.lambda: 0");
    INVALID(legato_kpm_conductivity_greenwood(c, 0, 0, -1, n, mu, sigma, NULL), "kpm.temperature");
    INVALID(legato_kpm_conductivity_hall(c, 0, 0, 0, 0, mu, sigma, NULL), "kpm.n");
    INVALID(legato_kpm_conductivity_hall(c, 0, 0, 0, n, NULL, sigma, NULL), "kpm.chemical_potentials");
    INVALID(legato_kpm_conductivity_bastin(c, 0, 0, 0, n, mu, NULL, NULL), "kpm.conductivity");
    INVALID(legato_kpm_conductivity_bastin(c, 0, 0, 0, 2, bad, sigma, NULL), "kpm.chemical_potentials[1]");
    INVALID(legato_kpm_conductivity_optical(c, 0, 0, 0, 0, 1, zero, sigma, NULL), "kpm.frequencies[0]");
    INVALID(legato_kpm_conductivity_optical(c, 0, 0, NAN, 0, n, mu, sigma, NULL), "kpm.chemical_potential");
    for (int i = 0; i < n; ++i) CHECK(sigma[i] == 7);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    velocities();
    legato_kpm_hamiltonian *h = ring(LEGATO_KPM_BOUNDARY_PERIODIC), *v = NULL;
    CHECK_SUCCESS(legato_kpm_velocity_create(context, h, along, &v));
    legato_kpm_correlation *many = finished(h, v, 4), *single = finished(h, v, 1);
    conductivities(many);
    refusals(many);
    double sigma, error;
    CHECK_SUCCESS(legato_kpm_conductivity_hall(single, 0, 0, 0, 1, mu, &sigma, &error));
    CHECK(isnan(error));
    CHECK_SUCCESS(legato_kpm_correlation_destroy(many));
    CHECK_SUCCESS(legato_kpm_correlation_destroy(single));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(v));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(h));
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_conductivity_client");
}
