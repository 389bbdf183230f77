// Tests statistics that need a GPU: 10^13 flips.
#define BOOST_TEST_MODULE ising_large_sampling
#define BOOST_TEST_NO_MAIN
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "../device_main.hpp"
#include "kaufman.hpp"
#include "sampling.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

Context& cuda_context() {
    ContextOptions options;
    options.backend = Backend::cuda;
    options.log_level = LogLevel::warning;
    static Context context(options);
    return context;
}

Problem square(std::int64_t length, std::vector<double> betas, int replicas) {
    Problem problem;
    problem.lattice.extents = {length, length, 1};
    problem.betas = std::move(betas);
    problem.replicas = replicas;
    return problem;
}

void print(const char* what, std::int64_t length, double beta, const statistics::Estimate& found, double expected) {
    std::printf("L %4lld beta %.7f %-14s %.8f +- %.8f, expected %.8f, %+.2f errors\n", static_cast<long long>(length),
                beta, what, found.mean, found.error, expected, (found.mean - expected) / found.error);
    std::fflush(stdout);
}

// Compares with the table of the specification. Every observable is resolved to 0.1 % or better.
BOOST_AUTO_TEST_CASE(four_by_four) {
    const std::vector<double> betas{0.3, 0.4406868, 0.6};
    for (const Algorithm algorithm : {Algorithm::metropolis, Algorithm::demon_naive, Algorithm::demon_binomial}) {
        Problem problem = square(4, betas, 4096);
        problem.algorithm = algorithm;
        problem.thermalisation = 2000;
        problem.measurements_per_bin = 1000;
        Solver solver(cuda_context(), problem);
        solver.run({});
        for (std::size_t i = 0; i < betas.size(); ++i) {
            const auto pairs = pairs_of(solver.averages(i), Expected(exact::averages({4, 1}, betas[i]), betas[i], 16));
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                print(names_of_pairs[k], 4, betas[i], pairs[k].first, pairs[k].second);
                require_near(names_of_pairs[k], pairs[k].first, pairs[k].second, 4, 1e-3 * std::fabs(pairs[k].second));
            }
        }
    }
}

// Energies are resolved to 1e-5.
BOOST_AUTO_TEST_CASE(kaufman_energies) {
    struct Run {
        std::int64_t length;
        double beta;
        int replicas;
        std::int64_t measurements_per_bin;
    };
    for (const Run& run : {Run{32, 0.40, 8448, 400}, Run{32, 0.4406868, 8448, 1500}, Run{64, 0.4406868, 4224, 2000},
                           Run{64, 0.46, 4224, 1000}}) {
        Problem problem = square(run.length, {run.beta}, run.replicas);
        problem.thermalisation = 50000;
        problem.sweeps_per_measurement = 20;
        problem.measurements_per_bin = run.measurements_per_bin;
        Solver solver(cuda_context(), problem);
        solver.run({});
        const Averages a = solver.averages(0);
        const Kaufman k = kaufman(static_cast<int>(run.length), run.beta);
        print("energy", run.length, run.beta, a.energy, k.energy);
        print("specific heat", run.length, run.beta, a.specific_heat, k.specific_heat);
        require_near("energy", a.energy, k.energy, 3, 1e-5 * std::fabs(k.energy));
        require_near("specific heat", a.specific_heat, k.specific_heat, 3, 1e-3 * k.specific_heat);
    }
}

// The K-th of N parts into which runs to 1e-5 are divided, by LEGATO_PART=K/N. Each part has its own seed, and its
// errors are sqrt(N) times as large. Without LEGATO_PART there is a single part.
struct Part {
    long long index = 1, parts = 1;

    Part() {
        const char* text = std::getenv("LEGATO_PART");
        if (text && (std::sscanf(text, "%lld/%lld", &index, &parts) != 2 || index < 1 || index > parts))
            throw std::invalid_argument("LEGATO_PART must be K/N with 1 <= K <= N");
    }
};

struct SpecificHeat {
    std::int64_t length;
    double beta;
    std::int64_t thermalisation, sweeps_per_measurement, measurements_per_bin;
};

// Specific heats to 1e-5 need 2 10^10 independent configurations, since their variance is about 2 / n.
void require_specific_heat(const SpecificHeat& run) {
    const Part part;
    Problem problem = square(run.length, {run.beta}, run.length == 32 ? 8448 : 4224);
    problem.seeds = {part.index};
    problem.thermalisation = run.thermalisation;
    problem.sweeps_per_measurement = run.sweeps_per_measurement;
    problem.measurements_per_bin = run.measurements_per_bin / part.parts;
    Solver solver(cuda_context(), problem);
    solver.run({});
    const Averages a = solver.averages(0);
    const Kaufman k = kaufman(static_cast<int>(run.length), run.beta);
    std::printf("part %lld of %lld; autocorrelation of the energy %.2f +- %.2f sweeps\n", part.index, part.parts,
                a.energy_autocorrelation.mean, a.energy_autocorrelation.error);
    print("energy", run.length, run.beta, a.energy, k.energy);
    print("specific heat", run.length, run.beta, a.specific_heat, k.specific_heat);
    const double wider = std::sqrt(static_cast<double>(part.parts));
    require_near("energy", a.energy, k.energy, 3, 1e-6 * wider * std::fabs(k.energy));
    require_near("specific heat", a.specific_heat, k.specific_heat, 3, 1e-5 * wider * k.specific_heat);
}

BOOST_AUTO_TEST_SUITE(kaufman_specific_heats)
BOOST_AUTO_TEST_CASE(length_32_disordered) {
    require_specific_heat({32, 0.3, 1000, 2, 100000});
}
BOOST_AUTO_TEST_CASE(length_64_disordered) {
    require_specific_heat({64, 0.3, 1000, 2, 200000});
}
BOOST_AUTO_TEST_CASE(length_32_beta_040) {
    require_specific_heat({32, 0.40, 50000, 8, 100000});
}
BOOST_AUTO_TEST_CASE(length_32_critical) {
    require_specific_heat({32, 0.4406868, 50000, 20, 110000});
}
BOOST_AUTO_TEST_CASE(length_64_beta_046) {
    require_specific_heat({64, 0.46, 50000, 10, 400000});
}
BOOST_AUTO_TEST_CASE(length_64_critical) {
    require_specific_heat({64, 0.4406868, 50000, 40, 250000});
}
BOOST_AUTO_TEST_SUITE_END()

// Each probability is measured from 4 10^11 attempts or more.
BOOST_AUTO_TEST_CASE(acceptance_probabilities) {
    for (const double beta : {0.3, critical_beta}) {
        Problem problem = square(8192, {beta}, 1);
        problem.seeds = {1, 2, 3, 4};
        problem.start = Start::random;
        problem.acceptance = true;
        problem.thermalisation = 0;
        problem.bins = 32;
        problem.measurements_per_bin = 1;
        problem.sweeps_per_measurement = 400;
        Solver solver(cuda_context(), problem);
        solver.run({});
        for (std::size_t aligned = 3; aligned <= 4; ++aligned) {
            double attempts = 0, flips = 0;
            for (std::size_t spin = 0; spin < 2; ++spin) {
                attempts += static_cast<double>(solver.acceptance().attempts[aligned][spin]);
                flips += static_cast<double>(solver.acceptance().flips[aligned][spin]);
            }
            const double p = std::exp(-beta * (aligned == 3 ? 4 : 8)), error = std::sqrt(p * (1 - p) / attempts);
            print(aligned == 3 ? "exp(-4 beta)" : "exp(-8 beta)", 8192, beta, {flips / attempts, error}, p);
            BOOST_TEST(attempts > 1e11);
            BOOST_TEST(std::fabs(flips / attempts - p) < 4 * error);
        }
    }
}

// Returns the weighted slope of ln y as a function of ln x.
statistics::Estimate exponent(const std::vector<double>& x, const std::vector<statistics::Estimate>& y) {
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double weight = std::pow(y[i].mean / y[i].error, 2), u = std::log(x[i]), v = std::log(y[i].mean);
        w += weight;
        wx += weight * u;
        wy += weight * v;
        wxx += weight * u * u;
        wxy += weight * u * v;
    }
    const double determinant = w * wxx - wx * wx;
    return {(w * wxy - wx * wy) / determinant, std::sqrt(w / determinant)};
}

// Tests the cumulant at the critical point, and gamma / nu = 7 / 4 at fixed t L^(1 / nu), nu = 1.
BOOST_AUTO_TEST_CASE(finite_size_scaling) {
    constexpr double cumulant = 0.61069, scaled[] = {0.1, 0.02};
    struct Run {
        std::int64_t length;
        int replicas;
        std::int64_t thermalisation, sweeps_per_measurement;
    };
    std::vector<double> lengths;
    std::vector<statistics::Estimate> susceptibility[2];
    for (const Run& run : {Run{32, 1408, 30000, 20}, Run{48, 1056, 60000, 30}, Run{64, 704, 100000, 40},
                           Run{96, 352, 250000, 60}, Run{128, 352, 300000, 50}, Run{192, 352, 600000, 50}}) {
        const auto l = static_cast<double>(run.length);
        Problem problem = square(
            run.length, {critical_beta, critical_beta / (1 + scaled[0] / l), critical_beta / (1 + scaled[1] / l)},
            run.replicas);
        problem.thermalisation = run.thermalisation;
        problem.sweeps_per_measurement = run.sweeps_per_measurement;
        problem.measurements_per_bin = 600;
        Solver solver(cuda_context(), problem);
        solver.run({});
        const Averages at_critical = solver.averages(0);
        print("Binder", run.length, critical_beta, at_critical.binder, cumulant);
        std::printf("      autocorrelation of |m| %.0f +- %.0f sweeps\n",
                    at_critical.magnetisation_autocorrelation.mean, at_critical.magnetisation_autocorrelation.error);
        if (run.length >= 64) require_near("Binder", at_critical.binder, cumulant, 4, 6e-3);
        lengths.push_back(l);
        for (std::size_t i = 0; i < 2; ++i) susceptibility[i].push_back(solver.averages(1 + i).susceptibility);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const statistics::Estimate found = exponent(lengths, susceptibility[i]);
        std::printf("gamma / nu at t L = %.2f: %.5f +- %.5f\n", scaled[i], found.mean, found.error);
        BOOST_TEST(std::fabs(found.mean - 1.75) < 0.01);
        BOOST_TEST(found.error < 0.005);
    }
}

}  // namespace

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
