// Tests whether the deviations of averages from exact ones agree with their errors, over 64 seeds, and which errors are
// unknown. Tests the real parameters to the ends of their ranges: a result is right, or is flagged as unreliable.
#define BOOST_TEST_MODULE vmc_errors
#include <boost/test/unit_test.hpp>

#include "../chi_square.hpp"
#include "runs.hpp"
#include "vmc/optimiser.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;
using legato::tests::ChiSquare;
using statistics::Estimate;

namespace {

constexpr int seeds = 64;

Context make_context() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 1;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Problem ten_sites(int chains, std::int64_t bins, std::int64_t sweeps_per_bin) {
    Problem problem = tilted_problem(3, 8);
    problem.pair.delta = 1;
    problem.pair.mu = -0.4;
    problem.chains = chains;
    problem.bins = bins;
    problem.sweeps_per_bin = sweeps_per_bin;
    problem.thermalisation = 50;
    return problem;
}

const exact::Ensemble& ensemble() {
    static const exact::Ensemble of_eight(cluster_of(ten_sites(1, 1, 1)), 8);
    return of_eight;
}

exact::Averages exact_averages(const Problem& problem) {
    return ensemble().averages(ensemble().amplitudes(state_of(problem)), couplings_of(problem));
}

vmc::Averages averages_of(const Problem& problem) {
    Context context = make_context();
    Solver solver(context, problem);
    solver.run({});
    return solver.averages();
}

struct Compared {
    const char* what;
    Estimate found;
    double exact;
};

std::vector<Compared> compared(const vmc::Averages& a, const exact::Averages& exact) {
    return {{"energy", a.energy, exact.energy},
            {"kinetic", a.kinetic, exact.kinetic},
            {"exchange", a.exchange, exact.exchange},
            {"S.S", a.spin_spin, exact.spin_spin},
            {"n n", a.density_density, exact.density_density}};
}

// Checks that the errors are right. `freedom` is the number of their degrees of freedom.
void errors_are_right(const char* name, Problem problem, int freedom) {
    const exact::Averages exact = exact_averages(problem);
    std::vector<ChiSquare> sums;
    for (int seed = 0; seed < seeds; ++seed) {
        problem.seed = seed;
        const std::vector<Compared> all = compared(averages_of(problem), exact);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (seed == 0) sums.emplace_back(text(name, ", ", all[i].what), freedom);
            sums[i].add(all[i].found.mean - all[i].exact, all[i].found.error);
        }
    }
    for (const ChiSquare& sum : sums) sum.check();
}

bool unreliable(const vmc::Averages& a) {
    return a.bins_are_short || a.chains_differ;
}

}  // namespace

BOOST_AUTO_TEST_CASE(errors_of_averages) {
    errors_are_right("one chain", ten_sites(1, 64, 40), 63);
    errors_are_right("four chains", ten_sites(4, 20, 40), 79);
    errors_are_right("few bins", ten_sites(1, 5, 400), 4);
    errors_are_right("a bin each", ten_sites(3, 1, 400), 2);
    errors_are_right("bins of one sweep", ten_sites(1, 4096, 1), 63);
    errors_are_right("bins of one sweep, three chains", ten_sites(3, 1400, 1), 63);
}

// Compares with a difference quotient of the exact energy.
BOOST_AUTO_TEST_CASE(errors_of_gradients) {
    struct Case {
        const char* name;
        int chains;
        std::int64_t bins, sweeps;
        int freedom;
    };
    constexpr double step = 1e-4;
    std::vector<double> errors;  // squared errors per sweep, which do not depend on the bins
    const Problem state = ten_sites(1, 1, 1);
    std::array<double, variational_parameters> exact{};
    for (std::size_t a = 0; a < exact.size(); ++a) {
        Problem less = state, more = state;
        parameter_of(less.pair, a) -= step;
        parameter_of(more.pair, a) += step;
        exact[a] = (exact_averages(more).energy - exact_averages(less).energy) / (2 * step);
    }
    for (const Case& c : {Case{"two chains", 2, 64, 40, 127}, Case{"bins of one sweep", 2, 1500, 1, 63},
                          Case{"a bin each", 6, 1, 400, 5}, Case{"few bins", 1, 5, 800, 4}}) {
        errors.push_back(0);
        std::vector<ChiSquare> sums;
        for (std::size_t a = 0; a < exact.size(); ++a) sums.emplace_back(text(c.name, ", derivative ", a), c.freedom);
        Problem problem = ten_sites(c.chains, c.bins, c.sweeps);
        problem.gradients = true;
        for (problem.seed = 0; problem.seed < seeds; ++problem.seed) {
            Context context = make_context();
            Solver solver(context, problem);
            solver.run({});
            const Gradient found = solver.gradient();
            for (std::size_t a = 0; a < exact.size(); ++a) {
                const Estimate& g = found.energy[a];
                sums[a].add(g.mean - exact[a], g.error);
                BOOST_TEST(std::abs(found.covariance[a][a] / (g.error * g.error) - 1) < 1e-12);
                errors.back() += g.error * g.error * static_cast<double>(c.bins * c.sweeps);
            }
        }
        for (const ChiSquare& sum : sums) sum.check();
    }
    BOOST_TEST_MESSAGE("error^2 of a sweep by bins of 1 over 40: " << errors[1] / errors[0]);
    BOOST_TEST(std::abs(errors[1] / errors[0] - 1) < 0.15);
}

// Compares the error of the variance with the spread between runs.
BOOST_AUTO_TEST_CASE(error_of_the_variance) {
    Problem problem = ten_sites(2, 64, 40);
    std::vector<double> energies, variances;
    double errors = 0, times = 0;
    for (int seed = 0; seed < seeds; ++seed) {
        problem.seed = 100 + seed;
        const vmc::Averages a = averages_of(problem);
        energies.push_back(a.energy.mean);
        variances.push_back(a.variance.mean);
        errors += a.variance.error * a.variance.error / seeds;
        times += a.autocorrelation_sweeps / seeds;
    }
    const double spread = std::pow(statistics::mean_of(variances).error, 2) * seeds;
    BOOST_TEST_MESSAGE("variance: spread^2 / error^2 " << spread / errors);
    BOOST_TEST(spread / errors > 0.5);
    BOOST_TEST(spread / errors < 2);
    // The square of the error of the mean is 2 tau variance / n by definition.
    const double of_energies = std::pow(statistics::mean_of(energies).error, 2) * seeds,
                 time = of_energies * 2 * 64 * 40 / (2 * statistics::mean_of(variances).mean);
    BOOST_TEST_MESSAGE("time: " << times << ", between runs " << time);
    BOOST_TEST(std::abs(times / time - 1) < 0.4);
}

// Compares with the sum over a series of single sweeps. Bins shorter than twenty autocorrelation times count as short.
BOOST_AUTO_TEST_CASE(autocorrelation_times) {
    Context context = make_context();
    Solver solver(context, ten_sites(1, 40000, 1));
    solver.run({});
    const std::vector<double> e = solver.bin_means(Observable::energy);
    double mean = 0, time = 0.5, covariances[20] = {};
    for (const double x : e) mean += x / static_cast<double>(e.size());
    for (std::size_t t = 0; t < 20; ++t)
        for (std::size_t i = 0; i + t < e.size(); ++i) covariances[t] += (e[i] - mean) * (e[i + t] - mean);
    for (std::size_t t = 1; t < 20; ++t) time += covariances[t] / covariances[0];
    BOOST_TEST_MESSAGE("time " << solver.averages().autocorrelation_sweeps << ", of the series " << time);
    BOOST_TEST(std::abs(solver.averages().autocorrelation_sweeps / time - 1) < 0.25);
    BOOST_TEST(solver.averages().bins_are_short);
    // The error of the variance includes correlations, too. It follows from the first-order contribution of each bin.
    std::vector<double> linear = solver.bin_means(Observable::energy_squared);
    for (std::size_t i = 0; i < e.size(); ++i) linear[i] -= 2 * mean * e[i];
    const statistics::Binning of_variance = statistics::binning(linear);
    BOOST_TEST(std::abs(solver.averages().variance.error / of_variance.estimate.error - 1) < 1e-6);
    for (const auto& [times, is_short] : {std::pair{7, true}, std::pair{12, true}, std::pair{40, false}}) {
        const auto sweeps = static_cast<std::int64_t>(std::ceil(times * time));
        BOOST_TEST(averages_of(ten_sites(4, 4000 / sweeps, sweeps)).bins_are_short == is_short, times << " times");
    }
}

BOOST_AUTO_TEST_CASE(unknown_errors) {
    Problem problem = ten_sites(1, 1, 50);
    problem.gradients = problem.correlations = problem.pair_correlations = true;
    Context context = make_context();
    Solver solver(context, problem);
    solver.run({});
    const vmc::Averages a = solver.averages();
    for (const Compared& c : compared(a, {})) {
        BOOST_TEST(std::isfinite(c.found.mean), c.what);
        BOOST_TEST(std::isnan(c.found.error), c.what);
    }
    BOOST_TEST(std::isnan(a.variance.error));
    BOOST_TEST(std::isnan(a.autocorrelation_sweeps));
    BOOST_TEST(a.bins_are_short);
    BOOST_TEST(std::isnan(solver.gradient().energy[0].error));
    BOOST_TEST(std::isnan(solver.structure_factors().spin[1].error));
    BOOST_TEST(std::isnan(solver.pair_correlations().f[0][1][2].error));
    // These are exact: without holes the kinetic energy is zero, and every site has one electron.
    problem = tilted_problem(3, 10);
    problem.bins = 4;
    const vmc::Averages half = averages_of(problem);
    BOOST_TEST(half.kinetic.mean == 0.0);
    BOOST_TEST(half.kinetic.error == 0.0);
    BOOST_TEST(half.density_density.error == 0.0);
    BOOST_TEST(half.energy.error > 0);
}

// If amplitudes on one side of every hop are tiny, half of the kinetic energy is missing, although the spread is small.
// This is detected even if few attempts or none go to neighbours.
BOOST_AUTO_TEST_CASE(half_of_the_configurations) {
    int unknown = 0, runs = 0;
    for (const double share : {0.0, 0.01, 1.0})
        for (const double size : {3.0, 30.0, 100.0, 1e3, 1e6})
            for (const double mu : {-size, size}) {
                Problem problem = ten_sites(4, 16, 60);
                problem.neighbour_share = share;
                problem.pair.mu = mu;
                problem.correlations = problem.pair_correlations = true;
                Context context = make_context();
                Solver solver(context, problem);
                solver.run({});
                const vmc::Averages a = solver.averages();
                ++runs;
                unknown += std::isnan(a.energy.error);
                if (std::isnan(a.energy.error)) {
                    BOOST_TEST(unreliable(a));
                    BOOST_TEST(std::isnan(solver.structure_factors().spin[1].error));
                    BOOST_TEST(std::isnan(solver.pair_correlations().f[0][0][1].error));
                    continue;
                }
                const exact::Averages exact = exact_averages(problem);
                BOOST_TEST(std::abs(a.kinetic.mean - exact.kinetic) < 5 * a.kinetic.error,
                           "share " << share << ", mu " << mu << ": " << a.kinetic.mean << " +- " << a.kinetic.error
                                    << ", exact " << exact.kinetic);
            }
    BOOST_TEST(unknown > runs / 2);
    BOOST_TEST(unknown < runs);
    // Chains that move keep their errors.
    for (const double share : {0.0, 0.01}) {
        Problem problem = ten_sites(4, 16, 60);
        problem.neighbour_share = share;
        BOOST_TEST(!unreliable(averages_of(problem)), "share " << share);
        problem.bins = problem.sweeps_per_bin = 2;
        BOOST_TEST(averages_of(problem).energy.error > 0, "share " << share);
    }
}

// Each result is right, or is refused, or is flagged as unreliable.
BOOST_AUTO_TEST_CASE(ranges) {
    struct Range {
        const char* name;
        double& (*member)(Problem&);
        std::vector<double> values;
    };
    const std::vector<double> both{-1e6, -1e3, -30, -1.3, -0.1, -1e-6, 1e-6, 0.1, 1.3, 30, 1e3, 1e6};
    const std::vector<Range> all{
        {"t", [](Problem& p) -> double& { return p.couplings.t; }, both},
        {"t_prime", [](Problem& p) -> double& { return p.couplings.t_prime; }, both},
        {"t_double_prime", [](Problem& p) -> double& { return p.couplings.t_double_prime; }, both},
        {"j", [](Problem& p) -> double& { return p.couplings.j; }, both},
        {"variational_t", [](Problem& p) -> double& { return p.pair.variational_t; }, both},
        {"variational_t_prime", [](Problem& p) -> double& { return p.pair.variational_t_prime; }, both},
        {"variational_t_double_prime", [](Problem& p) -> double& { return p.pair.variational_t_double_prime; }, both},
        {"delta", [](Problem& p) -> double& { return p.pair.delta; }, both},
        {"mu", [](Problem& p) -> double& { return p.pair.mu; }, both},
        {"neighbour_share", [](Problem& p) -> double& { return p.neighbour_share; }, {0, 1e-3, 0.999, 1}},
        {"mu without neighbours",
         [](Problem& p) -> double& {
             p.neighbour_share = 0;
             return p.pair.mu;
         },
         {-1e3, -100, -3, 3, 100, 1e3}},
        {"variational_t_prime without neighbours",
         [](Problem& p) -> double& {
             p.neighbour_share = 0;
             return p.pair.variational_t_prime;
         },
         {-1e3, -100, -3, 3, 100, 1e3}},
        {"drift_bound", [](Problem& p) -> double& { return p.drift_bound; }, {1e-14, 1}},
        {"least_reciprocal_condition",
         [](Problem& p) -> double& { return p.least_reciprocal_condition; },
         {0, 1e-6, 1}}};
    int refused = 0, flagged = 0, runs = 0;
    for (const Range& range : all) {
        for (const double value : range.values) {
            Problem problem = ten_sites(4, 16, 60);
            range.member(problem) = value;
            vmc::Averages a;
            ++runs;
            const auto [status, message] = failure_of([&] { a = averages_of(problem); });
            if (status != Status::success) {
                BOOST_TEST_MESSAGE(range.name << " = " << value << ": " << message);
                BOOST_TEST(message.find("vmc") == 0u);
                ++refused;
                continue;
            }
            flagged += unreliable(a);
            if (unreliable(a)) {
                BOOST_TEST_MESSAGE(range.name << " = " << value << ": unreliable, " << a.bins_are_short << " "
                                              << a.chains_differ);
                continue;
            }
            const double rounding = 1e-13 * (1 + std::abs(value));
            for (const Compared& c : compared(a, exact_averages(problem)))
                BOOST_TEST(std::abs(c.found.mean - c.exact) <= 5.5 * c.found.error + rounding,
                           range.name << " = " << value << ": " << c.what << " " << c.found.mean << " +- "
                                      << c.found.error << ", exact " << c.exact);
        }
    }
    BOOST_TEST_MESSAGE(runs << " runs, " << refused << " refused, " << flagged << " unreliable");
    BOOST_TEST(refused + flagged < runs / 4);
}
