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

int parts_of(const Context& context, Backend backend) {
    return context.ranks() * static_cast<int>(context.parts_on(backend).size());
}

int largest_share(const Problem& problem, int parts) {
    return static_cast<int>((std::int64_t{problem.chains} + parts - 1) / parts);
}

// A shared run gathers local values and sites of all chains.
MemoryNeeds host_needs(const Problem& problem, int parts) {
    const std::int64_t sites = sites_of(problem.lattice);
    const auto values = static_cast<std::int64_t>(local_values_of(problem));
    const std::int64_t gathered = parts > 1 ? 2 * values + problem.electrons : 0;
    return {(2 + parameters_of(problem) + displacements_of(problem)) * sites * sites * number,
            ((problem.bins + 1) * values + problem.electrons + gathered) * number};
}

MemoryNeeds memory_needs(Backend backend, const Problem& problem, int parts) {
    const std::int64_t share = largest_share(problem, parts);
    // Returns the bytes for each chain of the run if a chain of the part needs this number.
    const auto of_share = [&](std::int64_t bytes) { return (bytes * share + problem.chains - 1) / problem.chains; };
    const std::int64_t sites = sites_of(problem.lattice), pairs = problem.electrons / 2;
    if (backend == Backend::cuda) {
        // Rows and the derivatives' scratch for the thread blocks that are resident at a time on a large device.
        constexpr std::int64_t most_blocks = 160;
        const std::int64_t of_block = (pairs > std::int64_t{largest_shared_order} ? 2 * pairs * pairs : 0) +
                                      (problem.gradients ? 3 * pairs * pairs : 0);
        return {((parameters_of(problem) + displacements_of(problem)) * sites * sites +
                 std::min<std::int64_t>(share, most_blocks) * of_block) *
                    number,
                of_share((static_cast<std::int64_t>(local_values_of(problem)) + pairs + 2) * number)};
    }
    const auto row = static_cast<std::int64_t>(row_length(static_cast<std::size_t>(pairs)));
    const std::int64_t rows = 2 * pairs * row + 8 * row + sites,
                       pair_moves = problem.pair_correlations ? (sites - 2 * pairs) * (3 * row + pairs) : 0;
    const MemoryNeeds host = host_needs(problem, parts);
    return {host.fixed + pair_moves * number, host.each + of_share(rows * number)};
}

std::unique_ptr<Engine> make_part_engine(const Context& context, Backend backend, const Model& model, Chains chains) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, model, chains);
    return make_cpu_engine(context, model, chains);
}

}  // namespace legato::vmc
