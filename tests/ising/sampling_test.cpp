// Compares averages and errors of Metropolis' algorithm, as the solver returns them, with exact averages.
#define BOOST_TEST_MODULE ising_sampling
#include "sampling.hpp"
#include "../uniformity.hpp"

#include "kaufman.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

Problem problem_of(const Lattice& lattice, const std::vector<double>& betas) {
    Problem problem;
    problem.lattice = lattice;
    problem.betas = betas;
    problem.start = Start::random;
    problem.thermalisation = 500;
    problem.measurements_per_bin = 2500;
    return problem;
}

BOOST_AUTO_TEST_CASE(every_observable_of_small_lattices) {
    for (const Case& c : small_lattices()) {
        Problem problem = problem_of(c.lattice, c.betas);
        problem.replicas = 128;
        Solver solver(cpu_context(), problem);
        solver.run({});
        for (std::size_t i = 0; i < c.betas.size(); ++i) {
            const Expected expected(exact::averages(c.torus, c.betas[i]), c.betas[i],
                                    static_cast<double>(sites_of(c.lattice)));
            const auto pairs = pairs_of(solver.averages(i), expected);
            BOOST_TEST_CONTEXT(c.lattice.extents[0] << " x " << c.lattice.extents[1] << " x " << c.lattice.extents[2]
                                                    << ", beta " << c.betas[i])
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                // Cumulants may be small, so their bound is absolute. A GPU resolves a tenth of these bounds
                // (large_sampling_test.cpp).
                constexpr double relative[] = {1e-3, 4e-3, 1e-3, 1e-3, 2e-3, 4e-3};
                require_near(names_of_pairs[k], pairs[k].first, pairs[k].second, 4,
                             k == 6 ? 1e-3 : relative[k] * std::fabs(pairs[k].second));
            }
        }
    }
}

// Over a hundred runs, deviations in units of the errors must be distributed as normal numbers.
void compare_seeds(Algorithm algorithm, int replicas) {
    const Case c = small_lattices()[0];
    std::vector<std::vector<double>> chances(7 * c.betas.size());
    for (std::int64_t seed = 1; seed <= 100; ++seed) {
        Problem problem = problem_of(c.lattice, c.betas);
        problem.algorithm = algorithm;
        problem.seeds = {seed};
        problem.replicas = replicas;
        problem.measurements_per_bin = 400;
        Solver solver(cpu_context(), problem);
        solver.run({});
        for (std::size_t i = 0; i < c.betas.size(); ++i) {
            const auto pairs =
                pairs_of(solver.averages(i), Expected(exact::averages(c.torus, c.betas[i]), c.betas[i], 16));
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                const double deviation = (pairs[k].first.mean - pairs[k].second) / pairs[k].first.error;
                chances[7 * i + k].push_back(std::erfc(-deviation / std::sqrt(2.0)) / 2);
            }
        }
    }
    for (std::size_t i = 0; i < chances.size(); ++i)
        BOOST_TEST(legato::tests::uniformity(chances[i]) > 0.01, names_of_pairs[i % 7]
                                                                     << " at beta " << c.betas[i / 7] << ": "
                                                                     << legato::tests::uniformity(chances[i]));
}
BOOST_AUTO_TEST_CASE(errors_of_a_hundred_seeds) {
    compare_seeds(Algorithm::metropolis, 8);
}
BOOST_AUTO_TEST_CASE(errors_of_a_hundred_seeds_with_demons) {
    compare_seeds(Algorithm::demon_naive, 32);
    compare_seeds(Algorithm::demon_binomial, 32);
}

// Tests lattices in which every spin may have as many neighbours up as down, fields, and an antiferromagnet in a field.
BOOST_AUTO_TEST_CASE(two_by_two_and_fields) {
    struct Run {
        unsigned width;
        double beta, field;
    };
    for (const Run& run : {Run{2, 0.15, 0}, Run{4, 0.05, 0}, Run{4, 0.3, 0.2}, Run{4, -0.3, 1.5}, Run{4, 0.3, -2}}) {
        for (const Start start : {Start::up, Start::random}) {
            Problem problem = problem_of({2, {run.width, run.width, 1}, {}}, {run.beta});
            problem.thermalisation = 50000;
            problem.field = run.field;
            problem.replicas = 64;
            problem.start = start;
            Solver solver(cpu_context(), problem);
            solver.run({});
            const Averages averages = solver.averages(0);
            const Enumerated exact = enumerate(run.width, run.width, run.beta, run.field);
            BOOST_TEST_CONTEXT("width " << run.width << ", beta " << run.beta << ", field " << run.field) {
                require_near("energy", averages.energy, exact.energy, 4, 1e-2);
                if (run.field != 0) require_near("m", averages.magnetisation, exact.magnetisation, 4, 3e-3);
                require_near("m^2", averages.magnetisation_2, exact.magnetisation_2, 4, 1e-2);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(kaufmans_formula) {
    const double table[][4] = {{32, 0.40, -1.107291661, 0.8858125},
                               {32, 0.4406868, -1.433658528, 1.8467674},
                               {64, 0.4406868, -1.423938463, 2.1922111},
                               {64, 0.46, -1.581175865, 1.2536903}};
    for (const auto& [length, beta, energy, heat] : table) {
        const Kaufman k = kaufman(static_cast<int>(length), beta);
        BOOST_TEST(std::fabs(k.energy - energy) < 1e-9);
        BOOST_TEST(std::fabs(k.specific_heat - heat) < 1e-7);
    }
    Problem problem = problem_of({2, {32, 32, 1}, {}}, {0.40, 0.4406868});
    problem.start = Start::up;
    problem.thermalisation = 5000;
    problem.replicas = 64;
    problem.sweeps_per_measurement = 10;
    problem.measurements_per_bin = 300;
    Solver solver(cpu_context(), problem);
    solver.run({});
    for (std::size_t i = 0; i < 2; ++i) {
        const Kaufman k = kaufman(32, problem.betas[i]);
        require_near("energy", solver.averages(i).energy, k.energy, 3, 3e-4 * std::fabs(k.energy));
        require_near("specific heat", solver.averages(i).specific_heat, k.specific_heat, 3, 1e-2 * k.specific_heat);
    }
}

// Compares clusters with Metropolis' algorithm on lattices that are too large for an enumeration.
void compare_with_metropolis(const Lattice& lattice, double beta, std::int64_t sweeps) {
    const auto averages_of = [&](Algorithm algorithm) {
        Problem problem = problem_of(lattice, {beta});
        problem.algorithm = algorithm;
        problem.start = Start::up;
        problem.replicas = 16;
        const std::int64_t shorter = algorithm == Algorithm::metropolis ? 1 : algorithm == Algorithm::wolff ? 20 : 100;
        problem.thermalisation = problem.measurements_per_bin = std::max<std::int64_t>(sweeps / shorter, 400);
        Solver solver(cpu_context(), problem);
        solver.run({});
        BOOST_TEST(!solver.averages(0).bins_are_short);
        return solver.averages(0);
    };
    const auto values_of = [](const Averages& from) {
        return std::vector<statistics::Estimate>{
            from.energy,          from.specific_heat,   from.absolute_magnetisation,
            from.magnetisation_2, from.magnetisation_4, from.susceptibility,
            from.binder};
    };
    const auto expected = values_of(averages_of(Algorithm::metropolis));
    for (const Algorithm algorithm : {Algorithm::swendsen_wang, Algorithm::wolff}) {
        const auto found = values_of(averages_of(algorithm));
        for (std::size_t k = 0; k < found.size(); ++k) {
            const double error = std::hypot(found[k].error, expected[k].error),
                         deviation = (found[k].mean - expected[k].mean) / error;
            BOOST_TEST(std::fabs(deviation) < 4,
                       names_of_pairs[k] << " of " << lattice.extents[0] << "^" << lattice.dimension << ", algorithm "
                                         << static_cast<int>(algorithm) << ": " << deviation << " errors");
        }
        BOOST_TEST_MESSAGE("L = " << lattice.extents[0] << ": <m^2> " << found[3].mean << " +- " << found[3].error
                                  << ", Metropolis " << expected[3].mean << " +- " << expected[3].error);
    }
}
BOOST_AUTO_TEST_CASE(clusters_and_metropolis) {
    compare_with_metropolis({2, {16, 16, 1}, {}}, critical_beta, 20000);
    compare_with_metropolis({3, {16, 16, 16}, {}}, 0.2216546, 20000);
    compare_with_metropolis({3, {32, 32, 32}, {}}, 0.2216546, 40000);
}

BOOST_AUTO_TEST_CASE(correlations) {
    constexpr double beta = 0.35;
    const Enumerated exact = enumerate(4, 4, beta, 0);
    Problem problem = problem_of({2, {4, 4, 1}, {}}, {beta});
    problem.replicas = 64;
    problem.correlations = true;
    Solver solver(cpu_context(), problem);
    solver.run({});
    for (const int axis : {0, 1}) {
        const CorrelationFunction function = solver.correlation_function(0, axis);
        BOOST_TEST_REQUIRE(function.size() == 3U);
        BOOST_TEST(function[0].mean == 1.0);
        require_near("r = 1", function[1], -exact.energy / 2, 4, 1e-3);
        require_near("r = 2", function[2], exact.at_distance_2, 4, 1e-3);
    }
}

}  // namespace
