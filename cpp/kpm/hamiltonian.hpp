// Sparse Hermitian Hamiltonians, real or complex: a tight-binding lattice that needs no matrix, or the caller's matrix.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "kpm/pages.hpp"

namespace legato::kpm {

enum class Boundary : int {
    hard_wall = 0,  // no neighbour across the edge
    periodic = 1,   // a site at the opposite edge is the neighbour
};

enum class OnSite : int {
    constant = 0,  // energy
    box = 1,       // uniform on energy +- disorder / 2
    normal = 2,    // normal, mean energy, standard deviation disorder
    energies = 3,  // energies[site]
};

// A chain is {L, 1, 1}, a square lattice {L, M, 1}, a simple cubic one {L, M, N}. The number of site (x, y, z) is x + L
// (y + M z). H_ij = -hopping for each bond. In every direction of more than one site, bonds join a site with the next
// one. In a periodic direction they also join the last site with the first, so that an extent of 2 has two bonds
// between the same sites.
struct Lattice {
    std::array<std::int64_t, 3> extents{1, 1, 1};
    std::array<Boundary, 3> boundary{Boundary::periodic, Boundary::periodic, Boundary::periodic};
    double hopping = 1.0;
    OnSite on_site = OnSite::constant;
    double energy = 0.0;
    double disorder = 0.0;
    std::vector<double> energies;  // only with OnSite::energies

    std::int64_t sites() const { return extents[0] * extents[1] * extents[2]; }
};

// A matrix in compressed rows: the elements of row i are row_pointers[i] .. row_pointers[i + 1] - 1. All indices count
// from index_base, 0 or 1. Both halves of the Hermitian matrix are stored. A column may occur twice in a row; its
// elements are then added. If the matrix is complex, the real and the imaginary part of element k are values[2 k] and
// values[2 k + 1].
struct CrsMatrix {
    Pages<std::int64_t> row_pointers;  // [rows + 1]
    Pages<std::int32_t> columns;
    Pages<double> values;  // [elements], or [2 elements] of a complex matrix
    int index_base = 0;
    bool is_complex = false;
    std::int64_t longest_row = 0;  // number of its elements; known once the matrix is prepared

    std::int64_t rows() const { return static_cast<std::int64_t>(row_pointers.size()) - 1; }
    std::size_t lanes() const { return is_complex ? 2 : 1; }  // real numbers of an element
};

// A matrix in compressed rows in arrays of the caller. They must not change while the view is in use.
struct CrsView {
    std::int64_t rows = 0, elements = 0;
    const std::int64_t* row_pointers = nullptr;  // [rows + 1]
    const std::int32_t* columns = nullptr;
    const double* values = nullptr;  // [elements], or [2 elements] of a complex matrix, as in CrsMatrix
    int index_base = 0;
    std::int64_t longest_row = 0;
    bool is_complex = false;

    // These functions count rows, columns and elements from 0.
    std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(row_pointers[row] - index_base); }
    std::size_t end(std::size_t row) const { return begin(row + 1); }
    std::int64_t column(std::size_t k) const { return std::int64_t{columns[k]} - index_base; }
    std::size_t lanes() const { return is_complex ? 2 : 1; }  // real numbers of an element
};
inline CrsView view_of(const CrsMatrix& matrix) {
    return {matrix.rows(),
            static_cast<std::int64_t>(matrix.columns.size()),
            matrix.row_pointers.data(),
            matrix.columns.data(),
            matrix.values.data(),
            matrix.index_base,
            matrix.longest_row,
            matrix.is_complex};
}

// Returns element k of the values of a matrix. Value is double, or std::complex<double> if the matrix is complex.
template <class Value>
Value value_at(const double* values, std::size_t k) {
    if constexpr (std::is_same_v<Value, double>)
        return values[k];
    else
        return {values[2 * k], values[2 * k + 1]};
}
inline void set_value(double* values, std::size_t k, double value) {
    values[k] = value;
}
inline void set_value(double* values, std::size_t k, std::complex<double> value) {
    values[2 * k] = value.real();
    values[2 * k + 1] = value.imag();
}

// Returns what work(Value{}) returns for the type of the elements.
template <class Work>
auto with_value_type(bool is_complex, const Work& work) {
    return is_complex ? work(std::complex<double>{}) : work(double{});
}

using Hamiltonian = std::variant<Lattice, CrsMatrix, CrsView>;

// Returns a view of the matrix, or nothing if the Hamiltonian is a lattice.
inline std::optional<CrsView> matrix_in(const Hamiltonian& hamiltonian) {
    if (const auto* view = std::get_if<CrsView>(&hamiltonian)) return *view;
    if (const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian)) return view_of(*matrix);
    return std::nullopt;
}

inline constexpr std::int64_t max_sites = 1LL << 40;  // limit of a lattice
inline constexpr std::int64_t max_rows = 2147483647;  // limit of a matrix, whose columns are 32 bits wide

inline constexpr double max_energy = 1e6;     // limit of a lattice's hopping and on-site energies
inline constexpr double max_element = 1e100;  // limit of the elements of a matrix

std::int64_t sites_of(const Hamiltonian& hamiltonian);

// Returns whether the elements of the Hamiltonian, and of its vectors, are complex. An element of a vector then has two
// real numbers, which lie side by side as two lanes of a block.
bool is_complex(const Hamiltonian& hamiltonian);
// Returns the number of these lanes, 1 or 2.
inline int lanes_of(const Hamiltonian& hamiltonian) {
    return is_complex(hamiltonian) ? 2 : 1;
}

// These functions return true if the Hamiltonian is different in every realisation.
bool is_random(const Hamiltonian& hamiltonian);
bool is_random(const Lattice& lattice);

// Checks the Hamiltonian. Throws an invalid_argument that names the field, the value and the range, for a matrix also
// the row and the column. A matrix must have valid indices and finite elements, and be Hermitian to rounding. A matrix
// whose columns ascend in every row stays unchanged. The rows of any other matrix are sorted by columns, repeated
// columns are added, and zeros are left out. A view becomes a matrix in this case.
void prepare(Hamiltonian& hamiltonian, int threads = 1);

// Returns a matrix with a copy of the arrays of the view.
CrsMatrix copy_of(const CrsView& view, int threads);

struct Interval {
    double lowest = 0, highest = 0;
};
// Returns bounds from Gershgorin's circles, outside which a prepared Hamiltonian has no eigenvalue. Box disorder counts
// with its extreme values, Gaussian disorder with the values that are drawn in all realisations.
Interval gershgorin_bounds(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisations, int threads);

// Computes the on-site energies of the sites first, first + 1, .. in one realisation.
void draw_energies(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies);

// Returns the matrix of a lattice in one realisation of its disorder, for tests and for the CRS and ELL formats.
CrsMatrix matrix_of(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation);

// These functions return the number of elements of the matrix, or of a lattice's matrix, and the number of elements of
// its longest row.
std::int64_t elements_of(const Hamiltonian& hamiltonian);
std::int64_t elements_of(const Lattice& lattice);
std::int64_t longest_row(const Hamiltonian& hamiltonian);

// A matrix whose rows are padded to the same length: element k of row i is at [k * rows + i]. Padding has the row
// itself as its column, and the value 0. The two numbers of a complex element are side by side.
struct EllMatrix {
    Pages<std::int32_t> columns;
    Pages<double> values;
};
// Pads the rows to `length`, that of the longest row. Memory that `ell` has is used again.
void pad(const CrsView& matrix, std::int64_t length, int threads, EllMatrix& ell);

}  // namespace legato::kpm
