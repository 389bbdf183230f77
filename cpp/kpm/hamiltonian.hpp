// Sparse real symmetric Hamiltonians: a tight-binding lattice that needs no matrix, or the caller's matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "kpm/pages.hpp"

namespace legato::kpm {

enum class OnSite : int {
    constant = 0,  // energy
    box = 1,       // uniform on energy +- disorder / 2
    gaussian = 2,  // normal, mean energy, standard deviation disorder
    given = 3,     // energies[site]
};

// A chain is {L, 1, 1}, a square lattice {L, M, 1}, a simple cubic one {L, M, N}. Site (x, y, z) has the number
// x + L (y + M z). H_ij = -hopping for each bond; bonds join a site with the next in every direction of more than one
// site, and where it is periodic the last with the first: an extent of 2 then has two bonds between the same sites.
struct Lattice {
    std::array<std::int64_t, 3> extents{1, 1, 1};
    std::array<bool, 3> periodic{true, true, true};
    double hopping = 1.0;
    OnSite on_site = OnSite::constant;
    double energy = 0.0;
    double disorder = 0.0;
    std::vector<double> energies;  // only for given

    std::int64_t sites() const { return extents[0] * extents[1] * extents[2]; }
};

// Compressed rows: the elements of row i are row_pointers[i] .. row_pointers[i + 1] - 1. All indices count from
// index_base, 0 or 1. Both halves of the symmetric matrix are there; a column may be there twice, its elements then add
// up.
struct CrsMatrix {
    Pages<std::int64_t> row_pointers;  // [rows + 1]
    Pages<std::int32_t> columns;
    Pages<double> values;
    int index_base = 0;
    std::int64_t longest_row = 0;  // elements of it; known once the matrix is prepared

    std::int64_t rows() const { return static_cast<std::int64_t>(row_pointers.size()) - 1; }
};

// The same in arrays that somebody else owns, and leaves as they are while this is in use.
struct CrsView {
    std::int64_t rows = 0, elements = 0;
    const std::int64_t* row_pointers = nullptr;  // [rows + 1]
    const std::int32_t* columns = nullptr;
    const double* values = nullptr;
    int index_base = 0;
    std::int64_t longest_row = 0;

    // Row and place of an element count from 0.
    std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(row_pointers[row] - index_base); }
    std::size_t end(std::size_t row) const { return begin(row + 1); }
    std::int64_t column(std::size_t k) const { return std::int64_t{columns[k]} - index_base; }
};
CrsView view_of(const CrsMatrix& matrix);

using Hamiltonian = std::variant<Lattice, CrsMatrix, CrsView>;

// The matrix, owned or not; none in a lattice.
std::optional<CrsView> matrix_in(const Hamiltonian& hamiltonian);

inline constexpr std::int64_t max_sites = 1LL << 40;  // of a lattice
inline constexpr std::int64_t max_rows = 2147483647;  // of a matrix: columns are 32 bits wide

inline constexpr double max_energy = 1e6;     // of a lattice's hopping and on-site energies
inline constexpr double max_element = 1e100;  // of a matrix

std::int64_t sites_of(const Hamiltonian& hamiltonian);

// Is the Hamiltonian another in every realisation?
bool is_random(const Hamiltonian& hamiltonian);
bool is_random(const Lattice& lattice);

// Throws an invalid_argument that names the field, the value and the range; of a matrix the row and the column too:
// indices, finite elements, symmetry to rounding. A matrix whose columns ascend in every row is left as it is. Of any
// other the rows are sorted by columns, with the elements of a column that is there twice added up, and zeros left out;
// a view becomes a matrix.
void prepare(Hamiltonian& hamiltonian, int threads = 1);

// A matrix stays there when the arrays of the view have gone.
CrsMatrix copy_of(const CrsView& view, int threads);

// A prepared one has no eigenvalue outside Gershgorin's circles. Box disorder counts with its extreme values; Gaussian
// disorder with those that are drawn in all realisations.
struct Interval {
    double lowest = 0, highest = 0;
};
Interval gershgorin_bounds(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisations, int threads);

// On-site energies of the sites first, first + 1, .. in one realisation.
void draw_energies(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies);

// The matrix of a lattice in one realisation of its disorder, for tests and for the CRS and ELL formats.
CrsMatrix matrix_of(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation);

// Of the matrix, or of a lattice's matrix: all elements, and those of the longest row.
std::int64_t elements_of(const Hamiltonian& hamiltonian);
std::int64_t elements_of(const Lattice& lattice);
std::int64_t longest_row(const Hamiltonian& hamiltonian);

// Rows padded to the same length: element k of row i is at [k * rows + i]. Padding has the row itself as its column,
// and the value 0.
struct EllMatrix {
    Pages<std::int32_t> columns;
    Pages<double> values;
};
// `length` is that of the longest row. Memory that `ell` has is used again.
void pad(const CrsView& matrix, std::int64_t length, int threads, EllMatrix& ell);

}  // namespace legato::kpm
