#include "vmc/problem_state.hpp"

#include "core/state_fields.hpp"

namespace legato::vmc {
namespace {

template <class Fields, class P>  // Problem, or const Problem
void list_fields(const Fields& fields, P& p) {
    fields("problem/cluster", p.lattice.cluster);
    fields("problem/length", p.lattice.length);
    fields("problem/extent_x", p.lattice.extents[0]);
    fields("problem/extent_y", p.lattice.extents[1]);
    fields("problem/boundary_x", p.lattice.boundary[0]);
    fields("problem/boundary_y", p.lattice.boundary[1]);
    fields("problem/variational_t", p.pair.t);
    fields("problem/variational_t_prime", p.pair.t_prime);
    fields("problem/variational_t_double_prime", p.pair.t_double_prime);
    fields("problem/delta", p.pair.delta);
    fields("problem/mu", p.pair.mu);
    fields("problem/gap", p.pair.gap);
    fields("problem/pair_function", p.pair.table);
    fields("problem/divergent_zero", p.pair.table_with_divergent_zero);
    fields("problem/electrons", p.electrons);
    fields("problem/t", p.couplings.t);
    fields("problem/t_prime", p.couplings.t_prime);
    fields("problem/t_double_prime", p.couplings.t_double_prime);
    fields("problem/j", p.couplings.j);
    fields("problem/chains", p.chains);
    fields("problem/warm_up", p.warm_up);
    fields("problem/bins", p.bins);
    fields("problem/sweeps_per_bin", p.sweeps_per_bin);
    fields("problem/sweep_factor", p.sweep_factor);
    fields("problem/neighbour_share", p.neighbour_share);
    fields("problem/recompute_interval", p.recompute_interval);
    fields("problem/drift_bound", p.drift_bound);
    fields("problem/start_attempts", p.start_attempts);
    fields("problem/least_reciprocal_condition", p.least_reciprocal_condition);
    fields("problem/seed", p.seed);
    fields("problem/correlations", p.correlations);
    fields("problem/pair_correlations", p.pair_correlations);
    fields("problem/gradients", p.gradients);
    fields("problem/gradients_by", p.gradients_by);
}

}  // namespace

void put_problem(StateWriter& writer, const Problem& problem) {
    list_fields(PutFields(writer), problem);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    list_fields(GetFields(reader), problem);
    reader.require_valid([&] { validate(problem); });
    return problem;
}

}  // namespace legato::vmc
