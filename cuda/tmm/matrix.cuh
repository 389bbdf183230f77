// The operations that the kernels build from FP64 matrix instructions: the Cholesky factorisation R^T R of a
// small matrix, and the product of columns with R^-1.
#pragma once

#include "core/matrix_multiply.cuh"
#include "tmm/reciprocal.cuh"

namespace legato::tmm {

using cuda::matrix_multiply;

// The functions below work on matrices of order `order` in shared memory, with a stride of 4 (mod 8), in a block of 256
// threads. G is at g[column * stride + row]; only its 8 x 8 blocks on and above the diagonal are stored. R^-T is at
// e[row * stride + column].

// The two elements of an 8 x 8 block that a lane holds.
//     left factor:   row lane / 4,    columns lane % 4 and lane % 4 + 4
//     right factor:  column lane / 4, rows lane % 4 and lane % 4 + 4
//     product:       row lane / 4,    columns 2 (lane % 4) and the next
using Fragment = double[2];

// Computes product += left right, in a warp.
__device__ inline void multiply_blocks(Fragment& product, const Fragment& left, const Fragment& right) {
    matrix_multiply(product, left[0], right[0]);
    matrix_multiply(product, left[1], right[1]);
}

// Factorises G = R^T R for up to 8 columns, in a warp. `inverse` becomes R^-T; like g it is a left factor. Each of the
// first 8 lanes gets a squared pivot. Ends before the first column of which less than `least` times before[column] is
// left, and returns the number of columns done. Rows of R^-T beyond them are zero.
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
        const double factor = -in_column * reciprocal(pivot);  // may not be finite from the end on
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

// Factorises G = R^T R for the first `width` columns. Writes R^-T to e, zero beyond the columns done, R to the blocks
// of g above the diagonal, and the squared pivots to norms2. Ends as factorise_block() does, and returns the number of
// columns done. All threads call it, and can read the results afterwards.
//
// The first warp factorises the blocks on the diagonal, each as soon as it is ready. The other warps compute the rest.
template <int order>
__device__ int cholesky(int width, double* g, double* e, int stride, double least, const double* before,
                        double* norms2) {
    constexpr int blocks = order / 8, warps = 8;
    static_assert(blocks <= warps);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int i = lane / 4, k = lane % 4;
    const auto g_of = [&](int row, int at) -> double& { return g[at * stride + row]; };
    const auto e_of = [&](int row, int at) -> double& { return e[row * stride + at]; };
    const auto right_of = [&](Fragment& right, int first, int column, bool of_e) {
        for (int half = 0; half < 2; ++half) {
            const int row = first + k + 4 * half;
            right[half] = of_e ? e_of(row, column + i) : g_of(row, column + i);
        }
    };
    // Factorises the diagonal block at `first`, in the first warp. Returns the number of columns done in it.
    const auto factorise = [&](int first) {
        Fragment diagonal, inverse;
        double pivot;
        for (int half = 0; half < 2; ++half)
            diagonal[half] = g_of(first + min(i, k + 4 * half), first + max(i, k + 4 * half));
        const int more = factorise_block(width - first, diagonal, inverse, least, before + first, pivot);
        if (lane < more) norms2[first + lane] = pivot;
        e_of(first + i, first + k) = inverse[0];
        e_of(first + i, first + k + 4) = inverse[1];
        return more;
    };
    // Takes the 8 rows from `first` on out of the block at (row, column), of G or of R^-T, where row > first.
    const auto take_out = [&](int first, int row, int column) {
        Fragment left, right, sum = {};
        right_of(right, first, column, column <= first);
        for (int half = 0; half < 2; ++half) left[half] = -g_of(first + k + 4 * half, row + i);
        const auto at = [&](int d) -> double& {
            return column > first ? g_of(row + i, column + 2 * k + d) : e_of(row + i, column + 2 * k + d);
        };
        for (int d = 0; d < 2 && column != first; ++d) sum[d] = at(d);
        multiply_blocks(sum, left, right);
        for (int d = 0; d < 2; ++d) at(d) = sum[d];
    };

    int done = __syncthreads_count(warp == 0 && lane < factorise(0));
#pragma unroll 1  // for the sake of the instruction cache
    for (int first = 0; first < order; first += 8) {
        const bool whole = done >= first;  // all columns before `first` are done
        const int column = 8 * warp;
        if (column < order && column != first) {  // computes the 8 rows of R and R^-T in these columns
            Fragment right, made = {};
            right_of(right, first, column, column < first);
            const Fragment inverse = {whole ? e_of(first + i, first + k) : 0.0,
                                      whole ? e_of(first + i, first + k + 4) : 0.0};
            if (whole) multiply_blocks(made, inverse, right);
            __syncwarp();
            for (int d = 0; d < 2; ++d) {
                e_of(first + i, column + 2 * k + d) = column < first ? made[d] : 0.0;
                if (column > first) g_of(first + i, column + 2 * k + d) = made[d];
            }
        }
        __syncthreads();
        const int next = first + 8, left = (order - next) / 8;
        int more = 0;
        if (warp == 0 && next < order) {
            if (whole) take_out(first, next, next);
            __syncwarp();
            if (done >= next)
                more = factorise(next);
            else
                e_of(next + i, next + k) = e_of(next + i, next + k + 4) = 0.0;
        }
        for (int item = warp - 1; whole && warp > 0 && item < left * blocks; item += warps - 1) {
            const int row = next + item / blocks * 8, other = item % blocks * 8;
            if (other <= first || (other >= row && other > next)) take_out(first, row, other);
        }
        done += __syncthreads_count(warp == 0 && lane < more);
    }
    return done;
}

// Factorises G = 1 + E = R^T R for the first `width` columns, to first order in E. Writes R^-T to e, zero elsewhere,
// and multiplies norms2 by the squared pivots, because the columns have been divided by these norms. Returns false and
// writes nothing if the second order is not negligible.
template <int order>
__device__ bool nearly_unit_cholesky(int width, const double* g, double* e, int stride, double* norms2) {
    constexpr double least = 1e-8;  // bound on |E|; its square is a rounding error
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

// Does the same, with a full factorisation if the first order is not sufficient. `before` is scratch. Returns the
// number of columns done, which is `width` if the panel is valid.
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

// Converts a product of multiply_blocks() to a right factor.
__device__ inline void to_right_factor(Fragment& right, const Fragment& product) {
    const int lane = static_cast<int>(threadIdx.x) % 32, i = lane / 4, k = lane % 4;
    for (int half = 0; half < 2; ++half) {
        const int from = 4 * (k + 4 * half) + i / 2;
        const double even = __shfl_sync(0xffffffffu, product[0], from);
        const double odd = __shfl_sync(0xffffffffu, product[1], from);
        right[half] = i % 2 ? odd : even;
    }
}

// Computes X <- X R^-1 for the first `width` of up to `order` columns, in a warp that has `strips` times 8 rows. x is
// the first of these rows; columns are x_stride doubles apart. e has R^-T in its blocks on the diagonal, and r has R in
// its blocks above the diagonal, as cholesky() writes them. One block after the other is taken out. The errors are then
// those of modified Gram-Schmidt, while those of a product with R^-1 would be proportional to its condition number.
template <int order, int strips>
__device__ void solve_rows(double* x, int x_stride, int width, const double* e, const double* r, int stride) {
    constexpr int blocks = order / 8;
    const int lane = static_cast<int>(threadIdx.x) % 32, i = lane / 4, k = lane % 4;
    Fragment c[blocks][strips];
    const auto at = [&](int block, int strip) {
        return reinterpret_cast<double2*>(x + (8 * block + i) * x_stride + 8 * strip + 2 * k);
    };
#pragma unroll
    for (int block = 0; block < blocks; ++block)
#pragma unroll
        for (int strip = 0; strip < strips; ++strip) {
            const double2 value = 8 * block + i < width ? *at(block, strip) : double2{0.0, 0.0};
            c[block][strip][0] = value.x;
            c[block][strip][1] = value.y;
        }
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
        if (8 * block >= width) continue;
        Fragment right[strips];
#pragma unroll
        for (int strip = 0; strip < strips; ++strip) {
            const double* const own = e + (8 * block + i) * stride + 8 * block + k;
            to_right_factor(right[strip], c[block][strip]);
            c[block][strip][0] = c[block][strip][1] = 0.0;
            multiply_blocks(c[block][strip], {own[0], own[4]}, right[strip]);
            to_right_factor(right[strip], c[block][strip]);
        }
#pragma unroll
        for (int later = block + 1; later < blocks; later += 2) {
            const int second = later + 1 < blocks ? later + 1 : later;  // two by two, which is faster
            const double* const factor = r + (8 * later + i) * stride + 8 * block + k;
            const double* const next = factor + 8 * (second - later) * stride;
#pragma unroll
            for (int half = 0; half < 2; ++half)
#pragma unroll
                for (int strip = 0; strip < strips; ++strip) {
                    const double from = right[strip][half];
                    if (second > later)
                        matrix_multiply(c[later][strip], c[second][strip], -factor[4 * half], -next[4 * half], from);
                    else
                        matrix_multiply(c[later][strip], -factor[4 * half], from);
                }
        }
    }
#pragma unroll
    for (int block = 0; block < blocks; ++block)
#pragma unroll
        for (int strip = 0; strip < strips; ++strip)
            if (8 * block + i < width) *at(block, strip) = double2{c[block][strip][0], c[block][strip][1]};
}

}  // namespace legato::tmm
