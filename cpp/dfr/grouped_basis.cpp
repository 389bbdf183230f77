#include "dfr/grouped_basis.hpp"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"

namespace legato::dfr {
namespace {

// `name` stands for the group in messages.
std::vector<double> pool_of(const ExponentGroup& group, int size, const std::string& name) {
    if (group.form != GroupForm::free) return well_tempered_exponents(well_tempered_of(group), size);
    for (std::size_t p = 0; p < group.parameters.size(); ++p)
        require_real(text(name, ".exponents[", p, "]"), group.parameters[p], smallest_exponent, largest_exponent);
    return group.parameters;
}

void validate_group(const GroupedBasis& basis, std::size_t g, const std::string& field) {
    const ExponentGroup& group = basis.groups[g];
    require_integer(field + ".form", static_cast<int>(group.form), static_cast<int>(GroupForm::well_tempered),
                    static_cast<int>(GroupForm::free));
    const auto wanted = static_cast<std::int64_t>(parameter_count(group.form, pool_size(basis, g)));
    require_integer(field + ".n_parameters", std::ssize(group.parameters), wanted, wanted);
    if (pool_size(basis, g) > 0) pool_of(group, pool_size(basis, g), field);
}

// Adds the derivatives with respect to ln alpha, ln beta, ln delta and ln gamma, or the first two of them.
void add_tempered(const ExponentGroup& group, std::span<const double> pool_gradient, double* gradient) {
    const WellTempered w = well_tempered_of(group);
    double delta = 0, gamma = 0;  // d ln zeta_k / d ln delta and d ln gamma
    for (std::size_t k = 1; k <= pool_gradient.size(); ++k) {
        const double slope = pool_gradient[k - 1];
        gradient[0] += slope;
        gradient[1] += slope * static_cast<double>(k - 1);
        if (group.form == GroupForm::even_tempered) continue;
        if (k >= 3) {
            const double part = static_cast<double>(k) / static_cast<double>(pool_gradient.size()),
                         growth = w.gamma * std::pow(part, w.delta);
            gamma += growth / (1 + growth);
            delta += growth / (1 + growth) * w.delta * std::log(part);
        }
        gradient[2] += slope * delta;
        gradient[3] += slope * gamma;
    }
}

}  // namespace

WellTempered well_tempered_of(const ExponentGroup& group) {
    const std::vector<double>& p = group.parameters;
    return group.form == GroupForm::well_tempered ? WellTempered{p[0], p[1], p[2], p[3]} : WellTempered{p[0], p[1]};
}

std::vector<double> well_tempered_exponents(const WellTempered& parameters, int count) {
    require_real("dfr.well_tempered.alpha", parameters.alpha, smallest_exponent, largest_exponent);
    require_real("dfr.well_tempered.beta", parameters.beta, 1.0, 1e3);
    require_real("dfr.well_tempered.delta", parameters.delta, 0.0, 1e3);
    require_real("dfr.well_tempered.gamma", parameters.gamma, 0.0, 1e3);
    require_integer("dfr.well_tempered.count", count, 1, max_functions);
    std::vector<double> exponents{parameters.alpha};
    for (int k = 2; k <= count; ++k) {
        const double growth =
            k == 2 ? 1.0 : 1.0 + parameters.gamma * std::pow(static_cast<double>(k) / count, parameters.delta);
        exponents.push_back(exponents.back() * parameters.beta * growth);
        require_real(text("dfr.well_tempered.exponents[", k - 1, "]"), exponents.back(), smallest_exponent,
                     largest_exponent);
    }
    return exponents;
}

void validate(const GroupedBasis& basis, std::string_view field) {
    const auto species = static_cast<std::int64_t>(basis.ranges.size());
    require_integer(text(field, ".n_species"), species, 1, max_symmetries);
    require_integer(text(field, ".n_groups"), static_cast<std::int64_t>(basis.groups.size()), 1, species);
    if (basis.group.size() != basis.ranges.size())
        fail(Status::invalid_argument, field, ".group: ", basis.group.size(), " values are not ", species,
             ", one for each species");
    for (std::size_t s = 0; s < basis.ranges.size(); ++s) {
        const std::string name = name_of(static_cast<int>(s));
        require_integer(text(field, ".group[", name, "]"), basis.group[s], 0,
                        static_cast<std::int64_t>(basis.groups.size()) - 1);
        const auto [first, last] = basis.ranges[s];
        if (first == 0 && last == 0) continue;
        require_integer(text(field, ".first[", name, "]"), first, 1, max_functions);
        require_integer(text(field, ".last[", name, "]"), last, first, max_functions);
    }
    for (std::size_t g = 0; g < basis.groups.size(); ++g) validate_group(basis, g, text(field, ".groups[", g, "]"));
}

int pool_size(const GroupedBasis& basis, std::size_t group) {
    int size = 0;
    for (std::size_t s = 0; s < basis.ranges.size(); ++s)
        if (basis.group[s] == static_cast<int>(group)) size = std::max(size, basis.ranges[s].last);
    return size;
}

std::size_t parameter_count(GroupForm form, int pool_size) {
    if (form == GroupForm::free) return static_cast<std::size_t>(pool_size);
    return form == GroupForm::well_tempered ? 4 : 2;
}

std::size_t parameter_count(const GroupedBasis& basis) {
    std::size_t count = 0;
    for (const ExponentGroup& group : basis.groups) count += group.parameters.size();
    return count;
}

std::vector<std::vector<double>> exponents_of(const GroupedBasis& basis) {
    std::vector<std::vector<double>> exponents(basis.ranges.size());
    for (std::size_t g = 0; g < basis.groups.size(); ++g) {
        const int size = pool_size(basis, g);
        if (size == 0) continue;
        const std::vector<double> pool = pool_of(basis.groups[g], size, text("dfr.groups[", g, "]"));
        for (std::size_t s = 0; s < basis.ranges.size(); ++s)
            if (basis.group[s] == static_cast<int>(g) && basis.ranges[s].last > 0)
                exponents[s].assign(pool.begin() + basis.ranges[s].first - 1, pool.begin() + basis.ranges[s].last);
    }
    return exponents;
}

std::vector<double> parameter_gradient(const GroupedBasis& basis,
                                       std::span<const std::vector<double>> exponent_gradient) {
    std::vector<double> gradient(parameter_count(basis));
    double* at = gradient.data();
    for (std::size_t g = 0; g < basis.groups.size(); at += basis.groups[g++].parameters.size()) {
        std::vector<double> pool(static_cast<std::size_t>(pool_size(basis, g)));
        for (std::size_t s = 0; s < basis.ranges.size(); ++s)
            if (basis.group[s] == static_cast<int>(g))
                for (std::size_t p = 0; p < exponent_gradient[s].size(); ++p)
                    pool[static_cast<std::size_t>(basis.ranges[s].first - 1) + p] += exponent_gradient[s][p];
        if (basis.groups[g].form == GroupForm::free)
            std::copy(pool.begin(), pool.end(), at);
        else
            add_tempered(basis.groups[g], pool, at);
    }
    return gradient;
}

std::vector<double> exponent_metric(const GroupedBasis& basis) {
    constexpr double least_square = 1e-3;  // of parameters on which few exponents depend
    const std::size_t n = parameter_count(basis);
    std::vector<double> metric(n * n);
    std::size_t first = 0;
    for (std::size_t g = 0; g < basis.groups.size(); ++g) {
        const int pool = pool_size(basis, g);
        const std::size_t count = basis.groups[g].parameters.size();
        const GroupedBasis alone{{basis.groups[g]}, {0}, {{std::min(pool, 1), pool}}};
        std::vector<std::vector<double>> slopes;  // d ln zeta_k / d ln parameter
        for (int k = 0; k < pool; ++k) {
            std::vector<std::vector<double>> one(1, std::vector<double>(static_cast<std::size_t>(pool)));
            one[0][static_cast<std::size_t>(k)] = 1;
            slopes.push_back(parameter_gradient(alone, one));
        }
        // Cholesky factorisation of the sum of products of slopes
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i; j < count; ++j) {
                double sum = i == j ? least_square : 0.0;
                for (const auto& slope : slopes) sum += slope[i] * slope[j];
                for (std::size_t k = 0; k < i; ++k)
                    sum -= metric[(first + k) * n + first + i] * metric[(first + k) * n + first + j];
                metric[(first + i) * n + first + j] =
                    i == j ? std::sqrt(sum) : sum / metric[(first + i) * n + first + i];
            }
        first += count;
    }
    return metric;
}

}  // namespace legato::dfr
