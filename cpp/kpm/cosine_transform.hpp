// Sums of cosines at the Chebyshev nodes, by a fast transform.
#pragma once

#include <complex>
#include <cstddef>
#include <kissfft/kissfft.hh>
#include <span>
#include <vector>

namespace legato::kpm {

// Computes y_k = c_0 + sum_n c_n cos(n theta_k), theta_k = pi (k + 1/2) / points, k = 0 .. points - 1, from the
// first coefficients, at most `most` and at most `points`. It takes O(points log points) operations if `points` has
// small prime factors. Several threads may use a transform at the same time.
class CosineTransform {
  public:
    CosineTransform(std::size_t points, std::size_t most);
    std::vector<double> operator()(std::span<const double> c) const;

  private:
    std::size_t points_;
    std::vector<std::complex<double>> phases_;  // [most] exp(i pi n / (2 points))
    kissfft<double> transform_;
};

// Returns the coefficients of the sum that has these values y_k, one for each node.
std::vector<double> cosines_of(std::span<const double> y);

}  // namespace legato::kpm
