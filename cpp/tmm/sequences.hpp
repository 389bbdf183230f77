// The sequences of a run: their states, and which of them are in the slots of the engine. A sequence is a replica of a
// point, or the point itself if there are no replicas. The sequences of a point follow each other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/ranks.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {

// Numbers of elements in a state.
std::size_t psi_size(const Problem& problem);
std::size_t block_sums(const Problem& problem);
std::size_t random_words(const Problem& problem);

class Sequences {
  public:
    // Context and problem must outlive the sequences.
    Sequences(const Context& context, const Problem& problem, std::unique_ptr<Engine> engine, std::size_t count);

    std::size_t count() const { return states_.size(); }
    Engine& engine() const { return *engine_; }
    bool all_fit() const { return sequence_in_.size() == states_.size(); }  // into the slots

    // The state of a sequence that is in no slot; psi and random are empty once it has finished. If a sequence is in a
    // slot, this is what the solver has last stored here.
    PointState& operator[](std::size_t sequence) { return states_[sequence]; }
    const PointState& operator[](std::size_t sequence) const { return states_[sequence]; }
    void replace(std::vector<PointState> states) { states_ = std::move(states); }

    bool is_in_slot(std::size_t sequence) const { return slot_of_[sequence] >= 0; }
    std::size_t slot_of(std::size_t sequence) const { return static_cast<std::size_t>(slot_of_[sequence]); }
    std::size_t sequence_in(std::size_t slot) const { return static_cast<std::size_t>(sequence_in_[slot]); }
    std::vector<std::size_t> occupied_slots() const;

    // Puts sequences for which needs_slot(sequence) is true into free slots, in their order. Those before the last one
    // are not asked for again, until rewind(). Collective.
    template <class NeedsSlot>
    void fill_slots(const std::vector<Point>& points, const NeedsSlot& needs_slot);
    void rewind() { next_ = 0; }
    void release(std::size_t slot) {
        slot_of_[sequence_in(slot)] = -1;
        sequence_in_[slot] = -1;
    }

    // Advances slots (Engine::advance). Adds the cycles of all ranks to `done`. Returns those whose sequences have
    // finished or are paused, the same on every rank. Collective.
    struct Stopped {
        std::size_t slot;
        PointStatus status;
    };
    std::vector<Stopped> advance(std::int64_t cycles, std::span<const std::size_t> slots, std::int64_t& done);

    // Returns the states of the sequences in these slots, on every rank. They have neither psi nor random, and averages
    // instead of blocks, unless these are wanted. Collective.
    std::vector<PointState> fetch(std::span<const std::size_t> slots, bool with_blocks = false) const;
    // Completes what fetch() has returned by all that the further computation needs. Each rank gets this for its own
    // slots, and rank 0, or every rank, for all. Collective.
    void fetch_whole(std::span<const std::size_t> slots, std::span<PointState> states, bool on_all_ranks) const;

  private:
    void load(std::span<const Entry> entries);
    void send_states(int from, int to, std::span<const std::size_t> slots, std::span<PointState> states) const;

    const Context& context_;
    const Problem& problem_;
    std::unique_ptr<Engine> engine_;
    std::vector<PointState> states_;
    std::vector<std::int64_t> slot_of_;      // sequence -> slot, -1 if in none
    std::vector<std::int64_t> sequence_in_;  // slot -> sequence, -1 if free
    std::size_t next_ = 0;                   // no sequence before it must be put into a slot
};

template <class NeedsSlot>
void Sequences::fill_slots(const std::vector<Point>& points, const NeedsSlot& needs_slot) {
    const std::size_t of_point = states_.size() / points.size();
    std::vector<Entry> entries;
    std::size_t next = next_;
    for (std::size_t slot = 0; slot < sequence_in_.size(); ++slot) {
        if (sequence_in_[slot] >= 0) continue;
        while (next < states_.size() && !needs_slot(next)) ++next;
        if (next == states_.size()) break;
        const PointState& state = states_[next];
        entries.push_back({slot, points[next / of_point], static_cast<std::uint32_t>(next),
                           state.status == PointStatus::waiting ? nullptr : &state});
        ++next;
    }
    if (entries.empty()) return;
    load(entries);
    next_ = next;
}

}  // namespace legato::tmm
