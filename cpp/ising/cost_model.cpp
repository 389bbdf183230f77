#include "ising/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "ising/engine.hpp"

namespace legato::ising {
namespace {

double words_of(const Model& model) {
    return static_cast<double>(model.blocks()) * static_cast<double>(model.block_words());
}

// How often the demons are drawn, for each sweep of the run.
double draws_per_sweep(const Problem& p) {
    if (!has_demons(p.algorithm)) return 0;
    const std::int64_t sweeps = sweeps_of(p),
                       canonical = p.algorithm == Algorithm::demon_microcanonical ? p.thermalisation : sweeps,
                       draws = canonical / p.refresh_interval;
    return static_cast<double>(draws) / static_cast<double>(sweeps);
}

}  // namespace

// From legato-bench: 7 spins/ns by Metropolis and 4 by demons on one thread of a Xeon with AVX-512, 2700 and 3600 on an
// H200. Drawing the demons takes about two sweeps naively and one binomially on the CPU; on the H200 1.1 and 0.6 ps a
// spin, no less than 9 and 12 us.
double cpu_sweep_seconds(const Context& context, const Model& model) {
    const Problem& p = model.problem;
    const double word = has_demons(p.algorithm) ? 2e-9 : 4.5e-9, draw = p.algorithm == Algorithm::demon_naive ? 2 : 1;
    return words_of(model) * word * (1 + draws_per_sweep(p) * draw) / context.threads() + 1e-7;
}

double cuda_sweep_seconds(const Model& model) {
    const Problem& p = model.problem;
    const double words = words_of(model), word = has_demons(p.algorithm) ? 2.2e-12 : 12e-12,
                 draw = p.algorithm == Algorithm::demon_naive ? std::max(words * 9e-12, 9e-6)
                                                              : std::max(words * 5e-12, 1.2e-5);
    return std::max(words * word, 5e-6) + draws_per_sweep(p) * draw;
}

double cpu_seconds(const Context& context, const Model& model) {
    return static_cast<double>(sweeps_of(model.problem)) * cpu_sweep_seconds(context, model);
}

double cuda_seconds(const Context& context, const Model& model) {
    if (!context.has_choice() ||
        !fits_memory(context, "ising", Backend::cuda, memory_needs(Backend::cuda, model.problem).bytes(1)))
        return never;
    return static_cast<double>(sweeps_of(model.problem)) * cuda_sweep_seconds(model);
}

}  // namespace legato::ising
