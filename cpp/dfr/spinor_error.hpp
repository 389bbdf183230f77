// The part of an atom's occupied spinors that a basis cannot represent.
//
// The energy of a heavy atom is that of its inner shells, so a basis with a small error of the energy may describe the
// outer spinors badly. Their error is measured by their projection on the basis. With a spinor phi_a of a complete
// basis, normalised to 1, and the projector P on the large and the small components of the basis, it is
//     D = sum_a (1 - <phi_a|P|phi_a>),
// the sum over the occupied spinors of the squared norm of the missing part. No field is needed to compute it.
#pragma once

#include <span>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/start.hpp"

namespace legato::dfr {

struct SpinorError {
    double error = 0;                           // D; NaN if the functions are linearly dependent
    std::vector<std::vector<double>> gradient;  // dD / d ln zeta [species][function]
};

// `spinors` are those of a complete basis. Small components are those of restricted kinetic balance.
SpinorError spinor_error(const StartSpinors& spinors, const std::vector<std::vector<double>>& exponents);

// Returns the errors of a list of atoms.
std::vector<SpinorError> spinor_errors(const std::vector<Start>& spinors, const std::vector<Atom>& atoms, int threads);

}  // namespace legato::dfr
