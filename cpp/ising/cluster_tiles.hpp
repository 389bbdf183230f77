// Tiles into which a lattice with clusters is divided on a device. A tile has 32 rows of one piece (clusters.hpp).
#pragma once

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

}  // namespace legato::ising
