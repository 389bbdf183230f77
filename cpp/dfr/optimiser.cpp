#include "dfr/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parameter.hpp"
#include "core/validate.hpp"
#include "dfr/same_arguments.hpp"

namespace legato::dfr {
namespace {

bool is_finished(OptimiserStatus status) {
    return status >= OptimiserStatus::converged;
}

GroupedBasis basis_at(GroupedBasis basis, const std::vector<double>& x) {
    std::size_t at = 0;
    for (ExponentGroup& group : basis.groups)
        for (double& parameter : group.parameters) parameter *= std::exp(x[at++]);
    return basis;
}

bool is_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

void validate(const OptimiserProblem& problem) {
    validate(problem.field);
    require_parameters("dfr.optimiser", problem);
    require_real("dfr.optimiser.last_step", problem.last_step, 1e-14, problem.first_step);
}

void validate(const OptimiserProblem& problem, const Candidate& candidate, std::string_view field) {
    validate(problem.field, candidate, field);
    const std::int64_t least = problem.method == OptimiserMethod::newuoa ? 2 : 1;
    require_integer(text(field, ".n_parameters"), static_cast<std::int64_t>(parameter_count(candidate.basis)), least,
                    max_symmetries * max_functions);
}

Optimiser::Optimiser(Context& context, const OptimiserProblem& problem, std::vector<Candidate> candidates,
                     const Records& records, std::vector<Limit> limits, const Backends& saved_on)
    : context_(context),
      problem_(problem),
      candidates_(std::move(candidates)),
      limits_(std::move(limits)),
      limits_on_(saved_on.limits),
      solve_(context, problem.field, Fields::Reads::summaries, saved_on.energies) {
    validate(problem_);
    if (limits_.empty()) require_same(context, problem_, candidates_);  // otherwise all follows from compared arguments
    const std::size_t count = candidates_.size();
    require_integer("dfr.optimiser.n_candidates", static_cast<std::int64_t>(count), 1, max_candidates);
    for (std::size_t i = 0; i < count; ++i) validate(problem_, candidates_[i], text("dfr.candidates[", i, "]"));
    status_.resize(count);
    records_.resize(count);
    minimisers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) begin(i, i < records.size() ? records[i] : std::vector<EnergyRecord>{});
}

void Optimiser::begin(std::size_t candidate, const std::vector<EnergyRecord>& records) {
    MinimiserOptions options{problem_.method, static_cast<int>(problem_.max_energies), problem_.first_step,
                             problem_.last_step, problem_.energy_tolerance};
    if (problem_.method == OptimiserMethod::lbfgs) options.metric = exponent_metric(candidates_[candidate].basis);
    minimisers_[candidate] =
        std::make_unique<Minimiser>(std::vector<double>(parameter_count(candidates_[candidate].basis)), options);
    records_[candidate].clear();
    replay(candidate, records);
}

// Replaces minimisers that have lost their threads in a child of fork(). The new ones begin again from the records.
void Optimiser::replace_lost_minimisers() {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (minimisers_[i] && minimisers_[i]->lost()) begin(i, std::vector(records_[i]));
}

std::size_t Optimiser::finished() const {
    return static_cast<std::size_t>(std::count_if(status_.begin(), status_.end(), is_finished));
}

// Repeats the recorded energies. A minimiser that is told the same values asks for the same points, but another release
// of NLopt may ask for other ones.
void Optimiser::replay(std::size_t candidate, const std::vector<EnergyRecord>& records) {
    for (const EnergyRecord& record : records) {
        if (is_finished(status_[candidate]) || minimisers_[candidate]->next() != record.x) {
            context_.log(LogLevel::warning,
                         text("dfr: optimiser: candidate ", candidate, ": only ", records_[candidate].size(), " of ",
                              records.size(),
                              " saved energies are those that NLopt asks for; the optimisation continues after them"));
            return;
        }
        note(candidate, record);
    }
}

double Optimiser::value(std::size_t candidate, const EnergyRecord& record) const {
    const double limit = limits_.empty() ? 0.0 : limits_[candidate].energy;
    return value_of(record.energy, record.spinor_error, limit, problem_.spinor_weight);
}

// Returns the record of the lowest value of a good energy, if asked for only among those with a gradient, or null.
const EnergyRecord* Optimiser::best_of(std::size_t candidate, bool with_gradient) const {
    const EnergyRecord* best = nullptr;
    for (const EnergyRecord& record : records_[candidate])
        if (record.kind == EnergyKind::good && !(with_gradient && record.gradient.empty()) &&
            (!best || value(candidate, record) < value(candidate, *best)))
            best = &record;
    return best;
}

// Returns what the minimiser is told about an energy. If it is not good, NEWUOA is told that of an atom that is bound a
// hundredth less than at the start. BFGS is told that the energy rises by as much as the best one's slope lets it fall,
// so that a line search halves its step.
Optimiser::Told Optimiser::told_of(std::size_t candidate, const EnergyRecord& record) const {
    if (is_usable(record)) return {value(candidate, record), record.gradient};
    const double start = value(candidate, records_[candidate].front());
    if (problem_.method == OptimiserMethod::newuoa) return {start + 0.01 * std::abs(start), {}};
    const EnergyRecord* const best = best_of(candidate, true);
    double slope = 0;
    for (std::size_t i = 0; i < record.x.size(); ++i) slope += best->gradient[i] * (record.x[i] - best->x[i]);
    Told told{value(candidate, *best) + std::abs(slope), best->gradient};
    if (slope < 0)
        for (double& one : told.gradient) one = -one;
    return told;
}

// Returns true if the minimiser can use the energy. BFGS also needs its gradient.
bool Optimiser::is_usable(const EnergyRecord& record) const {
    return record.kind == EnergyKind::good && (problem_.method == OptimiserMethod::newuoa || !record.gradient.empty());
}

// Nothing has changed if memory runs out. The log line comes last, because logging may fail.
void Optimiser::note(std::size_t candidate, EnergyRecord record) {
    std::vector<EnergyRecord>& records = records_[candidate];
    const bool fails = records.empty() && !is_usable(record);
    Told told;
    if (!fails) told = told_of(candidate, record);
    records.push_back(std::move(record));
    status_[candidate] = OptimiserStatus::running;
    if (fails) {
        status_[candidate] = OptimiserStatus::failed;
        minimisers_[candidate].reset();
        if (records.front().kind == EnergyKind::good)
            context_.log(LogLevel::warning,
                         text("dfr: optimiser: candidate ", candidate, ": the energy of the start has no derivatives, ",
                              "because functions were left out for near linear dependence; take other exponents, or a "
                              "smaller dfr.params.dependence_threshold"));
        return;
    }
    minimisers_[candidate]->tell(told.value, std::move(told.gradient));
    if (minimisers_[candidate]->next()) return;
    const std::unique_ptr<Minimiser> ended = std::move(minimisers_[candidate]);
    const bool failed = *ended->why_failed() != '\0', whole = !ended->values_used_up() && !failed;
    status_[candidate] = whole ? OptimiserStatus::converged : OptimiserStatus::not_converged;
    if (failed)
        context_.log(LogLevel::warning, text("dfr: optimiser: candidate ", candidate, ": NLopt ended with ",
                                             ended->why_failed(), "; the best energy so far is the result"));
}

Progress Optimiser::progress() const {
    return {static_cast<std::int64_t>(finished()), std::ssize(candidates_), energies_};
}

bool Optimiser::step(Reporter& reporter) {
    const bool spinors = problem_.spinor_weight > 0;
    provide_limits(context_, problem_.field, candidates_, spinors, limits_, starts_, limits_on_);
    std::vector<Atom> atoms;
    ask(atoms);
    std::vector<Start> starts;
    for (const std::size_t i : asked_.solved) starts.push_back(starts_[asked_.candidates[i]]);
    const bool gradients = problem_.method == OptimiserMethod::lbfgs;
    std::vector<SpinorError> errors;
    if (spinors) errors = spinor_errors(starts, atoms, context_.threads());
    take(solve_(std::move(atoms), gradients ? Energies::With::gradients : Energies::With::nothing, starts), errors);
    reporter.report();
    return true;
}

void Optimiser::ask(std::vector<Atom>& atoms) {
    replace_lost_minimisers();
    asked_ = {};
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (is_finished(status_[i])) continue;
        auto x = minimisers_[i]->next();
        if (!x)
            fail(Status::out_of_memory, "dfr: optimiser: candidate ", i, ": NLopt ended with ",
                 minimisers_[i]->why_failed(), " before its first energy");
        asked_.candidates.push_back(i);
        asked_.records.push_back({std::move(*x), 0.0, EnergyKind::failed});
        if (limits_[i].energy == 0.0) continue;  // there is no limit to judge energies by
        try {
            atoms.push_back(atom_of(candidates_[i], basis_at(candidates_[i].basis, asked_.records.back().x)));
            asked_.solved.push_back(asked_.records.size() - 1);
        } catch (const Error& error) {  // exponents out of range
            if (error.status() != Status::invalid_argument) throw;
        }
    }
}

// Results are noted only when all energies have been calculated, so that a failed call can be repeated.
void Optimiser::take(std::span<const Solution> solutions, std::span<const SpinorError> spinor_errors) {
    Asked asked = std::exchange(asked_, {});
    for (std::size_t i = 0; i < asked.solved.size(); ++i) {
        EnergyRecord& record = asked.records[asked.solved[i]];
        const std::size_t candidate = asked.candidates[asked.solved[i]];
        record.kind = kind_of(solutions[i].result, limits_[candidate]);
        if (record.kind != EnergyKind::failed) record.energy = solutions[i].result.energy;
        if (!solutions[i].gradient.empty())
            record.gradient =
                parameter_gradient(basis_at(candidates_[candidate].basis, record.x), solutions[i].gradient);
        if (problem_.spinor_weight > 0) take_spinor_error(candidate, record, spinor_errors[i]);
        if (!is_finite(record.gradient)) record.gradient.clear();
    }
    energies_ += std::ssize(asked.candidates);
    for (std::size_t i = 0; i < asked.candidates.size(); ++i) note(asked.candidates[i], std::move(asked.records[i]));
}

// Adds the derivatives of the spinors' part of the value to those of the energy.
void Optimiser::take_spinor_error(std::size_t candidate, EnergyRecord& record, const SpinorError& error) const {
    if (!std::isfinite(error.error)) {
        record.kind = EnergyKind::failed;
        record.energy = 0;
        record.gradient.clear();
    }
    if (record.kind == EnergyKind::failed) return;
    record.spinor_error = error.error;
    if (record.gradient.empty()) return;
    const std::vector<double> slopes =
        parameter_gradient(basis_at(candidates_[candidate].basis, record.x), error.gradient);
    const double weight = problem_.spinor_weight * std::abs(limits_[candidate].energy);
    for (std::size_t i = 0; i < slopes.size(); ++i) record.gradient[i] += weight * slopes[i];
}

EnergyKind Optimiser::kind_of(const AtomResult& result, const Limit& limit) {
    if (result.status == AtomStatus::failed || result.status == AtomStatus::unbound) return EnergyKind::failed;
    if (result.status != AtomStatus::converged) return EnergyKind::not_converged;
    return result.energy < limit.floor ? EnergyKind::collapsed : EnergyKind::good;
}

OptimiserResult Optimiser::result(std::size_t candidate) const {
    require_index("dfr.optimiser.candidate", candidate, candidates_.size());
    const std::vector<EnergyRecord>& records = records_[candidate];
    OptimiserResult result;
    result.status = status_[candidate];
    result.energies = static_cast<std::int64_t>(records.size());
    result.collapsed = std::count_if(records.begin(), records.end(),
                                     [](const EnergyRecord& record) { return record.kind == EnergyKind::collapsed; });
    if (!limits_.empty()) result.limit = limits_[candidate].energy;
    result.basis = candidates_[candidate].basis;
    if (!records.empty()) result.start_energy = records.front().energy;
    if (const EnergyRecord* const best = best_of(candidate)) {
        result.energy = best->energy;
        result.spinor_error = best->spinor_error;
        result.basis = basis_at(result.basis, best->x);
    }
    return result;
}

}  // namespace legato::dfr
