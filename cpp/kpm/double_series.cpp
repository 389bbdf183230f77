#include "kpm/double_series.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "kpm/cosine_transform.hpp"

namespace legato::kpm {
namespace {

using std::numbers::pi;

// The kernel for |z| < 1, which is 0 elsewhere.
double kernel_at(double z, std::size_t width) {
    const double b = 2.3 * static_cast<double>(width);
    return std::abs(z) < 1 ? std::exp(b * (std::sqrt((1 - z) * (1 + z)) - 1)) : 0;
}

// Returns, for each n, by what the interpolation multiplies cos(n x): the Fourier transform of the kernel. The midpoint
// rule is accurate to rounding, because the kernel has vanished at both ends.
std::vector<double> attenuation(std::size_t count, std::size_t points, std::size_t width) {
    constexpr int steps = 200;
    const double reach = static_cast<double>(width) / 2;  // in points of the grid
    std::vector<double> factors(count);
    for (std::size_t n = 0; n < count; ++n) {
        const double phase = static_cast<double>(n) * reach * pi / static_cast<double>(points);
        for (int s = 0; s < steps; ++s) {
            const double z = (s + 0.5) / steps;
            factors[n] += 2 * reach / steps * kernel_at(z, width) * std::cos(phase * z);
        }
    }
    return factors;
}

template <class Work>
void for_each(std::size_t count, const Effort& effort, const Work& work) {
    Rounds rounds(static_cast<std::int64_t>(count), effort.threads);
    while (rounds.next()) {
        in_parallel(static_cast<std::size_t>(rounds.last - rounds.first), rounds.threads,
                    [&](std::size_t i) { work(static_cast<std::size_t>(rounds.first) + i); });
        if (effort.pause) effort.pause();
    }
}

}  // namespace

DoubleSeries::DoubleSeries(std::span<const double> coefficients, std::size_t count, const Effort& effort)
    : points_(std::bit_ceil(std::max(2 * count, std::size_t{16}))) {
    const std::vector<double> factors = attenuation(count, points_, width);
    const CosineTransform transform(points_, count);
    std::vector<double> half(points_ * count);  // [y][m]
    for_each(count, effort, [&](std::size_t m) {
        std::vector<double> row(count);
        for (std::size_t n = 0; n < count; ++n) row[n] = coefficients[m * count + n] / (factors[m] * factors[n]);
        const std::vector<double> values = transform(row);
        for (std::size_t k = 0; k < points_; ++k) half[k * count + m] = values[k];
    });
    grid_.resize(points_ * points_);
    for_each(points_, effort, [&](std::size_t k) {
        const std::vector<double> values = transform(std::span(half).subspan(k * count, count));
        std::copy(values.begin(), values.end(), grid_.begin() + static_cast<std::ptrdiff_t>(k * points_));
    });
}

// The points of the grid are pi (k + 1/2) / P. Cosines are even about 0 and about pi, so that points beyond the ends
// are reflected.
DoubleSeries::Weights DoubleSeries::weights(double x) const {
    const auto points = static_cast<std::int64_t>(points_);
    const double reach = static_cast<double>(width) / 2, at = x / pi * static_cast<double>(points_) - 0.5;
    const auto first = static_cast<std::int64_t>(std::ceil(at - reach));
    Weights weights{};
    for (std::size_t j = 0; j < width; ++j) {
        std::int64_t k = first + static_cast<std::int64_t>(j);
        weights.value[j] = kernel_at((static_cast<double>(k) - at) / reach, width);
        if (k < 0) k = -1 - k;
        if (k >= points) k = 2 * points - 1 - k;
        weights.at[j] = static_cast<std::size_t>(k);
    }
    return weights;
}

double DoubleSeries::operator()(double x, double y) const {
    const Weights of_x = weights(x), of_y = weights(y);
    double sum = 0;
    for (std::size_t l = 0; l < width; ++l) {
        const double* const row = grid_.data() + of_y.at[l] * points_;
        double in_row = 0;
        for (std::size_t k = 0; k < width; ++k) in_row += of_x.value[k] * row[of_x.at[k]];
        sum += of_y.value[l] * in_row;
    }
    return sum;
}

}  // namespace legato::kpm
