// Tests configurations with holes, empty shells and several open shells of a species.
#define BOOST_TEST_MODULE dfr_open_shells
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "dfr/basis_library.hpp"
#include "dfr/configuration.hpp"
#include "dfr/corrections.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/properties.hpp"
#include "dfr/shell_list.hpp"
#include "message_of.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

namespace {

std::vector<double> even_tempered(double smallest, double ratio, std::size_t count) {
    std::vector<double> exponents{smallest};
    while (exponents.size() < count) exponents.push_back(exponents.back() * ratio);
    return exponents;
}

Problem nonrelativistic() {
    Problem problem;
    problem.relativistic = false;
    problem.max_iterations = 100;
    return problem;
}

Problem relativistic(KineticBalance balance = KineticBalance::restricted) {
    Problem problem;
    problem.kinetic_balance = balance;
    problem.max_iterations = 100;
    return problem;
}

// Returns a point nucleus with these shells in a large basis.
Atom large_atom(const Problem& problem, double charge, const std::vector<ShellElectrons>& shells,
                double error = 1e-9) {
    Atom atom;
    atom.nucleus.charge = charge;
    atom.configuration = average_of_shells(shells);
    atom.exponents = large_basis(problem, atom.nucleus, atom.configuration, tolerance_for(error));
    return atom;
}

// Returns an element in the library's basis with these shells.
Atom library_ion(int element, const std::vector<ShellElectrons>& shells) {
    Atom atom = library_atom(element, NuclearModel::gaussian);
    atom.configuration = average_of_shells(shells);
    return atom;
}

const std::vector<ShellElectrons> neon_hole{{1, 0, 0, 1}, {2, 0, 0, 2}, {2, 1, 0, 6}};

// Returns the second form of a configuration of the first form.
Configuration second_form(const Configuration& first) {
    Configuration second{first.closed, std::vector<double>(first.closed.size(), 0.0), {}};
    const OpenShells open = open_shells(first);
    second.open = open.shells;
    second.pairs = open.pairs;
    return second;
}

// Counts the changes of sign of P where |P| exceeds 1 % of its maximum.
int nodes_of(const Atom& atom, const AtomResult& result, int species, std::size_t state) {
    std::vector<double> r;
    for (double x = 1e-4; x < 100.0; x *= 1.02) r.push_back(x);
    const std::vector<double> p = radial_functions(atom, result, species, state, r).large;
    double largest = 0, last = 0;
    for (const double value : p) largest = std::max(largest, std::abs(value));
    int nodes = 0;
    for (const double value : p) {
        if (std::abs(value) < 0.01 * largest) continue;
        if (last * value < 0) ++nodes;
        last = value;
    }
    return nodes;
}

}  // namespace

// Lists of shells in any order give the first form where this is possible.
BOOST_AUTO_TEST_CASE(ground_configurations) {
    for (int z = 1; z <= 118; ++z) {
        const std::vector<Subshell> subshells = ground_configuration(z);
        std::vector<ShellElectrons> shells;
        for (const Subshell& s : subshells) {
            const bool full = s.electrons == 4 * s.l + 2;
            if (full && s.l > 0) shells.insert(shells.begin(), {s.n, s.l, 2 * s.l - 1, 2 * s.l});
            shells.insert(shells.begin(), {s.n, s.l, full ? 2 * s.l + 1 : 0, full ? 2 * s.l + 2 : s.electrons});
        }
        BOOST_TEST((average_of_shells(shells) == average_of_configuration(subshells)), "Z = " << z);
    }
}

BOOST_AUTO_TEST_CASE(shells_and_pairs) {
    // 1s2 2s2 2p1/2^1 2p3/2^4, 3d of both j with 3 electrons, 5s1 above empty 3s and 4s.
    const Configuration c = average_of_shells(std::vector<ShellElectrons>{
        {5, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 1, 2}, {2, 1, 1, 1}, {2, 1, 3, 4}, {3, 2, 0, 3}});
    BOOST_TEST(c.closed == (std::vector<int>{2, 0, 1, 0, 0}), boost::test_tools::per_element());
    BOOST_TEST((c.open == std::vector<OpenShell>{{0, 2, 0.0}, {0, 3, 0.0}, {0, 4, 1.0}, {1, 0, 1.0}, {3, 0, 1.2}, {4, 0, 1.8}}));
    const OpenShells open = open_shells(c);
    BOOST_TEST(open.shells.size() == 4U);
    const double d = 2.0 * 10.0 / (3.0 * 9.0);
    const std::vector<double> pairs{0, 1, 1, 1, 1, 0, 1, 1, 1, 1, d, d, 1, 1, d, d};
    for (std::size_t i = 0; i < pairs.size(); ++i) BOOST_TEST(std::abs(open.pairs[i] - pairs[i]) < 1e-15);
    BOOST_TEST(number_of_electrons(c) == 13.0);
    BOOST_TEST(shells(c, 0) == 5);
    for (const std::size_t state : {0, 1, 2, 3, 4, 5})
        BOOST_TEST(occupation(c, 0, state) == (state < 2 ? 2.0 : state == 4 ? 1.0 : 0.0));
}

// Both forms of a configuration have the same iterations.
BOOST_AUTO_TEST_CASE(both_forms) {
    for (const int element : {5, 24, 41, 64 + 1}) {
        if (element == 65) continue;
        Atom atom = library_atom(element, NuclearModel::point);
        const AtomResult first = tests::run(relativistic(), atom);
        atom.configuration = second_form(atom.configuration);
        const AtomResult second = tests::run(relativistic(), atom);
        BOOST_TEST(first.energy == second.energy, element);
        BOOST_TEST((second.status == AtomStatus::not_compared));
    }
}

// An independent program finds the stationary point of I(a) + I(b) + (aa|bb) - 1/2 (ab|ab) by Newton's method, with
// integrals in closed form. Both shells have the same occupation.
BOOST_AUTO_TEST_CASE(helium_1s2s) {
    Atom atom;
    atom.nucleus.charge = 2;
    atom.exponents = {even_tempered(0.02, 2.2, 14)};
    atom.configuration = average_of_shells(std::vector<ShellElectrons>{{1, 0, 0, 1}, {2, 0, 0, 1}});
    const AtomResult result = tests::run(nonrelativistic(), atom);
    BOOST_TEST((result.status == AtomStatus::converged));
    BOOST_TEST(std::abs(result.energy - HELIUM) < 1e-10, result.energy);
}
