// Clusters of R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987), the same on host and device.
//
// A bond whose energy is low is occupied with probability 1 - exp(-2 |beta|). Sites that occupied bonds connect are a
// cluster, which is turned over with probability 1/2. A bond of each site to a ghost spin, which is always up, stands
// for a field: it is occupied with probability 1 - exp(-2 |beta h / J|) if the spin points along the field. Clusters
// with the ghost are not turned over. Random bits belong to a bond, or to the first site of a cluster, so that they do
// not depend on the order in which clusters are found.
//
// The words of both colours with the same number (lattice.hpp) are a piece of a row, with 64 sites in the order of x.
// Site x of piece `word` has the number 64 (word + 1) + x. The ghost has the number 0. The first site of a cluster has
// the lowest number. Occupied bonds along x divide a piece into runs.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

inline constexpr std::uint32_t ghost_site = 0, sites_of_piece = 64;

LEGATO_HOST_DEVICE inline std::uint32_t site_number(std::uint32_t word, std::uint32_t x) {
    return sites_of_piece * (word + 1) + x;
}

// The probability of a bond whose energy, divided by kT, is -K or K. It is kept as q and the tail of metropolis.hpp.
struct BondChance {
    std::uint32_t q = 0, tail_low = 0, tail_high = 0;
    std::uint32_t negative = 0;  // all ones if K < 0, so that different spins have the lower energy

    explicit BondChance(double k) : negative(k < 0 ? ~0u : 0u) {
        const double scaled = std::ldexp(-std::expm1(-2 * std::fabs(k)), coarse_bits), whole = std::floor(scaled);
        if (whole == std::ldexp(1.0, coarse_bits)) {  // 1 in double precision
            q = (1u << coarse_bits) - 1;
            tail_low = tail_high = ~0u;
            return;
        }
        const auto tail = static_cast<std::uint64_t>(std::ldexp(scaled - whole, 64));
        q = static_cast<std::uint32_t>(whole);
        tail_low = static_cast<std::uint32_t>(tail);
        tail_high = static_cast<std::uint32_t>(tail >> 32);
    }
};

// Kinds of draws, beside those of Metropolis' algorithm.
inline constexpr std::uint32_t bond_draw = 1u << 24, bond_tail_draw = 2u << 24, cluster_draw = 3u << 24,
                               seed_draw = 4u << 24;

// Bonds with the ghost: direction ghost_direction + colour.
inline constexpr std::uint32_t ghost_direction = 6;

// Returns the occupied ones of the bonds that the coarse draws leave undecided.
LEGATO_HOST_DEVICE inline std::uint32_t tail_bonds(const BondChance& chance, const Stream& stream, std::uint32_t index,
                                                   std::int64_t sweep, std::uint32_t direction,
                                                   std::uint32_t undecided) {
    std::uint32_t occupied = 0;
    for (; undecided != 0; undecided &= undecided - 1) {
        const std::uint32_t bit = lowest_bit(undecided);
        const auto words =
            random_words(stream, index, sweep, direction / 4, bond_tail_draw + 32 * (direction % 4) + bit);
        if (words[1] < chance.tail_high || (words[1] == chance.tail_high && words[0] < chance.tail_low))
            occupied |= 1u << bit;
    }
    return occupied;
}

// Returns the occupied ones of the candidates. These are bonds of a word of colour 0 with the neighbours in a direction
// (neighbours.hpp), or of a word with the ghost.
LEGATO_HOST_DEVICE inline std::uint32_t occupied_bonds(const BondChance& chance, const Stream& stream,
                                                       std::uint32_t index, std::int64_t sweep, std::uint32_t direction,
                                                       std::uint32_t candidates) {
    std::uint32_t below = 0, equal = candidates;
    for (std::uint32_t draw = 0; draw < coarse_draws && equal != 0; ++draw) {
        const auto words = random_words(stream, index, sweep, 0, bond_draw + coarse_draws * direction + draw);
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t q = (chance.q >> (coarse_bits - 1 - 4 * draw - k) & 1) != 0 ? ~0u : 0u;
            below |= equal & q & ~words[k];
            equal &= ~(words[k] ^ q);
        }
    }
    return below | tail_bonds(chance, stream, index, sweep, direction, equal);
}

// Returns whether the cluster with this first site is turned over.
LEGATO_HOST_DEVICE inline bool is_turned(const Stream& stream, std::int64_t sweep, std::uint32_t first) {
    if (first == ghost_site) return false;
    const auto words = random_words(stream, first / 64, sweep, 0, cluster_draw);
    return (words[first / 32 % 2] >> first % 32 & 1) != 0;
}

// Moves bit i to bit 2 i. every_second() is the inverse, and ignores the odd bits.
LEGATO_HOST_DEVICE inline std::uint64_t spread(std::uint32_t bits) {
    std::uint64_t s = bits;
    s = (s | s << 16) & 0x0000ffff0000ffffu;
    s = (s | s << 8) & 0x00ff00ff00ff00ffu;
    s = (s | s << 4) & 0x0f0f0f0f0f0f0f0fu;
    s = (s | s << 2) & 0x3333333333333333u;
    return (s | s << 1) & 0x5555555555555555u;
}
LEGATO_HOST_DEVICE inline std::uint32_t every_second(std::uint64_t s) {
    s &= 0x5555555555555555u;
    s = (s | s >> 1) & 0x3333333333333333u;
    s = (s | s >> 2) & 0x0f0f0f0f0f0f0f0fu;
    s = (s | s >> 4) & 0x00ff00ff00ff00ffu;
    s = (s | s >> 8) & 0x0000ffff0000ffffu;
    return static_cast<std::uint32_t>(s | s >> 16);
}

// The two pieces whose last and first site bit 0 of BondsOf::along() connects.
struct PiecePair {
    std::uint32_t before, after;
};
LEGATO_HOST_DEVICE inline PiecePair connected_pieces(const Packing& p, const Place& at, std::uint32_t word) {
    const std::uint32_t row = at.row * p.width, last = row + p.width - 1;
    if (is_odd(0, at.y, at.z)) return {word, word == last ? row : word + 1};
    return {word == row ? last : word - 1, word};
}
// Returns the last site of a piece, whose number in its row is `word`.
LEGATO_HOST_DEVICE inline std::uint32_t last_site(const Packing& p, std::uint32_t word) {
    return word + 1 == p.width ? 2 * p.last_bits - 1 : sites_of_piece - 1;
}
// Returns the number of the piece after this one along an axis, which is 1 or 2, or before it.
LEGATO_HOST_DEVICE inline std::uint32_t piece_after(const Packing& p, const Place& at, std::uint32_t word,
                                                    std::uint32_t axis) {
    if (axis == 1) return at.y + 1 == p.rows_y ? word - (p.rows_y - 1) * p.width : word + p.width;
    const std::uint32_t plane = p.rows_y * p.width;
    return at.z + 1 == p.rows_z ? word - (p.rows_z - 1) * plane : word + plane;
}
LEGATO_HOST_DEVICE inline std::uint32_t piece_before(const Packing& p, const Place& at, std::uint32_t word,
                                                     std::uint32_t axis) {
    if (axis == 1) return at.y == 0 ? word + (p.rows_y - 1) * p.width : word - p.width;
    const std::uint32_t plane = p.rows_y * p.width;
    return at.z == 0 ? word + (p.rows_z - 1) * plane : word - plane;
}

// The occupied bonds of a lattice in a sweep. Bits are sites of a piece in the order of x.
template <int Dimensions>
struct BondsOf {
    Packing packing;
    const std::uint32_t* spins;  // of both colours
    BondChance chance, of_field;
    bool has_field;
    Stream stream;
    std::int64_t sweep;

    static constexpr int neighbours = 2 * Dimensions;

    LEGATO_HOST_DEVICE std::uint64_t in_order(const Place& at, std::uint32_t of_colour_0,
                                              std::uint32_t of_colour_1) const {
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        return spread(of_colour_0) << odd | spread(of_colour_1) << (1 - odd);
    }
    LEGATO_HOST_DEVICE std::uint64_t sites(const Place& at) const {
        const std::uint32_t valid = valid_bits(packing, at.word);
        return in_order(at, valid, valid);
    }
    LEGATO_HOST_DEVICE std::uint64_t up(std::uint32_t word, const Place& at) const {
        return in_order(at, spins[word], spins[packing.words() + word]);
    }
    // Computes the bonds of colour 0 in each direction that may be occupied.
    LEGATO_HOST_DEVICE void candidates(std::uint32_t word, const Place& at, std::uint32_t (&bonds)[neighbours]) const {
        neighbours_of<neighbours>(packing, spins + packing.words(), 0, at, bonds);
        for (std::uint32_t& b : bonds) b = ~(spins[word] ^ b ^ chance.negative) & valid_bits(packing, at.word);
    }

    // The next functions take the occupied bonds of colour 0 in some directions.
    //
    // Bit x is set if site x is connected to the one before it. Bit 0 is set if the piece is connected to the one after
    // it in a row whose sites of colour 0 are odd, or before it in another. A row is connected to itself beyond its
    // ends.
    LEGATO_HOST_DEVICE std::uint64_t along(const Place& at, std::uint32_t direction_0,
                                           std::uint32_t direction_1) const {
        const std::uint64_t same = spread(direction_0) << 1;
        if (!is_odd(0, at.y, at.z)) return same | spread(direction_1);
        const std::uint32_t last = at.word + 1 == packing.width ? packing.last_bits - 1 : 31;
        return same | spread(direction_1 & ~(1u << last)) << 2 | (direction_1 >> last & 1);
    }
    // Bit x is set if site x is connected to site x of piece_after(). `to_after` are bonds of the piece, `to_before`
    // those of the other piece.
    LEGATO_HOST_DEVICE std::uint64_t across(const Place& at, std::uint32_t to_after, std::uint32_t to_before) const {
        return in_order(at, to_after, to_before);
    }
    // Bit x is set if site x is connected to the ghost.
    LEGATO_HOST_DEVICE std::uint64_t with_ghost(std::uint32_t word, const Place& at) const {
        std::uint32_t connected[2];
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            connected[colour] = occupied_bonds(
                of_field, stream, word, sweep, ghost_direction + colour,
                (spins[colour * packing.words() + word] ^ of_field.negative) & valid_bits(packing, at.word));
        return in_order(at, connected[0], connected[1]);
    }
};

// Returns how many numbers sites have.
inline std::size_t numbers_of_sites(const Packing& p) {
    return std::size_t{sites_of_piece} * (std::size_t{p.words()} + 1);
}

// Returns the first site of the run of site x.
LEGATO_HOST_DEVICE inline std::uint32_t start_of_run(std::uint64_t bonds, std::uint32_t x) {
    const std::uint64_t starts = (~bonds | 1) & (~std::uint64_t{0} >> (63 - x));
#ifdef __CUDA_ARCH__
    return 63 - static_cast<std::uint32_t>(__clzll(static_cast<long long>(starts)));
#else
    return 63 - static_cast<std::uint32_t>(std::countl_zero(starts));
#endif
}

}  // namespace legato::ising
