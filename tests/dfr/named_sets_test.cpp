// Tests atoms with sets of libraries.
#define BOOST_TEST_MODULE dfr_named_sets
#include "dfr/named_sets.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/error.hpp"
#include "hennessey.hpp"
#include "message_of.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

BOOST_AUTO_TEST_CASE(radon) {
    const Atom rn = library_atom(86, NuclearModel::gaussian);
    const std::size_t functions[] = {32, 27, 27, 21, 21, 14, 14};
    BOOST_TEST(rn.exponents.size() == 7u);
    for (std::size_t s = 0; s < 7; ++s) BOOST_TEST(rn.exponents[s].size() == functions[s]);
    BOOST_TEST(rn.exponents[2] == rn.exponents[1], boost::test_tools::per_element());
    BOOST_TEST(rn.exponents[3][0] == rn.exponents[0][2]);
    BOOST_TEST(rn.exponents[5][0] == rn.exponents[0][5]);
    BOOST_TEST(rn.nucleus.charge == 86.0);
    BOOST_TEST((rn.nucleus.model == NuclearModel::gaussian));
}

// The atom of a start is the same, and its groups have the same functions.
BOOST_AUTO_TEST_CASE(starts) {
    const Context context{ContextOptions{}};
    NamedSets sets;
    for (const char* library : {default_basis, default_start})
        for (const int element : {2, 6, 24, 80}) {
            const Atom atom = sets.atom(context, library, element, NuclearModel::fermi);
            const Candidate start = sets.start(context, library, element, NuclearModel::fermi);
            validate(atom, "atom");
            validate(Problem{}, start, "start");
            BOOST_TEST(start.nucleus.radius == atom.nucleus.radius);
            BOOST_TEST(start.configuration.electrons == atom.configuration.electrons, boost::test_tools::per_element());
            const auto exponents = exponents_of(start.basis);
            BOOST_REQUIRE(exponents.size() == atom.exponents.size());
            for (std::size_t s = 0; s < exponents.size(); ++s)
                BOOST_TEST(exponents[s].size() == atom.exponents[s].size());
        }
    BOOST_TEST(sets.start(context, default_start, 80, NuclearModel::point).basis.groups.size() == 1u);
}

BOOST_AUTO_TEST_CASE(messages) {
    for (const int element : {1, 58, 64, 65, 67, 70, 87})
        BOOST_TEST(
            message_of([&] { library_atom(element, NuclearModel::point); }) ==
            "dfr.element: " + std::to_string(element) + ", " + symbol_of(element) +
                ", has no set in the basis library hennessey, which has sets for: He-La, Pr-Eu, Dy, Er, Tm, Lu-Rn");
    for (const int element : {0, 119})
        BOOST_TEST(message_of([&] { library_atom(element, NuclearModel::point); }) ==
                   "dfr.element: " + std::to_string(element) + " is not in 1..118");
}
