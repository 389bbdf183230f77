// Written by tools/parameters.py from capi/include/legato/vmc.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "legato/vmc.h"
#include "vmc/params.hpp"

namespace legato::capi {

static_assert(static_cast<int>(vmc::Cluster::tilted) == LEGATO_VMC_CLUSTER_TILTED);
static_assert(static_cast<int>(vmc::Cluster::rectangular) == LEGATO_VMC_CLUSTER_RECTANGULAR);
static_assert(static_cast<int>(vmc::Boundary::periodic) == LEGATO_VMC_BOUNDARY_PERIODIC);
static_assert(static_cast<int>(vmc::Boundary::antiperiodic) == LEGATO_VMC_BOUNDARY_ANTIPERIODIC);
static_assert(static_cast<int>(vmc::Gap::a) == LEGATO_VMC_GAP_A);
static_assert(static_cast<int>(vmc::Gap::b) == LEGATO_VMC_GAP_B);

inline legato_vmc_params to_c(const vmc::Params& p) {
    legato_vmc_params c{};
    c.struct_size = sizeof(c);
    c.cluster = static_cast<int32_t>(p.lattice.cluster);
    c.length = p.lattice.length;
    c.extents[0] = p.lattice.extents[0];
    c.extents[1] = p.lattice.extents[1];
    c.boundary[0] = static_cast<int32_t>(p.lattice.boundary[0]);
    c.boundary[1] = static_cast<int32_t>(p.lattice.boundary[1]);
    c.electrons = p.electrons;
    c.gap = static_cast<int32_t>(p.pair.gap);
    c.t = p.couplings.t;
    c.t_prime = p.couplings.t_prime;
    c.t_double_prime = p.couplings.t_double_prime;
    c.j = p.couplings.j;
    c.variational_t = p.pair.variational_t;
    c.variational_t_prime = p.pair.variational_t_prime;
    c.variational_t_double_prime = p.pair.variational_t_double_prime;
    c.delta = p.pair.delta;
    c.mu = p.pair.mu;
    c.chains = p.chains;
    c.sweep_factor = p.sweep_factor;
    c.thermalisation = p.thermalisation;
    c.bins = p.bins;
    c.sweeps_per_bin = p.sweeps_per_bin;
    c.neighbour_share = p.neighbour_share;
    c.recompute_interval = p.recompute_interval;
    c.start_attempts = p.start_attempts;
    c.drift_bound = p.drift_bound;
    c.least_reciprocal_condition = p.least_reciprocal_condition;
    c.seed = p.seed;
    c.correlations = p.correlations;
    c.pair_correlations = p.pair_correlations;
    c.gradients = p.gradients;
    c.gradients_by[0] = p.gradients_by[0];
    c.gradients_by[1] = p.gradients_by[1];
    c.gradients_by[2] = p.gradients_by[2];
    c.gradients_by[3] = p.gradients_by[3];
    return c;
}

inline void from_c(const legato_vmc_params& c, vmc::Params& p) {
    p.lattice.cluster = static_cast<vmc::Cluster>(c.cluster);
    p.lattice.length = c.length;
    p.lattice.extents[0] = c.extents[0];
    p.lattice.extents[1] = c.extents[1];
    p.lattice.boundary[0] = static_cast<vmc::Boundary>(c.boundary[0]);
    p.lattice.boundary[1] = static_cast<vmc::Boundary>(c.boundary[1]);
    p.electrons = c.electrons;
    p.pair.gap = static_cast<vmc::Gap>(c.gap);
    p.couplings.t = c.t;
    p.couplings.t_prime = c.t_prime;
    p.couplings.t_double_prime = c.t_double_prime;
    p.couplings.j = c.j;
    p.pair.variational_t = c.variational_t;
    p.pair.variational_t_prime = c.variational_t_prime;
    p.pair.variational_t_double_prime = c.variational_t_double_prime;
    p.pair.delta = c.delta;
    p.pair.mu = c.mu;
    p.chains = c.chains;
    p.sweep_factor = c.sweep_factor;
    p.thermalisation = c.thermalisation;
    p.bins = c.bins;
    p.sweeps_per_bin = c.sweeps_per_bin;
    p.neighbour_share = c.neighbour_share;
    p.recompute_interval = c.recompute_interval;
    p.start_attempts = c.start_attempts;
    p.drift_bound = c.drift_bound;
    p.least_reciprocal_condition = c.least_reciprocal_condition;
    p.seed = c.seed;
    p.correlations = flag_from_c("vmc.params.correlations", c.correlations);
    p.pair_correlations = flag_from_c("vmc.params.pair_correlations", c.pair_correlations);
    p.gradients = flag_from_c("vmc.params.gradients", c.gradients);
    p.gradients_by[0] = flag_from_c("vmc.params.gradients_by[0]", c.gradients_by[0]);
    p.gradients_by[1] = flag_from_c("vmc.params.gradients_by[1]", c.gradients_by[1]);
    p.gradients_by[2] = flag_from_c("vmc.params.gradients_by[2]", c.gradients_by[2]);
    p.gradients_by[3] = flag_from_c("vmc.params.gradients_by[3]", c.gradients_by[3]);
}

}  // namespace legato::capi
