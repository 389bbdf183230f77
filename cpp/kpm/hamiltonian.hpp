// Sparse real symmetric Hamiltonians: a tight-binding lattice that needs no matrix, or the caller's matrix.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

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

// Compressed rows: the elements of row i are row_pointers[i] .. row_pointers[i + 1] - 1. Indices from 0. Both halves of
// the symmetric matrix are there; a column may be there twice, its elements then add up.
struct CrsMatrix {
    std::vector<std::int64_t> row_pointers;  // [rows + 1]
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    int index_base = 0;  // what the caller counts from, 0 or 1: only messages know it

    std::int64_t rows() const { return static_cast<std::int64_t>(row_pointers.size()) - 1; }
};

using Hamiltonian = std::variant<Lattice, CrsMatrix>;

inline constexpr std::int64_t max_sites = 1LL << 40;  // of a lattice
inline constexpr std::int64_t max_rows = 2147483647;  // of a matrix: columns are 32 bits wide

// An index of the caller's, made to count from 0, and back; what lies below the base wraps around to the largest number
// that there is, which prepare() refuses as it does any other beyond the range.
template <class Index>
constexpr Index from_base(Index index, int base) {
    using Bits = std::make_unsigned_t<Index>;
    return static_cast<Index>(static_cast<Bits>(index) - static_cast<Bits>(base));
}
template <class Index>
constexpr Index to_base(Index index, int base) {
    return from_base(index, -base);
}

inline constexpr double max_energy = 1e6;     // of a lattice's hopping and on-site energies
inline constexpr double max_element = 1e100;  // of a matrix

std::int64_t sites_of(const Hamiltonian& hamiltonian);

// Is the Hamiltonian another in every realisation?
bool is_random(const Hamiltonian& hamiltonian);
bool is_random(const Lattice& lattice);

// Throws an invalid_argument that names the field, the value and the range; of a matrix the row and the column too:
// indices, finite elements, symmetry to rounding. The rows of a matrix are then sorted by columns, with the elements of
// a column that is there twice added up, and zeros left out.
void prepare(Hamiltonian& hamiltonian);

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
    std::vector<std::int32_t> columns;
    std::vector<double> values;
};
// `length` is that of the longest row. Memory that `ell` has is used again.
void pad(const CrsMatrix& matrix, std::int64_t length, int threads, EllMatrix& ell);

}  // namespace legato::kpm
