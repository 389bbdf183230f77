#include "dfr/corrections.hpp"

#include <cmath>
#include <span>

#include "dfr/properties.hpp"
#include "dfr/repulsion_job.hpp"
#include "dfr/shell_coupling.hpp"
#include "dfr/uehling.hpp"

namespace legato::dfr {
namespace {

// Returns the coefficients of some states, each multiplied by the square root of its number of electrons.
Matrix weighted(const Matrix& states, const DensityShells& of) {
    Matrix part = columns_in_order(states, of.indices);
    for (double& value : part.values) value *= std::sqrt(of.electrons);
    return part;
}

RepulsionJob job_of(const Configuration& configuration, const AtomResult& result) {
    RepulsionJob job;
    for (const DensityShells& of : densities_of(configuration)) {
        const Species& states = result.species[static_cast<std::size_t>(of.species)];
        job.densities.push_back({of.species, weighted(states.large, of), weighted(states.small, of)});
    }
    return job;
}

// Sets the energies of Gaunt and Breit without Coulomb. Both use the same tables of the basis functions.
void add_magnetic(CorrectionEnergies& energies, Problem problem, const Atom& atom, RepulsionJob job, int threads) {
    problem.interaction = Interaction::gaunt;
    Quadratures quadratures = make_quadratures(problem, std::span(&atom, 1), threads);
    make_targets(atom.configuration, job);
    const std::unique_ptr<Engine> engine = make_cpu_engine();
    const auto mean_value = [&] {
        remove_coulomb(quadratures.kernels);
        engine->load(quadratures, threads);
        engine->compute_repulsion(std::span(&job, 1));
        return repulsion_energy(atom.configuration, job);
    };
    energies.gaunt = mean_value();
    const Kernels& kernels = quadratures.kernels;
    quadratures.kernels = make_kernels(Interaction::breit, kernels.reach, kernels.species, threads);
    energies.breit = mean_value();
}

}  // namespace

CorrectionEnergies corrections(const Problem& problem, const Atom& atom, const AtomResult& result, int threads) {
    CorrectionEnergies energies;
    const bool has_spinors = result.status >= AtomStatus::converged && !result.species.empty();
    if (!problem.relativistic || !has_spinors) return energies;
    add_magnetic(energies, problem, atom, job_of(atom.configuration, result), threads);
    energies.uehling = uehling_energy(problem, atom, result, threads);
    return energies;
}

}  // namespace legato::dfr
