// Compares averages of clusters with exact ones.
#define BOOST_TEST_MODULE ising_cluster_sampling
#include "../uniformity.hpp"
#include "kaufman.hpp"
#include "sampling.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

// The small lattices, also at a temperature of an antiferromagnet.
std::vector<Case> cases() {
    std::vector<Case> all = small_lattices();
    all[0].betas.push_back(-0.4);
    return all;
}

Problem problem_of(Algorithm algorithm, const Lattice& lattice, const std::vector<double>& betas) {
    Problem problem;
    problem.algorithm = algorithm;
    problem.lattice = lattice;
    problem.betas = betas;
    problem.start = Start::random;
    problem.thermalisation = 100;
    problem.measurements_per_bin = 500;
    return problem;
}

void compare_small_lattices(Algorithm algorithm) {
    for (const Case& c : cases()) {
        Problem problem = problem_of(algorithm, c.lattice, c.betas);
        problem.replicas = algorithm == Algorithm::wolff ? 128 : 64;
        Solver solver(cpu_context(), problem);
        solver.run({});
        for (std::size_t i = 0; i < c.betas.size(); ++i) {
            const Expected expected(exact::averages(c.torus, c.betas[i]), c.betas[i],
                                    static_cast<double>(sites_of(c.lattice)));
            const auto pairs = pairs_of(solver.averages(i), expected);
            BOOST_TEST_CONTEXT(c.lattice.extents[0] << " x " << c.lattice.extents[1] << " x " << c.lattice.extents[2]
                                                    << ", beta " << c.betas[i])
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                constexpr double relative[] = {3e-3, 1e-2, 3e-3, 3e-3, 6e-3, 2e-2};
                require_near(names_of_pairs[k], pairs[k].first, pairs[k].second, 4,
                             k == 6 ? 5e-3 : relative[k] * std::fabs(pairs[k].second));
            }
        }
    }
}
BOOST_AUTO_TEST_CASE(swendsen_wang_on_small_lattices) {
    compare_small_lattices(Algorithm::swendsen_wang);
}
BOOST_AUTO_TEST_CASE(wolff_on_small_lattices) {
    compare_small_lattices(Algorithm::wolff);
}

// Over 64 runs, deviations in units of the errors must be distributed as normal numbers, and their squares as chi^2.
void compare_seeds(Algorithm algorithm) {
    const Case c = cases()[0];
    std::vector<std::vector<double>> deviations(7 * c.betas.size());
    for (std::int64_t seed = 1; seed <= 64; ++seed) {
        Problem problem = problem_of(algorithm, c.lattice, c.betas);
        problem.seeds = {seed};
        problem.replicas = 2;
        problem.measurements_per_bin = 200;
        Solver solver(cpu_context(), problem);
        solver.run({});
        for (std::size_t i = 0; i < c.betas.size(); ++i) {
            const auto pairs =
                pairs_of(solver.averages(i), Expected(exact::averages(c.torus, c.betas[i]), c.betas[i], 16));
            for (std::size_t k = 0; k < pairs.size(); ++k)
                deviations[7 * i + k].push_back((pairs[k].first.mean - pairs[k].second) / pairs[k].first.error);
        }
    }
    for (std::size_t i = 0; i < deviations.size(); ++i) {
        double squares = 0;
        std::vector<double> chances;
        for (const double deviation : deviations[i]) {
            squares += deviation * deviation / 64;
            chances.push_back(std::erfc(-deviation / std::sqrt(2.0)) / 2);
        }
        BOOST_TEST_CONTEXT("algorithm " << static_cast<int>(algorithm) << ", " << names_of_pairs[i % 7] << " at beta "
                                        << c.betas[i / 7]) {
            BOOST_TEST(legato::tests::uniformity(chances) > 1e-3);
            BOOST_TEST(squares > 0.52);  // the band of chi^2 / 64 that has a probability of 99.9 %
            BOOST_TEST(squares < 1.66);
        }
    }
}
BOOST_AUTO_TEST_CASE(errors_of_64_seeds) {
    compare_seeds(Algorithm::swendsen_wang);
    compare_seeds(Algorithm::wolff);
}

BOOST_AUTO_TEST_CASE(fields_and_correlations) {
    struct Run {
        double beta, field;
    };
    for (const Algorithm algorithm : {Algorithm::swendsen_wang, Algorithm::wolff}) {
        for (const Run& run : {Run{0.35, 0}, Run{0.3, 0.2}, Run{-0.3, 1.5}, Run{0.3, -2}, Run{0.01, 0.5}}) {
            Problem problem = problem_of(algorithm, {2, {4, 4, 1}, {}}, {run.beta});
            problem.field = run.field;
            problem.replicas = 32;
            problem.correlations = true;
            Solver solver(cpu_context(), problem);
            solver.run({});
            const Averages averages = solver.averages(0);
            const Enumerated exact = enumerate(4, 4, run.beta, run.field);
            BOOST_TEST_CONTEXT("algorithm " << static_cast<int>(algorithm) << ", beta " << run.beta << ", field "
                                            << run.field) {
                BOOST_TEST(!averages.is_trapped);
                require_near("energy", averages.energy, exact.energy, 4, 1e-2);
                if (run.field != 0) require_near("m", averages.magnetisation, exact.magnetisation, 4, 3e-3);
                require_near("m^2", averages.magnetisation_2, exact.magnetisation_2, 4, 3e-3);
                require_near("m^4", averages.magnetisation_4, exact.magnetisation_4, 4, 3e-3);
                const CorrelationFunction correlations = solver.correlation_function(0, 0);
                require_near("r = 1", correlations[1], exact.at_distance_1, 4, 5e-3);
                require_near("r = 2", correlations[2], exact.at_distance_2, 4, 5e-3);
            }
        }
    }
}

// Returns the error of the mean of a function of m, by bins of 500 measurements.
template <class Function>
double plain_error(const Solver& solver, const Function& function) {
    std::vector<double> means;
    for (std::size_t system = 0; system < systems_of(solver.problem()); ++system) {
        const std::vector<double> m = solver.time_series(system).magnetisation;
        for (std::size_t first = 0; first < m.size(); first += 500) {
            means.push_back(0);
            for (std::size_t i = first; i < first + 500; ++i) means.back() += function(m[i]) / 500;
        }
    }
    return statistics::mean_of(means).error;
}

// Improved estimators have smaller errors than the spins themselves, by a factor of more than ten in the disordered
// phase.
BOOST_AUTO_TEST_CASE(errors_of_improved_estimators) {
    for (const double field : {0.0, 0.02}) {
        Problem problem = problem_of(Algorithm::swendsen_wang, {2, {64, 64, 1}, {}}, {0.2});
        problem.field = field;
        problem.bins = 16;
        problem.time_series = true;
        Solver solver(cpu_context(), problem);
        solver.run({});
        const Averages averages = solver.averages(0);
        const double second = plain_error(solver, [](double m) { return m * m; }),
                     fourth = plain_error(solver, [](double m) { return m * m * m * m; });
        BOOST_TEST(averages.magnetisation_2.error < second / 3);
        BOOST_TEST(averages.magnetisation_4.error < fourth / 3);
        // The relative error of U would be near sqrt(2) times that of m^4 / m^2^2.
        BOOST_TEST(averages.binder.error < fourth / std::pow(averages.magnetisation_2.mean, 2) / 3 / 3);
        if (field != 0)
            BOOST_TEST(averages.magnetisation.error < plain_error(
                                                          solver, [](double m) { return m; }) /
                                                          3);
    }
}

// In a field the spins follow the field, although improved estimators know <m> much better than the spins.
BOOST_AUTO_TEST_CASE(no_run_in_a_field_counts_as_trapped) {
    Problem problem = problem_of(Algorithm::swendsen_wang, {2, {128, 128, 1}, {}}, {0.05});
    problem.field = 0.8;
    problem.measurements_per_bin = 25;
    problem.bins = 64;
    int trapped = 0;
    for (std::int64_t seed = 1; seed <= 20; ++seed) {
        problem.seeds = {seed};
        Solver solver(cpu_context(), problem);
        solver.run({});
        trapped += solver.averages(0).is_trapped;
        BOOST_TEST(solver.averages(0).magnetisation.error > 0);
    }
    BOOST_TEST(trapped == 0);
}

// Without a field <m> is exactly 0 if all clusters may be turned over.
BOOST_AUTO_TEST_CASE(magnetisation_without_a_field) {
    Problem problem = problem_of(Algorithm::swendsen_wang, {2, {16, 16, 1}, {}}, {0.3});
    problem.bins = 1;
    Solver solver(cpu_context(), problem);
    solver.run({});
    BOOST_TEST(solver.averages(0).magnetisation.mean == 0.0);
    BOOST_TEST(solver.averages(0).magnetisation.error == 0.0);
    BOOST_TEST(std::isnan(solver.averages(0).magnetisation_2.error));
}

// Both algorithms have short autocorrelation times at the critical point. Those of Metropolis' algorithm are near
// L^2.2.
void compare_at_the_critical_point(Algorithm algorithm, std::int64_t extent, double longest_time) {
    Problem problem = problem_of(algorithm, {2, {extent, extent, 1}, {}}, {critical_beta});
    problem.start = Start::up;
    problem.bins = 64;
    problem.thermalisation = 1000;
    problem.measurements_per_bin = algorithm == Algorithm::wolff ? 1000 : 300;
    Solver solver(cpu_context(), problem);
    solver.run({});
    const Averages averages = solver.averages(0);
    const Kaufman exact = kaufman(static_cast<int>(extent), critical_beta);
    BOOST_TEST_CONTEXT("algorithm " << static_cast<int>(algorithm) << ", L = " << extent) {
        require_near("energy", averages.energy, exact.energy, 4, 3e-3 * std::fabs(exact.energy));
        require_near("specific heat", averages.specific_heat, exact.specific_heat, 4, 0.1);
        const double time = std::max(averages.energy_autocorrelation.mean, averages.magnetisation_autocorrelation.mean);
        BOOST_TEST(time < longest_time);
        BOOST_TEST(time > 0.5);
        BOOST_TEST(!averages.bins_are_short);
    }
}
BOOST_AUTO_TEST_CASE(energies_at_the_critical_point) {
    for (const std::int64_t extent : {16, 64, 128}) {
        compare_at_the_critical_point(Algorithm::swendsen_wang, extent, 12);
        compare_at_the_critical_point(Algorithm::wolff, extent, 20);
    }
}

}  // namespace
