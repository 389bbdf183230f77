// The kernel for points that are too wide for a thread-block cluster. A group of thread blocks computes a point; there
// are as many groups as points, or one for the whole device. The columns are in device memory, and as many as fit stay
// in the cache. The results are bitwise identical for every number of blocks in a group.
//
// Multiplication: a block takes a few columns through all slices of an interval, which are those between two
// orthonormalisations. Orthonormalisation goes panel by panel. Let X_p be the present panel and x any column that is
// not before it:
//     W = X_p^T x;   G = X_p^T X_p = R^T R;   x <- x - X_p R^-1 R^-T W,   and X_p <- X_p R^-1 after all panels.
// There are three steps between barriers of the group: W; the coefficients R^-1 R^-T W; the update of the columns. The
// columns of the next panel are updated first, and the blocks that do this also sum its G. The last block waits for
// that G and factorises it, while the other blocks go on to the next W. If the panel is steep (panel.cuh), X_p <- X_p
// R^-1 and the new G come first. If it was steep the last time, the other blocks wait for this before they compute W.
#pragma once

#include "tmm/grid_multiplication.cuh"
#include "tmm/grid_point.cuh"
#include "tmm/grid_update.cuh"

namespace legato::tmm {

template <bool divided, bool plain>
__device__ __forceinline__ void GridPoint<divided, plain>::orthonormalise() {
    orthonormalise_panels();
    if (state().valid && !stopped()) normalise();
    if (divided || state().valid) wait_all();
    if constexpr (!divided) return;
    ++orthonormalisations_;
    if (block_ == 0) signals_.meet(orthonormalisations_);
    wait_all();
    if (stopped() && thread_ == 0) state().valid = false;
    __syncthreads();
}

// While the last block factorises, the others compute W. If the point is divided, they first compute it for the columns
// that certainly come after the panel.
template <bool divided, bool plain>
__device__ __forceinline__ void GridPoint<divided, plain>::orthonormalise_panels() {
    for (int first = 0, width = 0, panel = 0; first + width < n_; width = state().panel_width, ++panel) {
        const bool expects_steep = steep_.expected(panel);
        update(first, width, expects_steep);
        first += width;
        const int from = divided ? min(first + grid_panel, n_) : first;
        if (!expects_steep) overlaps(first, from, n_, true);
        if (!last_block_helps(expects_steep)) wait_all();  // else update() has waited for the factors
        if (stopped()) return;
        const bool steep = __ldcg(factors_of_panels().steep + first) != 0;
        const int after = divided ? first + __ldcg(factors_of_panels().widths + first) : first;
        if (steep) replace_panel(first);
        if (steep || expects_steep)
            overlaps(first, after, n_, steep);
        else if (after < from)
            overlaps(first, after, from, false);
        if (steep || expects_steep || after < from) wait_all();
        read_panel(first);
        wait_all();
        if (!state().valid || stopped()) return;
        steep_.note(panel, steep);
    }
}

// Returns whether the shares of the rows of W go to different blocks. If there are many columns, a block sums them.
template <bool divided, bool plain>
__device__ bool GridPoint<divided, plain>::splits_rows(int first) const {
    return divided || own_.pieces(first, n_) < a_.layout.blocks;
}

// Computes W of the panel that begins at column `first`, for the own columns in [from, to). The last block may still
// be `factorising`.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::overlaps(int first, int from, int to, bool factorising) {
    const int splits = a_.layout.splits, abreast = splits_rows(first) ? 1 : splits, units_of_piece = splits / abreast;
    const int starts = factorising ? workers_ : workers_ + 1;
    share_units(own_.pieces(from, to) * units_of_piece, starts, workers_ + 1, [&](int unit, int) {
        const int split = unit % units_of_piece;
        overlap_unit(first, own_.piece(from, to, unit / units_of_piece), split, split + abreast);
    });
}

// Computes W of the panel and of up to grid_tile columns, summed over some shares of the rows in their order. The rows
// pass through shared memory chunk by chunk.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::overlap_unit(int first, Piece columns, int split, int end_split) {
    static_assert(grid_chunk == grid_rows && grid_tile == grid_panel);
    const int share = a_.layout.split_rows, stages = a_.layout.stages;
    const auto end_of = [&](int s) { return min(rows_, (s + 1) * share); };
    const auto buffer = [&](int number) { return shared() + number * 2 * tile_doubles; };
    // The next chunk to copy, and where to.
    int ahead = split, row = ahead * share, to = 0;
    TileCopy of_panel, of_columns;
    const auto prepare_next = [&] {
        of_panel.to = of_columns.to = nullptr;
        if (ahead < end_split) {
            of_panel = rows_of(buffer(to), first, n_ - first, row, end_of(ahead));
            of_columns = rows_of(buffer(to) + tile_doubles, columns.first, n_ - columns.first, row, end_of(ahead));
            row += grid_chunk;
            if (row >= end_of(ahead)) row = ++ahead * share;
        }
        to = to + 1 == stages ? 0 : to + 1;
    };
    __syncthreads();
#pragma unroll 1
    for (int c = 0; c < stages - 1; ++c) {
        prepare_next();
        of_panel.start();
        of_columns.start();
        __pipeline_commit();
    }
    double sums[4][2][2] = {};
    int from = 0;
    for (int s = split; s < end_split; ++s) {
        double part[4][2][2] = {};
        for (int begin = s * share; begin < end_of(s); begin += grid_chunk) {
            if (stages > 2)
                __pipeline_wait_prior(1);
            else
                __pipeline_wait_prior(0);
            __syncthreads();
            prepare_next();
            tile_products<grid_stride, 1>(part, buffer(from), buffer(from) + tile_doubles, [&](int of_copy) {
                of_panel.start(of_copy);
                of_columns.start(of_copy);
            });
            __pipeline_commit();
            from = from + 1 == stages ? 0 : from + 1;
        }
#pragma unroll
        for (int at = 0; at < 16; ++at) sums[at / 4][at / 2 % 2][at % 2] += part[at / 4][at / 2 % 2][at % 2];
    }
    double* const out = overlaps_of(split) + columns.first * grid_panel;
    each_of_tile(sums, [&](int place, int column, const double(&value)[2]) {
        for (int d = 0; d < 2; ++d)
            if (columns.first + column + d < columns.end) __stcg(out + (column + d) * grid_panel + place, value[d]);
    });
}

// Computes sums += left^T right for two tiles of 64 columns and a depth of 64. These are left[column * grid_stride +
// depth] and right[column * right_column + depth * right_row]. A warp has 32 x 16 of the results. The operands of the
// next matrix instructions are read before the present ones are computed. between(part) is called for each part of
// copies.
template <bool divided, bool plain>
template <int right_column, int right_row, class Between>
__device__ void GridPoint<divided, plain>::tile_products(double (&sums)[4][2][2], const double* left,
                                                         const double* right, const Between& between) const {
    const int i = lane_ / 4, k = lane_ % 4;
    left += (warp_ % 2 * 32 + i) * grid_stride + k;
    right += (warp_ / 2 * 16 + i) * right_column + k * right_row;
    double a[2][4], b[2][2];
    const auto take = [&](int at, int step) {
#pragma unroll
        for (int t = 0; t < 4; ++t) a[at][t] = left[8 * t * grid_stride + step];
#pragma unroll
        for (int u = 0; u < 2; ++u) b[at][u] = right[8 * u * right_column + step * right_row];
    };
    const auto multiply = [&](int at) {
#pragma unroll
        for (int t = 0; t < 4; t += 2)
#pragma unroll
            for (int u = 0; u < 2; ++u) matrix_multiply(sums[t][u], sums[t + 1][u], a[at][t], a[at][t + 1], b[at][u]);
    };
    static_assert(TileCopy::parts * 8 == grid_rows);
    take(0, 0);
#pragma unroll 1
    for (int part = 0; part < TileCopy::parts; ++part) {
        take(1, 4);
        between(part);
        multiply(0);
        left += 8;
        right += 8 * right_row;
        if (part + 1 < TileCopy::parts) take(0, 0);
        multiply(1);
    }
}

// Calls on(column of left, column of right, values) for each pair of results of tile_products() that this thread holds.
// The pair belongs to a column of left, and to this and the next column of right.
template <bool divided, bool plain>
template <class Sums, class On>
__device__ void GridPoint<divided, plain>::each_of_tile(Sums& sums, const On& on) const {
    const int of_left = warp_ % 2 * 32 + lane_ / 4, of_right = warp_ / 2 * 16 + 2 * (lane_ % 4);
#pragma unroll
    for (int t = 0; t < 4; ++t)
#pragma unroll
        for (int u = 0; u < 2; ++u) on(of_left + 8 * t, of_right + 8 * u, sums[t][u]);
}

// Waits until G of the panel has been computed. The last block calls it.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::await_gram() {
    awaited_ += static_cast<unsigned>(row_tiles_);
    signals_.await_count(&counters_.tiles_done.value, awaited_);
}

// Collects G of `width` columns.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::take_gram(Factors& f, int width) const {
    gather(f, width);
    __syncthreads();
    if (thread_ < grid_panel) state().before[thread_] = f.g[thread_ * grid_stride + thread_];
    __syncthreads();
}

// Writes the data of the panel that all blocks need: norms, width, and R^-T or, if `solves`, the factors for
// solve_rows().
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::write_panel(const PanelFactors& to, const Factors& f, int first, int width,
                                                       bool solves) const {
#pragma unroll 4
    for (int at = thread_; at < width * grid_panel; at += grid_threads) {
        const int row = at / grid_panel, column = at % grid_panel, place = row * grid_stride + column;
        __stcg(to.inverses + first * grid_panel + at, solves && column / 8 < row / 8 ? f.g[place] : f.e[place]);
    }
    if (thread_ < width) __stcg(to.norms2 + first + thread_, state().norms2[thread_]);
    if (thread_ == 0) __stcg(to.widths + first, width);
}

// Factorises G of the panel that begins at column `first`, for all devices. The last block calls it.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::factorise_next(int first) const {
    Factors& f = *reinterpret_cast<Factors*>(shared());
    const int width = min(grid_panel, n_ - first);
    take_gram(f, width);
    const int done =
        cholesky<grid_panel>(width, f.g, f.e, grid_stride, least_remainder, state().before, state().norms2);
    const bool steep =
        __syncthreads_or(thread_ < done && state().norms2[thread_] < mild_remainder * state().before[thread_]) != 0;
    for (int part = 0; part < (divided ? a_.share.parts : 1); ++part) {
        const PanelFactors to = divided ? a_.share.peers[part].factors : factors_of_panels();
        write_panel(to, f, first, done, steep);
        if (thread_ == 0) __stcg(to.steep + first, steep ? 1 : 0);
    }
}

// Waits for the factors of the panel from another device. The last block calls it.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::receive_factors(int first) {
    signals_.await_factors(leader_, panels_);
    const int width = __ldcg(factors_of_panels().widths + first);
    if (thread_ < width) state().norms2[thread_] = __ldcg(factors_of_panels().norms2 + first + thread_);
    __syncthreads();
}

// Factorises once more after X_p <- X_p R^-1. The last block calls it. G is nearly the unit matrix, and the norms,
// which are still in state(), are multiplied by its pivots.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::refactorise(int first) const {
    Factors& f = *reinterpret_cast<Factors*>(shared());
    const int width = __ldcg(factors_of_panels().widths + first);
    take_gram(f, width);
    const int done =
        factorise_again<grid_panel>(width, f.g, f.e, grid_stride, least_remainder, state().before, state().norms2);
    write_panel(factors_of_panels(), f, first, done < width ? 0 : width, false);
}

// Sums G over the tiles of rows, except for the quarter below the diagonal. G is zero beyond `width`.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::gather(Factors& f, int width) const {
    constexpr int grid_half = grid_panel / 2;
    constexpr int lower = grid_half * grid_half / 2, pieces = 3 * lower;  // pairs of rows in the left half, and in all
    constexpr int abreast = 2, deep = 8;
    for (int begin = thread_; begin < pieces; begin += abreast * grid_threads) {
        double2 sum[abreast] = {};
        int row[abreast], column[abreast];
#pragma unroll
        for (int t = 0; t < abreast; ++t) {
            const int at = begin + t * grid_threads, pairs = at < lower ? grid_half / 2 : grid_half;
            const int place = at < lower ? at : at - lower;
            row[t] = 2 * (place % pairs);
            column[t] = place / pairs + (at < lower ? 0 : grid_half);
        }
        for (int tile = 0; tile < row_tiles_; tile += deep) {
            double2 part[abreast][deep];
#pragma unroll
            for (int t = 0; t < abreast; ++t)
#pragma unroll
                for (int d = 0; d < deep; ++d)
                    part[t][d] = tile + d < row_tiles_
                                     ? __ldcg(reinterpret_cast<const double2*>(
                                           grams() + ((tile + d) * grid_panel + column[t]) * grid_panel + row[t]))
                                     : double2{0.0, 0.0};
#pragma unroll
            for (int t = 0; t < abreast; ++t)
#pragma unroll
                for (int d = 0; d < deep; ++d) {
                    sum[t].x += part[t][d].x;
                    sum[t].y += part[t][d].y;
                }
        }
#pragma unroll
        for (int t = 0; t < abreast; ++t) {
            double* const to = f.g + column[t] * grid_stride + row[t];
            to[0] = column[t] < width && row[t] < width ? sum[t].x : 0.0;
            to[1] = column[t] < width && row[t] + 1 < width ? sum[t].y : 0.0;
        }
    }
}

// Reads the data of the panel from the last block, and computes the coefficients of this block's share of the columns.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::read_panel(int first) const {
    Factors& f = *reinterpret_cast<Factors*>(shared());
    const int width = __ldcg(factors_of_panels().widths + first);
    const int begin = own_.group(first + width, block_);
    __syncthreads();
    if (thread_ == 0) {
        state().panel_width = width;
        if (width == 0) state().valid = false;
    }
    if (thread_ < width) state().norms2[thread_] = __ldcg(factors_of_panels().norms2 + first + thread_);
    factors_of(f.e, factors_of_panels().inverses, first, width).start();
    __pipeline_commit();
    if (begin < n_) gather_overlaps(f, first, width, begin);
    __pipeline_wait_prior(0);
    __syncthreads();
    record_panel(state(), n_, first, keeps_sums() ? cycle_log_norms() : nullptr);
#pragma unroll 1
    for (int column = begin, group = block_; column < n_;
         group += workers_ + 1, column = own_.group(first + width, group)) {
        if (column > begin) gather_overlaps(f, first, width, column);
        coefficients(f, column);
    }
    __syncthreads();
}

// Sums W of 8 columns over the shares of the rows. It becomes zero beyond the panel, where it may have overflowed.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::gather_overlaps(Factors& f, int first, int width, int column0) const {
    const int column = thread_ / (grid_panel / 2), place = thread_ % (grid_panel / 2) * 2;
    const double* const from = overlaps_of(0) + min(n_ - 1, column0 + column) * grid_panel + place;
    const int splits = splits_rows(first) ? a_.layout.splits : 1;
    double2 sum{0.0, 0.0};
#pragma unroll
    for (int s = 0; s < grid_splits; ++s)
        if (s < splits) {
            const double2 part =
                __ldcg(reinterpret_cast<const double2*>(from + s * (static_cast<std::size_t>(n_) * grid_panel)));
            sum.x += part.x;
            sum.y += part.y;
        }
    f.w[0][column * grid_stride + place] = place < width ? sum.x : 0.0;
    f.w[0][column * grid_stride + place + 1] = place + 1 < width ? sum.y : 0.0;
}

// Computes -R^-1 R^-T W of 8 columns. A warp has 8 of the panel's columns.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::coefficients(Factors& f, int column0) const {
    const int i = lane_ / 4, k = lane_ % 4, row = 8 * warp_;
    for (int turn = 0; turn < 2; ++turn) {
        __syncthreads();
        double c[2] = {};
#pragma unroll
        for (int step = 0; step < grid_panel; step += 4) {
            const double left =
                turn == 0 ? f.e[(row + i) * grid_stride + step + k] : -f.e[(step + k) * grid_stride + row + i];
            matrix_multiply(c, left, f.w[turn][i * grid_stride + step + k]);
        }
        for (int d = 0; d < 2; ++d) {
            const int column = 2 * k + d;
            if (turn == 0)
                f.w[1][column * grid_stride + row + i] = c[d];
            else if (column0 + column < n_)
                __stcg(factors_of_columns() + (column0 + column) * grid_panel + row + i, c[d]);
        }
    }
}

// Makes the factors of the panel that begins at column `first`. The last block calls it.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::make_next_factors(int first) {
    if (!own_.has(first)) return receive_factors(first);
    await_gram();
    factorise_next(first);
    if constexpr (divided) signals_.send_factors(panels_);
}

// Computes points from the queue, each in a group of blocks. All blocks must be resident at the same time.
template <bool divided, bool plain>
__global__ void __launch_bounds__(grid_threads, 1) grid_kernel(const __grid_constant__ GridArguments arguments) {
    GridPoint<divided, plain> point(arguments);
    const KernelArguments& common = arguments.common;
    for (int i = point.take_point(); i < common.count; i = point.take_point()) {
        if constexpr (!plain) point.take_given(i);
        run_point(point, common, point.state(), common.work[i], point.cycle_log_norms());
    }
}

}  // namespace legato::tmm
