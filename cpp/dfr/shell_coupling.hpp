// Fock matrices of species with open shells.
#pragma once

#include <cstddef>
#include <vector>

#include "core/matrix.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {

// Returns the closed-shell Fock matrix F, changed in the rows and columns of the open shells. Its couplings then vanish
// where the energy is stationary (C. C. J. Roothaan, Rev. Mod. Phys. 32, 179 (1960)). `excess` holds X_i = F_i - F of
// each open shell; the columns of `u` are the spinors of `shells`. With f_i electrons a spinor,
//   - elements between an open shell and itself or virtual states get X_i,
//   - elements between a closed and an open shell get -f_i/(1 - f_i) X_i,
//   - elements between two open shells become (f_i F_i - f_j F_j) e / h. Here e is the distance of their levels, and
//     h = f_i <j|F_i|j> - f_i <i|F_i|i> + f_j <i|F_j|i> - f_j <j|F_j|j> the second derivative of the energy with
//     respect to a rotation of the two shells, apart from the change of the F_i. If F_i = F_j this is F. The rotation
//     has a definite angle also if f_i = f_j. e/h gets the sign of f_i - f_j, or + if they are equal, where i is the
//     lower shell: two shells with equal occupations have another stationary energy, a maximum, where they are mixed.
// If there are empty shells below an open one, virtual states get the operator of the highest such shell. They are then
// states of the same operator as this shell, and shell k is state k in the order of energy.
Matrix coupled_fock(Matrix fock, const std::vector<Matrix>& excess, const Matrix& u,
                    const std::vector<OccupiedShell>& shells, double degeneracy);

// Returns the weight of each shell in D of the gradient [F, D]: 1 for closed shells, and different ones between 0 and 1
// for open shells; 1/2 if there is only one.
std::vector<double> gradient_weights(const std::vector<OccupiedShell>& shells);

// Returns the first open shell whose spinor is not the requested state of its own Fock operator, or that is mixed with
// another open shell; otherwise -1. With the other occupied spinors projected out, the requested state is the lowest
// one that is not the place of an empty shell. The first `negative` eigenvalues belong to the continuum of negative
// energies.
int wrong_state(const Matrix& fock, const std::vector<Matrix>& excess, const Matrix& u,
                const std::vector<OccupiedShell>& shells, double degeneracy, std::size_t negative);

// Returns the columns in this order.
Matrix columns_in_order(const Matrix& a, const std::vector<std::size_t>& order);

}  // namespace legato::dfr
