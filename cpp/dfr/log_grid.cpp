#include "dfr/log_grid.hpp"

#include <cmath>
#include <numbers>

namespace legato::dfr {

double LogGrid::radius(std::size_t i) const {
    return std::exp(first + static_cast<double>(i) * step);
}

LogGrid make_log_grid(double smallest_exponent, double largest_exponent) {
    // A product of two basis functions goes at least as r^2 at the nucleus, with the weight as r^2.5. The grid begins
    // where the steepest product is e^(-32.5) = 8e-15 of its value at r = (2 zeta)^(-1/2). It ends where the most
    // diffuse product is below e^(-40).
    constexpr double below = 13.0, decay = 20.0;
    const double first = -0.5 * std::log(2.0 * largest_exponent) - below,
                 last = 0.5 * std::log(decay / smallest_exponent);
    const auto points = static_cast<std::size_t>(std::ceil((last - first) / log_step)) + 1;
    return {first, log_step, (points + grid_multiple - 1) / grid_multiple * grid_multiple};
}

namespace {

// Exp-sinh quadrature: int_0^inf e^(-u) f(u) du is the sum of weight f(node). Its error is 1e-16 for functions without
// structure below u = 1e-30.
struct ExpSinh {
    std::vector<double> nodes, weights;

    ExpSinh() {
        constexpr double h = 0.0625;
        for (int j = -72; j <= 30; ++j) {
            const double t = h * j, u = std::exp(0.5 * std::numbers::pi * std::sinh(t));
            nodes.push_back(u);
            weights.push_back(0.5 * std::numbers::pi * h * std::cosh(t) * u * std::exp(-u));
        }
    }
};

constexpr double band = std::numbers::pi / log_step;

// Returns the real or the imaginary part of int_band^inf e^(i k n step) f(k)/(a^2 + k^2) dk for n > 0. The path is
// turned to k = band (1 + i slope), slope = u / (pi n), where the integrand falls as exp(-u). `numerator` returns this
// part of i f(k) (re - i im), where re + i im is a^2 + k^2.
template <class Numerator>
double beyond_band(const ExpSinh& quadrature, double a, std::size_t n, const Numerator& numerator) {
    const double decay = std::numbers::pi * static_cast<double>(n);
    const double *const node = quadrature.nodes.data(), *const weight = quadrature.weights.data();
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < quadrature.nodes.size(); ++j) {
        const double slope = node[j] / decay;
        const double re = a * a + band * band * (1.0 - slope * slope), im = 2.0 * band * band * slope;
        sum += weight[j] * numerator(slope, re, im) / (re * re + im * im);
    }
    return (n % 2 ? -band : band) * sum / decay;
}

}  // namespace

std::vector<double> band_limited_kernel(int nu, std::size_t count) {
    const double a = nu + 0.5;
    const ExpSinh quadrature;
    std::vector<double> kernel(count);
    kernel[0] = 2.0 / std::numbers::pi * std::atan(band / a);
    for (std::size_t n = 1; n < count; ++n) {
        // The part beyond the band is (2a/pi) int_band^inf cos(k n step)/(a^2 + k^2) dk.
        const double tail = beyond_band(quadrature, a, n, [](double, double, double im) { return im; });
        kernel[n] = std::exp(-a * static_cast<double>(n) * log_step) - 2.0 * a / std::numbers::pi * tail;
    }
    return kernel;
}

std::vector<double> band_limited_odd_kernel(int nu, std::size_t count) {
    const double a = nu + 0.5;
    const ExpSinh quadrature;
    std::vector<double> kernel(count);
    for (std::size_t n = 1; n < count; ++n) {
        // The part beyond the band is (2/pi) int_band^inf k sin(k n step)/(a^2 + k^2) dk.
        const double tail =
            beyond_band(quadrature, a, n, [](double slope, double re, double im) { return band * (re + slope * im); });
        kernel[n] = std::exp(-a * static_cast<double>(n) * log_step) - 2.0 / std::numbers::pi * tail;
    }
    return kernel;
}

}  // namespace legato::dfr
