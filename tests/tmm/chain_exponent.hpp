// Computes the Lyapunov exponent of a disordered chain without any propagation. The stationary distribution of a ratio
// of neighbours is found on a grid (F. J. Dyson, Phys. Rev. 92, 1331 (1953); H. Schmidt, Phys. Rev. 105, 425 (1957)).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace legato::tmm::tests {

// Returns the exponent for uniform disorder of width W > 0, on a grid of `cells` cells. Let q = psi_{n-1} / psi_n and
// v = E - V. The next ratio psi_{n+1} / psi_n is then v - q. The exponent is the mean of ln |v - q| over v, which is
// elementary, and over the stationary q. Each cell holds the q of an equal share of the angles atan q.
inline double chain_exponent_on(int cells, double energy, double disorder) {
    const auto count = static_cast<std::size_t>(cells);
    const double low = energy - disorder / 2, step = M_PI / cells;
    std::vector<double> middle(count), edge(count + 1), mass(count, 1.0 / cells), next(count);
    for (std::size_t i = 0; i < count; ++i) {
        middle[i] = std::tan(-M_PI / 2 + (static_cast<double>(i) + 0.5) * step);
        edge[i + 1] = i + 1 == count ? INFINITY : std::tan(-M_PI / 2 + static_cast<double>(i + 1) * step);
    }
    edge[0] = -INFINITY;
    for (int turn = 0; turn < 20000; ++turn) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t j = 0; j < count; ++j) {
            const double first = low - middle[j];  // the ratio is uniform on [first, first + disorder]
            auto i = static_cast<std::size_t>(std::upper_bound(edge.begin(), edge.end(), first) - edge.begin()) - 1;
            double below = 0;
            for (; below < 1 && i < count; ++i) {
                const double up_to = std::min((edge[i + 1] - first) / disorder, 1.0);
                next[i] += mass[j] * (up_to - below);
                below = up_to;
            }
        }
        // atan(1 / x) is pi / 2 - atan x: a rotation by half the circle, whose ends meet, and a reflection.
        double change = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double value = next[(count + count / 2 - 1 - i) % count];
            change += std::fabs(value - mass[i]);
            mass[i] = value;
        }
        if (change < 1e-11) break;
    }
    const auto integral = [](double x) { return x == 0 ? 0.0 : x * std::log(std::fabs(x)) - x; };
    double exponent = 0;
    for (std::size_t j = 0; j < count; ++j)
        exponent += mass[j] * (integral(low + disorder - middle[j]) - integral(low - middle[j])) / disorder;
    return exponent;
}

// Returns the exponent, extrapolated in the step of the grid. The error of the grid is proportional to its step; the
// extrapolation leaves 1e-6 for W >= 1.
inline double chain_exponent(double energy, double disorder) {
    return 2 * chain_exponent_on(2400, energy, disorder) - chain_exponent_on(1200, energy, disorder);
}

}  // namespace legato::tmm::tests
