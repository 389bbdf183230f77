// The rows of a unit-cell lattice without a matrix: the elements of a row are found from the bonds of its orbital. Both
// backends use the same loop.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"
#include "kpm/cell_lattice.hpp"

namespace legato::kpm {

// A bond of a stencil, with what is needed to find its column quickly.
template <class Real>
struct CellBond {
    Real re, im;
    std::int32_t from;       // orbital
    std::int32_t table[3];   // index of the first factor along each axis in CellRows::factors; -1: all are 1
    std::int32_t offset[3];  // in cells
    std::int64_t distance;   // from the row to the column if no edge lies between them
};

// What a row needs, in memory of the host or of a device.
template <class Real>
struct CellRows {
    std::uint32_t orbitals;
    std::uint32_t extents[3];
    bool periodic[3];
    std::uint32_t reach[3];          // the largest absolute value of an offset
    const std::int32_t* first_bond;  // [orbitals + 1]
    const CellBond<Real>* bonds;
    const Real* factors;     // real and imaginary parts alternate
    const double* energies;  // [sites], or [orbitals] if has_site_energies is false
    bool has_site_energies;

    struct Place {
        std::uint32_t orbital, cell[3];
    };

    LEGATO_HOST_DEVICE double energy(std::int64_t row, const Place& at) const {
        return energies[has_site_energies ? row : std::int64_t{at.orbital}];
    }

    LEGATO_HOST_DEVICE Place place(std::uint32_t row) const {
        const std::uint32_t cell = row / orbitals, line = cell / extents[0];
        return {row - cell * orbitals, {cell - line * extents[0], line % extents[1], line / extents[1]}};
    }

    // Advances to the next row.
    LEGATO_HOST_DEVICE void advance(Place& at) const {
        if (++at.orbital < orbitals) return;
        at.orbital = 0;
        for (int d = 0; d < 3; ++d) {
            if (++at.cell[d] < extents[d]) return;
            at.cell[d] = 0;
        }
    }

    // Calls use(column, re, im) for the elements of a row but the on-site energy. im is 0 if the lattice is real.
    template <bool is_complex, class Use>
    LEGATO_HOST_DEVICE void for_each(std::int64_t row, const Place& at, const Use& use) const {
        bool inside = true;
        for (int d = 0; d < 3; ++d) inside = inside && at.cell[d] >= reach[d] && at.cell[d] + reach[d] < extents[d];
        for (std::int32_t b = first_bond[at.orbital]; b < first_bond[at.orbital + 1]; ++b) {
            const CellBond<Real>& bond = bonds[b];
            const std::int64_t column = inside ? row + bond.distance : column_at_edge(bond, at);
            if (column < 0) continue;
            Real re = bond.re, im = bond.im;
            if constexpr (is_complex)
                for (int d = 0; d < 3; ++d) multiply(re, im, bond.table[d], at.cell[d]);
            use(column, re, im);
        }
    }

  private:
    LEGATO_HOST_DEVICE void multiply(Real& re, Real& im, std::int32_t table, std::uint32_t at) const {
        if (table < 0) return;
        const Real* const factor = factors + 2 * (static_cast<std::size_t>(table) + at);
        const Real real = re * factor[0] - im * factor[1];
        im = re * factor[1] + im * factor[0];
        re = real;
    }

    // Returns the column if an edge may lie between it and the row, or -1 beyond a hard wall.
    LEGATO_HOST_DEVICE std::int64_t column_at_edge(const CellBond<Real>& bond, const Place& at) const {
        std::int64_t cell[3];
        for (int d = 0; d < 3; ++d) {
            const std::int64_t extent = extents[d];
            cell[d] = static_cast<std::int64_t>(at.cell[d]) + bond.offset[d];
            if (cell[d] >= 0 && cell[d] < extent) continue;
            if (!periodic[d]) return -1;
            cell[d] %= extent;
            if (cell[d] < 0) cell[d] += extent;
        }
        return bond.from + orbitals * (cell[0] + extents[0] * (cell[1] + extents[1] * cell[2]));
    }
};

// The arrays of CellRows on the host.
template <class Real>
struct CellArrays {
    std::vector<std::int32_t> first_bond;
    std::vector<CellBond<Real>> bonds;
    std::vector<Real> factors;
    bool is_complex = false;
    CellRows<Real> rows{};  // points into the arrays

    explicit CellArrays(const CellLattice& lattice);
    CellArrays(const CellArrays&) = delete;  // for the pointers
    CellArrays& operator=(const CellArrays&) = delete;
};

template <class Real>
CellArrays<Real>::CellArrays(const CellLattice& lattice) {
    const Stencil stencil = stencil_of(lattice);
    is_complex = stencil.is_complex;
    std::vector<std::int32_t> start;  // of each table
    for (const auto& table : stencil.tables) {
        start.push_back(static_cast<std::int32_t>(factors.size() / 2));
        for (const auto& factor : table) {
            factors.push_back(static_cast<Real>(factor.real()));
            factors.push_back(static_cast<Real>(factor.imag()));
        }
    }
    first_bond.assign(static_cast<std::size_t>(lattice.orbitals) + 1, 0);
    rows.orbitals = static_cast<std::uint32_t>(lattice.orbitals);
    for (const Bond& bond : stencil.bonds) {
        ++first_bond[static_cast<std::size_t>(bond.to) + 1];
        CellBond<Real> to{static_cast<Real>(bond.value.real()),
                          static_cast<Real>(bond.value.imag()),
                          bond.from,
                          {},
                          {},
                          bond.from - bond.to};
        std::int64_t stride = lattice.orbitals;
        for (std::size_t d = 0; d < 3; ++d) {
            to.table[d] = bond.table[d] < 0 ? -1 : start[static_cast<std::size_t>(bond.table[d])];
            to.offset[d] = static_cast<std::int32_t>(bond.offset[d]);
            to.distance += stride * bond.offset[d];
            stride *= lattice.extents[d];
            rows.reach[d] = std::max(rows.reach[d], static_cast<std::uint32_t>(std::abs(to.offset[d])));
        }
        bonds.push_back(to);
    }
    for (std::size_t o = 0; o < static_cast<std::size_t>(lattice.orbitals); ++o) first_bond[o + 1] += first_bond[o];
    for (std::size_t d = 0; d < 3; ++d) {
        rows.extents[d] = static_cast<std::uint32_t>(lattice.extents[d]);
        rows.periodic[d] = lattice.boundary[d] == Boundary::periodic;
    }
    rows.has_site_energies = is_random(lattice) || lattice.on_site == OnSite::energies;
    rows.first_bond = first_bond.data();
    rows.bonds = bonds.data();
    rows.factors = factors.data();
}

}  // namespace legato::kpm
