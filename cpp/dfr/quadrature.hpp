// Data that both engines use: basis functions on the points of the logarithmic grid, and the integral kernels of
// Coulomb and exchange.
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
    // [species]: [points x functions], (step r)^(1/2) g(r). The scalar product of two columns is the overlap of their
    // functions.
    std::vector<Matrix> large, small;
};

// The integral kernels. They depend only on the step of the grid, so that all atoms share them. Each has 2 reach - 1
// values; the value for points i and j is at reach - 1 + i - j.
struct Kernels {
    std::size_t reach = 0;                      // number of points of the longest grid
    int species = 0;                            // largest number of species of an atom
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

// Appends to the functions of each species their derivatives with respect to ln zeta.
void append_derivatives(Quadrature& quadrature, const Atom& atom);

}  // namespace legato::dfr
