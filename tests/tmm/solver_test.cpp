#define BOOST_TEST_MODULE tmm_solver
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include "runs.hpp"
#include "slots.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

std::vector<Point> line(int n) {
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) points.push_back({0.1 * i, 2.0 + 0.5 * i});
    return points;
}

std::vector<PointResult> results(const Solver& solver) {
    std::vector<PointResult> all;
    for (std::size_t i = 0; i < solver.points().size(); ++i) all.push_back(solver.result(i));
    return all;
}

void require_same_bits(const std::vector<PointResult>& a, const std::vector<PointResult>& b) {
    const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
        return x.size() == y.size() && std::memcmp(x.data(), y.data(), sizeof(double) * x.size()) == 0;
    };
    BOOST_REQUIRE_EQUAL(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        BOOST_TEST(static_cast<int>(a[i].status) == static_cast<int>(b[i].status));
        BOOST_TEST(a[i].cycles == b[i].cycles);
        BOOST_TEST(same(a[i].exponents, b[i].exponents));
        BOOST_TEST(same(a[i].errors, b[i].errors));
    }
}

void require_same_bits(const Solver& a, const Solver& b) {
    require_same_bits(results(a), results(b));
}

Problem small(int dimension, RandomStream stream, double max_growth, Rule rule) {
    Problem p = tests::legacy_problem(dimension,
                                      dimension == 1   ? 1
                                      : dimension == 2 ? 7
                                                       : 3,
                                      dimension == 1 ? Boundary::hard_wall : Boundary::periodic);
    p.random_stream = stream;
    p.epsilon = 0.05;
    p.max_growth = max_growth;
    p.rule = rule;
    p.max_multiplications = 4000;
    return p;
}

std::string message_of(const Problem& p, const std::vector<Point>& points = {{0.0, 1.0}}) {
    Context context = tests::make_context(Backend::cpu);
    try {
        Solver solver(context, p, points);
    } catch (const Error& error) {
        BOOST_TEST(static_cast<int>(error.status()) == static_cast<int>(Status::invalid_argument));
        return error.what();
    }
    return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_solver_test.h5";
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox})
        for (const int dimension : {1, 2, 3})
            for (const auto& [max_growth, rule, cycles] : {std::tuple{0.0, Rule::tmsexd, 5},
                                                           {1e3, Rule::tmsexd, 5},
                                                           {0.0, Rule::blocks, 13},
                                                           {1e3, Rule::blocks, 61}}) {
                Context context = tests::make_context(Backend::cpu, 2);
                const Problem p = small(dimension, stream, max_growth, rule);
                Solver whole(context, p, line(50)), part(context, p, line(50));
                for (int i = 0; i < 6; ++i) {
                    whole.advance(cycles);
                    part.advance(cycles);
                }
                part.save(path);
                const auto again = Solver::resume(context, path);
                BOOST_TEST(again->finished() == part.finished());
                require_same_bits(*again, part);
                while (!whole.advance(5)) {
                }
                while (!again->advance(5)) {
                }
                require_same_bits(whole, *again);
            }
    std::filesystem::remove(path);
}

// Results are bitwise identical for every number of threads and of cycles per call. In the widest bars three threads
// share four points: three points are done by one thread each, and the last one by all threads.
BOOST_AUTO_TEST_CASE(threads_and_chunks_do_not_matter) {
    const auto after = [](const Problem& p, int threads, std::int64_t chunk) {
        Context context = tests::make_context(Backend::cpu, threads);
        Solver solver(context, p, line(4));
        while (!solver.advance(chunk)) {
        }
        return results(solver);
    };
    for (const int width : {6, 60, 130, 257}) {
        Problem p = tests::legacy_problem(2, width, Boundary::antiperiodic);
        p.epsilon = 1e-12;
        p.max_multiplications = (width < 100 ? 60 : 12) * p.n_ortho;
        p.rule = width == 60 || width == 130 ? Rule::tmsexd : Rule::blocks;
        const auto expected = after(p, 1, 1);
        require_same_bits(after(p, 1, 7), expected);
        require_same_bits(after(p, 2, 5), expected);
        require_same_bits(after(p, 3, 7), expected);
    }
}

// The same over several block lengths and until points converge.
BOOST_AUTO_TEST_CASE(convergence_is_the_same_for_threads_and_chunks) {
    Problem p;
    p.width = 3;
    p.epsilon = 0.03;
    std::vector<std::vector<PointResult>> all;
    for (const auto& [threads, chunk] : {std::pair{1, 1}, {2, 7}, {3, 100000}}) {
        Context context = tests::make_context(Backend::cpu, threads);
        Solver solver(context, p, line(4));
        while (!solver.advance(chunk)) {
        }
        all.push_back(results(solver));
        for (const PointResult& r : all.back()) {
            BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(PointStatus::converged));
            BOOST_TEST(r.errors[0] <= 0.03);
            BOOST_TEST(r.cycles > 256);
        }
        require_same_bits(all.front(), all.back());
    }
}

// Version 0.1 saved tests/tmm/state_schema_1.h5 after eight cycles of three points; the second point had ended. The
// numbers below are the final results of version 0.1.
BOOST_AUTO_TEST_CASE(files_of_version_0_1_go_on_by_their_own_rule) {
    Context context = tests::make_context(Backend::cpu);
    const auto solver = Solver::resume(context, LEGATO_TMM_TEST_FOLDER "/state_schema_1.h5");
    BOOST_TEST(static_cast<int>(solver->problem().rule) == static_cast<int>(Rule::tmsexd));
    BOOST_TEST(solver->finished() == 1U);
    solver->run({});
    const std::vector<PointResult> all = results(*solver);
    BOOST_TEST(all[0].cycles == 72);
    BOOST_TEST(all[1].cycles == 3);
    BOOST_TEST(all[2].cycles == 44);
    const double exponents[] = {0.10809817536471732, 0.61167174388003542, 0.24100575902192115};
    const double errors[] = {0.099368773296815704, 0.010491993169498436, 0.09766603152868876};
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(std::fabs(all[i].exponents[0] / exponents[i] - 1) < 1e-12);
        BOOST_TEST(std::fabs(all[i].errors[0] / errors[i] - 1) < 1e-12);
    }
}

// More frequent orthonormalisation changes results only by rounding. R of a cycle is the product of the R of its parts.
BOOST_AUTO_TEST_CASE(adaptive_interval_follows_the_same_trajectory) {
    Context context = tests::make_context(Backend::cpu);
    Problem p = tests::legacy_problem(2, 6, Boundary::periodic);
    p.epsilon = 1e-12;
    p.max_multiplications = 3000;
    Problem adaptive = p;
    adaptive.max_growth = 50;
    Solver a(context, p, {{0.3, 3.0}}), b(context, adaptive, {{0.3, 3.0}});
    a.run({});
    b.run({});
    for (std::size_t j = 0; j < 6; ++j)
        BOOST_TEST(std::fabs(a.result(0).exponents[j] - b.result(0).exponents[j]) < 1e-9);
}

// Twenty multiplications at W = 16.5 make the columns differ by about 1e12. Cycles in which this happens do not count,
// later ones are orthonormalised more often, and a warning is given. The exponents agree with those of a run that
// orthonormalises often from the start; only the start of the sums differs.
BOOST_AUTO_TEST_CASE(lost_precision_shortens_the_interval) {
    const auto path = std::filesystem::temp_directory_path() / "legato_solver_test_growth.h5";
    for (const int width : {4, 7}) {
        Context context = tests::make_context(Backend::cpu);
        std::vector<std::string> lines;
        context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
        Problem p = tests::legacy_problem(3, width, Boundary::periodic), often = p;
        p.epsilon = often.epsilon = 0.05;
        p.n_ortho = 40;
        often.n_ortho = 5;
        Solver rarely(context, p, {{0.0, 16.5}}), right(context, often, {{0.0, 16.5}}),
            stepped(context, p, {{0.0, 16.5}}), part(context, p, {{0.0, 16.5}});
        right.run({});
        BOOST_TEST(lines.empty());
        rarely.run({});
        BOOST_REQUIRE(lines.size() == 1U);
        BOOST_TEST(lines[0].find("point 0 (energy 0, disorder 16.5): within 40 multiplications the columns grew") !=
                       std::string::npos,
                   lines[0]);
        while (!stepped.advance(1)) {
        }
        require_same_bits(stepped, rarely);
        part.advance(3);
        part.save(path);
        const auto again = Solver::resume(context, path);
        again->run({});
        require_same_bits(*again, rarely);
        const PointResult found = rarely.result(0), expected = right.result(0);
        BOOST_TEST((found.status == PointStatus::converged));
        for (std::size_t j = 0; j < found.exponents.size(); ++j) {
            const double error =
                std::hypot(found.errors[j] * found.exponents[j], expected.errors[j] * expected.exponents[j]);
            BOOST_TEST(std::fabs(found.exponents[j] - expected.exponents[j]) < 5 * error);
        }
    }
    std::filesystem::remove(path);
}

// The columns are already far apart before a single multiplication. The solver can then do nothing for that point.
BOOST_AUTO_TEST_CASE(precision_lost_within_one_multiplication_ends_a_point) {
    Context context = tests::make_context(Backend::cpu);
    for (const int n_ortho : {1, 4}) {
        Problem p = tests::legacy_problem(2, 50, Boundary::periodic);
        p.n_ortho = n_ortho;
        const auto engine = make_cpu_engine(context, p, 1);
        PointState state = initial_state(p, 0);
        for (std::size_t j = 0; j < 50; ++j)
            for (std::size_t i = 0; i < 100; ++i)
                state.psi[100 * j + i] *= std::pow(10.0, -0.3 * static_cast<double>(j));
        tests::load(*engine, {0.0, 1.0}, state);
        PointStatus status = PointStatus::waiting;
        const std::size_t slot = 0;
        BOOST_TEST(engine->advance(1, {&slot, 1}, {&status, 1}) == 0);
        state = tests::store(*engine, false);
        BOOST_TEST(state.cycles == 0);
        BOOST_TEST((status == (n_ortho == 1 ? PointStatus::imprecise : PointStatus::running)));
        BOOST_TEST((n_ortho == 1 || state.interval < n_ortho));
        for (const double sum : state.log_norms) BOOST_TEST(sum == 0.0);
    }
}

BOOST_AUTO_TEST_CASE(slots_keep_what_is_loaded) {
    const Context context = tests::make_context(Backend::cpu, 2);
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox})
        for (const Rule rule : {Rule::tmsexd, Rule::blocks})
            for (const int width : {1, 7, 97}) {
                Problem p = tests::legacy_problem(2, width, Boundary::periodic);
                p.random_stream = stream;
                p.rule = rule;
                tests::check_slots(p, *make_cpu_engine(context, p, width < 97 ? 30 : 3));
            }
}

BOOST_AUTO_TEST_CASE(cancelling_keeps_results_and_the_run_goes_on) {
    Context context = tests::make_context(Backend::cpu);
    Problem p = tests::legacy_problem(2, 4, Boundary::periodic);
    p.epsilon = 0.02;
    Solver solver(context, p, line(3)), whole(context, p, line(3));
    BOOST_CHECK_THROW(solver.run([](const Progress&) { return false; }), Error);
    BOOST_TEST(solver.result(0).cycles > 0);
    solver.run({});
    whole.run({});
    require_same_bits(solver, whole);
}

BOOST_AUTO_TEST_CASE(overflow_is_a_failed_point_without_a_result_that_is_not_a_number) {
    Context context = tests::make_context(Backend::cpu);
    Problem p = tests::legacy_problem(2, 3, Boundary::periodic);
    p.n_ortho = 1000;
    Solver solver(context, p, {{1e5, 1e5}, {0.0, 20.0}});
    solver.advance(3);
    const PointResult r = solver.result(0);
    BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(PointStatus::failed));
    for (const double x : r.exponents) BOOST_TEST(x == 0.0);
}

// The disorder is such that a chain overflows in some cycles but not in all.
BOOST_AUTO_TEST_CASE(a_failed_point_keeps_the_results_of_the_cycles_before) {
    Context context = tests::make_context(Backend::cpu);
    Problem p;
    p.dimension = 1;
    p.boundary = Boundary::hard_wall;
    p.n_ortho = 1000;
    p.max_multiplications = 50000;
    std::vector<Point> points;
    for (int i = 0; i < 10; ++i) points.push_back({0.0, 5.6 + 0.1 * i});
    Solver solver(context, p, points);
    solver.run({});
    int late = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PointResult r = solver.result(i);
        if (r.status != PointStatus::failed) continue;
        late += r.cycles > 0;
        const double least = r.cycles > 0 ? 0.29 : 0.0, most = r.cycles > 0 ? 0.4 : 0.0;
        BOOST_TEST((r.exponents[0] >= least && r.exponents[0] <= most),
                   "W = " << points[i].disorder << ": " << r.exponents[0] << " after " << r.cycles << " cycles");
    }
    BOOST_TEST_MESSAGE(late << " points failed after their first cycle");
    BOOST_TEST(late > 0);
}

BOOST_AUTO_TEST_CASE(a_failed_point_is_warned_of) {
    Context context = tests::make_context(Backend::cpu);
    std::vector<std::string> lines;
    context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    Problem p = tests::legacy_problem(2, 3, Boundary::periodic);
    p.n_ortho = 1000;
    Solver solver(context, p, {{0.0, 20.0}, {1e5, 1e5}});
    solver.advance(1);
    BOOST_REQUIRE(lines.size() >= 1U);
    BOOST_TEST(lines.back().find("point 1 (energy 100000") != std::string::npos, lines.back());
    lines.clear();
    Solver many(context, p, std::vector<Point>(50, {1e5, 1e5}));
    many.run({});
    BOOST_TEST(lines.size() == 11U);
}

BOOST_AUTO_TEST_CASE(a_callback_cannot_carry_on_its_run) {
    Context context = tests::make_context(Backend::cpu);
    Problem p = tests::legacy_problem(2, 4, Boundary::periodic);
    p.epsilon = 0.02;
    Solver solver(context, p, line(3));
    int refused = 0;
    solver.run([&](const Progress&) {
        try {
            solver.run({});
        } catch (const Error& error) {
            refused += error.status() == Status::invalid_argument;
        }
        BOOST_CHECK_THROW(solver.advance(1), Error);
        return true;
    });
    BOOST_TEST(refused > 0);
    BOOST_TEST(solver.finished() == 3U);
    BOOST_TEST(solver.advance(1));
}

BOOST_AUTO_TEST_CASE(wrong_fields_are_named) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto with = [](auto change) {
        Problem p;
        p.width = 4;
        change(p);
        return message_of(p);
    };
    const auto names = [](const std::string& message, const char* field) {
        BOOST_TEST(message.find(field) != std::string::npos, message << " does not name " << field);
    };
    names(with([](Problem& p) { p.dimension = 4; }), "tmm.params.dimension: 4 is not in 1..3");
    names(with([](Problem& p) { p.width = 0; }), "tmm.params.width: 0 is not in 1..4096");
    names(with([](Problem& p) { p.width = 5000; }), "tmm.params.width: 5000");
    names(with([](Problem& p) { p.dimension = 3, p.width = 65; }), "tmm.params.width: 65 is not in 1..64");
    names(with([](Problem& p) { p.dimension = 1, p.width = 1; }), "tmm.params.boundary");
    names(with([](Problem& p) { p.boundary = static_cast<Boundary>(3); }), "tmm.params.boundary: 3");
    names(with([](Problem& p) { p.disorder = static_cast<Disorder>(-1); }), "tmm.params.disorder: -1");
    names(with([](Problem& p) { p.random_stream = static_cast<RandomStream>(9); }), "tmm.params.random_stream: 9");
    names(with([](Problem& p) { p.n_ortho = 0; }), "tmm.params.n_ortho: 0 is not in 1..1000");
    names(with([](Problem& p) { p.max_multiplications = -1; }), "tmm.params.max_multiplications: -1");
    names(with([=](Problem& p) { p.hopping = nan; }), "tmm.params.hopping: nan");
    names(with([](Problem& p) { p.epsilon = 0; }), "tmm.params.epsilon: 0");
    names(with([](Problem& p) { p.rule = static_cast<Rule>(2); }), "tmm.params.rule: 2 is not in 0..1");
    names(with([](Problem& p) { p.min_blocks = 7; }), "tmm.params.min_blocks: 7 is not in 8..48");
    names(with([](Problem& p) { p.min_blocks = 49; }), "tmm.params.min_blocks: 49 is not in 8..48");
    names(with([](Problem& p) { p.burn_in = -1; }), "tmm.params.burn_in: -1 is not in 0..1000000000");
    names(with([](Problem& p) { p.max_growth = 2; }), "tmm.params.max_growth: 2");
    names(message_of({}, {}), "tmm.points: 0");
    names(message_of({}, {{0, 1}, {nan, 1}}), "tmm.points[1].energy: nan");
    names(message_of({}, {{0, -1}}), "tmm.points[0].disorder: -1");
}
