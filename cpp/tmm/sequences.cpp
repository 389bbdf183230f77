#include "tmm/sequences.hpp"

#include <algorithm>
#include <utility>

#include "tmm/growths.hpp"
#include "tmm/memory.hpp"

namespace legato::tmm {

std::size_t psi_size(const Problem& problem) {
    const auto channels = static_cast<std::size_t>(problem.channels());
    return 2 * channels * channels;
}

std::size_t block_sums(const Problem& problem) {
    return problem.rule == Rule::blocks ? most_blocks * static_cast<std::size_t>(problem.channels()) : 0;
}

std::size_t random_words(const Problem& problem) {
    switch (problem.random_stream) {
        case RandomStream::lfsr113:
            return 4;
        case RandomStream::lfsr113_per_site:
            return 4 * static_cast<std::size_t>(problem.sites());
        case RandomStream::philox:
            break;
    }
    return 0;
}

Sequences::Sequences(const Context& context, const Problem& problem, std::unique_ptr<Engine> engine, std::size_t count)
    : context_(context),
      problem_(problem),
      engine_(std::move(engine)),
      states_(count),
      slot_of_(count, -1),
      sequence_in_(engine_->slots(), -1) {}

std::vector<std::size_t> Sequences::occupied_slots() const {
    std::vector<std::size_t> occupied;
    for (std::size_t slot = 0; slot < sequence_in_.size(); ++slot)
        if (sequence_in_[slot] >= 0) occupied.push_back(slot);
    return occupied;
}

void Sequences::load(std::span<const Entry> entries) {
    engine_->load(entries);
    gather_value(context_, entries.size());  // if a rank fails to load its points, no rank goes on
    for (const Entry& entry : entries) {
        states_[entry.stream].psi = std::vector<double>();
        states_[entry.stream].random = std::vector<std::uint32_t>();
        sequence_in_[entry.slot] = entry.stream;
        slot_of_[entry.stream] = static_cast<std::int64_t>(entry.slot);
    }
}

std::vector<Sequences::Stopped> Sequences::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                                   std::int64_t& done) {
    std::vector<PointStatus> statuses(slots.size());
    const std::int64_t own = slots.empty() ? 0 : engine_->advance(cycles, slots, statuses);
    for (const std::int64_t each : gather_value(context_, own)) done += each;
    std::vector<Stopped> stopped;
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (engine_->rank_of(slots[i]) == context_.rank() &&
            (is_finished(statuses[i]) || statuses[i] == PointStatus::paused))
            stopped.push_back({slots[i], statuses[i]});
    return gather_list<Stopped>(context_, stopped);
}

std::vector<PointState> Sequences::fetch(std::span<const std::size_t> slots, bool with_blocks) const {
    struct Counters {
        std::size_t index;  // in `slots`
        PointStatus status;
        std::int64_t cycles, slices, interval;
    };
    std::vector<PointState> states(slots.size());
    for (std::size_t first = 0; first < slots.size(); first += batch_size(problem_)) {
        const std::size_t count = std::min(batch_size(problem_), slots.size() - first);
        const std::span<PointState> batch = std::span(states).subspan(first, count);
        engine_->store(slots.subspan(first, count), batch, false);
        if (with_blocks) continue;
        for_each_point(problem_, count, context_.threads(),
                       [&](std::size_t i, int) { replace_blocks(problem_, batch[i]); });
    }
    if (context_.ranks() == 1) return states;
    std::vector<Counters> counters;
    std::vector<double> sums;  // [counters][log_norms, log_norms2, blocks]
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (engine_->rank_of(slots[i]) != context_.rank()) continue;
        const PointState& state = states[i];
        counters.push_back({i, state.status, state.cycles, state.slices, state.interval});
        sums.insert(sums.end(), state.log_norms.begin(), state.log_norms.end());
        sums.insert(sums.end(), state.log_norms2.begin(), state.log_norms2.end());
        sums.insert(sums.end(), state.blocks.begin(), state.blocks.end());
    }
    counters = gather_list<Counters>(context_, counters);
    sums = gather_list<double>(context_, sums);
    const std::int64_t channels = problem_.channels();
    auto from = sums.cbegin();
    for (const Counters& c : counters) {
        const auto middle = from + channels, blocks = middle + channels,
                   end = blocks + (with_blocks ? most_blocks * channels : 0);
        states[c.index] = {c.status,         c.cycles,      c.slices, c.interval, {from, middle},
                           {middle, blocks}, {blocks, end}, {},       {}};
        from = end;
    }
    return states;
}

void Sequences::fetch_whole(std::span<const std::size_t> slots, std::span<PointState> states, bool on_all_ranks) const {
    engine_->store(slots, states, true);
    for (int from = 0; from < context_.ranks(); ++from)
        for (int to = 0; to < (on_all_ranks ? context_.ranks() : 1); ++to)
            if (to != from) send_states(from, to, slots, states);
}

// Sends the states in the slots of rank `from` to rank `to`. Their lengths are known there.
void Sequences::send_states(int from, int to, std::span<const std::size_t> slots, std::span<PointState> states) const {
    const auto channels = static_cast<std::size_t>(problem_.channels());
    const auto for_each_list = [&](auto&& call) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (engine_->rank_of(slots[i]) != from) continue;
            call(states[i].log_norms, channels);
            call(states[i].log_norms2, channels);
            call(states[i].blocks, block_sums(problem_));
            call(states[i].psi, psi_size(problem_));
            call(states[i].random, random_words(problem_));
        }
    };
    std::size_t size = 0;
    for_each_list([&](auto& list, std::size_t length) { size += length * sizeof(list[0]); });
    if (size == 0) return;
    std::vector<std::byte> bytes(context_.rank() == to || context_.rank() == from ? size : 0);
    auto at = bytes.begin();
    if (context_.rank() == from)
        for_each_list([&](auto& list, std::size_t) {
            const auto part = std::as_bytes(std::span(list));
            at = std::copy(part.begin(), part.end(), at);
        });
    context_.communicator()->send(from, to, bytes);
    if (context_.rank() == to)
        for_each_list([&](auto& list, std::size_t length) {
            list.resize(length);
            const auto part = std::as_writable_bytes(std::span(list));
            std::copy_n(at, part.size(), part.begin());
            at += std::ssize(part);
        });
}

}  // namespace legato::tmm
