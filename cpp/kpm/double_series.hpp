// Double sums of cosines at any points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kpm/spectrum.hpp"

namespace legato::kpm {

// The function B(x, y) = sum_mn C_mn cos(m x) cos(n y), m, n = 0 .. N - 1. Fast transforms compute it on a grid of
// P >= 2 N points in each direction, for modified coefficients; values between them follow by interpolation with the
// kernel exp(b sqrt(1 - z^2)) (Barnett, Magland and af Klinteberg, SIAM J. Sci. Comput. 41, C479 (2019)). The error is
// about 1e-13 of the largest values.
class DoubleSeries {
  public:
    // The coefficients have C_mn at [m N + n]. The grid takes 8 P^2 bytes, P being the next power of two.
    DoubleSeries(std::span<const double> coefficients, std::size_t count, const Effort& effort);

    // Returns B(x, y) for x and y in [0, pi].
    double operator()(double x, double y) const;

  private:
    static constexpr std::size_t width = 14;  // of the kernel, in points of the grid

    struct Weights {
        std::size_t at[width];  // points of the grid
        double value[width];
    };
    Weights weights(double x) const;

    std::size_t points_;
    std::vector<double> grid_;  // [y][x]
};

}  // namespace legato::kpm
