// Derivatives of ln Psi and of the local energy by the pair function's parameters.
#pragma once

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// Adds the derivatives to `values`, which already contain the energy, if problem.gradients and gradients_by ask for
// them.
void add_derivatives(const Model& model, const Determinant& determinant, LocalValues& values);

}  // namespace legato::vmc
