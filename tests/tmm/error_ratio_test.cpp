// Compares the errors of Rule::blocks with the scatter of the exponents in five systems, for which the errors of
// Rule::tmsexd are 0.86 to 4.5 times the scatter (docs/tmm.md).
#define BOOST_TEST_MODULE tmm_error_ratio
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

struct System {
    int dimension, width;
    Point point;
    std::int64_t n_ortho, multiplications;
};

// Returns the mean error of the smallest exponent over `count` runs, divided by the standard deviation of the exponent.
double ratio(const System& system, std::size_t count) {
    Problem p;
    p.dimension = system.dimension;
    p.boundary = system.dimension == 1 ? Boundary::hard_wall : Boundary::periodic;
    p.width = system.width;
    p.n_ortho = system.n_ortho;
    p.max_multiplications = system.multiplications;
    p.epsilon = 1e-15;  // no run ends earlier
    Context context = tests::make_context(Backend::cpu, 2);
    Solver solver(context, p, std::vector<Point>(count, system.point));
    solver.run({});
    std::vector<double> exponents;
    double mean = 0, error = 0, variance = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const PointResult r = solver.result(i);
        exponents.push_back(r.exponents[0]);
        mean += r.exponents[0] / static_cast<double>(count);
        error += r.exponents[0] * r.errors[0] / static_cast<double>(count);
    }
    for (const double exponent : exponents) variance += std::pow(exponent - mean, 2) / static_cast<double>(count - 1);
    return error / std::sqrt(variance);
}

}  // namespace

// The ratio scatters by 1 % for this number of runs.
BOOST_AUTO_TEST_CASE(errors_over_scatter) {
    for (const System& system :
         {System{2, 8, {1, 1}, 10, 100000}, System{1, 1, {1, 0.5}, 20, 200000}, System{1, 1, {1, 0.5}, 10, 200000},
          System{1, 1, {1, 0.5}, 2, 200000}, System{3, 2, {0, 16.5}, 2, 10000}}) {
        const double found = ratio(system, 4800);
        const std::string what = text(system.dimension, "D, M = ", system.width, ", W = ", system.point.disorder,
                                      ", n_ortho ", system.n_ortho, ": error / scatter ", found);
        BOOST_TEST_MESSAGE(what);
        BOOST_TEST((found > 0.9 && found < 1.1), what);
    }
}
