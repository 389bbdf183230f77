#include "vmc/sweep_cost.hpp"

#include <algorithm>

#include "vmc/engine.hpp"

namespace legato::vmc {
namespace {

// Returns the number of multiplications in a device's measurement of derivatives.
double device_derivatives(const Model& model) {
    const auto n = static_cast<double>(model.order());
    return model.problem.gradients ? 16 * n * n * n : 0;
}

}  // namespace

// Estimates the cost on the CPU. It was fitted to a Xeon with AVX-512, for a neighbour_share of 0.5. The attempts took
// 0.45, 1.5, 11 and 142 us at L = 3, 5, 9, 15; measurements 0.25, 0.6, 2.8, 14 us; inverses 0.5, 2.4, 20, 260 us.
// Derivatives by four parameters took 8, 42, 472 us at L = 5, 9, 15.
SweepCost cpu_sweep(const Model& model) {
    const auto n = static_cast<double>(model.order()), attempts = static_cast<double>(model.attempts_per_sweep());
    const double derivatives = model.problem.gradients ? 28e-9 * n * n + 0.17e-9 * n * n * n : 0,
                 measurement = 20e-9 * n + 1.2e-9 * n * n + derivatives, inverse = 0.25e-9 * n * n * n + 10e-9 * n * n;
    const double all = attempts * (45e-9 + 0.06e-9 * n * n) + measurement + inverse / model.problem.recompute_interval;
    return {all, all};
}

// Estimates the cost on a device. It was fitted to an H200, for a neighbour_share of 0.5. A full device takes 0.010,
// 0.09 and 1.24 us for a chain's sweep at L = 5, 9, 15. If the matrices do not fit its shared memory, it takes 6.9, 30
// and 351 us at L = 17, 21, 31. A single chain takes at least 5, 25 and 160 us at L = 5, 9, 15, and 2000 us at L = 21.
SweepCost cuda_sweep(const Model& model) {
    const auto n = static_cast<double>(model.order()), attempts = static_cast<double>(model.attempts_per_sweep());
    const bool is_shared = model.order() <= largest_shared_order;
    const double chain =
                     attempts * (150e-9 + (is_shared ? 0.06e-9 : 0.12e-9) * n * n) + 0.1e-9 * device_derivatives(model),
                 full = attempts * (0.3e-9 + (is_shared ? 0.00055e-9 : 0.0025e-9) * n * n) +
                        0.001e-9 * device_derivatives(model);
    return {chain, full};
}

}  // namespace legato::vmc
