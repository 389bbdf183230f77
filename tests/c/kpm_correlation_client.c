/* Tests double expansions as a program uses them, in C99 and in C++. */
#include <stdlib.h>

#include "checking.h"

enum { sites = 12, orders = 6, numbers = 2 * orders * orders };

/* A ring whose hopping to the next site is `real` + i `imaginary`. */
static legato_kpm_hamiltonian* ring(double real, double imaginary) {
    int64_t rows[sites + 1];
    int32_t columns[2 * sites];
    double values[4 * sites];
    legato_kpm_hamiltonian* hamiltonian = NULL;
    for (int i = 0; i < sites; ++i) {
        rows[i] = 2 * i;
        columns[2 * i] = (i + 1) % sites;
        columns[2 * i + 1] = (i + sites - 1) % sites;
        values[4 * i] = values[4 * i + 2] = real;
        values[4 * i + 1] = imaginary;
        values[4 * i + 3] = -imaginary;
    }
    rows[sites] = 2 * sites;
    CHECK_SUCCESS(legato_kpm_complex_matrix_create(context, sites, 2 * sites, 0, rows, columns, values, &hamiltonian));
    return hamiltonian;
}

/* mu_mn of the ring, where H has the energies E = 2 cos k and the velocity the values v = -2 sin k. */
static double exact(int m, int n, double half_width) {
    double sum = 0;
    for (int j = 0; j < sites; ++j) {
        const double k = 2 * acos(-1.0) * j / (double)sites, angle = acos(2 * cos(k) / half_width), v = -2 * sin(k);
        sum += v * v * cos(m * angle) * cos(n * angle);
    }
    return sum / (double)sites;
}

/* Vectors of single sites, whose mean is the trace. */
static int fill_site(void* user, int64_t sample, int64_t n, double vector[]) {
    ++*(int*)user;
    for (int64_t i = 0; i < 2 * n; ++i) vector[i] = 0;
    vector[2 * sample] = sqrt((double)n);
    return 0;
}

static int stop_at_once(void* user, int64_t sample, int64_t n, double vector[]) {
    (void)user;
    (void)sample;
    for (int64_t i = 0; i < 2 * n; ++i) vector[i] = 0;
    return 1;
}

static int stop(void* user, const legato_progress* progress) {
    *(int64_t*)user = progress->points_done;
    return 1;
}

static legato_kpm_state state_of(legato_kpm_correlation* correlation) {
    legato_kpm_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_kpm_correlation_get_state(correlation, &state));
    return state;
}

static legato_kpm_params small_params(int32_t vectors) {
    legato_kpm_params params;
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = orders;
    params.vectors = vectors;
    return params;
}

static void traces(legato_kpm_hamiltonian* h, legato_kpm_hamiltonian* v) {
    legato_kpm_correlation* correlation = NULL;
    const legato_kpm_params params = small_params(sites);
    double mean[numbers], error[numbers], sample[numbers];
    int calls = 0;
    CHECK_SUCCESS(legato_kpm_correlation_create_given(context, &params, h, v, v, fill_site, &calls, &correlation));
    CHECK_SUCCESS(legato_kpm_correlation_run(correlation, NULL, NULL));
    CHECK(calls == sites);
    const legato_kpm_state state = state_of(correlation);
    CHECK(state.samples == sites && state.samples_done == sites && state.sites == sites && state.moments == orders);
    CHECK(state.block_width == orders && state.bytes > 0 && state.centre == 0 && state.half_width == 2.02);
    CHECK_SUCCESS(legato_kpm_correlation_moments(correlation, orders, mean, error));
    for (int m = 0; m < orders; ++m)
        for (int n = 0; n < orders; ++n) {
            CHECK(fabs(mean[2 * (m * orders + n)] - exact(m, n, state.half_width)) < 1e-13);
            CHECK(fabs(mean[2 * (m * orders + n) + 1]) < 1e-13);
        }
    CHECK(error[0] >= 0);
    double few[2 * 2 * 2];
    CHECK_SUCCESS(legato_kpm_correlation_moments(correlation, 2, few, NULL));
    CHECK(few[2] == mean[2] && few[4] == mean[2 * orders] && few[6] == mean[2 * orders + 2]);
    CHECK_SUCCESS(legato_kpm_correlation_sample(correlation, 3, orders, sample));
    CHECK(fabs(sample[0] - exact(0, 0, state.half_width)) < 1e-13);
    CHECK_SUCCESS(legato_kpm_correlation_destroy(correlation));
    CHECK_SUCCESS(legato_kpm_correlation_destroy(NULL));
}

static void random_vectors(legato_kpm_hamiltonian* h, legato_kpm_hamiltonian* v) {
    const char* const path = "kpm_correlation_client.h5";
    legato_kpm_correlation *correlation = NULL, *resumed = NULL;
    legato_kpm_params params = small_params(40), read;
    double mean[numbers], again[numbers], error[numbers];
    int64_t done = -1, points = -1;
    CHECK_SUCCESS(legato_kpm_correlation_create(context, &params, h, v, v, &correlation));
    INVALID(legato_kpm_correlation_moments(correlation, 1, mean, NULL),
            "kpm.correlation.moments: no sample is finished yet");
    CHECK_SUCCESS(legato_kpm_correlation_advance(correlation, 7, &done));
    CHECK(done == 7);
    REFUSED(legato_kpm_correlation_run(correlation, stop, &points), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the progress callback");
    CHECK(points == 8 || points == 7);
    CHECK_SUCCESS(legato_kpm_correlation_save(correlation, path));
    CHECK_SUCCESS(legato_kpm_correlation_resume(context, path, h, v, v, NULL, NULL, &resumed));
    CHECK_SUCCESS(legato_kpm_correlation_run(correlation, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_correlation_run(resumed, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_correlation_moments(correlation, orders, mean, error));
    CHECK_SUCCESS(legato_kpm_correlation_moments(resumed, orders, again, NULL));
    CHECK(memcmp(mean, again, sizeof mean) == 0);
    CHECK(within(mean[2 * (orders + 1)], error[2 * (orders + 1)], exact(1, 1, 2.02), 0.3));
    memset(&read, 0, sizeof read);
    read.struct_size = sizeof read;
    CHECK_SUCCESS(legato_kpm_correlation_get_params(resumed, &read));
    CHECK(read.moments == orders && read.vectors == 40);
    CHECK_SUCCESS(legato_kpm_correlation_destroy(resumed));
    REFUSED(legato_kpm_correlation_resume(context, path, h, v, h, NULL, NULL, &resumed), LEGATO_STATUS_BAD_FILE, "");
    CHECK(resumed == NULL);
    CHECK_SUCCESS(legato_kpm_correlation_destroy(correlation));
    remove(path);
}

static void refused(legato_kpm_hamiltonian* h, legato_kpm_hamiltonian* v) {
    legato_kpm_correlation* correlation = NULL;
    legato_kpm_params params = small_params(2);
    double moments[numbers];
#define CREATE(h, a, b) legato_kpm_correlation_create(context, &params, h, a, b, &correlation)
    INVALID(CREATE(NULL, v, v), "kpm.hamiltonian: a null pointer");
    INVALID(CREATE(h, NULL, v), "kpm.correlation.a: a null pointer");
    INVALID(CREATE(h, v, NULL), "kpm.correlation.b: a null pointer");
    INVALID(CREATE(h, (legato_kpm_hamiltonian*)context, v), "kpm.correlation.a: the handle has been destroyed");
    INVALID(legato_kpm_correlation_create(context, &params, h, v, v, NULL), "kpm.correlation: a null pointer");
    params.start_vectors = LEGATO_KPM_START_VECTORS_CALLER;
    INVALID(CREATE(h, v, v), "kpm.params.start_vectors: 4 is not 0, 1, 2 or 5");
    params.start_vectors = LEGATO_KPM_START_VECTORS_SITES;
    INVALID(CREATE(h, v, v), "kpm.params.start_vectors: 3 is not 0, 1, 2 or 5");
    params.start_vectors = LEGATO_KPM_START_VECTORS_WAVES;
    INVALID(CREATE(h, v, v), "kpm.params.start_vectors: 6 is not 0, 1, 2 or 5");
    params.start_vectors = LEGATO_KPM_START_VECTORS_SIGN;
    params.precision = LEGATO_KPM_PRECISION_SINGLE;
    INVALID(CREATE(h, v, v), "kpm.params.precision: 1 (single) is not available");
    params = small_params(2);
    params.moments = 1;
    INVALID(CREATE(h, v, v), "kpm.params.moments: 1 is not in");
    params = small_params(2);
    params.memory_budget = 10;
    REFUSED(CREATE(h, v, v), LEGATO_STATUS_OUT_OF_MEMORY, "kpm.correlation: 6 vectors of 12 sites, the fewest, need");
    params = small_params(2);
    CHECK(correlation == NULL);
    INVALID(legato_kpm_correlation_create_given(context, &params, h, v, v, NULL, NULL, &correlation),
            "kpm.callback: a null pointer");
    CHECK_SUCCESS(legato_kpm_correlation_create_given(context, &params, h, v, v, stop_at_once, NULL, &correlation));
    REFUSED(legato_kpm_correlation_run(correlation, NULL, NULL), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the callback for start vector 0");
    CHECK_SUCCESS(legato_kpm_correlation_destroy(correlation));
    CHECK_SUCCESS(CREATE(h, v, v));
#undef CREATE
    INVALID(legato_kpm_correlation_advance(correlation, 0, NULL), "kpm.correlation.advance.rounds: 0 is not in");
    INVALID(legato_kpm_correlation_sample(correlation, 0, 1, moments), "kpm.correlation.sample: 0 is not there");
    CHECK_SUCCESS(legato_kpm_correlation_run(correlation, NULL, NULL));
    INVALID(legato_kpm_correlation_sample(correlation, 2, 1, moments), "kpm.correlation.sample: 2 is not in 0..1");
    INVALID(legato_kpm_correlation_sample(correlation, 0, 1, NULL), "kpm.correlation.sample.moments: a null pointer");
    INVALID(legato_kpm_correlation_sample(correlation, 0, 7, moments),
            "kpm.correlation.sample.n_orders: 7 is not in 1..6");
    INVALID(legato_kpm_correlation_moments(correlation, 0, moments, NULL),
            "kpm.correlation.moments.n_orders: 0 is not in 1..6");
    INVALID(legato_kpm_correlation_get_state(correlation, NULL), "kpm.state: a null pointer");
    INVALID(legato_kpm_correlation_save(correlation, NULL), "kpm.correlation.save.path");
    CHECK_SUCCESS(legato_kpm_correlation_destroy(correlation));
}

/* The spectrum lies beyond the given interval. */
static void too_narrow(legato_kpm_hamiltonian* h, legato_kpm_hamiltonian* v) {
    legato_kpm_correlation* correlation = NULL;
    legato_kpm_params params = small_params(2);
    double moments[2];
    params.moments = 60;
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -1.5;
    params.highest = 1.5;
    CHECK_SUCCESS(legato_kpm_correlation_create(context, &params, h, v, v, &correlation));
    REFUSED(legato_kpm_correlation_run(correlation, NULL, NULL), LEGATO_STATUS_NUMERICAL_ERROR,
            "kpm.params.lowest, kpm.params.highest: the bounds ");
    REFUSED(legato_kpm_correlation_moments(correlation, 1, moments, NULL), LEGATO_STATUS_NUMERICAL_ERROR,
            "kpm.params.lowest, kpm.params.highest: the bounds ");
    CHECK(state_of(correlation).samples_done == 0);
    CHECK_SUCCESS(legato_kpm_correlation_destroy(correlation));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    legato_kpm_hamiltonian *const h = ring(1, 0), *const v = ring(0, 1);
    traces(h, v);
    random_vectors(h, v);
    refused(h, v);
    too_narrow(h, v);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(v));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(h));
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_correlation_client");
}
