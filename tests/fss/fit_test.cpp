// Fits to synthetic data with known parameters.
#define BOOST_TEST_MODULE fss_fit
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/matrix.hpp"
#include "data.hpp"

using namespace legato;
using namespace legato::fss;
using tests::data_of, tests::Transition, tests::with_threads;

namespace {

Problem with_orders(Problem problem, int n1, int n2, int m1, int m2, std::int64_t resamples) {
    problem.relevant_order = n1;
    problem.irrelevant_order = n2;
    problem.relevant_expansion = m1;
    problem.irrelevant_expansion = m2;
    problem.resamples = resamples;
    return problem;
}

void near(double value, double expected, double relative) {
    BOOST_TEST(std::fabs(value - expected) <= relative * std::fabs(expected), value << " is not " << expected);
}

struct Fitted {
    explicit Fitted(Problem problem, int threads = 2)
        : context(with_threads(threads)), solver(context, std::move(problem)) {
        solver.run({});
    }
    Context context;
    Solver solver;
};

}  // namespace

// Data without noise give back the parameters of the transition.
BOOST_AUTO_TEST_CASE(exact_data) {
    Transition transition;
    transition.cubic = 1e-4;
    const Fitted plain(with_orders(data_of(transition, 1e-3, 0), 3, 0, 2, 0, 0));
    BOOST_TEST((plain.solver.status() == FitStatus::converged));
    BOOST_TEST(plain.solver.chi2() < 1e-10);
    const std::vector<double> expected = {16.54, 1.57, 0.01, 0.576, -0.05, 0.002, 1e-4};
    for (std::size_t i = 0; i < expected.size(); ++i) near(plain.solver.parameters()[i], expected[i], 1e-6);

    transition.correction = 0.3;
    transition.tilt = -0.02;
    const Fitted corrected(with_orders(data_of(transition, 1e-3, 0), 3, 1, 2, 0, 0));
    BOOST_TEST((corrected.solver.status() == FitStatus::converged));
    BOOST_TEST(corrected.solver.chi2() < 1e-10);
    near(corrected.solver.parameters()[0], 16.54, 1e-6);
    near(corrected.solver.parameters()[1], 1.57, 1e-5);
    near(corrected.solver.parameters()[2], -2, 1e-4);
    near(corrected.solver.parameters()[corrected.solver.model().coefficients()], 0.576, 1e-6);
}

// The critical point may be 0, and may have any scale: a transition in the energy, in another unit.
BOOST_AUTO_TEST_CASE(scales) {
    for (const auto& [shift, scale] : {std::pair(-16.54, 1.0), std::pair(0.0, 1e-6), std::pair(-16.54, 1e4)}) {
        Problem problem = with_orders(data_of({}, 1e-3, 7), 3, 0, 2, 0, 0);
        const Fitted original(problem);
        for (double& control : problem.control) control = (control + shift) * scale;
        const Fitted scaled(std::move(problem));
        BOOST_TEST((scaled.solver.status() == FitStatus::converged));
        BOOST_TEST(std::fabs(scaled.solver.parameters()[0] / scale - shift - original.solver.parameters()[0]) < 1e-6);
        near(scaled.solver.parameters()[1], original.solver.parameters()[1], 1e-5);
        near(scaled.solver.chi2(), original.solver.chi2(), 1e-8);
    }
}

// Corrections to scaling are removed: corrected values of all sizes lie on one curve.
BOOST_AUTO_TEST_CASE(collapse) {
    Transition transition;
    transition.correction = 0.3;
    const Problem problem = with_orders(data_of(transition, 1e-3, 0), 2, 1, 2, 0, 0);
    const Fitted fitted(problem);
    for (std::size_t i = 0; i < problem.value.size(); ++i) {
        const Fields at = fitted.solver.fields(problem.length[i], problem.control[i]);
        const double corrected = problem.value[i] - fitted.solver.value(at) + fitted.solver.value({at.relevant, 0});
        const double phi = at.relevant;
        near(corrected, 0.576 - 0.05 * phi + 0.002 * phi * phi, 1e-6);
    }
}

// The same bits for any number of threads, and in a run that is stopped.
BOOST_AUTO_TEST_CASE(same_bits) {
    const Problem problem = with_orders(data_of({}, 2e-3, 3), 3, 0, 2, 0, 200);
    const Fitted one(problem, 1);
    for (const int threads : {2, 3}) {
        const Fitted other(problem, threads);
        BOOST_TEST(other.solver.parameters() == one.solver.parameters(), boost::test_tools::per_element());
        for (std::size_t i = 0; i < one.solver.parameters().size(); ++i) {
            BOOST_TEST(other.solver.spread(i).error == one.solver.spread(i).error);
            BOOST_TEST(other.solver.spread(i).low == one.solver.spread(i).low);
            BOOST_TEST(other.solver.spread(i).high == one.solver.spread(i).high);
        }
    }
    Context context(with_threads(2));
    Solver stopped(context, problem);
    const auto stop = [](const Progress& progress) { return progress.points_done < 50; };
    BOOST_CHECK_EXCEPTION(stopped.run(stop, 0), Error, [](const Error& e) { return e.status() == Status::cancelled; });
    BOOST_TEST(stopped.resamples_done() < 200);
    stopped.run({});
    BOOST_TEST(stopped.resamples_done() == 200);
    BOOST_TEST(stopped.spread(1).error == one.solver.spread(1).error);
}

// The errors from resampling agree with those of the covariance matrix, if the errors of the data are small.
BOOST_AUTO_TEST_CASE(errors_from_covariance) {
    Transition transition;
    transition.curvature = 0;
    transition.b2 = 0;
    const Problem problem = with_orders(data_of(transition, 1e-3, 11), 1, 0, 1, 0, 10000);
    const Fitted fitted(problem);
    // The covariance matrix of a least-squares fit is (J^T J)^-1.
    const Model& model = fitted.solver.model();
    const std::size_t count = model.parameters();
    Matrix products(count, count);
    std::vector<double> gradient(count);
    for (std::size_t d = 0; d < problem.value.size(); ++d) {
        model.gradient(fitted.solver.parameters(), problem.length[d], problem.control[d], gradient);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                products(i, j) += gradient[i] * gradient[j] / (problem.error[d] * problem.error[d]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> unit(count);
        unit[i] = 1;
        BOOST_TEST_REQUIRE(solve_symmetric(products, unit));
        const Spread spread = fitted.solver.spread(i);
        near(spread.error, std::sqrt(unit[i]), 0.05);  // 10000 samples give it to 1 %
        near(spread.high - spread.low, 2 * 1.96 * std::sqrt(unit[i]), 0.05);
    }
}

BOOST_AUTO_TEST_CASE(unknown_errors) {
    const Fitted none(with_orders(data_of({}, 1e-3, 5), 3, 0, 2, 0, 0)),
        few(with_orders(data_of({}, 1e-3, 5), 3, 0, 2, 0, 99));
    for (const Fitted* fitted : {&none, &few}) {
        BOOST_TEST(std::isnan(fitted->solver.spread(0).error));
        BOOST_TEST(std::isnan(fitted->solver.spread(0).low));
        BOOST_TEST(std::isnan(fitted->solver.value_spread(8, 16).high));
    }
    // As many parameters as data: chi^2 says nothing.
    const Fitted exact(with_orders(data_of({}, 1e-3, 5, 3, {4, 8}), 2, 0, 2, 0, 0));
    BOOST_TEST(exact.solver.model().parameters() == 6u);
    BOOST_TEST(std::isnan(exact.solver.goodness_of_fit()));
}

// Data that do not depend on the length and the control parameter do not determine nu. There are no errors.
BOOST_AUTO_TEST_CASE(undetermined) {
    Problem constant = with_orders(data_of({}, 1e-3, 0), 1, 0, 1, 0, 200);
    for (double& value : constant.value) value = 0.5;
    const Fitted flat(std::move(constant));
    // An irrelevant field of second order cannot be told from two lengths.
    const Fitted two(with_orders(data_of({}, 1e-3, 4, 21, {4, 8}), 2, 2, 1, 0, 200));
    for (const Fitted* fitted : {&flat, &two}) {
        BOOST_TEST((fitted->solver.status() == FitStatus::undetermined));
        BOOST_TEST(fitted->solver.complete());
        BOOST_TEST(fitted->solver.resamples_done() == 0);
        for (std::size_t i = 0; i < fitted->solver.parameters().size(); ++i)
            BOOST_TEST(std::isnan(fitted->solver.spread(i).error));
    }
}

// The lowest minimum is found although b_2 and nu are far from those of most starts: chi^2 is that of the exact
// parameters or lower. Local minima have more than twice as much.
BOOST_AUTO_TEST_CASE(far_starts) {
    for (const auto& [exponent, b2, point] :
         {std::tuple(0.3, 0.01, 16.54), std::tuple(8.0, 0.3, 16.54), std::tuple(1.57, -0.6, 16.54),
          std::tuple(30.0, 0.3, 16.54), std::tuple(1.57, 0.1, 17.8), std::tuple(1.57, 1.0, 16.54)}) {
        Transition transition;
        transition.exponent = exponent;
        transition.b2 = b2;
        transition.slope *= std::pow(10.0, 1 / 1.57 - 1 / exponent);  // the values have the same range for any nu
        transition.curvature *= std::pow(10.0, 2 * (1 / 1.57 - 1 / exponent));
        Problem problem = with_orders(data_of(transition, 1e-3, 2), 3, 0, 2, 0, 0);
        const double shift = point - transition.critical_point;
        double exact = 0;
        for (std::size_t i = 0; i < problem.value.size(); ++i) {
            const double value = transition.value(problem.length[i], problem.control[i]);
            exact += std::pow((problem.value[i] - value) / problem.error[i], 2);
        }
        for (double& control : problem.control) control -= shift;
        const Fitted fitted(std::move(problem));
        BOOST_TEST((fitted.solver.status() == FitStatus::converged));
        BOOST_TEST(fitted.solver.chi2() <= exact, "nu " << exponent << ", b_2 " << b2);
        near(fitted.solver.parameters()[Model::exponent], exponent, 0.1);
    }
}

// More data than the search looks at, in an order in which every second one has the same length. Without noise the
// probability of a smaller chi^2 underflows.
BOOST_AUTO_TEST_CASE(many_data) {
    const Problem sorted = data_of({}, 1e-3, 0, 2000, {4, 12});
    Problem problem = with_orders(sorted, 2, 0, 2, 0, 0);
    for (std::size_t i = 0; i < sorted.value.size(); ++i) {
        const std::size_t from = (i % 2) * 2000 + i / 2;
        problem.length[i] = sorted.length[from];
        problem.control[i] = sorted.control[from];
        problem.value[i] = sorted.value[from];
        problem.error[i] = sorted.error[from];
    }
    const Fitted fitted(std::move(problem));
    near(fitted.solver.parameters()[Model::exponent], 1.57, 1e-6);
    BOOST_TEST(fitted.solver.goodness_of_fit() == 1);
}

// If many synthetic data sets cannot be fitted, because their y runs to 0, the others are a selection.
BOOST_AUTO_TEST_CASE(failed_resamples) {
    Transition transition;
    transition.irrelevant_exponent = -0.1;
    transition.correction = 0.3;
    const Fitted fitted(with_orders(data_of(transition, 1e-4, 1), 3, 1, 2, 0, 150));
    BOOST_TEST_REQUIRE((fitted.solver.status() == FitStatus::converged));
    BOOST_TEST(fitted.solver.resamples_failed() > 6);
    BOOST_TEST(fitted.solver.resamples_failed() <= 50);
    BOOST_TEST(std::isnan(fitted.solver.spread(0).error));
    BOOST_TEST(std::isnan(fitted.solver.value_spread(8, 16).error));
}

BOOST_AUTO_TEST_CASE(overflow) {
    const Fitted fitted(with_orders(data_of({}, 1e-3, 5), 12, 0, 2, 0, 120));
    BOOST_TEST_REQUIRE((fitted.solver.status() == FitStatus::converged));
    BOOST_TEST(fitted.solver.value_spread(8, 16).error > 0);
    BOOST_TEST(!std::isfinite(fitted.solver.value(1e12, 1e12)));
    BOOST_TEST(std::isnan(fitted.solver.value_spread(1e12, 1e12).error));
}

BOOST_AUTO_TEST_CASE(refusals) {
    Context context(with_threads(1));
    const auto refused = [&](Problem problem, const std::string& message) {
        BOOST_CHECK_EXCEPTION(Solver(context, std::move(problem)), Error, [&](const Error& e) {
            BOOST_TEST(std::string(e.what()).starts_with(message), e.what());
            return e.status() == Status::invalid_argument;
        });
    };
    const Problem good = with_orders(data_of({}, 1e-3, 5), 3, 0, 2, 0, 0);
    Problem bad = good;
    bad.irrelevant_expansion = 1;
    refused(bad, "fss.params.irrelevant_expansion: 1 is not 0, but fss.params.irrelevant_order is 0");
    refused(with_orders(data_of({}, 1e-3, 5, 3, {4, 8}), 3, 0, 2, 0, 0), "fss.n_data: 6 is not in 7..100000");
    bad = good;
    bad.error[2] = 0;
    refused(bad, "fss.error[2]: 0 is not in [1e-60, 1000000000000]");
    bad.error[2] = 1e-14;
    refused(bad, "fss.error[2]: 1e-14 is less than 1e-12 of the largest value, ");
    bad = good;
    bad.value[1] = NAN;
    refused(bad, "fss.value[1]: nan is not in [-1000000000000, 1000000000000]");
    bad = good;
    bad.length[4] = 0;
    refused(bad, "fss.length[4]: 0 is not in [1, 1000000000000]");
    bad = good;
    std::fill(bad.length.begin(), bad.length.end(), 8);
    refused(bad, "fss.length: all are 8, but a fit needs at least two");
    bad = good;
    std::fill(bad.control.begin(), bad.control.end(), 16);
    refused(bad, "fss.control: all are 16, but a fit needs at least two");
}
