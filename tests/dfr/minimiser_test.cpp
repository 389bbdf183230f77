// Tests the minimiser, in which the caller evaluates the function: next() returns a point, tell() takes its value.
#define BOOST_TEST_MODULE minimiser
#include "dfr/minimiser.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

using namespace legato::dfr;

namespace {

// Returns Rosenbrock's function, whose minimum is at (1, 1).
double valley(const std::vector<double>& x) {
    return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
}

std::vector<std::vector<double>> points_of(Minimiser& minimiser) {
    std::vector<std::vector<double>> points;
    while (const auto x = minimiser.next()) {
        points.push_back(*x);
        minimiser.tell(valley(*x));
    }
    return points;
}

}  // namespace

BOOST_AUTO_TEST_CASE(finds_the_minimum) {
    Minimiser minimiser({-1.2, 1.0}, {0.5, 1e-7, 2000});
    const auto points = points_of(minimiser);
    BOOST_TEST(!minimiser.values_used_up());
    BOOST_TEST(std::string(minimiser.why_failed()) == "");
    BOOST_TEST((points.front() == std::vector<double>{-1.2, 1.0}));
    double best = 1;
    for (const auto& x : points) best = std::min(best, valley(x));
    BOOST_TEST(best < 1e-10);
}

BOOST_AUTO_TEST_CASE(asks_the_same_until_told) {
    Minimiser minimiser({0.3, 0.4, 0.5}, {});
    const auto first = *minimiser.next();
    BOOST_TEST((*minimiser.next() == first));
    minimiser.tell(1.0);
    BOOST_TEST((*minimiser.next() != first));
}

BOOST_AUTO_TEST_CASE(the_same_values_give_the_same_points) {
    Minimiser a({-1.2, 1.0}, {0.5, 1e-6, 500}), b({-1.2, 1.0}, {0.5, 1e-6, 500});
    BOOST_TEST((points_of(a) == points_of(b)));
}

BOOST_AUTO_TEST_CASE(values_are_used_up) {
    Minimiser minimiser({-1.2, 1.0}, {0.5, 1e-7, 12});
    BOOST_TEST(points_of(minimiser).size() == 12);
    BOOST_TEST(minimiser.values_used_up());
}

BOOST_AUTO_TEST_CASE(may_be_dropped_at_any_time) {
    { Minimiser minimiser({0.0, 0.0}, {}); }
    Minimiser minimiser({0.0, 0.0}, {});
    minimiser.next();
    minimiser.tell(1.0);
}

// NLopt must ask for one more value only, and then stop. Otherwise this would take ten seconds.
BOOST_AUTO_TEST_CASE(is_dropped_at_once) {
    std::vector<std::unique_ptr<Minimiser>> all;
    for (int i = 0; i < 100; ++i)
        all.push_back(
            std::make_unique<Minimiser>(std::vector<double>(52, 0.0), MinimiserOptions{0.1, 1e-14, 1'000'000}));
    for (const auto& minimiser : all) minimiser->next();
    const auto began = std::chrono::steady_clock::now();
    all.clear();
    BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < 2.0);
}

BOOST_AUTO_TEST_CASE(many_side_by_side) {
    std::vector<std::unique_ptr<Minimiser>> all;
    for (int i = 0; i < 100; ++i)
        all.push_back(std::make_unique<Minimiser>(std::vector<double>{-1.2, 1.0 + 0.01 * i}, MinimiserOptions{}));
    for (const auto& minimiser : all) BOOST_TEST(minimiser->next().has_value());
    for (const auto& minimiser : all) BOOST_TEST(points_of(*minimiser).size() > 20);
}
