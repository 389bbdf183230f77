#include "fss/solver.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "random/philox.hpp"

namespace legato::fss {
namespace {

constexpr std::size_t least_samples = 100;

// Returns the value below which the share p of the sorted samples lies.
double quantile(const std::vector<double>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spread_of(std::vector<double> samples) {
    if (samples.size() < least_samples) return {};
    std::sort(samples.begin(), samples.end());
    constexpr double one_sigma = 0.6826894921370859;
    Spread spread;
    spread.error = 0.5 * (quantile(samples, 0.5 * (1 + one_sigma)) - quantile(samples, 0.5 * (1 - one_sigma)));
    spread.low = quantile(samples, 0.025);
    spread.high = quantile(samples, 0.975);
    return spread;
}

void require_same(const Context& context, const Problem& problem) {
    Comparison comparison;
    comparison.add_parameters("fss.params", problem);
    comparison.add("fss.length", problem.length);
    comparison.add("fss.control", problem.control);
    comparison.add("fss.value", problem.value);
    comparison.add("fss.error", problem.error);
    comparison.add_rounding();
    comparison.require_same(context);
}

}  // namespace

Solver::Solver(Context& context, Problem problem)
    : context_(context), problem_(std::move(problem)), model_((validate(problem_), problem_)) {
    require_same(context_, problem_);
    parameters_.assign(model_.parameters(), statistics::unknown);
}

Progress Solver::progress() const {
    Progress progress;
    progress.points_done = (status_ == FitStatus::waiting ? 0 : 1) + resamples_done();
    progress.points_total = 1 + (status_ == FitStatus::not_converged ? 0 : problem_.resamples);
    progress.cycles_done = progress.points_done;
    return progress;
}

std::int64_t Solver::resamples_failed() const {
    return std::count_if(samples_.begin(), samples_.end(), [](const auto& sample) { return sample.empty(); });
}

double Solver::goodness_of_fit() const {
    const std::size_t freedom = problem_.value.size() - model_.parameters();
    if (freedom == 0 || std::isnan(chi2_)) return statistics::unknown;
    return boost::math::gamma_q(0.5 * static_cast<double>(freedom), 0.5 * chi2_);
}

Spread Solver::spread(std::size_t parameter) const {
    std::vector<double> values;
    for (const auto& sample : samples_)
        if (!sample.empty()) values.push_back(sample[parameter]);
    return spread_of(std::move(values));
}

double Solver::value(double length, double control) const {
    return value(fields(length, control));
}

Spread Solver::value_spread(double length, double control) const {
    std::vector<double> values;
    for (const auto& sample : samples_)
        if (!sample.empty()) values.push_back(model_.value(sample, model_.fields(sample, length, control)));
    return spread_of(std::move(values));
}

bool Solver::step(Reporter& reporter) {
    if (status_ == FitStatus::waiting) {
        fit();
    } else {
        const auto left = static_cast<std::size_t>(problem_.resamples - resamples_done());
        resample(std::min(left, 8 * static_cast<std::size_t>(context_.threads())));
    }
    reporter.report_if_due();
    return true;
}

// Returns the best starts of a coarse search in x_c, nu and y.
std::vector<std::vector<double>> Solver::starts() const {
    constexpr double exponents[] = {0.5, 0.75, 1.1, 1.6, 2.4, 3.6}, irrelevant[] = {-0.5, -1.0, -2.0, -4.0};
    constexpr std::size_t places = 9, most_data = 2000, kept = 8;
    const auto [lowest, highest] = std::minmax_element(problem_.control.begin(), problem_.control.end());
    struct Start {
        double chi2 = 0;
        std::vector<double> parameters;
    };
    const std::size_t corrections = model_.is_corrected() ? std::size(irrelevant) : 1;
    std::vector<Start> all(places * std::size(exponents) * corrections);
    const std::size_t stride = (problem_.value.size() + most_data - 1) / most_data;
    in_parallel(all.size(), context_.threads(), [&](std::size_t i) {
        const double share = static_cast<double>(i % places + 1) / (places + 1);
        const std::size_t rest = i / places;
        all[i].parameters =
            linear_start(model_, problem_, stride, *lowest + share * (*highest - *lowest),
                         exponents[rest % std::size(exponents)], irrelevant[rest / std::size(exponents)], all[i].chi2);
    });
    std::stable_sort(all.begin(), all.end(), [](const Start& a, const Start& b) { return a.chi2 < b.chi2; });
    std::vector<std::vector<double>> best;
    for (Start& start : all)
        if (std::isfinite(start.chi2) && best.size() < kept) best.push_back(std::move(start.parameters));
    return best;
}

void Solver::fit() {
    const std::vector<std::vector<double>> from = starts();
    std::vector<Minimum> minima(from.size());
    in_parallel(from.size(), context_.threads(),
                [&](std::size_t i) { minima[i] = minimise(model_, problem_, problem_.value, from[i]); });
    const Minimum* best = nullptr;
    for (const Minimum& minimum : minima)
        if (minimum.converged && (!best || minimum.chi2 < best->chi2)) best = &minimum;
    if (!best) {
        status_ = FitStatus::not_converged;
        return;
    }
    fitted_.resize(problem_.value.size());
    parameters_ = best->parameters;
    chi2_ = best->chi2;
    for (std::size_t i = 0; i < fitted_.size(); ++i) fitted_[i] = value(problem_.length[i], problem_.control[i]);
    samples_.reserve(static_cast<std::size_t>(problem_.resamples));
    status_ = best->determined ? FitStatus::converged : FitStatus::undetermined;
}

// Fits `count` further synthetic data sets. Their random numbers depend on the numbers of the set and of the datum
// only.
void Solver::resample(std::size_t count) {
    std::vector<std::vector<double>> samples(count);
    const std::size_t first = samples_.size();
    in_parallel(count, context_.threads(), [&](std::size_t i) {
        std::vector<double> values = fitted_;
        for (std::size_t datum = 0; datum < values.size(); ++datum)
            values[datum] += problem_.error[datum] *
                             random::normal(random::philox_pair(static_cast<std::uint64_t>(problem_.seed), 0, first + i,
                                                                static_cast<std::uint32_t>(datum)));
        Minimum minimum = minimise(model_, problem_, values, parameters_);
        if (minimum.converged) samples[i] = std::move(minimum.parameters);
    });
    for (auto& sample : samples) samples_.push_back(std::move(sample));
}

}  // namespace legato::fss
