// Number of doubles in a vector register of the processor. GCC would keep wider vectors in memory. Only files that are
// compiled once for every instruction set (core/cpu_level.hpp) include this header; each compilation has its own value.
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
