// Compares the exchange coefficients with the angular integrals that they represent.
#define BOOST_TEST_MODULE dfr_coupling
#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "core/larger.hpp"
#include "dfr/coupling.hpp"
#include "dfr/symmetry.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

double spherical(int l, int m, double x) {
    return m > l ? 0.0 : std::sph_legendre(static_cast<unsigned>(l), static_cast<unsigned>(m), std::acos(x));
}

// Returns both components of the spin-angular function with m = 1/2.
std::pair<double, double> spinor(int species, double x) {
    const int l = l_of(species);
    const double more = std::sqrt((l + 1.0) / (2 * l + 1)), less = std::sqrt(l / (2.0 * l + 1));
    return kappa_of(species) < 0 ? std::pair{more * spherical(l, 0, x), less * spherical(l, 1, x)}
                                 : std::pair{-less * spherical(l, 0, x), more * spherical(l, 1, x)};
}

// Returns the square of the 3j symbol in <j 1/2 | P_nu(cos theta) | j' 1/2> = +-[(2j+1)(2j'+1)]^(1/2) (j nu j'; 1/2 0
// -1/2)^2, which follows from the Wigner-Eckart theorem.
double angular_integral(int species, int other, int nu) {
    const auto integrand = [&](double x) {
        const auto [a, b] = spinor(species, x);
        const auto [c, d] = spinor(other, x);
        return (a * c + b * d) * std::legendre(static_cast<unsigned>(nu), x);
    };
    const double integral =
        2 * std::numbers::pi * boost::math::quadrature::gauss<double, 40>::integrate(integrand, -1, 1);
    return std::fabs(integral) / std::sqrt(degeneracy_of(species) * degeneracy_of(other));
}

// The integrals <l m|C^nu_(m-m')|l' m'> of spherical harmonics.
class HarmonicIntegrals {
  public:
    HarmonicIntegrals() {
        const auto& nodes = Gauss::abscissa();
        for (int l = 0; l <= most_l; ++l)
            for (int m = 0; m <= l; ++m)
                for (const double x : nodes) legendre_[index(l, m)].push_back(spherical(l, m, x));
    }

    double operator()(int l, int m, int nu, int k, int n) const {
        const int order = m - n;
        if ((l + nu + k) % 2 != 0 || std::abs(m) > l || std::abs(n) > k || std::abs(order) > nu) return 0.0;
        const auto &a = of(l, m), &b = of(nu, order), &c = of(k, n);
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double weight = Gauss::weights()[i] * (Gauss::abscissa()[i] == 0.0 ? 1.0 : 2.0);
            sum += weight * a[i] * b[i] * c[i];
        }
        return sign(m) * sign(order) * sign(n) * 2 * std::numbers::pi * std::sqrt(4 * std::numbers::pi / (2 * nu + 1)) *
               sum;
    }

  private:
    using Gauss = boost::math::quadrature::gauss<double, 40>;
    static constexpr int most_l = 15;

    static std::size_t index(int l, int m) { return static_cast<std::size_t>(l * (l + 1) / 2 + m); }
    // Y_(l,-m) is (-1)^m times the complex conjugate of Y_lm.
    static double sign(int m) { return m < 0 && m % 2 != 0 ? -1.0 : 1.0; }
    const std::vector<double>& of(int l, int m) const { return legendre_[index(l, std::abs(m))]; }

    std::array<std::vector<double>, (most_l + 1) * (most_l + 2) / 2> legendre_;
};

// Returns the coefficient of spin up or down (sign 1 or -1) in the spin-angular function with j_z = twice_m / 2.
double spin_coefficient(int species, int twice_m, int spin) {
    const double l = l_of(species), m = 0.5 * twice_m;
    const bool aligned = kappa_of(species) < 0;
    const double size = std::sqrt(std::max(l + 0.5 + (aligned ? spin : -spin) * m, 0.0) / (2 * l + 1));
    return !aligned && spin > 0 ? -size : size;
}

// Returns the sums over all j_z of sigma1.sigma2 C^nu.C^nu between the functions of a and -b (twice), of -a and b, and
// the product of both, divided by the numbers of functions. These are the coefficients of the Gaunt interaction.
std::array<double, 3> gaunt_sums(const HarmonicIntegrals& integrals, int species, int other, int nu) {
    std::array<double, 3> sums{};
    for (int m = -twice_j_of(species); m <= twice_j_of(species); m += 2)
        for (int n = -twice_j_of(other); n <= twice_j_of(other); n += 2) {
            // Returns <a|sigma C|b> for the spins on the left and on the right.
            const auto element = [&](int a, int b, int left, int right) {
                return spin_coefficient(a, m, left) * spin_coefficient(b, n, right) *
                       integrals(l_of(a), (m - left) / 2, nu, l_of(b), (n - right) / 2);
            };
            const auto along = [&](int a, int b) { return element(a, b, 1, 1) - element(a, b, -1, -1); };
            const int opposite_a = opposite(species), opposite_b = opposite(other);
            // sigma_x sigma_x + sigma_y sigma_y = 2 (raising lowering + lowering raising).
            const std::array<double, 3> x{along(species, opposite_b), element(species, opposite_b, 1, -1),
                                          element(species, opposite_b, -1, 1)},
                y{along(opposite_a, other), element(opposite_a, other, 1, -1), element(opposite_a, other, -1, 1)};
            for (std::size_t i = 0; i < 3; ++i) {
                const double weight = i == 0 ? 1.0 : 2.0;
                sums[0] -= weight * x[i] * x[i];
                sums[1] -= weight * y[i] * y[i];
                sums[2] += weight * x[i] * y[i];
            }
        }
    for (double& sum : sums) sum /= degeneracy_of(species) * degeneracy_of(other);
    return sums;
}

template <class Check>
void for_all_pairs(const Check& check) {
    for (int species = 0; species < max_symmetries; ++species)
        for (int other = 0; other < max_symmetries; ++other) check(species, other);
}

}  // namespace

// A coefficient must also be zero where the integral is zero.
BOOST_AUTO_TEST_CASE(angular_integrals) {
    double worst = 0;
    for_all_pairs([&](int species, int other) {
        for (int nu = 0; nu <= 14; ++nu)
            worst = larger(worst,
                           std::fabs(exchange_coefficient(species, other, nu) - angular_integral(species, other, nu)));
    });
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-14);
}

// The sum of (2 nu + 1) b_nu is 1 over all nu, and 1/2 over all nu of one parity.
BOOST_AUTO_TEST_CASE(sum_rule) {
    double worst = 0;
    for_all_pairs([&](int species, int other) {
        double sum = 0;
        for (int nu = 0; nu <= 14; ++nu) sum += (2 * nu + 1) * exchange_coefficient(species, other, nu);
        worst = larger(worst, std::fabs(sum - 0.5));
    });
    BOOST_TEST(worst < 1e-14);
}

// The repulsion of an electron by itself cancels between the direct and the exchange term. Therefore b_0 is 1/(2j + 1),
// and for s all other coefficients are zero.
BOOST_AUTO_TEST_CASE(self_interaction) {
    for (int species = 0; species < max_symmetries; ++species)
        BOOST_TEST(std::fabs(exchange_coefficient(species, species, 0) - 1.0 / degeneracy_of(species)) < 1e-15);
    BOOST_TEST(exchange_coefficient(0, 0, 1) == 0.0);
}

BOOST_AUTO_TEST_CASE(known_values) {
    BOOST_TEST(std::fabs(exchange_coefficient(0, 1, 1) - 1.0 / 6) < 1e-15);   // s1/2 p1/2
    BOOST_TEST(std::fabs(exchange_coefficient(0, 2, 1) - 1.0 / 6) < 1e-15);   // s1/2 p3/2
    BOOST_TEST(std::fabs(exchange_coefficient(1, 2, 2) - 1.0 / 10) < 1e-15);  // p1/2 p3/2
    BOOST_TEST(std::fabs(exchange_coefficient(2, 2, 2) - 1.0 / 20) < 1e-15);  // p3/2 p3/2
}

// The Gaunt interaction contains no derivatives, so that its coefficients are sums over all spins and orientations.
BOOST_AUTO_TEST_CASE(gaunt_coefficients) {
    const HarmonicIntegrals integrals;
    double worst = 0;
    for_all_pairs([&](int species, int other) {
        std::array<std::array<double, 3>, 16> mine{};
        for (const MagneticTerm& term : magnetic_terms(Interaction::gaunt, species, other)) {
            std::array<double, 3>& of_nu = mine.at(static_cast<std::size_t>(term.nu));
            of_nu[0] += term.large_large;
            of_nu[1] += term.small_small;
            of_nu[2] += term.large_small;
            BOOST_TEST(term.odd == 0.0);
        }
        for (int nu = 0; nu < 16; ++nu) {
            const std::array<double, 3> sums = gaunt_sums(integrals, species, other, nu);
            for (std::size_t i = 0; i < 3; ++i)
                worst = larger(worst, std::fabs(mine[static_cast<std::size_t>(nu)][i] - sums[i]));
        }
    });
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-13);
}

// The exchange is symmetric in the two shells, which exchanges the roles of large and small components.
BOOST_AUTO_TEST_CASE(symmetry_of_magnetic_terms) {
    for_all_pairs([](int species, int other) {
        const auto terms = magnetic_terms(Interaction::breit, species, other),
                   swapped = magnetic_terms(Interaction::breit, other, species);
        BOOST_REQUIRE(terms.size() == swapped.size());
        for (std::size_t i = 0; i < terms.size(); ++i) {
            BOOST_TEST(terms[i].nu == swapped[i].nu);
            BOOST_TEST(std::fabs(terms[i].large_large - swapped[i].small_small) < 1e-15);
            BOOST_TEST(std::fabs(terms[i].large_small - swapped[i].large_small) < 1e-15);
            BOOST_TEST(std::fabs(terms[i].odd + swapped[i].odd) < 1e-15);
        }
    });
    BOOST_TEST(magnetic_terms(Interaction::coulomb, 0, 1).empty());
}
