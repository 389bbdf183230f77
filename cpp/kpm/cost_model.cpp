#include "kpm/cost_model.hpp"

#include <algorithm>
#include <limits>

namespace legato::kpm {

// A step moves 24 bytes a site and vector, and elements of a matrix once a block. Fitted to a Xeon whose memory gives a
// thread 12 GB/s and eight threads no less than 60; from there on a socket has no more to give.
double cpu_seconds(const Problem& problem, const Hamiltonian& hamiltonian, int threads) {
    constexpr double bytes_per_second = 10e9, overhead = 5e-6;
    const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian);
    const auto sites = static_cast<double>(sites_of(hamiltonian)), samples = static_cast<double>(samples_of(problem));
    const double elements = matrix ? static_cast<double>(matrix->columns.size()) : 0;
    const double step = sites * 24 * samples + 12 * elements * samples / std::min(samples, 16.0);
    return problem.moments / 2 * (step / (bytes_per_second * std::min(threads, 8)) + overhead);
}

// To be measured with the CUDA engine: until then AUTO takes the CPU.
double cuda_seconds(const Context&, const Problem&, const Hamiltonian&) {
    return std::numeric_limits<double>::infinity();
}

}  // namespace legato::kpm
