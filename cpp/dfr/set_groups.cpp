#include "dfr/set_groups.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/error.hpp"

namespace legato::dfr {
namespace {

constexpr double same_exponent = 1e-12;      // largest relative deviation of a tempered group
constexpr double by_rounding_alone = 1e-14;  // the same, after rounding its parameters

// Returns the largest relative deviation of a group's exponents, or infinity if there are none.
double deviation_of(const ExponentGroup& group, const std::vector<double>& pool) {
    try {
        const auto exponents = well_tempered_exponents(well_tempered_of(group), static_cast<int>(pool.size()));
        double largest = 0;
        for (std::size_t k = 0; k < pool.size(); ++k)
            largest = std::max(largest, std::fabs(exponents[k] / pool[k] - 1));
        return largest;
    } catch (const Error&) {  // parameters out of range
        return HUGE_VAL;
    }
}

double rounded(double value, int digits) {
    std::array<char, 64> characters;
    const auto [end, error] = std::to_chars(characters.data(), characters.data() + characters.size(), value,
                                            std::chars_format::scientific, digits - 1);
    std::from_chars(characters.data(), end, value);
    return value;
}

// Returns the group with the fewest digits that give the same exponents.
std::optional<ExponentGroup> simplest(const ExponentGroup& group, const std::vector<double>& pool) {
    const double deviation = deviation_of(group, pool);
    if (!(deviation <= same_exponent)) return std::nullopt;
    for (int digits = 1; digits <= 16; ++digits) {
        ExponentGroup simple = group;
        for (double& parameter : simple.parameters) parameter = rounded(parameter, digits);
        if (deviation_of(simple, pool) <= std::max(deviation, by_rounding_alone)) return simple;
    }
    return group;
}

// The ratios of neighbours are beta [1 + gamma (k/K)^delta], without the bracket for k = 2. The last one gives gamma.
// Of the others, the one that determines delta best is taken.
ExponentGroup well_tempered_through(const std::vector<double>& pool) {
    const std::size_t count = pool.size();
    const double alpha = pool[0], beta = pool[1] / pool[0];
    const auto growth = [&](std::size_t k) { return pool[k - 1] / pool[k - 2] / beta - 1; };
    const double gamma = growth(count);
    double delta = 0, best = 0;
    for (std::size_t k = 3; k < count; ++k) {
        const double part = std::log(static_cast<double>(k) / static_cast<double>(count));
        if (growth(k) * -part <= best) continue;
        best = growth(k) * -part;
        delta = std::log(growth(k) / gamma) / part;
    }
    return WellTempered{alpha, beta, delta, gamma};
}

// `pool` is in ascending order.
ExponentGroup group_through(const std::vector<double>& pool) {
    std::optional<ExponentGroup> found;
    if (pool.size() >= 3)
        found = simplest({GroupForm::even_tempered,
                          {pool[0], std::pow(pool.back() / pool[0], 1.0 / static_cast<double>(pool.size() - 1))}},
                         pool);
    if (!found && pool.size() >= 4) found = simplest(well_tempered_through(pool), pool);
    return found ? *found : ExponentGroup{GroupForm::free, pool};
}

// Returns the range of `exponents` in the pool, or an empty one if they are no consecutive exponents of it.
ExponentRange range_in(const std::vector<double>& pool, const std::vector<double>& exponents) {
    const auto first = std::search(pool.begin(), pool.end(), exponents.begin(), exponents.end());
    if (exponents.empty() || first == pool.end()) return {};
    const auto before = static_cast<int>(first - pool.begin());
    return {before + 1, before + static_cast<int>(exponents.size())};
}

}  // namespace

GroupedBasis groups_of(const BasisSet& set, std::size_t species) {
    auto exponents = exponents_of(set, "dfr.basis_sets");
    if (species > 0) exponents.resize(species);
    for (auto& of_species : exponents) std::sort(of_species.begin(), of_species.end());
    GroupedBasis basis{{}, std::vector<int>(exponents.size(), 0), std::vector<ExponentRange>(exponents.size())};
    const auto longest = std::max_element(exponents.begin(), exponents.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (longest == exponents.end()) return basis;
    bool shared = true;
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        basis.ranges[s] = range_in(*longest, exponents[s]);
        shared = shared && (exponents[s].empty() || basis.ranges[s].first > 0);
    }
    if (shared) {
        basis.groups.push_back(group_through(*longest));
        return basis;
    }
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        const bool as_before =
            s > 0 && l_of(static_cast<int>(s)) == l_of(static_cast<int>(s) - 1) && exponents[s] == exponents[s - 1];
        if (!as_before && !exponents[s].empty()) basis.groups.push_back(group_through(exponents[s]));
        basis.group[s] = std::max(static_cast<int>(basis.groups.size()) - 1, 0);
        basis.ranges[s] = range_in(exponents[s], exponents[s]);
    }
    return basis;
}

}  // namespace legato::dfr
