// Saving and resuming. The entries of a state file of method "vmc", schema 1:
//     problem/<member of Problem, of its lattice, couplings and pair parameters>    scalars, but for the table
//     chains/sites [chains][2][pairs]
//     run/sweeps, interval, largest_drift, next_chain, drift; moves [6][2]
//     bins/done [bins done][chains][local values], under_way [chains][local values]    sums
#include <array>
#include <string_view>

#include "core/state_file.hpp"
#include "core/state_rounding.hpp"
#include "vmc/problem_state.hpp"
#include "vmc/solver.hpp"

namespace legato::vmc {
namespace {

constexpr std::string_view method = "vmc";
constexpr std::int64_t newest_schema = 1;

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

// Every site at most once in a chain.
void require_sites(const StateReader& reader, const Model& model, const std::vector<std::int32_t>& sites) {
    const std::size_t electrons = 2 * model.pairs(), count = model.geometry.sites();
    std::vector<bool> taken;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (i % electrons == 0) taken.assign(count, false);
        const auto site = static_cast<std::size_t>(sites[i]);
        if (sites[i] < 0 || site >= count || taken[site])
            reader.refuse(text("entry chains/sites: ", sites[i], " of electron ", i % electrons, " of chain ",
                               i / electrons, " is no site, or another electron's"));
        taken[site] = true;
    }
}

}  // namespace

void Solver::save(const std::filesystem::path& path) const {
    require_whole(within_stretch_, "vmc");
    StateWriter writer(method, newest_schema);
    put_problem(writer, problem());
    writer.put("chains/sites", electron_sites());
    writer.put("run/sweeps", sweeps_);
    writer.put("run/interval", interval_);
    writer.put("run/largest_drift", largest_drift_);
    writer.put("run/next_chain", static_cast<std::int64_t>(next_chain_));
    writer.put("run/drift", drift_);
    writer.put("run/moves", as_list(moves_));
    writer.put("bins/done", bins_);
    writer.put("bins/under_way", sums_);
    put_rounding(writer);
    writer.commit(path);
}

Solver::State Solver::get_state(const StateReader& reader, const Model& model) {
    const Problem& p = model.problem;
    const std::size_t chains = static_cast<std::size_t>(p.chains), values = local_values_of(p);
    State state;
    state.sites = reader.get<std::int32_t>("chains/sites", chains * 2 * model.pairs());
    require_sites(reader, model, state.sites);
    state.sweeps = reader.get_int("run/sweeps", 0, p.warm_up + p.bins * p.sweeps_per_bin);
    state.interval = reader.get_int("run/interval", 1, p.recompute_interval);
    state.largest_drift = reader.get_real("run/largest_drift");
    state.next_chain = static_cast<int>(reader.get_int("run/next_chain", 0, p.chains - 1));
    state.drift = reader.get_real("run/drift");
    state.moves = get_moves(reader);
    const auto bins = static_cast<std::size_t>(std::max<std::int64_t>(state.sweeps - p.warm_up, 0) / p.sweeps_per_bin);
    state.bins = reader.get_reals("bins/done", bins * chains * values);
    state.sums = reader.get_reals("bins/under_way", chains * values);
    return state;
}

std::unique_ptr<Solver> Solver::resume(Context& context, const std::filesystem::path& path) {
    return resume(context, StateReader(path, method, newest_schema));
}

// All is read and checked before a backend is chosen, let alone its memory taken.
std::unique_ptr<Solver> Solver::resume(Context& context, StateReader reader) {
    const Problem problem = get_problem(reader);
    State state;
    reader.require_valid([&] { state = get_state(reader, Model(problem)); });
    const std::optional<bool> rounding = saved_rounding(reader);
    reader.close();
    std::unique_ptr<Solver> solver(new Solver(context, problem, &state));
    tell_rounding(context, method, rounding);
    return solver;
}

}  // namespace legato::vmc
