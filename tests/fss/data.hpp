// Synthetic data with known scaling functions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/context.hpp"
#include "fss/solver.hpp"
#include "random/philox.hpp"

namespace legato::fss::tests {

inline ContextOptions with_threads(int threads) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    return options;
}

// A transition like that of the Anderson model in three dimensions. The formulas are written out, independently of
// Model.
struct Transition {
    double critical_point = 16.54, exponent = 1.57, critical_value = 0.576;
    double slope = -0.05, curvature = 0.002, cubic = 0;         // of F in phi_1
    double b2 = 0.01;                                           // of u_1 in w^2
    double irrelevant_exponent = -2, correction = 0, tilt = 0;  // of F in phi_2, and in phi_1 phi_2

    double value(double length, double control) const {
        const double w = control - critical_point;
        const double phi = (w + b2 * w * w) * std::pow(length, 1 / exponent);
        return critical_value + slope * phi + curvature * phi * phi + cubic * phi * phi * phi +
               (correction + tilt * phi) * std::pow(length, irrelevant_exponent);
    }
};

// Data at each length and `controls` control parameters around the critical point. Each has the relative error, and
// noise of this size that depends on the seed; seed 0 is without noise.
inline Problem data_of(const Transition& transition, double relative_error, std::uint64_t seed, int controls = 21,
                       const std::vector<double>& lengths = {4, 6, 8, 10, 12, 14}) {
    Problem problem;
    for (const double length : lengths)
        for (int i = 0; i < controls; ++i) {
            const double control = transition.critical_point - 1.5 + 3.0 * i / (controls - 1);
            const double exact = transition.value(length, control), error = relative_error * std::fabs(exact);
            const auto at = static_cast<std::uint32_t>(problem.value.size());
            const double noise = seed == 0 ? 0 : random::normal(random::philox_pair(seed, 1, 0, at));
            problem.length.push_back(length);
            problem.control.push_back(control);
            problem.value.push_back(exact + error * noise);
            problem.error.push_back(error);
        }
    return problem;
}

}  // namespace legato::fss::tests
