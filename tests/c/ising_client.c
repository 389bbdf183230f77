/* Tests the Ising model as a program uses it, in C99 and in C++. Averages of small lattices by Metropolis and by
 * canonical demons are compared with the enumeration of all configurations. Further tests: all other results,
 * stopping and continuing, saving and resuming, and two contexts in two threads. */
#include "ising_exact.h"

#include <pthread.h>

#include "ising_runs.h"

static const char file[] = "ising_client.h5";

static int same_averages(legato_ising* a, legato_ising* b) {
    for (int64_t beta = 0; beta < state_of(a).betas; ++beta) {
        const legato_ising_averages of_a = averages_of(a, beta), of_b = averages_of(b, beta);
        if (memcmp(&of_a, &of_b, sizeof of_a) != 0) return 0;
    }
    return 1;
}

/* ---- Results of a run ---- */

static void default_params(void) {
    const legato_ising_params p = defaults();
    CHECK(p.struct_size == sizeof p && p.dimension == 2 && p.algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS);
    CHECK(p.extents[0] == 64 && p.extents[1] == 64 && p.extents[2] == 1 && p.replicas == 1 && p.field == 0);
    for (int axis = 0; axis < 3; ++axis) CHECK(p.boundary[axis] == LEGATO_ISING_BOUNDARY_PERIODIC);
    CHECK(p.thermalisation == 1000 && p.sweeps_per_measurement == 1 && p.measurements_per_bin == 1000);
    CHECK(p.bins == 32 && p.refresh_interval == 1 && p.start == LEGATO_ISING_START_UP);
    CHECK(p.time_series == 0 && p.correlations == 0 && p.acceptance == 0);
    double beta = 0;
    int64_t seed = 0;
    legato_ising* const ising = made(NULL, NULL, 0);
    CHECK_SUCCESS(legato_ising_get_betas(ising, 1, &beta));
    CHECK_SUCCESS(legato_ising_get_seeds(ising, 1, &seed));
    CHECK(beta == 0.4 && seed == 1 && state_of(ising).sites == 4096);
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

/* Sets every member to a value that is not its default. */
static void params_in_use(void) {
    legato_ising_params params = defaults(), used = defaults();
    params.dimension = 3;
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL;
    for (int axis = 0; axis < 3; ++axis) {
        params.extents[axis] = 2 * axis + 2;
        params.boundary[axis] = axis == 1 ? LEGATO_ISING_BOUNDARY_PERIODIC : LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    }
    params.replicas = 3;
    params.thermalisation = 7;
    params.sweeps_per_measurement = 2;
    params.measurements_per_bin = 3;
    params.bins = 4;
    params.refresh_interval = 5;
    params.start = LEGATO_ISING_START_RANDOM;
    params.time_series = params.correlations = 1;
    legato_ising* const demons = made(&params, NULL, 0);
    CHECK_SUCCESS(legato_ising_get_params(demons, &used));
    CHECK(memcmp(&used, &params, sizeof used) == 0 && state_of(demons).sweeps == 7 + 4 * 3 * 2);
    CHECK_SUCCESS(legato_ising_destroy(demons));
    params.algorithm = LEGATO_ISING_ALGORITHM_METROPOLIS;
    params.field = -0.5;
    params.acceptance = 1;
    legato_ising* const ising = made(&params, NULL, 0);
    CHECK_SUCCESS(legato_ising_get_params(ising, &used));
    CHECK(memcmp(&used, &params, sizeof used) == 0 && state_of(ising).sites == 48);
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

static exact_lattice exact_lattice_of(const legato_ising_params* params, double beta) {
    exact_lattice l;
    for (int axis = 0; axis < 3; ++axis) {
        l.extents[axis] = (int)params->extents[axis];
        l.antiperiodic[axis] = params->boundary[axis] == LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    }
    l.beta = beta;
    l.field = params->field;
    return l;
}

static void agrees(const legato_ising_averages* a, const exact_averages* exact, const exact_lattice* l) {
    /* <m> is meaningless without a field, for a system whose magnetisation never changes its sign. */
    if (l->field != 0) CHECK(within(a->magnetisation, a->magnetisation_error, exact->m, 0.02));
    CHECK(within(a->absolute_magnetisation, a->absolute_magnetisation_error, exact->abs_m, 0.003));
    CHECK(within(a->magnetisation_2, a->magnetisation_2_error, exact->m2, 0.0035));
    CHECK(within(a->magnetisation_4, a->magnetisation_4_error, exact->m4, 0.0035));
    CHECK(within(a->susceptibility, a->susceptibility_error, exact->susceptibility, 0.015));
    CHECK(within(a->binder, a->binder_error, exact->binder, 0.005));
    CHECK(within(a->energy, a->energy_error, exact->e, 0.006));
    CHECK(within(a->specific_heat, a->specific_heat_error, exact->specific_heat, 0.009));
    CHECK(a->energy_autocorrelation > 0.2 && a->magnetisation_autocorrelation > 0.2 && !a->bins_are_short);
}

static void known_averages(const legato_ising_params* params, const double* betas, int64_t length) {
    legato_ising* const ising = run_of(params, betas, length);
    const legato_ising_state s = state_of(ising);
    const int64_t systems = length * params->replicas;
    CHECK(s.backend == LEGATO_BACKEND_CPU && s.systems == systems && s.betas == length && s.seeds == 1);
    CHECK(s.sites == params->extents[0] * params->extents[1] * params->extents[2]);
    CHECK(s.measurements_done == params->bins * params->measurements_per_bin && s.bins_done == s.bins);
    CHECK(s.sweeps_done == s.sweeps && s.bins == params->bins);
    CHECK(s.sweeps == params->thermalisation + s.measurements_done * params->sweeps_per_measurement);
    for (int64_t b = 0; b < length; ++b) {
        const exact_lattice l = exact_lattice_of(params, betas[b]);
        const exact_averages exact = exact_of(&l);
        const legato_ising_averages a = averages_of(ising, b);
        CHECK(a.bins_done == params->bins);
        agrees(&a, &exact, &l);
        const int demons = params->algorithm != LEGATO_ISING_ALGORITHM_METROPOLIS;
        for (int level = 0; level < 3; ++level) {
            const double p = demons ? 1 / (1 + exp(betas[b] * (4 << level))) : 0;
            CHECK(demons ? within(a.demon_occupation[level], a.demon_occupation_error[level], p, 5e-4)
                         : a.demon_occupation[level] == 0 && a.demon_occupation_error[level] == 0);
        }
        CHECK(demons ? within(a.demon_beta, a.demon_beta_error, betas[b], 5e-4) : a.demon_beta == 0);
    }
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

static void metropolis(void) {
    const double betas[] = {0.3, 0.4406868, 0.6};
    legato_ising_params params = small_square();
    params.replicas = 4;
    params.sweeps_per_measurement = 2;
    known_averages(&params, betas, 3);
    params.boundary[1] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    known_averages(&params, betas, 2);
    params.boundary[1] = LEGATO_ISING_BOUNDARY_PERIODIC;
    params.field = 0.1;
    params.start = LEGATO_ISING_START_RANDOM;
    known_averages(&params, betas, 2);
    params.field = 0;
    params.dimension = 3;
    params.extents[0] = params.extents[1] = 2;
    params.extents[2] = 4;
    known_averages(&params, betas, 1);
}

static void demons(void) {
    const double betas[] = {0.3, 0.4406868};
    legato_ising_params params = small_square();
    params.replicas = 32;
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_NAIVE;
    known_averages(&params, betas, 2);
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL;
    known_averages(&params, betas, 2);
    params.boundary[0] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    params.refresh_interval = 3;
    known_averages(&params, betas, 1);
}

/* The energy of lattice and demons is conserved. Their temperature must be that of the start. */
static void microcanonical(void) {
    const double beta = 0.4;
    legato_ising_params params = defaults();
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL;
    params.extents[0] = params.extents[1] = 32;
    params.replicas = 32;
    params.bins = 8;
    params.measurements_per_bin = 50;
    legato_ising* const ising = run_of(&params, &beta, 1);
    const legato_ising_averages a = averages_of(ising, 0);
    CHECK(a.demon_beta_error > 0 && a.demon_beta_error < 0.01 && fabs(a.demon_beta - beta) < 0.02);
    CHECK(fabs(a.energy + 1.1073) < 0.02); /* energy of the canonical average (B. Kaufman) */
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

/* Unknown errors are NaN. Equal seeds are refused, and the message names them. */
static void unknown_errors(void) {
    const double beta = 0.4;
    const int64_t seeds[3] = {7, 8, 7};
    legato_ising_params params = small_square();
    legato_ising* ising = NULL;
    INVALID(legato_ising_create(context, &params, 1, &beta, 3, seeds, &ising),
            "ising.seeds[2]: 7 is ising.seeds[0] too");
    CHECK(ising == NULL);
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL;
    ising = run_of(&params, &beta, 1);
    legato_ising_averages a = averages_of(ising, 0);
    CHECK(isnan(a.energy_error) && isnan(a.absolute_magnetisation_error) && isnan(a.specific_heat_error));
    CHECK(isnan(a.demon_beta_error) && isnan(a.demon_occupation_error[0]) && a.demon_beta > 0);
    CHECK_SUCCESS(legato_ising_destroy(ising));
    params.algorithm = LEGATO_ISING_ALGORITHM_METROPOLIS;
    params.bins = 1;
    ising = run_of(&params, &beta, 1);
    a = averages_of(ising, 0);
    CHECK(isnan(a.energy_error) && isnan(a.binder_error) && isnan(a.energy_autocorrelation));
    CHECK(a.bins_are_short == 1 && a.thermalisation_is_short == 1);
    CHECK_SUCCESS(legato_ising_destroy(ising));
    params = defaults();
    CHECK_SUCCESS(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising));
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    a = averages_of(ising, 0);
    CHECK(a.energy_error > 0 && a.bins_are_short == 0 && a.thermalisation_is_short == 0);
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

static void time_series(void) {
    enum { replicas = 2, length = 32 * 500 };
    static double m[length], e[length], first[3];
    const double betas[] = {0.3, 0.5};
    legato_ising_params params = small_square();
    params.replicas = replicas;
    params.time_series = 1;
    legato_ising* const ising = run_of(&params, betas, 2);
    for (int64_t b = 0; b < 2; ++b) {
        double sums[5] = {0};
        for (int64_t system = b * replicas; system < (b + 1) * replicas; ++system) {
            CHECK_SUCCESS(legato_ising_time_series(ising, system, length, m, e));
            for (int t = 0; t < length; ++t) {
                const double of[5] = {m[t], fabs(m[t]), m[t] * m[t], m[t] * m[t] * m[t] * m[t], e[t]};
                for (int i = 0; i < 5; ++i) sums[i] += of[i] / ((double)replicas * (double)length);
            }
        }
        const legato_ising_averages a = averages_of(ising, b);
        CHECK(fabs(sums[0] - a.magnetisation) < 1e-12 && fabs(sums[1] - a.absolute_magnetisation) < 1e-12);
        CHECK(fabs(sums[2] - a.magnetisation_2) < 1e-12 && fabs(sums[3] - a.magnetisation_4) < 1e-12);
        CHECK(fabs(sums[4] - a.energy) < 1e-12);
    }
    CHECK_SUCCESS(legato_ising_time_series(ising, 3, 3, first, NULL));
    CHECK(memcmp(first, m, sizeof first) == 0);
    CHECK_SUCCESS(legato_ising_time_series(ising, 0, 0, NULL, NULL));
    INVALID(legato_ising_time_series(ising, 4, length, m, e), "ising.system: 4 is not in 0..3");
    INVALID(legato_ising_time_series(ising, -1, length, m, e), "ising.system: -1 is not in 0..3");
    INVALID(legato_ising_time_series(ising, 0, length + 1, m, e), "ising.time_series.n: 16001 is not in 0..16000");
    INVALID(legato_ising_time_series(ising, 0, -1, m, e), "ising.time_series.n: -1 is not in 0..16000");
    INVALID(legato_ising_correlation_length(ising, 0, m, e), "ising.params.correlations: 0; the run");
    INVALID(legato_ising_correlation_function(ising, 0, 0, 3, m, e), "ising.params.correlations: 0; the run");
    INVALID(legato_ising_acceptance(ising, 10, NULL, NULL), "ising.params.acceptance: 0; the run");
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

static void correlations(void) {
    const double beta = 0.35;
    double mean[3], error[3], xi = 0, xi_error = 0;
    legato_ising_params params = small_square();
    params.replicas = 4;
    params.boundary[0] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    params.correlations = 1;
    const exact_lattice l = exact_lattice_of(&params, beta);
    const exact_averages exact = exact_of(&l);
    legato_ising* const ising = made(&params, &beta, 1);
    INVALID(legato_ising_correlation_function(ising, 0, 0, 3, mean, error),
            "ising.correlation_function: no bin is finished yet");
    INVALID(legato_ising_correlation_length(ising, 0, &xi, &xi_error),
            "ising.correlation_length: no bin is finished yet");
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    for (int axis = 0; axis < 2; ++axis) {
        CHECK_SUCCESS(legato_ising_correlation_function(ising, 0, axis, 3, mean, error));
        CHECK(mean[0] == 1 && error[0] == 0);
        CHECK(within(mean[1], error[1], exact.correlations[axis][1], 0.0025));
        if (axis == 1) CHECK(within(mean[2], error[2], exact.correlations[axis][2], 0.005));
        if (axis == 0) CHECK(fabs(mean[2]) < 1e-12); /* both ways around the lattice, with opposite signs */
    }
    CHECK_SUCCESS(legato_ising_correlation_length(ising, 0, &xi, &xi_error));
    CHECK(within(xi, xi_error, exact.correlation_length, 0.017));
    CHECK_SUCCESS(legato_ising_correlation_length(ising, 0, NULL, NULL));
    CHECK_SUCCESS(legato_ising_correlation_function(ising, 0, 0, 3, NULL, NULL));
    INVALID(legato_ising_correlation_function(ising, 1, 0, 3, mean, error), "ising.beta: 1 is not in 0..0");
    INVALID(legato_ising_correlation_function(ising, 0, 2, 3, mean, error), "ising.axis: 2 is not in 0..1");
    INVALID(legato_ising_correlation_function(ising, 0, -1, 3, mean, error), "ising.axis: -1 is not in 0..1");
    INVALID(legato_ising_correlation_function(ising, 0, 0, 4, mean, error),
            "ising.correlation_function.n: 4 is not in 3..3");
    INVALID(legato_ising_correlation_length(ising, -1, &xi, NULL), "ising.beta: -1 is not in 0..0");
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

/* Compares counts with the probabilities that the method prescribes, and the share of each kind of site with the
 * enumeration. */
static void acceptance(void) {
    enum { classes = 5, length = 2 * classes };
    const double beta = 0.3;
    int64_t attempts[length], flips[length], sum = 0;
    legato_ising_params params = small_square();
    params.replicas = 8;
    params.acceptance = 1;
    params.field = 0.2;
    params.boundary[0] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    const exact_lattice l = exact_lattice_of(&params, beta);
    const exact_averages exact = exact_of(&l);
    legato_ising* const ising = run_of(&params, &beta, 1);
    const double all = 16 * 8 * (double)state_of(ising).sweeps;
    CHECK_SUCCESS(legato_ising_acceptance(ising, length, attempts, flips));
    for (int i = 0; i < length; ++i) {
        const int change = 4 * (i / 2 - 2); /* change of the energy of the bonds, in J */
        const double cost = change + 2 * params.field * (i % 2 ? 1 : -1);
        const double p = cost > 0 ? exp(-beta * cost) : 1, n = (double)attempts[i];
        CHECK(attempts[i] > 1000 && fabs(n / all - exact.alike[i / 2][i % 2]) < 0.001);
        if (cost <= 0) CHECK(flips[i] == attempts[i]);
        if (cost > 0) CHECK(fabs((double)flips[i] - n * p) < 5 * sqrt(n * p * (1 - p)));
        sum += attempts[i];
    }
    CHECK((double)sum == all);
    CHECK_SUCCESS(legato_ising_acceptance(ising, length, NULL, NULL));
    INVALID(legato_ising_acceptance(ising, 14, attempts, flips), "ising.acceptance.n: 14 is not in 10..10");
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

/* Counts continue after resuming, separately for flips and attempts. */
static void resumed_counts(void) {
    enum { length = 10 };
    const double beta = 0.3;
    const int64_t seed = 4;
    int64_t attempts[2][length], flips[2][length], done = 0;
    legato_ising_params params = small_square();
    legato_ising *whole = NULL, *resumed = NULL;
    params.acceptance = 1;
    CHECK_SUCCESS(legato_ising_create(context, &params, 1, &beta, 1, &seed, &whole));
    CHECK_SUCCESS(legato_ising_advance(whole, 3, &done));
    CHECK_SUCCESS(legato_ising_save(whole, file));
    CHECK_SUCCESS(legato_ising_resume(context, file, &resumed));
    for (int rest = 0; rest < 2; ++rest) {
        CHECK_SUCCESS(legato_ising_acceptance(whole, length, attempts[0], flips[0]));
        CHECK_SUCCESS(legato_ising_acceptance(resumed, length, attempts[1], flips[1]));
        CHECK(memcmp(attempts[0], attempts[1], sizeof attempts[0]) == 0);
        CHECK(memcmp(flips[0], flips[1], sizeof flips[0]) == 0);
        CHECK(memcmp(attempts[0], flips[0], sizeof flips[0]) != 0);
        CHECK_SUCCESS(legato_ising_run(whole, NULL, NULL));
        CHECK_SUCCESS(legato_ising_run(resumed, NULL, NULL));
    }
    CHECK_SUCCESS(legato_ising_destroy(whole));
    CHECK_SUCCESS(legato_ising_destroy(resumed));
    remove(file);
}

static void configurations(void) {
    enum { sites = 4 * 6 * 2 };
    int8_t spins[sites], again[sites];
    const double betas[] = {0.2, 50};
    legato_ising_params params = defaults();
    params.dimension = 3;
    params.extents[0] = 4;
    params.extents[1] = 6;
    params.extents[2] = 2;
    params.start = LEGATO_ISING_START_RANDOM;
    params.bins = params.measurements_per_bin = params.thermalisation = 1;
    params.time_series = 1;
    legato_ising* const ising = made(&params, betas, 2);
    int up = 0;
    CHECK_SUCCESS(legato_ising_spins(ising, 0, sites, spins));
    for (int x = 0; x < sites; ++x) {
        CHECK(spins[x] == 1 || spins[x] == -1);
        up += spins[x] == 1;
        spins[x] = (int8_t)(x % 5 == 0 ? 1 : -1);
    }
    CHECK(up > 5 && up < sites - 5);
    CHECK_SUCCESS(legato_ising_set_spins(ising, 0, sites, spins));
    CHECK_SUCCESS(legato_ising_spins(ising, 0, sites, again));
    CHECK(memcmp(spins, again, sites) == 0);
    for (int x = 0; x < sites; ++x) spins[x] = -1; /* the ground state, in which nothing flips at beta = 50 */
    CHECK_SUCCESS(legato_ising_set_spins(ising, 1, sites, spins));
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    CHECK_SUCCESS(legato_ising_spins(ising, 1, sites, again));
    CHECK(memcmp(spins, again, sites) == 0);
    const legato_ising_averages a = averages_of(ising, 1);
    CHECK(a.magnetisation == -1 && a.energy == -3 && a.binder == 1 - 1 / 3.0 && a.bins_done == 1);
    CHECK_SUCCESS(legato_ising_spins(ising, 0, sites, spins));
    double m = 0, of_series = 0;
    for (int x = 0; x < sites; ++x) m += spins[x] / (double)sites;
    CHECK_SUCCESS(legato_ising_time_series(ising, 0, 1, &of_series, NULL));
    CHECK(fabs(m - of_series) < 1e-15);
    INVALID(legato_ising_set_spins(ising, 0, sites, spins), "ising.spins: the run has begun");
    INVALID(legato_ising_spins(ising, 2, sites, spins), "ising.system: 2 is not in 0..1");
    INVALID(legato_ising_spins(ising, 0, 47, spins), "ising.n_sites: 47 is not in 48..48");
    INVALID(legato_ising_spins(ising, 0, sites, NULL), "ising.spins: a null pointer");
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

/* ---- Stopping, saving, threads ---- */

/* Returns the number of systems whose spins differ. */
static int64_t other_spins(legato_ising* a, legato_ising* b) {
    static int8_t of_a[1 << 16], of_b[1 << 16];
    const legato_ising_state state = state_of(a);
    int64_t other = 0;
    for (int64_t system = 0; system < state.systems; ++system) {
        if (legato_ising_spins(a, system, state.sites, of_a) != LEGATO_STATUS_SUCCESS ||
            legato_ising_spins(b, system, state.sites, of_b) != LEGATO_STATUS_SUCCESS ||
            memcmp(of_a, of_b, (size_t)state.sites) != 0)
            ++other;
    }
    return other;
}

static int same_state(legato_ising* a, legato_ising* b) {
    const legato_ising_state of_a = state_of(a), of_b = state_of(b);
    return memcmp(&of_a, &of_b, sizeof of_a) == 0 && other_spins(a, b) == 0;
}

/* Compares an uninterrupted run with one that was saved and resumed, for one algorithm. */
static void resuming(int32_t algorithm) {
    const double betas[] = {0.3, 0.44, 0.5};
    const int64_t seeds[] = {-5, INT64_MAX};
    legato_ising_params params = small_square(), of_file = defaults();
    legato_ising *whole = NULL, *part = NULL, *resumed = NULL;
    double betas_of_file[3];
    int64_t seeds_of_file[2], done = -1;
    params.algorithm = algorithm;
    params.replicas = 32;
    params.bins = 10;
    params.measurements_per_bin = 20;
    params.time_series = 1;
    CHECK_SUCCESS(legato_ising_create(context, &params, 3, betas, 2, seeds, &whole));
    CHECK_SUCCESS(legato_ising_run(whole, NULL, NULL));
    CHECK_SUCCESS(legato_ising_create(context, &params, 3, betas, 2, seeds, &part));
    CHECK_SUCCESS(legato_ising_advance(part, 2, &done));
    CHECK(done == 2 && state_of(part).sweeps_done == 540 && state_of(part).measurements_done == 40);
    CHECK(averages_of(part, 2).bins_done == 2 && !same_averages(whole, part));
    CHECK_SUCCESS(legato_ising_save(part, file));
    CHECK_SUCCESS(legato_ising_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_ising_get_params(resumed, &of_file));
    CHECK(memcmp(&of_file, &params, sizeof params) == 0);
    CHECK_SUCCESS(legato_ising_get_betas(resumed, 3, betas_of_file));
    CHECK_SUCCESS(legato_ising_get_seeds(resumed, 2, seeds_of_file));
    CHECK(memcmp(betas_of_file, betas, sizeof betas) == 0 && memcmp(seeds_of_file, seeds, sizeof seeds) == 0);
    CHECK_SUCCESS(legato_ising_run(part, NULL, NULL));
    CHECK_SUCCESS(legato_ising_advance(resumed, INT64_MAX, &done));
    CHECK(done == 10 && same_averages(whole, part) && same_averages(whole, resumed));
    CHECK(same_state(whole, part) && same_state(whole, resumed) && state_of(whole).systems == 192);
    CHECK_SUCCESS(legato_ising_run(whole, NULL, NULL)); /* nothing is left to do */
    CHECK(same_state(whole, resumed) && state_of(whole).sweeps_done == 700);
    CHECK_SUCCESS(legato_ising_destroy(part));
    CHECK_SUCCESS(legato_ising_destroy(resumed));
    CHECK_SUCCESS(legato_ising_destroy(whole));
    remove(file);
}

typedef struct watcher {
    legato_ising* ising;
    int calls, stop_at;
    legato_progress last;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    w->last = *progress;
    INVALID(legato_ising_advance(w->ising, 1, NULL), "ising.advance: a callback cannot continue the run");
    INVALID(legato_ising_run(w->ising, NULL, NULL), "ising.run: a callback cannot continue the run");
    CHECK_SUCCESS(legato_ising_save(w->ising, file));
    return ++w->calls == w->stop_at;
}

/* A run that takes seconds is stopped by its first report, usually within a bin. It is saved there, resumed, and
 * continued.
 */
static void stopping(void) {
    const double beta = 0.44;
    legato_ising_params params = defaults();
    legato_ising *whole = NULL, *part = NULL, *resumed = NULL;
    watcher w;
    memset(&w, 0, sizeof w);
    w.stop_at = 1;
    params.extents[0] = params.extents[1] = 128;
    params.thermalisation = 10;
    params.bins = 10;
    params.measurements_per_bin = 100000;
    w.ising = part = made(&params, &beta, 1);
    REFUSED(legato_ising_run(part, watch, &w), LEGATO_STATUS_CANCELLED, "ising: stopped by the progress callback");
    const legato_ising_state state = state_of(part);
    CHECK(w.calls == 1 && w.last.points_total == 10 && w.last.points_done == state.bins_done);
    CHECK(w.last.cycles_done == state.sweeps_done && state.sweeps_done > 10 && w.last.seconds > 0.1);
    CHECK(state.bins_done < 10 && state.measurements_done == state.sweeps_done - 10);
    CHECK_SUCCESS(legato_ising_resume(context, file, &resumed)); /* from the file that the callback has saved */
    CHECK(same_state(part, resumed));
    whole = made(&params, &beta, 1);
    CHECK_SUCCESS(legato_ising_advance(whole, state.bins_done + 1, NULL));
    CHECK_SUCCESS(legato_ising_advance(part, 1, NULL));
    CHECK_SUCCESS(legato_ising_advance(resumed, 1, NULL));
    CHECK(same_averages(whole, part) && same_averages(whole, resumed));
    CHECK(same_state(whole, part) && same_state(whole, resumed));
    CHECK_SUCCESS(legato_ising_destroy(part));
    CHECK_SUCCESS(legato_ising_destroy(resumed));
    CHECK_SUCCESS(legato_ising_destroy(whole));
    remove(file);
}

/* Energies and their errors from a run in a context of its own with `threads` threads. */
typedef struct job {
    int32_t threads, status;
    double energy[2];
} job;

static void* run_alone(void* user) {
    job* const j = (job*)user;
    const double beta = 0.42;
    legato_context_params settings;
    legato_context* own = NULL;
    legato_ising_params params;
    legato_ising* ising = NULL;
    legato_ising_averages a;
    legato_context_params_init(&settings);
    settings.backend = LEGATO_BACKEND_CPU;
    settings.threads = j->threads;
    settings.log_level = LEGATO_LOG_LEVEL_SILENT;
    legato_ising_params_init(&params);
    params.replicas = 3;
    params.measurements_per_bin = 20;
    a.struct_size = sizeof a;
    j->status = legato_context_create(&settings, &own) ||
                legato_ising_create(own, &params, 1, &beta, 0, NULL, &ising) || legato_ising_run(ising, NULL, NULL) ||
                legato_ising_result(ising, 0, &a);
    j->energy[0] = a.energy;
    j->energy[1] = a.energy_error;
    legato_context_destroy(own); /* the run outlives its context */
    legato_ising_destroy(ising);
    return NULL;
}

static void threads(void) {
    job jobs[3] = {{1, -1, {1, 1}}, {2, -1, {2, 2}}, {2, -1, {3, 3}}};
    pthread_t ids[2];
    run_alone(&jobs[2]);
    for (int i = 0; i < 2; ++i) CHECK(pthread_create(&ids[i], NULL, run_alone, &jobs[i]) == 0);
    for (int i = 0; i < 2; ++i) CHECK(pthread_join(ids[i], NULL) == 0);
    for (int i = 0; i < 3; ++i) CHECK(jobs[i].status == 0 && memcmp(jobs[i].energy, jobs[0].energy, 16) == 0);
    CHECK(jobs[0].energy[0] < -1 && jobs[0].energy[1] > 0);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    default_params();
    params_in_use();
    metropolis();
    demons();
    microcanonical();
    unknown_errors();
    time_series();
    correlations();
    acceptance();
    resumed_counts();
    configurations();
    resuming(LEGATO_ISING_ALGORITHM_METROPOLIS);
    resuming(LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL);
    stopping();
    threads();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("ising_client");
}
