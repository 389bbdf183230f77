// Local values O(C) = <C|O|Psi> / <C|Psi> of a configuration.
#pragma once

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// The last two are scratch memory, kept from call to call.
LocalValues local_values(const Model& model, const Determinant& determinant, AlignedVector& products,
                         AlignedVector& phi);

}  // namespace legato::vmc
