// The division of a lattice for the CUDA engine, into columns along the third direction. The cross-section of a column
// is a tile of sites. A column consists of chunks. A layer, one chunk of every column, is a part of a segment, whose
// sums are formed before they are added in the order of segments; a slab has whole segments.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/host_device.hpp"
#include "kpm/chunk_layout.hpp"
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
    std::int64_t chunk_planes;       // planes of a chunk; the last one may have fewer
    std::int64_t layers;             // chunks of a column
    std::int64_t layers_of_segment;  // the last one may have fewer
    std::int64_t first_plane = 0;    // number of the first plane in the lattice
    bool has_halos = false;          // true if the planes before the first and after the last one are there

    LEGATO_HOST_DEVICE int tile_y() const { return tile_sites / tile_x; }
    // These functions describe a slab, a plane of a tile with the sites beside it. They count sites.
    LEGATO_HOST_DEVICE int slab_row() const { return tile_x + 2; }
    LEGATO_HOST_DEVICE int rim_y() const { return extents[1] > 1 ? 1 : 0; }
    LEGATO_HOST_DEVICE int slab() const { return slab_row() * (tile_y() + 2 * rim_y()); }
    LEGATO_HOST_DEVICE int slab_site(int x, int y) const { return x + 1 + slab_row() * (y + rim_y()); }
    LEGATO_HOST_DEVICE std::int64_t tiles() const { return tiles_x * tiles_y; }
    LEGATO_HOST_DEVICE std::int64_t chunks() const { return tiles() * layers; }
    std::int64_t segments() const { return (layers + layers_of_segment - 1) / layers_of_segment; }

    std::int64_t plane_sites() const { return extents[0] * extents[1]; }
    std::int64_t sites() const { return plane_sites() * extents[2]; }
    std::int64_t halo_sites() const { return has_halos ? plane_sites() : 0; }  // on each side
    std::int64_t first_site() const { return plane_sites() * first_plane; }

    // Returns the slab with these segments of a whole lattice.
    LatticeLayout slab(const SegmentRange& range) const {
        const std::int64_t first = static_cast<std::int64_t>(range.first) * layers_of_segment,
                           end = std::min(static_cast<std::int64_t>(range.end) * layers_of_segment, layers);
        LatticeLayout slab = *this;
        slab.has_halos = end - first < layers;
        slab.layers = end - first;
        slab.first_plane = first * chunk_planes;
        slab.extents[2] = std::min(end * chunk_planes, extents[2]) - slab.first_plane;
        return slab;
    }

    // Returns the distance from a position along a direction to that of the neighbour, or `none` if there is no bond.
    LEGATO_HOST_DEVICE std::int64_t neighbour(int direction, std::int64_t at, int by) const {
        const std::int64_t extent = extents[direction];
        if (direction == 2 && has_halos) return by;
        if (extent == 1) return none;
        const bool edge = by < 0 ? at == 0 : at == extent - 1;
        if (!edge) return by;
        return !periodic[direction] ? none : by < 0 ? extent - 1 : 1 - extent;
    }
};

// Returns the layout of a lattice. Directions of one site are left out, which leaves the numbers of the sites
// unchanged.
inline LatticeLayout layout_of(const Lattice& lattice) {
    LatticeLayout layout{{1, 1, 1}, {false, false, false}, tile_sites, 1, 1, 1, 1, 1};
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
    // The number of chunks should fill a device, and there should be many segments for slabs. Each chunk should have so
    // many planes that those shared by two chunks do not matter.
    constexpr std::int64_t enough_chunks = 512, enough_planes = 16, enough_segments = most_segments;
    const std::int64_t wanted = std::max(pieces(enough_chunks, layout.tiles()), enough_segments),
                       most = pieces(layout.extents[2], enough_planes);
    layout.chunk_planes = pieces(layout.extents[2], std::min(wanted, most));
    layout.layers = pieces(layout.extents[2], layout.chunk_planes);
    layout.layers_of_segment = pieces(layout.layers, enough_segments);
    return layout;
}

}  // namespace legato::kpm
