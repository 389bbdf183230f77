// A number by which Hamiltonians are compared without their elements.
#pragma once

#include <cstdint>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// Returns a hash of a prepared Hamiltonian. Matrices that differ only in their index base or in stored zeros have the
// same one.
std::int64_t fingerprint(const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
