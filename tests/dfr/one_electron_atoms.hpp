// Makes atoms with one electron, whose energies are known in closed form.
#pragma once

#include <cmath>
#include <vector>

#include "dfr/large_basis.hpp"
#include "dfr/problem.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr::tests {

// Returns one electron in the lowest state of a species.
inline Configuration one_electron_in(int species) {
    const auto count = static_cast<std::size_t>(species) + 1;
    Configuration configuration{std::vector<int>(count, 0), std::vector<double>(count, 0.0),
                                std::vector<double>(count * count, 0.0)};
    configuration.electrons.back() = 1;
    return configuration;
}

// Returns the energy c^2 [(1 + x^2)^(-1/2) - 1], in a form without cancellation.
inline double dirac_energy(double charge, double c, int species) {
    const double a = charge / c, k = std::abs(kappa_of(species));
    const double x = a / (l_of(species) + 1 - k + std::sqrt(k * k - a * a)), root = std::sqrt(1 + x * x);
    return -c * c * x * x / (root * (1 + root));
}

inline Atom large_atom(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration,
                       const BasisTolerance& tolerance = {}) {
    return {nucleus, large_basis(problem, nucleus, configuration, tolerance), configuration};
}

}  // namespace legato::dfr::tests
