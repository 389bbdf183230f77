// Tests how basis sets become groups of exponents.
#define BOOST_TEST_MODULE dfr_set_groups
#include "dfr/set_groups.hpp"
#include "hennessey.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

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

// The parameters of the library hennessey were published with four digits (University of Alberta thesis on CUDAProphet,
// table 2.1). They follow from its exponents bit for bit.
BOOST_AUTO_TEST_CASE(one_pool_of_few_digits) {
    BOOST_TEST(hennessey().size() == 80u);
    for (const BasisSet& set : hennessey()) {
        const GroupedBasis found = groups_of(set);
        BOOST_REQUIRE(found.groups.size() == 1u);
        BOOST_TEST((found.groups[0].form == GroupForm::well_tempered));
        BOOST_TEST(deviation(found, set) == 0.0);
        const auto& w = found.groups[0].parameters;
        for (std::size_t i = 0; i < 4; ++i) {
            const double last_digit = i == 0 ? 1e-5 : 1e-3;
            BOOST_TEST(std::fabs(w[i] / last_digit - std::round(w[i] / last_digit)) < 1e-9);
        }
        // A wrong digit would violate these bounds.
        BOOST_TEST((w[0] > 0.01 && w[0] < 0.1 && w[1] > 1.7 && w[1] < 2.0), set.element);
        BOOST_TEST((w[2] > 4.5 && w[2] < 7.2 && w[3] > 1.3 && w[3] < 1.7), set.element);
        BOOST_TEST(found.ranges[0].first == 1);
        for (const ExponentRange& range : found.ranges) BOOST_TEST(range.last <= found.ranges[0].last);
    }
    const auto parameters = [](int element) { return library_basis(element, 1).groups[0].parameters; };
    BOOST_TEST((parameters(2) == std::vector{8.140e-2, 1.953, 4.504, 1.515}));
    BOOST_TEST((parameters(24) == std::vector{2.345e-2, 1.865, 5.348, 1.407}));
    BOOST_TEST((parameters(86) == std::vector{5.716e-2, 1.749, 5.695, 1.486}));
    const int first[] = {1, 3, 3, 2, 2}, last[] = {29, 22, 22, 17, 17};
    for (std::size_t s = 0; s < 5; ++s) {
        BOOST_TEST(library_basis(24, 5).ranges[s].first == first[s]);
        BOOST_TEST(library_basis(24, 5).ranges[s].last == last[s]);
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
