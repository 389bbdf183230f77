// Analytic limits. Statistical ones are tested in units of the standard error that the library itself reports.
#define BOOST_TEST_MODULE tmm_limits
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

struct Length {
    double value, error;
};

Length localisation_length(Problem p, double energy, double disorder, std::int64_t cycles) {
    p.epsilon = 1e-12;
    p.max_multiplications = cycles * p.n_ortho;
    Context context = tests::make_context(Backend::cpu);
    Solver solver(context, p, {{energy, disorder}});
    solver.run({});
    const PointResult r = solver.result(0);
    return {1 / r.exponents[0], r.errors[0] / r.exponents[0]};
}

Problem chain() {
    Problem p;
    p.dimension = 1;
    p.boundary = Boundary::hard_wall;
    p.n_ortho = 20;
    return p;
}

}  // namespace

// Thouless: lambda = 24 (4 - E^2) / W^2; higher orders in W shift it by well under 1 % at W = 0.5.
BOOST_AUTO_TEST_CASE(weak_disorder_chain) {
    const Length l = localisation_length(chain(), 1.0, 0.5, 10'000'000);
    const double theory = 24 * 3 / 0.25;
    BOOST_TEST_MESSAGE("lambda " << l.value << " +- " << l.error << ", theory " << theory);
    BOOST_TEST(std::fabs(l.value / theory - 1) < 0.015);
    BOOST_TEST(l.error < 0.004 * theory);
}

// Kappus and Wegner: at E = 0 the length is 105.05 / W^2, not 96 / W^2.
BOOST_AUTO_TEST_CASE(band_centre_anomaly) {
    const Length l = localisation_length(chain(), 0.0, 0.5, 30'000'000);
    BOOST_TEST_MESSAGE("lambda " << l.value << " +- " << l.error);
    BOOST_TEST(std::fabs(l.value / (105.05 / 0.25) - 1) < 0.01);
    BOOST_TEST(std::fabs(l.value - 96 / 0.25) > 10 * l.error);
}

// Without disorder and outside the band every channel decays as arccosh(|E - band| / 2).
BOOST_AUTO_TEST_CASE(clean_strip) {
    Problem p = tests::legacy_problem(2, 5, Boundary::periodic);
    p.epsilon = 1e-12;
    p.max_multiplications = 200000;
    Context context = tests::make_context(Backend::cpu);
    Solver solver(context, p, {{5.0, 0.0}});
    solver.run({});
    const PointResult r = solver.result(0);
    std::vector<double> exact;
    for (int k = 0; k < 5; ++k) exact.push_back(std::acosh((5.0 - 2 * std::cos(2 * M_PI * k / 5)) / 2));
    std::sort(exact.begin(), exact.end());
    // The start vectors' transient dies as 1 / length.
    for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::fabs(r.exponents[i] - exact[i]) < 1e-4);
}

// Runs on different streams scatter as their errors say: chi-square over 50 seeds, five sigma.
BOOST_AUTO_TEST_CASE(errors_are_honest_and_streams_agree) {
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::philox}) {
        double chi2 = 0;
        constexpr int runs = 50;
        std::vector<double> values, errors;
        for (int seed = 1; seed <= runs; ++seed) {
            Problem p = tests::legacy_problem(2, 3, Boundary::periodic);
            p.random_stream = stream;
            p.seed = seed;
            const Length l = localisation_length(p, 0.7, 4.0, 4000);
            values.push_back(l.value);
            errors.push_back(l.error);
        }
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / runs;
        for (int i = 0; i < runs; ++i) chi2 += std::pow((values[i] - mean) / errors[i], 2);
        BOOST_TEST_MESSAGE("mean " << mean << ", chi2 " << chi2 << " for " << runs - 1);
        BOOST_TEST(std::fabs(chi2 - (runs - 1)) < 5 * std::sqrt(2.0 * (runs - 1)));
    }
}
