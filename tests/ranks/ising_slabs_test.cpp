// The engine of slabs: which lattices are divided, and ranks that run out of memory.
#define BOOST_TEST_MODULE ranks_ising_slabs
#include <boost/test/unit_test.hpp>

#include "in_memory.hpp"
#include "ising/engine.hpp"
#include "ising/slab.hpp"
#include "no_memory.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

std::size_t slabs_for(const Problem& problem, std::size_t parts, std::size_t fewest_words = 0,
                      Backend backend = Backend::cpu) {
    const Context context(ContextOptions{.backend = Backend::cpu, .fewest_words_of_slab = fewest_words});
    return slabs_of(context, backend, Model(problem), parts);
}

// The transport of a rank, which always has memory.
std::shared_ptr<Communicator> communicator_of(ranks::Network& network, int rank) {
    Transport transport{rank, network.size(), {}, {}};
    transport.gather = [&network, rank](std::span<const std::byte> mine, std::byte* all) {
        const ranks::MemoryAgain again;
        return network.gather(rank, std::ssize(mine), mine.data(), all);
    };
    transport.exchange = [&network, rank](int to, std::span<const std::byte> send, int from,
                                          std::span<std::byte> receive) {
        const ranks::MemoryAgain again;
        return network.exchange(rank, to, std::ssize(send), send.data(), from, std::ssize(receive), receive.data());
    };
    return std::make_shared<Communicator>(std::move(transport));
}

// Returns the errors of two ranks, [ranks]. Rank `failing` has memory for so many calls in each batch.
std::vector<std::string> errors_with_memory_for(long calls, int failing, const Model& model) {
    ranks::Network network(2);
    std::vector<std::string> errors(2);
    ranks::on_ranks(2, [&](int rank) {
        Context context(ContextOptions{
            .backend = Backend::cpu, .threads = 1, .log_level = LogLevel::silent, .fewest_words_of_slab = 1});
        context.set_communicator(communicator_of(network, rank));
        try {
            context.collective("test.run", [&] {
                const std::unique_ptr<Engine> engine = make_engine(context, Backend::cpu, model);
                engine->load(first_words(model, 1));
                std::vector<std::int64_t> measured(3 * model.values.count);
                for (std::int64_t first : {0, 6}) {
                    if (rank == failing) ranks::memory_runs_out(calls);
                    engine->advance({.first_sweep = first, .sweeps = 6, .measure_every = 2}, measured);
                    ranks::memory_is_back();
                }
            });
        } catch (const std::exception& error) {
            ranks::memory_is_back();
            errors[static_cast<std::size_t>(rank)] = error.what();
        }
    });
    return errors;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lattices_that_are_divided) {
    Problem problem;
    problem.lattice.extents = {4096, 4096, 1};  // 2^18 words
    BOOST_TEST(slabs_for(problem, 1) == 1u);
    BOOST_TEST(slabs_for(problem, 7) == 7u);
    BOOST_TEST(slabs_for(problem, 40) == 16u);
    BOOST_TEST(slabs_for(problem, 40, 1) == 40u);
    BOOST_TEST(slabs_for(problem, 7, 0, Backend::cuda) == 1u);
    problem.lattice.extents = {65536, 65536, 1};
    BOOST_TEST(slabs_for(problem, 7, 0, Backend::cuda) == 7u);
    BOOST_TEST(slabs_for(problem, 40, 0, Backend::cuda) == 8u);
    problem.lattice.extents = {4096, 4096, 1};
    problem.replicas = 7;
    BOOST_TEST(slabs_for(problem, 7) == 1u);
    BOOST_TEST(slabs_for(problem, 8) == 8u);
    problem.replicas = 1;
    problem.correlations = true;
    BOOST_TEST(slabs_for(problem, 7) == 1u);
    problem.correlations = false;
    problem.algorithm = Algorithm::demon_binomial;
    BOOST_TEST(slabs_for(problem, 7) == 1u);
    problem.algorithm = Algorithm::metropolis;
    problem.lattice.dimension = 3;
    problem.lattice.extents = {1024, 1024, 6};
    BOOST_TEST(slabs_for(problem, 7) == 6u);
    problem.lattice.extents = {64, 64, 64};
    BOOST_TEST(slabs_for(problem, 7) == 1u);
}

// No rank waits for ever for the edges of one that has failed.
BOOST_AUTO_TEST_CASE(a_rank_without_memory_shares_its_error) {
    Problem problem;
    problem.lattice.extents = {64, 8, 1};
    const Model model(problem);
    for (int failing = 0; failing < 2; ++failing) {
        long calls = 0;
        for (bool failed = true; failed && calls < 100; ++calls) {
            const auto errors = errors_with_memory_for(calls, failing, model);
            failed = !errors[0].empty();
            for (const std::string& error : errors)
                BOOST_TEST((error.find("out of memory") != std::string::npos) == failed, calls << ": " << error);
        }
        BOOST_TEST(calls > 2);
        BOOST_TEST(calls < 100);
    }
}
