// Rounds of a run with replicas: when all sequences have the same number of cycles, the replicas of each point are
// compared.
#include <algorithm>

#include "core/ranks.hpp"
#include "tmm/convergence.hpp"
#include "tmm/memory.hpp"
#include "tmm/replicas.hpp"
#include "tmm/solver.hpp"

namespace legato::tmm {

// Begins the round that follows the last comparison. All sequences of points that have not finished take part.
void Solver::begin_round() {
    has_stopped_.assign(states_.size(), 0);
    under_way_ = (points_.size() - finished_) * replicas();
    next_ = 0;
    engine_->pause_at(round_end_);
}

// Notes which sequences have stopped. Sequences that wait for a slot then take the place of those that have. Compares
// the replicas if all have stopped.
void Solver::stop_replicas(std::span<const Stopped> stopped) {
    std::vector<std::size_t> left;
    if (!is_resident())
        for (const Stopped& each : stopped) left.push_back(each.slot);
    std::vector<PointState> states = fetch(left, true);
    fetch_whole(left, states, true);
    gather_value(context_, left.size());  // from here nothing fails on one rank alone
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const auto sequence = static_cast<std::size_t>(sequence_in_[stopped[i].slot]);
        has_stopped_[sequence] = 1;
        --under_way_;
        if (!left.empty()) {
            states_[sequence] = std::move(states[i]);
            slot_of_[sequence] = sequence_in_[stopped[i].slot] = -1;
        }
        states_[sequence].status = stopped[i].status;
    }
    if (under_way_ == 0 && !complete()) compare_replicas();
}

// Ends points, and begins the next round.
void Solver::compare_replicas() {
    std::vector<PointState> averages = compared();
    std::int64_t least = problem_.max_cycles();
    for (std::size_t point = 0; point < points_.size(); ++point)
        if (averages[point].status == PointStatus::running)
            least = std::min(least, wanted_cycles(problem_, averages[point]));
    std::vector<std::size_t> ended;
    ended.reserve(points_.size());
    gather_value(context_, averages.size());  // from here to the warnings nothing fails on one rank alone
    compared_at_ = round_end_;
    round_end_ = next_comparison(problem_, compared_at_, least);
    for (std::size_t point = 0; point < points_.size(); ++point) {
        if (is_finished(averages_[point].status)) continue;
        averages_[point] = std::move(averages[point]);
        if (!is_finished(averages_[point].status)) continue;
        ended.push_back(point);
        ++finished_;
        for (std::size_t s = point * replicas(); s < (point + 1) * replicas(); ++s) {
            if (slot_of_[s] >= 0) sequence_in_[static_cast<std::size_t>(slot_of_[s])] = -1;
            slot_of_[s] = -1;
            states_[s] = PointState{};
            states_[s].status = averages_[point].status;
        }
    }
    begin_round();
    for (const std::size_t point : ended) warn_of(point);
}

// Returns what becomes of averages_, [points]. Entries of points that have finished are empty. Collective.
std::vector<PointState> Solver::compared() const {
    std::vector<PointState> averages = sums_over_replicas();
    const std::int64_t sites = problem_.sites(), cycles = round_end_;
    for_each_point(problem_, points_.size(), context_.threads(), [&](std::size_t point, int) {
        PointState& average = averages[point];
        if (is_finished(averages_[point].status)) return;
        if (const PointStatus failure = failure_of_replicas(point); is_finished(failure)) {
            average = averages_[point];
            average.status = failure;
        } else {
            divide(average, problem_.replicas);
            average.status = PointStatus::running;
            average.cycles = cycles;
            if (completes_block(cycles) && has_converged(average.blocks.data() + sites - 1, sites, cycles, problem_))
                average.status = PointStatus::converged;
            else if (cycles >= problem_.max_cycles())
                average.status = PointStatus::not_converged;
        }
        if (is_finished(average.status)) replace_blocks(average);
    });
    return averages;
}

// Returns the sums over the replicas of all points that have not finished, in the order of the replicas. Collective.
std::vector<PointState> Solver::sums_over_replicas() const {
    std::vector<std::size_t> sequences;
    for (std::size_t s = 0; s < states_.size(); ++s)
        if (!is_finished(averages_[s / replicas()].status)) sequences.push_back(s);
    std::vector<PointState> sums(points_.size());
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < sequences.size(); first += most) {
        const auto batch =
            std::span<const std::size_t>(sequences).subspan(first, std::min(most, sequences.size() - first));
        std::vector<std::size_t> slots;
        for (const std::size_t s : batch)
            if (slot_of_[s] >= 0) slots.push_back(static_cast<std::size_t>(slot_of_[s]));
        const std::vector<PointState> fetched = fetch(slots, true);
        auto next = fetched.begin();
        for (const std::size_t s : batch) add_replica(sums[s / replicas()], slot_of_[s] >= 0 ? *next++ : states_[s]);
    }
    return sums;
}

// Returns the status of the first replica that has failed, or PointStatus::running.
PointStatus Solver::failure_of_replicas(std::size_t point) const {
    for (std::size_t s = point * replicas(); s < (point + 1) * replicas(); ++s)
        if (states_[s].status == PointStatus::failed || states_[s].status == PointStatus::imprecise)
            return states_[s].status;
    return PointStatus::running;
}

PointStatus Solver::status_with_replicas(std::size_t point) const {
    if (is_finished(averages_[point].status)) return averages_[point].status;
    const std::size_t first = point * replicas();
    const bool has_begun = compared_at_ > 0 || slot_of_[first] >= 0 || states_[first].status != PointStatus::waiting;
    return has_begun ? PointStatus::running : PointStatus::waiting;
}

}  // namespace legato::tmm
