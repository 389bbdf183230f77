// Gap and chemical potential of 26 sites with two holes, from three starts. The valley is flat: energies tell more than
// the parameters where it ends.
#define BOOST_TEST_MODULE vmc_optimum
#include <boost/test/unit_test.hpp>

#include "runs.hpp"
#include "vmc/optimiser.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

BOOST_AUTO_TEST_CASE(optimum_of_26_sites) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::silent;
    Context context(options);
    constexpr double energy_at_seed = -0.480060581975;  // Delta = 1.5, mu = 0
    std::vector<statistics::Estimate> energies;
    for (const auto& [delta, mu] : {std::pair{1.5, 0.0}, {1.0, -0.4}, {0.7, 0.8}}) {
        Optimisation optimisation;
        optimisation.problem = tilted_problem(5, 24);
        optimisation.problem.pair.delta = delta;
        optimisation.problem.pair.mu = mu;
        optimisation.problem.bins = 32;
        optimisation.problem.sweeps_per_bin = 1000;
        optimisation.problem.seed = 11;
        Optimiser optimiser(context, optimisation);
        optimiser.run({});
        BOOST_TEST(optimiser.converged());
        Problem found = optimisation.problem;
        for (std::size_t a = 0; a < variational_parameters; ++a)
            parameter_of(found.pair, a) = optimiser.parameters()[a];
        found.sweeps_per_bin = 4000;
        Solver solver(context, found);
        solver.run({});
        energies.push_back(solver.averages().energy);
        BOOST_TEST_MESSAGE("(" << delta << ", " << mu << ") -> (" << found.pair.delta << ", " << found.pair.mu
                               << ") in " << optimiser.steps().size() << " steps, energy " << energies.back().mean
                               << " +- " << energies.back().error);
        BOOST_TEST(energies.back().mean < energy_at_seed - 10 * energies.back().error);
    }
    for (const statistics::Estimate& energy : energies)
        BOOST_TEST(std::abs(energy.mean - energies[0].mean) < 4 * std::hypot(energy.error, energies[0].error));
}
