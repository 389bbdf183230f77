#include "kpm/cosine_transform.hpp"

#include <algorithm>
#include <numbers>

namespace legato::kpm {
namespace {

// Returns exp(i pi n / (2 points)).
std::complex<double> phase(std::size_t n, std::size_t points) {
    return std::polar(1.0, std::numbers::pi * static_cast<double>(n) / (2.0 * static_cast<double>(points)));
}

}  // namespace

CosineTransform::CosineTransform(std::size_t points, std::size_t most)
    : points_(points), phases_(std::min(most, points)), transform_(points, true) {
    for (std::size_t n = 0; n < phases_.size(); ++n) phases_[n] = phase(n, points);
}

// One complex transform is enough. With z_n = c_n exp(i pi n / (2 points)) and its transform Z, y_(2j) = Re Z_j and
// y_(2j+1) = Re Z_(points-1-j).
std::vector<double> CosineTransform::operator()(std::span<const double> c) const {
    std::vector<std::complex<double>> in(points_), out(points_);
    for (std::size_t n = 0; n < std::min(c.size(), phases_.size()); ++n) in[n] = c[n] * phases_[n];
    transform_.transform(in.data(), out.data());
    std::vector<double> y(points_);
    for (std::size_t k = 0; k < points_; ++k) y[k] = (k % 2 == 0 ? out[k / 2] : out[points_ - 1 - k / 2]).real();
    return y;
}

// With the same order of the values, the sum over k of y_k cos(n theta_k) is Re[conj(exp(i pi n / (2 points))) Z_n].
std::vector<double> cosines_of(std::span<const double> y) {
    const std::size_t points = y.size();
    std::vector<std::complex<double>> in(points), out(points);
    for (std::size_t k = 0; k < points; ++k) (k % 2 == 0 ? in[k / 2] : in[points - 1 - k / 2]) = y[k];
    kissfft<double>(points, false).transform(in.data(), out.data());
    std::vector<double> c(points);
    for (std::size_t n = 0; n < points; ++n)
        c[n] = (n == 0 ? 1.0 : 2.0) / static_cast<double>(points) * (std::conj(phase(n, points)) * out[n]).real();
    return c;
}

}  // namespace legato::kpm
