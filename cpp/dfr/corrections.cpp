#include "dfr/corrections.hpp"

#include <cmath>
#include <span>

#include "dfr/properties.hpp"
#include "dfr/repulsion_job.hpp"
#include "dfr/uehling.hpp"

namespace legato::dfr {
namespace {

// Returns the coefficients of some states, each multiplied by the square root of its number of electrons.
Matrix weighted(const Matrix& states, std::size_t first, std::size_t count, double electrons) {
    Matrix part(states.rows, count);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t p = 0; p < states.rows; ++p) part(p, a) = std::sqrt(electrons) * states(p, first + a);
    return part;
}

RepulsionJob job_of(const Configuration& configuration, const AtomResult& result) {
    RepulsionJob job;
    for (std::size_t s = 0; s < result.species.size(); ++s) {
        const Species& states = result.species[s];
        const auto closed = static_cast<std::size_t>(configuration.closed[s]);
        const int species = static_cast<int>(s);
        const auto add = [&](std::size_t first, std::size_t count, double electrons) {
            if (count > 0 && electrons > 0)
                job.densities.push_back({species, weighted(states.large, first, count, electrons),
                                         weighted(states.small, first, count, electrons)});
        };
        add(0, closed, degeneracy_of(species));
        add(closed, 1, configuration.electrons[s]);
    }
    return job;
}

// Sets the energies of Gaunt and Breit without Coulomb. Both use the same tables of the basis functions.
void add_magnetic(CorrectionEnergies& energies, Problem problem, const Atom& atom, RepulsionJob job, int threads) {
    problem.interaction = Interaction::gaunt;
    Quadratures quadratures = make_quadratures(problem, std::span(&atom, 1), threads);
    const std::vector<int> open_target = make_targets(atom.configuration, job);
    const std::unique_ptr<Engine> engine = make_cpu_engine();
    const auto mean_value = [&] {
        remove_coulomb(quadratures.kernels);
        engine->load(quadratures, threads);
        engine->compute_repulsion(std::span(&job, 1));
        return repulsion_energy(atom.configuration, job, open_target);
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
