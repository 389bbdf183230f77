// The innermost loops of the CPU engine. They are compiled once for every instruction set (core/cpu_level.hpp).
//
// The columns are stored in one row per site. A row has `row` doubles, one per column, rounded up to a multiple of 8
// (lane_count; see row_length). The surplus is zero, and rows are 64-byte aligned. Loops therefore have no remainder.
// Each vector lane sums over the sites of its own column, so that no sum is reordered.
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"
#include "tmm/lattice.hpp"

namespace legato::tmm {

inline constexpr std::size_t lane_count = 8;
inline constexpr std::size_t panel = 32;  // columns that are orthonormalised together in wide bars

// Returns the number of doubles in a row. Rows that are a multiple of 512 bytes apart would share few cache sets, so
// long rows get one more group of lanes.
inline std::size_t row_length(std::size_t states) {
    const std::size_t row = (states + lane_count - 1) / lane_count * lane_count;
    return row >= 128 && row % 64 == 0 ? row + lane_count : row;
}

struct CpuKernels {
    // Computes previous <- diagonal(i) current - sum of hopping * current(neighbours) - previous, [sites][row] each,
    // for columns [first, last) of every row. Both bounds are multiples of lane_count.
    void (*multiply)(std::size_t sites, std::size_t row, std::size_t first, std::size_t last, int neighbours_per_site,
                     const Neighbour* neighbours, const double* diagonal, const double* current, double* previous);

    // Does the same with any hopping: computes previous <- diagonal(i) current - before(i) previous - sum of hopping *
    // current(neighbours), with `count` neighbours of each row.
    void (*multiply_by_couplings)(std::size_t rows, std::size_t row, std::size_t first, std::size_t last, int count,
                                  const Neighbour* neighbours, const double* diagonal, const double* before,
                                  const double* current, double* previous);

    // Orthonormalises the first `count` columns of (current; previous) by modified Gram-Schmidt. norms2[count] becomes
    // the squared norms, in order. The square of what each column loses is added to removed2[row]. Returns false if a
    // norm is zero or not finite. `scratch` has 2 * row doubles; it and removed2 are aligned.
    bool (*gram_schmidt)(std::size_t sites, std::size_t row, std::size_t count, double* current, double* previous,
                         double* norms2, double* removed2, double* scratch);

    // Computes the strictly lower triangle of q^T q, for the `panel` columns q in panel_rows[height][panel]. `lower` is
    // [panel][panel], aligned; the rest of it becomes zero.
    void (*overlaps_within)(std::size_t height, const double* panel_rows, double* lower);

    // Takes the `panel` columns q in panel_rows[height][panel] out of columns [first, last) of all `height` rows, an
    // even number. Computes x <- x - q y with y = q^T x if `lower` is null. With `lower` of overlaps_within, y is the
    // solution of (1 + lower) y = q^T x, which is equivalent to taking out one column after the other. Adds y^2 to
    // removed2. first and last are multiples of lane_count.
    void (*project_out)(std::size_t height, std::size_t row, std::size_t first, std::size_t last,
                        const double* panel_rows, const double* lower, double* rows, double* removed2);

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::tmm
