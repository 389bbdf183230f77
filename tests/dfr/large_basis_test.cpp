// Compares energies of large bases with numerical Hartree-Fock and Dirac-Fock energies, and with those of larger bases.
#define BOOST_TEST_MODULE dfr_large_basis
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/larger.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/large_basis.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::dirac_energy, tests::large_atom, tests::one_electron_in;

namespace {

// Returns the nucleus of one element with the electrons of another.
Atom large_ion(const Problem& problem, int element, int electrons, NuclearModel model,
               const BasisTolerance& tolerance = {}) {
    return large_atom(problem, make_nucleus(element, model), average_of_configuration(ground_configuration(electrons)),
                      tolerance);
}

double energy_of(const Problem& problem, const Atom& atom) {
    const AtomResult result = tests::run(problem, atom);
    const double charge = atom.nucleus.charge;
    BOOST_TEST((result.status == AtomStatus::converged), "Z = " << charge << ": gradient " << result.gradient);
    int left_out = 0;
    for (const Species& species : result.species) left_out += species.functions_left_out;
    BOOST_TEST(left_out == 0, "Z = " << charge);
    BOOST_TEST_MESSAGE("Z = " << charge << ": " << result.iterations << " iterations, virial ratio less 1 "
                              << result.virial_ratio() - 1);
    return result.energy;
}

struct Limit {
    int element;
    double energy;
    double digit;  // half a unit in the last digit given
    double bound = 1e-9;
};

void check_limits(const Problem& problem, const std::vector<Limit>& limits) {
    for (const Limit& limit : limits) {
        const double energy = energy_of(problem, large_ion(problem, limit.element, limit.element, NuclearModel::point)),
                     error = energy - limit.energy;
        BOOST_TEST_MESSAGE("Z = " << limit.element << ": " << error << ", relative " << error / -limit.energy);
        BOOST_TEST(std::fabs(error) <= limit.bound * std::fabs(limit.energy), "Z = " << limit.element << ": " << error);
        // Users of the library are promised this accuracy.
        BOOST_TEST(std::fabs(error) <= 3e-11 * std::fabs(limit.energy) + limit.digit,
                   "Z = " << limit.element << ": " << error);
    }
}

// Returns the relative difference of the energy from that of a basis that is wider at both ends and denser.
double shortfall(const Problem& problem, int element, int electrons, NuclearModel model) {
    const BasisTolerance more{1e-12, 1.5};
    const double limit = energy_of(problem, large_ion(problem, element, electrons, model, more)),
                 energy = energy_of(problem, large_ion(problem, element, electrons, model));
    const double missed = energy / limit - 1;
    BOOST_TEST_MESSAGE("Z = " << element << ", " << electrons << " electrons: energy " << energy
                              << ", a larger basis gives relatively " << -missed << " more");
    return missed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numerical_hartree_fock) {
    Problem problem;
    problem.relativistic = false;
    check_limits(problem, {{2, -2.861679996, 5e-10}, {10, -128.5470981, 5e-8}, {18, -526.8175128, 5e-8}});
}

BOOST_AUTO_TEST_CASE(numerical_dirac_fock) {
    Problem problem;
    problem.speed_of_light = 137.0359895;
    check_limits(problem, {{2, -2.861813342, 5e-10},
                           {6, -37.676044322, 5e-10},
                           {8, -74.824999833, 5e-10},
                           {10, -128.691969515, 5e-10},
                           {18, -528.684450719, 5e-10},
                           {24, -1049.598848994, 5e-10},
                           {54, -7447.162761961, 5e-10},
                           {79, -19039.844415120, 5e-10, 2e-9},
                           {86, -23611.192830600, 5e-10, 2e-9}});
}

// Tests every species with a single electron. The ends of the range of exponents matter most here, because no other
// shell hides them.
BOOST_AUTO_TEST_CASE(hydrogen_like_ions) {
    const Problem problem;
    double worst = 0;
    for (const int charge : {1, 30, 86})
        for (int species = 0; species < max_symmetries; ++species) {
            const Atom atom = large_atom(problem, {static_cast<double>(charge)}, one_electron_in(species));
            const double exact = dirac_energy(charge, problem.speed_of_light, species),
                         missed = energy_of(problem, atom) / exact - 1;
            BOOST_TEST_MESSAGE(name_of(species) << ": " << missed);
            BOOST_TEST(std::fabs(missed) < 3e-11, "Z = " << charge << ", " << name_of(species) << ": " << missed);
            worst = larger(worst, std::fabs(missed));
        }
    BOOST_TEST_MESSAGE("largest relative error " << worst);
    const Atom heaviest = large_atom(problem, {118.0}, one_electron_in(0));
    BOOST_TEST(std::fabs(energy_of(problem, heaviest) / dirac_energy(118, problem.speed_of_light, 0) - 1) < 5e-9);
}

// Tests neutral atoms of every block, few-electron ions, a negative ion, and finite nuclei up to the end of the table.
BOOST_AUTO_TEST_CASE(larger_bases) {
    const Problem problem;
    const auto check = [&](int element, int electrons, NuclearModel model) {
        const double missed = shortfall(problem, element, electrons, model);
        BOOST_TEST(std::fabs(missed) < 3e-11, "Z = " << element << ", " << electrons << " electrons: " << missed);
    };
    check(1, 2, NuclearModel::point);
    check(3, 3, NuclearModel::point);
    check(29, 29, NuclearModel::point);
    check(55, 55, NuclearModel::point);
    check(54, 10, NuclearModel::point);
    check(92, 2, NuclearModel::gaussian);
    check(64, 64, NuclearModel::gaussian);
    check(54, 54, NuclearModel::sphere);
    check(118, 118, NuclearModel::gaussian);
    check(92, 2, NuclearModel::fermi);
    check(2, 2, NuclearModel::fermi);
}

BOOST_AUTO_TEST_CASE(exponents) {
    Problem problem;
    for (const bool relativistic : {false, true})
        for (const NuclearModel model :
             {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi})
            for (int element = model == NuclearModel::fermi ? 2 : 1; element <= max_element; ++element)
                for (const int electrons : {1, element}) {
                    problem.relativistic = relativistic;
                    const Atom atom = large_ion(problem, element, electrons, model);
                    validate(problem, atom, "atom");
                    for (const auto& species : atom.exponents) {
                        BOOST_TEST(std::is_sorted(species.begin(), species.end()));
                        BOOST_TEST(species.size() < 130U);
                    }
                }
    // Empty species get no functions. The number of functions is limited for every requested tolerance.
    problem.relativistic = true;
    BOOST_TEST(large_basis(problem, {1.0}, one_electron_in(3))[1].empty());
    const Atom huge = large_atom(problem, {118.0}, one_electron_in(1), {1e-15, 1.01});
    validate(problem, huge, "atom");
    BOOST_TEST(huge.exponents[1].size() == static_cast<std::size_t>(max_functions));
}
