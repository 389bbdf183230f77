// Compares a sweep with demons with a slow one, and tests conservation and measurements.
#define BOOST_TEST_MODULE ising_demon
#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <set>

#include "demon_reference.hpp"
#include "demon_runs.hpp"
#include "ising/bit_counts.hpp"
#include "ising/demon_step.hpp"
#include "ising/packed_spins.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

BOOST_AUTO_TEST_CASE(every_demon_is_used_once) {
    for (const std::uint32_t sites : {4u, 8u, 12u, 16u, 20u, 36u, 48u, 60u, 96u, 100u, 4096u, 10000u, 24 * 18u}) {
        bool rotated = false, exchanged = false, even_rested = false;
        for (std::int64_t sweep = 0; sweep < 50; ++sweep) {
            const DemonMoves moves = demon_moves({7, 3}, sweep, parts_of(square(sites / 2, 2), {1, 1, 1}));
            std::vector<int> used(sites);
            for (std::uint32_t site = 0; site < sites; ++site) ++used.at(demon_of(moves, site, sites));
            BOOST_TEST(std::all_of(used.begin(), used.end(), [](int times) { return times == 1; }));
            BOOST_TEST((moves.resting_site[0] < sites / 2 && moves.resting_site[1] < sites / 2));
            BOOST_TEST((moves.resting_bits[0] == ~0u && moves.resting_bits[1] == ~0u));
            rotated = rotated || moves.rotation > 0;
            exchanged = exchanged || moves.within > 0;
            even_rested = even_rested || moves.resting_site[0] > 0;
        }
        BOOST_TEST((rotated || sites <= 32));
        BOOST_TEST(exchanged);
        BOOST_TEST(even_rested);
    }
}

// Every demon is used by every site equally often.
BOOST_AUTO_TEST_CASE(demons_come_everywhere) {
    constexpr std::uint32_t sites = 96;
    constexpr int sweeps = 96000;
    for (const std::uint32_t site : {0u, 50u, 95u}) {
        std::vector<int> used(sites);
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep)
            ++used[demon_of(demon_moves({11, 0}, sweep, parts_of(square(48, 2), {1, 1, 1})), site, sites)];
        double chi = 0;
        for (const int times : used) chi += (times - 1000.0) * (times - 1000.0) / 1000;
        BOOST_TEST(chi > 45);  // 95 degrees of freedom: each bound has a probability of 1e-5
        BOOST_TEST(chi < 164);
    }
}

// One site of each colour of each system rests, each site equally often. Demons move on by every number of parts
// equally often.
BOOST_AUTO_TEST_CASE(sites_that_rest) {
    constexpr std::int64_t sweeps = 64000;
    const Parts parts = parts_of(square(16, 8), {2, 4, 1});
    std::vector<std::vector<int>> rested(2, std::vector<int>(64));
    std::vector<int> part_shift(8);
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
        const DemonMoves moves = demon_moves({11, 0}, sweep, parts);
        for (std::size_t colour = 0; colour < 2; ++colour) {
            const auto part = static_cast<std::size_t>(std::countr_zero(moves.resting_bits[colour]));
            BOOST_TEST((part < 8 && moves.resting_bits[colour] == 0x01010101u << part));
            ++rested[colour].at(8 * moves.resting_site[colour] + part);
        }
        ++part_shift.at(moves.part_shift.left);
    }
    for (const int times : part_shift) BOOST_TEST(std::abs(times - 8000) < 400);
    for (const std::vector<int>& of_colour : rested) {
        double chi = 0;
        for (const int times : of_colour) chi += (times - 1000.0) * (times - 1000.0) / 1000;
        BOOST_TEST(chi > 25);  // 63 degrees of freedom: each bound has a probability of 1e-5
        BOOST_TEST(chi < 121);
    }
}

// There are as many parts as the replicas leave bits for, along the last axis first, and all extents of a part are
// even.
BOOST_AUTO_TEST_CASE(divisions) {
    const struct {
        Lattice lattice;
        int replicas;
        Division division;
    } expected[] = {
        {square(2048, 2048), 1, {1, 32, 1}}, {square(64, 64), 1, {1, 32, 1}}, {square(16, 16), 1, {4, 8, 1}},
        {square(16, 16), 2, {2, 8, 1}},      {square(16, 16), 3, {1, 8, 1}},  {square(16, 16), 4, {1, 8, 1}},
        {square(16, 16), 16, {1, 2, 1}},     {square(16, 16), 17, {1, 1, 1}}, {square(16, 16), 1000, {1, 1, 1}},
        {square(4, 4), 1, {2, 2, 1}},        {square(2, 2), 1, {1, 1, 1}},    {square(10, 12), 1, {1, 2, 1}},
        {square(512, 2), 1, {32, 1, 1}},     {cubic(4, 4, 4), 1, {2, 2, 2}},  {cubic(16, 16, 16), 1, {1, 4, 8}},
        {cubic(128, 128, 128), 5, {1, 1, 4}}};
    for (const auto& [lattice, replicas, division] : expected) {
        BOOST_TEST((division_of(lattice, replicas) == division));
        BOOST_TEST(can_divide(lattice, replicas, division));
        BOOST_TEST(can_divide(lattice, replicas, {1, 1, 1}));
    }
    for (const Division& division : {Division{1, 32, 1},
                                     {1, 16, 1},
                                     {4, 16, 1},
                                     {8, 8, 1},
                                     {1, 3, 1},
                                     {0, 1, 1},
                                     {-1, -1, 1},
                                     {1, 1, 2},
                                     {std::int64_t{1} << 32, 1, 1}})
        BOOST_TEST(!can_divide(square(16, 16), 1, division));
    BOOST_TEST(!can_divide(square(16, 16), 2, {4, 8, 1}));
    BOOST_TEST(!can_divide(square(16, 16), 17, {1, 2, 1}));
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

constexpr std::int64_t first_sweep = 4294967290;  // counters continue beyond 32 bits

Problem microcanonical(const Lattice& lattice, int replicas) {
    Problem problem = demon_problem(lattice, Algorithm::demon_microcanonical);
    problem.replicas = replicas;
    problem.seeds = {5, 6};
    problem.correlations = true;
    return problem;
}

// Does a sweep of the plain system, with the demons' positions by definition.
void sweep(PlainDemons& plain, const DemonMoves& moves) {
    const auto demon_of = [&](std::size_t site) { return ((site ^ moves.within) + moves.rotation) % plain.sites; };
    const auto resting = [&](std::size_t colour) {
        return PlainDemons::Place{static_cast<std::size_t>(std::countr_zero(moves.resting_bits[colour])),
                                  moves.resting_site[colour] + colour * plain.sites / 2};
    };
    plain.sweep(demon_of, resting(0), resting(1), moves.part_shift.left);
}

// Numbers of replicas that share words with others, and numbers that are divided into 2 to 32 parts.
constexpr int numbers_of_replicas[] = {40, 16, 7, 4, 2, 1};

}  // namespace

BOOST_AUTO_TEST_CASE(sweeps_as_the_plain_ones) {
    std::set<std::size_t> divisions;
    for (const Lattice& lattice : various_lattices()) {
        for (const int replicas : numbers_of_replicas) {
            const Model model(microcanonical(lattice, replicas));
            const auto engine = make_cpu_demons(context_on(Backend::cpu), model);
            const std::vector<std::uint32_t> start = random_state(model, 17);
            std::vector<std::uint32_t> expected = start, words = start;
            constexpr std::int64_t sweeps = 9, every = 3;
            std::vector<std::int64_t> measured(3 * model.systems() * model.values.count);
            engine->load(start);
            engine->advance({first_sweep, sweeps, every, false}, measured);
            engine->store(words);
            PlainDemons plain(lattice, model.division);
            divisions.insert(plain.parts);
            for (std::size_t block = 0; block < model.blocks(); ++block) {
                const auto of_block = std::span(expected).subspan(block * model.block_words(), model.block_words());
                const std::size_t blocks_each = model.blocks() / 2, together = 32 / plain.parts;
                for (std::size_t inside = 0; inside < together; ++inside) {
                    plain.take(of_block, inside);
                    for (std::int64_t s = 1; s <= sweeps; ++s) {
                        sweep(plain, demon_moves(model.stream(block), first_sweep + s - 1, model.parts));
                        const std::size_t replica = block % blocks_each * together + inside,
                                          all = static_cast<std::size_t>(replicas),
                                          system = block / blocks_each * all + replica;
                        if (s % every != 0 || replica >= all || (replicas > 16 && replica % 5 != 4)) continue;
                        const std::size_t at = static_cast<std::size_t>(s / every - 1) * model.systems() + system;
                        const auto got = std::span(measured).subspan(at * model.values.count, model.values.count);
                        const std::vector<std::int64_t> wanted = plain.measure(model.values);
                        BOOST_TEST(got == wanted, boost::test_tools::per_element());
                    }
                    plain.put(of_block, inside);
                }
            }
            BOOST_TEST((words == expected));
            BOOST_TEST((words != start));
        }
    }
    BOOST_TEST((divisions == std::set<std::size_t>{1, 2, 4, 8, 16, 32}));
}

// Spins that are set are read back, and the plain program sees the same spins.
BOOST_AUTO_TEST_CASE(spins_of_all_packings) {
    for (const Lattice& lattice : various_lattices()) {
        for (const int replicas : numbers_of_replicas) {
            const Model model(microcanonical(lattice, replicas));
            std::vector<std::uint32_t> words = random_state(model, 19);
            PlainDemons plain(lattice, model.division);
            const auto all = static_cast<std::size_t>(replicas);
            for (std::size_t system = 0; system < model.systems(); ++system) {
                const std::size_t replica = system % all, together = 32 / plain.parts,
                                  block = system / all * (model.blocks() / 2) + replica / together;
                const auto of_block = std::span(words).subspan(block * model.block_words(), model.block_words());
                plain.take(of_block, replica % together);
                std::vector<std::int8_t> spins = unpacked_spins(model, words, system);
                BOOST_TEST(spins == plain.spins, boost::test_tools::per_element());
                const std::vector<std::uint32_t> before = words;
                for (std::int8_t& spin : spins) spin = static_cast<std::int8_t>(-spin);
                pack_spins(model, spins, words, system);
                for (int& spin : plain.spins) spin = -spin;
                std::vector<std::uint32_t> expected = before;
                plain.put(std::span(expected).subspan(block * model.block_words(), model.block_words()),
                          replica % together);
                BOOST_TEST((words == expected));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(energy_is_conserved) {
    for (const Lattice& lattice : various_lattices()) {
        for (const int replicas : numbers_of_replicas) {
            const Model model(microcanonical(lattice, replicas));
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
}

// Results do not depend on the number of threads or on how the sweeps are divided into batches.
BOOST_AUTO_TEST_CASE(the_same_bits_on_any_threads) {
    for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
        for (const auto& [replicas, lattice] : {std::pair(32, square(256, 192)),
                                                {200, square(256, 192)},
                                                {5, square(1024, 1056)},
                                                {1, square(1024, 1056)},
                                                {1, square(17408, 64)}}) {  // the last one has parts of two rows
            Problem problem = demon_problem(lattice, algorithm);
            problem.replicas = replicas;
            problem.refresh_interval = 2;
            problem.correlations = replicas == 1 && lattice.extents[0] == 1024;
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
