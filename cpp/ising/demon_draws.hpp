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

#include <array>
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
using LevelProbabilities = std::array<LevelProbability, demon_levels>;
double demon_probability(double beta, int level);
LevelProbability level_probability(double beta, int level);
LevelProbabilities level_probabilities(double beta);

LEGATO_HOST_DEVICE inline std::uint64_t long_word(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}

// Bits that are set, and those that are so only if 64 bits more say so.
template <class Word>
struct DrawnBits {
    Word set, undecided;
};

// The first of the three draws of a level's twelve bits.
LEGATO_HOST_DEVICE constexpr std::uint32_t coarse_draw(std::uint32_t level) {
    return 16 + 4 * level;
}

// A level of the 32 demons of a site (of several, where a Word is a vector), each bit with probability p: by twelve
// bits U < q, made of the words that source(draw, words[4]), draw < 3, gives, the highest first; U = q is undecided.
// digit(i): bit i of q, in all bits of a Word.
template <class Word, class Digit, class Source>
LEGATO_HOST_DEVICE inline DrawnBits<Word> draw_coarse(const Digit& digit, const Source& source) {
    Word words[4];
    DrawnBits<Word> bits{};
    bits.undecided = ~bits.set;
    LEGATO_UNROLL
    for (int draw = coarse_draws - 1; draw >= 0; --draw) {
        source(static_cast<std::uint32_t>(draw), words);
        LEGATO_UNROLL
        for (int i = 3; i >= 0; --i) {
            const Word of_q = digit(coarse_bits - 1 - 4 * draw - i);
            bits.set = below_with_digit<Word>(bits.set, words[i], of_q);
            bits.undecided = equal_with_digit<Word>(bits.undecided, words[i], of_q);
        }
    }
    return bits;
}

// Of the undecided bits those that are set.
LEGATO_HOST_DEVICE inline std::uint32_t draw_tail(const LevelProbability& p, const Stream& stream, std::int64_t sweep,
                                                  std::uint32_t level, std::uint32_t site, std::uint32_t undecided) {
    std::uint32_t set = 0;
    for (std::uint32_t bit = 0; undecided != 0; ++bit, undecided >>= 1) {
        if ((undecided & 1) == 0) continue;
        const auto words = random_words(stream, site, sweep, 0, 80 + 16 * level + bit / 2);
        const std::uint64_t more = bit % 2 == 0 ? long_word(words[1], words[0]) : long_word(words[3], words[2]);
        if (more < p.tail) set |= 1u << bit;
    }
    return set;
}

LEGATO_HOST_DEVICE inline std::uint32_t draw_demons(const LevelProbability& p, const Stream& stream, std::int64_t sweep,
                                                    std::uint32_t level, std::uint32_t site) {
    const auto source = [&](std::uint32_t draw, std::uint32_t(&words)[4]) {
        const auto drawn = random_words(stream, site, sweep, 0, coarse_draw(level) + draw);
        for (int i = 0; i < 4; ++i) words[i] = drawn[static_cast<std::size_t>(i)];
    };
    const auto digit = [&](int bit) { return 0u - (p.q >> bit & 1); };
    const DrawnBits<std::uint32_t> bits = draw_coarse<std::uint32_t>(digit, source);
    return bits.set | draw_tail(p, stream, sweep, level, site, bits.undecided);
}

// A number below `sites`, each as often but for 2^-32 of it.
LEGATO_HOST_DEVICE inline std::uint32_t site_below(std::uint32_t sites, std::uint32_t high, std::uint32_t low) {
    return static_cast<std::uint32_t>((std::uint64_t{high} * sites + (std::uint64_t{low} * sites >> 32)) >> 32);
}

LEGATO_HOST_DEVICE inline std::uint32_t proposal_index(std::uint32_t level, std::uint32_t number) {
    return level << 30 | number >> 1;
}
LEGATO_HOST_DEVICE inline std::uint32_t proposal_draw(std::uint32_t system) {
    return 32 + system;
}

// Sites number `number`, which is even, and the next one of those proposed to a level of a system.
struct ProposedPair {
    std::uint32_t site[2];
};
LEGATO_HOST_DEVICE inline ProposedPair proposed_pair(const Stream& stream, std::int64_t sweep, std::uint32_t level,
                                                     std::uint32_t system, std::uint32_t number, std::uint32_t sites) {
    const auto words = random_words(stream, proposal_index(level, number), sweep, 1, proposal_draw(system));
    return {{site_below(sites, words[1], words[0]), site_below(sites, words[3], words[2])}};
}

// The distribution function of a binomial number in units of 2^-64: the number is `first` plus how many of these
// thresholds a 64-bit number does not stay below.
struct BinomialTable {
    std::int64_t first = 0;
    std::vector<std::uint64_t> thresholds;  // increasing
};
BinomialTable binomial_table(std::int64_t n, double p);

inline std::int64_t binomial_number(std::int64_t first, const std::uint64_t* thresholds, std::uint32_t count,
                                    std::uint64_t number) {
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
