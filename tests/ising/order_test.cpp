// Checks that advance_system(), which advances systems one after another as drop-ins do, is bitwise identical to run().
#define BOOST_TEST_MODULE ising_order
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "core/error.hpp"
#include "ising/solver.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

const std::string file = "ising_order_test.h5";

Context make_context(int threads) {
    return Context({.backend = Backend::cpu, .threads = threads, .log_level = LogLevel::silent});
}

Problem several_systems(Algorithm algorithm) {
    Problem p;
    p.lattice.extents = {8, 6, 1};
    p.algorithm = algorithm;
    p.betas = {0.3, 0.4, 0.5, 0.6};
    p.seeds = {3};
    p.replicas = has_demons(algorithm) ? 40 : 5;
    p.start = Start::random;
    p.thermalisation = 3;
    p.sweeps_per_measurement = 2;
    p.measurements_per_bin = 3;
    p.bins = 4;
    p.time_series = p.correlations = true;
    p.acceptance = algorithm == Algorithm::metropolis;
    return p;
}

void require_same(const Solver& a, const Solver& b) {
    for (std::size_t system = 0; system < systems_of(a.problem()); ++system) {
        const TimeSeries of_a = a.time_series(system), of_b = b.time_series(system);
        BOOST_TEST(of_a.magnetisation == of_b.magnetisation, boost::test_tools::per_element());
        BOOST_TEST(of_a.energy == of_b.energy, boost::test_tools::per_element());
        BOOST_TEST(a.spins(system) == b.spins(system), boost::test_tools::per_element());
    }
    for (std::size_t beta = 0; beta < a.problem().betas.size(); ++beta) {
        const Averages of_a = a.averages(beta), of_b = b.averages(beta);
        BOOST_TEST(of_a.bins_done == of_b.bins_done);
        BOOST_TEST(of_a.energy.mean == of_b.energy.mean);
        BOOST_TEST(of_a.energy.error == of_b.energy.error);
        BOOST_TEST(of_a.binder.mean == of_b.binder.mean);
        for (int axis = 0; axis < 2; ++axis)
            for (std::size_t r = 0; r < a.correlation_function(beta, axis).size(); ++r)
                BOOST_TEST(a.correlation_function(beta, axis)[r].mean == b.correlation_function(beta, axis)[r].mean);
        if (!has_demons(a.problem().algorithm)) continue;
        BOOST_TEST(of_a.demon_beta.mean == of_b.demon_beta.mean);
        BOOST_TEST(of_a.demon_beta.error == of_b.demon_beta.error);
    }
    if (!a.problem().acceptance) return;
    BOOST_TEST((a.acceptance().attempts == b.acceptance().attempts));
    BOOST_TEST((a.acceptance().flips == b.acceptance().flips));
}

constexpr Algorithm algorithms[] = {Algorithm::metropolis,     Algorithm::demon_naive,
                                    Algorithm::demon_binomial, Algorithm::demon_microcanonical,
                                    Algorithm::swendsen_wang,  Algorithm::wolff};

}  // namespace

BOOST_AUTO_TEST_CASE(systems_in_their_order_have_the_bits_of_systems_side_by_side) {
    for (const Algorithm algorithm : algorithms) {
        const Problem problem = several_systems(algorithm);
        Context one_thread = make_context(1);
        Solver whole(one_thread, problem);
        whole.run({});
        for (const int threads : {1, 3}) {
            Context context = make_context(threads);
            Solver solver(context, problem);
            for (std::size_t system = 0; system < systems_of(problem); ++system)
                while (solver.measurements_done(system) < measurements_of(problem))
                    solver.advance_system(system, solver.measurements_done(system) + 1, 0);
            BOOST_TEST(solver.bins_done() == problem.bins);
            BOOST_TEST(solver.sweeps_done() == sweeps_of(problem));
            require_same(whole, solver);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_first_system_comes_before_the_last_one_begins) {
    const Problem problem = several_systems(Algorithm::metropolis);
    Context context = make_context(1);
    Solver solver(context, problem);
    solver.advance_system(0, 1, 1e6);
    BOOST_TEST(solver.measurements_done(0) >= 1);
    BOOST_TEST(solver.measurements_done(systems_of(problem) - 1) == 0);
    BOOST_TEST(solver.measurements_done() == 0);
    BOOST_TEST(solver.sweeps_done() == 0);
    BOOST_TEST(solver.averages(0).bins_done == 0);
    solver.advance_system(7, measurements_of(problem), 1e6);
    BOOST_TEST(solver.measurements_done(7) == measurements_of(problem));
    BOOST_TEST(solver.averages(0).bins_done == problem.bins);
    BOOST_TEST(solver.averages(3).bins_done == 0);
    BOOST_CHECK_THROW(solver.run({}), Error);
    BOOST_CHECK_THROW(solver.advance(), Error);
    BOOST_CHECK_THROW(solver.advance_system(systems_of(problem), 1, 0), Error);
    BOOST_CHECK_THROW(solver.advance_system(0, measurements_of(problem) + 1, 0), Error);
}

BOOST_AUTO_TEST_CASE(a_run_in_order_goes_on_from_a_file_with_the_same_bits) {
    for (const Algorithm algorithm : algorithms) {
        const Problem problem = several_systems(algorithm);
        const std::size_t last = systems_of(problem) - 1;
        Context context = make_context(2);
        Solver whole(context, problem);
        whole.run({});
        for (std::size_t system = 0; system <= last; system += 7)
            for (const std::int64_t measurements : {std::int64_t{1}, measurements_of(problem)}) {
                Solver solver(context, problem);
                solver.advance_system(system, measurements, 1e6);
                solver.save(file);
                const auto resumed = Solver::resume(context, file);
                for (std::size_t i = 0; i <= last; ++i)
                    BOOST_TEST(resumed->measurements_done(i) == solver.measurements_done(i));
                resumed->advance_system(last, measurements_of(problem), 1e6);
                require_same(whole, *resumed);
            }
    }
    std::filesystem::remove(file);
}
