// Compares errors with known spreads.
#define BOOST_TEST_MODULE statistics
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "statistics/autocorrelation.hpp"
#include "statistics/estimate.hpp"
#include "statistics/variance_ratio.hpp"

using namespace legato::statistics;

namespace {

// Returns series x' = memory x + noise of unit variance. Their integrated autocorrelation time is (1 + memory) / (1 -
// memory) / 2.
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

// Unknown means and errors are NaN. An error of 0 is only for values that do not vary.
BOOST_AUTO_TEST_CASE(few_values) {
    const std::vector<double> four{1, 2, 3, 6};
    BOOST_TEST(std::isnan(mean_of({}).mean));
    BOOST_TEST(std::isnan(mean_of({}).error));
    BOOST_TEST(mean_of(std::span(four).first(1)).mean == 1.0);
    BOOST_TEST(std::isnan(mean_of(std::span(four).first(1)).error));
    BOOST_TEST(mean_of(four).mean == 3.0);
    BOOST_TEST(std::abs(mean_of(four).error - std::sqrt(14.0 / 12)) < 1e-15);
    BOOST_TEST(binning(four).estimate.error == mean_of(four).error);
    BOOST_TEST(binning(four).errors.size() == 1u);
    BOOST_TEST(std::isnan(binning({}).estimate.error));
    BOOST_TEST(binning(std::span(four).first(1)).estimate.mean == 1.0);
    BOOST_TEST(std::isnan(binning(std::span(four).first(1)).estimate.error));
    BOOST_TEST(std::isnan(binning(std::span(four).first(1)).autocorrelation_time));
    const std::vector<double> same(100, 2.5);
    BOOST_TEST(binning(same).estimate.error == 0.0);
    BOOST_TEST(std::isnan(binning(same).autocorrelation_time));
    BOOST_TEST(std::isnan(integrated_autocorrelation_time(same).mean));
    BOOST_TEST(std::isnan(integrated_autocorrelation_time(same).error));
    BOOST_TEST(std::isnan(integrated_autocorrelation_time(four, 4).mean));
    BOOST_TEST(std::isnan(integrated_autocorrelation_time(std::span(four).first(1)).mean));
    const auto itself = [](std::span<const double> m) { return m[0]; };
    BOOST_TEST(jackknife(std::span(four).first(1), 1, itself).mean == 1.0);
    BOOST_TEST(std::isnan(jackknife(std::span(four).first(1), 1, itself).error));
    BOOST_TEST(std::isnan(binned_jackknife(std::span(four).first(1), 1, 1, itself).error));
    // 1 / mean has no value without the 4, so the error is unknown, but the value is known.
    const std::vector<double> zeros{0, 0, 4, 0};
    const auto inverse = [](std::span<const double> m) { return 1 / m[0]; };
    BOOST_TEST(jackknife(zeros, 1, inverse).mean == 1.0);
    BOOST_TEST(std::isnan(jackknife(zeros, 1, inverse).error));
}

// Tests one series and many, with short and long correlations.
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

// The deviations of means from the true one agree with their errors.
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

// Computes the variance of numbers from their means and the means of their squares. The jackknife removes the bias
// 1 / count.
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

namespace {

// Returns the standard error of the mean from bins of so many values. No bin extends over two series.
double error_from_bins(const std::vector<double>& values, std::size_t series, std::size_t bin) {
    const std::size_t length = values.size() / series;
    std::vector<double> means;
    for (std::size_t s = 0; s < series; ++s) {
        for (std::size_t b = 0; b < length / bin; ++b) {
            double sum = 0;
            for (std::size_t i = 0; i < bin; ++i) sum += values[s * length + b * bin + i];
            means.push_back(sum / static_cast<double>(bin));
        }
    }
    double mean = 0, squares = 0;
    const auto n = static_cast<double>(means.size());
    for (const double m : means) mean += m / n;
    for (const double m : means) squares += (m - mean) * (m - mean);
    return std::sqrt(squares / (n * (n - 1)));
}

// Computes U. Wolff's estimator, equations (31), (35), (42), (49), (51) and (52) of Comput. Phys. Commun. 156, 143
// (2004). Its sums are over all pairs of values at one distance, series by series.
Estimate wolff(const std::vector<double>& values, std::size_t series) {
    const std::size_t length = values.size() / series;
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double v : values) mean += v / n;
    const auto gamma = [&](std::size_t t) {
        double sum = 0, pairs = 0;
        for (std::size_t i = 0; i + t < values.size(); ++i) {
            if (i / length != (i + t) / length) continue;
            sum += (values[i] - mean) * (values[i + t] - mean);
            ++pairs;
        }
        return sum / pairs;
    };
    double time = 0.5;
    for (std::size_t w = 1; w < length; ++w) {
        time += gamma(w) / gamma(0);
        const double tau = time <= 0.5 ? 1e-10 : 1.5 / std::log((2 * time + 1) / (2 * time - 1)),
                     window = static_cast<double>(w);
        if (std::exp(-window / tau) >= tau / std::sqrt(window * n) && w + 1 < length) continue;
        const double corrected = time * (1 + (2 * window + 1) / n);
        return {corrected, corrected * std::sqrt(4 / n * (window + 0.5))};
    }
    return {};
}

}  // namespace

// Compares levels with their definition, for series with different means and odd lengths, and the chosen level with
// that of R. M. Lee et al.
BOOST_AUTO_TEST_CASE(levels_of_bins) {
    std::mt19937_64 random(17);
    for (const double memory : {0.0, 0.7, 0.97, 0.995}) {
        for (const std::size_t series : {1u, 3u, 40u}) {
            const std::size_t length = 11 + 12000 / series;
            std::vector<double> values = correlated(random, series, length, memory);
            const Binning found = binning(values, series);
            std::vector<double> errors;
            for (std::size_t bin = 1; bin == 1 || (length / bin * series >= 32 && bin <= length); bin *= 2)
                errors.push_back(error_from_bins(values, series, bin));
            BOOST_TEST_REQUIRE(found.errors.size() == errors.size());
            std::size_t taken = errors.size();
            for (std::size_t k = 0; k < errors.size(); ++k) {
                BOOST_TEST(std::abs(found.errors[k] / errors[k] - 1) < 1e-9);
                const double bin = std::ldexp(1.0, static_cast<int>(k)), ratio = errors[k] / errors[0];
                const bool long_enough =
                    bin * bin * bin > 2 * static_cast<double>(values.size()) * ratio * ratio * ratio * ratio;
                if (taken == errors.size() && (long_enough || k + 1 == errors.size())) taken = k;
            }
            BOOST_TEST(!found.series_differ);
            BOOST_TEST(std::abs(found.estimate.error / errors[taken] - 1) < 1e-9);
            const double time = errors[taken] * errors[taken] / (errors[0] * errors[0]) / 2;
            BOOST_TEST(std::abs(found.autocorrelation_time / time - 1) < 1e-9);
        }
    }
}

// Tests the error by chi^2 over many runs, for short and long correlations, and for one series and several.
BOOST_AUTO_TEST_CASE(errors_of_long_correlations) {
    std::mt19937_64 random(23);
    constexpr int runs = 400;
    for (const double memory : {0.0, 0.95}) {
        for (const std::size_t series : {1u, 5u}) {
            double squares = 0;
            for (int run = 0; run < runs; ++run) {
                const Estimate e = binning(correlated(random, series, 30000 / series, memory), series).estimate;
                squares += e.mean * e.mean / (e.error * e.error) / runs;
            }
            BOOST_TEST_MESSAGE("memory " << memory << ", " << series << " series: " << squares);
            BOOST_TEST(std::abs(squares - 1) < 4 * std::sqrt(2.0 / runs));
        }
    }
}

BOOST_AUTO_TEST_CASE(autocorrelation_times) {
    std::mt19937_64 random(29);
    for (const double memory : {0.0, 0.5, 0.9})
        for (const std::size_t series : {1u, 4u}) {
            const std::vector<double> values = correlated(random, series, 600, memory);
            const Estimate found = integrated_autocorrelation_time(values, series), expected = wolff(values, series);
            BOOST_TEST(std::abs(found.mean / expected.mean - 1) < 1e-9);
            BOOST_TEST(std::abs(found.error / expected.error - 1) < 1e-9);
        }
    // The times have no bias, and their deviations agree with their errors. For independent values, subtracting the
    // mean of the same values reduces the sum by (2 W + 1) / 2 n.
    constexpr int runs = 4000, length = 100;
    double mean = 0, squares = 0, errors = 0;
    for (int run = 0; run < runs; ++run) {
        const Estimate e = integrated_autocorrelation_time(correlated(random, 1, length, 0));
        mean += e.mean / runs;
        squares += (e.mean - 0.5) * (e.mean - 0.5) / runs;
    }
    BOOST_TEST_MESSAGE("independent values: " << mean << " +- " << std::sqrt(squares / runs));
    BOOST_TEST(std::abs(mean - 0.5) < 0.01);
    constexpr double memory = 0.8, time = (1 + memory) / (1 - memory) / 2;
    squares = 0;
    constexpr int long_runs = 300;
    for (int run = 0; run < long_runs; ++run) {
        const Estimate e = integrated_autocorrelation_time(correlated(random, 2, 4000, memory), 2);
        squares += (e.mean - time) * (e.mean - time) / long_runs;
        errors += e.error * e.error / long_runs;
    }
    BOOST_TEST_MESSAGE("spread^2 / error^2 of times: " << squares / errors);
    BOOST_TEST(std::abs(squares / errors - 1) < 0.3);
}

// Compares with quantiles of the F distribution from tables (E. S. Pearson and H. O. Hartley, Biometrika tables for
// statisticians), and with the closed forms for 2 degrees of freedom.
BOOST_AUTO_TEST_CASE(variance_ratios) {
    BOOST_TEST(std::abs(exceedance(161.4476, 1, 1) - 0.05) < 1e-6);
    BOOST_TEST(std::abs(exceedance(4.102821, 2, 10) - 0.05) < 1e-6);
    BOOST_TEST(std::abs(exceedance(3.325835, 5, 10) - 0.05) < 1e-6);
    BOOST_TEST(std::abs(exceedance(2.978237, 10, 10) - 0.05) < 1e-6);
    for (const double ratio : {0.1, 1.0, 3.0, 30.0}) {
        for (const double m : {1.0, 7.0, 1000.0})
            BOOST_TEST(std::abs(exceedance(ratio, 2, m) / std::pow(1 + 2 * ratio / m, -m / 2) - 1) < 1e-10);
        BOOST_TEST(std::abs(exceedance(ratio, 6, 9) + exceedance(1 / ratio, 9, 6) - 1) < 1e-12);
    }
    BOOST_TEST(exceedance(std::numeric_limits<double>::infinity(), 3, 3) == 0.0);
}

// Each series fluctuates about its own value. Only the means of the series show the error.
BOOST_AUTO_TEST_CASE(series_that_differ) {
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    constexpr int runs = 400, series = 12;
    double squares = 0;
    int found = 0, mistaken = 0;
    for (int run = 0; run < runs; ++run) {
        std::vector<double> values = correlated(random, series, 256, 0.6);
        mistaken += binning(values, series).series_differ;
        for (std::size_t s = 0; s < series; ++s) {
            const double own = 2 * normal(random);
            for (std::size_t i = 0; i < 256; ++i) values[s * 256 + i] += own;
        }
        const Binning b = binning(values, series);
        found += b.series_differ;
        squares += b.estimate.mean * b.estimate.mean / (b.estimate.error * b.estimate.error) / runs;
    }
    BOOST_TEST(found == runs);
    BOOST_TEST(mistaken <= 4);
    const double expected = (series - 1.0) / (series - 3);  // expected t^2
    BOOST_TEST_MESSAGE("series that differ: " << squares << " (" << expected << ")");
    BOOST_TEST(std::abs(squares - expected) < 0.5);
    const std::vector<double> trapped{1, 1, 1, 1, -1, -1, -1, -1};
    BOOST_TEST(binning(trapped, 2).series_differ);
    BOOST_TEST(binning(trapped, 2).estimate.error == 1.0);
    BOOST_TEST(means_of_series(trapped, 2) == (std::vector<double>{1, -1}), boost::test_tools::per_element());
}
