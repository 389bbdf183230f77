#include "dfr/candidate.hpp"

#include <algorithm>
#include <cmath>

#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "dfr/energies.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

// Returns true if energies can fall below that of a complete basis, and the latter can be calculated.
bool can_collapse(const Problem& problem, const Candidate& candidate) {
    return problem.relativistic && large_basis_is_complete(problem, candidate.nucleus, candidate.configuration);
}

}  // namespace

void validate(const Problem& problem, const Candidate& candidate, std::string_view field) {
    validate(candidate.basis, field);
    validate(problem, atom_of(candidate, candidate.basis), field);
    if (has_holes(candidate.configuration))
        fail(Status::invalid_argument, field, ".configuration.open: ", candidate.configuration.open.size(),
             " shells; a basis can only be optimised for at most one open shell of a species, above the closed ones, "
             "because other energies are not minima");
    require_real(text(field, ".limit"), candidate.limit, -1e9, 0.0);
    if (candidate.limit == 0.0 && !large_basis_is_complete(problem, candidate.nucleus, candidate.configuration))
        fail(Status::invalid_argument, field, ".limit: 0, but for a relativistic point nucleus of charge ",
             candidate.nucleus.charge, " none can be calculated; give the limit");
}

Limits find_limits(Context& context, const Problem& problem, const std::vector<Candidate>& candidates,
                   bool needs_spinors, std::optional<Backend> saved_on) {
    std::vector<Limit> limits(candidates.size());
    std::vector<Start> starts(candidates.size());
    std::vector<std::size_t> asked;  // one candidate of each different atom
    std::vector<Atom> atoms;
    std::vector<std::size_t> solved(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (candidate.limit != 0.0 && !can_collapse(problem, candidate) && !needs_spinors) continue;
        const auto same = std::find_if(asked.begin(), asked.end(), [&](std::size_t j) {
            return candidates[j].nucleus == candidate.nucleus && candidates[j].configuration == candidate.configuration;
        });
        solved[i] = static_cast<std::size_t>(same - asked.begin());
        if (same != asked.end()) continue;
        asked.push_back(i);
        atoms.push_back({candidate.nucleus, large_basis(problem, candidate.nucleus, candidate.configuration),
                         candidate.configuration});
    }
    constexpr int least_iterations = 50;  // lower bound of max_iterations for the limits
    Problem field = problem;
    field.max_iterations = std::max(field.max_iterations, least_iterations);
    field.kinetic_balance = KineticBalance::restricted;
    Energies solve(context, field, Fields::Reads::states, saved_on);
    const std::vector<Solution> solutions = solve(std::move(atoms), Energies::With::spinors);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const double given = candidates[i].limit;
        const bool compared = given == 0.0 || can_collapse(problem, candidates[i]);
        limits[i] = {given, given};
        if (!compared && !needs_spinors) continue;
        const AtomResult& result = solutions[solved[i]].result;
        if (needs_spinors && result.status != AtomStatus::converged) limits[i] = {};
        if (result.status != AtomStatus::converged) continue;
        starts[i] = solutions[solved[i]].spinors;
        if (!compared) continue;
        const double floor = result.energy - large_basis_error * std::abs(result.energy) - rounding_of_limit(result);
        limits[i] = given == 0.0 ? Limit{result.energy, floor} : Limit{given, std::max(given, floor)};
    }
    return {std::move(limits), std::move(starts), solve.backend()};
}

namespace {

// Logs a warning for each limit that could not be calculated or is too low.
void warn_of_limits(const Context& context, const std::vector<Limit>& limits) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const std::string name = text("dfr: dfr.candidates[", i, "].limit: ");
        if (limits[i].energy == 0.0)
            context.log(LogLevel::warning,
                        name + "the energy in a large basis has not converged; give the limit, and no spinor_weight");
        else if (limits[i].energy < limits[i].floor)
            context.log(LogLevel::warning,
                        text(name, limits[i].energy, " is below the energy in a large basis, ", limits[i].floor,
                             "; energies between the two are those of collapsed basis sets; give 0 or a limit that is "
                             "not lower"));
    }
}

// Throws if a limit of a saved run is known, but not its spinors.
void require_spinors(const std::vector<Limit>& limits, const std::vector<Start>& starts) {
    for (std::size_t i = 0; i < limits.size(); ++i)
        if (limits[i].energy != 0.0 && !starts[i])
            fail(Status::numerical_error, "dfr.candidates[", i, "].limit: the saved run has the limit ",
                 limits[i].energy, ", but the spinors in a large basis, which spinor_weight needs, have not converged");
}

}  // namespace

void provide_limits(Context& context, const Problem& problem, const std::vector<Candidate>& candidates,
                    bool needs_spinors, std::vector<Limit>& limits, std::vector<Start>& starts,
                    std::optional<Backend>& backend) {
    if (!on_any_rank(context, starts.empty())) return;
    Limits found = find_limits(context, problem, candidates, needs_spinors, backend);
    if (needs_spinors) require_spinors(limits, found.starts);
    backend = found.backend;
    starts = std::move(found.starts);
    if (!limits.empty()) return;
    limits = std::move(found.limits);
    warn_of_limits(context, limits);  // comes last, because logging may fail
}

}  // namespace legato::dfr
