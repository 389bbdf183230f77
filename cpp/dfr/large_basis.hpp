// Even-tempered exponents whose energy is at the limit energy, that of a complete basis.
//
// The range of exponents zeta follows from k = q/n and from gamma = sqrt(kappa^2 - (Z/c)^2). The slowest decay of a
// shell is exp(-k r), where n is its principal quantum number and q the charge that its electron sees from far away.
//   - Tail: exp(-k r) is a sum of Gaussians with the weights exp(-k^2 / 4 zeta). The error of the energy is less
//     than the squared weight at the smallest zeta: in hydrogen 4e-8 for a weight of 1e-2, and 1e-13 for 1e-4. The code
//     is stricter: the weight itself is the error that is allowed.
//   - kappa > 0: int r^kappa g^S dr is 0 for all small components, but of the order (k/c)^3 for a spinor. Diffuse
//     functions compensate for this. Without them the energy falls below the limit by the fraction
//     (k/c)^4 (zeta/k^2)^(kappa+1/2) of the shell's energy (by a fifth of that in hydrogen-like 2p1/2). Such bases are
//     therefore not variational.
//   - Cusp: the error from functions missing within r0 = zeta^(-1/2) is the fraction (Z r0)^(2l+3) of the energy.
//   - Point nucleus: spinors go as r^gamma, and the error is 20 (|kappa| - gamma)^2 (Z r0)^(2 gamma). The factor 20 was
//     found with Ar. With a nucleus of finite size this ends at the radius of the nucleus.
// Between the ends of the range, functions with the ratio beta miss about exp(-2 pi^2/ln beta) (2 pi/ln beta)^(2l) of a
// shell's energy. The ratio is therefore smaller for higher l. The error of the total energy is 1e-8 at beta = 2.0,
// 2e-10 at 1.8 (Ar; 2e-9 for Xe), and below 1e-11 at 1.6. The eigenvalues of the overlap stay above 1e-10, so that no
// function is left out for near linear dependence.
//
// The relative error of the energy is less than 3e-11 from H to Rn, and with finite nuclei up to Z = 118. Rounding
// contributes 1e-11 in heavy atoms with a point nucleus (tests/dfr/large_basis_test.cpp). Energies of neutral Bk with a
// point nucleus in four bases differ by 2.6e-10 with Breit and by 7e-11 with Coulomb: rounding errors end the iteration
// (rounding_of_limit()). The error that the basis causes is the same with Gaunt and Breit as with Coulomb. Beyond Z =
// 97 a point nucleus needs exponents above largest_exponent: the error is 2e-9 in the hydrogen-like atom with Z = 118,
// and large_basis_is_complete() returns false.
#pragma once

#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

inline constexpr double large_basis_error = 5e-11;  // relative error of the energy

struct BasisTolerance {
    double error = 1e-11;  // relative error of the energy that each end of the range may cause
    double ratio = 1.6;    // beta of s; larger if a species would have more than max_functions
    double fall = 1e-11;   // relative decrease of the energy that missing diffuse functions of kappa > 0 may cause
};

// Returns a basis whose energy has about this relative error. Range of error: [1e-12, 1e-5]. The error that the ratio
// causes is about exp(-11.9 / ln beta): 1e-7 at 2.1, 1e-11 at 1.6.
BasisTolerance tolerance_for(double error);

// Returns the exponents [species][function], ascending; there are none for a species without electrons. Nucleus and
// configuration must be those of an atom that passes validate().
std::vector<std::vector<double>> large_basis(const Problem& problem, const Nucleus& nucleus,
                                             const Configuration& configuration, const BasisTolerance& tolerance = {});

// Returns the relative error of the energy that arises because exponents end at largest_exponent. It is 0 if a basis
// with this tolerance needs no larger ones.
double cut_off_error(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration,
                     double tolerance = BasisTolerance{}.error);

// Returns the relative error of the energy in the large basis: large_basis_error and, for a point nucleus beyond Z =
// 97, the error of the cut-off.
double limit_error(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration);

// Returns the error of the energy in a large basis, in hartree, that belongs to the gradient of its field: its square
// divided by a level distance, 1 hartree in outer shells (scf.cpp). It matters for heavy point nuclei: with exponents
// up to 1e20 rounding errors leave a gradient of 5e-3 hartree.
inline double rounding_of_limit(const AtomResult& result) {
    return result.gradient * result.gradient;
}

// Returns true if no exponent above largest_exponent is needed, so that the energy is within large_basis_error.
bool large_basis_is_complete(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration);

}  // namespace legato::dfr
