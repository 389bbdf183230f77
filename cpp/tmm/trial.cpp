#include "tmm/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/device.hpp"
#include "tmm/convergence.hpp"
#include "tmm/engine.hpp"
#include "tmm/memory.hpp"
#include "tmm/replicas.hpp"

namespace legato::tmm {
namespace {

bool can(const Context& context, const Problem& problem, Backend backend) {
    if (backend != Backend::cuda) return true;
    if constexpr (with_cuda)
        return has_cuda_kernel(context, problem) &&
               fits_memory(context, "tmm", backend, memory_needs(problem).bytes(1), memory_limit(context, backend));
    return false;
}

std::string shape_of(const Problem& p) {
    return text(p.dimension, "D ", p.width, " boundary ", static_cast<int>(p.boundary), " cycle ", p.n_ortho,
                " growth ", p.max_growth > 0 ? 1 : 0, " rule ", static_cast<int>(p.rule), " random ",
                static_cast<int>(p.random_stream), " hopping ", p.hopping,
                p.has_plain_hopping() ? ""
                                      : text(" model ", static_cast<int>(p.model), " hopping disorder ",
                                             static_cast<int>(p.hopping_disorder), p.given ? " given" : ""));
}

// Estimates the cycles until the smallest exponent has the error epsilon. The growth in a cycle is assumed to have a
// standard deviation as large as its mean. Replicas cannot end before they are compared, nor before their growth has
// the error epsilon by least_growth.
double cycles_of(const Problem& problem) {
    double wanted = 1 / (problem.epsilon * problem.epsilon * static_cast<double>(problem.replicas));
    if (problem.replicas > 1)
        wanted = std::max({wanted, least_growth / problem.epsilon, static_cast<double>(next_comparison(problem, 0))});
    return std::min(wanted, static_cast<double>(problem.max_cycles()));
}

// Returns a problem that takes as long, for trials do not call the caller: with drawn hopping instead of given slices.
Problem without_given(const Problem& problem) {
    Problem like = problem;
    if (problem.given) like.hopping_disorder = HoppingDisorder::logarithmic;
    like.given = nullptr;
    return like;
}

// Measures some cycles. The CPU is measured with as many points as there are threads; the other points follow in turn,
// which cost.each takes into account.
Cost measure(const Context& context, const Problem& problem, std::span<const Point> points, std::size_t points_of_run,
             Backend backend) {
    Problem endless = without_given(problem);
    endless.epsilon = 1e-300;
    endless.max_multiplications = std::numeric_limits<std::int64_t>::max();
    const auto threads = static_cast<std::size_t>(context.threads());
    const std::size_t tried = backend == Backend::cuda ? points.size() : std::min(points.size(), threads);
    const RunClock clock;
    const std::unique_ptr<Engine> engine = make_trial_engine(context, backend, endless, tried, points_of_run);
    const std::size_t slots = std::min(engine->slots(), tried);
    const PointState start = initial_state(endless, 0, context.threads());
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < slots; ++i) entries.push_back({i, points[i], static_cast<std::uint32_t>(i), &start});
    engine->load(entries);
    Cost cost{.fixed = clock.seconds()};
    std::vector<std::size_t> all(slots);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<PointStatus> statuses(slots);
    const double cycle = seconds_per_unit([&](std::int64_t cycles) { engine->advance(cycles, all, statuses); });
    cost.each = cycle * std::ceil(static_cast<double>(points.size()) / static_cast<double>(slots));
    return cost;
}

// Measures calls of one cycle each, as a caller with its own diagonals makes them.
Cost measure_steps(const Context& context, const Problem& problem, Backend backend) {
    const auto sites = static_cast<std::size_t>(problem.sites());
    const std::unique_ptr<Engine> engine = make_part_engine(context, backend, problem, 1, 1);
    const Entry entry{0, Point{}, 0, nullptr};
    engine->load({&entry, 1});
    const std::vector<double> diagonals(static_cast<std::size_t>(problem.n_ortho) * sites, 0.3);
    std::vector<double> log_norms(sites);
    return {.each = seconds_per_unit([&](std::int64_t cycles) {
                for (; cycles > 0; --cycles) engine->cycle(0, diagonals, log_norms);
            })};
}

}  // namespace

Trial trial_of(const Context& context, const Problem& problem, std::span<const Point> points) {
    // Returns the points of the first part of a backend, which has at least as many as any other.
    const auto share = [&context, points](Backend backend) {
        const std::size_t parts = static_cast<std::size_t>(context.ranks()) * context.parts_on(backend).size();
        return points.first((points.size() + parts - 1) / parts);
    };
    const std::size_t devices = devices_of_point(context, Backend::cuda, problem, points.size());
    return {
        .job = "tmm",
        .shape = text(shape_of(problem), " points ", share(Backend::cpu).size(), " on a CPU, ",
                      share(Backend::cuda).size(), " on a GPU", devices > 1 ? text(", each on ", devices) : ""),
        .units = cycles_of(problem),
        .can = [&](Backend backend) { return can(context, problem, backend); },
        .measure = [&context, &problem, share, points](
                       Backend backend) { return measure(context, problem, share(backend), points.size(), backend); }};
}

Trial trial_of_steps(const Context& context, const Problem& problem, double cycles) {
    return {.job = "tmm steps",
            .shape = shape_of(problem),
            .units = cycles,
            .can = [&](Backend backend) { return can(context, problem, backend); },
            .measure = [&](Backend backend) { return measure_steps(context, problem, backend); },
            .counts = false};
}

}  // namespace legato::tmm
