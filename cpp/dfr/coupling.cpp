#include "dfr/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

double factorial(int n) {
    return std::tgamma(n + 1.0);
}

bool is_odd(int n) {
    return n % 2 != 0;
}

// The parts of a 3j symbol in Racah's formula: its square is square sum^2. The arguments are those of wigner_3j(),
// which do not make it 0.
struct Racah {
    double square = 0, sum = 0;
};
Racah racah(int j1, int j2, int j3, int m1, int m2, int m3) {
    const int a = (j1 + j2 - j3) / 2, b = (j1 - m1) / 2, c = (j2 + m2) / 2, d = (j3 - j2 + m1) / 2,
              e = (j3 - j1 - m2) / 2;
    const double triangle = factorial(a) * factorial((j1 - j2 + j3) / 2) * factorial((j2 + j3 - j1) / 2) /
                            factorial((j1 + j2 + j3) / 2 + 1),
                 weights = factorial((j1 + m1) / 2) * factorial(b) * factorial(c) * factorial((j2 - m2) / 2) *
                           factorial((j3 - m3) / 2) * factorial((j3 + m3) / 2);
    double sum = 0;
    for (int t = std::max({0, -d, -e}); t <= std::min({a, b, c}); ++t)
        sum += (is_odd(t) ? -1.0 : 1.0) / (factorial(t) * factorial(a - t) * factorial(b - t) * factorial(c - t) *
                                           factorial(d + t) * factorial(e + t));
    return {triangle * weights, sum};
}

}  // namespace

double wigner_3j(int j1, int j2, int j3, int m1, int m2, int m3) {
    if (m1 + m2 + m3 != 0 || is_odd(j1 + j2 + j3) || j3 < std::abs(j1 - j2) || j3 > j1 + j2) return 0.0;
    for (const auto& [j, m] : {std::pair(j1, m1), std::pair(j2, m2), std::pair(j3, m3)})
        if (std::abs(m) > j || is_odd(j + m)) return 0.0;
    const Racah parts = racah(j1, j2, j3, m1, m2, m3);
    return (is_odd((j1 - j2 - m3) / 2) ? -1.0 : 1.0) * std::sqrt(parts.square) * parts.sum;
}

double exchange_coefficient(int species, int other, int nu) {
    const int j = twice_j_of(species), k = twice_j_of(other);
    if (is_odd(l_of(species) + l_of(other) + nu) || 2 * nu < std::abs(j - k) || 2 * nu > j + k) return 0.0;
    const Racah parts = racah(j, 2 * nu, k, 1, 0, -1);
    return parts.square * parts.sum * parts.sum;
}

namespace {

// Factors of D D, D S + S D, S S and of the antisymmetric D S - S D in a kernel.
struct Products {
    double dd = 0, ds = 0, ss = 0, antisymmetric = 0;
};

MagneticTerm term_of(int nu, double factor, const Products& of) {
    return {nu, factor * (of.dd + 2.0 * of.ds + of.ss), factor * (of.dd - 2.0 * of.ds + of.ss),
            factor * (of.ss - of.dd), 2.0 * factor * of.antisymmetric};
}

// Adds the terms of the order J between species whose large components C^J couples.
void add_electric_terms(Interaction interaction, int order, double b, double delta, std::vector<MagneticTerm>& terms) {
    const double j = order, below = 1.0 / (2.0 * j - 1.0), above = 1.0 / (2.0 * j + 3.0);
    Products lower, upper;
    if (order > 0) lower = {-below * j, -below * delta, -below * delta * delta / j, 0.0};
    upper = {-above * (j + 1.0), above * delta, -above * delta * delta / (j + 1.0), 0.0};
    if (interaction == Interaction::breit) {
        // The derivative of w_J with respect to r1, divided by r2, is different for r1 < r2 and r1 > r2.
        lower.dd -= 0.5 * below * j * (j - 1.0);
        lower.ds += 0.25 * below * delta;
        lower.ss += 0.5 * below * delta * delta;
        lower.antisymmetric -= 0.25 * delta;
        upper.dd += 0.5 * above * (j + 1.0) * (j + 2.0);
        upper.ds -= 0.25 * above * delta;
        upper.ss -= 0.5 * above * delta * delta;
        upper.antisymmetric += 0.25 * delta;
    }
    if (order > 0) terms.push_back(term_of(order - 1, b, lower));
    terms.push_back(term_of(order + 1, b, upper));
}

}  // namespace

std::vector<MagneticTerm> magnetic_terms(Interaction interaction, int species, int other) {
    std::vector<MagneticTerm> terms;
    if (interaction == Interaction::coulomb) return terms;
    const double kappa = kappa_of(species), kappa_other = kappa_of(other);
    for (int order = 0; 2 * order <= twice_j_of(species) + twice_j_of(other); ++order) {
        const double electric = exchange_coefficient(species, other, order);
        if (electric != 0.0) add_electric_terms(interaction, order, electric, kappa_other - kappa, terms);
        const double magnetic = order > 0 ? exchange_coefficient(species, opposite(other), order) : 0.0;
        const double sum = kappa + kappa_other;
        if (magnetic != 0.0 && sum != 0.0)
            terms.push_back(term_of(order, magnetic, {0.0, 0.0, -sum * sum / (order * (order + 1.0)), 0.0}));
    }
    return terms;
}

}  // namespace legato::dfr
