// How a device finds clusters (clusters.hpp): in tiles of 32 rows of one piece, or in shared memory for lattices that
// would leave many threads of tiles without a site.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/lattice.hpp"

namespace legato::ising {

// The tiles of a lattice. Numbers count along x first, then along y.
struct Tiles {
    std::uint32_t rows_y, rows_z;    // of a tile; the product is 32
    std::uint32_t along_y, along_z;  // tiles of a lattice

    LEGATO_HOST_DEVICE std::uint32_t count(const Packing& p) const { return p.width * along_y * along_z; }
};
inline Tiles tiles_of(const Packing& p) {
    Tiles tiles{32, 1, 0, 0};
    while (p.rows_z > 1 && tiles.rows_y > 8) tiles.rows_y /= 2;
    while (p.rows_z > 1 && tiles.rows_y / 2 >= p.rows_y) tiles.rows_y /= 2;
    tiles.rows_z = 32 / tiles.rows_y;
    tiles.along_y = (p.rows_y + tiles.rows_y - 1) / tiles.rows_y;
    tiles.along_z = (p.rows_z + tiles.rows_z - 1) / tiles.rows_z;
    return tiles;
}

// In shared memory, site x of piece `word` has the number stride (word + 1) + x. The same sites of different pieces are
// in different banks.
LEGATO_HOST_DEVICE inline std::uint32_t stride_in_block(const Packing& p) {
    const std::uint32_t sites = p.width > 1 ? 64 : 2 * p.bits;
    return sites / 2 % 2 == 0 ? sites + 2 : sites;
}
LEGATO_HOST_DEVICE inline std::uint32_t numbers_in_block(const Packing& p) {
    return stride_in_block(p) * (p.words() + 1);
}

// Returns the bytes of shared memory of a lattice (cuda/ising/cluster_small.cuh).
inline std::size_t bytes_in_block(const Packing& p) {
    const std::size_t bonds_across = p.cubic ? 4 : 2;
    return p.words() * (2 * sizeof(std::uint64_t) + (2 + bonds_across) * sizeof(std::uint32_t)) +
           numbers_in_block(p) * (sizeof(std::uint16_t) + sizeof(std::uint32_t) / 2);
}

// Returns whether a lattice is in shared memory. A device with less shared memory than a Hopper GPU uses tiles if the
// lattice does not fit. On an H200 blocks were the faster ones for 32^2 and 32^3, which fill half of their tiles, and
// tiles for 64^2 and 128^2, which fill all.
inline bool is_in_block(const Packing& p) {
    constexpr std::size_t most_in_block = 32768;  // of PairedSums in cuda/ising/cluster_kernels.cuh
    constexpr std::size_t most_bytes = 227 * 1024;
    const std::size_t sites = std::size_t{2} * p.bits * p.rows(),
                      of_tiles = std::size_t{64} * 32 * tiles_of(p).count(p);
    return sites <= most_in_block && bytes_in_block(p) <= most_bytes && 4 * sites < 3 * of_tiles;
}

}  // namespace legato::ising
