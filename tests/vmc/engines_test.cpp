// Compares the CUDA engine with the CPU engine. The same chains take the same decisions.
#define BOOST_TEST_MODULE vmc_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include "../device_main.hpp"
#include "core/larger.hpp"
#include "runs.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

Context& context_on(Backend backend) {
    ContextOptions options;
    options.backend = backend;
    options.log_level = LogLevel::silent;
    static std::vector<std::unique_ptr<Context>> contexts;
    contexts.push_back(std::make_unique<Context>(options));
    return *contexts.back();
}

struct Run {
    std::vector<std::int32_t> sites;
    std::vector<double> sums;
    BatchReport report;
};

// Runs some chains. `start` has their sites.
Run run_of(Backend backend, const Model& model, const Chains& chains, const std::vector<std::int32_t>& start,
           std::int64_t sweeps) {
    const auto engine = make_part_engine(context_on(backend), backend, model, chains);
    const auto count = static_cast<std::size_t>(chains.count);
    Run run{start, std::vector<double>(count * local_values_of(model.problem)), {}};
    engine->load(run.sites);
    const std::vector<std::int64_t> intervals(count, 5);
    for (const std::int64_t first : {std::int64_t{0}, sweeps / 3})
        run.report =
            engine->advance({first, first == 0 ? sweeps / 3 : sweeps - first, intervals, first != 0}, run.sums);
    engine->store(run.sites);
    return run;
}

Run run_of(Backend backend, const Model& model, const std::vector<std::int32_t>& start, std::int64_t sweeps) {
    return run_of(backend, model, all_chains(model.problem), start, sweeps);
}

std::vector<std::int32_t> start_sites(const Model& model) {
    std::vector<std::int32_t> sites;
    for (int chain = 0; chain < model.problem.chains; ++chain) {
        const vmc::Configuration c = start_of(model, static_cast<std::uint32_t>(chain));
        const auto pairs = static_cast<std::ptrdiff_t>(model.pairs());
        sites.insert(sites.end(), c.up.begin(), c.up.begin() + pairs);
        sites.insert(sites.end(), c.down.begin(), c.down.begin() + pairs);
    }
    return sites;
}

// Returns the largest difference of the sums of the two engines, relative to their size.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = larger(largest, std::abs(a[i] - b[i]) / (1 + std::abs(a[i])));
    return largest;
}

void compare(Problem problem, std::int64_t sweeps, int chains = 5, const std::vector<double>& shares = {0, 0.5, 1}) {
    problem.chains = chains;
    for (const double share : shares) {
        problem.neighbour_share = share;
        const Model model(problem);
        const std::vector<std::int32_t> start = start_sites(model);
        const Run cpu = run_of(Backend::cpu, model, start, sweeps), cuda = run_of(Backend::cuda, model, start, sweeps);
        BOOST_TEST_CONTEXT("sites " << model.geometry.sites() << " order " << model.order() << " share " << share) {
            BOOST_TEST((cpu.sites == cuda.sites));
            BOOST_TEST((cpu.report.moves == cuda.report.moves));
            BOOST_TEST(largest_difference(cpu.sums, cuda.sums) < 1e-6);
            BOOST_TEST(cuda.report.drifts.size() == cpu.report.drifts.size());
            for (std::size_t i = 0; i < cpu.report.drifts.size(); ++i) {
                BOOST_TEST(cuda.report.drifts[i] < 1e-6);
                BOOST_TEST((cuda.report.drifts[i] > 0) == (cpu.report.drifts[i] > 0));
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(tilted_clusters) {
    for (const auto& [length, electrons, sweeps] : std::vector<std::array<int, 3>>{{3, 2, 300},
                                                                                   {3, 8, 300},
                                                                                   {3, 10, 300},
                                                                                   {5, 24, 300},
                                                                                   {5, 26, 300},
                                                                                   {7, 46, 200},
                                                                                   {9, 74, 200},
                                                                                   {11, 110, 100},
                                                                                   {13, 154, 40},
                                                                                   {15, 204, 40},
                                                                                   {15, 226, 20},
                                                                                   {17, 262, 12},
                                                                                   {21, 398, 4}})
        compare(tilted_problem(length, electrons), sweeps);
}

// Tests a later one of the runs that share a seed, and the next seed.
BOOST_AUTO_TEST_CASE(runs_of_a_seed) {
    Problem problem = tilted_problem(5, 24);
    for (const std::uint32_t run : {1u, 999999u}) {
        problem.run = run;
        compare(problem, 60);
    }
    problem.run = 0;
    problem.seed = 2;
    compare(problem, 60);
}

// There are five hundred chains, more than there are thread blocks with memory of their own.
BOOST_AUTO_TEST_CASE(all_that_can_be_measured) {
    for (const auto& [length, electrons, chains, sweeps] : std::vector<std::array<int, 4>>{
             {3, 8, 5, 30}, {5, 24, 5, 30}, {9, 74, 5, 9}, {13, 154, 5, 6}, {15, 204, 500, 3}, {17, 262, 5, 3}}) {
        Problem problem = tilted_problem(length, electrons);
        problem.correlations = problem.pair_correlations = problem.gradients = true;
        problem.gradients_by = {true, length != 9, true, length != 5};
        compare(problem, sweeps, chains);
    }
}

BOOST_AUTO_TEST_CASE(rectangular_clusters) {
    const auto periodic = Boundary::periodic, antiperiodic = Boundary::antiperiodic;
    for (Problem problem :
         {rectangular_problem(4, 3, antiperiodic, periodic, 8), rectangular_problem(3, 8, periodic, antiperiodic, 20),
          rectangular_problem(10, 6, antiperiodic, antiperiodic, 54),
          rectangular_problem(12, 12, antiperiodic, periodic, 130)}) {
        problem.pair.mu = -0.37;
        problem.couplings.t_prime = -0.3;
        problem.couplings.t_double_prime = 0.2;
        problem.pair.variational_t_prime = -0.2;
        problem.correlations = problem.pair_correlations = problem.gradients = true;
        compare(problem, 60);
    }
}

// Returns the rows of a part's chains among those of all chains.
template <class T>
std::vector<T> rows_of(const Chains& chains, const std::vector<T>& all, int of_all) {
    const std::size_t row = all.size() / static_cast<std::size_t>(of_all);
    std::vector<T> rows;
    for (int i = 0; i < chains.count; ++i) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(chains.number(i)) * row);
        rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(row));
    }
    return rows;
}

// The shapes of thread blocks differ, and so does the place of the rows.
BOOST_AUTO_TEST_CASE(parts_of_the_chains) {
    for (const auto& [length, electrons, sweeps] :
         std::vector<std::array<int, 3>>{{3, 8, 30}, {5, 24, 30}, {9, 74, 9}, {13, 154, 6}, {17, 262, 3}})
        for (const bool measuring : {false, true}) {
            Problem problem = tilted_problem(length, electrons);
            problem.correlations = problem.pair_correlations = problem.gradients = measuring;
            problem.chains = 7;
            const Model model(problem);
            const std::vector<std::int32_t> start = start_sites(model);
            for (const Backend backend : {Backend::cpu, Backend::cuda}) {
                const auto whole = run_of(backend, model, start, sweeps);
                MoveCounts moves;
                for (const Chains& chains : {Chains{0, 3, 3}, Chains{1, 3, 2}, Chains{2, 3, 2}}) {
                    const auto part = run_of(backend, model, chains, rows_of(chains, start, 7), sweeps);
                    BOOST_TEST_CONTEXT(name(backend) << " length " << length << " first chain " << chains.first) {
                        BOOST_TEST((part.sites == rows_of(chains, whole.sites, 7)));
                        BOOST_TEST((part.sums == rows_of(chains, whole.sums, 7)));
                        BOOST_TEST((part.report.drifts == rows_of(chains, whole.report.drifts, 7)));
                    }
                    moves += part.report.moves;
                }
                BOOST_TEST((moves == whole.report.moves));
            }
        }
}

// Runs a thread block of every shape briefly, for tools that check each memory access.
void run_shortly(int length, int electrons, bool measuring, int chains = 2) {
    Problem problem = tilted_problem(length, electrons);
    problem.correlations = problem.pair_correlations = problem.gradients = measuring;
    compare(problem, 3, chains, {0.5});
}
void run_shortly(int length, int electrons) {
    for (const bool measuring : {false, true}) run_shortly(length, electrons, measuring);
}
BOOST_AUTO_TEST_CASE(short_runs_of_13_rows) {
    run_shortly(5, 24);
}
BOOST_AUTO_TEST_CASE(short_runs_of_24_rows) {
    run_shortly(7, 46);
}
BOOST_AUTO_TEST_CASE(short_runs_of_56_rows) {
    run_shortly(11, 110);
}
BOOST_AUTO_TEST_CASE(short_runs_of_78_rows) {
    run_shortly(13, 154);
}
BOOST_AUTO_TEST_CASE(short_runs_of_103_rows) {
    run_shortly(15, 204);
}
// The largest thread blocks take such tools minutes.
BOOST_AUTO_TEST_CASE(short_runs_of_132_rows) {
    run_shortly(17, 262, false, 1);
}
BOOST_AUTO_TEST_CASE(short_runs_of_132_rows_that_measure) {
    run_shortly(17, 262, true, 1);
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
