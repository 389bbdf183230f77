// Vacuum polarisation in first order: the Uehling potential of the nucleus (E. A. Uehling, Phys. Rev. 48, 55 (1935)),
//     V(r) = -(2 alpha Z / 3 pi) int rho(r') K_1(2 c |r - r'|) / |r - r'| d^3 r',   alpha = 1/c,
//     K_n(x) = int_1^inf e^(-x t) t^(n-3) (1 + 1/(2 t^2)) (t^2 - 1)^(1/2) dt,
// where rho is the nuclear charge density, normalised to 1 (L. W. Fullerton and G. A. Rinker, Phys. Rev. A 13, 1283
// (1976)).
#pragma once

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Returns V(r), in hartree. Its relative error is about 1e-13.
double uehling_potential(const Nucleus& nucleus, double speed_of_light, double r);

// Returns the expectation value of V over the density of all electrons, in hartree. The atom must have the spinors of
// `result`; NaN if there are none. The relative error from the quadrature is below 1e-10.
double uehling_energy(const Problem& problem, const Atom& atom, const AtomResult& result, int threads = 1);

}  // namespace legato::dfr
