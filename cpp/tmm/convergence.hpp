// Exponents and errors from the sums that a run keeps, and the rule by which a point ends; on host and device alike.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// sum = sum over k cycles of ln R, sum2 = of (ln R)^2. Relative standard error of the mean; per-cycle growths count as
// independent (MacKinnon and Kramer, Z. Phys. B 53, 1 (1983)).
LEGATO_HOST_DEVICE inline double relative_error(double sum, double sum2, std::int64_t k) {
    const double mean = sum / static_cast<double>(k);
    const double variance = std::fabs(sum2 / static_cast<double>(k) - mean * mean);
    return std::sqrt(variance / static_cast<double>(k > 1 ? k - 1 : 1)) / std::fabs(mean);
}

LEGATO_HOST_DEVICE inline double lyapunov_exponent(double sum, std::int64_t n_ortho, std::int64_t k) {
    return sum / (static_cast<double>(n_ortho) * static_cast<double>(k));
}

// TMSEXD's rule, on the smallest exponent. An error below 1e-15 is that of a clean system, which has none.
LEGATO_HOST_DEVICE inline bool has_converged(double sum, double sum2, std::int64_t k, std::int64_t width,
                                             double epsilon) {
    if (k < width || k < 3) return false;
    // Far from the bound, where almost every call is, without a division: error^2 = |k sum2 - sum^2| / ((k - 1) sum^2).
    const double n = static_cast<double>(k), square = sum * sum;
    if (std::fabs(n * sum2 - square) > (1.000001 * epsilon * epsilon * (n - 1) + 1e-14) * square) return false;
    const double error = relative_error(sum, sum2, k);
    return error >= 1e-15 && error <= epsilon;
}

// The interval between orthonormalisations for the next stretch, from the ratio of largest to smallest growth in a
// stretch of `interval` slices. Only used with Problem::max_growth > 0.
LEGATO_HOST_DEVICE inline std::int64_t adapted_interval(std::int64_t interval, double log_ratio, double max_growth,
                                                        std::int64_t n_ortho) {
    const double log_bound = std::log(max_growth);
    const double per_slice = log_ratio / static_cast<double>(interval);
    if (log_ratio > log_bound) return interval > 1 ? interval - 1 : 1;
    if (per_slice * static_cast<double>(interval + 1) < 0.9 * log_bound && interval < n_ortho) return interval + 1;
    return interval;
}

}  // namespace legato::tmm
