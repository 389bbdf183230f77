// Picoseconds for an update of a spin by the engines with demons, whatever they are asked to do: sweeps alone, with a
// draw of the demons after each, with a measurement after each. Of the sweeps alone, the part of a copy's bandwidth
// that 32 bytes a site and sweep are.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "common.hpp"
#include "core/device.hpp"
#include "ising/engine.hpp"
#include "kpm.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

struct Case {
    int dimensions;
    std::int64_t extent;
    int replicas;
};

// Seconds of a sweep of all systems, the best of three stretches.
double sweep_seconds(const Context& context, Backend backend, const Problem& problem, bool draw, bool measure) {
    const Model model(problem);
    const auto engine = make_engine(context, backend, model);
    engine->load(first_words(model, context.threads()));
    engine->advance({0, 20, 0, true}, {});
    std::int64_t sweep = 20, sweeps = 4;
    double best = 0;
    for (int repeat = 0; repeat < 4; ++repeat) {
        std::vector<std::int64_t> measured(
            measure ? static_cast<std::size_t>(sweeps) * model.systems() * model.values.count : 0);
        const double begin = benchmarks::now();
        engine->advance({sweep, sweeps, measure ? 1 : 0, draw}, measured);
        const double took = (benchmarks::now() - begin) / static_cast<double>(sweeps);
        sweep += sweeps;
        if (repeat == 0)  // tells how many are worth while
            sweeps = std::clamp(static_cast<std::int64_t>(0.1 / took), std::int64_t{2}, std::int64_t{20000});
        else if (repeat == 1 || took < best)
            best = took;
    }
    return best;
}

void report(const Context& context, Backend backend, const Case& c, double copy) {
    Problem problem;
    const std::int64_t depth = c.dimensions == 3 ? c.extent : 1;
    problem.lattice = {c.dimensions, {c.extent, c.extent, depth}, {}};
    problem.replicas = c.replicas;
    problem.algorithm = Algorithm::demon_microcanonical;
    const double sites = static_cast<double>(sites_of(problem.lattice)) * ((c.replicas + 31) / 32);
    const double spins = static_cast<double>(sites_of(problem.lattice)) * c.replicas;
    problem.betas = {0.4};
    const double alone = sweep_seconds(context, backend, problem, false, false);
    std::printf("%dD %5ld %7d | %9.2f us %8.3f ps", c.dimensions, static_cast<long>(c.extent), c.replicas, alone * 1e6,
                alone / spins * 1e12);
    if (copy > 0) std::printf(" %5.1f %%", 100 * 32 * sites / alone / copy);
    std::printf(" | measured %8.3f", sweep_seconds(context, backend, problem, false, true) / spins * 1e12);
    for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
        std::printf(" | %s", algorithm == Algorithm::demon_naive ? "naive" : "binomial 0.1 .. 0.8");
        problem.algorithm = algorithm;
        for (const double beta : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8}) {
            problem.betas = {beta};
            std::printf(" %8.3f", sweep_seconds(context, backend, problem, true, false) / spins * 1e12);
            if (algorithm == Algorithm::demon_naive) break;
        }
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

// An argument, cpu, leaves the GPU out.
int main(int argc, char** argv) {
    const bool on_device = !(argc > 1 && std::strcmp(argv[1], "cpu") == 0) && device_count() > 0;
    ContextOptions options;
    const Context context(options);
    const double copy = on_device ? device_copy_bandwidth() : 0;
    if (on_device) std::printf("%s, copy %.0f GB/s\n", benchmarks::device_name().c_str(), copy * 1e-9);
    std::printf("lattice, systems | sweep alone | the rest: ps for each spin, with the sweep\n");
    std::vector<Case> cases{{2, 64, 32}, {2, 512, 32}};
    if (on_device)
        cases = {{2, 16, 32},  {2, 64, 32},  {2, 64, 32 * 132}, {2, 64, 32 * 1056}, {2, 100, 32 * 132}, {2, 128, 32},
                 {2, 256, 32}, {2, 512, 32}, {2, 1024, 32},     {2, 2048, 32},      {2, 4096, 32},      {2, 4100, 32},
                 {3, 24, 32},  {3, 64, 32},  {3, 64, 32 * 64},  {3, 256, 32},       {3, 512, 32}};
    for (const Case& c : cases) report(context, on_device ? Backend::cuda : Backend::cpu, c, copy);
}
