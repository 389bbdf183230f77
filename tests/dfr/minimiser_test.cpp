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

std::vector<double> slope(const std::vector<double>& x) {
    return {-400 * x[0] * (x[1] - x[0] * x[0]) - 2 * (1 - x[0]), 200 * (x[1] - x[0] * x[0])};
}

std::vector<std::vector<double>> points_of(Minimiser& minimiser) {
    std::vector<std::vector<double>> points;
    while (const auto x = minimiser.next()) {
        points.push_back(*x);
        minimiser.tell(valley(*x), slope(*x));
    }
    return points;
}

MinimiserOptions newuoa(double first_step, double last_step, int max_values) {
    return {OptimiserMethod::newuoa, max_values, first_step, last_step};
}

const MinimiserOptions bfgs{OptimiserMethod::lbfgs};

}  // namespace

BOOST_AUTO_TEST_CASE(finds_the_minimum) {
    Minimiser minimiser({-1.2, 1.0}, newuoa(0.5, 1e-7, 2000));
    const auto points = points_of(minimiser);
    BOOST_TEST(!minimiser.values_used_up());
    BOOST_TEST(std::string(minimiser.why_failed()) == "");
    BOOST_TEST((points.front() == std::vector<double>{-1.2, 1.0}));
    double best = 1;
    for (const auto& x : points) best = std::min(best, valley(x));
    BOOST_TEST(best < 1e-10);
}

// In the metric of a quadratic function its curvature is the same in all directions: one step and few values are
// enough.
BOOST_AUTO_TEST_CASE(a_metric_saves_values) {
    const std::vector<double> r{1000, -300, 20, 0, 1, 0.5, 0, 0, 0.01}, centre{1, -2, 300};
    const auto value = [&](const std::vector<double>& x, std::vector<double>& gradient) {
        double sum = 0;
        gradient.assign(3, 0.0);
        for (std::size_t i = 0; i < 3; ++i) {
            double component = 0;
            for (std::size_t j = i; j < 3; ++j) component += r[3 * i + j] * (x[j] - centre[j]);
            for (std::size_t j = i; j < 3; ++j) gradient[j] += component * r[3 * i + j];
            sum += component * component / 2;
        }
        return sum;
    };
    std::size_t values[2] = {};
    for (const bool with_metric : {false, true}) {
        MinimiserOptions options = bfgs;
        if (with_metric) options.metric = r;
        const std::vector<double> start{0.5, -1, 200};
        Minimiser minimiser(start, options);
        double last = 0;
        while (const auto x = minimiser.next()) {
            for (std::size_t i = 0; i < 3; ++i)
                if (values[with_metric] == 0) BOOST_TEST((*x)[i] == start[i], boost::test_tools::tolerance(1e-14));
            std::vector<double> gradient;
            last = value(*x, gradient);
            minimiser.tell(last, gradient);
            ++values[with_metric];
        }
        BOOST_TEST(std::string(minimiser.why_failed()) == "");
        if (with_metric) BOOST_TEST(last < 1e-12);
    }
    BOOST_TEST(values[true] < 10);
    BOOST_TEST(values[true] < values[false]);
}

BOOST_AUTO_TEST_CASE(gradients_save_values) {
    Minimiser with({-1.2, 1.0}, bfgs), without({-1.2, 1.0}, newuoa(0.5, 1e-7, 2000));
    const auto points = points_of(with);
    BOOST_TEST(std::string(with.why_failed()) == "");
    BOOST_TEST((points.front() == std::vector<double>{-1.2, 1.0}));
    BOOST_TEST(valley(points.back()) < 1e-12);
    BOOST_TEST(2 * points.size() < points_of(without).size());
    Minimiser again({-1.2, 1.0}, bfgs), one({3.0}, bfgs);
    BOOST_TEST((points_of(again) == points));
    while (const auto x = one.next()) one.tell(std::pow((*x)[0] - 2, 4), {4 * std::pow((*x)[0] - 2, 3)});
    BOOST_TEST(!one.values_used_up());
}

// Values beyond a boundary are replaced by a high one without a slope. The minimiser stays inside and does not end
// there at once.
BOOST_AUTO_TEST_CASE(a_wall) {
    Minimiser minimiser({-1.2, 1.0}, bfgs);
    double best = 1e3;
    while (const auto x = minimiser.next()) {
        const bool beyond = (*x)[0] > 0.5;
        if (beyond) {
            minimiser.tell(1e3, {0.0, 0.0});
        } else {
            best = std::min(best, valley(*x));
            minimiser.tell(valley(*x), slope(*x));
        }
    }
    BOOST_TEST(best >= 0.25);
    BOOST_TEST(best < 0.5);
}

BOOST_AUTO_TEST_CASE(asks_the_same_until_told) {
    Minimiser minimiser({0.3, 0.4, 0.5}, {});
    const auto first = *minimiser.next();
    BOOST_TEST((*minimiser.next() == first));
    minimiser.tell(1.0);
    BOOST_TEST((*minimiser.next() != first));
}

BOOST_AUTO_TEST_CASE(the_same_values_give_the_same_points) {
    Minimiser a({-1.2, 1.0}, newuoa(0.5, 1e-6, 500)), b({-1.2, 1.0}, newuoa(0.5, 1e-6, 500));
    BOOST_TEST((points_of(a) == points_of(b)));
}

BOOST_AUTO_TEST_CASE(values_are_used_up) {
    Minimiser minimiser({-1.2, 1.0}, newuoa(0.5, 1e-7, 12));
    BOOST_TEST(points_of(minimiser).size() == 12);
    BOOST_TEST(minimiser.values_used_up());
}

BOOST_AUTO_TEST_CASE(values_of_bfgs_are_used_up) {
    for (const int most : {1, 2, 3, 7, 20}) {
        Minimiser minimiser({-1.2, 1.0}, {OptimiserMethod::lbfgs, most});
        BOOST_TEST(points_of(minimiser).size() == static_cast<std::size_t>(most));
        BOOST_TEST(minimiser.values_used_up());
        BOOST_TEST(std::string(minimiser.why_failed()) == "");
    }
}

// The first step has the length that was asked for, whatever the scale of the function.
BOOST_AUTO_TEST_CASE(first_step_of_bfgs) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
        Minimiser minimiser({-1.2, 1.0}, {OptimiserMethod::lbfgs, 500, 0.03});
        const auto first = *minimiser.next();
        const auto slope_here = slope(first);
        minimiser.tell(scale * valley(first), {scale * slope_here[0], scale * slope_here[1]});
        const auto second = *minimiser.next();
        BOOST_TEST(std::fabs(std::hypot(second[0] - first[0], second[1] - first[1]) - 0.03) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(may_be_dropped_at_any_time) {
    { Minimiser minimiser({0.0, 0.0}, {}); }
    Minimiser minimiser({0.0, 0.0}, {});
    minimiser.next();
    minimiser.tell(1.0);
    Minimiser other({0.5, 0.0}, bfgs);
    for (int i = 0; i < 3; ++i) other.tell(valley(*other.next()), slope(*other.next()));
}

BOOST_AUTO_TEST_CASE(bfgs_is_dropped_at_once) {
    std::vector<std::unique_ptr<Minimiser>> all;
    for (int i = 0; i < 100; ++i) {
        all.push_back(std::make_unique<Minimiser>(std::vector<double>{-1.2, 1.0 + 0.01 * i}, bfgs));
        for (int told = 0; told < i % 10; ++told)
            all.back()->tell(valley(*all.back()->next()), slope(*all.back()->next()));
        all.back()->next();
    }
    const auto began = std::chrono::steady_clock::now();
    all.clear();
    BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < 2.0);
}

// NLopt must ask for one more value only, and then stop. Otherwise this would take ten seconds.
BOOST_AUTO_TEST_CASE(is_dropped_at_once) {
    std::vector<std::unique_ptr<Minimiser>> all;
    for (int i = 0; i < 100; ++i)
        all.push_back(std::make_unique<Minimiser>(std::vector<double>(52, 0.0), newuoa(0.1, 1e-14, 1'000'000)));
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
