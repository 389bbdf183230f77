// Sums of cosines at the Chebyshev nodes, by a fast transform.
#pragma once

#include <complex>
#include <cstddef>
#include <kissfft/kissfft.hh>
#include <span>
#include <vector>

namespace legato::kpm {

// Computes y_k = c_0 + sum_n c_n cos(n theta_k), theta_k = pi (k + 1/2) / points, k = 0 .. points - 1, from the first
// `points` coefficients. It takes O(points log points) operations if `points` has small prime factors. Several threads
// may use a transform at the same time.
class CosineTransform {
  public:
    explicit CosineTransform(std::size_t points);
    std::vector<double> operator()(std::span<const double> c) const;

    // Returns the coefficients of the sum with these values at the nodes, one for each node.
    std::vector<double> inverse(std::span<const double> y) const;

  private:
    std::vector<std::complex<double>> phases_;  // exp(i pi n / (2 points))
    kissfft<double> forward_, backward_;
};

}  // namespace legato::kpm
