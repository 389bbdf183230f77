// A chain on the device belongs to a block of threads: how many, how they share its rows, and where the block keeps
// what.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// `threads` of a block, by groups of `lanes` that take a row of a matrix or an attempt each; a lane holds up to
// `elements` of a row, 0: any number, read anew each time. Matrices are in shared memory or not.
template <int Lanes, int Elements, int Threads, bool InShared>
struct Shape {
    static constexpr int lanes = Lanes, elements = Elements, threads = Threads;
    static constexpr bool in_shared = InShared;
    static constexpr int groups = Threads / Lanes, warps = Threads / 32, groups_of_warp = 32 / Lanes;
    static constexpr int largest_order = Elements == 0 ? 1 << 30 : Lanes * Elements;
};

struct Dimensions {
    int sites = 0, pairs = 0, modes = 0;
    int table = 0;   // elements of the pair function by differences of codes
    int stride = 0;  // of a row, in elements: odd in shared memory, so that columns fall into different banks
    int values = 0;  // local values but for correlations

    LEGATO_HOST_DEVICE int order() const { return pairs + modes; }
    LEGATO_HOST_DEVICE int holes() const { return sites - 2 * pairs; }
    // The inverse's, then as many for the products and for the inversion.
    LEGATO_HOST_DEVICE int rows() const { return 2 * order(); }
};

inline constexpr int window = 32;  // attempts that a warp looks at together
inline constexpr int move_kinds = 3, move_counters = 5;

// Byte offsets in a block's shared memory.
struct ChainLayout {
    std::uint32_t rows = 0, table = 0, modes = 0;  // these three in shared memory, or not there
    std::uint32_t x = 0, y = 0, b = 0;             // [order]
    std::uint32_t partial = 0;                     // [threads + order] sums that are under way
    std::uint32_t outcomes = 0;                    // [window][4]
    std::uint32_t sums = 0;                        // [values]
    std::uint32_t attempts = 0;                    // [batch]
    std::uint32_t up_site = 0, down_site = 0, up_code = 0, down_code = 0, pivots = 0;  // [order]
    std::uint32_t electron_at = 0;                                                     // [sites]
    std::uint32_t hole_site = 0;                                                       // [holes]
    std::uint32_t neighbours = 0;  // [sites][4] of the first shell; in shared memory, or not there
    std::uint32_t counters = 0;    // [2][move_counters]
    std::uint32_t first = 0;       // [3]
    std::uint32_t bytes = 0;
};

}  // namespace legato::vmc
