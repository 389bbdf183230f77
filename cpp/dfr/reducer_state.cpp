// The state file of method "dfr_reducer", schema 1. It contains the entries of dfr/optimiser_state.hpp, whose only
// candidate is the whole set, and for N finished stages
//     reducer/<member of ReducerParams>, under_way    limit is the one that the run has found
//     stages/count, kind, l, chosen, energies, energy [N], parameters [4 N]
// If a stage is under way, it also contains the energies of its candidates and its
// backends.
#include <cmath>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/reducer.hpp"

namespace legato::dfr {
namespace {

void put_stages(StateWriter& writer, const std::vector<ReducerStage>& stages) {
    std::vector<std::int32_t> kind, l, chosen;
    std::vector<std::int64_t> energies;
    std::vector<double> energy, parameters;
    for (const ReducerStage& stage : stages) {
        kind.push_back(static_cast<std::int32_t>(stage.kind));
        l.push_back(stage.l);
        chosen.push_back(stage.chosen);
        energies.push_back(stage.energies);
        energy.push_back(stage.energy);
        const WellTempered& w = stage.parameters;
        parameters.insert(parameters.end(), {w.alpha, w.beta, w.delta, w.gamma});
    }
    writer.put("stages/count", static_cast<std::int64_t>(stages.size()));
    writer.put("stages/kind", kind);
    writer.put("stages/l", l);
    writer.put("stages/chosen", chosen);
    writer.put("stages/energies", energies);
    writer.put("stages/energy", energy);
    writer.put("stages/parameters", parameters);
}

std::vector<ReducerStage> get_stages(const StateReader& reader) {
    const auto count = static_cast<std::size_t>(reader.get_int("stages/count", 0, 2 * max_symmetries));
    const auto kind = reader.get<std::int32_t>("stages/kind", count), l = reader.get<std::int32_t>("stages/l", count),
               chosen = reader.get<std::int32_t>("stages/chosen", count);
    const auto energies = reader.get_ints("stages/energies", count);
    const auto energy = reader.get_reals("stages/energy", count), p = reader.get_reals("stages/parameters", 4 * count);
    std::vector<ReducerStage> stages;
    for (std::size_t i = 0; i < count; ++i)
        stages.push_back({static_cast<StageKind>(kind[i]),
                          l[i],
                          chosen[i],
                          {p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]},
                          energy[i],
                          energies[i]});
    return stages;
}

// Returns the relative error of a limit. That of a point nucleus also has a rounding error (rounding_of_limit()), which
// is not saved; 1e-7 is more than it can be.
double error_of_limit(const ReducerProblem& problem) {
    return large_basis_error + (problem.nucleus.model == NuclearModel::point ? 1e-7 : 0.0);
}

// Refuses a stage that cannot have been within the accuracy of a limit. Another backend may find the limit slightly
// higher or lower.
void require_stage(const StateReader& reader, const ReducerStage& stage, std::size_t at, const ReducerProblem& problem,
                   double limit) {
    const double above = stage.energy - limit, bound = std::abs(limit), error = error_of_limit(problem);
    if (!(above <= (problem.accuracy + error) * bound && above >= -2 * error * bound && limit < 0))
        reader.refuse(text("entry stages/energy: found ", stage.energy, " at [", at, "], which is not within ",
                           problem.accuracy, " of the limit ", limit));
    if (stage.energies < 1)
        reader.refuse(text("entry stages/energies: found ", stage.energies, " at [", at, "], expected 1 or more"));
}

// Checks the records of the stage under way. A calculated limit was calculated anew for each stage, perhaps by another
// backend. If a given limit is too low, energies above it may have collapsed, too.
void require_records(const StateReader& reader, const ReducerProblem& problem, double limit,
                     const Optimiser::Records& records) {
    const bool given = problem.limit != 0.0;
    const double lowest_good = given ? limit : limit * (1 + 2 * error_of_limit(problem)),
                 above_collapsed = given ? 0 : limit;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const bool failed = records[i].size() == 1 && records[i][0].kind == EnergyKind::failed;
        if (!(limit < 0) && !records[i].empty() && !failed)
            reader.refuse(text("entry reducer/limit: found ", limit, ", which is no limit"));
        require_consistent_kinds(reader, i, {limit, lowest_good, above_collapsed}, records[i]);
    }
}

}  // namespace

void Reducer::write(StateWriter& writer) const {
    put_problem(writer, problem_.optimiser);
    put_candidates(writer, {whole_candidate(problem_)});
    ReducerParams params = problem_;
    params.limit = limit_;
    put_parameters(writer, params, "reducer");
    put_stages(writer, stages_);
    writer.put("reducer/under_way", static_cast<int>(optimiser_ != nullptr));
    if (optimiser_) {
        put_records(writer, optimiser_->records());
        put_backends(writer, optimiser_->backends());
    }
    put_rounding(writer);
}

// Repeats the choices of the file. An optimiser that did not reach the accuracy ends in the same way again.
std::unique_ptr<Reducer> Reducer::read(Context& context, const StateReader& reader) {
    ReducerProblem problem;
    problem.optimiser = get_problem(reader);
    const std::vector<Candidate> whole = get_candidates(reader, problem.optimiser);
    if (whole.size() != 1 || whole[0].basis.groups.size() != 1 ||
        whole[0].basis.groups[0].form != GroupForm::well_tempered)
        reader.refuse("entry candidates/count: expected one candidate of one well-tempered group");
    problem.nucleus = whole[0].nucleus;
    problem.configuration = whole[0].configuration;
    problem.start = well_tempered_of(whole[0].basis.groups[0]);
    get_parameters(reader, problem, "reducer");
    const double limit = problem.limit;
    problem.limit = whole[0].limit;
    std::unique_ptr<Reducer> reducer;
    reader.require_valid([&] { reducer = std::make_unique<Reducer>(context, problem); });
    reducer->limit_ = limit;
    for (const ReducerStage& stage : get_stages(reader)) {
        const std::size_t at = reducer->stages_.size();
        if (!reducer->is_next_stage(stage))
            reader.refuse(text("entry stages/chosen: found an impossible choice at [", at, "]"));
        require_stage(reader, stage, at, problem, reducer->limit_);
        reducer->choose(stage);
        reader.require_valid([&] { exponents_of(reducer->basis_); });
    }
    const bool under_way = reader.get_int("reducer/under_way", 0, reducer->finished() ? 0 : 1) != 0;
    reader.require_known("reducer");
    if (!under_way) return reducer;
    const std::vector<Candidate> candidates = reducer->candidates();
    const Optimiser::Records records = get_records(reader, candidates, 0.0);
    require_records(reader, problem, reducer->limit_, records);
    reader.require_valid([&] { reducer->begin_stage(records, get_backends(reader)); });
    warn_of_other_rounding(context, "dfr", saved_rounding(reader));
    return reducer;
}

}  // namespace legato::dfr
