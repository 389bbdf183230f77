// The job of the mean repulsion that the spinors of one atom feel. Its densities are, for each species in turn, that of
// the closed shells, if there are any, and that of each open shell.
#pragma once

#include <cstddef>
#include <vector>

#include "dfr/engine.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// The shells of one density, which see the same potential.
struct DensityShells {
    int species = 0;
    double electrons = 0;              // in each shell
    int open = -1;                     // number of the open shell in OpenShells, or -1
    std::vector<std::size_t> columns;  // positions in occupied_shells()
    std::vector<std::size_t> indices;  // of the shells in their species
};
std::vector<DensityShells> densities_of(const Configuration& configuration);

// Makes the targets for the densities of the job. The first ones are the species, with all densities. They are followed
// by one target for each open shell, for the difference of the potential that it sees.
void make_targets(const Configuration& configuration, RepulsionJob& job);

// Returns the target of an open shell.
inline std::size_t target_of(const Configuration& configuration, int open) {
    return configuration.closed.size() + static_cast<std::size_t>(open);
}

// Returns the energy of the repulsion, after the engine has computed the job.
double repulsion_energy(const Configuration& configuration, const RepulsionJob& job);

}  // namespace legato::dfr
