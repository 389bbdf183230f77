// Tests charges, sizes of nuclei, thresholds and steps from one end of their documented ranges to the other. A result
// that is called converged is right by a closed formula or a bound; other results have another status. Exponents are
// tested in ranges_test.cpp.
#define BOOST_TEST_MODULE dfr_parameters
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "dfr/elements.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/solver.hpp"
#include "hennessey.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Context make_context() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Problem nonrelativistic() {
    Problem problem;
    problem.relativistic = false;
    return problem;
}

std::vector<double> even_tempered(double smallest, double ratio, double largest) {
    std::vector<double> exponents;
    for (double zeta = smallest; zeta < largest; zeta *= ratio) exponents.push_back(zeta);
    return exponents;
}

// Returns an atom with s functions only: closed shells, and an open one whose electrons do not repel each other.
Atom s_atom(double charge, std::vector<double> exponents, int closed, double electrons) {
    Atom atom;
    atom.nucleus.charge = charge;
    atom.exponents = {std::move(exponents)};
    atom.configuration = {{closed}, {electrons}, {0.0}};
    return atom;
}

std::vector<AtomResult> run(const Problem& problem, std::vector<Atom> atoms) {
    Context context = make_context();
    Solver solver(context, problem, std::move(atoms));
    solver.run({});
    std::vector<AtomResult> all;
    for (std::size_t i = 0; i < solver.atoms().size(); ++i) all.push_back(solver.result(i));
    return all;
}

bool is_near(double found, double exact, double relative) {
    return std::fabs(found - exact) <= relative * std::fabs(exact);
}

}  // namespace

// Tests one function exp(-zeta r^2): T = 3 zeta / 2, V = -2 Z sqrt(2 zeta / pi), J = 2 sqrt(zeta / pi).
BOOST_AUTO_TEST_CASE(exponents_and_charges) {
    std::vector<Atom> atoms;
    std::vector<double> exact, size;
    for (const double charge : {1.0, 2.5, 20.0, 92.0, 137.0})
        for (double zeta = smallest_exponent; zeta < 1.1 * largest_exponent; zeta *= 10)
            for (const int closed : {0, 1}) {
                const double exponent = std::min(zeta, largest_exponent), electrons = closed ? 2 : 1;
                const double t = 1.5 * exponent, v = 2 * charge * std::sqrt(2 * exponent / std::numbers::pi),
                             j = closed ? 2 * std::sqrt(exponent / std::numbers::pi) : 0.0;
                atoms.push_back(s_atom(charge, {exponent}, closed, 1 - closed));
                exact.push_back(electrons * (t - v) + j);
                size.push_back(electrons * (t + v) + j);
            }
    const std::vector<AtomResult> all = run(nonrelativistic(), atoms);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double charge = atoms[i].nucleus.charge, zeta = atoms[i].exponents[0][0];
        BOOST_TEST((all[i].status == AtomStatus::converged || all[i].status == AtomStatus::unbound),
                   "Z = " << charge << ", zeta = " << zeta);
        BOOST_TEST(std::fabs(all[i].energy - exact[i]) <= 1e-13 * size[i],
                   "Z = " << charge << ", zeta = " << zeta << ": " << all[i].energy << ", exact " << exact[i]);
    }
}

// Tests 1s of Z = 2. To first order the size of a nucleus adds 2 pi / 3 Z |psi(0)|^2 <r^2> to the energy. This is 2/5
// Z^4 R^2 for a sphere and Z^4 / eta for a Gaussian. In general the energy lies above that of a point nucleus and above
// that of a flat well of the same depth.
BOOST_AUTO_TEST_CASE(sizes_of_nuclei) {
    constexpr double z = 2;
    const std::vector<double> exponents = even_tempered(0.002, 1.5, 1e9);
    Problem problem = nonrelativistic();
    problem.dependence_threshold = 1e-12;
    const double point = run(problem, {s_atom(z, exponents, 0, 1)})[0].energy;
    BOOST_TEST(is_near(point, -0.5 * z * z, 1e-9));
    for (const NuclearModel model : {NuclearModel::sphere, NuclearModel::gaussian}) {
        std::vector<Atom> atoms;
        for (double radius = 1e-10; radius < 1.5; radius *= 10) {
            atoms.push_back(s_atom(z, exponents, 0, 1));
            atoms.back().nucleus.model = model;
            atoms.back().nucleus.radius = std::min(radius, 1.0);
            atoms.back().nucleus.exponent = std::max(1 / (radius * radius), 1.0);  // 1e20..1
        }
        const std::vector<AtomResult> all = run(problem, atoms);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double radius = atoms[i].nucleus.radius, eta = atoms[i].nucleus.exponent;
            const double first_order =
                std::pow(z, 4) * (model == NuclearModel::sphere ? 0.4 * radius * radius : 1 / eta);
            const double added = all[i].energy - point;
            BOOST_REQUIRE((all[i].status == AtomStatus::converged));
            BOOST_TEST(added > -1e-11);
            if (radius < 0.005)
                BOOST_TEST(std::fabs(added - first_order) < 0.05 * first_order + 1e-10, "R = " << radius);
            const double depth =
                model == NuclearModel::sphere ? 1.5 * z / radius : 2 * z * std::sqrt(eta / std::numbers::pi);
            BOOST_TEST(all[i].energy > -depth);
        }
    }
}

// Tests thresholds with neon. The error of an energy is of second order in [F, D].
BOOST_AUTO_TEST_CASE(thresholds) {
    Context context = make_context();
    const Atom neon = [] {
        Atom atom;
        atom.nucleus.charge = 10;
        atom.exponents = {even_tempered(0.1, 2.2, 1e6), even_tempered(0.08, 2.2, 1e3), even_tempered(0.08, 2.2, 1e3)};
        atom.configuration = {{2, 1, 1}, {0.0, 0.0, 0.0}, std::vector<double>(9, 0.0)};
        return atom;
    }();
    const double best = run({}, {neon})[0].energy;
    for (const double energy_threshold : {1e-16, 1e-12, 1e-6, 1.0})
        for (const double gradient_threshold : {1e-14, 1e-9, 1e-3, 1.0, 1e6}) {
            Problem problem;
            problem.energy_threshold = energy_threshold;
            problem.gradient_threshold = gradient_threshold;
            const AtomResult result = run(problem, {neon})[0];
            const double allowed = std::max(3 * gradient_threshold * gradient_threshold, 1e-11 * std::fabs(best));
            BOOST_TEST((result.status == AtomStatus::converged || result.status == AtomStatus::not_converged));
            if (result.status == AtomStatus::converged)
                BOOST_TEST(std::fabs(result.energy - best) <= allowed,
                           energy_threshold << ", " << gradient_threshold << ": " << result.energy - best);
        }
    double before = -1e9;
    for (const double threshold : {1e-14, 1e-12, 1e-10, 1e-6, 1e-2}) {  // the more is left out, the higher the energy
        Problem problem = nonrelativistic();
        problem.dependence_threshold = threshold;
        const AtomResult result = run(problem, {s_atom(2, even_tempered(0.02, 1.3, 1e6), 1, 0)})[0];
        // Rounding with nearly dependent functions can keep [F, D] above its threshold. The status then says so.
        BOOST_TEST((result.status == AtomStatus::converged || threshold < 1e-10), threshold);
        BOOST_TEST(result.energy >= before - 1e-10, threshold);
        BOOST_TEST(result.energy > -2.861679996, threshold);  // the Hartree-Fock limit is -2.8616799956
        BOOST_TEST(result.energy < -2.8616, threshold);
        before = result.energy;
    }
}

// Many nearly dependent functions leave [F, D] at 1e-6 hartree with the default threshold. This does not change the
// energy.
BOOST_AUTO_TEST_CASE(dense_functions_converge) {
    for (const double ratio : {1.2, 1.3})
        for (int i = 0; i < 12; ++i) {
            const double smallest = 0.02 + 0.001 * i;
            const AtomResult result = run(nonrelativistic(), {s_atom(2, even_tempered(smallest, ratio, 1e6), 1, 0)})[0];
            BOOST_TEST((result.status == AtomStatus::converged), ratio << ", " << smallest);
            BOOST_TEST(std::fabs(result.energy + 2.8616799956) < 1e-9, ratio << ", " << smallest);
        }
}

// An optimisation ends no higher than it began and not below the limit, for all steps.
BOOST_AUTO_TEST_CASE(steps_of_optimisations) {
    OptimiserProblem problem;
    problem.field.relativistic = false;
    problem.max_energies = 120;
    Candidate helium{make_nucleus(2, NuclearModel::point),
                     {{1}, {0.0}, {0.0}},
                     {{WellTempered{0.2, 2.5, 1.0, 0.0}}, {0}, {{1, 8}}},
                     0};
    for (const double first : {1e-10, 1e-4, 0.1, 1.0})
        for (const double last : {1e-14, 1e-10, first}) {
            problem.first_step = first;
            problem.last_step = std::min(last, first);
            Context context = make_context();
            Optimiser optimiser(context, problem, {helium});
            optimiser.run({});
            const OptimiserResult result = optimiser.result(0);
            BOOST_TEST((result.status == OptimiserStatus::converged || result.status == OptimiserStatus::not_converged),
                       first << ", " << problem.last_step);
            BOOST_TEST(result.energy <= result.start_energy);
            BOOST_TEST(result.energy > -2.861679996);
        }
}
