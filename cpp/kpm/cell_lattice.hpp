// A crystal: a unit cell with orbitals, repeated along up to three lattice directions, with real or complex hoppings, a
// uniform magnetic field and twisted boundaries.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/host_device.hpp"
#include "kpm/lattice.hpp"

namespace legato::kpm {

// H_(n + offset, to), (n, from) = amplitude for every cell n. The Hermitian conjugate is not given. Several hoppings
// between the same orbitals are added.
struct Hopping {
    int from = 0, to = 0;
    std::array<std::int64_t, 3> offset{};
    std::complex<double> amplitude;
};

inline constexpr int max_orbitals = 16;

// Orbital o of cell (n_0, n_1, n_2) is the site o + orbitals (n_0 + L_0 (n_1 + L_1 n_2)), where L are the extents.
struct CellLattice {
    std::array<std::int64_t, 3> extents{1, 1, 1};  // in cells
    std::array<Boundary, 3> boundary{Boundary::periodic, Boundary::periodic, Boundary::periodic};
    int orbitals = 1;
    std::vector<std::array<double, 3>> positions;  // [orbitals] in units of the lattice vectors; empty: all 0
    std::vector<double> energies;                  // [orbitals]; empty: all 0
    std::vector<Hopping> hoppings;

    // A hopping that crosses the periodic edge of direction d upwards, from the last cells to the first ones, has the
    // factor exp(i twist[d]), in radians. Its conjugate, downwards, has exp(-i twist[d]). In terms of an infinite
    // crystal, psi(n + L_d e_d) = exp(-i twist[d]) psi(n): plane waves exp(i k n) have k L_d = 2 pi m - twist[d].
    std::array<double, 3> twist{};

    // Flux quanta through the faces of a cell: flux[0] through (a_1, a_2), flux[1] through (a_2, a_0), flux[2] through
    // (a_0, a_1). The amplitude of a closed path has the factor exp(2 pi i times the flux quanta that it encloses
    // anticlockwise).
    std::array<double, 3> flux{};

    // The disorder is added to the orbitals' energies. OnSite::constant adds nothing.
    OnSite on_site = OnSite::constant;
    double disorder = 0.0;
    double concentration = 0.5;         // only with OnSite::binary
    std::vector<double> site_energies;  // [sites], only with OnSite::energies

    // Vacancies are sites that are missing (vacancies.hpp): given ones, and random ones, which are drawn anew in every
    // realisation with a probability for each orbital. Rows and columns of the matrix that belong to them are empty.
    std::vector<std::int64_t> vacancies;  // numbers of sites; ascending once the lattice is prepared
    std::array<double, max_orbitals> vacancy_concentration{};  // [orbitals]; the rest is not used

    std::int64_t cells() const { return extents[0] * extents[1] * extents[2]; }
    std::int64_t sites() const { return orbitals * cells(); }
};

inline constexpr std::int64_t max_offset = 4096, max_hoppings = 1 << 20;
inline constexpr double max_vacancy_concentration = 0.999999;
inline constexpr double max_flux = 1000, max_twist = 1000, max_position = 1000;  // limits of the absolute values

// A matrix element between two orbitals that every cell n has:
//     H_(n, to), (n + offset, from) = value f_0[n_0] f_1[n_1] f_2[n_2].
// Periodic directions wrap n + offset, also more than once. If n + offset lies beyond a hard wall, there is no element.
struct Bond {
    int to = 0, from = 0;
    std::size_t hopping = 0;  // the number of the hopping in the lattice
    std::array<std::int64_t, 3> offset{};
    std::complex<double> value{};
    std::array<int, 3> table{-1, -1, -1};  // the f along each axis, as an index of Stencil::tables; -1: f = 1
};

// All matrix elements but the on-site energies. Each hopping is here twice: as it is given, and as its conjugate.
struct Stencil {
    std::vector<Bond> bonds;  // `to` ascends; bonds into the same orbital are in the order of the hoppings
    std::vector<std::vector<std::complex<double>>> tables;  // [table][coordinate of the cell n along its axis]
    bool is_complex = false;

    // Returns value f_0 f_1 f_2, multiplied in this order. The element that is its transpose has exactly the conjugate.
    std::complex<double> element(const Bond& bond, const std::array<std::int64_t, 3>& cell) const {
        std::complex<double> product = bond.value;
        for (std::size_t d = 0; d < 3; ++d)
            if (bond.table[d] >= 0) {
                const auto f = tables[static_cast<std::size_t>(bond.table[d])][static_cast<std::size_t>(cell[d])];
                product = {product.real() * f.real() - product.imag() * f.imag(),
                           product.real() * f.imag() + product.imag() * f.real()};
            }
        return product;
    }
};

// Returns the stencil of a prepared lattice. All who compute elements use it, so that they have the same bits.
Stencil stencil_of(const CellLattice& lattice);

// Returns the number of elements of all tables, without making them.
std::int64_t factors_of(const CellLattice& lattice);

// Returns the coordinate of the cell at `at` + offset, or -1 beyond a hard wall.
LEGATO_HOST_DEVICE inline std::int64_t neighbour_cell(std::int64_t at, std::int64_t offset, std::int64_t extent,
                                                      Boundary boundary) {
    const std::int64_t next = at + offset;
    if (next >= 0 && next < extent) return next;
    if (boundary == Boundary::hard_wall) return -1;
    const std::int64_t rest = next % extent;
    return rest < 0 ? rest + extent : rest;
}

// Returns whether the lattice has complex elements, without making the tables.
bool is_complex(const CellLattice& lattice);

// These functions return whether the energies, or anything else, are different in every realisation.
bool has_random_energies(const CellLattice& lattice);
bool is_random(const CellLattice& lattice);

// These functions check all of the lattice, or only the members that are not arrays of variable length. They throw an
// invalid_argument that names the field, the value and the range. The vacancies of a prepared lattice ascend.
void validate_extents(const CellLattice& lattice);
void prepare(CellLattice& lattice);

// Computes the energies of the sites first, first + 1, .. in one realisation, orbital energies included.
void draw_energies(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies);

}  // namespace legato::kpm
