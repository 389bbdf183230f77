// Runs long samples. Averages agree to 10^-4 of the energy with enumeration, and for larger clusters with sums and
// samples made by other programs.
#define BOOST_TEST_MODULE vmc_sampling
#include <boost/test/unit_test.hpp>

#include "runs.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

struct Known {
    double value, error;
};

vmc::Averages sampled(Problem problem, std::int64_t sweeps) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::silent;
    Context context(options);
    problem.chains = 32;
    problem.bins = 50;
    problem.sweeps_per_bin = sweeps / (problem.chains * problem.bins);
    Solver solver(context, problem);
    solver.run({});
    return solver.averages();
}

void check(const char* what, statistics::Estimate found, Known known) {
    const double error = std::hypot(found.error, known.error);
    BOOST_TEST_MESSAGE("    " << what << " " << found.mean << " +- " << found.error << ", "
                              << (found.mean - known.value) / error << " errors off");
    BOOST_TEST(std::abs(found.mean - known.value) <= 3 * error, what);
}

void check(const vmc::Averages& found, Known energy, Known kinetic, Known exchange, Known spin_spin) {
    check("energy", found.energy, energy);
    check("kinetic", found.kinetic, kinetic);
    check("exchange", found.exchange, exchange);
    check("S.S", found.spin_spin, spin_spin);
    BOOST_TEST_MESSAGE("    autocorrelation " << found.autocorrelation_sweeps << " sweeps, largest drift "
                                              << found.largest_drift);
}

}  // namespace

BOOST_AUTO_TEST_CASE(ten_sites) {
    for (const exact::Reference& r : exact::references) {
        BOOST_TEST_MESSAGE(r.name);
        const vmc::Averages found = sampled(problem_of(r), 20000000);
        check(found, {r.energy, 0}, {r.kinetic, 0}, {r.exchange, 0}, {r.spin_spin, 0});
        BOOST_TEST(found.energy.error < 1e-4 * std::abs(r.energy));
    }
}

BOOST_AUTO_TEST_CASE(twenty_six_sites) {
    const vmc::Averages found = sampled(tilted_problem(5, 24), 4000000);
    check(found, {-0.480060581975, 0}, {-0.196534971401, 0}, {-0.283525610574, 0}, {-0.259554374833, 0});
    BOOST_TEST(found.energy.error < 1e-4 * std::abs(found.energy.mean));
    const vmc::Averages half = sampled(tilted_problem(5, 26), 4000000);
    check(half, {-0.345997832763, 0}, {0, 0}, {-0.345997832763, 0}, {-0.326663054605, 0});
}

BOOST_AUTO_TEST_CASE(eighty_two_sites) {
    const vmc::Averages found = sampled(tilted_problem(9, 74), 960000);
    check(found, {-0.506139, 27e-6}, {-0.238648, 37e-6}, {-0.267490, 14e-6}, {-0.241894, 22e-6});
    BOOST_TEST(found.energy.error < 1.2e-4 * std::abs(found.energy.mean));
}

BOOST_AUTO_TEST_CASE(two_hundred_and_twenty_six_sites) {
    const vmc::Averages found = sampled(tilted_problem(15, 204), 64000);
    check(found, {-0.50401, 12e-5}, {-0.23613, 16e-5}, {-0.267872, 60e-6}, {-0.242273, 92e-6});
    BOOST_TEST(found.energy.error < 3e-4 * std::abs(found.energy.mean));
}
