// Compares correlations of singlet pairs, of configurations and as averages, with operators that are applied one after
// the other to states whose electrons are sorted.
#define BOOST_TEST_MODULE vmc_pair_correlation
#include "vmc/pair_correlation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/larger.hpp"
#include "runs.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

constexpr auto anti = Boundary::antiperiodic, periodic = Boundary::periodic;

Context make_context(int threads = 2) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Problem asked(Problem problem) {
    problem.pair_correlations = true;
    return problem;
}

std::vector<double> found_of(const Model& model, const Determinant& determinant) {
    std::vector<double> sums(4 * model.geometry.sites());
    add_pair_correlations(model, determinant, sums);
    return sums;
}

double largest_difference(const std::vector<double>& found, const std::vector<double>& expected) {
    double scale = 1, difference = 0;
    for (const double value : expected) scale = larger(scale, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i) difference = larger(difference, std::abs(found[i] - expected[i]));
    return difference / scale;
}

// Returns the largest difference for the configurations whose numbers are multiples of `step`. Badly conditioned ones
// are skipped, because they lose digits.
double worst_of(const Problem& problem, std::size_t step) {
    const Model model(problem);
    const exact::Cluster cluster = cluster_of(problem);
    const exact::Pairs pairs = exact::pairs(cluster, state_of(problem));
    const std::vector<exact::Configuration> all = exact::configurations(cluster.sites(), problem.electrons);
    double worst = 0;
    int looked_at = 0;
    for (std::size_t i = 0; i < all.size(); i += step) {
        Determinant determinant(model.pair, configuration_of(model, all[i]));
        if (!determinant.invert() || determinant.reciprocal_condition() < 1e-8) continue;
        ++looked_at;
        worst = larger(
            worst, largest_difference(found_of(model, determinant), exact::pair_correlations(cluster, pairs, all[i])));
    }
    BOOST_TEST_MESSAGE(problem.electrons << " electrons on " << cluster.sites() << " sites: " << looked_at << " of "
                                         << all.size() << " configurations, worst " << worst);
    BOOST_TEST(looked_at > 20);
    return worst;
}

}  // namespace

// Few electrons leave many bonds empty, many electrons leave only bonds that share sites, and half filling leaves none.
BOOST_AUTO_TEST_CASE(of_configurations) {
    Problem shifted = tilted_problem(3, 8);
    shifted.pair.mu = -0.4;
    const Problem problems[] = {tilted_problem(3, 4),
                                tilted_problem(3, 6),
                                shifted,
                                tilted_problem(3, 10),
                                rectangular_problem(4, 3, anti, periodic, 8),
                                rectangular_problem(4, 3, anti, periodic, 10),
                                rectangular_problem(3, 4, anti, anti, 6),
                                rectangular_problem(3, 3, periodic, anti, 6)};
    for (const Problem& problem : problems) {
        const std::size_t count =
            exact::configurations(static_cast<int>(sites_of(problem.lattice)), problem.electrons).size();
        BOOST_TEST(worst_of(asked(problem), count / 60 + 1) < 1e-10);
    }
}

// Tests electrons in the order in which chains leave them, several infinite amplitudes, and a table that is not even.
BOOST_AUTO_TEST_CASE(of_chains) {
    Problem many = rectangular_problem(4, 4, periodic, periodic, 12);
    many.pair.mu = 0.4;
    Problem wide = rectangular_problem(6, 4, anti, periodic, 20);
    wide.pair.mu = -0.3;
    for (Problem problem : {tilted_problem(5, 22), many, wide}) {
        const Model model(asked(problem));
        const exact::Cluster cluster = cluster_of(problem);
        const exact::Pairs pairs = exact::pairs(cluster, state_of(problem));
        Chain chain(model, 3, start_of(model, 3));
        MoveCounts counts;
        for (std::int64_t sweep = 0; sweep < 20; ++sweep) {
            chain.attempt(sweep * model.attempts_per_sweep(), model.attempts_per_sweep(), counts);
            if (sweep % 4 != 0) continue;
            const std::vector<double> expected =
                exact::pair_correlations(cluster, pairs, masks_of(model, chain.determinant().configuration()));
            BOOST_TEST(largest_difference(found_of(model, chain.determinant()), expected) < 1e-10);
        }
    }
}

// F_xx(0) + F_yy(0) is <n n / 4 - S.S> of neighbours in every configuration.
BOOST_AUTO_TEST_CASE(on_one_bond) {
    Problem wide = rectangular_problem(6, 4, anti, periodic, 18);
    wide.pair.mu = -0.3;
    for (const Problem& problem : {tilted_problem(9, 74), wide}) {
        const Model model(asked(problem));
        const Chain chain(model, 1, start_of(model, 1));
        LocalValues values = chain.measure();
        const std::vector<double> f = found_of(model, chain.determinant());
        const double singlets =
            value_of(values, Observable::density_density) / 4 - value_of(values, Observable::spin_spin);
        BOOST_TEST(std::abs(f[0] + f[3 * model.geometry.sites()] - singlets) < 1e-10);
    }
}

// Tests averages and errors, with and without other measurements.
BOOST_AUTO_TEST_CASE(averages_against_enumeration) {
    for (Problem problem : {tilted_problem(3, 8), rectangular_problem(4, 3, anti, periodic, 8)}) {
        problem = asked(problem);
        problem.correlations = problem.lattice.cluster == vmc::Cluster::tilted;
        problem.gradients = !problem.correlations;
        problem.chains = 32;
        problem.bins = 50;
        problem.sweeps_per_bin = 400;
        const exact::Cluster cluster = cluster_of(problem);
        const exact::Ensemble ensemble(cluster, problem.electrons);
        const exact::Pairs pairs = exact::pairs(cluster, state_of(problem));
        const std::vector<double> psi = ensemble.amplitudes(state_of(problem));
        const std::size_t sites = cluster.points.size();
        std::vector<double> expected(4 * sites);
        double norm = 0;
        for (std::size_t i = 0; i < psi.size(); ++i) {
            if (psi[i] == 0) continue;
            const std::vector<double> f =
                exact::pair_correlations(cluster, pairs, ensemble.configurations_in_order()[i]);
            for (std::size_t o = 0; o < f.size(); ++o) expected[o] += psi[i] * psi[i] * f[o];
            norm += psi[i] * psi[i];
        }
        Context context = make_context();
        Solver solver(context, problem);
        solver.run({});
        const PairCorrelations found = solver.pair_correlations();
        double farthest = 0, squares = 0, largest_error = 0;
        for (std::size_t ab = 0; ab < 4; ++ab)
            for (std::size_t r = 0; r < sites; ++r) {
                const statistics::Estimate f = found.f[ab / 2][ab % 2][r];
                const double off = (f.mean - expected[ab * sites + r] / norm) / f.error;
                farthest = larger(farthest, std::abs(off));
                squares += off * off;
                largest_error = larger(largest_error, f.error);
            }
        BOOST_TEST_MESSAGE(problem.electrons << " electrons: " << farthest << " errors off at most, mean square "
                                             << squares / (4.0 * static_cast<double>(sites)) << ", largest error "
                                             << largest_error << ", F_xx(0) " << found.f[0][0][0].mean);
        BOOST_TEST(farthest < 3.0);
        BOOST_TEST(largest_error < 2e-4);
    }
}

BOOST_AUTO_TEST_CASE(threads_files_and_refusals) {
    const std::filesystem::path path = "vmc_pair_correlation_test.state";
    Problem problem = asked(tilted_problem(5, 22));
    problem.chains = 5;
    problem.bins = 4;
    problem.thermalisation = 10;
    problem.sweeps_per_bin = 25;
    const auto numbers = [](const Solver& solver) {
        std::vector<double> all;
        for (const auto& row : solver.pair_correlations().f)
            for (const auto& f : row)
                for (const statistics::Estimate& e : f) all.insert(all.end(), {e.mean, e.error});
        return all;
    };
    Context one = make_context(1), two = make_context(2);
    Solver whole(one, problem), part(two, problem);
    BOOST_TEST(whole.pair_correlations().f[0][0].empty());
    whole.run({});
    part.advance();
    part.advance();
    part.save(path);
    const auto resumed = Solver::resume(two, path);
    BOOST_TEST(resumed->problem().pair_correlations);
    resumed->run({});
    const std::vector<double> expected = numbers(whole), found = numbers(*resumed);
    BOOST_TEST_REQUIRE(found.size() == 2 * 4 * 26u);
    BOOST_TEST(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)) == 0);
    std::filesystem::remove(path);

    const MemoryNeeds with = memory_needs(Backend::cpu, problem);
    problem.pair_correlations = false;
    BOOST_TEST(with.each - memory_needs(Backend::cpu, problem).each == 5 * 4 * 26 * 8);
    BOOST_TEST(with.fixed - memory_needs(Backend::cpu, problem).fixed >= 26 * 26 * 4);
    const auto [status, message] = failure_of([&] { Solver(one, problem).pair_correlations(); });
    BOOST_TEST((status == Status::invalid_argument));
    BOOST_TEST(message == "vmc.params.pair_correlations: 0; the run has not measured pair correlations");
}
