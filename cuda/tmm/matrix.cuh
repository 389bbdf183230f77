// FP64 matrix instructions, and the Cholesky factorisation of a small matrix.
#pragma once

#include "tmm/reciprocal.cuh"

namespace legato::tmm {

// C (8 x 8) += A (8 x 4) B (4 x 8): a lane gives A(lane / 4, lane % 4) and B(lane % 4, lane / 4) and holds
// C(lane / 4, 2 (lane % 4)) and its right neighbour.
__device__ inline void matrix_multiply(double (&c)[2], double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
}

// Two of them with the same B, which compute capability 9.0 does at twice the rate.
__device__ inline void matrix_multiply(double (&c0)[2], double (&c1)[2], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(c0[0]), "+d"(c0[1]), "+d"(c1[0]), "+d"(c1[1])
        : "d"(a0), "d"(a1), "d"(b));
#else
    matrix_multiply(c0, a0, b);
    matrix_multiply(c1, a1, b);
#endif
}

inline constexpr int cholesky_most = 32;  // columns

struct CholeskyScratch {
    double pivot_rows[2][2 * cholesky_most];
};

// R^T R = G for the first `width` columns of a symmetric G(row, column), by a block of 256 threads: R^-T to
// inverse(row, column), zero beyond the columns done, and the squared pivots to norms2. Ends before the first column of
// which less than `least` times before[column] is left, and returns how many columns are done. All threads call it;
// what it has written can be read after it.
template <class Matrix, class Inverse>
__device__ int cholesky(int width, const Matrix& matrix, double least, const double* before, const Inverse& inverse,
                        double* norms2, CholeskyScratch& scratch) {
    constexpr int warps = 8, held = cholesky_most / warps;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    // A thread holds rows warp, warp + 8, .. of column `lane` of G, and of the identity, on which the same row
    // operations leave R^-T.
    double g[held], e[held];
#pragma unroll
    for (int q = 0; q < held; ++q) {
        const int row = warp + q * warps;
        g[q] = row < width && lane < width ? matrix(row, lane) : 0.0;
        e[q] = row == lane ? 1.0 : 0.0;
    }
    int done = 0;
#pragma unroll
    for (int block = 0; block < held; ++block)
#pragma unroll 1  // for the sake of the instruction cache
        for (int owner = 0; owner < warps; ++owner) {
            const int k = block * warps + owner;
            if (done < k || k >= width) continue;
            double* const pivot_row = scratch.pivot_rows[k % 2];
            if (warp == owner) {
                pivot_row[lane] = g[block];
                pivot_row[cholesky_most + lane] = e[block];
            }
            __syncthreads();
            const double pivot = pivot_row[k];
            if (!(pivot > least * before[k] && isfinite(pivot))) continue;
            if (threadIdx.x == 0) norms2[k] = pivot;
            const double of_pivot = -reciprocal(pivot);
            const double of_g = pivot_row[lane] * of_pivot, of_e = pivot_row[cholesky_most + lane] * of_pivot;
#pragma unroll
            for (int q = block; q < held; ++q) {
                const int row = warp + q * warps;
                const double factor = row > k ? pivot_row[row] : 0.0;
                g[q] = fma(factor, of_g, g[q]);
                e[q] = fma(factor, of_e, e[q]);
            }
            done = k + 1;
        }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < held; ++q) {
        const int row = warp + q * warps;
        inverse(row, lane) = row < done ? e[q] * rsqrt(norms2[row]) : 0.0;
    }
    __syncthreads();
    return done;
}

// R^T R = 1 + E for the first `width` columns of a symmetric matrix(row, column), which is asked for with row <=
// column, to first order in E: R^-T to inverse(row, column), zero elsewhere, and norms2 *= the squared pivots, which
// are those of the unit that the columns had before. False, and nothing written, where the second order would be felt.
// By a block of 256 threads; `order` is that of the whole inverse.
template <class Matrix, class Inverse>
__device__ bool nearly_unit_cholesky(int width, int order, const Matrix& matrix, const Inverse& inverse,
                                     double* norms2) {
    constexpr double least = 1e-9;
    const auto off = [&](int row, int column) { return matrix(column, row) - (row == column ? 1.0 : 0.0); };
    bool far = false;
    for (int at = static_cast<int>(threadIdx.x); at < width * width; at += static_cast<int>(blockDim.x))
        far |= at % width <= at / width && !(fabs(off(at / width, at % width)) < least);
    if (__syncthreads_or(far)) return false;
    for (int at = static_cast<int>(threadIdx.x); at < order * order; at += static_cast<int>(blockDim.x)) {
        const int row = at / order, column = at % order;
        inverse(row, column) = row >= width || column > row ? 0.0
                               : row == column              ? 1.0 - 0.5 * off(row, row)
                                                            : -off(row, column);
        if (row == column && row < width) norms2[row] *= 1.0 + off(row, row);
    }
    __syncthreads();
    return true;
}

}  // namespace legato::tmm
