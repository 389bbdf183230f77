// Averages and their errors from a run's bins.
#include <cmath>
#include <numbers>

#include "core/validate.hpp"
#include "ising/solver.hpp"
#include "statistics/autocorrelation.hpp"

namespace legato::ising {
namespace {

// [bins][quantities] of means of several quantities.
std::vector<double> interleaved(const std::vector<std::vector<double>>& means) {
    std::vector<double> all;
    for (std::size_t i = 0; i < means[0].size(); ++i)
        for (const std::vector<double>& of_one : means) all.push_back(of_one[i]);
    return all;
}

// From occupations of the levels 4, 8, 16 of a demon, p = 1 / (exp(beta E) + 1): the beta that fits their mean energy.
double beta_of_demons(std::span<const double> occupation) {
    constexpr double levels[3] = {4, 8, 16};
    double energy = 0;
    for (std::size_t i = 0; i < 3; ++i) energy += levels[i] * occupation[i];
    double low = -10, high = 20;
    for (int step = 0; step < 100; ++step) {
        const double beta = (low + high) / 2;
        double there = 0;
        for (const double level : levels) there += level / (std::exp(beta * level) + 1);
        (there > energy ? low : high) = beta;
    }
    return (low + high) / 2;
}

}  // namespace

void Solver::require_beta(std::size_t beta) const {
    require_index("ising.beta", beta, problem().betas.size());
}

// In sweeps, of a value whose square is another one: that between bins, and within them by their variance.
statistics::Estimate Solver::autocorrelation(std::size_t value, std::size_t square, std::size_t beta,
                                             const statistics::Estimate& mean) const {
    const std::size_t systems = systems_per_beta(problem());
    const std::vector<double> means = bins_.means(value, beta);
    const double variance = statistics::mean_of(bins_.means(square, beta)).mean - mean.mean * mean.mean;
    const statistics::Estimate between = statistics::integrated_autocorrelation_time(means, systems);
    if (!(variance > 1e-13 * mean.mean * mean.mean) || between.mean == 0) return {};
    const auto bins = static_cast<double>(means.size());
    const double of_bins = std::pow(statistics::mean_of(means).error, 2) * bins;
    const double sweeps = static_cast<double>(problem().measurements_per_bin * problem().sweeps_per_measurement);
    const double time = between.mean * of_bins / variance * sweeps;
    return {time, time * std::hypot(between.error / between.mean, std::sqrt(2 / bins))};
}

Averages Solver::averages(std::size_t beta) const {
    require_beta(beta);
    Averages a;
    a.bins_done = bins_done();
    if (a.bins_done == 0) return a;
    const std::size_t systems = systems_per_beta(problem());
    const auto means = [&](std::size_t value) { return bins_.means(value, beta); };
    const auto of = [&](std::size_t value) { return statistics::binning(means(value), systems).estimate; };
    const auto by = [&](std::initializer_list<std::size_t> values, const auto& function) {
        std::vector<std::vector<double>> all;
        for (const std::size_t value : values) all.push_back(means(value));
        return statistics::binned_jackknife(interleaved(all), all.size(), systems, function);
    };
    using Means = std::span<const double>;
    const auto sites = static_cast<double>(model_.sites());
    const double b = problem().betas[beta];
    a.magnetisation = of(BinnedValues::m);
    a.absolute_magnetisation = of(BinnedValues::absolute_m);
    a.magnetisation_2 = of(BinnedValues::m_2);
    a.magnetisation_4 = of(BinnedValues::m_4);
    a.energy = of(BinnedValues::e);
    a.specific_heat =
        by({BinnedValues::e, BinnedValues::e_2}, [&](Means m) { return b * b * sites * (m[1] - m[0] * m[0]); });
    a.susceptibility =
        by({BinnedValues::absolute_m, BinnedValues::m_2}, [&](Means m) { return sites * (m[1] - m[0] * m[0]); });
    a.binder = by({BinnedValues::m_2, BinnedValues::m_4},
                  [](Means m) { return m[0] > 0 ? 1 - m[1] / (3 * m[0] * m[0]) : 0.0; });
    a.energy_autocorrelation = autocorrelation(BinnedValues::e, BinnedValues::e_2, beta, a.energy);
    a.magnetisation_autocorrelation =
        autocorrelation(BinnedValues::absolute_m, BinnedValues::m_2, beta, a.absolute_magnetisation);
    const double enough = 20 * std::max(a.energy_autocorrelation.mean, a.magnetisation_autocorrelation.mean);
    a.bins_are_short = static_cast<double>(problem().measurements_per_bin * problem().sweeps_per_measurement) < enough;
    a.thermalisation_is_short = static_cast<double>(problem().thermalisation) < enough;
    if (!has_demons(problem().algorithm)) return a;
    const std::size_t first = bins_.values().demons;
    for (std::size_t level = 0; level < 3; ++level) a.demon_occupation[level] = of(first + level);
    a.demon_beta = by({first, first + 1, first + 2}, beta_of_demons);
    return a;
}

CorrelationFunction Solver::correlation_function(std::size_t beta, int axis) const {
    require_beta(beta);
    if (!problem().correlations)
        fail(Status::invalid_argument, "ising.params.correlations: 0; the run does not measure them");
    if (axis < 0 || axis >= problem().lattice.dimensions)
        fail(Status::invalid_argument, "ising.axis: ", axis, " is not in 0..", problem().lattice.dimensions - 1);
    CorrelationFunction function{{1, 0}};
    if (bins_done() == 0) return {};
    const auto a = static_cast<std::size_t>(axis);
    const auto distances = static_cast<std::size_t>(problem().lattice.extents[a] / 2);
    for (std::size_t r = 0; r < distances; ++r)
        function.push_back(
            statistics::binning(bins_.means(bins_.values().correlations[a] + r, beta), systems_per_beta(problem()))
                .estimate);
    return function;
}

statistics::Estimate Solver::correlation_length(std::size_t beta) const {
    require_beta(beta);
    if (!problem().correlations)
        fail(Status::invalid_argument, "ising.params.correlations: 0; the run does not measure them");
    const auto axis = static_cast<std::size_t>(problem().lattice.dimensions) - 1;
    if (problem().lattice.boundary[axis] != Boundary::periodic)
        fail(Status::invalid_argument, "ising.params.boundary[", axis,
             "]: 1, but the second moment is that of a periodic axis");
    if (bins_done() == 0) return {};
    const auto sites = static_cast<double>(model_.sites());
    const double unit = 2 * std::sin(std::numbers::pi / static_cast<double>(problem().lattice.extents[axis]));
    return statistics::binned_jackknife(
        interleaved({bins_.means(BinnedValues::m_2, beta), bins_.means(bins_.values().structure_factor, beta)}), 2,
        systems_per_beta(problem()), [&](std::span<const double> m) {
            const double ratio = m[1] > 0 ? sites * m[0] / m[1] : 0;
            return ratio > 1 ? std::sqrt(ratio - 1) / unit : 0.0;
        });
}

}  // namespace legato::ising
