// Division of points by the grid kernel: the thread blocks of a point, its working memory, and the shared memory that a
// block needs. The kernel's sites are channels (Problem::channels).
#pragma once

#include <algorithm>
#include <cstddef>

#include "tmm/wide_kernels.hpp"

namespace legato::tmm {

inline constexpr int grid_threads = 256, grid_warps = grid_threads / 32;
inline constexpr int grid_panel = 64;   // columns orthonormalised together
inline constexpr int grid_slices = 64;  // largest number of slices whose potentials are drawn together
// The same with other than plain hopping.
inline constexpr int grid_coupled_slices = grid_slices / numbers_of_channel;
inline constexpr int grid_tile = 64;       // columns whose overlaps a block computes at a time
inline constexpr int grid_chunk = 64;      // rows staged at a time for overlaps
inline constexpr int grid_sites = 256;     // largest number of sites for which a block draws random numbers
inline constexpr int grid_splits = 8;      // largest number of shares of the rows in the overlaps
inline constexpr int grid_rows = 64;       // rows that a block updates at a time
inline constexpr int most_grid_parts = 8;  // largest number of devices that share a point

// Returns the number of columns that a thread multiplies together, with plain or any hopping.
constexpr int grid_abreast(bool plain) {
    return plain ? 4 : 2;
}

// Strides are 4 (mod 8) doubles, which keeps the fragments of matrix instructions free of bank conflicts.
inline constexpr int grid_stride = 68;  // stride of 64 doubles

inline constexpr std::size_t grid_stage_bytes = sizeof(double) * (grid_panel + grid_tile) * grid_stride;
inline constexpr std::size_t grid_solve_bytes = sizeof(double) * (2 * grid_panel + 2 * 8) * grid_stride;
inline constexpr std::size_t grid_unit_bytes = sizeof(double) * 3 * grid_panel * grid_stride;
inline constexpr std::size_t grid_least_bytes = std::max({2 * grid_stage_bytes, grid_solve_bytes, grid_unit_bytes});

inline constexpr std::size_t grid_generator_bytes = 40;  // of a thread's random generator, in static shared memory

struct GridLayout {
    int groups = 1;      // points at once; each has a group of thread blocks
    int blocks = 0;      // thread blocks of a group, at least 2
    int columns = 0;     // columns that a block multiplies at a time
    int splits = 0;      // shares of the rows in the overlaps
    int split_rows = 0;  // rows of a share, a multiple of grid_chunk
    int stages = 0;      // chunks of rows that are being copied or in use, 2 or 3
    int row_tiles = 0;   // tiles of rows; a block updates one at a time

    // Offsets in doubles from the start of a group's working memory. `doubles` is its length.
    int potentials_at = 0;    // [grid_slices][sites] E - V, or other numbers that are drawn (grid_point.cuh)
    int overlaps_at = 0;      // [splits][sites][grid_panel] W of each share of the rows, or [sites][grid_panel] W
    int grams_at = 0;         // [row_tiles][grid_panel][grid_panel] G of the next panel
    int coefficients_at = 0;  // [sites][grid_panel]
    int factors_at = 0;       // PanelFactors (grid_arguments.cuh)
    int log_norms_at = 0;     // [sites] of the cycle
    int doubles = 0;
};

// Returns the number of doubles that the factors of a point's panels take.
constexpr int factor_doubles(int sites) {
    return sites * (grid_panel + 2);
}

}  // namespace legato::tmm
