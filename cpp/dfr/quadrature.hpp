// What both engines hold of an atom: its basis functions on the points of the logarithmic grid, and the kernels of
// Coulomb and exchange.
#pragma once

#include <vector>

#include "core/matrix.hpp"
#include "dfr/log_grid.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

struct Quadrature {
    LogGrid grid;
    std::vector<double> inverse_root_radius;  // [points] r^(-1/2)
    // [species]: [points x functions], (step r)^(1/2) g(r): columns times columns summed over points are overlaps.
    std::vector<Matrix> large, small;
    std::vector<double> coulomb;  // [2 points - 1] T_0(i - j) at points - 1 + i - j
    // [species x species]: the same of sum over nu of b_nu T_nu.
    std::vector<std::vector<double>> exchange;
};

Quadrature make_quadrature(const Problem& problem, const Atom& atom);

}  // namespace legato::dfr
