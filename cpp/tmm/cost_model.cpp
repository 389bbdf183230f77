#include "tmm/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace legato::tmm {

double cpu_seconds_per_cycle(const Problem& problem, std::size_t points, int threads) {
    const auto n = static_cast<double>(problem.sites()), slices = static_cast<double>(problem.n_ortho);
    const double multiply = slices * n * (4e-9 + n * 0.3e-9), orthonormalise = n * 15e-9 + 4 * n * n * n * 0.05e-9;
    return (50e-9 + multiply + orthonormalise) * std::ceil(static_cast<double>(points) / threads);
}

double cuda_seconds_per_cycle(const Problem& problem, std::size_t points) {
    const auto n = static_cast<double>(problem.sites());
    return (5e-6 + n * 0.4e-6) * std::ceil(static_cast<double>(points) / 2000.0);
}

}  // namespace legato::tmm
