// The state file of method "dfr_pruner", schema 1. It contains the candidates, limits and energies of
// dfr/optimiser_state.hpp: the starts, and the energies of the optimisations that are under way. It also contains
// pruner/<member of PrunerParams> and for each atom i with S sets, G groups and F fresh trials
//     atom_i/energies, sets                  number of energies, S
//     atom_i/group, energy [S], parameters [those of each set]
//     atom_i/cost, fresh [G], trial_energy [F], trial_parameters [those of each fresh trial]
#include <algorithm>
#include <limits>
#include <string>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/pruner.hpp"
#include "dfr/state_parts.hpp"

namespace legato::dfr {
namespace {

void put_sets(StateWriter& writer, const std::string& energies, const std::string& parameters,
              const std::vector<PrunedSet>& sets) {
    std::vector<double> energy, values;
    for (const PrunedSet& set : sets) {
        energy.push_back(set.energy);
        for (const ExponentGroup& group : set.basis.groups)
            values.insert(values.end(), group.parameters.begin(), group.parameters.end());
    }
    writer.put(energies, energy);
    writer.put(parameters, values);
}

// Reads energies and parameters of sets whose forms and sizes are known.
void get_sets(const StateReader& reader, const std::string& energies, const std::string& parameters,
              std::vector<PrunedSet>& sets) {
    std::size_t count = 0;
    for (const PrunedSet& set : sets) count += parameter_count(set.basis);
    Parts energy(reader.get_reals(energies, sets.size())), values(reader.get_reals(parameters, count));
    for (PrunedSet& set : sets) {
        set.energy = energy.next();
        for (ExponentGroup& group : set.basis.groups) group.parameters = values.next(group.parameters.size());
        reader.require_valid([&] { validate(set.basis, parameters); });
    }
}

}  // namespace

void Pruner::write(StateWriter& writer) const {
    put_parameters(writer, problem_.field, "field");
    put_parameters(writer, problem_, "pruner");
    put_candidates(writer, starts_);
    put_limits(writer, limits_, starts_.size());
    Optimiser::Records records;
    for (std::size_t i = 0; i < prunings_.size(); ++i) {
        const Pruning& pruning = prunings_[i];
        const std::string of = text("atom_", i, "/");
        std::vector<std::int32_t> group, fresh;
        std::vector<double> cost;
        std::vector<PrunedSet> trials;
        for (const PrunedSet& set : pruning.sets) group.push_back(set.group);
        for (const Trial& trial : pruning.trials) {
            cost.push_back(trial.cost);
            fresh.push_back(trial.fresh ? 1 : 0);
            if (trial.fresh) trials.push_back(trial.set);
        }
        writer.put(of + "energies", pruning.energies);
        writer.put(of + "sets", static_cast<std::int64_t>(pruning.sets.size()));
        writer.put(of + "group", group);
        put_sets(writer, of + "energy", of + "parameters", pruning.sets);
        writer.put(of + "cost", cost);
        writer.put(of + "fresh", fresh);
        put_sets(writer, of + "trial_energy", of + "trial_parameters", trials);
        records.push_back(pruning.optimiser ? pruning.optimiser->records()[0] : std::vector<EnergyRecord>());
    }
    put_records(writer, records);
    put_rounding(writer);
}

// Returns the set after `group` of the last set has lost a function, with the parameters from which its optimisation
// begins.
PrunedSet Pruner::shape_after(const StateReader& reader, std::size_t atom, int group) const {
    const std::vector<PrunedSet>& sets = prunings_[atom].sets;
    const bool possible = sets.empty() ? group == -1 : group >= 0 && can_lose(atom, static_cast<std::size_t>(group));
    if (!possible) reader.refuse(text("entry atom_", atom, "/group: found ", group, ", which cannot lose a function"));
    return {sets.empty() ? starts_[atom].basis : without_one(sets.back().basis, static_cast<std::size_t>(group)), 0.0,
            group};
}

// Reads the sets and trials of an atom. The basis of a trial follows from that of the last set.
void Pruner::read_atom(const StateReader& reader, std::size_t atom) {
    Pruning& pruning = prunings_[atom];
    const std::string of = text("atom_", atom, "/");
    pruning.energies = reader.get_int(of + "energies", 0, std::numeric_limits<std::int64_t>::max());
    const auto count = static_cast<std::size_t>(reader.get_int(of + "sets", 0, max_symmetries * max_functions));
    for (const std::int32_t group : reader.get<std::int32_t>(of + "group", count))
        pruning.sets.push_back(shape_after(reader, atom, group));
    get_sets(reader, of + "energy", of + "parameters", pruning.sets);
    for (const PrunedSet& set : pruning.sets)
        if (limits_.empty() || set.energy < limits_[atom].floor || !is_accurate(atom, set.energy))
            reader.refuse(text("entry ", of, "energy: found ", set.energy, ", which is not within ",
                               problem_.largest_error, " of the limit"));
    const std::size_t groups = pruning.trials.size();
    const auto cost = reader.get_reals(of + "cost", groups);
    const auto fresh = get_counts(reader, of + "fresh", groups, 0, 1);
    std::vector<PrunedSet> trials;
    for (std::size_t g = 0; g < groups; ++g)
        if (fresh[g] != 0) trials.push_back(shape_after(reader, atom, static_cast<int>(g)));
    get_sets(reader, of + "trial_energy", of + "trial_parameters", trials);
    auto trial = trials.begin();
    for (std::size_t g = 0; g < groups; ++g)
        pruning.trials[g] = {cost[g], fresh[g] != 0, fresh[g] != 0 ? std::move(*trial++) : PrunedSet{}};
    pruning.finished = pruning.sets.empty() && pruning.energies > 0;
    if (!pruning.sets.empty()) accept_trials(atom);
}

std::unique_ptr<Pruner> Pruner::read(Context& context, const StateReader& reader) {
    PrunerProblem problem;
    get_parameters(reader, problem.field, "field");
    get_parameters(reader, problem, "pruner");
    reader.require_known("field");
    reader.require_known("pruner");
    reader.require_valid([&] { validate(problem); });
    OptimiserProblem of_starts;
    of_starts.field = problem.field;
    of_starts.method = OptimiserMethod::lbfgs;
    std::vector<Candidate> starts = get_candidates(reader, of_starts);
    const std::size_t count = starts.size();
    std::unique_ptr<Pruner> pruner;
    reader.require_valid([&] { pruner = std::make_unique<Pruner>(context, problem, std::move(starts)); });
    pruner->limits_ = get_limits(reader, pruner->starts_, false);
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < count; ++i) {
        pruner->read_atom(reader, i);
        candidates.push_back(pruner->limits_.empty() || pruner->prunings_[i].finished ? pruner->starts_[i]
                                                                                      : pruner->next_candidate(i));
    }
    const Optimiser::Records records = get_records(reader, candidates);
    for (std::size_t i = 0; i < count; ++i) {
        if (records[i].empty()) continue;
        if (pruner->limits_.empty() || pruner->prunings_[i].finished)
            reader.refuse(text("entry energies/count: found ", records[i].size(), " at [", i, "], expected 0"));
        require_judged_by(reader, i, pruner->limits_[i], records[i]);
        reader.require_valid([&] { pruner->begin(i, records[i]); });
    }
    warn_of_other_rounding(context, "dfr", saved_rounding(reader));
    return pruner;
}

}  // namespace legato::dfr
