// Creutz's demons for the 32 bits of a word at once, the same on host and device. In Rummukainen's form every site has
// a demon, whose energy has three bits for 4, 8 and 16. Bits are systems, or parts of systems (parts.hpp).
//
// A step flips a spin if its demon can give or take the energy. If u of the 2 d neighbours do not point as the spin
// does, the flip costs 4 (d - u). The demon's energy / 4 then goes from D to D + u - d, which must be one of 0 .. 7.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"
#include "ising/parts.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

inline constexpr int demon_levels = 3;

struct Demon {
    std::uint32_t level[demon_levels];  // energies 4, 8, 16
};

// Makes a step. `unequal`: the neighbours that do not point as the spin does.
template <int Dimensions>
LEGATO_HOST_DEVICE inline void exchange_energy(std::uint32_t& spin, Demon& demon,
                                               const std::uint32_t (&unequal)[2 * Dimensions]) {
    const std::uint32_t odd = unequal[0] ^ unequal[1] ^ unequal[2], two = majority(unequal[0], unequal[1], unequal[2]);
    std::uint32_t u0, u1, u2;  // number of unequal neighbours
    if constexpr (Dimensions == 2) {
        const std::uint32_t carry = odd & unequal[3];
        u0 = odd ^ unequal[3];
        u1 = two ^ carry;
        u2 = two & carry;
    } else {
        const std::uint32_t odd2 = unequal[3] ^ unequal[4] ^ unequal[5], carry = odd & odd2;
        const std::uint32_t two2 = majority(unequal[3], unequal[4], unequal[5]);
        u0 = odd ^ odd2;
        u1 = two ^ two2 ^ carry;
        u2 = majority(two, two2, carry);
    }
    auto& [d0, d1, d2] = demon.level;
    const std::uint32_t c0 = d0 & u0, c1 = majority(d1, u1, c0);
    const std::uint32_t t0 = d0 ^ u0, t1 = d1 ^ u1 ^ c0, t2 = d2 ^ u2 ^ c1, t3 = majority(d2, u2, c1);  // D + u
    // Bits of D + u - d: the change of bit 0, and the new bit 1. `enough`: the lower three bits of D + u are at least
    // d. This must be so if t3 = 0, and must not be so if t3 = 1.
    std::uint32_t change0, new1, enough;
    if constexpr (Dimensions == 2) {
        change0 = u0;
        new1 = ~t1;
        enough = t2 | t1;
    } else {
        change0 = ~u0;
        new1 = t1 ^ t0;
        enough = t2 | (t1 & t0);
    }
    const std::uint32_t borrow = Dimensions == 2 ? ~t1 : ~(t1 & t0), flips = t3 ^ enough;
    spin ^= flips;
    d0 ^= change0 & flips;
    d1 ^= (d1 ^ new1) & flips;
    d2 ^= (d2 ^ t2 ^ borrow) & flips;
}

// The assignment of demons to sites in a sweep. It is a bijection of the sites 0 .. sites - 1 of each part, the even
// sites first. Aligned lines of 32 demons are rotated around the part together, and demons inside a line change places.
// Lines are shorter if the number of sites is no multiple of 32. A used demon moves on by some parts, so that energy
// reaches the whole lattice. One site of each colour of each system rests: otherwise, if all sites had as many
// neighbours up as down, all spins would flip for ever.
struct DemonMoves {
    std::uint32_t rotation, within;
    std::uint32_t resting_site[2], resting_bits[2];  // site of a part that rests, and its bits, for each colour
    PartShift part_shift;                            // shift of the used demons
};

LEGATO_HOST_DEVICE inline DemonMoves demon_moves(const Stream& stream, std::int64_t sweep, const Parts& parts) {
    const auto words = random_words(stream, 0, sweep, 0, 0);
    const auto below = [](std::uint32_t word, std::uint32_t end) {
        return static_cast<std::uint32_t>(std::uint64_t{word} * end >> 32);
    };
    const std::uint32_t sites = parts.sites(), aligned = sites & (0u - sites), line = aligned < 32 ? aligned : 32;
    const std::uint32_t of_system = sites / 2 << parts.shift[3], even = below(words[2], of_system),
                        odd = below(words[3], of_system);
    return {line * below(words[0], sites / line),
            words[1] & (line - 1),
            {parts.place(even), parts.place(odd)},
            {parts.first_bits() * parts.bit(0, even), parts.first_bits() * parts.bit(0, odd)},
            parts.rotation(words[1] >> 27 & (parts.count() - 1))};
}

LEGATO_HOST_DEVICE inline std::uint32_t demon_of(const DemonMoves& moves, std::uint32_t site, std::uint32_t sites) {
    const std::uint32_t inside = site ^ moves.within, before_end = sites - moves.rotation;
    return inside < before_end ? inside + moves.rotation : inside - before_end;
}

// The neighbours of one row of one colour.
struct RowNeighbours {
    std::uint32_t row[4];   // rows below and above along y, then along z
    std::uint32_t flip[4];  // bits of that row that change their sign
    bool rotates[4];        // true if that row lies in another part: across_face(k)
    // One neighbour along the row has the same number, the other one the next number (odd) or the previous one.
    bool odd;
};

LEGATO_HOST_DEVICE inline const PartShift& across_face(const Parts& parts, int k) {
    const int axis = 1 + k / 2;
    return k % 2 == 0 ? parts.previous[axis] : parts.next[axis];
}

LEGATO_HOST_DEVICE inline RowNeighbours row_neighbours(const Parts& parts, std::uint32_t colour, std::uint32_t row) {
    const Packing& p = parts.packing;
    const std::uint32_t z = p.cubic ? row / p.rows_y : 0, y = row - z * p.rows_y;
    const std::uint32_t to_end_y = p.rows_y - 1, to_end_z = (p.rows_z - 1) * p.rows_y;
    const bool across[4] = {y == 0, y == to_end_y, z == 0, z + 1 == p.rows_z};
    RowNeighbours around{{across[0] ? row + to_end_y : row - 1, across[1] ? row - to_end_y : row + 1,
                          across[2] ? row + to_end_z : row - p.rows_y, across[3] ? row - to_end_z : row + p.rows_y},
                         {},
                         {},
                         is_odd(colour, y, z)};
    LEGATO_UNROLL
    for (int k = 0; k < 4; ++k) {
        around.flip[k] = across[k] ? across_face(parts, k).flip : 0;
        around.rotates[k] = across[k] && parts.along(1 + k / 2) > 1;
    }
    return around;
}

}  // namespace legato::ising
