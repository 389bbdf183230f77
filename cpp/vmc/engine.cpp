#include "vmc/engine.hpp"

#include "core/device.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {

MemoryNeeds memory_needs(const Problem& problem) {
    constexpr std::int64_t number = sizeof(double);
    const std::int64_t sites = sites_of(problem.lattice), pairs = problem.electrons / 2;
    const std::int64_t tables = 2 + (problem.gradients ? static_cast<std::int64_t>(variational_parameters) : 0);
    const auto row = static_cast<std::int64_t>(row_length(static_cast<std::size_t>(pairs)));
    const std::int64_t rows = 2 * pairs * row + 8 * row + sites;
    const std::int64_t bins = (problem.bins + 1) * static_cast<std::int64_t>(local_values_of(problem));
    const std::int64_t pair_moves = problem.pair_correlations ? (sites - 2 * pairs) * (3 * row + pairs) : 0;
    return {
        ((tables + (problem.correlations || problem.pair_correlations ? 1 : 0)) * sites * sites + pair_moves) * number,
        (rows + bins) * number};
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, model);
    return make_cpu_engine(context, model);
}

}  // namespace legato::vmc
