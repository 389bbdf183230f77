// Clusters of R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987), the same on host and device.
//
// A bond whose energy is low is occupied with probability 1 - exp(-2 |beta|). Sites that occupied bonds connect are a
// cluster, which is turned over with probability 1/2. Random bits belong to a bond, or to the first site of a cluster,
// so that they do not depend on the order in which clusters are found. Site `bit` of word `word` of a colour
// (lattice.hpp) has the number 32 (colour words + word) + bit. The first site of a cluster has the lowest number.
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
LEGATO_HOST_DEVICE inline bool is_turned(const Packing& p, const Stream& stream, std::int64_t sweep,
                                         std::uint32_t first) {
    const std::uint32_t word = first / 32, colour = word >= p.words() ? 1 : 0;
    const auto words = random_words(stream, word - colour * p.words(), sweep, colour, cluster_draw);
    return (words[0] >> first % 32 & 1) != 0;
}

// Returns the number of the first neighbour in a direction of a word's sites, that of bit 0, if all of them follow each
// other. The number of a neighbour along x of the site at the end of a row differs by the length of the row.
struct NeighbourSites {
    std::uint32_t first;           // of bit 0
    std::uint32_t bit, first_bit;  // the bit whose neighbour is at the other end of the row, or 32; and that neighbour

    LEGATO_HOST_DEVICE std::uint32_t of(std::uint32_t b) const { return b == bit ? first_bit : first + b; }
};
LEGATO_HOST_DEVICE inline NeighbourSites neighbour_sites(const Packing& p, const Place& at, std::uint32_t direction) {
    const std::uint32_t row_sites = 32 * p.width, other = 32 * p.words(), row = other + at.row * row_sites,
                        here = row + 32 * at.word;
    if (direction == 0) return {here, 32, 0};
    if (direction == 1) {
        if (is_odd(0, at.y, at.z)) {
            const bool last = at.word + 1 == p.width;
            return {here + 1, last ? p.last_bits - 1 : 32, row};
        }
        return {here - 1, at.word == 0 ? 0u : 32u, row + p.bits - 1};
    }
    const std::uint32_t step = direction < 4 ? row_sites : row_sites * p.rows_y, place = direction < 4 ? at.y : at.z,
                        extent = direction < 4 ? p.rows_y : p.rows_z;
    if (direction % 2 == 0) return {place == 0 ? here + (extent - 1) * step : here - step, 32, 0};
    return {place + 1 == extent ? here - (extent - 1) * step : here + step, 32, 0};
}

}  // namespace legato::ising
