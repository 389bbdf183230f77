// A chain on the device belongs to a block of threads: how many, how they share its rows, and where the block keeps
// what.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "vmc/engine.hpp"
#include "vmc/result.hpp"
#include "vmc/streams.hpp"

namespace legato::vmc {

// `threads` of a block, by groups of `lanes` that take a row of a matrix or an attempt each. A lane has `elements` of a
// row, rows being padded by zeros; 0: any number of them, and no padding. Matrices are in shared memory or not.
// `blocks` of a multiprocessor, at least, limit the registers of a thread.
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
    int span = 0;    // codes of sites are 0 .. span - 1
    int stride = 0;  // of a row, in elements: odd in shared memory, so that columns fall into different banks

    LEGATO_HOST_DEVICE int order() const { return pairs + modes; }
    LEGATO_HOST_DEVICE int holes() const { return sites - 2 * pairs; }
    // The inverse's, then as many for the products and for the inversion.
    LEGATO_HOST_DEVICE int rows() const { return 2 * order(); }
    // phi by differences of codes; each mode by codes; each mode by codes from the last one down.
    LEGATO_HOST_DEVICE int table() const { return 2 * span - 1 + 2 * modes * span; }
    LEGATO_HOST_DEVICE int mode(int number) const { return 2 * span - 1 + number * span; }
    LEGATO_HOST_DEVICE int reversed_mode(int number) const { return mode(modes + number); }
};

inline constexpr int window = 32;  // attempts that a warp looks at together
inline constexpr int move_kinds = 3, move_counters = 5;

// Where a block keeps what depends on the lattice: byte offsets in its shared memory, behind the rest. The first three
// are in shared memory, or not there.
struct ChainLayout {
    std::uint32_t rows = 0, table = 0, neighbours = 0;  // the last: [sites][4] of the first shell
    std::uint32_t electron_at = 0;                      // [sites]
    std::uint32_t hole_site = 0;                        // [holes]
    std::uint32_t bytes = 0;
};

// What all chains share; pointers to device memory.
struct DeviceModel {
    Dimensions d;
    ChainLayout layout;
    const double* table;
    const std::uint16_t* neighbours;    // [shells][sites][4]
    const std::int32_t* codes;          // [sites]
    const double* hopping;              // [shells][sites][4] - t of the shell, and the sign of a boundary
    int hopping_shells;                 // those up to the last one that has any
    const double* derivatives;          // [4][sites + modes][sites + modes], as Model::derivatives
    const std::int32_t* displacements;  // [sites][sites], as Model::displacements
    const std::int32_t* partners;       // [sites][sites] of site a and displacement r, the site r away from a
    const double* signs;                // [sites][4] of nearest neighbours
    double j;
    std::uint64_t seed;
    std::uint32_t run;
    int attempts_per_sweep;
    double neighbour_share;
    bool gradients, gradients_by[variational_parameters], correlations, pair_correlations;
};

// What a block keeps in shared memory, at addresses that are known when the kernel is compiled.
template <class S>
struct Kept {
    static constexpr int order = S::largest_order;

    DeviceModel model;
    double *rows_elsewhere, *scratch;  // in device memory
    double x[order], y[order], b[order];
    double partial[S::threads > order ? S::threads : order];  // sums that are under way
    double outcomes[S::groups][3];                            // of accepted attempts: ratio, S_01, S_11
    double sums[most_local_values];
    double thresholds[S::batch];
    std::uint32_t draws[S::batch];
    std::uint32_t proposals[S::groups];
    std::int32_t up_site[order], down_site[order];
    std::int32_t up_base[order], down_base[order];  // where a site's pair function begins in the table
    std::int32_t pivots[order];
    std::uint32_t counters[2][move_counters];
    std::uint32_t first[3];
};

}  // namespace legato::vmc
