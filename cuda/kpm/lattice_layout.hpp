// The division of a lattice for the CUDA engine, into columns along the third direction. The cross-section of a column
// is a tile of sites.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/host_device.hpp"
#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

inline constexpr int tile_sites = 128;
inline constexpr int least_tile_x = 8;  // keeps the sites beside a tile no more than those in it

struct LatticeLayout {
    static constexpr std::int64_t none = INT64_MIN;

    std::int64_t extents[3];  // a square lattice lies in the first and the third direction
    bool periodic[3];
    int tile_x;  // width of a tile of tile_sites
    std::int64_t tiles_x, tiles_y;
    std::int64_t segment;  // number of planes of a chunk
    std::int64_t segments;

    LEGATO_HOST_DEVICE int tile_y() const { return tile_sites / tile_x; }
    // These functions describe a slab, a plane of a tile with the sites beside it. They count sites.
    LEGATO_HOST_DEVICE int slab_row() const { return tile_x + 2; }
    LEGATO_HOST_DEVICE int rim_y() const { return extents[1] > 1 ? 1 : 0; }
    LEGATO_HOST_DEVICE int slab() const { return slab_row() * (tile_y() + 2 * rim_y()); }
    LEGATO_HOST_DEVICE int slab_site(int x, int y) const { return x + 1 + slab_row() * (y + rim_y()); }
    LEGATO_HOST_DEVICE std::int64_t tiles() const { return tiles_x * tiles_y; }
    LEGATO_HOST_DEVICE std::int64_t chunks() const { return tiles() * segments; }

    // Returns the distance from a position along a direction to that of the neighbour, or `none` if there is no bond.
    LEGATO_HOST_DEVICE std::int64_t neighbour(int direction, std::int64_t at, int by) const {
        const std::int64_t extent = extents[direction];
        if (extent == 1) return none;
        const bool edge = by < 0 ? at == 0 : at == extent - 1;
        if (!edge) return by;
        return !periodic[direction] ? none : by < 0 ? extent - 1 : 1 - extent;
    }
};

// Returns the layout of a lattice. Directions of one site are left out, which leaves the numbers of the sites
// unchanged.
inline LatticeLayout layout_of(const Lattice& lattice) {
    LatticeLayout layout{{1, 1, 1}, {false, false, false}, tile_sites, 1, 1, 1, 1};
    int dimension = 0;
    std::array<int, 3> direction{};
    for (int d = 0; d < 3; ++d)
        if (lattice.extents[static_cast<std::size_t>(d)] > 1) direction[static_cast<std::size_t>(dimension++)] = d;
    for (int i = 0; i < dimension; ++i) {
        const int to = dimension == 2 && i == 1 ? 2 : i;
        const auto d = static_cast<std::size_t>(direction[static_cast<std::size_t>(i)]);
        layout.extents[to] = lattice.extents[d];
        layout.periodic[to] = lattice.boundary[d] == Boundary::periodic;
    }
    if (dimension == 3)
        while (layout.tile_x > 16 || (layout.tile_x > least_tile_x && layout.tile_x / 2 >= layout.extents[0]))
            layout.tile_x /= 2;
    const auto pieces = [](std::int64_t whole, std::int64_t piece) { return (whole + piece - 1) / piece; };
    layout.tiles_x = pieces(layout.extents[0], layout.tile_x);
    layout.tiles_y = pieces(layout.extents[1], layout.tile_y());
    // The number of chunks should fill a device. Each chunk should have so many planes that those shared by two chunks
    // do not matter.
    constexpr std::int64_t enough_chunks = 512, enough_planes = 16;
    const std::int64_t wanted = pieces(enough_chunks, layout.tiles()), most = pieces(layout.extents[2], enough_planes);
    layout.segment = pieces(layout.extents[2], std::clamp<std::int64_t>(wanted, 1, most));
    layout.segments = pieces(layout.extents[2], layout.segment);
    return layout;
}

}  // namespace legato::kpm
