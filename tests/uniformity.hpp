// Checks whether numbers are uniformly distributed, such as the probabilities that follow from tests of a right model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace legato::tests {

// Returns the probability that uniform numbers deviate from uniformity as much as these (Kolmogorov and Smirnov,
// asymptotic).
inline double uniformity(std::vector<double> p) {
    std::sort(p.begin(), p.end());
    const auto n = static_cast<double>(p.size());
    double distance = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto below = static_cast<double>(i);
        distance = std::max({distance, p[i] - below / n, (below + 1) / n - p[i]});
    }
    const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
    double sum = 0;
    for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
    return std::clamp(sum, 0.0, 1.0);
}

}  // namespace legato::tests
