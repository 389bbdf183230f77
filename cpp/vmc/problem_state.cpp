#include "vmc/problem_state.hpp"

namespace legato::vmc {
namespace {

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

}  // namespace

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
    writer.put("problem/pair_correlations", p.pair_correlations);
    writer.put("problem/gradients", p.gradients);
    writer.put("problem/gradients_by", std::vector<std::int8_t>(p.gradients_by.begin(), p.gradients_by.end()));
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
    p.pair_correlations = reader.get_int("problem/pair_correlations", 0, 1) != 0;
    p.gradients = reader.get_int("problem/gradients", 0, 1) != 0;
    const std::vector<std::int8_t> by = reader.get<std::int8_t>("problem/gradients_by", variational_parameters);
    for (std::size_t a = 0; a < variational_parameters; ++a) p.gradients_by[a] = by[a] != 0;
    reader.require_valid([&] { validate(p); });
    return p;
}

}  // namespace legato::vmc
