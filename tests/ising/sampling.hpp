// Functions that the tests of Metropolis' averages share.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "exact.hpp"
#include "ising/solver.hpp"

namespace legato::ising::tests {

inline constexpr double critical_beta = 0.44068679350977151;

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
