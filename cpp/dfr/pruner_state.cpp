// The state file of method "dfr_pruner", schema 1. It contains the candidates, limits and energies of
// dfr/optimiser_state.hpp: the starts, and the energies of the optimisations that are under way. It also contains
// pruner/<member of PrunerParams> and for each atom i with S sets, G groups and F fresh trials
//     atom_i/energies, sets, values, trial_values     number of energies, S, number of parameters of all sets and
//     trials atom_i/group, energy, spinor_error [S], parameters [those of each set] atom_i/cost, fresh [G],
//     trial_energy, trial_spinor_error [F], trial_parameters [those of each fresh trial]
#include <algorithm>
#include <string>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/pruner.hpp"
#include "dfr/state_parts.hpp"

namespace legato::dfr {
namespace {

constexpr std::int64_t most_sets = max_symmetries * max_functions,
                       most_values = most_sets * max_symmetries * max_functions, most_energies = 1'000'000'000'000'000;

void put_sets(StateWriter& writer, const std::string& of, const std::vector<PrunedSet>& sets) {
    std::vector<double> energy, spinor_error, values;
    for (const PrunedSet& set : sets) {
        energy.push_back(set.energy);
        spinor_error.push_back(set.spinor_error);
        for (const ExponentGroup& group : set.basis.groups)
            values.insert(values.end(), group.parameters.begin(), group.parameters.end());
    }
    writer.put(of + "energy", energy);
    writer.put(of + "spinor_error", spinor_error);
    writer.put(of + "values", static_cast<std::int64_t>(values.size()));
    writer.put(of + "parameters", values);
}

// The sets of an entry. The form and size of each follow from the sets before it, its parameters are in the file.
class SetReader {
  public:
    SetReader(const StateReader& reader, const std::string& of, std::size_t count, double spinor_weight)
        : reader_(reader),
          name_(of),
          left_(static_cast<std::size_t>(reader.get_int(of + "values", 0, most_values))),
          energy_(reader.get_reals(of + "energy", count)),
          spinor_error_(get_spinor_errors(reader, of + "spinor_error", count, spinor_weight)),
          values_(reader.get_reals(of + "parameters", left_)) {}

    PrunedSet next(GroupedBasis basis, int group) {
        const std::size_t needed = parameter_count(basis);
        if (needed > left_)
            reader_.refuse(text("entry ", name_, "values: ", left_, " parameters remain for a set with ", needed));
        left_ -= needed;
        for (ExponentGroup& g : basis.groups) g.parameters = values_.next(g.parameters.size());
        reader_.require_valid([&] { validate(basis, name_ + "parameters"); });
        return {std::move(basis), energy_.next(), spinor_error_.next(), group};
    }

  private:
    const StateReader& reader_;
    std::string name_;
    std::size_t left_;
    Parts<double> energy_, spinor_error_, values_;
};

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
        put_sets(writer, of, pruning.sets);
        writer.put(of + "cost", cost);
        writer.put(of + "fresh", fresh);
        put_sets(writer, of + "trial_", trials);
        records.push_back(pruning.optimiser ? pruning.optimiser->records()[0] : std::vector<EnergyRecord>());
    }
    put_records(writer, records);
    put_backends(writer, {limits_on_, solve_.backend()});
    put_rounding(writer);
}

// Returns the basis from which a set's optimisation began: the start, or the last set without a function of `group`.
GroupedBasis Pruner::basis_without(const StateReader& reader, std::size_t atom, int group) const {
    const std::vector<PrunedSet>& sets = prunings_[atom].sets;
    const bool possible = sets.empty() ? group == -1 : group >= 0 && can_lose(atom, static_cast<std::size_t>(group));
    if (!possible) reader.refuse(text("entry atom_", atom, "/group: found ", group, ", which cannot lose a function"));
    return sets.empty() ? starts_[atom].basis : without_one(sets.back().basis, static_cast<std::size_t>(group));
}

// Reads the sets and trials of an atom.
void Pruner::read_atom(const StateReader& reader, std::size_t atom) {
    Pruning& pruning = prunings_[atom];
    const std::string of = text("atom_", atom, "/");
    const auto count = static_cast<std::size_t>(reader.get_int(of + "sets", 0, most_sets));
    pruning.energies = reader.get_int(of + "energies", count > 0 ? 1 : 0, most_energies);
    SetReader sets(reader, of, count, problem_.spinor_weight);
    for (const std::int32_t group : reader.get<std::int32_t>(of + "group", count)) {
        PrunedSet set = sets.next(basis_without(reader, atom, group), group);
        if (limits_.empty() || !(limits_[atom].energy < 0) || set.energy < limits_[atom].floor ||
            !is_accurate(atom, set))
            reader.refuse(text("entry ", of, "energy: found ", set.energy, ", which is not within ",
                               problem_.largest_error, " of the limit"));
        pruning.sets.push_back(std::move(set));
    }
    read_trials(reader, atom);
    pruning.finished = pruning.sets.empty() && pruning.energies > 0;
    if (!pruning.sets.empty()) accept_trials(atom);
}

void Pruner::read_trials(const StateReader& reader, std::size_t atom) {
    Pruning& pruning = prunings_[atom];
    const std::string of = text("atom_", atom, "/");
    const std::size_t groups = pruning.trials.size();
    const auto cost = reader.get_reals(of + "cost", groups);
    const auto fresh = get_counts(reader, of + "fresh", groups, 0, 1);
    SetReader trials(reader, of + "trial_", static_cast<std::size_t>(std::count(fresh.begin(), fresh.end(), 1)),
                     problem_.spinor_weight);
    for (std::size_t g = 0; g < groups; ++g) {
        pruning.trials[g].cost = cost[g];
        if (fresh[g] == 0) continue;
        const auto group = static_cast<int>(g);
        PrunedSet set = trials.next(basis_without(reader, atom, group), group);
        const bool good = set.energy >= limits_[atom].floor && set.energy < 0 &&
                          cost[g] == value(atom, set) - value(atom, pruning.sets.back());
        if (!good && !(set.energy == 0 && cost[g] == impossible))
            reader.refuse(text("entry ", of, "trial_energy: found ", set.energy, " of group ", group,
                               ", whose cost is ", cost[g]));
        pruning.trials[g] = {cost[g], true, std::move(set)};
    }
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
    for (std::size_t i = 0; i < count; ++i)
        reader.require_valid([&] { validate(problem, starts[i], text("candidates[", i, "]")); });
    auto pruner = std::make_unique<Pruner>(context, problem, std::move(starts), get_backends(reader));
    pruner->limits_ = get_limits(reader, pruner->starts_, false);
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < count; ++i) {
        pruner->read_atom(reader, i);
        candidates.push_back(pruner->limits_.empty() || pruner->prunings_[i].finished ? pruner->starts_[i]
                                                                                      : pruner->next_candidate(i));
    }
    const Optimiser::Records records = get_records(reader, candidates, problem.spinor_weight);
    for (std::size_t i = 0; i < count; ++i) {
        if (records[i].empty()) continue;
        if (pruner->limits_.empty() || pruner->prunings_[i].finished)
            reader.refuse(text("entry energies/count: found ", records[i].size(), " at [", i, "], expected 0"));
        require_judged_by(reader, i, pruner->limits_[i], records[i]);
        pruner->begin(i, records[i]);
    }
    warn_of_other_rounding(context, "dfr", saved_rounding(reader));
    return pruner;
}

}  // namespace legato::dfr
