#include "dfr/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "dfr/quadrature.hpp"

namespace legato::dfr {
namespace {

// Multiply-adds of the exchange: for each pair of points the product of all occupied spinors, and that with every
// function.
double operations(const Problem& problem, const Atom& atom) {
    double spinors = 0, functions = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        functions += static_cast<double>(atom.exponents[s].size());
        spinors += atom.configuration.closed[s] + 2;
    }
    const auto points = static_cast<double>(grid_of(atom).points);
    const double pairs = problem.relativistic ? 3 : 1;
    return pairs * points * points * (functions + spinors * static_cast<double>(atom.exponents.size()));
}

double operations(const Problem& problem, std::span<const Atom> atoms) {
    double sum = 0;
    for (const Atom& atom : atoms) sum += operations(problem, atom);
    return sum;
}

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

std::size_t bytes_needed(const Problem& problem, std::span<const Atom> atoms) {
    std::size_t numbers = 0, species = 0, reach = 0;
    for (const Atom& atom : atoms) {
        numbers += numbers_of(problem, atom);
        species = std::max(species, atom.exponents.size());
        reach = std::max(reach, grid_of(atom).points);
    }
    return sizeof(double) * (numbers + (species * species + 1) * 2 * reach);
}

// On a Xeon with AVX-512 and reference BLAS, and on an H200 (benchmarks/results). One atom keeps about four threads
// busy.
double cpu_seconds(const Problem& problem, std::span<const Atom> atoms, int threads) {
    const double busy = std::min<double>(threads, 4.0 * static_cast<double>(atoms.size()));
    return operations(problem, atoms) / (2.5e10 * busy);
}

int useful_threads(const Problem& problem, std::span<const Atom> atoms, int threads) {
    return static_cast<int>(std::clamp(cpu_seconds(problem, atoms, 1) / 1e-3, 1.0, static_cast<double>(threads)));
}

double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    if constexpr (with_cuda)
        if (context.options().backend == Backend::automatic && device_count() > context.options().device)
            return 2e-4 + operations(problem, atoms) / 1e12;
    return INFINITY;
}

}  // namespace legato::dfr
