#include "vmc/engine.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {
namespace {

constexpr std::int64_t number = sizeof(double);

std::int64_t parameters_of(const Problem& problem) {
    return problem.gradients ? static_cast<std::int64_t>(variational_parameters) : 0;
}
std::int64_t displacements_of(const Problem& problem) {
    return problem.correlations || problem.pair_correlations ? 1 : 0;
}

}  // namespace

MemoryNeeds host_needs(const Problem& problem) {
    const std::int64_t sites = sites_of(problem.lattice);
    const auto values = static_cast<std::int64_t>(local_values_of(problem));
    return {(2 + parameters_of(problem) + displacements_of(problem)) * sites * sites * number,
            ((problem.bins + 1) * values + problem.electrons) * number};
}

MemoryNeeds memory_needs(Backend backend, const Problem& problem) {
    const std::int64_t sites = sites_of(problem.lattice), pairs = problem.electrons / 2;
    if (backend == Backend::cuda) {
        // Rows and the derivatives' scratch for the thread blocks that are resident at a time on a large device.
        constexpr std::int64_t most_blocks = 160;
        const std::int64_t of_block = (pairs > std::int64_t{largest_shared_order} ? 2 * pairs * pairs : 0) +
                                      (problem.gradients ? 3 * pairs * pairs : 0);
        return {((parameters_of(problem) + displacements_of(problem)) * sites * sites +
                 std::min<std::int64_t>(problem.chains, most_blocks) * of_block) *
                    number,
                (static_cast<std::int64_t>(local_values_of(problem)) + pairs + 2) * number};
    }
    const auto row = static_cast<std::int64_t>(row_length(static_cast<std::size_t>(pairs)));
    const std::int64_t rows = 2 * pairs * row + 8 * row + sites,
                       pair_moves = problem.pair_correlations ? (sites - 2 * pairs) * (3 * row + pairs) : 0;
    const MemoryNeeds host = host_needs(problem);
    return {host.fixed + pair_moves * number, host.each + rows * number};
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, model);
    return make_cpu_engine(context, model);
}

}  // namespace legato::vmc
