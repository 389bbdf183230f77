// Tests the Gaunt and the Breit interaction: energies of an independent program, limits that are known exactly, and the
// connection between the self-consistent energy and the first-order one.
#define BOOST_TEST_MODULE dfr_breit
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/larger.hpp"
#include "dfr/configuration.hpp"
#include "dfr/corrections.hpp"
#include "dfr/elements.hpp"
#include "dfr/extended_balance.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/scf.hpp"
#include "hennessey.hpp"
#include "message_of.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

std::vector<double> even_tempered(double smallest, double ratio, int count) {
    std::vector<double> exponents;
    for (double zeta = smallest; static_cast<int>(exponents.size()) < count; zeta *= ratio) exponents.push_back(zeta);
    return exponents;
}

// Returns an atom with a point nucleus; `exponents` are those of s, p, d, ..., one list for each l.
Atom atom_of(double charge, const std::vector<std::vector<double>>& exponents, const std::vector<Subshell>& subshells) {
    Atom atom;
    atom.nucleus.charge = charge;
    atom.configuration = average_of_configuration(subshells);
    for (std::size_t s = 0; s < atom.configuration.closed.size(); ++s)
        atom.exponents.push_back(exponents[static_cast<std::size_t>(l_of(static_cast<int>(s)))]);
    return atom;
}

Problem problem_of(Interaction interaction) {
    Problem problem;
    problem.interaction = interaction;
    problem.dependence_threshold = 1e-14;
    return problem;
}

struct Reference {
    std::string name;
    Atom atom;
    double coulomb, first_gaunt, first_breit, gaunt, breit;  // first order; self-consistent energies
};

// Returns energies from PySCF 2.14.0: scf.DHF with with_gaunt and with_breit, uncontracted functions, point nuclei,
// lib.param.LIGHT_SPEED = 137.03599976, conv_tol = 1e-13 and scf.hf.remove_overlap_zero_eigenvalue = False. The
// first-order energies are those of its get_veff() with the Dirac-Coulomb density. The ion with 50 electrons has one
// function for each l up to 4, and one more for s that keeps one state empty.
std::vector<Reference> references() {
    return {
        {"He", atom_of(2, {even_tempered(0.1, 3.0, 8)}, {{1, 0, 2}}), -2.861465492903762, 6.374988718693686e-05,
         6.374988718671482e-05, -2.8614017447263675, -2.86140174472637},
        {"Be", atom_of(4, {even_tempered(0.05, 3.2, 9)}, {{1, 0, 2}, {2, 0, 2}}), -14.571913441176843,
         0.000705627613654336, 0.0007017794823651613, -14.571207854406072, -14.571211702222257},
        {"Ne8+", atom_of(10, {even_tempered(2.0, 3.0, 9)}, {{1, 0, 2}}), -93.97659656818904, 0.012108940309714988,
         0.012108940309716765, -93.96448946768659, -93.96448946768653},
        {"Ne",
         atom_of(10, {even_tempered(0.1, 3.2, 11), even_tempered(0.08, 3.0, 7)}, {{1, 0, 2}, {2, 0, 2}, {2, 1, 6}}),
         -128.6715919182923, 0.017515812516784024, 0.01662196766952917, -128.65407899172425, -128.65497251807741},
        {"Ar8+",
         atom_of(18, {even_tempered(0.5, 3.2, 11), even_tempered(0.5, 3.0, 8)}, {{1, 0, 2}, {2, 0, 2}, {2, 1, 6}}),
         -507.7351096524215, 0.1388927612636195, 0.12852450077051003, -507.5962629721663, -507.60662375220477},
        {"50 electrons",
         atom_of(60, {{900, 50000}, {300}, {120}, {60}, {30}},
                 {{1, 0, 2}, {2, 1, 6}, {3, 2, 10}, {4, 3, 14}, {5, 4, 18}}),
         -2962.669151323599, 14.143538493573942, 12.16807120971498, -2948.5117974049626, -2950.4910202635256},
    };
}

Configuration closed_only(const Configuration& configuration) {
    Configuration closed = configuration;
    for (std::size_t s = 0; s < closed.closed.size(); ++s)
        if (closed.electrons[s] > 0) ++closed.closed[s], closed.electrons[s] = 0;
    return closed;
}

// Returns the energy of an atom where the interaction beyond Coulomb is multiplied by `strength`.
double energy_at(const Problem& problem, const Atom& atom, double strength) {
    Quadratures quadratures = make_quadratures(problem, {&atom, 1}, 2);
    for (auto& of_pair : quadratures.kernels.magnetic)
        for (auto& kernel : of_pair)
            for (double& value : kernel) value *= strength;
    const auto engine = make_cpu_engine();
    engine->load(quadratures, 2);
    SelfConsistentField field(problem, atom, quadratures.atoms[0], 0, 1);
    while (!field.finished()) {
        std::vector<Eigenproblem*> problems;
        for (std::size_t s = 0; s < field.species(); ++s) {
            field.pose_eigenproblem(s);
            problems.push_back(&field.eigenproblem(s));
        }
        engine->solve(problems, {});
        field.make_job();
        engine->compute_repulsion({&field.job(), 1});
        for (std::size_t s = 0; s < field.species(); ++s) field.take_repulsion(s);
        field.close_iteration();
    }
    BOOST_TEST((field.summary().status == AtomStatus::converged));
    return field.summary().energy;
}

}  // namespace

BOOST_AUTO_TEST_CASE(independent_program) {
    for (const Reference& r : references()) {
        const Problem coulomb = problem_of(Interaction::coulomb);
        const AtomResult result = tests::run(coulomb, r.atom);
        const CorrectionEnergies first = corrections(coulomb, r.atom, result, 2);
        const double gaunt = tests::run(problem_of(Interaction::gaunt), r.atom).energy,
                     breit = tests::run(problem_of(Interaction::breit), r.atom).energy;
        const std::array<std::pair<double, double>, 5> compared{{{result.energy, r.coulomb},
                                                                 {first.gaunt, r.first_gaunt},
                                                                 {first.breit, r.first_breit},
                                                                 {gaunt, r.gaunt},
                                                                 {breit, r.breit}}};
        for (const auto& [mine, other] : compared) {
            BOOST_TEST_MESSAGE(r.name << ": " << mine << ", " << mine - other);
            // The energies of both programs are rounded, and the density of the other one has converged to about 1e-7.
            BOOST_TEST(std::fabs(mine - other) <= 3e-12 + 2e-14 * std::fabs(r.coulomb),
                       r.name << ": " << mine - other << " of " << other);
        }
    }
}

// Another program: the orbital energies of Cs+ by a program of V. A. Dzuba, which solves the radial equations on a
// grid, with the Breit interaction in the self-consistent field and without it. They are printed in the tests of ampsci
// (B. M. Roberts, github.com/benroberts999/ampsci, src/HF/Breit.tests.cpp). Its nucleus and speed of light are not
// known in all digits, which changes the energies by up to 1e-6, but hardly their differences.
BOOST_AUTO_TEST_CASE(orbital_energies_of_a_heavy_ion) {
    struct Row {
        int species;
        std::size_t shell;
        double breit, coulomb;
    };
    constexpr Row rows[] = {{0, 0, -1326.96780222, -1330.11855083}, {0, 1, -212.26379763, -212.56443998},
                            {1, 0, -198.91648966, -199.42946902},   {2, 0, -186.09010791, -186.43652026},
                            {0, 2, -45.92577676, -45.96973802},     {1, 1, -40.36742765, -40.44831351},
                            {2, 1, -37.84531317, -37.89428850},     {3, 0, -28.28379474, -28.30949745},
                            {4, 0, -27.76338201, -27.77513275},     {0, 3, -9.50647336, -9.51282121},
                            {1, 2, -7.43335889, -7.44628735},       {2, 2, -6.91467392, -6.92099642},
                            {3, 1, -3.48506227, -3.48561698},       {4, 1, -3.39873098, -3.39689628},
                            {0, 4, -1.48931551, -1.48980539},       {1, 3, -0.90678723, -0.90789806},
                            {2, 3, -0.84005768, -0.84033929}};
    const Configuration xenon = average_of_configuration(ground_configuration(54));
    const Nucleus nucleus = make_nucleus(55, NuclearModel::fermi);
    const Atom ion{nucleus, large_basis({}, nucleus, xenon, tolerance_for(1e-9)), xenon};
    const AtomResult coulomb = tests::run(problem_of(Interaction::coulomb), ion),
                     breit = tests::run(problem_of(Interaction::breit), ion);
    for (const Row& row : rows) {
        const auto energy = [&](const AtomResult& result) {
            return result.species[static_cast<std::size_t>(row.species)].orbital_energies[row.shell];
        };
        const double shift = energy(breit) - energy(coulomb), other = row.breit - row.coulomb;
        const std::string name = text(name_of(row.species), " ", row.shell + 1);
        BOOST_TEST(std::fabs(energy(coulomb) / row.coulomb - 1) < 2e-6,
                   name << ": " << energy(coulomb) / row.coulomb - 1);
        BOOST_TEST(std::fabs(shift - other) < 5e-5 * std::fabs(other) + 2e-7, name << ": " << shift << ", " << other);
    }
}

// A single electron does not interact with itself.
BOOST_AUTO_TEST_CASE(one_electron) {
    for (const int species : {0, 1, 2, 4}) {
        const auto count = static_cast<std::size_t>(species) + 1;
        Atom atom;
        atom.nucleus.charge = 50;
        atom.exponents.assign(count, even_tempered(20.0, 3.0, 8));
        atom.configuration = {std::vector<int>(count, 0), std::vector<double>(count, 0.0),
                              std::vector<double>(count * count, 0.0)};
        atom.configuration.electrons.back() = 1;
        const Problem problem = problem_of(Interaction::breit);
        const AtomResult result = tests::run(problem, atom);
        const CorrectionEnergies energies = corrections(problem, atom, result, 1);
        BOOST_TEST(std::fabs(energies.gaunt) < 1e-13);
        BOOST_TEST(std::fabs(energies.breit) < 1e-13);
        BOOST_TEST(std::fabs(result.repulsion) < 1e-11);
    }
}

// With the same spinors, q electrons in a shell have q (q - 1) / [g (g - 1)] of the energy of the full shell.
BOOST_AUTO_TEST_CASE(average_of_an_open_shell) {
    for (const int q : {2, 3}) {
        const std::vector<double> row{static_cast<double>(q)};
        const std::vector<int> closed{0, 0, 0}, open{2};
        Atom atom;
        atom.nucleus.charge = 30;
        atom.exponents.assign(3, even_tempered(10.0, 3.0, 8));
        atom.configuration = average_of_list(closed, open, {&row, 1});
        const Problem problem = problem_of(Interaction::coulomb);
        const AtomResult result = tests::run(problem, atom);
        const CorrectionEnergies part = corrections(problem, atom, result, 1);
        atom.configuration = closed_only(atom.configuration);
        const CorrectionEnergies full = corrections(problem, atom, result, 1);
        const double ratio = q * (q - 1) / 12.0;
        BOOST_TEST(std::fabs(part.gaunt / full.gaunt - ratio) < 1e-12);
        BOOST_TEST(std::fabs(part.breit / full.breit - ratio) < 1e-12);
    }
}

// To the lowest order in 1/c and 1/Z, the two electrons of a helium-like ion have the energy Z^3 / (4 c^2), that of the
// contact of their spins, 2 pi / c^2 <delta(r12)>. Higher orders of 1/Z are extrapolated at a constant Z/c.
BOOST_AUTO_TEST_CASE(helium_like_ions) {
    std::array<double, 4> ratios{};
    double charge = 15;
    for (double& ratio : ratios) {
        Problem problem = problem_of(Interaction::coulomb);
        problem.speed_of_light = 500 * charge;
        const Atom atom = atom_of(charge, {even_tempered(0.02 * charge * charge, 1.9, 30)}, {{1, 0, 2}});
        const CorrectionEnergies first = corrections(problem, atom, tests::run(problem, atom), 1);
        BOOST_TEST(std::fabs(first.breit / first.gaunt - 1) < 1e-12);  // there is no retardation between s electrons
        ratio = first.gaunt * problem.speed_of_light * problem.speed_of_light / (charge * charge * charge);
        charge *= 2;
    }
    for (int order = 1; order < 4; ++order)
        for (std::size_t i = 0; i + static_cast<std::size_t>(order) < ratios.size(); ++i)
            ratios[i] = (std::pow(2.0, order) * ratios[i + 1] - ratios[i]) / (std::pow(2.0, order) - 1);
    BOOST_TEST_MESSAGE(ratios[0]);
    BOOST_TEST(std::fabs(ratios[0] - 0.25) < 4e-6);
}

// The derivative of the self-consistent energy with respect to the strength of the interaction is its mean value. This
// is so only if the energy is stationary, and the Fock matrices belong to the energy.
BOOST_AUTO_TEST_CASE(derivative_with_respect_to_the_strength) {
    const std::array<std::pair<int, KineticBalance>, 5> cases{{{10, KineticBalance::restricted},
                                                               {6, KineticBalance::restricted},
                                                               {26, KineticBalance::extended},
                                                               {60, KineticBalance::restricted},
                                                               {60, KineticBalance::extended}}};
    for (const auto& [element, balance] : cases)
        for (const Interaction interaction : {Interaction::gaunt, Interaction::breit}) {
            Problem problem;
            problem.interaction = interaction;
            problem.kinetic_balance = balance;
            problem.max_iterations = 200;
            const Atom given = library_atom(element, NuclearModel::gaussian), atom = balanced(problem, given);
            constexpr double step = 0.1;
            const double e1 = energy_at(problem, atom, 1 + step) - energy_at(problem, atom, 1 - step),
                         e2 = energy_at(problem, atom, 1 + 2 * step) - energy_at(problem, atom, 1 - 2 * step);
            const double derivative = (8 * e1 - e2) / (12 * step);
            const AtomResult result = tests::run(problem, given);
            const CorrectionEnergies mean = corrections(problem, atom, result, 2);
            const double expected = interaction == Interaction::gaunt ? mean.gaunt : mean.breit;
            BOOST_TEST_MESSAGE("Z = " << element << ": " << expected << ", " << derivative - expected);
            BOOST_TEST(std::fabs(derivative - expected) < 1e-12 * std::fabs(result.energy) + 1e-9 * expected,
                       "Z = " << element << ": " << derivative << " and " << expected);
        }
}

// The energies in large bases, which are kept, depend on the interaction.
BOOST_AUTO_TEST_CASE(limits) {
    const Atom atom = library_atom(10, NuclearModel::point);
    for (int times = 0; times < 2; ++times)
        for (const Interaction interaction : {Interaction::coulomb, Interaction::gaunt, Interaction::breit}) {
            const AtomResult result = tests::run(problem_of(interaction), atom);
            BOOST_TEST((result.status == AtomStatus::converged));
            BOOST_TEST(std::fabs(result.limit - result.energy) < 1e-6 * std::fabs(result.energy));
        }
}

BOOST_AUTO_TEST_CASE(unknown_energies) {
    const Atom atom = library_atom(2, NuclearModel::point);
    Problem problem;
    AtomResult running = tests::run(problem, atom);
    running.status = AtomStatus::running;
    BOOST_TEST(std::isnan(corrections(problem, atom, running, 1).gaunt));
    AtomResult failed;
    failed.status = AtomStatus::failed;
    BOOST_TEST(std::isnan(corrections(problem, atom, failed, 1).breit));
    problem.relativistic = false;
    const CorrectionEnergies none = corrections(problem, atom, tests::run(problem, atom), 1);
    BOOST_TEST(std::isnan(none.gaunt));
    BOOST_TEST(std::isnan(none.breit));
    problem.interaction = Interaction::breit;
    BOOST_TEST(tests::message_of([&] { validate(problem); }) ==
               "dfr.params.interaction: 2 needs relativistic = 1; without relativity only 0 (Coulomb) is allowed");
    problem.interaction = static_cast<Interaction>(3);
    BOOST_TEST(tests::message_of([&] { validate(problem); }) == "dfr.params.interaction: 3 is not in 0..2");
}
