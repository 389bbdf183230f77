// Two-electron integrals in closed form:
//     R^nu(A|B) = int int A(r1) B(r2) r<^nu / r>^(nu+1) dr1 dr2
// where A and B are products of two basis functions of one component.
//
// Terms of products of small components with kappa > 0 cancel: their sum is smaller by the ratio of their exponents.
// One term of every product is therefore integrated by parts first. If r is outer (weight r^(-nu-1)) or inner (weight
// r^nu), this replaces
//     c r^(k+2) e^(-p r^2)  ->  c (k-nu)/(2p) r^k e^(-p r^2)    or    c (k+nu+1)/(2p) r^k e^(-p r^2),
// and the boundary terms of both sides cancel, except for (2 nu + 1) c c'/(4 p p') r^(k+k') between two such products.
// The remaining terms have no cancellation that grows with a ratio of exponents:
//   - all terms are positive for products of large components, and of small ones with kappa < 0;
//   - all terms are positive for nu = 0 and products within one species;
//   - otherwise terms of either sign occur, as in the multipole moments of these products, which have zeros.
// The error is less than 1e-14 `magnitude` for exponents in [1e-8, 1e20] and l <= 6.
#pragma once

namespace legato::dfr {

enum class Component { large, small };

struct FunctionPair {
    Component component = Component::large;
    int species_p = 0;
    double zeta_p = 0;
    int species_q = 0;
    double zeta_q = 0;
};

struct RepulsionIntegral {
    double value = 0;
    double magnitude = 0;  // sum of the absolute values of the terms
};

// Returns R^nu for functions that are normalised to 1. It is defined if exchange_coefficient(species_p, species_q, nu)
// is not 0 for both pairs.
RepulsionIntegral repulsion_integral(int nu, const FunctionPair& a, const FunctionPair& b);

}  // namespace legato::dfr
