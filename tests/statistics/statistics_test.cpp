// Errors against known spreads.
#define BOOST_TEST_MODULE statistics
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "statistics/estimate.hpp"

using namespace legato::statistics;

namespace {

// x' = memory x + noise, of unit variance: the integrated autocorrelation time is (1 + memory) / (1 - memory) / 2.
std::vector<double> correlated(std::mt19937_64& random, std::size_t series, std::size_t length, double memory) {
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (std::size_t s = 0; s < series; ++s) {
        double x = normal(random);
        for (std::size_t i = 0; i < length; ++i) {
            values.push_back(x);
            x = memory * x + std::sqrt(1 - memory * memory) * normal(random);
        }
    }
    return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(few_values) {
    const std::vector<double> four{1, 2, 3, 6};
    BOOST_TEST(mean_of({}).mean == 0.0);
    BOOST_TEST(mean_of(std::span(four).first(1)).mean == 1.0);
    BOOST_TEST(mean_of(std::span(four).first(1)).error == 0.0);
    BOOST_TEST(mean_of(four).mean == 3.0);
    BOOST_TEST(std::abs(mean_of(four).error - std::sqrt(14.0 / 12)) < 1e-15);
    BOOST_TEST(binning(four).estimate.error == mean_of(four).error);
    BOOST_TEST(binning(four).errors.size() == 1u);
    BOOST_TEST(binning({}).estimate.error == 0.0);
    const std::vector<double> same(100, 2.5);
    BOOST_TEST(binning(same).estimate.error == 0.0);
    BOOST_TEST(binning(same).autocorrelation_time == 0.0);
}

// One series and many, short correlations and long ones.
BOOST_AUTO_TEST_CASE(correlated_series) {
    std::mt19937_64 random(5);
    for (const double memory : {0.0, 0.5, 0.9})
        for (const std::size_t series : {1u, 8u, 64u}) {
            const std::size_t length = (std::size_t{1} << 18) / series;
            const Binning found = binning(correlated(random, series, length, memory), series);
            const double time = (1 + memory) / (1 - memory) / 2;
            const double error = std::sqrt(2 * time / static_cast<double>(series * length));
            BOOST_TEST_MESSAGE(memory << " " << series << ": " << found.autocorrelation_time << " (" << time << ")");
            BOOST_TEST(std::abs(found.estimate.error / error - 1) < 0.2);
            BOOST_TEST(std::abs(found.autocorrelation_time / time - 1) < 0.4);
            BOOST_TEST(std::abs(found.estimate.mean) < 4 * error);
        }
}

// Means are as far from the true one as their errors say.
BOOST_AUTO_TEST_CASE(errors_are_honest) {
    std::mt19937_64 random(9);
    double squares = 0;
    constexpr int runs = 400;
    for (int run = 0; run < runs; ++run) {
        const Estimate e = binning(correlated(random, 4, 2000, 0.8), 4).estimate;
        squares += e.mean * e.mean / (e.error * e.error) / runs;
    }
    BOOST_TEST(squares > 0.8);
    BOOST_TEST(squares < 1.25);
}

// The variance of numbers from their means and their squares' means: without the bias 1 / count.
BOOST_AUTO_TEST_CASE(jackknife_of_a_variance) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(2.0, 3.0);
    constexpr int runs = 2000, count = 20;
    double mean = 0, squares = 0, errors = 0;
    for (int run = 0; run < runs; ++run) {
        std::vector<double> values;
        for (int i = 0; i < count; ++i) {
            const double x = normal(random);
            values.insert(values.end(), {x, x * x});
        }
        const Estimate e = jackknife(values, 2, [](auto means) { return means[1] - means[0] * means[0]; });
        mean += e.mean / runs;
        squares += (e.mean - 9) * (e.mean - 9) / runs;
        errors += e.error * e.error / runs;
    }
    const double spread = 9 * std::sqrt(2.0 / (count - 1));
    BOOST_TEST(std::abs(mean - 9) < 4 * spread / std::sqrt(runs));
    BOOST_TEST(std::abs(squares / (spread * spread) - 1) < 0.2);
    BOOST_TEST(std::abs(errors / squares - 1) < 0.25);
    const std::vector<double> linear{1, 2, 3, 6};
    const Estimate plain = jackknife(linear, 1, [](auto means) { return means[0]; });
    BOOST_TEST(std::abs(plain.mean - 3) < 1e-14);
    BOOST_TEST(std::abs(plain.error - mean_of(linear).error) < 1e-14);
}
