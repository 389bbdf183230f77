// Angular coefficients of the exchange between closed shells.
#pragma once

#include <vector>

#include "dfr/params.hpp"

namespace legato::dfr {

// Returns the 3j symbol (j1 j2 j3; m1 m2 m3). All arguments are twice the quantum numbers.
double wigner_3j(int j1, int j2, int j3, int m1, int m2, int m3);

// Returns b_nu(kappa, kappa') = (j nu j'; 1/2 0 -1/2)^2, a squared 3j symbol. It is 0 unless |j-j'| <= nu <= j+j' and
// l+l'+nu is even (I. P. Grant, Adv. Phys. 19, 747 (1970)).
double exchange_coefficient(int species, int other, int nu);

// A term of the exchange by the Gaunt or the Breit interaction. For functions p and q of `species` and a shell with the
// components P and Q of `other`, the exchange is
//     K_pq = sum of factor int int p(1) q(2) X(1) Y(2) R(1, 2) dr1 dr2.
// The component of the shell is the opposite of that of p and q: X = Q if p is a large component, P if p is small; Y
// follows from q in the same way. R is exp(-(nu + 1/2) |x|) / (r1 r2)^(1/2) with x = ln(r1/r2), which is
// r<^nu/r>^(nu+1). With the factor `odd` it is also multiplied by the sign of x.
struct MagneticTerm {
    int nu = 0;
    double large_large = 0, small_small = 0, large_small = 0, odd = 0;  // `odd` belongs to large_small
};

// Returns the terms of both signs of nu - J for all orders J; there are none for Interaction::coulomb.
//
// Let c_J be the matrix element of C^J between the species, D = P_a Q_b - Q_a P_b, S = P_a Q_b + Q_a P_b and delta =
// kappa_b - kappa_a. The matrix elements of the vector spherical harmonics (I. P. Grant and N. C. Pyper, J. Phys. B 9,
// 761 (1976)) give, with g_nu = r<^nu/r>^(nu+1), the mean over both shells' spinors of <ab|alpha1.alpha2/r12|ba> as
//     sum_J { b_J [J/(2J-1) <D + delta/J S|g_(J-1)|D + delta/J S> +
//                  (J+1)/(2J+3) <D - delta/(J+1) S|g_(J+1)|D - delta/(J+1) S>] +
//             b'_J (kappa_a + kappa_b)^2/[J(J+1)] <S|g_J|S> },
// where b_J is exchange_coefficient() and b'_J that with -kappa_b. The Gaunt interaction is the negative of this. The
// retardation adds -1/2 (alpha1.grad1)(alpha2.grad2) r12, which gives
//     -1/2 sum_J b_J <(D d/dr + delta S/r)|w_J|(D d/dr + delta S/r)>,
//     w_J = 1/(2J+3) r<^(J+2)/r>^(J+1) - 1/(2J-1) r<^J/r>^(J-1),
// where the derivatives apply to w_J.
std::vector<MagneticTerm> magnetic_terms(Interaction interaction, int species, int other);

}  // namespace legato::dfr
