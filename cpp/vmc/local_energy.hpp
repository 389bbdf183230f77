// Local values O(C) = <C|O|Psi> / <C|Psi> of a configuration.
#pragma once

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

LocalValues local_values(const Model& model, const Determinant& determinant);

// Adds the correlations of a configuration, [2][sites].
void add_correlations(const Model& model, const Configuration& configuration, std::span<double> sums);

}  // namespace legato::vmc
