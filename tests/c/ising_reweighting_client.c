/* Tests reweighting as a program uses it, in C99 and in C++. All configurations of a small lattice, each as often as
 * the others, are the measurements of a run at beta = 0 without statistical errors. Averages, maxima and crossings must
 * then be exact. Runs are compared with exact averages, and every argument that must be refused is. */
#include "ising_runs.h"

enum { states = 1 << 16, copies = 8, all = copies * states, small_states = 16, small_all = 100 * small_states };

static double m[all], e[all], small_m[small_all], small_e[small_all];

/* Measures all configurations of a square lattice, as often as the arrays have space. */
static void enumerate(int extent, int n, double magnetisation[], double energy[]) {
    const int sites = extent * extent;
    for (int i = 0; i < n; ++i) {
        const unsigned spins = (unsigned)i % (1u << sites);
        int sum = 0, bonds = 0;
        for (int y = 0; y < extent; ++y)
            for (int x = 0; x < extent; ++x) {
                const int spin = spins >> (x + extent * y) & 1u ? 1 : -1;
                sum += spin;
                bonds += spin * (spins >> ((x + 1) % extent + extent * y) & 1u ? 1 : -1);
                bonds += spin * (spins >> (x + extent * ((y + 1) % extent)) & 1u ? 1 : -1);
            }
        magnetisation[i] = (double)sum / sites;
        energy[i] = -(double)bonds / sites;
    }
}

typedef struct exact_values {
    double energy, m_1, m_2, m_4, quantities[5], measurements;
} exact_values;

/* Sums over the configurations of a lattice. The derivatives are covariances with the energy. */
static exact_values exact_at(int sites, int n, const double magnetisation[], const double energy[], double beta) {
    double z = 0, squares = 0, e_1 = 0, e_2 = 0, em_1 = 0, em_2 = 0, em_4 = 0;
    exact_values r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < n; ++i) {
        const double big_e = sites * energy[i], w = exp(-beta * (big_e + 2 * sites)), m_1 = fabs(magnetisation[i]);
        z += w;
        squares += w * w;
        e_1 += w * big_e;
        e_2 += w * big_e * big_e;
        r.m_1 += w * m_1;
        r.m_2 += w * pow(m_1, 2);
        r.m_4 += w * pow(m_1, 4);
        em_1 += w * big_e * m_1;
        em_2 += w * big_e * pow(m_1, 2);
        em_4 += w * big_e * pow(m_1, 4);
    }
    e_1 /= z;
    r.m_1 /= z;
    r.m_2 /= z;
    r.m_4 /= z;
    r.energy = e_1 / sites;
    r.measurements = z * z / squares;
    r.quantities[LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT] = beta * beta * (e_2 / z - e_1 * e_1) / sites;
    r.quantities[LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY] = sites * (r.m_2 - r.m_1 * r.m_1);
    r.quantities[LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER] = 1 - r.m_4 / (3 * r.m_2 * r.m_2);
    {
        const double slope_1 = r.m_1 * e_1 - em_1 / z, slope_2 = r.m_2 * e_1 - em_2 / z,
                     slope_4 = r.m_4 * e_1 - em_4 / z;
        r.quantities[LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER_SLOPE] =
            (2 * r.m_4 * slope_2 / r.m_2 - slope_4) / (3 * r.m_2 * r.m_2);
        r.quantities[LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE] = slope_1 / r.m_1;
    }
    return r;
}

static double large_exact(int32_t quantity, double beta) {
    return exact_at(16, states, m, e, beta).quantities[quantity];
}

static double small_exact(int32_t quantity, double beta) {
    return exact_at(4, small_states, small_m, small_e, beta).quantities[quantity];
}

static legato_ising_reweighting* large_lattice(int32_t blocks) {
    const double beta = 0;
    const int64_t n = all;
    legato_ising_reweighting* made = NULL;
    CHECK_SUCCESS(legato_ising_reweighting_create(context, 16, 1, &beta, &n, m, e, blocks, &made));
    return made;
}

static legato_ising_reweighting* small_lattice(legato_context* of) {
    const double beta = 0;
    const int64_t n = small_all;
    legato_ising_reweighting* made = NULL;
    CHECK_SUCCESS(legato_ising_reweighting_create(of, 4, 1, &beta, &n, small_m, small_e, 2, &made));
    return made;
}

static legato_ising_reweighted read_at(legato_ising_reweighting* reweighting, double beta) {
    legato_ising_reweighted r;
    memset(&r, 0xa5, sizeof r);
    r.struct_size = sizeof r;
    CHECK_SUCCESS(legato_ising_reweighting_at(reweighting, beta, &r));
    CHECK(r.beta == beta && r.reserved == 0);
    return r;
}

static legato_ising_reweighted_point filled_point(void) {
    legato_ising_reweighted_point point;
    memset(&point, 0xa5, sizeof point);
    point.struct_size = sizeof point;
    return point;
}

static int is_near(double found, double expected) {
    return fabs(found - expected) <= 1e-10 * (1 + fabs(expected));
}

/* Blocks with the same measurements have no spread, up to rounding. */
static int is_exact(double found, double error, double expected) {
    return is_near(found, expected) && !(error > 1e-10);
}

static void exact_averages_at_any_beta(void) {
    static const double betas[] = {-0.3, 0, 0.1, 0.3, 0.4406868, 0.6, 2, 1000};
    legato_ising_reweighting* const reweighting = large_lattice(copies);
    int far_ones = 0;
    for (size_t i = 0; i < sizeof betas / sizeof *betas; ++i) {
        const legato_ising_reweighted r = read_at(reweighting, betas[i]);
        const exact_values x = exact_at(16, states, m, e, betas[i]);
        const double* const q = x.quantities;
        const double measurements = (double)copies * x.measurements;
        CHECK(is_exact(r.energy, r.energy_error, x.energy));
        CHECK(is_exact(r.absolute_magnetisation, r.absolute_magnetisation_error, x.m_1));
        CHECK(is_exact(r.magnetisation_2, r.magnetisation_2_error, x.m_2));
        CHECK(is_exact(r.magnetisation_4, r.magnetisation_4_error, x.m_4));
        CHECK(is_exact(r.specific_heat, r.specific_heat_error, q[0]));
        CHECK(is_exact(r.susceptibility, r.susceptibility_error, q[1]));
        CHECK(is_exact(r.binder, r.binder_error, q[2]));
        CHECK(is_exact(r.binder_slope, r.binder_slope_error, q[3]));
        CHECK(is_exact(r.magnetisation_slope, r.magnetisation_slope_error, q[4]));
        CHECK(is_near(r.measurements, measurements));
        CHECK(r.is_far == (measurements < 20 * copies));
        CHECK(!r.is_far ||
              (isnan(r.energy_error) && isnan(r.specific_heat_error) && isnan(r.magnetisation_slope_error)));
        far_ones += r.is_far;
    }
    CHECK(far_ones == 4); /* beta = 0.44 and more */
    CHECK_SUCCESS(legato_ising_reweighting_destroy(reweighting));
    CHECK_SUCCESS(legato_ising_reweighting_destroy(NULL));
}

static void exact_maxima(void) {
    static const double low[] = {0.2, 0.1, 0, 0.05, 0}, high[] = {0.8, 0.6, 0.2, 0.6, 0.5};
    legato_ising_reweighting* const reweighting = large_lattice(2);
    legato_ising_reweighted_point point = filled_point();
    for (int32_t quantity = 0; quantity < 5; ++quantity) {
        const double step = 1e-3;
        CHECK_SUCCESS(legato_ising_reweighting_maximum(reweighting, quantity, low[quantity], high[quantity], &point));
        if (quantity == LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER) { /* grows with beta */
            CHECK(isnan(point.beta) && isnan(point.value) && isnan(point.beta_error) && point.is_far == 0);
            continue;
        }
        CHECK(low[quantity] < point.beta && point.beta < high[quantity] && point.reserved == 0);
        CHECK(is_near(point.value, large_exact(quantity, point.beta)));
        CHECK(point.value > large_exact(quantity, point.beta - step));
        CHECK(point.value > large_exact(quantity, point.beta + step));
        /* The maximum of a parabola through three points. */
        const double left = large_exact(quantity, point.beta - step), right = large_exact(quantity, point.beta + step);
        CHECK(fabs(step * (right - left) / (2 * (2 * point.value - left - right))) < 1e-5);
        CHECK(point.is_far == read_at(reweighting, point.beta).is_far);
        CHECK(!(point.beta_error > 1e-6) && !(point.value_error > 1e-10));
    }
    CHECK_SUCCESS(legato_ising_reweighting_maximum(reweighting, 0, 0.5, 0.6, &point));
    CHECK(isnan(point.beta) && isnan(point.value) && point.is_far == 0); /* falls with beta */
    CHECK_SUCCESS(legato_ising_reweighting_destroy(reweighting));
}

/* The lattices of 2 x 2 and of 4 x 4 sites, in two contexts. */
static void exact_crossings(void) {
    legato_context* const other = cpu_context(1);
    legato_ising_reweighting* const large = large_lattice(2);
    legato_ising_reweighting* const small = small_lattice(other);
    legato_ising_reweighted_point point = filled_point();
    const int32_t binder = LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER;
    CHECK_SUCCESS(legato_context_destroy(other));
    CHECK_SUCCESS(legato_ising_reweighting_crossing(large, small, binder, 0, 0.9, &point));
    CHECK(0 < point.beta && point.beta < 0.9);
    CHECK(is_near(point.value, large_exact(binder, point.beta)));
    CHECK(is_near(point.value, small_exact(binder, point.beta)));
    CHECK(point.is_far == (read_at(large, point.beta).is_far || read_at(small, point.beta).is_far));
    CHECK_SUCCESS(legato_ising_reweighting_crossing(large, small, binder, 0, 0.5 * point.beta, &point));
    CHECK(isnan(point.beta) && isnan(point.value) && isnan(point.value_error) && point.is_far == 0);
    CHECK_SUCCESS(legato_ising_reweighting_crossing(large, large, binder, 0, 0.9, &point));
    CHECK(isnan(point.beta));
    CHECK_SUCCESS(legato_ising_reweighting_destroy(small));
    INVALID(legato_ising_reweighting_crossing(large, small, binder, 0, 0.9, &point),
            "ising.reweighting.crossing.b: the handle has been destroyed, or is of another type");
    CHECK_SUCCESS(legato_ising_reweighting_destroy(large));
}

static legato_ising_params series_params(void) {
    legato_ising_params params = small_square();
    params.algorithm = LEGATO_ISING_ALGORITHM_WOLFF;
    params.replicas = 3;
    params.thermalisation = 200;
    params.sweeps_per_measurement = 3;
    params.measurements_per_bin = 400;
    params.time_series = 1;
    return params;
}

/* Three replicas at two temperatures. The series of the same measurements gives the same numbers. */
static void run_and_its_series(void) {
    enum { length = 32 * 400 };
    static const double betas[2] = {0.3, 0.5};
    static double series_m[6 * length], series_e[6 * length];
    const legato_ising_params params = series_params();
    const int64_t n[2] = {3 * length, 3 * length};
    legato_ising_reweighting *of_run = NULL, *of_series = NULL;
    legato_ising* const ising = made(&params, betas, 2);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    for (int64_t i = 0; i < 6; ++i)
        CHECK_SUCCESS(legato_ising_time_series(ising, i, length, series_m + i * length, series_e + i * length));
    CHECK_SUCCESS(legato_ising_reweighting_create_from_run(ising, 30, &of_run));
    CHECK_SUCCESS(legato_ising_destroy(ising)); /* the reweighting does not need it */
    CHECK_SUCCESS(legato_ising_reweighting_create(context, 16, 2, betas, n, series_m, series_e, 30, &of_series));
    for (double beta = 0.25; beta < 0.6; beta += 0.05) {
        const legato_ising_reweighted r = read_at(of_run, beta), again = read_at(of_series, beta);
        const exact_values x = exact_at(16, states, m, e, beta);
        CHECK(memcmp(&r, &again, sizeof r) == 0);
        CHECK(within(r.energy, r.energy_error, x.energy, 0.02));
        CHECK(within(r.absolute_magnetisation, r.absolute_magnetisation_error, x.m_1, 0.01));
        CHECK(within(r.magnetisation_2, r.magnetisation_2_error, x.m_2, 0.01));
        CHECK(within(r.magnetisation_4, r.magnetisation_4_error, x.m_4, 0.01));
        CHECK(within(r.specific_heat, r.specific_heat_error, x.quantities[0], 0.02));
        CHECK(within(r.susceptibility, r.susceptibility_error, x.quantities[1], 0.03));
        CHECK(within(r.binder, r.binder_error, x.quantities[2], 0.01));
        CHECK(within(r.binder_slope, r.binder_slope_error, x.quantities[3], 0.05));
        CHECK(within(r.magnetisation_slope, r.magnetisation_slope_error, x.quantities[4], 0.05));
        CHECK(r.is_far == 0 && r.measurements > 5000);
    }
    CHECK_SUCCESS(legato_ising_reweighting_destroy(of_run));
    CHECK_SUCCESS(legato_ising_reweighting_destroy(of_series));
}

/* A reweighting outlives its run and its context. */
static void lifetimes(void) {
    legato_context* const own = cpu_context(1);
    const legato_ising_params params = series_params();
    const double beta = 0.4;
    legato_ising* ising = NULL;
    legato_ising_reweighting* reweighting = NULL;
    legato_ising_reweighted r;
    memset(&r, 0, sizeof r);
    CHECK_SUCCESS(legato_ising_create(own, &params, 1, &beta, 0, NULL, &ising));
    CHECK_SUCCESS(legato_ising_advance(ising, 1, NULL)); /* a run may be unfinished */
    CHECK_SUCCESS(legato_ising_reweighting_create_from_run(ising, 30, &reweighting));
    CHECK_SUCCESS(legato_ising_advance(ising, 1, NULL));
    CHECK(is_near(read_at(reweighting, beta).measurements, 1200));
    CHECK_SUCCESS(legato_context_destroy(own));
    CHECK_SUCCESS(legato_ising_destroy(ising));
    CHECK(is_near(read_at(reweighting, beta).measurements, 1200));
    CHECK(legato_ising_reweighting_at(reweighting, 0.4, &r) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(strncmp(legato_context_message(own), "ising.reweighted.struct_size: 0 is not in 176..4096", 51) == 0);
    CHECK_SUCCESS(legato_ising_reweighting_destroy(reweighting));
    CHECK(legato_ising_reweighting_destroy(reweighting) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_ising_reweighting_at(reweighting, 0.4, &r) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_ising_reweighting_create_from_run(ising, 30, &reweighting) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(reweighting == NULL);
}

static void refused_data(void) {
    static double few_m[12] = {0.5, -0.5, 1, -1, 0, 0.5, 0.5, -0.5, 1, -1, 0, 0.5},
                  few_e[12] = {-1, -1, -2, -2, 0, 0, -1, -1, -2, -2, 0, 0};
    double betas[2] = {0.3, 0.4};
    int64_t n[2] = {6, 6};
    int64_t sites = 16, runs = 2;
    int32_t blocks = 3;
    legato_ising_reweighting* made = NULL;
#define CREATE legato_ising_reweighting_create(context, sites, runs, betas, n, few_m, few_e, blocks, &made)
#define BAD(member, value, message) \
    do {                            \
        member = value;             \
        INVALID(CREATE, message);   \
        CHECK(made == NULL);        \
    } while (0)
    CHECK_SUCCESS(CREATE);
    CHECK_SUCCESS(legato_ising_reweighting_destroy(made));
    BAD(sites, 0, "ising.reweighting.sites: 0 is not in 1..137438953472");
    BAD(sites, (INT64_C(1) << 37) + 1, "ising.reweighting.sites: 137438953473 is not in 1..137438953472");
    sites = 16;
    BAD(runs, 0, "ising.reweighting.n_runs: 0 is not in 1..1000");
    BAD(runs, -1, "ising.reweighting.n_runs: -1 is not in 1..1000");
    BAD(runs, 1001, "ising.reweighting.n_runs: 1001 is not in 1..1000");
    runs = 2;
    BAD(blocks, 1, "ising.reweighting.blocks: 1 is not in 2..1000");
    BAD(blocks, 1001, "ising.reweighting.blocks: 1001 is not in 2..1000");
    BAD(blocks, 7, "ising.reweighting.n_measurements[0]: 6 is not in 7..1000000000");
    blocks = 3;
    BAD(n[1], -6, "ising.reweighting.n_measurements[1]: -6 is not in 3..1000000000");
    BAD(n[1], INT64_MAX, "ising.reweighting.n_measurements[1]: 9223372036854775807 is not in 3..1000000000");
    BAD(n[1], 1000000000, "ising.reweighting.n_measurements: the sum 1000000006 is more than 1000000000");
    n[1] = 6;
    BAD(betas[1], NAN, "ising.reweighting.betas[1]: nan is not in [-1000, 1000]");
    BAD(betas[1], 1000.5, "ising.reweighting.betas[1]: 1000.5 is not in [-1000, 1000]");
    betas[1] = 0.4;
    BAD(few_m[7], 1.5, "ising.reweighting.magnetisations[7]: 1.5 is not in [-1.000000000001, 1.000000000001]");
    BAD(few_m[7], NAN, "ising.reweighting.magnetisations[7]: nan is not in [");
    few_m[7] = -0.5;
    BAD(few_e[2], INFINITY, "ising.reweighting.energies[2]: inf is not in [-1000000000000, 1000000000000]");
    few_e[2] = -2;
    /* The measurements of the second run have other energies than those of the first. */
    sites = 1000;
    for (int i = 6; i < 12; ++i) few_e[i] = 2;
    BAD(betas[1], -0.4,
        "ising.reweighting.runs: the energies at beta = 0.3 and -0.4 do not overlap, and no runs between "
        "them connect them; add runs at temperatures between them");
#undef CREATE
#undef BAD
#define CREATE(b, lengths, magnetisations, energies, to) \
    legato_ising_reweighting_create(context, 16, 1, b, lengths, magnetisations, energies, 3, to)
    INVALID(CREATE(NULL, n, few_m, few_e, &made), "ising.reweighting.betas: a null pointer");
    INVALID(CREATE(betas, NULL, few_m, few_e, &made), "ising.reweighting.n_measurements: a null pointer");
    INVALID(CREATE(betas, n, NULL, few_e, &made), "ising.reweighting.magnetisations: a null pointer");
    INVALID(CREATE(betas, n, few_m, NULL, &made), "ising.reweighting.energies: a null pointer");
    INVALID(CREATE(betas, n, few_m, few_e, NULL), "ising.reweighting: a null pointer");
#undef CREATE
}

static void refused_runs(void) {
    static const double betas[2] = {0.3, 0.5};
    legato_ising_params params = series_params();
    legato_ising_reweighting* reweighting = NULL;
    legato_ising* ising = made(&params, betas, 2);
    INVALID(legato_ising_reweighting_create_from_run(ising, 32, &reweighting),
            "ising.reweighting: the run has no measurement at beta = 0.3 yet; continue it by legato_ising_run");
    CHECK(reweighting == NULL);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    INVALID(legato_ising_reweighting_create_from_run(ising, 1, &reweighting),
            "ising.reweighting.blocks: 1 is not in 2..1000");
    INVALID(legato_ising_reweighting_create_from_run(ising, 32, NULL), "ising.reweighting: a null pointer");
    CHECK_SUCCESS(legato_ising_destroy(ising));
    params.time_series = 0;
    ising = made(&params, betas, 2);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    INVALID(legato_ising_reweighting_create_from_run(ising, 32, &reweighting),
            "ising.reweighting: the run keeps no measurements; create it with ising.params.time_series = 1");
    CHECK_SUCCESS(legato_ising_destroy(ising));
    params.time_series = 1;
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL;
    ising = made(&params, betas, 2);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    INVALID(
        legato_ising_reweighting_create_from_run(ising, 32, &reweighting),
        "ising.reweighting: the run is microcanonical (ising.params.algorithm is 3); reweighting needs Boltzmann's ");
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

static void refused_reads(void) {
    legato_ising_reweighting* const lattice = small_lattice(context);
    legato_ising_reweighted r;
    legato_ising_reweighted_point point = filled_point();
    r.struct_size = sizeof r;
    INVALID(legato_ising_reweighting_at(lattice, NAN, &r), "ising.reweighting.at.beta: nan is not in [-1000, 1000]");
    INVALID(legato_ising_reweighting_at(lattice, -1001, &r),
            "ising.reweighting.at.beta: -1001 is not in [-1000, 1000]");
    INVALID(legato_ising_reweighting_at(lattice, 0.4, NULL), "ising.reweighted: a null pointer");
    r.struct_size = sizeof r - 8;
    INVALID(legato_ising_reweighting_at(lattice, 0.4, &r), "ising.reweighted.struct_size: 168 is not in 176..4096");
#define MAXIMUM(quantity, low, high) legato_ising_reweighting_maximum(lattice, quantity, low, high, &point)
    INVALID(MAXIMUM(-1, 0.1, 0.2), "ising.reweighting.maximum.quantity: -1 is not in 0..4");
    INVALID(MAXIMUM(5, 0.1, 0.2), "ising.reweighting.maximum.quantity: 5 is not in 0..4");
    INVALID(MAXIMUM(0, NAN, 0.2), "ising.reweighting.maximum.low: nan is not in [-1000, 1000]");
    INVALID(MAXIMUM(0, 0.1, 1e4), "ising.reweighting.maximum.high: 10000 is not in [-1000, 1000]");
    INVALID(MAXIMUM(0, 0.2, 0.2),
            "ising.reweighting.maximum.low: 0.2 is not less than ising.reweighting.maximum.high, 0.2");
    INVALID(legato_ising_reweighting_maximum(lattice, 0, 0.1, 0.2, NULL), "ising.reweighted_point: a null pointer");
#undef MAXIMUM
#define CROSSING(b, quantity, low, high) legato_ising_reweighting_crossing(lattice, b, quantity, low, high, &point)
    INVALID(CROSSING(NULL, 0, 0.1, 0.2), "ising.reweighting.crossing.b: a null pointer");
    INVALID(CROSSING((legato_ising_reweighting*)context, 0, 0.1, 0.2), "ising.reweighting.crossing.b: the handle has");
    INVALID(CROSSING(lattice, 7, 0.1, 0.2), "ising.reweighting.crossing.quantity: 7 is not in 0..4");
    INVALID(CROSSING(lattice, 0, -INFINITY, 0.2), "ising.reweighting.crossing.low: -inf is not in [-1000, 1000]");
    INVALID(CROSSING(lattice, 0, 0.1, NAN), "ising.reweighting.crossing.high: nan is not in [-1000, 1000]");
    INVALID(CROSSING(lattice, 0, 0.3, 0.2), "ising.reweighting.crossing.low: 0.3 is not less than ");
    point.struct_size = 0;
    INVALID(CROSSING(lattice, 0, 0.1, 0.2), "ising.reweighted_point.struct_size: 0 is not in 48..4096");
#undef CROSSING
    CHECK_SUCCESS(legato_ising_reweighting_destroy(lattice));
}

int main(void) {
    context = cpu_context(2);
    enumerate(4, all, m, e);
    enumerate(2, small_all, small_m, small_e);
    exact_averages_at_any_beta();
    exact_maxima();
    exact_crossings();
    run_and_its_series();
    lifetimes();
    refused_data();
    refused_runs();
    refused_reads();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("ising_reweighting_client");
}
