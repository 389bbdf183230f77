// Square and simple cubic lattices, and the packing of their spins: a word has 32 spins of one colour of the
// checkerboard.
//
// Site (x, y, z) has the colour (x + y + z) mod 2; z = 0 on a square lattice. The row of a site is y + L2 z. The site
// of one colour with x = 2 j + ((colour + y + z) mod 2) is bit j % 32 of word j / 32 of its row. Bits beyond the row's
// end are 0. A bit is 1 if the spin is up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/params.hpp"

namespace legato::ising {

// Limits of the sizes. Words of a colour are counted by 32 bits, and so are sites with demons. At most 2^31 proposals
// must reach half of the N sites with demons, which takes N ln 2 proposals. With clusters sites, 64 for each word of a
// colour, are counted by 31 bits.
inline constexpr std::int64_t most_sites = std::int64_t{1} << 37, most_words = std::int64_t{1} << 31,
                              most_demon_sites = 3'000'000'000, most_cluster_words = (std::int64_t{1} << 25) - 1;

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Lattice& lattice);

inline std::int64_t sites_of(const Lattice& lattice) {
    return lattice.extents[0] * lattice.extents[1] * lattice.extents[2];
}

// The packing of a valid lattice. It is the same on host and device.
struct Packing {
    std::uint32_t bits = 0;   // bits of a row for one colour
    std::uint32_t width = 0;  // words of a row
    std::uint32_t rows_y = 0, rows_z = 1;
    std::uint32_t last_bits = 0;                          // bits of a row's last word
    bool flip_x = false, flip_y = false, flip_z = false;  // true for antiperiodic boundaries
    bool cubic = false;

    LEGATO_HOST_DEVICE std::uint32_t rows() const { return rows_y * rows_z; }
    LEGATO_HOST_DEVICE std::uint32_t words() const { return rows() * width; }  // words of one colour
    LEGATO_HOST_DEVICE std::uint32_t last_mask() const { return 0xffffffffu >> (32 - last_bits); }
};
Packing packing_of(const Lattice& lattice);

}  // namespace legato::ising
