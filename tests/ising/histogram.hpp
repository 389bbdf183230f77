// Computes averages of 4 x 4 spins from the number of configurations of each magnetisation and energy, for every
// temperature and field. It uses no code of the library.
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace legato::ising::tests {

struct ExactAverages {
    double m = 0, absolute_m = 0, m_2 = 0, m_4 = 0, e = 0, e_2 = 0;

    double specific_heat(double beta) const { return beta * beta * 16 * (e_2 - e * e); }
    double susceptibility() const { return 16 * (m_2 - absolute_m * absolute_m); }
    double binder() const { return 1 - m_4 / (3 * m_2 * m_2); }
};

class Histogram {
  public:
    Histogram() {
        for (unsigned spins = 0; spins < 1u << 16; ++spins) {
            int bonds = 0;
            for (int x = 0; x < 4; ++x)
                for (int y = 0; y < 4; ++y)
                    bonds += spin(spins, x, y) * (spin(spins, x + 1, y) + spin(spins, x, y + 1));
            ++count_[{2 * std::popcount(spins) - 16, bonds}];
        }
    }

    ExactAverages averages(double beta, double field) const {
        double most = -1e300, weights = 0;
        for (const auto& [sums, count] : count_) most = std::fmax(most, beta * (sums.second + field * sums.first));
        ExactAverages a;
        for (const auto& [sums, count] : count_) {
            const double m = sums.first / 16.0, e = -(sums.second + field * sums.first) / 16.0,
                         weight = count * std::exp(beta * (sums.second + field * sums.first) - most);
            weights += weight;
            a.m += weight * m;
            a.absolute_m += weight * std::fabs(m);
            a.m_2 += weight * m * m;
            a.m_4 += weight * m * m * m * m;
            a.e += weight * e;
            a.e_2 += weight * e * e;
        }
        for (double* sum : {&a.m, &a.absolute_m, &a.m_2, &a.m_4, &a.e, &a.e_2}) *sum /= weights;
        return a;
    }

  private:
    static int spin(unsigned spins, int x, int y) { return (spins >> (x % 4 + 4 * (y % 4)) & 1u) != 0 ? 1 : -1; }

    std::map<std::pair<int, int>, int> count_;  // number of configurations by the sums of the spins and of the bonds
};

}  // namespace legato::ising::tests
