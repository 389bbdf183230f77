// Saving and resuming. The entries of a state file of method "vmc", schema 1:
//     problem/<member of Problem, of its lattice, couplings and pair parameters>    scalars, but for the table
//     chains/sites [chains][2][pairs]
//     run/sweeps, interval, largest_drift; moves [6][2]
//     bins/done [bins done][chains][local values], under_way [chains][local values]    sums
#include <array>
#include <string_view>

#include "core/state_file.hpp"
#include "vmc/solver.hpp"

namespace legato::vmc {
namespace {

constexpr std::string_view method = "vmc";
constexpr std::int64_t newest_schema = 1;

void put_lattice(StateWriter& writer, const Lattice& lattice) {
    writer.put("problem/cluster", static_cast<int>(lattice.cluster));
    writer.put("problem/length", lattice.length);
    writer.put("problem/extent_x", lattice.extents[0]);
    writer.put("problem/extent_y", lattice.extents[1]);
    writer.put("problem/boundary_x", static_cast<int>(lattice.boundary[0]));
    writer.put("problem/boundary_y", static_cast<int>(lattice.boundary[1]));
}

void put_pair(StateWriter& writer, const PairParameters& pair) {
    writer.put("problem/variational_t", pair.t);
    writer.put("problem/variational_t_prime", pair.t_prime);
    writer.put("problem/variational_t_double_prime", pair.t_double_prime);
    writer.put("problem/delta", pair.delta);
    writer.put("problem/mu", pair.mu);
    writer.put("problem/gap", static_cast<int>(pair.gap));
    writer.put("problem/n_pair_function", static_cast<std::int64_t>(pair.table.size()));
    writer.put("problem/pair_function", pair.table);
    writer.put("problem/divergent_zero", pair.table_with_divergent_zero);
}

void put_problem(StateWriter& writer, const Problem& p) {
    put_lattice(writer, p.lattice);
    put_pair(writer, p.pair);
    writer.put("problem/electrons", p.electrons);
    writer.put("problem/t", p.couplings.t);
    writer.put("problem/t_prime", p.couplings.t_prime);
    writer.put("problem/t_double_prime", p.couplings.t_double_prime);
    writer.put("problem/j", p.couplings.j);
    writer.put("problem/chains", p.chains);
    writer.put("problem/warm_up", p.warm_up);
    writer.put("problem/bins", p.bins);
    writer.put("problem/sweeps_per_bin", p.sweeps_per_bin);
    writer.put("problem/sweep_factor", p.sweep_factor);
    writer.put("problem/neighbour_share", p.neighbour_share);
    writer.put("problem/recompute_interval", p.recompute_interval);
    writer.put("problem/drift_bound", p.drift_bound);
    writer.put("problem/start_attempts", p.start_attempts);
    writer.put("problem/least_reciprocal_condition", p.least_reciprocal_condition);
    writer.put("problem/seed", p.seed);
    writer.put("problem/correlations", p.correlations);
    writer.put("problem/gradients", p.gradients);
}

int get_small(const StateReader& reader, std::string_view name) {
    constexpr std::int64_t most = 2147483647;
    return static_cast<int>(reader.get_int(name, -most, most));
}

Lattice get_lattice(const StateReader& reader) {
    return {static_cast<Cluster>(get_small(reader, "problem/cluster")),
            get_small(reader, "problem/length"),
            {get_small(reader, "problem/extent_x"), get_small(reader, "problem/extent_y")},
            {static_cast<Boundary>(get_small(reader, "problem/boundary_x")),
             static_cast<Boundary>(get_small(reader, "problem/boundary_y"))}};
}

PairParameters get_pair(const StateReader& reader) {
    PairParameters pair;
    pair.t = reader.get_real("problem/variational_t");
    pair.t_prime = reader.get_real("problem/variational_t_prime");
    pair.t_double_prime = reader.get_real("problem/variational_t_double_prime");
    pair.delta = reader.get_real("problem/delta");
    pair.mu = reader.get_real("problem/mu");
    pair.gap = static_cast<GapConvention>(get_small(reader, "problem/gap"));
    pair.table = reader.get_reals("problem/pair_function",
                                  static_cast<std::size_t>(reader.get_int("problem/n_pair_function", 0, max_sites)));
    pair.table_with_divergent_zero = reader.get_int("problem/divergent_zero", 0, 1) != 0;
    return pair;
}

Problem get_problem(const StateReader& reader) {
    Problem p;
    p.lattice = get_lattice(reader);
    p.pair = get_pair(reader);
    p.electrons = get_small(reader, "problem/electrons");
    p.couplings = {reader.get_real("problem/t"), reader.get_real("problem/t_prime"),
                   reader.get_real("problem/t_double_prime"), reader.get_real("problem/j")};
    p.chains = get_small(reader, "problem/chains");
    p.warm_up = reader.get_int("problem/warm_up");
    p.bins = reader.get_int("problem/bins");
    p.sweeps_per_bin = reader.get_int("problem/sweeps_per_bin");
    p.sweep_factor = get_small(reader, "problem/sweep_factor");
    p.neighbour_share = reader.get_real("problem/neighbour_share");
    p.recompute_interval = get_small(reader, "problem/recompute_interval");
    p.drift_bound = reader.get_real("problem/drift_bound");
    p.start_attempts = get_small(reader, "problem/start_attempts");
    p.least_reciprocal_condition = reader.get_real("problem/least_reciprocal_condition");
    p.seed = reader.get_int("problem/seed");
    p.correlations = reader.get_int("problem/correlations", 0, 1) != 0;
    p.gradients = reader.get_int("problem/gradients", 0, 1) != 0;
    reader.require_valid([&] { validate(p); });
    return p;
}

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
    StateWriter writer(method, newest_schema);
    put_problem(writer, problem());
    std::vector<std::int32_t> sites(static_cast<std::size_t>(problem().chains) * 2 * model_.pairs());
    engine_->store(sites);
    writer.put("chains/sites", sites);
    writer.put("run/sweeps", sweeps_);
    writer.put("run/interval", interval_);
    writer.put("run/largest_drift", largest_drift_);
    writer.put("run/moves", as_list(moves_));
    writer.put("bins/done", bins_);
    writer.put("bins/under_way", sums_);
    writer.commit(path);
}

std::unique_ptr<Solver> Solver::resume(Context& context, const std::filesystem::path& path) {
    return resume(context, StateReader(path, method, newest_schema));
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
    state.moves = get_moves(reader);
    const auto bins = static_cast<std::size_t>(std::max<std::int64_t>(state.sweeps - p.warm_up, 0) / p.sweeps_per_bin);
    state.bins = reader.get_reals("bins/done", bins * chains * values);
    state.sums = reader.get_reals("bins/under_way", chains * values);
    return state;
}

std::unique_ptr<Solver> Solver::resume(Context& context, const StateReader& reader) {
    const Problem problem = get_problem(reader);
    State state;
    reader.require_valid([&] { state = get_state(reader, Model(problem)); });
    return std::unique_ptr<Solver>(new Solver(context, problem, &state));
}

}  // namespace legato::vmc
