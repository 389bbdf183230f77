// Tests the exponents that follow from the parameters of groups, and their derivatives.
#define BOOST_TEST_MODULE dfr_grouped_basis
#include "dfr/grouped_basis.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "message_of.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

namespace {

// A basis with a group of every form. The d species use parts of a pool that begin and end at different functions.
GroupedBasis mixed() {
    return {{WellTempered{0.05, 1.9, 5.0, 1.5}, ExponentGroup(GroupForm::even_tempered, {0.1, 2.3}),
             ExponentGroup(GroupForm::free, {0.2, 0.7, 1.9, 8.0})},
            {0, 1, 1, 2, 2},
            {{1, 12}, {1, 7}, {2, 9}, {1, 3}, {2, 4}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(recursion) {
    const WellTempered he{8.140e-2, 1.953, 4.504, 1.515};
    const std::vector<double> zeta = well_tempered_exponents(he, 18);
    BOOST_TEST(zeta.size() == 18u);
    BOOST_TEST(zeta[0] == he.alpha);
    BOOST_TEST(zeta[1] == he.alpha * he.beta);
    for (std::size_t k = 3; k <= 18; ++k) {
        const double growth = he.beta * (1 + he.gamma * std::pow(static_cast<double>(k) / 18, he.delta));
        BOOST_TEST(std::fabs(zeta[k - 1] / zeta[k - 2] / growth - 1) < 1e-15);
    }
    BOOST_TEST(well_tempered_exponents(he, 1).size() == 1u);
    BOOST_TEST(well_tempered_exponents(he, 2).size() == 2u);
}

BOOST_AUTO_TEST_CASE(exponents_of_every_form) {
    const auto exponents = exponents_of(mixed());
    BOOST_TEST(exponents[0] == well_tempered_exponents({0.05, 1.9, 5.0, 1.5}, 12), boost::test_tools::per_element());
    BOOST_TEST(exponents[1].size() == 7u);
    BOOST_TEST(exponents[2].size() == 8u);
    for (std::size_t k = 0; k < 7; ++k)
        BOOST_TEST(std::fabs(exponents[1][k] / (0.1 * std::pow(2.3, static_cast<double>(k))) - 1) < 1e-14);
    BOOST_TEST(exponents[2][0] == exponents[1][1]);
    BOOST_TEST((exponents[3] == std::vector<double>{0.2, 0.7, 1.9}));
    BOOST_TEST((exponents[4] == std::vector<double>{0.7, 1.9, 8.0}));
    BOOST_TEST(parameter_count(mixed()) == 10u);
}

// The derivatives of a function of all exponents agree with differences of sixth order.
BOOST_AUTO_TEST_CASE(gradient) {
    const auto value = [](const GroupedBasis& basis) {
        double sum = 0, weight = 1;
        for (const auto& species : exponents_of(basis))
            for (const double zeta : species) sum += std::sin(weight += 0.7) * std::pow(std::log(zeta), 2);
        return sum;
    };
    const GroupedBasis basis = mixed();
    std::vector<std::vector<double>> by_exponent;
    double weight = 1;
    for (const auto& species : exponents_of(basis)) {
        by_exponent.emplace_back();
        for (const double zeta : species) by_exponent.back().push_back(2 * std::sin(weight += 0.7) * std::log(zeta));
    }
    const std::vector<double> found = parameter_gradient(basis, by_exponent);
    BOOST_REQUIRE(found.size() == 10u);
    std::size_t at = 0;
    for (std::size_t g = 0; g < basis.groups.size(); ++g)
        for (std::size_t p = 0; p < basis.groups[g].parameters.size(); ++p) {
            const auto moved = [&](double by) {
                GroupedBasis other = basis;
                other.groups[g].parameters[p] *= std::exp(by);
                return value(other);
            };
            constexpr double h = 3e-3;
            const double slope =
                (45 * (moved(h) - moved(-h)) - 9 * (moved(2 * h) - moved(-2 * h)) + (moved(3 * h) - moved(-3 * h))) /
                (60 * h);
            BOOST_TEST(std::fabs(found[at] - slope) < 1e-9 * (1 + std::fabs(slope)),
                       "group " << g << ", parameter " << p << ": " << found[at] << " is not " << slope);
            ++at;
        }
}

// |R d|^2 is the sum of the squared changes of ln zeta in all pools, here by differences.
BOOST_AUTO_TEST_CASE(metric) {
    const GroupedBasis basis = mixed();
    const std::vector<double> r = exponent_metric(basis);
    const std::size_t n = parameter_count(basis);
    BOOST_TEST_REQUIRE(r.size() == n * n);
    const auto pools = [](const GroupedBasis& of) {
        GroupedBasis whole = of;  // a species for each group, with its whole pool
        whole.group.clear();
        whole.ranges.clear();
        for (std::size_t g = 0; g < of.groups.size(); ++g) {
            whole.group.push_back(static_cast<int>(g));
            whole.ranges.push_back({1, pool_size(of, g)});
        }
        return exponents_of(whole);
    };
    for (std::size_t direction = 0; direction < 6; ++direction) {
        constexpr double step = 1e-5;
        std::vector<double> d(n);
        for (std::size_t i = 0; i < n; ++i) d[i] = std::sin(static_cast<double>((direction + 1) * (i + 2)));
        GroupedBasis forward = basis, backward = basis;
        std::size_t at = 0;
        for (std::size_t g = 0; g < basis.groups.size(); ++g)
            for (std::size_t p = 0; p < basis.groups[g].parameters.size(); ++p, ++at) {
                forward.groups[g].parameters[p] *= std::exp(step * d[at]);
                backward.groups[g].parameters[p] *= std::exp(-step * d[at]);
            }
        double changes = 0, length = 0, rest = 0;
        const auto up = pools(forward), down = pools(backward);
        for (std::size_t g = 0; g < up.size(); ++g)
            for (std::size_t k = 0; k < up[g].size(); ++k)
                changes += std::pow(std::log(up[g][k] / down[g][k]) / (2 * step), 2);
        for (std::size_t i = 0; i < n; ++i) {
            double component = 0;
            for (std::size_t j = 0; j < n; ++j) {
                component += r[i * n + j] * d[j];
                if (j < i) BOOST_TEST(r[i * n + j] == 0.0);
            }
            length += component * component;
            rest += d[i] * d[i];
        }
        BOOST_TEST(length == changes + 1e-3 * rest, boost::test_tools::tolerance(1e-8));
    }
    // Parameters on which no exponent depends leave it regular.
    const GroupedBasis two{{WellTempered{0.1, 2.0, 3.0, 0.5}}, {0}, {{1, 2}}};
    const std::vector<double> of_two = exponent_metric(two);
    for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(of_two[5 * i] > 0.03);
}

BOOST_AUTO_TEST_CASE(messages) {
    const auto of = [](WellTempered w, int count) { return message_of([&] { well_tempered_exponents(w, count); }); };
    BOOST_TEST(of({0, 2, 3, 1}, 5) == "dfr.well_tempered.alpha: 0 is not in [1e-08, 1e+20]");
    BOOST_TEST(of({1, 0.5, 3, 1}, 5) == "dfr.well_tempered.beta: 0.5 is not in [1, 1000]");
    BOOST_TEST(of({1, 2, -1, 1}, 5) == "dfr.well_tempered.delta: -1 is not in [0, 1000]");
    BOOST_TEST(of({1, 2, 3, std::nan("")}, 5) == "dfr.well_tempered.gamma: nan is not in [0, 1000]");
    BOOST_TEST(of({1, 2, 3, 1}, 0) == "dfr.well_tempered.count: 0 is not in 1..200");
    const auto refused = [](const GroupedBasis& basis) { return message_of([&] { validate(basis, "dfr.basis"); }); };
    BOOST_TEST(refused(mixed()) == "nothing thrown");
    GroupedBasis basis = mixed();
    basis.groups[2].parameters[1] = 0;
    BOOST_TEST(refused(basis) == "dfr.basis.groups[2].exponents[1]: 0 is not in [1e-08, 1e+20]");
    basis = mixed();
    basis.groups[2].parameters.pop_back();
    BOOST_TEST(refused(basis) == "dfr.basis.groups[2].n_parameters: 3 is not in 4..4");
    basis = mixed();
    basis.groups[1].parameters.push_back(1);
    BOOST_TEST(refused(basis) == "dfr.basis.groups[1].n_parameters: 3 is not in 2..2");
    basis = mixed();
    basis.groups[1].form = static_cast<GroupForm>(3);
    BOOST_TEST(refused(basis) == "dfr.basis.groups[1].form: 3 is not in 0..2");
    basis = mixed();
    basis.groups[1].parameters[1] = 0.9;
    BOOST_TEST(refused(basis) == "dfr.well_tempered.beta: 0.9 is not in [1, 1000]");
    basis = mixed();
    basis.group[4] = 3;
    BOOST_TEST(refused(basis) == "dfr.basis.group[d5/2]: 3 is not in 0..2");
}
