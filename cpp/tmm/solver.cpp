#include "tmm/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/comparison.hpp"
#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "tmm/convergence.hpp"
#include "tmm/growths.hpp"
#include "tmm/memory.hpp"
#include "tmm/precision.hpp"
#include "tmm/replicas.hpp"
#include "tmm/trial.hpp"

namespace legato::tmm {
namespace {

// Throws if the ranks have different arguments, or round differently: CPU and GPU both get the start of a point from
// the CPU.
void require_same(const Context& context, const Problem& problem, const std::vector<Point>& points,
                  const GivenSlices* given) {
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
    std::vector<double> links{given ? 1.0 : 0.0};
    for (std::size_t l = 0; given && l < given->own_links().size(); ++l)
        links.insert(links.end(), {static_cast<double>(given->own_links()[l].first),
                                   static_cast<double>(given->own_links()[l].second)});
    comparison.add("tmm.links", links);
    comparison.add_rounding();
    comparison.require_same(context);
}

}  // namespace

Solver::Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on,
               Given given)
    : context_(context), problem_(problem), points_(std::move(points)) {
    validate(problem_);
    validate(points_);
    if (given.callback) given_ = std::make_unique<GivenSlices>(problem_, std::move(given));
    problem_.given = given_.get();
    require_same(context, problem_, points_, given_.get());
    const std::size_t count = sequences_of(problem_, points_.size());
    std::vector<Point> of_sequences;
    for (std::size_t s = 0; s < count && has_replicas(); ++s) of_sequences.push_back(points_[s / replicas()]);
    backend_ = context.choose_backend(trial_of(context, problem_, has_replicas() ? of_sequences : points_), saved_on);
    sequences_.emplace(context, problem_, make_engine(context, backend_.backend, problem_of_sequence(problem_), count),
                       count);
    if (!has_replicas()) return;
    if (!sequences_->all_fit()) require_host_memory();
    averages_.resize(points_.size());
    round_end_ = next_comparison(problem_, 0);
    begin_round();
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

void Solver::advance_slots(std::int64_t cycles) {
    while (cycles > 0 && !complete()) cycles -= advance_once(cycles);
    if (given_) given_->clear();
}

// Fetches the slices of sequences that this rank has in its slots, for up to `cycles` cycles: not more than a sequence
// can still make, nor than the memory is for, but at least for one cycle. Returns for how many, the same on every rank.
// Collective.
std::int64_t Solver::fetch_slices(std::span<const std::size_t> slots, std::int64_t cycles) {
    constexpr std::size_t most_bytes = std::size_t{8} << 20;
    const std::size_t cycle = static_cast<std::size_t>(problem_.n_ortho) * given_->bytes_of_slice();
    const auto fits = static_cast<std::int64_t>(most_bytes / cycle / sequences_->engine().slots());
    std::vector<std::size_t> own;
    for (const std::size_t slot : slots)
        if (sequences_->engine().rank_of(slot) == context_.rank()) own.push_back(slot);
    std::vector<PointState> states(own.size());
    sequences_->engine().store(own, states, false);
    const std::int64_t last = has_replicas() ? round_end_ : problem_.max_cycles();
    std::int64_t left = 1;
    for (const PointState& state : states) left = std::max(left, last - state.cycles);
    for (const std::int64_t of_rank : gather_value(context_, left)) left = std::max(left, of_rank);
    const std::int64_t now = std::min({cycles, left, std::max<std::int64_t>(fits, 1)});
    given_->clear();
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t sequence = sequences_->sequence_in(own[i]);
        given_->fetch(problem_, points_[sequence / replicas()], static_cast<std::uint32_t>(sequence), states[i].slices,
                      now * problem_.n_ortho);
    }
    gather_value(context_, own.size());  // if the caller of a rank stops it, no rank goes on
    return now;
}

// Advances by up to `cycles` cycles. Returns the number that counts as done of them.
std::int64_t Solver::advance_once(std::int64_t cycles) {
    sequences_->fill_slots(points_, [&](std::size_t sequence) {
        if (has_replicas() && (has_stopped_[sequence] || sequences_->is_in_slot(sequence))) return false;
        return !is_finished((*sequences_)[sequence].status);
    });
    std::vector<std::size_t> busy = sequences_->occupied_slots();
    if (has_replicas())
        std::erase_if(busy, [&](std::size_t slot) { return has_stopped_[sequences_->sequence_in(slot)]; });
    const std::int64_t now = given_ ? fetch_slices(busy, cycles) : cycles;
    const std::vector<Stopped> stopped = sequences_->advance(now, busy, cycles_done_);
    if (has_replicas())
        stop_replicas(stopped);
    else
        end_points(stopped);
    return now;
}

void Solver::end_points(std::span<const Stopped> stopped) {
    std::vector<std::size_t> slots, ended;
    for (const Stopped& each : stopped) slots.push_back(each.slot);
    std::vector<PointState> states = sequences_->fetch(slots);
    ended.reserve(slots.size());
    gather_value(context_, slots.size());  // from here to the warnings nothing fails on one rank alone
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::size_t point = sequences_->sequence_in(slots[i]);
        (*sequences_)[point] = std::move(states[i]);
        sequences_->release(slots[i]);
        ++finished_;
        ended.push_back(point);
    }
    for (const std::size_t point : ended) warn_of(point);
}

// Lets every rank read the results of the points that are running. Collective.
void Solver::publish() {
    if (context_.ranks() == 1 || has_replicas()) return;
    const std::vector<std::size_t> slots = sequences_->occupied_slots();
    std::vector<PointState> states = sequences_->fetch(slots);
    for (std::size_t i = 0; i < slots.size(); ++i)
        (*sequences_)[sequences_->sequence_in(slots[i])] = std::move(states[i]);
}

// Warns of a point that has failed, or that needed a shorter interval than n_ortho.
void Solver::warn_of(std::size_t point) {
    const PointState& state = has_replicas() ? averages_[point] : (*sequences_)[point];
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

// Checks the memory for runs in which sequences wait for a slot: each rank then keeps the states of all of them.
void Solver::require_host_memory() const {
    require_memory(text("tmm.params.replicas: ", problem_.replicas, " replicas of ", points_.size(), " points need"),
                   memory_needs(problem_).bytes(static_cast<std::int64_t>(sequences_->count())),
                   free_memory(context_, Backend::cpu));
}

// Begins the round that follows the last comparison. All sequences of points that have not finished take part.
void Solver::begin_round() {
    has_stopped_.assign(sequences_->count(), 0);
    under_way_ = (points_.size() - finished_) * replicas();
    sequences_->rewind();
    sequences_->engine().pause_at(round_end_);
}

// Notes which sequences have stopped. Sequences that wait for a slot then take the place of those that have. Compares
// the replicas if all have stopped.
void Solver::stop_replicas(std::span<const Stopped> stopped) {
    std::vector<std::size_t> left;
    if (!sequences_->all_fit())
        for (const Stopped& each : stopped) left.push_back(each.slot);
    std::vector<PointState> states = sequences_->fetch(left, true);
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < left.size(); first += most) {
        const std::size_t count = std::min(most, left.size() - first);
        sequences_->fetch_whole(std::span(left).subspan(first, count), std::span(states).subspan(first, count), true);
    }
    gather_value(context_, left.size());  // from here nothing fails on one rank alone
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::size_t sequence = sequences_->sequence_in(stopped[i].slot);
        has_stopped_[sequence] = 1;
        --under_way_;
        if (!left.empty()) {
            (*sequences_)[sequence] = std::move(states[i]);
            sequences_->release(stopped[i].slot);
        }
        (*sequences_)[sequence].status = stopped[i].status;
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
            if (sequences_->is_in_slot(s)) sequences_->release(sequences_->slot_of(s));
            (*sequences_)[s] = PointState{};
            (*sequences_)[s].status = averages_[point].status;
        }
    }
    begin_round();
    for (const std::size_t point : ended) warn_of(point);
}

// Returns what becomes of averages_, [points]. Entries of points that have finished are empty. Collective.
std::vector<PointState> Solver::compared() const {
    std::vector<PointState> averages = sums_over_replicas();
    const std::int64_t channels = problem_.channels(), cycles = round_end_;
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
            if (completes_block(cycles) &&
                has_converged(average.blocks.data() + channels - 1, channels, cycles, problem_))
                average.status = PointStatus::converged;
            else if (cycles >= problem_.max_cycles())
                average.status = PointStatus::not_converged;
        }
        if (is_finished(average.status)) replace_blocks(problem_, average);
    });
    return averages;
}

// Returns the sums over the replicas of all points that have not finished, in the order of the replicas. Collective.
std::vector<PointState> Solver::sums_over_replicas() const {
    std::vector<std::size_t> sequences;
    for (std::size_t s = 0; s < sequences_->count(); ++s)
        if (!is_finished(averages_[s / replicas()].status)) sequences.push_back(s);
    std::vector<PointState> sums(points_.size());
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < sequences.size(); first += most) {
        const auto batch =
            std::span<const std::size_t>(sequences).subspan(first, std::min(most, sequences.size() - first));
        std::vector<std::size_t> slots;
        for (const std::size_t s : batch)
            if (sequences_->is_in_slot(s)) slots.push_back(sequences_->slot_of(s));
        const std::vector<PointState> fetched = sequences_->fetch(slots, true);
        auto next = fetched.begin();
        for (const std::size_t s : batch)
            add_replica(sums[s / replicas()], sequences_->is_in_slot(s) ? *next++ : (*sequences_)[s]);
    }
    return sums;
}

// Returns the status of the first replica that has failed, or PointStatus::running.
PointStatus Solver::failure_of_replicas(std::size_t point) const {
    for (std::size_t s = point * replicas(); s < (point + 1) * replicas(); ++s)
        if (const PointStatus status = (*sequences_)[s].status;
            status == PointStatus::failed || status == PointStatus::imprecise)
            return status;
    return PointStatus::running;
}

PointStatus Solver::status_with_replicas(std::size_t point) const {
    if (is_finished(averages_[point].status)) return averages_[point].status;
    const std::size_t first = point * replicas();
    const bool has_begun =
        compared_at_ > 0 || sequences_->is_in_slot(first) || (*sequences_)[first].status != PointStatus::waiting;
    return has_begun ? PointStatus::running : PointStatus::waiting;
}

PointResult Solver::result(std::size_t point) const {
    require_index("tmm.point", point, points_.size());
    PointState state = has_replicas() ? averages_[point] : (*sequences_)[point];
    if (has_replicas()) {
        state.status = status_with_replicas(point);
    } else if (context_.ranks() == 1 && sequences_->is_in_slot(point)) {
        const std::size_t slot = sequences_->slot_of(point);
        sequences_->engine().store({&slot, 1}, {&state, 1}, false);
    }
    const auto sites = static_cast<std::size_t>(problem_.sites());
    PointResult result{state.status, state.cycles, std::vector<double>(sites), std::vector<double>(sites, NAN)};
    if (state.cycles == 0) return result;
    const std::vector<Growth> growths = growths_per_slice(problem_, state);
    const auto equal = static_cast<std::size_t>(problem_.components());  // exponents of a group of columns
    for (std::size_t j = 0; j < sites; ++j) {
        const Growth& growth = growths[(sites - j) * equal - 1];
        result.exponents[j] = growth.mean;
        result.errors[j] = growth.error;
    }
    return result;
}

}  // namespace legato::tmm
