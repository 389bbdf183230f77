#include "ising/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/validate.hpp"
#include "statistics/autocorrelation.hpp"
#include "statistics/variance_ratio.hpp"

namespace legato::ising {
namespace {

using statistics::Estimate;
using statistics::unknown;

// Returns the beta that fits the mean energy of demons, from the occupations p = 1 / (exp(beta E) + 1) of the levels
// E = 4, 8, 16.
double beta_of_demons(std::span<const double> occupation) {
    constexpr double levels[3] = {4, 8, 16};
    double energy = 0;
    for (std::size_t i = 0; i < 3; ++i) energy += levels[i] * occupation[i];
    if (!(energy > 0)) return unknown;
    double low = -10, high = 20;
    for (int step = 0; step < 100; ++step) {
        const double beta = (low + high) / 2;
        double there = 0;
        for (const double level : levels) there += level / (std::exp(beta * level) + 1);
        (there > energy ? low : high) = beta;
    }
    return (low + high) / 2;
}

bool has_never_changed(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
}

// Returns the estimate with an unknown error if its values have never changed: they may still change. The error is then
// 0, or rounding.
Estimate sampled(Estimate estimate, bool is_constant) {
    if (estimate.error == 0 || is_constant) estimate.error = unknown;
    return estimate;
}

// Returns whether a mean differs from 0 beyond doubt. `bins` is the number of bins of its error.
bool differs_from_zero(const Estimate& mean, std::size_t bins) {
    constexpr double chance = 1e-4;
    if (mean.mean == 0 || std::isnan(mean.error)) return false;
    return statistics::exceedance(std::pow(mean.mean / mean.error, 2), 1, static_cast<double>(bins) - 1) < chance;
}

// Subtracts from each system's values their mean.
void subtract_means_of_systems(std::vector<double>& values, std::size_t systems) {
    const std::vector<double> means = statistics::means_of_series(values, systems);
    const std::size_t bins = values.size() / systems;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= means[i / bins];
}

}  // namespace

bool energy_is_drawn_once(const Problem& problem) {
    return problem.algorithm == Algorithm::demon_microcanonical && problem.thermalisation > 0;
}

// Estimates a mean and its error by binning, or from the spread of the systems' means.
statistics::Binning Estimates::binned(std::size_t value) const {
    const std::vector<double> means = bins_.means(value, beta_);
    const std::size_t systems = systems_per_beta(problem_);
    if (!energy_is_drawn_once(problem_)) {
        statistics::Binning binning = statistics::binning(means, systems);
        binning.estimate = sampled(binning.estimate, has_never_changed(means));
        return binning;
    }
    const std::vector<double> of_systems = statistics::means_of_series(means, systems);
    statistics::Binning binning;
    binning.estimate = sampled({statistics::mean_of(means).mean, statistics::mean_of(of_systems).error},
                               has_never_changed(of_systems));
    return binning;
}

// Estimates a function of the means of several values, by the jackknife over bins or over systems.
Estimate Estimates::function_of(std::initializer_list<std::size_t> values,
                                const std::function<double(std::span<const double>)>& function) const {
    const std::size_t systems = systems_per_beta(problem_);
    std::vector<std::vector<double>> means;
    for (const std::size_t value : values) {
        means.push_back(bins_.means(value, beta_));
        if (energy_is_drawn_once(problem_)) means.back() = statistics::means_of_series(means.back(), systems);
    }
    std::vector<double> all;  // [bins][values]
    for (std::size_t i = 0; i < means[0].size(); ++i)
        for (const std::vector<double>& of_one : means) all.push_back(of_one[i]);
    return sampled(energy_is_drawn_once(problem_) ? statistics::jackknife(all, means.size(), function)
                                                  : statistics::binned_jackknife(all, means.size(), systems, function),
                   std::all_of(means.begin(), means.end(), has_never_changed));
}

// Estimates factor (<x^2> - <x>^2). It is 0 with an unknown error if it is as small as the rounding of these sums.
Estimate Estimates::fluctuation(std::size_t value, std::size_t square, double factor) const {
    const double of_square = statistics::mean_of(bins_.means(square, beta_)).mean,
                 of_value = statistics::mean_of(bins_.means(value, beta_)).mean,
                 rounding = 4 * std::numeric_limits<double>::epsilon() *
                            std::sqrt(static_cast<double>(problem_.measurements_per_bin)) * of_square;
    if (of_square - of_value * of_value <= rounding) return {0, unknown};
    return function_of({value, square}, [&](std::span<const double> m) { return factor * (m[1] - m[0] * m[0]); });
}

// Returns the autocorrelation time, in sweeps, of a value whose square is the value `square`. It is the time between
// bins times the ratio of the variances of bins and of measurements, which accounts for the correlations within bins.
// If each of several systems has one bin, the bins are independent.
Estimate Estimates::autocorrelation(std::size_t value, std::size_t square, const Estimate& mean) const {
    const std::size_t systems = systems_per_beta(problem_);
    std::vector<double> means = bins_.means(value, beta_);
    double variance = statistics::mean_of(bins_.means(square, beta_)).mean - mean.mean * mean.mean;
    const auto bins = static_cast<double>(means.size());
    double freedom = bins - 1;
    const bool single = means.size() == systems && systems > 1;
    if (energy_is_drawn_once(problem_)) {
        if (single) return {};
        const double all = bins * std::pow(statistics::mean_of(means).error, 2) * (bins - 1);
        subtract_means_of_systems(means, systems);
        freedom = bins - static_cast<double>(systems);
        variance -= (all - bins * std::pow(statistics::mean_of(means).error, 2) * (bins - 1)) / bins;
    }
    const Estimate between = single ? Estimate{0.5, 0} : statistics::integrated_autocorrelation_time(means, systems);
    if (!(variance > 1e-13 * mean.mean * mean.mean) || !(between.mean > 0)) return {};
    const double of_bins = std::pow(statistics::mean_of(means).error, 2) * bins * ((bins - 1) / freedom);
    const double sweeps = static_cast<double>(problem_.measurements_per_bin * problem_.sweeps_per_measurement);
    const double time = between.mean * of_bins / variance * sweeps;
    return {time, time * std::hypot(between.error / between.mean, std::sqrt(2 / bins))};
}

// Judges how reliable the averages are. `plain_m` is <m> from the spins themselves, as <|m|> is. The two signs of a
// magnetisation M have probabilities proportional to exp(+-beta h M). Therefore <m> = <|m| tanh(beta h N |m|)> exactly,
// which lies between 0 and <|m|> tanh(|beta h| N) times the sign of beta h. If <m> is outside, its sign has not been
// sampled. Without a field all averages except <m> are the same for both signs; with a field they are not.
void Estimates::check_reliability(Averages& a, const Estimate& plain_m) const {
    const std::size_t bins =
        systems_per_beta(problem_) * (energy_is_drawn_once(problem_) ? 1 : static_cast<std::size_t>(a.bins_done));
    const double field = problem_.betas[beta_] * problem_.field, m = field < 0 ? -plain_m.mean : plain_m.mean,
                 most =
                     a.absolute_magnetisation.mean * std::tanh(std::fabs(field) * static_cast<double>(model_.sites()));
    const Estimate beyond{m - std::clamp(m, 0.0, most), plain_m.error};
    if (std::fabs(beyond.mean) > a.absolute_magnetisation.mean / 2 || differs_from_zero(beyond, bins)) {
        if (!has_all_clusters(problem_.algorithm)) a.magnetisation.error = unknown;
        a.is_trapped = a.is_trapped || field != 0;
    }
    const double enough = 20 * std::max(a.energy_autocorrelation.mean, a.magnetisation_autocorrelation.mean);
    const bool untold =
        a.is_trapped || std::isnan(a.energy_autocorrelation.mean) || std::isnan(a.magnetisation_autocorrelation.mean);
    a.bins_are_short =
        untold || static_cast<double>(problem_.measurements_per_bin * problem_.sweeps_per_measurement) < enough;
    a.thermalisation_is_short = untold || static_cast<double>(problem_.thermalisation) < enough;
}

Averages Estimates::averages() const {
    Averages a;
    a.bins_done = bins_done_;
    if (a.bins_done == 0) return a;
    const auto sites = static_cast<double>(model_.sites());
    const double b = problem_.betas[beta_];
    const statistics::Binning energy = binned(BinnedValues::e), absolute_m = binned(BinnedValues::absolute_m);
    a.is_trapped = energy.series_differ || absolute_m.series_differ;
    // Clusters of all sites have improved estimators of m, m^2 and m^4.
    const bool improved = has_all_clusters(problem_.algorithm);
    const std::size_t first_of_clusters = bins_.values().clusters, m_1 = improved ? first_of_clusters : BinnedValues::m,
                      m_2 = improved ? first_of_clusters + 1 : BinnedValues::m_2,
                      m_4 = improved ? first_of_clusters + 2 : BinnedValues::m_4;
    a.magnetisation = improved && problem_.field == 0 ? statistics::exactly_zero : binned(m_1).estimate;
    a.absolute_magnetisation = absolute_m.estimate;
    a.magnetisation_2 = binned(m_2).estimate;
    a.magnetisation_4 = binned(m_4).estimate;
    a.energy = energy.estimate;
    a.specific_heat = fluctuation(BinnedValues::e, BinnedValues::e_2, b * b * sites);
    a.susceptibility = fluctuation(BinnedValues::absolute_m, BinnedValues::m_2, sites);
    a.binder = function_of({m_2, m_4},
                           [](std::span<const double> m) { return m[0] > 0 ? 1 - m[1] / (3 * m[0] * m[0]) : unknown; });
    a.energy_autocorrelation = autocorrelation(BinnedValues::e, BinnedValues::e_2, a.energy);
    a.magnetisation_autocorrelation =
        autocorrelation(BinnedValues::absolute_m, BinnedValues::m_2, a.absolute_magnetisation);
    check_reliability(a, improved ? binned(BinnedValues::m).estimate : a.magnetisation);
    if (!has_demons(problem_.algorithm)) return a;
    const std::size_t first = bins_.values().demons;
    for (std::size_t level = 0; level < 3; ++level) a.demon_occupation[level] = binned(first + level).estimate;
    a.demon_beta = function_of({first, first + 1, first + 2}, beta_of_demons);
    return a;
}

void Estimates::require_correlations() const {
    if (!problem_.correlations)
        fail(Status::invalid_argument, "ising.params.correlations: 0; the run does not measure them");
}

CorrelationFunction Estimates::correlation_function(int axis) const {
    require_correlations();
    if (axis < 0 || axis >= problem_.lattice.dimension)
        fail(Status::invalid_argument, "ising.axis: ", axis, " is not in 0..", problem_.lattice.dimension - 1);
    CorrelationFunction function{{1, 0}};
    if (bins_done_ == 0) return {};
    const auto a = static_cast<std::size_t>(axis);
    const auto distances = static_cast<std::size_t>(problem_.lattice.extents[a] / 2);
    for (std::size_t r = 0; r < distances; ++r) function.push_back(binned(bins_.values().correlations[a] + r).estimate);
    // Both ways round the lattice contribute at this distance, with opposite signs.
    if (problem_.lattice.boundary[a] == Boundary::antiperiodic) function.back() = statistics::exactly_zero;
    return function;
}

Estimate Estimates::correlation_length() const {
    require_correlations();
    const auto axis = static_cast<std::size_t>(problem_.lattice.dimension) - 1;
    if (problem_.lattice.boundary[axis] != Boundary::periodic)
        fail(Status::invalid_argument, "ising.params.boundary[", axis,
             "]: 1 (antiperiodic), but the correlation length needs a periodic axis");
    if (bins_done_ == 0) return {};
    const auto sites = static_cast<double>(model_.sites());
    const double unit = 2 * std::sin(std::numbers::pi / static_cast<double>(problem_.lattice.extents[axis]));
    return function_of({BinnedValues::m_2, bins_.values().structure_factor}, [&](std::span<const double> m) {
        // S(0). If all planes are equal, rounding leaves a remainder of S(k).
        const double uniform = sites * m[0];
        return m[1] < uniform && m[1] > 1e-24 * uniform ? std::sqrt(uniform / m[1] - 1) / unit : unknown;
    });
}

}  // namespace legato::ising
