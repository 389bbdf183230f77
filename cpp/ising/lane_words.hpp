// Vectors of words that fill a vector register, and bitwise operations on them that a compiler does not find by itself.
// Only files that are compiled once for every instruction set may include this header (random/philox_lanes.hpp).
#pragma once

#include <cstdint>
#include <cstring>

#include "ising/metropolis.hpp"
#include "random/philox_lanes.hpp"

namespace legato::ising {

using random::lanes;
using Words = random::LaneWords;

#if defined(__AVX512F__)
// Returns a bitwise function of three words. `Values` has a bit for each value of three bits.
template <int Values>
inline Words bitwise(Words a, Words b, Words c) {
    return reinterpret_cast<Words>(_mm512_ternarylogic_epi32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b),
                                                             reinterpret_cast<__m512i>(c), Values));
}
template <>
inline Words chosen(Words mask, Words where_set, Words elsewhere) {
    return bitwise<0xCA>(mask, where_set, elsewhere);
}
template <>
inline Words below_with_digit(Words below, Words u, Words q) {
    return bitwise<0xB2>(below, u, q);
}
template <>
inline Words equal_with_digit(Words equal, Words u, Words q) {
    return bitwise<0x90>(equal, u, q);
}
#endif

namespace {

inline Words load(const std::uint32_t* from) {
    Words words;
    std::memcpy(&words, from, sizeof words);
    return words;
}
inline void store(std::uint32_t* to, Words words) {
    std::memcpy(to, &words, sizeof words);
}

inline bool any_bit(Words words) {
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(words), reinterpret_cast<__m512i>(words)) != 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256(reinterpret_cast<__m256i>(words), reinterpret_cast<__m256i>(words)) == 0;
#else
    std::uint32_t any = 0;
    for (int lane = 0; lane < lanes; ++lane) any |= words[lane];
    return any != 0;
#endif
}

}  // namespace
}  // namespace legato::ising
