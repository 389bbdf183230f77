// Metropolis' algorithm for the 32 spins of a word at once, the same on host and device. A Word is an unsigned integer
// of 32 bits or a vector of them.
//
// A spin flips with probability min(1, p), p = exp(-2 beta s (sum of the neighbours + h)). If p = 1, both directions
// are equally likely. The spin then keeps its direction with probability 2^-12, namely if
// U = floor(4096 exp(-4 |beta|)). If such spins always flipped, states in which all spins have p = 1 would lead only to
// one another. A class of spins has the same p < 1. It is represented by q = floor(4096 p) and the tail
// (4096 p - q) 2^64, rounded down. The number U of a site has twelve random bits, one from each word, the highest
// first. It is compared for all sites of a word at once: U < q flips the spin. If U = q, the spin is undecided, and
// flips if a 64-bit number is below the tail. The probability is p within 2^-76, or within the accuracy of a double.
#pragma once

#include <bit>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/problem.hpp"

// Unrolls loops over bits and classes, whose lengths are all known.
#if defined(__CUDA_ARCH__)
#define LEGATO_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define LEGATO_UNROLL
#else
#define LEGATO_UNROLL _Pragma("GCC unroll 16")
#endif

namespace legato::ising {

inline constexpr int coarse_bits = 12, coarse_draws = coarse_bits / 4;

// Classes of spins with the same p. General classes are given by the number of neighbours that point up and by the
// spin: for each number, one direction of the spin goes uphill. Without a field and with beta > 0, classes are given by
// the number of neighbours that point as the spin does: dimensions + 1 and more.
template <int Dimensions, bool General>
struct Classes {
    static constexpr int dimensions = Dimensions, neighbours = 2 * Dimensions;
    static constexpr bool general = General;
    static constexpr int count = General ? 2 * Dimensions + 1 : Dimensions;
};

// The acceptance at one temperature.
template <int Count>
struct Acceptance {
    std::uint32_t planes[coarse_bits][Count];  // q of every class, the highest bit first; all ones or zeros
    std::uint32_t tail_low[Count], tail_high[Count];
    // All ones for a general class: in `uphill` if the spin (down, up) goes uphill or p = 1, in `balanced` if p = 1.
    std::uint32_t uphill[2][Count], balanced[Count];
};

template <class Word>
LEGATO_HOST_DEVICE inline Word majority(Word a, Word b, Word c) {
    return (a & b) | (c & (a ^ b));
}

template <class Word>
LEGATO_HOST_DEVICE inline Word chosen(Word mask, Word where_set, Word elsewhere) {
    return (mask & where_set) | (~mask & elsewhere);
}

// Returns whether u < q with one more digit in front. equal_with_digit() returns whether they are equal with one more
// digit anywhere.
template <class Word>
LEGATO_HOST_DEVICE inline Word below_with_digit(Word below, Word u, Word q) {
    return majority<Word>(below, ~u, q);
}
template <class Word>
LEGATO_HOST_DEVICE inline Word equal_with_digit(Word equal, Word u, Word q) {
    return equal & ~(u ^ q);
}

// Sets counts[c] to the sites that have c neighbours up.
template <int Dimensions, class Word>
LEGATO_HOST_DEVICE inline void count_up(const Word (&n)[2 * Dimensions], Word (&counts)[2 * Dimensions + 1]) {
    const Word odd = n[0] ^ n[1] ^ n[2], two = majority(n[0], n[1], n[2]);
    if constexpr (Dimensions == 2) {
        const Word ones = odd ^ n[3], carry = odd & n[3], twos = two ^ carry, fours = two & carry;
        counts[0] = ~(ones | twos | fours);
        counts[1] = ones & ~twos;
        counts[2] = twos & ~ones;
        counts[3] = ones & twos;
        counts[4] = fours;
    } else {
        const Word odd2 = n[3] ^ n[4] ^ n[5], two2 = majority(n[3], n[4], n[5]), carry = odd & odd2;
        const Word ones = odd ^ odd2, twos = two ^ two2 ^ carry, fours = majority(two, two2, carry);
        counts[0] = ~(ones | twos | fours);
        counts[1] = ones & ~twos & ~fours;
        counts[2] = twos & ~ones & ~fours;
        counts[3] = ones & twos;
        counts[4] = fours & ~ones & ~twos;
        counts[5] = fours & ones;
        counts[6] = fours & twos;
    }
}

// Returns the sites with as many neighbours up as down.
template <int Dimensions, class Word>
LEGATO_HOST_DEVICE inline Word balanced(const Word (&n)[2 * Dimensions]) {
    const Word odd = n[0] ^ n[1] ^ n[2], two = majority(n[0], n[1], n[2]);
    if constexpr (Dimensions == 2) {
        return ~(odd ^ n[3]) & (two ^ n[3]);
    } else {
        const Word odd2 = n[3] ^ n[4] ^ n[5], two2 = majority(n[3], n[4], n[5]);
        return (odd ^ odd2) & (two ^ two2);
    }
}

// Sets members[c] to the sites of word s that belong to class c.
template <class C, class Word>
LEGATO_HOST_DEVICE inline void classify(const Acceptance<C::count>& acceptance, Word s, const Word (&n)[C::neighbours],
                                        Word (&members)[C::count]) {
    if constexpr (C::general) {
        count_up<C::dimensions>(n, members);
        for (int c = 0; c < C::count; ++c) members[c] &= (s & acceptance.uphill[1][c]) | (~s & acceptance.uphill[0][c]);
    } else {
        const Word odd = n[0] ^ n[1] ^ n[2], two = majority(n[0], n[1], n[2]);
        if constexpr (C::dimensions == 2) {
            members[0] = (odd ^ n[3]) & ~(two ^ s);
            members[1] = ~(two ^ s) & ~(odd ^ s) & ~(n[3] ^ s);
        } else {
            const Word odd2 = n[3] ^ n[4] ^ n[5], two2 = majority(n[3], n[4], n[5]);
            const Word both = ~(two ^ s) & ~(two2 ^ s), same = ~(odd ^ s) & ~(odd2 ^ s);
            members[0] = (both & (odd ^ s) & (odd2 ^ s)) | ((two ^ two2) & same);
            members[1] = both & (odd ^ odd2);
            members[2] = both & same;
        }
    }
}

// The data that decide the sites of a word. A site flips if neither flag is set.
template <int Count, class Word>
struct Chances {
    // Sites with p < 1, and with p = 1. A balanced site of no class is compared with the q of the first class.
    Word uphill, balanced;
    Word later[Count - 1];  // members of the other classes
};

template <class C, class Word>
LEGATO_HOST_DEVICE inline Chances<C::count, Word> chances_of(const Acceptance<C::count>& acceptance, Word s,
                                                             const Word (&n)[C::neighbours]) {
    Chances<C::count, Word> chances;
    Word members[C::count];
    classify<C, Word>(acceptance, s, n, members);
    chances.uphill = members[0];
    LEGATO_UNROLL
    for (int c = 1; c < C::count; ++c) {
        chances.uphill |= members[c];
        chances.later[c - 1] = members[c];
    }
    if constexpr (C::general) {
        chances.balanced = s ^ s;
        for (int c = 0; c < C::count; ++c) chances.balanced |= members[c] & acceptance.balanced[c];
        chances.uphill &= ~chances.balanced;
    } else {
        chances.balanced = balanced<C::dimensions, Word>(n);
    }
    return chances;
}

// The comparison of the sites' random bits with those of q.
template <class Word>
struct Comparison {
    Word below, equal;
};

// Compares bits First .. First + Bits - 1, the highest of which is 0.
template <int First, int Bits, int Count, class Word>
LEGATO_HOST_DEVICE inline Comparison<Word> compare(const Acceptance<Count>& acceptance,
                                                   const Chances<Count, Word>& chances, const Word (&u)[Bits]) {
    const Word none = chances.uphill ^ chances.uphill;
    Comparison<Word> result{none, ~none};
    LEGATO_UNROLL
    for (int k = Bits - 1; k >= 0; --k) {
        Word q = none | acceptance.planes[First + k][0];
        LEGATO_UNROLL
        for (int c = 1; c < Count; ++c)
            q = chosen<Word>(chances.later[c - 1], none | acceptance.planes[First + k][c], q);
        result.below = below_with_digit<Word>(result.below, u[k], q);
        result.equal = equal_with_digit<Word>(result.equal, u[k], q);
    }
    return result;
}

template <class Word>
struct Decision {
    Word flips, undecided;
};

// Decides the sites of a word by twelve random words.
template <class C, class Word>
LEGATO_HOST_DEVICE inline Decision<Word> decide(const Acceptance<C::count>& acceptance, Word s,
                                                const Word (&n)[C::neighbours], const Word (&u)[coarse_bits]) {
    const Chances<C::count, Word> chances = chances_of<C, Word>(acceptance, s, n);
    const Comparison<Word> with_q = compare<0, coarse_bits>(acceptance, chances, u);
    return {~((chances.uphill & ~with_q.below) | (chances.balanced & with_q.equal)), chances.uphill & with_q.equal};
}

LEGATO_HOST_DEVICE inline std::uint32_t lowest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__ffs(static_cast<int>(word)) - 1);
#else
    return static_cast<std::uint32_t>(std::countr_zero(word));
#endif
}

// Returns the sites that flip among those that decide() has left undecided.
template <class C>
LEGATO_HOST_DEVICE inline std::uint32_t decide_tail(const Acceptance<C::count>& acceptance, std::uint32_t s,
                                                    const std::uint32_t (&n)[C::neighbours], std::uint32_t undecided,
                                                    const Stream& stream, std::uint32_t index, std::int64_t sweep,
                                                    std::uint32_t colour) {
    std::uint32_t members[C::count], flips = 0;
    classify<C, std::uint32_t>(acceptance, s, n, members);
    for (; undecided != 0; undecided &= undecided - 1) {
        const std::uint32_t bit = lowest_bit(undecided);
        const auto words = random_words(stream, index, sweep, colour, tail_draw + bit);
        for (int c = 0; c < C::count; ++c) {
            const bool below = words[1] < acceptance.tail_high[c] ||
                               (words[1] == acceptance.tail_high[c] && words[0] < acceptance.tail_low[c]);
            if (below) flips |= members[c] & (1u << bit);
        }
    }
    return flips;
}

// Returns the acceptance at one temperature. `field` is h / J.
template <class C>
Acceptance<C::count> acceptance_of(double beta, double field);

// Calls use(classes) with the classes that the problem needs. Classes that are not general take every p to be below 1.
template <class Use>
auto with_classes(const Problem& problem, Use&& use) {
    constexpr double least_beta = 1e-15;
    bool general = problem.field != 0;
    for (const double beta : problem.betas) general = general || beta < least_beta;
    if (problem.lattice.dimension == 2) return general ? use(Classes<2, true>{}) : use(Classes<2, false>{});
    return general ? use(Classes<3, true>{}) : use(Classes<3, false>{});
}

// Calls add(aligned, spin, sites), where `sites` are the valid sites with this spin (0: down) and `aligned` neighbours
// that point as the spin does.
template <int Dimensions, class Add>
LEGATO_HOST_DEVICE inline void for_each_environment(std::uint32_t s, const std::uint32_t (&n)[2 * Dimensions],
                                                    std::uint32_t valid, Add&& add) {
    using C = Classes<Dimensions, true>;
    std::uint32_t counts[C::count];
    count_up<Dimensions>(n, counts);
    for (int up = 0; up < C::count; ++up) {
        add(up, 1, counts[up] & s & valid);
        add(C::neighbours - up, 0, counts[up] & ~s & valid);
    }
}

}  // namespace legato::ising
