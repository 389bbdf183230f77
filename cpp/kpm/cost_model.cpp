#include "kpm/cost_model.hpp"

#include <algorithm>
#include <limits>

#include "core/device.hpp"

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

// On an H200 (benchmarks/results). Infinite where there is no device, which is left alone where there is nothing to
// choose.
double cuda_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    if constexpr (with_cuda)
        if (context.options().backend == Backend::automatic && device_count() > context.options().device) {
            constexpr double bytes_per_second = 2.5e12, overhead = 2e-5;
            const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian);
            const auto sites = static_cast<double>(sites_of(hamiltonian)),
                       samples = static_cast<double>(samples_of(problem));
            const double elements = matrix ? static_cast<double>(matrix->columns.size()) : 0,
                         blocks = samples / std::min(samples, 32.0);
            return problem.moments / 2 *
                   ((sites * 24 * samples + 12 * elements * blocks) / bytes_per_second + overhead * blocks);
        }
    return std::numeric_limits<double>::infinity();
}

}  // namespace legato::kpm
