// Checks that several devices that share a point return the same bits as one device.
#define BOOST_TEST_MODULE tmm_shared_columns
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <memory>
#include <thread>

#include "../device_main.hpp"
#include "core/device.hpp"
#include "graded.hpp"
#include "runs.hpp"
#include "slots.hpp"
#include "tmm/precision.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

// Returns a context with `parts` parts: on different devices, in this order or reversed, or all on the first one.
Context on_devices(int parts, bool different = false, bool reversed = false) {
    ContextOptions options;
    options.backend = Backend::cuda;
    options.threads = 2;
    options.log_level = LogLevel::silent;
    options.fewest_sites_of_share = 1;
    options.parts = parts;
    for (int i = 0; i < (different ? parts : 1); ++i)
        options.devices.push_back(different && reversed ? parts - 1 - i : i);
    return Context(options);
}

// Returns an engine for one point whose kernel is the grid kernel.
std::unique_ptr<Engine> engine_on(const Context& context, const Problem& p) {
    std::unique_ptr<Engine> engine;
    if constexpr (with_cuda) {
        std::vector<std::unique_ptr<Context>> parts;
        std::vector<const Context*> list;
        for (const int device : context.parts_on(Backend::cuda)) {
            parts.push_back(std::make_unique<Context>(context.for_part(device, 8, false)));
            list.push_back(parts.back().get());
        }
        engine = list.size() == 1 ? make_cuda_engine(context, p, 1, 1, grid_plan)
                                  : make_divided_engine(list, p, 1, 1, grid_plan);
    }
    return engine;
}

PointState after(Engine& engine, const Point& point, const PointState* start, std::int64_t cycles) {
    const Entry entry{0, point, 3, start};
    engine.load({&entry, 1});
    const std::size_t slot = 0;
    PointStatus status{};
    engine.advance(cycles, {&slot, 1}, {&status, 1});
    return tests::store(engine, true);
}

PointState after(const Context& context, const Problem& p, const Point& point, const PointState* start,
                 std::int64_t cycles) {
    const auto engine = engine_on(context, p);
    return engine ? after(*engine, point, start, cycles) : PointState{};
}

bool same(const PointState& a, const PointState& b) {
    return a.status == b.status && tests::same_data(a, b, true);
}

void compare(const Context& shared, const Problem& p, const Point& point, const std::string& what) {
    const Context alone = on_devices(1);
    const PointState whole = after(alone, p, point, nullptr, 6), divided = after(shared, p, point, nullptr, 6);
    BOOST_TEST((whole.cycles > 0 || whole.status != PointStatus::running), what);
    BOOST_TEST(same(whole, divided), what << ": " << whole.cycles << " and " << divided.cycles << " cycles");
    const PointState half = after(shared, p, point, nullptr, 3);
    if (half.status != PointStatus::running) return;
    BOOST_TEST(same(whole, after(alone, p, point, &half, 3)), what << ": one device goes on");
    BOOST_TEST(same(whole, after(shared, p, point, &half, 3)), what << ": the devices go on");
}

void compare_many(const Context& shared, bool wide) {
    int turn = 0;
    for (const int width : {65, 100, 128, 200, 257, 300, 448, 700})
        compare(shared, tests::varied_problem(2, width, turn++), {0.4, 2.0}, text("2D M = ", width));
    for (const int width : {9, 13, 16, 21})
        for (int i = 0; i < 3; ++i) {
            ++turn;
            compare(shared, tests::varied_problem(3, width, turn), {0.4, 5.0}, text("3D M = ", width, ", turn ", turn));
        }
    for (const auto& [model, width] : {std::pair{Model::u1, 60}, {Model::su2, 33}, {Model::ando, 60}}) {
        Problem p;
        p.width = width;
        p.model = model;
        p.hopping_disorder = HoppingDisorder::uniform;
        compare(shared, p, {0.4, 2.0}, text("2D M = ", width, ", model ", static_cast<int>(model)));
    }
    if (!wide) return;
    for (const auto& [width, kind] : {std::pair{28, 18}, {32, 21}, {40, 19}})
        compare(shared, tests::varied_problem(3, width, kind), {0.4, 16.5}, text("3D M = ", width));
    compare(shared, tests::varied_problem(2, 1100, 20), {0.4, 2.0}, "2D M = 1100");
}

// Returns the end of a cycle without slices, and the columns after it.
std::pair<CycleEnd, tests::Factors> end_of_cycle(const Context& context, const tests::Matrix& columns) {
    Problem p;
    p.width = static_cast<std::int64_t>(columns.columns);
    const auto engine = engine_on(context, p);
    tests::Factors f{columns, {}};
    const CycleEnd end = tests::in_engine(*engine, f);
    return {end, f};
}

void compare_graded(const Context& shared) {
    const Context alone = on_devices(1);
    bool lost = false;
    for (const std::size_t n : {65, 97, 128, 200, 333})
        for (const double ratio : {1e3, 1e7, 3e9, 1e11, 1e13}) {
            const tests::Matrix x = tests::graded(n, ratio);
            const auto [end, f] = end_of_cycle(alone, x);
            const auto [end2, f2] = end_of_cycle(shared, x);
            BOOST_TEST((end == end2), "N = " << n << ", 1 to " << ratio);
            BOOST_TEST(f.q.values == f2.q.values, "N = " << n << ", 1 to " << ratio);
            BOOST_TEST(f.log_norms == f2.log_norms, "N = " << n << ", 1 to " << ratio);
            lost = lost || end == CycleEnd::lost_precision;
        }
    BOOST_TEST(lost);
}

// A run whose columns grow apart too far restarts, with shorter intervals.
void compare_lost(const Context& shared) {
    for (const int n_ortho : {16, 30}) {
        Problem p = tests::varied_problem(3, 10, 0);
        p.n_ortho = n_ortho;
        compare(shared, p, {0.0, 30.0}, text("lost precision, n_ortho ", n_ortho));
        BOOST_TEST(after(shared, p, {0.0, 30.0}, nullptr, 6).interval < n_ortho);
    }
    Problem p = tests::varied_problem(2, 150, 0);
    p.n_ortho = 150;
    compare(shared, p, {0.0, 100.0}, "a failed point");
    p = tests::varied_problem(2, 130, 1);
    p.n_ortho = 30;
    p.max_growth = 1e3;
    compare(shared, p, {0.0, 3.0}, "adaptive interval");
}

// Returns whether there are two devices that can share a point.
bool has_two_devices() {
    if (device_count() >= 2 && engine_on(on_devices(2, true), tests::varied_problem(2, 65, 0))) return true;
    BOOST_TEST_MESSAGE("skipped: this test needs two devices with fast access to each other's memory");
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_on_one_device) {
    const Context shared = on_devices(2);
    compare_many(shared, false);
    compare_graded(shared);
    compare_lost(shared);
}

BOOST_AUTO_TEST_CASE(three_on_one_device) {
    const Context shared = on_devices(3);
    compare_many(shared, false);
    compare_graded(shared);
}

BOOST_AUTO_TEST_CASE(two_devices) {
    if (!has_two_devices()) return;
    const Context shared = on_devices(2, true);
    compare_many(shared, true);
    compare_graded(shared);
    compare_lost(shared);
}

// Two threads whose engines have the same devices, in different orders. Each advances in many launches.
BOOST_AUTO_TEST_CASE(two_at_a_time) {
    const bool different = has_two_devices();
    const Problem p = tests::varied_problem(3, 21, 2);
    const Point point{0.4, 5.0};
    const PointState expected = after(on_devices(1), p, point, nullptr, 30);
    PointState states[2];
    std::vector<std::thread> threads;
    for (const bool second : {false, true})
        threads.emplace_back([&, second] {
            const Context context = on_devices(2, different, second);
            for (int i = 0; i < 10; ++i) {
                const PointState before = states[second];
                states[second] = after(context, p, point, i > 0 ? &before : nullptr, 3);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const PointState& state : states) BOOST_TEST(same(expected, state));
}

BOOST_AUTO_TEST_CASE(timing_trial) {
    const Problem p = tests::varied_problem(2, 1088, 2);
    const Point point{0.3, 2.0};
    const auto engine = make_trial_engine(on_devices(2, has_two_devices()), Backend::cuda, p, 1, 1);
    BOOST_TEST(same(after(on_devices(1), p, point, nullptr, 2), after(*engine, point, nullptr, 2)));
}

// Solvers share wide points by themselves: one point on two parts, and two points on two parts each.
BOOST_AUTO_TEST_CASE(solvers) {
    const Problem p = tests::varied_problem(2, 1088, 2);
    const std::vector<Point> points{{0.3, 2.0}, {0.1, 2.0}};
    const auto path = std::filesystem::temp_directory_path() / "legato_shared_columns_test.h5";
    for (const bool different : {false, true}) {
        if (different && !has_two_devices()) continue;
        for (const std::size_t count : {1, 2}) {
            ContextOptions options = on_devices(2, different).options();
            options.device = -1;
            options.parts = 2 * static_cast<int>(count);
            Context alone = on_devices(1), shared(options);
            std::string log;
            shared.set_logger(LogLevel::info, [&log](LogLevel, std::string_view line) { log += line; });
            const std::vector<Point> some(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count));
            Solver a(alone, p, some), b(shared, p, some);
            BOOST_TEST(log.find("tmm: 2 devices share each point") != std::string::npos, log);
            a.advance(4);
            b.advance(2);
            b.save(path);
            b.advance(2);
            const auto again = Solver::resume(alone, path);
            again->advance(2);
            for (std::size_t i = 0; i < count; ++i) {
                BOOST_TEST(a.result(i).exponents == b.result(i).exponents);
                BOOST_TEST(a.result(i).exponents == again->result(i).exponents);
            }
            std::filesystem::remove(path);
        }
    }
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
