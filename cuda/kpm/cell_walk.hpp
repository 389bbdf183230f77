// The order in which the CUDA engine goes through the cells of a unit-cell lattice, and through those of a slab.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kpm/cell_rows.hpp"
#include "kpm/row_walk.hpp"

namespace legato::kpm {

// Tests compare the kernel with rows in shared memory (cell_row_steps.cuh) and the one without.
inline bool cells_in_shared_memory = true;

// Returns a walk through the cells of a lattice that has enough chunks for all multiprocessors, and enough layers for
// slabs. Small lattices have fewer layers, so that a block computes more between its beginning and its end. The larger
// a tile of a three-dimensional lattice, the fewer elements of x beside it are read; those of three planes must fit the
// first-level cache, and its rows shared memory.
inline RowWalk cell_walk_of(const CellLattice& lattice) {
    constexpr std::int64_t most = 2048, least = 64, enough_chunks = 512, small_lattice = 1 << 22;
    constexpr int small_tile = 5, large_tile = 6;  // logarithms
    constexpr std::size_t few_hoppings = 8;
    const auto& extents = lattice.extents;
    const auto log_of = [](std::int64_t number) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))) - 1;
    };
    const int log_chunk = log_of(std::clamp(lattice.cells() / enough_chunks, least, most));
    const bool is_cubic = extents[1] > 1 && extents[2] > 1, is_chain = extents[1] == 1 && extents[2] == 1,
               is_large = is_cubic && lattice.orbitals == 1 && lattice.hoppings.size() <= few_hoppings;
    const int log_tile = is_chain   ? log_chunk
                         : is_large ? large_tile
                                    : small_tile,
              log_x = std::min(is_cubic ? 3 : log_tile, log_of(extents[0])),
              log_y = is_cubic ? std::min(log_tile - 3, log_of(extents[1])) : 0;
    const std::int64_t line = extents[0], plane = is_cubic ? line * extents[1] : line,
                       enough_layers = lattice.cells() < small_lattice ? 4 : 8,
                       most_planes = std::max<std::int64_t>(lattice.cells() / plane / enough_layers, 1);
    const int planes = is_chain ? 1 : 1 << std::clamp(log_chunk - log_x - log_y, 0, log_of(most_planes));
    return walk_with(lattice.cells(), line, plane, log_x, log_y, planes);
}

// Some segments of the cells. Places of the walk count from the first cell of the slab.
struct CellSlab {
    RowWalk walk;
    std::uint32_t first_x, first_z;  // what is added to x and z of a place
    bool along_1;                    // z is the second coordinate of a cell; otherwise y is, and z the third
    std::int64_t first, count;       // sites
    std::int64_t halo;               // sites on each side

    LEGATO_HOST_DEVICE CellRows::Place cell_at(const RowWalk::Place& at) const {
        const std::uint32_t z = at.z + first_z;
        return {0, {at.x + first_x, along_1 ? z : at.y, along_1 ? 0 : z}};
    }
};

inline CellSlab cells_of_slab(const CellLattice& lattice, const SegmentRange& segments) {
    const RowWalk all = cell_walk_of(lattice);
    const std::int64_t first = all.first_row(static_cast<std::int64_t>(segments.first)),
                       end = all.first_row(static_cast<std::int64_t>(segments.end));
    const bool is_whole = static_cast<std::int64_t>(segments.size()) == all.segment_count();
    return {all.slab(segments),
            all.is_plain() ? static_cast<std::uint32_t>(first) : 0,
            all.is_plain() ? 0 : static_cast<std::uint32_t>(first / all.plane),
            lattice.extents[2] == 1,
            first * lattice.orbitals,
            (end - first) * lattice.orbitals,
            is_whole ? 0 : halo_of(lattice)};
}

// Returns the layers without the first and the last `halo` sites.
struct InnerLayers {
    std::int64_t first, end;
};
inline InnerLayers inner_layers(const RowWalk& walk, std::int64_t halo, std::int64_t orbitals) {
    const std::int64_t layer = walk.rows_of_layer() * orbitals, count = walk.rows * orbitals;
    const std::int64_t first = std::min((halo + layer - 1) / layer, walk.layers());
    const std::int64_t end = halo == 0 ? walk.layers() : std::max<std::int64_t>(count - halo, 0) / layer;
    return {first, std::max(first, end)};
}

}  // namespace legato::kpm
