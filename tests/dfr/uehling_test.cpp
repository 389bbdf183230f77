// Compares the Uehling potential and its energies with independent integrals and published values.
#define BOOST_TEST_MODULE dfr_uehling
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/larger.hpp"
#include "core/validate.hpp"
#include "dfr/elements.hpp"
#include "dfr/properties.hpp"
#include "dfr/uehling.hpp"
#include "hennessey.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::large_atom, tests::one_electron_in;

namespace {

using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;

// Returns the integral of f(t) (1 + 1/(2 t^2)) (t^2 - 1)^(1/2) / t^2 over t > 1, with y = 1/t.
template <class F>
Real spectral(const F& f) {
    static boost::math::quadrature::tanh_sinh<Real> rule;
    const auto integrand = [&](Real y) {
        return y < 1e-40L ? Real(0) : (1 + y * y / 2) * std::sqrt(1 - y * y) / y * f(1 / y);
    };
    return rule.integrate(integrand, Real(0), Real(1), 1e-16L);
}

// Returns the sum of powers x^n / n! times factor(n) for n = first, first + step, ...
template <class Factor>
Real power_series(Real x, int first, int step, const Factor& factor) {
    Real term = std::pow(x, first) / std::tgamma(Real(first + 1)), sum = 0;
    for (int n = first; n < first + 40; n += step) {
        sum += term * factor(n);
        for (int k = 1; k <= step; ++k) term *= x / (n + k);
    }
    return sum;
}

// Returns the Yukawa potential, with the range 1/m, of a sphere with the charge 1. Series avoid cancellation.
Real yukawa(Real radius, Real m, Real r) {
    const Real x = m * radius, y = m * r, factor = 3 / (radius * radius * radius * m * m);
    if (r >= radius) {  // e^(-x) (x cosh x - sinh x)
        const Real scaled = x < 1 ? std::exp(-x) * power_series(x, 3, 2, [](int n) { return n - 1; })
                                  : (x - 1 + (x + 1) * std::exp(-2 * x)) / 2;
        return factor / m * scaled * std::exp(y > x ? x - y : 0) / r;
    }
    if (x > 1) return factor * (1 - (1 + x) * std::exp(y - x) * -std::expm1(-2 * y) / (2 * y));
    const Real surface = power_series(x, 2, 1, [](int n) { return (n % 2 ? 1 - n : n - 1); }),  // 1 - (1 + x) e^(-x)
        inner = power_series(y, 3, 2, [](int) { return 1; }) / y;                               // sinh(y) / y - 1
    return factor * (surface - (1 + x) * std::exp(-x) * inner);
}

Real factor_of(const Nucleus& nucleus, Real c) {
    return -2 * nucleus.charge / (3 * pi * c);
}

Real sphere_potential(Real radius, Real c, Real r) {
    return spectral([=](Real t) { return yukawa(radius, 2 * c * t, r); });
}

// A Fermi nucleus is a superposition of spheres with weights -f'(R) R^3.
Real fermi_potential(const Nucleus& nucleus, Real c, Real r) {
    const Real a = nucleus.skin / (4 * std::log(Real(3))), radius = nucleus.radius;
    Real sum = 0, norm = 0;
    std::vector<Real> ends;
    for (Real x = std::max(radius - 40 * a, Real(0)); x < radius + 40 * a; x += 2 * a) ends.push_back(x);
    const Real first = ends.front(), last = ends.back();
    for (Real distance = 729; distance > 1e-4L; distance /= 3)
        for (const Real s : {r * (1 - distance), r, r * (1 + distance), r * distance, radius * distance})
            if (s > first && s < last) ends.push_back(s);
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        if (ends[i + 1] == ends[i]) continue;
        const auto weight = [&](Real s) {
            const Real f = 1 / (1 + std::exp((s - radius) / a));
            return f * (1 - f) * s * s * s;
        };
        using Rule = boost::math::quadrature::gauss<Real, 15>;
        norm += Rule::integrate(weight, ends[i], ends[i + 1]);
        sum += Rule::integrate([&](Real s) { return weight(s) * sphere_potential(s, c, r); }, ends[i], ends[i + 1]);
    }
    return sum / norm;
}

// Returns the vacuum polarisation at the momentum q, without the factor alpha/(3 pi) (a Taylor series where it
// cancels).
Real polarisation(Real x) {  // x = (q / c)^2
    if (x < 1e-3L) return x * (Real(1) / 5 - x * (Real(3) / 140 - x * (Real(1) / 315 - x * (Real(1) / 1848))));
    const Real root = std::sqrt(1 + 4 / x);
    return -Real(5) / 3 + 4 / x + (1 - 2 / x) * root * std::log((root + 1) / (root - 1));
}

// The Fourier transform of the potential of a Gaussian nucleus decays as a Gaussian.
Real gaussian_potential(const Nucleus& nucleus, Real c, Real r) {
    const Real xi = nucleus.exponent, last = 14 * std::sqrt(xi), step = std::min(last / 40, 2 / r);
    Real sum = 0;
    Real from = 0;
    for (Real to = std::min(c, step) / 64; from < last; from = to, to = std::min(2 * to, to + step))
        sum += boost::math::quadrature::gauss<Real, 20>::integrate(
            [&](Real q) {
                return std::sin(q * r) / (q * r) * std::exp(-q * q / (4 * xi)) * polarisation(q * q / (c * c));
            },
            from, to);
    // The factor of the other potentials is 2 / (3 pi c), this one is (2 / pi) / (3 pi c).
    return sum / pi;
}

Real exact_potential(const Nucleus& nucleus, Real c, Real r) {
    switch (nucleus.model) {
        case NuclearModel::point:
            return factor_of(nucleus, c) * spectral([=](Real t) { return std::exp(-2 * c * t * r); }) / r;
        case NuclearModel::sphere:
            return factor_of(nucleus, c) * sphere_potential(nucleus.radius, c, r);
        case NuclearModel::gaussian:
            return factor_of(nucleus, c) * gaussian_potential(nucleus, c, r);
        default:
            return factor_of(nucleus, c) * fermi_potential(nucleus, c, r);
    }
}

}  // namespace

void check_potential(const Nucleus& nucleus, const std::vector<double>& radii) {
    constexpr double c = 137.03599976;
    double worst = 0;
    for (const double r : radii) {
        const double exact = static_cast<double>(exact_potential(nucleus, c, r)),
                     error = uehling_potential(nucleus, c, r) / exact - 1;
        BOOST_TEST_MESSAGE(text("nucleus ", static_cast<int>(nucleus.model), ", r = ", r, ": ", exact, ", ", error));
        worst = larger(worst, std::fabs(error));
    }
    BOOST_TEST(worst < 1e-12, static_cast<int>(nucleus.model) << ", Z = " << nucleus.charge << ": " << worst);
}

BOOST_AUTO_TEST_CASE(potentials) {
    std::vector<double> radii{1e-7, 1e-6, 3e-5, 1.1e-4, 1.27e-4, 1.5e-4, 1e-3, 1e-2};
    for (const int element : {2, 86}) check_potential(make_nucleus(element, NuclearModel::gaussian), radii);
    radii.push_back(0.1);  // the Fourier integral of a Gaussian nucleus would cancel
    for (const int element : {2, 86})
        for (const NuclearModel model : {NuclearModel::point, NuclearModel::sphere, NuclearModel::fermi})
            check_potential(make_nucleus(element, model), radii);
    // The range of the potential, 1/(2 c), is smaller than these nuclei.
    check_potential({54, NuclearModel::sphere, 1.0}, {1e-4, 0.3, 0.99, 1.01, 1.1});
    check_potential({54, NuclearModel::fermi, 0.1, 0, 0.05}, {1e-4, 0.05, 0.1, 0.2});
}

// Returns the energy of 1s of a point nucleus; t is integrated last.
double exact_1s(double z, double c) {
    const Real a = Real(z) / c, gamma = std::sqrt(1 - a * a);
    return static_cast<double>(factor_of({z}, c) * z / gamma *
                               spectral([=](Real t) { return std::pow(z / (z + c * t), 2 * gamma); }));
}

BOOST_AUTO_TEST_CASE(hydrogen_like_ions) {
    const Problem problem;
    for (const int z : {1, 20, 54, 86}) {
        const Atom atom = large_atom(problem, {static_cast<double>(z)}, one_electron_in(0));
        const double energy = uehling_energy(problem, atom, tests::run(problem, atom)),
                     exact = exact_1s(z, problem.speed_of_light);
        BOOST_TEST_MESSAGE(text("Z = ", z, ": ", energy, ", ", exact, ", relative error ", energy / exact - 1));
        BOOST_TEST(std::fabs(energy / exact - 1) < 1e-6);
    }
}

// P. J. Mohr, B. N. Taylor and D. B. Newell, Rev. Mod. Phys. 84, 1527 (2012): the energy is alpha (Z alpha)^4 m c^2 /
// pi times -4/15 + 5 pi/48 x - 2/15 x^2 ln(x^-2) + G x^2 with x = Z alpha, and G = -0.618724 for 1s of hydrogen.
BOOST_AUTO_TEST_CASE(published_hydrogen) {
    const double c = 137.035999074, x = 1 / c;
    const double h = exact_1s(1, c) * std::numbers::pi * c * c * c;
    const double g = (h + 4.0 / 15 - 5 * std::numbers::pi / 48 * x - 4.0 / 15 * x * x * std::log(x)) / (x * x);
    BOOST_TEST(std::fabs(g + 0.618724) < 1e-6, g);
}

// Compares with a finer quadrature over ln r. The functions are as large as the nucleus, larger, or smaller.
BOOST_AUTO_TEST_CASE(quadrature) {
    const Problem problem;
    const auto check = [&](const Atom& atom) {
        const AtomResult result = tests::run(problem, atom);
        const auto [smallest, largest] = std::minmax_element(atom.exponents[0].begin(), atom.exponents[0].end());
        const double c = problem.speed_of_light, border = atom.nucleus.radius;
        const double first = 1e-8 / std::max(std::sqrt(*largest), c),
                     last = std::min(7 / std::sqrt(*smallest), 25 / c + 2 * border);
        std::vector<double> ends{std::log(last)};
        for (double x = std::log(first); x < std::log(last); x += 0.2) ends.push_back(x);
        // The potential of a sphere has a weak singularity at its surface.
        for (double distance = 0.1; distance > 1e-7; distance /= 4)
            for (const double r : {1 - distance, 1.0, 1 + distance})
                if (r * border > first && r * border < last) ends.push_back(std::log(r * border));
        std::sort(ends.begin(), ends.end());
        double sum = 0;
        for (std::size_t i = 0; i + 1 < ends.size(); ++i)
            if (ends[i + 1] > ends[i])
                sum += boost::math::quadrature::gauss<double, 20>::integrate(
                    [&](double x) {
                        const double r = std::exp(x);
                        return r * radial_density(atom, result, {&r, 1})[0] * uehling_potential(atom.nucleus, c, r);
                    },
                    ends[i], ends[i + 1]);
        const double energy = uehling_energy(problem, atom, result);
        BOOST_TEST_MESSAGE(text(energy, ", relative error ", energy / sum - 1));
        BOOST_TEST(std::fabs(energy / sum - 1) < 1e-10, energy / sum - 1);
    };
    const auto check_function = [&](NuclearModel model, double zeta) {
        check({make_nucleus(54, model), {{zeta}}, one_electron_in(0)});
    };
    check(library_atom(54, NuclearModel::point));
    for (const double zeta : {1e-8, 0.01, 1e8, 1e20}) check_function(NuclearModel::point, zeta);
    check(library_atom(54, NuclearModel::fermi));
    for (const double zeta : {0.01, 1e8}) check_function(NuclearModel::sphere, zeta);
    check_function(NuclearModel::gaussian, 1e8);
    check_function(NuclearModel::fermi, 1e10);
    // The range of the potential, 1/(2 c), is smaller than this nucleus.
    check({{54, NuclearModel::sphere, 0.1}, {{10.0}}, one_electron_in(0)});
    BOOST_TEST(std::isnan(uehling_energy(problem, library_atom(2, NuclearModel::point), {})));
}
