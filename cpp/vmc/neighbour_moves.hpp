// The acceptance of a configuration's hops to nearest neighbours and exchanges with them. These are the moves of the
// Hamiltonian, whether the chain attempts them or not.
#pragma once

#include "vmc/determinant.hpp"

namespace legato::vmc {

// The numbers of such moves, and the sums of their acceptance probabilities. If several bonds join the same two sites,
// each counts.
struct NeighbourMoves {
    double hops = 0, hops_accepted = 0, exchanges = 0, exchanges_accepted = 0;
};

// Adds the moves of a configuration whose inverse is computed.
void add_neighbour_moves(const Geometry& geometry, Determinant& determinant, NeighbourMoves& moves);

}  // namespace legato::vmc
