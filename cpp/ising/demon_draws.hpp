// The random numbers by which demons are drawn anew, the same on host and device. Beside what random_words.hpp tells of
// the counter, by colour and draw:
//     0:  0                        how a sweep hands out the demons
//     0:  1                        numbers of demons; the index is 32 level + system
//     0:  16 + 4 level + 0 .. 2    twelve bits of each demon of a level
//     0:  64, 1: 64                the spins at the start
//     0:  80 + 16 level + bit / 2  64 more bits, where these twelve do not decide
//     1:  32 + system              sites at random; the index is 2^30 level + number / 2
// Here a level holds energy 4, 8 or 16 with p = exp(-beta E) / (1 + exp(-beta E)).
#pragma once

#include <cstdint>
#include <vector>

#include "core/host_device.hpp"
#include "ising/demon_step.hpp"

namespace legato::ising {

// q = floor(4096 p) and tail = (4096 p - q) 2^64, rounded down.
struct LevelProbability {
    std::uint32_t q = 0;
    std::uint64_t tail = 0;
};
double demon_probability(double beta, int level);
LevelProbability level_probability(double beta, int level);

LEGATO_HOST_DEVICE inline std::uint64_t long_word(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}

// A level of the 32 demons of a site, each bit with probability p: by twelve bits U < q, the last digit first; where
// U = 4095, which is never below q, by 64 more.
LEGATO_HOST_DEVICE inline std::uint32_t draw_demons(const LevelProbability& p, const Stream& stream, std::int64_t sweep,
                                                    std::uint32_t level, std::uint32_t site) {
    std::uint32_t below = 0, undecided = ~0u;
    for (std::uint32_t draw = 0; draw < coarse_draws; ++draw) {
        const auto words = random_words(stream, site, sweep, 0, 16 + 4 * level + draw);
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t digit = 0u - (p.q >> (4 * draw + static_cast<std::uint32_t>(i)) & 1);
            below = majority(digit, ~words[i], below);
            undecided &= words[i];
        }
    }
    for (std::uint32_t bit = 0; undecided != 0; ++bit, undecided >>= 1) {
        if ((undecided & 1) == 0) continue;
        const auto words = random_words(stream, site, sweep, 0, 80 + 16 * level + bit / 2);
        const std::uint64_t more = bit % 2 == 0 ? long_word(words[1], words[0]) : long_word(words[3], words[2]);
        if (more < p.tail) below |= 1u << bit;
    }
    return below;
}

// Site number `number` of those proposed to a level of a system.
LEGATO_HOST_DEVICE inline std::uint32_t proposed_site(const Stream& stream, std::int64_t sweep, std::uint32_t level,
                                                      std::uint32_t system, std::uint32_t number, std::uint32_t sites) {
    const auto words = random_words(stream, level << 30 | number >> 1, sweep, 1, 32 + system);
    const bool second = (number & 1) != 0;
    const std::uint32_t high = words[second ? 3 : 1], low = words[second ? 2 : 0];
    return static_cast<std::uint32_t>((std::uint64_t{high} * sites + (std::uint64_t{low} * sites >> 32)) >> 32);
}

// The distribution function of a binomial number in units of 2^-64: the number is `first` plus how many of these
// thresholds a 64-bit number does not stay below.
struct BinomialTable {
    std::int64_t first = 0;
    std::vector<std::uint64_t> thresholds;  // increasing
};
BinomialTable binomial_table(std::int64_t n, double p);

LEGATO_HOST_DEVICE inline std::int64_t binomial_number(std::int64_t first, const std::uint64_t* thresholds,
                                                       std::uint32_t count, std::uint64_t number) {
    std::uint32_t low = 0, high = count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (number < thresholds[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return first + low;
}

// Of a level of a system.
LEGATO_HOST_DEVICE inline std::uint64_t number_for_count(const Stream& stream, std::int64_t sweep, std::uint32_t level,
                                                         std::uint32_t system) {
    const auto words = random_words(stream, 32 * level + system, sweep, 0, 1);
    return long_word(words[1], words[0]);
}

// Where a level is rarer, all its demons lose it and as many as there are to be get it: to find one by chance among all
// would take more proposals.
bool is_rare(std::int64_t sites, double p);

}  // namespace legato::ising
