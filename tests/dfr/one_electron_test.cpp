// Compares all one-electron matrices with numerical quadrature in extended precision. The functions, their derivatives
// and the potentials are written here independently of the library.
#define BOOST_TEST_MODULE dfr_one_electron
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "core/error.hpp"
#include "core/larger.hpp"
#include "dfr/elements.hpp"
#include "dfr/one_electron.hpp"
#include "fermi_series.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

using Real = long double;

// These return the unnormalised function r^(l+1) e^(-zeta r^2) of kappa, and (d/dr + kappa/r) of it. The latter is
// derived as r^(-kappa) d/dr (r^kappa g). zeta is real or complex.
template <class Zeta>
Zeta large_function(int l, Zeta zeta, Real r) {
    return std::pow(r, static_cast<Real>(l + 1)) * std::exp(-zeta * r * r);
}
template <class Zeta>
Zeta small_function(int l, int kappa, Zeta zeta, Real r) {
    const Real power_term = static_cast<Real>(l + 1 + kappa) * std::pow(r, static_cast<Real>(l));
    const Zeta exponential_term = Real(2) * zeta * r * r * std::pow(r, static_cast<Real>(l));
    return (power_term - exponential_term) * std::exp(-zeta * r * r);
}

Real potential(const Nucleus& nucleus, Real r) {
    const Real z = nucleus.charge, radius = nucleus.radius;
    if (nucleus.model == NuclearModel::fermi)
        return -z * tests::fermi_potential(radius, nucleus.skin / (4 * std::log(Real(3))), r);
    if (nucleus.model == NuclearModel::gaussian)
        return -z * std::erf(std::sqrt(static_cast<Real>(nucleus.exponent)) * r) / r;
    if (nucleus.model == NuclearModel::sphere && r < radius)
        return -z / (2 * radius) * (3 - (r / radius) * (r / radius));
    return -z / r;
}

Real border_of(const Nucleus& nucleus) {
    return nucleus.model == NuclearModel::sphere || nucleus.model == NuclearModel::fermi ? nucleus.radius : 0;
}

// Integrates over ln r in panels, one border at the surface of the nucleus. The integrand decays as e^(-p r^2).
template <class Integrand>
Real integral(Real p, Real border, const Integrand& integrand) {
    const Real from = std::log(1e-9L / std::sqrt(p)), to = std::log(8 / std::sqrt(p)), width = 0.5L;
    std::vector<Real> borders{from};
    while (borders.back() < to) borders.push_back(borders.back() + width);
    if (border > 0 && std::log(border) > from) borders.push_back(std::log(border));
    std::sort(borders.begin(), borders.end());
    Real sum = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        if (borders[i + 1] > borders[i])
            sum += boost::math::quadrature::gauss<Real, 30>::integrate(
                [&](Real x) { return integrand(std::exp(x)) * std::exp(x); }, borders[i], borders[i + 1]);
    return sum;
}

struct Worst {
    double overlap = 0, kinetic = 0, nuclear_large = 0, nuclear_small = 0;
};

// Returns the largest difference in each matrix, relative to the root of the product of two diagonal elements. For the
// overlaps these are 1.
Worst compare(const Problem& problem, const Nucleus& nucleus, int species, const std::vector<double>& exponents) {
    const OneElectron h = one_electron(problem, nucleus, species, exponents);
    const int l = l_of(species), kappa = kappa_of(species);
    const std::size_t n = exponents.size();
    const Real border = border_of(nucleus), c = problem.speed_of_light;
    std::vector<Real> norm_large, norm_small;
    const auto matrix_element = [&](std::size_t p, std::size_t q, const auto& f, const auto& weight) {
        const Real zeta_p = exponents[p], zeta_q = exponents[q];
        return integral(zeta_p + zeta_q, border, [&](Real r) { return f(zeta_p, r) * f(zeta_q, r) * weight(r); });
    };
    const auto large = [&](Real zeta, Real r) { return large_function(l, zeta, r); };
    const auto small = [&](Real zeta, Real r) { return small_function(l, kappa, zeta, r); };
    const auto one = [](Real) { return Real(1); };
    const auto v = [&](Real r) { return potential(nucleus, r); };
    for (std::size_t p = 0; p < n; ++p) {
        norm_large.push_back(1 / std::sqrt(matrix_element(p, p, large, one)));
        norm_small.push_back(1 / std::sqrt(matrix_element(p, p, small, one)));
    }
    Worst worst;
    const auto take = [](double& largest, Real error) {
        largest = larger(largest, std::fabs(static_cast<double>(error)));
    };
    for (std::size_t q = 0; q < n; ++q)
        for (std::size_t p = 0; p <= q; ++p) {
            const Real nl = norm_large[p] * norm_large[q], ns = norm_small[p] * norm_small[q];
            const Real overlap_small = matrix_element(p, q, small, one);
            take(worst.overlap, h.overlap_large(p, q) - nl * matrix_element(p, q, large, one));
            take(worst.overlap, h.overlap_small(p, q) - ns * overlap_small);
            // These are <g^S_p|(d/dr + kappa/r) g^L_q>, or <p|p^2/2|q>: small functions are the derivatives of large
            // ones.
            const Real kinetic =
                problem.relativistic ? c * norm_small[p] * norm_large[q] * overlap_small : nl * overlap_small / 2;
            take(worst.kinetic, (h.kinetic(p, q) - kinetic) / std::sqrt(Real(h.kinetic(p, p)) * h.kinetic(q, q)));
            take(worst.nuclear_large, (h.nuclear_large(p, q) - nl * matrix_element(p, q, large, v)) /
                                          std::sqrt(Real(h.nuclear_large(p, p)) * h.nuclear_large(q, q)));
            if (!problem.relativistic) continue;
            take(worst.nuclear_small, (h.nuclear_small(p, q) - ns * matrix_element(p, q, small, v)) /
                                          std::sqrt(Real(h.nuclear_small(p, p)) * h.nuclear_small(q, q)));
        }
    return worst;
}

void check(const Problem& problem, const Nucleus& nucleus, const std::vector<double>& exponents) {
    for (int species = 0; species < 9; ++species) {
        const Worst worst = compare(problem, nucleus, species, exponents);
        const auto where =
            text(name_of(species), ", nucleus ", static_cast<int>(nucleus.model), ": overlap ", worst.overlap,
                 ", kinetic ", worst.kinetic, ", nuclear ", worst.nuclear_large, ", ", worst.nuclear_small);
        BOOST_TEST_MESSAGE(where);
        BOOST_TEST(worst.overlap < 1e-13, where);
        BOOST_TEST(worst.kinetic < 1e-13, where);
        BOOST_TEST(worst.nuclear_large < 1e-13, where);
        BOOST_TEST(worst.nuclear_small < 1e-13, where);
    }
}

// The derivatives of matrix elements of one weight, from a complex step of ln zeta_p. They belong to functions that are
// not normalised.
struct ComplexStep {
    static constexpr Real step = 1e-20L;
    Real element, derivative;

    template <class Function, class Weight>
    ComplexStep(Real zeta_p, Real zeta_q, Real border, const Function& f, const Weight& weight) {
        const std::complex<Real> moved(zeta_p, zeta_p * step);
        element = integral(zeta_p + zeta_q, border, [&](Real r) { return f(zeta_p, r) * f(zeta_q, r) * weight(r); });
        derivative = integral(zeta_p + zeta_q, border,
                              [&](Real r) { return f(moved, r).imag() / step * f(zeta_q, r) * weight(r); });
    }
};

// Compares the matrices of the derivatives. Returns the largest difference, relative as in compare().
double worst_derivative(const Problem& problem, const Nucleus& nucleus, int species,
                        const std::vector<double>& exponents) {
    const OneElectron h = one_electron(problem, nucleus, species, exponents);
    const OneElectronDerivatives d = one_electron_derivatives(problem, nucleus, species, exponents);
    const int l = l_of(species), kappa = kappa_of(species);
    const std::size_t n = exponents.size();
    const Real border = border_of(nucleus), c = problem.speed_of_light;
    const auto large = [&](auto zeta, Real r) { return large_function(l, zeta, r); };
    const auto small = [&](auto zeta, Real r) { return small_function(l, kappa, zeta, r); };
    const auto one = [](Real) { return Real(1); };
    const auto v = [&](Real r) { return potential(nucleus, r); };
    struct Norm {
        Real factor, derivative;  // of the norm, and its logarithmic derivative
    };
    const auto norm_of = [&](Real zeta, const auto& f) {
        const ComplexStep square(zeta, zeta, 0, f, one);
        return Norm{1 / std::sqrt(square.element), -square.derivative / square.element};
    };
    const auto normalised = [](const ComplexStep& x, const Norm& p, const Norm& q) {
        return p.factor * q.factor * (x.derivative + x.element * p.derivative);
    };
    std::vector<Norm> large_norms, small_norms;
    for (const double zeta : exponents) {
        large_norms.push_back(norm_of(zeta, large));
        small_norms.push_back(norm_of(zeta, small));
    }
    double worst = 0;
    const auto take = [&worst](double value, Real exact, Real scale) {
        worst = larger(worst, std::fabs(static_cast<double>((value - exact) / scale)));
    };
    const auto scale_of = [](const Matrix& m, std::size_t p, std::size_t q) {
        return std::sqrt(Real(m(p, p)) * m(q, q));
    };
    for (std::size_t q = 0; q < n; ++q)
        for (std::size_t p = 0; p < n; ++p) {
            const Real zeta_p = exponents[p], zeta_q = exponents[q];
            const Norm &lp = large_norms[p], &lq = large_norms[q], &sp = small_norms[p], &sq = small_norms[q];
            const ComplexStep overlap_small(zeta_p, zeta_q, 0, small, one);
            take(d.overlap(p, q), normalised({zeta_p, zeta_q, 0, large, one}, lp, lq), 1);
            const Real nuclear = normalised({zeta_p, zeta_q, border, large, v}, lp, lq),
                       scale = scale_of(h.nuclear_large, p, q);
            if (!problem.relativistic) {
                const Real kinetic = normalised(overlap_small, lp, lq) / 2;
                take(d.one_electron(p, q), nuclear + kinetic, scale + scale_of(h.kinetic, p, q));
                continue;
            }
            take(d.overlap(n + p, n + q), normalised(overlap_small, sp, sq), 1);
            take(d.one_electron(p, q), nuclear, scale);
            take(d.one_electron(p, n + q), c * normalised(overlap_small, lp, sq), scale_of(h.kinetic, p, q));
            take(d.one_electron(n + p, q), c * normalised(overlap_small, sp, lq), scale_of(h.kinetic, p, q));
            take(d.one_electron(n + p, n + q),
                 normalised({zeta_p, zeta_q, border, small, v}, sp, sq) - 2 * c * c * normalised(overlap_small, sp, sq),
                 scale_of(h.nuclear_small, p, q) + 2 * c * c);
        }
    return worst;
}

}  // namespace

// The largest exponents belong to functions inside the nucleus.
const std::vector<double> exponents{0.05, 0.06, 1.7, 90.0, 3e4, 1e7, 3e9, 1e12};

BOOST_AUTO_TEST_CASE(point_nucleus) {
    check({}, make_nucleus(54, NuclearModel::point), exponents);
}

BOOST_AUTO_TEST_CASE(sphere) {
    check({}, make_nucleus(54, NuclearModel::sphere), exponents);
    // These functions end near the surface of the nucleus.
    check({}, make_nucleus(118, NuclearModel::sphere), {1e8, 4e8, 1.5e9, 2.5e9, 4e9});
}

BOOST_AUTO_TEST_CASE(gaussian_nucleus) {
    check({}, make_nucleus(54, NuclearModel::gaussian), exponents);
}

BOOST_AUTO_TEST_CASE(fermi_nucleus) {
    check({}, make_nucleus(54, NuclearModel::fermi), exponents);
    check({}, make_nucleus(118, NuclearModel::fermi), {1e8, 4e8, 1.5e9, 2.5e9, 4e9, 2e10});
    // These products of functions are as large as the nucleus with its tail.
    check({}, make_nucleus(54, NuclearModel::fermi), {1e5, 5e5, 1.6e6});
    // The radius of helium is a tenth of the skin.
    check({}, make_nucleus(2, NuclearModel::fermi), {0.05, 90.0, 1e7, 3e9, 1e12});
    for (const double zeta : {1e-8, 1e20}) check({}, make_nucleus(54, NuclearModel::fermi), {zeta});
}

// The smallest and largest radii and skins. The panels of quadrature in this test do not resolve a thinner surface.
BOOST_AUTO_TEST_CASE(extreme_fermi_nuclei) {
    const auto of = [](double radius, double skin) { return Nucleus{54, NuclearModel::fermi, radius, 0, skin}; };
    check({}, of(1e-10, 1e-10), {1.0, 1e12, 1e19, 1e20});
    check({}, of(1.0, 1.0), {1e-8, 0.1, 30.0, 1e20});
    check({}, of(1e-10, 1.0), {1e-8, 0.1, 30.0, 1e20});
    check({}, of(1e-4, 1e-5), {1e-8, 1e5, 1e8, 1e9, 1e20});
}

// A thin skin adds to the uniform sphere a term of the order (a / radius)^2, here relative to the sphere's own change
// of the point nucleus.
BOOST_AUTO_TEST_CASE(thin_skin) {
    const std::vector<double> zeta{3e7};
    const double radius = 1e-4;
    const auto element = [&](const Nucleus& nucleus) { return one_electron({}, nucleus, 0, zeta).nuclear_large(0, 0); };
    const double sphere = element({1, NuclearModel::sphere, radius});
    const auto difference = [&](double skin) { return element({1, NuclearModel::fermi, radius, 0, skin}) - sphere; };
    const double ratio = difference(2e-6) / difference(1e-6);
    BOOST_TEST(std::fabs(ratio - 4) < 1e-3, ratio);
    BOOST_TEST(std::fabs(difference(1e-10) / sphere) < 1e-12, difference(1e-10) / sphere);
}

BOOST_AUTO_TEST_CASE(non_relativistic) {
    Problem problem;
    problem.relativistic = false;
    check(problem, make_nucleus(10, NuclearModel::point), exponents);
}

BOOST_AUTO_TEST_CASE(derivatives) {
    Problem problem;
    for (const bool relativistic : {true, false})
        for (const NuclearModel model :
             {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi})
            for (int species = 0; species < 7; ++species) {
                problem.relativistic = relativistic;
                const double worst =
                    worst_derivative(problem, make_nucleus(54, model), species, {0.05, 1.7, 3e4, 3e9, 1e12});
                BOOST_TEST(worst < 1e-13, name_of(species) << ", nucleus " << static_cast<int>(model) << ": " << worst);
            }
}
