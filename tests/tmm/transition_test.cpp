// Tests the Anderson transition in three dimensions: band centre, uniform disorder, periodic. There W_c = 16.54 and
// Lambda = 0.576(1) for wide bars (Slevin and Ohtsuki, PRL 82, 382 (1999)).
#define BOOST_TEST_MODULE tmm_transition
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

struct Length {
    double value, error;
};

// Returns Lambda = localisation length / M for the given disorders.
std::vector<Length> reduced_lengths(int width, const std::vector<double>& disorders, double epsilon) {
    Problem p = tests::legacy_problem(3, width, Boundary::periodic);
    p.random_stream = RandomStream::philox;
    p.n_ortho = 5;
    p.epsilon = epsilon;
    std::vector<Point> points;
    for (const double w : disorders) points.push_back({0.0, w});
    Context context = tests::make_context(Backend::cpu, 2);
    Solver solver(context, p, points);
    solver.run({});
    std::vector<Length> lengths;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PointResult r = solver.result(i);
        const double lambda = 1 / (r.exponents[0] * width);
        lengths.push_back({lambda, lambda * r.errors[0]});
        BOOST_TEST_MESSAGE("M = " << width << ", W = " << disorders[i] << ": Lambda = " << lambda << " +- "
                                  << lengths.back().error << " after " << r.cycles << " cycles");
    }
    return lengths;
}

}  // namespace

// The tolerance of 1 % is four standard errors. Corrections to scaling decrease faster than 1 / M^2: the value for
// M = 4 is 1.5 % above the limit, the value for M = 6 half a per cent.
BOOST_AUTO_TEST_CASE(critical_point) {
    for (const int width : {4, 6, 8, 10}) {
        const Length lambda = reduced_lengths(width, {16.54}, 0.0025)[0];
        BOOST_TEST(std::fabs(lambda.value / 0.576 - 1) < (width == 4 ? 0.025 : 0.01));
        BOOST_TEST(lambda.error < 0.0026 * lambda.value);
    }
}

// Wider bars have the larger Lambda below the transition and the smaller one above it.
BOOST_AUTO_TEST_CASE(curves_cross) {
    const std::vector<double> disorders{15, 16, 17, 18};
    const auto narrow = reduced_lengths(4, disorders, 0.005), wide = reduced_lengths(8, disorders, 0.005);
    for (std::size_t i = 0; i < disorders.size(); ++i) {
        const double rise = wide[i].value - narrow[i].value, error = std::hypot(wide[i].error, narrow[i].error);
        BOOST_TEST((disorders[i] < 16.54 ? rise : -rise) > 3 * error,
                   "W = " << disorders[i] << ": rises by " << rise << " +- " << error);
    }
}
