// Replicas of a point.
#define BOOST_TEST_MODULE tmm_replicas
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/parameter.hpp"
#include "core/state_file.hpp"
#include "runs.hpp"
#include "tmm/convergence.hpp"
#include "tmm/replicas.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

Problem strip(std::int64_t width, std::int64_t replicas, double epsilon = 0.05) {
    Problem p;
    p.dimension = width == 1 ? 1 : 2;
    p.boundary = width == 1 ? Boundary::hard_wall : Boundary::periodic;
    p.width = width;
    p.replicas = replicas;
    p.epsilon = epsilon;
    p.burn_in = 16;
    return p;
}

std::vector<Point> points(int n) {
    std::vector<Point> list(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) list[static_cast<std::size_t>(i)] = {0.3 * i, 3.0 + 0.5 * i};
    return list;
}

void run(Solver& solver) {
    solver.run({});
}

std::vector<PointResult> results(const Solver& solver) {
    std::vector<PointResult> all;
    for (std::size_t i = 0; i < solver.points().size(); ++i) all.push_back(solver.result(i));
    return all;
}

bool same(const std::vector<PointResult>& a, const std::vector<PointResult>& b) {
    const auto same_bits = [](const std::vector<double>& x, const std::vector<double>& y) {
        return x.size() == y.size() && std::memcmp(x.data(), y.data(), sizeof(double) * x.size()) == 0;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const PointResult& x, const PointResult& y) {
        return x.status == y.status && x.cycles == y.cycles && same_bits(x.exponents, y.exponents) &&
               same_bits(x.errors, y.errors);
    });
}

template <class Call>
std::string message_of(Status status, const Call& call) {
    Context context = tests::make_context(Backend::cpu);
    try {
        call(context);
    } catch (const Error& error) {
        BOOST_TEST(static_cast<int>(error.status()) == static_cast<int>(status));
        return error.what();
    }
    return "accepted";
}

std::string message_of(const Problem& p, const std::vector<Point>& list, Status status = Status::invalid_argument) {
    return message_of(status, [&](Context& context) { Solver solver(context, p, list); });
}

// Returns the message of an attempt to resume a file with chains of two replicas, of which each has done four cycles.
std::string message_of_file(std::int64_t replicas, std::size_t count, PointStatus second) {
    const std::filesystem::path path = "tmm_replicas_test.h5";
    const std::size_t sequences = 2 * count;
    {
        StateWriter writer("tmm", 2);
        put_parameters(writer, strip(1, replicas));
        writer.put("points/count", static_cast<std::int64_t>(count));
        writer.put("points/energy", std::vector<double>(count, 0.1));
        writer.put("points/disorder", std::vector<double>(count, 1.0));
        std::vector<std::int32_t> status(sequences, static_cast<std::int32_t>(PointStatus::running));
        status[1] = static_cast<std::int32_t>(second);
        const std::size_t running = sequences - (second != PointStatus::running);
        writer.put("states/status", status);
        writer.put("states/cycles", std::vector<std::int64_t>(sequences, 4));
        writer.put("states/slices", std::vector<std::int64_t>(sequences, 40));
        writer.put("states/interval", std::vector<std::int64_t>(sequences, 10));
        for (const char* const name : {"states/log_norms", "states/log_norms2"})
            writer.put(name, std::vector<double>(sequences));
        writer.put("states/blocks", std::vector<double>(running * most_blocks, 1.0));
        writer.put("states/psi", std::vector<double>(running * 2, 0.6));
        writer.put("states/random", std::vector<std::uint32_t>());
        writer.put("averages/compared_at", std::int64_t{0});
        writer.put("averages/round_end", next_comparison(strip(1, replicas), 0));
        writer.put("averages/status", std::vector<std::int32_t>(count));
        for (const char* const name : {"averages/cycles", "averages/interval"})
            writer.put(name, std::vector<std::int64_t>(count));
        for (const char* const name : {"averages/log_norms", "averages/log_norms2", "averages/blocks"})
            writer.put(name, std::vector<double>());
        writer.commit(path);
    }
    const std::string message =
        message_of(Status::bad_file, [&](Context& context) { Solver::resume(context, path)->advance(1); });
    std::filesystem::remove(path);
    return message;
}

}  // namespace

// Each sequence is advanced by an engine, as if it were a point of a run without replicas. The average of their blocks
// gives the same exponents and errors as the run.
BOOST_AUTO_TEST_CASE(the_result_follows_from_the_average_of_the_sequences) {
    constexpr std::int64_t replicas = 5;
    Context context = tests::make_context(Backend::cpu);
    const std::vector<Point> list = points(3);
    for (const std::int64_t width : {1, 3, 6}) {
        Solver solver(context, strip(width, replicas), list);
        run(solver);
        Problem alone = strip(width, 1, 1e-12);
        for (std::size_t point = 0; point < list.size(); ++point) {
            const PointResult result = solver.result(point);
            BOOST_REQUIRE(result.status == PointStatus::converged);
            BOOST_TEST(result.cycles < 2000);
            alone.max_multiplications = result.cycles * alone.n_ortho;
            std::vector<double> average(most_blocks * static_cast<std::size_t>(width));
            for (std::int64_t r = 0; r < replicas; ++r) {
                const auto engine = make_cpu_engine(context, alone, 1);
                const auto stream = static_cast<std::uint32_t>(static_cast<std::int64_t>(point) * replicas + r);
                tests::load(*engine, list[point], initial_state(alone, stream), stream);
                const std::size_t slot = 0;
                PointStatus status{};
                engine->advance(result.cycles, {&slot, 1}, {&status, 1});
                const PointState state = tests::store(*engine, false);
                BOOST_TEST(state.cycles == result.cycles);
                for (std::size_t i = 0; i < average.size(); ++i) average[i] += state.blocks[i];
            }
            for (double& sum : average) sum /= replicas;
            const std::int64_t length = block_length(result.cycles);
            const int count = static_cast<int>(result.cycles / length),
                      first = blocks_left_out(count, length, alone.burn_in);
            for (std::int64_t j = 0; j < width; ++j) {
                const BlockAverage expected = average_blocks(average.data() + first * width + j, width, count - first);
                const auto at = static_cast<std::size_t>(width - 1 - j);
                BOOST_TEST(result.exponents[at] ==
                           expected.mean / static_cast<double>(length) / static_cast<double>(alone.n_ortho));
                BOOST_TEST(result.errors[at] == expected.error / std::fabs(expected.mean));
            }
            BOOST_TEST(result.errors[0] <= solver.problem().epsilon);
        }
    }
}

BOOST_AUTO_TEST_CASE(replicas_shorten_the_sequences) {
    Context context = tests::make_context(Backend::cpu);
    std::int64_t cycles[2];
    for (const std::int64_t replicas : {1, 16}) {
        Solver solver(context, strip(4, replicas, 0.01), points(8));
        run(solver);
        std::int64_t& sum = cycles[replicas > 1] = 0;
        for (const PointResult& result : results(solver)) sum += result.cycles;
    }
    BOOST_TEST(static_cast<double>(cycles[0]) / static_cast<double>(cycles[1]) > 12);
    BOOST_TEST(static_cast<double>(cycles[0]) / static_cast<double>(cycles[1]) < 20);
}

// An engine of one thread has 16 slots, and one of three threads 48.
BOOST_AUTO_TEST_CASE(threads_steps_and_resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_replicas_test.h5";
    for (const auto& [count, replicas] : {std::pair{2, 3}, {4, 11}}) {
        const Problem problem = strip(2, replicas, 0.03);
        Context one = tests::make_context(Backend::cpu), three = tests::make_context(Backend::cpu, 3);
        Solver whole(one, problem, points(count));
        run(whole);
        for (const std::int64_t step : {1, 7, 100, 100000})
            for (Context* const context : {&one, &three}) {
                Solver solver(*context, problem, points(count));
                while (!solver.advance(step)) {
                }
                BOOST_TEST(same(results(solver), results(whole)));
            }
        auto solver = std::make_unique<Solver>(one, problem, points(count));
        for (int i = 0; !solver->advance(13); ++i) {
            if (i % 5 != 0) continue;
            solver->save(path);
            const std::vector<PointResult> before = results(*solver);
            const Progress progress = solver->progress();
            solver = Solver::resume(i % 2 ? one : three, path);
            BOOST_TEST(same(results(*solver), before));
            BOOST_TEST(solver->progress().points_done == progress.points_done);
        }
        BOOST_TEST(same(results(*solver), results(whole)));
        BOOST_TEST(solver->advance(1));
        solver->save(path);
        BOOST_TEST(same(results(*Solver::resume(three, path)), results(whole)));
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(a_running_point_has_the_results_of_the_last_comparison) {
    Context context = tests::make_context(Backend::cpu);
    const Problem problem = strip(3, 4, 0.004);
    Solver solver(context, problem, points(1));
    BOOST_TEST(static_cast<int>(solver.result(0).status) == static_cast<int>(PointStatus::waiting));
    const std::int64_t first = next_comparison(problem, 0);
    solver.advance(first - 1);
    BOOST_TEST(static_cast<int>(solver.result(0).status) == static_cast<int>(PointStatus::running));
    BOOST_TEST(solver.result(0).cycles == 0);
    BOOST_TEST(std::isnan(solver.result(0).errors[0]));
    solver.advance(1);
    BOOST_TEST(solver.result(0).cycles == first);
    const PointResult at_first = solver.result(0);
    solver.advance(1);
    BOOST_TEST(same({solver.result(0)}, {at_first}));
    while (solver.result(0).cycles == first) solver.advance(10000);
    BOOST_TEST(at_first.errors[0] > 5 * problem.epsilon);  // the bound on the length of a round counts
    BOOST_TEST(solver.result(0).cycles == next_comparison(problem, first, 4 * first));
    BOOST_TEST(solver.result(0).errors[0] > 0);

    Problem near = problem;  // here the error decides
    near.epsilon = at_first.errors[0] / 1.9;
    Solver other(context, near, points(1));
    other.advance(first);
    BOOST_TEST(same({other.result(0)}, {at_first}));
    while (other.result(0).cycles == first) other.advance(1);
    const double more = static_cast<double>(other.result(0).cycles) / static_cast<double>(first),
                 wanted = std::pow(at_first.errors[0] / near.epsilon, 2);
    BOOST_TEST(more > 0.74 * wanted);
    BOOST_TEST(more < wanted);
}

// The limit is between two comparisons, and no multiple of a block.
BOOST_AUTO_TEST_CASE(points_end_at_max_multiplications) {
    Context context = tests::make_context(Backend::cpu);
    Problem problem = strip(3, 4, 1e-6);
    problem.max_multiplications = 1230;
    Solver solver(context, problem, points(2));
    run(solver);
    Problem alone = problem;
    alone.replicas = 1;
    std::vector<Point> sequences;
    for (const Point& point : points(2)) sequences.insert(sequences.end(), 4, point);
    Solver reference(context, alone, sequences);
    run(reference);
    for (std::size_t point = 0; point < 2; ++point) {
        const PointResult result = solver.result(point);
        BOOST_TEST(static_cast<int>(result.status) == static_cast<int>(PointStatus::not_converged));
        BOOST_TEST(result.cycles == 123);
        double mean = 0;
        for (std::size_t r = 0; r < 4; ++r) mean += reference.result(4 * point + r).exponents[0] / 4;
        BOOST_TEST(result.exponents[0] == mean, boost::test_tools::tolerance(1e-13));
    }
}

// An engine of one thread has 16 slots, so that some replicas wait for others at max_multiplications when the run is
// saved.
BOOST_AUTO_TEST_CASE(resumed_runs_end_alike_at_max_multiplications) {
    const auto path = std::filesystem::temp_directory_path() / "legato_replicas_end_test.h5";
    Context context = tests::make_context(Backend::cpu);
    Problem problem = strip(2, 9, 1e-6);
    problem.max_multiplications = 1230;
    Solver whole(context, problem, points(4));
    run(whole);
    for (std::int64_t saved_after = 1; saved_after < 50; ++saved_after) {
        Solver solver(context, problem, points(4));
        for (std::int64_t call = 0; call < saved_after; ++call) solver.advance(13);
        solver.save(path);
        const auto resumed = Solver::resume(context, path);
        run(*resumed);
        BOOST_TEST(same(results(*resumed), results(whole)), "saved after " << saved_after << " calls");
    }
    std::filesystem::remove(path);
}

// The average over so many replicas hardly fluctuates, but each replica does. The columns are therefore no mixtures.
BOOST_AUTO_TEST_CASE(many_short_replicas_converge) {
    Context context = tests::make_context(Backend::cpu, 2);
    Problem problem = strip(6, 100, 0.1);
    problem.burn_in = 128;
    Solver solver(context, problem, std::vector<Point>(10, Point{0.5, 1.2}));
    run(solver);
    for (const PointResult& result : results(solver)) {
        BOOST_TEST(static_cast<int>(result.status) == static_cast<int>(PointStatus::converged));
        BOOST_TEST(result.errors[0] <= problem.epsilon);
    }
}

// The columns overflow within a cycle of some points.
BOOST_AUTO_TEST_CASE(a_failed_replica_ends_its_point) {
    Context context = tests::make_context(Backend::cpu);
    Problem problem = strip(2, 3);
    problem.n_ortho = 40;
    problem.max_multiplications = 400000;
    Solver solver(context, problem, {{0, 4}, {1e5, 4}, {0.1, 4}});
    run(solver);
    BOOST_TEST(static_cast<int>(solver.result(1).status) == static_cast<int>(PointStatus::failed));
    for (const std::size_t point : {std::size_t{0}, std::size_t{2}}) {
        const PointStatus status = solver.result(point).status;
        BOOST_TEST((status == PointStatus::converged || status == PointStatus::imprecise));
    }
}

// The mean square of deviation over error is 1, with a standard error of sqrt(2 / n).
BOOST_AUTO_TEST_CASE(errors_are_honest_for_any_number_of_replicas) {
    Context context = tests::make_context(Backend::cpu, 2);
    const auto exponents = [&](std::int64_t replicas, double epsilon, std::size_t count, std::int64_t seed) {
        Problem problem = strip(2, replicas, epsilon);
        problem.seed = seed;
        Solver solver(context, problem, std::vector<Point>(count, Point{0.4, 4}));
        run(solver);
        return results(solver);
    };
    double exact = 0;
    const auto reference = exponents(32, 0.002, 32, 5);
    for (const PointResult& result : reference) exact += result.exponents[0] / static_cast<double>(reference.size());
    constexpr std::size_t n = 400;
    for (const auto& [replicas, epsilon] : {std::pair{1, 0.04}, {4, 0.02}, {40, 0.01}}) {
        double square = 0;
        for (const PointResult& result : exponents(replicas, epsilon, n, 77)) {
            const double deviation = (result.exponents[0] - exact) / (result.errors[0] * exact);
            square += deviation * deviation / static_cast<double>(n);
        }
        BOOST_TEST_MESSAGE(replicas << " replicas: " << square);
        BOOST_TEST(square > 1 - 3.5 * std::sqrt(2.0 / n));
        BOOST_TEST(square < 1 + 3.5 * std::sqrt(2.0 / n));
    }
}

BOOST_AUTO_TEST_CASE(comparisons_are_ends_of_blocks) {
    Problem problem = strip(3, 2);
    problem.burn_in = 128;
    std::int64_t cycles = next_comparison(problem, 0);
    BOOST_TEST(cycles == 256);
    for (int i = 0; i < 200 && cycles < problem.max_cycles(); ++i) {
        const std::int64_t next = next_comparison(problem, cycles);
        BOOST_TEST((next > cycles && (4 * (next - cycles) <= cycles || cycles < 8 * problem.burn_in)));
        BOOST_TEST((next == problem.max_cycles() || (completes_block(next) && next / block_length(next) % 4 == 0)));
        cycles = next;
    }
    BOOST_TEST(cycles == problem.max_cycles());
    problem.max_multiplications = 50;
    BOOST_TEST(next_comparison(problem, 0) == 5);
}

BOOST_AUTO_TEST_CASE(refusals_name_the_field) {
    Problem problem = strip(2, 2);
    problem.rule = Rule::tmsexd;
    BOOST_TEST(message_of(problem, points(1)).starts_with("tmm.params.replicas: 2 is not 1"));
    problem = strip(2, 2);
    problem.random_stream = RandomStream::lfsr113;
    BOOST_TEST(message_of(problem, points(1)).starts_with("tmm.params.replicas: 2 is not 1"));
    BOOST_TEST(message_of(strip(2, 0), points(1)) == "tmm.params.replicas: 0 is not in 1..1000000");
    BOOST_TEST(message_of(strip(2, 100000), points(101)).starts_with("tmm.params.replicas: 100000 is not in 1..99009"));
}

BOOST_AUTO_TEST_CASE(states_that_do_not_fit_are_refused) {
    Problem problem = strip(64, 100000);
    problem.dimension = 3;
    BOOST_TEST(message_of(problem, points(1), Status::out_of_memory)
                   .starts_with("tmm.params.replicas: 100000 replicas of 1 points need "));
}

BOOST_AUTO_TEST_CASE(files_of_impossible_replicas_are_refused) {
    BOOST_TEST(message_of_file(2, 1, PointStatus::running) == "accepted");
    BOOST_TEST(message_of_file(1000000, 11, PointStatus::running).find("replicas: 1000000 is not in 1..909090") !=
               std::string::npos);
    for (const PointStatus status : {PointStatus::converged, PointStatus::not_converged})
        BOOST_TEST(message_of_file(2, 1, status).find("at [1], which a replica cannot have") != std::string::npos);
}

// The blocks scatter by the factor 1 +- scatter, around sums of one per cycle.
BOOST_AUTO_TEST_CASE(a_round_is_as_long_as_the_error_asks_for_and_at_most_four_times_as_long) {
    const Problem problem = strip(1, 4, 0.01);
    const auto wanted = [&](double scatter) {
        PointState average;
        average.cycles = 2048;
        const std::int64_t length = block_length(average.cycles);
        for (int b = 0; b < most_blocks; ++b)
            average.blocks.push_back(static_cast<double>(length) * (1 + (b % 3 - 1) * scatter));
        return wanted_cycles(problem, average);
    };
    BOOST_TEST(wanted(0) == 0);
    BOOST_TEST(wanted(1e-3) < 2048);
    BOOST_TEST(wanted(NAN) == 0);
    BOOST_TEST(wanted(1e3) == 4 * 2048);
    BOOST_TEST(wanted(0.17) > 2048);
    BOOST_TEST(wanted(0.17) < 4 * 2048);
    BOOST_TEST(wanted(0.17) > 2 * wanted(0.1));
}
