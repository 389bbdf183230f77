// Derivatives by the pair function's parameters: of ln Psi, and of the local energy.
#pragma once

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// Puts them beside the energy that is in `values`, where problem.gradients and gradients_by ask for them.
void add_derivatives(const Model& model, const Determinant& determinant, LocalValues& values);

}  // namespace legato::vmc
