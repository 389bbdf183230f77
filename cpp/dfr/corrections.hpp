// Energies beyond the Dirac-Coulomb Hamiltonian to first order: mean values with the spinors of a finished atom.
#pragma once

#include <limits>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// In hartree; NaN if unknown.
struct CorrectionEnergies {
    double gaunt = std::numeric_limits<double>::quiet_NaN();    // Interaction::gaunt without Coulomb
    double breit = std::numeric_limits<double>::quiet_NaN();    // Interaction::breit without Coulomb
    double uehling = std::numeric_limits<double>::quiet_NaN();  // vacuum polarisation (uehling.hpp)
};

// Returns the energies of an atom of a list with this problem. They are unknown without relativity, before the atom has
// ended and if it has failed. `atom` has all functions of `result`.
CorrectionEnergies corrections(const Problem& problem, const Atom& atom, const AtomResult& result, int threads);

}  // namespace legato::dfr
