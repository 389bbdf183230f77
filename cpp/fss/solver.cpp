#include "fss/solver.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "random/philox.hpp"

namespace legato::fss {
namespace {

constexpr std::size_t least_samples = 100;
// Share of the synthetic data sets. The 95 % interval leaves out 2.5 % at each end.
constexpr double most_failed = 0.02;
constexpr int most_evaluations = 2000;

// Returns the value below which the share p of the sorted samples lies.
double quantile(const std::vector<double>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spread_of(std::vector<double> samples) {
    if (!std::all_of(samples.begin(), samples.end(), [](double value) { return std::isfinite(value); })) return {};
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
    const bool ends = status_ == FitStatus::not_converged || status_ == FitStatus::undetermined;
    progress.points_total = 1 + (ends ? 0 : problem_.resamples);
    progress.cycles_done = progress.points_done;
    return progress;
}

std::int64_t Solver::resamples_failed() const {
    return std::count_if(samples_.begin(), samples_.end(), [](const auto& sample) { return sample.empty(); });
}

// Boost's function throws if the probability of a smaller chi^2 underflows.
double Solver::goodness_of_fit() const {
    const std::size_t freedom = problem_.value.size() - model_.parameters();
    if (freedom == 0 || std::isnan(chi2_)) return statistics::unknown;
    const double a = 0.5 * static_cast<double>(freedom), x = 0.5 * chi2_;
    // Below a / 2, P(a, x) is at most twice its first term, x^a e^-x / Gamma(a + 1).
    if (x < 0.5 * a && (x == 0 || a * std::log(x) - x - std::lgamma(a + 1) < -40)) return 1;
    return boost::math::gamma_q(a, x);
}

// Returns false if too few synthetic data sets have been fitted, or so many not that the others may be a selection.
bool Solver::has_errors() const {
    const auto failed = static_cast<double>(resamples_failed()), all = static_cast<double>(samples_.size());
    return all - failed >= static_cast<double>(least_samples) && failed <= most_failed * all;
}

Spread Solver::spread(std::size_t parameter) const {
    if (!has_errors()) return {};
    std::vector<double> values;
    for (const auto& sample : samples_)
        if (!sample.empty()) values.push_back(sample[parameter]);
    return spread_of(std::move(values));
}

double Solver::value(double length, double control) const {
    return value(fields(length, control));
}

Spread Solver::value_spread(double length, double control) const {
    if (!has_errors()) return {};
    std::vector<double> values;
    for (const auto& sample : samples_)
        if (!sample.empty()) values.push_back(model_.value(sample, model_.fields(sample, length, control)));
    return spread_of(std::move(values));
}

// Returns how many fits to do at a time. Ranks may have different numbers of threads, but report at the same places.
std::size_t Solver::at_once() const {
    return static_cast<std::size_t>(of_first_rank(context_, context_.threads()));
}

bool Solver::step(Reporter& reporter) {
    if (status_ == FitStatus::converged)
        resample();
    else if (minima_.empty())
        search();
    else if (descended_ < minima_.size())
        descend();
    else
        choose();
    reporter.report_if_due();
    return true;
}

// Finds starts on a coarse grid of x_c, nu, y and b_2. The best x_c and y for each nu and b_2 are kept: chi^2 of a
// start says little about chi^2 of the minimum to which it leads.
void Solver::search() {
    constexpr double exponents[] = {0.4, 0.7, 1.1, 1.7, 2.7, 4.5, 8}, irrelevant[] = {-0.5, -1, -2, -4};
    constexpr double curvatures[] = {0, -0.3, 0.3, -0.7, 0.7};  // b_2 times half of the range of x
    constexpr std::size_t places = 9, most_data = 500;
    const auto [lowest, highest] = std::minmax_element(problem_.control.begin(), problem_.control.end());
    const double begin = *lowest, range = *highest - begin;
    // Some of the data, evenly over lengths and control parameters.
    std::vector<std::size_t> order(problem_.value.size()), data;
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(problem_.length[a], problem_.control[a]) < std::pair(problem_.length[b], problem_.control[b]);
    });
    const std::size_t count = std::min(order.size(), std::max(most_data, 4 * model_.linear()));
    for (std::size_t i = 0; i < count; ++i) data.push_back(order[i * order.size() / count]);

    const std::size_t corrections = model_.is_corrected() ? std::size(irrelevant) : 1;
    const std::size_t bends = model_.is_curved() ? std::size(curvatures) : 1;
    std::vector<Start> best(std::size(exponents) * bends);
    in_parallel(best.size(), context_.threads(), [&](std::size_t i) {
        best[i].chi2 = std::numeric_limits<double>::infinity();
        for (std::size_t place = 1; place <= places; ++place)
            for (std::size_t k = 0; k < corrections; ++k) {
                Start start;
                start.critical_point = begin + range * static_cast<double>(place) / (places + 1);
                start.exponent = exponents[i % std::size(exponents)];
                start.irrelevant_exponent = irrelevant[k];
                start.b2 = curvatures[i / std::size(exponents)] / (0.5 * range);
                solve_linear(model_, problem_, data, start);
                if (start.chi2 < best[i].chi2) best[i] = std::move(start);
            }
    });
    std::vector<Minimum> starts(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
        starts[i].chi2 = best[i].chi2;
        starts[i].parameters = std::move(best[i].parameters);
    }
    minima_ = std::move(starts);
}

// Takes some starts to their minima.
void Solver::descend() {
    const std::size_t count = std::min(minima_.size() - descended_, at_once());
    std::vector<Minimum> found(count);  // an error must leave the starts as they are
    in_parallel(count, context_.threads(), [&](std::size_t i) {
        const Minimum& start = minima_[descended_ + i];
        if (std::isfinite(start.chi2))
            found[i] = minimise(model_, problem_, problem_.value, start.parameters, most_evaluations);
    });
    std::move(found.begin(), found.end(), minima_.begin() + static_cast<std::ptrdiff_t>(descended_));
    descended_ += count;
}

void Solver::choose() {
    const Minimum* best = nullptr;
    for (const Minimum& minimum : minima_)
        if (minimum.converged && (!best || minimum.chi2 < best->chi2)) best = &minimum;
    if (!best) {
        status_ = FitStatus::not_converged;
        return;
    }
    parameters_ = best->parameters;
    chi2_ = best->chi2;
    fitted_.resize(problem_.value.size());
    for (std::size_t i = 0; i < fitted_.size(); ++i) fitted_[i] = value(problem_.length[i], problem_.control[i]);
    samples_.reserve(static_cast<std::size_t>(problem_.resamples));
    status_ = best->determined ? FitStatus::converged : FitStatus::undetermined;
}

// Fits further synthetic data sets. Their random numbers depend on the numbers of the set and of the datum only.
void Solver::resample() {
    const auto left = static_cast<std::size_t>(problem_.resamples - resamples_done());
    std::vector<std::vector<double>> samples(std::min(left, 8 * at_once()));
    const std::size_t first = samples_.size();
    in_parallel(samples.size(), context_.threads(), [&](std::size_t i) {
        std::vector<double> values = fitted_;
        for (std::size_t datum = 0; datum < values.size(); ++datum)
            values[datum] += problem_.error[datum] *
                             random::normal(random::philox_pair(static_cast<std::uint64_t>(problem_.seed), 0, first + i,
                                                                static_cast<std::uint32_t>(datum)));
        Minimum minimum = minimise(model_, problem_, values, parameters_, most_evaluations);
        if (minimum.converged && minimum.determined) samples[i] = std::move(minimum.parameters);
    });
    for (auto& sample : samples) samples_.push_back(std::move(sample));
}

}  // namespace legato::fss
