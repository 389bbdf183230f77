// Checks that an engine keeps what is loaded into many slots at once.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>

#include "runs.hpp"

namespace legato::tmm::tests {

// Returns a state of random numbers, which need not be orthonormal.
inline PointState any_state(const Problem& p, std::mt19937_64& generator) {
    const auto channels = static_cast<std::size_t>(p.channels());
    std::uniform_real_distribution<double> number(-1.5, 1.5);
    const auto numbers = [&](std::size_t count) {
        std::vector<double> values(count);
        for (double& value : values) value = number(generator);
        return values;
    };
    PointState state = initial_state(p, 0);
    state.status = PointStatus::running;
    state.cycles = static_cast<std::int64_t>(generator() % 1000);
    state.slices = 10 * state.cycles;
    state.interval = 1 + state.cycles % 5;
    state.log_norms = numbers(channels);
    state.log_norms2 = numbers(channels);
    if (p.rule == Rule::blocks) state.blocks = numbers(most_blocks * channels);
    state.psi = numbers(2 * channels * channels);
    for (std::uint32_t& word : state.random) word = static_cast<std::uint32_t>(generator());
    return state;
}

inline bool same_data(const PointState& a, const PointState& b, bool whole) {
    return a.cycles == b.cycles && a.slices == b.slices && a.interval == b.interval && a.log_norms == b.log_norms &&
           a.log_norms2 == b.log_norms2 && a.blocks == b.blocks &&
           (whole ? a.psi == b.psi && a.random == b.random : a.psi.empty() && a.random.empty());
}

// Loads all slots in a random order, then some of them again, and compares what is stored in other orders.
inline void check_slots(const Problem& p, Engine& engine) {
    std::mt19937_64 generator(5);
    const auto channels = static_cast<std::size_t>(p.channels());
    std::vector<std::size_t> order(engine.slots());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<PointState> expected(order.size());  // of each slot
    for (PointState& state : expected) state = any_state(p, generator);
    const auto compare = [&](std::size_t count, bool whole) {
        std::shuffle(order.begin(), order.end(), generator);
        std::vector<PointState> stored(count);
        engine.store(std::span(order).first(count), stored, whole);
        std::size_t different = 0;
        for (std::size_t i = 0; i < count; ++i) different += !same_data(stored[i], expected[order[i]], whole);
        BOOST_TEST(different == 0U, different << " of " << count << " slots differ");
    };
    std::shuffle(order.begin(), order.end(), generator);
    std::vector<Entry> entries;
    for (const std::size_t slot : order) entries.push_back({slot, {}, 0, &expected[slot]});
    engine.load(entries);
    compare(order.size(), true);
    compare(order.size() / 2 + 1, false);

    // A third of the slots start again, a third get a state without blocks, and the rest is left alone. First all
    // entries of a call have no blocks, then some of them.
    for (const bool with_states : {false, true}) {
        entries.clear();
        std::vector<PointState> given(order.size());
        for (const std::size_t slot : order) {
            const auto stream = static_cast<std::uint32_t>(slot);
            PointState& next = expected[slot];
            if (slot % 3 == 0) {
                next = initial_state(p, stream);
                entries.push_back({slot, {}, stream, nullptr});
            } else if (slot % 3 == 1) {
                next = any_state(p, generator);
                if (!with_states || slot % 2 == 0) next.blocks.clear();
                given[slot] = next;
                entries.push_back({slot, {}, stream, &given[slot]});
            }
            if (p.rule == Rule::blocks) next.blocks.resize(most_blocks * channels);
        }
        engine.load(entries);
        compare(order.size(), true);
    }
}

}  // namespace legato::tmm::tests
