// Compares averages with enumeration, and tests threads, stopping, saving and resuming, drift, and refusals.
#define BOOST_TEST_MODULE vmc_solver
#include "vmc/solver.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>
#include <numeric>

#include "core/state_file.hpp"
#include "runs.hpp"
#include "vmc/problem_state.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

Context make_context(int threads = 1, Backend backend = Backend::cpu) {
    ContextOptions options;
    options.backend = backend;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Problem small_problem() {
    Problem problem = tilted_problem(5, 24);
    problem.chains = 5;
    problem.thermalisation = 13;
    problem.bins = 4;
    problem.sweeps_per_bin = 33;
    problem.recompute_interval = 10;
    return problem;
}

std::vector<double> all_means(const Solver& solver) {
    std::vector<double> all;
    for (std::size_t o = 0; o < observables; ++o) {
        const std::vector<double> means = solver.bin_means(static_cast<Observable>(o));
        all.insert(all.end(), means.begin(), means.end());
    }
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

void check_near(const char* what, statistics::Estimate found, double expected, double errors = 4) {
    BOOST_TEST_MESSAGE("    " << what << " " << found.mean << " +- " << found.error << ", "
                              << (found.mean - expected) / found.error << " errors off");
    BOOST_TEST(std::abs(found.mean - expected) < errors * found.error + 1e-13, what);
}

void check_against_enumeration(const Problem& problem) {
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    const exact::Averages expected = ensemble.averages(ensemble.amplitudes(state_of(problem)), couplings_of(problem));
    Context context = make_context(2);
    Solver solver(context, problem);
    solver.run({});
    const vmc::Averages found = solver.averages();
    check_near("energy", found.energy, expected.energy);
    check_near("kinetic", found.kinetic, expected.kinetic);
    check_near("kinetic, up", found.kinetic_up, expected.kinetic / 2);
    check_near("kinetic, down", found.kinetic_down, expected.kinetic / 2);
    check_near("exchange", found.exchange, expected.exchange);
    check_near("S.S", found.spin_spin, expected.spin_spin);
    check_near("n n", found.density_density, expected.density_density);
    BOOST_TEST(found.energy.error < 2e-3 * std::abs(expected.energy));
    BOOST_TEST(found.bins_done == problem.bins);
    BOOST_TEST(found.autocorrelation_sweeps > 0.3);
    BOOST_TEST(found.autocorrelation_sweeps < 3.0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(averages_of_ten_sites) {
    for (const exact::Reference& reference : exact::references) {
        Problem problem = problem_of(reference);
        problem.bins = 50;
        problem.sweeps_per_bin = 50;
        BOOST_TEST_MESSAGE(reference.name);
        check_against_enumeration(problem);
    }
}

// Tests hops to more distant neighbours, boundaries with signs, several infinite amplitudes, and a table.
BOOST_AUTO_TEST_CASE(averages_of_other_clusters) {
    Problem farther = tilted_problem(3, 8);
    farther.couplings = {1, -0.25, 0.15, 0.4};
    farther.pair.variational_t_prime = -0.2;
    Problem wide = rectangular_problem(4, 3, Boundary::antiperiodic, Boundary::periodic, 10);
    wide.couplings = {1, -0.25, 0.15, 0.4};
    Problem table = tilted_problem(3, 8);
    const Geometry geometry(table.lattice);
    table.table.values = pair_function_of(geometry, pair_amplitudes(geometry, table.pair));
    table.table.divergent_zero = true;
    for (Problem problem : {farther, wide, table}) {
        problem.bins = 50;
        problem.sweeps_per_bin = 50;
        BOOST_TEST_MESSAGE(problem.electrons << " electrons");
        check_against_enumeration(problem);
    }
}

// Compares with sums over all configurations from another program. At half filling no electron hops.
BOOST_AUTO_TEST_CASE(averages_of_26_sites) {
    Context context = make_context(2);
    Problem problem = tilted_problem(5, 24);
    problem.bins = 40;
    problem.sweeps_per_bin = 100;
    Solver doped(context, problem);
    doped.run({});
    vmc::Averages found = doped.averages();
    check_near("energy", found.energy, -0.480060581975);
    check_near("kinetic", found.kinetic, -0.196534971401);
    check_near("exchange", found.exchange, -0.283525610574);
    check_near("S.S", found.spin_spin, -0.259554374833);
    const MoveCounts& m = found.moves;
    const auto rate = [](std::int64_t accepted, std::int64_t of) {
        return static_cast<double>(accepted) / static_cast<double>(of);
    };
    BOOST_TEST(std::abs(rate(m.hops_accepted[0], m.hops[0]) - 0.325) < 0.005);
    BOOST_TEST(std::abs(rate(m.hops_accepted[1], m.hops[1]) - 0.499) < 0.005);
    BOOST_TEST(std::abs(rate(m.exchanges_accepted[0], m.exchanges[0]) - 0.177) < 0.005);
    BOOST_TEST(std::abs(rate(m.exchanges_accepted[1], m.exchanges[1]) - 0.293) < 0.005);
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(m.attempts[i] == m.nulls[i] + m.hops[i] + m.exchanges[i]);
    BOOST_TEST(m.attempts[0] + m.attempts[1] == problem.chains * doped.sweeps_done() * 24);

    problem.electrons = 26;
    Solver half_filled(context, problem);
    half_filled.run({});
    found = half_filled.averages();
    check_near("energy", found.energy, -0.345997832763);
    check_near("S.S", found.spin_spin, -0.326663054605);
    BOOST_TEST(found.kinetic.mean == 0.0);
    BOOST_TEST(found.kinetic.error == 0.0);
    BOOST_TEST(found.density_density.mean == 1.0);
    BOOST_TEST(found.moves.hops[0] + found.moves.hops[1] == 0);
}

// Compares spin and charge structure factors with sums over all configurations.
BOOST_AUTO_TEST_CASE(structure_factors) {
    Problem wide = rectangular_problem(4, 3, Boundary::antiperiodic, Boundary::periodic, 8);
    for (Problem problem : {tilted_problem(3, 8), wide}) {
        problem.correlations = true;
        problem.gradients = problem.lattice.cluster == vmc::Cluster::tilted;  // other measurements do not matter
        problem.bins = 50;
        problem.sweeps_per_bin = 50;
        Context context = make_context(2);
        Solver solver(context, problem);
        solver.run({});
        const StructureFactors found = solver.structure_factors();
        const exact::Cluster cluster = cluster_of(problem);
        const exact::Ensemble ensemble(cluster, problem.electrons);
        const std::vector<double> psi = ensemble.amplitudes(state_of(problem));
        const double norm = std::inner_product(psi.begin(), psi.end(), psi.begin(), 0.0);
        for (std::size_t q = 0; q < found.wave_vectors.size(); ++q) {
            double spin = 0, charge = 0;
            for (std::size_t i = 0; i < psi.size(); ++i) {
                const exact::Configuration c = ensemble.configurations_in_order()[i];
                std::complex<double> spins, charges;
                for (std::size_t s = 0; s < cluster.points.size(); ++s) {
                    const auto wave = std::polar(1.0, found.wave_vectors[q][0] * cluster.points[s].x +
                                                          found.wave_vectors[q][1] * cluster.points[s].y);
                    spins += wave * (0.5 * (c.up >> s & 1) - 0.5 * (c.down >> s & 1));
                    charges += wave * static_cast<double>((c.up | c.down) >> s & 1);
                }
                spin += psi[i] * psi[i] / norm * std::norm(spins) / cluster.sites();
                charge += psi[i] * psi[i] / norm * std::norm(charges) / cluster.sites();
            }
            if (q == 0) charge = 0;  // the contribution of the mean density is left out
            check_near("S(q)", found.spin[q], spin);
            check_near("N(q)", found.charge[q], charge);
        }
    }
    Context context = make_context();
    BOOST_TEST(failure_of([&] {
                   Solver(context, wide).structure_factors();
               }).second.starts_with("vmc.params.correlations: 0; the run has not"));
}

// Compares the derivatives of the energy with differences of enumerated energies. Compares the metric with enumerated
// overlaps of neighbouring states: (<a|b> / |a| |b|)^2 = 1 - step^2 metric.
BOOST_AUTO_TEST_CASE(gradients) {
    Problem problem = rectangular_problem(4, 3, Boundary::antiperiodic, Boundary::periodic, 10);
    problem.pair.variational_t_prime = 0.05;
    problem.pair.mu = -0.2;
    problem.gradients = true;
    problem.bins = 50;
    problem.sweeps_per_bin = 100;
    Context context = make_context(2);
    Solver solver(context, problem);
    solver.run({});
    const Gradient found = solver.gradient();
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    double PairParameters::*const members[] = {&PairParameters::delta, &PairParameters::mu,
                                               &PairParameters::variational_t_prime,
                                               &PairParameters::variational_t_double_prime};
    const auto psi_beside = [&](std::size_t a, double step) {
        Problem beside = problem;
        beside.pair.*members[a] += step;
        return ensemble.amplitudes(state_of(beside));
    };
    const auto energy = [&](const std::vector<double>& psi) {
        return ensemble.averages(psi, couplings_of(problem)).energy;
    };
    const auto overlap = [](const std::vector<double>& x, const std::vector<double>& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    constexpr double step = 1e-3;
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        const std::vector<double> less = psi_beside(a, -step), more = psi_beside(a, step);
        check_near("gradient", found.energy[a], (energy(more) - energy(less)) / (2 * step));
        BOOST_TEST(found.energy[a].error > 0);
        const double cosine2 = std::pow(overlap(less, more), 2) / (overlap(less, less) * overlap(more, more));
        const double metric = (1 - cosine2) / (4 * step * step);
        BOOST_TEST(std::abs(found.metric[a][a] / metric - 1) < 0.05);
        for (std::size_t b = 0; b < a; ++b)
            BOOST_TEST(found.metric[a][b] * found.metric[a][b] <= found.metric[a][a] * found.metric[b][b]);
    }
    problem.gradients_by = {false, true, false, false};
    Solver by_one(context, problem);
    by_one.run({});
    BOOST_TEST(by_one.gradient().energy[1].mean == found.energy[1].mean);
    BOOST_TEST(by_one.gradient().metric[1][1] == found.metric[1][1]);
    BOOST_TEST(by_one.gradient().energy[0].mean == 0.0);
    problem.gradients = false;
    BOOST_TEST(failure_of([&] {
                   Solver(context, problem).gradient();
               }).second.starts_with("vmc.params.gradients: 0; the run has not measured"));
}

// Chains are independent, so the error of all bins is that of the means of the chains.
BOOST_AUTO_TEST_CASE(chains_are_uncorrelated) {
    Context context = make_context(2);
    Problem problem = tilted_problem(5, 24);
    problem.chains = 256;
    problem.bins = 8;
    problem.sweeps_per_bin = 20;
    Solver solver(context, problem);
    solver.run({});
    const std::vector<double> means = solver.bin_means(Observable::energy);
    std::vector<double> of_chains;
    for (std::size_t chain = 0; chain < 256; ++chain)
        of_chains.push_back(std::accumulate(means.begin() + static_cast<std::ptrdiff_t>(8 * chain),
                                            means.begin() + static_cast<std::ptrdiff_t>(8 * chain + 8), 0.0) /
                            8);
    const double quotient = solver.averages().energy.error / statistics::mean_of(of_chains).error;
    BOOST_TEST_MESSAGE("pooled error / error from chains: " << quotient);
    BOOST_TEST(std::abs(quotient - 1) < 0.15);
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
    std::vector<double> expected;
    for (const int threads : {1, 2, 3}) {
        Context context = make_context(threads);
        Solver solver(context, small_problem());
        solver.run({});
        if (expected.empty()) expected = all_means(solver);
        BOOST_TEST(same_bits(all_means(solver), expected));
    }
}

// The numbers of a chain do not depend on the number of chains.
BOOST_AUTO_TEST_CASE(chains_by_number) {
    Context context = make_context();
    Problem problem = small_problem();
    problem.drift_bound = 1;
    Solver five(context, problem);
    problem.chains = 2;
    Solver two(context, problem);
    five.run({});
    two.run({});
    std::vector<double> first = five.bin_means(Observable::energy);
    first.resize(2 * 4);
    BOOST_TEST(same_bits(first, two.bin_means(Observable::energy)));
    BOOST_TEST(same_bits(std::vector<double>(first.begin() + 4, first.end()), two.bin_means(Observable::energy, 1)));
    std::vector<std::int32_t> sites = five.electron_sites();
    sites.resize(2 * 24);
    BOOST_TEST(sites == two.electron_sites());
}

// The run is saved at the end of the thermalisation, between bins, and within a bin.
BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const std::filesystem::path path = "vmc_solver_test.state";
    Context context = make_context(2);
    Problem problem = small_problem();
    problem.bins = 2;
    problem.sweeps_per_bin = 3000;  // takes several batches
    problem.gradients = problem.correlations = true;
    Solver whole(context, problem);
    whole.run({});
    bool within = false;
    for (int stop = 1; stop < 5; ++stop) {
        Solver solver(context, problem);
        int calls = 0;
        const auto [status, message] =
            failure_of([&] { solver.run([&](const Progress&) { return ++calls < stop; }, 0.0); });
        BOOST_TEST((status == Status::cancelled));
        BOOST_TEST(message == "vmc: stopped by the progress callback");
        within = within || (solver.sweeps_done() - problem.thermalisation) % problem.sweeps_per_bin != 0;
        solver.save(path);
        const std::unique_ptr<Solver> resumed = Solver::resume(context, path);
        BOOST_TEST(resumed->sweeps_done() == solver.sweeps_done());
        while (!resumed->advance()) {
        }
        BOOST_TEST(same_bits(all_means(*resumed), all_means(whole)), "stopped after " << stop);
        BOOST_TEST((resumed->averages().moves == whole.averages().moves));
        BOOST_TEST(resumed->averages().largest_drift == whole.averages().largest_drift);
    }
    BOOST_TEST(within);
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(advance_goes_bin_by_bin) {
    Context context = make_context();
    Solver solver(context, small_problem());
    BOOST_TEST(solver.averages().bins_done == 0);
    BOOST_TEST(!solver.advance());
    BOOST_TEST(solver.sweeps_done() == 13);
    for (std::int64_t bin = 1; bin <= 4; ++bin) {
        BOOST_TEST(solver.advance() == (bin == 4));
        BOOST_TEST(solver.bins_done() == bin);
        BOOST_TEST(solver.sweeps_done() == 13 + 33 * bin);
    }
    BOOST_TEST(solver.advance());
    BOOST_TEST(solver.sweeps_done() == 13 + 33 * 4);
}

BOOST_AUTO_TEST_CASE(a_bound_of_the_drift) {
    Context context = make_context();
    std::string lines;
    context.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; });
    Problem problem = small_problem();
    problem.drift_bound = 1e-14;
    Solver solver(context, problem);
    solver.run({});
    BOOST_TEST(solver.averages().recompute_interval < 10);
    BOOST_TEST(solver.averages().largest_drift > 1e-14);
    BOOST_TEST(solver.averages().largest_drift < 1e-9);
    BOOST_TEST(lines.find("more than vmc.params.drift_bound, 1e-14: from now on it is recomputed after 5 sweeps") !=
               std::string::npos);
}

// The pair function is so small that some matrices count as singular and others do not.
BOOST_AUTO_TEST_CASE(a_run_that_an_error_has_ended) {
    const std::filesystem::path path = "vmc_solver_test.state";
    Context context = make_context();
    Problem problem = tilted_problem(3, 8);
    const Geometry geometry(problem.lattice);
    const std::vector<double> phi = pair_function_of(geometry, pair_amplitudes(geometry, problem.pair));
    problem.table.divergent_zero = true;
    problem.bins = 50;
    problem.sweeps_per_bin = 20;
    int ended = 0;
    for (int exponent = -985; exponent > -1000; --exponent) {
        problem.table.values.clear();
        for (const double value : phi) problem.table.values.push_back(std::ldexp(value, exponent));
        std::unique_ptr<Solver> solver;
        if (failure_of([&] { solver = std::make_unique<Solver>(context, problem); }).first != Status::success) continue;
        const auto [status, message] = failure_of([&] { solver->run({}); });
        if (status == Status::success) continue;
        ++ended;
        BOOST_TEST(message.ends_with("has become singular"));
        const std::vector<double> before = solver->bin_means(Observable::energy);
        for (const std::function<void()>& go_on :
             {std::function<void()>([&] { solver->run({}); }), std::function<void()>([&] { solver->advance(); }),
              std::function<void()>([&] { solver->save(path); })})
            BOOST_TEST(failure_of(go_on).second.starts_with("vmc: an error has ended this run within its sweeps"));
        BOOST_TEST((solver->bin_means(Observable::energy) == before));
        BOOST_TEST(!std::filesystem::exists(path));
    }
    BOOST_TEST(ended > 0);
}

BOOST_AUTO_TEST_CASE(electrons_of_a_doping) {
    const auto of = [](int length) { return electrons_at(tilted_problem(length, 2).lattice, 0.1); };
    BOOST_TEST(of(5) == 24);
    BOOST_TEST(of(9) == 74);
    BOOST_TEST(of(15) == 204);
    BOOST_TEST(electrons_at(tilted_problem(3, 2).lattice, 0.2) == 8);
    BOOST_TEST(electrons_at(tilted_problem(3, 2).lattice, 0.0) == 10);
}

BOOST_AUTO_TEST_CASE(refused_problems) {
    struct Case {
        std::function<void(Problem&)> change;
        std::string message;
    };
    const double nan = std::nan("");
    const std::vector<Case> cases{
        {[](Problem& p) { p.lattice.length = 4; }, "vmc.params.length: 4 is even"},
        {[](Problem& p) { p.lattice.cluster = static_cast<vmc::Cluster>(7); }, "vmc.params.cluster: 7 is not in 0..1"},
        {[](Problem& p) { p.electrons = 0; }, "vmc.params.electrons: 0 is not in 2..26"},
        {[](Problem& p) { p.electrons = 28; }, "vmc.params.electrons: 28 is not in 2..26"},
        {[](Problem& p) { p.electrons = 23; }, "vmc.params.electrons: 23 is odd"},
        {[&](Problem& p) { p.couplings.t = nan; }, "vmc.params.t: nan is not in"},
        {[](Problem& p) { p.couplings.t_prime = 1e7; }, "vmc.params.t_prime: 10000000 is not in"},
        {[&](Problem& p) { p.couplings.t_double_prime = nan; }, "vmc.params.t_double_prime: nan is not in"},
        {[](Problem& p) { p.couplings.j = -INFINITY; }, "vmc.params.j: -inf is not in"},
        {[&](Problem& p) { p.pair.mu = nan; }, "vmc.params.mu: nan is not in"},
        {[](Problem& p) { p.chains = 0; }, "vmc.params.chains: 0 is not in"},
        {[](Problem& p) { p.thermalisation = -1; }, "vmc.params.thermalisation: -1 is not in"},
        {[](Problem& p) { p.bins = 0; }, "vmc.params.bins: 0 is not in"},
        {[](Problem& p) { p.sweeps_per_bin = 0; }, "vmc.params.sweeps_per_bin: 0 is not in"},
        {[](Problem& p) { p.sweep_factor = 0; }, "vmc.params.sweep_factor: 0 is not in"},
        {[](Problem& p) { p.neighbour_share = 1.5; }, "vmc.params.neighbour_share: 1.5 is not in [0, 1]"},
        {[](Problem& p) { p.recompute_interval = 0; }, "vmc.params.recompute_interval: 0 is not in"},
        {[](Problem& p) { p.drift_bound = 0; }, "vmc.params.drift_bound: 0 is not in"},
        {[](Problem& p) { p.start_attempts = 0; }, "vmc.params.start_attempts: 0 is not in"},
        {[](Problem& p) { p.least_reciprocal_condition = 2; }, "vmc.params.least_reciprocal_condition: 2 is not in"},
        {[](Problem& p) { p.gradients = true, p.table.values.resize(26); }, "vmc.params.gradients: 1 needs"},
        {[](Problem& p) { p.pair.delta = 0; }, "vmc.params.electrons: 24 are 12 pairs, but 13 wave vectors"},
        {[](Problem& p) { p.chains = 1 << 20, p.bins = 1 << 20; }, "vmc.params.chains: 1048576 chains need"},
    };
    Context context = make_context();
    for (const Case& c : cases) {
        Problem problem = small_problem();
        c.change(problem);
        const auto [status, message] = failure_of([&] { Solver(context, problem); });
        BOOST_TEST(message.starts_with(c.message), message << " for " << c.message);
    }
}

BOOST_AUTO_TEST_CASE(refused_files) {
    const std::filesystem::path path = "vmc_solver_test.state";
    Context context = make_context();
    Solver solver(context, small_problem());
    solver.advance();
    solver.save(path);
    BOOST_TEST(Solver::resume(context, path)->sweeps_done() == 13);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 7);
    BOOST_TEST((failure_of([&] { Solver::resume(context, path); }).first == Status::bad_file));
    StateWriter other("kpm", 1);
    other.put("problem/moments", 3);
    other.commit(path);
    BOOST_TEST((failure_of([&] { Solver::resume(context, path); }).first == Status::bad_file));
    std::filesystem::remove(path);
}

// Tests files whose checksums are right but whose contents are not.
BOOST_AUTO_TEST_CASE(files_that_make_no_sense) {
    const std::filesystem::path path = "vmc_solver_test.state";
    Context context = make_context();
    Problem problem = tilted_problem(3, 8);
    problem.chains = 2;
    problem.bins = 3;
    problem.thermalisation = 10;
    problem.sweeps_per_bin = 5;
    struct File {
        Problem problem;
        std::vector<std::int32_t> sites{0, 2, 4, 6, 1, 3, 5, 7, 0, 2, 4, 7, 1, 3, 5, 6};
        std::int64_t sweeps = 16, interval = 20, next_chain = 1;
        std::size_t bins = 1;
    };
    const auto message = [&](const auto& change) {
        File file{problem};
        change(file);
        StateWriter writer("vmc", 1);
        put_problem(writer, file.problem);
        writer.put("chains/sites", file.sites);
        writer.put("run/sweeps", file.sweeps);
        writer.put("run/interval", file.interval);
        writer.put("run/largest_drift", 0.0);
        writer.put("run/next_chain", file.next_chain);
        writer.put("run/drift", 0.0);
        writer.put("run/moves", std::vector<std::int64_t>(12));
        writer.put("bins/done", std::vector<double>(file.bins * 2 * observables));
        writer.put("bins/under_way", std::vector<double>(2 * observables));
        writer.commit(path);
        const auto [status, words] = failure_of([&] { Solver::resume(context, path); });
        BOOST_TEST((status == Status::success || status == Status::bad_file || status == Status::numerical_error));
        return words;
    };
    const auto found = [](const std::string& words, const std::string& part) {
        BOOST_TEST(words.find(part) != std::string::npos, words << ", not " << part);
    };
    BOOST_TEST(message([](File&) {}) == "nothing thrown");
    found(message([](File& f) { f.sites[9] = 0; }),
          "0 of electron 1 of chain 1 is not a site, or has another electron");
    found(message([](File& f) { f.sites[3] = 10; }),
          "10 of electron 3 of chain 0 is not a site, or has another electron");
    found(message([](File& f) { f.sites[3] = -1; }),
          "-1 of electron 3 of chain 0 is not a site, or has another electron");
    found(message([](File& f) { f.sites.pop_back(); }), "chains/sites");
    found(message([](File& f) { f.sweeps = 26; }), "run/sweeps");
    found(message([](File& f) { f.sweeps = -1; }), "run/sweeps");
    found(message([](File& f) { f.sweeps = 20; }), "bins/done");
    found(message([](File& f) { f.interval = 0; }), "run/interval");
    found(message([](File& f) { f.interval = 21; }), "run/interval");
    found(message([](File& f) { f.next_chain = 2; }), "run/next_chain");
    found(message([](File& f) { f.next_chain = -1; }), "run/next_chain");
    found(message([](File& f) { f.bins = 2; }), "bins/done");
    found(message([](File& f) { f.problem.electrons = 7; }), "vmc.params.electrons: 7 is odd");
    found(message([](File& f) { f.problem.lattice.length = 8; }), "vmc.params.length: 8 is even");
    found(message([](File& f) { f.problem.pair.delta = 0; }), "wave vectors have an infinite pair amplitude");
    found(message([](File& f) { f.problem.gradients = true; }), "bins/done");
    std::filesystem::remove(path);
}

// There are so many chains that they do a batch in several parts. The run is stopped after the first part, saved, and
// continued.
BOOST_AUTO_TEST_CASE(stopped_between_chains) {
    const std::filesystem::path path = "vmc_stopped_between_chains_test.state";
    ContextOptions options;
    options.threads = 1;
    options.log_level = LogLevel::silent;
    Context context(options);
    Problem problem = tilted_problem(7, 46);
    problem.chains = 5000;
    problem.thermalisation = 0;
    problem.bins = 1;
    problem.sweeps_per_bin = 20;
    Solver whole(context, problem), stopped(context, problem);
    whole.run({});
    BOOST_CHECK_EXCEPTION(stopped.run([](const Progress&) { return false; }, 0), Error,
                          [](const Error& error) { return error.status() == Status::cancelled; });
    BOOST_TEST(stopped.sweeps_done() == 0);
    BOOST_TEST(stopped.averages().moves.attempts[0] > 0);
    stopped.save(path);
    const auto resumed = Solver::resume(context, path);
    BOOST_TEST((resumed->electron_sites() == stopped.electron_sites()));
    for (Solver* const solver : {&stopped, resumed.get()}) {
        solver->run({});
        BOOST_TEST((solver->electron_sites() == whole.electron_sites()));
        BOOST_TEST((solver->bin_means(Observable::energy) == whole.bin_means(Observable::energy)));
        BOOST_TEST((solver->averages().moves == whole.averages().moves));
        BOOST_TEST(solver->averages().largest_drift == whole.averages().largest_drift);
    }
    std::filesystem::remove(path);
}
