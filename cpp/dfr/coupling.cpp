#include "dfr/coupling.hpp"

#include <cmath>
#include <cstdlib>

#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

double factorial(int n) {
    return std::tgamma(n + 1.0);
}

}  // namespace

// Uses Racah's formula. The arguments of all factorials are integers, although j and j' are not.
double exchange_coefficient(int species, int other, int nu) {
    const int j = twice_j_of(species), k = twice_j_of(other);
    if ((l_of(species) + l_of(other) + nu) % 2 != 0 || 2 * nu < std::abs(j - k) || 2 * nu > j + k) return 0.0;
    // 3j symbol (a b c; alpha beta gamma) with a = j, b = nu, c = j', alpha = 1/2, beta = 0, gamma = -1/2.
    const int a_plus_b_minus_c = (j + 2 * nu - k) / 2, a_minus_b_plus_c = (j - 2 * nu + k) / 2,
              b_plus_c_minus_a = (2 * nu + k - j) / 2, all = (j + 2 * nu + k) / 2;
    const int a_plus = (j + 1) / 2, a_minus = (j - 1) / 2, c_plus = (k + 1) / 2, c_minus = (k - 1) / 2;
    const double triangle =
        factorial(a_plus_b_minus_c) * factorial(a_minus_b_plus_c) * factorial(b_plus_c_minus_a) / factorial(all + 1);
    const double weights =
        factorial(a_plus) * factorial(a_minus) * factorial(nu) * factorial(nu) * factorial(c_plus) * factorial(c_minus);
    double sum = 0;
    const int shift1 = (k - 2 * nu + 1) / 2;  // c - b + alpha
    const int shift2 = (k - j) / 2;           // c - a - beta
    for (int t = 0; t <= all; ++t) {
        const int d1 = a_plus_b_minus_c - t, d2 = a_minus - t, d3 = nu - t, d4 = shift1 + t, d5 = shift2 + t;
        if (d1 < 0 || d2 < 0 || d3 < 0 || d4 < 0 || d5 < 0) continue;
        sum += (t % 2 ? -1.0 : 1.0) /
               (factorial(t) * factorial(d1) * factorial(d2) * factorial(d3) * factorial(d4) * factorial(d5));
    }
    return triangle * weights * sum * sum;
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
