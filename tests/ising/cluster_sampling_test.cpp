// Compares averages of Swendsen and Wang's algorithm with exact ones.
#define BOOST_TEST_MODULE ising_cluster_sampling
#include "sampling.hpp"

#include "kaufman.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

constexpr auto p = Boundary::periodic, a = Boundary::antiperiodic;

Context& cpu_context(int threads) {
    static std::vector<std::unique_ptr<Context>> contexts(8);
    std::unique_ptr<Context>& context = contexts[static_cast<std::size_t>(threads)];
    if (context) return *context;
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::error;
    options.threads = threads;
    context = std::make_unique<Context>(options);
    return *context;
}

struct Case {
    exact::Torus torus;
    Lattice lattice;
    std::vector<double> betas;
};

std::vector<Case> cases() {
    return {{{4, 1, 1, 1, 1}, {2, {4, 4, 1}, {p, p, p}}, {0.3, 0.4406868, 0.6, -0.4}},
            {{4, 1, -1, 1, -1}, {2, {4, 4, 1}, {a, a, p}}, {0.3, 0.44}},
            {{4, 1, 1, 1, -1}, {2, {4, 4, 1}, {a, p, p}}, {0.3, 0.44}},
            {{2, 2, 1, 1, 1}, {3, {2, 2, 4}, {p, p, p}}, {0.15, 0.22}},
            {{2, 2, 1, -1, 1}, {3, {2, 2, 4}, {p, a, p}}, {0.15, 0.22}},
            {{4, 2, 1, 1, 1}, {3, {4, 4, 2}, {p, p, p}}, {0.15, 0.22}},
            {{4, 2, -1, 1, -1}, {3, {4, 4, 2}, {a, a, p}}, {0.15, 0.22}}};
}

BOOST_AUTO_TEST_CASE(every_observable_of_small_lattices) {
    for (const Case& c : cases()) {
        Problem problem;
        problem.algorithm = Algorithm::swendsen_wang;
        problem.lattice = c.lattice;
        problem.betas = c.betas;
        problem.start = Start::random;
        problem.thermalisation = 100;
        problem.measurements_per_bin = 500;
        problem.replicas = 64;
        Solver solver(cpu_context(2), problem);
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

BOOST_AUTO_TEST_CASE(energies_at_the_critical_point) {
    for (const std::int64_t extent : {16, 64, 128}) {
        Problem problem;
        problem.algorithm = Algorithm::swendsen_wang;
        problem.lattice.extents = {extent, extent, 1};
        problem.betas = {critical_beta};
        problem.thermalisation = 200;
        problem.measurements_per_bin = 200;
        problem.bins = 64;
        Solver solver(cpu_context(1), problem);
        solver.run({});
        const Averages averages = solver.averages(0);
        const Kaufman exact = kaufman(static_cast<int>(extent), critical_beta);
        require_near("energy", averages.energy, exact.energy, 4, 0.01 * std::fabs(exact.energy));
        require_near("specific heat", averages.specific_heat, exact.specific_heat, 4, 0.2);
        BOOST_TEST_MESSAGE("L = " << extent << ": autocorrelation times of e and |m| "
                                  << averages.energy_autocorrelation.mean << " and "
                                  << averages.magnetisation_autocorrelation.mean);
    }
}

// The threads of a large lattice share it.
BOOST_AUTO_TEST_CASE(the_same_bits_for_any_number_of_threads) {
    std::vector<std::vector<std::int8_t>> spins;
    for (const int threads : {1, 2, 5}) {
        Problem problem;
        problem.algorithm = Algorithm::swendsen_wang;
        problem.lattice = {3, {70, 96, 64}, {a, p, a}};
        problem.betas = {0.22165, -0.3};
        problem.start = Start::random;
        problem.thermalisation = 3;
        problem.measurements_per_bin = 2;
        problem.bins = 2;
        Solver solver(cpu_context(threads), problem);
        solver.run({});
        for (std::size_t system = 0; system < 2; ++system) {
            spins.push_back(solver.spins(system));
            if (spins.size() > 2) BOOST_TEST((spins.back() == spins[system]));
        }
    }
}

}  // namespace
