// The derivatives of an atom's energy with respect to the logarithms of its exponents.
//
// Let p be a basis function, p' its derivative with respect to ln zeta_p, and c_pa its coefficient in shell a with f_a
// electrons. The energy is stationary with respect to the coefficients. Its derivative is therefore
//     dE / d ln zeta_p = 2 sum_a f_a c_pa <p'|F_a|a> - 2 sum_ab e_ab c_pa <p'|b>,   e_ab = f_a <a|F_a|b>,
// where F_a is the Fock operator of shell a. The second sum comes from the orthonormality of the shells, and e_ab is
// symmetric where the energy is stationary (P. Pulay, Mol. Phys. 17, 197 (1969)). p stands for both of its components.
//
// The elements of the repulsion with p' come from the same engine as those of the iterations: it gets a basis that
// also has the functions p'.
#pragma once

#include <vector>

#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr {

using ExponentGradient = std::vector<std::vector<double>>;  // [species][function]

// Returns the atom with each function twice: those of the engine that computes the derivatives.
Atom with_derivatives(Atom atom);

// Returns the job of the last iteration of a field that has converged, for an engine whose quadratures have
// derivatives. `atom` is the index of the atom in that engine.
RepulsionJob derivative_job(const SelfConsistentField& field, std::size_t atom);

// Returns dE / d ln zeta [functions] of a species from that job, after the engine has computed it. It is NaN if
// functions of the species have been left out because of near linear dependence: the energy is not stationary in that
// space. With extended kinetic balance only large components count: the energy hardly depends on small components among
// so many.
std::vector<double> exponent_gradient(const Problem& problem, const Atom& atom, const SelfConsistentField& field,
                                      const RepulsionJob& job, std::size_t species);

}  // namespace legato::dfr
