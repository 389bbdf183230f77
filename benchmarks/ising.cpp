// Benchmarks of ising: updates of spins by Metropolis' algorithm, by demons, and by clusters, with measurements after
// some sweeps or none. The time of a sweep with clusters is divided by the number of all spins. Serial clusters are
// those of a plain program of Wolff's algorithm.
#include "common.hpp"

extern "C" void serial_ising(int32_t dimension, int32_t length, int32_t demons, double beta, int64_t before,
                             int64_t sweeps, int64_t measure_every, double* seconds);
extern "C" void serial_wolff(int32_t dimension, int32_t length, double beta, int64_t before, int64_t clusters,
                             double* seconds);

using namespace benchmarks;

namespace {

constexpr double square_critical = 0.44068679350977151, cubic_critical = 0.22165462;
constexpr int64_t least_sweeps = 10, sweeps_before = 2, clusters_before = 200;

struct Case {
    int dimension, length, replicas, algorithm;
    double beta;
    int64_t measure_every = 0;  // sweeps between measurements, 0: none
    double published = 0;       // spins updated in a nanosecond by another program

    double spins() const {
        const double n = length;
        return (dimension == 3 ? n * n * n : n * n) * replicas;
    }
    bool on_cpu() const { return spins() <= (has_clusters() ? 1e6 : 1e8); }
    bool has_clusters() const { return algorithm >= LEGATO_ISING_ALGORITHM_SWENDSEN_WANG; }
    // Returns the bytes per spin. Metropolis takes three words for 32 spins: own spins are read and written, others are
    // read once. Demons take four words for the spins of 32 systems, one of spins and three of levels, which are read
    // and written; other spins come from the cache. Draws of demons are not counted. Clusters have no limit.
    Work least() const {
        if (has_clusters()) return {};
        return {0, algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS ? 3.0 / 8 : 1.0};
    }
    std::string name() const {
        constexpr const char* names[] = {"Metropolis",    "naive demons", "binomial demons", "microcanonical demons",
                                         "Swendsen-Wang", "Wolff"};
        std::string name = std::to_string(length) + "^" + std::to_string(dimension);
        if (replicas > 1) name = std::to_string(replicas) + " x " + name;
        name += std::string(", ") + names[algorithm];
        if (algorithm == LEGATO_ISING_ALGORITHM_DEMON_NAIVE || algorithm == LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL)
            name += " at beta = " + std::to_string(beta).substr(0, 3);
        return measure_every > 0 ? name + ", measured every " + std::to_string(measure_every) : name;
    }
};

double serial_time(const Case& c, double seconds) {
    const double each = seconds_each(seconds, least_sweeps, [&](int64_t sweeps, int repeats) {
        return best_of(repeats, [&] {
            double took = 0;
            if (c.has_clusters())
                serial_wolff(c.dimension, c.length, c.beta, clusters_before, sweeps, &took);
            else
                serial_ising(c.dimension, c.length, c.algorithm, c.beta, sweeps_before, sweeps, c.measure_every, &took);
            return took;
        });
    });
    return each * c.replicas / c.spins();
}

// Returns the parameters. A case without measurements has one, at the end of each bin.
legato_ising_params params_of(const Case& c, int64_t sweeps, int bins) {
    legato_ising_params params;
    legato_ising_params_init(&params);
    params.dimension = c.dimension;
    params.algorithm = c.algorithm;
    for (int axis = 0; axis < 3; ++axis) params.extents[axis] = axis < c.dimension ? c.length : 1;
    params.replicas = c.replicas;
    params.thermalisation = c.has_clusters() ? clusters_before : 1;
    params.sweeps_per_measurement = c.measure_every > 0 ? c.measure_every : sweeps;
    params.measurements_per_bin = sweeps / params.sweeps_per_measurement;
    params.bins = bins;
    return params;
}

Timing library_time(const Case& c, const Place& place, double seconds) {
    legato_context* const context = place.context;
    bool fits = true;
    const auto bins = [&](int64_t sweeps, int repeats) {
        const legato_ising_params params = params_of(c, sweeps, repeats + 1);
        legato_ising* ising = nullptr;
        if (fits) fits = possible(context, legato_ising_create(context, &params, 1, &c.beta, 0, nullptr, &ising));
        if (!fits) return seconds;
        require(context, legato_ising_advance(ising, 1, nullptr));
        const double best = best_of(
            repeats, [&] { return seconds_of([&] { require(context, legato_ising_advance(ising, 1, nullptr)); }); });
        legato_ising_destroy(ising);
        return best;
    };
    const double each = seconds_each(seconds, least_sweeps, bins);
    return {fits ? each / c.spins() : 0, c.least()};
}

std::vector<Case> cases_of_metropolis(bool quick) {
    std::vector<Case> cases;
    const auto add = [&](int dimension, int length, int replicas, double published) {
        const double critical = dimension == 2 ? square_critical : cubic_critical;
        for (const int64_t measure_every : {0, 10})
            if (measure_every == 0 || !quick)
                cases.push_back({dimension, length, replicas, LEGATO_ISING_ALGORITHM_METROPOLIS, critical,
                                 measure_every, published});
    };
    // The published numbers are those of NVIDIA's multispin program on an H100.
    if (!quick) add(2, 65536, 1, 883);
    add(2, 8192, 1, 780);
    add(2, 2048, 1, 389);
    add(2, 128, 1024, 0);
    if (!quick) add(2, 32, 8448, 0);
    if (!quick) add(3, 512, 1, 0);
    add(3, 128, 1, 0);
    add(2, 128, 16, 0);
    return cases;
}

std::vector<Case> cases_of_demons(bool quick) {
    std::vector<Case> cases;
    const auto add = [&](int dimension, int length, int replicas, int algorithm, double beta) {
        cases.push_back({dimension, length, replicas, algorithm, beta});
    };
    for (const int length : {8192, 2048, 512})
        if (!quick || length < 8192) add(2, length, 32, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, square_critical);
    add(2, 1024, 32, LEGATO_ISING_ALGORITHM_DEMON_NAIVE, 0.4);
    add(2, 1024, 32, LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, 0.4);
    if (quick) return cases;
    add(3, 256, 32, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, cubic_critical);
    add(2, 64, 32 * 132, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, square_critical);
    for (const int length : {512, 128}) {
        add(2, length, 32, LEGATO_ISING_ALGORITHM_DEMON_NAIVE, 0.4);
        for (const double beta : {0.1, 0.4, 0.8}) add(2, length, 32, LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, beta);
    }
    return cases;
}

std::vector<Case> cases_of_clusters(bool quick) {
    std::vector<Case> cases;
    for (const int algorithm : {LEGATO_ISING_ALGORITHM_WOLFF, LEGATO_ISING_ALGORITHM_SWENDSEN_WANG}) {
        cases.push_back({2, 128, 1, algorithm, square_critical});
        if (!quick) cases.push_back({2, 512, 1, algorithm, square_critical});
        cases.push_back({3, 32, 1, algorithm, cubic_critical});
    }
    constexpr int clusters = LEGATO_ISING_ALGORITHM_SWENDSEN_WANG;
    cases.push_back({2, 8192, 1, clusters, square_critical});
    cases.push_back({2, 128, 1024, clusters, square_critical});
    if (quick) return cases;
    cases.push_back({2, 512, 64, clusters, square_critical});
    cases.push_back({2, 32768, 1, clusters, square_critical});
    cases.push_back({3, 512, 1, clusters, cubic_critical});
    cases.push_back({3, 32, 1024, clusters, cubic_critical});
    cases.push_back({2, 8192, 1, clusters, square_critical, 1});
    cases.push_back({2, 128, 1024, clusters, square_critical, 1});
    cases.push_back({3, 128, 8, clusters, cubic_critical, 1});
    return cases;
}

}  // namespace

Method benchmarks::ising_benchmark(const Options& options) {
    std::vector<Case> cases = cases_of_metropolis(options.quick);
    for (const std::vector<Case>& others : {cases_of_demons(options.quick), cases_of_clusters(options.quick)})
        cases.insert(cases.end(), others.begin(), others.end());
    Method method{"ising", "spin", "ps", {}};
    for (const Case& c : cases) {
        Peer peer;
        if (c.published > 0)
            peer = {"NVIDIA's multispin program on an H100, published", [=] { return 1e-9 / c.published; }};
        method.problems.push_back({c.name(),
                                   c.on_cpu() && c.algorithm != LEGATO_ISING_ALGORITHM_SWENDSEN_WANG
                                       ? std::function([=] { return serial_time(c, options.seconds); })
                                       : nullptr,
                                   [=](const Place& place) { return library_time(c, place, options.seconds); }, peer,
                                   c.on_cpu()});
    }
    return method;
}
