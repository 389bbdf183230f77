// Correlations of singlet pairs on nearest-neighbour bonds (A. Paramekanti, M. Randeria and N. Trivedi, PRB 70, 054504
// (2004), their F of two bonds' directions and the distance of these):
//     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over i,    a, b = x, y,
//     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2,
// half of |singlet> <no electrons| times the square root of 2, so that F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2.
// An electron operator beyond an antiperiodic boundary is minus the one within, so that a pair on a bond through such a
// boundary has the opposite sign; where the bond begins then does not matter, and F has the cluster's period.
#pragma once

#include <span>

#include "vmc/determinant.hpp"

namespace legato::vmc {

// Adds the local values of a configuration, [2][2][sites]: a, b, displacement. The model needs its displacements.
//
// <C| B+_a(i) B_b(j) takes a pair of opposite spins off the bond from i and puts one onto that from j, of which both
// sites are empty then: an empty bond, one that shares an electron's site, or the same bond. With up electron k at r
// and down electron l at s that come to x and y, each of the two ways round contributes a quarter of
//     R = P(x, k) Q(l, y) + I(l, k) (phi(x - y) - P(x, .) . u(y)),
//     P(x, .) = sum_j phi(x - s_j) I(j, .),  u(y)_i = phi(r_i - y),  Q(l, y) = I(l, .) . u(y),
// and no sign: c+_(x up) c_(r up) and c+_(y down) c_(s down) act in place, and pairs of operators commute.
void add_pair_correlations(const Model& model, const Determinant& determinant, std::span<double> sums);

}  // namespace legato::vmc
