#include "kpm/cosine_transform.hpp"

#include <algorithm>
#include <numbers>

namespace legato::kpm {

CosineTransform::CosineTransform(std::size_t points)
    : phases_(points), forward_(points, true), backward_(points, false) {
    for (std::size_t n = 0; n < points; ++n)
        phases_[n] = std::polar(1.0, std::numbers::pi * static_cast<double>(n) / (2.0 * static_cast<double>(points)));
}

// One complex transform is enough. With z_n = c_n exp(i pi n / (2 points)) and its transform Z, y_(2j) = Re Z_j and
// y_(2j+1) = Re Z_(points-1-j).
std::vector<double> CosineTransform::operator()(std::span<const double> c) const {
    const std::size_t points = phases_.size();
    std::vector<std::complex<double>> in(points), out(points);
    for (std::size_t n = 0; n < std::min(c.size(), points); ++n) in[n] = c[n] * phases_[n];
    forward_.transform(in.data(), out.data());
    std::vector<double> y(points);
    for (std::size_t k = 0; k < points; ++k) y[k] = (k % 2 == 0 ? out[k / 2] : out[points - 1 - k / 2]).real();
    return y;
}

// With the same order of the values, the sum over k of y_k cos(n theta_k) is Re[conj(exp(i pi n / (2 points))) Z_n].
std::vector<double> CosineTransform::inverse(std::span<const double> y) const {
    const std::size_t points = phases_.size();
    std::vector<std::complex<double>> in(points), out(points);
    for (std::size_t k = 0; k < points; ++k) (k % 2 == 0 ? in[k / 2] : in[points - 1 - k / 2]) = y[k];
    backward_.transform(in.data(), out.data());
    std::vector<double> c(points);
    for (std::size_t n = 0; n < points; ++n)
        c[n] = (n == 0 ? 1.0 : 2.0) / static_cast<double>(points) * (std::conj(phases_[n]) * out[n]).real();
    return c;
}

}  // namespace legato::kpm
