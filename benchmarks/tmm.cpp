// Benchmarks of tmm: cycles for one point. A cycle has n_ortho multiplications and one orthonormalisation.
#include "common.hpp"

extern "C" void serial_tmm_cycles(int dimension, int width, int boundary, double energy, double disorder, int n_ortho,
                                  int cycles, double* psi_a, double* psi_b, double* gamma, double* gamma2);

using namespace benchmarks;

namespace {

constexpr int n_ortho = 10;
constexpr int periodic = 1;

struct Case {
    int dimension, width, points;
    double disorder;

    int sites() const { return dimension == 3 ? width * width : width; }
    // Returns the work of a cycle. A slice takes 2 + neighbours multiply-adds for each element, Gram-Schmidt takes
    // 2 N^2 (2 N) flops. A kernel that keeps nothing between cycles reads and writes the columns once.
    Work least() const {
        const double n = sites();
        return {n_ortho * n * n * 2 * (dimension == 3 ? 6 : 4) + 4 * n * n * n, 4 * n * n * sizeof(double)};
    }
    std::string name() const {
        return std::to_string(dimension) + "D M = " + std::to_string(width) + ", " +
               (points == 1 ? "one point" : std::to_string(points) + " points");
    }
};

double serial_time(const Case& c, double seconds) {
    const auto n = static_cast<std::size_t>(c.sites());
    std::vector<double> a(n * n), b(n * n), gamma(n), gamma2(n);
    for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1;
    return seconds_each(seconds, 1, [&](int64_t cycles, int repeats) {
        return best_of(repeats, [&] {
            return seconds_of([&] {
                serial_tmm_cycles(c.dimension, c.width, periodic, 0.5, c.disorder, n_ortho, static_cast<int>(cycles),
                                  a.data(), b.data(), gamma.data(), gamma2.data());
            });
        });
    });
}

// Makes a run, which has not begun.
legato_tmm* make_run(const Case& c, legato_context* context) {
    legato_tmm_params params;
    legato_tmm_params_init(&params);
    params.dimension = c.dimension;
    params.width = c.width;
    params.random_stream = LEGATO_TMM_RANDOM_STREAM_LFSR113;
    params.epsilon = 1e-12;
    params.max_multiplications = INT64_MAX;
    std::vector<double> energy, disorder;
    for (int i = 0; i < c.points; ++i) {
        energy.push_back(c.dimension == 2 && c.points > 1 ? -4.6 + 9.2 * i / (c.points - 1) : 0.5);
        disorder.push_back(c.disorder + 1e-3 * i * (c.dimension == 3));
    }
    legato_tmm* tmm = nullptr;
    require(context, legato_tmm_create(context, &params, c.points, energy.data(), disorder.data(), &tmm));
    return tmm;
}

Timing library_time(const Case& c, const Place& place, double seconds) {
    legato_tmm* const tmm = make_run(c, place.context);
    const double each = seconds_each(seconds, 1, [&](int64_t cycles, int repeats) {
        return best_of(repeats, [&] {
            return seconds_of([&] { require(place.context, legato_tmm_advance(tmm, cycles, nullptr)); });
        });
    });
    legato_tmm_destroy(tmm);
    // The CPU engine works on a part of the points at a time, at most 16 for each thread.
    const int at_once = place.backend == LEGATO_BACKEND_CPU ? std::min(c.points, 16 * place.threads) : c.points;
    return {each / at_once, c.least()};
}

}  // namespace

Method benchmarks::tmm_benchmark(const Options& options) {
    std::vector<Case> cases{{2, 8, 1841, 1}, {3, 10, 64, 16.5}, {3, 16, 1, 16.5}};
    if (!options.quick) cases.push_back({3, 32, 1, 16.5});
    cases.push_back({2, 16, 1841, 1});
    cases.push_back({2, 32, 512, 1});
    cases.push_back({3, 10, 1, 16.5});
    if (!options.quick) cases.push_back({3, 24, 1, 16.5});
    for (const int width : {1, 2, 4, 8, 16, 32, 64, 128}) cases.push_back({2, width, 1, 1});
    if (!options.quick) {  // many wide points
        for (const int width : {16, 20, 24}) cases.push_back({3, width, 64, 16.5});
        cases.push_back({3, 32, 16, 16.5});
        for (const int width : {64, 128}) cases.push_back({2, width, 64, 4});
    }
    Method method{"tmm", "cycle of a point", "us", {}};
    for (const Case& c : cases)
        method.problems.push_back({c.name(), [=] { return serial_time(c, options.seconds); },
                                   [=](const Place& place) { return library_time(c, place, options.seconds); }});
    return method;
}
