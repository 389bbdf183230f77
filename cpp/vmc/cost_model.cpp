#include "vmc/cost_model.hpp"

#include <cmath>

namespace legato::vmc {

// An attempt is a few products of the matrix with a vector, a measurement one with a matrix.
double cpu_seconds(const Context& context, const Model& model) {
    constexpr double per_attempt = 100e-9, per_element = 0.15e-9, per_multiply_add = 0.15e-9;
    const Problem& p = model.problem;
    const auto n = static_cast<double>(model.order()), attempts = static_cast<double>(model.attempts_per_sweep());
    const double sweep = attempts * (per_attempt + per_element * n * n), measurement = per_multiply_add * n * n * n;
    const auto warm_up = static_cast<double>(p.warm_up), measured = static_cast<double>(p.bins * p.sweeps_per_bin);
    return std::ceil(p.chains / static_cast<double>(context.threads())) *
           (warm_up * sweep + measured * (sweep + measurement));
}

}  // namespace legato::vmc
