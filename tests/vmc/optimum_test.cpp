// Optimises gap and chemical potential of 26 sites with two holes. Three starts lead to the same optimum, within the
// errors that the optimisation gives. The valley is ten times flatter along its direction than across it.
#define BOOST_TEST_MODULE vmc_optimum
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runs.hpp"
#include "vmc/optimiser.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

struct Found {
    Optimum optimum;
    statistics::Estimate energy;
};

Found optimum_from(Context& context, double delta, double mu, std::int64_t seed) {
    Optimisation optimisation;
    optimisation.problem = tilted_problem(5, 24);
    optimisation.problem.pair.delta = delta;
    optimisation.problem.pair.mu = mu;
    optimisation.problem.bins = 32;
    optimisation.problem.sweeps_per_bin = 100;
    optimisation.problem.seed = seed;
    optimisation.time = 0.5;
    Optimiser optimiser(context, optimisation);
    optimiser.run({});
    BOOST_TEST(optimiser.converged());
    const Optimum optimum = optimiser.optimum();
    Problem there = optimisation.problem;
    for (std::size_t a = 0; a < variational_parameters; ++a) parameter_of(there.pair, a) = optimum.parameters[a].mean;
    there.sweeps_per_bin = 4000;
    Solver solver(context, there);
    solver.run({});
    const statistics::Estimate energy = solver.averages().energy;
    const auto& [d, m, t1, t2] = optimum.parameters;
    BOOST_TEST_MESSAGE("(" << delta << ", " << mu << ") -> (" << d.mean << " +- " << d.error << ", " << m.mean << " +- "
                           << m.error << ") in " << optimiser.steps().size() << " steps, energy " << energy.mean
                           << " +- " << energy.error << ", to be gained " << optimum.gain << "; curvature "
                           << optimum.curvature[0][0] << " " << optimum.curvature[0][1] << " "
                           << optimum.curvature[1][1]);
    return {optimum, energy};
}

// Returns chi^2 of two degrees of freedom for the difference of two optima, from both covariances.
double chi_square(const Optimum& x, const Optimum& y) {
    const double d = x.parameters[0].mean - y.parameters[0].mean, m = x.parameters[1].mean - y.parameters[1].mean;
    const auto c = [&](std::size_t a, std::size_t b) { return x.covariance[a][b] + y.covariance[a][b]; };
    return (c(1, 1) * d * d - 2 * c(0, 1) * d * m + c(0, 0) * m * m) / (c(0, 0) * c(1, 1) - c(0, 1) * c(0, 1));
}

}  // namespace

BOOST_AUTO_TEST_CASE(optimum_of_26_sites) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::silent;
    Context context(options);
    constexpr double energy_at_seed = -0.480060581975;  // exact energy for Delta = 1.5, mu = 0
    std::vector<Found> all;
    all.push_back(optimum_from(context, 1.5, 0.0, 1000));
    all.push_back(optimum_from(context, 1.0, -0.4, 2000));
    all.push_back(optimum_from(context, 0.7, 0.8, 3000));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [optimum, energy] = all[i];
        BOOST_TEST(energy.mean < energy_at_seed - 10 * energy.error);
        BOOST_TEST(optimum.gain < energy.error);
        for (std::size_t a = 0; a < 2; ++a) {
            BOOST_TEST(optimum.parameters[a].error > 0);
            BOOST_TEST(optimum.parameters[a].error < 0.05);
        }
        for (std::size_t j = 0; j < i; ++j) {
            BOOST_TEST(std::abs(energy.mean - all[j].energy.mean) < 3 * std::hypot(energy.error, all[j].energy.error));
            const double off = chi_square(optimum, all[j].optimum);
            BOOST_TEST_MESSAGE("starts " << j << ", " << i << ": chi^2 " << off);
            BOOST_TEST(off < 11.8);  // three standard deviations, for two degrees of freedom
        }
    }
}
