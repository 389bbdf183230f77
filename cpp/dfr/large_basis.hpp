// Even-tempered exponents with which the energy is at the numerical limit, that of a complete basis.
//
// The range of exponents zeta follows from k = q/n, the slowest decay exp(-k r) of a shell (n its principal quantum
// number, q the charge that its electron sees from far away), and from gamma = sqrt(kappa^2 - (Z/c)^2):
//   - Tail: Gaussians add up to exp(-k r) with the weights exp(-k^2 / 4 zeta), whose square is the energy's error.
//   - kappa > 0: int r^kappa g^S dr is 0 for all small components, but of the order (k/c)^3 for a spinor. Diffuse
//     functions make up for this; without them the energy falls below the limit, by (k/c)^4 (zeta/k^2)^(kappa+1/2)
//     of the shell's own (a fifth of it in hydrogen-like 2p1/2). It is what makes such bases not variational.
//   - Cusp: what steep functions miss within r0 = zeta^(-1/2) is (Z r0)^(2l+3) of the energy.
//   - Point nucleus, where spinors go as r^gamma: 20 (|kappa| - gamma)^2 (Z r0)^(2 gamma), the factor found with Ar. A
//     nucleus of finite size ends this at its radius.
// Between the ends functions with the ratio beta miss about exp(-2 pi^2/ln beta) (2 pi/ln beta)^(2l) of a shell's
// energy, hence a smaller ratio for higher l. Of the total energy it is 1e-8 at 2.0, 2e-10 at 1.8 (Ar; Xe 2e-9),
// below 1e-11 at 1.6. The overlap's eigenvalues stay above 1e-10: near linear dependence leaves no function out.
//
// Energies are off by less than 3e-11 (relative) from H to Rn, and with finite nuclei to Z = 118; of this rounding is
// 1e-11 in heavy atoms with a point nucleus (tests/dfr/large_basis_test.cpp). Beyond Z = 97 a point nucleus asks for
// more than largest_exponent: hydrogen-like 118 misses 2e-9, and large_basis_reaches says no.
#pragma once

#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

inline constexpr double large_basis_error = 5e-11;  // of the energy, relative

struct Saturation {
    double error = 1e-11;  // relative, of the energy, that each end of the range is allowed
    double ratio = 1.6;    // beta of s; more where a species would have more than max_functions
    double fall = 1e-11;   // relative, of the energy: what missing diffuse functions of kappa > 0 may lower it by
};

// [species][function], ascending; none for a species without electrons. Nucleus and configuration are those of an atom
// that validate() lets pass.
std::vector<std::vector<double>> large_basis(const Problem& problem, const Nucleus& nucleus,
                                             const Configuration& configuration, const Saturation& saturation = {});

// Returns the relative error of the energy in the large basis: large_basis_error, and beyond Z = 97 what a point
// nucleus misses because exponents end at largest_exponent.
double limit_error(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration);

// Whether no exponent beyond largest_exponent is needed: the energy is within large_basis_error.
bool large_basis_reaches(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration);

}  // namespace legato::dfr
