#include "vmc/engine.hpp"

#include "core/device.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {

MemoryNeeds memory_needs(Backend backend, const Problem& problem) {
    constexpr std::int64_t number = sizeof(double);
    const std::int64_t sites = sites_of(problem.lattice), pairs = problem.electrons / 2;
    const std::int64_t derivatives = problem.gradients ? static_cast<std::int64_t>(variational_parameters) : 0,
                       displacements = problem.correlations || problem.pair_correlations ? 1 : 0;
    const auto values = static_cast<std::int64_t>(local_values_of(problem));
    if (backend == Backend::cuda)
        return {(derivatives + displacements) * sites * sites * number, (values + pairs) * number};
    const auto row = static_cast<std::int64_t>(row_length(static_cast<std::size_t>(pairs)));
    const std::int64_t rows = 2 * pairs * row + 8 * row + sites,
                       pair_moves = problem.pair_correlations ? (sites - 2 * pairs) * (3 * row + pairs) : 0;
    return {((2 + derivatives + displacements) * sites * sites + pair_moves) * number,
            (rows + (problem.bins + 1) * values) * number};
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, model);
    return make_cpu_engine(context, model);
}

}  // namespace legato::vmc
