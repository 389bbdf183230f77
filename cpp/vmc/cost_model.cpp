#include "vmc/cost_model.hpp"

#include <cmath>

namespace legato::vmc {

// Fitted to a Xeon with AVX-512, half of the proposals to neighbours: 0.5, 1.6, 12 and 160 us for the attempts at L =
// 3, 5, 9, 15; measurements 0.2, 1.0, 5.4, 29 us; inverses 1.1, 2.6, 22, 260 us.
double cpu_seconds_per_sweep(const Model& model) {
    const auto n = static_cast<double>(model.order()), attempts = static_cast<double>(model.attempts_per_sweep());
    const double measurement = 20e-9 * n + 2.7e-9 * n * n, inverse = 0.25e-9 * n * n * n + 10e-9 * n * n;
    return attempts * (45e-9 + 0.07e-9 * n * n) + measurement + inverse / model.problem.recompute_interval;
}

double cpu_seconds(const Context& context, const Model& model) {
    const Problem& p = model.problem;
    const auto sweeps = static_cast<double>(p.warm_up + p.bins * p.sweeps_per_bin);
    return std::ceil(p.chains / static_cast<double>(context.threads())) * sweeps * cpu_seconds_per_sweep(model);
}

}  // namespace legato::vmc
