// Tests how basis sets become groups of exponents.
#define BOOST_TEST_MODULE dfr_set_groups
#include "dfr/set_groups.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "dfr/basis_library.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

double deviation(const GroupedBasis& groups, const BasisSet& set) {
    auto wanted = exponents_of(set, "");
    const auto found = exponents_of(groups);
    BOOST_REQUIRE(found.size() == wanted.size());
    double largest = 0;
    for (std::size_t s = 0; s < found.size(); ++s) {
        std::sort(wanted[s].begin(), wanted[s].end());
        BOOST_REQUIRE(found[s].size() == wanted[s].size());
        for (std::size_t k = 0; k < found[s].size(); ++k)
            largest = std::max(largest, std::fabs(found[s][k] / wanted[s][k] - 1));
    }
    return largest;
}

}  // namespace

// The parameters that were published with four digits are found again bit for bit, and so are the ranges.
BOOST_AUTO_TEST_CASE(one_pool_of_few_digits) {
    for (const LibraryBasis& row : basis_library()) {
        const auto known = library_basis(row.element, 7);
        const GroupedBasis found = groups_of(uncontracted_set(row.element, exponents_of(known)));
        BOOST_REQUIRE(found.groups.size() == 1u);
        BOOST_TEST((found.groups[0].form == GroupForm::well_tempered));
        BOOST_TEST(found.groups[0].parameters == known.groups[0].parameters, boost::test_tools::per_element());
        for (std::size_t s = 0; s < found.ranges.size(); ++s) {
            BOOST_TEST(found.ranges[s].first == known.ranges[s].first);
            BOOST_TEST(found.ranges[s].last == known.ranges[s].last);
        }
    }
}

// Each l has random parameters with all digits, and its functions are in a random order.
BOOST_AUTO_TEST_CASE(a_group_for_each_l) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> part(0.0, 1.0);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::vector<double>> exponents;
        for (int l = 0; l < 4; ++l) {
            const WellTempered w{0.01 + part(random), 1.5 + part(random), 0.5 + 7 * part(random), 0.01 + part(random)};
            auto of_l = well_tempered_exponents(w, 4 + static_cast<int>(20 * part(random)));
            std::shuffle(of_l.begin(), of_l.end(), random);
            exponents.insert(exponents.end(), l == 0 ? 1 : 2, of_l);
        }
        const BasisSet set = uncontracted_set(92, exponents);
        const GroupedBasis groups = groups_of(set);
        validate(groups, "groups");
        BOOST_TEST((groups.group == std::vector{0, 1, 1, 2, 2, 3, 3}));
        for (const ExponentGroup& group : groups.groups) BOOST_TEST((group.form == GroupForm::well_tempered));
        BOOST_TEST(deviation(groups, set) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(other_forms) {
    const BasisSet even = uncontracted_set(2, {{0.5, 1.5, 4.5, 13.5}});
    BOOST_TEST((groups_of(even).groups[0].form == GroupForm::even_tempered));
    BOOST_TEST((groups_of(even).groups[0].parameters == std::vector{0.5, 3.0}));
    // Ratios that shrink are not those of a well-tempered group.
    const BasisSet free = uncontracted_set(5, {{0.5, 2.5, 7.5, 15.0}, {0.3, 0.6}, {0.25, 0.6}});
    const GroupedBasis groups = groups_of(free);
    validate(groups, "groups");
    BOOST_TEST((groups.group == std::vector{0, 1, 2}));
    for (const ExponentGroup& group : groups.groups) BOOST_TEST((group.form == GroupForm::free));
    BOOST_TEST(deviation(groups, free) == 0.0);
    // A change of one exponent by 1e-9 is no rounding.
    auto changed = well_tempered_exponents({0.1, 2.0, 4.0, 1.5}, 9);
    changed[4] *= 1 + 1e-9;
    BOOST_TEST((groups_of(uncontracted_set(2, {changed})).groups[0].form == GroupForm::free));
    // Species without functions have none in the groups.
    const GroupedBasis gap = groups_of(uncontracted_set(5, {{0.5, 1.5}, {}, {}, {0.5, 1.5}, {0.5, 1.5}}));
    BOOST_TEST((gap.group == std::vector{0, 0, 0, 0, 0}));
    BOOST_TEST((gap.ranges[1].first == 0 && gap.ranges[3].first == 1 && gap.ranges[4].last == 2));
}
