// Benchmarks of vmc: sweeps of a chain, with the energy after each, at the parameters of Rajagopalan's thesis: x = 0.1,
// Delta = 1.5, mu = 0, t' = t'' = 0, J = 0.3.
#include "common.hpp"

extern "C" void serial_vmc(int32_t length, double share, int32_t warm_up, int32_t sweeps, double* seconds,
                           double* energy, int32_t* failed);

using namespace benchmarks;

namespace {

constexpr int warm_up = 50, least_sweeps = 20;

struct Case {
    int length, electrons;
    double share;          // share of attempts to nearest neighbours
    int chains;            // number of chains on a GPU
    double published = 0;  // seconds for 32 chains of 15000 sweeps without null attempts
    bool on_cpu = true;

    int sites() const { return length * length + 1; }
    std::string name() const {
        return "L = " + std::to_string(length) + ", share " + std::to_string(share).substr(0, 3) + ", " +
               std::to_string(chains) + " chains on a GPU";
    }
};

double serial_time(const Case& c, double seconds) {
    return seconds_each(seconds, least_sweeps, [&](int64_t sweeps, int repeats) {
        return best_of(repeats, [&] {
            double took = 0, energy[2];
            int32_t failed = 0;
            serial_vmc(c.length, c.share, warm_up, static_cast<int32_t>(sweeps), &took, energy, &failed);
            if (failed) fail("the serial Markov chain failed");
            return took;
        });
    });
}

// Returns the least work of a sweep and its energy in Legato's algorithm, with the counts of this run. The inverse is
// n x n (n pairs and borders), with m = Ne / 2 rows of ratios below it:
// - the ratio of a hop takes 2 n flops, that of an exchange 4 n;
// - an accepted hop calculates one row of ratios, 2 n^2, and subtracts a multiple of a row from all n + m rows,
//   2 n (n + m); an exchange subtracts two multiples, whose factors are products, 6 n (n + m);
// - the energy takes the ratio of an exchange for each antiparallel bond, and that of a hop for each bond between a
//   hole and an electron. Their numbers follow from <n_i n_j> and, in a singlet, from <S^z_i S^z_j> = <S_i.S_j> / 3;
// - recomputing the inverse after every `recompute_interval` sweeps takes 2 n^3 and 2 n^2 m.
// The matrices fit into caches and shared memory, so that main memory sets no limit.
Work least(const Case& c, const legato_vmc_state& s, const legato_vmc_averages& averages) {
    const double n = c.electrons / 2.0 + s.borders, m = c.electrons / 2.0, sites = c.sites();
    const double sweeps = static_cast<double>(s.sweeps_done) * s.chains;
    const auto each = [&](const int64_t* counts) { return static_cast<double>(counts[0] + counts[1]) / sweeps; };
    const double pairs = averages.density_density, holes = sites - c.electrons;
    const double antiparallel = sites * (pairs - 4 * averages.spin_spin / 3);
    const double open = 4 * holes - 2 * (4 * holes - 2 * sites * (1 - pairs));  // among 2 * sites bonds
    const double anew = 1 / static_cast<double>(s.recompute_interval);
    return {2 * n * (each(s.hops) + open) + 4 * n * (each(s.exchanges) + antiparallel) +
                each(s.hops_accepted) * (2 * n * n + 2 * n * (n + m)) + each(s.exchanges_accepted) * 6 * n * (n + m) +
                anew * 2 * n * n * (n + m),
            0};
}

Timing library_time(const Case& c, const Place& place, double seconds) {
    legato_context* const context = place.context;
    const int chains = place.backend == LEGATO_BACKEND_CUDA ? c.chains : 4 * std::max(place.threads, 2);
    Timing timing;
    const auto bins = [&](int64_t sweeps, int repeats) {
        legato_vmc_params params;
        legato_vmc_params_init(&params);
        params.length = c.length;
        params.electrons = c.electrons;
        params.chains = chains;
        params.thermalisation = warm_up;
        params.bins = repeats + 1;
        params.sweeps_per_bin = sweeps;
        params.neighbour_share = c.share;
        params.seed = 13213;
        legato_vmc* vmc = nullptr;
        require(context, legato_vmc_create(context, &params, &vmc));
        require(context, legato_vmc_advance(vmc, 1, nullptr));
        const double best = best_of(
            repeats, [&] { return seconds_of([&] { require(context, legato_vmc_advance(vmc, 1, nullptr)); }); });
        legato_vmc_state state{};
        legato_vmc_averages averages{};
        state.struct_size = sizeof state;
        averages.struct_size = sizeof averages;
        require(context, legato_vmc_get_state(vmc, &state));
        require(context, legato_vmc_result(vmc, &averages));
        timing.least = least(c, state, averages);
        legato_vmc_destroy(vmc);
        return best;
    };
    timing.seconds = seconds_each(seconds, least_sweeps, bins) / chains;
    return timing;
}

}  // namespace

Method benchmarks::vmc_benchmark(const Options& options) {
    // The shares are that of the thesis and Legato's default. The numbers of chains keep an H200 busy; the last three
    // cases are those of the thesis on its GPU.
    const std::vector<Case> cases{{15, 204, 0.0, 528},
                                  {9, 74, 0.0, 4224},
                                  {5, 24, 0.0, 8448},
                                  {15, 204, 0.5, 528},
                                  {9, 74, 0.5, 4224},
                                  {5, 24, 0.5, 8448},
                                  {15, 204, 0.0, 32, 256.83, false},
                                  {9, 74, 0.0, 32, 14.44, false},
                                  {5, 24, 0.0, 32, 2.48, false}};
    Method method{"vmc", "sweep of a chain", "us", {}};
    for (const Case& c : cases) {
        Peer peer;
        if (c.published > 0)
            peer = {"Rajagopalan's program on a Tesla M2070, published", [=] { return c.published / (32 * 15000.0); }};
        method.problems.push_back(
            {c.name(), c.on_cpu ? std::function([=] { return serial_time(c, options.seconds); }) : nullptr,
             [=](const Place& place) { return library_time(c, place, options.seconds); }, peer, c.on_cpu});
    }
    return method;
}
