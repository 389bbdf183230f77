#include "ising/engine.hpp"

#include "core/device.hpp"
#include "ising/bins.hpp"

namespace legato::ising {
namespace {

constexpr std::int64_t number = sizeof(double), word = sizeof(std::uint32_t);

std::int64_t state_bytes(const Model& model) {
    return static_cast<std::int64_t>(model.blocks() * model.block_words()) * word;
}

}  // namespace

std::int64_t host_needs(const Problem& problem) {
    const Model model(problem);
    const auto systems = static_cast<std::int64_t>(model.systems()),
               binned = static_cast<std::int64_t>(BinnedValues(model).count);
    const std::int64_t series = problem.time_series ? 2 * measurements_of(problem) * systems * number : 0;
    return state_bytes(model) + (problem.bins + 1) * systems * binned * number + series;
}

std::int64_t memory_needs(Backend backend, const Problem& problem) {
    const Model model(problem);
    if (backend == Backend::cuda)
        return state_bytes(model) + static_cast<std::int64_t>(model.systems() * model.values.count) * number;
    return host_needs(problem) + state_bytes(model);
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    const bool demons = has_demons(model.problem.algorithm);
    if constexpr (with_cuda)
        if (backend == Backend::cuda)
            return demons ? make_cuda_demons(context, model) : make_cuda_metropolis(context, model);
    return demons ? make_cpu_demons(context, model) : make_cpu_metropolis(context, model);
}

}  // namespace legato::ising
