// Two hundred synthetic data sets with known parameters: the fitted parameters lie within their errors, and the
// goodness of fit is uniformly distributed.
#define BOOST_TEST_MODULE fss_errors
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../chi_square.hpp"
#include "../uniformity.hpp"
#include "data.hpp"

using namespace legato;
using namespace legato::fss;
using namespace legato::fss::tests;
using legato::tests::ChiSquare;

namespace {

constexpr std::uint64_t data_sets = 200;
constexpr double normal = 1e6;  // degrees of freedom of errors that are as good as known

struct Exact {
    std::string name;
    std::size_t parameter;
    double value;
};

void check(const Transition& transition, double relative_error, Params orders, const std::vector<Exact>& exact) {
    Context context(with_threads(0));
    std::vector<ChiSquare> deviations;
    for (const Exact& one : exact) deviations.emplace_back(one.name, normal);
    std::vector<double> goodness, within(exact.size());
    for (std::uint64_t seed = 1; seed <= data_sets; ++seed) {
        Problem problem = data_of(transition, relative_error, seed);
        static_cast<Params&>(problem) = orders;
        problem.seed = static_cast<std::int64_t>(seed);  // otherwise all errors would deviate in the same way
        Solver solver(context, problem);
        solver.run({});
        BOOST_TEST_REQUIRE((solver.status() == FitStatus::converged), "data set " << seed);
        BOOST_TEST(solver.resamples_failed() == 0);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const Spread spread = solver.spread(exact[i].parameter);
            deviations[i].add(solver.parameters()[exact[i].parameter] - exact[i].value, spread.error);
            within[i] += spread.low <= exact[i].value && exact[i].value <= spread.high;
        }
        goodness.push_back(solver.goodness_of_fit());
    }
    for (std::size_t i = 0; i < exact.size(); ++i) {
        deviations[i].check();
        // 95 % of the intervals contain the value; the standard deviation of the count is 3.1.
        BOOST_TEST(within[i] > 190 - 3 * 3.1, exact[i].name << ": " << within[i] << " intervals");
    }
    BOOST_TEST_MESSAGE("goodness of fit is uniform: p = " << legato::tests::uniformity(goodness));
    BOOST_TEST(legato::tests::uniformity(goodness) > 0.01);
}

Params orders(int n1, int n2, int m1, std::int64_t resamples) {
    Params params;
    params.relevant_order = n1;
    params.irrelevant_order = n2;
    params.relevant_expansion = m1;
    params.resamples = resamples;
    return params;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_corrections) {
    const Transition transition;
    check(transition, 2e-3, orders(2, 0, 2, 400),
          {{"x_c", 0, transition.critical_point},
           {"nu", 1, transition.exponent},
           {"b_2", 2, transition.b2},
           {"a_00", 3, transition.critical_value},
           {"a_10", 4, transition.slope}});
}

BOOST_AUTO_TEST_CASE(with_corrections) {
    Transition transition;
    transition.correction = 0.6;
    check(transition, 5e-4, orders(2, 1, 2, 400),
          {{"x_c", 0, transition.critical_point},
           {"nu", 1, transition.exponent},
           {"y", 2, transition.irrelevant_exponent},
           {"a_00", 4, transition.critical_value}});
}
