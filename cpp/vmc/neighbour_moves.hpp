// How likely a configuration's electrons are to hop to nearest neighbours and to exchange places with them. These are
// the moves that H makes, whether the chain attempts them or not.
#pragma once

#include "vmc/determinant.hpp"

namespace legato::vmc {

// The numbers of such moves, and the sums of the probabilities with which they would be accepted. Bonds between the
// same sites count each.
struct NeighbourMoves {
    double hops = 0, hops_accepted = 0, exchanges = 0, exchanges_accepted = 0;
};

// Adds those of a configuration whose inverse is there.
void add_neighbour_moves(const Geometry& geometry, Determinant& determinant, NeighbourMoves& moves);

}  // namespace legato::vmc
