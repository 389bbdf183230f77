// The innermost loops of the CPU engine. Compiled once for every instruction set (core/cpu_level.hpp).
//
// Wave functions are held state-contiguous: rows are sites, and a row has `row` doubles, the number of states rounded
// up to a multiple of 8 (lane_count), the surplus zero, 64-byte aligned. So no loop has a remainder, and sums over
// sites run side by side in vector lanes without any reordering.
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"
#include "tmm/lattice.hpp"

namespace legato::tmm {

inline constexpr std::size_t lane_count = 8;
inline constexpr std::size_t panel = 32;  // columns that are orthonormalised together in wide bars

// Rows a multiple of 512 bytes apart would share few cache sets: long ones get one more group of lanes.
inline std::size_t row_length(std::size_t states) {
    const std::size_t row = (states + lane_count - 1) / lane_count * lane_count;
    return row >= 128 && row % 64 == 0 ? row + lane_count : row;
}

struct CpuKernels {
    // previous <- diagonal(i) current - sum of hopping * current(neighbours) - previous; [sites][row] each.
    // Columns [first, last) of every row, both multiples of lane_count.
    void (*multiply)(std::size_t sites, std::size_t row, std::size_t first, std::size_t last, int neighbours_per_site,
                     const Neighbour* neighbours, const double* diagonal, const double* current, double* previous);

    // Modified Gram-Schmidt over the first `count` columns of (current; previous), norms2[count] the squared norms in
    // order; removed2[row], aligned, += the square of what each column loses. False if a norm is zero or not finite.
    // `scratch`: 2 * row doubles, aligned.
    bool (*gram_schmidt)(std::size_t sites, std::size_t row, std::size_t count, double* current, double* previous,
                         double* norms2, double* removed2, double* scratch);

    // The strictly lower triangle of q^T q of `panel` columns, held in rows of their own: [panel][panel], aligned, the
    // rest zero.
    void (*overlaps_within)(std::size_t height, const double* panel_rows, double* lower);

    // Takes `panel` columns, held in rows of their own, out of columns [first, last) of all `height` rows, an even
    // number: x <- x - q y with y = q^T x, or, with the `lower` of overlaps_within, (1 + lower) y = q^T x, which is
    // what taking one column out after the other comes to. removed2 += y^2. first and last are multiples of lane_count.
    void (*project_out)(std::size_t height, std::size_t row, std::size_t first, std::size_t last,
                        const double* panel_rows, const double* lower, double* rows, double* removed2);

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::tmm
