// Operators whose elements are all imaginary, such as the velocities of a real Hamiltonian. With them, vectors can
// remain real.
#pragma once

#include <optional>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// Returns the real antisymmetric matrix M of a prepared operator i M, or nothing if an element is not imaginary.
std::optional<CrsMatrix> imaginary_part_of(const Hamiltonian& one, int threads);

}  // namespace legato::kpm
