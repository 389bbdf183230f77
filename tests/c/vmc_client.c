/* Variational Monte Carlo as a program meets it, in C99 and in C++: lattices, pair functions, energies that are known,
 * everything else that a run gives, optimisation, saving and resuming, and every argument that must be refused. */
#include <stdlib.h>

#include "checking.h"

static const char file[] = "vmc_client.h5";

static legato_vmc_params defaults(void) {
    legato_vmc_params params;
    memset(&params, 0xa5, sizeof params);
    WORKS(legato_vmc_params_init(&params));
    return params;
}

/* A short run on the tilted cluster of length^2 + 1 sites. */
static legato_vmc_params tilted(int length, int electrons) {
    legato_vmc_params params = defaults();
    params.length = length;
    params.electrons = electrons;
    params.chains = 4;
    params.warm_up = 50;
    params.bins = 10;
    params.sweeps_per_bin = 50;
    return params;
}

static legato_vmc* run_of(const legato_vmc_params* params) {
    legato_vmc* vmc = NULL;
    WORKS(legato_vmc_create(context, params, &vmc));
    WORKS(legato_vmc_run(vmc, NULL, NULL));
    return vmc;
}

static legato_vmc_state state_of(legato_vmc* vmc) {
    legato_vmc_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    WORKS(legato_vmc_get_state(vmc, &state));
    return state;
}

static legato_vmc_averages averages_of(legato_vmc* vmc) {
    legato_vmc_averages averages;
    memset(&averages, 0, sizeof averages);
    averages.struct_size = sizeof averages;
    WORKS(legato_vmc_result(vmc, &averages));
    return averages;
}

static int same_averages(legato_vmc* a, legato_vmc* b) {
    const legato_vmc_averages of_a = averages_of(a), of_b = averages_of(b);
    return memcmp(&of_a, &of_b, sizeof of_a) == 0;
}

static int within(double value, double error, double exact) {
    return error > 0 && fabs(value - exact) < 5 * error;
}

/* ---- What follows from parameters alone ---- */

static void default_params(void) {
    const legato_vmc_params p = defaults();
    HOLDS(p.struct_size == sizeof p && p.cluster == LEGATO_VMC_TILTED && p.length == 9 && p.electrons == 74);
    HOLDS(p.extents[0] == 8 && p.extents[1] == 8 && p.boundary[0] == 0 && p.boundary[1] == LEGATO_VMC_PERIODIC);
    HOLDS(p.gap == LEGATO_VMC_GAP_A && p.t == 1 && p.t_prime == 0 && p.t_double_prime == 0 && p.j == 0.3);
    HOLDS(p.variational_t == 1 && p.variational_t_prime == 0 && p.variational_t_double_prime == 0);
    HOLDS(p.delta == 1.5 && p.mu == 0 && p.chains == 16 && p.sweep_factor == 1 && p.warm_up == 200 && p.bins == 20);
    HOLDS(p.sweeps_per_bin == 100 && p.neighbour_share == 0.5 && p.recompute_interval == 20);
    HOLDS(p.start_attempts == 1000 && p.drift_bound == 1e-6 && p.least_reciprocal_condition == 1e-12);
    HOLDS(p.seed == 1 && p.correlations == 0 && p.gradients == 0);
}

static void tilted_clusters(void) {
    enum { length = 5, sites = 26 };
    const legato_vmc_params params = tilted(length, 24);
    int32_t all = -1, electrons = -1, positions[2 * sites], neighbours[4 * sites];
    double signs[4 * sites];
    WORKS(legato_vmc_sites(context, &params, &all));
    HOLDS(all == sites);
    WORKS(legato_vmc_sites(context, NULL, &all));
    HOLDS(all == 82);
    WORKS(legato_vmc_electrons_at(context, &params, 0.1, &electrons));
    HOLDS(electrons == 24);
    WORKS(legato_vmc_electrons_at(context, NULL, 0.1, &electrons));
    HOLDS(electrons == 74);
    WORKS(legato_vmc_electrons_at(context, NULL, 0, &electrons));
    HOLDS(electrons == 82);
    WORKS(legato_vmc_positions(context, &params, sites, positions));
    for (int s = 0; s < sites; ++s) {
        const int x = positions[2 * s], y = positions[2 * s + 1];
        HOLDS((x - length * y - s) % sites == 0 && x * x + y * y <= 13);
    }
    for (int shell = 1; shell <= 3; ++shell) {
        static const int steps[3][2] = {{1, 0}, {1, 1}, {2, 0}};
        WORKS(legato_vmc_neighbours(context, &params, shell, sites, neighbours, signs));
        for (int s = 0; s < sites; ++s) {
            const int first = neighbours[4 * s], third = neighbours[4 * s + 2];
            HOLDS(first == (s + steps[shell - 1][0] - length * steps[shell - 1][1] + sites) % sites);
            HOLDS((first + third - 2 * s) % sites == 0 && signs[4 * s] == 1 && signs[4 * s + 3] == 1);
        }
    }
    INVALID(legato_vmc_sites(context, &params, NULL), "vmc.sites: a null pointer");
    INVALID(legato_vmc_electrons_at(context, &params, 0, NULL), "vmc.electrons: a null pointer");
    INVALID(legato_vmc_electrons_at(context, &params, -0.1, &electrons), "vmc.doping: -0.1 is not in [0, 1]");
    INVALID(legato_vmc_electrons_at(context, &params, (double)NAN, &electrons), "vmc.doping: ");
    INVALID(legato_vmc_positions(context, &params, sites, NULL), "vmc.positions: a null pointer");
    INVALID(legato_vmc_positions(context, &params, 25, positions), "vmc.n_sites: 25 is not in 26..26");
    INVALID(legato_vmc_neighbours(context, &params, 0, sites, neighbours, NULL), "vmc.shell: 0 is not in 1..3");
    INVALID(legato_vmc_neighbours(context, &params, 4, sites, neighbours, NULL), "vmc.shell: 4 is not in 1..3");
    INVALID(legato_vmc_neighbours(context, &params, 1, 27, neighbours, NULL), "vmc.n_sites: 27 is not in 26..26");
    INVALID(legato_vmc_neighbours(context, &params, 1, sites, NULL, signs), "vmc.neighbours: a null pointer");
    HOLDS(legato_vmc_sites(NULL, &params, &all) == LEGATO_INVALID_ARGUMENT);
}

static void rectangular_clusters(void) {
    enum { x_sites = 4, sites = 20 };
    legato_vmc_params params = defaults();
    int32_t positions[2 * sites], neighbours[4 * sites];
    double signs[4 * sites];
    params.cluster = LEGATO_VMC_RECTANGULAR;
    params.extents[0] = x_sites;
    params.extents[1] = 5;
    params.boundary[1] = LEGATO_VMC_ANTIPERIODIC;
    WORKS(legato_vmc_positions(context, &params, sites, positions));
    for (int s = 0; s < sites; ++s) HOLDS(positions[2 * s] == s % x_sites && positions[2 * s + 1] == s / x_sites);
    WORKS(legato_vmc_neighbours(context, &params, 1, sites, neighbours, NULL));
    WORKS(legato_vmc_neighbours(context, &params, 1, sites, neighbours, signs));
    for (int s = 0; s < sites; ++s) {
        HOLDS(neighbours[4 * s + 1] == (s + x_sites) % sites && signs[4 * s + 1] == (s + x_sites < sites ? 1 : -1));
        HOLDS(signs[4 * s] == 1 && signs[4 * s + 3] == (s < x_sites ? -1 : 1));
    }
    params.boundary[0] = 2;
    INVALID(legato_vmc_positions(context, &params, sites, positions), "vmc.params.boundary[0]: 2 is not in 0..1");
    params.extents[0] = 2;
    INVALID(legato_vmc_positions(context, &params, sites, positions), "vmc.params.extents[0]: 2 is not in 3..1024");
    params.extents[0] = params.extents[1] = 65;
    params.boundary[0] = 0;
    INVALID(legato_vmc_positions(context, &params, 4225, positions),
            "vmc.params.extents: 65 x 65 are more than 4096 sites");
}

/* Of an independent program. */
static void pair_functions(void) {
    enum { length = 5, sites = 26 };
    legato_vmc_params params = tilted(length, 24);
    double phi[sites], again[sites];
    int32_t borders = -1;
    legato_vmc* vmc = NULL;
    WORKS(legato_vmc_pair_function(context, &params, sites, phi, &borders));
    HOLDS(borders == 1 && fabs(phi[1] - 1.100372230540) < 1e-11 && fabs(phi[2] - 1.846153846154) < 1e-11);
    HOLDS(fabs(phi[1 - length + sites] + 0.615384615385) < 1e-11); /* (1,1) */
    HOLDS(fabs(phi[2 - length + sites] - 0.992452087320) < 1e-11); /* (2,1) */
    HOLDS(fabs(phi[0]) < 1e-14 && fabs(phi[1] + phi[length]) < 1e-12);
    WORKS(legato_vmc_pair_function(context, &params, sites, NULL, NULL));
    params.gap = LEGATO_VMC_GAP_B;
    params.delta = 0.75;
    WORKS(legato_vmc_pair_function(context, &params, sites, again, NULL));
    HOLDS(memcmp(phi, again, sizeof phi) == 0);
    WORKS(legato_vmc_create(context, &params, &vmc));
    memset(again, 0, sizeof again);
    WORKS(legato_vmc_get_pair_function(vmc, sites, again, &borders));
    HOLDS(memcmp(phi, again, sizeof phi) == 0 && borders == 1 && state_of(vmc).borders == 1);
    INVALID(legato_vmc_get_pair_function(vmc, 10, again, &borders), "vmc.n_sites: 10 is not in 26..26");
    WORKS(legato_vmc_destroy(vmc));
    INVALID(legato_vmc_pair_function(context, &params, 82, phi, NULL), "vmc.n_sites: 82 is not in 26..26");
    params.mu = -4; /* xi_k = Delta_k = 0 at k = 0 */
    INVALID(legato_vmc_pair_function(context, &params, sites, phi, NULL),
            "vmc.params.mu: -4 makes xi_k and Delta_k zero at k = (0, 0)");
    params.mu = (double)INFINITY;
    INVALID(legato_vmc_pair_function(context, &params, sites, phi, NULL), "vmc.params.mu: inf is not in");
}

/* ---- Runs ---- */

/* Exact sums over all configurations, by an independent program. */
static void known_energies(void) {
    legato_vmc_params params = tilted(3, 8);
    params.bins = 20;
    params.sweeps_per_bin = 200;
    legato_vmc* vmc = run_of(&params);
    legato_vmc_averages a = averages_of(vmc);
    legato_vmc_state s = state_of(vmc);
    HOLDS(a.bins_done == 20 && within(a.energy, a.energy_error, -0.632746826903) && a.energy_error < 0.01);
    HOLDS(within(a.kinetic, a.kinetic_error, -0.436233654424));
    HOLDS(within(a.exchange, a.exchange_error, -0.196513172479));
    HOLDS(within(a.spin_spin, a.spin_spin_error, -0.170986233028));
    HOLDS(within(a.kinetic_up - a.kinetic_down, a.kinetic_up_error + a.kinetic_down_error, 0));
    HOLDS(fabs(a.kinetic_up + a.kinetic_down - a.kinetic) < 1e-12 && fabs(a.kinetic + a.exchange - a.energy) < 1e-12);
    HOLDS(fabs(0.3 * 2 * (a.spin_spin - a.density_density / 4) - a.exchange) < 1e-12 && a.density_density_error > 0);
    HOLDS(a.variance > 0 && a.variance_error > 0 && a.autocorrelation_sweeps > 0.2 && a.autocorrelation_sweeps < 3);
    HOLDS(s.backend == LEGATO_BACKEND_CPU && s.sites == 10 && s.chains == 4 && s.bins == 20 && s.bins_done == 20);
    HOLDS(s.sweeps_done == 50 + 20 * 200 && s.recompute_interval >= 1 && s.recompute_interval <= 20);
    HOLDS(s.largest_drift > 0 && s.largest_drift < 1e-3);
    HOLDS(s.attempts[0] + s.attempts[1] == s.sweeps_done * 4 * 8);
    for (int i = LEGATO_VMC_ANY_SITE; i <= LEGATO_VMC_NEIGHBOUR; ++i) {
        HOLDS(s.nulls[i] + s.hops[i] + s.exchanges[i] == s.attempts[i]);
        HOLDS(fabs(s.null_rate[i] - (double)s.nulls[i] / (double)s.attempts[i]) < 1e-15);
        HOLDS(fabs(s.hop_rate[i] - (double)s.hops_accepted[i] / (double)s.hops[i]) < 1e-15);
        HOLDS(fabs(s.exchange_rate[i] - (double)s.exchanges_accepted[i] / (double)s.exchanges[i]) < 1e-15);
        HOLDS(s.hop_rate[i] > 0 && s.hop_rate[i] < 1 && s.exchange_rate[i] > 0 && s.exchange_rate[i] < 1);
    }
    WORKS(legato_vmc_destroy(vmc));
    params.electrons = 10; /* half filling: no hops */
    vmc = run_of(&params);
    a = averages_of(vmc);
    s = state_of(vmc);
    HOLDS(within(a.energy, a.energy_error, -0.351689472877) && a.kinetic == 0 && a.kinetic_error == 0);
    HOLDS(s.hops[0] == 0 && s.hops[1] == 0 && s.hop_rate[0] == 0 && s.hop_rate[1] == 0);
    WORKS(legato_vmc_destroy(vmc));
}

static void traces(void) {
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc* const vmc = run_of(&params);
    double means[10], first[3], sum = 0, squares = 0;
    int32_t up[12], down[12];
    for (int chain = 0; chain < 4; ++chain) {
        WORKS(legato_vmc_bin_means(vmc, LEGATO_VMC_ENERGY, chain, 10, means));
        for (int i = 0; i < 10; ++i) sum += means[i] / 40;
        WORKS(legato_vmc_bin_means(vmc, LEGATO_VMC_ENERGY, chain, 3, first));
        HOLDS(memcmp(first, means, sizeof first) == 0);
        WORKS(legato_vmc_bin_means(vmc, LEGATO_VMC_ENERGY_SQUARED, chain, 10, means));
        for (int i = 0; i < 10; ++i) squares += means[i] / 40;
    }
    const legato_vmc_averages a = averages_of(vmc);
    HOLDS(fabs(sum - a.energy) < 1e-13 && fabs(squares - sum * sum - a.variance) < 0.2 * a.variance);
    for (int chain = 0; chain < 4; ++chain) {
        int taken[26] = {0};
        WORKS(legato_vmc_electron_sites(vmc, chain, 12, up, down));
        for (int i = 0; i < 12; ++i) {
            HOLDS(up[i] >= 0 && up[i] < 26 && down[i] >= 0 && down[i] < 26);
            ++taken[up[i]];
            ++taken[down[i]];
        }
        for (int s = 0; s < 26; ++s) HOLDS(taken[s] <= 1);
    }
    WORKS(legato_vmc_bin_means(vmc, LEGATO_VMC_ENERGY, 0, 0, NULL));
    INVALID(legato_vmc_bin_means(vmc, -1, 0, 1, means), "vmc.observable: -1 is not in 0..6");
    INVALID(legato_vmc_bin_means(vmc, 7, 0, 1, means), "vmc.observable: 7 is not in 0..6");
    INVALID(legato_vmc_bin_means(vmc, 0, -1, 1, means), "vmc.chain: -1 is not in 0..3");
    INVALID(legato_vmc_bin_means(vmc, 0, 4, 1, means), "vmc.chain: 4 is not in 0..3");
    INVALID(legato_vmc_bin_means(vmc, 0, 0, 11, means), "vmc.bin_means.n: 11 is not in 0..10");
    INVALID(legato_vmc_bin_means(vmc, 0, 0, -1, means), "vmc.bin_means.n: -1 is not in 0..10");
    INVALID(legato_vmc_bin_means(vmc, 0, 0, 1, NULL), "vmc.bin_means.means: a null pointer");
    INVALID(legato_vmc_electron_sites(vmc, 4, 12, up, down), "vmc.chain: 4 is not in 0..3");
    INVALID(legato_vmc_electron_sites(vmc, 0, 24, up, down), "vmc.n_pairs: 24 is not in 12..12");
    INVALID(legato_vmc_electron_sites(vmc, 0, 12, NULL, down), "vmc.up: a null pointer");
    INVALID(legato_vmc_electron_sites(vmc, 0, 12, up, NULL), "vmc.down: a null pointer");
    INVALID(legato_vmc_structure_factors(vmc, 26, NULL, NULL, NULL, NULL, NULL), "vmc.params.correlations: 0; the run");
    INVALID(legato_vmc_gradient(vmc, 4, NULL, NULL, NULL), "vmc.params.gradients: 0; the run");
    WORKS(legato_vmc_destroy(vmc));
}

static void correlations(void) {
    enum { sites = 26 };
    legato_vmc_params params = tilted(5, 24);
    double q[2 * sites], spin[sites], spin_error[sites], charge[sites], charge_error[sites];
    double spin_sum = 0, charge_sum = 0, largest = 0;
    params.correlations = 1;
    legato_vmc* const vmc = run_of(&params);
    WORKS(legato_vmc_structure_factors(vmc, sites, q, spin, spin_error, charge, charge_error));
    for (int k = 0; k < sites; ++k) {
        spin_sum += spin[k] / (double)sites;
        charge_sum += charge[k] / (double)sites;
        largest = fmax(largest, spin[k]);
        HOLDS(q[2 * k] >= 0 && q[2 * k] < 6.2832 && q[2 * k + 1] >= 0 && q[2 * k + 1] < 6.2832);
        HOLDS(spin[k] > -1e-12 && charge[k] > -1e-12 && spin_error[k] >= 0 && charge_error[k] >= 0);
    }
    HOLDS(fabs(spin_sum - 24.0 / 26 / 4) < 1e-12); /* <S^z S^z> of a site */
    HOLDS(fabs(charge_sum - 24.0 / 26 * (1 - 24.0 / 26)) < 1e-12);
    HOLDS(fabs(spin[0]) < 1e-12 && fabs(charge[0]) < 1e-12);
    HOLDS(fabs(q[2 * 13] - acos(-1.0)) < 1e-12 && spin[13] == largest); /* (pi, pi) */
    WORKS(legato_vmc_structure_factors(vmc, sites, NULL, NULL, NULL, NULL, NULL));
    INVALID(legato_vmc_structure_factors(vmc, 25, q, spin, NULL, NULL, NULL), "vmc.n_sites: 25 is not in 26..26");
    WORKS(legato_vmc_destroy(vmc));
}

static void gradients(void) {
    legato_vmc_params params = tilted(5, 24);
    double gradient[4], error[4], metric[16], part[2], part_metric[4];
    params.gradients = 1;
    params.mu = -0.1;
    legato_vmc* const vmc = run_of(&params);
    WORKS(legato_vmc_gradient(vmc, 4, gradient, error, metric));
    WORKS(legato_vmc_gradient(vmc, 2, part, NULL, part_metric));
    HOLDS(part[0] == gradient[LEGATO_VMC_DELTA] && part[1] == gradient[LEGATO_VMC_MU]);
    for (int a = 0; a < 4; ++a) {
        HOLDS(error[a] > 0 && metric[5 * a] > 0);
        for (int b = 0; b < 4; ++b) HOLDS(metric[4 * a + b] == metric[4 * b + a]);
        for (int b = 0; b < 2 && a < 2; ++b) HOLDS(part_metric[2 * a + b] == metric[4 * a + b]);
    }
    WORKS(legato_vmc_gradient(vmc, 0, gradient, error, metric));
    INVALID(legato_vmc_gradient(vmc, 5, gradient, error, metric), "vmc.gradient.n: 5 is not in 0..4");
    INVALID(legato_vmc_gradient(vmc, -1, gradient, error, metric), "vmc.gradient.n: -1 is not in 0..4");
    WORKS(legato_vmc_destroy(vmc));
}

/* One bin of one chain has means, and errors of which nothing can be told. */
static void one_bin(void) {
    legato_vmc_params params = tilted(3, 8);
    double gradient[4], error[4], spin[10], spin_error[10];
    legato_vmc* vmc = NULL;
    params.chains = 1;
    params.warm_up = 0;
    params.bins = params.sweeps_per_bin = 1;
    params.correlations = params.gradients = 1;
    WORKS(legato_vmc_create(context, &params, &vmc));
    INVALID(legato_vmc_gradient(vmc, 4, gradient, error, NULL), "vmc.gradient: no bin is finished yet");
    INVALID(legato_vmc_structure_factors(vmc, 10, NULL, spin, NULL, NULL, NULL),
            "vmc.structure_factors: no bin is finished yet");
    HOLDS(state_of(vmc).null_rate[0] == 0 && state_of(vmc).hop_rate[1] == 0 && state_of(vmc).exchange_rate[0] == 0);
    WORKS(legato_vmc_run(vmc, NULL, NULL));
    const legato_vmc_averages a = averages_of(vmc);
    HOLDS(a.bins_done == 1 && a.energy < 0 && a.energy_error == 0 && a.spin_spin_error == 0);
    HOLDS(a.variance >= 0 && a.variance_error == 0 && a.autocorrelation_sweeps == 0);
    WORKS(legato_vmc_gradient(vmc, 4, gradient, error, NULL));
    for (int i = 0; i < 4; ++i) HOLDS(fabs(gradient[i]) < 1e-12 && error[i] == 0);
    WORKS(legato_vmc_structure_factors(vmc, 10, NULL, spin, spin_error, NULL, NULL));
    for (int i = 0; i < 10; ++i) HOLDS(spin[i] < 10 && spin_error[i] == 0);
    WORKS(legato_vmc_run(vmc, NULL, NULL)); /* there is nothing left to do */
    HOLDS(state_of(vmc).sweeps_done == 1);
    WORKS(legato_vmc_destroy(vmc));
}

/* The state's own table gives the same bits; tables that have no state are refused. */
static void given_pair_functions(void) {
    legato_vmc_params params = tilted(5, 24);
    double phi[26], again[26], zeros[26] = {0};
    int32_t borders = 0;
    legato_vmc *given = NULL, *resumed = NULL, *const vmc = run_of(&params);
    WORKS(legato_vmc_get_pair_function(vmc, 26, phi, NULL));
#define GIVEN(n, values, divergent) legato_vmc_create_given(context, &params, n, values, divergent, &given)
    WORKS(GIVEN(26, phi, 1));
    WORKS(legato_vmc_run(given, NULL, NULL));
    HOLDS(same_averages(vmc, given));
    WORKS(legato_vmc_save(given, file));
    WORKS(legato_vmc_destroy(given));
    WORKS(legato_vmc_resume(context, file, &resumed));
    WORKS(legato_vmc_get_pair_function(resumed, 26, again, &borders));
    HOLDS(same_averages(vmc, resumed) && memcmp(phi, again, sizeof phi) == 0 && borders == 1);
    WORKS(legato_vmc_destroy(resumed));
    remove(file);
    WORKS(GIVEN(26, phi, 0));
    HOLDS(state_of(given).borders == 0);
    WORKS(legato_vmc_destroy(given));
    WORKS(legato_vmc_destroy(vmc));
    INVALID(GIVEN(25, phi, 1), "vmc.n_pair_function: 25 is not in 26..26");
    INVALID(GIVEN(0, NULL, 1), "vmc.n_pair_function: 0 is not in 26..26");
    INVALID(GIVEN(INT32_MIN, phi, 1), "vmc.n_pair_function: -2147483648 is not in 26..26");
    INVALID(GIVEN(26, NULL, 1), "vmc.pair_function: a null pointer");
    INVALID(GIVEN(26, phi, 2), "vmc.divergent_zero: 2 is not in 0..1");
    REFUSED(GIVEN(26, zeros, 0), LEGATO_NUMERICAL_ERROR, "vmc.params.start_attempts: none of 1000 configurations");
    phi[7] = (double)NAN;
    INVALID(GIVEN(26, phi, 1), "vmc.pair_function[7]: ");
    phi[7] = -1e101;
    INVALID(GIVEN(26, phi, 1), "vmc.pair_function[7]: -1e+101 is not in [-1e+100, 1e+100]");
    phi[7] = 0;
    params.gradients = 1;
    INVALID(GIVEN(26, phi, 1), "vmc.params.gradients: 1 needs a pair function of parameters");
    params = tilted(4, 8);
    INVALID(GIVEN(17, phi, 1), "vmc.params.length: 4 is even");
#undef GIVEN
    HOLDS(given == NULL);
}

/* Elements from the least to the largest number that is allowed: an energy or an error, never what is no number. Powers
 * of two change nothing. */
static void extreme_pair_functions(void) {
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc *vmc = NULL, *const whole = run_of(&params);
    double phi[26], scaled[26];
    int runs = 0;
    WORKS(legato_vmc_pair_function(context, &params, 26, phi, NULL));
    for (int power = -320; power <= 99; power += 20) {
        for (int r = 0; r < 26; ++r) scaled[r] = phi[r] * pow(10, power);
        const int32_t status = legato_vmc_create_given(context, &params, 26, scaled, power % 40 == 0, &vmc);
        HOLDS(status == LEGATO_SUCCESS || (status == LEGATO_NUMERICAL_ERROR && power < -280));
        if (status == LEGATO_SUCCESS && legato_vmc_run(vmc, NULL, NULL) == LEGATO_SUCCESS) {
            const legato_vmc_averages a = averages_of(vmc);
            HOLDS(a.energy > -2 && a.energy < 2 && a.energy_error >= 0 && a.variance >= 0);
            HOLDS(state_of(vmc).largest_drift >= 0);
            ++runs;
        }
        WORKS(legato_vmc_destroy(vmc));
    }
    HOLDS(runs > 10);
    for (int power = -300; power <= 300; power += 600) {
        for (int r = 0; r < 26; ++r) scaled[r] = ldexp(phi[r], power);
        WORKS(legato_vmc_create_given(context, &params, 26, scaled, 1, &vmc));
        WORKS(legato_vmc_run(vmc, NULL, NULL));
        HOLDS(same_averages(vmc, whole));
        WORKS(legato_vmc_destroy(vmc));
    }
    WORKS(legato_vmc_destroy(whole));
}

/* ---- Stopping, saving, resuming ---- */

typedef struct watcher {
    legato_vmc* vmc;
    legato_vmc_optimiser* optimiser;
    int calls, stop_at;
    legato_progress last;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    w->last = *progress;
    if (w->vmc) {
        HOLDS(state_of(w->vmc).bins_done == progress->points_done);
        INVALID(legato_vmc_run(w->vmc, NULL, NULL), "vmc.run: ");
        INVALID(legato_vmc_advance(w->vmc, 1, NULL), "vmc.advance: ");
    }
    if (w->optimiser) INVALID(legato_vmc_optimiser_run(w->optimiser, NULL, NULL), "vmc.optimiser.run: ");
    return ++w->calls == w->stop_at;
}

static void resuming(void) {
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc *part = NULL, *resumed = NULL, *const whole = run_of(&params);
    legato_vmc_params of_file = defaults();
    watcher w;
    int64_t done = -1;
    double means[1];
    memset(&w, 0, sizeof w);
    WORKS(legato_vmc_create(context, &params, &part));
    INVALID(legato_vmc_bin_means(part, 0, 0, 0, NULL), "vmc.bin_means: no bin is finished yet");
    legato_vmc_averages averages;
    averages.struct_size = sizeof averages;
    INVALID(legato_vmc_result(part, &averages), "vmc.result: no bin is finished yet");
    INVALID(legato_vmc_advance(part, 0, &done), "vmc.advance.bins: 0 is not in 1..");
    WORKS(legato_vmc_advance(part, 2, &done));
    HOLDS(done == 2 && state_of(part).sweeps_done == 150);
    w.vmc = part;
    w.stop_at = 3;
    REFUSED(legato_vmc_run(part, watch, &w), LEGATO_CANCELLED, "vmc: stopped by the progress callback");
    HOLDS(w.calls == 3 && w.last.points_total == 10 && w.last.points_done == 5 && w.last.cycles_done == 4 * 150);
    HOLDS(averages_of(part).bins_done == 5);
    WORKS(legato_vmc_save(part, file));
    WORKS(legato_vmc_resume(context, file, &resumed));
    WORKS(legato_vmc_get_params(resumed, &of_file));
    HOLDS(memcmp(&of_file, &params, sizeof params) == 0);
    WORKS(legato_vmc_run(part, NULL, NULL));
    WORKS(legato_vmc_advance(resumed, INT64_MAX, &done));
    HOLDS(done == 10 && same_averages(whole, part) && same_averages(whole, resumed));
    WORKS(legato_vmc_bin_means(resumed, LEGATO_VMC_SPIN_SPIN, 3, 1, means));
    const legato_vmc_state a = state_of(whole), b = state_of(resumed);
    HOLDS(memcmp(&a, &b, sizeof a) == 0);
    WORKS(legato_vmc_destroy(part));
    WORKS(legato_vmc_destroy(resumed));
    INVALID(legato_vmc_save(whole, NULL), "vmc.save.path: a null pointer");
    INVALID(legato_vmc_save(whole, ""), "vmc.save.path: the path is empty");
    REFUSED(legato_vmc_save(whole, "no_such_folder/vmc.h5"), LEGATO_IO_ERROR, "");
    WORKS(legato_vmc_destroy(whole));
    INVALID(legato_vmc_resume(context, NULL, &resumed), "vmc.resume.path: a null pointer");
    INVALID(legato_vmc_resume(context, "", &resumed), "vmc.resume.path: the path is empty");
    INVALID(legato_vmc_resume(context, file, NULL), "vmc: a null pointer");
    REFUSED(legato_vmc_resume(context, "no_such_file.h5", &resumed), LEGATO_IO_ERROR, "");
    legato_vmc_optimiser* optimiser = NULL;
    REFUSED(legato_vmc_optimiser_resume(context, file, &optimiser), LEGATO_BAD_FILE, "state file ");
    HOLDS(resumed == NULL && optimiser == NULL);
    FILE* const stream = fopen(file, "wb");
    HOLDS(stream && fputs("nothing of ours", stream) > 0 && fclose(stream) == 0);
    REFUSED(legato_vmc_resume(context, file, &resumed), LEGATO_BAD_FILE, "");
    remove(file);
}

/* The same bits on any number of threads. */
static void threads(void) {
    legato_context_params one;
    legato_context *const two = context, *single = NULL;
    const legato_vmc_params params = tilted(5, 24);
    WORKS(legato_context_params_init(&one));
    one.backend = LEGATO_BACKEND_CPU;
    one.threads = 1;
    one.log_level = LEGATO_LOG_SILENT;
    legato_vmc* const a = run_of(&params);
    WORKS(legato_context_create(&one, &single));
    context = single;
    legato_vmc* const b = run_of(&params);
    int32_t backend = -1;
    const char* reason = NULL;
    WORKS(legato_context_backend(single, &backend, &reason));
    HOLDS(backend == LEGATO_BACKEND_CPU && strlen(reason) > 0);
    HOLDS(same_averages(a, b));
    WORKS(legato_vmc_destroy(b));
    context = two;
    WORKS(legato_context_destroy(single));
    WORKS(legato_vmc_destroy(a));
}

/* ---- The optimiser ---- */

static legato_vmc_optimiser_params few_steps(int steps) {
    legato_vmc_optimiser_params params;
    memset(&params, 0xa5, sizeof params);
    WORKS(legato_vmc_optimiser_params_init(&params));
    params.steps = steps;
    return params;
}

static legato_vmc_optimisation result_of(legato_vmc_optimiser* optimiser) {
    legato_vmc_optimisation out;
    memset(&out, 0, sizeof out);
    out.struct_size = sizeof out;
    WORKS(legato_vmc_optimiser_result(optimiser, &out));
    return out;
}

static legato_vmc_optimiser_step step_of(legato_vmc_optimiser* optimiser, int64_t index) {
    legato_vmc_optimiser_step step;
    memset(&step, 0, sizeof step);
    step.struct_size = sizeof step;
    WORKS(legato_vmc_optimiser_get_step(optimiser, index, &step));
    return step;
}

static void default_optimiser_params(void) {
    const legato_vmc_optimiser_params p = few_steps(40);
    HOLDS(p.struct_size == sizeof p && p.free[0] == 1 && p.free[1] == 1 && p.free[2] == 0 && p.free[3] == 0);
    HOLDS(p.quiet_steps == 3 && p.time == 0.2 && p.largest_move == 0.2 && p.shift == 1e-3 && p.significance == 2);
}

static void optimisation(void) {
    legato_vmc_params run = tilted(3, 8), of_file = defaults();
    legato_vmc_optimiser_params params = few_steps(3), steps_of_file = few_steps(1);
    legato_vmc_optimiser *optimiser = NULL, *resumed = NULL;
    int64_t done = -1;
    watcher w;
    memset(&w, 0, sizeof w);
    params.significance = 0;
    WORKS(legato_vmc_optimiser_create(context, &run, &params, &optimiser));
    legato_vmc_optimisation o = result_of(optimiser);
    HOLDS(o.status == LEGATO_VMC_OPTIMISER_WAITING && o.steps_done == 0 && o.parameters[0] == 1.5 && o.reserved == 0);
    legato_vmc_optimiser_step step;
    step.struct_size = sizeof step;
    INVALID(legato_vmc_optimiser_get_step(optimiser, 0, &step), "vmc.optimiser.get_step: no step is finished yet");
    INVALID(legato_vmc_optimiser_advance(optimiser, 0, NULL), "vmc.optimiser.advance.steps: 0 is not in 1..");
    WORKS(legato_vmc_optimiser_advance(optimiser, 1, &done));
    o = result_of(optimiser);
    HOLDS(done == 1 && o.status == LEGATO_VMC_OPTIMISER_RUNNING && o.steps_done == 1 && o.parameters[0] == 1.5);
    WORKS(legato_vmc_optimiser_save(optimiser, file));
    w.optimiser = optimiser;
    w.stop_at = 2;
    REFUSED(legato_vmc_optimiser_run(optimiser, watch, &w), LEGATO_CANCELLED, "vmc: stopped by the progress callback");
    HOLDS(w.last.points_total == 3 && w.last.points_done == 1 && w.last.cycles_done > 0);
    WORKS(legato_vmc_optimiser_run(optimiser, watch, &w));
    WORKS(legato_vmc_optimiser_resume(context, file, &resumed));
    WORKS(legato_vmc_optimiser_get_params(resumed, &of_file, &steps_of_file));
    HOLDS(of_file.length == 3 && of_file.gradients == 1 && memcmp(&steps_of_file, &params, sizeof params) == 0);
    WORKS(legato_vmc_optimiser_get_params(resumed, NULL, NULL));
    WORKS(legato_vmc_optimiser_advance(resumed, INT64_MAX, &done));
    o = result_of(optimiser);
    const legato_vmc_optimisation other = result_of(resumed);
    HOLDS(done == 3 && o.status == LEGATO_VMC_OPTIMISER_NOT_CONVERGED && memcmp(&o, &other, sizeof o) == 0);
    for (int64_t i = 0; i < 3; ++i) {
        const legato_vmc_optimiser_step a = step_of(optimiser, i), b = step_of(resumed, i);
        HOLDS(memcmp(&a, &b, sizeof a) == 0 && a.energy < -0.6 && a.energy > -0.7 && a.energy_error > 0);
        HOLDS(a.gradient_error[LEGATO_VMC_DELTA] > 0 && a.gradient_error[LEGATO_VMC_T_PRIME] == 0);
        HOLDS(i == 0 || a.parameters[LEGATO_VMC_DELTA] != step_of(optimiser, i - 1).parameters[LEGATO_VMC_DELTA]);
        HOLDS(a.parameters[LEGATO_VMC_T_PRIME] == 0 && a.gradient[LEGATO_VMC_T_DOUBLE_PRIME] == 0);
    }
    HOLDS(memcmp(step_of(optimiser, 2).parameters, o.parameters, sizeof o.parameters) == 0);
    INVALID(legato_vmc_optimiser_get_step(optimiser, 3, &step), "vmc.optimiser.index: 3 is not in 0..2");
    INVALID(legato_vmc_optimiser_get_step(optimiser, -1, &step), "vmc.optimiser.index: -1 is not in 0..2");
    INVALID(legato_vmc_optimiser_get_step(optimiser, 0, NULL), "vmc.optimiser.step: a null pointer");
    INVALID(legato_vmc_optimiser_result(optimiser, NULL), "vmc.optimisation: a null pointer");
    INVALID(legato_vmc_optimiser_save(optimiser, NULL), "vmc.optimiser.save.path: a null pointer");
    INVALID(legato_vmc_optimiser_save(optimiser, ""), "vmc.optimiser.save.path: the path is empty");
    WORKS(legato_vmc_optimiser_destroy(resumed));
    INVALID(legato_vmc_optimiser_resume(context, NULL, &resumed), "vmc.optimiser.resume.path: a null pointer");
    HOLDS(resumed == NULL);
    WORKS(legato_vmc_optimiser_destroy(optimiser));
    legato_vmc* vmc = NULL;
    REFUSED(legato_vmc_resume(context, file, &vmc), LEGATO_BAD_FILE, "state file ");
    remove(file);
    REFUSED(legato_vmc_optimiser_resume(context, file, &resumed), LEGATO_IO_ERROR, "");
}

/* At mu = 0 the state of ten sites does not depend on mu in first order, and there is nothing to survey. */
static void convergence(void) {
    const legato_vmc_params run = tilted(3, 8);
    legato_vmc_optimiser_params params = few_steps(10);
    legato_vmc_optimiser* optimiser = NULL;
    params.free[LEGATO_VMC_DELTA] = 0;
    params.quiet_steps = 2;
    WORKS(legato_vmc_optimiser_create(context, &run, &params, &optimiser));
    WORKS(legato_vmc_optimiser_run(optimiser, NULL, NULL));
    const legato_vmc_optimisation o = result_of(optimiser);
    HOLDS(o.status == LEGATO_VMC_OPTIMISER_CONVERGED && o.steps_done == 2);
    HOLDS(memcmp(o.parameters, step_of(optimiser, 0).parameters, sizeof o.parameters) == 0);
    WORKS(legato_vmc_optimiser_run(optimiser, NULL, NULL));
    HOLDS(result_of(optimiser).steps_done == 2);
    WORKS(legato_vmc_optimiser_destroy(optimiser));
}

/* ---- What is refused when something is made ---- */

static void refused_params(void) {
#define AT(member) offsetof(legato_vmc_params, member)
    static const bad_member bad[] = {
        {AT(struct_size), 'l', 8, "vmc.params.struct_size: 8 is not in "},
        {AT(cluster), 'i', 2, "vmc.params.cluster: 2 is not in 0..1"},
        {AT(cluster), 'i', -1, "vmc.params.cluster: -1 is not in 0..1"},
        {AT(length), 'i', 1, "vmc.params.length: 1 is not in 3..63"},
        {AT(length), 'i', 65, "vmc.params.length: 65 is not in 3..63"},
        {AT(length), 'i', 6, "vmc.params.length: 6 is even"},
        {AT(length), 'i', -2147483648.0, "vmc.params.length: -2147483648 is not in 3..63"},
        {AT(electrons), 'i', 0, "vmc.params.electrons: 0 is not in 2..26"},
        {AT(electrons), 'i', 27, "vmc.params.electrons: 27 is not in 2..26"},
        {AT(electrons), 'i', 28, "vmc.params.electrons: 28 is not in 2..26"},
        {AT(electrons), 'i', 23, "vmc.params.electrons: 23 is odd"},
        {AT(electrons), 'i', -24, "vmc.params.electrons: -24 is not in 2..26"},
        {AT(gap), 'i', 2, "vmc.params.gap: 2 is not in 0..1"},
        {AT(t), 'd', 1e7, "vmc.params.t: 10000000 is not in [-1000000, 1000000]"},
        {AT(t), 'd', (double)NAN, "vmc.params.t: "},
        {AT(t_prime), 'd', (double)INFINITY, "vmc.params.t_prime: inf is not in"},
        {AT(t_double_prime), 'd', -2e6, "vmc.params.t_double_prime: -2000000 is not in"},
        {AT(j), 'd', (double)NAN, "vmc.params.j: "},
        {AT(variational_t), 'd', 1e300, "vmc.params.variational_t: 1e+300 is not in"},
        {AT(variational_t_prime), 'd', (double)-INFINITY, "vmc.params.variational_t_prime: -inf is not in"},
        {AT(variational_t_double_prime), 'd', (double)NAN, "vmc.params.variational_t_double_prime: "},
        {AT(delta), 'd', (double)NAN, "vmc.params.delta: "},
        {AT(delta), 'd', 1e7, "vmc.params.delta: 10000000 is not in"},
        {AT(mu), 'd', -1e7, "vmc.params.mu: -10000000 is not in"},
        {AT(mu), 'd', -4, "vmc.params.mu: -4 makes xi_k and Delta_k zero"},
        {AT(chains), 'i', 0, "vmc.params.chains: 0 is not in 1..1048576"},
        {AT(chains), 'i', 1048577, "vmc.params.chains: 1048577 is not in 1..1048576"},
        {AT(sweep_factor), 'i', 0, "vmc.params.sweep_factor: 0 is not in 1..100"},
        {AT(sweep_factor), 'i', 101, "vmc.params.sweep_factor: 101 is not in 1..100"},
        {AT(warm_up), 'l', -1, "vmc.params.warm_up: -1 is not in 0..1099511627776"},
        {AT(warm_up), 'l', 1e19, "vmc.params.warm_up: 9223372036854775807 is not in"},
        {AT(bins), 'l', 0, "vmc.params.bins: 0 is not in 1..1048576"},
        {AT(bins), 'l', 1048577, "vmc.params.bins: 1048577 is not in 1..1048576"},
        {AT(sweeps_per_bin), 'l', 0, "vmc.params.sweeps_per_bin: 0 is not in 1.."},
        {AT(sweeps_per_bin), 'l', 1099511627776.0, "vmc.params.sweeps_per_bin: 1099511627776 is not in 1.."},
        {AT(neighbour_share), 'd', 1.01, "vmc.params.neighbour_share: 1.01 is not in [0, 1]"},
        {AT(neighbour_share), 'd', (double)NAN, "vmc.params.neighbour_share: "},
        {AT(recompute_interval), 'i', 0, "vmc.params.recompute_interval: 0 is not in 1..1000000"},
        {AT(drift_bound), 'd', 0, "vmc.params.drift_bound: 0 is not in [1e-14, 1]"},
        {AT(drift_bound), 'd', 2, "vmc.params.drift_bound: 2 is not in [1e-14, 1]"},
        {AT(start_attempts), 'i', 0, "vmc.params.start_attempts: 0 is not in 1..1073741824"},
        {AT(least_reciprocal_condition), 'd', -1, "vmc.params.least_reciprocal_condition: -1 is not in [0, 1]"},
        {AT(correlations), 'i', 2, "vmc.params.correlations: 2 is not in 0..1"},
        {AT(gradients), 'i', -1, "vmc.params.gradients: -1 is not in 0..1"},
    };
#undef AT
    legato_vmc* vmc = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_vmc_params params = tilted(5, 24);
        set_member(&params, &bad[i]);
        INVALID(legato_vmc_create(context, &params, &vmc), bad[i].words);
        HOLDS(vmc == NULL);
    }
    legato_vmc_params params = tilted(3, 8);
    params.least_reciprocal_condition = 1;
    params.start_attempts = 5;
    REFUSED(legato_vmc_create(context, &params, &vmc), LEGATO_NUMERICAL_ERROR,
            "vmc.params.start_attempts: none of 5 configurations of chain ");
    params = tilted(63, 3970);
    params.chains = 1048576;
    REFUSED(legato_vmc_create(context, &params, &vmc), LEGATO_OUT_OF_MEMORY, "vmc.params.chains: 1048576 chains need ");
    params = tilted(5, 24);
    params.delta = 0;
    params.gradients = 1;
    INVALID(legato_vmc_create(context, &params, &vmc), "vmc.params.gradients: 1 needs a pair function of parameters");
    params.gradients = 0;
    params.electrons = 2; /* an open shell: more infinite amplitudes than pairs */
    params.delta = 0;
    params.mu = 1;
    INVALID(legato_vmc_create(context, &params, &vmc), "vmc.params.electrons: 2 are 1 pairs, but ");
    INVALID(legato_vmc_create(context, NULL, NULL), "vmc: a null pointer");
    HOLDS(legato_vmc_create(NULL, NULL, &vmc) == LEGATO_INVALID_ARGUMENT && vmc == NULL);
}

static void refused_optimisers(void) {
#define AT(member) offsetof(legato_vmc_optimiser_params, member)
    static const bad_member bad[] = {
        {AT(struct_size), 'l', 63, "vmc.optimiser.params.struct_size: 63 is not in 64..4096"},
        {AT(free), 'i', 2, "vmc.optimiser.free[0]: 2 is not in 0..1"},
        {AT(free) + 12, 'i', -1, "vmc.optimiser.free[3]: -1 is not in 0..1"},
        {AT(steps), 'i', 0, "vmc.optimiser.steps: 0 is not in 1..1000000"},
        {AT(steps), 'i', 1000001, "vmc.optimiser.steps: 1000001 is not in 1..1000000"},
        {AT(quiet_steps), 'i', 0, "vmc.optimiser.quiet_steps: 0 is not in 1..1000"},
        {AT(time), 'd', 0, "vmc.optimiser.time: 0 is not in ["},
        {AT(time), 'd', (double)NAN, "vmc.optimiser.time: "},
        {AT(largest_move), 'd', -1, "vmc.optimiser.largest_move: -1 is not in ["},
        {AT(shift), 'd', -1e-3, "vmc.optimiser.shift: -0.001 is not in [0, 1000]"},
        {AT(significance), 'd', 101, "vmc.optimiser.significance: 101 is not in [0, 100]"},
        {AT(significance), 'd', (double)INFINITY, "vmc.optimiser.significance: inf is not in"},
    };
#undef AT
    legato_vmc_optimiser* optimiser = NULL;
    legato_vmc_params run = tilted(3, 8);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_vmc_optimiser_params params = few_steps(3);
        set_member(&params, &bad[i]);
        INVALID(legato_vmc_optimiser_create(context, &run, &params, &optimiser), bad[i].words);
        HOLDS(optimiser == NULL);
    }
    legato_vmc_optimiser_params params = few_steps(3);
    params.free[0] = params.free[1] = 0;
    INVALID(legato_vmc_optimiser_create(context, &run, &params, &optimiser), "vmc.optimiser.free: 0 is not in 1..4");
    run.delta = 0;
    INVALID(legato_vmc_optimiser_create(context, &run, NULL, &optimiser), "vmc.params.gradients: 1 needs a pair");
    run.electrons = 7;
    INVALID(legato_vmc_optimiser_create(context, &run, NULL, &optimiser), "vmc.params.electrons: 7 is odd");
    INVALID(legato_vmc_optimiser_create(context, NULL, NULL, NULL), "vmc.optimiser: a null pointer");
    HOLDS(legato_vmc_optimiser_create(NULL, NULL, NULL, &optimiser) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_vmc_optimiser_run(NULL, NULL, NULL) == LEGATO_INVALID_ARGUMENT);
    WORKS(legato_vmc_optimiser_destroy(NULL));
    WORKS(legato_vmc_optimiser_create(context, NULL, NULL, &optimiser));
    WORKS(legato_vmc_optimiser_destroy(optimiser));
}

static void refused_results(void) {
    const legato_vmc_params params = tilted(3, 8);
    legato_vmc* const vmc = run_of(&params);
    legato_vmc_state state;
    legato_vmc_averages averages;
    state.struct_size = sizeof state - 1;
    averages.struct_size = 0;
    INVALID(legato_vmc_get_state(vmc, &state), "vmc.state.struct_size: ");
    INVALID(legato_vmc_result(vmc, &averages), "vmc.averages.struct_size: 0 is not in ");
    INVALID(legato_vmc_get_state(vmc, NULL), "vmc.state: a null pointer");
    INVALID(legato_vmc_result(vmc, NULL), "vmc.averages: a null pointer");
    INVALID(legato_vmc_get_params(vmc, NULL), "vmc.params: a null pointer");
    WORKS(legato_vmc_destroy(vmc));
    WORKS(legato_vmc_destroy(NULL));
    HOLDS(legato_vmc_run(NULL, NULL, NULL) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_vmc_result(NULL, &averages) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_vmc_params_init_sized(NULL, sizeof params) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_vmc_optimiser_params_init_sized(NULL, 64) == LEGATO_INVALID_ARGUMENT);
}

/* A handle outlives its context. */
static void without_its_context(void) {
    const legato_vmc_params params = tilted(3, 8);
    legato_vmc* vmc = NULL;
    legato_vmc_averages averages;
    WORKS(legato_vmc_create(context, &params, &vmc));
    WORKS(legato_context_destroy(context));
    HOLDS(legato_vmc_run(vmc, NULL, NULL) == LEGATO_SUCCESS);
    context = NULL;
    averages.struct_size = sizeof averages;
    HOLDS(legato_vmc_result(vmc, &averages) == LEGATO_SUCCESS && averages.energy < 0);
    WORKS(legato_vmc_destroy(vmc));
}

int main(void) {
    legato_context_params params;
    WORKS(legato_context_params_init(&params));
    params.backend = LEGATO_BACKEND_CPU;
    params.threads = 2;
    params.log_level = LEGATO_LOG_SILENT;
    WORKS(legato_context_create(&params, &context));
    default_params();
    tilted_clusters();
    rectangular_clusters();
    pair_functions();
    known_energies();
    traces();
    correlations();
    gradients();
    one_bin();
    given_pair_functions();
    extreme_pair_functions();
    resuming();
    threads();
    default_optimiser_params();
    optimisation();
    convergence();
    refused_params();
    refused_optimisers();
    refused_results();
    without_its_context();
    printf("vmc_client: %d checks, %d failed\n", cases, failures);
    return failures > 0;
}
