// Doubles of the vectors that the processor has itself: wider ones GCC would keep in memory. Only for files that are
// compiled once for every instruction set (core/cpu_level.hpp), each of which has a constant of its own.
#pragma once

#include <cstddef>

namespace legato {

#if defined(__AVX512F__)
constexpr std::size_t native_lanes = 8;
#elif defined(__AVX__)
constexpr std::size_t native_lanes = 4;
#else
constexpr std::size_t native_lanes = 2;
#endif

}  // namespace legato
