#include "statistics/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/variance_ratio.hpp"

namespace legato::statistics {
namespace {

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Probability that series which do not differ are taken to differ. It is small, because many quantities are tested.
constexpr double chance = 1e-3;

// Returns the means of pairs of neighbours in each series. The last value of an odd number is left out.
std::vector<double> merged(std::span<const double> values, std::size_t series) {
    const std::size_t length = values.size() / series;
    std::vector<double> pairs;
    for (std::size_t s = 0; s < series; ++s)
        for (std::size_t i = 0; i + 1 < length; i += 2)
            pairs.push_back((values[s * length + i] + values[s * length + i + 1]) / 2);
    return pairs;
}

}  // namespace

Estimate mean_of(std::span<const double> values) {
    if (values.empty()) return {};
    Estimate result{mean(values), unknown};
    const auto count = static_cast<double>(values.size());
    if (values.size() < 2) return result;
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    result.error = std::sqrt(squares / (count * (count - 1)));
    return result;
}

std::vector<double> means_of_series(std::span<const double> values, std::size_t series) {
    const std::size_t length = values.size() / series;
    std::vector<double> means;
    for (std::size_t s = 0; s < series; ++s) means.push_back(mean(values.subspan(s * length, length)));
    return means;
}

namespace {

// Tests by analysis of variance whether the series differ: it compares the spread of the series' means with that of the
// bins within the series. The bins are taken as independent.
bool differ(std::span<const double> bins, std::size_t series) {
    const std::size_t length = bins.size() / series;
    if (series < 2 || length < 2) return false;
    const std::vector<double> means = means_of_series(bins, series);
    double within = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) within += std::pow(bins[i] - means[i / length], 2);
    const auto n = static_cast<double>(series), each = static_cast<double>(length);
    const double of_means = std::pow(mean_of(means).error, 2) * n * each, of_bins = within / (n * (each - 1));
    if (!(of_means > of_bins)) return false;
    const double ratio = of_bins > 0 ? of_means / of_bins : std::numeric_limits<double>::infinity();
    return exceedance(ratio, n - 1, n * (each - 1)) < chance;
}

}  // namespace

// Chooses the first bins with length^3 > 2 n (error / error of single values)^4. What correlations between such bins
// still hide is less than the uncertainty of the error that follows from their finite number (R. M. Lee et al., Phys.
// Rev. E 83, 066706 (2011)).
Binning binning(std::span<const double> values, std::size_t series) {
    Binning result;
    result.estimate = mean_of(values);
    if (values.size() < 2) return result;
    std::vector<double> bins(values.begin(), values.end()), chosen;
    bool long_enough = false;
    for (double length = 1; result.errors.empty() || bins.size() >= least_bins; length *= 2) {
        result.errors.push_back(mean_of(bins).error);
        const double ratio = result.errors[0] > 0 ? result.errors.back() / result.errors[0] : unknown;
        if (!long_enough) {
            result.estimate.error = result.errors.back();
            result.autocorrelation_time = ratio * ratio / 2;
            chosen = bins;
        }
        long_enough = std::pow(length, 3) > 2 * static_cast<double>(values.size()) * std::pow(ratio, 4) || long_enough;
        if (bins.size() / series < 2) break;
        bins = merged(bins, series);
    }
    result.series_differ = differ(chosen, series);
    if (result.series_differ) result.estimate.error = mean_of(means_of_series(values, series)).error;
    return result;
}

namespace {

// Returns n f(all) - (n - 1) f(all but one) for each of the n values. Their mean is the estimate, and the error of that
// mean is its error. Returns f(all) alone if one of them is not finite.
std::vector<double> pseudo_values(std::span<const double> values, std::size_t quantities,
                                  const std::function<double(std::span<const double>)>& function) {
    const std::size_t count = values.size() / quantities;
    std::vector<double> sums(quantities), means(quantities), result;
    for (std::size_t i = 0; i < count * quantities; ++i) sums[i % quantities] += values[i];
    const auto n = static_cast<double>(count);
    for (std::size_t q = 0; q < quantities; ++q) means[q] = sums[q] / n;
    const double whole = function(means);
    if (count < 2) return {whole};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t q = 0; q < quantities; ++q) means[q] = (sums[q] - values[i * quantities + q]) / (n - 1);
        result.push_back(whole + (n - 1) * (whole - function(means)));
        if (!std::isfinite(result.back())) return {whole};
    }
    return result;
}

}  // namespace

Estimate jackknife(std::span<const double> values, std::size_t quantities,
                   const std::function<double(std::span<const double>)>& function) {
    return mean_of(pseudo_values(values, quantities, function));
}

Estimate binned_jackknife(std::span<const double> values, std::size_t quantities, std::size_t series,
                          const std::function<double(std::span<const double>)>& function) {
    const std::vector<double> pseudo = pseudo_values(values, quantities, function);
    return pseudo.size() % series == 0 ? binning(pseudo, series).estimate : mean_of(pseudo);
}

}  // namespace legato::statistics
