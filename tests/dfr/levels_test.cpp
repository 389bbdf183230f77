// Tests Slater integrals and levels against formulas of hydrogen, of LS coupling and of jj coupling.
#define BOOST_TEST_MODULE dfr_levels
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "dfr/coupling.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/levels.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/shell_list.hpp"
#include "dfr/slater.hpp"
#include "message_of.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

namespace {

using List = std::vector<ShellElectrons>;

struct Solved {
    Problem problem;
    Atom atom;
    AtomResult result;

    Levels levels(LevelSpace space) const { return levels_of(problem, atom, result, space); }
    SlaterIntegrals integrals(const std::vector<SlaterIntegrals::Spinor>& spinors) const {
        return {problem, atom, result, spinors};
    }
};

// Solves an atom with a point nucleus in a large basis; without relativity if c is 0.
Solved solved(double charge, const List& shells, double c = 0) {
    Solved all;
    all.problem.relativistic = c > 0;
    if (c > 0) all.problem.speed_of_light = c;
    all.problem.max_iterations = 100;
    all.atom.nucleus.charge = charge;
    all.atom.configuration = average_of_shells(shells);
    all.atom.exponents = large_basis(all.problem, all.atom.nucleus, all.atom.configuration, tolerance_for(1e-8));
    all.result = tests::run(all.problem, all.atom);
    return all;
}

double mean(const Levels& levels) {
    double sum = 0, weights = 0;
    for (const Level& level : levels.levels) {
        sum += (level.twice_j + 1) * level.energy;
        weights += level.twice_j + 1;
    }
    return sum / weights;
}

// Returns the energies of a J, ascending.
std::vector<double> of_j(const Levels& levels, int twice_j) {
    std::vector<double> energies;
    for (const Level& level : levels.levels)
        if (level.twice_j == twice_j) energies.push_back(level.energy);
    return energies;
}

double factorial(int n) {
    return std::tgamma(n + 1.0);
}

// Returns the 6j symbol {a b c; d e f} of doubled numbers by Racah's formula.
double wigner_6j(int a, int b, int c, int d, int e, int f) {
    const auto triangle = [](int x, int y, int z) {
        if (x + y < z || x + z < y || y + z < x || (x + y + z) % 2 != 0) return 0.0;
        return std::sqrt(factorial((x + y - z) / 2) * factorial((x - y + z) / 2) * factorial((y + z - x) / 2) /
                         factorial((x + y + z) / 2 + 1));
    };
    const double all = triangle(a, b, c) * triangle(a, e, f) * triangle(d, b, f) * triangle(d, e, c);
    if (all == 0.0) return 0.0;
    const int first = std::max({a + b + c, a + e + f, d + b + f, d + e + c}) / 2,
              last = std::min({a + b + d + e, b + c + e + f, c + a + f + d}) / 2;
    double sum = 0;
    for (int t = first; t <= last; ++t)
        sum += (t % 2 ? -1.0 : 1.0) * factorial(t + 1) /
               (factorial(t - (a + b + c) / 2) * factorial(t - (a + e + f) / 2) * factorial(t - (d + b + f) / 2) *
                factorial(t - (d + e + c) / 2) * factorial((a + b + d + e) / 2 - t) *
                factorial((b + c + e + f) / 2 - t) * factorial((c + a + f + d) / 2 - t));
    return all * sum;
}

// Returns the energy of the state J of two electrons in one shell: the sum over k of (-1)^(2j + J) (j||C^k||j)^2
// {j j k; j j J} F^k.
double of_two_electrons(int species, int twice_j, SlaterIntegrals& slater) {
    const int j = twice_j_of(species), g = j + 1;
    double sum = 0;
    for (int k = 0; k <= j; ++k)
        sum += ((j + twice_j / 2) % 2 ? -1.0 : 1.0) * g * g * exchange_coefficient(species, species, k) *
               wigner_6j(j, j, 2 * k, j, j, twice_j) * slater(k, 0, 0, 0, 0);
    return sum;
}

}  // namespace

// The sums over all m are 1. Symbols with a zero momentum and stretched ones are known in closed form.
BOOST_AUTO_TEST_CASE(symbols_3j) {
    for (int a = 0; a <= 13; ++a)
        for (int b = 0; b <= 13; ++b)
            for (int c = std::abs(a - b); c <= a + b; c += 2) {
                double sum = 0;
                for (int m = -a; m <= a; m += 2)
                    for (int n = -b; n <= b; n += 2) sum += std::pow(wigner_3j(a, b, c, m, n, -m - n), 2);
                BOOST_TEST(std::abs(sum - 1.0) < 1e-12, a << ' ' << b << ' ' << c);
            }
    for (int j = 0; j <= 13; ++j)
        for (int m = -j; m <= j; m += 2)
            BOOST_TEST(std::abs(wigner_3j(j, j, 0, m, -m, 0) - ((j - m) / 2 % 2 ? -1 : 1) / std::sqrt(j + 1.0)) <
                       1e-14);
    BOOST_TEST(std::abs(wigner_3j(2, 2, 4, 2, 2, -4) - std::sqrt(0.2)) < 1e-15);
    BOOST_TEST(std::abs(wigner_3j(4, 2, 2, 0, 0, 0) - std::sqrt(2.0 / 15.0)) < 1e-15);
    BOOST_TEST(wigner_3j(2, 2, 2, 0, 0, 0) == 0.0);
    for (int s = 0; s < max_symmetries; ++s)
        for (int t = 0; t < max_symmetries; ++t)
            for (int k = 0; k < 14; ++k) {
                const double symbol = wigner_3j(twice_j_of(s), 2 * k, twice_j_of(t), 1, 0, -1);
                if ((l_of(s) + l_of(t) + k) % 2 == 0)
                    BOOST_TEST(std::abs(symbol * symbol - exchange_coefficient(s, t, k)) < 1e-13);
            }
}

// One electron in 2s leaves the other states without repulsion.
BOOST_AUTO_TEST_CASE(hydrogen) {
    const Solved s = solved(3, {{2, 0, 0, 1}}), p = solved(3, {{2, 1, 0, 1}});
    SlaterIntegrals of_s = s.integrals({{0, 0}, {0, 1}}), of_p = p.integrals({{1, 0}, {2, 0}});
    const auto check = [](double value, double exact) {
        BOOST_TEST(std::abs(value / (3.0 * exact) - 1.0) < 2e-6, value);
    };
    check(of_s(0, 0, 0, 0, 0), 5.0 / 8);
    check(of_s(0, 0, 1, 0, 1), 17.0 / 81);
    check(of_s(0, 0, 1, 1, 0), 16.0 / 729);
    check(of_s(0, 1, 1, 1, 1), 77.0 / 512);
    check(of_p(0, 0, 1, 0, 1), 93.0 / 512);
    check(of_p(2, 1, 1, 1, 1), 45.0 / 512);
}

// The terms 3S and 1S of 1s2s are apart by 2 G^0. The energy of 3S lies above that of Hartree-Fock, -2.1742508
// hartree, because the orbitals are those of the average.
BOOST_AUTO_TEST_CASE(helium_1s2s) {
    const Solved helium = solved(2, {{1, 0, 0, 1}, {2, 0, 0, 1}});
    const Levels levels = helium.levels(LevelSpace::relativistic);
    SlaterIntegrals slater = helium.integrals({{0, 0}, {0, 1}});
    BOOST_REQUIRE(levels.levels.size() == 2U);
    BOOST_TEST(levels.parity == 1);
    BOOST_TEST(levels.levels[0].twice_j == 2);
    BOOST_TEST(levels.levels[1].twice_j == 0);
    const double g = slater(0, 0, 1, 1, 0);
    BOOST_TEST(std::abs(levels.levels[0].energy + 0.5 * g) < 1e-12);
    BOOST_TEST(std::abs(levels.levels[1].energy - 1.5 * g) < 1e-12);
    const double triplet = helium.result.energy + levels.levels[0].energy;
    BOOST_TEST(triplet > -2.1742508);
    BOOST_TEST(triplet < -2.1742);
}

// LS coupling: 2s2p, p^2 and d^2 (E. U. Condon and G. H. Shortley, The Theory of Atomic Spectra, chapter VII).
BOOST_AUTO_TEST_CASE(ls_coupling) {
    const Solved beryllium = solved(4, {{1, 0, 0, 2}, {2, 0, 0, 1}, {2, 1, 0, 1}});
    const Levels sp = beryllium.levels(LevelSpace::nonrelativistic);
    SlaterIntegrals of_sp = beryllium.integrals({{0, 1}, {1, 0}});
    const double g1 = of_sp(1, 0, 1, 1, 0);
    BOOST_TEST(sp.parity == -1);
    BOOST_REQUIRE(sp.levels.size() == 4U);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(sp.levels[i].energy + g1 / 6.0) < 1e-10);
    BOOST_TEST(sp.levels[3].twice_j == 2);
    BOOST_TEST(std::abs(sp.levels[3].energy - g1 / 2.0) < 1e-10);

    const Solved carbon = solved(6, {{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 2}});
    const Levels p2 = carbon.levels(LevelSpace::nonrelativistic);
    BOOST_REQUIRE(p2.levels.size() == 5U);
    const double triplet = of_j(p2, 2)[0], singlet_d = of_j(p2, 4)[1], singlet_s = of_j(p2, 0)[1];
    BOOST_TEST(std::abs((singlet_s - singlet_d) / (singlet_d - triplet) - 1.5) < 1e-8);
    BOOST_TEST(std::abs(mean(p2)) < 1e-12);
    BOOST_TEST(number_of_levels(carbon.problem, carbon.atom, carbon.result, LevelSpace::nonrelativistic).levels == 5U);

    const Solved titanium =
        solved(22, {{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 6}, {3, 0, 0, 2}, {3, 1, 0, 6}, {3, 2, 0, 2}});
    const Levels d2 = titanium.levels(LevelSpace::nonrelativistic);
    SlaterIntegrals of_d = titanium.integrals({{3, 0}});
    const double f2 = of_d(2, 0, 0, 0, 0) / 49, f4 = of_d(4, 0, 0, 0, 0) / 441;
    // Relative to F^0: 3F, 3P, 1G, 1D, 1S. The mean over the 45 states is subtracted.
    const double f3 = -8 * f2 - 9 * f4, p3 = 7 * f2 - 84 * f4, g = 4 * f2 + f4, d = -3 * f2 + 36 * f4,
                 s = 14 * f2 + 126 * f4, average = (21 * f3 + 9 * p3 + 9 * g + 5 * d + s) / 45;
    const auto check = [&](int twice_j, std::vector<double> terms) {
        std::sort(terms.begin(), terms.end());
        const std::vector<double> found = of_j(d2, twice_j);
        BOOST_REQUIRE(found.size() == terms.size());
        for (std::size_t i = 0; i < terms.size(); ++i) BOOST_TEST(std::abs(found[i] - terms[i] + average) < 1e-9);
    };
    check(0, {p3, s});
    check(2, {p3});
    check(4, {f3, p3, d});
    check(6, {f3});
    check(8, {f3, g});
}

// Two electrons and two holes in a shell with one j.
BOOST_AUTO_TEST_CASE(jj_coupling) {
    for (const auto& [species, l, charge] : {std::tuple(2, 1, 32.0), std::tuple(4, 2, 40.0)}) {
        const int j = twice_j_of(species);
        std::vector<double> spacings;
        for (const int electrons : {2, j - 1}) {
            List shells{{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 6}, {3, 0, 0, 2}, {3, 1, 0, 6}, {4, 0, 0, 2}};
            if (l == 1) shells.push_back({3, 2, 0, 10});
            shells.push_back({l == 1 ? 4 : 3, l, j, electrons});
            const Solved atom = solved(charge, shells, 137.036);
            const Levels levels = atom.levels(LevelSpace::relativistic);
            BOOST_TEST(levels.levels.size() == static_cast<std::size_t>(j + 1) / 2);
            BOOST_TEST(std::abs(mean(levels)) < 1e-12);
            SlaterIntegrals slater = atom.integrals({{species, static_cast<std::size_t>(l == 1 ? 2 : 0)}});
            double average = 0;
            for (int of = 0; of < 2 * j; of += 4)
                average += (of + 1) * of_two_electrons(species, of, slater) * 2.0 / (j * (j + 1));
            for (int of = 0; of < 2 * j; of += 4)
                BOOST_TEST(std::abs(of_j(levels, of).at(0) - of_two_electrons(species, of, slater) + average) < 1e-11,
                           species << ", " << electrons << ", J = " << of / 2);
        }
    }
}

// d5/2^3 has J = 3/2, 5/2, 9/2. One electron in two shells has the energies of the spinors.
BOOST_AUTO_TEST_CASE(numbers_of_levels) {
    const Solved d3 =
        solved(23, {{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 6}, {3, 0, 0, 2}, {3, 1, 0, 6}, {3, 2, 5, 3}}, 137.036);
    const Levels levels = d3.levels(LevelSpace::relativistic);
    BOOST_REQUIRE(levels.levels.size() == 3U);
    for (const int j : {3, 5, 9}) BOOST_TEST(of_j(levels, j).size() == 1U);
    BOOST_TEST(std::abs(mean(levels)) < 1e-12);

    const Solved boron = solved(5, {{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 1}}, 20.0);
    const Levels p = boron.levels(LevelSpace::nonrelativistic);
    BOOST_REQUIRE(p.levels.size() == 2U);
    const double splitting = boron.result.species[2].orbital_energies[0] - boron.result.species[1].orbital_energies[0];
    BOOST_TEST(std::abs(of_j(p, 3)[0] - of_j(p, 1)[0] - splitting) < 1e-12);
    BOOST_TEST(splitting > 1e-3);

    const Solved beryllium = solved(4, {{1, 0, 0, 2}, {2, 0, 0, 2}});
    const Levels closed = beryllium.levels(LevelSpace::relativistic);
    BOOST_REQUIRE(closed.levels.size() == 1U);
    BOOST_TEST(closed.levels[0].twice_j == 0);
    BOOST_TEST(closed.levels[0].energy == 0.0);
}

// With a large speed of light the levels of the relativistic problem approach those of LS coupling.
BOOST_AUTO_TEST_CASE(nonrelativistic_limit) {
    const List shells{{1, 0, 0, 1}, {2, 0, 0, 2}, {2, 1, 0, 3}};
    const Levels with = solved(7, shells, 1e5).levels(LevelSpace::nonrelativistic),
                 without = solved(7, shells).levels(LevelSpace::nonrelativistic);
    BOOST_REQUIRE(with.levels.size() == without.levels.size());
    BOOST_TEST(with.parity == -1);
    for (std::size_t i = 0; i < with.levels.size(); ++i)
        BOOST_TEST(std::abs(with.levels[i].energy - without.levels[i].energy) < 1e-7);
    BOOST_TEST(std::abs(mean(with)) < 1e-10);
}

BOOST_AUTO_TEST_CASE(refusals) {
    const Solved carbon = solved(6, {{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 2}});
    BOOST_TEST(message_of([&] { carbon.levels(LevelSpace::relativistic); }) ==
               "dfr.levels: 0.66666666666666663 electrons in an open shell of p1/2 are not a whole number; distribute "
               "the electrons of one n and l over both j");
    BOOST_TEST(message_of([&] { carbon.levels(static_cast<LevelSpace>(2)); }) == "dfr.levels.space: 2 is not in 0..1");
    Solved other = carbon;
    other.result.status = AtomStatus::not_converged;
    BOOST_TEST(message_of([&] { other.levels(LevelSpace::nonrelativistic); }) ==
               "dfr.levels: the atom has not converged");
    other.problem.interaction = Interaction::breit;
    BOOST_TEST(message_of([&] { other.levels(LevelSpace::nonrelativistic); }) ==
               "dfr.params.interaction: 2; levels need 0 (Coulomb)");
}
