// The kernel for points that are too wide for a thread-block cluster. The whole device computes one point. Its columns
// are in device memory; those of a thousand sites stay in the cache.
//
// Multiplication: a block takes a few columns through all slices of an interval, which are those between two
// orthonormalisations. Orthonormalisation goes panel by panel. Let X_p be the present panel and x any column that is
// not before it:
//     W = X_p^T x;   G = X_p^T X_p = R^T R;   x <- x - X_p R^-1 R^-T W,   and X_p <- X_p R^-1 after all panels.
// There are three steps between barriers of the grid: W, in shares of the rows; the coefficients R^-1 R^-T W; the
// update of the columns. The columns of the next panel are updated first, and the blocks that do this also sum its G.
// The last block only factorises: it waits for that G, while the other blocks go on to the next W. If the panel is
// steep (panel.cuh), X_p <- X_p R^-1 and the new G come first. If it was steep the last time, the other blocks wait for
// this before they compute W.
#pragma once

#include "tmm/grid_multiplication.cuh"
#include "tmm/grid_point.cuh"

namespace legato::tmm {

template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::orthonormalise() {
    orthonormalise_panels();
    if (state_.valid && !stopped()) normalise();
    if (divided || state_.valid) wait_all();
    if constexpr (!divided) return;
    ++orthonormalisations_;
    if (block_ == 0) signals_.meet(orthonormalisations_);
    wait_all();
    if (stopped() && thread_ == 0) state_.valid = false;
    __syncthreads();
}

// While the last block factorises, the others compute W. If the point is divided, they first compute it for the columns
// that certainly come after the panel.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::orthonormalise_panels() {
    for (int first = 0, width = 0, panel = 0; first + width < n_; width = state_.panel_width, ++panel) {
        update(first, width);
        first += width;
        const bool expects_steep = steep_.expected(panel);
        const int from = divided ? min(first + grid_panel, n_) : first;
        if (!expects_steep) overlaps(first, from, n_);
        wait_all();
        if (stopped()) return;
        const bool steep = __ldcg(a_.factors.steep + first) != 0;
        const int after = divided ? first + __ldcg(a_.factors.widths + first) : first;
        if (steep) replace_panel(first);
        if (steep || expects_steep)
            overlaps(first, after, n_);
        else if (after < from)
            overlaps(first, after, from);
        if (steep || expects_steep || after < from) wait_all();
        read_panel(first);
        wait_all();
        if (!state_.valid || stopped()) return;
        steep_.note(panel, steep);
    }
}

// Computes W of the panel that begins at column `first`, for the own columns in [from, to).
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::overlaps(int first, int from, int to) {
    if (factorises()) return;
    const int splits = a_.layout.splits;
    for (int unit = block_; unit < own_.pieces(from, to) * splits; unit += workers_)
        overlap_unit(first, own_.piece(from, to, unit / splits), unit % splits);
}

// Computes W of the panel and of up to grid_tile columns in a share of the rows. The rows pass through shared memory
// chunk by chunk.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::overlap_unit(int first, Piece columns, int split) {
    const int column0 = columns.first;
    constexpr int stage_doubles = (grid_panel + grid_tile) * grid_stride;
    const int begin = split * a_.layout.split_rows, end = min(rows_, begin + a_.layout.split_rows);
    const int chunks = (end - begin + grid_chunk - 1) / grid_chunk;
    __syncthreads();
#pragma unroll 1
    for (int c = 0; c < a_.layout.stages - 1; ++c)
        stage_rows(shared_ + c * stage_doubles, first, column0, begin + c * grid_chunk, end);
    double sums[4][2][2] = {};
    for (int c = 0; c < chunks; ++c) {
        if (a_.layout.stages > 2)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncthreads();
        const int ahead = c + a_.layout.stages - 1;
        stage_rows(shared_ + ahead % a_.layout.stages * stage_doubles, first, column0, begin + ahead * grid_chunk, end);
        const double* const stage = shared_ + c % a_.layout.stages * stage_doubles;
        tile_products(sums, stage, stage + grid_panel * grid_stride, grid_stride, grid_chunk);
    }
    __pipeline_wait_prior(0);
    double* const out = a_.overlaps + (static_cast<std::size_t>(split) * n_ + column0) * grid_panel;
    each_of_tile(sums, [&](int place, int column, double value) {
        if (column0 + column < columns.end) __stcg(out + column * grid_panel + place, value);
    });
}

// Computes sums += left^T right, with grid_panel columns each. A warp has 32 x 16 of the results.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::tile_products(double (&sums)[4][2][2], const double* left,
                                                          const double* right, int stride, int rows) const {
    const int i = lane_ / 4, k = lane_ % 4;
    left += (warp_ % 2 * 32 + i) * stride + k;
    right += (warp_ / 2 * 16 + i) * stride + k;
#pragma unroll 4
    for (int row = 0; row < rows; row += 4) {
        double a[4];
#pragma unroll
        for (int t = 0; t < 4; ++t) a[t] = left[8 * t * stride + row];
        const double b[2] = {right[row], right[8 * stride + row]};
#pragma unroll
        for (int t = 0; t < 4; t += 2)
#pragma unroll
            for (int u = 0; u < 2; ++u) matrix_multiply(sums[t][u], sums[t + 1][u], a[t], a[t + 1], b[u]);
    }
}

// Calls out(column of left, column of right, value) for each result of tile_products() that this thread holds.
template <int strips, bool divided>
template <class Out>
__device__ void GridPoint<strips, divided>::each_of_tile(const double (&sums)[4][2][2], const Out& out) const {
    const int row = warp_ % 2 * 32 + lane_ / 4, column = warp_ / 2 * 16 + 2 * (lane_ % 4);
#pragma unroll
    for (int t = 0; t < 4; ++t)
#pragma unroll
        for (int u = 0; u < 2; ++u)
#pragma unroll
            for (int d = 0; d < 2; ++d) out(row + 8 * t, column + 8 * u + d, sums[t][u][d]);
}

// Starts the copy of grid_chunk rows of the panel's and the tile's columns to shared memory. Rows from `end` on are
// zero.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::stage_rows(double* stage, int first, int column0, int row, int end) {
    constexpr int pairs = grid_chunk / 2;
    if (row < end)
#pragma unroll 4
        for (int piece = thread_; piece < (grid_panel + grid_tile) * pairs; piece += grid_threads) {
            const int place = piece / pairs, r = piece % pairs * 2;
            const int column = min(n_ - 1, place < grid_panel ? first + place : column0 + place - grid_panel);
            const int inside = min(row + r, rows_ - 2);
            __pipeline_memcpy_async(stage + place * grid_stride + r,
                                    x_ + static_cast<std::size_t>(column) * rows_ + inside, 16, row + r < end ? 0 : 16);
        }
    __pipeline_commit();
}

// Waits for G of `width` columns, and collects it. The last block calls it.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::await_gram(Factors& f, int width) {
    awaited_ += static_cast<unsigned>(row_tiles_);
    if constexpr (divided) {
        signals_.await_count(a_.tiles_done, awaited_);
    } else {
        if (thread_ == 0) {
            while (static_cast<int>(*static_cast<volatile unsigned*>(a_.tiles_done) - awaited_) < 0) __nanosleep(20);
            __threadfence();
        }
        __syncthreads();
    }
    gather(f, width);
    __syncthreads();
    if (thread_ < grid_panel) state_.before[thread_] = f.g[thread_ * grid_stride + thread_];
    __syncthreads();
}

// Writes the data of the panel that all blocks need: norms, width, and R^-T or, if `solves`, the factors for
// solve_rows().
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::write_panel(const PanelFactors& to, const Factors& f, int first, int width,
                                                        bool solves) {
#pragma unroll 4
    for (int at = thread_; at < width * grid_panel; at += grid_threads) {
        const int row = at / grid_panel, column = at % grid_panel, place = row * grid_stride + column;
        __stcg(to.inverses + first * grid_panel + at, solves && column / 8 < row / 8 ? f.g[place] : f.e[place]);
    }
    if (thread_ < width) __stcg(to.norms2 + first + thread_, state_.norms2[thread_]);
    if (thread_ == 0) __stcg(to.widths + first, width);
}

// Factorises G of the panel that begins at column `first`, for all devices. The last block calls it.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::factorise_next(int first) {
    Factors& f = *reinterpret_cast<Factors*>(shared_);
    const int width = min(grid_panel, n_ - first);
    await_gram(f, width);
    const int done = cholesky<grid_panel>(width, f.g, f.e, grid_stride, least_remainder, state_.before, state_.norms2);
    const bool steep =
        __syncthreads_or(thread_ < done && state_.norms2[thread_] < mild_remainder * state_.before[thread_]) != 0;
    for (int part = 0; part < (divided ? a_.share.parts : 1); ++part) {
        const PanelFactors& to = divided ? a_.share.peers[part].factors : a_.factors;
        write_panel(to, f, first, done, steep);
        if (thread_ == 0) __stcg(to.steep + first, steep ? 1 : 0);
    }
    if constexpr (divided) signals_.send_factors(panels_);
}

// Waits for the factors of the panel from another device. The last block calls it.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::receive_factors(int first) {
    signals_.await_factors(leader_, panels_);
    const int width = __ldcg(a_.factors.widths + first);
    if (thread_ < width) state_.norms2[thread_] = __ldcg(a_.factors.norms2 + first + thread_);
    __syncthreads();
}

// Factorises once more after X_p <- X_p R^-1. The last block calls it. G is nearly the unit matrix, and the norms,
// which are still in state_, are multiplied by its pivots.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::refactorise(int first) {
    Factors& f = *reinterpret_cast<Factors*>(shared_);
    const int width = __ldcg(a_.factors.widths + first);
    await_gram(f, width);
    const int done =
        factorise_again<grid_panel>(width, f.g, f.e, grid_stride, least_remainder, state_.before, state_.norms2);
    write_panel(a_.factors, f, first, done < width ? 0 : width, false);
}

// Sums G over the tiles of rows, except for the quarter below the diagonal. G is zero beyond `width`.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::gather(Factors& f, int width) {
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
                                           a_.grams + ((tile + d) * grid_panel + column[t]) * grid_panel + row[t]))
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
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::read_panel(int first) {
    Factors& f = *reinterpret_cast<Factors*>(shared_);
    const int width = __ldcg(a_.factors.widths + first);
    const int begin = own_.group(first + width, block_);
    __syncthreads();
    if (thread_ == 0) {
        state_.panel_width = width;
        if (width == 0) state_.valid = false;
    }
    if (thread_ < width) state_.norms2[thread_] = __ldcg(a_.factors.norms2 + first + thread_);
#pragma unroll 4
    for (int piece = thread_; piece < grid_panel * grid_panel / 2; piece += grid_threads) {
        const int row = piece / (grid_panel / 2), column = piece % (grid_panel / 2) * 2;
        __pipeline_memcpy_async(f.e + row * grid_stride + column,
                                a_.factors.inverses + (row < width ? first + row : first) * grid_panel + column, 16,
                                row < width ? 0 : 16);
    }
    __pipeline_commit();
    if (begin < n_) gather_overlaps(f, width, begin);
    __pipeline_wait_prior(0);
    __syncthreads();
    record_panel(state_, n_, first, keeps_sums() ? a_.cycle_log_norms : nullptr);
#pragma unroll 1
    for (int column = begin, group = block_; column < n_;
         group += workers_ + 1, column = own_.group(first + width, group)) {
        if (column > begin) gather_overlaps(f, width, column);
        coefficients(f, column);
    }
    __syncthreads();
}

// Sums W of 8 columns over the shares of the rows. It becomes zero beyond the panel, where it may have overflowed.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::gather_overlaps(Factors& f, int width, int column0) {
    const int column = thread_ / (grid_panel / 2), place = thread_ % (grid_panel / 2) * 2;
    const double* const from = a_.overlaps + min(n_ - 1, column0 + column) * grid_panel + place;
    double2 sum{0.0, 0.0};
#pragma unroll
    for (int s = 0; s < grid_splits; ++s)
        if (s < a_.layout.splits) {
            const double2 part =
                __ldcg(reinterpret_cast<const double2*>(from + s * (static_cast<std::size_t>(n_) * grid_panel)));
            sum.x += part.x;
            sum.y += part.y;
        }
    f.w[0][column * grid_stride + place] = place < width ? sum.x : 0.0;
    f.w[0][column * grid_stride + place + 1] = place + 1 < width ? sum.y : 0.0;
}

// Computes -R^-1 R^-T W of 8 columns. A warp has 8 of the panel's columns.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::coefficients(Factors& f, int column0) {
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
                __stcg(a_.coefficients + (column0 + column) * grid_panel + row + i, c[d]);
        }
    }
}

// Updates all columns after the panel of `width` columns at `first`. Those of the next panel come first, with its G.
// Without a panel (width 0) it computes only that G. It ends with a barrier of the grid; the last block passes it when
// it has R.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::update(int first, int width) {
    const int begin = first + width;
    next_ = {begin, min(begin + grid_panel, n_)};
    leader_ = own_.owner(begin);
    whole_ = leader_ == own_.owner(next_.end - 1);
    ++panels_;
    if (factorises()) {
        within_barrier([&] {
            if (own_.has(begin))
                factorise_next(begin);
            else
                receive_factors(begin);
        });
        return;
    }
    const int urgent = own_.pieces(begin, next_.end), others = width == 0 ? 0 : own_.pieces(next_.end, n_);
    for (int unit = block_; unit < (urgent + others) * row_tiles_; unit += workers_) {
        const int number = unit / row_tiles_;
        const Piece piece =
            number < urgent ? own_.piece(begin, next_.end, number) : own_.piece(next_.end, n_, number - urgent);
        apply(first, width, piece.first, piece.end, a_.coefficients, false, unit % row_tiles_, number < urgent);
    }
    if constexpr (divided) await_next();
    wait_all();
    if constexpr (divided) gram_of_next();
}

// Waits for the columns of the next panel that other devices have.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::await_next() {
    if (block_ != workers_ - 1) return;
    const int owner = own_.owner(next_.end - 1);
    if (leader_ != a_.share.part) signals_.await_rows(leader_, panels_);
    if (!whole_ && owner != a_.share.part) signals_.await_rows(owner, panels_);
}

// Computes G of the next panel if several devices had its columns.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::gram_of_next() {
    if (whole_ || leader_ != a_.share.part) return;
    for (int tile = block_; tile < row_tiles_; tile += workers_) {
        stage_panel(next_.first, next_.end - next_.first, tile);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        gram_of_shared(tile);
    }
}

// Computes X_p <- X_p R^-1 of the panel that begins at column `first`, and its new G. The last block factorises this G,
// as in update().
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::replace_panel(int first) {
    if (factorises()) {
        within_barrier([&] { refactorise(first); });
        return;
    }
    const int width = __ldcg(a_.factors.widths + first);
    for (int unit = block_; unit < row_tiles_; unit += workers_) replace_rows(first, width, unit);
    wait_all();
}

// Does this for tile `tile` of tile_rows rows, and computes its share of G.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::replace_rows(int first, int width, int tile) {
    double* const factors = shared_ + grid_panel * row_stride;
    stage_panel(first, width, tile);
    stage_factors(a_.factors.inverses, first, first + width);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    solve_rows<grid_panel, strips>(shared_ + 8 * strips * warp_, row_stride, width, factors, factors, grid_stride);
    __syncthreads();
    for (int piece = thread_; piece < grid_panel * tile_rows / 2; piece += grid_threads) {
        const int place = piece / (tile_rows / 2), row = piece % (tile_rows / 2) * 2;
        if (place < width && tile * tile_rows + row < rows_)
            __stcg(reinterpret_cast<double2*>(x_ + static_cast<std::size_t>(first + place) * rows_ + tile * tile_rows +
                                              row),
                   *reinterpret_cast<const double2*>(shared_ + place * row_stride + row));
    }
    gram_of_shared(tile);
}

// Computes X_p <- X_p R^-1 of every panel.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::normalise() {
    int unit = block_;
    for (int first = 0; first < n_;) {
        const int width = __ldcg(a_.factors.widths + first);
        for (int piece = 0; piece < own_.pieces(first, first + width); ++piece, unit -= row_tiles_) {
            const Piece columns = own_.piece(first, first + width, piece);
            for (; unit < row_tiles_; unit += workers_ + 1)
                apply(first, width, columns.first, columns.end, a_.factors.inverses, true, unit, false);
        }
        first += width;
    }
}

// Starts the copy of tile `tile` of tile_rows rows of a panel to the start of shared memory: [grid_panel][row_stride].
// It is zero beyond the panel and the rows.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::stage_panel(int first, int width, int tile) {
    constexpr int pairs = tile_rows / 2;
    const int row0 = tile * tile_rows;
    __syncthreads();
#pragma unroll 4
    for (int piece = thread_; piece < grid_panel * pairs; piece += grid_threads) {
        const int place = piece / pairs, r = piece % pairs * 2;
        const bool holds = place < width && row0 + r < rows_;
        __pipeline_memcpy_async(shared_ + place * row_stride + r,
                                x_ + (holds ? static_cast<std::size_t>(first + place) * rows_ + row0 + r : 0), 16,
                                holds ? 0 : 16);
    }
}

// Starts the copy of the factors of grid_panel columns from column0 on to the memory after the panel:
// [grid_panel][grid_stride]. They are zero from column `end` on.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::stage_factors(const double* factors, int column0, int end) {
    double* const staged = shared_ + grid_panel * row_stride;
#pragma unroll 4
    for (int piece = thread_; piece < grid_panel * grid_panel / 2; piece += grid_threads) {
        const int column = piece / (grid_panel / 2), place = piece % (grid_panel / 2) * 2;
        const bool holds = column0 + column < end;
        __pipeline_memcpy_async(staged + column * grid_stride + place,
                                factors + (holds ? (column0 + column) * grid_panel + place : 0), 16, holds ? 0 : 16);
    }
}

// Updates up to grid_panel columns from column0 on, before `end`, in tile `tile` of tile_rows rows. The panel's columns
// times factors[column][place in the panel] are added to them, or to zero if `from_zero`.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::apply(int first, int width, int column0, int end, const double* factors,
                                                  bool from_zero, int tile, bool wants_gram) {
    const int row0 = tile * tile_rows;
    const double* const panel = shared_;
    const double* const staged = shared_ + grid_panel * row_stride;
    stage_panel(first, width, tile);
    stage_factors(factors, column0, width > 0 ? end : 0);
    __pipeline_commit();
    const int i = lane_ / 4, k = lane_ % 4, row = row0 + 8 * strips * warp_ + 2 * k;
    double c[8][strips][2] = {};
    const auto place_of = [&](int t, int u) {
        return reinterpret_cast<double2*>(x_ + static_cast<std::size_t>(column0 + 8 * t + i) * rows_ + row + 8 * u);
    };
    if (!from_zero)
#pragma unroll
        for (int t = 0; t < 8; ++t)
#pragma unroll
            for (int u = 0; u < strips; ++u)
                if (column0 + 8 * t + i < end && row + 8 * u < rows_) {
                    const double2 value = __ldcg(place_of(t, u));
                    c[t][u][0] = value.x;
                    c[t][u][1] = value.y;
                }
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 4
    for (int step = 0; step < grid_panel; step += 4) {
        const double* const right = panel + (step + k) * row_stride + 8 * strips * warp_ + i;
#pragma unroll
        for (int t = 0; t < 8; t += 2) {
            const double* const left = staged + (8 * t + i) * grid_stride + step + k;
            const double a[2] = {left[0], left[8 * grid_stride]};
#pragma unroll
            for (int u = 0; u < strips; ++u) matrix_multiply(c[t][u], c[t + 1][u], a[0], a[1], right[8 * u]);
        }
    }
    if (wants_gram) gram(c, tile, column0, end);
#pragma unroll
    for (int t = 0; t < 8; ++t)
#pragma unroll
        for (int u = 0; u < strips; ++u)
            if (column0 + 8 * t + i < end && row + 8 * u < rows_)
                __stcg(place_of(t, u), double2{c[t][u][0], c[t][u][1]});
}

// Computes the share of this tile of rows in G of the columns that apply() has just updated. Counts the tile in
// tiles_done, for the last block.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::gram(const double (&c)[8][strips][2], int tile, int column0, int end) {
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 8; ++t)
#pragma unroll
        for (int u = 0; u < strips; ++u)
            *reinterpret_cast<double2*>(shared_ + (8 * t + lane_ / 4) * row_stride + 8 * (strips * warp_ + u) +
                                        2 * (lane_ % 4)) = double2{c[t][u][0], c[t][u][1]};
    if constexpr (divided) send_tile(tile, column0, end);
    if (whole_) gram_of_shared(tile);
    if constexpr (divided) signals_.send_rows(tile, panels_);
}

// Writes tile `tile` of the rows of the columns in shared memory to the other devices.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::send_tile(int tile, int column0, int end) {
    constexpr int pairs = tile_rows / 2;
    const int row0 = tile * tile_rows;
    __syncthreads();
    for (int part = 0; part < a_.share.parts; ++part) {
        if (part == a_.share.part) continue;
        double* const to = a_.share.peers[part].psi + slot_at_ + static_cast<std::size_t>(column0) * rows_ + row0;
#pragma unroll 4
        for (int piece = thread_; piece < (end - column0) * pairs; piece += grid_threads) {
            const int place = piece / pairs, row = piece % pairs * 2;
            if (row0 + row < rows_)
                __stcg(reinterpret_cast<double2*>(to + static_cast<std::size_t>(place) * rows_ + row),
                       *reinterpret_cast<const double2*>(shared_ + place * row_stride + row));
        }
    }
}

// Does the same for columns in shared memory, where stage_panel() puts them.
template <int strips, bool divided>
__device__ void GridPoint<strips, divided>::gram_of_shared(int tile) {
    __syncthreads();
    double sums[4][2][2] = {};
    tile_products(sums, shared_, shared_, row_stride, tile_rows);
    double* const out = a_.grams + tile * grid_panel * grid_panel;
    each_of_tile(sums, [&](int place, int column, double value) { __stcg(out + column * grid_panel + place, value); });
    __threadfence();
    __syncthreads();
    if (thread_ == 0) atomicAdd(a_.tiles_done, 1u);
}

// Computes one point after the other. All blocks must be resident at the same time.
template <int strips, bool divided>
__global__ void __launch_bounds__(grid_threads, 1) grid_kernel(const __grid_constant__ GridArguments arguments) {
    extern __shared__ __align__(16) double shared[];
    __shared__ PanelState<grid_panel> state;
    GridPoint<strips, divided> point(arguments, shared, state);
    const KernelArguments& common = arguments.common;
    for (int i = 0; i < common.count; ++i) run_point(point, common, state, common.work[i], arguments.cycle_log_norms);
}

}  // namespace legato::tmm
