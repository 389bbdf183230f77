#include "dfr/engine.hpp"

#include <algorithm>

#include "core/device.hpp"

namespace legato::dfr {
namespace {

// Numbers that one atom keeps.
std::size_t numbers_of(const Problem& problem, const Atom& atom) {
    const std::size_t points = grid_of(atom).points, components = problem.relativistic ? 2 : 1,
                      pairs = problem.relativistic ? 3 : 1,
                      steps = static_cast<std::size_t>(std::min(problem.diis_vectors, problem.max_iterations));
    std::size_t numbers = points;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::size_t n = atom.exponents[s].size(), order = components * n;
        const std::size_t open = atom.configuration.electrons[s] > 0 ? 1 : 0,
                          spinors = static_cast<std::size_t>(atom.configuration.closed[s]) + open;
        // Basis functions and densities on the grid; halves of the exchange, and results, of one or two targets.
        numbers += components * points * (n + spinors) + (1 + open) * (pairs * points * n + order * order);
        // At most seven matrices of a block, its states among them, and two for each step remembered and this one.
        numbers += (7 + 2 * (steps + 1)) * order * order;
    }
    return numbers;
}

}  // namespace

MemoryNeeds host_needs(const Problem& problem, std::span<const Atom> atoms) {
    std::size_t numbers = 0, species = 0, reach = 0;
    for (const Atom& atom : atoms) {
        numbers += numbers_of(problem, atom);
        species = std::max(species, atom.exponents.size());
        reach = std::max(reach, grid_of(atom).points);
    }
    return {static_cast<std::int64_t>(sizeof(double) * (numbers + (species * species + 1) * 2 * reach))};
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Quadratures& quadratures,
                                    int threads) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, quadratures, threads);
    return make_cpu_engine(quadratures, threads);
}

}  // namespace legato::dfr
