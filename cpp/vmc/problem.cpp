#include "vmc/problem.hpp"

#include <cmath>

#include "core/validate.hpp"

namespace legato::vmc {
namespace {

constexpr std::int64_t most_sweeps = std::int64_t{1} << 40;

void validate_couplings(const Couplings& c) {
    constexpr double most = 1e6;
    require_real("vmc.params.t", c.t, -most, most);
    require_real("vmc.params.t_prime", c.t_prime, -most, most);
    require_real("vmc.params.t_double_prime", c.t_double_prime, -most, most);
    require_real("vmc.params.j", c.j, -most, most);
}

void validate_sampling(const Problem& p) {
    require_integer("vmc.params.chains", p.chains, 1, max_chains);
    require_integer("vmc.params.warm_up", p.warm_up, 0, most_sweeps);
    require_integer("vmc.params.bins", p.bins, 1, 1 << 20);
    require_integer("vmc.params.sweeps_per_bin", p.sweeps_per_bin, 1, most_sweeps / p.bins);
    require_integer("vmc.params.sweep_factor", p.sweep_factor, 1, 100);
    require_real("vmc.params.neighbour_share", p.neighbour_share, 0, 1);
    require_integer("vmc.params.recompute_interval", p.recompute_interval, 1, 1000000);
    require_real("vmc.params.drift_bound", p.drift_bound, 1e-14, 1);
    require_integer("vmc.params.start_attempts", p.start_attempts, 1, 1 << 30);
    require_real("vmc.params.least_reciprocal_condition", p.least_reciprocal_condition, 0, 1);
}

}  // namespace

int electrons_at(const Lattice& lattice, double doping) {
    require_real("vmc.doping", doping, 0, 1);
    const double wanted = static_cast<double>(sites_of(lattice)) * (1 - doping);
    return 2 * static_cast<int>(std::ceil(wanted / 2 - 1e-9));
}

void validate(const Problem& p) {
    validate(p.lattice);
    const std::int64_t sites = sites_of(p.lattice);
    require_integer("vmc.params.electrons", p.electrons, 2, sites);
    if (p.electrons % 2 != 0)
        fail(Status::invalid_argument, "vmc.params.electrons: ", p.electrons, " is odd; half of them are up");
    validate_couplings(p.couplings);
    validate(p.pair, sites);
    validate_sampling(p);
    if (p.gradients && (!p.pair.table.empty() || p.pair.delta == 0))
        fail(Status::invalid_argument, "vmc.params.gradients: 1 needs a pair function of parameters: vmc.params.delta ",
             "must not be 0, and no table may be given");
}

Model::Model(const Problem& p) : problem(p), geometry(p.lattice), pair(pair_function(geometry, p.pair)) {
    const bool displaced = problem.correlations || problem.pair_correlations;
    for (std::size_t a = 0; displaced && a < geometry.sites(); ++a)
        for (std::size_t b = 0; b < geometry.sites(); ++b) displacements.push_back(geometry.difference(b, a).site);
    for (std::size_t parameter = 0; problem.gradients && parameter < variational_parameters; ++parameter)
        derivatives.push_back(pair_derivative(geometry, problem.pair, static_cast<Parameter>(parameter)));
    if (pair.modes > pairs())
        fail(Status::invalid_argument, "vmc.params.electrons: ", p.electrons, " are ", pairs(), " pairs, but ",
             pair.modes, " wave vectors have an infinite pair amplitude; take at least as many pairs");
}

}  // namespace legato::vmc
