// Data that both engines use: basis functions on the points of the logarithmic grid, and the integral kernels of
// Coulomb and exchange.
#pragma once

#include <array>
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

// Pairs of components of the functions p and q of a matrix element.
enum Pair : int { large_large, small_small, large_small };

// The integral kernels. They depend only on the step of the grid, so that all atoms share them. Each has 2 reach - 1
// values; the value for points i and j is at reach - 1 + i - j.
struct Kernels {
    std::size_t reach = 0;                      // number of points of the longest grid
    int species = 0;                            // largest number of species of an atom
    std::vector<double> coulomb;                // T_0
    std::vector<std::vector<double>> exchange;  // [species x species] sum over nu of b_nu T_nu
    // [Pair][species x species] kernels of the exchange by Gaunt or Breit (magnetic_terms()). Empty with
    // Interaction::coulomb.
    std::array<std::vector<std::vector<double>>, 3> magnetic;

    bool has_magnetic() const { return !magnetic[0].empty(); }
    std::size_t place(int s, int t) const {
        return static_cast<std::size_t>(s) * static_cast<std::size_t>(species) + static_cast<std::size_t>(t);
    }
    const std::vector<double>& exchange_of(int s, int t) const { return exchange[place(s, t)]; }
    const std::vector<double>& magnetic_of(std::size_t pair, int s, int t) const { return magnetic[pair][place(s, t)]; }
};

struct Quadratures {
    std::vector<Quadrature> atoms;
    Kernels kernels;
};

Quadratures make_quadratures(const Problem& problem, std::span<const Atom> atoms, int threads);

// Returns the kernels for grids of at most `reach` points and atoms of at most `species` species.
Kernels make_kernels(Interaction interaction, std::size_t reach, int species, int threads);

// Sets the kernels of the Coulomb interaction to zero, so that only Gaunt or Breit remains.
void remove_coulomb(Kernels& kernels);

// Appends to the functions of each species their derivatives with respect to ln zeta.
void append_derivatives(Quadrature& quadrature, const Atom& atom);

}  // namespace legato::dfr
