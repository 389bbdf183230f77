// The check of a matrix in compressed rows, and the order of its rows.
#pragma once

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// prepare() of a Hamiltonian that is a matrix.
void prepare_matrix(Hamiltonian& hamiltonian, int threads);

}  // namespace legato::kpm
