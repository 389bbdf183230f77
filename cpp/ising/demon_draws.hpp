// The random numbers for the refresh of demons, the same on host and device. The counter is described in
// random_words.hpp. Its colour and draw are
//     0:  0                        assignment of the demons in a sweep
//     0:  1                        numbers of demons; the index is 32 level + system
//     0:  16 + 4 level + 0 .. 2    twelve bits of each demon of a level
//     0:  64, 1: 64                the spins at the start
//     0:  80 + 16 level + bit / 2  64 more bits, if these twelve do not decide
//     1:  32 + system              random sites; the index is 2^30 level + number / 2
// A level is that of energy E = 4, 8 or 16. A demon has it with p = exp(-beta E) / (1 + exp(-beta E)).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"
#include "ising/demon_step.hpp"

namespace legato::ising {

// The probability p as q = floor(4096 p) and tail = (4096 p - q) 2^64, rounded down.
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

// Bits that are set, and bits that 64 more random bits must decide.
template <class Word>
struct DrawnBits {
    Word set, undecided;
};

// Returns the first of the three draws of a level's twelve bits.
LEGATO_HOST_DEVICE constexpr std::uint32_t coarse_draw(std::uint32_t level) {
    return 16 + 4 * level;
}

// Draws a level of the 32 demons of a site, or of several sites if Word is a vector. Each bit is set with probability
// p: it is set if U < q, and undecided if U = q, where U has twelve random bits. source(draw, words[4]), draw < 3,
// gives the random words, the highest bits first. digit(i) returns bit i of q, in all bits of a Word.
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

// Returns those of the undecided bits that are to be set.
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

// Returns a random number below `sites`. The probabilities of all numbers agree to a relative precision of 2^-32.
LEGATO_HOST_DEVICE inline std::uint32_t site_below(std::uint32_t sites, std::uint32_t high, std::uint32_t low) {
    return static_cast<std::uint32_t>((std::uint64_t{high} * sites + (std::uint64_t{low} * sites >> 32)) >> 32);
}

LEGATO_HOST_DEVICE inline std::uint32_t proposal_index(std::uint32_t level, std::uint32_t number) {
    return level << 30 | number >> 1;
}
LEGATO_HOST_DEVICE inline std::uint32_t proposal_draw(std::uint32_t system) {
    return 32 + system;
}

// Two sites that are proposed for a level of a system: number `number`, which is even, and the next one.
struct ProposedPair {
    std::uint32_t site[2];
};
LEGATO_HOST_DEVICE inline ProposedPair proposed_pair(const Stream& stream, std::int64_t sweep, std::uint32_t level,
                                                     std::uint32_t system, std::uint32_t number, std::uint32_t sites) {
    const auto words = random_words(stream, proposal_index(level, number), sweep, 1, proposal_draw(system));
    return {{site_below(sites, words[1], words[0]), site_below(sites, words[3], words[2])}};
}

// The distribution function of a binomial number, in units of 2^-64. The number is `first` plus the number of
// thresholds that are not above a random 64-bit number.
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

// Returns the random number by which the number of demons of a level is drawn.
LEGATO_HOST_DEVICE inline std::uint64_t number_for_count(const Stream& stream, std::int64_t sweep, std::uint32_t level,
                                                         std::uint32_t system) {
    const auto words = random_words(stream, 32 * level + system, sweep, 0, 1);
    return long_word(words[1], words[0]);
}

// Returns whether a level is rare. A rare level is cleared in all demons and then set in the drawn number of them.
// Random proposals would seldom find one of the few demons that have it.
bool is_rare(std::int64_t sites, double p);

}  // namespace legato::ising
