// Compares the CUDA engine with the CPU engine for other than plain hopping, on the same disorder.
#define BOOST_TEST_MODULE tmm_coupled_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "../device_main.hpp"
#include "core/larger.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

const std::vector<Point> points{{0.4, 2.0}, {0.7, 2.0}, {-0.3, 2.2}};

// Returns the states of the points after `cycles` cycles, made in two calls.
std::vector<PointState> after(Engine& engine, std::int64_t cycles) {
    std::vector<PointState> states(points.size());
    std::vector<Entry> entries;
    std::vector<std::size_t> slots(points.size());
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    for (const std::size_t slot : slots)
        entries.push_back({slot, points[slot], static_cast<std::uint32_t>(slot), nullptr});
    engine.load(entries);
    std::vector<PointStatus> statuses(points.size());
    for (const std::int64_t now : {cycles / 2, cycles - cycles / 2}) engine.advance(now, slots, statuses);
    engine.store(slots, states, true);
    return states;
}

// Returns nothing if the problem does not fit this plan.
std::optional<std::vector<PointState>> on_device(const Problem& p, int only, std::int64_t cycles) {
    const Context device = tests::make_context(Backend::cuda);
    try {
        if constexpr (with_cuda) return after(*make_cuda_engine(device, p, points.size(), points.size(), only), cycles);
    } catch (const Error& error) {
        BOOST_TEST_MESSAGE(error.what());
    }
    return {};
}

double deviation(const PointState& a, const PointState& b) {
    double worst = 0;
    BOOST_TEST(a.cycles == b.cycles);
    for (std::size_t j = 0; j < a.log_norms.size(); ++j)
        worst = larger(worst, std::fabs(a.log_norms[j] - b.log_norms[j]) / static_cast<double>(a.slices));
    return worst;
}

// Compares every kernel with the CPU. Kernels with groups of thread blocks give the same bits for groups of any size.
void compare(Problem p, const std::string& what, std::int64_t cycles = 6) {
    p.n_ortho = 5 + p.width % 3;
    p.epsilon = 1e-12;
    p.hopping = 0.9;
    const std::vector<PointState> host =
        after(*make_cpu_engine(tests::make_context(Backend::cpu, 2), p, points.size()), cycles);
    std::size_t kernels = 0;
    std::optional<std::vector<PointState>> of_groups;
    for (const int only : {any_plan, 1, 2, 4, 8, grid_plan_with(2), grid_plan_with(5), grid_plan_with(40)}) {
        const auto device = on_device(p, only, cycles);
        if (!device) continue;
        ++kernels;
        for (std::size_t i = 0; i < points.size(); ++i)
            BOOST_TEST(deviation(host[i], (*device)[i]) < 1e-10, what << ", plan " << only << ", point " << i);
        if (only >= grid_plan) continue;
        if (of_groups)
            for (std::size_t i = 0; i < points.size(); ++i)
                BOOST_TEST(((*of_groups)[i].psi == (*device)[i].psi), what << ", plan " << only << ", point " << i);
        else if (only != any_plan)
            of_groups = device;
    }
    BOOST_TEST(kernels > 3U, what);
}

Problem problem_of(int dimension, int width, Model model, int turn) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    p.model = model;
    p.boundary = dimension == 1 ? Boundary::hard_wall : static_cast<Boundary>(turn % 3);
    p.hopping_disorder = static_cast<HoppingDisorder>(turn / 3 % 3);
    p.disorder = static_cast<Disorder>(turn / 2 % 3);
    p.rule = turn % 2 ? Rule::tmsexd : Rule::blocks;
    if (dimension == 3) p.anisotropy = 1.2;
    if (model == Model::peierls && dimension > 1) p.longitudinal_flux = 0.3;
    if (model == Model::peierls && dimension == 3) p.transverse_flux = 1.0 / width;
    return p;
}

constexpr Model models[]{Model::anderson, Model::peierls, Model::u1, Model::su2, Model::ando};

}  // namespace

BOOST_AUTO_TEST_CASE(narrow_and_wide) {
    int turn = 0;
    for (const Model model : models)
        for (const auto& [dimension, width] : {std::pair{1, 1},
                                               {2, 1},
                                               {2, 2},
                                               {2, 5},
                                               {2, 16},
                                               {2, 33},
                                               {2, 50},
                                               {3, 1},
                                               {3, 2},
                                               {3, 4},
                                               {3, 5},
                                               {3, 7}}) {
            Problem p = problem_of(dimension, width, model, turn++);
            if (p.has_plain_hopping()) p.hopping_disorder = HoppingDisorder::uniform;
            compare(p, text(dimension, "D, M = ", width, ", model ", static_cast<int>(model), ", turn ", turn));
        }
}

// Few short runs in each kernel, for compute-sanitizer.
BOOST_AUTO_TEST_CASE(one_of_each_kind) {
    for (const Model model : {Model::anderson, Model::u1, Model::su2})
        compare(problem_of(2, 9, model, 4), text("model ", static_cast<int>(model)), 2);
}

BOOST_AUTO_TEST_CASE(anisotropic_bars) {
    for (const int width : {2, 6, 12}) {
        Problem p = problem_of(3, width, Model::anderson, 1);
        p.hopping_disorder = HoppingDisorder::none;
        compare(p, text("anisotropic, M = ", width));
    }
}

// Bars for which a group of thread blocks is the only kernel.
BOOST_AUTO_TEST_CASE(widest) {
    for (const auto& [dimension, width, model] :
         {std::tuple{2, 130, Model::su2}, {3, 16, Model::u1}, {3, 11, Model::ando}, {3, 22, Model::peierls}}) {
        const Problem p = problem_of(dimension, width, model, 4);
        const std::vector<PointState> host = after(*make_cpu_engine(tests::make_context(Backend::cpu, 2), p, 3), 2);
        const auto device = on_device(p, any_plan, 2);
        BOOST_REQUIRE(device.has_value());
        for (std::size_t i = 0; i < points.size(); ++i)
            BOOST_TEST(deviation(host[i], (*device)[i]) < 1e-10, dimension << "D, M = " << width);
    }
}

// Slices of the caller on the lattice of the problem, and on lattices of the caller with up to four neighbours.
BOOST_AUTO_TEST_CASE(given_slices) {
    const SliceCallback callback = [](std::int64_t point, std::int64_t, std::int64_t slice, const SliceNumbers& of) {
        const auto on_site = of.on_site;
        const auto hopping = of.hopping;
        const auto along = of.along;
        const auto number = [&](std::size_t i) {
            return random::philox_pair(3, static_cast<std::uint32_t>(point), static_cast<std::uint64_t>(slice),
                                       static_cast<std::uint32_t>(i))
                       .first -
                   0.5;
        };
        for (std::size_t i = 0; i < on_site.size(); ++i) on_site[i] += number(i);
        for (std::size_t i = 0; i < hopping.size(); ++i) hopping[i] += 0.3 * number(1000 + i);
        for (std::size_t i = 0; i < along.size(); ++i) along[i] = 1 + 0.5 * number(100000 + i);
    };
    const auto links_of = [](std::int32_t sites, std::int32_t second) {
        std::vector<Link> links;
        for (std::int32_t i = 0; i < sites; ++i) {
            links.push_back({i, (i + 1) % sites});
            if (second > 0 && i % 3 != 0) links.push_back({(i + second) % sites, i});
        }
        return links;
    };
    for (const Model model : {Model::anderson, Model::u1, Model::su2})
        for (const auto& [dimension, width, second] : {std::tuple{1, 1, -1},
                                                       {2, 1, -1},
                                                       {2, 20, -1},
                                                       {2, 50, -1},
                                                       {3, 3, -1},
                                                       {3, 6, -1},
                                                       {2, 9, 0},
                                                       {2, 9, 4},
                                                       {2, 40, 7},
                                                       {2, 250, 11}}) {
            Problem p = problem_of(dimension, width, model, 1);
            p.boundary = dimension == 1 ? Boundary::hard_wall : Boundary::periodic;
            p.epsilon = 1e-12;
            p.n_ortho = 7;
            const Given given{second >= 0 ? links_of(width, second) : std::vector<Link>{}, callback};
            Context host = tests::make_context(Backend::cpu, 2), device = tests::make_context(Backend::cuda);
            Solver a(host, p, points, {}, given), b(device, p, points, {}, given);
            a.advance(6);
            for (const std::int64_t cycles : {1, 3, 2}) b.advance(cycles);
            for (std::size_t i = 0; i < points.size(); ++i) {
                const PointResult x = a.result(i), y = b.result(i);
                BOOST_TEST(x.cycles == y.cycles);
                double worst = 0;
                for (std::size_t j = 0; j < x.exponents.size(); ++j)
                    worst = larger(worst, std::fabs(x.exponents[j] - y.exponents[j]));
                BOOST_TEST(worst < 1e-10, dimension << "D, M = " << width << ", model " << static_cast<int>(model)
                                                    << ", second " << second << ", point " << i << ": " << worst);
            }
        }
}

// A callback that changes nothing gives the bits of the model, if both have a kernel for wide points. Random phases and
// spin rotations round differently on host and device.
BOOST_AUTO_TEST_CASE(given_slices_give_the_bits_of_the_model) {
    for (const auto& [dimension, width, model] : {std::tuple{2, 40, Model::anderson},
                                                  {3, 6, Model::anderson},
                                                  {2, 300, Model::anderson},
                                                  {3, 4, Model::su2},
                                                  {2, 5, Model::u1}}) {
        Problem p = problem_of(dimension, width, model, 1);
        p.boundary = Boundary::periodic;
        p.anisotropy = 1;
        p.epsilon = 1e-12;
        Context device = tests::make_context(Backend::cuda);
        Solver own(device, p, points), given(device, p, points, {}, Given{{}, [](auto...) {}});
        own.advance(6);
        given.advance(6);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::vector<double> x = own.result(i).exponents, y = given.result(i).exponents;
            double worst = 0;
            for (std::size_t j = 0; j < x.size(); ++j) worst = larger(worst, std::fabs(x[j] - y[j]));
            BOOST_TEST(worst <= (model == Model::anderson ? 0 : 1e-12),
                       dimension << "D, M = " << width << ", model " << static_cast<int>(model) << ": " << worst);
        }
    }
}

BOOST_AUTO_TEST_CASE(too_many_links_for_a_device) {
    std::vector<Link> star;
    for (std::int32_t i = 1; i < 6; ++i) star.push_back({0, i});
    const Problem p = problem_of(2, 6, Model::anderson, 1);
    Context device = tests::make_context(Backend::cuda);
    BOOST_CHECK_THROW(Solver(device, p, points, {}, Given{star, [](auto...) {}}), Error);
}

// A run that loses precision shortens its intervals as on the CPU, and restarts its columns in groups.
BOOST_AUTO_TEST_CASE(lost_precision_shortens_the_interval) {
    for (const Model model : {Model::anderson, Model::u1, Model::su2})
        for (const int only : {any_plan, 1, 2, grid_plan_with(5)}) {
            Problem p = problem_of(2, 12, model, 2);
            p.hopping_disorder = HoppingDisorder::logarithmic;
            p.rule = Rule::blocks;
            p.n_ortho = 60;
            p.epsilon = 1e-12;
            const auto host = after(*make_cpu_engine(tests::make_context(Backend::cpu), p, points.size()), 8);
            const auto device = on_device(p, only, 8);
            if (!device) continue;
            for (std::size_t i = 0; i < points.size(); ++i) {
                BOOST_TEST(host[i].interval < p.n_ortho);
                BOOST_TEST(host[i].interval == (*device)[i].interval);
                BOOST_TEST(host[i].slices == (*device)[i].slices);
                BOOST_TEST(deviation(host[i], (*device)[i]) < 1e-6,
                           "model " << static_cast<int>(model) << ", plan " << only << ", point " << i);
            }
        }
}

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_coupled_engines_test.h5";
    for (const int width : {4, 30}) {
        Context device = tests::make_context(Backend::cuda);
        Problem p = problem_of(2, width, Model::su2, 4);
        p.replicas = 2;
        Solver whole(device, p, points), part(device, p, points);
        whole.advance(60);
        part.advance(23);
        part.save(path);
        const auto again = Solver::resume(device, path);
        again->advance(37);
        for (std::size_t i = 0; i < points.size(); ++i) {
            BOOST_TEST(whole.result(i).exponents == again->result(i).exponents);
            BOOST_TEST(whole.result(i).exponents.size() == static_cast<std::size_t>(width));
        }
    }
    std::filesystem::remove(path);
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
