// The spins around those of a packed word, the same on host and device (lattice.hpp has the packing).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "ising/lattice.hpp"

namespace legato::ising {

// The position of a word.
struct Place {
    std::uint32_t row, word;  // number of the row, and of the word in it
    std::uint32_t y, z;
};
LEGATO_HOST_DEVICE inline Place place_of(const Packing& p, std::uint32_t index) {
    const std::uint32_t row = index / p.width, z = row / p.rows_y;
    return {row, index - row * p.width, row - z * p.rows_y, z};
}

// Returns whether the sites of the colour in a row have odd x.
LEGATO_HOST_DEVICE inline bool is_odd(std::uint32_t colour, std::uint32_t y, std::uint32_t z) {
    return ((colour + y + z) & 1) != 0;
}

// Returns for every bit of a row's word the bit after it. bits_before() returns the bit before it. Across the ends of
// the row the bits have the boundary's sign.
LEGATO_HOST_DEVICE inline std::uint32_t bits_after(const Packing& p, const std::uint32_t* row, std::uint32_t word) {
    if (word + 1 < p.width) return row[word] >> 1 | row[word + 1] << 31;
    return row[word] >> 1 | ((row[0] ^ static_cast<std::uint32_t>(p.flip_x)) & 1) << (p.last_bits - 1);
}
LEGATO_HOST_DEVICE inline std::uint32_t bits_before(const Packing& p, const std::uint32_t* row, std::uint32_t word) {
    if (word > 0) return row[word] << 1 | row[word - 1] >> 31;
    const std::uint32_t last = row[p.width - 1] >> (p.last_bits - 1);
    return row[0] << 1 | ((last ^ static_cast<std::uint32_t>(p.flip_x)) & 1);
}

// Computes the neighbours of a word's sites: n[0], n[1] along x, n[2], n[3] along y, then along z. `other`: the spins
// of the other colour.
template <int Neighbours>
LEGATO_HOST_DEVICE inline void neighbours_of(const Packing& p, const std::uint32_t* other, std::uint32_t colour,
                                             const Place& at, std::uint32_t (&n)[Neighbours]) {
    const std::uint32_t* const row = other + static_cast<std::size_t>(at.row) * p.width;
    n[0] = row[at.word];
    n[1] = is_odd(colour, at.y, at.z) ? bits_after(p, row, at.word) : bits_before(p, row, at.word);
    const std::uint32_t flip_y = p.flip_y ? ~0u : 0u;
    const std::size_t to_end_y = static_cast<std::size_t>(p.rows_y - 1) * p.width;
    const std::uint32_t* const here = row + at.word;
    n[2] = at.y == 0 ? here[to_end_y] ^ flip_y : *(here - p.width);
    n[3] = at.y + 1 == p.rows_y ? *(here - to_end_y) ^ flip_y : here[p.width];
    if constexpr (Neighbours == 6) {
        const std::uint32_t flip_z = p.flip_z ? ~0u : 0u;
        const std::size_t plane = static_cast<std::size_t>(p.rows_y) * p.width, to_end_z = (p.rows_z - 1) * plane;
        n[4] = at.z == 0 ? here[to_end_z] ^ flip_z : *(here - plane);
        n[5] = at.z + 1 == p.rows_z ? *(here - to_end_z) ^ flip_z : here[plane];
    }
}

// Returns 32 bits of a row from bit `start` on, which may be beyond its end. A row with fewer bits gives all of them.
LEGATO_HOST_DEVICE inline std::uint32_t row_bits(const Packing& p, const std::uint32_t* row, std::uint32_t start) {
    const bool beyond = start >= p.bits;
    if (beyond) start -= p.bits;
    const std::uint32_t flip = p.flip_x ? ~0u : 0u, turned = beyond ? flip : 0u;
    if (p.width == 1) {
        if (start == 0) return (row[0] ^ turned) & p.last_mask();
        const std::uint32_t tail = p.bits - start;
        return ((row[0] >> start ^ turned) & (0xffffffffu >> (32 - tail))) |
               (((row[0] ^ turned ^ flip) << tail) & p.last_mask());
    }
    const std::uint32_t word = start / 32, shift = start % 32, left = p.bits - start;
    std::uint32_t bits = row[word] >> shift;
    if (shift > 0 && word + 1 < p.width) bits |= row[word + 1] << (32 - shift);
    bits ^= turned;
    if (left >= 32) return bits;
    return (bits & (0xffffffffu >> (32 - left))) | ((row[0] ^ turned ^ flip) << left);
}

// Returns the spins at distance r along an axis from those of a word, r <= the extent. `spins`: those of both colours.
LEGATO_HOST_DEVICE inline std::uint32_t spins_at_distance(const Packing& p, const std::uint32_t* spins,
                                                          std::uint32_t colour, const Place& at, int axis,
                                                          std::uint32_t r) {
    const std::uint32_t* const target = spins + static_cast<std::size_t>((colour + r) & 1) * p.words();
    if (axis == 0) {
        const std::uint32_t odd = is_odd(colour, at.y, at.z) ? 1 : 0, odd_there = odd ^ (r & 1);
        return row_bits(p, target + static_cast<std::size_t>(at.row) * p.width,
                        32 * at.word + (odd + r - odd_there) / 2);
    }
    std::uint32_t y = at.y, z = at.z;
    bool flip = false;
    if (axis == 1) {
        y += r;
        if (y >= p.rows_y) y -= p.rows_y, flip = p.flip_y;
    } else {
        z += r;
        if (z >= p.rows_z) z -= p.rows_z, flip = p.flip_z;
    }
    const std::size_t row = static_cast<std::size_t>(z) * p.rows_y + y;
    return target[row * p.width + at.word] ^ (flip ? ~0u : 0u);
}

LEGATO_HOST_DEVICE inline std::uint32_t valid_bits(const Packing& p, std::uint32_t word) {
    return word + 1 == p.width ? p.last_mask() : ~0u;
}

}  // namespace legato::ising
