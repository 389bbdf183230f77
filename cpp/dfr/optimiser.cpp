#include "dfr/optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "core/parameter.hpp"
#include "core/validate.hpp"
#include "dfr/fields.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/same_arguments.hpp"

namespace legato::dfr {
namespace {

bool is_finished(OptimiserStatus status) {
    return status >= OptimiserStatus::converged;
}

Atom atom_of(const Candidate& candidate, const GroupedBasis& basis) {
    return {candidate.nucleus, exponents_of(basis), candidate.configuration};
}

GroupedBasis basis_at(GroupedBasis basis, const std::vector<double>& x) {
    std::size_t at = 0;
    for (ExponentGroup& group : basis.groups)
        for (double& parameter : group.parameters) parameter *= std::exp(x[at++]);
    return basis;
}

// Returns the record of the lowest good energy, if asked for only among those with a gradient, or null.
const EnergyRecord* best_of(const std::vector<EnergyRecord>& records, bool with_gradient = false) {
    const EnergyRecord* best = nullptr;
    for (const EnergyRecord& record : records)
        if (record.kind == EnergyKind::good && !(with_gradient && record.gradient.empty()) &&
            (!best || record.energy < best->energy))
            best = &record;
    return best;
}

struct Solution {
    AtomResult result;
    ExponentGradient gradient;  // empty if it is not asked for, and if the atom has not converged
};

std::vector<Solution> solve(Context& context, const Problem& field, std::vector<Atom> atoms, bool with_gradients) {
    if (atoms.empty()) return {};
    Fields fields(context, field, std::move(atoms));
    while (fields.advance() > 0) {
    }
    std::vector<ExponentGradient> gradients(fields.size());
    if (with_gradients) gradients = fields.exponent_gradients();
    FailureWarnings warnings;
    std::vector<Solution> solutions;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        solutions.push_back({fields[i].summary(), std::move(gradients[i])});
        fields.warn(warnings, i, fields[i].why_failed());
    }
    return solutions;
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
    validate(candidate.basis, field);
    const std::int64_t least = problem.method == OptimiserMethod::newuoa ? 2 : 1;
    require_integer(text(field, ".n_parameters"), static_cast<std::int64_t>(parameter_count(candidate.basis)), least,
                    max_symmetries * max_functions);
    validate(problem.field, atom_of(candidate, candidate.basis), field);
    require_real(text(field, ".limit"), candidate.limit, -1e9, 0.0);
    if (candidate.limit == 0.0 && !large_basis_is_complete(problem.field, candidate.nucleus, candidate.configuration))
        fail(Status::invalid_argument, field, ".limit: 0, but for a relativistic point nucleus of charge ",
             candidate.nucleus.charge, " none can be calculated; give the limit");
}

Optimiser::Optimiser(Context& context, const OptimiserProblem& problem, std::vector<Candidate> candidates,
                     const Records& records)
    : context_(context), problem_(problem), candidates_(std::move(candidates)) {
    validate(problem_);
    require_same(context, problem_, candidates_);
    const std::size_t count = candidates_.size();
    require_integer("dfr.optimiser.n_candidates", static_cast<std::int64_t>(count), 1, max_candidates);
    for (std::size_t i = 0; i < count; ++i) validate(problem_, candidates_[i], text("dfr.candidates[", i, "]"));
    limits_.resize(count);
    status_.resize(count);
    records_.resize(count);
    minimisers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) begin(i, i < records.size() ? records[i] : std::vector<EnergyRecord>{});
}

void Optimiser::begin(std::size_t candidate, const std::vector<EnergyRecord>& records) {
    minimisers_[candidate] = std::make_unique<Minimiser>(
        std::vector<double>(parameter_count(candidates_[candidate].basis)),
        MinimiserOptions{problem_.method, static_cast<int>(problem_.max_energies), problem_.first_step,
                         problem_.last_step, problem_.energy_tolerance});
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

// Tells the minimiser the last energy. If it is not good, NEWUOA is told that of an atom that is bound a hundredth less
// than at the start. BFGS is told that the energy rises by as much as the best one's slope lets it fall, so that a line
// search halves its step.
void Optimiser::tell(std::size_t candidate) {
    const std::vector<EnergyRecord>& records = records_[candidate];
    const EnergyRecord& record = records.back();
    Minimiser& minimiser = *minimisers_[candidate];
    if (is_usable(record)) return minimiser.tell(record.energy, record.gradient);
    const double start = records.front().energy;
    if (problem_.method == OptimiserMethod::newuoa) return minimiser.tell(start + 0.01 * std::abs(start));
    const EnergyRecord* const best = best_of(records, true);
    double slope = 0;
    for (std::size_t i = 0; i < record.x.size(); ++i) slope += best->gradient[i] * (record.x[i] - best->x[i]);
    std::vector<double> gradient = best->gradient;
    if (slope < 0)
        for (double& one : gradient) one = -one;
    minimiser.tell(best->energy + std::abs(slope), std::move(gradient));
}

// Returns true if the minimiser can use the energy. BFGS also needs its gradient.
bool Optimiser::is_usable(const EnergyRecord& record) const {
    return record.kind == EnergyKind::good && (problem_.method == OptimiserMethod::newuoa || !record.gradient.empty());
}

// The log line comes last, because logging may fail.
void Optimiser::note(std::size_t candidate, EnergyRecord record) {
    records_[candidate].push_back(std::move(record));
    status_[candidate] = OptimiserStatus::running;
    if (records_[candidate].size() == 1 && !is_usable(records_[candidate].front())) {
        status_[candidate] = OptimiserStatus::failed;
        minimisers_[candidate].reset();
        if (records_[candidate].front().kind == EnergyKind::good)
            context_.log(LogLevel::warning,
                         text("dfr: optimiser: candidate ", candidate, ": the energy of the start has no derivatives, ",
                              "because functions were left out for near linear dependence; take other exponents, or a "
                              "smaller dfr.params.dependence_threshold"));
        return;
    }
    tell(candidate);
    if (minimisers_[candidate]->next()) return;
    const std::unique_ptr<Minimiser> ended = std::move(minimisers_[candidate]);
    const bool failed = *ended->why_failed() != '\0', whole = !ended->values_used_up() && !failed;
    status_[candidate] = whole ? OptimiserStatus::converged : OptimiserStatus::not_converged;
    if (failed)
        context_.log(LogLevel::warning, text("dfr: optimiser: candidate ", candidate, ": NLopt ended with ",
                                             ended->why_failed(), "; the best energy so far is the result"));
}

// Finds the limits of all candidates. The large basis itself is not exact: an energy below it by less than its error
// has not collapsed. A limit that cannot be calculated stays 0, and only its candidate fails. A given limit is
// compared, too, if energies can collapse: if it is too low, the large basis decides. The log lines come last, because
// logging may fail.
void Optimiser::find_limits() {
    if (limits_known_) return;
    std::vector<Limit> limits(candidates_.size());
    std::vector<std::size_t> asked;  // one candidate of each different atom
    std::vector<Atom> atoms;
    std::vector<std::size_t> solved(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Candidate& candidate = candidates_[i];
        if (candidate.limit != 0.0 && !can_collapse(candidate)) continue;
        const auto same = std::find_if(asked.begin(), asked.end(), [&](std::size_t j) {
            return candidates_[j].nucleus == candidate.nucleus &&
                   candidates_[j].configuration == candidate.configuration;
        });
        solved[i] = static_cast<std::size_t>(same - asked.begin());
        if (same != asked.end()) continue;
        asked.push_back(i);
        atoms.push_back({candidate.nucleus, large_basis(problem_.field, candidate.nucleus, candidate.configuration),
                         candidate.configuration});
    }
    constexpr int least_iterations = 50;  // lower bound of max_iterations for the limits
    Problem field = problem_.field;
    field.max_iterations = std::max(field.max_iterations, least_iterations);
    field.kinetic_balance = KineticBalance::restricted;
    const std::vector<Solution> solutions = solve(context_, field, std::move(atoms), false);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const double given = candidates_[i].limit;
        limits[i] = {given, given};
        if (given != 0.0 && !can_collapse(candidates_[i])) continue;
        const AtomResult& result = solutions[solved[i]].result;
        if (result.status != AtomStatus::converged) continue;
        const double floor = result.energy - large_basis_error * std::abs(result.energy);
        limits[i] = given == 0.0 ? Limit{result.energy, floor} : Limit{given, std::max(given, floor)};
    }
    limits_ = std::move(limits);
    limits_known_ = true;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const std::string name = text("dfr: optimiser: dfr.candidates[", i, "].limit: ");
        if (limits_[i].energy == 0.0)
            context_.log(LogLevel::warning, name + "the energy in a large basis has not converged; give the limit");
        else if (limits_[i].energy < limits_[i].floor)
            context_.log(LogLevel::warning,
                         text(name, limits_[i].energy, " is below the energy in a large basis, ", limits_[i].floor,
                              "; energies between the two are those of collapsed basis sets; give 0 or a limit that is "
                              "not lower"));
    }
}

// Returns true if energies can fall below that of a complete basis, and the latter can be calculated.
bool Optimiser::can_collapse(const Candidate& candidate) const {
    return problem_.field.relativistic &&
           large_basis_is_complete(problem_.field, candidate.nucleus, candidate.configuration);
}

Progress Optimiser::progress() const {
    return {static_cast<std::int64_t>(finished()), std::ssize(candidates_), energies_};
}

// Results are noted only when all energies have been calculated, so that a failed call can be repeated.
bool Optimiser::step(Reporter& reporter) {
    replace_lost_minimisers();
    find_limits();
    std::vector<std::size_t> busy, solved;
    std::vector<EnergyRecord> records;
    std::vector<Atom> atoms;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (is_finished(status_[i])) continue;
        busy.push_back(i);
        auto x = minimisers_[i]->next();
        if (!x)
            fail(Status::out_of_memory, "dfr: optimiser: candidate ", i, ": NLopt ended with ",
                 minimisers_[i]->why_failed(), " before its first energy");
        records.push_back({std::move(*x), 0.0, EnergyKind::failed});
        if (limits_[i].energy == 0.0) continue;  // there is no limit to judge energies by
        try {
            atoms.push_back(atom_of(candidates_[i], basis_at(candidates_[i].basis, records.back().x)));
            solved.push_back(records.size() - 1);
        } catch (const Error& error) {  // exponents out of range
            if (error.status() != Status::invalid_argument) throw;
        }
    }
    const std::vector<Solution> solutions =
        solve(context_, problem_.field, std::move(atoms), problem_.method == OptimiserMethod::lbfgs);
    for (std::size_t i = 0; i < solutions.size(); ++i) {
        EnergyRecord& record = records[solved[i]];
        const std::size_t candidate = busy[solved[i]];
        record.kind = kind_of(solutions[i].result, limits_[candidate]);
        if (record.kind != EnergyKind::failed) record.energy = solutions[i].result.energy;
        if (solutions[i].gradient.empty()) continue;
        record.gradient = parameter_gradient(basis_at(candidates_[candidate].basis, record.x), solutions[i].gradient);
        if (!is_finite(record.gradient)) record.gradient.clear();
    }
    for (std::size_t i = 0; i < busy.size(); ++i) note(busy[i], std::move(records[i]));
    energies_ += std::ssize(busy);
    reporter.report();
    return true;
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
    result.limit = limits_[candidate].energy;
    result.basis = candidates_[candidate].basis;
    if (!records.empty()) result.start_energy = records.front().energy;
    if (const EnergyRecord* const best = best_of(records)) {
        result.energy = best->energy;
        result.basis = basis_at(result.basis, best->x);
    }
    return result;
}

}  // namespace legato::dfr
