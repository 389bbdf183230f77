// Compares averages by reweighting with exact ones.
#define BOOST_TEST_MODULE ising_reweighting
#include "ising/reweighting.hpp"

#include <random>

#include "kaufman.hpp"
#include "sampling.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

std::vector<RunSeries> runs_of(std::int64_t extent, const std::vector<double>& betas, std::int64_t measurements,
                               std::int64_t seed) {
    Problem problem;
    problem.algorithm = Algorithm::wolff;
    problem.lattice.extents = {extent, extent, 1};
    problem.betas = betas;
    problem.seeds = {seed};
    problem.thermalisation = 500;
    problem.sweeps_per_measurement = 3;
    problem.bins = 32;
    problem.measurements_per_bin = measurements / 32;
    problem.time_series = true;
    Solver solver(cpu_context(), problem);
    solver.run({});
    std::vector<RunSeries> runs;
    for (std::size_t i = 0; i < betas.size(); ++i) {
        const TimeSeries series = solver.time_series(i);
        runs.push_back({betas[i], series.magnetisation, series.energy});
    }
    return runs;
}

void compare(const std::vector<double>& of_runs, const std::vector<double>& betas) {
    std::vector<std::array<double, 7>> squares(betas.size());
    constexpr int seeds = 64;
    for (int seed = 1; seed <= seeds; ++seed) {
        const Reweighting reweighting(16, runs_of(4, of_runs, 6400, seed));
        for (std::size_t i = 0; i < betas.size(); ++i) {
            const Expected exact(exact::averages({4, 1, 1, 1, 1}, betas[i]), betas[i], 16);
            const Reweighted found = reweighting.at(betas[i]);
            const std::pair<statistics::Estimate, double> pairs[] = {
                {found.energy, exact.energy},
                {found.specific_heat, exact.specific_heat},
                {found.absolute_magnetisation, exact.absolute_magnetisation},
                {found.magnetisation_2, exact.magnetisation_2},
                {found.magnetisation_4, exact.magnetisation_4},
                {found.susceptibility, exact.susceptibility},
                {found.binder, exact.binder}};
            for (std::size_t k = 0; k < 7; ++k) {
                const double deviation = (pairs[k].first.mean - pairs[k].second) / pairs[k].first.error;
                BOOST_TEST(std::fabs(deviation) < 5, names_of_pairs[k] << " at beta " << betas[i] << ": " << deviation);
                squares[i][k] += deviation * deviation / seeds;
            }
        }
    }
    for (std::size_t i = 0; i < betas.size(); ++i)
        for (std::size_t k = 0; k < 7; ++k) {
            BOOST_TEST(squares[i][k] > 0.52, names_of_pairs[k] << " at " << betas[i] << ": " << squares[i][k]);
            BOOST_TEST(squares[i][k] < 1.66, names_of_pairs[k] << " at " << betas[i] << ": " << squares[i][k]);
        }
}
BOOST_AUTO_TEST_CASE(one_run) {
    compare({0.42}, {0.38, 0.42, 0.46});
}
BOOST_AUTO_TEST_CASE(several_runs) {
    compare({0.3, 0.4, 0.5, 0.6}, {0.3, 0.35, 0.4406868, 0.55});
}

BOOST_AUTO_TEST_CASE(maxima) {
    const Reweighting reweighting(32 * 32, runs_of(32, {0.40, 0.42, 0.44, 0.46}, 32000, 5));
    double beta = 0.4, most = 0;
    for (double b = 0.41; b < 0.45; b += 1e-5)
        if (const double c = kaufman(32, b).specific_heat; c > most) most = c, beta = b;
    const ReweightedPoint found = reweighting.maximum(Reweighting::Quantity::specific_heat, 0.40, 0.46);
    require_near("beta of the largest specific heat", found.beta, beta, 4, 1e-3);
    require_near("largest specific heat", found.value, most, 4, 0.03);
    BOOST_TEST_MESSAGE("beta " << found.beta.mean << " +- " << found.beta.error << ", exact " << beta << "; c "
                               << found.value.mean << " +- " << found.value.error << ", exact " << most);
}

// Cumulants of two lattices cross near the critical point of the infinite one.
BOOST_AUTO_TEST_CASE(crossings) {
    const Reweighting small(8 * 8, runs_of(8, {0.42, 0.44, 0.46}, 64000, 5)),
        large(16 * 16, runs_of(16, {0.42, 0.44, 0.46}, 64000, 6));
    const ReweightedPoint found = Reweighting::crossing(small, large, Reweighting::Quantity::binder, 0.42, 0.46);
    BOOST_TEST_MESSAGE("beta " << found.beta.mean << " +- " << found.beta.error << ", U " << found.value.mean << " +- "
                               << found.value.error);
    require_near("crossing", found.beta, critical_beta, 5, 5e-4);
    const Reweighted a = small.at(found.beta.mean), b = large.at(found.beta.mean);
    BOOST_TEST(std::fabs(a.binder.mean - b.binder.mean) < 1e-4);
    BOOST_TEST(std::isnan(Reweighting::crossing(small, large, Reweighting::Quantity::binder, 0.45, 0.46).beta.mean));
}

// Returns whether all errors are unknown.
bool has_no_errors(const Reweighted& r) {
    const auto is_unknown = [](const statistics::Estimate& estimate) {
        return std::isfinite(estimate.mean) && std::isnan(estimate.error);
    };
    return is_unknown(r.energy) && is_unknown(r.specific_heat) && is_unknown(r.absolute_magnetisation) &&
           is_unknown(r.magnetisation_2) && is_unknown(r.magnetisation_4) && is_unknown(r.susceptibility) &&
           is_unknown(r.binder) && is_unknown(r.binder_slope) && is_unknown(r.magnetisation_slope);
}

// The effective number of measurements is that of the run at its own beta. Far from it, errors are unknown.
BOOST_AUTO_TEST_CASE(far_from_the_runs) {
    const std::vector<RunSeries> runs = runs_of(16, {0.40}, 3200, 3);
    const Reweighting reweighting(16 * 16, runs, 32);
    const Reweighted own = reweighting.at(0.40), far = reweighting.at(0.55);
    BOOST_TEST(std::fabs(own.measurements - 3200) < 1e-6);
    BOOST_TEST(!own.is_far);
    BOOST_TEST(own.energy.error > 0);
    BOOST_TEST(far.measurements < 20 * 32);
    BOOST_TEST(far.is_far);
    BOOST_TEST(has_no_errors(far));
    // The sums of weights over measurements, one by one.
    for (const double beta : {0.40, 0.41, 0.43}) {
        double z = 0, squares = 0;
        for (const double e : runs[0].energy) {
            const double w = std::exp(-(beta - 0.40) * (e * 256 + 256));
            z += w;
            squares += w * w;
        }
        const Reweighted found = reweighting.at(beta);
        BOOST_TEST(std::fabs(found.measurements / (z * z / squares) - 1) < 1e-9);
        BOOST_TEST(found.is_far == (found.measurements < 20 * 32));
        BOOST_TEST(has_no_errors(found) == found.is_far);
    }
    // With fewer blocks fewer measurements are enough.
    const Reweighted near = reweighting.at(0.42);
    const auto blocks = static_cast<int>(near.measurements / 20);
    BOOST_REQUIRE(blocks >= 2);
    BOOST_TEST(!Reweighting(16 * 16, runs, blocks).at(0.42).is_far);
    BOOST_TEST(Reweighting(16 * 16, runs, blocks + 2).at(0.42).is_far);
}

BOOST_AUTO_TEST_CASE(points_far_from_the_runs) {
    using Quantity = Reweighting::Quantity;
    const Reweighting low(16 * 16, runs_of(16, {0.36}, 3200, 3)), near(16 * 16, runs_of(16, {0.42, 0.44}, 3200, 3)),
        small(8 * 8, runs_of(8, {0.42, 0.44}, 3200, 4));
    const ReweightedPoint far = low.maximum(Quantity::specific_heat, 0.38, 0.50),
                          found = near.maximum(Quantity::specific_heat, 0.38, 0.50);
    BOOST_TEST(far.is_far);
    BOOST_TEST((std::isfinite(far.beta.mean) && std::isnan(far.beta.error) && std::isnan(far.value.error)));
    BOOST_TEST(!found.is_far);
    BOOST_TEST((found.beta.error > 0 && found.value.error > 0));
    BOOST_TEST(low.at(far.beta.mean).is_far);
    const ReweightedPoint none = near.maximum(Quantity::specific_heat, 0.38, 0.40);
    BOOST_TEST((std::isnan(none.beta.mean) && std::isnan(none.value.mean) && !none.is_far));
    const ReweightedPoint narrow = near.maximum(Quantity::specific_heat, 0.40, 0.4000001);
    BOOST_TEST(std::isnan(narrow.beta.mean));
    // One lattice that is too far is enough.
    const ReweightedPoint crossing = Reweighting::crossing(small, near, Quantity::binder, 0.40, 0.48),
                          one_far = Reweighting::crossing(small, low, Quantity::binder, 0.40, 0.60);
    BOOST_TEST((!crossing.is_far && crossing.beta.error > 0 && crossing.value.error > 0));
    BOOST_TEST((one_far.is_far && std::isnan(one_far.beta.error) && std::isnan(one_far.value.error)));
}

// In a field every measurement may have an energy of its own. Averages are sums over measurements.
BOOST_AUTO_TEST_CASE(energies_that_all_differ) {
    RunSeries run{0.4, {}, {}};
    for (int i = 0; i < 1000; ++i) {
        run.magnetisation.push_back(std::sin(0.7 * i));
        run.energy.push_back(-1 + 0.1 * std::cos(1.3 * i));
    }
    double z = 0, m_2 = 0;
    for (std::size_t i = 0; i < run.energy.size(); ++i) {
        const double w = std::exp(-0.05 * 64 * run.energy[i]);
        z += w;
        m_2 += w * run.magnetisation[i] * run.magnetisation[i];
    }
    const Reweighted found = Reweighting(64, std::vector{run}, 10).at(0.45);
    // The jackknife removes a bias of the order of the squared error.
    BOOST_TEST(std::fabs(found.magnetisation_2.mean - m_2 / z) < found.magnetisation_2.error);
    BOOST_TEST(found.magnetisation_2.error < 0.02);
}

// Runs of different lengths. Their weights are proportional to these.
BOOST_AUTO_TEST_CASE(lengths_of_runs) {
    std::vector<RunSeries> runs = runs_of(4, {0.3, 0.4, 0.5}, 64000, 5);
    for (const std::size_t k : {std::size_t{0}, std::size_t{2}}) {
        runs[k].energy.resize(k == 0 ? 4000 : 16000);
        runs[k].magnetisation.resize(runs[k].energy.size());
    }
    const Reweighting reweighting(16, runs);
    for (const double beta : {0.3, 0.35, 0.45, 0.5}) {
        const Expected exact(exact::averages({4, 1, 1, 1, 1}, beta), beta, 16);
        const Reweighted found = reweighting.at(beta);
        require_near("energy", found.energy, exact.energy, 4, 0.01);
        require_near("<m^2>", found.magnetisation_2, exact.magnetisation_2, 4, 0.01);
        require_near("U", found.binder, exact.binder, 4, 0.01);
    }
}

// A maximum inside does not count if the quantity is larger at an end. The energies 0, 1 and 20 with the degeneracies
// 1, 50 and 10^5 have two maxima of the specific heat: 14 at beta = 0.4, and 4 at beta = 4.
BOOST_AUTO_TEST_CASE(lower_maxima) {
    RunSeries run{0, {}, {}};
    for (int i = 0; i < 2 * 100051; ++i) {
        run.magnetisation.push_back(0.5);
        run.energy.push_back(i % 100051 == 0 ? 0 : i % 100051 <= 50 ? 1 : 20);
    }
    const Reweighting reweighting(1, std::vector{run}, 2);
    const auto maximum = [&](double low, double high) {
        return reweighting.maximum(Reweighting::Quantity::specific_heat, low, high);
    };
    const ReweightedPoint lower = maximum(2, 8), higher = maximum(0.2, 1);
    BOOST_TEST(std::fabs(lower.beta.mean - 4.6) < 0.5);
    BOOST_TEST(std::fabs(higher.beta.mean - 0.4) < 0.05);
    BOOST_TEST(higher.value.mean > lower.value.mean + 5);
    BOOST_TEST(reweighting.at(0.45).specific_heat.mean > lower.value.mean);
    BOOST_TEST(std::isnan(maximum(0.45, 8).beta.mean));
    BOOST_TEST(std::isnan(maximum(0.45, 6).beta.mean));
}

// Exponents beta E of thousands have rounding errors of 1e-12, which must not keep the free energies from converging.
// With the density of states exp(20 E - (E / 64)^2 / 2), the energies at beta = 20 + x are normal, with the mean -64^2
// x.
// Runs with normally distributed energies, as if ln Z were spread^2 (beta - first)^2 / 2: run k is at first + k
// spacing.
std::vector<RunSeries> normal_runs(double sites, double first, double spacing, int count, int measurements,
                                   double spread) {
    std::mt19937_64 bits(7);
    std::normal_distribution<double> normal;
    std::vector<RunSeries> runs;
    for (int k = 0; k < count; ++k) {
        RunSeries& run = runs.emplace_back(RunSeries{first + spacing * k, {}, {}});
        for (int i = 0; i < measurements; ++i) {
            const double energy = spread * normal(bits) - spread * spread * spacing * k;
            run.energy.push_back(4 * std::round(energy / 4) / sites);
            run.magnetisation.push_back(0.5);
        }
    }
    return runs;
}

// The mean energy between two runs, and its error.
void require_energy(std::int64_t sites, const std::vector<RunSeries>& runs, double spread) {
    const double beta = (runs[0].beta + runs.back().beta) / 2, n = static_cast<double>(sites);
    const Reweighted found = Reweighting(sites, runs, 4).at(beta);
    const double expected = -spread * spread * (beta - runs[0].beta) / n;
    BOOST_TEST(std::fabs(found.energy.mean - expected) < 5 * found.energy.error);
    BOOST_TEST(found.energy.error < 0.2 * spread / n);
}

BOOST_AUTO_TEST_CASE(many_runs) {
    require_energy(4096, normal_runs(4096, 0.4, 0, 200, 40, 64), 64);  // at the same beta
    require_energy(4096, normal_runs(4096, 0.4, 1e-4, 200, 100, 64), 64);
    require_energy(65536, normal_runs(65536, 0.4, 1.0 / 256, 90, 500, 256), 256);
    require_energy(65536, normal_runs(65536, 0.4, 3.0 / 256, 40, 500, 256), 256);
    std::vector<RunSeries> runs = normal_runs(65536, 0.4, 2.0 / 256, 20, 500, 256);
    std::swap(runs[0], runs[13]);
    const double beta = 0.4 + 19.0 / 256;
    const Reweighted found = Reweighting(65536, runs, 4).at(beta);
    BOOST_TEST(std::fabs(found.energy.mean + (beta - 0.4)) < 5 * found.energy.error);
}

BOOST_AUTO_TEST_CASE(runs_far_apart) {
    for (const double sites : {1024.0, 65536.0, 1048576.0}) {
        const auto runs = normal_runs(sites, 0.3, 0.3, 2, 2000, std::sqrt(sites));
        BOOST_CHECK_EXCEPTION(Reweighting(static_cast<std::int64_t>(sites), runs, 4), Error, [](const Error& error) {
            return error.status() == Status::invalid_argument &&
                   std::string(error.what()).find("do not overlap") != std::string::npos;
        });
    }
}

// Only differences of beta matter.
BOOST_AUTO_TEST_CASE(large_lattices_at_low_temperatures) {
    constexpr double sites = 137438953472;  // 2^37
    for (const double spread : {1e4, 1e6})
        for (const double beta : {0.4, 20.0, 900.0})
            require_energy(std::int64_t{1} << 37, normal_runs(sites, beta, 1 / spread, 3, 400, spread), spread);
}

BOOST_AUTO_TEST_CASE(large_exponents) {
    constexpr double offset = 20;
    std::mt19937_64 bits(7);
    std::normal_distribution<double> normal;
    std::vector<RunSeries> runs;
    for (int k = 0; k < 10; ++k) {
        RunSeries& run = runs.emplace_back(RunSeries{offset + 0.002 * k, {}, {}});
        for (int i = 0; i < 400; ++i) {
            run.energy.push_back(64 * normal(bits) / 4096 - 0.002 * k);
            run.magnetisation.push_back(0.5);
        }
    }
    const Reweighted found = Reweighting(4096, runs, 4).at(offset + 0.009);
    BOOST_TEST(std::fabs(found.energy.mean + 0.009) < 5 * found.energy.error);
    BOOST_TEST(found.energy.error < 2e-3);
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
    const auto refused = [](const std::vector<RunSeries>& runs, int blocks, const std::string& message) {
        try {
            const Reweighting reweighting(32 * 32, runs, blocks);
            BOOST_ERROR("accepted: " << message);
        } catch (const Error& error) {
            BOOST_TEST((error.status() == Status::invalid_argument));
            BOOST_TEST(std::string(error.what()).find(message) == 0U, error.what());
        }
    };
    refused({}, 32, "ising.reweighting.n_runs: 0 is not in 1..1000");
    std::vector<RunSeries> runs = runs_of(32, {0.3, 0.6}, 320, 1);
    refused(runs, 1, "ising.reweighting.blocks: 1 is not in 2..1000");
    refused(runs, 321, "ising.reweighting.n_measurements[0]: 320 is not in 321..1000000000");
    refused(runs, 32, "ising.reweighting.runs: the energies at beta = 0.3 and 0.6 do not overlap");
    runs[1].energy[7] = NAN;
    refused(runs, 32, "ising.reweighting.energies[327]: nan is not in [-1000000000000, 1000000000000]");
    runs[1].energy.pop_back();
    refused(runs, 32, "ising.reweighting.magnetisations: run 1 has 320 magnetisations and 319 energies");
    runs[1].magnetisation.pop_back();
    runs[1].magnetisation[2] = 1.001;
    refused(runs, 31, "ising.reweighting.magnetisations[322]: 1.001 is not in [-1.");
    runs[0].beta = NAN;
    refused(runs, 31, "ising.reweighting.betas[0]: nan is not in [-1000, 1000]");
}

// The slopes are derivatives of the averages.
BOOST_AUTO_TEST_CASE(slopes) {
    const Reweighting reweighting(16 * 16, runs_of(16, {0.42, 0.44}, 3200, 7));
    constexpr double beta = 0.43, step = 1e-5;
    const Reweighted low = reweighting.at(beta - step), here = reweighting.at(beta), high = reweighting.at(beta + step);
    const double u = (high.binder.mean - low.binder.mean) / (2 * step),
                 m = std::log(high.absolute_magnetisation.mean / low.absolute_magnetisation.mean) / (2 * step);
    BOOST_TEST(std::fabs(here.binder_slope.mean - u) < 0.02 * std::fabs(u));
    BOOST_TEST(std::fabs(here.magnetisation_slope.mean - m) < 0.02 * std::fabs(m));
}

}  // namespace
