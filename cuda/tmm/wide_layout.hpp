// How a point wider than a warp is spread over thread blocks, and what each block keeps in shared memory.
//
// The 2N x N matrix of columns is cut into `groups` groups of columns; a group belongs to one thread-block cluster,
// whose `ranks` blocks each hold a slice of the sites of all columns of the group.
#pragma once

#include <cstddef>

#include "core/host_device.hpp"

namespace legato::tmm {

inline constexpr int wide_threads = 256;
inline constexpr std::size_t wide_static_bytes = 4096;  // shared memory a block has besides
inline constexpr int wide_panel = 32;                   // columns orthonormalised together
inline constexpr int wide_chunk = 128;                  // most rows of a panel staged at a time
inline constexpr int wide_slices = 8;                   // slices whose potential is drawn ahead
inline constexpr int wide_small_stride = 36;            // of a panel x panel matrix

struct WideLayout {
    int sites = 0;
    int ranks = 1;          // blocks of a cluster
    int groups = 1;         // clusters of a point
    bool in_shared = true;  // the columns; else in device memory
    int chunk = 0;          // rows of a panel staged at a time; 0 where a point has one group, which reads its own

    // Derived from these by derive(). Strides are 4 (mod 8) doubles, which keeps the fragments of matrix instructions
    // free of bank conflicts.
    int columns = 0, padded_columns = 0;  // of a group
    int overlap_stride = 0;               // of a panel x padded_columns matrix
    int slice = 0, half = 0, rows = 0;    // sites of a block, rounded up to 4, twice that
    int stride = 0;                       // from column to column
    int splits = 1;                       // shares of the rows when there are few tiles of columns

    // Offsets in doubles from the start of a block's shared memory, and its length.
    int stage_at = 0, parts_at = 0, overlap_at = 0, inverse_at = 0, diagonal_at = 0, near_at = 0, random_at = 0,
        doubles = 0;
    int part_doubles = 0, column_doubles = 0;

    // Device memory that the blocks of a point share, in doubles: two panels, and two overlaps within a panel.
    int published_panel = 0, published_doubles = 0;
};

// Into how many shares the rows are cut so that `tiles` tiles of 8 columns keep all warps busy.
LEGATO_HOST_DEVICE constexpr int wide_splits(int tiles) {
    return tiles >= 8 ? 1 : tiles >= 4 ? 2 : tiles >= 2 ? 4 : 8;
}

WideLayout derive(WideLayout layout);

}  // namespace legato::tmm
