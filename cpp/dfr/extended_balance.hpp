// More small components than restricted kinetic balance gives.
//
// The Dirac energy is the minimum over the large components of the maximum over the small ones (J. D. Talman, Phys.
// Rev. Lett. 57, 1091 (1986)). Restricted kinetic balance gives each large component one small one, so that the maximum
// is not reached everywhere. The energy is then too low, and an optimisation of exponents makes use of this. With more
// small components than large ones the energy becomes an upper bound, except for the small rest that still more of them
// would give.
//
// Two regions need them. Where the potential is not small beside 2 c^2, near the nucleus, the small component is not
// proportional to the derivative of the large one; only s1/2 and p1/2 are there. And species with kappa > 0 need
// diffuse functions (dfr/large_basis.hpp). In radon, an optimised set of 36
// functions for s lacks 6e-8 of the energy near the nucleus, and one more diffuse function of p1/2 gives 2e-11.
#pragma once

#include "dfr/gradient.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns the atom with additional functions, of which only the small component is used. Steep ones have the geometric
// means of neighbours among the steepest third of the functions, and one is beyond the last. Diffuse ones have
// fractions of the smallest exponent. In 2p1/2 of Rn85+ without exponents below 50 (k^2/40) they reduce the fall of the
// energy from 1e-2 to 3e-7 hartree (tests/dfr/extended_balance_test.cpp).
Atom with_extended_balance(const Atom& atom);

// Returns that atom if the problem asks for extended balance, and otherwise `atom`.
Atom balanced(const Problem& problem, const Atom& atom);

// Returns the derivatives with respect to the exponents that the caller gave, from those with respect to all exponents
// of an atom of with_extended_balance().
ExponentGradient restricted_gradient(const Atom& extended, const ExponentGradient& gradient);

}  // namespace legato::dfr
