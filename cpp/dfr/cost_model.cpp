#include "dfr/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "dfr/log_grid.hpp"

namespace legato::dfr {
namespace {

// Multiply-adds of the exchange: for each pair of points the product of all occupied spinors, and that with every
// function.
double operations(const Problem& problem, const Atom& atom) {
    double smallest = largest_exponent, largest = smallest_exponent, spinors = 0, functions = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        for (const double zeta : atom.exponents[s]) {
            smallest = std::min(smallest, zeta);
            largest = std::max(largest, zeta);
        }
        functions += static_cast<double>(atom.exponents[s].size());
        spinors += atom.configuration.closed[s] + 2;
    }
    const auto points = static_cast<double>(make_log_grid(smallest, largest).points);
    const double pairs = problem.relativistic ? 3 : 1;
    return pairs * points * points * (functions + spinors * static_cast<double>(atom.exponents.size()));
}

double operations(const Problem& problem, std::span<const Atom> atoms) {
    double sum = 0;
    for (const Atom& atom : atoms) sum += operations(problem, atom);
    return sum;
}

}  // namespace

// On a Xeon with AVX-512 and reference BLAS, and on an H200 (benchmarks/results).
double cpu_seconds(const Problem& problem, std::span<const Atom> atoms, int threads) {
    return operations(problem, atoms) / (2e9 * threads);
}

double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    if constexpr (with_cuda)
        if (context.options().backend == Backend::automatic && device_count() > context.options().device)
            return 3e-4 + operations(problem, atoms) / 3e11;
    return INFINITY;
}

}  // namespace legato::dfr
