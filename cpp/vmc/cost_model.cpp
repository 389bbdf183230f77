#include "vmc/cost_model.hpp"

#include <cmath>

namespace legato::vmc {

// Fitted to a Xeon with AVX-512, half of the proposals to neighbours: 0.45, 1.5, 11 and 142 us for the attempts at L =
// 3, 5, 9, 15; measurements 0.25, 0.6, 2.8, 14 us; inverses 0.5, 2.4, 20, 260 us.
double cpu_seconds_per_sweep(const Model& model) {
    const auto n = static_cast<double>(model.order()), attempts = static_cast<double>(model.attempts_per_sweep());
    const double measurement = 20e-9 * n + 1.2e-9 * n * n, inverse = 0.25e-9 * n * n * n + 10e-9 * n * n;
    return attempts * (45e-9 + 0.06e-9 * n * n) + measurement + inverse / model.problem.recompute_interval;
}

double cpu_seconds(const Context& context, const Model& model) {
    const Problem& p = model.problem;
    const auto sweeps = static_cast<double>(p.warm_up + p.bins * p.sweeps_per_bin);
    return std::ceil(p.chains / static_cast<double>(context.threads())) * sweeps * cpu_seconds_per_sweep(model);
}

}  // namespace legato::vmc
