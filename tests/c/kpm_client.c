/* Tests the kernel polynomial method as a program uses it, in C99 and in C++. Known moments, lattice and matrix, the
 * caller's vectors, quantities derived from moments, saving and resuming are tested. Every argument that must be
 * refused is tried. */
#include <stdlib.h>

#include "kpm_rings.h"

static void rings(void) {
    const legato_kpm_lattice lattice = chain(ring_sites);
    legato_kpm_hamiltonian* hamiltonian = lattice_of(&lattice);
    check_ring(hamiltonian);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    for (int base = 0; base < 2; ++base) {
        const ring r = make_ring(base);
        CHECK_SUCCESS(legato_kpm_matrix_create(context, ring_sites, ring_elements, base, r.rows, r.columns, r.values,
                                               &hamiltonian));
        check_ring(hamiltonian);
        CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
        CHECK_SUCCESS(legato_kpm_matrix_create_narrow(context, ring_sites, ring_elements, base, r.narrow, r.columns,
                                                      r.values, &hamiltonian));
        check_ring(hamiltonian);
        CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    }
}

/* ---- Quantities derived from moments ---- */

static legato_kpm* disordered_plane(void) {
    legato_kpm_lattice lattice = chain(40);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    lattice.extents[1] = 30;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 2;
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    params.moments = 64;
    params.vectors = 4;
    params.realisations = 3;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian)); /* the run shares ownership of it */
    return kpm;
}

static int stop_estimate(void* user, const legato_progress* progress) {
    int* const calls = (int*)user;
    ++*calls;
    CHECK(progress->points_total == 4 && progress->points_done <= 3 && progress->seconds >= 0.2);
    return 1;
}

/* A callback ends the computation of a density at many energies, and writes nothing. */
static void many_energies(void) {
    enum { n = 500000 };
    static double energies[n], density[n], error[n];
    const legato_kpm_lattice lattice = chain(50);
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    int calls = 0;
    params.moments = 4096;
    params.vectors = 3;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    for (int i = 0; i < n; ++i) energies[i] = (double)i / (double)n;
    density[0] = error[0] = -5;
    CHECK_SUCCESS(legato_kpm_set_progress(kpm, stop_estimate, &calls));
    REFUSED(legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, n, energies, density, error),
            LEGATO_STATUS_CANCELLED, "kpm: stopped by the progress callback");
    CHECK(calls == 1 && density[0] == -5 && error[0] == -5);
    CHECK_SUCCESS(legato_kpm_set_progress(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 3, energies, density, error));
    CHECK(calls == 1 && density[0] > -1e-9 && error[0] > 0);
    CHECK(legato_kpm_set_progress(NULL, stop_estimate, &calls) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void spectra(void) {
    enum { nodes = 256 };
    static double energies[nodes], density[nodes], error[nodes], again[nodes], none[nodes];
    static double green[2 * nodes], green_error[2 * nodes];
    double states[3], spread[3], electrons = -1, electrons_error = -1, potential = -9, potential_error = -1, sum = 0;
    legato_kpm* const kpm = disordered_plane();
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    const legato_kpm_state state = state_of(kpm);
    CHECK(state.samples == 12 && state.samples_done == 12 && state.format == LEGATO_KPM_FORMAT_STENCIL);
    CHECK_SUCCESS(legato_kpm_density_at_nodes(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, nodes, energies, density, error));
    for (int i = 0; i < nodes; ++i) {
        const double e = (energies[i] - state.centre) / state.half_width;
        sum += density[i] * state.half_width * sqrt(1 - e * e) * acos(-1.0) / (double)nodes;
        CHECK(i == 0 || energies[i] > energies[i - 1]);
        CHECK(density[i] > -1e-12 && error[i] > 0 && error[i] < 0.1);
    }
    CHECK(fabs(sum - 1) < 1e-10);
    CHECK_SUCCESS(legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, nodes, energies, again, none));
    for (int i = 0; i < nodes; ++i) CHECK(fabs(again[i] - density[i]) < 1e-10 && fabs(none[i] - error[i]) < 1e-10);
    CHECK_SUCCESS(legato_kpm_density_of_states(kpm, 5, LEGATO_KPM_KERNEL_LORENTZ, 4, nodes, energies, again, none));
    CHECK(isnan(none[0]) && isnan(none[nodes - 1])); /* the error is unknown for a single sample */
    CHECK_SUCCESS(
        legato_kpm_greens_function(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, nodes, energies, green, green_error));
    for (int i = 0; i < nodes; ++i) {
        CHECK(fabs(green[2 * i + 1] + acos(-1.0) * density[i]) < 1e-10);
        CHECK(fabs(green_error[2 * i + 1] - acos(-1.0) * error[i]) < 1e-10 && green_error[2 * i] > 0);
    }
    CHECK_SUCCESS(
        legato_kpm_greens_function(kpm, 2, LEGATO_KPM_KERNEL_JACKSON, 0, nodes, energies, green, green_error));
    for (int i = 0; i < 2 * nodes; ++i) CHECK(isnan(green_error[i]));
    energies[0] = state.centre - 2 * state.half_width;
    energies[1] = state.centre;
    energies[2] = state.centre + 2 * state.half_width;
    CHECK_SUCCESS(legato_kpm_integrated_density(kpm, -1, LEGATO_KPM_KERNEL_FEJER, 0, 3, energies, states, spread));
    CHECK(near(states[0], 0) && near(states[2], 1) && fabs(states[1] - 0.5) < 0.1);
    CHECK(spread[0] == 0 && spread[1] > 0 && spread[1] < 0.1);
    CHECK_SUCCESS(
        legato_kpm_electron_number(kpm, -1, LEGATO_KPM_KERNEL_FEJER, 0, energies[1], 0, &electrons, &electrons_error));
    CHECK(near(electrons, states[1]) && fabs(electrons_error - spread[1]) < 1e-12);
    CHECK_SUCCESS(legato_kpm_chemical_potential(kpm, -1, LEGATO_KPM_KERNEL_FEJER, 0, electrons, 0.1, &potential,
                                                &potential_error));
    CHECK(potential_error > 0 && potential_error < 0.5);
    electrons = -1;
    CHECK_SUCCESS(legato_kpm_electron_number(kpm, -1, LEGATO_KPM_KERNEL_FEJER, 0, potential, 0.1, &electrons, NULL));
    CHECK(fabs(electrons - states[1]) < 1e-12);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}

static void refused_spectra(void) {
    double energies[most] = {0}, density[most], error[most], green[2], green_error[2];
    double electrons = -1, potential = -9, potential_error = -1;
    legato_kpm* const kpm = disordered_plane();
    INVALID(legato_kpm_moments(kpm, 1, energies, NULL), "kpm.moments: no sample is finished yet");
    INVALID(legato_kpm_sample(kpm, 0, 1, energies), "kpm.sample: no sample is finished yet");
    INVALID(legato_kpm_density_of_states(kpm, -1, 0, 4, 1, energies, density, NULL), "kpm.sample: -1 is not there");
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    const legato_kpm_state state = state_of(kpm);
    INVALID(legato_kpm_moments(kpm, 65, energies, NULL), "kpm.moments.n: 65 is not in 0..64");
    INVALID(legato_kpm_moments(kpm, -1, energies, NULL), "kpm.moments.n: -1 is not in 0..64");
    INVALID(legato_kpm_sample(kpm, 12, 1, energies), "kpm.sample: 12 is not in 0..11");
    INVALID(legato_kpm_sample(kpm, -1, 1, energies), "kpm.sample: -1 is not in 0..11");
    INVALID(legato_kpm_sample(kpm, 0, 65, energies), "kpm.sample.n: 65 is not in 0..64");
    INVALID(legato_kpm_sample(kpm, 0, 1, NULL), "kpm.sample.moments: a null pointer");
#define DENSITY(sample, kernel, lambda, n) \
    legato_kpm_density_of_states(kpm, sample, kernel, lambda, n, energies, density, error)
    INVALID(DENSITY(-2, 0, 4, 1), "kpm.sample: -2 is not in -1..11");
    INVALID(DENSITY(12, 0, 4, 1), "kpm.sample: 12 is not in -1..11");
    INVALID(DENSITY(-1, 4, 4, 1), "kpm.kernel: 4 is not in 0..3");
    INVALID(DENSITY(-1, -1, 4, 1), "kpm.kernel: -1 is not in 0..3");
    INVALID(DENSITY(-1, 1, 0, 1), "kpm.lambda: 0 is not in");
    INVALID(DENSITY(-1, 1, (double)NAN, 1), "kpm.lambda: ");
    INVALID(DENSITY(-1, 0, 4, 0), "kpm.n: 0 is not in 1..");
    INVALID(DENSITY(-1, 0, 4, -5), "kpm.n: -5 is not in 1..");
    energies[2] = (double)INFINITY;
    INVALID(DENSITY(-1, 0, 4, 3), "kpm.energies[2]: inf is not in");
#undef DENSITY
    INVALID(legato_kpm_density_of_states(kpm, -1, 0, 4, 1, NULL, density, NULL), "kpm.energies: a null pointer");
    INVALID(legato_kpm_density_of_states(kpm, -1, 0, 4, 1, energies, NULL, NULL), "kpm.density: a null pointer");
    INVALID(legato_kpm_density_at_nodes(kpm, -1, 0, 4, 63, energies, density, NULL), "kpm.n: 63 is not in 64..");
    INVALID(legato_kpm_density_at_nodes(kpm, -1, 0, 4, 64, NULL, density, NULL), "kpm.energies: a null pointer");
    INVALID(legato_kpm_density_at_nodes(kpm, -1, 0, 4, 64, energies, NULL, NULL), "kpm.density: a null pointer");
    INVALID(legato_kpm_greens_function(kpm, -1, 0, 4, 1, energies, NULL, green_error), "kpm.green: a null pointer");
    energies[0] = state.centre + state.half_width;
    INVALID(legato_kpm_greens_function(kpm, -1, 0, 4, 1, energies, green, NULL), "kpm.energies[0]: ");
    energies[0] = 1e200;
    INVALID(legato_kpm_greens_function(kpm, -1, 0, 4, 1, energies, green, NULL),
            "kpm.energies[0]: 1e+200 is not in [-1e+100, 1e+100]");
    INVALID(legato_kpm_greens_function(kpm, -1, 0, 4, 0, energies, green, NULL), "kpm.n: 0 is not in 1..");
    INVALID(legato_kpm_greens_function(kpm, -1, 0, 4, 1, NULL, green, NULL), "kpm.energies: a null pointer");
    energies[0] = 0;
    INVALID(legato_kpm_integrated_density(kpm, -1, 0, 4, 1, energies, NULL, NULL), "kpm.states: a null pointer");
    INVALID(legato_kpm_electron_number(kpm, -1, 0, 4, 0, -1, &electrons, NULL), "kpm.temperature: -1 is not in");
    INVALID(legato_kpm_electron_number(kpm, -1, 0, 4, (double)NAN, 0, &electrons, NULL), "kpm.chemical_potential: ");
    INVALID(legato_kpm_electron_number(kpm, -1, 0, 4, 0, 0, NULL, NULL), "kpm.electrons: a null pointer");
    INVALID(legato_kpm_chemical_potential(kpm, -1, 0, 4, 1.5, 0, &potential, &potential_error),
            "kpm.electrons: 1.5 is not in (0, 1");
    INVALID(legato_kpm_chemical_potential(kpm, -1, 0, 4, 0.5, 0, NULL, &potential_error),
            "kpm.chemical_potential: a null pointer");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}

/* ---- The caller's vectors ---- */

typedef struct vectors {
    int calls, stop_at, poison;
} vectors;

/* Fills a vector with signs that depend on the sample's number and the site only. */
static int fill(void* user, int64_t sample, int64_t sites, double* vector) {
    vectors* const v = (vectors*)user;
    for (int64_t i = 0; i < sites; ++i) vector[i] = ((i * 7 + sample * 3) * (i + sample) / 5) % 2 ? 1 : -1;
    if (v->poison) vector[4] = (double)NAN;
    return ++v->calls == v->stop_at;
}

static int stop_at_once(void* user, const legato_progress* progress) {
    (void)user;
    return progress->points_total > 0;
}

static void given_vectors(void) {
    const legato_kpm_lattice lattice = chain(50);
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    legato_kpm_hamiltonian* other = NULL;
    legato_kpm_params params = defaults();
    legato_kpm *kpm = NULL, *resumed = NULL;
    vectors v = {0, 0, 0}, w = {0, 3, 0}, poisoned = {0, 0, 1};
    double moments[8], again[8], x[50], product = 0;
    params.moments = 8;
    params.vectors = 5;
    params.block_width = 2;
    CHECK_SUCCESS(legato_kpm_create_given(context, &params, hamiltonian, fill, &v, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK(v.calls == 5);
    CHECK_SUCCESS(legato_kpm_sample(kpm, 4, 8, moments));
    fill(&v, 4, 50, x);
    for (int i = 0; i < 50; ++i) product -= x[i] * (x[(i + 1) % 50] + x[(i + 49) % 50]) / 50;
    CHECK(near(moments[0], 1) && near(moments[1], product / state_of(kpm).half_width));
    CHECK_SUCCESS(legato_kpm_get_params(kpm, &params));
    CHECK(params.start_vectors == LEGATO_KPM_START_VECTORS_CALLER && params.vectors == 5);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));

    /* The run is stopped by the callback, saved, and resumed. */
    CHECK_SUCCESS(legato_kpm_create_given(context, &params, hamiltonian, fill, &w, &kpm));
    REFUSED(legato_kpm_run(kpm, NULL, NULL), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the callback for start vector 2");
    CHECK(state_of(kpm).samples_done == 2);
    REFUSED(legato_kpm_run(kpm, stop_at_once, NULL), LEGATO_STATUS_CANCELLED, "kpm: stopped by the progress callback");
    CHECK_SUCCESS(legato_kpm_save(kpm, "kpm_client.h5"));
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    INVALID(legato_kpm_resume(context, "kpm_client.h5", hamiltonian, NULL, NULL, &resumed),
            "kpm.params.start_vectors: 4 (given) needs a source");
    CHECK(resumed == NULL);
    CHECK_SUCCESS(legato_kpm_resume(context, "kpm_client.h5", hamiltonian, fill, &v, &resumed));
    CHECK_SUCCESS(legato_kpm_run(resumed, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_sample(resumed, 4, 8, again));
    for (int n = 0; n < 8; ++n) CHECK(again[n] == moments[n]);
    CHECK_SUCCESS(legato_kpm_destroy(resumed));
    const legato_kpm_lattice longer = chain(51);
    other = lattice_of(&longer);
    REFUSED(legato_kpm_resume(context, "kpm_client.h5", other, fill, &v, &resumed), LEGATO_STATUS_BAD_FILE,
            "state file kpm_client.h5: ");
    CHECK(resumed == NULL);
    INVALID(legato_kpm_resume(context, "kpm_client.h5", NULL, fill, &v, &resumed), "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_resume(context, NULL, hamiltonian, fill, &v, &resumed), "kpm.resume.path: a null pointer");
    INVALID(legato_kpm_resume(context, "", hamiltonian, fill, &v, &resumed), "kpm.resume.path: the path is empty");
    REFUSED(legato_kpm_resume(context, "no_such_file.h5", hamiltonian, fill, &v, &resumed), LEGATO_STATUS_IO_ERROR,
            "state file no_such_file.h5: ");
    remove("kpm_client.h5");

    CHECK_SUCCESS(legato_kpm_create_given(context, &params, hamiltonian, fill, &poisoned, &kpm));
    INVALID(legato_kpm_run(kpm, NULL, NULL), "kpm.start_vector[4] of sample 0: ");
    INVALID(legato_kpm_save(kpm, NULL), "kpm.save.path: a null pointer");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    INVALID(legato_kpm_create_given(context, &params, hamiltonian, NULL, NULL, &kpm), "kpm.callback: a null pointer");
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(other));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* Checks the errors of all functions for a run of one sample: NaN, or 0 if the result is exact. */
static void check_errors_of_one(legato_kpm* kpm, int64_t sample, int exact) {
    double value[4], error[4], nodes[4] = {0};
    const double energies[4] = {-1, 0, 0.5, 1};
    /* Each call must write its values and errors, because those of the call before are overwritten first. */
#define UNKNOWN(n, call)                                   \
    for (int i = 0; i < 4; ++i) value[i] = error[i] = -99; \
    CHECK_SUCCESS(call);                                   \
    for (int i = 0; i < (n); ++i) {                        \
        CHECK(exact ? error[i] == 0 : isnan(error[i]));    \
        CHECK(isfinite(value[i]) && value[i] != -99);      \
    }
    if (sample < 0) {
        UNKNOWN(4, legato_kpm_moments(kpm, 4, value, error));
    }
    UNKNOWN(4, legato_kpm_density_of_states(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 4, energies, value, error));
    UNKNOWN(4, legato_kpm_density_at_nodes(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 4, nodes, value, error));
    UNKNOWN(4, legato_kpm_greens_function(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, value, error));
    UNKNOWN(4, legato_kpm_integrated_density(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 4, energies, value, error));
    UNKNOWN(1, legato_kpm_electron_number(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 0.3, 0.1, value, error));
    UNKNOWN(1, legato_kpm_chemical_potential(kpm, sample, LEGATO_KPM_KERNEL_JACKSON, 0, 0.4, 0.1, value, error));
#undef UNKNOWN
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}

static legato_kpm* run_with(const legato_kpm_lattice* lattice, int32_t n_vectors, int64_t n_sites) {
    const int64_t sites[2] = {3, 4};
    legato_kpm_params params = defaults();
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(lattice);
    legato_kpm* kpm = NULL;
    params.moments = 4;
    params.vectors = n_vectors;
    if (n_sites > 0)
        CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, n_sites, sites, &kpm));
    else
        CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    return kpm;
}

static void unknown_errors(void) {
    legato_kpm_lattice lattice = chain(20);
    check_errors_of_one(run_with(&lattice, 1, 0), -1, 0);
    check_errors_of_one(run_with(&lattice, 3, 0), 1, 0);
    check_errors_of_one(run_with(&lattice, 1, 1), -1, 1);
    check_errors_of_one(run_with(&lattice, 1, 2), 1, 1);
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 1;
    check_errors_of_one(run_with(&lattice, 1, 0), -1, 0);
    check_errors_of_one(run_with(&lattice, 1, 2), -1, 0); /* a single realisation */
    check_errors_of_one(run_with(&lattice, 1, 2), 0, 0);
    lattice.disorder = 0;
    check_errors_of_one(run_with(&lattice, 1, 2), -1, 1);
}

/* Some of many realisations leave the interval. Samples of the realisations before are returned, with an error
 * status. */
static void too_narrow(void) {
    legato_kpm_lattice lattice = chain(50);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    double mean[64], error[64], value[2] = {-9, -9};
    lattice.on_site = LEGATO_KPM_ON_SITE_NORMAL;
    lattice.disorder = 1;
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    params.moments = 64;
    params.vectors = 2;
    params.realisations = 1000;
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -4.2;
    params.highest = 4.2;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
#define NARROW(call) CHECK((call) == LEGATO_STATUS_NUMERICAL_ERROR)
    NARROW(legato_kpm_run(kpm, NULL, NULL));
    CHECK(strstr(legato_context_message(context), "do not enclose the spectrum: ") != NULL);
    NARROW(legato_kpm_run(kpm, NULL, NULL));
    NARROW(legato_kpm_advance(kpm, 1, NULL));
    const legato_kpm_state state = state_of(kpm);
    CHECK(state.samples_done >= 2 && state.samples_done < 2000);
    NARROW(legato_kpm_moments(kpm, 64, mean, error));
    CHECK(mean[0] == 1 && fabs(mean[1]) < 0.1 && error[0] == 0 && error[1] > 0);
    mean[0] = -9;
    NARROW(legato_kpm_sample(kpm, 0, 64, mean));
    CHECK(mean[0] == 1);
    NARROW(legato_kpm_electron_number(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 0, 0, value, NULL));
    CHECK(value[0] > 0.4 && value[0] < 0.6);
    value[0] = -9;
    NARROW(legato_kpm_chemical_potential(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 0.5, 0, value, NULL));
    CHECK(fabs(value[0]) < 1);
    value[0] = 0;
    NARROW(legato_kpm_density_of_states(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 1, value, value + 1, NULL));
    CHECK(value[1] > 0.01 && value[1] < 0.4);
    NARROW(legato_kpm_integrated_density(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 1, value, value + 1, NULL));
    CHECK(value[1] > 0.4 && value[1] < 0.6);
    NARROW(legato_kpm_greens_function(kpm, 0, LEGATO_KPM_KERNEL_JACKSON, 0, 1, value, mean, NULL));
    CHECK(mean[1] < -0.01);
    error[32] = -9;
    NARROW(legato_kpm_density_at_nodes(kpm, 0, LEGATO_KPM_KERNEL_JACKSON, 0, 64, mean, error, NULL));
    CHECK(mean[0] < -4 && mean[63] > 4 && error[32] > 0);
    CHECK_SUCCESS(legato_kpm_save(kpm, "kpm_client_narrow.h5"));
    remove("kpm_client_narrow.h5");
#undef NARROW
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}

/* Some kinds of start vectors have create functions of their own. The parameters returned by get_params are valid
 * for these. */
static void kinds_of_start_vectors(void) {
    const legato_kpm_lattice lattice = chain(6);
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    const int64_t site = 2;
    legato_kpm_params params = defaults();
    legato_kpm *kpm = NULL, *same = NULL;
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 1, &site, &kpm));
    CHECK_SUCCESS(legato_kpm_get_params(kpm, &params));
    CHECK(params.start_vectors == LEGATO_KPM_START_VECTORS_SITES);
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 1, &site, &same));
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_destroy(same));
    kpm = NULL;
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm),
            "kpm.params.start_vectors: 3 is not 0, 1, 2 or 5; use legato_kpm_create_local");
    params.start_vectors = LEGATO_KPM_START_VECTORS_CALLER;
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm),
            "kpm.params.start_vectors: 4 is not 0, 1, 2 or 5; use legato_kpm_create_given");
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* Random vectors saved in the middle give bitwise identical results. */
static void resuming(void) {
    legato_kpm_lattice lattice = chain(20);
    legato_kpm_params params = defaults();
    legato_kpm *whole = NULL, *part = NULL, *resumed = NULL;
    double a[16], b[16], error_a[16], error_b[16];
    int64_t done = -1;
    lattice.on_site = LEGATO_KPM_ON_SITE_NORMAL;
    lattice.disorder = 1;
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    params.moments = 16;
    params.vectors = 3;
    params.realisations = 2;
    params.block_width = 2;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &whole));
    CHECK_SUCCESS(legato_kpm_run(whole, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &part));
    CHECK_SUCCESS(legato_kpm_advance(part, 2, &done));
    CHECK(done == 3);
    INVALID(legato_kpm_advance(part, 0, &done), "kpm.advance.blocks: 0 is not in 1..");
    CHECK_SUCCESS(legato_kpm_save(part, "kpm_client.h5"));
    CHECK_SUCCESS(legato_kpm_resume(context, "kpm_client.h5", hamiltonian, NULL, NULL, &resumed));
    CHECK_SUCCESS(legato_kpm_advance(resumed, 100, NULL));
    CHECK_SUCCESS(legato_kpm_moments(whole, 16, a, error_a));
    CHECK_SUCCESS(legato_kpm_moments(resumed, 16, b, error_b));
    CHECK(memcmp(a, b, sizeof a) == 0 && memcmp(error_a, error_b, sizeof error_a) == 0 && error_a[1] > 0);
    remove("kpm_client.h5");
    CHECK_SUCCESS(legato_kpm_destroy(whole));
    CHECK_SUCCESS(legato_kpm_destroy(part));
    CHECK_SUCCESS(legato_kpm_destroy(resumed));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* Vectors take half the bytes. The moments differ, but only slightly. */
static void precisions(void) {
    enum { moments = 50 };
    legato_kpm_lattice lattice = chain(10000);
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 1;
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    double mean[2][moments];
    int differ = 0;
    int64_t bytes[2] = {0, 0};
    CHECK(params.precision == LEGATO_KPM_PRECISION_DOUBLE && params.division == LEGATO_KPM_DIVISION_AUTO);
    for (int precision = LEGATO_KPM_PRECISION_DOUBLE; precision <= LEGATO_KPM_PRECISION_SINGLE; ++precision) {
        params.moments = moments;
        params.precision = precision;
        CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
        params = defaults();
        CHECK_SUCCESS(legato_kpm_get_params(kpm, &params));
        CHECK(params.precision == precision && params.division == LEGATO_KPM_DIVISION_AUTO);
        bytes[precision] = state_of(kpm).bytes;
        CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
        CHECK_SUCCESS(legato_kpm_moments(kpm, moments, mean[precision], NULL));
        CHECK_SUCCESS(legato_kpm_destroy(kpm));
    }
    CHECK(bytes[LEGATO_KPM_PRECISION_DOUBLE] - bytes[LEGATO_KPM_PRECISION_SINGLE] == 16 * 8 * 10000);
    for (int n = 0; n < moments; ++n) {
        CHECK(fabs(mean[0][n] - mean[1][n]) < 1e-6);
        differ += mean[0][n] != mean[1][n];
    }
    CHECK(differ > 0);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* ---- Refusals when something is created ---- */

static void refused_params(void) {
    static const bad_member bad[] = {
        {offsetof(legato_kpm_params, start_vectors), 'i', 3, "kpm.params.start_vectors: 3 is not 0, 1, 2 or 5"},
        {offsetof(legato_kpm_params, start_vectors), 'i', 4, "kpm.params.start_vectors: 4 is not 0, 1, 2 or 5"},
        {offsetof(legato_kpm_params, bounds), 'i', 2, "kpm.params.highest: 0 is not above kpm.params.lowest, 0"},
        {offsetof(legato_kpm_params, struct_size), 'l', 8, "kpm.params.struct_size: 8 is not in "},
    };
    const legato_kpm_lattice lattice = chain(10);
    legato_kpm_hamiltonian* const hamiltonian = lattice_of(&lattice);
    legato_kpm* kpm = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_kpm_params params = defaults();
        set_member(&params, &bad[i]);
        kpm = (legato_kpm*)&params;
        INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm), bad[i].message);
        CHECK(kpm == NULL);
    }
    legato_kpm_params params = defaults();
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -0.5;
    params.highest = 0.5;
    params.margin = 0;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    REFUSED(legato_kpm_run(kpm, NULL, NULL), LEGATO_STATUS_NUMERICAL_ERROR,
            "kpm.params.lowest, kpm.params.highest: the bo");
    CHECK(state_of(kpm).samples_done == 0);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    params.highest = params.lowest + 1e-13;
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm), "kpm.params.highest: -0.4999999999999");
    params = defaults();
    params.memory_budget = 100;
    REFUSED(legato_kpm_create(context, &params, hamiltonian, &kpm), LEGATO_STATUS_OUT_OF_MEMORY, "kpm.params.");
    INVALID(legato_kpm_create(context, NULL, NULL, &kpm), "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_create(context, NULL, hamiltonian, NULL), "kpm: a null pointer");
    CHECK(legato_kpm_create(NULL, NULL, hamiltonian, &kpm) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_create(context, NULL, hamiltonian, &kpm));
    INVALID(legato_kpm_get_state(kpm, NULL), "kpm.state: a null pointer");
    INVALID(legato_kpm_get_params(kpm, NULL), "kpm.params: a null pointer");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));

    const int64_t sites[] = {0, 9, 10}, negative = -1;
    INVALID(legato_kpm_create_local(context, NULL, hamiltonian, 3, sites, &kpm), "kpm.sites[2]: 10 is not in 0..9");
    INVALID(legato_kpm_create_local(context, NULL, hamiltonian, 1, &negative, &kpm), "kpm.sites[0]: -1 is not in");
    INVALID(legato_kpm_create_local(context, NULL, hamiltonian, 0, sites, &kpm), "kpm.n_sites: 0 is not in 1..");
    INVALID(legato_kpm_create_local(context, NULL, hamiltonian, 1, NULL, &kpm), "kpm.sites: a null pointer");
    CHECK(legato_kpm_run(NULL, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_kpm_params_init_sized(NULL, sizeof params) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_kpm_lattice_init_sized(NULL, sizeof lattice) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_destroy(NULL));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(NULL));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void refused_lattices(void) {
    static const bad_member bad[] = {
        {offsetof(legato_kpm_lattice, extents) + 8, 'l', 1099511627776,
         "kpm.lattice.extents: 7 x 1099511627776 x 1 sites"},
        {offsetof(legato_kpm_lattice, on_site), 'i', 3, "kpm.n_energies: 0 is not in 7..7"},
    };
    legato_kpm_hamiltonian* hamiltonian = NULL;
    const double energies[7] = {0, 1, 2, 3, 4, 5, (double)NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_kpm_lattice lattice = chain(7);
        set_member(&lattice, &bad[i]);
        hamiltonian = (legato_kpm_hamiltonian*)&lattice;
        INVALID(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian), bad[i].message);
        CHECK(hamiltonian == NULL);
    }
    legato_kpm_lattice lattice = chain(7);
    INVALID(legato_kpm_lattice_create(context, NULL, 0, NULL, &hamiltonian), "kpm.lattice: a null pointer");
    INVALID(legato_kpm_lattice_create(context, &lattice, 0, NULL, NULL), "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_lattice_create(context, &lattice, 7, energies, &hamiltonian),
            "kpm.n_energies: 7 is not in 0..0");
    INVALID(legato_kpm_lattice_create(context, &lattice, 0, energies, &hamiltonian),
            "kpm.energies: kpm.lattice.on_site is 0, which needs no energies");
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = -1;
    INVALID(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian), "kpm.lattice.disorder: -1 is not in");
    lattice.on_site = LEGATO_KPM_ON_SITE_ENERGIES;
    INVALID(legato_kpm_lattice_create(context, &lattice, 7, NULL, &hamiltonian), "kpm.energies: a null pointer");
    INVALID(legato_kpm_lattice_create(context, &lattice, 6, energies, &hamiltonian),
            "kpm.n_energies: 6 is not in 7..7");
    INVALID(legato_kpm_lattice_create(context, &lattice, 7, energies, &hamiltonian), "kpm.lattice.energies[6]: ");
    lattice = chain(INT64_MAX);
    lattice.on_site = LEGATO_KPM_ON_SITE_ENERGIES;
    INVALID(legato_kpm_lattice_create(context, &lattice, 7, energies, &hamiltonian), "kpm.lattice.extents[0]: ");
}

static void refused_matrices(void) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    ring r = make_ring(1);
#define MATRIX(n, elements, base) \
    legato_kpm_matrix_create(context, n, elements, base, r.rows, r.columns, r.values, &hamiltonian)
    INVALID(MATRIX(0, ring_elements, 1), "kpm.matrix.rows: 0 is not in 1..2147483647");
    INVALID(MATRIX(INT64_MAX, ring_elements, 1), "kpm.matrix.rows: 9223372036854775807 is not in");
    INVALID(MATRIX(ring_sites, -1, 1), "kpm.matrix.n_elements: -1 is not in 0..");
    INVALID(MATRIX(ring_sites, INT64_MAX, 1), "kpm.matrix.n_elements: 9223372036854775807 is not in");
    INVALID(MATRIX(ring_sites, ring_elements, 2), "kpm.matrix.index_base: 2 is not in 0..1");
    INVALID(MATRIX(ring_sites, ring_elements, 0), "kpm.matrix.row_pointers[0]: 1 is not in 0..0");
    INVALID(MATRIX(ring_sites, ring_elements - 1, 1), "kpm.matrix.row_pointers[12]: 25 is not in 23..24");
    INVALID(MATRIX(ring_sites - 1, ring_elements, 1),
            "kpm.matrix.row_pointers[11]: 23 is not 25, the end of 24 elements");
    r.rows[0] = INT64_MIN;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.row_pointers[0]: -9223372036854775808 is not in 1..1");
    r = make_ring(1);
    r.rows[3] = 1;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.row_pointers[3]: 1 is not in 5..25");
    r = make_ring(1);
    r.columns[5] = 0;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.columns[5] (row 3): 0 is not in 1..12");
    r.columns[5] = INT32_MIN;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.columns[5] (row 3): -2147483648 is not in 1..12");
    r.columns[5] = 13;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.columns[5] (row 3): 13 is not in 1..12");
    r = make_ring(1);
    r.values[7] = (double)NAN;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix.values[7] (row 4, column 3): ");
    r.values[7] = -2;
    INVALID(MATRIX(ring_sites, ring_elements, 1),
            "kpm.matrix: the element in row 3 and column 4 is -1, but that in row 4");
    r = make_ring(1);
    r.columns[7] = 9;
    INVALID(MATRIX(ring_sites, ring_elements, 1), "kpm.matrix: the element in row ");
    CHECK(hamiltonian == NULL);
#undef MATRIX
    r = make_ring(1);
#define MATRIX(pointers, indices, elements, to) \
    legato_kpm_matrix_create(context, ring_sites, ring_elements, 1, pointers, indices, elements, to)
    INVALID(MATRIX(NULL, r.columns, r.values, &hamiltonian), "kpm.matrix.row_pointers: a null pointer");
    INVALID(MATRIX(r.rows, NULL, r.values, &hamiltonian), "kpm.matrix.columns: a null pointer");
    INVALID(MATRIX(r.rows, r.columns, NULL, &hamiltonian), "kpm.matrix.values: a null pointer");
    INVALID(MATRIX(r.rows, r.columns, r.values, NULL), "kpm.hamiltonian: a null pointer");
#undef MATRIX
    r.narrow[2] = INT32_MIN;
    INVALID(legato_kpm_matrix_create_narrow(context, ring_sites, ring_elements, 1, r.narrow, r.columns, r.values,
                                            &hamiltonian),
            "kpm.matrix.row_pointers[2]: -2147483648 is not in 3..25");
    CHECK(hamiltonian == NULL);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    rings();
    spectra();
    many_energies();
    refused_spectra();
    given_vectors();
    unknown_errors();
    too_narrow();
    kinds_of_start_vectors();
    resuming();
    precisions();
    refused_params();
    refused_lattices();
    refused_matrices();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_client");
}
