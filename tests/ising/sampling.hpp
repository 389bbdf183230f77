// What the tests of averages share.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "exact.hpp"
#include "ising/solver.hpp"

namespace legato::ising::tests {

inline constexpr double critical_beta = 0.44068679350977151;

inline Context& cpu_context() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::error;
    static Context context(options);
    return context;
}

// A lattice whose averages exact.hpp computes, with inverse temperatures.
struct Case {
    exact::Torus torus;
    Lattice lattice;
    std::vector<double> betas;
};

inline std::vector<Case> small_lattices() {
    constexpr auto p = Boundary::periodic, a = Boundary::antiperiodic;
    return {{{4, 1, 1, 1, 1}, {2, {4, 4, 1}, {p, p, p}}, {0.3, 0.4406868, 0.6}},
            {{4, 1, -1, 1, -1}, {2, {4, 4, 1}, {a, a, p}}, {0.3, 0.44}},
            {{4, 1, 1, 1, -1}, {2, {4, 4, 1}, {a, p, p}}, {0.3, 0.44}},
            {{2, 2, 1, 1, 1}, {3, {2, 2, 4}, {p, p, p}}, {0.15, 0.22}},
            {{2, 2, 1, -1, 1}, {3, {2, 2, 4}, {p, a, p}}, {0.15, 0.22}},
            {{4, 2, 1, 1, 1}, {3, {4, 4, 2}, {p, p, p}}, {0.15, 0.22}},
            {{4, 2, -1, 1, -1}, {3, {4, 4, 2}, {a, a, p}}, {0.15, 0.22}}};
}

struct Enumerated {
    double energy = 0, magnetisation = 0, magnetisation_2 = 0, magnetisation_4 = 0;  // values per spin
    double at_distance_1 = 0, at_distance_2 = 0;                                     // correlations along x
};

// Returns exact values of a periodic square lattice of at most 16 sites, by summing over all its states.
inline Enumerated enumerate(unsigned width, unsigned height, double beta, double field) {
    const unsigned sites = width * height;
    double z = 0;
    Enumerated sum;
    for (unsigned state = 0; state < 1u << sites; ++state) {
        const auto s = [&](unsigned x, unsigned y) {
            return (state >> (x % width + width * (y % height)) & 1) != 0 ? 1 : -1;
        };
        int bonds = 0, m = 0, near = 0, distant = 0;
        for (unsigned x = 0; x < width; ++x) {
            for (unsigned y = 0; y < height; ++y) {
                bonds += s(x, y) * (s(x + 1, y) + s(x, y + 1));
                near += s(x, y) * s(x + 1, y);
                distant += s(x, y) * s(x + 2, y);
                m += s(x, y);
            }
        }
        const double e = -bonds - field * m, weight = std::exp(-beta * e), n = sites;
        z += weight;
        sum.energy += weight * e / n;
        sum.magnetisation += weight * m / n;
        sum.magnetisation_2 += weight * m * m / (n * n);
        sum.magnetisation_4 += weight * std::pow(m / n, 4);
        sum.at_distance_1 += weight * near / n;
        sum.at_distance_2 += weight * distant / n;
    }
    return {sum.energy / z,          sum.magnetisation / z, sum.magnetisation_2 / z,
            sum.magnetisation_4 / z, sum.at_distance_1 / z, sum.at_distance_2 / z};
}

// Checks that `found` is within so many errors of `expected`, and that its error is small enough.
inline void require_near(const char* what, const statistics::Estimate& found, double expected, double errors,
                         double largest_error) {
    BOOST_TEST_CONTEXT(what << " " << found.mean << " +- " << found.error << ", exact " << expected << ": "
                            << (found.mean - expected) / found.error << " errors") {
        BOOST_TEST(found.error > 0);
        BOOST_TEST(std::fabs(found.mean - expected) < errors * found.error);
        BOOST_TEST(found.error < largest_error);
    }
}

// Every observable of the specification, from exact averages.
struct Expected {
    double energy, specific_heat, absolute_magnetisation, magnetisation_2, magnetisation_4, susceptibility, binder;

    Expected(const exact::Averages& a, double beta, double sites)
        : energy(a.energy),
          specific_heat(beta * beta * sites * (a.energy_2 - a.energy * a.energy)),
          absolute_magnetisation(a.absolute_magnetisation),
          magnetisation_2(a.magnetisation_2),
          magnetisation_4(a.magnetisation_4),
          susceptibility(sites * (a.magnetisation_2 - a.absolute_magnetisation * a.absolute_magnetisation)),
          binder(1 - a.magnetisation_4 / (3 * a.magnetisation_2 * a.magnetisation_2)) {}
};

// Returns pairs of measured and exact values, in the order of the members above.
inline std::vector<std::pair<statistics::Estimate, double>> pairs_of(const Averages& a, const Expected& e) {
    return {{a.energy, e.energy},
            {a.specific_heat, e.specific_heat},
            {a.absolute_magnetisation, e.absolute_magnetisation},
            {a.magnetisation_2, e.magnetisation_2},
            {a.magnetisation_4, e.magnetisation_4},
            {a.susceptibility, e.susceptibility},
            {a.binder, e.binder}};
}
inline constexpr const char* names_of_pairs[] = {"energy", "specific heat",  "|m|",   "m^2",
                                                 "m^4",    "susceptibility", "Binder"};

}  // namespace legato::ising::tests
