#include "tmm/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/comparison.hpp"
#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "tmm/convergence.hpp"
#include "tmm/memory.hpp"
#include "tmm/precision.hpp"
#include "tmm/replicas.hpp"
#include "tmm/trial.hpp"

namespace legato::tmm {
namespace {

// Average of ln R of a column over cycles, and its relative error, which is NaN if unknown.
struct Growth {
    double mean, error;
};

Growth growth_in_blocks(const Problem& problem, const PointState& state, std::size_t column) {
    const auto sites = static_cast<std::int64_t>(state.log_norms.size());
    const std::int64_t length = block_length(state.cycles), open = state.cycles % length;
    const auto count = static_cast<int>(state.cycles / length);
    const int first = blocks_left_out(count, length, problem.burn_in), used = count - first;
    const BlockAverage average = average_blocks(state.blocks.data() + column + first * sites, sites, used);
    const auto cycles = static_cast<double>(used * length);
    double mean = average.mean / static_cast<double>(length);
    if (open > 0) mean = (mean * cycles + state.log_norms[column]) / (cycles + static_cast<double>(open));
    const double error = open > 0 ? average.error / static_cast<double>(length) / std::fabs(mean)
                                  : average.error / std::fabs(average.mean);
    return {mean, error};
}

// Enlarges errors of columns that the run cannot separate. Columns whose growths differ by less than about e^20 over
// the run are mixtures of each other's channels. Disorder mixes them anyway. With almost no disorder, the blocks of a
// column do not show this: its sum of ln R fluctuates by less than least_growth, the smallest error that is given to a
// sum. Its error is then the distance to the farthest of these columns.
void widen_unresolved(std::vector<Growth>& growths, double cycles) {
    constexpr double resolved = 20;
    const std::vector<Growth> own = growths;
    for (std::size_t j = 0; j < own.size(); ++j) {
        double farthest = 0;
        for (const Growth& other : own)
            if (const double distance = std::fabs(other.mean - own[j].mean); distance * cycles < resolved)
                farthest = std::max(farthest, distance);
        const double error = own[j].error * std::fabs(own[j].mean);
        if (error * cycles < 1.5 * least_growth && farthest > error)
            growths[j].error = farthest / std::fabs(own[j].mean);
    }
}

std::vector<Growth> growths_in_blocks(const Problem& problem, const PointState& state) {
    std::vector<Growth> growths;
    for (std::size_t j = 0; j < state.log_norms.size(); ++j) growths.push_back(growth_in_blocks(problem, state, j));
    const std::int64_t length = block_length(state.cycles), count = state.cycles / length;
    const std::int64_t used = count - blocks_left_out(static_cast<int>(count), length, problem.burn_in);
    widen_unresolved(growths, static_cast<double>(used * length));
    return growths;
}

// Returns the exponents per slice and their relative errors, for all columns of a point with at least one cycle.
std::vector<Growth> growths_per_slice(const Problem& problem, const PointState& state) {
    std::vector<Growth> growths;
    for (std::size_t j = 0; j < state.log_norms.size(); ++j)
        growths.push_back({state.log_norms[j], state.log_norms2[j]});
    if (problem.rule == Rule::tmsexd) {
        for (Growth& growth : growths)
            growth = {lyapunov_exponent(growth.mean, problem.n_ortho, state.cycles),
                      relative_error(growth.mean, growth.error, state.cycles)};
        return growths;
    }
    if (!state.blocks.empty()) growths = growths_in_blocks(problem, state);
    for (Growth& growth : growths) growth.mean /= static_cast<double>(problem.n_ortho);
    return growths;
}

// Throws if the ranks have different arguments, or round differently: CPU and GPU both get the start of a point from
// the CPU.
void require_same(const Context& context, const Problem& problem, const std::vector<Point>& points) {
    if (context.ranks() == 1) return;
    std::vector<double> energy, disorder;
    for (const Point& point : points) {
        energy.push_back(point.energy);
        disorder.push_back(point.disorder);
    }
    Comparison comparison;
    comparison.add_parameters("tmm.params", problem);
    comparison.add("tmm.n_points", points.size());
    comparison.add("tmm.energy", energy);
    comparison.add("tmm.disorder", disorder);
    comparison.add_rounding();
    comparison.require_same(context);
}

}  // namespace

Solver::Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on)
    : context_(context), problem_(problem), points_(std::move(points)) {
    validate(problem_);
    validate(points_);
    require_same(context, problem_, points_);
    const std::size_t sequences = sequences_of(problem_, points_.size());
    std::vector<Point> of_sequences;
    for (std::size_t s = 0; s < sequences && has_replicas(); ++s) of_sequences.push_back(points_[s / replicas()]);
    backend_ = context.choose_backend(trial_of(context, problem_, has_replicas() ? of_sequences : points_), saved_on);
    engine_ = make_engine(context, backend_.backend, problem_of_sequence(problem_), sequences);
    states_.resize(sequences);
    slot_of_.assign(sequences, -1);
    sequence_in_.assign(engine_->slots(), -1);
    if (!has_replicas()) return;
    if (!is_resident())
        require_memory(
            text("tmm.params.replicas: ", problem_.replicas, " replicas of ", points_.size(), " points need"),
            memory_needs(problem_).bytes(static_cast<std::int64_t>(sequences)), free_memory(context, Backend::cpu));
    averages_.resize(points_.size());
    round_end_ = next_comparison(problem_, 0);
    begin_round();
}

void Solver::fill_slots() {
    std::vector<Entry> entries;
    std::size_t next = next_;
    const auto needs_slot = [&](std::size_t sequence) {
        if (has_replicas() && (has_stopped_[sequence] || slot_of_[sequence] >= 0)) return false;
        return !is_finished(states_[sequence].status);
    };
    for (std::size_t slot = 0; slot < sequence_in_.size(); ++slot) {
        if (sequence_in_[slot] >= 0) continue;
        while (next < states_.size() && !needs_slot(next)) ++next;
        if (next == states_.size()) break;
        const PointState& state = states_[next];
        entries.push_back({slot, points_[next / replicas()], static_cast<std::uint32_t>(next),
                           state.status == PointStatus::waiting ? nullptr : &state});
        ++next;
    }
    if (entries.empty()) return;
    engine_->load(entries);
    gather_value(context_, entries.size());  // if a rank fails to load its points, no rank goes on
    for (const Entry& entry : entries) {
        states_[entry.stream].psi = std::vector<double>();
        states_[entry.stream].random = std::vector<std::uint32_t>();
        sequence_in_[entry.slot] = entry.stream;
        slot_of_[entry.stream] = static_cast<std::int64_t>(entry.slot);
    }
    next_ = next;
}

bool Solver::advance(std::int64_t cycles) {
    require_integer("tmm.advance.cycles", cycles, 1, std::numeric_limits<std::int64_t>::max());
    run_without_reentry("advance", [&] {
        advance_slots(cycles);
        publish();
    });
    return complete();
}

Progress Solver::progress() const {
    return {static_cast<std::int64_t>(finished_), std::ssize(points_), cycles_done_};
}

void Solver::prepare(std::string_view) {
    cycles_at_once_ = 4;
}

bool Solver::step(Reporter& reporter) {
    const RunClock clock;
    advance_slots(cycles_at_once_);
    // The number of cycles is bounded: if all points of a batch end early, the time alone would double it for ever.
    const double wanted =
        std::min(static_cast<double>(cycles_at_once_) * seconds_between_reports / std::max(clock.seconds(), 1e-6), 1e9);
    const auto next = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted),
                                               std::max<std::int64_t>(cycles_at_once_ / 2, 1), cycles_at_once_ * 2);
    cycles_at_once_ = of_first_rank(context_, next);
    if (reporter.reports()) publish();  // the callback may read results
    reporter.report();
    return true;
}

std::vector<std::size_t> Solver::occupied_slots() const {
    std::vector<std::size_t> occupied;
    for (std::size_t slot = 0; slot < sequence_in_.size(); ++slot)
        if (sequence_in_[slot] >= 0) occupied.push_back(slot);
    return occupied;
}

void Solver::advance_slots(std::int64_t cycles) {
    fill_slots();
    std::vector<std::size_t> busy = occupied_slots();
    if (has_replicas())
        std::erase_if(busy,
                      [&](std::size_t slot) { return has_stopped_[static_cast<std::size_t>(sequence_in_[slot])]; });
    std::vector<PointStatus> statuses(busy.size());
    const std::int64_t done = busy.empty() ? 0 : engine_->advance(cycles, busy, statuses);
    for (const std::int64_t each : gather_value(context_, done)) cycles_done_ += each;
    const std::vector<Stopped> all = stopped(busy, statuses);
    if (has_replicas())
        stop_replicas(all);
    else
        end_points(all);
}

// Returns those of these slots whose sequences have finished or wait for a comparison. All ranks get the same.
std::vector<Solver::Stopped> Solver::stopped(std::span<const std::size_t> slots,
                                             std::span<const PointStatus> statuses) const {
    std::vector<Stopped> stopped;
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (engine_->rank_of(slots[i]) == context_.rank() &&
            (is_finished(statuses[i]) || statuses[i] == PointStatus::paused))
            stopped.push_back({slots[i], statuses[i]});
    return gather_list<Stopped>(context_, stopped);
}

void Solver::end_points(std::span<const Stopped> stopped) {
    std::vector<std::size_t> slots, ended;
    for (const Stopped& each : stopped) slots.push_back(each.slot);
    std::vector<PointState> states = fetch(slots);
    ended.reserve(slots.size());
    gather_value(context_, slots.size());  // from here to the warnings nothing fails on one rank alone
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto point = static_cast<std::size_t>(sequence_in_[slots[i]]);
        states_[point] = std::move(states[i]);
        slot_of_[point] = sequence_in_[slots[i]] = -1;
        ++finished_;
        ended.push_back(point);
    }
    for (const std::size_t point : ended) warn_of(point);
}

// Lets every rank read the results of the points that are running. Collective.
void Solver::publish() {
    if (context_.ranks() == 1 || has_replicas()) return;
    const std::vector<std::size_t> slots = occupied_slots();
    std::vector<PointState> states = fetch(slots);
    for (std::size_t i = 0; i < slots.size(); ++i)
        states_[static_cast<std::size_t>(sequence_in_[slots[i]])] = std::move(states[i]);
}

// Returns the states of the sequences in these slots, on every rank. They have neither psi nor random, and averages
// instead of blocks, unless these are wanted. Collective.
std::vector<PointState> Solver::fetch(std::span<const std::size_t> slots, bool with_blocks) const {
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
        for_each_point(problem_, count, context_.threads(), [&](std::size_t i, int) { replace_blocks(batch[i]); });
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
    const std::int64_t sites = problem_.sites();
    auto from = sums.cbegin();
    for (const Counters& c : counters) {
        const auto middle = from + sites, blocks = middle + sites,
                   end = blocks + (with_blocks ? most_blocks * sites : 0);
        states[c.index] = {c.status,         c.cycles,      c.slices, c.interval, {from, middle},
                           {middle, blocks}, {blocks, end}, {},       {}};
        from = end;
    }
    return states;
}

// Replaces the blocks of a point by the averages and errors of its result. The engine has tested the smallest exponent
// by its own column only. If its final error exceeds epsilon, the point has not converged.
void Solver::replace_blocks(PointState& state) const {
    if (problem_.rule != Rule::blocks) return;
    if (state.cycles > 0) {
        const std::vector<Growth> growths = growths_in_blocks(problem_, state);
        for (std::size_t j = 0; j < growths.size(); ++j) {
            state.log_norms[j] = growths[j].mean;
            state.log_norms2[j] = growths[j].error;
        }
        if (state.status == PointStatus::converged && !(growths.back().error <= problem_.epsilon))
            state.status = PointStatus::not_converged;
    }
    state.blocks = std::vector<double>();  // frees the memory
}

// Warns of a point that has failed, or that needed a shorter interval than n_ortho.
void Solver::warn_of(std::size_t point) {
    const PointState& state = has_replicas() ? averages_[point] : states_[point];
    const auto warn = [&](FailureWarnings& warnings, const std::string& what, std::string_view happened) {
        warnings.add(context_, "tmm", "points",
                     text("point ", point, " (energy ", points_[point].energy, ", disorder ", points_[point].disorder,
                          "): ", what),
                     happened);
    };
    if (state.status == PointStatus::failed)
        warn(warnings_,
             text("the columns overflow or lose rank within ", problem_.n_ortho,
                  " multiplications; take a smaller n_ortho or set max_growth"),
             "failed");
    else if (state.status == PointStatus::imprecise)
        warn(warnings_,
             text("the columns grow apart by more than a factor of ", most_growth,
                  " within one multiplication: double precision does not suffice"),
             "failed");
    else if (problem_.max_growth == 0.0 && state.interval < problem_.n_ortho)
        warn(shortened_,
             text("within ", problem_.n_ortho, " multiplications the columns grew apart by more than a factor of ",
                  most_growth, "; from then on the interval was ", state.interval,
                  " multiplications, and the cycles before do not count; take a smaller n_ortho"),
             "took a shorter interval");
}

PointResult Solver::result(std::size_t point) const {
    require_index("tmm.point", point, points_.size());
    PointState state = has_replicas() ? averages_[point] : states_[point];
    if (has_replicas()) {
        state.status = status_with_replicas(point);
    } else if (const std::int64_t found = slot_of_[point]; context_.ranks() == 1 && found >= 0) {
        const auto slot = static_cast<std::size_t>(found);
        engine_->store({&slot, 1}, {&state, 1}, false);
    }
    const auto sites = static_cast<std::size_t>(problem_.sites());
    PointResult result{state.status, state.cycles, std::vector<double>(sites), std::vector<double>(sites, NAN)};
    if (state.cycles == 0) return result;
    const std::vector<Growth> growths = growths_per_slice(problem_, state);
    for (std::size_t j = 0; j < sites; ++j) {
        result.exponents[j] = growths[sites - 1 - j].mean;
        result.errors[j] = growths[sites - 1 - j].error;
    }
    return result;
}

}  // namespace legato::tmm
