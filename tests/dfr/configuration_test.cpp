// Tests elements, their ground configurations, and averages of configurations.
#define BOOST_TEST_MODULE dfr_configuration
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "core/larger.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "message_of.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

namespace {

std::string written(int element) {
    std::ostringstream line;
    const char* separator = "";
    for (const Subshell& s : ground_configuration(element)) {
        line << separator << name_of(s.n, s.l) << s.electrons;
        separator = " ";
    }
    return line.str();
}

double largest_difference(const Configuration& a, const Configuration& b) {
    BOOST_TEST(a.closed == b.closed, boost::test_tools::per_element());
    double worst = 0;
    const std::size_t n = a.closed.size();
    for (std::size_t i = 0; i < n; ++i) {
        worst = larger(worst, std::fabs(a.electrons[i] - b.electrons[i]));
        for (std::size_t j = 0; j < n; ++j)
            if (a.electrons[i] > 0 && a.electrons[j] > 0)
                worst = larger(worst, std::fabs(a.pairs[i * n + j] - b.pairs[i * n + j]));
    }
    return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nuclei) {
    BOOST_TEST(symbol_of(1) == "H");
    BOOST_TEST(symbol_of(54) == "Xe");
    BOOST_TEST(symbol_of(118) == "Og");
    BOOST_TEST(mass_number_of(54) == 132);
    BOOST_TEST(mass_number_of(86) == 222);
    const Nucleus xe = make_nucleus(54, NuclearModel::gaussian);
    BOOST_TEST(std::fabs(xe.exponent / 1.8030529331e8 - 1) < 1e-10);
    BOOST_TEST(std::fabs(xe.radius - std::sqrt(5.0 / 3.0) * nuclear_rms(132)) < 1e-18);
    // Mass numbers are bounded in terms of Z. They do not always grow along the table: a lighter element may have the
    // heavier isotope.
    for (int z = 1; z <= max_element; ++z) {
        BOOST_TEST(mass_number_of(z) >= (z == 1 ? 1 : 2 * z - 1), z);
        BOOST_TEST(mass_number_of(z) <= 2.65 * z, z);
    }
    BOOST_TEST(message_of([] { symbol_of(0); }) == "dfr.element: 0 is not in 1..118");
    BOOST_TEST(message_of([] { mass_number_of(119); }) == "dfr.element: 119 is not in 1..118");
    BOOST_TEST(message_of([] { ground_configuration(119); }) == "dfr.element: 119 is not in 1..118");
}

BOOST_AUTO_TEST_CASE(ground_configurations) {
    for (int z = 1; z <= max_element; ++z) {
        int electrons = 0;
        for (const Subshell& s : ground_configuration(z)) {
            electrons += s.electrons;
            BOOST_TEST((s.electrons > 0 && s.electrons <= 4 * s.l + 2 && s.n > s.l), z);
        }
        BOOST_TEST(electrons == z);
        average_of_configuration(ground_configuration(z));  // throws if a lower subshell of the same l is partly filled
    }
    const std::string ar = "1s2 2s2 2p6 3s2 3p6", kr = ar + " 4s2 3d10 4p6", xe = kr + " 5s2 4d10 5p6",
                      rn = xe + " 6s2 4f14 5d10 6p6";
    BOOST_TEST(written(1) == "1s1");
    BOOST_TEST(written(18) == ar);
    BOOST_TEST(written(23) == ar + " 4s2 3d3");
    BOOST_TEST(written(24) == ar + " 4s1 3d5");
    BOOST_TEST(written(29) == ar + " 4s1 3d10");
    BOOST_TEST(written(40) == kr + " 5s2 4d2");
    BOOST_TEST(written(41) == kr + " 5s1 4d4");
    BOOST_TEST(written(42) == kr + " 5s1 4d5");
    BOOST_TEST(written(43) == kr + " 5s2 4d5");
    BOOST_TEST(written(44) == kr + " 5s1 4d7");
    BOOST_TEST(written(45) == kr + " 5s1 4d8");
    BOOST_TEST(written(46) == kr + " 4d10");
    BOOST_TEST(written(47) == kr + " 5s1 4d10");
    BOOST_TEST(written(57) == xe + " 6s2 5d1");
    BOOST_TEST(written(58) == xe + " 6s2 4f1 5d1");
    BOOST_TEST(written(59) == xe + " 6s2 4f3");
    BOOST_TEST(written(64) == xe + " 6s2 4f7 5d1");
    BOOST_TEST(written(65) == xe + " 6s2 4f9");
    BOOST_TEST(written(71) == xe + " 6s2 4f14 5d1");
    BOOST_TEST(written(78) == xe + " 6s1 4f14 5d9");
    BOOST_TEST(written(79) == xe + " 6s1 4f14 5d10");
    BOOST_TEST(written(86) == rn);
    BOOST_TEST(written(89) == rn + " 7s2 6d1");
    BOOST_TEST(written(90) == rn + " 7s2 6d2");
    BOOST_TEST(written(91) == rn + " 7s2 5f2 6d1");
    BOOST_TEST(written(92) == rn + " 7s2 5f3 6d1");
    BOOST_TEST(written(93) == rn + " 7s2 5f4 6d1");
    BOOST_TEST(written(94) == rn + " 7s2 5f6");
    BOOST_TEST(written(96) == rn + " 7s2 5f7 6d1");
    BOOST_TEST(written(103) == rn + " 7s2 5f14 7p1");
    BOOST_TEST(written(104) == rn + " 7s2 5f14 6d2");
    BOOST_TEST(written(118) == rn + " 7s2 5f14 6d10 7p6");
}

BOOST_AUTO_TEST_CASE(chromium) {
    const Configuration cr = average_of_configuration(ground_configuration(24));
    const std::vector<int> closed{3, 2, 2, 0, 0};
    const std::vector<double> electrons{1, 0, 0, 2, 3};
    BOOST_TEST(cr.closed == closed, boost::test_tools::per_element());
    BOOST_TEST(cr.electrons == electrons, boost::test_tools::per_element());
    const double same = 4.0 * 10 / (5 * 9);
    BOOST_TEST(cr.pairs[0] == 0.0);
    for (const std::size_t s : {3, 4}) {
        BOOST_TEST(cr.pairs[s] == 1.0);
        BOOST_TEST(cr.pairs[5 * s] == 1.0);
        for (const std::size_t t : {3, 4}) BOOST_TEST(std::fabs(cr.pairs[5 * s + t] - same) < 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(closed_shells) {
    const Configuration rn = average_of_configuration(ground_configuration(86));
    const std::vector<int> closed{6, 5, 5, 3, 3, 1, 1};
    BOOST_TEST(rn.closed == closed, boost::test_tools::per_element());
    for (const double electrons : rn.electrons) BOOST_TEST(electrons == 0.0);
    // There are no p electrons.
    const std::vector<Subshell> odd{{1, 0, 2}, {3, 2, 10}};
    const std::vector<int> with_gap{1, 0, 0, 1, 1};
    BOOST_TEST(average_of_configuration(odd).closed == with_gap, boost::test_tools::per_element());
}

// The list of all distributions must agree with the closed formula.
BOOST_AUTO_TEST_CASE(lists_of_all_distributions) {
    for (int l = 1; l <= 3; ++l)
        for (int n = 1; n < 4 * l + 2; ++n) {
            std::vector<int> closed(static_cast<std::size_t>(2 * l + 1), 0);
            const std::vector<int> open{2 * l - 1, 2 * l};
            const Configuration list = average_of_list(closed, open, all_distributions(open, n));
            const std::vector<Subshell> subshells{{l + 1, l, n}};
            BOOST_TEST(largest_difference(list, average_of_configuration(subshells)) < 1e-14);
        }
}

// The two open subshells of Cr: the list of all distributions of its d electrons, combined with its s electron, must
// agree with the closed formula.
BOOST_AUTO_TEST_CASE(two_open_subshells) {
    std::vector<std::vector<double>> rows;
    const std::vector<int> d{3, 4}, open{0, 3, 4}, closed{3, 2, 2, 0, 0};
    for (const auto& row : all_distributions(d, 5)) rows.push_back({1, row[0], row[1]});
    BOOST_TEST(largest_difference(average_of_list(closed, open, rows),
                                  average_of_configuration(ground_configuration(24))) < 1e-14);
}

// Compares with the counts of determinants, enumerated one by one.
BOOST_AUTO_TEST_CASE(list_of_some_configurations) {
    const std::vector<int> closed{1, 0, 0}, open{1, 2};
    const std::vector<std::vector<double>> rows{{0, 2}, {2, 0}};
    double weight = 0, q[2] = {}, pairs[2][2] = {};
    for (int bits = 0; bits < 64; ++bits) {
        const int n[2] = {(bits & 1) + (bits >> 1 & 1), __builtin_popcount(static_cast<unsigned>(bits >> 2))};
        if (!((n[0] == 0 && n[1] == 2) || (n[0] == 2 && n[1] == 0))) continue;
        weight += 1;
        for (int a = 0; a < 2; ++a) {
            q[a] += n[a];
            for (int b = 0; b < 2; ++b) pairs[a][b] += n[a] * (a == b ? n[a] - 1 : n[b]);
        }
    }
    const Configuration c = average_of_list(closed, open, rows);
    for (const std::size_t a : {0, 1}) {
        BOOST_TEST(std::fabs(c.electrons[a + 1] - q[a] / weight) < 1e-15);
        for (const std::size_t b : {0, 1}) {
            const double g = a == 0 ? 2 : 4, self = a == b ? g / (g - 1) : 1.0;
            const double expected = self * (pairs[a][b] / weight) / (q[a] / weight * q[b] / weight);
            BOOST_TEST(std::fabs(c.pairs[(a + 1) * 3 + b + 1] - expected) < 1e-14);
        }
    }
}

BOOST_AUTO_TEST_CASE(filled_and_empty_shells_of_a_list) {
    const std::vector<int> closed{1, 0, 0}, open{0, 1, 2};
    const std::vector<std::vector<double>> rows{{2, 0, 1}, {2, 0, 1}};
    const Configuration c = average_of_list(closed, open, rows);
    const std::vector<int> expected{2, 0, 0};
    BOOST_TEST(c.closed == expected, boost::test_tools::per_element());
    BOOST_TEST(c.electrons[0] == 0.0);
    BOOST_TEST(c.electrons[1] == 0.0);
    BOOST_TEST(c.electrons[2] == 1.0);
    BOOST_TEST(c.pairs[8] == 0.0);
    const Configuration none = average_of_list(closed, {}, {});
    BOOST_TEST(none.electrons[0] == 0.0);
}

BOOST_AUTO_TEST_CASE(distributions) {
    const std::vector<int> p{1, 2}, sd{0, 3, 4};
    BOOST_TEST(all_distributions(p, 2).size() == 3u);
    BOOST_TEST(all_distributions(p, 0).size() == 1u);
    BOOST_TEST(all_distributions(p, 6).size() == 1u);
    BOOST_TEST(all_distributions({}, 0).size() == 1u);
    // The number of determinants is C(12, 6).
    double determinants = 0;
    for (const auto& row : all_distributions(sd, 6)) {
        BOOST_TEST(std::accumulate(row.begin(), row.end(), 0.0) == 6.0);
        const double c2[] = {1, 2, 1}, c4[] = {1, 4, 6, 4, 1}, c6[] = {1, 6, 15, 20, 15, 6, 1};
        determinants += c2[static_cast<int>(row[0])] * c4[static_cast<int>(row[1])] * c6[static_cast<int>(row[2])];
    }
    BOOST_TEST(determinants == 924.0);
}

BOOST_AUTO_TEST_CASE(messages_about_subshells) {
    const auto message = [](std::vector<Subshell> shells) {
        return message_of([&] { average_of_configuration(shells, "dfr.atoms[1].shells"); });
    };
    BOOST_TEST(message({}) == "dfr.atoms[1].shells: no electrons");
    BOOST_TEST(message({{1, 0, 0}}) == "dfr.atoms[1].shells: no electrons");
    BOOST_TEST(message({{1, 0, 3}}) == "dfr.atoms[1].shells[0].electrons: 3 is not in 0..2");
    BOOST_TEST(message({{1, 0, 2}, {2, 1, -1}}) == "dfr.atoms[1].shells[1].electrons: -1 is not in 0..6");
    BOOST_TEST(message({{1, 1, 1}}) == "dfr.atoms[1].shells[0].n: 1 is not in 2..200");
    BOOST_TEST(message({{8, 7, 1}}) == "dfr.atoms[1].shells[0].l: 7 is not in 0..6");
    BOOST_TEST(message({{1, 0, 1}, {1, 0, 1}}) == "dfr.atoms[1].shells[1]: 1s is listed twice");
    BOOST_TEST(message({{2, 1, 5}, {3, 1, 1}}) ==
               "dfr.atoms[1].shells[2p]: 5 is not 6, a full shell, but 3p has electrons");
    BOOST_TEST(message({{2, 0, 1}}) == "dfr.atoms[1].shells[1s]: 0 is not 2, a full shell, but 2s has electrons");
}

BOOST_AUTO_TEST_CASE(messages_about_lists) {
    const std::vector<int> closed{1, 0, 0}, open{1, 2};
    const auto rows = [&](std::vector<std::vector<double>> list) {
        return message_of([&] { average_of_list(closed, open, list); });
    };
    BOOST_TEST(rows({}) == "dfr.econfig.configurations: 0 is not in 1..1000000");
    BOOST_TEST(rows({{1, 1}, {0.5, 1.5}}) == "dfr.econfig.configurations[1][p1/2]: 0.5 is not a whole number in 0..2");
    BOOST_TEST(rows({{1, 5}}) == "dfr.econfig.configurations[0][p3/2]: 5 is not a whole number in 0..4");
    BOOST_TEST(rows({{-1, 3}}) == "dfr.econfig.configurations[0][p1/2]: -1 is not a whole number in 0..2");
    BOOST_TEST(rows({{std::nan(""), 3}}) == "dfr.econfig.configurations[0][p1/2]: nan is not a whole number in 0..2");
    BOOST_TEST(rows({{1}}) == "dfr.econfig.configurations[0]: 1 occupations, but 2 open shells");
    BOOST_TEST(rows({{1, 1}, {1, 2}}) ==
               "dfr.econfig.configurations[1]: 3 electrons, but the first configuration has 2");
    const auto shells = [&](std::vector<int> list_closed, std::vector<int> list_open) {
        return message_of([&] { average_of_list(list_closed, list_open, {}); });
    };
    BOOST_TEST(shells({}, {}) == "dfr.econfig.closed: 0 is not in 1..13");
    BOOST_TEST(shells({1, -1}, {}) == "dfr.econfig.closed[p1/2]: -1 is not in 0..200");
    BOOST_TEST(shells({1, 0, 0}, {2, 1}) == "dfr.econfig.open_species[1]: 1 is not in 3..2");
    BOOST_TEST(shells({1, 0, 0}, {3}) == "dfr.econfig.open_species[0]: 3 is not in 0..2");
    BOOST_TEST(message_of([&] { all_distributions(open, 7); }) == "dfr.econfig.electrons: 7 is not in 0..6");
    BOOST_TEST(message_of([&] { all_distributions(open, -1); }) == "dfr.econfig.electrons: -1 is not in 0..6");
    const std::vector<int> many{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    BOOST_TEST(message_of([&] { all_distributions(many, 30); }) ==
               "dfr.econfig.electrons: 30 have more than 1000000 distributions over the open shells");
}
