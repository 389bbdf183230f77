// The errors of Rule::blocks: they tell by how much results are off, with stopping in force; they are NaN where they
// are not known.
#define BOOST_TEST_MODULE tmm_errors
#include <boost/math/special_functions/gamma.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "chain_exponent.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

constexpr std::size_t seeds = 64;

Problem chain(std::int64_t n_ortho, double epsilon) {
    Problem p;
    p.dimension = 1;
    p.boundary = Boundary::hard_wall;
    p.n_ortho = n_ortho;
    p.epsilon = epsilon;
    return p;
}

Problem bar(int dimension, int width, std::int64_t n_ortho, double epsilon) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    p.n_ortho = n_ortho;
    p.epsilon = epsilon;
    return p;
}

// Points of one run share no disorder: as good as seeds.
std::vector<PointResult> runs(const Problem& p, Point point, std::size_t count) {
    Context context = tests::make_context(Backend::cpu, 2);
    Solver solver(context, p, std::vector<Point>(count, point));
    solver.run({});
    std::vector<PointResult> all;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(solver.result(i));
        BOOST_REQUIRE(all.back().status == PointStatus::converged || all.back().status == PointStatus::not_converged);
    }
    return all;
}

double off(const PointResult& r, std::size_t exponent, double exact) {
    return (r.exponents[exponent] - exact) / (r.exponents[exponent] * r.errors[exponent]);
}

// 99 %, two-sided.
void require_in_band(double chi2, double degrees_of_freedom, const std::string& what) {
    const double above = boost::math::gamma_q(degrees_of_freedom / 2, chi2 / 2);
    BOOST_TEST_MESSAGE(what << ": mean square " << chi2 / degrees_of_freedom << ", probability " << above);
    BOOST_TEST(above > 0.005, what << ": errors too small, mean square " << chi2 / degrees_of_freedom);
    BOOST_TEST(above < 0.995, what << ": errors too large, mean square " << chi2 / degrees_of_freedom);
}

void check_chain(double energy, double disorder, std::int64_t n_ortho, double epsilon) {
    const double exact = tests::chain_exponent(energy, disorder);
    double chi2 = 0;
    for (const PointResult& r : runs(chain(n_ortho, epsilon), {energy, disorder}, seeds))
        chi2 += std::pow(off(r, 0, exact), 2);
    require_in_band(chi2, seeds,
                    text("chain, E = ", energy, ", W = ", disorder, ", n_ortho ", n_ortho, ", epsilon ", epsilon));
}

// Against the mean of all runs, which takes a degree of freedom.
void check_bar(const Problem& p, Point point) {
    const std::vector<PointResult> all = runs(p, point, seeds);
    for (std::size_t j = 0; j < all[0].exponents.size(); ++j) {
        double mean = 0, chi2 = 0;
        for (const PointResult& r : all) mean += r.exponents[j] / seeds;
        for (const PointResult& r : all) chi2 += std::pow(off(r, j, mean), 2);
        require_in_band(chi2, seeds - 1,
                        text(p.dimension, "D, M = ", p.width, ", E = ", point.energy, ", W = ", point.disorder,
                             ", n_ortho ", p.n_ortho, ", exponent ", j + 1));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(errors_of_chains) {
    for (const double energy : {0.0, 2.5})
        for (const double disorder : {2.0, 20.0})
            for (const std::int64_t n_ortho : {1, 2, 10}) {
                check_chain(energy, disorder, n_ortho, 0.02);
                if (energy > 0 || disorder > 2) check_chain(energy, disorder, n_ortho, 0.005);
            }
}

BOOST_AUTO_TEST_CASE(errors_of_all_exponents) {
    for (const std::int64_t n_ortho : {1, 2, 10}) {
        check_bar(bar(2, 3, n_ortho, 0.02), {0.5, 6.0});
        check_bar(bar(2, 4, n_ortho, 0.02), {4.5, 1.0});
    }
    check_bar(bar(3, 2, 2, 0.02), {0.0, 16.5});
}

BOOST_AUTO_TEST_CASE(no_chain_ends_far_off) {
    const double exact = tests::chain_exponent(2.5, 2.0);
    double worst = 0;
    for (const PointResult& r : runs(chain(10, 0.02), {2.5, 2.0}, 4000))
        worst = std::max(worst, std::fabs(off(r, 0, exact)));
    BOOST_TEST_MESSAGE("worst of 4000 chains: " << worst << " errors");
    BOOST_TEST(worst < 5);
}
