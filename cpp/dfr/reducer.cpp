#include "dfr/reducer.hpp"

#include <algorithm>
#include <cmath>

#include "core/parameter.hpp"
#include "dfr/same_arguments.hpp"

namespace legato::dfr {
namespace {

// Returns the larger number of shells of the two j of an l, which share its range.
int shells_of_l(const Configuration& configuration, int l) {
    int most = 0;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s)
        if (l_of(static_cast<int>(s)) == l) most = std::max(most, shells(configuration, s));
    return most;
}

ExponentRange range_of_l(const GroupedBasis& basis, int l) {
    return basis.ranges[static_cast<std::size_t>(std::max(2 * l - 1, 0))];
}

}  // namespace

Candidate whole_candidate(const ReducerProblem& problem) {
    const std::size_t species = problem.configuration.closed.size();
    return {problem.nucleus,
            problem.configuration,
            {{problem.start},
             std::vector<int>(species, 0),
             std::vector<ExponentRange>(species, ExponentRange{1, problem.functions})},
            problem.limit};
}

void validate(const ReducerProblem& problem) {
    validate(problem.optimiser);
    require_parameters("dfr.reducer", problem);
    if (problem.optimiser.spinor_weight != 0)
        fail(Status::invalid_argument, "dfr.optimiser.spinor_weight: ", problem.optimiser.spinor_weight,
             ", but a reduction compares energies only; it needs 0");
    validate(problem.optimiser, whole_candidate(problem), "dfr.reducer");
}

Reducer::Reducer(Context& context, const ReducerProblem& problem) : context_(context), problem_(problem) {
    validate(problem_);
    require_same(context, problem_);
    basis_ = whole_candidate(problem_).basis;
    const int highest = l_of(static_cast<int>(basis_.ranges.size()) - 1);
    steps_.push_back({StageKind::whole, 0});
    for (int l = highest; l >= 0; --l) steps_.push_back({StageKind::last, l});
    for (int l = highest; l > 0; --l) steps_.push_back({StageKind::first, l});
}

bool Reducer::finished() const {
    return out_of_reach_ || stages_.size() == steps_.size();
}

// Returns the possible choices of a step, the best first. The range of an l must not end before that of l + 1.
std::vector<int> Reducer::choices(const Step& step) const {
    std::vector<int> all;
    const int least = std::max(shells_of_l(problem_.configuration, step.l), 1);
    const auto [first, last] = range_of_l(basis_, step.l);
    if (step.kind == StageKind::whole) {
        all.push_back(last);
    } else if (step.kind == StageKind::last) {
        const bool highest = 2 * step.l + 1 >= static_cast<int>(basis_.ranges.size());
        for (int i = std::max(least, highest ? 1 : range_of_l(basis_, step.l + 1).last); i <= last; ++i)
            all.push_back(i);
    } else {
        for (int i = last - least + 1; i >= first; --i) all.push_back(i);
    }
    return all;
}

Candidate Reducer::candidate(const Step& step, int choice) const {
    Candidate candidate{problem_.nucleus, problem_.configuration, basis_, problem_.limit};
    for (std::size_t s = 0; s < basis_.ranges.size(); ++s) {
        if (l_of(static_cast<int>(s)) != step.l) continue;
        if (step.kind == StageKind::last) candidate.basis.ranges[s].last = choice;
        if (step.kind == StageKind::first) candidate.basis.ranges[s].first = choice;
    }
    return candidate;
}

std::vector<Candidate> Reducer::candidates() const {
    const Step& step = steps_[stages_.size()];
    std::vector<Candidate> candidates;
    for (const int choice : choices(step)) candidates.push_back(candidate(step, choice));
    return candidates;
}

// Each stage chooses its backend anew, because the lengths of the lists are very different.
void Reducer::begin_stage(const Optimiser::Records& records, const Backends& saved_on) {
    optimiser_ = std::make_unique<Optimiser>(context_, problem_.optimiser, candidates(), records, std::vector<Limit>{},
                                             saved_on);
}

void Reducer::end_stage() {
    const Step& step = steps_[stages_.size()];
    const std::vector<int> all = choices(step);
    ReducerStage stage{step.kind, step.l, 0, {}, 0, 0};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const OptimiserResult result = optimiser_->result(i);
        stage.energies += result.energies;
        if (stage.chosen != 0 || result.energy == 0.0) continue;
        if (result.energy - limit_ > problem_.accuracy * std::abs(limit_)) continue;
        stage.chosen = all[i];
        stage.parameters = well_tempered_of(result.basis.groups.front());
        stage.energy = result.energy;
    }
    // A range that reached the accuracy before may miss it by rounding, if the energies come from another backend or a
    // longer list.
    if (stage.chosen == 0 && !stages_.empty())
        stage = {step.kind, step.l, all.back(), stages_.back().parameters, stages_.back().energy, stage.energies};
    out_of_reach_ = stage.chosen == 0;
    if (out_of_reach_) return;
    choose(stage);
    optimiser_.reset();
}

void Reducer::choose(const ReducerStage& stage) {
    basis_ = candidate({stage.kind, stage.l}, stage.chosen).basis;
    basis_.groups = {stage.parameters};
    stages_.push_back(stage);
}

// Returns true if this stage can be the next one.
bool Reducer::is_next_stage(const ReducerStage& stage) const {
    if (finished()) return false;
    const Step& step = steps_[stages_.size()];
    const std::vector<int> all = choices(step);
    return stage.kind == step.kind && stage.l == step.l && std::find(all.begin(), all.end(), stage.chosen) != all.end();
}

Progress Reducer::progress() const {
    return {std::ssize(stages_), std::ssize(steps_), energies()};
}

bool Reducer::step(Reporter& reporter) {
    if (finished()) return true;
    if (!optimiser_) begin_stage();
    const bool ended = optimiser_->advance();
    if (const double limit = optimiser_->result(0).limit; limit != 0.0) limit_ = limit;
    if (ended) end_stage();
    reporter.report();
    return true;
}

std::int64_t Reducer::energies() const {
    std::int64_t sum = 0;
    for (const ReducerStage& stage : stages_) sum += stage.energies;
    if (optimiser_)
        for (const auto& records : optimiser_->records()) sum += static_cast<std::int64_t>(records.size());
    return sum;
}

ReducerResult Reducer::result() const {
    ReducerResult result{OptimiserStatus::running, stages_.size(), steps_.size(), 0.0, limit_, basis_};
    if (stages_.empty() && !optimiser_) result.status = OptimiserStatus::waiting;
    if (!stages_.empty()) result.energy = stages_.back().energy;
    if (stages_.size() == steps_.size()) result.status = OptimiserStatus::converged;
    if (!out_of_reach_) return result;
    const OptimiserResult whole = optimiser_->result(0);
    result.status = OptimiserStatus::failed;
    result.energy = whole.energy;
    result.basis = whole.basis;
    return result;
}

}  // namespace legato::dfr
