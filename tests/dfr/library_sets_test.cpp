// Tests the installed libraries of relativistic basis sets, data/basis/legato-ERROR.json.
#define BOOST_TEST_MODULE dfr_library_sets
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "dfr/basis_files.hpp"
#include "dfr/candidate.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/energies.hpp"
#include "dfr/pruner.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

constexpr std::array<double, 4> targets{1e-5, 1e-6, 1e-7, 5e-9};

Context silent() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    options.log_level = LogLevel::silent;
    return Context(options);
}

std::size_t functions_of(const BasisSet& set) {
    std::size_t sum = 0;
    for (const BasisShell& shell : set.shells) sum += shell.coefficients.size();
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_elements) {
    const Context context = silent();
    std::vector<std::vector<BasisSet>> libraries;
    for (const double target : targets) libraries.push_back(read_basis_library(context, "legato", target));
    for (int element = 1; element <= max_element; ++element)
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const std::size_t i = index_of(libraries[k], element);
            BOOST_REQUIRE(i < libraries[k].size());
            const BasisSet& set = libraries[k][i];
            const auto exponents = exponents_of(set, "");
            const auto species = average_of_configuration(ground_configuration(element)).closed.size();
            BOOST_TEST(exponents.size() >= species);
            if (k > 0)
                BOOST_TEST(functions_of(set) > functions_of(libraries[k - 1][index_of(libraries[k - 1], element)]));
        }
}

// The errors of the sets are within their targets, and also with restricted balance no energy is below the limit.
BOOST_AUTO_TEST_CASE(errors) {
    Context context = silent();
    Problem extended, restricted;
    extended.kinetic_balance = KineticBalance::extended;
    for (Problem* problem : {&extended, &restricted}) {
        problem->max_iterations = 200;
        problem->dependence_threshold = 1e-12;
    }
    std::vector<Candidate> atoms;
    for (const int element : {1, 10, 24, 47, 64, 80, 103, 118})
        atoms.push_back(start_of(extended, element, NuclearModel::gaussian));
    const Limits limits = find_limits(context, extended, atoms);
    for (const double target : targets) {
        const std::vector<BasisSet> library = read_basis_library(context, "legato", target);
        std::vector<Atom> list;
        for (const Candidate& atom : atoms) {
            const auto element = static_cast<int>(atom.nucleus.charge);
            auto exponents = exponents_of(library[index_of(library, element)], "");
            exponents.resize(atom.configuration.closed.size());
            list.push_back({atom.nucleus, std::move(exponents), atom.configuration});
        }
        const auto with = Energies(context, extended)(list, Energies::With::nothing, limits.starts),
                   without = Energies(context, restricted)(list, Energies::With::nothing, limits.starts);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const double limit = limits.limits[i].energy, error = (with[i].result.energy - limit) / -limit,
                         collapsed = (without[i].result.energy - limit) / -limit;
            const std::string which = "Z = " + std::to_string(list[i].nucleus.charge) + " " + std::to_string(target);
            BOOST_TEST((with[i].result.status == AtomStatus::converged), which);
            BOOST_TEST((without[i].result.status == AtomStatus::converged), which);
            BOOST_TEST(error <= target * (1 + 1e-6) + 1e-12, which << ": " << error);
            BOOST_TEST(error > 0.2 * target, which << ": " << error);
            BOOST_TEST(collapsed > 0, which << ": " << collapsed);
            BOOST_TEST(collapsed <= error + 1e-12, which << ": " << collapsed);
        }
    }
}
