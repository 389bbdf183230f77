#include "vmc/problem.hpp"

#include <cmath>

#include "core/parameter.hpp"

namespace legato::vmc {
namespace {

constexpr std::int64_t most_sweeps = std::int64_t{1} << 40;

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
    require_parameters("vmc.params", p);
    validate(p.table, sites);
    require_integer("vmc.params.sweeps_per_bin", p.sweeps_per_bin, 1, most_sweeps / p.bins);
    if (p.gradients && (!p.table.values.empty() || p.pair.delta == 0))
        fail(Status::invalid_argument, "vmc.params.gradients: 1 needs a pair function of parameters: vmc.params.delta ",
             "must not be 0, and no table may be given");
}

// Chains, and the tables that each rank computes, are rounded alike only if all ranks fuse operations, or none.
void add_problem(Comparison& comparison, const Problem& p) {
    comparison.add_parameters("vmc.params", p);
    comparison.add("vmc.pair_function", p.table.values);
    comparison.add("vmc.divergent_zero", p.table.divergent_zero);
    comparison.add_rounding();
}

Model::Model(const Problem& p) : problem(p), geometry(p.lattice), pair(pair_function(geometry, p.pair, p.table)) {
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
