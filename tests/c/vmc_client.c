/* Tests variational Monte Carlo as a program uses it, in C99 and in C++: lattices, pair functions, known energies,
 * all other results, saving and resuming. */
#include <stdlib.h>

#include "vmc_runs.h"

static const char file[] = "vmc_client.h5";

static int same_averages(legato_vmc* a, legato_vmc* b) {
    const legato_vmc_averages of_a = averages_of(a), of_b = averages_of(b);
    return memcmp(&of_a, &of_b, sizeof of_a) == 0;
}

/* ---- What follows from parameters alone ---- */

static void default_params(void) {
    const legato_vmc_params p = defaults();
    CHECK(p.struct_size == sizeof p && p.cluster == LEGATO_VMC_CLUSTER_TILTED && p.length == 9 && p.electrons == 74);
    CHECK(p.extents[0] == 8 && p.extents[1] == 8 && p.boundary[0] == 0 &&
          p.boundary[1] == LEGATO_VMC_BOUNDARY_PERIODIC);
    CHECK(p.gap == LEGATO_VMC_GAP_A && p.t == 1 && p.t_prime == 0 && p.t_double_prime == 0 && p.j == 0.3);
    CHECK(p.variational_t == 1 && p.variational_t_prime == 0 && p.variational_t_double_prime == 0);
    CHECK(p.delta == 1.5 && p.mu == 0 && p.chains == 16 && p.sweep_factor == 1 && p.thermalisation == 200 &&
          p.bins == 20);
    CHECK(p.sweeps_per_bin == 100 && p.neighbour_share == 0.5 && p.recompute_interval == 20);
    CHECK(p.start_attempts == 1000 && p.drift_bound == 1e-6 && p.least_reciprocal_condition == 1e-12);
    CHECK(p.seed == 1 && p.correlations == 0 && p.pair_correlations == 0 && p.gradients == 0);
    for (int a = 0; a < 4; ++a) CHECK(p.gradients_by[a] == 1);
    CHECK(p.reserved == 0);
}

static void tilted_clusters(void) {
    enum { length = 5, sites = 26 };
    const legato_vmc_params params = tilted(length, 24);
    int32_t all = -1, electrons = -1, positions[2 * sites], neighbours[4 * sites];
    double signs[4 * sites];
    CHECK_SUCCESS(legato_vmc_sites(context, &params, &all));
    CHECK(all == sites);
    CHECK_SUCCESS(legato_vmc_sites(context, NULL, &all));
    CHECK(all == 82);
    CHECK_SUCCESS(legato_vmc_electrons_at(context, &params, 0.1, &electrons));
    CHECK(electrons == 24);
    CHECK_SUCCESS(legato_vmc_electrons_at(context, NULL, 0.1, &electrons));
    CHECK(electrons == 74);
    CHECK_SUCCESS(legato_vmc_electrons_at(context, NULL, 0, &electrons));
    CHECK(electrons == 82);
    CHECK_SUCCESS(legato_vmc_positions(context, &params, sites, positions));
    for (int s = 0; s < sites; ++s) {
        const int x = positions[2 * s], y = positions[2 * s + 1];
        CHECK((x - length * y - s) % sites == 0 && x * x + y * y <= 13);
    }
    for (int shell = 1; shell <= 3; ++shell) {
        static const int steps[3][2] = {{1, 0}, {1, 1}, {2, 0}};
        CHECK_SUCCESS(legato_vmc_neighbours(context, &params, shell, sites, neighbours, signs));
        for (int s = 0; s < sites; ++s) {
            const int first = neighbours[4 * s], third = neighbours[4 * s + 2];
            CHECK(first == (s + steps[shell - 1][0] - length * steps[shell - 1][1] + sites) % sites);
            CHECK((first + third - 2 * s) % sites == 0 && signs[4 * s] == 1 && signs[4 * s + 3] == 1);
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
    CHECK(legato_vmc_sites(NULL, &params, &all) == LEGATO_STATUS_INVALID_ARGUMENT);
}

static void rectangular_clusters(void) {
    enum { x_sites = 4, sites = 20 };
    legato_vmc_params params = defaults();
    int32_t positions[2 * sites], neighbours[4 * sites];
    double signs[4 * sites];
    params.cluster = LEGATO_VMC_CLUSTER_RECTANGULAR;
    params.extents[0] = x_sites;
    params.extents[1] = 5;
    params.boundary[1] = LEGATO_VMC_BOUNDARY_ANTIPERIODIC;
    CHECK_SUCCESS(legato_vmc_positions(context, &params, sites, positions));
    for (int s = 0; s < sites; ++s) CHECK(positions[2 * s] == s % x_sites && positions[2 * s + 1] == s / x_sites);
    CHECK_SUCCESS(legato_vmc_neighbours(context, &params, 1, sites, neighbours, NULL));
    CHECK_SUCCESS(legato_vmc_neighbours(context, &params, 1, sites, neighbours, signs));
    for (int s = 0; s < sites; ++s) {
        CHECK(neighbours[4 * s + 1] == (s + x_sites) % sites && signs[4 * s + 1] == (s + x_sites < sites ? 1 : -1));
        CHECK(signs[4 * s] == 1 && signs[4 * s + 3] == (s < x_sites ? -1 : 1));
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

/* Compares pair functions with those of an independent program. */
static void pair_functions(void) {
    enum { length = 5, sites = 26 };
    legato_vmc_params params = tilted(length, 24);
    double phi[sites], again[sites];
    int32_t borders = -1;
    legato_vmc* vmc = NULL;
    CHECK_SUCCESS(legato_vmc_pair_function(context, &params, sites, phi, &borders));
    CHECK(borders == 1 && fabs(phi[1] - 1.100372230540) < 1e-11 && fabs(phi[2] - 1.846153846154) < 1e-11);
    CHECK(fabs(phi[1 - length + sites] + 0.615384615385) < 1e-11); /* (1,1) */
    CHECK(fabs(phi[2 - length + sites] - 0.992452087320) < 1e-11); /* (2,1) */
    CHECK(fabs(phi[0]) < 1e-14 && fabs(phi[1] + phi[length]) < 1e-12);
    CHECK_SUCCESS(legato_vmc_pair_function(context, &params, sites, NULL, NULL));
    params.gap = LEGATO_VMC_GAP_B;
    params.delta = 0.75;
    CHECK_SUCCESS(legato_vmc_pair_function(context, &params, sites, again, NULL));
    CHECK(memcmp(phi, again, sizeof phi) == 0);
    CHECK_SUCCESS(legato_vmc_create(context, &params, &vmc));
    memset(again, 0, sizeof again);
    CHECK_SUCCESS(legato_vmc_get_pair_function(vmc, sites, again, &borders));
    CHECK(memcmp(phi, again, sizeof phi) == 0 && borders == 1 && state_of(vmc).borders == 1);
    INVALID(legato_vmc_get_pair_function(vmc, 10, again, &borders), "vmc.n_sites: 10 is not in 26..26");
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
    INVALID(legato_vmc_pair_function(context, &params, 82, phi, NULL), "vmc.n_sites: 82 is not in 26..26");
    params.mu = -4; /* xi_k = Delta_k = 0 at k = 0 */
    INVALID(legato_vmc_pair_function(context, &params, sites, phi, NULL),
            "vmc.params.mu: -4 makes xi_k and Delta_k zero at k = (0, 0)");
    params.mu = (double)INFINITY;
    INVALID(legato_vmc_pair_function(context, &params, sites, phi, NULL), "vmc.params.mu: inf is not in");
}

/* ---- Runs ---- */

/* Compares with exact sums over all configurations, from an independent program. */
static void known_energies(void) {
    legato_vmc_params params = tilted(3, 8);
    params.bins = 20;
    params.sweeps_per_bin = 200;
    legato_vmc* vmc = run_of(&params);
    legato_vmc_averages a = averages_of(vmc);
    legato_vmc_state s = state_of(vmc);
    CHECK(a.bins_done == 20 && within(a.energy, a.energy_error, -0.632746826903, 0.003));
    CHECK(within(a.kinetic, a.kinetic_error, -0.436233654424, 0.004));
    CHECK(within(a.exchange, a.exchange_error, -0.196513172479, 0.0012));
    CHECK(within(a.spin_spin, a.spin_spin_error, -0.170986233028, 0.002));
    CHECK(within(a.kinetic_up - a.kinetic_down, a.kinetic_up_error + a.kinetic_down_error, 0, 0.005));
    CHECK(fabs(a.kinetic_up + a.kinetic_down - a.kinetic) < 1e-12 && fabs(a.kinetic + a.exchange - a.energy) < 1e-12);
    CHECK(fabs(0.3 * 2 * (a.spin_spin - a.density_density / 4) - a.exchange) < 1e-12 && a.density_density_error > 0);
    CHECK(a.variance > 0 && a.variance_error > 0 && a.autocorrelation_sweeps > 0.2 && a.autocorrelation_sweeps < 3);
    CHECK(a.bins_are_short == 0 && a.chains_differ == 0);
    CHECK(s.backend == LEGATO_BACKEND_CPU && s.sites == 10 && s.chains == 4 && s.bins == 20 && s.bins_done == 20);
    CHECK(s.sweeps_done == 50 + 20 * 200 && s.recompute_interval >= 1 && s.recompute_interval <= 20);
    CHECK(s.largest_drift > 0 && s.largest_drift < 1e-3);
    CHECK(s.attempts[0] + s.attempts[1] == s.sweeps_done * 4 * 8);
    for (int i = LEGATO_VMC_PROPOSAL_ANY_SITE; i <= LEGATO_VMC_PROPOSAL_NEIGHBOUR; ++i) {
        CHECK(s.nulls[i] + s.hops[i] + s.exchanges[i] == s.attempts[i]);
        CHECK(fabs(s.null_rate[i] - (double)s.nulls[i] / (double)s.attempts[i]) < 1e-15);
        CHECK(fabs(s.hop_rate[i] - (double)s.hops_accepted[i] / (double)s.hops[i]) < 1e-15);
        CHECK(fabs(s.exchange_rate[i] - (double)s.exchanges_accepted[i] / (double)s.exchanges[i]) < 1e-15);
        CHECK(s.hop_rate[i] > 0 && s.hop_rate[i] < 1 && s.exchange_rate[i] > 0 && s.exchange_rate[i] < 1);
    }
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
    params.electrons = 10; /* half filling: no hops */
    vmc = run_of(&params);
    a = averages_of(vmc);
    s = state_of(vmc);
    CHECK(within(a.energy, a.energy_error, -0.351689472877, 0.001) && a.kinetic == 0 && a.kinetic_error == 0);
    CHECK(s.hops[0] == 0 && s.hops[1] == 0 && s.hop_rate[0] == 0 && s.hop_rate[1] == 0);
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

static void traces(void) {
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc* const vmc = run_of(&params);
    double means[10], first[3], sum = 0, squares = 0, of_means = 0;
    int32_t up[12], down[12];
    for (int chain = 0; chain < 4; ++chain) {
        CHECK_SUCCESS(legato_vmc_bin_means(vmc, LEGATO_VMC_OBSERVABLE_ENERGY, chain, 10, means));
        for (int i = 0; i < 10; ++i) {
            sum += means[i] / 40;
            of_means += means[i] * means[i] / 40;
        }
        CHECK_SUCCESS(legato_vmc_bin_means(vmc, LEGATO_VMC_OBSERVABLE_ENERGY, chain, 3, first));
        CHECK(memcmp(first, means, sizeof first) == 0);
        CHECK_SUCCESS(legato_vmc_bin_means(vmc, LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED, chain, 10, means));
        for (int i = 0; i < 10; ++i) squares += means[i] / 40;
    }
    const legato_vmc_averages a = averages_of(vmc);
    CHECK(fabs(sum - a.energy) < 1e-13);
    /* The variance of the mean is added, because the square of the mean is too large by it. */
    CHECK(fabs(squares - sum * sum + (of_means - sum * sum) / 39 - a.variance) < 1e-12);
    for (int chain = 0; chain < 4; ++chain) {
        int taken[26] = {0};
        CHECK_SUCCESS(legato_vmc_electron_sites(vmc, chain, 12, up, down));
        for (int i = 0; i < 12; ++i) {
            CHECK(up[i] >= 0 && up[i] < 26 && down[i] >= 0 && down[i] < 26);
            ++taken[up[i]];
            ++taken[down[i]];
        }
        for (int s = 0; s < 26; ++s) CHECK(taken[s] <= 1);
    }
    CHECK_SUCCESS(legato_vmc_bin_means(vmc, LEGATO_VMC_OBSERVABLE_ENERGY, 0, 0, NULL));
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
    INVALID(legato_vmc_pair_correlations(vmc, 26, NULL, NULL), "vmc.params.pair_correlations: 0; the run");
    INVALID(legato_vmc_gradient(vmc, 4, NULL, NULL, NULL), "vmc.params.gradients: 0; the run");
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

static void correlations(void) {
    enum { sites = 26 };
    legato_vmc_params params = tilted(5, 24);
    double q[2 * sites], spin[sites], spin_error[sites], charge[sites], charge_error[sites];
    double spin_sum = 0, charge_sum = 0, largest = 0;
    params.correlations = 1;
    legato_vmc* const vmc = run_of(&params);
    CHECK_SUCCESS(legato_vmc_structure_factors(vmc, sites, q, spin, spin_error, charge, charge_error));
    for (int k = 0; k < sites; ++k) {
        spin_sum += spin[k] / (double)sites;
        charge_sum += charge[k] / (double)sites;
        largest = fmax(largest, spin[k]);
        CHECK(q[2 * k] >= 0 && q[2 * k] < 6.2832 && q[2 * k + 1] >= 0 && q[2 * k + 1] < 6.2832);
        CHECK(spin[k] > -1e-12 && charge[k] > -1e-12 && spin_error[k] >= 0 && charge_error[k] >= 0);
    }
    CHECK(fabs(spin_sum - 24.0 / 26 / 4) < 1e-12); /* the value of <S^z S^z> of a site */
    CHECK(fabs(charge_sum - 24.0 / 26 * (1 - 24.0 / 26)) < 1e-12);
    CHECK(fabs(spin[0]) < 1e-12 && fabs(charge[0]) < 1e-12);
    CHECK(fabs(q[2 * 13] - acos(-1.0)) < 1e-12 && spin[13] == largest); /* (pi, pi) */
    CHECK_SUCCESS(legato_vmc_structure_factors(vmc, sites, NULL, NULL, NULL, NULL, NULL));
    INVALID(legato_vmc_structure_factors(vmc, 25, q, spin, NULL, NULL, NULL), "vmc.n_sites: 25 is not in 26..26");
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

/* The correlation on one bond must agree with the local energy. F_ab(r) must be F_ba(-r) within errors. If the
 * cluster has quarter turns, F_xx must be F_yy at the rotated site. */
static void pair_correlations_of(legato_vmc_params params, int quarter_turns) {
    enum { most = 26 };
    int32_t sites = 0, positions[2 * most];
    double f[4 * most], error[4 * most], again[4 * most];
    legato_vmc* resumed = NULL;
    params.pair_correlations = 1;
    CHECK_SUCCESS(legato_vmc_sites(context, &params, &sites));
    CHECK_SUCCESS(legato_vmc_positions(context, &params, sites, positions));
    legato_vmc* const vmc = run_of(&params);
    CHECK_SUCCESS(legato_vmc_pair_correlations(vmc, sites, f, error));
    const legato_vmc_averages a = averages_of(vmc);
    const double on_a_bond = (a.density_density / 4 - a.spin_spin) / 2;
    CHECK(fabs((f[0] + f[3 * sites]) / 2 - on_a_bond) < 1e-10 && on_a_bond > 0.1);
    for (int i = 0; i < 4 * sites; ++i) CHECK(error[i] > 0 && fabs(f[i]) <= f[0] * 1.2);
    for (int r = 0; r < sites; ++r) {
        const int x = positions[2 * r], y = positions[2 * r + 1], lx = params.extents[0], ly = params.extents[1];
        const int back =
            params.cluster == LEGATO_VMC_CLUSTER_TILTED ? (sites - r) % sites : (lx - x) % lx + lx * ((ly - y) % ly);
        for (int ab = 0; ab < 4; ++ab) {
            const int i = ab * sites + r, j = (ab == 1 ? 2 : ab == 2 ? 1 : ab) * sites + back;
            CHECK(fabs(f[i] - f[j]) <= 5 * (error[i] + error[j]));
        }
        if (quarter_turns) { /* site r goes to - L r, x to y, and y to -x, a bond that begins at site -1 */
            const int turned = 2 * sites - params.length * r % sites;
            const int xx = r, yy = 3 * sites + turned % sites, xy = sites + r, yx = 2 * sites + (turned - 1) % sites;
            CHECK(fabs(f[xx] - f[yy]) <= 5 * (error[xx] + error[yy]));
            CHECK(fabs(f[xy] - f[yx]) <= 5 * (error[xy] + error[yx]));
        }
    }
    CHECK_SUCCESS(legato_vmc_save(vmc, file));
    CHECK_SUCCESS(legato_vmc_resume(context, file, &resumed));
    remove(file);
    CHECK_SUCCESS(legato_vmc_pair_correlations(resumed, sites, again, NULL));
    CHECK(memcmp(f, again, (size_t)(4 * sites) * sizeof *f) == 0);
    CHECK_SUCCESS(legato_vmc_destroy(resumed));
    memset(again, 0, sizeof again);
    CHECK_SUCCESS(legato_vmc_pair_correlations(vmc, sites, NULL, again));
    CHECK(memcmp(error, again, (size_t)(4 * sites) * sizeof *f) == 0);
    CHECK_SUCCESS(legato_vmc_pair_correlations(vmc, sites, NULL, NULL));
    INVALID(legato_vmc_pair_correlations(vmc, sites - 1, f, error), "vmc.n_sites: ");
    INVALID(legato_vmc_pair_correlations(vmc, 4 * sites, f, error), "vmc.n_sites: ");
    INVALID(legato_vmc_pair_correlations(vmc, 0, NULL, NULL), "vmc.n_sites: 0 is not in ");
    INVALID(legato_vmc_pair_correlations(vmc, INT32_MIN, f, error), "vmc.n_sites: -2147483648 is not in ");
    CHECK(legato_vmc_pair_correlations(NULL, sites, f, error) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

static void pair_correlations(void) {
    legato_vmc_params params = tilted(5, 24);
    pair_correlations_of(params, 1);
    params.correlations = 1;
    params.cluster = LEGATO_VMC_CLUSTER_RECTANGULAR;
    params.extents[0] = 4;
    params.extents[1] = 5;
    params.boundary[0] = LEGATO_VMC_BOUNDARY_ANTIPERIODIC;
    params.electrons = 18;
    pair_correlations_of(params, 0);
}

static void gradients(void) {
    legato_vmc_params params = tilted(5, 24);
    double gradient[4], error[4], metric[16], part[2], part_metric[4];
    params.gradients = 1;
    params.mu = -0.1;
    legato_vmc* const vmc = run_of(&params);
    CHECK_SUCCESS(legato_vmc_gradient(vmc, 4, gradient, error, metric));
    CHECK_SUCCESS(legato_vmc_gradient(vmc, 2, part, NULL, part_metric));
    CHECK(part[0] == gradient[LEGATO_VMC_PARAMETER_DELTA] && part[1] == gradient[LEGATO_VMC_PARAMETER_MU]);
    for (int a = 0; a < 4; ++a) {
        CHECK(error[a] > 0 && metric[5 * a] > 0);
        for (int b = 0; b < 4; ++b) CHECK(metric[4 * a + b] == metric[4 * b + a]);
        for (int b = 0; b < 2 && a < 2; ++b) CHECK(part_metric[2 * a + b] == metric[4 * a + b]);
    }
    CHECK_SUCCESS(legato_vmc_gradient(vmc, 0, gradient, error, metric));
    INVALID(legato_vmc_gradient(vmc, 5, gradient, error, metric), "vmc.gradient.n: 5 is not in 0..4");
    INVALID(legato_vmc_gradient(vmc, -1, gradient, error, metric), "vmc.gradient.n: -1 is not in 0..4");
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

/* Gradients for some parameters must be those for all parameters; they are 0 for the others. A run with gradients
 * for none of them works, too. */
static void gradients_by_some(void) {
    legato_vmc_params params = tilted(5, 24), of_file = defaults();
    double whole[4], error[4], metric[16], part[4], part_error[4], part_metric[16];
    legato_vmc* resumed = NULL;
    params.gradients = 1;
    params.mu = -0.1;
    legato_vmc* const of_all = run_of(&params);
    CHECK_SUCCESS(legato_vmc_gradient(of_all, 4, whole, error, metric));
    params.gradients_by[LEGATO_VMC_PARAMETER_DELTA] = params.gradients_by[LEGATO_VMC_PARAMETER_T_PRIME] = 0;
    legato_vmc* const of_some = run_of(&params);
    CHECK(same_averages(of_all, of_some));
    CHECK_SUCCESS(legato_vmc_gradient(of_some, 4, part, part_error, part_metric));
    for (int a = 0; a < 4; ++a) {
        const int wanted = params.gradients_by[a];
        CHECK(fabs(part[a] - wanted * whole[a]) < 1e-12 && fabs(part_error[a] - wanted * error[a]) < 1e-12);
        for (int b = 0; b < 4; ++b) {
            const double expected = wanted * params.gradients_by[b] * metric[4 * a + b];
            CHECK(fabs(part_metric[4 * a + b] - expected) < 1e-10);
        }
    }
    CHECK_SUCCESS(legato_vmc_save(of_some, file));
    CHECK_SUCCESS(legato_vmc_resume(context, file, &resumed));
    remove(file);
    CHECK_SUCCESS(legato_vmc_get_params(resumed, &of_file));
    CHECK(memcmp(&of_file, &params, sizeof params) == 0);
    CHECK_SUCCESS(legato_vmc_gradient(resumed, 4, whole, NULL, NULL));
    CHECK(memcmp(whole, part, sizeof part) == 0);
    CHECK_SUCCESS(legato_vmc_destroy(resumed));
    memset(params.gradients_by, 0, sizeof params.gradients_by);
    legato_vmc* const of_none = run_of(&params);
    CHECK(same_averages(of_all, of_none));
    CHECK_SUCCESS(legato_vmc_gradient(of_none, 4, part, part_error, part_metric));
    for (int a = 0; a < 16; ++a) CHECK(part[a / 4] == 0 && part_error[a / 4] == 0 && part_metric[a] == 0);
    CHECK_SUCCESS(legato_vmc_destroy(of_none));
    CHECK_SUCCESS(legato_vmc_destroy(of_some));
    CHECK_SUCCESS(legato_vmc_destroy(of_all));
}

/* One bin of one chain has means, and unknown errors. */
static void one_bin(void) {
    legato_vmc_params params = tilted(3, 8);
    double gradient[4], error[4], spin[10], spin_error[10], f[40], f_error[40];
    legato_vmc* vmc = NULL;
    params.chains = 1;
    params.thermalisation = 0;
    params.bins = params.sweeps_per_bin = 1;
    params.correlations = params.gradients = params.pair_correlations = 1;
    CHECK_SUCCESS(legato_vmc_create(context, &params, &vmc));
    INVALID(legato_vmc_gradient(vmc, 4, gradient, error, NULL), "vmc.gradient: no bin is finished yet");
    INVALID(legato_vmc_structure_factors(vmc, 10, NULL, spin, NULL, NULL, NULL),
            "vmc.structure_factors: no bin is finished yet");
    INVALID(legato_vmc_pair_correlations(vmc, 10, f, f_error), "vmc.pair_correlations: no bin is finished yet");
    CHECK(state_of(vmc).null_rate[0] == 0 && state_of(vmc).hop_rate[1] == 0 && state_of(vmc).exchange_rate[0] == 0);
    CHECK_SUCCESS(legato_vmc_run(vmc, NULL, NULL));
    const legato_vmc_averages a = averages_of(vmc);
    CHECK(a.bins_done == 1 && a.energy < 0 && isnan(a.energy_error) && isnan(a.spin_spin_error));
    CHECK(a.variance >= 0 && isnan(a.variance_error) && isnan(a.autocorrelation_sweeps));
    CHECK(isnan(a.kinetic_error) && isnan(a.exchange_error) && isnan(a.density_density_error));
    CHECK(a.bins_are_short == 1 && a.chains_differ == 0);
    CHECK_SUCCESS(legato_vmc_gradient(vmc, 4, gradient, error, NULL));
    for (int i = 0; i < 4; ++i) CHECK(fabs(gradient[i]) < 1e-12 && isnan(error[i]));
    CHECK_SUCCESS(legato_vmc_structure_factors(vmc, 10, NULL, spin, spin_error, NULL, NULL));
    CHECK(spin[0] == 0 && spin_error[0] == 0); /* exact at k = 0 */
    for (int i = 1; i < 10; ++i) CHECK(spin[i] < 10 && isnan(spin_error[i]));
    CHECK_SUCCESS(legato_vmc_pair_correlations(vmc, 10, f, f_error));
    for (int i = 0; i < 40; ++i) CHECK(fabs(f[i]) < 100 && isnan(f_error[i]));
    CHECK_SUCCESS(legato_vmc_run(vmc, NULL, NULL)); /* nothing is left to do */
    CHECK(state_of(vmc).sweeps_done == 1);
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

/* The state's own table gives bitwise identical results. Tables without a state are refused. */
static void given_pair_functions(void) {
    legato_vmc_params params = tilted(5, 24);
    double phi[26], again[26], zeros[26] = {0};
    int32_t borders = 0;
    legato_vmc *given = NULL, *resumed = NULL, *const vmc = run_of(&params);
    CHECK_SUCCESS(legato_vmc_get_pair_function(vmc, 26, phi, NULL));
#define GIVEN(n, values, divergent) legato_vmc_create_given(context, &params, n, values, divergent, &given)
    CHECK_SUCCESS(GIVEN(26, phi, 1));
    CHECK_SUCCESS(legato_vmc_run(given, NULL, NULL));
    CHECK(same_averages(vmc, given));
    CHECK_SUCCESS(legato_vmc_save(given, file));
    CHECK_SUCCESS(legato_vmc_destroy(given));
    CHECK_SUCCESS(legato_vmc_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_vmc_get_pair_function(resumed, 26, again, &borders));
    CHECK(same_averages(vmc, resumed) && memcmp(phi, again, sizeof phi) == 0 && borders == 1);
    CHECK_SUCCESS(legato_vmc_destroy(resumed));
    remove(file);
    CHECK_SUCCESS(GIVEN(26, phi, 0));
    CHECK(state_of(given).borders == 0);
    CHECK_SUCCESS(legato_vmc_destroy(given));
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
    INVALID(GIVEN(25, phi, 1), "vmc.n_pair_function: 25 is not in 26..26");
    INVALID(GIVEN(0, NULL, 1), "vmc.n_pair_function: 0 is not in 26..26");
    INVALID(GIVEN(INT32_MIN, phi, 1), "vmc.n_pair_function: -2147483648 is not in 26..26");
    INVALID(GIVEN(26, NULL, 1), "vmc.pair_function: a null pointer");
    INVALID(GIVEN(26, phi, 2), "vmc.divergent_zero: 2 is not in 0..1");
    REFUSED(GIVEN(26, zeros, 0), LEGATO_STATUS_NUMERICAL_ERROR,
            "vmc.params.start_attempts: none of 1000 configurations");
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
    CHECK(given == NULL);
}

/* Tests elements from the smallest to the largest allowed number. The result is an energy or an error, never NaN.
 * Powers of two change nothing. */
static void extreme_pair_functions(void) {
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc *vmc = NULL, *const whole = run_of(&params);
    double phi[26], scaled[26];
    int runs = 0;
    CHECK_SUCCESS(legato_vmc_pair_function(context, &params, 26, phi, NULL));
    for (int power = -320; power <= 99; power += 20) {
        for (int r = 0; r < 26; ++r) scaled[r] = phi[r] * pow(10, power);
        const int32_t status = legato_vmc_create_given(context, &params, 26, scaled, power % 40 == 0, &vmc);
        CHECK(status == LEGATO_STATUS_SUCCESS || (status == LEGATO_STATUS_NUMERICAL_ERROR && power < -280));
        const int32_t ended = status == LEGATO_STATUS_SUCCESS ? legato_vmc_run(vmc, NULL, NULL) : status;
        CHECK(ended == LEGATO_STATUS_SUCCESS || ended == LEGATO_STATUS_NUMERICAL_ERROR);
        if (ended == LEGATO_STATUS_SUCCESS) {
            const legato_vmc_averages a = averages_of(vmc);
            CHECK(a.energy > -2 && a.energy < 2 && a.energy_error >= 0 && a.variance >= 0);
            CHECK(state_of(vmc).largest_drift >= 0);
            ++runs;
        }
        CHECK_SUCCESS(legato_vmc_destroy(vmc));
    }
    CHECK(runs > 10);
    for (int power = -300; power <= 300; power += 600) {
        for (int r = 0; r < 26; ++r) scaled[r] = ldexp(phi[r], power);
        CHECK_SUCCESS(legato_vmc_create_given(context, &params, 26, scaled, 1, &vmc));
        CHECK_SUCCESS(legato_vmc_run(vmc, NULL, NULL));
        CHECK(same_averages(vmc, whole));
        CHECK_SUCCESS(legato_vmc_destroy(vmc));
    }
    CHECK_SUCCESS(legato_vmc_destroy(whole));
}

/* ---- Stopping, saving, resuming ---- */

typedef struct watcher {
    legato_vmc* vmc;
    int calls, stop_at;
    legato_progress last;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    w->last = *progress;
    CHECK(state_of(w->vmc).bins_done == progress->points_done);
    INVALID(legato_vmc_run(w->vmc, NULL, NULL), "vmc.run: ");
    INVALID(legato_vmc_advance(w->vmc, 1, NULL), "vmc.advance: ");
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
    CHECK_SUCCESS(legato_vmc_create(context, &params, &part));
    INVALID(legato_vmc_bin_means(part, 0, 0, 0, NULL), "vmc.bin_means: no bin is finished yet");
    legato_vmc_averages averages;
    averages.struct_size = sizeof averages;
    INVALID(legato_vmc_result(part, &averages), "vmc.result: no bin is finished yet");
    INVALID(legato_vmc_advance(part, 0, &done), "vmc.advance.bins: 0 is not in 1..");
    CHECK_SUCCESS(legato_vmc_advance(part, 2, &done));
    CHECK(done == 2 && state_of(part).sweeps_done == 150);
    w.vmc = part;
    w.stop_at = 3;
    REFUSED(legato_vmc_run(part, watch, &w), LEGATO_STATUS_CANCELLED, "vmc: stopped by the progress callback");
    CHECK(w.calls == 3 && w.last.points_total == 10 && w.last.points_done == 5 && w.last.cycles_done == 4 * 150);
    CHECK(averages_of(part).bins_done == 5);
    CHECK_SUCCESS(legato_vmc_save(part, file));
    CHECK_SUCCESS(legato_vmc_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_vmc_get_params(resumed, &of_file));
    CHECK(memcmp(&of_file, &params, sizeof params) == 0);
    CHECK_SUCCESS(legato_vmc_run(part, NULL, NULL));
    CHECK_SUCCESS(legato_vmc_advance(resumed, INT64_MAX, &done));
    CHECK(done == 10 && same_averages(whole, part) && same_averages(whole, resumed));
    CHECK_SUCCESS(legato_vmc_bin_means(resumed, LEGATO_VMC_OBSERVABLE_SPIN_SPIN, 3, 1, means));
    const legato_vmc_state a = state_of(whole), b = state_of(resumed);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK_SUCCESS(legato_vmc_destroy(part));
    CHECK_SUCCESS(legato_vmc_destroy(resumed));
    INVALID(legato_vmc_save(whole, NULL), "vmc.save.path: a null pointer");
    INVALID(legato_vmc_save(whole, ""), "vmc.save.path: the path is empty");
    REFUSED(legato_vmc_save(whole, "no_such_folder/vmc.h5"), LEGATO_STATUS_IO_ERROR, "state file ");
    CHECK_SUCCESS(legato_vmc_destroy(whole));
    INVALID(legato_vmc_resume(context, NULL, &resumed), "vmc.resume.path: a null pointer");
    INVALID(legato_vmc_resume(context, "", &resumed), "vmc.resume.path: the path is empty");
    INVALID(legato_vmc_resume(context, file, NULL), "vmc: a null pointer");
    REFUSED(legato_vmc_resume(context, "no_such_file.h5", &resumed), LEGATO_STATUS_IO_ERROR, "state file ");
    legato_vmc_optimiser* optimiser = NULL;
    REFUSED(legato_vmc_optimiser_resume(context, file, &optimiser), LEGATO_STATUS_BAD_FILE, "state file ");
    CHECK(resumed == NULL && optimiser == NULL);
    FILE* const stream = fopen(file, "wb");
    CHECK(stream && fputs("nothing of ours", stream) > 0 && fclose(stream) == 0);
    REFUSED(legato_vmc_resume(context, file, &resumed), LEGATO_STATUS_BAD_FILE, "state file ");
    remove(file);
}

/* Results are bitwise identical for every number of threads. */
static void threads(void) {
    legato_context *const two = context, *const single = cpu_context(1);
    const legato_vmc_params params = tilted(5, 24);
    legato_vmc* const a = run_of(&params);
    context = single;
    legato_vmc* const b = run_of(&params);
    int32_t backend = -1;
    const char* reason = NULL;
    CHECK_SUCCESS(legato_context_backend(single, &backend, &reason));
    CHECK(backend == LEGATO_BACKEND_CPU && strlen(reason) > 0);
    CHECK(same_averages(a, b));
    CHECK_SUCCESS(legato_vmc_destroy(b));
    context = two;
    CHECK_SUCCESS(legato_context_destroy(single));
    CHECK_SUCCESS(legato_vmc_destroy(a));
}

/* A handle outlives its context. */
static void without_its_context(void) {
    const legato_vmc_params params = tilted(3, 8);
    legato_vmc* vmc = NULL;
    legato_vmc_averages averages;
    CHECK_SUCCESS(legato_vmc_create(context, &params, &vmc));
    CHECK_SUCCESS(legato_context_destroy(context));
    CHECK(legato_vmc_run(vmc, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    context = NULL;
    averages.struct_size = sizeof averages;
    CHECK(legato_vmc_result(vmc, &averages) == LEGATO_STATUS_SUCCESS && averages.energy < 0);
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    default_params();
    tilted_clusters();
    rectangular_clusters();
    pair_functions();
    known_energies();
    traces();
    correlations();
    pair_correlations();
    gradients();
    gradients_by_some();
    one_bin();
    given_pair_functions();
    extreme_pair_functions();
    resuming();
    threads();
    without_its_context();
    return verdict("vmc_client");
}
