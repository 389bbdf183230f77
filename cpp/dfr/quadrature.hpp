// What both engines work with: basis functions on the points of the logarithmic grid, and the kernels of Coulomb and
// exchange.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.hpp"
#include "dfr/log_grid.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

LogGrid grid_of(const Atom& atom);

// The basis functions of one atom.
struct Quadrature {
    LogGrid grid;
    std::vector<double> inverse_root_radius;  // [points] r^(-1/2)
    // [species]: [points x functions], (step r)^(1/2) g(r): columns times columns summed over points are overlaps.
    std::vector<Matrix> large, small;
};

// The kernels, which depend on the grid's step only and so serve all atoms: [2 reach - 1] each, the value for points i
// and j at reach - 1 + i - j.
struct Kernels {
    std::size_t reach = 0;                      // as many points as the longest grid has
    int species = 0;                            // as many as the atom with most has
    std::vector<double> coulomb;                // T_0
    std::vector<std::vector<double>> exchange;  // [species x species] sum over nu of b_nu T_nu

    const std::vector<double>& exchange_of(int s, int t) const {
        return exchange[static_cast<std::size_t>(s) * static_cast<std::size_t>(species) + static_cast<std::size_t>(t)];
    }
};

struct Quadratures {
    std::vector<Quadrature> atoms;
    Kernels kernels;
};

Quadratures make_quadratures(const Problem& problem, std::span<const Atom> atoms, int threads);

}  // namespace legato::dfr
