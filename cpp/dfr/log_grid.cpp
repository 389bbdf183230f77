#include "dfr/log_grid.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace legato::dfr {

double LogGrid::radius(std::size_t i) const {
    return std::exp(first + static_cast<double>(i) * step);
}

LogGrid make_log_grid(double smallest_exponent, double largest_exponent) {
    // Products go at least as r^2 at the nucleus, r^2.5 with the weight; 1e-17 of the largest value is left out, and
    // beyond e^(-40).
    constexpr double below = 13.0, decay = 20.0;
    const double first = -0.5 * std::log(2.0 * largest_exponent) - below,
                 last = 0.5 * std::log(decay / smallest_exponent);
    return {first, log_step, static_cast<std::size_t>(std::ceil((last - first) / log_step)) + 1};
}

std::vector<double> band_limited_kernel(int nu, std::size_t count) {
    const double a = nu + 0.5, band = std::numbers::pi / log_step;
    std::vector<double> kernel(count);
    kernel[0] = 2.0 / std::numbers::pi * std::atan(band / a);
    for (std::size_t n = 1; n < count; ++n) {
        // exp(-a n step) less what lies beyond the band, (2a/pi) int_band^inf cos(k n step)/(a^2 + k^2) dk. Its path
        // is turned to k = band (1 + i u), where it falls as exp(-pi n u); exp-sinh quadrature.
        const double decay = std::numbers::pi * static_cast<double>(n);
        std::complex<double> sum = 0;
        constexpr double h = 0.0625;
        for (int j = -72; j <= 30; ++j) {
            const double t = h * j;
            const double e = std::exp(0.5 * std::numbers::pi * std::sinh(t));  // of u decay
            const double u = e / decay;
            const std::complex<double> k = band * std::complex<double>(1.0, u);
            sum += std::exp(-e) * e * std::cosh(t) / (a * a + k * k);
        }
        sum *= 0.5 * std::numbers::pi * h / decay;
        const double tail = (std::complex<double>(0.0, n % 2 ? -band : band) * sum).real();
        kernel[n] = std::exp(-a * static_cast<double>(n) * log_step) - 2.0 * a / std::numbers::pi * tail;
    }
    return kernel;
}

}  // namespace legato::dfr
