// The job of the mean repulsion that the spinors of one atom feel. Its densities are, for each species in turn, that of
// the closed shells and that of the open shell, as far as there are any.
#pragma once

#include <cstddef>
#include <vector>

#include "dfr/engine.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns whether a density is that of an open shell.
bool is_open(const Configuration& configuration, const RepulsionJob& job, std::size_t density);

// Makes the targets for the densities of the job. The first ones are the species, with all densities. They are followed
// by one target for each open shell, for the difference of the potential that it sees. Returns the indices of the
// latter [species], or -1.
std::vector<int> make_targets(const Configuration& configuration, RepulsionJob& job);

// Returns the energy of the repulsion, after the engine has computed the job. `open_target` is what make_targets() has
// returned.
double repulsion_energy(const Configuration& configuration, const RepulsionJob& job,
                        const std::vector<int>& open_target);

}  // namespace legato::dfr
