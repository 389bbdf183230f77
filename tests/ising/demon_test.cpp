// A sweep with demons against a slow one, what is conserved, and what a measurement gives.
#define BOOST_TEST_MODULE ising_demon
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "demon_reference.hpp"
#include "demon_runs.hpp"
#include "ising/bit_counts.hpp"
#include "ising/demon_step.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

BOOST_AUTO_TEST_CASE(every_demon_is_used_once) {
    for (const std::uint32_t sites : {4u, 8u, 12u, 16u, 20u, 36u, 48u, 60u, 96u, 100u, 4096u, 10000u, 24 * 18u}) {
        bool rotated = false, exchanged = false, even_rested = false;
        for (std::int64_t sweep = 0; sweep < 50; ++sweep) {
            const DemonMoves moves = demon_moves({7, 3}, sweep, sites);
            std::vector<int> used(sites);
            for (std::uint32_t site = 0; site < sites; ++site) ++used.at(demon_of(moves, site, sites));
            BOOST_TEST(std::all_of(used.begin(), used.end(), [](int times) { return times == 1; }));
            BOOST_TEST((moves.resting[0] < sites / 2 && moves.resting[1] < sites / 2));
            rotated = rotated || moves.rotation > 0;
            exchanged = exchanged || moves.within > 0;
            even_rested = even_rested || moves.resting[0] > 0;
        }
        BOOST_TEST((rotated || sites <= 32));
        BOOST_TEST(exchanged);
        BOOST_TEST(even_rested);
    }
}

// Every demon comes to every site equally often.
BOOST_AUTO_TEST_CASE(demons_come_everywhere) {
    constexpr std::uint32_t sites = 96;
    constexpr int sweeps = 96000;
    for (const std::uint32_t site : {0u, 50u, 95u}) {
        std::vector<int> used(sites);
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep)
            ++used[demon_of(demon_moves({11, 0}, sweep, sites), site, sites)];
        double chi = 0;
        for (const int times : used) chi += (times - 1000.0) * (times - 1000.0) / 1000;
        BOOST_TEST(chi > 45);  // 95 degrees of freedom: 1 in 10^5 is beyond each
        BOOST_TEST(chi < 164);
    }
}

BOOST_AUTO_TEST_CASE(counts_of_bits) {
    std::mt19937 generator(5);
    BitCounts<5> counts;
    std::vector<std::uint32_t> expected(32);
    for (int round = 0; round < 7; ++round) {
        std::uint32_t words[4];
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator());
        counts.add(words[0], words[1], words[2], words[3]);
        for (std::uint32_t bit = 0; bit < 32; ++bit)
            for (const std::uint32_t word : words) expected[bit] += word >> bit & 1;
    }
    counts.add(~0u);
    for (std::uint32_t bit = 0; bit < 32; ++bit) BOOST_TEST(counts.of(bit) == expected[bit] + 1);
}

namespace {

constexpr std::int64_t first_sweep = 4294967290;  // counters carry on beyond 32 bits

Problem microcanonical(const Lattice& lattice) {
    Problem problem = demon_problem(lattice, Algorithm::demon_microcanonical);
    problem.replicas = 40;
    problem.seeds = {5, 6};
    problem.correlations = true;
    return problem;
}

std::uint32_t demon_by_definition(const DemonMoves& moves, std::size_t site, std::size_t sites) {
    return static_cast<std::uint32_t>(((site ^ moves.within) + moves.rotation) % sites);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sweeps_as_the_plain_ones) {
    for (const Lattice& lattice : various_lattices()) {
        const Model model(microcanonical(lattice));
        const auto engine = make_cpu_demons(context_on(Backend::cpu), model);
        const std::vector<std::uint32_t> start = random_state(model, 17);
        std::vector<std::uint32_t> expected = start, words = start;
        constexpr std::int64_t sweeps = 9, every = 3;
        std::vector<std::int64_t> measured(3 * model.systems() * model.values.count);
        engine->load(start);
        engine->advance({first_sweep, sweeps, every, false}, measured);
        engine->store(words);
        const auto sites = static_cast<std::uint32_t>(model.sites());
        PlainDemons plain(lattice);
        for (std::size_t block = 0; block < model.blocks(); ++block) {
            const auto of_block = std::span(expected).subspan(block * model.block_words(), model.block_words());
            for (unsigned bit = 0; bit < 32; ++bit) {
                plain.take(of_block, bit);
                for (std::int64_t s = 1; s <= sweeps; ++s) {
                    const DemonMoves moves = demon_moves(model.stream(block), first_sweep + s - 1, sites);
                    plain.sweep([&](std::size_t i) { return demon_by_definition(moves, i, sites); }, moves.resting[0],
                                moves.resting[1]);
                    const std::size_t replica = block % 2 * 32 + bit, system = block / 2 * 40 + replica;
                    if (s % every != 0 || replica >= 40 || replica % 5 != 4) continue;
                    const std::size_t at = static_cast<std::size_t>(s / every - 1) * model.systems() + system;
                    const auto got = std::span(measured).subspan(at * model.values.count, model.values.count);
                    const std::vector<std::int64_t> wanted = plain.measure(model.values);
                    BOOST_TEST(got == wanted, boost::test_tools::per_element());
                }
                plain.put(of_block, bit);
            }
        }
        BOOST_TEST((words == expected));
        BOOST_TEST((words != start));
    }
}

BOOST_AUTO_TEST_CASE(energy_is_conserved) {
    for (const Lattice& lattice : various_lattices()) {
        const Model model(microcanonical(lattice));
        const auto engine = make_cpu_demons(context_on(Backend::cpu), model);
        engine->load(random_state(model, 23));
        constexpr std::size_t sweeps = 20;
        std::vector<std::int64_t> measured(sweeps * model.systems() * model.values.count);
        engine->advance({0, sweeps, 1, false}, measured);
        const auto energy = [&](std::size_t sweep, std::size_t system) {
            const std::int64_t* const v = &measured[(sweep * model.systems() + system) * model.values.count];
            const std::int64_t* const n = v + model.values.demons;
            return 4 * n[0] + 8 * n[1] + 16 * n[2] - v[MeasuredValues::bonds];
        };
        for (std::size_t sweep = 1; sweep < sweeps; ++sweep)
            for (std::size_t system = 0; system < model.systems(); ++system)
                BOOST_TEST(energy(sweep, system) == energy(0, system));
    }
}

// Whatever the threads are, and into whatever stretches the sweeps are divided.
BOOST_AUTO_TEST_CASE(the_same_bits_on_any_threads) {
    for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
        for (const int replicas : {32, 200}) {
            Problem problem = demon_problem(square(256, 192), algorithm);
            problem.replicas = replicas;
            problem.refresh_interval = 2;
            const Model model(problem);
            std::vector<std::vector<std::uint32_t>> results;
            std::vector<std::vector<std::int64_t>> measurements;
            for (const int threads : {1, 2, 3, 5}) {
                const auto engine = make_cpu_demons(context_on(Backend::cpu, threads), model);
                results.push_back(random_state(model, 29));
                measurements.emplace_back(2 * model.systems() * model.values.count);
                engine->load(results.back());
                if (threads == 3) {
                    const auto halves = std::span(measurements.back());
                    engine->advance({0, 3, 3, true}, halves.first(halves.size() / 2));
                    engine->advance({3, 3, 3, true}, halves.last(halves.size() / 2));
                } else {
                    engine->advance({0, 6, 3, true}, measurements.back());
                }
                engine->store(results.back());
                BOOST_TEST((results.back() == results.front()));
                BOOST_TEST((measurements.back() == measurements.front()));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(too_many_sites) {
    Problem problem = demon_problem(square(1 << 16, 1 << 15), Algorithm::demon_naive);
    validate(problem);
    problem.lattice = square(1 << 16, 1 << 16);
    BOOST_CHECK_EXCEPTION(validate(problem), Error, [](const Error& error) {
        return error.status() == Status::invalid_argument &&
               std::string(error.what()).find("ising.params.extents: 4294967296 sites are more than 3000000000") == 0;
    });
}
