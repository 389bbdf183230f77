// Tests every real parameter to the ends of its documented range. Results are right by an independent formula.
#define BOOST_TEST_MODULE kpm_ranges
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "kpm/enclosure.hpp"
#include "kpm/spectrum.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr int moments = 24;

// Compares with <0|T_n|0> of a ring of six sites: the sum over k of T_n(e_k) / 6, in long double.
void check_ring(const Solver& solver, long double energy, long double hopping) {
    const Rescaling r = solver.rescaling();
    const std::vector<double> found = solver.moments().mean;
    for (int n = 0; n < moments; ++n) {
        long double sum = 0;
        for (int k = 0; k < 6; ++k) {
            const long double level = energy - 2 * hopping * std::cos(std::acos(-1.0L) * k / 3);
            const long double e = (level - r.centre) / r.half_width;
            sum += std::cos(n * std::acos(std::clamp(e, -1.0L, 1.0L))) / 6;
        }
        const double difference = std::abs(found[static_cast<std::size_t>(n)] - static_cast<double>(sum));
        BOOST_TEST(difference <= moment_rounding(r, 0, n),
                   "energy " << energy << ", hopping " << hopping << ", moment " << n << ": off by " << difference);
    }
}

Problem of_site_0() {
    Problem problem;
    problem.moments = moments;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {0};
    return problem;
}

CrsMatrix ring(double energy, double hopping) {
    CrsMatrix matrix;
    matrix.row_pointers = {0};
    for (std::int32_t i = 0; i < 6; ++i) {
        for (const std::int32_t column : {i, (i + 1) % 6, (i + 5) % 6}) {
            matrix.columns.push_back(column);
            matrix.values.push_back(column == i ? energy : -hopping);
        }
        matrix.row_pointers.push_back(3 * (i + 1));
    }
    return matrix;
}

Spectrum some_spectrum(double centre, double half_width) {
    return {exact_moments({-0.7, -0.2, 0.1, 0.5, 0.6}, {0, 1}, moments), centre, half_width};
}

}  // namespace

BOOST_AUTO_TEST_CASE(lattices) {
    Context context = make_context();
    for (const double energy : {0.0, 1e-300, 1e-20, -1.0, 1e6, -1e6})
        for (const double hopping : {0.0, 1e-300, 1e-110, 1e-99, 1e-20, 1e-8, 1e-5, -0.3, 1.0, 1e6, -1e6})
            for (const double margin : {0.0, 1e-12, 0.01, 10.0}) {
                Lattice lattice;
                lattice.extents = {6, 1, 1};
                lattice.energy = energy;
                lattice.hopping = hopping;
                Problem problem = of_site_0();
                problem.margin = margin;
                for (const Bounds method : {Bounds::gershgorin, Bounds::lanczos}) {
                    problem.bounds = method;
                    check_ring(*finished(context, problem, lattice), energy, hopping);
                }
            }
}

BOOST_AUTO_TEST_CASE(matrices) {
    Context context = make_context();
    for (const double scale : {1e-300, 1e-99, 1e-30, 1.0, 1e30, 1e100})
        for (const double energy : {0.0, 0.7, -1.0}) {
            const double e = energy * scale, t = 0.6 * scale;
            check_ring(*finished(context, of_site_0(), ring(e, t)), e, t);
        }
}

// Disorder from zero to 10^6, compared with the levels of each realisation.
BOOST_AUTO_TEST_CASE(strengths_of_disorder) {
    Context context = make_context();
    for (const OnSite kind : {OnSite::box, OnSite::normal})
        for (const double disorder : {0.0, 1e-300, 1e-12, 1e-3, 1.0, 1e3, 1e6}) {
            Lattice lattice;
            lattice.extents = {6, 1, 1};
            lattice.on_site = kind;
            lattice.disorder = disorder;
            const auto solver = finished(context, all_sites(6, moments), lattice);
            const std::vector<double> exact =
                exact_moments(eigenvalues(matrix_of(lattice, 1, 0)), solver->rescaling(), moments);
            BOOST_TEST(largest_difference(solver->moments().mean, exact) < 1e-9);
        }
}

// Tests given intervals of many positions and widths. Those that do not enclose the spectrum give an error status.
BOOST_AUTO_TEST_CASE(given_intervals) {
    Context context = make_context();
    Lattice lattice;
    lattice.extents = {6, 1, 1};
    Problem problem = of_site_0();
    problem.bounds = Bounds::interval;
    const auto run = [&](double lowest, double highest, double margin) {
        problem.lowest = lowest;
        problem.highest = highest;
        problem.margin = margin;
        return finished(context, problem, lattice);
    };
    for (const double reach : {2.0, 2.5, 1e3, 1e12, 1e50, 1e100})
        for (const double margin : {0.0, 0.01, 10.0}) {
            check_ring(*run(-reach, reach, margin), 0, 1);
            check_ring(*run(-reach, 2, margin), 0, 1);
            check_ring(*run(-2, reach, margin), 0, 1);
        }
    for (const double reach : {1e-99, 1e-50, 1e-3, 1.0, 1.5})
        BOOST_TEST((failure_of([&] { run(-reach, reach, 0); }).first == Status::numerical_error));
    for (const double place : {3.0, 1e6, 5e99, -5.0, -1e6, -1e100})
        BOOST_TEST((failure_of([&] { run(place, place + std::abs(place) / 2, 0); }).first == Status::numerical_error));
    BOOST_TEST((failure_of([&] { run(1, 1 + 1e-12, 0); }).first == Status::invalid_argument));
}

// Compares with sinh(lambda (1 - n / N)) / sinh(lambda), computed with exponentials of negative arguments only.
BOOST_AUTO_TEST_CASE(lorentz_kernel) {
    for (const double lambda : {1e-6, 1e-3, 0.1, 4.0, 100.0, 1e6}) {
        const std::vector<double> g = kernel_factors(Kernel::lorentz, 100, lambda);
        for (int n = 0; n < 100; ++n) {
            const long double l = lambda, rest = 1 - n / 100.0L;
            const long double exact =
                lambda < 1 ? std::sinh(l * rest) / std::sinh(l)
                           : std::exp(-l * n / 100) * (1 - std::exp(-2 * l * rest)) / (1 - std::exp(-2 * l));
            BOOST_TEST(std::abs(g[static_cast<std::size_t>(n)] - static_cast<double>(exact)) <=
                       1e-12 * static_cast<double>(exact) + 1e-300);
        }
    }
}

// A spectrum on another scale has the same number of states below the same relative energy. Beyond the interval there
// are none or all.
BOOST_AUTO_TEST_CASE(energies_of_all_sizes) {
    const Spectrum unit = some_spectrum(0, 1);
    for (const double scale : {1e-99, 1e-30, 1.0, 1e30, 1e100}) {
        const Spectrum s = some_spectrum(0, scale);
        for (const double e : {-0.999, -0.3, 0.0, 0.4, 0.999}) {
            const std::vector<double> at{e * scale}, of_unit{e};
            const double states = integrated_density(unit, of_unit)[0], density = density_of_states(unit, of_unit)[0];
            BOOST_TEST(std::abs(integrated_density(s, at)[0] - states) < 1e-13);
            BOOST_TEST(std::abs(density_of_states(s, at)[0] * scale - density) < 1e-12);
            const std::complex<double> green = greens_function(s, at)[0] * scale;
            BOOST_TEST(std::abs(green - greens_function(unit, of_unit)[0]) < 1e-11);
        }
        if (scale == 1e100) continue;  // no allowed energy lies beyond the interval
        const std::vector<double> beyond{-1e100, 1e100};
        BOOST_TEST((integrated_density(s, beyond) == std::vector{0.0, 1.0}));
        BOOST_TEST((density_of_states(s, beyond) == std::vector{0.0, 0.0}));
        for (const std::complex<double> green : greens_function(s, beyond))
            BOOST_TEST(std::abs(std::abs(green) * 1e100 - 1) < 1e-12);
    }
}

// The number at low temperature is that of the states below mu. At high temperature it is Fermi's function of mu alone.
// In between it is compared with a sum over very many nodes.
BOOST_AUTO_TEST_CASE(all_temperatures) {
    const Spectrum s = some_spectrum(0, 1);
    const Curve curve = density_at_nodes(s, 1 << 14);
    for (const double temperature : {0.0, 1e-300, 1e-12, 1e-7, 1e-5, 1e-3, 0.05, 1.0, 1e3, 1e9, 1e100})
        for (const double reach : {-1e100, -3.0, -0.9, -0.05, 0.0, 0.3, 2.0, 1e100}) {
            const double found = electron_number(s, reach, temperature);
            double exact = 0, tolerance = 1e-9;
            if (temperature < 1e-9) {
                exact = integrated_density(s, std::vector{reach})[0];
            } else if (temperature > 1e8) {
                exact = 1 / (1 + std::exp(-reach / temperature));
            } else {
                for (std::size_t i = 0; i < curve.energies.size(); ++i)
                    exact += curve.density[i] * std::sqrt((1 - curve.energies[i]) * (1 + curve.energies[i])) *
                             std::acos(-1.0) / static_cast<double>(curve.energies.size()) /
                             (1 + std::exp((curve.energies[i] - reach) / temperature));
                if (temperature < 1e-3) tolerance = 2e-4;  // error of the sum over nodes
            }
            BOOST_TEST(std::abs(found - exact) < tolerance, temperature << ", " << reach << ": " << found - exact);
        }
}

// The chemical potential reproduces the number of electrons, from nearly none to nearly all.
BOOST_AUTO_TEST_CASE(numbers_of_electrons) {
    const Spectrum s = some_spectrum(0, 1);
    for (const double temperature : {0.0, 1e-300, 1e-6, 0.05, 1.0, 1e6, 1e100})
        for (const double electrons :
             {1e-300, 1e-100, 1e-12, 1e-3, 0.5, 1 - 1e-3, 1 - 1e-12, std::nextafter(1.0, 0.0)}) {
            const double mu = chemical_potential(s, electrons, temperature);
            BOOST_TEST(std::isfinite(mu));
            // The neighbouring floating-point numbers enclose it, or give it within rounding.
            BOOST_TEST(electron_number(s, std::nextafter(mu, -INFINITY), temperature) <= electrons + 1e-15);
            BOOST_TEST(electron_number(s, std::nextafter(mu, INFINITY), temperature) >= electrons - 1e-15);
            if (temperature >= 1e6 && electrons < 0.6) {  // all energies are equivalent
                const double hot = temperature * std::log(electrons / (1 - electrons));
                BOOST_TEST(std::abs(mu - hot) < 1e-12 * std::abs(hot) + 2);
            }
        }
}
