#include "ising/demon_draws.hpp"

#include <algorithm>
#include <cmath>

namespace legato::ising {

double demon_probability(double beta, int level) {
    return 1 / (1 + std::exp(beta * (4 << level)));
}

LevelProbability level_probability(double beta, int level) {
    const double scaled = std::ldexp(demon_probability(beta, level), coarse_bits), q = std::floor(scaled);
    return {static_cast<std::uint32_t>(q), static_cast<std::uint64_t>(std::ldexp(scaled - q, 64))};
}

LevelProbabilities level_probabilities(double beta) {
    return {level_probability(beta, 0), level_probability(beta, 1), level_probability(beta, 2)};
}

namespace {

// Binomial weights relative to that of the most probable number. They follow from the ratios of neighbouring weights,
// and end where they are negligible.
struct Weights {
    std::int64_t first;
    std::vector<double> values;
};

Weights binomial_weights(std::int64_t n, double p) {
    constexpr double least = 1e-25;
    const auto size = static_cast<double>(n);
    const auto mode = std::min(n, static_cast<std::int64_t>((size + 1) * p));
    const double odds = p / (1 - p);
    std::vector<double> below, all;
    double weight = 1;
    for (std::int64_t k = mode; k > 0 && weight > least; --k) {
        weight *= static_cast<double>(k) / static_cast<double>(n - k + 1) / odds;
        below.push_back(weight);
    }
    all.assign(below.rbegin(), below.rend());
    weight = 1;
    all.push_back(weight);
    for (std::int64_t k = mode; k < n && weight > least; ++k) {
        weight *= static_cast<double>(n - k) / static_cast<double>(k + 1) * odds;
        all.push_back(weight);
    }
    return {mode - static_cast<std::int64_t>(below.size()), std::move(all)};
}

}  // namespace

BinomialTable binomial_table(std::int64_t n, double p) {
    const Weights weights = binomial_weights(n, p);
    const std::vector<double>& w = weights.values;
    // Sums begin at both ends, so that small probabilities are not lost beside large ones.
    std::vector<double> upper(w.size() + 1);
    for (std::size_t i = w.size(); i-- > 0;) upper[i] = upper[i + 1] + w[i];
    const double total = upper[0];
    BinomialTable table{weights.first, {}};
    double lower = 0;
    for (std::size_t i = 0; i + 1 < w.size(); ++i) {
        lower += w[i];
        const auto part = [&](double weight) { return static_cast<std::uint64_t>(std::ldexp(weight / total, 64)); };
        table.thresholds.push_back(lower < total / 2 ? part(lower)
                                                     : 0 - std::max<std::uint64_t>(part(upper[i + 1]), 1));
    }
    return table;
}

bool is_rare(std::int64_t sites, double p) {
    return p < std::cbrt(1 / static_cast<double>(sites));
}

}  // namespace legato::ising
