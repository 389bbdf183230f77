// Sparse Hermitian Hamiltonians, real or complex: a tight-binding lattice that needs no matrix, or the caller's matrix.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "kpm/cell_lattice.hpp"
#include "kpm/pages.hpp"

namespace legato::kpm {

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
    double concentration = 0.5;    // only with OnSite::binary
    std::vector<double> energies;  // only with OnSite::energies

    std::int64_t sites() const { return extents[0] * extents[1] * extents[2]; }
};

// Fills in the on-site energies of all sites in a realisation. It must give the same energies at every call for that
// realisation.
using EnergySource = std::function<void(std::int64_t realisation, std::span<double> energies)>;

// On-site energies that are added to the diagonal of a matrix, other ones in every realisation. Their distribution is
// that of a lattice with the mean energy 0, or they come from a source.
struct Disorder {
    OnSite on_site = OnSite::constant;  // constant: there is no disorder; energies: they come from the source
    double strength = 0;                // as Lattice::disorder
    double lowest = 0, highest = 0;     // range of the energies of the source
    std::shared_ptr<const EnergySource> source{};

    bool is_any() const { return on_site == OnSite::energies || (on_site != OnSite::constant && strength > 0); }
};

// The order in which a caller gave the elements of a matrix whose rows were then sorted.
struct RowOrder {
    Pages<std::int64_t> row_pointers;  // [rows + 1], as they were given
    Pages<std::uint32_t> places;       // [elements given], number of the element's column among those of its row
    // The sorted rows with all columns, also those whose elements add up to 0. They are empty if no column is left out
    // of the matrix.
    Pages<std::int64_t> all_row_pointers;
    Pages<std::int32_t> all_columns;
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
    std::int64_t longest_row = 0;             // number of its elements; known once the matrix is prepared
    std::shared_ptr<const RowOrder> order{};  // null if the rows have the order in which they were given

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
    Disorder disorder{};

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
            matrix.is_complex,
            {}};
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

using Hamiltonian = std::variant<Lattice, CrsMatrix, CrsView, CellLattice>;

// Returns a view of the matrix, or nothing if the Hamiltonian is a lattice.
inline std::optional<CrsView> matrix_in(const Hamiltonian& hamiltonian) {
    if (const auto* view = std::get_if<CrsView>(&hamiltonian)) return *view;
    if (const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian)) return view_of(*matrix);
    return std::nullopt;
}

// Returns whether the Hamiltonian is a lattice of any kind.
inline bool is_lattice(const Hamiltonian& hamiltonian) {
    return !matrix_in(hamiltonian);
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

// Returns whether the sites of a lattice have energies of their own, random ones or the caller's.
bool has_site_energies(const Hamiltonian& hamiltonian);

// Returns the disorder of a matrix. That of a lattice is in the lattice itself.
Disorder disorder_of(const Hamiltonian& hamiltonian);

// Checks the Hamiltonian. Throws an invalid_argument that names the field, the value and the range, for a matrix also
// the row and the column. A matrix must have valid indices and finite elements, and be Hermitian to rounding. A matrix
// whose columns ascend in every row stays unchanged. The rows of any other matrix are sorted by columns, repeated
// columns are added, and zeros are left out. A view becomes a matrix in this case.
void prepare(Hamiltonian& hamiltonian, int threads = 1);

// Returns a matrix with a copy of the arrays of the view.
CrsMatrix copy_of(const CrsView& view, int threads);

// Returns bounds from Gershgorin's circles, outside which a prepared Hamiltonian has no eigenvalue. Box and
// two-valued disorder count with their extreme values, Gaussian disorder with the values that are drawn in all
// realisations.
Interval gershgorin_bounds(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisations, int threads);

// Computes the on-site energies of the sites first, first + 1, .. in one realisation.
void draw_energies(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies);

// Does the same for the energies that are added to the diagonal of a matrix. `given` are those of all sites from the
// source. If it is null although there is a source, the energies become 0.
void draw_energies(const Disorder& disorder, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   const double* given, std::span<double> energies);

// These functions return the matrix of a lattice in one realisation of its disorder, for tests and for the CRS and ELL
// formats.
CrsMatrix matrix_of(const Hamiltonian& lattice, std::uint64_t seed, std::int64_t realisation, int threads);
CrsMatrix matrix_of(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, int threads = 1);

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
