#include "statistics/variance_ratio.hpp"

#include <array>
#include <cmath>

namespace legato::statistics {
namespace {

// Returns the continued fraction of the incomplete beta function by Lentz's method (W. J. Thompson and A. R. Barnett,
// J. Comput. Phys. 64, 490 (1986)). It converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
    constexpr double tiny = 1e-300, precise = 1e-15;
    constexpr int most_steps = 10000;
    const auto kept_from_zero = [](double value) { return std::fabs(value) < tiny ? tiny : value; };
    double c = 1, d = 1 / kept_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
    for (int k = 1; k < most_steps; ++k) {
        const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
                     odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        double step = 1;
        for (const double coefficient : std::array{even, odd}) {
            d = 1 / kept_from_zero(1 + coefficient * d);
            c = kept_from_zero(1 + coefficient / c);
            step = c * d;
            fraction *= step;
        }
        if (std::fabs(step - 1) < precise) break;
    }
    return fraction;
}

// Returns the logarithm of the gamma function of x > 0. std::lgamma is not used, because it writes the sign to a
// variable that all threads share.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

// Returns the regularised incomplete beta function I_x(a, b).
double incomplete_beta(double x, double a, double b) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);
    const double log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta) / a * beta_fraction(x, a, b);
}

}  // namespace

double exceedance(double ratio, double n, double m) {
    if (std::isinf(ratio)) return 0;
    return incomplete_beta(m / (m + n * ratio), m / 2, n / 2);
}

}  // namespace legato::statistics
