/* Tests plane waves, results of each site, and Green's functions between vectors, as a program uses them, in C99 and in
 * C++. Every argument that must be refused is tried. */
#include <stdlib.h>

#include "checking.h"

enum { sites = 12, moments = 32 };

/* A chain without ends, whose eigenvalues are 2 cos(2 pi k / sites); with box disorder unless it is 0. */
static legato_kpm_hamiltonian* ring(double disorder) {
    legato_kpm_lattice lattice;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = sites;
    lattice.hopping = -1;
    if (disorder > 0) lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = disorder;
    CHECK_SUCCESS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    return hamiltonian;
}

static legato_kpm_params small_params(void) {
    legato_kpm_params params;
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = moments;
    return params;
}

static double angle_of(double energy) {
    return acos(energy / 2.02);
}

static void plane_waves(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring(0);
    const legato_kpm_params params = small_params();
    const double k[6] = {1.0 / 12, 0, 0, 5.0 / 12, 0.3, -7};
    const double amplitudes[4] = {0.6, 0.8, 0, 2};
    for (int with_amplitudes = 0; with_amplitudes < 2; ++with_amplitudes) {
        legato_kpm* kpm = NULL;
        double mean[2][moments], error[2][moments], one[moments];
        CHECK_SUCCESS(
            legato_kpm_create_waves(context, &params, hamiltonian, 2, k, 1, with_amplitudes ? amplitudes : NULL, &kpm));
        CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
        CHECK_SUCCESS(legato_kpm_local_moments(kpm, 0, 2, moments, &mean[0][0], &error[0][0]));
        CHECK_SUCCESS(legato_kpm_sample(kpm, 1, moments, one));
        for (int i = 0; i < 2; ++i) {
            const double square = with_amplitudes && i == 1 ? 4 : 1;
            const double angle = angle_of(2 * cos(2 * acos(-1.0) * k[3 * i]));
            for (int n = 0; n < moments; ++n) {
                CHECK(fabs(mean[i][n] - square * cos(n * angle)) < 1e-12);
                CHECK(error[i][n] == 0);
                if (i == 1) CHECK(mean[i][n] == one[n]);
            }
        }
        CHECK_SUCCESS(legato_kpm_destroy(kpm));
    }
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* Tables have the values of single samples. */
static void tables(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring(1);
    legato_kpm_params params = small_params();
    legato_kpm* kpm = NULL;
    const int64_t at[3] = {0, 5, 7};
    const double energies[2] = {-0.5, 1.25};
    double density[3][2], error[3][2], one[2][2], green[3][2][2], nodes[moments], expected[moments];
    double at_nodes[3][moments], of_sample[2][moments];
    params.realisations = 2;
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 3, at, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(
        legato_kpm_local_densities(kpm, 0, 3, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, &density[0][0], &error[0][0]));
    CHECK_SUCCESS(
        legato_kpm_local_greens_functions(kpm, 0, 3, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, &green[0][0][0], NULL));
    CHECK_SUCCESS(legato_kpm_local_densities_at_nodes(kpm, 0, 3, LEGATO_KPM_KERNEL_JACKSON, 0, moments, nodes,
                                                      &at_nodes[0][0], NULL));
    for (int i = 0; i < 3; ++i) {
        for (int s = 0; s < 2; ++s) {
            CHECK_SUCCESS(
                legato_kpm_density_of_states(kpm, 3 * s + i, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, one[s], NULL));
            CHECK_SUCCESS(legato_kpm_density_at_nodes(kpm, 3 * s + i, LEGATO_KPM_KERNEL_JACKSON, 0, moments, expected,
                                                      of_sample[s], NULL));
        }
        for (int e = 0; e < 2; ++e) {
            CHECK(fabs(density[i][e] - (one[0][e] + one[1][e]) / 2) < 1e-13);
            CHECK(fabs(error[i][e] - fabs(one[0][e] - one[1][e]) / 2) < 1e-13);
            CHECK(fabs(green[i][e][1] + acos(-1.0) * density[i][e]) < 1e-12);
        }
        for (int e = 0; e < moments; ++e) {
            CHECK(nodes[e] == expected[e]);
            CHECK(fabs(at_nodes[i][e] - (of_sample[0][e] + of_sample[1][e]) / 2) < 1e-12);
        }
    }
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* Gives the vector that is 1 on the site with the number of the sample. */
static int unit_vector(void* user, int64_t sample, int64_t count, double vector[]) {
    ++*(int64_t*)user;
    memset(vector, 0, (size_t)count * sizeof *vector);
    vector[sample] = 1;
    return 0;
}

static int stopping(void* user, int64_t sample, int64_t count, double vector[]) {
    (void)user;
    (void)sample;
    (void)count;
    (void)vector;
    return 1;
}

static int stop_after_a_sample(void* user, const legato_progress* progress) {
    *(int64_t*)user = progress->cycles_done;
    return progress->points_done > 0;
}

static legato_kpm_state state_of(legato_kpm_green* green) {
    legato_kpm_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_kpm_green_get_state(green, &state));
    return state;
}

/* On a ring <l|T_n|r> is the mean of cos(k (l - r)) T_n(e_k) over the wave numbers k. */
static double moment_of_ring(int distance, int n) {
    double sum = 0;
    for (int k = 0; k < sites; ++k) {
        const double wave = 2 * acos(-1.0) * k / (double)sites;
        sum += cos(wave * distance) * cos(n * angle_of(2 * cos(wave))) / (double)sites;
    }
    return sum;
}

static void between_sites(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring(0);
    const legato_kpm_params params = small_params();
    legato_kpm_green *green = NULL, *again = NULL;
    const int64_t left[3] = {0, 4, 11}, right[2] = {4, 3};
    double mean[2][3][moments][2], error[2][3][moments][2], value[2], resumed[2];
    const double energy = 0.3;
    int64_t done = -1, cycles = 0, calls = 0;
    CHECK_SUCCESS(legato_kpm_green_create(context, &params, hamiltonian, 3, left, 2, right, NULL, NULL, &green));
    CHECK(state_of(green).samples == 2 && state_of(green).samples_done == 0 && state_of(green).moments == moments);
    REFUSED(legato_kpm_green_run(green, stop_after_a_sample, &cycles), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the progress callback");
    CHECK(cycles == moments && state_of(green).samples_done == 1 && state_of(green).bytes > 0);
    CHECK_SUCCESS(legato_kpm_green_save(green, "kpm_spectral_client.h5"));
    CHECK_SUCCESS(legato_kpm_green_advance(green, 1, &done));
    CHECK(done == 2);
    CHECK_SUCCESS(legato_kpm_green_moments(green, 0, 3, 0, 2, moments, &mean[0][0][0][0], &error[0][0][0][0]));
    for (int r = 0; r < 2; ++r)
        for (int l = 0; l < 3; ++l)
            for (int n = 0; n < moments; ++n) {
                CHECK(fabs(mean[r][l][n][0] - moment_of_ring((int)(left[l] - right[r]), n)) < 1e-12);
                CHECK(mean[r][l][n][1] == 0 && error[r][l][n][0] == 0 && error[r][l][n][1] == 0);
            }
    CHECK_SUCCESS(legato_kpm_green_resume(context, "kpm_spectral_client.h5", hamiltonian, NULL, NULL, &again));
    legato_kpm_params read;
    legato_kpm_params_init(&read);
    CHECK_SUCCESS(legato_kpm_green_get_params(again, &read));
    CHECK(read.moments == moments && read.seed == params.seed);
    CHECK_SUCCESS(legato_kpm_green_run(again, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_green_functions(green, 2, 1, 1, 1, LEGATO_KPM_KERNEL_LORENTZ, 4, 1, &energy, value, NULL));
    CHECK_SUCCESS(
        legato_kpm_green_functions(again, 2, 1, 1, 1, LEGATO_KPM_KERNEL_LORENTZ, 4, 1, &energy, resumed, NULL));
    CHECK(value[0] == resumed[0] && value[1] == resumed[1]);
    CHECK_SUCCESS(legato_kpm_green_destroy(again));
    CHECK_SUCCESS(legato_kpm_green_destroy(green));
    /* Vectors of the program: numbers 0 and 1 on the right, 2 and 3 on the left. */
    CHECK_SUCCESS(
        legato_kpm_green_create(context, &params, hamiltonian, 2, NULL, 2, NULL, unit_vector, &calls, &green));
    CHECK_SUCCESS(legato_kpm_green_run(green, NULL, NULL));
    CHECK(calls == 4);
    CHECK_SUCCESS(legato_kpm_green_moments(green, 1, 1, 1, 1, moments, &mean[0][0][0][0], NULL));
    for (int n = 0; n < moments; ++n) CHECK(fabs(mean[0][0][n][0] - moment_of_ring(2, n)) < 1e-12);
    CHECK_SUCCESS(legato_kpm_green_destroy(green));
    CHECK_SUCCESS(legato_kpm_green_destroy(NULL));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void refused_waves(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring(0);
    legato_kpm_params params = small_params();
    legato_kpm* kpm = NULL;
    double k[3] = {0, 0, 0}, amplitudes[2] = {1, 0}, numbers[2 * moments];
    const double energies[2] = {0, 2.02};
#define WAVES(n, k, orbitals, a) legato_kpm_create_waves(context, &params, hamiltonian, n, k, orbitals, a, &kpm)
    INVALID(legato_kpm_create_waves(context, &params, NULL, 1, k, 1, NULL, &kpm), "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_create_waves(context, &params, hamiltonian, 1, k, 1, NULL, NULL), "kpm: a null pointer");
    INVALID(WAVES(0, k, 1, NULL), "kpm.n_k: 0 is not in 1..1048576");
    INVALID(WAVES(-1, k, 1, NULL), "kpm.n_k: -1 is not in ");
    INVALID(WAVES(1048577, k, 1, NULL), "kpm.n_k: 1048577 is not in ");
    INVALID(WAVES(1, NULL, 1, NULL), "kpm.k: a null pointer");
    INVALID(WAVES(1, k, 2, amplitudes), "kpm.orbitals: 2 is not in 1..1");
    k[1] = (double)NAN;
    INVALID(WAVES(1, k, 1, NULL), "kpm.k[1]: nan is not in ");
    k[1] = 1001;
    INVALID(WAVES(1, k, 1, NULL), "kpm.k[1]: 1001 is not in ");
    k[1] = 0;
    amplitudes[1] = 2e6;
    INVALID(WAVES(1, k, 1, amplitudes), "kpm.amplitudes[1]: 2000000 is not in ");
    params.start_vectors = LEGATO_KPM_START_VECTORS_WAVES;
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm), "kpm.params.start_vectors: 6 is not 0, 1, 2 or 5");
    CHECK(kpm == NULL);
    CHECK_SUCCESS(WAVES(1, k, 0, NULL)); /* start_vectors is ignored */
#undef WAVES
    INVALID(legato_kpm_local_moments(kpm, 0, 1, moments, numbers, NULL), "kpm.sample: 0 is not finished yet");
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    INVALID(legato_kpm_local_moments(kpm, 0, 1, 0, numbers, NULL), "kpm.moments.n: 0 is not in 1..32");
    INVALID(legato_kpm_local_moments(kpm, 0, 1, moments + 1, numbers, NULL), "kpm.moments.n: 33 is not in 1..32");
    INVALID(legato_kpm_local_moments(kpm, 0, 1, moments, NULL, NULL), "kpm.mean: a null pointer");
    INVALID(legato_kpm_local_moments(kpm, 1, 1, moments, numbers, NULL), "kpm.first: 1 is not in 0..0");
    INVALID(legato_kpm_local_moments(kpm, 0, 2, moments, numbers, NULL), "kpm.count: 2 is not in 1..1");
    INVALID(legato_kpm_local_moments(kpm, 0, INT64_MAX, moments, numbers, NULL), "kpm.count: 9223372036854775807 is");
    INVALID(legato_kpm_local_densities(kpm, 0, 1, 4, 4, 2, energies, numbers, NULL), "kpm.kernel: 4 is not in 0..3");
    INVALID(legato_kpm_local_densities(kpm, 0, 1, 1, 0, 2, energies, numbers, NULL), "kpm.lambda: 0 ");
    INVALID(legato_kpm_local_densities(kpm, 0, 1, 0, 0, 0, energies, numbers, NULL), "kpm.n: 0 is not in ");
    INVALID(legato_kpm_local_densities(kpm, 0, 1, 0, 0, 2, NULL, numbers, NULL), "kpm.energies: a null pointer");
    INVALID(legato_kpm_local_densities(kpm, 0, 1, 0, 0, 2, energies, NULL, NULL), "kpm.density: a null pointer");
    INVALID(legato_kpm_local_densities_at_nodes(kpm, 0, 1, 0, 0, 31, numbers, numbers, NULL), "kpm.n: 31 is not in 32");
    INVALID(legato_kpm_local_greens_functions(kpm, 0, 1, 0, 0, 2, energies, numbers, NULL),
            "kpm.energies[1]: 2.02 is an end of the interval");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void refused_green(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring(0);
    const legato_kpm_params params = small_params();
    legato_kpm_green* green = NULL;
    const int64_t site = 0, beyond = sites;
    const double energies[2] = {0, 2.02};
    double numbers[2 * moments];
#define GREEN(n_left, left, n_right, right, callback) \
    legato_kpm_green_create(context, &params, hamiltonian, n_left, left, n_right, right, callback, NULL, &green)
    INVALID(legato_kpm_green_create(context, &params, NULL, 1, &site, 1, &site, NULL, NULL, &green),
            "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_green_create(context, &params, hamiltonian, 1, &site, 1, &site, NULL, NULL, NULL),
            "kpm.green: a null pointer");
    INVALID(GREEN(0, &site, 1, &site, NULL), "kpm.green.n_left: 0 is not in 1..1048576");
    INVALID(GREEN(1, &site, -1, &site, NULL), "kpm.green.n_right: -1 is not in 1..1048576");
    INVALID(GREEN(1, &beyond, 1, &site, NULL), "kpm.green.left[0]: 12 is not in 0..11");
    INVALID(GREEN(1, &site, 1, &beyond, NULL), "kpm.green.right[0]: 12 is not in 0..11");
    INVALID(GREEN(1, NULL, 1, &site, NULL), "kpm.callback: a null pointer is not allowed");
    INVALID(GREEN(1, &site, 1, &site, stopping), "kpm.callback: a callback is not allowed");
    CHECK(green == NULL);
    CHECK_SUCCESS(GREEN(1, NULL, 1, &site, stopping));
    REFUSED(legato_kpm_green_run(green, NULL, NULL), LEGATO_STATUS_CANCELLED, "kpm: stopped by the callback for start");
    CHECK_SUCCESS(legato_kpm_green_destroy(green));
    CHECK_SUCCESS(GREEN(1, &site, 1, &site, NULL));
#undef GREEN
    INVALID(legato_kpm_green_moments(green, 0, 1, 0, 1, moments, numbers, NULL), "kpm.green.sample: 0 is not finished");
    INVALID(legato_kpm_green_advance(green, 0, NULL), "kpm.green.advance.rounds: 0 is not in ");
    CHECK_SUCCESS(legato_kpm_green_run(green, NULL, NULL));
    INVALID(legato_kpm_green_moments(green, 0, 1, 0, 1, 0, numbers, NULL), "kpm.green.n: 0 is not in 1..32");
    INVALID(legato_kpm_green_moments(green, 0, 1, 0, 1, moments, NULL, NULL), "kpm.green.mean: a null pointer");
    INVALID(legato_kpm_green_moments(green, 1, 1, 0, 1, moments, numbers, NULL), "kpm.green.left_first: 1 is not in");
    INVALID(legato_kpm_green_moments(green, 0, 2, 0, 1, moments, numbers, NULL), "kpm.green.left_count: 2 is not in");
    INVALID(legato_kpm_green_moments(green, 0, 1, -1, 1, moments, numbers, NULL),
            "kpm.green.right_first: -1 is not in");
    INVALID(legato_kpm_green_moments(green, 0, 1, 0, INT64_MAX, moments, numbers, NULL), "kpm.green.right_count: ");
#define FUNCTIONS(kernel, lambda, n, energies, value) \
    legato_kpm_green_functions(green, 0, 1, 0, 1, kernel, lambda, n, energies, value, NULL)
    INVALID(FUNCTIONS(5, 4, 1, energies, numbers), "kpm.kernel: 5 is not in 0..3");
    INVALID(FUNCTIONS(1, 0, 1, energies, numbers), "kpm.lambda: 0 ");
    INVALID(FUNCTIONS(1, 4, 0, energies, numbers), "kpm.n: 0 is not in ");
    INVALID(FUNCTIONS(1, 4, 1, NULL, numbers), "kpm.energies: a null pointer");
    INVALID(FUNCTIONS(1, 4, 1, energies, NULL), "kpm.green.value: a null pointer");
    INVALID(FUNCTIONS(1, 4, 2, energies, numbers), "kpm.energies[1]: 2.02 is an end of the interval");
#undef FUNCTIONS
    INVALID(legato_kpm_green_save(green, NULL), "kpm.green.save.path: ");
    INVALID(legato_kpm_green_get_state(green, NULL), "kpm.state: a null pointer");
    CHECK_SUCCESS(legato_kpm_green_set_progress(green, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_green_destroy(green));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    plane_waves();
    tables();
    between_sites();
    refused_waves();
    refused_green();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_spectral_client");
}
