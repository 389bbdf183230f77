// Unit-cell lattices with known spectra, and the eigenvalues of their matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include "kpm/cell_matrix.hpp"
#include "runs.hpp"

namespace legato::kpm::tests {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};
constexpr double pi = std::numbers::pi;

// A Hermitian matrix [n][n] by rows.
struct Hermitian {
    std::size_t n;
    std::vector<Complex> values;

    explicit Hermitian(std::size_t size) : n(size), values(size * size) {}
    Complex& operator()(std::size_t row, std::size_t column) { return values[row * n + column]; }
    Complex operator()(std::size_t row, std::size_t column) const { return values[row * n + column]; }
};

inline Hermitian dense_complex(const CrsMatrix& crs) {
    Hermitian matrix(static_cast<std::size_t>(crs.rows()));
    for (std::size_t row = 0; row < matrix.n; ++row)
        for (auto k = static_cast<std::size_t>(crs.row_pointers[row]);
             k < static_cast<std::size_t>(crs.row_pointers[row + 1]); ++k)
            matrix(row, static_cast<std::size_t>(crs.columns[k])) +=
                crs.is_complex ? Complex{crs.values[2 * k], crs.values[2 * k + 1]} : Complex{crs.values[k]};
    return matrix;
}

// Returns the eigenvalues in ascending order. Those of the real symmetric matrix (A, -B; B, A) are the eigenvalues of
// A + iB, each twice.
inline std::vector<double> eigenvalues(const Hermitian& h) {
    Matrix real(2 * h.n, 2 * h.n);
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column) {
            real(row, column) = real(h.n + row, h.n + column) = h(row, column).real();
            real(h.n + row, column) = h(row, column).imag();
            real(row, h.n + column) = -h(row, column).imag();
        }
    const std::vector<double> twice = diagonalise(real);
    std::vector<double> values;
    for (std::size_t k = 0; k < twice.size(); k += 2) values.push_back(twice[k]);
    return values;
}

inline std::vector<double> eigenvalues(const CellLattice& lattice) {
    return eigenvalues(dense_complex(matrix_of(lattice, 1, 0, 2)));
}

// Returns the sorted energies of all wave vectors k_d = (2 pi m_d - twist_d) / L_d.
inline std::vector<double> bands(const CellLattice& lattice,
                                 const std::function<std::vector<double>(double, double, double)>& energies) {
    const auto& l = lattice.extents;
    const auto k = [&](std::size_t d, std::int64_t m) {
        return (2 * pi * static_cast<double>(m) - lattice.twist[d]) / static_cast<double>(l[d]);
    };
    std::vector<double> all;
    for (std::int64_t z = 0; z < l[2]; ++z)
        for (std::int64_t y = 0; y < l[1]; ++y)
            for (std::int64_t x = 0; x < l[0]; ++x)
                for (const double energy : energies(k(0, x), k(1, y), k(2, z))) all.push_back(energy);
    std::sort(all.begin(), all.end());
    return all;
}

inline CellLattice square(std::int64_t l, std::int64_t m) {
    CellLattice lattice;
    lattice.extents = {l, m, 1};
    lattice.hoppings = {{0, 0, {1, 0, 0}, -1.0}, {0, 0, {0, 1, 0}, -1.0}};
    return lattice;
}

// Returns graphene with hopping -t. Orbital 1 of a cell is bonded to orbital 0 of the cell, of the next one along a_0,
// and of the next one along a_1.
inline CellLattice graphene(std::int64_t l, std::int64_t m, double t = 1) {
    CellLattice lattice;
    lattice.extents = {l, m, 1};
    lattice.orbitals = 2;
    lattice.positions = {{0, 0, 0}, {1.0 / 3, 1.0 / 3, 0}};
    lattice.hoppings = {{1, 0, {0, 0, 0}, -t}, {1, 0, {1, 0, 0}, -t}, {1, 0, {0, 1, 0}, -t}};
    return lattice;
}

inline std::vector<double> graphene_bands(double x, double y, double) {
    const double size = std::abs(1.0 + std::exp(i * x) + std::exp(i * y));
    return {-size, size};
}

// Returns Haldane's model: graphene with hoppings t2 exp(+-i phi) to second neighbours, and energies +-M.
inline CellLattice haldane(std::int64_t l, std::int64_t m, double t2, double phi, double mass) {
    CellLattice lattice = graphene(l, m);
    lattice.energies = {mass, -mass};
    const Complex up = t2 * std::exp(i * phi);
    for (const std::array<std::int64_t, 3> step :
         {std::array<std::int64_t, 3>{1, 0, 0}, std::array<std::int64_t, 3>{-1, 1, 0},
          std::array<std::int64_t, 3>{0, -1, 0}}) {
        lattice.hoppings.push_back({0, 0, step, up});
        lattice.hoppings.push_back({1, 1, step, std::conj(up)});
    }
    return lattice;
}

}  // namespace legato::kpm::tests
