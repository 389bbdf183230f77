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

// Returns the energy of the interaction without Coulomb.
double mean_value(Problem problem, Interaction interaction, const Atom& atom, RepulsionJob job, int threads) {
    problem.interaction = interaction;
    Quadratures quadratures = make_quadratures(problem, std::span(&atom, 1), threads);
    remove_coulomb(quadratures.kernels);
    make_targets(atom.configuration, job);
    const std::unique_ptr<Engine> engine = make_cpu_engine();
    engine->load(quadratures, threads);
    engine->compute_repulsion(std::span(&job, 1));
    return repulsion_energy(atom.configuration, job);
}

}  // namespace

CorrectionEnergies corrections(const Problem& problem, const Atom& atom, const AtomResult& result, int threads) {
    CorrectionEnergies energies;
    const bool has_spinors = result.status >= AtomStatus::converged && !result.species.empty();
    if (!problem.relativistic || !has_spinors) return energies;
    const RepulsionJob job = job_of(atom.configuration, result);
    energies.gaunt = mean_value(problem, Interaction::gaunt, atom, job, threads);
    energies.breit = mean_value(problem, Interaction::breit, atom, job, threads);
    energies.uehling = uehling_energy(problem, atom, result, threads);
    return energies;
}

}  // namespace legato::dfr
