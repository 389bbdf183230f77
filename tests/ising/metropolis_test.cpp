// Compares Metropolis' algorithm on the CPU with one spin at a time, which must be bitwise identical, and measurements
// with plain sums.
#define BOOST_TEST_MODULE ising_metropolis
#include <boost/test/unit_test.hpp>

#include "ising/solver.hpp"
#include "naive.hpp"

namespace legato::ising {
namespace {

constexpr auto periodic = Boundary::periodic, antiperiodic = Boundary::antiperiodic;

Problem problem_of(const Lattice& lattice, std::vector<double> betas, double field = 0) {
    Problem p;
    p.lattice = lattice;
    p.betas = std::move(betas);
    p.field = field;
    p.seeds = {12345, -7};
    p.replicas = 2;
    p.start = Start::random;
    p.thermalisation = 3;
    p.measurements_per_bin = 2;
    p.sweeps_per_measurement = 2;
    p.bins = 3;
    p.time_series = p.correlations = true;
    return p;
}

void compare(const Problem& problem, int threads) {
    Context context = naive::cpu_context(threads);
    Solver solver(context, problem);
    solver.run({});
    const double sites = static_cast<double>(sites_of(problem.lattice));
    for (std::size_t system = 0; system < systems_of(problem); ++system) {
        const std::size_t replica = system % 2, seed = system / 2 % 2, beta = system / 4;
        naive::System naive{problem.lattice,
                            problem.betas[beta],
                            problem.field,
                            static_cast<std::uint64_t>(problem.seeds[seed]),
                            static_cast<std::uint32_t>(2 * beta + replica),
                            {}};
        naive.start(true);
        const TimeSeries series = solver.time_series(system);
        BOOST_TEST_REQUIRE(series.energy.size() == 6U);
        std::size_t measurement = 0;
        for (std::int64_t sweep = 0; sweep < sweeps_of(problem); ++sweep) {
            naive.sweep(sweep);
            if (sweep < problem.thermalisation || (sweep - problem.thermalisation) % 2 == 0) continue;
            const auto m = static_cast<double>(naive.magnetisation()), bonds = static_cast<double>(naive.bonds());
            BOOST_TEST(series.magnetisation[measurement] == m / sites);
            BOOST_TEST(series.energy[measurement] == -(bonds + problem.field * m) / sites);
            ++measurement;
        }
        const std::vector<std::int8_t> spins = solver.spins(system);
        BOOST_TEST(std::equal(spins.begin(), spins.end(), naive.spins.begin(), naive.spins.end()));
    }
}

BOOST_AUTO_TEST_CASE(square_lattices) {
    compare(problem_of({2, {4, 4, 1}, {}}, {0.3, 0.44, 0.6}), 1);
    compare(problem_of({2, {62, 34, 1}, {antiperiodic, antiperiodic, periodic}}, {0.44}), 2);
    compare(problem_of({2, {34, 62, 1}, {periodic, antiperiodic, periodic}}, {0.01, 2.0}), 2);
    compare(problem_of({2, {134, 18, 1}, {}}, {0.44}), 3);
}
BOOST_AUTO_TEST_CASE(cubic_lattices) {
    compare(problem_of({3, {2, 2, 4}, {}}, {0.2, 0.3}), 1);
    compare(problem_of({3, {34, 6, 10}, {antiperiodic, periodic, antiperiodic}}, {0.22}), 2);
    compare(problem_of({3, {66, 2, 4}, {periodic, antiperiodic, periodic}}, {0.22}), 2);
}
BOOST_AUTO_TEST_CASE(fields_and_negative_temperatures) {
    compare(problem_of({2, {10, 12, 1}, {antiperiodic, periodic, periodic}}, {0.44, -0.3, 1e-17}, 0.7), 1);
    compare(problem_of({2, {10, 12, 1}, {}}, {0.44, -0.3}, -2), 1);
    compare(problem_of({2, {10, 12, 1}, {}}, {-0.44, 1e-17, 0.4}), 1);
    compare(problem_of({3, {4, 12, 6}, {periodic, periodic, antiperiodic}}, {0.22, -0.2}, 1e-3), 1);
}

// The lattice is so large that threads share it. One thread and three threads give the same results.
BOOST_AUTO_TEST_CASE(threads_share_a_lattice) {
    Problem problem = problem_of({2, {1024, 300, 1}, {}}, {0.44});
    problem.seeds = {1};
    problem.replicas = 1;
    std::vector<std::vector<std::int8_t>> spins;
    std::vector<TimeSeries> series;
    for (const int threads : {1, 3}) {
        Context context = naive::cpu_context(threads);
        Solver solver(context, problem);
        solver.run({});
        spins.push_back(solver.spins(0));
        series.push_back(solver.time_series(0));
    }
    BOOST_TEST((spins[0] == spins[1]));
    BOOST_TEST(series[0].energy == series[1].energy);
    BOOST_TEST(series[0].magnetisation == series[1].magnetisation);
}

BOOST_AUTO_TEST_CASE(attempts_are_counted_by_their_environment) {
    Problem problem = problem_of({2, {62, 34, 1}, {}}, {0.44});
    problem.acceptance = true;
    Context context = naive::cpu_context(2);
    Solver solver(context, problem);
    solver.run({});
    const AcceptanceCounts& counts = solver.acceptance();
    std::int64_t attempts = 0;
    for (std::size_t aligned = 0; aligned < 7; ++aligned) {
        for (std::size_t spin = 0; spin < 2; ++spin) {
            attempts += counts.attempts[aligned][spin];
            if (aligned < 2) BOOST_TEST(counts.flips[aligned][spin] == counts.attempts[aligned][spin]);
            const double rested = static_cast<double>(counts.attempts[2][spin] - counts.flips[2][spin]);
            const double expected = static_cast<double>(counts.attempts[2][spin]) / 4096;
            BOOST_TEST(std::fabs(rested - expected) < 4 * std::sqrt(expected));
            if (aligned > 4) BOOST_TEST(counts.attempts[aligned][spin] == 0);
        }
    }
    BOOST_TEST(attempts == 4 * sites_of(problem.lattice) * sweeps_of(problem));
}

}  // namespace
}  // namespace legato::ising
