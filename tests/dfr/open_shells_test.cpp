// Tests configurations with holes, empty shells and several open shells of a species.
#define BOOST_TEST_MODULE dfr_open_shells
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "dfr/basis_sets.hpp"
#include "dfr/configuration.hpp"
#include "dfr/corrections.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/properties.hpp"
#include "dfr/shell_coupling.hpp"
#include "dfr/shell_list.hpp"
#include "hennessey.hpp"
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
Atom large_atom(const Problem& problem, double charge, const std::vector<ShellElectrons>& shells, double error = 1e-9) {
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
    BOOST_TEST((c.open ==
                std::vector<OpenShell>{{0, 2, 0.0}, {0, 3, 0.0}, {0, 4, 1.0}, {1, 0, 1.0}, {3, 0, 1.2}, {4, 0, 1.8}}));
    const OpenShells open = open_shells(c);
    BOOST_TEST(open.shells.size() == 4U);
    const double d = 2.0 * 10.0 / (3.0 * 9.0);
    const std::vector<double> pairs{0, 1, 1, 1, 1, 0, 1, 1, 1, 1, d, d, 1, 1, d, d};
    for (std::size_t i = 0; i < pairs.size(); ++i) BOOST_TEST(std::abs(open.pairs[i] - pairs[i]) < 1e-15);
    BOOST_TEST(number_of_electrons(c) == 13.0);
    BOOST_TEST(shells(c, 0) == 5);
    for (std::size_t state = 0; state < 6; ++state)
        BOOST_TEST(occupation(c, 0, state) == (state < 2 ? 2.0 : state == 4 ? 1.0 : 0.0));
}

// Both forms of a configuration have the same iterations.
BOOST_AUTO_TEST_CASE(both_forms) {
    for (const int element : {5, 24, 41}) {
        Atom atom = library_atom(element, NuclearModel::point);
        const AtomResult first = tests::run(relativistic(), atom);
        atom.configuration = second_form(atom.configuration);
        const AtomResult second = tests::run(relativistic(), atom);
        BOOST_TEST(first.energy == second.energy, element);
        BOOST_TEST(first.iterations == second.iterations, element);
        BOOST_TEST((second.status == AtomStatus::not_compared));
    }
}

// An independent program finds the stationary point of I(a) + I(b) + (aa|bb) - (ab|ab)/2 by Newton's method, with
// integrals in closed form. Both shells have the same occupation.
BOOST_AUTO_TEST_CASE(helium_1s2s) {
    Atom atom;
    atom.nucleus.charge = 2;
    atom.exponents = {even_tempered(0.02, 2.2, 14)};
    atom.configuration = average_of_shells(std::vector<ShellElectrons>{{1, 0, 0, 1}, {2, 0, 0, 1}});
    const AtomResult result = tests::run(nonrelativistic(), atom);
    BOOST_TEST((result.status == AtomStatus::converged));
    BOOST_TEST(std::abs(result.energy - -2.1730023045064937) < 1e-11, result.energy);
}

// PySCF 2.14.0 computes the same doublets by ROHF, following the spinors by their overlap. A doublet with one hole or
// one electron is the average.
BOOST_AUTO_TEST_CASE(independent_program) {
    Atom lithium;
    lithium.nucleus.charge = 3;
    lithium.exponents = {even_tempered(0.006, 2.2, 16)};
    lithium.configuration = average_of_shells(std::vector<ShellElectrons>{{1, 0, 0, 2}, {3, 0, 0, 1}});
    Atom hollow = lithium;
    hollow.configuration = average_of_shells(std::vector<ShellElectrons>{{1, 0, 0, 1}, {2, 0, 0, 2}});
    Atom neon = library_atom(10, NuclearModel::point);
    neon.configuration = average_of_shells(neon_hole);
    const std::vector<AtomResult> results = tests::run(nonrelativistic(), {lithium, hollow, neon});
    const std::vector<double> energies{-7.30989020097053, -5.3439707533320115, -96.6257200911912};
    for (std::size_t i = 0; i < results.size(); ++i) {
        BOOST_TEST((results[i].status == AtomStatus::converged), i);
        BOOST_TEST(std::abs(results[i].energy - energies[i]) < 1e-10, results[i].energy);
        BOOST_TEST(results[i].limit == 0.0);
    }
    BOOST_TEST(std::abs(results[2].species[0].orbital_energies[1] - -2.85345972) < 1e-7);
    BOOST_TEST(nodes_of(lithium, results[0], 0, 2) == 2);
}

// With A = 1 the energy depends only on the density, as in PySCF's Dirac-Fock with half an electron in either 1s
// spinor.
BOOST_AUTO_TEST_CASE(independent_relativistic_program) {
    Atom neon = library_atom(10, NuclearModel::point);
    neon.configuration = average_of_shells(neon_hole);
    neon.configuration.pairs = {1.0};
    const AtomResult result = tests::run(relativistic(), neon);
    BOOST_TEST(std::abs(result.energy - -95.20250967832581) < 1e-9, result.energy);
    BOOST_TEST(std::abs(result.species[0].orbital_energies[0] - -34.19597396) < 1e-7);
}

// The virial theorem holds for stationary energies in complete bases. Spinors have the nodes of their shells.
BOOST_AUTO_TEST_CASE(virial_theorem_and_nodes) {
    const Problem problem = nonrelativistic();
    const std::vector<ShellElectrons> argon{{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 6}, {3, 0, 0, 2}, {3, 1, 0, 6}};
    std::vector<std::vector<ShellElectrons>> lists(6, argon);
    lists[0][0].electrons = 1;
    lists[1][1].electrons = 1;
    lists[2][2].electrons = 5;
    lists[2].push_back({4, 1, 0, 1});
    lists[3][2].electrons = 4;
    lists[4][3].electrons = 1;
    lists[4].push_back({5, 0, 0, 1});
    lists[5][4].electrons = 5;
    lists[5].push_back({6, 1, 0, 1});
    std::vector<Atom> atoms;
    atoms.reserve(lists.size());
    for (const auto& shells : lists) atoms.push_back(large_atom(problem, 18, shells, 1e-8));
    const std::vector<AtomResult> results = tests::run(problem, atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST((results[i].status == AtomStatus::converged), i);
        BOOST_TEST(std::abs(results[i].virial_ratio() - 2.0) < 1e-6, i << ": " << results[i].virial_ratio());
        for (std::size_t s = 0; s < results[i].species.size(); ++s)
            for (const OccupiedShell& shell : occupied_shells(atoms[i].configuration, s))
                BOOST_TEST(
                    nodes_of(atoms[i], results[i], static_cast<int>(s), shell.index) == static_cast<int>(shell.index),
                    i << ", " << name_of(static_cast<int>(s)) << ", " << shell.index);
    }
}

// All single holes of xenon converge. Their energies rise from the outer to the inner shells.
BOOST_AUTO_TEST_CASE(holes_of_xenon) {
    const std::vector<ShellElectrons> full{{1, 0, 1, 2}, {2, 0, 1, 2}, {2, 1, 1, 2}, {2, 1, 3, 4}, {3, 0, 1, 2},
                                           {3, 1, 1, 2}, {3, 1, 3, 4}, {3, 2, 3, 4}, {3, 2, 5, 6}, {4, 0, 1, 2},
                                           {4, 1, 1, 2}, {4, 1, 3, 4}, {4, 2, 3, 4}, {4, 2, 5, 6}, {5, 0, 1, 2},
                                           {5, 1, 1, 2}, {5, 1, 3, 4}};
    std::vector<Atom> atoms{library_ion(54, full)};
    for (std::size_t hole = 0; hole < full.size(); ++hole) {
        std::vector<ShellElectrons> shells = full;
        --shells[hole].electrons;
        atoms.push_back(library_ion(54, shells));
    }
    const std::vector<AtomResult> results = tests::run(relativistic(KineticBalance::extended), atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST((results[i].status == AtomStatus::converged), i);
        if (i > 1) BOOST_TEST(results[i].energy < results[i - 1].energy, i);
    }
}

// Returns a hole in each subshell of an element, and excitations from the outer ones to the next n of the same l.
std::vector<Atom> holes_and_excitations(int element) {
    std::vector<ShellElectrons> ground;
    for (const Subshell& s : ground_configuration(element)) ground.push_back({s.n, s.l, 0, s.electrons});
    std::vector<Atom> atoms;
    for (std::size_t hole = 0; hole < ground.size(); ++hole) {
        std::vector<ShellElectrons> shells = ground;
        --shells[hole].electrons;
        atoms.push_back(library_ion(element, shells));
        int n = 0;
        for (const ShellElectrons& s : ground)
            if (s.l == ground[hole].l) n = std::max(n, s.n);
        if (ground[hole].n < n - 1) continue;
        shells.push_back({n + 1, ground[hole].l, 0, 1});
        atoms.push_back(library_ion(element, shells));
    }
    for (Atom& atom : atoms) atom.configuration = with_species(atom.configuration, atom.exponents.size());
    return atoms;
}

// The library's basis sets are too small for some excited d and f electrons, which they do not bind.
BOOST_AUTO_TEST_CASE(holes_and_excitations_of_many_elements) {
    std::vector<Atom> atoms;
    for (const int element : {14, 26, 50, 80})
        for (const Atom& atom : holes_and_excitations(element)) atoms.push_back(atom);
    const std::vector<AtomResult> results = tests::run(relativistic(KineticBalance::extended), atoms);
    int converged = 0, unbound = 0, most = 0;
    for (const AtomResult& result : results) {
        converged += result.status == AtomStatus::converged;
        unbound += result.status == AtomStatus::unbound;
        most = std::max(most, result.iterations);
    }
    BOOST_TEST_MESSAGE(results.size() << " states, " << converged << " converged, " << unbound << " unbound, at most "
                                      << most << " iterations");
    BOOST_TEST(static_cast<std::size_t>(converged + unbound) == results.size());
    BOOST_TEST(unbound <= 4);
    BOOST_TEST(most <= 25);
}

BOOST_AUTO_TEST_CASE(comparison_with_the_limit) {
    const Atom neon = library_ion(10, neon_hole);
    for (const KineticBalance balance : {KineticBalance::restricted, KineticBalance::extended}) {
        const AtomResult result = tests::run(relativistic(balance), neon);
        BOOST_TEST((result.status ==
                    (balance == KineticBalance::extended ? AtomStatus::converged : AtomStatus::not_compared)));
        BOOST_TEST(result.limit == 0.0);
    }
    Problem short_run = relativistic();
    short_run.max_iterations = 3;
    BOOST_TEST((tests::run(short_run, neon).status == AtomStatus::not_converged));
}

// The density has all electrons. Breit to first order differs from the self-consistent difference by second order.
BOOST_AUTO_TEST_CASE(density_and_corrections) {
    const Atom neon = library_ion(10, neon_hole);
    const AtomResult coulomb = tests::run(relativistic(), neon);
    double sum = 0;
    std::vector<double> r;
    constexpr double step = 0.01;
    for (double x = std::log(1e-7); x < std::log(60.0); x += step) r.push_back(std::exp(x));
    const std::vector<double> density = radial_density(neon, coulomb, r);
    for (std::size_t i = 0; i < r.size(); ++i) sum += step * r[i] * density[i];
    BOOST_TEST(std::abs(sum - 9.0) < 1e-9);
    const CorrectionEnergies first = corrections(relativistic(), neon, coulomb, 1);
    for (const Interaction interaction : {Interaction::gaunt, Interaction::breit}) {
        Problem problem = relativistic();
        problem.interaction = interaction;
        const double change = tests::run(problem, neon).energy - coulomb.energy;
        BOOST_TEST(std::abs(change - (interaction == Interaction::gaunt ? first.gaunt : first.breit)) < 2e-6);
        BOOST_TEST(std::abs(change) > 1e-3);
    }
    // With the same spinors the Uehling energy is linear in the occupations.
    const auto uehling = [&](const std::vector<ShellElectrons>& shells) {
        Atom atom = neon;
        atom.configuration = average_of_shells(shells);
        return corrections(relativistic(), atom, coulomb, 1).uehling;
    };
    const double full = uehling({{1, 0, 0, 2}, {2, 0, 0, 2}, {2, 1, 0, 6}}),
                 outer = uehling({{2, 0, 0, 2}, {2, 1, 0, 6}});
    BOOST_TEST(std::abs(first.uehling - 0.5 * (full + outer)) < 1e-14);
    BOOST_TEST(outer - full > 1e-4);
}

// Beyond c = 1e4 the small components are eliminated.
BOOST_AUTO_TEST_CASE(nonrelativistic_limit) {
    Atom atom = library_atom(10, NuclearModel::point);
    atom.configuration = average_of_shells(neon_hole);
    Problem problem = relativistic();
    problem.speed_of_light = 1e6;
    const AtomResult at_limit = tests::run(problem, atom), without = tests::run(nonrelativistic(), atom);
    BOOST_TEST(std::abs(at_limit.energy / without.energy - 1.0) < 1e-9, at_limit.energy);
}

// Spinors of two equal shells that are rotated too far, and a spinor that is not the lowest one left, are noticed.
BOOST_AUTO_TEST_CASE(wrong_states) {
    Matrix fock(3, 3), rotated(3, 2);
    for (std::size_t i = 0; i < 3; ++i) fock(i, i) = static_cast<double>(i) - 4.0;
    const std::vector<Matrix> none(2, Matrix(3, 3));
    const std::vector<OccupiedShell> two{{0, 1.0, 0}, {1, 1.0, 1}};
    const auto with_angle = [&](double angle, std::size_t second) {
        rotated = Matrix(3, 2);
        rotated(0, 0) = rotated(second, 1) = std::cos(angle);
        rotated(second, 0) = std::sin(angle);
        rotated(0, 1) = -std::sin(angle);
        return wrong_state(fock, none, rotated, two, 2.0, 0);
    };
    BOOST_TEST(with_angle(0.3, 1) == -1);
    BOOST_TEST(with_angle(0.8, 1) == 0);
    BOOST_TEST(with_angle(1.5, 1) == 0);
    BOOST_TEST(with_angle(0.0, 2) == 1);
}

// Contracted functions are the occupied spinors only.
BOOST_AUTO_TEST_CASE(contraction) {
    Atom atom = library_atom(10, NuclearModel::point);
    const auto contracted = [&](const std::vector<ShellElectrons>& shells) {
        atom.configuration = with_species(average_of_shells(shells), 3);
        return contracted_set(10, atom, tests::run(nonrelativistic(), atom), Contraction::l_averaged, 0, "field");
    };
    const BasisSet set = contracted({{1, 0, 0, 2}, {3, 0, 0, 1}, {2, 1, 0, 6}});
    BOOST_REQUIRE(set.shells.size() == 2U);
    BOOST_TEST(set.shells[0].coefficients.size() == 2U);
    const auto changes_of_sign = [](const std::vector<double>& coefficients) {
        int changes = 0;
        for (std::size_t p = 1; p < coefficients.size(); ++p) changes += coefficients[p] * coefficients[p - 1] < 0;
        return changes;
    };
    BOOST_TEST(changes_of_sign(set.shells[0].coefficients[1]) >= 2);
    BOOST_TEST(message_of([&] {
                   contracted({{1, 0, 0, 2}, {2, 1, 1, 1}, {3, 1, 3, 1}});
               }) ==
               "field: an average over j needs the same occupied shells for both j, but those of p1/2 and p3/2 differ");
}

BOOST_AUTO_TEST_CASE(refused_lists) {
    const auto of = [](const std::vector<ShellElectrons>& shells) {
        return message_of([&] { average_of_shells(shells, "dfr.shells"); });
    };
    BOOST_TEST(of({}) == "dfr.shells: no electrons");
    BOOST_TEST(of({{1, 0, 0, 0}}) == "dfr.shells: no electrons");
    BOOST_TEST(of({{1, 7, 0, 1}}) == "dfr.shells[0].l: 7 is not in 0..6");
    BOOST_TEST(of({{1, 0, 0, 1}, {2, 2, 0, 1}}) == "dfr.shells[1].n: 2 is not in 3..200");
    BOOST_TEST(of({{1, 0, 3, 1}}) == "dfr.shells[0].twice_j: 3 is not 0, 1, which l = 0 allows");
    BOOST_TEST(of({{2, 1, 5, 1}}) == "dfr.shells[0].twice_j: 5 is not 0, 1 or 3, which l = 1 allows");
    BOOST_TEST(of({{1, 0, -1, 1}}) == "dfr.shells[0].twice_j: -1 is not 0, 1, which l = 0 allows");
    BOOST_TEST(of({{2, 1, 1, 3}}) == "dfr.shells[0].electrons: 3 is not in 0..2");
    BOOST_TEST(of({{2, 1, 0, -1}}) == "dfr.shells[0].electrons: -1 is not in 0..6");
    BOOST_TEST(of({{2, 1, 0, 2}, {2, 1, 3, 2}}) == "dfr.shells[1]: 2p3/2 is also in [0]");
}

BOOST_AUTO_TEST_CASE(refused_configurations) {
    const auto of = [](auto change) {
        Atom atom = library_ion(10, {{1, 0, 0, 1}, {2, 0, 0, 1}, {2, 1, 1, 2}, {2, 1, 3, 3}});
        change(atom.configuration);
        return message_of([&] { validate(atom, "dfr.atoms[0]"); });
    };
    const std::string field = "dfr.atoms[0].configuration";
    BOOST_TEST(of([](Configuration&) {}) == "nothing thrown");
    BOOST_TEST(of([](Configuration& c) { c.electrons[0] = 1; }) ==
               field + ".electrons[s1/2]: 1 is not 0, but .open lists the open shells");
    BOOST_TEST(of([](Configuration& c) { c.closed[0] = -1; }) == field + ".closed[s1/2]: -1 is not in 0..23");
    BOOST_TEST(of([](Configuration& c) { c.closed[0] = 22; }) == field + ".open: s1/2 has 24 shells, but 23 functions");
    BOOST_TEST(of([](Configuration& c) { c.open[0].species = 3; }) == field + ".open[0].species: 3 is not in 0..2");
    BOOST_TEST(of([](Configuration& c) { c.open[1].index = 2; }) == field + ".open[1].index: 2 is not in 0..1");
    BOOST_TEST(of([](Configuration& c) { c.open[0].electrons = 2; }) ==
               field + ".open[0].electrons: 2 is not in [0, 2)");
    BOOST_TEST(of([](Configuration& c) { c.open[0].electrons = std::nan(""); }) ==
               field + ".open[0].electrons: nan is not in [0, 2)");
    BOOST_TEST(of([](Configuration& c) { std::swap(c.open[0], c.open[1]); }) ==
               field +
                   ".open[1]: shell 0 of s1/2 does not follow shell 1 of s1/2; the order is that of species and index");
    BOOST_TEST(of([](Configuration& c) { c.open[1].electrons = 0; }) ==
               field + ".open[1].electrons: the highest shell of s1/2 is empty");
    BOOST_TEST(of([](Configuration& c) { c.pairs.pop_back(); }) ==
               field + ".pairs: 8 values are not 9, the square of the number of open shells");
    BOOST_TEST(of([](Configuration& c) { c.pairs[1] = 0.5; }) ==
               field + ".pairs[0][1]: 0.5 is not 1, the value for the same two shells");
}

// A basis cannot be optimised for an energy that is not a minimum.
BOOST_AUTO_TEST_CASE(refused_optimisation) {
    Candidate candidate{make_nucleus(10, NuclearModel::gaussian), average_of_shells(neon_hole), {}, 0.0};
    candidate.basis = library_basis(10, candidate.configuration.closed.size());
    BOOST_TEST(
        message_of([&] { validate(Problem{}, candidate, "dfr.candidates[0]"); }) ==
        "dfr.candidates[0].configuration.open: 1 shells; a basis can only be optimised for at most one open shell "
        "of a species, above the closed ones, because other energies are not minima");
}
