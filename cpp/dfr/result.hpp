// The result of the Dirac-Fock-Roothaan method for one atom.
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
    collapsed = 5,      // converged, but the energy is below the limit energy
    unbound = 6,        // converged, but an occupied spinor has a positive energy: only the basis confines it
    not_compared = 7,   // converged, but the limit energy is not known: the energy in a large basis does not converge,
                        // or it is not a minimum (open_shells.hpp)
};

struct Species {
    std::vector<double>
        orbital_energies;  // [n] energies of the positive-energy states, ascending; state k is the shell with index k
    Matrix large, small;   // [functions x n] coefficients of these states
    int functions_left_out = 0;  // number lost to near linear dependence, large and small together
};

struct AtomResult {
    AtomStatus status = AtomStatus::waiting;
    int iterations = 0;
    double energy = 0, kinetic = 0, nuclear = 0, repulsion = 0;  // kinetic: <c alpha.p>, or <p^2/2>
    double gradient = 0;                                         // largest element of the commutator, hartree
    double limit = 0;              // limit that the energy was compared with; 0 if it was not
    std::vector<Species> species;  // none before the first iteration or after a failure

    double virial_ratio() const { return kinetic != 0.0 ? -(nuclear + repulsion) / kinetic : 0.0; }
};

}  // namespace legato::dfr
