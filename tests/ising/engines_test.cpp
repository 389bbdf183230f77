// Compares the CUDA engines with the CPU engines. Spins and measurements must be bitwise identical.
#define BOOST_TEST_MODULE ising_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include "../device_main.hpp"
#include "ising/bins.hpp"
#include "ising/engine.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

constexpr auto periodic = Boundary::periodic, antiperiodic = Boundary::antiperiodic;

Context& context_on(Backend backend) {
    ContextOptions options;
    options.backend = backend;
    options.log_level = LogLevel::silent;
    static std::vector<std::unique_ptr<Context>> contexts;
    contexts.push_back(std::make_unique<Context>(options));
    return *contexts.back();
}

struct Run {
    std::vector<std::uint32_t> words;
    std::vector<std::int64_t> measured;
    AcceptanceCounts counts;
};

// Runs one batch without measurements, then one with five.
Run run_of(Backend backend, const Model& model, std::int64_t sweeps) {
    const auto engine = make_engine(context_on(backend), backend, model);
    Run run{first_words(model, 1), {}, {}};
    engine->load(run.words);
    run.counts = engine->advance({0, sweeps / 2, 0, true}, {});
    const std::int64_t every = std::max<std::int64_t>((sweeps - sweeps / 2) / 5, 1);
    run.measured.resize(5 * model.systems() * model.values.count);
    run.counts += engine->advance({sweeps / 2, 5 * every, every, false}, run.measured);
    engine->store(run.words);
    return run;
}

void compare(const Problem& problem, std::int64_t sweeps) {
    validate(problem);
    const Model model(problem);
    const Run cpu = run_of(Backend::cpu, model, sweeps), cuda = run_of(Backend::cuda, model, sweeps);
    const auto& extents = problem.lattice.extents;
    BOOST_TEST_CONTEXT(extents[0] << " x " << extents[1] << " x " << extents[2] << ", algorithm "
                                  << static_cast<int>(problem.algorithm) << ", field " << problem.field) {
        BOOST_TEST((cpu.words == cuda.words));
        BOOST_TEST((cpu.measured == cuda.measured));
        BOOST_TEST((cpu.counts == cuda.counts));
        BOOST_TEST((cpu.words != first_words(model, 1)));
    }
}

// Compares a device that has some blocks of a run with the whole run on the CPU.
void compare_part(const Problem& problem, std::size_t first, std::size_t end) {
    validate(problem);
    const Model model(problem), part = model.of_blocks(first, end);
    const Run cpu = run_of(Backend::cpu, model, 50), cuda = run_of(Backend::cuda, part, 50);
    const auto slice = [](const auto& all, std::size_t row, std::size_t begin, std::size_t size) {
        std::remove_cvref_t<decltype(all)> some;
        for (std::size_t i = 0; i < all.size(); i += row)
            some.insert(some.end(), all.begin() + static_cast<std::ptrdiff_t>(i + begin),
                        all.begin() + static_cast<std::ptrdiff_t>(i + begin + size));
        return some;
    };
    const std::size_t words = model.block_words(), values = model.values.count;
    BOOST_TEST((slice(cpu.words, cpu.words.size(), first * words, (end - first) * words) == cuda.words));
    BOOST_TEST(
        (slice(cpu.measured, model.systems() * values, first * values, (end - first) * values) == cuda.measured));
    BOOST_TEST((cuda.counts == run_of(Backend::cpu, part, 50).counts));
}

Problem problem_of(const Lattice& lattice, std::vector<double> betas, int replicas) {
    Problem p;
    p.lattice = lattice;
    p.betas = std::move(betas);
    p.seeds = {1, -99};
    p.replicas = replicas;
    p.start = Start::random;
    return p;
}

// Compares with everything measured and counted, and with energy and magnetisation only.
void compare_all(Problem problem, std::int64_t sweeps) {
    compare(problem, sweeps);
    problem.correlations = true;
    problem.acceptance = !has_demons(problem.algorithm);
    compare(problem, std::min<std::int64_t>(sweeps, 100));
}

BOOST_AUTO_TEST_CASE(square_lattices) {
    compare_all(problem_of({2, {4, 4, 1}, {}}, {0.3, 0.44, 0.6}, 50), 1000);
    compare_all(problem_of({2, {34, 62, 1}, {antiperiodic, antiperiodic, periodic}}, {0.44}, 3), 1000);
    compare_all(problem_of({2, {62, 34, 1}, {periodic, antiperiodic, periodic}}, {0.01, 2.0}, 1), 1000);
    compare_all(problem_of({2, {128, 128, 1}, {}}, {0.44}, 100), 1000);
    compare_all(problem_of({2, {134, 218, 1}, {antiperiodic, periodic, periodic}}, {0.44}, 2), 1000);
}
BOOST_AUTO_TEST_CASE(large_square_lattices) {
    compare_all(problem_of({2, {1024, 1024, 1}, {antiperiodic, antiperiodic, periodic}}, {0.44}, 1), 1000);
    compare_all(problem_of({2, {3182, 1234, 1}, {}}, {0.44}, 1), 200);
    Problem large = problem_of({2, {8192, 8192, 1}, {}}, {0.44}, 1);
    large.seeds = {1};
    compare(large, 40);
}
BOOST_AUTO_TEST_CASE(cubic_lattices) {
    compare_all(problem_of({3, {2, 2, 4}, {}}, {0.2, 0.3}, 3), 1000);
    compare_all(problem_of({3, {34, 62, 6}, {antiperiodic, periodic, antiperiodic}}, {0.22}, 2), 1000);
    compare_all(problem_of({3, {66, 2, 14}, {periodic, antiperiodic, periodic}}, {0.22, 0.3}, 2), 1000);
    compare_all(problem_of({3, {128, 130, 66}, {periodic, antiperiodic, antiperiodic}}, {0.22}, 1), 200);
}
// Lattices in the shared memory of many blocks: slabs of one layer, two slabs, which are each other's neighbours on
// both sides, several lattices, and slabs of different size.
BOOST_AUTO_TEST_CASE(resident_lattices) {
    for (const double field : {0.0, 0.4}) {
        Problem two_layers = problem_of({2, {65536, 2, 1}, {periodic, antiperiodic, periodic}}, {0.44}, 1);
        Problem two_slabs = problem_of({2, {1400, 1000, 1}, {antiperiodic, periodic, periodic}}, {0.44}, 25);
        Problem three_lattices =
            problem_of({2, {1026, 514, 1}, {periodic, antiperiodic, periodic}}, {0.4, 0.44, 1.0}, 1);
        Problem planes = problem_of({3, {200, 90, 6}, {periodic, antiperiodic, antiperiodic}}, {0.22}, 1);
        Problem cubic = problem_of({3, {128, 128, 140}, {periodic, periodic, antiperiodic}}, {0.22}, 1);
        for (Problem* p : {&two_layers, &two_slabs, &three_lattices, &planes, &cubic}) {
            p->field = field;
            compare(*p, 30);
            p->acceptance = true;
            compare(*p, 11);
        }
    }
}
BOOST_AUTO_TEST_CASE(fields_and_negative_temperatures) {
    for (const double field : {0.7, -2.0, 0.0}) {
        Problem square = problem_of({2, {34, 62, 1}, {antiperiodic, periodic, periodic}}, {0.44, -0.3}, 2);
        Problem large = problem_of({2, {1026, 1022, 1}, {}}, {0.44, -0.3}, 1);
        Problem cubic = problem_of({3, {34, 6, 10}, {periodic, periodic, antiperiodic}}, {0.22, -0.2}, 2);
        Problem large_cubic = problem_of({3, {130, 66, 62}, {antiperiodic, periodic, periodic}}, {0.22, -0.2}, 1);
        for (Problem* p : {&square, &large, &cubic, &large_cubic}) p->field = field;
        compare_all(square, 500);
        compare_all(large, 50);
        compare_all(cubic, 500);
        compare_all(large_cubic, 50);
    }
}

BOOST_AUTO_TEST_CASE(clusters) {
    const auto compare_clusters = [](const Lattice& lattice, std::vector<double> betas, int replicas, double field,
                                     std::int64_t sweeps) {
        Problem p = problem_of(lattice, std::move(betas), replicas);
        p.algorithm = Algorithm::swendsen_wang;
        p.field = field;
        compare(p, sweeps);
    };
    for (const double field : {0.0, 0.01, -0.3}) {
        compare_clusters({2, {2, 2, 1}, {}}, {0.3, 0.44, -0.2}, 5, field, 100);
        compare_clusters({2, {4, 4, 1}, {antiperiodic, periodic, periodic}}, {0.3, 0.44, 3.0}, 50, field, 200);
        compare_clusters({2, {34, 62, 1}, {antiperiodic, antiperiodic, periodic}}, {0.44, -0.5}, 3, field, 200);
        compare_clusters({2, {134, 218, 1}, {periodic, antiperiodic, periodic}}, {0.44, 1e-17}, 2, field, 200);
        compare_clusters({2, {128, 128, 1}, {}}, {0.44}, 100, field, 50);
        compare_clusters({3, {2, 2, 4}, {antiperiodic, periodic, periodic}}, {0.2, 0.3}, 3, field, 200);
        compare_clusters({3, {34, 62, 6}, {antiperiodic, periodic, antiperiodic}}, {0.22, -0.3}, 2, field, 100);
        compare_clusters({3, {66, 2, 14}, {periodic, antiperiodic, periodic}}, {0.22, 0.3}, 2, field, 200);
        compare_clusters({3, {130, 66, 62}, {periodic, antiperiodic, antiperiodic}}, {0.22}, 1, field, 20);
    }
    // A cluster has all 32768 sites of the first lattice, the most in shared memory; with a field, the ghost belongs to
    // it.
    compare_clusters({3, {32, 32, 32}, {}}, {3.0}, 5, 0.5, 50);
    compare_clusters({3, {32, 32, 32}, {}}, {0.22165, 3.0}, 20, 0, 50);
    compare_clusters({2, {4, 8192, 1}, {}}, {0.44, 3.0}, 3, 0, 50);
    compare_clusters({2, {64, 64, 1}, {}}, {0.44, 0.5}, 50, 0, 50);
    // Tiles with few rows, and tiles at antiperiodic boundaries.
    for (const double field : {0.0, 0.3}) {
        compare_clusters({2, {770, 514, 1}, {antiperiodic, antiperiodic, periodic}}, {-0.5, 0.44}, 1, field, 50);
        compare_clusters({2, {2048, 30, 1}, {periodic, antiperiodic, periodic}}, {0.44}, 2, field, 50);
        compare_clusters({3, {130, 66, 30}, {antiperiodic, periodic, antiperiodic}}, {-0.3, 0.22}, 1, field, 20);
        compare_clusters({3, {64, 2, 16}, {periodic, periodic, antiperiodic}}, {0.22, -0.3}, 3, field, 100);
        compare_clusters({3, {64, 4, 8}, {periodic, antiperiodic, periodic}}, {0.22}, 3, field, 100);
    }
    compare_clusters({2, {64, 64, 1}, {}}, {0.44}, 33000, 0, 2);  // more systems than a grid has along y
    compare_clusters({2, {3182, 1234, 1}, {}}, {0.44}, 1, 0, 20);
    compare_clusters({2, {8192, 8192, 1}, {}}, {0.44}, 1, 0, 10);
}

// Runs every kernel of clusters briefly, for tools that check each memory access.
BOOST_AUTO_TEST_CASE(few_clusters) {
    for (const double field : {0.0, 0.2}) {
        Problem small = problem_of({2, {34, 62, 1}, {antiperiodic, periodic, periodic}}, {0.44}, 2);
        Problem cubic = problem_of({3, {34, 6, 10}, {periodic, periodic, antiperiodic}}, {0.22}, 2);
        Problem large = problem_of({2, {770, 514, 1}, {}}, {0.44}, 1);
        Problem large_cubic = problem_of({3, {130, 66, 30}, {antiperiodic, periodic, periodic}}, {0.22}, 1);
        for (Problem* p : {&small, &cubic, &large, &large_cubic}) {
            p->algorithm = Algorithm::swendsen_wang;
            p->field = field;
            compare(*p, 10);
        }
    }
}

// Blocks 3 to 8 of 12 have two temperatures, both seeds and all replicas.
BOOST_AUTO_TEST_CASE(some_blocks_of_a_run) {
    Problem small = problem_of({2, {34, 62, 1}, {antiperiodic, periodic, periodic}}, {0.3, 0.5}, 3);
    Problem large = problem_of({2, {1026, 1022, 1}, {}}, {0.3, 0.5}, 3);
    Problem cubic = problem_of({3, {34, 6, 10}, {periodic, periodic, antiperiodic}}, {0.2, 0.25}, 3);
    for (Problem* p : {&small, &large, &cubic}) {
        p->acceptance = true;
        p->correlations = p != &large;
        compare_part(*p, 3, 9);
        compare_part(*p, 11, 12);
        p->algorithm = Algorithm::swendsen_wang;
        p->acceptance = p->correlations = false;
        compare_part(*p, 3, 9);
    }
}

// A device adds measurements to the sums over a bin as the host does, bit by bit. The second batch goes on with the
// bin.
BOOST_AUTO_TEST_CASE(sums_over_bins) {
    for (Problem p : {problem_of({2, {20, 14, 1}}, {0.3, 0.6}, 35), problem_of({3, {12, 10, 8}}, {0.2}, 3),
                      problem_of({2, {1100, 1100, 1}}, {0.44}, 1)})
        for (const double field : {0.0, 0.3}) {
            p.field = field;
            validate(p);
            const Model model(p);
            const auto cpu = make_engine(context_on(Backend::cpu), Backend::cpu, model),
                       cuda = make_engine(context_on(Backend::cuda), Backend::cuda, model);
            const Systems all{0, model.systems()};
            Bins on_host(model), on_device(model);
            cpu->load(first_words(model, 1));
            cuda->load(first_words(model, 1));
            BOOST_TEST(cuda->adds_up());
            for (const Batch& batch : {Batch{0, 22, 2, true}, Batch{22, 7, 1, true}}) {
                std::vector<std::int64_t> measured(static_cast<std::size_t>(batch.sweeps / batch.measure_every) *
                                                   model.systems() * model.values.count);
                cpu->advance(batch, measured);
                on_host.add(measured, 0, all, 1);
                cuda->advance_bin(batch, on_device.sums(all));
            }
            BOOST_TEST(on_host.under_way() == on_device.under_way());
            BOOST_TEST(on_host.under_way()[BinnedValues::m_4] > 0);
        }
}

// A later engine with smaller lattices does not take shared memory from an earlier one. The large ones have 51200 bytes
// each, more than a kernel may have without being allowed to, and are so many that blocks keep them in shared memory.
BOOST_AUTO_TEST_CASE(two_engines_at_the_same_time) {
    const Model large(problem_of({2, {640, 640, 1}, {}}, {0.44}, 100)),
        small(problem_of({2, {34, 62, 1}, {}}, {0.44}, 2));
    const auto first_of = [](Backend backend, const Model& model) {
        auto engine = make_engine(context_on(backend), backend, model);
        engine->load(first_words(model, 1));
        return engine;
    };
    const auto last_of = [](const Model& model, Engine& engine) {
        engine.advance({0, 20, 0, true}, {});
        std::vector<std::uint32_t> words(model.blocks() * model.block_words());
        engine.store(words);
        return words;
    };
    const auto a = first_of(Backend::cuda, large), b = first_of(Backend::cuda, small),
               c = first_of(Backend::cpu, large);
    BOOST_TEST((last_of(large, *a) == last_of(large, *c)));
}

// Runs every kernel briefly, for tools that check each memory access.
BOOST_AUTO_TEST_CASE(short_runs) {
    for (const double field : {0.0, 0.5}) {
        Problem square = problem_of({2, {34, 62, 1}, {antiperiodic, periodic, periodic}}, {0.44}, 2);
        Problem large = problem_of({2, {1026, 1022, 1}, {}}, {0.44}, 1);
        Problem cubic = problem_of({3, {34, 6, 10}, {periodic, periodic, antiperiodic}}, {0.22}, 2);
        Problem large_cubic = problem_of({3, {130, 66, 62}, {antiperiodic, periodic, periodic}}, {0.22}, 1);
        for (Problem* p : {&square, &large, &cubic, &large_cubic}) {
            p->field = field;
            compare(*p, 10);
            p->acceptance = true;
            p->correlations = p == &square || p == &cubic;
            compare(*p, 10);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
