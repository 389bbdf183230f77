// Tests the ends of the ranges of a basis set's parameters and of its optimisation. Each result is right by an
// independent formula, or its status says that it is not.
#define BOOST_TEST_MODULE dfr_ranges
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "dfr/optimiser.hpp"
#include "hennessey.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::dirac_energy, tests::one_electron_in;

namespace {

// Returns the non-relativistic energy of one electron in one Gaussian function of l = 0 or 1.
double energy_of_one(double charge, int l, double zeta) {
    const double attraction = std::sqrt(8 * zeta / std::numbers::pi);
    return l == 0 ? 1.5 * zeta - charge * attraction : 2.5 * zeta - 2.0 / 3.0 * charge * attraction;
}

// Checks that the non-relativistic energy lies between the exact one and that of the best single function.
void check_bounds(double charge, int species, const std::vector<double>& zeta, const std::string& what) {
    Problem problem;
    problem.relativistic = false;
    Atom atom{
        {charge}, std::vector<std::vector<double>>(static_cast<std::size_t>(species) + 1), one_electron_in(species)};
    atom.exponents.back() = zeta;
    const int l = l_of(species);
    const double exact = -0.5 * charge * charge / ((l + 1) * (l + 1));
    double best = std::numeric_limits<double>::infinity();
    for (const double one : zeta) best = std::min(best, energy_of_one(charge, l, one));
    const AtomResult free = tests::run(problem, atom);
    // Directions that are left out contain up to sqrt(threshold) of a function, and its kinetic energy changes in first
    // order of that.
    const double steepest = *std::max_element(zeta.begin(), zeta.end());
    const double left_out = free.species.empty() ? 0.0 : free.species.back().functions_left_out;
    const double slack = left_out > 0 ? 2 * std::sqrt(problem.dependence_threshold) * (std::fabs(best) + steepest)
                                      : 1e-9 * std::fabs(best);
    if (free.status == AtomStatus::converged || free.status == AtomStatus::unbound) {
        BOOST_TEST(free.energy >= exact * (1 + 1e-11), what << ": " << free.energy);
        BOOST_TEST(free.energy <= best + slack, what << ": " << free.energy << " above " << best);
        BOOST_TEST((free.status == AtomStatus::unbound) == (free.energy > 0), what << ": " << free.energy);
    } else {
        BOOST_TEST((free.status == AtomStatus::not_converged), what << ": " << static_cast<int>(free.status));
    }
    BOOST_TEST_MESSAGE(what << ": status " << static_cast<int>(free.status) << ", " << free.energy << " in [" << exact
                            << ", " << best << "]");
    problem.relativistic = true;
    const AtomResult result = tests::run(problem, atom);
    const double dirac = dirac_energy(charge, problem.speed_of_light, species);
    BOOST_TEST_MESSAGE("  with relativity: status " << static_cast<int>(result.status) << ", " << result.energy
                                                    << ", exact " << dirac);
    BOOST_TEST((result.status > AtomStatus::running), what);
    if (result.status != AtomStatus::converged) return;
    BOOST_TEST(result.energy >= dirac * (1 + 1e-10), what << ": " << result.energy / dirac - 1);
    BOOST_TEST(result.energy < 0, what);
}

Atom even_tempered_atom(double charge, int species) {
    Atom atom{
        {charge}, std::vector<std::vector<double>>(static_cast<std::size_t>(species) + 1), one_electron_in(species)};
    for (double zeta = 1e-4; zeta < 2e4; zeta *= 1.9) atom.exponents.back().push_back(zeta * charge * charge);
    return atom;
}

// Returns the result and the warnings.
std::pair<AtomResult, std::string> run_and_listen(const Problem& problem, const Atom& atom) {
    std::string said;
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 1;
    Context context(options);
    context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { said += line; });
    Solver solver(context, problem, {atom});
    solver.run({});
    return {solver.summary(0), said};
}

}  // namespace

BOOST_AUTO_TEST_CASE(well_tempered_parameters) {
    int made = 0, refused = 0;
    const auto sweep = [&](const WellTempered& w, int count) {
        const std::string what = text("alpha ", w.alpha, ", beta ", w.beta, ", delta ", w.delta, ", gamma ", w.gamma,
                                      ", ", count, " functions");
        std::vector<double> zeta;
        try {
            zeta = well_tempered_exponents(w, count);
        } catch (const Error& error) {
            BOOST_TEST((error.status() == Status::invalid_argument));
            BOOST_TEST(std::string(error.what()).find("dfr.well_tempered.exponents[") != std::string::npos,
                       error.what());
            ++refused;
            return;
        }
        ++made;
        for (int k = 3; k <= count; ++k) {  // compares logarithms, which is another order of the same recursion
            const double growth =
                std::log(w.beta) + std::log1p(w.gamma * std::exp(w.delta * std::log(static_cast<double>(k) / count)));
            BOOST_TEST(
                std::fabs(std::log(zeta[static_cast<std::size_t>(k) - 1] / zeta[static_cast<std::size_t>(k) - 2]) -
                          growth) < 1e-13 * (1 + growth),
                what);
        }
        for (const int species : {0, 1})
            for (const double charge : {1.0, 80.0}) check_bounds(charge, species, zeta, what);
    };
    const WellTempered usual{0.05, 1.9, 5.0, 1.5};
    for (const double alpha : {1e-8, 1e-4, 0.3, 1e4, 1e12, 1e20})
        for (const int count : {1, 2, 12}) {
            WellTempered w = usual;
            w.alpha = alpha;
            sweep(w, count);
        }
    for (const double beta : {1.0, 1.0 + 1e-12, 1.0 + 1e-6, 1.01, 1.2, 10.0, 1e3})
        for (const double gamma : {0.0, 1.5}) sweep({0.05, beta, 5.0, gamma}, 6);
    for (const double delta : {0.0, 1e-10, 1.0, 30.0, 1e3}) sweep({0.05, 1.9, delta, 1.5}, 14);
    for (const double gamma : {1e-300, 1e-10, 30.0, 1e3}) sweep({0.05, 1.9, 5.0, gamma}, 8);
    sweep({0.05, 1.0, 0.0, 0.0}, 200);
    sweep({1e-8, 1.38, 0.0, 0.0}, 200);
    sweep({1e-8, 1e3, 1e3, 1e3}, 10);
    BOOST_TEST_MESSAGE(made << " made, " << refused << " refused");
    BOOST_TEST(made > 30);
    BOOST_TEST(refused > 0);
}

// Tests one function, and two functions far from each other, over the whole range of exponents.
BOOST_AUTO_TEST_CASE(exponents) {
    for (const int species : {0, 1})
        for (const double zeta : {1e-8, 1e-5, 1e-2, 0.3, 10.0, 1e4, 1e8, 1e12, 1e16, 1e20}) {
            check_bounds(1, species, {zeta}, text("exponent ", zeta));
            check_bounds(80, species, {zeta, 1800}, text("exponents ", zeta, " and 1800"));
        }
}

// Adds one function to a good basis, with exponents from those of the basis to the largest allowed. Without relativity
// this can only lower the energy, towards the exact one. If rounding hides the energy, the atom ends neither as
// converged nor as unbound, and the message gives the attainable accuracy.
BOOST_AUTO_TEST_CASE(one_steep_function) {
    int hidden = 0, right = 0;
    for (const bool relativistic : {false, true})
        for (const int species : {0, 1, 2})
            for (const double charge : {1.0, 80.0})
                for (const double top : {1e10, 1e12, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20}) {
                    Problem problem;
                    problem.relativistic = relativistic;
                    Atom atom = even_tempered_atom(charge, species);
                    const double without = tests::run(problem, atom).energy;
                    atom.exponents.back().push_back(top);
                    const auto [result, said] = run_and_listen(problem, atom);
                    const std::string what =
                        text("Z = ", charge, ", species ", species, ", ", top, ": ", result.energy / without - 1,
                             ", status ", static_cast<int>(result.status), relativistic ? "" : ", light");
                    BOOST_TEST_MESSAGE(what);
                    if (result.status == AtomStatus::not_converged) {
                        BOOST_TEST(said.find("the attainable accuracy") != std::string::npos, what << said);
                        ++hidden;
                        continue;
                    }
                    BOOST_TEST((result.status == AtomStatus::converged), what);
                    const double l = l_of(species);
                    const double exact = relativistic ? dirac_energy(charge, problem.speed_of_light, species)
                                                      : -0.5 * charge * charge / ((l + 1) * (l + 1));
                    BOOST_TEST(result.energy <= without * (1 - 2e-9), what);
                    BOOST_TEST(result.energy >= exact * (1 + 1e-10), what);
                    ++right;
                }
    BOOST_TEST_MESSAGE(hidden << " hidden, " << right << " right");
    BOOST_TEST(hidden > 5);
    BOOST_TEST(right > 70);
}
