// Velocity operators v = i [H, X] of a Hamiltonian (hbar = 1), where X is the position along a direction:
//     v_ij = i H_ij (x_j - x_i).
// They are Hermitian and have the pattern of the Hamiltonian without the elements that are 0.
#pragma once

#include <array>
#include <span>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

inline constexpr double max_component = 1e6;  // limit of the absolute value

// Returns the velocity of a prepared lattice along a direction: components[d] is the component of the lattice vector
// a_d along it. The position of an orbital is sum_d components[d] (n_d + positions[orbital][d]) in an infinite crystal,
// so that a hopping across a periodic edge has the length of any other one. Twists and fluxes are those of the lattice,
// on-site energies do not matter. Throws an invalid_argument that names the field, also if the Hamiltonian is a matrix.
CellLattice velocity_of(const Hamiltonian& lattice, const std::array<double, 3>& components);

// Returns the velocity of a prepared matrix from the positions of its rows along a direction. If `period` is not 0, the
// shortest difference x_j - x_i of periodic images counts; an element between two rows that are half a period apart is
// refused, because its direction is not known.
CrsMatrix matrix_velocity_of(const Hamiltonian& matrix, std::span<const double> positions, double period, int threads);

}  // namespace legato::kpm
