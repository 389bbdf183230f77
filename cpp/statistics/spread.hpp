// Standard errors of the means of several quantities from the spread of independent values, by running means and sums
// of squared deviations (B. P. Welford, Technometrics 4, 419 (1962)).
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace legato::statistics {

class Spread {
  public:
    explicit Spread(std::size_t quantities) : mean_(quantities), squares_(quantities) {}

    // Adds value number `number`, from 0, of the quantities first .. last - 1. Several threads may add different
    // quantities at the same time.
    void add(std::size_t number, std::span<const double> values, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const double deviation = values[i] - mean_[i];
            mean_[i] += deviation / static_cast<double>(number + 1);
            squares_[i] += deviation * (values[i] - mean_[i]);
        }
    }

    // Writes the standard errors of the means of `count` values of each quantity, NaN if there are less than two.
    void errors(std::size_t count, std::span<double> error) const {
        const auto n = static_cast<double>(count);
        for (std::size_t i = 0; i < error.size(); ++i)
            error[i] = count < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares_[i] / (n * (n - 1)));
    }

  private:
    std::vector<double> mean_, squares_;
};

}  // namespace legato::statistics
