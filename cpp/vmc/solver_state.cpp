// Saving and resuming. The entries of a state file of method "vmc", schema 2:
//     problem/    as in problem_state.hpp
//     chains/sites [chains][2][pairs]
//     run/sweeps, largest_drift, first_chain, end_chain (of the current group), next_chain; intervals [chains];
//     moves [6][2]
//     bins/done [bins done][chains][local values], under_way [chains][local values]    sums
// Schema 1 has no groups. It has run/interval, which holds for all chains.
#include <array>
#include <string_view>

#include "core/state_file.hpp"
#include "core/state_origin.hpp"
#include "vmc/problem_state.hpp"
#include "vmc/solver.hpp"

namespace legato::vmc {
namespace {

using MoveLists = std::array<std::array<std::int64_t, 2> MoveCounts::*, 6>;
constexpr MoveLists move_lists{&MoveCounts::attempts,      &MoveCounts::nulls,     &MoveCounts::hops,
                               &MoveCounts::hops_accepted, &MoveCounts::exchanges, &MoveCounts::exchanges_accepted};

std::vector<std::int64_t> as_list(const MoveCounts& moves) {
    std::vector<std::int64_t> list;
    for (const auto member : move_lists) list.insert(list.end(), (moves.*member).begin(), (moves.*member).end());
    return list;
}

MoveCounts get_moves(const StateReader& reader) {
    const std::vector<std::int64_t> list = reader.get_ints("run/moves", 2 * move_lists.size());
    MoveCounts moves;
    for (std::size_t i = 0; i < list.size(); ++i) (moves.*move_lists[i / 2])[i % 2] = list[i];
    return moves;
}

// Refuses the file if a site is invalid, or occupied twice in a chain.
void require_sites(const StateReader& reader, const Model& model, const std::vector<std::int32_t>& sites) {
    const std::size_t electrons = 2 * model.pairs(), count = model.geometry.sites();
    std::vector<bool> taken;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (i % electrons == 0) taken.assign(count, false);
        const auto site = static_cast<std::size_t>(sites[i]);
        if (sites[i] < 0 || site >= count || taken[site])
            reader.refuse(text("entry chains/sites: ", sites[i], " of electron ", i % electrons, " of chain ",
                               i / electrons, " is not a site, or has another electron"));
        taken[site] = true;
    }
}

}  // namespace

void Solver::write(StateWriter& writer) const {
    require_between_batches(within_batch_, run_name);
    put_problem(writer, problem());
    writer.put("chains/sites", electron_sites());
    writer.put("run/sweeps", sweeps_);
    writer.put("run/intervals", intervals_);
    writer.put("run/first_chain", group_.first);
    writer.put("run/end_chain", group_.end);
    writer.put("run/largest_drift", largest_drift_);
    writer.put("run/next_chain", static_cast<std::int64_t>(next_chain_));
    writer.put("run/moves", as_list(moves_));
    writer.put("bins/done", bins_);
    writer.put("bins/under_way", sums_);
    put_rounding(writer);
    put_backend(writer, backend_.backend);
}

// Reads the intervals. A file of schema 1 has one interval for all chains and does not say which chain has drifted.
std::vector<std::int64_t> Solver::get_intervals(const StateReader& reader, const Problem& p, int next_chain) {
    const auto chains = static_cast<std::size_t>(p.chains);
    if (reader.schema() == 1) {
        const std::int64_t interval = reader.get_int("run/interval", 1, p.recompute_interval);
        if (next_chain > 0 && interval < p.recompute_interval)
            reader.refuse("version 0.1 saved it after an inverse had drifted; it cannot be continued");
        return std::vector<std::int64_t>(chains, interval);
    }
    std::vector<std::int64_t> intervals = reader.get_ints("run/intervals", chains);
    for (const std::int64_t interval : intervals)
        if (interval < 1 || interval > p.recompute_interval)
            reader.refuse(text("entry run/intervals: found ", interval, ", expected 1..", p.recompute_interval));
    return intervals;
}

Solver::State Solver::get_state(const StateReader& reader, const Model& model) {
    const Problem& p = model.problem;
    const std::size_t chains = static_cast<std::size_t>(p.chains), values = local_values_of(p);
    State state;
    state.sites = reader.get<std::int32_t>("chains/sites", chains * 2 * model.pairs());
    require_sites(reader, model, state.sites);
    state.sweeps = reader.get_int("run/sweeps", 0, p.thermalisation + p.bins * p.sweeps_per_bin);
    state.largest_drift = reader.get_real("run/largest_drift");
    state.group = {0, p.chains};
    if (reader.schema() > 1) {
        state.group.first = static_cast<int>(reader.get_int("run/first_chain", 0, p.chains - 1));
        state.group.end = static_cast<int>(reader.get_int("run/end_chain", state.group.first + 1, p.chains));
    }
    state.next_chain = static_cast<int>(reader.get_int("run/next_chain", state.group.first, state.group.end - 1));
    state.intervals = get_intervals(reader, p, state.next_chain);
    state.moves = get_moves(reader);
    const std::int64_t of_group = std::max<std::int64_t>(state.sweeps - p.thermalisation, 0) / p.sweeps_per_bin,
                       bins_there = state.group.first > 0 ? p.bins : of_group;
    const auto bins = static_cast<std::size_t>(bins_there);
    state.bins = reader.get_reals("bins/done", bins * chains * values);
    state.sums = reader.get_reals("bins/under_way", chains * values);
    return state;
}

// Reads and checks everything before a backend is chosen and its memory is allocated.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader) {
    const Problem problem = get_problem(reader);
    State state;
    reader.require_valid([&] { state = get_state(reader, Model(problem)); });
    const std::optional<bool> rounding = saved_rounding(reader);
    state.backend = saved_backend(reader);
    reader.close();
    std::unique_ptr<Solver> solver(new Solver(context, problem, &state));
    warn_of_other_rounding(context, run_name, rounding);
    warn_of_other_backend(context, run_name, state.backend);
    return solver;
}

}  // namespace legato::vmc
