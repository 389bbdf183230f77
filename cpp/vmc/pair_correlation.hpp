// Correlations of singlet pairs on nearest-neighbour bonds. F depends on the directions of two bonds and the distance
// between them (A. Paramekanti, M. Randeria and N. Trivedi, PRB 70, 054504 (2004)):
//     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over i,    a, b = x, y,
//     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2.
// B+ is |singlet> <no electrons| divided by the square root of 2, and therefore
//     F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2.
// An electron operator beyond an antiperiodic boundary is minus the one within. A pair on a bond through such a
// boundary therefore has the opposite sign. It does not matter then at which end the bond begins, and F has the period
// of the cluster.
#pragma once

#include <span>

#include "vmc/determinant.hpp"

namespace legato::vmc {

// Adds the local values of a configuration, [2][2][sites]: a, b, displacement. The model needs its displacements.
//
// <C| B+_a(i) B_b(j) moves a pair of opposite spins from the bond at i to the bond at j, whose sites must then be
// empty. The new bond is an empty bond, one that shares an electron's site, or the same bond. Up electron k moves from
// r to x, and down electron l from s to y. Each of the two orientations of the pair contributes a quarter of
//     R = P(x, k) Q(l, y) + I(l, k) (phi(x - y) - P(x, .) . u(y)),
//     P(x, .) = sum_j phi(x - s_j) I(j, .),  u(y)_i = phi(r_i - y),  Q(l, y) = I(l, .) . u(y).
// There is no sign: c+_(x up) c_(r up) and c+_(y down) c_(s down) act in place, and pairs of operators commute.
void add_pair_correlations(const Model& model, const Determinant& determinant, std::span<double> sums);

}  // namespace legato::vmc
