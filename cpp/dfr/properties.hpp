// Quantities that follow from the spinors of a finished atom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Returns the number of electrons in a state of a species. State k is the shell with index k.
double occupation(const Configuration& configuration, int species, std::size_t orbital);

// Returns <r^power> = int (P^2 + Q^2) r^power dr of one spinor. `power` must be in [-2, 10] and above -(2 l + 3). With
// small components it must also be above -(2 l' + 3), where l' is their l. Otherwise the integral diverges.
double radial_moment(const Atom& atom, const AtomResult& result, int species, std::size_t orbital, int power);

struct RadialValues {
    std::vector<double> large, small;  // [points] P and Q; Q is 0 without small components
};

// Returns P and Q of one spinor at each r. Their common sign makes P positive in its innermost lobe, which begins where
// |P| first exceeds 1e-6 of its maximum.
RadialValues radial_functions(const Atom& atom, const AtomResult& result, int species, std::size_t orbital,
                              std::span<const double> r);

// Returns 4 pi r^2 times the electron density at each r: the sum over spinors of occupation (P^2 + Q^2).
std::vector<double> radial_density(const Atom& atom, const AtomResult& result, std::span<const double> r);

}  // namespace legato::dfr
