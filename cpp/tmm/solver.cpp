#include "tmm/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/validate.hpp"
#include "tmm/convergence.hpp"
#include "tmm/cost_model.hpp"
#include "tmm/precision.hpp"

namespace legato::tmm {
namespace {

// ln R of a column, averaged over cycles, and its relative error, NaN where it is not known.
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

// Exponent per slice and relative error, of a point with at least one cycle.
Growth growth_per_slice(const Problem& problem, const PointState& state, std::size_t column) {
    const double sum = state.log_norms[column], second = state.log_norms2[column];
    if (problem.rule == Rule::tmsexd)
        return {lyapunov_exponent(sum, problem.n_ortho, state.cycles), relative_error(sum, second, state.cycles)};
    const Growth growth = is_finished(state.status) ? Growth{sum, second} : growth_in_blocks(problem, state, column);
    return {growth.mean / static_cast<double>(problem.n_ortho), growth.error};
}

}  // namespace

Solver::Solver(Context& context, const Problem& problem, std::vector<Point> points)
    : context_(context), problem_(problem), points_(std::move(points)) {
    validate(problem_);
    validate(points_);
    backend_ = context.choose_backend("tmm", cpu_seconds(context, problem_, points_.size()),
                                      cuda_seconds(context, problem_, points_.size()));
    engine_ = make_engine(context, backend_.backend, problem_, points_.size());
    states_.resize(points_.size());
    slot_of_.assign(points_.size(), -1);
    point_in_.assign(engine_->slots(), -1);
}

void Solver::fill_slots() {
    for (std::size_t slot = 0; slot < point_in_.size(); ++slot) {
        if (point_in_[slot] >= 0) continue;
        while (next_ < points_.size() && is_finished(states_[next_].status)) ++next_;
        if (next_ == points_.size()) return;
        PointState& state = states_[next_];
        engine_->load(slot, points_[next_], static_cast<std::uint32_t>(next_),
                      state.status == PointStatus::waiting
                          ? initial_state(problem_, static_cast<std::uint32_t>(next_), context_.threads())
                          : state);
        state = {};
        point_in_[slot] = static_cast<std::int64_t>(next_);
        slot_of_[next_++] = static_cast<std::int64_t>(slot);
    }
}

bool Solver::advance(std::int64_t cycles) {
    require_integer("tmm.advance.cycles", cycles, 1, std::numeric_limits<std::int64_t>::max());
    const CarryingOn held(carrying_on_, "tmm.advance");
    return carry_on(cycles);
}

bool Solver::carry_on(std::int64_t cycles) {
    fill_slots();
    std::vector<std::size_t> busy;
    for (std::size_t slot = 0; slot < point_in_.size(); ++slot)
        if (point_in_[slot] >= 0) busy.push_back(slot);
    std::vector<PointStatus> statuses(busy.size());
    if (!busy.empty()) cycles_done_ += engine_->advance(cycles, busy, statuses);
    for (std::size_t i = 0; i < busy.size(); ++i) {
        if (!is_finished(statuses[i])) continue;
        const auto point = static_cast<std::size_t>(point_in_[busy[i]]);
        engine_->store(busy[i], states_[point], false);
        settle(states_[point]);
        slot_of_[point] = point_in_[busy[i]] = -1;
        ++finished_;
        warn_of(point);
    }
    return finished_ == points_.size();
}

// What a result is made of, in place of the blocks.
void Solver::settle(PointState& state) const {
    if (problem_.rule != Rule::blocks) return;
    for (std::size_t j = 0; state.cycles > 0 && j < state.log_norms.size(); ++j) {
        const Growth growth = growth_in_blocks(problem_, state, j);
        state.log_norms[j] = growth.mean;
        state.log_norms2[j] = growth.error;
    }
    state.blocks = {};
}

// A point that has ended without a result, or with one that n_ortho as it was asked for would have spoilt.
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
             text("the waves overflow or lose rank within ", problem_.n_ortho,
                  " multiplications; take a smaller n_ortho or set max_growth"),
             "failed");
    else if (state.status == PointStatus::imprecise)
        warn(warnings_,
             text("one multiplication takes the waves more than ", most_growth,
                  " apart: double precision does not suffice"),
             "failed");
    else if (problem_.max_growth == 0.0 && state.interval < problem_.n_ortho)
        warn(shortened_,
             text("within ", problem_.n_ortho, " multiplications the waves grew more than ", most_growth,
                  " apart; it was orthonormalised after ", state.interval,
                  " instead, and cycles before that do not count; take a smaller n_ortho"),
             "took a shorter interval");
}

void Solver::run(const ProgressCallback& callback) {
    const CarryingOn held(carrying_on_, "tmm.run");
    Reports reports("tmm", callback);
    const std::int64_t before = cycles_done_;
    std::int64_t chunk = 4;
    for (bool all = finished_ == points_.size(); !all;) {
        const RunClock of_chunk;
        all = carry_on(chunk);
        // Bounded: where all points of a stretch end early, time alone would double it for ever.
        const double wanted =
            std::min(static_cast<double>(chunk) * seconds_between_reports / std::max(of_chunk.seconds(), 1e-6), 1e9);
        chunk = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted), std::max<std::int64_t>(chunk / 2, 1),
                                         chunk * 2);
        reports.give(finished_, points_.size(), cycles_done_ - before);
    }
}

PointState Solver::current_state(std::size_t point, bool whole) const {
    if (slot_of_[point] < 0) return states_[point];
    PointState state;
    engine_->store(static_cast<std::size_t>(slot_of_[point]), state, whole);
    return state;
}

PointResult Solver::result(std::size_t point) const {
    require_index("tmm.point", point, points_.size());
    const PointState state = current_state(point, false);
    const auto sites = static_cast<std::size_t>(problem_.sites());
    PointResult result{state.status, state.cycles, std::vector<double>(sites), std::vector<double>(sites, NAN)};
    if (state.cycles == 0) return result;
    for (std::size_t j = 0; j < sites; ++j) {
        const Growth growth = growth_per_slice(problem_, state, sites - 1 - j);
        result.exponents[j] = growth.mean;
        result.errors[j] = growth.error;
    }
    return result;
}

}  // namespace legato::tmm
