// Checks that the peak memory of a run is the promised one, which also decides about refusals. Each run is a process of
// its own, whose peak the operating system reports.
#define BOOST_TEST_MODULE ising_memory
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "../process_memory.hpp"
#include "core/error.hpp"
#include "ising/solver.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::tests;

namespace {

const std::string file = "ising_memory_test.h5";

Context make_context() {
    return Context({.backend = Backend::cpu, .threads = 1, .log_level = LogLevel::silent});
}

Problem short_run(std::array<std::int64_t, 3> extents, Algorithm algorithm) {
    Problem problem;
    problem.lattice.extents = extents;
    problem.algorithm = algorithm;
    problem.thermalisation = 0;
    problem.measurements_per_bin = problem.bins = 1;
    return problem;
}

bool run_and_save(const Problem& problem) {
    Context context = make_context();
    Solver solver(context, problem);
    solver.run({});
    solver.save(file);
    return true;
}

bool resume_and_save() {
    Context context = make_context();
    const auto solver = Solver::resume(context, file);
    solver->save(file);
    return true;
}

// The slack covers the image of the file, which grows in pieces, and the stacks and tables of a run.
constexpr std::int64_t slack = 10 << 20;

void require_promise_kept(const Problem& problem) {
    const std::int64_t program = peak_of([] {
        return run_and_save(short_run({4, 4, 1}, Algorithm::metropolis));
    }),
                       promised = memory_needs(Backend::cpu, Model(problem)).bytes(1),
                       taken = peak_of([&] { return run_and_save(problem); }) - program,
                       resumed = peak_of(resume_and_save) - program;
    BOOST_TEST_MESSAGE("promised " << promised << ", taken " << taken << ", resumed " << resumed);
    BOOST_TEST(taken < promised + slack);
    BOOST_TEST(taken > promised - slack);
    BOOST_TEST(resumed < promised + slack);
    std::filesystem::remove(file);
}

// Checks that a run is refused if `left` bytes of address space are left. The message must begin with `words`.
void require_refused(const Problem& problem, std::int64_t left, const std::string& words) {
    peak_of([&] {
        leave_address_space(left);
        try {
            Context context = make_context();
            const Solver solver(context, problem);
        } catch (const Error& error) {
            return error.status() == Status::out_of_memory && std::string(error.what()).find(words) == 0;
        }
        return false;
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(spins_of_metropolis) {
    require_promise_kept(short_run({16384, 16384, 1}, Algorithm::metropolis));
}

BOOST_AUTO_TEST_CASE(spins_and_clusters) {
    Problem problem = short_run({2048, 2048, 1}, Algorithm::swendsen_wang);
    require_promise_kept(problem);
    problem.correlations = true;
    require_promise_kept(problem);
    require_promise_kept(short_run({8192, 8192, 1}, Algorithm::wolff));
    problem = short_run({512, 512, 256}, Algorithm::wolff);
    problem.lattice.dimension = 3;
    require_promise_kept(problem);
}

BOOST_AUTO_TEST_CASE(spins_and_demons) {
    Problem problem = short_run({1024, 2048, 1}, Algorithm::demon_binomial);
    problem.replicas = 32;
    require_promise_kept(problem);
    // One lattice alone takes as much memory as each of these: half a byte for each site.
    problem.replicas = 1;
    problem.lattice.extents = {8192, 8192, 1};
    require_promise_kept(problem);
}

BOOST_AUTO_TEST_CASE(bins_and_series) {
    Problem problem = short_run({4, 4, 1}, Algorithm::demon_naive);
    problem.replicas = 1024;
    problem.measurements_per_bin = 500;
    problem.bins = 4;
    problem.time_series = true;
    require_promise_kept(problem);
}

// Spins are written directly into the caller's array.
BOOST_AUTO_TEST_CASE(spins_handed_out) {
    const Problem problem = short_run({16384, 16384, 1}, Algorithm::metropolis);
    const std::int64_t sites = sites_of(problem.lattice);
    const std::int64_t taken = peak_of([&] {
        Context context = make_context();
        std::vector<std::int8_t> spins(static_cast<std::size_t>(sites));
        Solver(context, problem).spins(0, spins);
        return spins.front() == 1 && spins.back() == 1;
    });
    BOOST_TEST(taken < memory_needs(Backend::cpu, Model(problem)).bytes(1) + sites + slack);
}

// The need is 3 copies of the state, of 2^25 bytes; 6 sums of 2 bins, twice; 2 values of a measurement; and the rules
// of one temperature. The test leaves 2^20 bytes less than that.
BOOST_AUTO_TEST_CASE(refused_by_the_number) {
    const Problem problem = short_run({16384, 16384, 1}, Algorithm::metropolis);
    constexpr std::int64_t needed = 3 * (1 << 25) + 2 * 2 * 6 * 8 + 2 * 8 + 476;
    BOOST_TEST(memory_needs(Backend::cpu, Model(problem)).bytes(1) == needed);
    BOOST_TEST(host_needs(Model(problem)).bytes(1) == needed - (1 << 25) - 476);
    require_refused(problem, needed - (1 << 20),
                    "ising.params.extents: lattices and measurements need " + std::to_string(needed) + " bytes, but ");
    peak_of([&] {
        leave_address_space(needed + slack);
        return run_and_save(problem);
    });
    std::filesystem::remove(file);
}

// A device needs the state, the numbers measured in a bin, their sums over a bin, the rules of each lattice, and the
// demons' counts and tables.
BOOST_AUTO_TEST_CASE(needs_of_a_device) {
    Problem problem = short_run({64, 64, 1}, Algorithm::metropolis);
    problem.replicas = 40;
    problem.measurements_per_bin = 100;
    BOOST_TEST(memory_needs(Backend::cuda, Model(problem)).bytes(1) ==
               40 * (64 * 64 / 8 + 476 + 16 + 6 * 8) + 100 * 40 * 2 * 8);
    problem.algorithm = Algorithm::demon_binomial;
    BOOST_TEST(memory_needs(Backend::cuda, Model(problem)).bytes(1) ==
               2 * (16 * 64 * 64 + 16) + 2 * 32 * 3 * 8 + 100 * 2 * 32 * 5 * 8 + 3 * 11 * 64 * 8);
    problem.measurements_per_bin = 1'000'000;
    BOOST_TEST(measurements_at_once(Model(problem)) == (1 << 23) / (40 * 5));
    BOOST_TEST(memory_needs(Backend::cuda, Model(problem)).bytes(1) ==
               2 * (16 * 64 * 64 + 16) + 2 * 32 * 3 * 8 + (1 << 23) / 320 * 320 * 8 + 3 * 11 * 64 * 8);
}

// Each thread has a lattice with clusters of its own, if there are many lattices. Otherwise all threads share one.
BOOST_AUTO_TEST_CASE(needs_of_clusters) {
    const auto needs = [](const Model& model, int threads) {
        return memory_needs(Backend::cpu, model, {.threads = threads}).bytes(1);
    };
    Problem problem = short_run({64, 64, 1}, Algorithm::swendsen_wang);
    problem.replicas = 40;
    const std::int64_t of_lattice = 65 * 64 * 8 + 64 * (8 + 4 * 4);
    BOOST_TEST(needs(Model(problem), 3) == needs(Model(problem), 1) + 2 * of_lattice);
    BOOST_TEST(needs(Model(problem), 100) == needs(Model(problem), 1) + 39 * of_lattice);
    problem.lattice.extents = {2048, 2048, 1};
    problem.replicas = 8;
    BOOST_TEST(needs(Model(problem), 3) == needs(Model(problem), 1));
}

// On a device, lattices in shared memory need no more than spins and chances. Others need 2 numbers of 4 bytes for each
// site, 32 bytes of bonds and 128 of labels for each piece, and numbers for a piece more, that of the ghost.
BOOST_AUTO_TEST_CASE(needs_of_clusters_on_a_device) {
    Problem problem = short_run({64, 64, 1}, Algorithm::swendsen_wang);
    problem.replicas = 40;
    problem.measurements_per_bin = 100;
    const auto needs = [&] {
        const Model model(problem);
        return memory_needs(Backend::cuda, model).bytes(1) - 100 * 40 * (2 + 6) * 8 -
               40 * (model.packing.words() * 2 * 4 + 16 + 2 * 16);
    };
    BOOST_TEST(needs() == 40 * (65 * 64 * 8 + 64 * (32 + 128)));
    // 2 tiles of 64 x 32 sites in each of 32 columns, and 2 x 8 x 8 tiles of 64 x 8 x 4 sites.
    problem.lattice.extents = {2048, 34, 1};
    BOOST_TEST(needs() == 40 * (64 * 8 * (32 * 34 + 1) + 32 * 34 * 32 + 32 * 2 * 2048 * 2));
    problem.lattice = {3, {66, 66, 30}, {}};
    BOOST_TEST(needs() == 40 * (64 * 8 * (2 * 66 * 30 + 1) + 2 * 66 * 30 * 40 + 2 * 9 * 8 * 2048 * 2));
    problem.lattice = {2, {32, 32, 1}, {}};
    BOOST_TEST(needs() == 0);
}

// 40 systems are shared by two ranks with two devices each. A device has 10 of them. A rank needs the measurements of
// all systems once more, and four times those of its own, when they are gathered.
BOOST_AUTO_TEST_CASE(needs_of_parts) {
    Problem problem = short_run({64, 64, 1}, Algorithm::metropolis);
    problem.replicas = 40;
    problem.measurements_per_bin = 100;
    const Model model(problem);
    BOOST_TEST(memory_needs(Backend::cuda, model, {2, 4}).bytes(1) ==
               10 * (64 * 64 / 8 + 476 + 16 + 6 * 8) + 100 * 10 * 2 * 8);
    BOOST_TEST(host_needs(model, {2, 4}).bytes(1) ==
               host_needs(model).bytes(1) + 100 * 40 * 2 * 8 + 4 * 100 * 20 * 2 * 8);
    BOOST_TEST(memory_needs(Backend::cpu, model, {2, 2}).bytes(1) ==
               host_needs(model, {2, 2}).bytes(1) + 20 * 64 * 64 / 8 + 476);
}

// A lattice is shared by three ranks. The largest slab has 22 rows and two halos. The sums of all ranks are gathered.
BOOST_AUTO_TEST_CASE(needs_of_slabs) {
    Problem problem = short_run({64, 64, 1}, Algorithm::metropolis);
    problem.measurements_per_bin = 100;
    const Model model(problem);
    const Sharing sharing{3, 3, 3};
    BOOST_TEST(host_needs(model, sharing).bytes(1) == host_needs(model).bytes(1) + 3 * 100 * 2 * 8);
    BOOST_TEST(memory_needs(Backend::cpu, model, sharing).bytes(1) ==
               host_needs(model, sharing).bytes(1) + 24 * 64 / 8 + 476);
    problem.measurements_per_bin = 1'000'000;
    const Model more(problem);
    BOOST_TEST(host_needs(more, sharing).bytes(1) == host_needs(more).bytes(1) + (1 << 24));
}

// A large state is saved in pieces, here of 100 words. One that is in slabs on several ranks is on none of them.
BOOST_AUTO_TEST_CASE(needs_of_large_states) {
    Problem problem = short_run({64, 64, 1}, Algorithm::metropolis);
    problem.measurements_per_bin = 100;
    const Model model(problem);
    const std::int64_t state = 64 * 64 / 8, pieces = 4 * 100 * 4;
    BOOST_TEST(host_needs(model, {1, 1, 1, 100}).bytes(1) == host_needs(model).bytes(1) - state + pieces);
    BOOST_TEST(host_needs(model, {1, 3, 3, 100}).bytes(1) == host_needs(model).bytes(1) - state + pieces);
    BOOST_TEST(host_needs(model, {3, 3, 1, 100}).bytes(1) == host_needs(model, {3, 3, 1}).bytes(1) - state + pieces);
    BOOST_TEST(host_needs(model, {3, 3, 3, 100}).bytes(1) ==
               host_needs(model, {3, 3, 3}).bytes(1) - 2 * state + pieces);
}

BOOST_AUTO_TEST_CASE(states_that_are_large) {
    Problem problem = short_run({1 << 16, 1 << 17, 1}, Algorithm::metropolis);  // 2^28 words, 1 GiB
    const auto piece_of = [&](std::size_t most) {
        const Context context(ContextOptions{.backend = Backend::cpu, .most_words_of_file = most});
        return sharing_of(context, Backend::cpu, Model(problem)).piece;
    };
    BOOST_TEST(piece_of(0) == 0u);
    BOOST_TEST(piece_of((1 << 28) - 1) == (1u << 24) - 1);
    problem.lattice.extents[1] += 2;
    BOOST_TEST(piece_of(0) == 1u << 24);
    problem.lattice.extents = {4, 4, 1};
    BOOST_TEST(piece_of(8) == 0u);
    BOOST_TEST(piece_of(7) == 1u);
}

// The need exceeds the range of a 64-bit integer.
BOOST_AUTO_TEST_CASE(needs_beyond_integers) {
    Problem problem = short_run({2, 2, 1}, Algorithm::metropolis);
    problem.time_series = true;
    problem.replicas = 1 << 20;
    problem.bins = 1 << 20;
    problem.measurements_per_bin = 1 << 20;
    BOOST_TEST(host_needs(Model(problem)).bytes(1) == 9'000'000'000'000'000'000);
}
