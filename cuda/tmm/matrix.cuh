// FP64 matrix instructions, and what the kernels make of them: the Cholesky factorisation of a small matrix, and the
// division of columns by its factor.
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

// The matrices below are of order `order`, by a block of 256 threads, in shared memory with a stride of 4 (mod 8): G at
// g[column * stride + row], of which only the blocks of 8 x 8 on and above the diagonal are there, and R^-T at
// e[row * stride + column].

// What a lane holds of a block of 8 x 8: as a left factor columns lane % 4 and lane % 4 + 4 of row lane / 4, as a right
// factor rows lane % 4 and lane % 4 + 4 of column lane / 4, as a product columns 2 (lane % 4) and the next of row
// lane / 4.
using Fragment = double[2];

// product += left right, by a warp.
__device__ inline void multiply_blocks(Fragment& product, const Fragment& left, const Fragment& right) {
    matrix_multiply(product, left[0], right[0]);
    matrix_multiply(product, left[1], right[1]);
}

// R^T R = G for up to 8 columns, by a warp: R^-T, and the squared pivots one to a lane. Both are left factors. Ends
// before the first column of which less than `least` times before[column] is left, and returns how many are done; rows
// beyond are zero.
__device__ inline int factorise_block(int width, Fragment& g, Fragment& inverse, double least, const double* before,
                                      double& own_pivot) {
    const int lane = static_cast<int>(threadIdx.x) % 32, i = lane / 4, k = lane % 4;
    inverse[0] = i == k ? 1.0 : 0.0;
    inverse[1] = i == k + 4 ? 1.0 : 0.0;
    own_pivot = 0;
#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const double pivot = __shfl_sync(0xffffffffu, g[p / 4], 4 * p + p % 4);
        const double in_column = __shfl_sync(0xffffffffu, g[p / 4], 4 * i + p % 4);
        if (lane == p) own_pivot = pivot;
        const double factor = -in_column * reciprocal(pivot);  // not finite where the end is before p
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const double of_g = __shfl_sync(0xffffffffu, g[half], 4 * p + k);
            const double of_inverse = __shfl_sync(0xffffffffu, inverse[half], 4 * p + k);
            if (i <= p) continue;
            g[half] = fma(factor, of_g, g[half]);
            inverse[half] = fma(factor, of_inverse, inverse[half]);
        }
    }
    const bool good = lane < min(width, 8) && own_pivot > least * before[lane % 8] && isfinite(own_pivot);
    const int done = __ffs(static_cast<int>(~__ballot_sync(0xffffffffu, good))) - 1;
    const double scale = rsqrt(__shfl_sync(0xffffffffu, own_pivot, i));
    for (double& x : inverse) x = i < done ? x * scale : 0.0;
    return done;
}

// R^T R = G for the first `width` columns: R^-T to e, zero beyond the columns done, R to the blocks of g above the
// diagonal, and the squared pivots to norms2. Ends as factorise_block() does, and returns how many columns are done.
// All threads call it; what it has written can be read after it.
template <int order>
__device__ int cholesky(int width, double* g, double* e, int stride, double least, const double* before,
                        double* norms2) {
    constexpr int blocks = order / 8, warps = 8, rows_at_once = warps / blocks;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int i = lane / 4, k = lane % 4, column = 8 * (warp % blocks);
    const auto g_of = [&](int row, int at) -> double& { return g[at * stride + row]; };
    const auto e_of = [&](int row, int at) -> double& { return e[row * stride + at]; };
    int done = 0;
#pragma unroll 1  // for the sake of the instruction cache
    for (int first = 0; first < order; first += 8) {
        const bool ended = done < first;
        Fragment inverse = {};
        if (!ended) {  // every warp by itself, which spares a barrier
            const int low = first + min(i, k), high = first + max(i, k), next = k + 4;
            Fragment diagonal = {g_of(low, high), g_of(first + min(i, next), first + max(i, next))};
            double pivot;
            const int now = factorise_block(width - first, diagonal, inverse, least, before + first, pivot);
            if (warp == 0 && lane < now) norms2[first + lane] = pivot;
            done += now;
        }
        // The rows done, of R or of R^-T: a block to a warp.
        const bool of_e = column < first;
        Fragment right = {}, made = {};
        if (warp < blocks && column != first) {
            for (int half = 0; half < 2 && !ended; ++half)
                right[half] = of_e ? e_of(first + k + 4 * half, column + i) : g_of(first + k + 4 * half, column + i);
            multiply_blocks(made, inverse, right);
            __syncwarp();
            for (int d = 0; d < 2; ++d) {
                e_of(first + i, column + 2 * k + d) = of_e ? made[d] : 0.0;
                if (!of_e) g_of(first + i, column + 2 * k + d) = made[d];
            }
        } else if (warp < blocks) {
            e_of(first + i, first + k) = inverse[0];
            e_of(first + i, first + k + 4) = inverse[1];
        }
        __syncthreads();
        // They are taken out of the rows below: a column of blocks to a warp or two.
        for (int half = 0; half < 2; ++half)
            right[half] =
                column <= first ? e_of(first + k + 4 * half, column + i) : g_of(first + k + 4 * half, column + i);
        for (int row = first + 8 + 8 * (warp / blocks); row < order && !ended; row += 8 * rows_at_once) {
            if (column > first && column < row) continue;
            const Fragment left = {-g_of(first + k, row + i), -g_of(first + k + 4, row + i)};
            Fragment sum = {};
            for (int d = 0; d < 2; ++d) {
                if (column > first) sum[d] = g_of(row + i, column + 2 * k + d);
                if (column < first) sum[d] = e_of(row + i, column + 2 * k + d);
            }
            multiply_blocks(sum, left, right);
            for (int d = 0; d < 2; ++d)
                (column > first ? g_of(row + i, column + 2 * k + d) : e_of(row + i, column + 2 * k + d)) = sum[d];
        }
        __syncthreads();
    }
    return done;
}

// R^T R = 1 + E for the first `width` columns of G, to first order in E: R^-T to e, zero elsewhere, and norms2 *= the
// squared pivots, which are those of the unit that the columns had before. False, and nothing written, where the second
// order would be felt.
template <int order>
__device__ bool nearly_unit_cholesky(int width, const double* g, double* e, int stride, double* norms2) {
    constexpr double least = 1e-9;
    const auto off = [&](int row, int column) { return g[row * stride + column] - (row == column ? 1.0 : 0.0); };
    bool far = false;
    for (int at = static_cast<int>(threadIdx.x); at < order * order; at += static_cast<int>(blockDim.x)) {
        const int row = at / order, column = at % order;
        far |= row < width && column <= row && !(fabs(off(row, column)) < least);
    }
    if (__syncthreads_or(far)) return false;
    for (int at = static_cast<int>(threadIdx.x); at < order * order; at += static_cast<int>(blockDim.x)) {
        const int row = at / order, column = at % order;
        e[row * stride + column] = row >= width || column > row ? 0.0
                                   : row == column              ? 1.0 - 0.5 * off(row, row)
                                                                : -off(row, column);
        if (row == column && row < width) norms2[row] *= 1.0 + off(row, row);
    }
    __syncthreads();
    return true;
}

// The same to full order where that is needed; `before`: scratch. How many columns are done: all, if it is sound.
template <int order>
__device__ int factorise_again(int width, double* g, double* e, int stride, double least, double* before,
                               double* norms2) {
    if (nearly_unit_cholesky<order>(width, g, e, stride, norms2)) return width;
    const int thread = static_cast<int>(threadIdx.x);
    const double norm2 = thread < width ? norms2[thread] : 1.0;
    if (thread < width) before[thread] = g[thread * stride + thread];
    __syncthreads();
    const int done = cholesky<order>(width, g, e, stride, least, before, norms2);
    if (thread < width) norms2[thread] *= norm2;
    __syncthreads();
    return done;
}

// X <- X R^-1 for the first `width` columns, by a warp that has `strips` times 8 rows; x: the first of them, a column
// every `stride` doubles. inverse(row, column): R^-T in the blocks of 8 x 8 on the diagonal, -R^T in those below.
// Taking out block after block errs as modified Gram-Schmidt does, where the product with R^-1 would err by its
// condition.
template <int strips, class Inverse>
__device__ void solve_rows(double* x, int stride, int width, const Inverse& inverse) {
    const int lane = static_cast<int>(threadIdx.x) % 32, i = lane / 4, k = lane % 4;
    for (int first = 0; first < width; first += 8)
        for (const bool own : {false, true}) {  // the blocks before are taken out; then the block's own factor
            if (first == 0 && !own) continue;
            double c[strips][2] = {};
            for (int strip = 0; strip < strips && !own; ++strip)
                for (int d = 0; d < 2; ++d)
                    if (first + i < width) c[strip][d] = x[(first + i) * stride + 8 * strip + 2 * k + d];
            for (int place = own ? first : 0; place < first + (own ? 8 : 0); place += 4) {
                const double left = inverse(first + i, place + k);
                for (int strip = 0; strip < strips; ++strip) {
                    const double right = place + k < width ? x[(place + k) * stride + 8 * strip + i] : 0.0;
                    matrix_multiply(c[strip], left, right);
                }
            }
            __syncwarp();
            for (int strip = 0; strip < strips; ++strip)
                for (int d = 0; d < 2; ++d)
                    if (first + i < width) x[(first + i) * stride + 8 * strip + 2 * k + d] = c[strip][d];
            __syncwarp();
        }
}

}  // namespace legato::tmm
