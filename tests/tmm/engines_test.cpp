// Compares the CUDA engine with the CPU engine, on the same disorder.
#define BOOST_TEST_MODULE tmm_engines
#define BOOST_TEST_NO_MAIN
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include "../device_main.hpp"
#include "core/device.hpp"
#include "core/larger.hpp"
#include "graded.hpp"
#include "runs.hpp"
#include "slots.hpp"
#include "tmm/precision.hpp"
#include "tmm/propagation.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

// Returns the largest deviation between exponents after `cycles` cycles. The device does them in two calls.
double deviation(const Problem& p, double energy, double disorder, int cycles) {
    const std::vector<Point> points{{energy, disorder}, {energy + 0.3, disorder}, {energy - 0.7, 1.1 * disorder}};
    Context host = tests::make_context(Backend::cpu), device = tests::make_context(Backend::cuda);
    Solver a(host, p, points), b(device, p, points);
    a.advance(cycles);
    b.advance(cycles / 2);
    b.advance(cycles - cycles / 2);
    double worst = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PointResult x = a.result(i), y = b.result(i);
        BOOST_TEST(x.cycles == y.cycles);
        for (std::size_t j = 0; j < x.exponents.size(); ++j) {
            BOOST_REQUIRE(std::isfinite(y.exponents[j]));
            worst = larger(worst, std::fabs(x.exponents[j] - y.exponents[j]));
        }
    }
    return worst;
}

Problem vary(int dimension, int width, int turn) {
    Problem p =
        tests::legacy_problem(dimension, width, dimension == 1 ? Boundary::hard_wall : static_cast<Boundary>(turn % 3));
    p.disorder = static_cast<Disorder>(turn / 3 % 3);
    p.random_stream = static_cast<RandomStream>((turn + turn / 9) % 3);
    p.n_ortho = turn % 2 ? 10 : 7;
    p.epsilon = 1e-12;
    return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_small_width) {
    for (int width = 1; width <= 33; ++width)
        for (int turn = width; turn < width + 9; turn += 4)
            BOOST_TEST(deviation(vary(2, width, turn), 0.4, 1.0, 40) < 1e-9, "2D M = " << width << ", turn " << turn);
    BOOST_TEST(deviation(vary(1, 1, 3), 0.4, 1.0, 40) < 1e-9);
}

BOOST_AUTO_TEST_CASE(wide_strips) {
    for (const int width : {40, 48, 63, 64, 65, 100, 128, 200, 257})
        BOOST_TEST(deviation(vary(2, width, width), 0.4, 1.0, 8) < 1e-9, "2D M = " << width);
}

BOOST_AUTO_TEST_CASE(bars) {
    for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 10, 13})
        BOOST_TEST(deviation(vary(3, width, width), 0.4, 2.0, 20) < 1e-9, "3D M = " << width);
}

BOOST_AUTO_TEST_CASE(adaptive_interval) {
    for (const int width : {3, 12, 40}) {
        Problem p = vary(2, width, 1);
        p.n_ortho = 30;
        p.max_growth = 1e3;
        BOOST_TEST(deviation(p, 0.4, 3.0, 10) < 1e-9, "2D M = " << width);
    }
}

// Growth over ten slices differs between columns by a factor of 1e8 at the band edge. A norm in single precision would
// spoil the smallest exponent.
BOOST_AUTO_TEST_CASE(band_edge) {
    Context host = tests::make_context(Backend::cpu), device = tests::make_context(Backend::cuda);
    std::vector<Point> points;
    for (const double energy : {-4.4, -4.3, -4.2, 4.2, 4.3, 4.4}) points.push_back({energy, 1.0});
    for (const Boundary boundary : {Boundary::hard_wall, Boundary::periodic}) {
        const Problem p = tests::legacy_problem(2, 8, boundary);
        Solver a(host, p, points), b(device, p, points);
        a.run({});
        b.run({});
        for (std::size_t i = 0; i < points.size(); ++i) {
            BOOST_TEST(a.result(i).cycles == b.result(i).cycles);
            for (std::size_t j = 0; j < 8; ++j)
                BOOST_TEST(std::fabs(b.result(i).exponents[j] / a.result(i).exponents[j] - 1) < 1e-9);
        }
    }
}

// Blocks, errors and the cycle that ends a point do not depend on how many cycles the device does per call.
BOOST_AUTO_TEST_CASE(rule_of_blocks) {
    const std::vector<Point> points{{0.4, 6.0}, {0.7, 7.0}, {-0.3, 8.0}};
    Context host = tests::make_context(Backend::cpu), device = tests::make_context(Backend::cuda);
    for (const auto& [width, chunk] : {std::pair{1, 1}, {1, 1000}, {3, 50}, {7, 37}, {20, 300}, {40, 37}, {130, 90}}) {
        Problem p;
        p.dimension = width == 1 ? 1 : 2;
        p.width = width;
        p.boundary = width == 1 ? Boundary::hard_wall : Boundary::periodic;
        p.epsilon = 0.05;
        Solver a(host, p, points), b(device, p, points);
        a.run({});
        while (!b.advance(chunk)) {
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            const PointResult x = a.result(i), y = b.result(i);
            BOOST_TEST((x.status == PointStatus::converged && y.status == PointStatus::converged));
            BOOST_TEST(x.cycles == y.cycles, "M = " << width << ", point " << i);
            for (std::size_t j = 0; j < x.exponents.size(); ++j) {
                BOOST_TEST(std::fabs(y.exponents[j] / x.exponents[j] - 1) < 1e-8, "M = " << width);
                BOOST_TEST(std::fabs(y.errors[j] / x.errors[j] - 1) < 1e-5, "M = " << width);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_engines_test.h5";
    for (const int width : {7, 40}) {
        Context device = tests::make_context(Backend::cuda);
        Problem p = vary(2, width, width);
        p.rule = width == 7 ? Rule::blocks : Rule::tmsexd;
        const std::vector<Point> points{{0.1, 2.0}, {0.9, 3.0}};
        Solver whole(device, p, points), part(device, p, points);
        whole.advance(12);
        part.advance(5);
        part.save(path);
        const auto again = Solver::resume(device, path);
        again->advance(7);
        for (std::size_t i = 0; i < points.size(); ++i)
            BOOST_TEST(std::memcmp(whole.result(i).exponents.data(), again->result(i).exponents.data(),
                                   sizeof(double) * static_cast<std::size_t>(width)) == 0);
    }
    std::filesystem::remove(path);
}

// The states of 25,000 slots pass through several pieces of memory. The columns of 300 sites are copied one by one.
BOOST_AUTO_TEST_CASE(slots_keep_what_is_loaded) {
    Context device = tests::make_context(Backend::cuda, 4);
    const auto check = [&](RandomStream stream, Rule rule, int width, std::size_t slots) {
        Problem p = tests::legacy_problem(2, width, Boundary::periodic);
        p.random_stream = stream;
        p.rule = rule;
        std::unique_ptr<Engine> engine;
        if constexpr (with_cuda) engine = make_cuda_engine(device, p, slots, slots);
        if (engine) tests::check_slots(p, *engine);
    };
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox})
        for (const Rule rule : {Rule::tmsexd, Rule::blocks}) {
            check(stream, rule, 1, 1);
            check(stream, rule, 7, 1000);
            check(stream, rule, 40, 100);
        }
    check(RandomStream::lfsr113_per_site, Rule::blocks, 7, 25000);
    check(RandomStream::philox, Rule::blocks, 300, 5);
}

// Takes all points through an engine of `slots` slots: as soon as some points have ended, others take their slots.
std::vector<PointState> ends_in_slots(const Context& context, const Problem& p, const std::vector<Point>& points,
                                      std::size_t slots) {
    const auto engine = make_engine(context, Backend::cuda, p, slots);
    BOOST_REQUIRE(engine->slots() == slots);
    std::vector<PointState> ends(points.size());
    std::vector<std::size_t> point_in(slots), free(slots), busy;
    std::iota(free.begin(), free.end(), std::size_t{0});
    for (std::size_t next = 0, ended = 0; ended < points.size();) {
        std::vector<Entry> entries;
        for (; !free.empty() && next < points.size(); free.pop_back()) {
            entries.push_back({free.back(), points[next], static_cast<std::uint32_t>(next), nullptr});
            busy.push_back(free.back());
            point_in[free.back()] = next++;
        }
        engine->load(entries);
        std::vector<PointStatus> statuses(busy.size());
        engine->advance(3, busy, statuses);
        std::vector<std::size_t> finished, running;
        for (std::size_t i = 0; i < busy.size(); ++i)
            (is_finished(statuses[i]) ? finished : running).push_back(busy[i]);
        std::vector<PointState> states(finished.size());
        engine->store(finished, states, false);
        for (std::size_t i = 0; i < finished.size(); ++i) ends[point_in[finished[i]]] = std::move(states[i]);
        free.insert(free.end(), finished.begin(), finished.end());
        ended += finished.size();
        busy = std::move(running);
    }
    return ends;
}

// This holds for narrow points. For others the number of points determines the kernel, and so the rounding errors.
BOOST_AUTO_TEST_CASE(narrow_points_do_not_depend_on_their_slots) {
    const Context device = tests::make_context(Backend::cuda, 4);
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox})
        for (const Rule rule : {Rule::tmsexd, Rule::blocks})
            for (const int width : {3, 8, 20}) {
                Problem p = tests::legacy_problem(2, width, Boundary::periodic);
                p.random_stream = stream;
                p.rule = rule;
                p.epsilon = 0.1;
                p.max_multiplications = 3000;
                std::vector<Point> points;
                for (std::size_t i = 0; i < 500; ++i)
                    points.push_back({0.01 * static_cast<double>(i % 50), 3.0 + static_cast<double>(i % 7)});
                const std::vector<PointState> few = ends_in_slots(device, p, points, 37),
                                              all = ends_in_slots(device, p, points, points.size());
                std::size_t different = 0, converged = 0;
                for (std::size_t i = 0; i < points.size(); ++i) {
                    different += few[i].status != all[i].status || !tests::same_data(few[i], all[i], false);
                    converged += all[i].status == PointStatus::converged;
                }
                BOOST_TEST(different == 0U, "M = " << width << ": " << different << " points differ");
                BOOST_TEST(converged > 0U);
            }
}

// A point that overflows does not affect the points that its thread blocks take next. The order of the points therefore
// does not matter.
BOOST_AUTO_TEST_CASE(failed_points_stay_alone) {
    Context device = tests::make_context(Backend::cuda);
    for (const int width : {33, 37, 150}) {
        Problem p = tests::legacy_problem(2, width, Boundary::periodic);
        p.n_ortho = 150;
        p.max_multiplications = 300;
        constexpr std::size_t count = 400;
        std::vector<Point> points;
        for (std::size_t i = 0; i < count; ++i) points.push_back({0.0, 100.0 - 0.2 * static_cast<double>(i)});
        Solver falling(device, p, points);
        std::reverse(points.begin(), points.end());
        Solver rising(device, p, points);
        falling.run({});
        rising.run({});
        std::size_t failed = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const PointResult a = falling.result(i), b = rising.result(count - 1 - i);
            failed += a.status == PointStatus::failed;
            BOOST_TEST((a.status == b.status && a.exponents == b.exponents), "M = " << width << ", point " << i);
        }
        BOOST_TEST(failed > 0U);
        BOOST_TEST(failed < count);
    }
}

// Returns the largest deviation between host and device of a propagation whose loop is the caller's. Stored numbers
// count relative to the largest of them, logarithms of norms absolutely.
double propagation_deviation(const Problem& p, Layout layout) {
    Context host = tests::make_context(Backend::cpu), device = tests::make_context(Backend::cuda);
    Propagation a(host, p, layout, 1), b(device, p, layout, 1);
    const std::size_t n = a.sites();
    std::vector<double> current(n * n), previous(n * n), x(2 * n * n), y(2 * n * n), norms_a(n), norms_b(n),
        diagonal(n);
    std::mt19937_64 generator(n);
    std::uniform_real_distribution<double> number(-1.5, 1.5);
    std::generate(current.begin(), current.end(), [&] { return number(generator); });
    std::generate(previous.begin(), previous.end(), [&] { return number(generator); });
    a.load(current.data(), previous.data());
    b.load(current.data(), previous.data());
    double worst = 0;
    for (const int multiplications : {3, 0, 1, 5, 2}) {
        for (int m = 0; m < multiplications; ++m) {
            std::generate(diagonal.begin(), diagonal.end(), [&] { return number(generator); });
            a.multiply(diagonal.data());
            b.multiply(diagonal.data());
        }
        BOOST_REQUIRE(a.store(x.data(), x.data() + n * n));
        BOOST_REQUIRE(b.store(y.data(), y.data() + n * n));
        BOOST_REQUIRE(a.orthonormalise(norms_a.data()));
        BOOST_REQUIRE(b.orthonormalise(norms_b.data()));
        double largest = 0;
        for (const double value : x) largest = larger(largest, std::fabs(value));
        for (std::size_t i = 0; i < x.size(); ++i) worst = larger(worst, std::fabs(x[i] - y[i]) / largest);
        for (std::size_t i = 0; i < n; ++i) worst = larger(worst, std::fabs(norms_a[i] - norms_b[i]));
    }
    return worst;
}

BOOST_AUTO_TEST_CASE(propagations) {
    for (const int width : {1, 2, 5, 31, 32, 33, 64, 100, 256})
        for (const Layout layout : {Layout::site_first, Layout::state_first})
            BOOST_TEST(propagation_deviation(vary(2, width, width), layout) < 1e-9, "2D M = " << width);
    for (const int width : {1, 2, 5, 10, 16})
        BOOST_TEST(propagation_deviation(vary(3, width, width), Layout::state_first) < 1e-9, "3D M = " << width);
    BOOST_TEST(propagation_deviation(vary(1, 1, 0), Layout::site_first) < 1e-9);
}

// Checks graded columns in every kernel for wide points. An engine either is as good as plain modified Gram-Schmidt, to
// a factor of 10 over several matrices, or reports lost precision and leaves the slot as it was.
constexpr double epsilon = std::numeric_limits<double>::epsilon();

void compare_graded(std::size_t n, int only, std::vector<double> ratios, int matrices) {
    Context device = tests::make_context(Backend::cuda);
    Problem p;
    p.width = static_cast<std::int64_t>(n);
    std::unique_ptr<Engine> engine;
    try {
        if constexpr (with_cuda) engine = make_cuda_engine(device, p, 1, 1, only);
    } catch (const Error& error) {
        BOOST_TEST_MESSAGE("N = " << n << ", plan " << only << ": " << error.what());
        return;
    }
    if (!engine) return;  // never reached: a build without CUDA runs no test here
    for (const double ratio : ratios) {
        tests::Errors plain{epsilon, epsilon}, found;  // a floor: two rows can be exact by luck
        for (int m = 0; m < matrices; ++m) {
            const tests::Matrix x = tests::graded(n, ratio);
            tests::Factors f{x, {}};
            const CycleEnd end = tests::in_engine(*engine, f);
            BOOST_TEST((end == CycleEnd::lost_precision || (end == CycleEnd::valid && ratio <= 10 * most_growth)));
            BOOST_TEST((end == CycleEnd::valid || ratio > most_growth / 10));
            if (end == CycleEnd::lost_precision) BOOST_TEST((f.q.values == x.values), "N = " << n << ": not undone");
            if (end != CycleEnd::valid) continue;
            const std::vector<double> exact = tests::exact_log_norms(x);
            plain.take(tests::errors_of(tests::modified_gram_schmidt(x), exact));
            found.take(tests::errors_of(f, exact));
        }
        BOOST_TEST_MESSAGE("N = " << n << ", plan " << only << ", 1 to " << ratio << ": ln R " << found.log_norm
                                  << ", Q^T Q - 1 " << found.overlap << "; plain " << plain.log_norm << ", "
                                  << plain.overlap);
        BOOST_TEST(found.log_norm <= 10 * plain.log_norm, "N = " << n << ", plan " << only << ", 1 to " << ratio
                                                                 << ": ln R off by " << found.log_norm << ", plain by "
                                                                 << plain.log_norm);
        BOOST_TEST(found.overlap <= 10 * plain.overlap, "N = " << n << ", plan " << only << ", 1 to " << ratio
                                                               << ": Q^T Q - 1 is " << found.overlap << ", plain "
                                                               << plain.overlap);
    }
}

BOOST_AUTO_TEST_CASE(graded_columns) {
    for (const int only : {1, 2, 4, 8, grid_plan}) {
        compare_graded(1, only, {1}, 1);
        for (const std::size_t n : {2, 31, 32, 33, 47, 48, 49, 63, 64, 65, 81, 96, 97, 128})
            compare_graded(n, only, {1e3, 1e5, 1e7, 1e9, 3e9, 1e11, 1e13}, 3);
        for (const std::size_t n : {200, 256}) compare_graded(n, only, {1e4, 3e9, 1e13}, 1);
    }
    compare_graded(400, grid_plan, {3e9}, 1);
    compare_graded(512, grid_plan, {3e9}, 1);
}

BOOST_AUTO_TEST_CASE(graded_columns_of_the_widest_bar) {
    compare_graded(1024, grid_plan, {3e9}, 1);
}

// A run whose growth exceeds the limit takes the same intervals on host and device. This holds in every kind of kernel,
// with drawing ahead (up to 16 slices) and without it. Close to the limit the growth of a cycle is off by 2e-6. These
// runs are short, so the tolerance is 1e-5.
BOOST_AUTO_TEST_CASE(lost_precision_shortens_the_interval) {
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox})
        for (const int width : {3, 4, 5, 7, 10})
            for (const int n_ortho : {16, 30}) {
                Problem p = tests::legacy_problem(3, width, Boundary::periodic);
                p.random_stream = stream;
                p.n_ortho = n_ortho;
                p.epsilon = 0.05;
                const std::vector<Point> points{{0.0, 16.5}, {0.0, 30.0}, {0.5, 12.0}};
                Context host = tests::make_context(Backend::cpu), device = tests::make_context(Backend::cuda);
                Solver a(host, p, points), b(device, p, points);
                a.run({});
                b.run({});
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const PointResult x = a.result(i), y = b.result(i);
                    BOOST_TEST((x.status == y.status));
                    BOOST_TEST(x.cycles == y.cycles, "M = " << width << ", " << n_ortho
                                                            << " multiplications: " << x.cycles << " and " << y.cycles);
                    BOOST_TEST(std::fabs(x.exponents[0] - y.exponents[0]) < 1e-5,
                               "M = " << width << ", " << n_ortho << " multiplications: " << x.exponents[0] << " and "
                                      << y.exponents[0]);
                }
            }
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
