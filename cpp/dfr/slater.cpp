#include "dfr/slater.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dfr/coupling.hpp"
#include "dfr/log_grid.hpp"
#include "dfr/quadrature.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
double angular_element(int k, int species, int twice_m, int other, int twice_other_m) {
    if ((l_of(species) + k + l_of(other)) % 2 != 0) return 0.0;
    const int j = twice_j_of(species), i = twice_j_of(other);
    const double sign = (twice_m + 1) / 2 % 2 != 0 ? -1.0 : 1.0;
    return sign * std::sqrt((j + 1.0) * (i + 1.0)) * wigner_3j(j, 2 * k, i, 1, 0, -1) *
           wigner_3j(j, 2 * k, i, -twice_m, twice_m - twice_other_m, twice_other_m);
}

SlaterIntegrals::SlaterIntegrals(const Problem& problem, const Atom& atom, const AtomResult& result,
                                 const std::vector<Spinor>& spinors) {
    Problem coulomb = problem;
    coulomb.interaction = Interaction::coulomb;
    const Quadratures all = make_quadratures(coulomb, {&atom, 1}, 1);
    const Quadrature& on = all.atoms[0];
    points_ = on.grid.points;
    inverse_root_radius_ = on.inverse_root_radius;
    for (const Spinor& spinor : spinors) {
        const auto s = static_cast<std::size_t>(spinor.species);
        const Species& states = result.species[s];
        Matrix values(points_, problem.relativistic ? 2 : 1);
        const auto put = [&](std::size_t component, const Matrix& functions, const Matrix& coefficients) {
            Matrix one(coefficients.rows, 1);
            std::copy_n(coefficients.column(spinor.index), coefficients.rows, one.values.data());
            const Matrix on_grid = product(functions, one);
            std::copy_n(on_grid.values.data(), points_, values.column(component));
        };
        put(0, on.large[s], states.large);
        if (problem.relativistic) put(1, on.small[s], states.small);
        components_.push_back(std::move(values));
    }
}

// Returns the product of two spinors with the weights of log_grid.hpp.
const std::vector<double>& SlaterIntegrals::product_of(std::size_t a, std::size_t c) {
    const auto [at, is_new] = products_.try_emplace({std::min(a, c), std::max(a, c)});
    if (!is_new) return at->second;
    const Matrix &left = components_[a], &right = components_[c];
    at->second.assign(points_, 0.0);
    for (std::size_t part = 0; part < left.columns; ++part)
        for (std::size_t i = 0; i < points_; ++i)
            at->second[i] += left(i, part) * right(i, part) * inverse_root_radius_[i];
    return at->second;
}

double SlaterIntegrals::operator()(int k, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const auto pair = [](std::size_t p, std::size_t q) { return std::pair(std::min(p, q), std::max(p, q)); };
    const auto [first, second] = std::minmax({pair(a, c), pair(b, d)});
    const auto [at, is_new] = known_.try_emplace({k, first.first, first.second, second.first, second.second});
    if (!is_new) return at->second;
    while (kernels_.size() <= static_cast<std::size_t>(k))
        kernels_.push_back(band_limited_kernel(static_cast<int>(kernels_.size()), points_));
    const std::vector<double>&left = product_of(a, c), &right = product_of(b, d),
          &kernel = kernels_[static_cast<std::size_t>(k)];
    double sum = 0;
    for (std::size_t i = 0; i < points_; ++i) {
        double potential = 0;
        for (std::size_t j = 0; j < points_; ++j) potential += kernel[i > j ? i - j : j - i] * right[j];
        sum += left[i] * potential;
    }
    at->second = sum;
    return sum;
}

}  // namespace legato::dfr
