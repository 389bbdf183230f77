#include "tmm/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/validate.hpp"
#include "tmm/convergence.hpp"
#include "tmm/memory.hpp"
#include "tmm/precision.hpp"
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
    if (!is_finished(state.status)) growths = growths_in_blocks(problem, state);
    for (Growth& growth : growths) growth.mean /= static_cast<double>(problem.n_ortho);
    return growths;
}

}  // namespace

Solver::Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on)
    : context_(context), problem_(problem), points_(std::move(points)) {
    validate(problem_);
    validate(points_);
    backend_ = context.choose_backend(trial_of(context, problem_, points_), saved_on);
    engine_ = make_engine(context, backend_.backend, problem_, points_.size());
    states_.resize(points_.size());
    slot_of_.assign(points_.size(), -1);
    point_in_.assign(engine_->slots(), -1);
}

void Solver::fill_slots() {
    std::vector<Entry> entries;
    std::size_t next = next_;
    for (std::size_t slot = 0; slot < point_in_.size(); ++slot) {
        if (point_in_[slot] >= 0) continue;
        while (next < points_.size() && is_finished(states_[next].status)) ++next;
        if (next == points_.size()) break;
        const PointState& state = states_[next];
        entries.push_back({slot, points_[next], static_cast<std::uint32_t>(next),
                           state.status == PointStatus::waiting ? nullptr : &state});
        ++next;
    }
    if (!entries.empty()) engine_->load(entries);
    for (const Entry& entry : entries) {
        states_[entry.stream] = {};
        point_in_[entry.slot] = entry.stream;
        slot_of_[entry.stream] = static_cast<std::int64_t>(entry.slot);
    }
    next_ = next;
}

bool Solver::advance(std::int64_t cycles) {
    require_integer("tmm.advance.cycles", cycles, 1, std::numeric_limits<std::int64_t>::max());
    run_without_reentry("advance", [&] { advance_slots(cycles); });
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
    cycles_at_once_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted),
                                               std::max<std::int64_t>(cycles_at_once_ / 2, 1), cycles_at_once_ * 2);
    reporter.report();
    return true;
}

void Solver::advance_slots(std::int64_t cycles) {
    fill_slots();
    std::vector<std::size_t> busy;
    for (std::size_t slot = 0; slot < point_in_.size(); ++slot)
        if (point_in_[slot] >= 0) busy.push_back(slot);
    std::vector<PointStatus> statuses(busy.size());
    if (!busy.empty()) cycles_done_ += engine_->advance(cycles, busy, statuses);
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < busy.size(); ++i)
        if (is_finished(statuses[i])) ended.push_back(busy[i]);
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < ended.size(); first += most)
        take_out(std::span(ended).subspan(first, std::min(most, ended.size() - first)));
}

// Takes points that have ended out of their slots.
void Solver::take_out(std::span<const std::size_t> slots) {
    std::vector<PointState> states(slots.size());
    engine_->store(slots, states, false);
    for_each_point(problem_, states.size(), context_.threads(),
                   [&](std::size_t i, int) { finish_averages(states[i]); });
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto point = static_cast<std::size_t>(point_in_[slots[i]]);
        states_[point] = std::move(states[i]);
        slot_of_[point] = point_in_[slots[i]] = -1;
        ++finished_;
        warn_of(point);
    }
}

// Replaces the blocks of a finished point by the averages and errors of its result. The engine has tested the smallest
// exponent by its own column only. If its final error exceeds epsilon, the point has not converged.
void Solver::finish_averages(PointState& state) const {
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
    state.blocks = {};
}

// Warns of a point that has failed, or that needed a shorter interval than n_ortho.
void Solver::warn_of(std::size_t point) {
    const PointState& state = states_[point];
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

PointState Solver::current_state(std::size_t point, bool whole) const {
    if (slot_of_[point] < 0) return states_[point];
    const auto slot = static_cast<std::size_t>(slot_of_[point]);
    PointState state;
    engine_->store({&slot, 1}, {&state, 1}, whole);
    return state;
}

PointResult Solver::result(std::size_t point) const {
    require_index("tmm.point", point, points_.size());
    const PointState state = current_state(point, false);
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
