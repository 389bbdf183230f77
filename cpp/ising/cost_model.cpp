#include "ising/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "ising/engine.hpp"

namespace legato::ising {
namespace {

double words_of(const Model& model) {
    return static_cast<double>(model.blocks()) * static_cast<double>(model.block_words());
}

}  // namespace

// From legato-bench: 4 spins/ns by Metropolis and 4 by demons on one thread of a Xeon with AVX-512, 2100 and 2700 on an
// H200. What drawing the demons takes is left out.
double cpu_sweep_seconds(const Context& context, const Model& model) {
    const double word = has_demons(model.problem.algorithm) ? 2e-9 : 8e-9;
    return words_of(model) * word / context.threads() + 1e-7;
}

double cuda_sweep_seconds(const Model& model) {
    const double word = has_demons(model.problem.algorithm) ? 3e-12 : 15e-12;
    return std::max(words_of(model) * word, 5e-6);
}

double cpu_seconds(const Context& context, const Model& model) {
    return static_cast<double>(sweeps_of(model.problem)) * cpu_sweep_seconds(context, model);
}

double cuda_seconds(const Context& context, const Model& model) {
    if (!with_cuda || context.options().backend != Backend::automatic || device_count() <= context.options().device)
        return INFINITY;
    const std::int64_t needed = memory_needs(Backend::cuda, model.problem);
    const auto free = static_cast<std::int64_t>(device_info(context.options().device).free_memory);
    if (needed > free) {
        context.log(LogLevel::info, text("ising: backend cuda needs ", needed, " bytes, but ", free, " are free"));
        return INFINITY;
    }
    return static_cast<double>(sweeps_of(model.problem)) * cuda_sweep_seconds(model);
}

}  // namespace legato::ising
