#include "statistics/autocorrelation.hpp"

#include <cmath>
#include <vector>

namespace legato::statistics {
namespace {

// Returns the mean product of deviations over all pairs of values at this distance.
double covariance(std::span<const double> deviations, std::size_t series, std::size_t distance) {
    const std::size_t length = deviations.size() / series;
    double sum = 0;
    for (std::size_t s = 0; s < series; ++s) {
        const double* const d = deviations.data() + s * length;
        for (std::size_t i = 0; i + distance < length; ++i) sum += d[i] * d[i + distance];
    }
    return sum / static_cast<double>(series * (length - distance));
}

}  // namespace

Estimate integrated_autocorrelation_time(std::span<const double> values, std::size_t series) {
    if (values.size() < 2 * series) return {};
    const double mean = mean_of(values).mean;
    std::vector<double> deviations;
    for (const double value : values) deviations.push_back(value - mean);
    const double variance = covariance(deviations, series, 0);
    const auto count = static_cast<double>(values.size());
    if (!(variance > 1e-28 * mean * mean)) return {};
    constexpr double s = 1.5;
    double sum = 0.5;
    const std::size_t length = values.size() / series;
    std::size_t window = 0;
    while (window + 1 < length) {
        ++window;
        sum += covariance(deviations, series, window) / variance;
        const double decay = sum > 0.5 ? s / std::log((2 * sum + 1) / (2 * sum - 1)) : 1e-10;
        const auto w = static_cast<double>(window);
        if (std::exp(-w / decay) - decay / std::sqrt(w * count) < 0) break;
    }
    const auto w = static_cast<double>(window);
    const double time = sum * (1 + (2 * w + 1) / count);  // corrects the bias: the mean is from the same values
    return {time, std::fabs(time) * std::sqrt((4 * w + 2) / count)};
}

}  // namespace legato::statistics
