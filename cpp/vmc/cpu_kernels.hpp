// The innermost loops of the CPU engine. They are compiled once for every instruction set (core/cpu_level.hpp).
//
// Matrices are stored by rows of `row` doubles: the order rounded up to a multiple of 8. Rows and vectors are 64-byte
// aligned and padded with zeros, so that no loop has a remainder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/cpu_level.hpp"

namespace legato::vmc {

inline std::size_t row_length(std::size_t order) {
    return (order + 7) / 8 * 8;
}

struct CpuKernels {
    double (*dot)(std::size_t row, const double* x, const double* y);
    // out[i] = table[sites[i]], i < order
    void (*gather)(std::size_t order, const double* table, const std::int32_t* sites, double* out);
    // out[i] = table[sites[i]] - other[sites[i]], i < order
    void (*gathered_difference)(std::size_t order, const double* table, const double* other, const std::int32_t* sites,
                                double* out);
    // Returns the sum of table[sites[i]] y[i], i < order.
    double (*gathered_dot)(std::size_t order, const double* table, const std::int32_t* sites, const double* y);
    // out[r][.] = sum_j v[r][j] m[j][.] for r < count
    void (*product)(std::size_t count, std::size_t order, std::size_t row, const double* v, const double* m,
                    double* out);
    // Updates rows r = 0 .. count - 1 of m. The factors of a row are computed before the row changes.
    //     m[r] -= m[r][k] x
    void (*move_up)(std::size_t count, std::size_t row, std::size_t k, const double* x, double* m);
    //     m[r] -= (m[r] . b - shift[r]) y
    void (*move_down)(std::size_t count, std::size_t row, const double* b, const double* shift, const double* y,
                      double* m);
    //     m[r] -= m[r][k] x + (m[r] . b - shift[r]) y
    void (*exchange)(std::size_t count, std::size_t row, std::size_t k, const double* b, const double* shift,
                     const double* x, const double* y, double* m);
    // Inverts m in place by Gauss-Jordan elimination with row pivots. Returns false if m is singular. pivots: [order]
    bool (*invert)(std::size_t order, std::size_t row, double* m, std::size_t* pivots);

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::vmc
