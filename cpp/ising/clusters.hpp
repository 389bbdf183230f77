// Clusters of R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987), the same on host and device.
//
// A bond whose energy is low is occupied with probability 1 - exp(-2 |beta|). Sites that occupied bonds connect are a
// cluster, which is turned over with probability 1/2. Random bits belong to a bond, or to the first site of a cluster,
// so that they do not depend on the order in which clusters are found.
//
// The words of both colours with the same number (lattice.hpp) are a piece of a row, with 64 sites in the order of x.
// Site x of piece `word` has the number 64 word + x. The first site of a cluster has the lowest number. Occupied bonds
// along x divide a piece into runs.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

// The probability of a bond, as q and the tail of metropolis.hpp.
struct BondChance {
    std::uint32_t q = 0, tail_low = 0, tail_high = 0;
    std::uint32_t antiferromagnetic = 0;  // all ones if neighbours prefer to be different

    explicit BondChance(double beta) : antiferromagnetic(beta < 0 ? ~0u : 0u) {
        const double scaled = std::ldexp(-std::expm1(-2 * std::fabs(beta)), coarse_bits), whole = std::floor(scaled);
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
inline constexpr std::uint32_t bond_draw = 1u << 24, bond_tail_draw = 2u << 24, cluster_draw = 3u << 24;

// Returns the occupied ones of the candidates. These are bonds of a word of colour 0 with the neighbours in a direction
// (neighbours.hpp).
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
    for (; equal != 0; equal &= equal - 1) {
        const std::uint32_t bit = lowest_bit(equal);
        const auto words =
            random_words(stream, index, sweep, direction / 4, bond_tail_draw + 32 * (direction % 4) + bit);
        if (words[1] < chance.tail_high || (words[1] == chance.tail_high && words[0] < chance.tail_low))
            below |= 1u << bit;
    }
    return below;
}

// Returns whether the cluster with this first site is turned over.
LEGATO_HOST_DEVICE inline bool is_turned(const Stream& stream, std::int64_t sweep, std::uint32_t first) {
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

// Returns the occupied bonds of a piece along x, from those of colour 0 in the directions 0 and 1. Bit x is set if site
// x is connected to the one before it. Bit 0 is set if the piece is connected to the one after it in a row whose sites
// of colour 0 are odd, or before it in another. A row is connected to itself beyond its ends.
LEGATO_HOST_DEVICE inline std::uint64_t bonds_along(const Packing& p, const Place& at, std::uint32_t with_same,
                                                    std::uint32_t with_next) {
    const std::uint64_t same = spread(with_same) << 1;
    if (!is_odd(0, at.y, at.z)) return same | spread(with_next);
    const std::uint32_t last = at.word + 1 == p.width ? p.last_bits - 1 : 31;
    return same | spread(with_next & ~(1u << last)) << 2 | (with_next >> last & 1);
}

// The two sites between pieces that bit 0 of bonds_along() connects.
struct SitePair {
    std::uint32_t a, b;
};
LEGATO_HOST_DEVICE inline SitePair between_pieces(const Packing& p, const Place& at, std::uint32_t word) {
    const std::uint32_t row = at.row * p.width, last = row + p.width - 1, end = 64 * last + 2 * p.last_bits - 1;
    if (is_odd(0, at.y, at.z)) return word == last ? SitePair{end, 64 * row} : SitePair{64 * word + 63, 64 * word + 64};
    return word == row ? SitePair{64 * row, end} : SitePair{64 * word, 64 * word - 1};
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
