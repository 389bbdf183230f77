#include "kpm/cell_rows.hpp"

#include <algorithm>
#include <cstdlib>

namespace legato::kpm {

std::size_t slowest_of(const CellLattice& lattice) {
    std::size_t slowest = 2;
    while (slowest > 0 && lattice.extents[slowest] == 1) --slowest;
    return slowest;
}

// Planes are the cells with the same coordinate along the slowest direction. A bond leads at most `reach` planes far,
// and anywhere within the plane where it ends.
std::int64_t halo_of(const CellLattice& lattice) {
    const std::size_t d = slowest_of(lattice);
    const std::int64_t extent = lattice.extents[d], plane = lattice.sites() / extent;
    std::int64_t reach = 0;
    for (const Hopping& hopping : lattice.hoppings) {
        std::int64_t steps = std::abs(hopping.offset[d]);
        if (lattice.boundary[d] == Boundary::periodic)
            steps = std::min(steps % extent, extent - steps % extent);
        else if (steps >= extent)
            continue;
        reach = std::max(reach, steps);
    }
    return (reach + 1) * plane;
}

CellArrays::CellArrays(const CellLattice& lattice) {
    const Stencil stencil = stencil_of(lattice);
    is_complex = stencil.is_complex;
    std::vector<std::int32_t> start;  // of each table
    factors.reserve(2 * static_cast<std::size_t>(factors_of(lattice)));
    for (const auto& table : stencil.tables) {
        start.push_back(static_cast<std::int32_t>(factors.size() / 2));
        for (const auto& factor : table) {
            factors.push_back(factor.real());
            factors.push_back(factor.imag());
        }
    }
    first_bond.assign(static_cast<std::size_t>(lattice.orbitals) + 1, 0);
    rows.orbitals = static_cast<std::uint32_t>(lattice.orbitals);
    for (const Bond& bond : stencil.bonds) {
        ++first_bond[static_cast<std::size_t>(bond.to) + 1];
        CellBond to{bond.value.real(), bond.value.imag(), 0, {}};
        CellOffset offset{bond.from, {}};
        std::int64_t stride = lattice.orbitals, distance = bond.from - bond.to;
        for (std::size_t d = 0; d < 3; ++d) {
            to.table[d] = bond.table[d] < 0 ? -1 : start[static_cast<std::size_t>(bond.table[d])];
            offset.cell[d] = static_cast<std::int32_t>(bond.offset[d]);
            distance += stride * bond.offset[d];
            stride *= lattice.extents[d];
            rows.reach[d] = std::max(rows.reach[d], static_cast<std::uint32_t>(std::abs(offset.cell[d])));
        }
        // A distance that does not fit belongs to a bond that always crosses an edge.
        to.distance = static_cast<std::int32_t>(distance);
        bonds.push_back(to);
        offsets.push_back(offset);
    }
    for (std::size_t o = 0; o < static_cast<std::size_t>(lattice.orbitals); ++o) first_bond[o + 1] += first_bond[o];
    for (std::size_t d = 0; d < 3; ++d) {
        rows.extents[d] = static_cast<std::uint32_t>(lattice.extents[d]);
        rows.boundary[d] = lattice.boundary[d];
    }
    rows.count = rows.sites = lattice.sites();
    rows.has_site_energies = has_random_energies(lattice) || lattice.on_site == OnSite::energies;
    rows.first_bond = first_bond.data();
    rows.bonds = bonds.data();
    rows.offsets = offsets.data();
    rows.factors = factors.data();
}

}  // namespace legato::kpm
