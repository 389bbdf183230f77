// Creutz's demons for 32 systems at once, one for each bit of a word, the same on host and device (Rummukainen's form:
// a demon for every site, its energy three bits for 4, 8 and 16).
//
// A step flips a spin if its demon can give or take the energy. With u neighbours that do not point as the spin does,
// of 2 d, the flip costs 4 (d - u): the demon's energy / 4 goes from D to D + u - d, which must be one of 0 .. 7.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

inline constexpr int demon_levels = 3;

struct Demon {
    std::uint32_t level[demon_levels];  // energies 4, 8, 16
};

// unequal: of the neighbours, whether they do not point as the spin does.
template <int Dimensions>
LEGATO_HOST_DEVICE inline void exchange_energy(std::uint32_t& spin, Demon& demon,
                                               const std::uint32_t (&unequal)[2 * Dimensions]) {
    const std::uint32_t odd = unequal[0] ^ unequal[1] ^ unequal[2], two = majority(unequal[0], unequal[1], unequal[2]);
    std::uint32_t u0, u1, u2;  // their number
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
    // Of D + u - d: what to change of the two lower bits, and the third if the rest is no less than d, as it must be
    // where t3 = 0 and must not be where t3 = 1.
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

// How a sweep hands out the demons: a bijection of 0 .. sites - 1, the even sites first. Aligned lines of 32 demons (or
// fewer, where the number of sites is no multiple of 32) are turned around the lattice together, and inside a line
// demons change places. One site of each colour rests: where all sites have as many neighbours up as down, all would
// turn over for ever.
struct DemonMoves {
    std::uint32_t rotation, within, resting[2];
};

LEGATO_HOST_DEVICE inline DemonMoves demon_moves(const Stream& stream, std::int64_t sweep, std::uint32_t sites) {
    const auto words = random_words(stream, 0, sweep, 0, 0);
    const auto below = [](std::uint32_t word, std::uint32_t end) {
        return static_cast<std::uint32_t>(std::uint64_t{word} * end >> 32);
    };
    const std::uint32_t aligned = sites & (0u - sites), line = aligned < 32 ? aligned : 32;
    return {line * below(words[0], sites / line),
            words[1] & (line - 1),
            {below(words[2], sites / 2), below(words[3], sites / 2)}};
}

LEGATO_HOST_DEVICE inline std::uint32_t demon_of(const DemonMoves& moves, std::uint32_t site, std::uint32_t sites) {
    const std::uint32_t inside = site ^ moves.within, before_end = sites - moves.rotation;
    return inside < before_end ? inside + moves.rotation : inside - before_end;
}

// Of a row's sites of a colour the rows of their neighbours across it, with all bits of the sign changed or none; and
// along the row one neighbour has the same number and the other one the next (odd) or the one before.
struct RowNeighbours {
    std::uint32_t row[4];  // below and above along y, along z
    std::uint32_t flip[4];
    bool odd;
};

LEGATO_HOST_DEVICE inline RowNeighbours row_neighbours(const Packing& p, std::uint32_t colour, std::uint32_t row) {
    const std::uint32_t z = p.cubic ? row / p.rows_y : 0, y = row - z * p.rows_y;
    const std::uint32_t to_end_y = p.rows_y - 1, to_end_z = (p.rows_z - 1) * p.rows_y;
    const std::uint32_t flip_y = p.flip_y ? ~0u : 0u, flip_z = p.flip_z ? ~0u : 0u;
    const bool first_y = y == 0, last_y = y == to_end_y, first_z = z == 0, last_z = z + 1 == p.rows_z;
    return {{first_y ? row + to_end_y : row - 1, last_y ? row - to_end_y : row + 1,
             first_z ? row + to_end_z : row - p.rows_y, last_z ? row - to_end_z : row + p.rows_y},
            {first_y ? flip_y : 0, last_y ? flip_y : 0, first_z ? flip_z : 0, last_z ? flip_z : 0},
            is_odd(colour, y, z)};
}

}  // namespace legato::ising
