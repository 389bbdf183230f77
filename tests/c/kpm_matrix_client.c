/* Tests a matrix that changes: new values in the same pattern, and random on-site energies from the library and from a
 * callback. */
#include "kpm_rings.h"

typedef struct energies_user {
    int calls, stop_at, poison;
} energies_user;

/* Realisation s has the energy s / 4 on all sites, which only shifts the spectrum. */
static int shift(void* user, int64_t realisation, int64_t sites, double* energies) {
    energies_user* const v = (energies_user*)user;
    for (int64_t i = 0; i < sites; ++i) energies[i] = v->poison && i == 4 ? 0.75 : (double)realisation / 4;
    return ++v->calls == v->stop_at;
}

/* Returns the number of states of a sample below an energy. */
static double states_below(legato_kpm* kpm, int64_t sample, double energy) {
    double states = -1;
    CHECK_SUCCESS(
        legato_kpm_integrated_density(kpm, sample, LEGATO_KPM_KERNEL_DIRICHLET, 0, 1, &energy, &states, NULL));
    return states;
}

static legato_kpm_hamiltonian* borrowed(const ring* r) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(
        legato_kpm_matrix_borrow(context, ring_sites, ring_elements, 1, r->rows, r->columns, r->values, &hamiltonian));
    return hamiltonian;
}

static void new_values(void) {
    const ring r = make_ring(1);
    legato_kpm_hamiltonian* const hamiltonian = borrowed(&r);
    double values[ring_elements], mean[3];
    /* In the interval [-2, 2], the hopping t gives mu_2 = t^2 - 1. */
    for (int k = 0; k < ring_elements; ++k) values[k] = r.values[k] / 2;
    legato_kpm* const before = exact_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_matrix_set_values(hamiltonian, ring_elements, values));
    legato_kpm* const after = exact_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_moments(before, 3, mean, NULL));
    CHECK(near(mean[2], 0));
    CHECK_SUCCESS(legato_kpm_moments(after, 3, mean, NULL));
    CHECK(near(mean[2], -0.75));
    CHECK_SUCCESS(legato_kpm_destroy(before));
    CHECK_SUCCESS(legato_kpm_destroy(after));
    for (int k = 0; k < ring_elements; ++k) CHECK(r.values[k] == -1);
    values[7] = 2;
    INVALID(legato_kpm_matrix_set_values(hamiltonian, ring_elements, values),
            "kpm.matrix: the element in row 3 and column 4 is -0.5, but that in row 4");
    values[7] = (double)NAN;
    INVALID(legato_kpm_matrix_set_values(hamiltonian, ring_elements, values),
            "kpm.matrix.values[7] (row 4, column 3): ");
    INVALID(legato_kpm_matrix_set_values(hamiltonian, ring_elements - 1, values),
            "kpm.matrix.n_elements: 23 is not in 24..24");
    INVALID(legato_kpm_matrix_set_values(hamiltonian, ring_elements, NULL), "kpm.matrix.values: a null pointer");
    CHECK(legato_kpm_matrix_set_values(NULL, ring_elements, r.values) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_matrix_set_values(hamiltonian, ring_elements, r.values));
    check_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void drawn_energies(void) {
    const ring r = make_ring(1);
    legato_kpm_hamiltonian* const hamiltonian = borrowed(&r);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    const int64_t site = 4;
    double mean[3], error[3];
    /* The library draws energies. Local moments then have an error. */
    params.moments = 16;
    params.realisations = 3;
    CHECK_SUCCESS(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_BOX, 2));
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 1, &site, &kpm));
    CHECK(near(state_of(kpm).half_width, 3 * 1.01));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_moments(kpm, 3, mean, error));
    CHECK(error[0] == 0 && error[1] > 0.01 && error[1] < 1);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    INVALID(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_ENERGIES, 2),
            "kpm.on_site: 3 is not in 0..2");
    INVALID(legato_kpm_matrix_set_disorder(hamiltonian, -1, 2), "kpm.on_site: -1 is not in 0..2");
    INVALID(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_BOX, -1),
            "kpm.disorder: -1 is not in [0, 1e+100]");
    INVALID(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_BOX, (double)NAN), "kpm.disorder: ");
    CHECK(legato_kpm_matrix_set_disorder(NULL, LEGATO_KPM_ON_SITE_BOX, 1) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_CONSTANT, 0));
    check_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void energies_of_a_callback(void) {
    const ring r = make_ring(1);
    legato_kpm_hamiltonian* const hamiltonian = borrowed(&r);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    const int64_t site = 4;
    energies_user v = {0, 0, 0}, stopping = {0, 2, 0}, poisoned = {0, 0, 1};
    params.realisations = 3;
    params.vectors = 1;
    params.moments = 256;
    CHECK_SUCCESS(legato_kpm_matrix_set_energies(hamiltonian, 0, 0.5, shift, &v));
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 1, &site, &kpm));
    CHECK(v.calls == 0 && near(state_of(kpm).centre, 0.25) && near(state_of(kpm).half_width, 2.25 * 1.01));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK(v.calls == 3);
    for (int s = 0; s < 3; ++s) CHECK(fabs(states_below(kpm, s, s / 4.0 - 0.5) - 0.4166) < 0.02);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_matrix_set_energies(hamiltonian, 0, 0.5, shift, &stopping));
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    REFUSED(legato_kpm_run(kpm, NULL, NULL), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the callback for the on-site energies of realisation 1");
    CHECK(state_of(kpm).samples_done == 1);
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK(state_of(kpm).samples_done == 3);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_matrix_set_energies(hamiltonian, 0, 0.5, shift, &poisoned));
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    INVALID(legato_kpm_run(kpm, NULL, NULL), "kpm.energies[4] of realisation 0: 0.75 is not in [0, 0.5]");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    INVALID(legato_kpm_matrix_set_energies(hamiltonian, 0, -0.5, shift, &v), "kpm.highest: -0.5 is not in [0, 1e+100]");
    INVALID(legato_kpm_matrix_set_energies(hamiltonian, -2e100, 0, shift, &v),
            "kpm.lowest: -2e+100 is not in [-1e+100, 1e+100]");
    INVALID(legato_kpm_matrix_set_energies(hamiltonian, 0, 1, NULL, NULL), "kpm.callback: a null pointer");
    CHECK(legato_kpm_matrix_set_energies(NULL, 0, 1, shift, &v) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_CONSTANT, 0));
    check_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void lattices_do_not_change(void) {
    const legato_kpm_lattice lattice = chain(ring_sites);
    const double values[1] = {0};
    energies_user v = {0, 0, 0};
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    INVALID(legato_kpm_matrix_set_values(hamiltonian, ring_elements, values), "kpm.hamiltonian: it is a lattice, ");
    INVALID(legato_kpm_matrix_set_disorder(hamiltonian, LEGATO_KPM_ON_SITE_BOX, 1),
            "kpm.hamiltonian: it is a lattice, ");
    INVALID(legato_kpm_matrix_set_energies(hamiltonian, 0, 1, shift, &v), "kpm.hamiltonian: it is a lattice, ");
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    new_values();
    drawn_energies();
    energies_of_a_callback();
    lattices_do_not_change();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_matrix_client");
}
