#include "ising/reweighting.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/error.hpp"
#include "core/matrix.hpp"
#include "core/memory.hpp"
#include "core/validate.hpp"

namespace legato::ising {
namespace {

using statistics::Estimate;
using statistics::unknown;

constexpr int most_steps = 1000;
constexpr double least_of_block = 20;  // measurements

// Returns infinity if a value is not finite.
double largest_of(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::isfinite(value) ? std::fabs(value) : HUGE_VAL);
    return largest;
}

// Requires values in a range. `before` is the number of values of the runs before, because the names of values count
// those of all runs.
void require_values(const char* name, std::size_t before, const std::vector<double>& values, double low, double high) {
    for (std::size_t i = 0; i < values.size(); ++i)
        require_real([&] { return text("ising.reweighting.", name, '[', before + i, ']'); }, values[i], low, high);
}

void require_measurements(std::int64_t sites, std::span<const RunSeries> runs, int blocks) {
    constexpr double most_m = 1 + 1e-12, most_e = 1e12;
    require_integer("ising.reweighting.sites", sites, 1, Reweighting::max_sites);
    std::vector<std::int64_t> measurements;
    for (const RunSeries& run : runs) measurements.push_back(std::ssize(run.energy));
    Reweighting::require_lengths(measurements, blocks);
    std::size_t before = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const RunSeries& run = runs[k];
        require_real(text("ising.reweighting.betas[", k, "]"), run.beta, -1e3, 1e3);
        if (run.energy.size() != run.magnetisation.size())
            fail(Status::invalid_argument, "ising.reweighting.magnetisations: run ", k, " has ",
                 run.magnetisation.size(), " magnetisations and ", run.energy.size(), " energies");
        require_values("magnetisations", before, run.magnetisation, -most_m, most_m);
        require_values("energies", before, run.energy, -most_e, most_e);
        before += run.energy.size();
    }
}

// Returns the sorted energies of all runs, each once.
std::vector<double> levels_of(std::span<const RunSeries> runs, double sites) {
    std::vector<double> levels;
    for (const RunSeries& run : runs) {
        levels.reserve(levels.size() + run.energy.size());
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

Reweighting::Reweighting(std::int64_t sites, std::span<const RunSeries> runs, int blocks)
    : sites_(static_cast<double>(sites)) {
    require_measurements(sites, runs, blocks);
    levels_ = levels_of(runs, sites_);
    std::size_t measurements = 0;
    for (const RunSeries& run : runs) {
        betas_.push_back(run.beta);
        measurements += run.energy.size();
    }
    blocks_.resize(static_cast<std::size_t>(blocks));
    // Three histograms are in memory at the same time, and a level takes the same in a block, besides its number.
    const std::size_t level_bytes = sums * sizeof(double),
                      in_blocks = std::min(measurements, levels_.size() * blocks_.size());
    require_memory("ising.reweighting: the sums of all blocks need",
                   static_cast<std::int64_t>(3 * levels_.size() * level_bytes + in_blocks * (level_bytes + 8)),
                   free_memory());
    sum_up(runs);
    lowest_ = levels_.front();
    for (double& level : levels_) level -= lowest_;
    estimate_free_energies(runs);
    solve(all_);
    require_overlap();
    for (Block& block : blocks_) {
        block.free_energies = all_.free_energies;
        Histogram histogram = without(block);
        solve(histogram);
        block.free_energies = histogram.free_energies;
    }
}

void Reweighting::require_lengths(std::span<const std::int64_t> measurements, int blocks) {
    require_integer("ising.reweighting.n_runs", std::ssize(measurements), 1, max_runs);
    require_integer("ising.reweighting.blocks", blocks, 2, max_blocks);
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < measurements.size(); ++k) {
        require_integer(text("ising.reweighting.n_measurements[", k, "]"), measurements[k], blocks, max_measurements);
        sum += measurements[k];
    }
    if (sum > max_measurements)
        fail(Status::invalid_argument, "ising.reweighting.n_measurements: the sum ", sum, " is more than ",
             max_measurements);
    // m and e of each measurement, and its energy in the sorted list.
    require_memory("ising.reweighting: the measurements need", sum * std::int64_t{3 * sizeof(double)}, free_memory());
}

// Computes the sums of the blocks, and those of all of them.
void Reweighting::sum_up(std::span<const RunSeries> runs) {
    all_ = {std::vector<double>(levels_.size() * sums), std::vector<double>(runs.size()),
            std::vector<double>(runs.size())};
    std::vector<double> of_level(levels_.size() * sums);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        Block& block = blocks_[b];
        for (const RunSeries& run : runs) {
            const std::size_t each = run.energy.size() / blocks_.size();
            for (std::size_t i = b * each; i < (b + 1) * each; ++i) {
                const auto level = static_cast<std::size_t>(
                    std::lower_bound(levels_.begin(), levels_.end(), run.energy[i] * sites_) - levels_.begin());
                const double m = std::fabs(run.magnetisation[i]), of_one[sums] = {1, m, m * m, m * m * m * m};
                double* const to = of_level.data() + level * sums;
                if (to[0] == 0) block.levels.push_back(level);
                for (std::size_t j = 0; j < sums; ++j) to[j] += of_one[j];
            }
            block.counts.push_back(static_cast<double>(each));
        }
        std::sort(block.levels.begin(), block.levels.end());
        block.of_level.reserve(block.levels.size() * sums);
        for (const std::size_t level : block.levels)
            for (std::size_t i = level * sums; i < (level + 1) * sums; ++i) {
                block.of_level.push_back(of_level[i]);
                all_.of_level[i] += of_level[i];
                of_level[i] = 0;
            }
        for (std::size_t k = 0; k < runs.size(); ++k) all_.counts[k] += block.counts[k];
    }
}

// Estimates the f_k of all measurements from the mean energies, <E> = df / dbeta, along the sorted temperatures.
void Reweighting::estimate_free_energies(std::span<const RunSeries> runs) {
    std::vector<double> mean;
    std::vector<std::size_t> order;
    for (const RunSeries& run : runs) {
        double sum = 0;
        for (const double e : run.energy) sum += e * sites_ - lowest_;
        mean.push_back(sum / static_cast<double>(run.energy.size()));
        order.push_back(order.size());
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return betas_[a] < betas_[b]; });
    std::vector<double>& f = all_.free_energies;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const std::size_t a = order[i - 1], b = order[i];
        f[b] = f[a] + (betas_[b] - betas_[a]) * (mean[a] + mean[b]) / 2;
    }
    for (std::size_t k = f.size(); k-- > 0;) f[k] -= f[0];
}

// Throws if the runs fall into groups whose energies do not overlap, because no ratio of their partition functions is
// then known. The overlap of two runs is the sum over energies of their expected counts times the shares of both among
// these counts, divided by the smaller number of measurements. It is 1/2 for two runs at the same beta.
void Reweighting::require_overlap() const {
    constexpr double least = 0.01;
    const std::size_t runs = betas_.size();
    std::vector<double> overlaps(runs * runs), share(runs);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        shares(all_, level, share);
        for (std::size_t k = 0; k < runs; ++k)
            for (std::size_t l = 0; l < k; ++l)
                if (const double both = share[k] + share[l]; both > 0)
                    overlaps[k * runs + l] += all_.of_level[level * sums] * share[k] * (share[l] / both);
    }
    std::vector<std::size_t> group(runs);
    for (std::size_t k = 0; k < runs; ++k) group[k] = k;
    for (std::size_t k = 0; k < runs; ++k)
        for (std::size_t l = 0; l < k; ++l)
            if (overlaps[k * runs + l] > least * std::min(all_.counts[k], all_.counts[l]))
                std::replace(group.begin(), group.end(), std::size_t{group[k]}, std::size_t{group[l]});
    for (std::size_t k = 1; k < runs; ++k)
        if (group[k] != group[0])
            fail(Status::invalid_argument, "ising.reweighting.runs: the energies at beta = ", betas_[0], " and ",
                 betas_[k],
                 " do not overlap, and no runs between them connect them; add runs at temperatures between them");
}

Reweighting::Histogram Reweighting::without(const Block& block) const {
    Histogram histogram = all_;
    for (std::size_t i = 0; i < block.levels.size(); ++i)
        for (std::size_t j = 0; j < sums; ++j)
            histogram.of_level[block.levels[i] * sums + j] -= block.of_level[i * sums + j];
    for (std::size_t k = 0; k < betas_.size(); ++k) histogram.counts[k] -= block.counts[k];
    histogram.free_energies = block.free_energies;
    return histogram;
}

// Computes how much each run contributes to the expected count of a level. The sum is 1.
double Reweighting::shares(const Histogram& h, std::size_t level, std::span<double> share) const {
    double most = -HUGE_VAL, all = 0;
    for (std::size_t k = 0; k < share.size(); ++k)
        most = std::max(most, h.free_energies[k] - (betas_[k] - betas_[0]) * levels_[level]);
    for (std::size_t k = 0; k < share.size(); ++k)
        all += share[k] = h.counts[k] * std::exp(h.free_energies[k] - (betas_[k] - betas_[0]) * levels_[level] - most);
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
            for (std::size_t l = 0; l <= k; ++l) sum.curvature(k, l) -= count * share[k] * share[l];
        }
    }
    for (std::size_t k = 0; k < runs; ++k)
        for (std::size_t l = 0; l < k; ++l) sum.curvature(l, k) = sum.curvature(k, l);
    return sum;
}

// Finds the f_k, from those that the histogram has. f_0 stays 0. The step f_k -= ln(gradient[k] / N_k) always leads
// nearer, but slowly if there are many runs. Newton's step replaces it near the solution; a long one is shortened. In
// the end it squares the deviation, until only the rounding of the sums is left.
void Reweighting::solve(Histogram& h) const {
    constexpr double converged = 1e-13, most_rounding = 1e-9, longest = 2;
    const std::size_t runs = betas_.size();
    double before = HUGE_VAL;
    for (int step = 0; step < most_steps; ++step) {
        const Expected sum = expected(h);
        std::vector<double> change(runs);
        for (std::size_t k = 0; k < runs; ++k) change[k] = -std::log(sum.gradient[k] / h.counts[k]);
        for (std::size_t k = runs; k-- > 0;) change[k] -= change[0];
        const double largest = largest_of(change);
        if (largest < converged) return;
        if (!std::isfinite(largest)) break;
        if (largest < 0.5) {
            if (largest < most_rounding && largest > before / 2) return;
            change = newton_step(sum, h);
            const double length = largest_of(change);
            for (double& one : change) one *= std::min(1.0, longest / length);
        }
        before = largest;
        for (std::size_t k = 0; k < runs; ++k) h.free_energies[k] += change[k];
    }
    require_overlap();
    fail(Status::numerical_error, "ising.reweighting: the free energies of the runs have not converged in ", most_steps,
         " steps");
}

// The equations of runs that do not overlap have no solution.
std::vector<double> Reweighting::newton_step(const Expected& sum, const Histogram& h) const {
    const std::size_t n = sum.gradient.size() - 1;
    Matrix a(n, n);
    std::vector<double> x(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l < n; ++l) a(k, l) = sum.curvature(k + 1, l + 1);
        a(k, k) += sum.gradient[k + 1];
        x[k] = h.counts[k + 1] - sum.gradient[k + 1];
    }
    if (n > 0 && !solve_symmetric(a, x)) {
        require_overlap();
        fail(Status::numerical_error,
             "ising.reweighting: the equations of the free energies of the runs have not been solved");
    }
    x.insert(x.begin(), 0.0);
    return x;
}

Reweighting::Moments Reweighting::moments(const Histogram& h, double beta) const {
    // The largest weight is divided out.
    std::vector<double> logs(levels_.size()), share(betas_.size());
    double most = -HUGE_VAL;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        logs[level] = -(beta - betas_[0]) * levels_[level] - shares(h, level, share);
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

double Reweighting::value(const Moments& m, double beta, Quantity quantity) const {
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

bool Reweighting::are_few(double measurements) const {
    return measurements < least_of_block * static_cast<double>(blocks_.size());
}

bool Reweighting::is_far(double beta) const {
    return are_few(moments(all_, beta).measurements);
}

// Returns the estimates of the values that function(histogram) returns in an array.
template <class Function>
auto Reweighting::estimates(const Function& function) const {
    const auto whole = function(all_);
    constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<decltype(whole)>>;
    std::array<std::vector<double>, count> without_one;
    for (const Block& block : blocks_) {
        const auto values = function(without(block));
        for (std::size_t i = 0; i < count; ++i) without_one[i].push_back(values[i]);
    }
    std::array<Estimate, count> found;
    for (std::size_t i = 0; i < count; ++i) found[i] = jackknifed(whole[i], without_one[i]);
    return found;
}

Reweighted Reweighting::at(double beta) const {
    std::array found = estimates([&](const Histogram& h) {
        const Moments m = moments(h, beta);
        return std::array{(m.e + lowest_) / sites_,
                          m.m,
                          m.m_2,
                          m.m_4,
                          value(m, beta, Quantity::specific_heat),
                          value(m, beta, Quantity::susceptibility),
                          value(m, beta, Quantity::binder),
                          value(m, beta, Quantity::binder_slope),
                          value(m, beta, Quantity::magnetisation_slope)};
    });
    Reweighted r;
    r.measurements = moments(all_, beta).measurements;
    r.is_far = are_few(r.measurements);
    if (r.is_far)
        for (Estimate& estimate : found) estimate.error = unknown;
    r.energy = found[0];
    r.absolute_magnetisation = found[1];
    r.magnetisation_2 = found[2];
    r.magnetisation_4 = found[3];
    r.specific_heat = found[4];
    r.susceptibility = found[5];
    r.binder = found[6];
    r.binder_slope = found[7];
    r.magnetisation_slope = found[8];
    return r;
}

ReweightedPoint Reweighting::maximum(Quantity quantity, double low, double high) const {
    constexpr int bits = 26;  // of beta; a maximum is known to half of the digits
    const auto place = [&](const Histogram& h) {
        std::uintmax_t most = 200;
        const auto [beta, least] = boost::math::tools::brent_find_minima(
            [&](double at) { return -value(h, at, quantity); }, low, high, bits, most);
        const double width = 1e-6 * (high - low);
        const bool is_inside = beta - low > width && high - beta > width && -least > value(h, low, quantity) &&
                               -least > value(h, high, quantity);
        return is_inside ? std::array{beta, -least} : std::array{unknown, unknown};
    };
    const std::array found = estimates(place);
    ReweightedPoint point{found[0], found[1]};
    point.is_far = std::isfinite(point.beta.mean) && is_far(point.beta.mean);
    if (point.is_far) point.beta.error = point.value.error = unknown;
    return point;
}

ReweightedPoint Reweighting::crossing(const Reweighting& a, const Reweighting& b, Quantity quantity, double low,
                                      double high) {
    const auto place = [&](const Histogram& of_a, const Histogram& of_b) {
        const auto difference = [&](double beta) {
            return a.value(of_a, beta, quantity) - b.value(of_b, beta, quantity);
        };
        const double at_low = difference(low), at_high = difference(high);
        const bool is_inside = (at_low < 0 && at_high > 0) || (at_low > 0 && at_high < 0);
        if (!is_inside) return std::array{unknown, unknown};
        std::uintmax_t most = 100;
        const auto [below, above] = boost::math::tools::toms748_solve(
            difference, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(40), most);
        const double beta = (below + above) / 2;
        return std::array{beta, a.value(of_a, beta, quantity)};
    };
    // The lattices are independent.
    const std::array whole = place(a.all_, b.all_);
    const std::array of_a = a.estimates([&](const Histogram&h) { return place(h, b.all_); }),
                     of_b = b.estimates([&](const Histogram&h) { return place(a.all_, h); });
    const auto both = [&](std::size_t i) {
        return Estimate{of_a[i].mean + of_b[i].mean - whole[i], std::hypot(of_a[i].error, of_b[i].error)};
    };
    ReweightedPoint point{both(0), both(1)};
    point.is_far = std::isfinite(point.beta.mean) && (a.is_far(point.beta.mean) || b.is_far(point.beta.mean));
    if (point.is_far) point.beta.error = point.value.error = unknown;
    return point;
}

}  // namespace legato::ising
