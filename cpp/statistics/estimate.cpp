#include "statistics/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace legato::statistics {
namespace {

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Means of neighbours in each series; the last value of an odd number is left out.
std::vector<double> merged(std::span<const double> values, std::size_t series) {
    const std::size_t length = values.size() / series;
    std::vector<double> pairs;
    for (std::size_t s = 0; s < series; ++s)
        for (std::size_t i = 0; i + 1 < length; i += 2)
            pairs.push_back((values[s * length + i] + values[s * length + i + 1]) / 2);
    return pairs;
}

// Relative uncertainty of an error from the spread of `count` values.
double uncertainty(std::size_t count) {
    return 1 / std::sqrt(2.0 * static_cast<double>(count - 1));
}

}  // namespace

Estimate mean_of(std::span<const double> values) {
    if (values.empty()) return {};
    Estimate result{mean(values), 0};
    const auto count = static_cast<double>(values.size());
    if (values.size() < 2) return result;
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    result.error = std::sqrt(squares / (count * (count - 1)));
    return result;
}

// The error is that of the first level which the later ones exceed by no more than their own uncertainty.
Binning binning(std::span<const double> values, std::size_t series) {
    Binning result;
    result.estimate = mean_of(values);
    if (values.size() < 2) return result;
    std::vector<double> bins(values.begin(), values.end());
    std::vector<std::size_t> counts;
    while (result.errors.empty() || bins.size() >= least_bins) {
        result.errors.push_back(mean_of(bins).error);
        counts.push_back(bins.size());
        if (bins.size() / series < 2) break;
        bins = merged(bins, series);
    }
    std::size_t level = 0;
    for (std::size_t l = 1; l < counts.size(); ++l)
        if (result.errors[l] > result.errors[level] * (1 + uncertainty(counts[l]))) level = l;
    result.estimate.error = result.errors[level];
    const double ratio = result.errors[0] > 0 ? result.errors[level] / result.errors[0] : 0;
    result.autocorrelation_time = ratio * ratio / 2;
    return result;
}

Estimate jackknife(std::span<const double> values, std::size_t quantities,
                   const std::function<double(std::span<const double>)>& function) {
    const std::size_t count = values.size() / quantities;
    std::vector<double> sums(quantities), means(quantities), without;
    for (std::size_t i = 0; i < count * quantities; ++i) sums[i % quantities] += values[i];
    const auto n = static_cast<double>(count);
    for (std::size_t q = 0; q < quantities; ++q) means[q] = sums[q] / n;
    const double whole = function(means);
    if (count < 2) return {whole, 0};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t q = 0; q < quantities; ++q) means[q] = (sums[q] - values[i * quantities + q]) / (n - 1);
        without.push_back(function(means));
    }
    const Estimate of_those = mean_of(without);
    return {n * whole - (n - 1) * of_those.mean, (n - 1) * of_those.error};
}

}  // namespace legato::statistics
