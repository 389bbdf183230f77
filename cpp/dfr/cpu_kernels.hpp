// The innermost loops of the CPU engine. They are compiled once for every instruction set (core/cpu_level.hpp).
// Matrices are column-major; the number of points is a multiple of `row_block`.
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"

namespace legato::dfr {

inline constexpr std::size_t row_block = 16;     // rows (points) that are processed together
inline constexpr std::size_t column_chunk = 64;  // columns (points) whose products and Z stay in the nearest caches

// The contribution of one density to Z: factor M(i-j) P_ij.
struct ExchangeTerm {
    double factor = 0;
    const double* kernel = nullptr;    // address of M(0)
    const double* products = nullptr;  // [columns][row_block]
};

struct CpuKernels {
    // Sets products[columns][row_block] to P_ij = sum over spinors a of bra_a(i) ket_a(j), for points i = row, row + 1,
    // ... and j = column, column + 1, ... `columns` <= column_chunk is a multiple of row_block; bra and ket are [points
    // x spinors].
    void (*multiply)(std::size_t points, std::size_t row, std::size_t column, std::size_t columns, std::size_t spinors,
                     const double* bra, const double* ket, double* products);

    // Sets z[columns][row_block] to Z_ij for the same points, the sum of the terms.
    void (*form)(std::size_t row, std::size_t column, std::size_t columns, std::size_t terms, const ExchangeTerm* term,
                 double* z);

    // Adds the sum over j of z[j][r] phi(column + j, q) to half(row + r, q); half and phi are [points x functions].
    void (*accumulate)(std::size_t points, std::size_t row, std::size_t column, std::size_t columns,
                       std::size_t functions, const double* z, const double* phi, double* half);

    // Sets out(p, q) to the sum over points of left(i, p) right(i, q); out is [left_count x right_count].
    void (*contract)(std::size_t points, std::size_t left_count, const double* left, std::size_t right_count,
                     const double* right, double* out);

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::dfr
