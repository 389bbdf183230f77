// The model by which AUTO chooses against what was measured, and what demons' draws count in it.
#define BOOST_TEST_MODULE ising_cost_model
#include <boost/test/unit_test.hpp>

#include "ising/cost_model.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

Problem of_demons(Algorithm algorithm, std::int64_t extent = 512, int replicas = 32) {
    Problem problem;
    problem.lattice.extents = {extent, extent, 1};
    problem.algorithm = algorithm;
    problem.replicas = replicas;
    problem.thermalisation = 0;
    return problem;
}

Context one_thread() {
    return Context({.backend = Backend::cpu, .threads = 1, .log_level = LogLevel::silent});
}

double in_sweeps(const Problem& problem) {
    const Context context = one_thread();
    return cpu_sweep_seconds(context, Model(problem)) /
           cpu_sweep_seconds(context, Model(of_demons(Algorithm::demon_microcanonical)));
}

}  // namespace

// benchmarks/results/2026-11-22-h200-ising.md: picoseconds for each spin of a sweep, with a draw after it.
BOOST_AUTO_TEST_CASE(within_a_factor_of_two_on_an_h200) {
    const struct {
        std::int64_t extent;
        int replicas;
        double naive, binomial;
    } measured[] = {{128, 32, 17.15, 23.35}, {256, 32, 6.03, 7.82},  {512, 32, 2.11, 2.87},
                    {1024, 32, 1.45, 1.04},  {2048, 32, 1.38, 0.72}, {64, 33792, 1.24, 0.86}};
    for (const auto& m : measured) {
        for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
            const Model model(of_demons(algorithm, m.extent, m.replicas));
            const double spins = static_cast<double>(model.sites()) * m.replicas,
                         ratio = cuda_sweep_seconds(model) / spins * 1e12 /
                                 (algorithm == Algorithm::demon_naive ? m.naive : m.binomial);
            BOOST_TEST_CONTEXT(m.extent << "^2, " << m.replicas << " systems, algorithm "
                                        << static_cast<int>(algorithm)) {
                BOOST_TEST(ratio > 0.5);
                BOOST_TEST(ratio < 2);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(draws_by_their_interval) {
    const auto close = boost::test_tools::tolerance(1e-3);
    Problem problem = of_demons(Algorithm::demon_naive);
    BOOST_TEST(in_sweeps(problem) == 3, close);
    problem.refresh_interval = 10;
    BOOST_TEST(in_sweeps(problem) == 1.2, close);
    problem.algorithm = Algorithm::demon_binomial;
    BOOST_TEST(in_sweeps(problem) == 1.1, close);
    problem.refresh_interval = sweeps_of(problem) + 1;  // never
    BOOST_TEST(in_sweeps(problem) == 1, close);
}

// In the thermalisation only, binomially: here a quarter of the run.
BOOST_AUTO_TEST_CASE(draws_of_microcanonical_runs) {
    Problem problem = of_demons(Algorithm::demon_microcanonical);
    problem.thermalisation = measurements_of(problem) / 3;
    BOOST_TEST(in_sweeps(problem) == 1.25, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(whole_runs) {
    const Context context = one_thread();
    const Model model(of_demons(Algorithm::demon_naive));
    BOOST_TEST(cpu_seconds(context, model) == 32000 * cpu_sweep_seconds(context, model),
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(cuda_seconds(context, model) > 1e300);  // where the CPU is asked for
}
