// Compares energies with their limit energies, also at the ends of the ranges of an atom's parameters. Each result is
// right by an independent formula, or its status says that it is not.
#define BOOST_TEST_MODULE dfr_limit_check
#include "dfr/limit_check.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/properties.hpp"
#include "hennessey.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::dirac_energy, tests::large_atom, tests::one_electron_in;

namespace {

Atom even_tempered(double charge, int species, double smallest, double largest, double ratio) {
    Atom atom{
        {charge}, std::vector<std::vector<double>>(static_cast<std::size_t>(species) + 1), one_electron_in(species)};
    for (double zeta = smallest; zeta < largest; zeta *= ratio) atom.exponents.back().push_back(zeta);
    return atom;
}

AtomResult solve_without_comparison(const Problem& problem, const Atom& atom) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 1;
    Context context(options);
    Fields fields(context, problem, {atom});
    while (fields.advance() > 0) {
    }
    return fields[0].summary();
}

}  // namespace

// Tests 2p1/2 and 3d3/2 without diffuse functions. The exact energy is analytic.
BOOST_AUTO_TEST_CASE(bases_that_collapse) {
    const Problem problem;
    for (const int species : {1, 3}) {
        const double exact = dirac_energy(86, problem.speed_of_light, species);
        const AtomResult small = tests::run(problem, even_tempered(86, species, 0.004 * 86 * 86, 1e14, 1.6));
        BOOST_TEST_MESSAGE(name_of(species) << ": " << small.energy / exact - 1);
        BOOST_TEST(small.energy < exact * (1 + 1e-10));
        BOOST_TEST((small.status == AtomStatus::collapsed), static_cast<int>(small.status));
        BOOST_TEST(small.species.size() == static_cast<std::size_t>(species) + 1);  // the spinors can be read
        const AtomResult whole = tests::run(problem, even_tempered(86, species, 1e-6 * 86 * 86, 1e14, 1.6));
        BOOST_TEST((whole.status == AtomStatus::converged), static_cast<int>(whole.status));
        BOOST_TEST(std::fabs(whole.energy / exact - 1) < 1e-9);
    }
    // The same with many electrons.
    Atom neon = library_atom(10, NuclearModel::point);
    neon.nucleus.charge = 80;
    neon.exponents = large_basis(problem, neon.nucleus, neon.configuration);
    std::erase_if(neon.exponents[1], [](double zeta) { return zeta < 30; });
    const AtomResult ion = tests::run(problem, neon);
    BOOST_TEST((ion.status == AtomStatus::collapsed), static_cast<int>(ion.status));
}

BOOST_AUTO_TEST_CASE(the_message_has_both_numbers_and_the_remedy) {
    std::string said;
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 1;
    Context context(options);
    context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { said += line; });
    Solver solver(context, {}, {even_tempered(86, 1, 0.004 * 86 * 86, 1e14, 1.6)});
    solver.run({});
    for (const char* part : {"atom 0 (Z = 86)", "-1070.", "below the limit energy -1070.0952", "add diffuse functions"})
        BOOST_TEST(said.find(part) != std::string::npos, said);
}

// Energies in coarser bases are not below the limit, for every nucleus and number of electrons.
BOOST_AUTO_TEST_CASE(no_coarse_energy_is_below_the_limit) {
    const Problem problem;
    const auto check = [&](const Nucleus& nucleus, const Configuration& configuration, const std::string& what) {
        const double limit = solve_without_comparison(problem, large_atom(problem, nucleus, configuration)).energy;
        for (std::size_t stage = 0; stage + 1 < std::size(limit_stages); ++stage) {
            const AtomResult coarse =
                solve_without_comparison(problem, large_atom(problem, nucleus, configuration, limit_stages[stage]));
            const double above = coarse.energy / limit - 1;
            BOOST_TEST((coarse.status == AtomStatus::converged), what);
            BOOST_TEST(above < large_basis_error, what << ", stage " << stage << ": " << -above);
        }
    };
    for (const int charge : {1, 20, 60, 90})
        for (const int species : {0, 1, 2, 3, 4, 5, 7, 9, 11})
            check({static_cast<double>(charge)}, one_electron_in(species), name_of(species));
    for (const auto model : {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi}) {
        for (const int element : {2, 5, 10, 18})
            check(make_nucleus(element, model), average_of_configuration(ground_configuration(element)),
                  symbol_of(element));
        for (const int element : {54, 92})
            check(make_nucleus(element, model), average_of_configuration(ground_configuration(10)), symbol_of(element));
    }
}

// Helium does not bind ten electrons. Only the finite extent of the basis confines them.
BOOST_AUTO_TEST_CASE(unbound_electrons) {
    Atom atom = library_atom(10, NuclearModel::point);
    atom.nucleus.charge = 2;
    for (const bool relativistic : {false, true}) {
        Problem problem;
        problem.relativistic = relativistic;
        const AtomResult result = tests::run(problem, atom);
        BOOST_TEST((result.status == AtomStatus::unbound), static_cast<int>(result.status));
        double highest = -1e300;
        for (std::size_t s = 0; s < result.species.size(); ++s)
            highest = std::max(
                highest,
                result.species[s].orbital_energies[static_cast<std::size_t>(shells(atom.configuration, s) - 1)]);
        BOOST_TEST(highest > 0);
    }
}

// The energy is the non-relativistic one plus a term in 1/c^2, for c from 200 to 1e8. The tolerance is the next term,
// in 1/c^4.
BOOST_AUTO_TEST_CASE(speed_of_light) {
    for (const int element : {2, 10}) {
        Problem problem;
        problem.relativistic = false;
        const Atom atom = library_atom(element, NuclearModel::point);
        const double limit = tests::run(problem, atom).energy;
        problem.relativistic = true;
        problem.speed_of_light = 2e3;
        const double factor = 4e6 * (tests::run(problem, atom).energy - limit);
        for (const double c : {2e2, 1e3, 5e3, 1e4, 1.001e4, 3e4, 1e5, 1e6, 1e7, 1e8}) {
            problem.speed_of_light = c;
            const AtomResult result = tests::run(problem, atom);
            const double off = (result.energy - limit - factor / (c * c)) / limit, z = element / c;
            const double next = 2 * z * z * (z * z + element * element / 4e6);
            BOOST_TEST_MESSAGE("Z = " << element << ", c = " << c << ": " << off);
            BOOST_TEST((result.status == AtomStatus::converged), "c = " << c);
            BOOST_TEST(std::fabs(off) < next + 1e-13, "Z = " << element << ", c = " << c << ": " << off);
        }
    }
}

// Compares one-electron ions with Dirac's formula for c from slightly above Z to 1e8, in all species to d5/2.
BOOST_AUTO_TEST_CASE(hydrogen_like_ions_at_any_speed_of_light) {
    Problem problem;
    for (const double c : {1.5, 3.0, 137.0, 9e3, 1e5, 1e8})
        for (int species = 0; species < 5; ++species) {
            problem.speed_of_light = c;
            const Atom atom = large_atom(problem, {1.0}, one_electron_in(species));
            const AtomResult result = tests::run(problem, atom);
            const double exact = dirac_energy(1, c, species);
            BOOST_TEST((result.status == AtomStatus::converged), "c = " << c << ", " << name_of(species));
            BOOST_TEST(std::fabs(result.energy / exact - 1) < 1e-10,
                       "c = " << c << ", " << name_of(species) << ": " << result.energy / exact - 1);
        }
}

// Tests point nuclei up to Z = 137. Each energy is within the error that limit_error() states.
BOOST_AUTO_TEST_CASE(charges) {
    const Problem problem;
    for (const double charge : {1.0, 1.5, 20.0, 80.0, 97.0, 110.0, 125.0, 137.0})
        for (const int species : {0, 1}) {
            const Nucleus nucleus{charge};
            const Configuration configuration = one_electron_in(species);
            const double exact = dirac_energy(charge, problem.speed_of_light, species);
            const AtomResult result = tests::run(problem, large_atom(problem, nucleus, configuration));
            const double missed = 1 - result.energy / exact;
            BOOST_TEST_MESSAGE("Z = " << charge << ", " << name_of(species) << ": " << missed << ", status "
                                      << static_cast<int>(result.status));
            BOOST_TEST((result.status == AtomStatus::converged));
            BOOST_TEST(std::fabs(missed) < limit_error(problem, nucleus, configuration), charge);
        }
}

// Rounding errors of a heavy point nucleus leave a gradient in the field of the limit. Energies below the limit are
// results if they are within the error that belongs to this gradient.
BOOST_AUTO_TEST_CASE(rounding_of_heavy_point_nuclei) {
    const Configuration configuration = average_of_configuration(ground_configuration(2));
    const Nucleus nucleus{97};
    for (const Interaction interaction : {Interaction::coulomb, Interaction::gaunt, Interaction::breit}) {
        Problem problem;
        problem.interaction = interaction;
        problem.max_iterations = 200;
        const AtomResult result = tests::run(problem, large_atom(problem, nucleus, configuration));
        BOOST_TEST((result.status == AtomStatus::converged));
        const double basis = limit_error(problem, nucleus, configuration) * std::fabs(result.energy),
                     rounding = rounding_of_limit(result);
        BOOST_TEST(rounding > 1e-7, "rounding " << rounding << ", basis " << basis);
        ContextOptions options;
        options.backend = Backend::cpu;
        options.threads = 1;
        Context context(options);
        const std::vector<Atom> atoms{{nucleus, {{}}, configuration}};
        for (const double part : {0.5, 1.5}) {
            LimitCheck check(context, problem, atoms, {{0, result.energy - basis - part * rounding}});
            while (!check.advance()) {
            }
            BOOST_TEST((check.energies()[0].outcome == (part < 1 ? Comparison::above : Comparison::below)), part);
        }
    }
}

// A small sphere and a steep Gaussian act as point nuclei. A larger nucleus shifts the energy as first-order
// perturbation theory predicts.
BOOST_AUTO_TEST_CASE(radii_and_exponents_of_nuclei) {
    Problem problem;
    problem.relativistic = false;
    for (const double radius : {1e-10, 1e-7, 1e-4, 1e-3}) {
        const Configuration configuration = one_electron_in(0);
        for (const bool sphere : {true, false}) {
            const double square = 0.6 * radius * radius;  // <r^2>
            Nucleus nucleus{10, sphere ? NuclearModel::sphere : NuclearModel::gaussian, radius, 1.5 / square};
            if (!sphere && nucleus.exponent > largest_exponent) continue;
            const AtomResult result =
                tests::run(problem, {nucleus, even_tempered(10, 0, 1e-2, 1e13, 1.5).exponents, configuration});
            const double shift = 2.0 / 3.0 * 1e4 * square;
            BOOST_TEST((result.status == AtomStatus::converged));
            BOOST_TEST(std::fabs(result.energy + 50 - shift) < 30 * radius * shift + 5e-9,
                       "radius " << radius << ": " << result.energy + 50 << ", expected " << shift);
        }
    }
}

// A loose threshold costs at most as much energy as it allows. A tight threshold costs only rounding errors.
BOOST_AUTO_TEST_CASE(thresholds) {
    const Atom atom = library_atom(10, NuclearModel::point);
    const double energy = tests::run(Problem{}, atom).energy;
    for (const double asked : {1e-16, 1e-14, 1e-10, 1e-6, 1e-3, 1.0})
        for (const double gradient : {1e-14, 1e-9, 1e-3, 1e6}) {
            Problem problem;
            problem.energy_threshold = asked;
            problem.gradient_threshold = gradient;
            const AtomResult result = tests::run(problem, atom);
            if (result.status == AtomStatus::not_converged) continue;
            BOOST_TEST((result.status == AtomStatus::converged), static_cast<int>(result.status));
            BOOST_TEST(std::fabs(result.energy / energy - 1) <= std::max(10 * asked, 1e-13), asked << ' ' << gradient);
        }
    for (const double dependence : {1e-14, 1e-10, 1e-6, 1e-2}) {
        Problem problem;
        problem.dependence_threshold = dependence;
        const AtomResult result = tests::run(problem, atom);
        BOOST_TEST((result.status == AtomStatus::collapsed ||
                    (result.status == AtomStatus::converged && result.energy >= energy * (1 + 1e-12))),
                   dependence << ": " << result.energy / energy - 1);
    }
}

// The moments of 1s without relativity are (k + 2)!/2^(k + 1), and the radial density is 4 r^2 exp(-2 r).
BOOST_AUTO_TEST_CASE(moments_and_densities) {
    Problem problem;
    problem.relativistic = false;
    const Atom atom = large_atom(problem, {1.0}, one_electron_in(0));
    const AtomResult result = tests::run(problem, atom);
    for (int power = -2; power <= 10; ++power) {
        const double exact = std::tgamma(power + 3) / std::pow(2.0, power + 1);
        const double off = radial_moment(atom, result, 0, 0, power) / exact - 1;
        BOOST_TEST_MESSAGE("<r^" << power << ">: " << off);
        BOOST_TEST(std::fabs(off) < (power < -1 || power > 4 ? 1e-3 : 1e-6), power << ": " << off);
    }
    const std::vector<double> r{0.0, 1e-5, 1e-2, 1.0, 5.0, 30.0, 1e3, 1e6};
    const std::vector<double> density = radial_density(atom, result, r);
    for (std::size_t i = 0; i < r.size(); ++i) {
        const double exact = 4 * r[i] * r[i] * std::exp(-2 * r[i]);
        BOOST_TEST(std::fabs(density[i] - exact) <= 1e-3 * exact + 1e-12, r[i] << ": " << density[i]);
    }
}

// Tests fractions of electrons and factors of pairs. To first order, q electrons in 1s have q times the energy of one
// electron, and the repulsion is proportional to A q^2.
BOOST_AUTO_TEST_CASE(electrons_and_pairs) {
    Problem problem;
    problem.relativistic = false;
    Atom atom = even_tempered(50, 0, 1.0, 1e9, 1.8);
    for (const double electrons : {1e-300, 1e-13, 0.5, 1.0, 1.999}) {
        atom.configuration.electrons[0] = electrons;
        for (const double pairs : {0.0, 1e-3, 1.0}) {
            atom.configuration.pairs[0] = pairs;
            const AtomResult result = tests::run(problem, atom);
            BOOST_TEST((result.status == AtomStatus::converged), electrons << ' ' << static_cast<int>(result.status));
            // The repulsion is (5/8) Z, halved because an electron does not repel itself.
            const double first = electrons * (-1250.0 + 0.25 * electrons * pairs * 0.625 * 50);
            BOOST_TEST(std::fabs(result.energy / first - 1) < 2e-4,
                       electrons << ' ' << pairs << ": " << result.energy / first - 1);
        }
        atom.configuration.pairs[0] = 1e6;  // repulsion exceeds attraction, unless electrons is tiny
        const AtomResult result = tests::run(problem, atom);
        BOOST_TEST((result.status != AtomStatus::converged || result.energy < 0), electrons);
    }
}

// Tests a finite nucleus with Z > c. There is a result if 1s lies above the lower continuum, and none otherwise.
BOOST_AUTO_TEST_CASE(charges_beyond_c) {
    Problem problem;
    problem.speed_of_light = 20;
    const auto status = [&](double charge, double radius) {
        Atom atom = even_tempered(charge, 0, 0.01, 1e15, 1.7);
        atom.nucleus = {charge, NuclearModel::sphere, radius, 0};
        return tests::run(problem, atom).status;
    };
    BOOST_TEST((status(15, 1e-4) == AtomStatus::converged));
    BOOST_TEST((status(22, 0.1) == AtomStatus::converged));
    BOOST_TEST((status(40, 1e-8) == AtomStatus::failed));
    const AtomStatus deep = status(137, 1e-6);  // so deep that the iteration of the field does not converge
    BOOST_TEST((deep == AtomStatus::failed || deep == AtomStatus::not_converged));
}

// More different atoms than the number of energies in large bases that are kept. An energy of 0 is above every limit.
BOOST_AUTO_TEST_CASE(more_atoms_than_limits_are_kept) {
    constexpr std::size_t count = 1100;
    ContextOptions options;
    options.backend = Backend::cpu;
    Context context(options);
    std::vector<Atom> atoms;
    std::vector<ComparedEnergy> energies;
    for (std::size_t i = 0; i < count; ++i) {
        atoms.push_back({{1 + 1e-3 * static_cast<double>(i)}, {{}}, one_electron_in(0)});
        energies.push_back({i, 0.0});
    }
    LimitCheck check(context, {}, atoms, energies);
    int steps = 0;
    while (!check.advance() && steps < 1000) ++steps;
    BOOST_REQUIRE(steps < 1000);
    for (const ComparedEnergy& one : check.energies()) {
        BOOST_TEST((one.outcome == Comparison::above));
        const double exact = dirac_energy(atoms[one.atom].nucleus.charge, Problem().speed_of_light, 0);
        BOOST_TEST(std::fabs(one.limit / exact - 1) < 1e-6);
    }
}
