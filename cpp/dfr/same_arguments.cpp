#include "dfr/same_arguments.hpp"

#include <string>

#include "core/comparison.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/pruner.hpp"
#include "dfr/reducer.hpp"

namespace legato::dfr {
namespace {

using Names = legato::Comparison;  // dfr::Comparison is that of an energy with its limit

void add(Names& names, const std::string& of, const Nucleus& nucleus, const Configuration& configuration) {
    names.add(of + ".nucleus.charge", nucleus.charge);
    names.add(of + ".nucleus.model", nucleus.model);
    if (nucleus.model == NuclearModel::sphere || nucleus.model == NuclearModel::fermi)
        names.add(of + ".nucleus.radius", nucleus.radius);
    if (nucleus.model == NuclearModel::gaussian) names.add(of + ".nucleus.exponent", nucleus.exponent);
    if (nucleus.model == NuclearModel::fermi) names.add(of + ".nucleus.skin", nucleus.skin);
    names.add(of + ".configuration.closed", configuration.closed);
    names.add(of + ".configuration.electrons", configuration.electrons);
    names.add(of + ".configuration.pairs", configuration.pairs);
    names.add(of + ".configuration.n_open", configuration.open.size());
    for (std::size_t k = 0; k < configuration.open.size(); ++k) {
        const OpenShell& shell = configuration.open[k];
        const std::string open = text(of, ".configuration.open[", k, "]");
        names.add(open + ".species", shell.species);
        names.add(open + ".index", shell.index);
        names.add(open + ".electrons", shell.electrons);
    }
}

void add(Names& names, const std::string& of, const WellTempered& parameters) {
    names.add(of + ".alpha", parameters.alpha);
    names.add(of + ".beta", parameters.beta);
    names.add(of + ".delta", parameters.delta);
    names.add(of + ".gamma", parameters.gamma);
}

void add(Names& names, const OptimiserProblem& problem) {
    names.add_parameters("dfr.params", problem.field);
    names.add_parameters("dfr.optimiser", problem);
}

void add(Names& names, std::span<const Candidate> candidates) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string of = text("dfr.candidates[", i, "]");
        const Candidate& candidate = candidates[i];
        add(names, of, candidate.nucleus, candidate.configuration);
        names.add(of + ".limit", candidate.limit);
        names.add(of + ".n_groups", candidate.basis.groups.size());
        names.add(of + ".group", candidate.basis.group);
        for (std::size_t g = 0; g < candidate.basis.groups.size(); ++g) {
            names.add(text(of, ".forms[", g, "]"), candidate.basis.groups[g].form);
            names.add(text(of, ".parameters[", g, "]"), candidate.basis.groups[g].parameters);
        }
        for (std::size_t s = 0; s < candidate.basis.ranges.size(); ++s) {
            const std::string species = name_of(static_cast<int>(s));
            names.add(text(of, ".first[", species, "]"), candidate.basis.ranges[s].first);
            names.add(text(of, ".last[", species, "]"), candidate.basis.ranges[s].last);
        }
    }
}

}  // namespace

void require_same(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    if (context.ranks() == 1) return;
    Names names;
    names.add_rounding();
    names.add_parameters("dfr.params", problem);
    names.add("dfr.n_atoms", atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const std::string of = text("dfr.atoms[", i, "]");
        add(names, of, atoms[i].nucleus, atoms[i].configuration);
        for (std::size_t s = 0; s < atoms[i].exponents.size(); ++s)
            names.add(text(of, ".exponents[", name_of(static_cast<int>(s)), "]"), atoms[i].exponents[s]);
    }
    names.require_same(context);
}

void require_same(const Context& context, const OptimiserProblem& problem, std::span<const Candidate> candidates) {
    if (context.ranks() == 1) return;
    Names names;
    names.add_rounding();
    add(names, problem);
    names.add("dfr.optimiser.n_candidates", candidates.size());
    add(names, candidates);
    names.require_same(context);
}

void require_same(const Context& context, const PrunerProblem& problem, std::span<const Candidate> starts) {
    if (context.ranks() == 1) return;
    Names names;
    names.add_rounding();
    names.add_parameters("dfr.params", problem.field);
    names.add_parameters("dfr.pruner", problem);
    names.add("dfr.pruner.n_atoms", starts.size());
    add(names, starts);
    names.require_same(context);
}

void require_same(const Context& context, const ReducerProblem& problem) {
    if (context.ranks() == 1) return;
    Names names;
    names.add_rounding();
    add(names, problem.optimiser);
    names.add_parameters("dfr.reducer", problem);
    add(names, "dfr.reducer", problem.nucleus, problem.configuration);
    add(names, "dfr.reducer.start", problem.start);
    names.require_same(context);
}

}  // namespace legato::dfr
