// The rows of a unit-cell lattice without a matrix: the elements of a row are found from the bonds of its orbital. Both
// backends use the same loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"
#include "kpm/cell_lattice.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {

// A bond of a stencil: what is needed if no edge lies between the row and the column, and what is needed otherwise.
struct alignas(16) CellBond {
    double re, im;
    std::int32_t distance;  // from the row to the column
    std::int32_t table[3];  // index of the first factor along each axis in CellRows::factors; -1: all are 1
};
struct CellOffset {
    std::int32_t from;     // orbital
    std::int32_t cell[3];  // in cells
};

// What a row needs, in memory of the host or of a device. The rows are those of a slab, `count` sites from number
// `first` on of all `sites`, or all. Rows and columns of the functions count from the first one. The `halo` sites
// before and after the slab have the numbers -halo .. -1 and count .. count + halo - 1.
struct CellRows {
    std::int64_t first, count, halo, sites;
    std::uint32_t orbitals;
    std::uint32_t extents[3];
    Boundary boundary[3];
    std::uint32_t reach[3];          // the largest absolute value of an offset
    const std::int32_t* first_bond;  // [orbitals + 1]
    const CellBond* bonds;
    const CellOffset* offsets;  // of the bonds
    const double* factors;      // real and imaginary parts alternate
    const double* energies;     // [count], or [orbitals] if has_site_energies is false
    bool has_site_energies;
    const std::uint32_t* vacancies;  // set of the vacancies of all sites (vacancies.hpp), or null

    struct Place {
        std::uint32_t orbital, cell[3];
    };

    LEGATO_HOST_DEVICE double energy(std::int64_t row, const Place& at) const {
        return energies[has_site_energies ? row : std::int64_t{at.orbital}];
    }

    LEGATO_HOST_DEVICE Place place(std::int64_t row) const {
        const auto site = static_cast<std::uint32_t>(first + row);
        const std::uint32_t cell = site / orbitals, line = cell / extents[0];
        return {site - cell * orbitals, {cell - line * extents[0], line % extents[1], line / extents[1]}};
    }

    // Returns whether the row is empty. Vectors are 0 at vacancies, so that other rows need not know them.
    LEGATO_HOST_DEVICE bool is_empty(std::int64_t row) const { return is_vacancy(vacancies, first + row); }

    // Advances to the next row.
    LEGATO_HOST_DEVICE void advance(Place& at) const {
        if (++at.orbital < orbitals) return;
        at.orbital = 0;
        for (int d = 0; d < 3; ++d) {
            if (++at.cell[d] < extents[d]) return;
            at.cell[d] = 0;
        }
    }

    // Returns whether no bond of the cell crosses an edge.
    LEGATO_HOST_DEVICE bool is_inside(const Place& at) const {
        bool inside = true;
        for (int d = 0; d < 3; ++d) inside = inside && at.cell[d] >= reach[d] && at.cell[d] + reach[d] < extents[d];
        return inside;
    }

    // Calls use(column, re, im) for the elements of a row but the on-site energy. im is 0 if the lattice is real.
    template <bool is_complex, class Use>
    LEGATO_HOST_DEVICE void for_each(std::int64_t row, const Place& at, bool inside, const Use& use) const {
        const std::int32_t begin = first_bond[at.orbital], end = first_bond[at.orbital + 1];
        if (inside) {
            for (std::int32_t b = begin; b < end; ++b) use_bond<is_complex>(bonds[b], row + bonds[b].distance, at, use);
            return;
        }
        for (std::int32_t b = begin; b < end; ++b)
            if (const std::int64_t site = neighbour(offsets[b], at); site >= 0)
                use_bond<is_complex>(bonds[b], column_of(site), at, use);
    }

    // Returns the number of the site if an edge may lie between it and the row, or -1 beyond a hard wall.
    LEGATO_HOST_DEVICE std::int64_t neighbour(const CellOffset& offset, const Place& at) const {
        std::int64_t cell[3];
        for (int d = 0; d < 3; ++d) {
            cell[d] = neighbour_cell(at.cell[d], offset.cell[d], extents[d], boundary[d]);
            if (cell[d] < 0) return -1;
        }
        return offset.from + orbitals * (cell[0] + extents[0] * (cell[1] + extents[1] * cell[2]));
    }

    // Returns the column of a site in the slab or its halos. If the slowest direction is periodic, the halo below the
    // first slab has the last sites, and that above the last slab the first ones.
    LEGATO_HOST_DEVICE std::int64_t column_of(std::int64_t site) const {
        const std::int64_t column = site - first;
        if (column < -halo) return column + sites;
        return column >= count + halo ? column - sites : column;
    }

    // Multiplies the amplitude of a bond by its factors.
    template <bool is_complex>
    LEGATO_HOST_DEVICE void multiply(const CellBond& bond, const Place& at, double& re, double& im) const {
        if ((bond.table[0] & bond.table[1] & bond.table[2]) != -1)
            for (int d = 0; d < 3; ++d) multiply<is_complex>(re, im, bond.table[d], at.cell[d]);
    }

  private:
    template <bool is_complex, class Use>
    LEGATO_HOST_DEVICE void use_bond(const CellBond& bond, std::int64_t column, const Place& at, const Use& use) const {
        double re = bond.re, im = bond.im;
        multiply<is_complex>(bond, at, re, im);
        use(column, re, im);
    }

    // Multiplies by a factor. Those of a real lattice are 1 or -1.
    template <bool is_complex>
    LEGATO_HOST_DEVICE void multiply(double& re, double& im, std::int32_t table, std::uint32_t at) const {
        if (table < 0) return;
        const double* const factor = factors + 2 * (static_cast<std::size_t>(table) + at);
        if constexpr (is_complex) {
            const double real = re * factor[0] - im * factor[1];
            im = re * factor[1] + im * factor[0];
            re = real;
        } else {
            re *= factor[0];
        }
    }
};

// Returns the number of sites before and after a slab that its rows may need.
std::int64_t halo_of(const CellLattice& lattice);

// Returns the slowest direction of more than one cell, along which a lattice is divided into slabs.
std::size_t slowest_of(const CellLattice& lattice);

// Returns the bytes of CellArrays; on the host twice the factors, because the tables are copied.
inline std::int64_t bytes_of_cells(const CellLattice& lattice, bool on_device) {
    constexpr std::int64_t of_bond = sizeof(CellBond) + sizeof(CellOffset), of_factor = 2 * sizeof(double);
    return 2 * static_cast<std::int64_t>(lattice.hoppings.size()) * of_bond +
           factors_of(lattice) * of_factor * (on_device ? 1 : 2);
}

// The arrays of CellRows on the host.
struct CellArrays {
    std::vector<std::int32_t> first_bond;
    std::vector<CellBond> bonds;
    std::vector<CellOffset> offsets;
    std::vector<double> factors;
    bool is_complex = false;
    CellRows rows{};  // points into the arrays

    explicit CellArrays(const CellLattice& lattice);
    CellArrays(const CellArrays&) = delete;  // for the pointers
    CellArrays& operator=(const CellArrays&) = delete;
};

}  // namespace legato::kpm
