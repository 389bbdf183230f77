// Layout of a point that is wider than a warp over the blocks of a thread-block cluster. Each block keeps a share of
// the sites of all columns in shared memory.
#pragma once

#include <cstddef>

#include "core/host_device.hpp"
#include "tmm/wide_kernels.hpp"

namespace legato::tmm {

inline constexpr int cluster_threads = 256, cluster_warps = cluster_threads / 32;
inline constexpr int cluster_panel = 32;   // columns orthonormalised together
inline constexpr int cluster_slices = 8;   // slices that are drawn ahead
inline constexpr int cluster_stride = 36;  // stride of a panel x panel matrix

struct ClusterLayout {
    int sites = 0;       // channels (Problem::channels), as all sites below
    int components = 1;  // channels of a site, which are in the same block
    int ranks = 1;       // blocks of a cluster

    // derive() computes all members below from those above. Strides are 4 (mod 8) doubles, which keeps the fragments of
    // matrix instructions free of bank conflicts.
    int padded_columns = 0;             // number of sites, rounded up to whole tiles of 8
    int overlap_stride = 0;             // stride of a panel x padded_columns matrix
    int slice = 0, half = 0, rows = 0;  // number of sites of a block; rounded up to 4; twice `half`
    int stride = 0;                     // distance of columns
    int splits = 1;                     // shares of the rows, more than one if there are few tiles of columns

    // Offsets in doubles from the start of a block's shared memory, where the columns are. `doubles` is its length.
    int parts_at = 0, overlap_at = 0, inverse_at = 0, diagonal_at = 0, near_at = 0, random_at = 0, doubles = 0;
    int part_doubles = 0, column_doubles = 0;
};

// Returns the number of shares of the rows with which `tiles` tiles of 8 columns keep all warps busy.
LEGATO_HOST_DEVICE constexpr int row_shares(int tiles) {
    return tiles >= 8 ? 1 : tiles >= 4 ? 2 : tiles >= 2 ? 4 : 8;
}

ClusterLayout derive(ClusterLayout layout);

}  // namespace legato::tmm
