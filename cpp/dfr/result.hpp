// What the Dirac-Fock-Roothaan method gives for one atom.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.hpp"

namespace legato::dfr {

enum class AtomStatus : int {
    waiting = 0,
    running = 1,
    converged = 2,
    not_converged = 3,  // max_iterations reached first; the energy is that of the last iteration
    failed = 4,         // an energy that is not finite, an eigenproblem that LAPACK could not solve, or fewer functions
                        // than shells after near linear dependence
    collapsed = 5,      // converged, but the energy is below the numerical limit
    unbound = 6,        // converged, but an occupied spinor has a positive energy: the basis alone holds it
    not_compared = 7,   // converged, but no numerical limit is known: the energy in a large basis does not converge
};

struct Species {
    std::vector<double> orbital_energies;  // [n] of the positive-energy states, ascending; occupied ones first
    Matrix large, small;                   // [functions x n] their coefficients
    int functions_left_out = 0;            // by near linear dependence, large and small together
};

struct AtomResult {
    AtomStatus status = AtomStatus::waiting;
    int iterations = 0;
    double energy = 0, kinetic = 0, nuclear = 0, repulsion = 0;  // <c alpha.p> or T; without it alone
    double gradient = 0;                                         // largest element of the commutator, hartree
    double limit = 0;                                            // with which it was compared; 0 if it was not
    std::vector<Species> species;                                // none before the first iteration or after a failure

    double virial_ratio() const { return kinetic != 0.0 ? -(nuclear + repulsion) / kinetic : 0.0; }
};

}  // namespace legato::dfr
