// Compares the closed form of the two-electron integrals with the plain sum of all terms in 100 digits. Products of
// small components can cancel to the square of a ratio of 1e28, which leaves 40 digits.
#define BOOST_TEST_MODULE dfr_integrals
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "core/larger.hpp"
#include "dfr/moments.hpp"
#include "dfr/symmetry.hpp"
#include "random_pairs.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

Real power(const Real& x, int n) {
    return boost::multiprecision::pow(x, n);
}

// Returns Gamma(twice/2).
Real gamma_of_half(int twice) {
    Real value = twice % 2 ? Real(sqrt(boost::math::constants::pi<Real>())) : Real(1);
    for (int k = twice % 2 ? 1 : 2; k < twice; k += 2) value *= Real(k) / 2;
    return value;
}

Real exact_moment(int m, const Real& p) {
    Real root = 1;
    if (m % 2 == 0) root = sqrt(p);
    return gamma_of_half(m + 1) / (2 * power(p, (m + 1) / 2) * root);
}

Real exact_ordered_moment(int i, int k, const Real& p, const Real& q) {
    const Real ratio = p / (p + q);
    Real sum = 0, scale = 1;
    for (int j = 0; j <= i; ++j) {
        sum += scale * gamma_of_half(2 * (k + j) + 1);
        scale *= ratio / (j + 1);
    }
    return gamma_of_half(2 * i + 2) / (4 * power(p, i + 1) * power(p + q, k) * sqrt(p + q)) * sum;
}

// The function (c_0 r^power + c_1 r^(power + 2) + ...) e^(-p r^2).
struct Terms {
    int power;
    Real exponent;
    std::array<Real, 3> c;
};

std::array<Real, 2> bracket(Component component, int species, const Real& zeta) {
    const int l = l_of(species), kappa = kappa_of(species);
    if (component == Component::large) return {1 / sqrt(exact_moment(2 * l + 2, 2 * zeta)), 0};
    const Real norm = 1 / (2 * zeta * sqrt(exact_moment(2 * l + 4, 2 * zeta)));
    return {norm * (l + 1 + kappa), -2 * zeta * norm};
}

Terms terms_of(const FunctionPair& pair) {
    const auto f = bracket(pair.component, pair.species_p, pair.zeta_p),
               g = bracket(pair.component, pair.species_q, pair.zeta_q);
    const int power = l_of(pair.species_p) + l_of(pair.species_q) + (pair.component == Component::large ? 2 : 0);
    return {power, Real(pair.zeta_p) + pair.zeta_q, {f[0] * g[0], f[0] * g[1] + f[1] * g[0], f[1] * g[1]}};
}

Real exact_ordered(int nu, const Terms& a, const Terms& b) {
    Real sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const Real c = a.c[static_cast<std::size_t>(i)] * b.c[static_cast<std::size_t>(k)];
            if (c == 0) continue;
            sum += c * exact_ordered_moment((a.power + 2 * i - nu - 2) / 2, (b.power + 2 * k + nu) / 2, a.exponent,
                                            b.exponent);
        }
    return sum;
}

Real exact_integral(int nu, const FunctionPair& a, const FunctionPair& b) {
    const Terms left = terms_of(a), right = terms_of(b);
    return exact_ordered(nu, left, right) + exact_ordered(nu, right, left);
}

bool all_positive(const tests::RandomPairs::Case& c) {
    for (const FunctionPair* pair : {&c.a, &c.b}) {
        if (pair->component == Component::large) continue;
        const bool p = kappa_of(pair->species_p) > 0, q = kappa_of(pair->species_q) > 0;
        if ((p || q) && (c.nu != 0 || pair->species_p != pair->species_q)) return false;
    }
    return true;
}

}  // namespace

// Tests exponents over 28 orders of magnitude, s to g. For integrals of either sign the error is measured relative to
// the sum of the absolute values of their terms. It is also measured relative to the integral, unless that is less than
// a tenth of the sum, which is rare.
BOOST_AUTO_TEST_CASE(closed_form) {
    constexpr int cases = 10000;
    tests::RandomPairs pairs(1e-8, 1e20, 9);
    double worst_positive = 0, worst_of_magnitude = 0, worst_relative = 0;
    int positive = 0, near_zero = 0, of_either_sign = 0;
    for (int i = 0; i < cases; ++i) {
        const auto c = pairs.next();
        const RepulsionIntegral r = repulsion_integral(c.nu, c.a, c.b);
        const Real exact = exact_integral(c.nu, c.a, c.b);
        const auto error = static_cast<double>(Real(abs(r.value - exact)));
        const double relative = error / std::fabs(static_cast<double>(exact));
        worst_of_magnitude = larger(worst_of_magnitude, error / r.magnitude);
        if (all_positive(c)) {
            ++positive;
            BOOST_TEST(r.value == r.magnitude);
            worst_positive = larger(worst_positive, relative);
        } else {
            ++of_either_sign;
            if (r.magnitude > 10 * std::fabs(r.value))
                ++near_zero;
            else
                worst_relative = larger(worst_relative, relative);
        }
    }
    BOOST_TEST_MESSAGE(positive << " positive: " << worst_positive << "; " << of_either_sign
                                << " others: " << worst_relative << ", " << near_zero
                                << " of them near zero; all by magnitude " << worst_of_magnitude);
    BOOST_TEST(worst_positive < 1e-14);
    BOOST_TEST(worst_relative < 1e-12);
    BOOST_TEST(worst_of_magnitude < 1e-14);
    BOOST_TEST(near_zero < of_either_sign / 20);
}

// Tests species up to i13/2. Powers of their exponents exceed the range of a double.
BOOST_AUTO_TEST_CASE(all_symmetries) {
    tests::RandomPairs pairs(1e-8, 1e20, max_symmetries);
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto c = pairs.next();
        const RepulsionIntegral r = repulsion_integral(c.nu, c.a, c.b);
        const Real exact = exact_integral(c.nu, c.a, c.b);
        worst = larger(worst, static_cast<double>(Real(abs(r.value - exact))) / r.magnitude);
    }
    BOOST_TEST(worst < 1e-14);
}

BOOST_AUTO_TEST_CASE(symmetric_in_the_pairs) {
    tests::RandomPairs pairs(1e-3, 1e6, 9);
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto c = pairs.next();
        const RepulsionIntegral r = repulsion_integral(c.nu, c.a, c.b), s = repulsion_integral(c.nu, c.b, c.a);
        worst = larger(worst, std::fabs(r.value - s.value) / r.magnitude);
    }
    BOOST_TEST(worst < 1e-14);
}

BOOST_AUTO_TEST_CASE(moments) {
    double worst = 0;
    for (int m = 0; m <= 30; ++m)
        for (const double p : {1e-8, 0.3, 7.0, 2e5, 1e10}) {
            const Real exact = exact_moment(m, p);
            worst = larger(worst, static_cast<double>(Real(abs(moment(m, p) / exact - 1))));
        }
    for (int i = 0; i <= 12; ++i)
        for (int k = 0; k <= 12; ++k)
            for (const double p : {1e-8, 0.3, 1e8})
                for (const double q : {1e-8, 0.5, 1e8}) {
                    const Real exact = exact_ordered_moment(i, k, p, q);
                    worst = larger(worst, static_cast<double>(Real(abs(ordered_moment(i, k, p, q) / exact - 1))));
                }
    BOOST_TEST(worst < 1e-14);
}
