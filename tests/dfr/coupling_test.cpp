// Compares the exchange coefficients with the angular integrals that they represent.
#define BOOST_TEST_MODULE dfr_coupling
#include <boost/math/quadrature/gauss.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

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
