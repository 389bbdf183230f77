// Tests the basis library.
#define BOOST_TEST_MODULE dfr_basis_library
#include "dfr/basis_library.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/error.hpp"
#include "dfr/elements.hpp"
#include "message_of.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

BOOST_AUTO_TEST_CASE(library) {
    int previous = 1;
    for (const LibraryBasis& basis : basis_library()) {
        BOOST_TEST(basis.element > previous);
        previous = basis.element;
        int largest = 0;
        for (const ExponentRange& range : basis.ranges) {
            BOOST_TEST((range.first >= 0 && range.first <= range.last && (range.first > 0) == (range.last > 0)));
            largest = std::max(largest, range.last);
        }
        BOOST_TEST(basis.ranges[0].last == largest);
        BOOST_TEST(basis.ranges[0].first == 1);
        // A wrong digit in the library would violate these bounds.
        const WellTempered& w = basis.parameters;
        BOOST_TEST((w.alpha > 0.01 && w.alpha < 0.1 && w.beta > 1.7 && w.beta < 2.0), basis.element);
        BOOST_TEST((w.delta > 4.5 && w.delta < 7.2 && w.gamma > 1.3 && w.gamma < 1.7), basis.element);
        validate(library_atom(basis.element, NuclearModel::point), "dfr.atoms[0]");
        validate(library_atom(basis.element, NuclearModel::sphere), "dfr.atoms[0]");
        validate(library_atom(basis.element, NuclearModel::gaussian), "dfr.atoms[0]");
    }
    BOOST_TEST(previous == 86);
    BOOST_TEST(basis_library().size() == 80u);
}

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

BOOST_AUTO_TEST_CASE(messages) {
    for (const int element : {1, 58, 64, 65, 67, 70, 87})
        BOOST_TEST(message_of([&] { library_atom(element, NuclearModel::point); }) ==
                   "dfr.element: " + std::to_string(element) +
                       " is not in the basis library, which has 2..86 without 58, 64, 65, 67, 70");
}
