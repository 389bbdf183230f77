#include "ising/reweighting.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/error.hpp"
#include "core/matrix.hpp"
#include "core/validate.hpp"

namespace legato::ising {
namespace {

using statistics::Estimate;
using statistics::unknown;

constexpr int most_steps = 10000;

double largest_of(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::fabs(value));
    return largest;
}

void require_measurements(std::span<const RunSeries> runs, std::size_t blocks) {
    if (runs.empty()) fail(Status::invalid_argument, "ising.reweighting.runs: there are none");
    if (blocks < 2) fail(Status::invalid_argument, "ising.reweighting.blocks: ", blocks, " is not 2 or more");
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const RunSeries& run = runs[k];
        require_real(text("ising.reweighting.beta[", k, "]"), run.beta, -1e3, 1e3);
        if (run.energy.size() != run.magnetisation.size() || run.energy.size() < blocks)
            fail(Status::invalid_argument, "ising.reweighting.runs[", k, "]: ", run.magnetisation.size(),
                 " magnetisations and ", run.energy.size(),
                 " energies; there must be as many, at least one for each of ", blocks, " blocks");
        const auto is_finite = [](double value) { return std::isfinite(value); };
        if (!std::all_of(run.energy.begin(), run.energy.end(), is_finite) ||
            !std::all_of(run.magnetisation.begin(), run.magnetisation.end(), is_finite))
            fail(Status::invalid_argument, "ising.reweighting.runs[", k, "]: a measurement is not finite");
    }
}

// Returns the sorted energies of all runs, each once.
std::vector<double> levels_of(std::span<const RunSeries> runs, double sites) {
    std::vector<double> levels;
    for (const RunSeries& run : runs) {
        for (const double e : run.energy) levels.push_back(e * sites);
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    }
    return levels;
}

// Returns the jackknife's estimate from a function of all blocks and its values without each block.
Estimate jackknifed(double whole, std::span<const double> without) {
    const auto n = static_cast<double>(without.size());
    std::vector<double> pseudo_values;
    for (const double one : without) pseudo_values.push_back(whole + (n - 1) * (whole - one));
    for (const double one : pseudo_values)
        if (!std::isfinite(one)) return {whole, unknown};
    Estimate estimate = statistics::mean_of(pseudo_values);
    if (estimate.error == 0) estimate.error = unknown;
    return estimate;
}

}  // namespace

Reweighting::Reweighting(double sites, std::span<const RunSeries> runs, std::size_t blocks) : sites_(sites) {
    require_measurements(runs, blocks);
    levels_ = levels_of(runs, sites);
    for (const RunSeries& run : runs) betas_.push_back(run.beta);
    blocks_.assign(blocks, {std::vector<double>(levels_.size() * sums), std::vector<double>(runs.size())});
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const std::size_t each = runs[k].energy.size() / blocks;
        for (std::size_t i = 0; i < each * blocks; ++i) {
            Histogram& block = blocks_[i / each];
            const auto level = static_cast<std::size_t>(
                std::lower_bound(levels_.begin(), levels_.end(), runs[k].energy[i] * sites) - levels_.begin());
            const double m = std::fabs(runs[k].magnetisation[i]);
            double* const to = block.of_level.data() + level * sums;
            to[0] += 1;
            to[1] += m;
            to[2] += m * m;
            to[3] += m * m * m * m;
            block.counts[k] += 1;
        }
    }
    lowest_ = levels_.front();
    for (double& level : levels_) level -= lowest_;
    all_ = {std::vector<double>(levels_.size() * sums), std::vector<double>(runs.size()),
            std::vector<double>(runs.size())};
    for (const Histogram& block : blocks_) {
        for (std::size_t i = 0; i < all_.of_level.size(); ++i) all_.of_level[i] += block.of_level[i];
        for (std::size_t k = 0; k < runs.size(); ++k) all_.counts[k] += block.counts[k];
    }
    solve(all_);
    require_overlap();
    for (std::size_t b = 0; b < blocks; ++b) without_.push_back(without(b));
}

// Throws if the runs fall into groups whose energies do not overlap, because no ratio of their partition functions is
// then known. The overlap of two runs is the sum over energies of the count times the shares of both, divided by the
// smaller number of measurements. It is 1/2 for two runs at the same beta.
void Reweighting::require_overlap() const {
    constexpr double least = 0.01;
    const std::size_t runs = betas_.size();
    std::vector<double> overlaps(runs * runs), share(runs);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        shares(all_, level, share);
        for (std::size_t k = 0; k < runs; ++k)
            for (std::size_t l = 0; l < k; ++l)
                overlaps[k * runs + l] += all_.of_level[level * sums] * share[k] * share[l];
    }
    std::vector<std::size_t> group(runs);
    for (std::size_t k = 0; k < runs; ++k) group[k] = k;
    for (std::size_t k = 0; k < runs; ++k)
        for (std::size_t l = 0; l < k; ++l)
            if (overlaps[k * runs + l] > least * std::min(all_.counts[k], all_.counts[l]))
                std::replace(group.begin(), group.end(), group[k], std::size_t{group[l]});
    for (std::size_t k = 1; k < runs; ++k)
        if (group[k] != group[0])
            fail(Status::invalid_argument, "ising.reweighting.runs: the energies at beta = ", betas_[0], " and ",
                 betas_[k],
                 " do not overlap, and no runs between them connect them; add runs at temperatures between them");
}

Reweighting::Histogram Reweighting::without(std::size_t block) const {
    Histogram histogram = all_;
    for (std::size_t i = 0; i < histogram.of_level.size(); ++i) histogram.of_level[i] -= blocks_[block].of_level[i];
    for (std::size_t k = 0; k < betas_.size(); ++k) histogram.counts[k] -= blocks_[block].counts[k];
    solve(histogram);
    return histogram;
}

// Computes how much each run contributes to the expected count of a level. The sum is 1.
double Reweighting::shares(const Histogram& h, std::size_t level, std::span<double> share) const {
    double most = -HUGE_VAL, all = 0;
    for (std::size_t k = 0; k < share.size(); ++k)
        most = std::max(most, h.free_energies[k] - betas_[k] * levels_[level]);
    for (std::size_t k = 0; k < share.size(); ++k)
        all += share[k] = h.counts[k] * std::exp(h.free_energies[k] - betas_[k] * levels_[level] - most);
    for (double& one : share) one /= all;
    return most + std::log(all);
}

// Sums over levels. gradient[k] is the number of measurements that run k is expected to have, and `curvature` its
// derivatives by the f_l, without the diagonal's gradient[k].
struct Reweighting::Expected {
    std::vector<double> gradient;
    Matrix curvature;
};
Reweighting::Expected Reweighting::expected(const Histogram& h) const {
    const std::size_t runs = betas_.size();
    Expected sum{std::vector<double>(runs), Matrix(runs, runs)};
    std::vector<double> share(runs);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        const double count = h.of_level[level * sums];
        if (count == 0) continue;
        shares(h, level, share);
        for (std::size_t k = 0; k < runs; ++k) {
            sum.gradient[k] += count * share[k];
            for (std::size_t l = 0; l < runs; ++l) sum.curvature(k, l) -= count * share[k] * share[l];
        }
    }
    return sum;
}

// Finds the f_k, from those that the histogram has. f_0 stays 0. The step f_k -= ln(gradient[k] / N_k) always leads
// nearer. Newton's step replaces it near the solution.
void Reweighting::solve(Histogram& h) const {
    const std::size_t runs = betas_.size();
    for (int step = 0; step < most_steps; ++step) {
        const Expected sum = expected(h);
        std::vector<double> change(runs);
        for (std::size_t k = 0; k < runs; ++k) change[k] = -std::log(sum.gradient[k] / h.counts[k]);
        for (std::size_t k = runs; k-- > 0;) change[k] -= change[0];
        const double largest = largest_of(change);
        if (largest < 1e-13) return;
        if (std::vector<double> newton = newton_step(sum, h); largest < 0.5 && largest_of(newton) < 2) change = newton;
        for (std::size_t k = 0; k < runs; ++k) h.free_energies[k] += change[k];
    }
    fail(Status::numerical_error, "ising.reweighting: the free energies of the runs have not converged after ",
         most_steps, " steps");
}

// Returns infinite changes if the runs hardly overlap.
std::vector<double> Reweighting::newton_step(const Expected& sum, const Histogram& h) {
    const std::size_t n = sum.gradient.size() - 1;
    Matrix a(n, n);
    std::vector<double> x(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l < n; ++l) a(k, l) = sum.curvature(k + 1, l + 1);
        a(k, k) += sum.gradient[k + 1];
        x[k] = h.counts[k + 1] - sum.gradient[k + 1];
    }
    if (n > 0 && !solve_symmetric(a, x)) x.assign(n, HUGE_VAL);
    x.insert(x.begin(), 0.0);
    return x;
}

Reweighting::Moments Reweighting::moments(const Histogram& h, double beta) const {
    // The largest weight is divided out.
    std::vector<double> logs(levels_.size()), share(betas_.size());
    double most = -HUGE_VAL;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        logs[level] = -beta * levels_[level] - shares(h, level, share);
        if (h.of_level[level * sums] > 0) most = std::max(most, logs[level]);
    }
    Moments m;
    double z = 0, squares = 0;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        const double* const of_level = h.of_level.data() + level * sums;
        if (of_level[0] == 0) continue;
        const double w = std::exp(logs[level] - most), e = levels_[level];
        z += w * of_level[0];
        squares += w * w * of_level[0];
        m.e += w * e * of_level[0];
        m.e_2 += w * e * e * of_level[0];
        m.m += w * of_level[1];
        m.m_2 += w * of_level[2];
        m.m_4 += w * of_level[3];
        m.e_m += w * e * of_level[1];
        m.e_m_2 += w * e * of_level[2];
        m.e_m_4 += w * e * of_level[3];
    }
    for (double* value : {&m.e, &m.e_2, &m.m, &m.m_2, &m.m_4, &m.e_m, &m.e_m_2, &m.e_m_4}) *value /= z;
    m.measurements = z * z / squares;
    return m;
}

double Reweighting::value(const Histogram& h, double beta, Quantity quantity) const {
    const Moments m = moments(h, beta);
    switch (quantity) {
        case Quantity::specific_heat:
            return beta * beta * (m.e_2 - m.e * m.e) / sites_;
        case Quantity::susceptibility:
            return sites_ * (m.m_2 - m.m * m.m);
        case Quantity::binder:
            return 1 - m.m_4 / (3 * m.m_2 * m.m_2);
        case Quantity::binder_slope: {
            // d<x>/dbeta = <x><E> - <x E>
            const double of_2 = m.m_2 * m.e - m.e_m_2, of_4 = m.m_4 * m.e - m.e_m_4;
            return -(of_4 / (m.m_2 * m.m_2) - 2 * m.m_4 * of_2 / std::pow(m.m_2, 3)) / 3;
        }
        case Quantity::magnetisation_slope:
            return m.e - m.e_m / m.m;
    }
    return unknown;
}

Estimate Reweighting::estimate(const std::function<double(const Histogram&)>& function) const {
    std::vector<double> values;
    for (const Histogram& one : without_) values.push_back(function(one));
    return jackknifed(function(all_), values);
}

Reweighted Reweighting::at(double beta) const {
    const auto of = [&](Quantity quantity) {
        return estimate([&](const Histogram& h) { return value(h, beta, quantity); });
    };
    const auto moment = [&](double Moments::*member) {
        return estimate([&](const Histogram& h) { return moments(h, beta).*member; });
    };
    Reweighted r;
    r.absolute_magnetisation = moment(&Moments::m);
    r.magnetisation_2 = moment(&Moments::m_2);
    r.magnetisation_4 = moment(&Moments::m_4);
    r.energy = estimate([&](const Histogram& h) { return (moments(h, beta).e + lowest_) / sites_; });
    r.specific_heat = of(Quantity::specific_heat);
    r.susceptibility = of(Quantity::susceptibility);
    r.binder = of(Quantity::binder);
    r.binder_slope = of(Quantity::binder_slope);
    r.magnetisation_slope = of(Quantity::magnetisation_slope);
    r.measurements = moments(all_, beta).measurements;
    return r;
}

ReweightedPoint Reweighting::maximum(Quantity quantity, double low, double high) const {
    constexpr int bits = 26;  // of beta; a maximum is known to half of the digits
    const auto place = [&](const Histogram& h) {
        const double beta =
            boost::math::tools::brent_find_minima([&](double at) { return -value(h, at, quantity); }, low, high, bits)
                .first;
        return beta - low < 1e-6 * (high - low) || high - beta < 1e-6 * (high - low) ? unknown : beta;
    };
    return {estimate(place), estimate([&](const Histogram& h) { return value(h, place(h), quantity); })};
}

ReweightedPoint Reweighting::crossing(const Reweighting& a, const Reweighting& b, Quantity quantity, double low,
                                      double high) {
    const auto place = [&](const Histogram& of_a, const Histogram& of_b) {
        const auto difference = [&](double beta) {
            return a.value(of_a, beta, quantity) - b.value(of_b, beta, quantity);
        };
        const double at_low = difference(low), at_high = difference(high);
        if (!(at_low * at_high < 0)) return unknown;
        std::uintmax_t most = 100;
        const auto [below, above] = boost::math::tools::toms748_solve(
            difference, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(40), most);
        return (below + above) / 2;
    };
    // The lattices are independent.
    const auto estimate = [&](const auto& function) {
        const Estimate of_a = a.estimate([&](const Histogram&h) { return function(h, b.all_); }),
                       of_b = b.estimate([&](const Histogram&h) { return function(a.all_, h); });
        return Estimate{of_a.mean + of_b.mean - function(a.all_, b.all_), std::hypot(of_a.error, of_b.error)};
    };
    return {estimate(place), estimate([&](const Histogram& of_a, const Histogram& of_b) {
                return a.value(of_a, place(of_a, of_b), quantity);
            })};
}

}  // namespace legato::ising
