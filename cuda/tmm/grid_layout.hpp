// Division of a point by the grid kernel, and the shared memory that a block needs.
#pragma once

#include <algorithm>
#include <cstddef>

namespace legato::tmm {

inline constexpr int grid_threads = 256, grid_warps = grid_threads / 32;
inline constexpr int grid_panel = 64;      // columns orthonormalised together
inline constexpr int grid_slices = 64;     // largest number of slices whose potentials are drawn together
inline constexpr int grid_tile = 64;       // columns whose overlaps a block computes at a time
inline constexpr int grid_chunk = 64;      // rows staged at a time for overlaps
inline constexpr int grid_splits = 8;      // largest number of shares of the rows in the overlaps
inline constexpr int grid_strips = 2;      // largest number of strips of 8 rows that a warp updates at a time
inline constexpr int most_grid_parts = 8;  // largest number of devices that share a point
inline constexpr int grid_few = 704;       // sites up to which a warp has one strip, so that about 100 blocks have work

// Strides are 4 (mod 8) doubles, which keeps the fragments of matrix instructions free of bank conflicts.
inline constexpr int grid_stride = 68;  // stride of grid_panel or grid_chunk doubles

inline constexpr std::size_t grid_stage_bytes = sizeof(double) * (grid_panel + grid_tile) * grid_stride;
inline constexpr std::size_t grid_solve_bytes = sizeof(double) * (2 * grid_panel + 2 * 8) * grid_stride;
inline constexpr std::size_t grid_update_bytes =
    sizeof(double) * grid_panel * (8 * grid_warps * grid_strips + 4 + grid_stride);
inline constexpr std::size_t grid_least_bytes = std::max({2 * grid_stage_bytes, grid_solve_bytes, grid_update_bytes});

struct GridLayout {
    int columns = 0;     // columns that a block multiplies at a time
    int splits = 0;      // shares of the rows in the overlaps
    int split_rows = 0;  // rows of a share
    int stages = 0;      // chunks of rows that are being copied or in use, 2 or 3
    int strips = 0;      // strips of 8 rows that a warp updates at a time
};

// Returns the number of tiles of rows that a block updates at a time.
constexpr int row_tiles(const GridLayout& layout, int sites) {
    const int rows = 8 * grid_warps * layout.strips;
    return (2 * sites + rows - 1) / rows;
}

}  // namespace legato::tmm
