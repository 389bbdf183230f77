// Checks that advance_chain(), which advances chains one after another as drop-ins do, is bitwise identical to run().
#define BOOST_TEST_MODULE vmc_order
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "runs.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

const std::string file = "vmc_order_test.h5";

Context make_context(int threads) {
    return Context({.backend = Backend::cpu, .threads = threads, .log_level = LogLevel::silent});
}

// Returns a problem in which some inverses drift beyond the bound and others do not. Intervals then differ between
// chains.
Problem several_chains(double drift_bound) {
    Problem problem = tilted_problem(5, 24);
    problem.chains = 13;
    problem.thermalisation = 25;
    problem.bins = 4;
    problem.sweeps_per_bin = 33;
    problem.recompute_interval = 10;
    problem.drift_bound = drift_bound;
    return problem;
}
constexpr double drift_bounds[] = {1e-6, 2e-14};

void require_same(const Solver& a, const Solver& b) {
    for (std::size_t o = 0; o < observables; ++o)
        BOOST_TEST(a.bin_means(static_cast<Observable>(o)) == b.bin_means(static_cast<Observable>(o)),
                   boost::test_tools::per_element());
    BOOST_TEST(a.electron_sites() == b.electron_sites(), boost::test_tools::per_element());
    BOOST_TEST((a.moves() == b.moves()));
    BOOST_TEST(a.largest_drift() == b.largest_drift());
    BOOST_TEST(a.recompute_interval() == b.recompute_interval());
    BOOST_TEST(a.averages().energy.mean == b.averages().energy.mean);
    BOOST_TEST(a.averages().energy.error == b.averages().energy.error);
}

}  // namespace

BOOST_AUTO_TEST_CASE(chains_in_their_order_have_the_bits_of_chains_side_by_side) {
    for (const double bound : drift_bounds) {
        const Problem problem = several_chains(bound);
        Context one_thread = make_context(1);
        Solver whole(one_thread, problem);
        whole.run({});
        BOOST_TEST((whole.recompute_interval() < 10) == (bound < 1e-6));
        for (const int threads : {1, 3}) {
            Context context = make_context(threads);
            Solver solver(context, problem);
            for (std::size_t chain = 0; chain < 13; ++chain)
                while (solver.bins_done(chain) < problem.bins) solver.advance_chain(chain, 0);
            require_same(whole, solver);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_first_chain_comes_before_the_last_one_begins) {
    const Problem problem = several_chains(1e-6);
    Context context = make_context(1);
    Solver solver(context, problem);
    solver.advance_chain(0, 1e6);
    BOOST_TEST(solver.bins_done(0) == problem.bins);
    BOOST_TEST(solver.bin_means(Observable::energy, 0).size() == 4);
    BOOST_TEST(solver.bins_done(12) == 0);
    BOOST_TEST(solver.bins_done() == 0);
    BOOST_TEST(solver.sweeps_done() == 0);
    BOOST_TEST(solver.averages().bins_done == 0);
    BOOST_CHECK_THROW(solver.run({}), Error);
    BOOST_CHECK_THROW(solver.advance(), Error);
    BOOST_CHECK_THROW(solver.advance_chain(13, 1), Error);
    solver.advance_chain(12, 1e6);
    solver.run({});
    BOOST_TEST(solver.bins_done() == problem.bins);
    BOOST_TEST(solver.sweeps_done() == problem.thermalisation + problem.bins * problem.sweeps_per_bin);
}

BOOST_AUTO_TEST_CASE(a_run_in_order_goes_on_from_a_file_with_the_same_bits) {
    for (const double bound : drift_bounds) {
        const Problem problem = several_chains(bound);
        Context context = make_context(2);
        Solver whole(context, problem);
        whole.run({});
        for (std::size_t chain = 0; chain < 13; chain += 3)
            for (const double seconds : {0.0, 1e6}) {
                Solver solver(context, problem);
                if (chain > 0) solver.advance_chain(chain - 1, 1e6);
                solver.advance_chain(chain, seconds);
                solver.save(file);
                const auto resumed = Solver::resume(context, file);
                for (std::size_t i = 0; i < 13; ++i) BOOST_TEST(resumed->bins_done(i) == solver.bins_done(i));
                resumed->advance_chain(12, 1e6);
                require_same(whole, *resumed);
            }
    }
    std::filesystem::remove(file);
}
