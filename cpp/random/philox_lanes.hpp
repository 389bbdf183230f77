// Philox4x32 for as many counters at once as a vector register has lanes. The words are those of random/philox.hpp. The
// vector instructions are explicit, because compilers do not find them by themselves. Only files that are compiled once
// for every instruction set include this header. Everything is in an unnamed namespace, so that the linker cannot take
// the code of one instruction set for another.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "random/philox_keys.hpp"

namespace legato::random {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX2__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
using LaneWords = std::uint32_t __attribute__((vector_size(4 * lanes)));
using WideWords = std::uint64_t __attribute__((vector_size(4 * lanes)));  // half as many, upper halves unused

// Returns the products of the lower 32 bits of each element, with all 64 bits.
WideWords product(WideWords a, WideWords b) {
#if defined(__AVX512F__)
    return reinterpret_cast<WideWords>(
        _mm512_maskz_mul_epu32(static_cast<__mmask8>(-1), reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<WideWords>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<WideWords>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    constexpr std::uint64_t low = 0xffffffffu;
    return (a & low) * (b & low);
#endif
}

// Returns first, first + 1, ...
inline LaneWords lanes_from(std::uint32_t first) {
    LaneWords words;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) words[lane] = first + lane;
    return words;
}

struct PhiloxState {
    WideWords c0, c1, c2, c3;

    [[gnu::always_inline]] void round(std::uint64_t k0, std::uint64_t k1) {
        const WideWords a = product(c0, WideWords{} + PHILOX_M4x32_0), b = product(c2, WideWords{} + PHILOX_M4x32_1);
        c0 = (b >> 32) ^ c1 ^ k0;
        c2 = (a >> 32) ^ c3 ^ k1;
        c1 = b;
        c3 = a;
    }
};

template <unsigned Rounds>
struct PhiloxKeys {
    std::uint64_t of_round[Rounds][2];

    explicit PhiloxKeys(std::uint64_t seed) { take_round_keys(seed, of_round); }
};

// Computes words[i], i < 4, of the counters in the even (e) and the odd lanes (o). It is inlined, so that what several
// counters have in common is computed once.
template <unsigned Rounds>
[[gnu::always_inline]] inline void philox_rounds(const PhiloxKeys<Rounds>& keys, PhiloxState e, PhiloxState o,
                                                 LaneWords* words) {
#pragma GCC unroll 10
    for (unsigned round = 0; round < Rounds; ++round) {
        e.round(keys.of_round[round][0], keys.of_round[round][1]);
        o.round(keys.of_round[round][0], keys.of_round[round][1]);
    }
    const auto joined = [](WideWords low, WideWords high) {
        return reinterpret_cast<LaneWords>((low & 0xffffffffu) | (high << 32));
    };
    words[0] = joined(e.c0, o.c0);
    words[1] = joined(e.c1, o.c1);
    words[2] = joined(e.c2, o.c2);
    words[3] = joined(e.c3, o.c3);
}

// Computes the words of the counters (c0[lane], c1, c2, c3). The second function takes c3[lane] instead of c3.
template <unsigned Rounds>
[[gnu::always_inline]] inline void philox_lanes(const PhiloxKeys<Rounds>& keys, LaneWords c0, std::uint32_t c1,
                                                std::uint32_t c2, std::uint32_t c3, LaneWords* words) {
    const auto even = reinterpret_cast<WideWords>(c0);
    const WideWords zero{};
    const PhiloxState e{even, zero + c1, zero + c2, zero + c3};
    philox_rounds(keys, e, {even >> 32, e.c1, e.c2, e.c3}, words);
}
template <unsigned Rounds>
[[gnu::always_inline]] inline void philox_lanes(const PhiloxKeys<Rounds>& keys, LaneWords c0, std::uint32_t c1,
                                                std::uint32_t c2, LaneWords c3, LaneWords* words) {
    const auto even = reinterpret_cast<WideWords>(c0), last = reinterpret_cast<WideWords>(c3);
    const WideWords zero{};
    philox_rounds(keys, {even, zero + c1, zero + c2, last}, {even >> 32, zero + c1, zero + c2, last >> 32}, words);
}

}  // namespace
}  // namespace legato::random
