#include "kpm/cost_model.hpp"

#include <algorithm>

#include "kpm/engine.hpp"

namespace legato::kpm {
namespace {

bool has_memory(const Context& context, Backend backend, const Problem& problem, const Hamiltonian& hamiltonian) {
    return fits_memory(context, "kpm", backend, least_bytes(backend, problem, hamiltonian),
                       memory_limit(context, backend, problem));
}

double steps_of(const Problem& problem) {
    const int steps = (problem.moments + 1) / 2;
    return steps;
}

// None where no matrix is read.
double matrix_elements(const Hamiltonian& hamiltonian) {
    const std::optional<CrsView> matrix = matrix_in(hamiltonian);
    return matrix ? static_cast<double>(matrix->elements) : 0;
}

// For each site and vector.
double bytes_moved(const Problem& problem) {
    return 3 * static_cast<double>(element_bytes(problem.precision));
}

}  // namespace

// A step reads x and y and writes y, and reads the elements of a matrix once a block. Fitted to a Xeon whose memory
// gives a thread 12 GB/s and eight threads no less than 60; from there on a socket has no more to give.
double cpu_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    constexpr double bytes_per_second = 10e9, overhead = 5e-6;
    if (context.has_choice() && !has_memory(context, Backend::cpu, problem, hamiltonian)) return never;
    const auto sites = static_cast<double>(sites_of(hamiltonian)), samples = static_cast<double>(samples_of(problem));
    const double elements = matrix_elements(hamiltonian);
    const double step = sites * bytes_moved(problem) * samples + 12 * elements * samples / std::min(samples, 16.0);
    return steps_of(problem) * (step / (bytes_per_second * std::min(context.threads(), 8)) + overhead);
}

// On an H200 (benchmarks/results).
double cuda_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    constexpr double bytes_per_second = 3.2e12, overhead = 6e-6;
    if (!context.has_choice() || !has_memory(context, Backend::cuda, problem, hamiltonian)) return never;
    const auto sites = static_cast<double>(sites_of(hamiltonian)), samples = static_cast<double>(samples_of(problem));
    const double elements = matrix_elements(hamiltonian), blocks = samples / std::min(samples, 32.0);
    return steps_of(problem) *
           ((sites * bytes_moved(problem) * samples + 12 * elements * blocks) / bytes_per_second + overhead * blocks);
}

}  // namespace legato::kpm
