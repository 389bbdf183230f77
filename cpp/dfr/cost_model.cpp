#include "dfr/cost_model.hpp"

#include <algorithm>

#include "dfr/engine.hpp"

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

// On so many threads, of which one atom keeps about four busy.
double seconds_on(int threads, const Problem& problem, std::span<const Atom> atoms) {
    const double busy = std::min<double>(threads, 4.0 * static_cast<double>(atoms.size()));
    return operations(problem, atoms) / (2.5e10 * busy);
}

}  // namespace

int useful_threads(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    return static_cast<int>(
        std::clamp(seconds_on(1, problem, atoms) / 1e-3, 1.0, static_cast<double>(context.threads())));
}

// On a Xeon with AVX-512 and reference BLAS, and on an H200 (benchmarks/results).
double cpu_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    return seconds_on(useful_threads(context, problem, atoms), problem, atoms);
}

double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    if (!context.has_choice() ||
        !fits_memory(context, "dfr", Backend::cuda, memory_needs(Backend::cuda, problem, atoms).bytes(1)))
        return never;
    return 2e-4 + operations(problem, atoms) / 1e12;
}

}  // namespace legato::dfr
