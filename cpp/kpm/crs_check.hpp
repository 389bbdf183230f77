// The check of a matrix in compressed rows, and the sorting of its rows.
#pragma once

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// Performs prepare() for a Hamiltonian that is a matrix.
void prepare_matrix(Hamiltonian& hamiltonian, int threads);

}  // namespace legato::kpm
