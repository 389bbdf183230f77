// Checks that the grid kernel returns the same bits for every number of thread blocks in the group of a point.
#define BOOST_TEST_MODULE tmm_groups
#define BOOST_TEST_NO_MAIN
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <numeric>

#include "../device_main.hpp"
#include "slots.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

// Returns the states of the points after `cycles` cycles, made in two calls.
std::vector<PointState> after(const Problem& p, const std::vector<Point>& points, int only, std::int64_t cycles) {
    const Context device = tests::make_context(Backend::cuda);
    std::unique_ptr<Engine> engine;
    if constexpr (with_cuda) engine = make_cuda_engine(device, p, points.size(), points.size(), only);
    std::vector<PointState> states(points.size());
    if (!engine) return states;
    std::vector<Entry> entries;
    std::vector<std::size_t> slots(points.size());
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    for (const std::size_t slot : slots)
        entries.push_back({slot, points[slot], static_cast<std::uint32_t>(slot), nullptr});
    engine->load(entries);
    std::vector<PointStatus> statuses(points.size());
    for (const std::int64_t now : {cycles / 2, cycles - cycles / 2}) engine->advance(now, slots, statuses);
    engine->store(slots, states, true);
    return states;
}

std::vector<Point> points_of(std::size_t count, double energy, double disorder) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({energy + 0.1 * static_cast<double>(i), disorder * (1 + 0.2 * static_cast<double>(i))});
    return points;
}

// Returns the states of the points alone.
std::vector<PointState> compare(const Problem& p, const std::vector<Point>& points, const std::vector<int>& blocks,
                                const std::string& what, std::int64_t cycles = 5) {
    std::vector<PointState> alone;
    for (std::size_t i = 0; i < points.size(); ++i) {
        // The stream of a point is its slot. Points of the single lfsr113 stream all have the same.
        std::vector<Point> until(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        alone.push_back(after(p, until, grid_plan_with(100), cycles).back());
        BOOST_TEST((alone[i].cycles > 0 || alone[i].status != PointStatus::running), what);
    }
    for (const int of_group : blocks) {
        const std::vector<PointState> together = after(p, points, grid_plan_with(of_group), cycles);
        for (std::size_t i = 0; i < points.size(); ++i)
            BOOST_TEST((alone[i].status == together[i].status && tests::same_data(alone[i], together[i], true)),
                       what << ", " << of_group << " blocks, point " << i);
    }
    return alone;
}

}  // namespace

BOOST_AUTO_TEST_CASE(strips_and_bars) {
    int turn = 0;
    for (const int width : {33, 64, 65, 100, 128, 200, 257, 300, 448, 512})
        compare(tests::varied_problem(2, width, turn++), points_of(4, 0.4, 2.0), {2, 3, 5, 17},
                text("2D M = ", width, ", turn ", turn));
    for (const int width : {7, 13, 16, 20})
        for (int i = 0; i < 3; ++i) {
            ++turn;
            compare(tests::varied_problem(3, width, turn), points_of(3, 0.4, 5.0), {2, 4, 11},
                    text("3D M = ", width, ", turn ", turn));
        }
}

BOOST_AUTO_TEST_CASE(wide_bars) {
    compare(tests::varied_problem(3, 24, 18), points_of(3, 0.0, 16.5), {3, 8, 33}, "3D M = 24");
    compare(tests::varied_problem(3, 32, 20), points_of(2, 0.0, 16.5), {4, 16}, "3D M = 32");
}

// More points than groups: a group takes one point after the other.
BOOST_AUTO_TEST_CASE(more_points_than_groups) {
    compare(tests::varied_problem(2, 65, 2), points_of(9, 0.1, 1.0), {33, 44}, "2D M = 65");
}

// Points that end differently: one loses precision and goes on with a shorter interval, one fails, one converges.
BOOST_AUTO_TEST_CASE(points_that_end_differently) {
    Problem p = tests::varied_problem(3, 10, 0);
    p.n_ortho = 16;
    const auto lost = compare(p, points_of(4, 0.0, 30.0), {2, 6}, "lost precision");
    BOOST_TEST(std::any_of(lost.begin(), lost.end(), [&](const PointState& s) { return s.interval < p.n_ortho; }));
    p = tests::varied_problem(2, 150, 0);
    p.n_ortho = 150;
    const auto failed = compare(p, {{0.1, 1.0}, {0.0, 100.0}, {0.2, 1.0}}, {2, 5}, "a failed point");
    BOOST_TEST((failed[1].status == PointStatus::failed));
    p = tests::varied_problem(2, 130, 1);
    p.n_ortho = 30;
    p.max_growth = 1e3;
    compare(p, points_of(3, 0.0, 2.0), {2, 7}, "adaptive interval");
    p = tests::varied_problem(2, 70, 0);
    p.epsilon = 0.5;
    const auto ended = compare(p, points_of(3, 0.0, 3.0), {2, 40}, "points that converge", 75);
    const auto converges = [](const PointState& state) { return state.status == PointStatus::converged; };
    BOOST_TEST(std::any_of(ended.begin(), ended.end(), converges));
    BOOST_TEST(!std::all_of(ended.begin(), ended.end(), converges));
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
