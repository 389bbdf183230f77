// Tests the errors of Rule::blocks. They must agree with the scatter of the results of runs that the rule has ended.
// They are NaN if they are unknown.
#define BOOST_TEST_MODULE tmm_errors
#include <boost/math/special_functions/gamma.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <tuple>

#include "chain_exponent.hpp"
#include "runs.hpp"
#include "tmm/convergence.hpp"

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

// Returns the results of `count` points. Points of one run share no disorder, so they serve as different seeds.
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

// Checks that chi2 lies within the two-sided 99 % interval.
void require_in_band(double chi2, double degrees_of_freedom, const std::string& what) {
    const double above = boost::math::gamma_q(degrees_of_freedom / 2, chi2 / 2);
    BOOST_TEST_MESSAGE(what << ": mean square " << chi2 / degrees_of_freedom << ", probability " << above);
    BOOST_TEST(above > 0.005, what << ": errors too small, mean square " << chi2 / degrees_of_freedom);
    BOOST_TEST(above < 0.995, what << ": errors too large, mean square " << chi2 / degrees_of_freedom);
}

void check_chain(double exact, double energy, double disorder, std::int64_t n_ortho, double epsilon) {
    double chi2 = 0;
    for (const PointResult& r : runs(chain(n_ortho, epsilon), {energy, disorder}, seeds))
        chi2 += std::pow(off(r, 0, exact), 2);
    require_in_band(chi2, seeds,
                    text("chain, E = ", energy, ", W = ", disorder, ", n_ortho ", n_ortho, ", epsilon ", epsilon));
}

// Compares with the mean of all runs, which costs one degree of freedom.
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
        for (const double disorder : {2.0, 20.0}) {
            const double exact = tests::chain_exponent(energy, disorder);
            for (const std::int64_t n_ortho : {1, 2, 10}) {
                check_chain(exact, energy, disorder, n_ortho, 0.02);
                if (disorder > 2 || (energy > 0 && n_ortho > 2)) check_chain(exact, energy, disorder, n_ortho, 0.005);
            }
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
    for (const PointResult& r : runs(chain(10, 0.02), {2.5, 2.0}, 2000))
        worst = std::max(worst, std::fabs(off(r, 0, exact)));
    BOOST_TEST_MESSAGE("worst of 2000 chains: " << worst << " errors");
    BOOST_TEST(worst < 5);
}

// The exponent of a chain without disorder is known. At the band edge a clean chain grows in proportion to its length,
// so that the average of ln R decreases for ever. Within the band it does not grow at all.
BOOST_AUTO_TEST_CASE(clean_chains) {
    for (const auto& [energy, epsilon, converges] :
         {std::tuple{3.0, 1e-4, true}, {2.0, 0.05, false}, {2.0, 1.0, true}, {1.0, 0.5, false}, {0.0, 0.5, false}})
        for (std::int64_t seed = 1; seed <= 20; ++seed) {
            Problem p = chain(10, epsilon);
            p.seed = seed;
            p.max_multiplications = 20000;
            const PointResult r = runs(p, {energy, 0.0}, 1)[0];
            const double exact = energy > 2 ? std::acosh(energy / 2) : 0.0;
            if (r.exponents[0] == exact) continue;  // exactly 0, so the relative error is infinite
            BOOST_TEST(std::fabs(off(r, 0, exact)) < 5,
                       "E = " << energy << ", seed " << seed << ": off by " << off(r, 0, exact) << " errors");
            if (energy != 2.0 || !converges)
                BOOST_TEST((r.status == PointStatus::converged) == converges, "E = " << energy << ", seed " << seed);
        }
}

BOOST_AUTO_TEST_CASE(errors_that_are_not_known) {
    Context context = tests::make_context(Backend::cpu);
    for (const Rule rule : {Rule::blocks, Rule::tmsexd}) {
        Problem p = bar(2, 3, 10, 1e-12);
        p.rule = rule;
        Solver solver(context, p, {{0.0, 3.0}});
        // The first 7 of 15 blocks are left out.
        const std::int64_t first_with_error = rule == Rule::blocks ? 15 : 2;
        for (std::int64_t cycles = 0; cycles < 20; ++cycles) {
            const PointResult r = solver.result(0);
            BOOST_TEST(r.cycles == cycles);
            for (std::size_t j = 0; j < 3; ++j) {
                BOOST_TEST((r.exponents[j] != 0) == (cycles > 0));
                BOOST_TEST(std::isnan(r.errors[j]) == (cycles < first_with_error),
                           "rule " << static_cast<int>(rule) << ", cycle " << cycles << ": " << r.errors[j]);
            }
            solver.advance(1);
        }
    }
    Problem p = bar(2, 3, 10, 1.0);
    p.max_multiplications = 30;
    const PointResult r = runs(p, {0.0, 3.0}, 1)[0];
    BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(PointStatus::not_converged));
    BOOST_TEST(std::isnan(r.errors[0]));
}

BOOST_AUTO_TEST_CASE(what_must_come_before_convergence) {
    const auto cycles = [](std::int64_t burn_in, int min_blocks) {
        Problem p = bar(2, 3, 10, 1.0);
        p.burn_in = burn_in;
        p.min_blocks = min_blocks;
        return runs(p, {0.0, 3.0}, 1)[0].cycles;
    };
    BOOST_TEST(cycles(0, 8) == 10);  // the first two of ten blocks of one cycle are left out
    BOOST_TEST(cycles(0, 48) == 55);
    BOOST_TEST(cycles(20, 8) == 40);       // burn-in of at most half the run
    BOOST_TEST(cycles(128, 32) == 256);    // defaults
    BOOST_TEST(cycles(1000, 32) == 2048);  // whole blocks, of 32 cycles
}

// Rule::tmsexd, to the last bit. A point ends after at least three cycles, after at least as many as the bar is wide,
// and with an error of at most epsilon. A clean system never ends.
BOOST_AUTO_TEST_CASE(old_rule) {
    // Takes k growths of 1 +- s, whose relative error is s / sqrt(k - 1).
    const auto ends = [](std::int64_t k, double s, std::int64_t width, double epsilon) {
        const auto n = static_cast<double>(k);
        return has_converged(n, n * (1 + s * s), k, width, epsilon);
    };
    for (const std::int64_t width : {1, 3, 7, 20})
        for (std::int64_t k = 2; k < 30; ++k)
            BOOST_TEST(ends(k, 1e-3, width, 1) == (k >= 3 && k >= width), "M = " << width << ", " << k << " cycles");
    for (const double epsilon : {1e-6, 1e-3, 0.1}) {
        const double s = 3 * epsilon;  // ten cycles
        BOOST_TEST(!ends(10, s, 1, 0.9999 * epsilon));
        BOOST_TEST(ends(10, s, 1, 1.0001 * epsilon));
    }
    BOOST_TEST(!ends(10, 0, 1, 0.1));
}

// Compares the error of blocks with its formula written out. Covariances with the next block count.
BOOST_AUTO_TEST_CASE(error_of_blocks) {
    const auto error = [](int run) {  // error of 64 blocks of 1 and -1, in runs of equal sign
        std::vector<double> sums(64);
        for (int b = 0; b < 64; ++b) sums[static_cast<std::size_t>(b)] = b / run % 2 == 0 ? 1 : -1;
        return average_blocks(sums.data(), 1, 64).error;
    };
    // c0 is 64. Runs of r blocks have 64 - 64 / r equal neighbours and 64 / r - 1 unequal ones.
    for (const int run : {1, 2, 4, 8}) {
        const double c1 = 65 - 128.0 / run, freedom = 42;
        const double variance = (64 + c1 + 1) / 63 * freedom / (freedom - 2);
        const double expected = std::max(std::sqrt(std::max(variance, 0.0) / 64), 0.25 / 64);
        BOOST_TEST(std::fabs(error(run) - expected) < 1e-14, "runs of " << run << ": " << error(run));
    }
}

// What the difference of the halves exceeds six errors by counts three times. These errors are those of the blocks
// without the difference, which are 1 and -1 in turn: c0 is 64, c1 is 1, and two means are taken out.
BOOST_AUTO_TEST_CASE(halves_that_differ) {
    const auto error = [](double step) {
        std::vector<double> sums(64);
        for (std::size_t b = 0; b < 64; ++b) sums[b] = (b % 4 < 2 ? 1 : -1) + (b < 32 ? 0 : step);
        return average_blocks(sums.data(), 1, 64).error;
    };
    const double freedom = 2 * 62 / 3.0, within = std::sqrt((64 + 1 + 2) / 62.0 * freedom / (freedom - 2) / 64);
    BOOST_TEST(error(0.999 * 6 * within) > error(0));  // the difference itself scatters the blocks
    BOOST_TEST(error(0.999 * 6 * within) < 1.5 * error(0));
    // Just above the bound, the error grows three times as fast as the difference.
    const double slope = (error(6 * within + 2e-3) - error(6 * within + 1e-3)) / 1e-3,
                 before = (error(6 * within - 1e-3) - error(6 * within - 2e-3)) / 1e-3;
    BOOST_TEST(std::fabs(slope - before - 3) < 1e-2, slope << " after " << before);
    BOOST_TEST(error(1e6) > 3e6);
    BOOST_TEST(error(1e6) < 3.3e6);
}

// The sums of a run that relaxes as 1 / t, of which `first` of `total` blocks are left out.
BOOST_AUTO_TEST_CASE(relaxing_runs) {
    for (const auto& [first, total] : {std::pair{5, 37}, {5, 42}, {8, 64}, {32, 64}}) {
        std::vector<double> sums;
        double off = 0;
        for (int b = first; b < total; ++b) {
            sums.push_back(1e4 + 1e3 / (b + 0.5));
            off += 1e3 / (b + 0.5) / (total - first);
        }
        const double error = average_blocks(sums.data(), 1, total - first).error;
        BOOST_TEST(off < 1.8 * error, first << " of " << total << ": off by " << off / error << " errors");
    }
}

// Starts are random and depend on seed and point only. Chains that are not coupled remain separate.
BOOST_AUTO_TEST_CASE(starts) {
    Problem p = bar(2, 5, 10, 0.1);
    const std::vector<double> psi = initial_state(p, 0).psi;
    BOOST_TEST((psi == initial_state(p, 0).psi));
    BOOST_TEST((psi != initial_state(p, 1).psi));
    p.seed += 1;
    BOOST_TEST((psi != initial_state(p, 0).psi));
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) {
            double dot = 0;
            for (std::size_t k = 0; k < 10; ++k) dot += psi[10 * i + k] * psi[10 * j + k];
            BOOST_TEST(std::fabs(dot - (i == j ? 1.0 : 0.0)) < 1e-15);
        }
    p.hopping = 0;
    const double exact = tests::chain_exponent(2.5, 2.0);
    double chi2 = 0;
    for (const PointResult& r : runs(p, {2.5, 2.0}, seeds)) chi2 += std::pow(off(r, 0, exact), 2);
    require_in_band(chi2, seeds, "five chains");
}
