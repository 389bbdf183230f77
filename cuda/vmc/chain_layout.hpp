// The layout of a chain on the device. A chain belongs to a block of threads. This header says how many threads there
// are, how they share the chain's rows, and where the block keeps its data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "vmc/engine.hpp"
#include "vmc/result.hpp"
#include "vmc/streams.hpp"

namespace legato::vmc {

// A shape has `threads` threads in a block, in groups of `lanes`. Each group takes a row of a matrix or an attempt. A
// lane has `elements` elements of a row, and rows are padded by zeros. If `elements` is 0, a lane has any number of
// them, without padding. `in_shared` is true if matrices are in shared memory. At least `blocks` blocks fit on a
// multiprocessor, which limits the registers of a thread.
template <int Lanes, int Elements, int Threads, int Blocks, bool InShared>
struct Shape {
    static constexpr int lanes = Lanes, elements = Elements, threads = Threads, blocks = Blocks;
    static constexpr bool in_shared = InShared;
    static constexpr int groups = Threads / Lanes, warps = Threads / 32, groups_of_warp = 32 / Lanes;
    static constexpr int largest_order = Elements == 0 ? static_cast<int>(largest_cuda_order) : Lanes * Elements;
    static constexpr int batch = Threads < 128 ? Threads : 128;  // attempts that are drawn together
};

struct Dimensions {
    int sites = 0, pairs = 0, modes = 0;
    int span = 0;  // codes of sites are 0 .. span - 1
    // Elements from one row to the next. It is odd in shared memory, so that columns fall into different banks.
    int stride = 0;

    LEGATO_HOST_DEVICE int order() const { return pairs + modes; }
    LEGATO_HOST_DEVICE int holes() const { return sites - 2 * pairs; }
    // Returns the number of rows: those of the inverse, then as many for the products and for the inversion.
    LEGATO_HOST_DEVICE int rows() const { return 2 * order(); }
    // Returns the size of the table: phi by differences of codes; each mode by codes; each mode by codes in reverse
    // order.
    LEGATO_HOST_DEVICE int table() const { return 2 * span - 1 + 2 * modes * span; }
    LEGATO_HOST_DEVICE int mode(int number) const { return 2 * span - 1 + number * span; }
    LEGATO_HOST_DEVICE int reversed_mode(int number) const { return mode(modes + number); }
};

inline constexpr int window = 32;  // attempts that a warp looks at together
inline constexpr int move_kinds = 3, move_counters = 5;

// Byte offsets in a block's shared memory of the data whose size depends on the lattice. They follow `BlockData`. The
// first three are used only if the shape is in shared memory.
struct ChainLayout {
    std::uint32_t rows = 0, table = 0, neighbours = 0;  // neighbours: [sites][4] of the first shell
    std::uint32_t electron_at = 0;                      // [sites]
    std::uint32_t hole_site = 0;                        // [holes]
    std::uint32_t bytes = 0;
};

// Data that all chains share. Pointers are to device memory.
struct DeviceModel {
    Dimensions d;
    ChainLayout layout;
    const double* table;
    const std::uint16_t* neighbours;    // [shells][sites][4]
    const std::int32_t* codes;          // [sites]
    const double* hopping;              // [shells][sites][4] - t of the shell times the boundary's sign
    int hopping_shells;                 // number of shells up to the last one with t != 0
    const double* derivatives;          // [4][sites + modes][sites + modes], as Model::derivatives
    const std::int32_t* displacements;  // [sites][sites], as Model::displacements
    const std::int32_t* partners;       // [sites][sites] site at displacement r from site a
    const double* signs;                // [sites][4] boundary signs of the nearest neighbours
    double j;
    std::uint64_t seed;
    std::uint32_t run;
    int attempts_per_sweep;
    double neighbour_share;
    bool gradients, gradients_by[variational_parameters], correlations, pair_correlations;
};

// Data of a block in shared memory, at addresses known at compile time.
template <class S>
struct BlockData {
    static constexpr int order = S::largest_order;

    DeviceModel model;
    double *rows_elsewhere, *scratch;  // pointers to device memory
    double x[order], y[order], b[order];
    double partial[S::threads > order ? S::threads : order];  // partial sums
    double outcomes[S::groups][3];                            // ratio, S_01 and S_11 of accepted attempts
    double sums[most_local_values];
    double thresholds[S::batch];
    std::uint32_t draws[S::batch];
    std::uint32_t proposals[S::groups];
    std::int32_t up_site[order], down_site[order];
    std::int32_t up_base[order], down_base[order];  // index of the table at which a site's pair function begins
    std::int32_t pivots[order];
    std::uint32_t counters[2][move_counters];
    std::uint32_t first[3];
};

}  // namespace legato::vmc
