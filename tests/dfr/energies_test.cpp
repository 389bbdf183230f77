// Tests lists of atoms that are calculated one after another, and iterations that begin with spinors of another basis.
#define BOOST_TEST_MODULE dfr_energies
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/energies.hpp"
#include "dfr/large_basis.hpp"
#include "hennessey.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {
using With = Energies::With;

Context silent() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    options.log_level = LogLevel::silent;
    return Context(options);
}

std::vector<Atom> list_of(const std::vector<int>& elements) {
    std::vector<Atom> atoms;
    for (const int element : elements) atoms.push_back(library_atom(element, NuclearModel::gaussian));
    return atoms;
}

Atom in_large_basis(const Problem& problem, Atom atom) {
    atom.exponents = large_basis(problem, atom.nucleus, atom.configuration);
    return atom;
}

void require_same(const std::vector<Solution>& a, const std::vector<Solution>& b) {
    BOOST_REQUIRE_EQUAL(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        BOOST_TEST(a[i].result.energy == b[i].result.energy);
        BOOST_TEST((a[i].gradient == b[i].gradient));
        BOOST_TEST(a[i].result.iterations == b[i].result.iterations);
    }
}

}  // namespace

// Lists become shorter and longer, and their atoms smaller and larger.
BOOST_AUTO_TEST_CASE(an_earlier_list_changes_nothing) {
    Problem problem;
    problem.kinetic_balance = KineticBalance::extended;
    Context context = silent();
    Energies energies(context, problem);
    for (const std::vector<int>& elements : {std::vector{10, 24}, {2}, {36, 2, 6}}) {
        const std::vector<Atom> atoms = list_of(elements);
        require_same(energies(atoms, With::gradients), Energies(context, problem)(atoms, With::gradients));
    }
}

// After an error the next list is calculated as usual.
BOOST_AUTO_TEST_CASE(an_error_changes_nothing) {
    Context context = silent();
    Energies energies(context, {});
    energies(list_of({2}), With::nothing);
    std::vector<Atom> wrong = list_of({6, 2});
    wrong[1].exponents[0][0] = -1.0;
    BOOST_CHECK_THROW(energies(wrong, With::nothing), Error);
    require_same(energies(list_of({6}), With::nothing), Energies(context, {})(list_of({6}), With::nothing));
}

// Open shells of every kind: C has 2p with two species, Cr 3d and 4s, Gd 4f and 5d.
BOOST_AUTO_TEST_CASE(spinors_of_a_large_basis) {
    for (const bool relativistic : {true, false})
        for (const KineticBalance balance : {KineticBalance::restricted, KineticBalance::extended}) {
            Problem problem;
            problem.relativistic = relativistic;
            problem.kinetic_balance = balance;
            Problem restricted = problem;
            restricted.kinetic_balance = KineticBalance::restricted;
            const std::vector<Atom> atoms = list_of({2, 6, 24, 36, 60, 80});
            std::vector<Atom> large;
            for (const Atom& atom : atoms) large.push_back(in_large_basis(problem, atom));
            Context context = silent();
            std::vector<Start> starts;
            for (const Solution& solution :
                 Energies(context, restricted, Fields::Reads::states)(large, With::spinors)) {
                BOOST_REQUIRE(solution.spinors != nullptr);
                starts.push_back(solution.spinors);
            }
            const auto screened = Energies(context, problem)(atoms, With::nothing),
                       with_spinors = Energies(context, problem)(atoms, With::nothing, starts);
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                const AtomResult &a = screened[i].result, &b = with_spinors[i].result;
                BOOST_TEST((b.status == AtomStatus::converged));
                BOOST_TEST(b.energy == a.energy, boost::test_tools::tolerance(1e-13));
                BOOST_TEST(b.iterations <= a.iterations - 3);
            }
        }
}

// The spinors of the same basis are those that the iterations end with.
BOOST_AUTO_TEST_CASE(own_spinors) {
    Context context = silent();
    Energies energies(context, {});
    const std::vector<Atom> atoms = list_of({18, 24});
    Energies first(context, {}, Fields::Reads::states);
    const std::vector<Solution> solved = first(atoms, With::spinors);
    const std::vector<Solution> again = energies(atoms, With::nothing, {solved[0].spinors, solved[1].spinors});
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST(again[i].result.energy == solved[i].result.energy, boost::test_tools::tolerance(1e-14));
        BOOST_TEST(again[i].result.iterations <= 3);
    }
}

// Beyond c = 1e4 the rest energy is eliminated before each diagonalisation.
BOOST_AUTO_TEST_CASE(spinors_without_rest_energy) {
    Problem problem;
    problem.speed_of_light = 1e5;
    Context context = silent();
    const std::vector<Atom> atoms = list_of({6, 18});
    std::vector<Atom> large;
    for (const Atom& atom : atoms) large.push_back(in_large_basis(problem, atom));
    const auto spinors = Energies(context, problem, Fields::Reads::states)(large, With::spinors);
    const auto screened = Energies(context, problem)(atoms, With::nothing),
               with_spinors =
                   Energies(context, problem)(atoms, With::nothing, {spinors[0].spinors, spinors[1].spinors});
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST((with_spinors[i].result.status == AtomStatus::converged));
        BOOST_TEST(with_spinors[i].result.energy == screened[i].result.energy, boost::test_tools::tolerance(1e-12));
        BOOST_TEST(with_spinors[i].result.iterations < screened[i].result.iterations);
    }
}

// The iterations may end with the first one, which has no eigenproblem.
BOOST_AUTO_TEST_CASE(one_iteration) {
    Context context = silent();
    const std::vector<Atom> atoms = list_of({10});
    const auto solved = Energies(context, {}, Fields::Reads::states)(atoms, With::spinors);
    Problem problem;
    problem.max_iterations = 1;
    problem.gradient_threshold = 1e3;
    const auto once = Energies(context, problem)(atoms, With::nothing, {solved[0].spinors});
    BOOST_TEST((once[0].result.status == AtomStatus::not_converged));
    BOOST_TEST(once[0].result.energy == solved[0].result.energy, boost::test_tools::tolerance(1e-10));
}

// A start that is far from the result costs iterations only.
BOOST_AUTO_TEST_CASE(poor_spinors) {
    Context context = silent();
    const std::vector<Atom> atoms = list_of({36});
    const std::vector<Solution> solved = Energies(context, {}, Fields::Reads::states)(atoms, With::spinors);
    StartSpinors poor = *solved[0].spinors;
    std::mt19937 generator(5);
    std::normal_distribution<double> number(0.0, 0.05);
    for (auto* components : {&poor.large, &poor.small})
        for (Matrix& matrix : *components)
            for (double& value : matrix.values) value += number(generator);
    const std::vector<Solution> again =
        Energies(context, {})(atoms, With::nothing, {std::make_shared<const StartSpinors>(std::move(poor))});
    BOOST_TEST((again[0].result.status == AtomStatus::converged));
    BOOST_TEST(again[0].result.energy == solved[0].result.energy, boost::test_tools::tolerance(1e-13));
}
